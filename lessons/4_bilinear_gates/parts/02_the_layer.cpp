// Lesson 4, part 2: the product layer: a case by hand, and a gradient check that has no truncation error.
// SPDX-License-Identifier: MIT
#include "common/gradcheck.hpp"
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4 {

constexpr knob::Numbers first{"w", "w1, w2 and b of the first factor", {1, 2, -1}, {-3, 3, 0.25}};
constexpr knob::Numbers second{"v", "v1, v2 and c of the second", {3, -1, 2}, {-3, 3, 0.25}};
constexpr knob::Numbers input{"x", "the two inputs", {2, 1}, {-3, 3, 0.25}};
constexpr knob::Real arriving{"dh", "the gradient that arrives at the output", 1, {-3, 3, 0.25}};

static plot::Diagram diagram_of(const ProductLayer<double>& unit, const Matrix<double>& X, const Matrix<double>& dh,
                                const ProductLayer<double>::Trace& t, const Gradients<ProductLayer<double>>& g) {
  using enum plot::Box::Kind;
  const auto one = [](const Matrix<double>& number) { return text_of(number(0, 0)); };
  plot::Diagram diagram{.title = "One product unit, forward and backward"};
  diagram.boxes = {
      {"w, b", 0.8, 0, stored, "", pair_text(unit.W) + ", " + one(unit.b), pair_text(g.d.W) + ", " + one(g.d.b)},
      {"x", 0, 1, stored, "", pair_text(X), pair_text(g.dX)},
      {"v, c", 0.8, 2, stored, "", pair_text(unit.V) + ", " + one(unit.c), pair_text(g.d.V) + ", " + one(g.d.c)},
      {"p = x·w + b", 1.8, 0.5, computed, "", one(t.P), one(hadamard(dh, t.Q))},
      {"q = x·v + c", 1.8, 1.5, computed, "", one(t.Q), one(hadamard(dh, t.P))},
      {"h = p ⊙ q", 2.9, 1, computed, "", one(t.Y), one(dh)}};
  diagram.arrows = {{"x", "p = x·w + b", "1 × 2"},         {"x", "q = x·v + c", "1 × 2"},
                    {"w, b", "p = x·w + b", ""},           {"v, c", "q = x·v + c", ""},
                    {"p = x·w + b", "h = p ⊙ q", "1 × 1"}, {"q = x·v + c", "h = p ⊙ q", "1 × 1"}};
  return diagram;
}

// Returns the slopes of Σ R ⊙ Y in X, as central differences with step h.
static Matrix<double> numeric_dX(const ProductLayer<double>& layer, Matrix<double> X, const Matrix<double>& R,
                                 double h) {
  Matrix<double> dX(X.rows(), X.cols());
  for (std::size_t k = 0; k < X.size(); ++k) {
    double& x = X.values()[k];
    const double kept = x;
    x = kept + h;
    const double up = dot(R, output(layer, X));
    x = kept - h;
    const double down = dot(R, output(layer, X));
    x = kept;
    dX.values()[k] = (up - down) / (2 * h);
  }
  return dX;
}

static auto weighted(const Matrix<double>& R) {
  return [R](const Matrix<double>& Y) { return Loss<double>{dot(R, Y), R}; };
}

// Checks every parameter and X against numbers, through Σ R ⊙ output with a fixed random R; all numbers are quarters.
template <class Model>
static GradientReport check_exactly(Model model, std::size_t n, std::size_t in, Random& random) {
  for (const auto& [name, tensor] : model.tensors()) tensor = quarters(tensor.rows(), tensor.cols(), random);
  Matrix<double> X = quarters(n, in, random);
  return check_model(model, X, weighted(quarters(n, output(model, X).cols(), random)), Step::quadratic);
}

static void unit_by_hand(Lesson& lesson, const knob::Settings& at) {
  const ProductLayer<double> unit = unit_of(factor_of(at[first]), factor_of(at[second]));
  const Matrix<double> X = matrix_of(1, at[input]), dh(1, 1, at[arriving]);
  ProductLayer<double>::Trace t;
  unit.forward(X, t);
  Gradients<ProductLayer<double>> g(unit);
  unit.backward(X, t, dh, g);
  lesson.figure("unit", diagram_of(unit, X, dh, t, g));
  lesson.say("The unit by hand: p = ", text_of(t.P(0, 0)), ", q = ", text_of(t.Q(0, 0)), ", h = ", text_of(t.Y(0, 0)),
             "; dW = ", pair_text(g.d.W), ", dV = ", pair_text(g.d.V), ", dX = ", pair_text(g.dX), ".");
  lesson.claim_usual("h by hand", t.Y(0, 0), exactly(21));
  lesson.claim_usual("dW and dV by hand, largest difference",
                     std::max(max_abs_difference(g.d.W, {{14}, {7}}), max_abs_difference(g.d.V, {{6}, {3}})),
                     exactly(0));
  lesson.claim_usual("dX by hand, largest difference", max_abs_difference(g.dX, {{16, 11}}), exactly(0));
  // A few roundings of products of two factors up to 24; none of quarters.
  lesson.claim("dX and what moving x by 1 finds, largest difference",
               max_abs_difference(g.dX, numeric_dX(unit, X, dh, 1)), at_most(1e-11));
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  unit_by_hand(lesson, at);
  Random random(lesson.options().seed, 40);
  lesson.note("Every gradient against numbers, through Σ R ⊙ H with a step of 1, all numbers multiples of 1/4:");
  lesson.claim_gradients("product layer", check_exactly(ProductLayer<double>({4, 5}), 6, 4, random), 0);
  lesson.claim("with a read-out: every gradient entry",
               check_exactly(ProductNet<double>({4, 5, 3}), 6, 4, random).worst(), exactly(0));
  lesson.claim("with a bottleneck too", check_exactly(Bottleneck<double>({6, 2, 5}), 7, 6, random).worst(), exactly(0));
}

extern const Part<Session> part2(2, "The layer", run, "What comes back through one product?",
                                 {&first, &second, &input, &arriving});

}  // namespace lesson4
