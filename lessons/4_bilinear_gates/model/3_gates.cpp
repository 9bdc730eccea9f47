// Lesson 4: what is done with gates and their factors. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/model/3_gates.hpp"

#include <cmath>
#include <stdexcept>

#include "common/support/words.hpp"

namespace lesson4 {

QuadraticForm multiplied_out(const Factor& w, const Factor& v) {
  return {w.x * v.x,    w.y * v.y, w.x * v.y + w.y * v.x, w.x * v.one + w.one * v.x, w.y * v.one + w.one * v.y,
          w.one * v.one};
}

const Gate& gate_named(const std::string& name) {
  for (const Gate& gate : gates)
    if (gate.name == name) return gate;
  throw std::invalid_argument("no gate is called " + name);
}

Matrix<double> corner_rows() {
  Matrix<double> X(corners.size(), 2);
  for (std::size_t k = 0; k < corners.size(); ++k)
    for (std::size_t j = 0; j < 2; ++j) X(k, j) = corners[k][j];
  return X;
}

Matrix<double> column_of(const TruthTable& truth) {
  Matrix<double> T(truth.size(), 1);
  for (std::size_t k = 0; k < truth.size(); ++k) T(k, 0) = truth[k];
  return T;
}

TruthTable truth_of(const QuadraticForm& f) {
  TruthTable truth;
  for (std::size_t k = 0; k < corners.size(); ++k) truth[k] = f.at(corners[k][0], corners[k][1]);
  return truth;
}

Factor for_signs(const Factor& f) { return {f.x / 2, f.y / 2, f.one + (f.x + f.y) / 2}; }

ProductLayer unit_of(const Factor& w, const Factor& v) {
  ProductLayer layer({2, 1});
  layer.W = {{w.x}, {w.y}};
  layer.b = {{w.one}};
  layer.V = {{v.x}, {v.y}};
  layer.c = {{v.one}};
  return layer;
}

Factor first_factor(const ProductLayer& layer, std::size_t unit) {
  return {layer.W(0, unit), layer.W(1, unit), layer.b(0, unit)};
}

Factor second_factor(const ProductLayer& layer, std::size_t unit) {
  return {layer.V(0, unit), layer.V(1, unit), layer.c(0, unit)};
}

std::string text_of(const Factor& f) {
  std::string text;
  const auto add = [&](double value, const std::string& name) {
    if (value == 0) return;
    const double size = std::abs(value);
    text += text.empty() ? (value < 0 ? "-" : "") : (value < 0 ? " - " : " + ");
    text += name.empty() || size != 1 ? significant(size) + (name.empty() ? "" : "·" + name) : name;
  };
  add(f.x, "x");
  add(f.y, "y");
  add(f.one, "");
  return text.empty() ? "0" : text;
}

std::string text_of(const TruthTable& truth) {
  std::string digits;
  for (const double value : truth) digits += value > 0.5 ? '1' : '0';
  return digits;
}

}  // namespace lesson4
