// Lesson 1, part 3: backpropagation by hand, then every gradient checked.
// SPDX-License-Identifier: MIT
#include "common/frame/lesson/model_visitors.hpp"
#include "lessons/1_math_refresh/lesson.hpp"

namespace lesson1::p3 {

constexpr knob::Numbers input{"x", "the two inputs", {1, 2}, {-3, 3, 0.25}, {"x[1]", "x[2]"}};
constexpr knob::Numbers first{"w1",
                              "W₁, row by row",
                              {0.5, -1, 0.25, 1},
                              {-3, 3, 0.25},
                              {"x[1] to unit 1", "x[1] to 2", "x[2] to 1", "x[2] to 2"}};
constexpr knob::Numbers first_bias{"b1", "b₁", {0, -1.5}, {-3, 3, 0.25}, {"unit 1", "unit 2"}};
constexpr knob::Numbers second{"w2", "W₂", {2, -4}, {-5, 5, 0.25}, {"unit 1", "unit 2"}};
constexpr knob::Real second_bias{"b2", "b₂", -1, {-3, 3, 0.25}};
constexpr knob::Real wanted{"target", "what the output should be", 0, {-10, 10, 0.5}};
constexpr knob::Choice activation{"activation", "φ of the two units", activation_flags,
                                  place_of(relu_activation)};

using Kind = plot::Box::Kind;

// Returns (1, 2) for one row, [1 2; 3 4] for several.
static std::string in_words(const Matrix<double>& M) {
  std::string words;
  for (std::size_t i = 0; i < M.rows(); ++i) {
    if (i > 0) words += "; ";
    for (std::size_t j = 0; j < M.cols(); ++j) {
      if (j > 0) words += M.rows() == 1 ? ", " : " ";
      words += significant(M(i, j) + 0.0);  // -0 is 0
    }
  }
  if (M.size() == 1) return words;
  return M.rows() == 1 ? "(" + words + ")" : "[" + words + "]";
}

static Matrix<double> matrix_of(std::size_t rows, std::size_t cols,
                                const std::vector<double>& numbers) {
  Matrix<double> M(rows, cols);
  std::copy(numbers.begin(), numbers.end(), M.values().begin());
  return M;
}

static void by_hand(Lesson& lesson, const knob::Settings& at) {
  const Activation& phi = activations[at[activation]];
  Mlp<double> net({phi, {2, 2, 1}});
  net.W = {matrix_of(2, 2, at[first]), matrix_of(2, 1, at[second])};
  net.b = {matrix_of(1, 2, at[first_bias]), matrix_of(1, 1, {at[second_bias]})};
  Matrix<double> X = matrix_of(1, 2, at[input]);
  const squared_error to_target(matrix_of(1, 1, {at[wanted]}));
  Pass<Mlp<double>> pass(net);
  const double loss = pass.run(net, X, to_target);
  const auto& [t, g] = pass;
  const Matrix<double> dY = to_target(t.Y).gradient;
  const Matrix<double> dH = matmul(dY, transpose(net.W[1]));
  const Matrix<double> dZ = hadamard(dH, map_entries(t.Z[0], phi.prime));
  const auto box = [](const char* name, double column, double row, Kind kind,
                      const Matrix<double>& forward, const Matrix<double>& back,
                      const char* knobs = "") {
    return plot::Box{name, column, row, kind, "", in_words(forward), in_words(back), knobs};
  };
  lesson.figure(
      "by_hand",
      plot::Diagram{
          .title = join("Two inputs, two ", phi.name, " units, one output"),
          .boxes = {box("X", 0, 1, Kind::stored, X, g.dX, "x"),
                    box("W₁", 0.4, 0, Kind::stored, net.W[0], g.parameters.W[0], "w1"),
                    box("b₁", 1.5, 0, Kind::stored, net.b[0], g.parameters.b[0], "b1"),
                    box("Z₁", 1, 1, Kind::computed, t.Z[0], dZ),
                    box("H₁", 2, 1, Kind::computed, t.H[1], dH, "activation"),
                    box("W₂", 2.5, 0, Kind::stored, net.W[1], g.parameters.W[1], "w2"),
                    box("b₂", 3.4, 0, Kind::stored, net.b[1], g.parameters.b[1], "b2"),
                    box("Y", 3, 1, Kind::computed, t.Y, dY),
                    plot::Box{"loss", 4, 1, Kind::computed, "", significant(loss), "1", "target"}},
          .arrows = {{"X", "Z₁"},
                     {"W₁", "Z₁"},
                     {"b₁", "Z₁"},
                     {"Z₁", "H₁"},
                     {"H₁", "Y"},
                     {"W₂", "Y"},
                     {"b₂", "Y"},
                     {"Y", "loss"}}});
  // Errors are relative to the largest slope, or to 1: when Y is near its target, Y is rounded by
  // more than the loss. A corner that turns a slope by less than 1e-5 of that stays unseen.
  double worst = 0, largest = 1;
  for (const GradientRow& row : check_model(net, X, to_target).rows) {
    largest = std::max(largest, std::abs(row.derived));
    if (row.worst == 0) continue;  // perhaps at a corner, which has no slope
    worst = std::max(worst, std::abs(row.derived - row.numeric));
  }
  lesson.claim("by hand: every gradient entry that has a slope, against numbers", worst / largest,
               at_most(1e-5));
}

static void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  lesson.say("Move each number: does the loss follow the derived gradient?");
  by_hand(lesson, at);
  lesson.note(
      "This network has 4 inputs, 6 tanh units and 3 outputs. With 7 examples, matrix by matrix:");
  GradientClaims claims{lesson};
  visit_models(claims);
}

}  // namespace lesson1::p3

const Part<Pool> lesson1::part3{.number = 3,
                                .title = "Backpropagation",
                                .question = "Which numbers come back through a small network?",
                                .run = p3::run,
                                .knobs = {&p3::input, &p3::first, &p3::first_bias, &p3::second,
                                          &p3::second_bias, &p3::wanted, &p3::activation}};
