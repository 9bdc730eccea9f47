// Part 4: biases by a constant one.
// SPDX-License-Identifier: MIT
#include "common/frame/plot/scene.hpp"
#include "common/training.hpp"
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5::p4 {

constexpr knob::Numbers first{"w", "the first factor", {1, 1}, {-3, 3, 0.25}, {"w[0]", "w[1]"}};
constexpr knob::Numbers second{"v", "the second factor", {1, -1}, {-3, 3, 0.25}, {"v[0]", "v[1]"}};
constexpr knob::Numbers biases{"bias",
                               "biases of both factors and of the output",
                               {1, 0.5, -1},
                               {-3, 3, 0.25},
                               {"b", "c", "u"}};

using plot::Scene, plot::short_number, plot::Spot, plot::Tone;

// A matrix from the left edge on, its last row or column, the biases, apart from the others.
enum class Last { row, column };
static void draw_matrix(Scene& scene, double y, const std::string& name, const Matrix<double>& A,
                        Last last) {
  const double width = std::min(56.0, 392 / double(A.cols())), height = 25;
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) {
      const bool below = last == Last::row && i + 1 == A.rows(),
                 behind = last == Last::column && j + 1 == A.cols();
      scene.cell({.corner = {62 + width * double(j) + (behind ? 6 : 0),
                             y + height * double(i) + (below ? 6 : 0)},
                  .size = {width, height},
                  .words = short_number(A(i, j)),
                  .fill = plot::Fill::stored});
    }
  scene.text({54, y + 18}, name, {.tone = Tone::soft, .anchor = "end", .slant = true});
  if (last == Last::row)
    scene.text({54, y + height * double(A.rows()) - 2}, "bias",
               {.tone = Tone::soft, .anchor = "end"});
}

// Returns " + 3·x0", or nothing where so little stands before it that it would be printed as ~0.
static std::string term(double number, const std::string& of) {
  const std::string size = short_number(std::abs(number));
  if (number == 0 || size == "~0") return "";
  return join(number < 0 ? " − " : " + ", size == "1" && !of.empty() ? "" : size,
              size == "1" || of.empty() ? "" : "·", of);
}

static std::string sum_of_terms(const std::vector<std::string>& terms) {
  std::string all;
  for (const std::string& one : terms) all += one;
  if (all.empty()) return "0";
  return all.starts_with(" − ") ? "−" + all.substr(std::size(" − ") - 1) : all.substr(3);
}

// The table in three zones: pairs of inputs, an input and the 1, and the 1 alone.
static void draw_zones(Scene& scene, const Matrix<double>& S) {
  const Spot size{64, 42}, corner{62, 346};
  const auto apart = [](std::size_t place) { return place == 2 ? 12.0 : 0.0; };
  constexpr const char* names[] = {"x0", "x1", "1"};
  for (std::size_t p = 0; p < 3; ++p) {
    const double x = corner.x + size.x * double(p) + apart(p),
                 y = corner.y + size.y * double(p) + apart(p);
    scene.text({x + size.x / 2, corner.y - 8}, names[p], {.tone = Tone::soft, .slant = true});
    scene.text({corner.x - 8, y + 26}, names[p],
               {.tone = Tone::soft, .anchor = "end", .slant = true});
    for (std::size_t q = 0; q < 3; ++q) {
      const double shown = std::abs(S(p, q)) < 5e-4 ? 0 : S(p, q);
      scene.cell({.corner = {corner.x + size.x * double(q) + apart(q), y},
                  .size = size,
                  .words = short_number(shown),
                  .fill = plot::fill_of(shown),
                  .type = {.strong = true}});
    }
  }
  const auto zone = [&](double y, const std::string& name, const std::vector<std::string>& terms) {
    scene.text({280, y}, name, {.tone = Tone::soft, .anchor = "start"});
    scene.text({280, y + 20}, sum_of_terms(terms),
               {.tone = Tone::value, .anchor = "start", .strong = true});
  };
  zone(corner.y + 2, "2 × 2 block, pairs:",
       {term(2 * S(0, 1), "x0·x1"), term(S(0, 0), "x0²"), term(S(1, 1), "x1²")});
  zone(corner.y + 54, "both edges, lines:", {term(2 * S(0, 2), "x0"), term(2 * S(1, 2), "x1")});
  zone(corner.y + 106, "corner, the constant:", {term(S(2, 2), "")});
  const std::string all =
      sum_of_terms({term(2 * S(0, 1), "x0·x1"), term(S(0, 0), "x0²"), term(S(1, 1), "x1²"),
                    term(2 * S(0, 2), "x0"), term(2 * S(1, 2), "x1"), term(S(2, 2), "")});
  scene.label({16, corner.y + 168},
              {{"So the net answers ", {}}, {all, {Tone::value, "start", true}}});
}

// The matrices of a net of two inputs, and its table.
static Scene net_and_table(const std::string& finding, const std::string& net_name,
                           const Net<double>& net, const Matrix<double>& S) {
  Scene scene(finding);
  const bool embeds = net.form.embedding > 0;
  const auto folded = [&](const Matrix<double>& A, const Matrix<double>& a) {
    return embeds ? with_last_row(matmul(net.E, A), matmul(net.e, A) + a) : with_last_row(A, a);
  };
  const std::string before = embeds ? "E·" : "";
  scene.text({16, 16}, "1  " + net_name, {.anchor = "start", .strong = true});
  draw_matrix(scene, 32, before + "W", folded(net.W, net.b), Last::row);
  draw_matrix(scene, 126, before + "V", folded(net.V, net.c), Last::row);
  draw_matrix(scene, 220, "U", beside(Matrix<double>(transpose(net.U)), net.u), Last::column);
  scene.text({16, 300}, "2  Folded: how much each pair of x0, x1 and 1 counts",
             {.anchor = "start", .strong = true});
  draw_zones(scene, S);
  scene.end(520);
  return scene;
}

// Trains E, W, V, U and all biases to return x0·x1 - x0 + 1/2, and reads the table.
static void train_whole(Lesson& lesson, const Options& o) {
  Random random(o.seed, 74);
  Net<double> net({.inputs = 2, .embedding = 3, .hidden = 6, .outputs = 1}, random);
  const auto X = normal_matrix<double>(64, 2, 1, random);
  Matrix<double> asked(64, 1);
  for (std::size_t r = 0; r < 64; ++r) asked(r, 0) = X(r, 0) * X(r, 1) - X(r, 0) + 0.5;
  const squared_error loss(asked);
  AdamW<double> adam({.decay = 0});
  Pass<Net<double>> pass(net);
  ::train(net, pass, adam, {.steps = o.steps_or(400, 40), .rate = 0.03}, 1e6,
          [&](long) { return pass.run(net, X, loss); });
  const Tensor3 T = fold(net);
  lesson.figure("task",
                net_and_table("Fold a net, and its task stands there",
                              "Trained on examples of x0·x1 − x0 + .5", net, symmetric(T)[0]));
  // Outputs up to some 10.
  lesson.claim("E, W, V, U and all biases, trained: tensor = net, max |diff|",
               max_abs_difference(evaluate(T, with_one(X)), output(net, X)), at_most(1e-12));
  // Seeds 1 to 200: at most 1.3e-5.
  lesson.claim_trained(
      "... and the table is the task: max |diff|",
      max_abs_difference(symmetric(T)[0], {{0, 0.5, -0.5}, {0.5, 0, 0}, {-0.5, 0, 0.5}}),
      at_most(1e-3));
}

static void one_unit(Lesson& lesson, const knob::Settings& at) {
  Net<double> net({.inputs = 2, .hidden = 1, .outputs = 1});
  net.W = matrix_of(at[first], 2, 1);
  net.V = matrix_of(at[second], 2, 1);
  net.b(0, 0) = at[biases][0];
  net.c(0, 0) = at[biases][1];
  net.u(0, 0) = at[biases][2];
  net.U(0, 0) = 1;
  const Matrix<double> X = square_of_points(), Y = output(net, X), S = symmetric(fold(net))[0];
  // By how often the constant is among an entry's two inputs.
  Tensor3 parts(3, Matrix<double>(3, 3));
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t q = 0; q < 3; ++q)
      parts[std::size_t(p == 2) + std::size_t(q == 2)](p, q) = S(p, q);
  const Matrix<double> P = evaluate(parts, with_one(X));
  lesson.picture("biases",
                 net_and_table("A table in three zones", "(w·x + b)(v·x + c) + u", net, S));
  lesson.say("Over (x0, x1, 1) the table of (w·x + b)(v·x + c) + u is ", text_of(S), ".");
  // Outputs up to 228: some ten roundings of 3e-14.
  const Matrix<double> linear(column_block(P, 1, 1)), all = matmul(P, Matrix<double>(3, 1, 1));
  lesson.claim("constant, linear and quadratic part = net: max |diff|", max_abs_difference(Y, all),
               at_most(1e-12));
  lesson.claim("linear part = (f(x) - f(-x))/2",
               max_abs_difference(linear, 0.5 * (Y - output(net, -1 * X))), at_most(1e-12));
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  one_unit(lesson, at);
  const Matrix<double> by_hand =
      matmul(Matrix<double>{{2, 1, 1}}, extended({{1, 2}, {3, 0}}, {{5, -1}}));
  lesson.claim_same("(2, 1, 1)·W~ = (10, 3, 1), as by hand",
                    max_abs_difference(by_hand, {{10, 3, 1}}));
  train_whole(lesson, session.options);
}

static void scene(Lesson& lesson, Session&, const knob::Settings& at) { one_unit(lesson, at); }

}  // namespace lesson5::p4

const Part<lesson5::Session> lesson5::part4{.number = 4,
                                            .title = "Biases by a constant one",
                                            .question = "What do biases add to a product?",
                                            .run = p4::run,
                                            .scene = p4::scene,
                                            .knobs = {&p4::first, &p4::second, &p4::biases}};
