// Lesson 4, part 2: draws a product unit.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/run/diagram.hpp"

#include <string>

#include "common/support/words.hpp"

namespace lesson4 {

std::string pair_text(const Matrix<double>& two) {
  return "(" + significant(two.values()[0] + 0.0) + ", " + significant(two.values()[1] + 0.0) + ")";
}

plot::Diagram diagram_of(const ProductLayer& unit, const Matrix<double>& X, const ProductLayer::Trace& t,
                         const Matrix<double>& dh, const Gradients<ProductLayer>& g) {
  using Kind = plot::Box::Kind;
  const Matrix<double> dp = hadamard(dh, t.Q), dq = hadamard(dh, t.P);
  const auto one = [](const Matrix<double>& number) { return significant(number(0, 0) + 0.0); };
  plot::Diagram diagram{.title = "One product unit, forward and backward"};
  const auto add = [&](const std::string& name, double column, double row, Kind kind, const std::string& forward,
                       const std::string& back) {
    diagram.boxes.push_back({name, column, row, kind, "", forward, back});
  };
  add("w, b", 0.8, 0, Kind::stored, pair_text(unit.W) + ", " + one(unit.b), pair_text(g.d.W) + ", " + one(g.d.b));
  add("x", 0, 1, Kind::stored, pair_text(X), pair_text(g.dX));
  add("v, c", 0.8, 2, Kind::stored, pair_text(unit.V) + ", " + one(unit.c), pair_text(g.d.V) + ", " + one(g.d.c));
  add("p = x·w + b", 1.8, 0.5, Kind::computed, one(t.P), one(dp));
  add("q = x·v + c", 1.8, 1.5, Kind::computed, one(t.Q), one(dq));
  add("h = p ⊙ q", 2.9, 1, Kind::computed, one(t.Y), one(dh));
  diagram.arrows = {{"x", "p = x·w + b", "1 × 2"},         {"x", "q = x·v + c", "1 × 2"},
                    {"w, b", "p = x·w + b", ""},           {"v, c", "q = x·v + c", ""},
                    {"p = x·w + b", "h = p ⊙ q", "1 × 1"}, {"q = x·v + c", "h = p ⊙ q", "1 × 1"}};
  return diagram;
}

}  // namespace lesson4
