// The product layers of lessons 3 and 5 are the same: lesson 3 derives it, and lesson 5 restates it. Lesson 3's W3 is 0
// here and adds zeros, which round nothing, and two terms have the same sum in either order: equal to the bit. Its dW3
// has no counterpart.
// SPDX-License-Identifier: MIT
#include "common/loss.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/5_tensor_folding/models.hpp"
#include "tests/check.hpp"

int main() {
  Checks check;
  Random random(1);
  lesson5::Net<double> net({3, 0, 4, 2});
  fill_normal(net.tensors(), random);
  lesson3::Product<double> product({3, 4, 2});
  product.layer.W = net.W;
  product.layer.b = net.b;
  product.layer.V = net.V;
  product.layer.c = net.c;
  product.readout.W2 = net.U;
  product.readout.b2 = net.d;
  const auto X = normal_matrix<double>(7, 3, 1, random), dY = normal_matrix<double>(7, 2, 1, random);
  const auto weighted = [&](const Matrix<double>& Y) { return Loss<double>{dot(dY, Y), dY}; };
  check.that(output(net, X) == output(product, X), "the output");
  const auto found = gradients(net, X, weighted);
  const auto expected = gradients(product, X, weighted);
  check.that(found.d.W == expected.d.layer.W && found.d.b == expected.d.layer.b, "dW and db");
  check.that(found.d.V == expected.d.layer.V && found.d.c == expected.d.layer.c, "dV and dc");
  check.that(found.d.U == expected.d.readout.W2 && found.d.d == expected.d.readout.b2, "dU and dd");
  check.that(found.dX == expected.dX, "dX");
  return check.done("test_lesson3_lesson5");
}
