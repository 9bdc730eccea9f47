// Lesson 3 derives the product layer, and lessons 4 and 5 restate it: the same function, and the same gradients. Lesson
// 3's W3 is 0 here and adds zeros, which round nothing: equal to the bit. Its dW3 has no counterpart.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>

#include "common/loss.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/4_bilinear_gates/models.hpp"
#include "lessons/5_tensor_folding/models.hpp"
#include "tests/check.hpp"

static Tensors<double> without_W3(const Tensors<double>& all) {
  Tensors<double> restated;
  for (const auto& [name, tensor] : all)
    if (name != "W3") restated.push_back({name, tensor});
  return restated;
}

// `net` has W, b, V, c, U, d in this order.
template <class Net>
static void agrees_with_lesson3(Checks& check, const std::string& lesson, Net net) {
  Random random(1);
  fill_normal(net.tensors(), random);
  lesson3::Product<double> product({3, 4, 2});
  const Tensors<double> from = net.tensors(), to = without_W3(product.tensors());
  check.that(from.size() == to.size(), lesson + ": the number of tensors");
  for (std::size_t t = 0; t < std::min(from.size(), to.size()); ++t) to[t].tensor = from[t].tensor;

  const auto X = normal_matrix<double>(7, 3, 1, random), dY = normal_matrix<double>(7, 2, 1, random);
  const auto loss = [&](const Matrix<double>&) { return Loss<double>{0, dY}; };
  check.that(output(net, X) == output(product, X), lesson + ": Y");
  Gradients<Net> found = gradients(net, X, loss);
  auto expected = gradients(product, X, loss);
  const Tensors<double> left = found.d.tensors(), right = without_W3(expected.d.tensors());
  for (std::size_t t = 0; t < std::min(left.size(), right.size()); ++t)
    check.that(left[t].tensor == right[t].tensor, lesson + ": d" + left[t].name);
  check.that(found.dX == expected.dX, lesson + ": dX");
}

int main() {
  Checks check;
  agrees_with_lesson3(check, "lesson 4", lesson4::ProductNet<double>({3, 4, 2}));
  agrees_with_lesson3(check, "lesson 5", lesson5::Net<double>({3, 0, 4, 2}));
  return check.done("test_lesson3_lesson4_lesson5");
}
