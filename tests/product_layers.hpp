// Lesson 3 derives the product layer, and later lessons restate it: the same function, and the same gradients.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>

#include "common/loss.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "tests/check.hpp"

// W3 = 0 adds zeros, which round nothing, and the rest is added in the same order: equal to the bit. Lesson 3's dW3 has
// no counterpart. `net` has W, b, V, c, U, d in this order.
template <class Net>
void agrees_with_lesson3(Checks& check, Net net) {
  using Product = lesson3::Product<double>;
  Random random(1);
  fill_normal(net.tensors(), random);
  Product product({3, 4, 2});
  const auto restated = [](const Tensors<double>& all) {
    Tensors<double> without_W3;
    for (const auto& [name, tensor] : all)
      if (name != "W3") without_W3.push_back({name, tensor});
    return without_W3;
  };
  const Tensors<double> from = net.tensors(), to = restated(product.tensors());
  check.that(from.size() == to.size(), "the number of tensors");
  for (std::size_t t = 0; t < std::min(from.size(), to.size()); ++t) to[t].tensor = from[t].tensor;

  const auto X = normal_matrix<double>(7, 3, 1, random), dY = normal_matrix<double>(7, 2, 1, random);
  const auto loss = [&](const Matrix<double>&) { return Loss<double>{0, dY}; };
  check.that(output(net, X) == output(product, X), "Y");
  Gradients<Net> found = gradients(net, X, loss);
  Gradients<Product> expected = gradients(product, X, loss);
  const Tensors<double> left = found.d.tensors(), right = restated(expected.d.tensors());
  for (std::size_t t = 0; t < std::min(left.size(), right.size()); ++t)
    check.that(left[t].tensor == right[t].tensor, "d" + left[t].name);
  check.that(found.dX == expected.dX, "dX");
}
