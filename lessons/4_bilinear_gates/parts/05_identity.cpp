// Lesson 4, part 5: the identity: impossible on Rⁿ without biases, exact with them, and possible on {0, 1}ⁿ.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4 {

constexpr knob::Choice points{"points", "mirrored: each point with its opposite; plain: any", {"mirrored", "plain"}};
constexpr knob::Whole inputs{"inputs", "numbers that are to come back", 3, {1, 5, 1}};
constexpr knob::Whole units{"units", "products", 8, {1, 12, 1}};
constexpr knob::Whole rows{"rows", "points, a mirrored one and its opposite counted once", 16, {1, 64, 1}};

// Some nets that were trained to give X back, `units` products and a read-out.
struct Trained {
  double best = HUGE_VAL;   // the lowest loss
  plot::Series first = {};  // the losses of the first on its way
};

static Trained trained(Session& session, const Matrix<double>& X, std::size_t h, Biases biases) {
  const std::size_t starts = session.options.quick_or<std::size_t>(2, 10);
  const FitSettings settings{.steps = session.steps(2000, 50), .enough = 0, .cosine = true};
  std::vector<double> losses(starts);
  Trained found{.first = {biases == Biases::with ? "with biases" : "without biases"}};
  session.run("training", starts, [&](std::size_t k) {
    Random random(seed_of_run(session.options.seed, k), 44);
    ProductNet<double> net({X.cols(), h, X.cols(), biases}, random);
    const Watch watch = [&](long step, double loss) { found.first.add(double(step), std::clamp(loss, 1e-30, 1e3)); };
    losses[k] = fit(net, X, error_to(X), settings, k == 0 ? watch : Watch()).loss;
  });
  found.best = *std::min_element(losses.begin(), losses.end());
  return found;
}

// The identity on paper, with biases on X, and without on bits.
static void on_paper(Lesson& lesson, const Matrix<double>& X) {
  const std::size_t n = X.cols();
  Matrix<double> bits(std::size_t(1) << n, n), identity(n, n);
  for (std::size_t i = 0; i < bits.rows(); ++i)
    for (std::size_t j = 0; j < n; ++j) bits(i, j) = input_bit(i, j);
  for (std::size_t j = 0; j < n; ++j) identity(j, j) = 1;
  ProductLayer<double> with({n, n}), without({n, n, Biases::without});
  with.W = without.W = without.V = identity;  // (x·I + 0) ⊙ (x·0 + 1), and x ⊙ x
  with.c = Matrix<double>(1, n, 1);
  lesson.claim_same("with biases, (x·I + 0) ⊙ (x·0 + 1) = x on numbers of any kind",
                    max_abs_difference(output(with, X), X));
  lesson.claim_same(join("x ⊙ x = x on {0, 1}, ", n, " of them"), max_abs_difference(output(without, bits), bits));
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  Random random(lesson.options().seed, 45);
  const bool mirrored = at[points] == 0;
  const auto half = normal_matrix<double>(at[rows], at[inputs], 1, random);
  Matrix<double> X(at[rows] * (mirrored ? 2 : 1), at[inputs]);
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < X.cols(); ++j) X(i, j) = i < at[rows] ? half(i, j) : -half(i - at[rows], j);
  on_paper(lesson, X);

  const double floor = mean_square(X);
  const Trained even = trained(session, X, at[units], Biases::without),
                any = trained(session, X, at[units], Biases::with);
  lesson.figure("identity", plot::Chart{.title = join("Passing ", at[inputs], " numbers on, the first run"),
                                        .x = {.title = "step", .low = 0, .high = double(session.steps(2000, 50))},
                                        .y = {.title = "loss", .log = true, .low = 1e-30, .high = 1e3},
                                        .series = {any.first, even.first},
                                        .levels = {{"mean of x²: the answer 0", floor}}});
  lesson.say("Can a product layer pass a number on? ", at[rows], mirrored ? " points and their opposites" : " points",
             ", the best loss of ", session.options.quick_or(2, 10), " runs: ", significant(any.best, 2),
             " with biases, ", fixed(even.best, 6), " without. The mean of x² is ", fixed(floor, 6), ".");
  // 1e-12: a mean of up to 640 squares, rounded.
  if (mirrored)
    lesson.claim("without biases: not below the mean of x², loss over it - 1", even.best / floor - 1, at_least(-1e-12));
  lesson.claim_trained("without biases: on it, loss over it - 1", even.best / floor - 1, at_most(1e-6));
  lesson.claim_trained("with biases", any.best, at_most(1e-12));  // but for rounding nothing is left
}

extern const Part<Session> part5{.number = 5,
                                 .title = "The identity",
                                 .run = run,
                                 .question = "When can a product layer pass numbers on?",
                                 .knobs = {&points, &inputs, &units, &rows}};

}  // namespace lesson4
