// Lesson 2: writes a small fixed batch with all gradients, so that another system can check the derivation.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "bengio.hpp"
#include "common/loss.hpp"
#include "common/support/checkpoint.hpp"
#include "common/support/flags.hpp"

inline void export_bengio(safetensors::File& file, const std::string& name, bool direct, const Windows& windows) {
  Random random(2);
  Bengio<double> model({7, 3, 2, 5, direct});
  for (const auto& [tensor_name, tensor] : model.tensors())
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), 1, random);
  const auto trace = model.forward(windows);
  const Loss<double> loss = softmax_cross_entropy(trace.logits, std::span(windows.targets));
  Bengio<double> gradients = model.backward(windows, trace, loss.gradient);
  add_tensors(file, name + ".param.", model.tensors());
  add_matrix(file, name + ".output.logits", trace.logits);
  add_scalar(file, name + ".loss", loss.value);
  add_tensors(file, name + ".grad.", gradients.tensors());
}

// Returns the exit status. Throws UserError when the file cannot be written.
inline int export_lesson2(const std::string& path) {
  const std::vector<std::uint32_t> text{0, 1, 1, 2, 3, 3, 3, 4, 5, 6};
  const Windows windows = windows_of(text, 0, text.size(), 3, 7);  // 7 is padding, and has a row in C
  safetensors::File file;
  file.metadata = {{"lesson", "2"},
                   {"bengio",
                    "E[i, k d + a] = C[contexts[i, k], a]; H = tanh(E W1 + b1); logits = H W2 + b2; "
                    "loss = mean cross-entropy in nats"},
                   {"bengio_direct", "the same with logits = H W2 + b2 + E Wd"}};
  add_indices(file, "input.contexts", {windows.size(), windows.length}, windows.contexts);
  add_indices(file, "input.targets", {windows.size()}, windows.targets);
  export_bengio(file, "bengio", false, windows);
  export_bengio(file, "bengio_direct", true, windows);
  return write_export(path, file);
}
