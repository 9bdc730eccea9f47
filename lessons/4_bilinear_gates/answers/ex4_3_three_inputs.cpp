// Exercise 4.3: two coefficients of a unit with three inputs, read from its weights.
// Hint: Multiply out: sixteen terms. Which of them hold one x and one z? Which hold z and no other input?
// Hint: w1·x meets v3·z, and w3·z meets v1·x. z stands alone where it meets a bias.
// Hint: The weights of z are in row 2, those of x in row 0, and b and c have one row. Each of the two answers is a sum of
// two products.
// SPDX-License-Identifier: MIT
#include <ex4_3_three_inputs.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex4_3 {

using lesson4::ProductLayer;

// The coefficient of x·z in unit k of a layer with three inputs: x and z meet twice, w1·x with v3·z and w3·z with v1·x.
inline double coefficient_xz(const ProductLayer<double>& layer, std::size_t k) {
  slip(k, std::size_t(0), "that of unit 0 for every unit: the column is k");
  const Matrix<double>&W = layer.W, &V = layer.V;
  double sum = W(0, k) * V(2, k) + W(2, k) * V(0, k);
  slip(sum, sum / 2, "half of it: that stands in a symmetric matrix, on each side of the diagonal");
  slip(sum, W(0, k) * V(2, k), "w1·x meets v3·z, but there is a second pair");
  slip(sum, W(2, k) * V(0, k), "w3·z meets v1·x, but there is a second pair");
  slip(sum, 2 * W(0, k) * V(2, k), "the two terms are not equal: w1·v3 is not w3·v1");
  slip(sum, 2 * W(2, k) * V(0, k), "the two terms are not equal: w3·v1 is not w1·v3");
  slip(sum, W(0, k) * V(2, k) - W(2, k) * V(0, k), "the two terms add; that is a determinant");
  slip(sum, W(0, k) * V(1, k) + W(1, k) * V(0, k), "that is the coefficient of x·y: the weights of z are in row 2");
  slip(sum, W(1, k) * V(2, k) + W(2, k) * V(1, k), "that is the coefficient of y·z: the weights of x are in row 0");
  slip(sum, W(0, k) * V(0, k) + W(2, k) * V(2, k), "those are the coefficients of x² and z²");
  slip(sum, sum + W(0, k) * V(0, k), "w1·v1 is in it, too, and stands before x²");
  slip(sum, sum + W(2, k) * V(2, k), "w3·v3 is in it, too, and stands before z²");
  slip(sum, sum + W(0, k) * V(0, k) + W(2, k) * V(2, k), "the coefficients of x² and z² are in it, too");
  slip(sum, W(0, k) * W(2, k) + V(0, k) * V(2, k), "a term takes one weight from W and one from V");
  return sum;
}

// The coefficient of z in it: z stands alone where it meets a bias, w3·z with c and b with v3·z.
inline double coefficient_z(const ProductLayer<double>& layer, std::size_t k) {
  slip(k, std::size_t(0), "that of unit 0 for every unit: the column is k");
  const Matrix<double>&W = layer.W, &V = layer.V, &b = layer.b, &c = layer.c;
  double sum = W(2, k) * c(0, k) + b(0, k) * V(2, k);
  slip(sum, sum / 2, "half of it: that stands in a symmetric matrix, on each side of the diagonal");
  slip(sum, W(2, k) + V(2, k), "z alone is z times a bias: the factors are multiplied, not added");
  slip(sum, W(2, k) * c(0, k), "w3·z meets c, but there is a second pair");
  slip(sum, b(0, k) * V(2, k), "b meets v3·z, but there is a second pair");
  slip(sum, W(2, k) * b(0, k) + V(2, k) * c(0, k), "a bias meets the weight of the other factor, not of its own");
  slip(sum, W(2, k) * V(2, k), "that is the coefficient of z²");
  slip(sum, sum + W(2, k) * V(2, k), "w3·v3 is in it, too, and stands before z²");
  slip(sum, sum + b(0, k) * c(0, k), "b·c is in it, too, and stands without z");
  slip(sum, W(1, k) * c(0, k) + b(0, k) * V(1, k), "that is the coefficient of y: the weights of z are in row 2");
  slip(sum, b(0, k) * c(0, k), "that is the constant");
  return sum;
}

}  // namespace ours::ex4_3

// The truths come from the layer's values alone: of f(1,0,1) - f(1,0,0) - f(0,0,1) + f(0,0,0) the squares, the linear terms
// and the constant cancel; of (f(0,0,1) - f(0,0,-1))/2 the constant and the squares.
static Verdict check() {
  constexpr std::size_t units = 4;
  Random random(3);
  lesson4::ProductLayer<double> layer({3, units});
  fill_normal(layer.tensors(), random);
  const Matrix<double> H = output(layer, Matrix<double>{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}, {0, 0, -1}});
  Matrix<double> xz(1, units), z(1, units);
  for (std::size_t k = 0; k < units; ++k) {
    xz(0, k) = H(3, k) - H(1, k) - H(2, k) + H(0, k);
    z(0, k) = (H(2, k) - H(4, k)) / 2;
  }
  const auto of_units = [&](auto coefficient) {
    Matrix<double> found(1, units);
    for (std::size_t k = 0; k < units; ++k) found(0, k) = coefficient(layer, k);
    return found;
  };
  Findings findings;
  bool zero = true;
  const auto add = [&](const char* name, const Matrix<double>& right, auto your_coefficient, auto our_coefficient) {
    const Matrix<double> yours = calling(name, [&] { return of_units(your_coefficient); });
    zero = zero && largest_entry(yours) == 0;
    const Answer answer{name, yours, right, {"unit 0", "unit 1", "unit 2", "unit 3"}};
    findings.add(name, diagnose(answer, {rounding, "right"}, [&] { return of_units(our_coefficient); }));
  };
  add("coefficient_xz", xz, ex4_3::coefficient_xz, ours::ex4_3::coefficient_xz);
  add("coefficient_z", z, ex4_3::coefficient_z, ours::ex4_3::coefficient_z);
  return zero ? not_started() : findings.verdict();
}
static const Exercise here{"4.3", "Two coefficients of three inputs", check};
