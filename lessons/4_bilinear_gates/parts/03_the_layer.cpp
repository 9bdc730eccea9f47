// Part 3: the layer by hand; a gradient check without truncation error.
// SPDX-License-Identifier: MIT
#include "common/frame/plot/scene.hpp"
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4::p3 {

constexpr knob::Numbers first{
    "w", "the first factor, r·w + b", {1, 2, -1}, in_quarters, {"w[1]", "w[2]", "b"}};
constexpr knob::Numbers second{
    "v", "the second, r·v + c", {3, -1, 2}, in_quarters, {"v[1]", "v[2]", "c"}};
constexpr knob::Numbers input{"r", "the row of two inputs", {2, 1}, in_quarters, {"r[1]", "r[2]"}};
constexpr knob::Real arriving{"dh", "the gradient that arrives at the output", 1, in_quarters};

using plot::Scene, plot::Spot, plot::Tone;

constexpr Spot box_size{128, 70};

struct Node {
  Spot corner;
  const char* name;
  std::string value, slope;
  const char* knob = "";  // of what is given

  Spot left(double down = 0) const { return {corner.x - 3, corner.y + box_size.y / 2 + down}; }
  Spot right() const { return {corner.x + box_size.x + 2, corner.y + box_size.y / 2}; }
};

// A name, below it the value that came and the gradient that comes back.
static void draw_node(Scene& scene, const Node& node) {
  const bool given = *node.knob != '\0';
  scene.cell({.corner = node.corner,
              .size = box_size,
              .fill = given ? plot::Fill::stored : plot::Fill::value,
              .round = given ? 0.0 : 9.0});
  const double middle = node.corner.x + box_size.x / 2;
  scene.text({middle, node.corner.y + 20}, node.name, {.strong = true});
  scene.text({middle, node.corner.y + 41}, node.value, {.tone = Tone::value});
  scene.text({middle, node.corner.y + 61}, node.slope, {.tone = Tone::gradient, .strong = true});
  scene.touch(node.corner, box_size, node.name,
              join("value ", node.value, ", gradient ", node.slope), node.knob);
}

static Scene picture_of(const ProductLayer<double>& unit, const Matrix<double>& X,
                        const Matrix<double>& dh, const ProductLayer<double>::Trace& t,
                        const Gradients<ProductLayer<double>>& g) {
  Scene scene("Back, each factor meets the other");
  const auto one = [](const Matrix<double>& number) { return text_of(number(0, 0)); };
  const auto factor = [&](const Matrix<double>& pair, const Matrix<double>& number) {
    return pair_text(pair) + ", " + one(number);
  };
  const ProductLayer<double>& d = g.parameters;
  const Node w{{16, 6}, "w, b", factor(unit.W, unit.b), factor(d.W, d.b), "w"},
      r{{16, 96}, "r", pair_text(X), pair_text(g.dX), "r"},
      v{{16, 186}, "v, c", factor(unit.V, unit.c), factor(d.V, d.c), "v"},
      p{{176, 51}, "p = r·w + b", one(t.P), one(hadamard(dh, t.Q))},
      q{{176, 141}, "q = r·v + c", one(t.Q), one(hadamard(dh, t.P))},
      h{{336, 96}, "h = p ⊙ q", one(t.Y), one(dh), "dh"};
  // Value and gradient between two boxes, there and back.
  const auto join_boxes = [&](const Node& from, const Node& to, double down) {
    const Spot a = from.right(), b = to.left(down);
    scene.arrow({a.x, a.y - 5}, {b.x, b.y - 5}, {.tone = Tone::value, .width = 1.6});
    scene.arrow({b.x, b.y + 5}, {a.x, a.y + 5}, {.tone = Tone::gradient, .width = 1.6});
  };
  join_boxes(w, p, -16);
  join_boxes(r, p, 16);
  join_boxes(r, q, -16);
  join_boxes(v, q, 16);
  join_boxes(p, h, -16);
  join_boxes(q, h, 16);
  for (const Node* node : {&w, &r, &v, &p, &q, &h}) draw_node(scene, *node);
  scene.label({16, 284}, {{"value", {.tone = Tone::value}},
                          {" on the way, and the ", {.tone = Tone::soft}},
                          {"gradient", {.tone = Tone::gradient, .strong = true}},
                          {" that comes back", {.tone = Tone::soft}}});
  scene.end(292);
  return scene;
}

static void unit_by_hand(Lesson& lesson, const knob::Settings& at) {
  ProductLayer<double> unit = unit_of(factor_of(at[first]), factor_of(at[second]));
  Matrix<double> X = matrix_of(1, at[input]);
  const Matrix<double> dh(1, 1, at[arriving]);
  ProductLayer<double>::Trace t;
  unit.forward(X, t);
  Gradients<ProductLayer<double>> g(unit);
  unit.backward(X, t, dh, g);
  lesson.figure("unit", picture_of(unit, X, dh, t, g));
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
