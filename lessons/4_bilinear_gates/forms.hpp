// Lesson 4: gates as products, quadratic forms as matrices, functions of three
// bits. Equations: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/frame/text/words.hpp"
#include "lessons/4_bilinear_gates/models.hpp"

namespace lesson4 {

// ---------------------------------------------------------------------------- parts 1 and 4: gates

struct Factor {
  double x = 0, y = 0, one = 0;

  double at(double of_x, double of_y) const { return x * of_x + y * of_y + one; }
};

// The coefficients of (4.6); here x_ and y_ are called x and y.
struct QuadraticForm {
  double xx = 0, yy = 0, xy = 0, x = 0, y = 0, one = 0;

  double at(double of_x, double of_y) const {
    return xx * of_x * of_x + yy * of_y * of_y + xy * of_x * of_y + x * of_x + y * of_y + one;
  }
};

// Multiplies the factors out.   (4.6)
inline QuadraticForm multiplied_out(const Factor& w, const Factor& v) {
  return {w.x * v.x,
          w.y * v.y,
          w.x * v.y + w.y * v.x,
          w.x * v.one + w.one * v.x,
          w.y * v.one + w.one * v.y,
          w.one * v.one};
}

// Outputs at 00, 10, 01, 11: x is the first digit.
using TruthTable = std::array<double, 4>;
inline constexpr std::array<std::array<double, 2>, 4> corners{{{0, 0}, {1, 0}, {0, 1}, {1, 1}}};

struct Gate {
  const char* name;
  TruthTable truth;
  Factor w, v;  // for inputs and outputs in {0, 1}
};

inline constexpr std::array<Gate, 16> gates{{
    {"FALSE", {0, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
    {"AND", {0, 0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
    {"x AND NOT y", {0, 1, 0, 0}, {1, 0, 0}, {0, -1, 1}},
    {"x", {0, 1, 0, 1}, {1, 0, 0}, {0, 0, 1}},
    {"NOT x AND y", {0, 0, 1, 0}, {-1, 0, 1}, {0, 1, 0}},
    {"y", {0, 0, 1, 1}, {0, 1, 0}, {0, 0, 1}},
    {"XOR", {0, 1, 1, 0}, {1, -1, 0}, {1, -1, 0}},
    {"OR", {0, 1, 1, 1}, {1, 1, 0}, {-0.5, -0.5, 1.5}},
    {"NOR", {1, 0, 0, 0}, {-1, 0, 1}, {0, -1, 1}},
    {"XNOR", {1, 0, 0, 1}, {-1, -1, 1}, {-1, -1, 1}},
    {"NOT y", {1, 1, 0, 0}, {0, -1, 1}, {0, 0, 1}},
    {"x OR NOT y", {1, 1, 0, 1}, {1, -1, 1}, {-0.5, 0.5, 1}},
    {"NOT x", {1, 0, 1, 0}, {-1, 0, 1}, {0, 0, 1}},
    {"NOT x OR y", {1, 0, 1, 1}, {-1, 1, 1}, {0.5, -0.5, 1}},
    {"NAND", {1, 1, 1, 0}, {-1, -1, 2}, {0.5, 0.5, 0.5}},
    {"TRUE", {1, 1, 1, 1}, {0, 0, 1}, {0, 0, 1}},
}};
inline constexpr const Gate& xor_gate = gates[6];

// Returns null when no truth table is within `tolerance`.
inline const Gate* gate_of(const TruthTable& values, double tolerance = 0) {
  const auto near = [&](double a, double b) { return std::abs(a - b) <= tolerance; };
  const auto same = [&](const Gate& gate) {
    return std::equal(values.begin(), values.end(), gate.truth.begin(), near);
  };
  const auto gate = std::find_if(gates.begin(), gates.end(), same);
  return gate == gates.end() ? nullptr : &*gate;
}

inline Matrix<double> corner_rows() { return {{0, 0}, {1, 0}, {0, 1}, {1, 1}}; }
inline Matrix<double> column_of(const TruthTable& truth) {
  return {{truth[0]}, {truth[1]}, {truth[2]}, {truth[3]}};
}

inline TruthTable truth_of(const QuadraticForm& f) {
  return {f.at(0, 0), f.at(1, 0), f.at(0, 1), f.at(1, 1)};
}

inline Matrix<double> output(const QuadraticForm& form, const Matrix<double>& X) {
  Matrix<double> Y(X.rows(), 1);
  for (std::size_t i = 0; i < X.rows(); ++i) Y(i, 0) = form.at(X(i, 0), X(i, 1));
  return Y;
}

inline ProductLayer<double> unit_of(const Factor& w, const Factor& v) {
  ProductLayer<double> layer({2, 1});
  layer.W = {{w.x}, {w.y}};
  layer.b = {{w.one}};
  layer.V = {{v.x}, {v.y}};
  layer.c = {{v.one}};
  return layer;
}

// Returns the form of the first unit.
inline QuadraticForm form_of(const ProductLayer<double>& layer) {
  return multiplied_out({layer.W(0, 0), layer.W(1, 0), layer.b(0, 0)},
                        {layer.V(0, 0), layer.V(1, 0), layer.c(0, 0)});
}

// Returns "x - y + 1", or "0".
inline std::string text_of(const Factor& f) {
  std::string text;
  const auto add = [&](double value, const std::string& name) {
    if (value == 0) return;
    if (!text.empty()) text += value < 0 ? " - " : " + ";
    else if (value < 0) text += "-";
    const double size = std::abs(value);
    if (name.empty()) text += significant(size);
    else if (size == 1) text += name;
    else text += significant(size) + "·" + name;
  };
  add(f.x, "x");
  add(f.y, "y");
  add(f.one, "");
  return text.empty() ? "0" : text;
}
inline std::string text_of(const Factor& w, const Factor& v) {
  return "(" + text_of(w) + ")·(" + text_of(v) + ")";
}

// ---------------------------------------------------------------- parts 4 and 7: forms as matrices

// Returns the symmetric S (3 x 3) with f(x, y) = (x, y, 1)·S·(x, y, 1)ᵀ.   (4.7)
inline Matrix<double> matrix_of(const QuadraticForm& f) {
  return {{f.xx, f.xy / 2, f.x / 2}, {f.xy / 2, f.yy, f.y / 2}, {f.x / 2, f.y / 2, f.one}};
}

// Counts the squares of a quadratic form by sign.
struct Signature {
  int plus = 0, minus = 0;

  int units() const { return std::max(plus, minus); }  // (4.8)
};

// Completes one square of r·S·rᵀ, S symmetric, after another. When some r[i]·r[j] weighs much more
// than any square, a row and column is first added to another.
inline Signature signature(Matrix<double> S) {
  if (const double size = largest_entry(S); size > 0)
    S = map_entries(S, [&](double x) { return x / size; });
  constexpr double zero = 1e-12;  // smaller is rounding
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const std::size_t n = S.rows();
  Signature squares;
  while (true) {
    const auto largest = std::max_element(S.values().begin(), S.values().end(), smaller);
    if (std::abs(*largest) <= zero) return squares;
    std::size_t k = 0;
    for (std::size_t i = 1; i < n; ++i)
      if (smaller(S(k, k), S(i, i))) k = i;
    if (4 * std::abs(S(k, k)) < std::abs(*largest)) {
      const auto place = std::size_t(largest - S.values().begin());
      const std::size_t other = place % n;
      k = place / n;
      for (std::size_t i = 0; i < n; ++i) S(k, i) += S(other, i);
      for (std::size_t i = 0; i < n; ++i) S(i, k) += S(i, other);
    }
    if (S(k, k) > 0) ++squares.plus;
    else ++squares.minus;
    const Matrix<double> row(row_block(S, k, 1));
    S += -1 / S(k, k) * matmul(transpose(row), row);
  }
}

// Returns whether A·q = a has a solution; a is the last column. Pivots are above `zero`.
inline bool solvable(Matrix<double> A, double zero) {
  const std::size_t n = A.rows(), last = A.cols() - 1;
  for (std::size_t rank = 0; rank < n; ++rank) {
    std::size_t row = rank, col = 0;
    for (std::size_t i = rank; i < n; ++i)
      for (std::size_t j = 0; j < last; ++j)
        if (std::abs(A(i, j)) > std::abs(A(row, col))) {
          row = i;
          col = j;
        }
    if (std::abs(A(row, col)) <= zero) {
      for (std::size_t i = rank; i < n; ++i)
        if (std::abs(A(i, last)) > zero) return false;
      return true;
    }
    for (std::size_t j = 0; j <= last; ++j) std::swap(A(rank, j), A(row, j));
    for (std::size_t i = rank + 1; i < n; ++i) {
      const double factor = A(i, col) / A(rank, col);
      for (std::size_t j = 0; j <= last; ++j) A(i, j) -= factor * A(rank, j);
    }
  }
  return true;
}

// ------------------------------------------------------------- parts 9 and 10: least squares

using Column = std::vector<double>;

// Returns what is left of each column outside the span of the basis, which is made orthonormal.
inline std::vector<Column> left_outside(std::vector<Column> basis, std::vector<Column> columns) {
  const auto product = [](const Column& a, const Column& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  const auto remove = [&](Column& from, std::size_t below) {
    for (std::size_t k = 0; k < below; ++k) {
      const double share = product(from, basis[k]);
      for (std::size_t r = 0; r < from.size(); ++r) from[r] -= share * basis[k][r];
    }
  };
  for (std::size_t k = 0; k < basis.size(); ++k) {
    const double before = product(basis[k], basis[k]);
    for (int twice = 0; twice < 2; ++twice) remove(basis[k], k);  // the second, of roundings
    const double left = product(basis[k], basis[k]);
    for (double& one : basis[k]) one = left > 1e-18 * before ? one / std::sqrt(left) : 0;
  }
  for (Column& column : columns) remove(column, basis.size());
  return columns;
}

// ------------------------------------------------------------------------------ part 8: three bits

// At corner i of the cube, x, y and z are the bits of i, x the lowest; function f is bit i of f.
inline double input_bit(std::size_t corner, std::size_t axis) { return double(corner >> axis & 1); }
inline double output_bit(std::size_t function, std::size_t corner) {
  return double(function >> corner & 1);
}

inline double parity_sign(std::size_t corner) { return std::popcount(corner) % 2 == 0 ? -1 : 1; }

// Returns κ, the coefficient of xyz on the cube, where x² = x: the values at odd corners
// less the others.   (4.11)
inline double cubic_coefficient(std::size_t function) {
  double sum = 0;
  for (std::size_t i = 0; i < 8; ++i) sum += parity_sign(i) * output_bit(function, i);
  return sum;
}

// The weights of x, y, z and 1 in a factor.
using Weights = std::array<double, 4>;

inline double value_at(const Weights& p, std::size_t corner) {
  return p[0] * input_bit(corner, 0) + p[1] * input_bit(corner, 1) + p[2] * input_bit(corner, 2) +
         p[3];
}

// Returns whether some affine q has p·q = f on the cube. If p is not 0, q must be f/p: four
// unknowns, up to eight equations.
inline bool has_partner(std::size_t function, const Weights& p) {
  Matrix<double> A(8, 5);
  for (std::size_t i = 0; i < 8; ++i) {
    const double value = value_at(p, i), f = output_bit(function, i);
    if (value == 0 && f != 0) return false;
    if (value == 0) continue;  // any q will do
    for (std::size_t axis = 0; axis < 3; ++axis) A(i, axis) = input_bit(i, axis);
    A(i, 3) = 1;
    A(i, 4) = f / value;
  }
  return solvable(A, 1e-9);  // pivots of such small fractions are above 1e-2, or rounding
}

// Returns all factors of whole numbers from -most to most.
inline std::vector<Weights> whole_factors(int most) {
  std::vector<Weights> all;
  for (double x = -most; x <= most; ++x)
    for (double y = -most; y <= most; ++y)
      for (double z = -most; z <= most; ++z)
        for (double one = -most; one <= most; ++one) all.push_back({x, y, z, one});
  return all;
}

// Tries factors of -1, 0 and 1, each with whatever other one fits.
inline bool one_unit_does(std::size_t function) {
  const std::vector<Weights> all = whole_factors(1);
  const auto fits = [&](const Weights& p) { return has_partner(function, p); };
  return std::any_of(all.begin(), all.end(), fits);
}

// Returns the functions of two such factors, both whole.
inline std::set<std::size_t> whole_units(int most) {
  std::set<std::size_t> functions;
  const std::vector<Weights> all = whole_factors(most);
  for (const Weights& p : all)
    for (const Weights& q : all) {
      std::size_t function = 0, i = 0;
      for (; i < 8; ++i) {
        const double f = value_at(p, i) * value_at(q, i);
        if (f != 0 && f != 1) break;
        function |= std::size_t(f) << i;
      }
      if (i == 8) functions.insert(function);
    }
  return functions;
}

}  // namespace lesson4
