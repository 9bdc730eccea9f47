// Part 5: the identity takes biases, except on bits.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4::p5 {

constexpr knob::Choice points{
    "points", "mirrored: each point with its opposite; plain: points alone", {"mirrored", "plain"}};
constexpr knob::Whole inputs{"inputs", "numbers of a point, which are to come back", 3, {1, 5, 1}};
constexpr knob::Whole units{"units", "products", 8, {1, 12, 1}};
constexpr knob::Whole rows{
    "rows", "points, a mirrored one and its opposite counted once", 16, {1, 64, 1}};

constexpr FitSettings training{.steps = 2000, .enough = 0, .cosine = true};
constexpr std::size_t most_starts = 10;

static void on_paper(Lesson& lesson, const Matrix<double>& X) {
  const std::size_t n = X.cols();
  Matrix<double> bits(std::size_t(1) << n, n), identity(n, n);
  for (std::size_t i = 0; i < bits.rows(); ++i)
    for (std::size_t j = 0; j < n; ++j) bits(i, j) = input_bit(i, j);
  for (std::size_t j = 0; j < n; ++j) identity(j, j) = 1;
  ProductLayer<double> with({n, n}), without({n, n, Biases::without});
  with.W = without.W = without.V = identity;
  with.c = Matrix<double>(1, n, 1);
  lesson.claim_same("with biases, (r·I + 0) ⊙ (r·0 + 1) = r on numbers of any kind",
                    max_abs_difference(output(with, X), X));
  lesson.claim_same(join("without, r ⊙ r = r on bits, ", n, " of them"),
                    max_abs_difference(output(without, bits), bits));
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  Random random(lesson.options().seed, 45);
  const bool mirrored = at[points] == 0;
  const auto half = normal_matrix<double>(at[rows], at[inputs], 1, random);
  Matrix<double> X(at[rows] * (mirrored ? 2 : 1), at[inputs]);
  for (std::size_t i = 0; i < half.rows(); ++i)
    for (std::size_t j = 0; j < half.cols(); ++j) {
      X(i, j) = half(i, j);
      if (mirrored) X(half.rows() + i, j) = -half(i, j);
    }
  on_paper(lesson, X);

  const double floor = mean_square(X);
  const std::size_t starts = session.options.quick_or<std::size_t>(2, most_starts);
  FitSettings fitting = training;
  fitting.steps = session.steps(training.steps, 50);
  const auto best = [&](Biases biases, const Matrix<double>& on) {
    const NetForm form{X.cols(), at[units], X.cols(), biases};
    return best_of<ProductNet<double>>(session, starts, 44, form, on, error_to(on), fitting);
  };
  const Trained<ProductNet<double>> without = best(Biases::without, X),
                                    with = best(Biases::with, X);
  const double even = without.fit.loss, any = with.fit.loss;
  if (mirrored)
    lesson.predict(
        "At which multiple of the mean square of the numbers does training without biases stop?", 1,
        {.plus = 0.01});
  lesson.say("Can a product layer pass a number on? On ", at[rows],
             mirrored ? " points and their opposites" : " points", " the best of ", starts,
             " runs ends at a loss of ", significant(any, 2), " with biases, and of ",
             fixed(even, 6), " without. The mean square of the numbers is ", fixed(floor, 6), ".");
  const auto passed_on = [&](const std::string& name, const ProductNet<double>& net) {
    const Matrix<double> Y = output(net, X);
    return plot::Series{.name = name,
                        .x = {X.values().begin(), X.values().end()},
                        .y = {Y.values().begin(), Y.values().end()},
                        .points = true};
  };
  lesson.figure("identity", plot::Chart{.title = "What comes back for each number",
                                        .x = {.title = "number", .low = -3, .high = 3},
                                        .y = {.title = "answer", .low = -3, .high = 3},
                                        .series = {passed_on("with biases", with.model),
                                                   passed_on("without", without.model)}});
  // 1e-12: a mean of up to 640 squares, rounded.
  if (mirrored)
    lesson.claim("without biases: never below the mean square, loss over it - 1", even / floor - 1,
                 at_least(-1e-12));
  lesson.claim_trained("without biases training stops there: loss over it - 1", even / floor - 1,
                       at_most(1e-6));
  // 40,000 draws of points, each with the best read-out of degree 2, which has no constant: .048 to
  // .915, and 2 of them above .9. With their opposites it is 1, with biases 0.
  if (mirrored)
    lesson.claim_trained("without biases, on the points alone: loss over their mean square",
                         best(Biases::without, half).fit.loss / mean_square(half),
                         between(0.04, 0.9));
  // Rounding, but for the best of the starts that is not quite at rest: of 60 seeds the largest is
  // 6e-20. Without biases .04 is left at least.
  lesson.claim_trained("with biases", any, at_most(1e-6));
}

static std::string settings() {
  return join(units.standard(), " products, ", rows.standard(), " points, the best of ",
              most_starts, " starts, ", words_of(training));
}

}  // namespace lesson4::p5

const Part<lesson4::Session> lesson4::part5{
    .number = 5,
    .title = "The identity",
    .question = "When can a product layer pass numbers on?",
    .run = p5::run,
    .knobs = {&p5::points, &p5::inputs, &p5::units, &p5::rows},
    .settings = p5::settings};
