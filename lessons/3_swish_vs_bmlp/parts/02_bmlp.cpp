// Lesson 3, part 2: the published BMLP stops where least squares does, because it is one matrix.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3::p2 {

constexpr knob::Real bent{
    "bent", "share of the target's variance that is not a straight line", 0.5, {0, 1, 0.05}};
constexpr knob::Real noise{
    "noise", "standard deviation of the noise in the target", 0.2, {0, 1, 0.05}};
constexpr knob::Real rate{"rate", "peak learning rate", 0.02, {0.0005, 0.1, 0.0005}};
constexpr knob::Whole steps{"steps", "training steps", 400, {20, 2000, 20}};

constexpr double published_rate = 1e-4;

static std::string settings() {
  return join(settings_of_training(), TrainingSettings().rate, ", or ", published_rate,
              "; u1 and u2 start within ", published_start, " of 0");
}

// Returns M (in x out), the outputs of the unit vectors.   (3.7)
static Matrix<double> matrix_of(const Bmlp<double>& f) {
  Matrix<double> identity(f.form.in, f.form.in);
  for (std::size_t j = 0; j < f.form.in; ++j) identity(j, j) = 1;
  return output(f, identity);
}

// Returns the BMLP trained at the higher rate.
static Bmlp<float> where_it_stops(Lesson& lesson, Session& session) {
  const Rows& rows = session.suite().train;
  const Matrix<double> w = least_squares(rows.X, rows.T), error = matmul(rows.X, w) - rows.T;
  const double floor = mean_square(error);
  lesson.claim("slope of the loss at w, largest entry",
               largest_entry(matmul(transpose(rows.X), error)) / double(rows.size()),
               at_most(1e-12));  // sums of 4,096 terms of size 10, each rounded
  Random start = session.start();
  Bmlp<float> slow(suite_forms.bmlp, start), fast = slow;
  Swish<float> swish(suite_forms.bare_swish, start);
  const TrainingSettings settings = session.training();
  TrainingSettings as_published = settings;
  as_published.rate = published_rate;
  const std::vector<plot::Series> curves =
      session.side_by_side({session.watched("swish MLP, no biases", swish, settings),
                            session.watched("BMLP", fast, settings),
                            session.watched("BMLP, rate 0.0001", slow, as_published)});
  const std::vector<double>& slow_loss = curves[2].y;
  const double bent_end = curves[0].y.back(), end = curves[1].y.back();
  plot::Chart chart{.title = "Two runs stop at one height: why?"};
  chart.x.title = "step";
  chart.y = {.title = "mean squared error, training rows (logarithmic)", .log = true};
  chart.series = curves;
  lesson.picture("floor", chart);
  lesson.predict("The BMLP ends at " + fixed(end, 3) +
                     ". How many times the loss of the best linear map is that?",
                 1, {.plus = 0.01});
  lesson.say("After ", settings.steps, " steps the BMLP (", parameters_of(fast),
             " parameters) ends at ", fixed(end, 4), ", or from a rate of 0.0001 at ",
             fixed(slow_loss.back(), 4), ", and the swish MLP without biases at ",
             fixed(bent_end, 4), ". The best linear map (", w.size(), " numbers) has ",
             fixed(floor, 4), "; always answering the mean would cost ",
             fixed(mean_square(rows.T), 3), ".");
  lesson.claim_trained("stable: the highest loss, over the first",
                       *std::max_element(slow_loss.begin(), slow_loss.end()) / slow_loss[0],
                       at_most(1));
  lesson.claim_same("both rates of the BMLP are drawn over as many steps",
                    curves[2].x.back() - curves[1].x.back());
  lesson.claim_trained("both rates of the BMLP end at one loss, ratio", slow_loss.back() / end,
                       within(1, 0.001));
  // 31 seeds: 1.63 to 2.41, with a standard deviation of .2; a run at the same rate has 1.
  lesson.claim_trained("... and at step 100 not yet: the lower rate's loss over the other's",
                       slow_loss[2] / curves[1].y[2], between(1.3, 3));
  // 31 seeds: 1.36 to 1.40, with a standard deviation of .01.
  lesson.claim_trained("always answering the mean: loss over floor", mean_square(rows.T) / floor,
                       within(1.385, 0.045));
  // AdamW's decay and its last steps keep the loss a little above, by .0002 to .0004 at 31 seeds.
  lesson.claim_trained("BMLP: on the floor, loss over floor - 1", end / floor - 1,
                       within(5e-4, 5e-4));
  // 31 seeds: .444 to .472; with biases it would be .1, and a product layer has .6.
  lesson.claim_trained("swish MLP: through the floor, loss over floor", bent_end / floor,
                       within(0.465, 0.05));
  return fast;
}

static void one_matrix(Lesson& lesson, const Bmlp<float>& narrow, const SplitRows& rows) {
  const Matrix<double>& X = rows.test.X;
  Bmlp<double> f(narrow.form);  // in double, rounding hides nothing
  for (std::size_t k = 0; k < f.tensors().size(); ++k)
    f.tensors()[k].tensor = Matrix<double>(narrow.tensors()[k].tensor.view());
  const Matrix<double> M = matrix_of(f), Y = output(f, X);
  const double apart = max_abs_difference(Y, matmul(X, M));
  // Sums of 16 or 64 products of numbers up to 3, in another order: a hundred roundings of 1e-16.
  constexpr double rounding = 1e-13;
  lesson.say("Folded into M, ", M.rows(), " x ", M.cols(), ", the trained BMLP differs on ",
             X.rows(), " test rows by ", significant(apart, 1), " at most.");
  lesson.claim("max |f(X) - X·M|", apart, at_most(rounding));
  // 31 seeds: .004 to .009. Before training entries are some tenths off.
  lesson.claim_trained("M is the best linear map: largest distance of an entry",
                       max_abs_difference(M, least_squares(rows.train.X, rows.train.T)),
                       at_most(0.03));
  const Matrix<double> D =
      additivity([&](const Matrix<double>& x) { return output(f, x); },
                 Matrix<double>(row_block(X, 0, 1)), Matrix<double>(row_block(X, 1, 1)));
  lesson.claim("D(x, y) of part 0", largest_entry(D), at_most(rounding));
}

// The reading in which the published sizes fit, u1 of the inputs and u2 of the hidden layer: means
// over the batch, so that f1(X) = mean(X)·u1ᵀ is one number for the whole batch, and f2(H) as well.
static Matrix<double> with_batch_means(const Bmlp<double>& f, const Matrix<double>& u1,
                                       const Matrix<double>& u2, const Matrix<double>& X) {
  const auto shift = [](const Matrix<double>& A, const Matrix<double>& u) {
    return dot(1 / double(A.rows()) * column_sums(A), u);
  };
  const auto add = [](const Matrix<double>& A, double number) {
    return map_entries(A, [number](double a) { return a + number; });
  };
  const Matrix<double> H = add(matmul(X, f.W1), shift(X, u1));
  return add(matmul(H, f.W2), shift(H, u2)) + matmul(X, f.W3);
}

static void alone_and_in_company(Lesson& lesson) {
  Random random(lesson.options().seed, 21);
  const Bmlp<double> f({.in = 4, .hidden = 8, .out = 3}, random);
  const auto X = normal_matrix<double>(5, 4, 1, random),
             u1 = normal_matrix<double>(1, 4, 1, random),
             u2 = normal_matrix<double>(1, 8, 1, random);
  const auto first = [](const Matrix<double>& Y) { return Matrix<double>(row_block(Y, 0, 1)); };
  const Matrix<double> alone = with_batch_means(f, u1, u2, first(X)),
                       company = first(with_batch_means(f, u1, u2, X));
  // Numbers near 1 in u1 and the rows: one that were the same would differ by rounding.
  lesson.claim("means over the batch: a row's answers alone and among five differ by",
               max_abs_difference(alone, company), at_least(1e-6));
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  Random random(lesson.options().seed);
  alone_and_in_company(lesson);
  claim_gradients(lesson, "BMLP: every gradient entry", Bmlp<double>({4, 8, 3}), random);
  one_matrix(lesson, where_it_stops(lesson, session), session.suite());
}

// Draws sums of a line with variance 1 - bend, a parabola with variance bend, and noise. Over
// U[-3, 3] x² has mean 3 and variance 7.2.
static Rows small_task(double bend, double deviation, Random& random) {
  constexpr std::size_t count = 512, in = 4;
  Rows rows{Matrix<double>(count, in), Matrix<double>(count, 1)};
  for (double& x : rows.X.values()) x = random.uniform(-suite_range, suite_range);
  for (std::size_t i = 0; i < count; ++i) {
    for (const double x : rows.X.row(i))
      rows.T(i, 0) += std::sqrt((1 - bend) / in / 3) * x + std::sqrt(bend / in / 7.2) * (x * x - 3);
    rows.T(i, 0) += deviation * random.normal();
  }
  return rows;
}

static void scene(Lesson& lesson, Session&, const knob::Settings& at) {
  Random random(lesson.options().seed, 503);
  const Rows rows = small_task(at[bent], at[noise], random);
  const TrainingSettings settings{.steps = long(at[steps]), .batch = 32, .rate = at[rate]};
  const Random batches(lesson.options().seed, 5031);
  Bmlp<float> bmlp(Sizes{4, 16, 1}, random);
  Swish<float> swish({{4, 16, 1}}, random);
  const plot::Series of_bmlp = train_and_watch("BMLP", bmlp, rows, settings, batches),
                     of_swish = train_and_watch("swish MLP", swish, rows, settings, batches);
  const double floor = floor_of(rows.X, rows.T), end = of_bmlp.y.back();
  plot::Chart chart{.title = join("Bent ", at[bent], ", noise ", at[noise])};
  chart.x.title = "step";
  chart.y = {.title = "mean squared error, training rows", .low = 0, .high = 3};
  chart.series = {of_swish, of_bmlp};
  chart.levels = {{"linear least squares", floor}};
  lesson.picture("turned_floor", chart);
  lesson.say("The best linear map leaves ", fixed(floor, 4), "; the BMLP ends at ", fixed(end, 4),
             ", the swish MLP at ", fixed(of_swish.y.back(), 4), "; noise² is ",
             fixed(at[noise] * at[noise], 4), ".");
  // Float outputs are off by some 1e-6, their mean squared error by a few times that.
  lesson.claim("BMLP: loss minus the floor", end - floor, at_least(-1e-5));
}

}  // namespace lesson3::p2

const Part<lesson3::Session> lesson3::part2{
    .number = 2,
    .title = "The BMLP as published",
    .question = "Where does the BMLP stop, whatever the target, the rate and the number of steps?",
    .run = p2::run,
    .scene = p2::scene,
    .knobs = {&p2::bent, &p2::noise, &p2::rate, &p2::steps},
    .opening = &p2::bent,
    .settings = p2::settings};
