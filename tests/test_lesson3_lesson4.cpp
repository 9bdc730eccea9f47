// The product layers of lessons 3 and 4 are the same.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/models.hpp"
#include "tests/product_layers.hpp"

int main() {
  Checks check;
  agrees_with_lesson3(check, lesson4::ProductNet<double>({3, 4, 2}));
  return check.done("test_lesson3_lesson4");
}
