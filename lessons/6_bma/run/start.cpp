// Lesson 6: where the weights start.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/start.hpp"

#include <cmath>

#include "common/support/flags.hpp"
#include "common/support/words.hpp"

namespace lesson6 {

Start start_named(const std::string& name) {
  for (const Start& start : starts)
    if (name == start.name) return start;
  throw UserError("'" + excerpt(name) + "' is none of own, large, small, published");
}

template <class T>
void draw_start(const Tensors<T>& tensors, const Start& start, std::size_t layers, std::uint64_t seed) {
  Random shared(seed, 1), gates(seed, 2);
  for (const auto& [name, tensor] : tensors) {
    const std::string last = name.substr(name.rfind('.') + 1);
    const Shape shape = tensor.shape();
    const bool embeds = name == "tok" || name == "pos", gate = last == "Wg" || last == "Wp";
    if (!embeds && (last == "weight" || last.starts_with('b'))) {  // gains; biases and shifts
      tensor = Matrix<T>(shape.rows, shape.cols, last == "weight" ? T(1) : T(0));
      continue;
    }
    double deviation = start.weights > 0 ? start.weights : 1 / std::sqrt(double(shape.rows));
    if (embeds) deviation = start.embeddings;
    if (gate) deviation = start.gates;
    if (start.shrinks && (last == "Wo" || last == "W2")) deviation /= std::sqrt(2 * double(layers));
    if (name == "head.W") deviation *= start.head;
    tensor = normal_matrix<T>(shape.rows, shape.cols, deviation, gate ? gates : shared);
  }
}

template void draw_start(const Tensors<float>&, const Start&, std::size_t, std::uint64_t);
template void draw_start(const Tensors<double>&, const Start&, std::size_t, std::uint64_t);

}  // namespace lesson6
