// Lesson 4: the sixteen gates of two inputs, each as one product (w1·x + w2·y + b)(v1·x + v2·y + c), and what such a
// product says when it is multiplied out. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <string>

#include "common/matrix.hpp"
#include "common/support/words.hpp"
#include "product_layer.hpp"

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

// The product of two factors, multiplied out.   (4.5)
inline QuadraticForm multiplied_out(const Factor& w, const Factor& v) {
  return {w.x * v.x,    w.y * v.y, w.x * v.y + w.y * v.x, w.x * v.one + w.one * v.x, w.y * v.one + w.one * v.y,
          w.one * v.one};
}

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

// The factor for inputs in {-1, 1}: x = (1 + s)/2 puts half of each weight on s and half on the constant.   (4.6)
inline Factor for_signs(const Factor& f) { return {f.x / 2, f.y / 2, f.one + (f.x + f.y) / 2}; }

// A product layer of one unit with these factors.
inline ProductLayer layer_of(const Factor& w, const Factor& v) {
  ProductLayer layer(2, 1);
  layer.W = {{w.x}, {w.y}}, layer.b = {{w.one}};
  layer.V = {{v.x}, {v.y}}, layer.c = {{v.one}};
  return layer;
}

// The factors of one unit of a layer with two inputs.
inline Factor first_factor(const ProductLayer& layer, std::size_t unit) {
  return {layer.W(0, unit), layer.W(1, unit), layer.b(0, unit)};
}
inline Factor second_factor(const ProductLayer& layer, std::size_t unit) {
  return {layer.V(0, unit), layer.V(1, unit), layer.c(0, unit)};
}

// The gate that a form computes on {0, 1}, by its four values: which are all that the form and the gate have in common.
inline TruthTable truth_of(const QuadraticForm& f) {
  TruthTable truth;
  for (std::size_t k = 0; k < corners.size(); ++k) truth[k] = f.at(corners[k][0], corners[k][1]);
  return truth;
}

// The factor as a sum, "x - y + 1"; "0" when nothing is in it.
inline std::string text_of_factor(const Factor& f) {
  std::string text;
  const auto add = [&](double value, const std::string& name) {
    if (value == 0) return;
    const double size = value < 0 ? -value : value;
    text += text.empty() ? (value < 0 ? "-" : "") : (value < 0 ? " - " : " + ");
    text += name.empty() || size != 1 ? significant(size) + (name.empty() ? "" : "·" + name) : name;
  };
  add(f.x, "x"), add(f.y, "y"), add(f.one, "");
  return text.empty() ? "0" : text;
}
