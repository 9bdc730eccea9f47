// Part 3: the layer by hand; a gradient check without truncation error.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4::p3 {

constexpr knob::Numbers first{"w", "w[1], w[2] and b of the first factor", {1, 2, -1}, in_quarters};
constexpr knob::Numbers second{"v", "v[1], v[2] and c of the second", {3, -1, 2}, in_quarters};
constexpr knob::Numbers input{"r", "the row of two inputs", {2, 1}, in_quarters};
constexpr knob::Real arriving{"dh", "the gradient that arrives at the output", 1, in_quarters};

static plot::Diagram diagram_of(const ProductLayer<double>& unit, const Matrix<double>& X,
                                const Matrix<double>& dh, const ProductLayer<double>::Trace& t,
                                const Gradients<ProductLayer<double>>& g) {
  using enum plot::Box::Kind;
  const auto one = [](const Matrix<double>& number) { return text_of(number(0, 0)); };
  plot::Diagram diagram{.title = "One product unit, forward and backward"};
  diagram.boxes = {{"w, b", 0.8, 0, stored, "", pair_text(unit.W) + ", " + one(unit.b),
                    pair_text(g.parameters.W) + ", " + one(g.parameters.b), "w"},
                   {"r", 0, 1, stored, "", pair_text(X), pair_text(g.dX), "r"},
                   {"v, c", 0.8, 2, stored, "", pair_text(unit.V) + ", " + one(unit.c),
                    pair_text(g.parameters.V) + ", " + one(g.parameters.c), "v"},
                   {"p = r·w + b", 1.8, 0.5, computed, "", one(t.P), one(hadamard(dh, t.Q))},
                   {"q = r·v + c", 1.8, 1.5, computed, "", one(t.Q), one(hadamard(dh, t.P))},
                   {"h = p ⊙ q", 2.9, 1, computed, "", one(t.Y), one(dh), "dh"}};
  diagram.arrows = {{"r", "p = r·w + b", "1 × 2"},         {"r", "q = r·v + c", "1 × 2"},
                    {"w, b", "p = r·w + b", ""},           {"v, c", "q = r·v + c", ""},
                    {"p = r·w + b", "h = p ⊙ q", "1 × 1"}, {"q = r·v + c", "h = p ⊙ q", "1 × 1"}};
  return diagram;
}

static void unit_by_hand(Lesson& lesson, const knob::Settings& at) {
  ProductLayer<double> unit = unit_of(factor_of(at[first]), factor_of(at[second]));
  Matrix<double> X = matrix_of(1, at[input]);
  const Matrix<double> dh(1, 1, at[arriving]);
  ProductLayer<double>::Trace t;
  unit.forward(X, t);
  Gradients<ProductLayer<double>> g(unit);
  unit.backward(X, t, dh, g);
  lesson.figure("unit", diagram_of(unit, X, dh, t, g));
  lesson.say("The unit by hand: p = ", text_of(t.P(0, 0)), ", q = ", text_of(t.Q(0, 0)),
             ", h = ", text_of(t.Y(0, 0)), "; dw = ", pair_text(g.parameters.W),
             ", dv = ", pair_text(g.parameters.V), ", dr = ", pair_text(g.dX), ".");
  lesson.claim_standard("h by hand", t.Y(0, 0), exactly(21));
  lesson.claim_standard("dw and dv by hand, largest difference",
                        std::max(max_abs_difference(g.parameters.W, {{14}, {7}}),
                                 max_abs_difference(g.parameters.V, {{6}, {3}})),
                        exactly(0));
  lesson.claim_standard("dr by hand, largest difference", max_abs_difference(g.dX, {{16, 11}}),
                        exactly(0));
  // A few roundings; quarters need none.
  lesson.claim("its gradients beside differences with a step of 1, relative",
               check_model(unit, X, weighted_sum{dh}, Step::quadratic).worst(), at_most(1e-12));
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  unit_by_hand(lesson, at);
  Random random(lesson.options().seed, 40);
  claim_exactly(lesson, "every gradient of a layer beside differences with a step of 1, relative",
                ProductLayer<double>({4, 5}), 6, 4, random);
  claim_exactly(lesson, "... with a read-out", ProductNet<double>({4, 5, 3}), 6, 4, random);
}

}  // namespace lesson4::p3

const Part<lesson4::Session> lesson4::part3{
    .number = 3,
    .title = "The layer",
    .question = "What comes back through one product?",
    .run = p3::run,
    .knobs = {&p3::first, &p3::second, &p3::input, &p3::arriving}};
