// Lesson 4: the sixteen gates of two inputs, each as one product (w1·x + w2·y + b)(v1·x + v2·y + c), and what such a
// product says when it is multiplied out. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <string>

#include "lessons/4_bilinear_gates/model/1_product_layer.hpp"

namespace lesson4 {

// The factor w1·x + w2·y + b.
struct Factor {
  double x = 0, y = 0, one = 0;

  double at(double s, double t) const { return x * s + y * t + one; }
};

// xx·x² + yy·y² + xy·x·y + x·x + y·y + one.
struct QuadraticForm {
  double xx = 0, yy = 0, xy = 0, x = 0, y = 0, one = 0;

  double at(double s, double t) const { return xx * s * s + yy * t * t + xy * s * t + x * s + y * t + one; }
};

// Returns the product of two factors, multiplied out.   (4.5)
QuadraticForm multiplied_out(const Factor& w, const Factor& v);

// Outputs for the inputs 00, 10, 01, 11: x is the first digit.
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

// Returns the gate of that name. Throws std::invalid_argument for a name that is not in the table.
const Gate& gate_named(const std::string& name);

// Returns the four corners as rows, and a truth table as a column.
Matrix<double> corner_rows();
Matrix<double> column_of(const TruthTable& truth);

// Returns a form's values at the four corners: it is a gate where these are that gate's truth table.
TruthTable truth_of(const QuadraticForm& f);

// Returns the factor for inputs in {-1, 1}: x = (1 + s)/2 puts half of each weight on s and half on the
// constant.   (4.6)
Factor for_signs(const Factor& f);

// Returns a product layer of one unit with these factors.
ProductLayer unit_of(const Factor& w, const Factor& v);

// Return the factors of one unit of a layer with two inputs.
Factor first_factor(const ProductLayer& layer, std::size_t unit);
Factor second_factor(const ProductLayer& layer, std::size_t unit);

// Returns the factor as a sum, "x - y + 1"; "0" when nothing is in it.
std::string text_of(const Factor& f);

// Returns the four digits of a truth table, "0110".
std::string text_of(const TruthTable& truth);

}  // namespace lesson4
