// Lesson 2: a small case.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/run/small_case.hpp"

namespace lesson2 {

Windows small_windows() {
  const std::vector<std::uint32_t> text{0, 1, 1, 2, 3, 3, 3, 4, 5, 6};
  return windows_of(text, 0, text.size(), 3, 7);  // 7 is padding, and has a row in C
}

Bengio<double> small_model(Connections connections, Random& random) {
  Bengio<double> model({7, 3, 2, 5, connections == Connections::direct_too});
  fill_normal(model.tensors(), random);
  return model;
}

}  // namespace lesson2
