// Lesson 4, part 8: all 256 functions of three bits, every one of them: which are one quadratic, and with how many units.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

#include "common/support/lesson.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"
#include "lessons/4_bilinear_gates/product_layer.hpp"

// Corner i of the cube: x, y, z are the bits of i, x the lowest. Function f says bit i of f there.
inline double input_bit(std::size_t corner, std::size_t axis) { return double(corner >> axis & 1); }
inline double output_bit(std::size_t function, std::size_t corner) { return double(function >> corner & 1); }
inline double parity_sign(std::size_t corner) {
  return std::fmod(input_bit(corner, 0) + input_bit(corner, 1) + input_bit(corner, 2), 2) == 0 ? -1 : 1;
}

// Multiplied out on the cube, where x² = x, every function is a polynomial in which each variable stands at most once.
// This is its coefficient of xyz: the sum of its values, those at odd corners counted plus, the others minus.   (4.12)
inline double cubic_coefficient(std::size_t function) {
  double sum = 0;
  for (std::size_t i = 0; i < 8; ++i) sum += parity_sign(i) * output_bit(function, i);
  return sum;
}

// The values at the corners of the quadratic nearest to f. On the cube the eight products of signs, one for each subset of
// the axes, are at right angles to each other; seven of them are quadratic, so each is given its share of f, Σ f·product/8.
inline std::array<double, 8> best_quadratic(std::size_t function) {
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

// Is there an affine q with p·q = f on the cube, p given by its weights of x, y, z, 1? Where p is not 0, q must be f/p; four
// numbers for up to eight equations: solvable when the right side adds nothing to the rank.
inline bool has_partner(std::size_t function, const std::array<double, 4>& p) {
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

// By search: p over the whole numbers from -3 to 3.
inline bool one_unit_does(std::size_t function) {
  for (int code = 0; code < 7 * 7 * 7 * 7; ++code)
    if (has_partner(function, {double(code % 7 - 3), double(code / 7 % 7 - 3), double(code / 49 % 7 - 3),
                               double(code / 343 - 3)}))
      return true;
  return false;
}

// Is f a multiplexer, "if s then ±a else ±b"? Those are s·a + (1 - s)·b, two products by their look.
inline bool is_multiplexer(std::size_t function) {
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

// Twice the symmetric matrix over (s, a, b, 1) of s·a + (1 - s)·b + α(s² - s) + β(a² - a) + γ(b² - b): on the cube the three
// terms with α, β, γ are 0, and no others are, so these are all the quadratics that are this multiplexer.
inline Matrix<double> multiplexer(double alpha, double beta, double gamma) {
  return {{2 * alpha, 1, -1, -alpha},
          {1, 2 * beta, 0, -beta},
          {-1, 0, 2 * gamma, 1 - gamma},
          {-alpha, -beta, 1 - gamma, 0}};
}

using Triple = std::array<std::size_t, 3>;

// The determinant of three rows and three columns of S.
inline double minor_of(const Matrix<double>& S, const Triple& rows, const Triple& cols) {
  const auto at = [&](std::size_t i, std::size_t j) { return S(rows[i], cols[j]); };
  return at(0, 0) * (at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)) -
         at(0, 1) * (at(1, 0) * at(2, 2) - at(1, 2) * at(2, 0)) +
         at(0, 2) * (at(1, 0) * at(2, 1) - at(1, 1) * at(2, 0));
}

// The proof that no product is a multiplexer. A product has rank 2, so that three minors A, B, C of its matrix are 0; but
// (α + β + 1)·C + ((α + β)² + 1)·(A/2 + B) + (α - β)² + 1 is 0 for all α, β, γ. Neither holds a power above the third of any of
// them, so that the identity holds everywhere when it does on a grid of four values each. All numbers are whole.
struct MultiplexerProof {
  double identity = 0,
         corners = 0;  // how far from 0 the identity is, and how far the quadratics are from the multiplexer
};

inline MultiplexerProof prove_multiplexer() {
  MultiplexerProof worst;
  for (int code = 0; code < 4 * 4 * 4; ++code) {
    const double alpha = code % 4 - 1, beta = code / 4 % 4 - 1, gamma = code / 16 - 1, sum = alpha + beta;
    const Matrix<double> S = multiplexer(alpha, beta, gamma);
    const double A = minor_of(S, {0, 1, 2}, {0, 1, 2}), B = minor_of(S, {0, 1, 2}, {0, 1, 3});
    const double C = minor_of(S, {0, 1, 3}, {0, 1, 3});
    const double identity = (sum + 1) * C + (sum * sum + 1) * (A / 2 + B) + (alpha - beta) * (alpha - beta) + 1;
    worst.identity = std::max(worst.identity, std::abs(identity));
    for (std::size_t i = 0; i < 8; ++i) {
      const Matrix<double> z{{input_bit(i, 0), input_bit(i, 1), input_bit(i, 2), 1}};
      const double chosen = z(0, 0) != 0 ? z(0, 1) : z(0, 2);
      worst.corners = std::max(worst.corners, std::abs(dot(matmul(z, S), z) / 2 - chosen));
    }
  }
  return worst;
}

// Parity from two product layers: first (x - y)² and z·1, then the square of their difference.
inline double parity_error() {
  ProductLayer first(3, 2), second(2, 1);
  first.W = {{1, 0}, {-1, 0}, {0, 1}}, first.V = {{1, 0}, {-1, 0}, {0, 0}}, first.c = {{0, 1}};
  second.W = {{1}, {-1}}, second.V = second.W;
  double worst = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const Matrix<double> x{{input_bit(i, 0), input_bit(i, 1), input_bit(i, 2)}};
    const double odd = parity_sign(i) > 0 ? 1 : 0;
    worst = std::max(worst, std::abs(second.forward(first.forward(x).H).H(0, 0) - odd));
  }
  return worst;
}

inline void part8(Lesson& lesson) {
  double worst_miss = 0;
  int exact = 0, one = 0, two = 0, multiplexers = 0, thresholded = 0;
  for (std::size_t f = 0; f < 256; ++f) {
    const double k = cubic_coefficient(f);
    const std::array<double, 8> nearest = best_quadratic(f);
    bool right = true;
    for (std::size_t i = 0; i < 8; ++i) {
      right = right && (nearest[i] - 0.5) * (output_bit(f, i) - 0.5) > 0;
      worst_miss = std::max(worst_miss, std::abs(std::abs(nearest[i] - output_bit(f, i)) - std::abs(k) / 8));
    }
    thresholded += right;
    if (k != 0) continue;
    ++exact;
    if (one_unit_does(f)) ++one;
    else ++two, multiplexers += is_multiplexer(f);
  }
  lesson.say(
      "Three bits have eight corners and 256 functions; we look at all of them. On the cube x² = x, so a function is ",
      "a polynomial in which each variable stands at most once, and one sum of products of two affine factors is ",
      "it exactly when the coefficient k of xyz is zero.");
  lesson.show(Table{{"of the 256 functions", "count"},
                    {{"exact as a quadratic (k = 0)", std::to_string(exact)},
                     {"  with one unit", std::to_string(one)},
                     {"  with two: multiplexers, s·a + (1 - s)·b", std::to_string(two)},
                     {"right at all corners, thresholded at 1/2", std::to_string(thresholded)}}});
  lesson.claim("exact as a quadratic: 8 over 4", double(exact), exactly(70));
  lesson.claim("of these with one unit, by search", double(one), exactly(46));
  lesson.claim("the others, every one a multiplexer", two == 24 && multiplexers == 24);
  const MultiplexerProof proof = prove_multiplexer();
  lesson.say(
      "For the multiplexers the search finds none, and there is none. The quadratics that are s·a + (1 - s)·b on "
      "the cube have the matrices S(α, β, γ) of README.md, and three minors A, B, C of 2·S, which are 0 for a "
      "product, satisfy (α + β + 1)·C + ((α + β)² + 1)·(A/2 + B) + (α - β)² + 1 = 0. So A = B = C = 0 would make a "
      "square -1.");
  lesson.claim("each S is the multiplexer at all corners: max |diff|", proof.corners, exactly(0));
  lesson.claim("the identity on 4 × 4 × 4 whole numbers: max |left side|", proof.identity, exactly(0));
  lesson.say(
      "The best quadratic misses every corner by the same |k|/8, up at odd corners and down at even ones (or the ",
      "other way round), since that pattern is at right angles to all quadratics. k runs from -4 to 4, and only the ",
      "two parities have |k| = 4: there the best quadratic says 1/2 everywhere.");
  lesson.claim("every corner missed by |k|/8: largest difference", worst_miss, exactly(0));  // eighths
  lesson.claim("right when thresholded: all but the two parities", double(thresholded), exactly(254));

  int even_right = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const double u = input_bit(i, 0) + input_bit(i, 1) + input_bit(i, 2);
    even_right += ((u - 0.5) * (u - 1.5) > 0) == (parity_sign(i) < 0);
  }
  lesson.say(
      "With u = x + y + z, the sign of (u - 1/2)(u - 3/2) is even parity at seven of the eight corners. At all "
      "eight no quadratic has the right sign: its sum over the corners, odd ones plus and even ones minus, is 0, "
      "while with right signs every term of that sum would be positive. Two layers do it exactly: ((x - y)² - z)².");
  lesson.claim("even parity by one unit's sign: corners right", even_right, exactly(7));
  lesson.claim("odd parity by two layers: max |diff|", parity_error(), exactly(0));
}
