// Lesson 2: writes a small fixed batch with all gradients, so that another system can check the derivation.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/run/export.hpp"

#include "common/support/checkpoint.hpp"
#include "lessons/2_bengio_mlp/run/small_case.hpp"

namespace lesson2 {

static void export_bengio(safetensors::File& file, const std::string& name, Connections connections,
                          const Windows& windows) {
  Random random(2);
  add_model(file, name, "logits", small_model(connections, random), windows, loss_of(windows));
}

int export_lesson2(const std::string& path) {
  const Windows windows = small_windows();
  safetensors::File file;
  file.metadata = {{"lesson", "2"},
                   {"bengio",
                    "E[i, k d + a] = C[contexts[i, k], a]; H = tanh(E W1 + b1); logits = H W2 + b2; "
                    "loss = mean cross-entropy in nats"},
                   {"bengio_direct", "the same with logits = H W2 + b2 + E Wd"}};
  add_indices(file, "input.contexts", {windows.size(), windows.length}, windows.contexts);
  add_indices(file, "input.targets", {windows.size()}, windows.targets);
  export_bengio(file, "bengio", Connections::hidden_alone, windows);
  export_bengio(file, "bengio_direct", Connections::direct_too, windows);
  return write_export(path, file);
}

}  // namespace lesson2
