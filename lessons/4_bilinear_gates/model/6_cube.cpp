// Lesson 4, part 8: what can be known of a function of three bits. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/model/6_cube.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "lessons/4_bilinear_gates/model/4_forms.hpp"

namespace lesson4 {

double input_bit(std::size_t corner, std::size_t axis) { return double(corner >> axis & 1); }

double output_bit(std::size_t function, std::size_t corner) { return double(function >> corner & 1); }

double parity_sign(std::size_t corner) { return std::popcount(corner) % 2 == 0 ? -1 : 1; }

double cubic_coefficient(std::size_t function) {
  double sum = 0;
  for (std::size_t i = 0; i < 8; ++i) sum += parity_sign(i) * output_bit(function, i);
  return sum;
}

std::array<double, 8> best_quadratic(std::size_t function) {
  std::array<double, 8> values{};
  const auto product = [](std::size_t subset, std::size_t corner) {
    return std::popcount(subset & corner) % 2 == 0 ? 1.0 : -1.0;
  };
  for (std::size_t subset = 0; subset < 7; ++subset) {  // 7 is all three axes: cubic
    double share = 0;
    for (std::size_t i = 0; i < 8; ++i) share += output_bit(function, i) * product(subset, i) / 8;
    for (std::size_t i = 0; i < 8; ++i) values[i] += share * product(subset, i);
  }
  return values;
}

bool has_partner(std::size_t function, const std::array<double, 4>& p) {
  Matrix<double> A(8, 4), with_right_side(8, 5);
  for (std::size_t i = 0; i < 8; ++i) {
    const std::array<double, 4> z{input_bit(i, 0), input_bit(i, 1), input_bit(i, 2), 1};
    const double value = p[0] * z[0] + p[1] * z[1] + p[2] * z[2] + p[3], f = output_bit(function, i);
    if (value == 0 && f != 0) return false;
    if (value == 0) continue;  // any q will do here
    for (std::size_t j = 0; j < 4; ++j) A(i, j) = with_right_side(i, j) = z[j];
    with_right_side(i, 4) = f / value;
  }
  constexpr double zero = 1e-9;  // pivots of such small fractions are above 1e-2, or rounding
  return rank_of(A, zero) == rank_of(with_right_side, zero);
}

bool one_unit_does(std::size_t function) {
  for (int code = 0; code < 7 * 7 * 7 * 7; ++code)
    if (has_partner(function, {double(code % 7 - 3), double(code / 7 % 7 - 3), double(code / 49 % 7 - 3),
                               double(code / 343 - 3)}))
      return true;
  return false;
}

bool is_multiplexer(std::size_t function) {
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t code = 0; code < 8; ++code) {
      const std::size_t a = (s + 1 + (code & 1)) % 3, b = (s + 2 - (code & 1)) % 3;
      bool same = true;
      for (std::size_t i = 0; i < 8; ++i) {
        const double then = std::abs(input_bit(i, a) - double(code >> 1 & 1));
        const double otherwise = std::abs(input_bit(i, b) - double(code >> 2 & 1));
        same = same && output_bit(function, i) == (input_bit(i, s) != 0 ? then : otherwise);
      }
      if (same) return true;
    }
  return false;
}

double minor_of(const Matrix<double>& S, const Triple& rows, const Triple& cols) {
  const auto at = [&](std::size_t i, std::size_t j) { return S(rows[i], cols[j]); };
  return at(0, 0) * (at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)) -
         at(0, 1) * (at(1, 0) * at(2, 2) - at(1, 2) * at(2, 0)) +
         at(0, 2) * (at(1, 0) * at(2, 1) - at(1, 1) * at(2, 0));
}

// Twice the symmetric matrix over (s, a, b, 1) of s·a + (1 - s)·b + α(s² - s) + β(a² - a) + γ(b² - b): on the cube the
// three terms with α, β, γ are 0, and no others are, so these are all the quadratics that are this multiplexer.
static Matrix<double> multiplexer(double alpha, double beta, double gamma) {
  return {{2 * alpha, 1, -1, -alpha},
          {1, 2 * beta, 0, -beta},
          {-1, 0, 2 * gamma, 1 - gamma},
          {-alpha, -beta, 1 - gamma, 0}};
}

MultiplexerProof prove_multiplexer() {
  MultiplexerProof worst;
  for (int code = 0; code < 4 * 4 * 4; ++code) {
    const double alpha = code % 4 - 1, beta = code / 4 % 4 - 1, gamma = code / 16 - 1, sum = alpha + beta;
    const Matrix<double> S = multiplexer(alpha, beta, gamma);
    const double D1 = minor_of(S, {0, 1, 2}, {0, 1, 2}), D2 = minor_of(S, {0, 1, 2}, {0, 1, 3});
    const double D3 = minor_of(S, {0, 1, 3}, {0, 1, 3});
    const double identity = (sum + 1) * D3 + (sum * sum + 1) * (D1 / 2 + D2) + (alpha - beta) * (alpha - beta) + 1;
    worst.identity = std::max(worst.identity, std::abs(identity));
    for (std::size_t i = 0; i < 8; ++i) {
      const Matrix<double> r{{input_bit(i, 0), input_bit(i, 1), input_bit(i, 2), 1}};
      const double chosen = r(0, 0) != 0 ? r(0, 1) : r(0, 2);
      worst.corners = std::max(worst.corners, std::abs(dot(matmul(r, S), r) / 2 - chosen));
    }
  }
  return worst;
}

}  // namespace lesson4
