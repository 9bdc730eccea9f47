// Lesson 3 beyond its claims: every gradient, the floors at small cases, the scores.
// SPDX-License-Identifier: MIT
#include <set>

#include "lessons/3_swish_vs_bmlp/lesson.hpp"
#include "tests/files.hpp"
#include "tests/gradients.hpp"

using namespace lesson3;

template <template <class> class Layer, class Form>
struct InFloat<Net<Layer, double, Form>> {
  using type = Net<Layer, float, Form>;
};

static void floors(Checks& check) {
  Random random(2);
  const auto A = normal_matrix<double>(20, 2, 1, random),
             T = normal_matrix<double>(20, 1, 1, random);
  Matrix<double> B(20, 3);  // the third column, the others' sum, gets weight 0
  for (std::size_t i = 0; i < 20; ++i) {
    B(i, 0) = A(i, 0);
    B(i, 1) = A(i, 1);
    B(i, 2) = A(i, 0) + A(i, 1);
  }
  const Matrix<double> w = least_squares(B, T), alone = least_squares(A, T);
  check.that(w(2, 0) == 0, "a redundant column has no weight");
  for (const std::size_t k : {0u, 1u})
    check.near(w(k, 0), alone(k, 0), 1e-13, "the others are as without");
  check.that(monomials({{2, 3}}, 2) == Matrix<double>{{1, 2, 3, 4, 6, 9}}, "terms up to degree 2");
  check.that(monomials({{2, 3}}, 3) == Matrix<double>{{1, 2, 3, 4, 6, 9, 8, 12, 18, 27}},
             "terms up to degree 3");
  check.that(monomials(Matrix<double>(1, 16), 2).cols() == 153, "as many as the text says");
  check.that(gated_mean_features({{2, 3}}) == Matrix<double>{{1, 2, 3, 5, 7.5}},
             "features of the mean gate");
  // |x|: the best parabola takes 15/16 of its variance.
  const Polynomial corner = fit_polynomial([](double x) { return std::abs(x); }, 0, 3, 2);
  check.near(corner.r2, 15 / 16.0, 1e-6, "|x|: the best parabola");
  check.near(corner(0), 3 * 3 / 16.0, 1e-6, "|x|: its value at 0");
}

// Test rows are centred by the training rows.
static void tasks_and_scores(Checks& check) {
  Random again(3, 30);
  const Rows raw = draw_rows(suite_b, 512, again), other = draw_rows(suite_b, 512, again);
  const SplitRows split = draw_suite(suite_b, 3, 512);
  const Matrix<double> means = column_means(raw.T);
  check.that(split.train.T == add_row(raw.T, -1 * means), "training targets are centred");
  check.that(split.test.T == add_row(other.T, -1 * means), "test targets by the training means");
  check.that(split.test.X == other.X, "the same seed, the same rows");
  check.that(!(draw_suite(suite_b, 4, 512).test.X == other.X), "another seed, other rows");
  const Matrix<double> T{{1, 5}, {3, 5}, {5, 8}};
  check.near(r_squared(Matrix<double>{{3, 6}, {3, 6}, {3, 6}}, T), 0, 0,
             "R² of each output's mean");
  check.near(r_squared(T + T, T), 1 - dot(T, T) / 14, 1e-15, "R² pools the outputs");
}

// The text's size of a network, and how far from 0 its biases, u1 and u2 start.
struct Network {
  const char* title;
  std::size_t numbers;
  double bound;
};
constexpr Network networks[] = {
    {"BMLP as published", 1412, 0.01}, {"weights W1 + mean(x)·U1", 1326, 0},
    {"product layer", 1322, 0.1},      {"two product layers", 1360, 0.5},
    {"swish MLP, no biases", 1344, 0}, {"swish MLP", 1328, 0}};

// Returns how far from 0 a tensor may start.
static double bound_of(const std::string& name, const Matrix<float>& tensor, double of_biases) {
  if (name == "b1" || name == "b2" || name == "e") return 0;
  if (tensor.rows() == 1) return of_biases;
  const double of_weights = 1 / std::sqrt(double(tensor.rows()));
  return name == "E" ? 0.3 * of_weights : of_weights;
}

// No two tensors start alike. A network that the text does not know has about as many numbers, and
// starts within 1/√inputs, its biases within 1/2.
static void starts(Checks& check) {
  for_each_model([&](const std::string& title, const auto& start) {
    const auto has_title = [&](const Network& one) { return one.title == title; };
    const Network* const network =
        std::find_if(std::begin(networks), std::end(networks), has_title);
    const bool is_known = network != std::end(networks);
    Random random(5);
    const auto model = start(random);
    const auto numbers = double(parameters_of(model));
    if (is_known) check.near(numbers, double(network->numbers), 0, title + ": numbers");
    else check.near(numbers, 1360, 60, title + ": about as many numbers as the others have");
    std::set<float> firsts;
    for (const auto& [name, tensor] : read_only(model)) {
      const std::string what = title + ": " + name;
      const double bound = bound_of(name, tensor, is_known ? network->bound : 0.5);
      const double largest = largest_entry(tensor);
      check.near(largest, 0, bound * (1 + 1e-6), what + " starts within its bound");
      if (bound == 0 || (largest == 0 && !is_known)) continue;
      // The mean square of k uniform numbers errs by √(4/5k) of itself.
      const double rms = std::sqrt(mean_square(tensor)) / bound * std::sqrt(3.0);
      if (is_known) check.near(rms, 1, 1.5 / std::sqrt(double(tensor.size())), what);
      check.that(firsts.insert(tensor(0, 0) / float(bound)).second, what + " starts like another");
    }
  });
}

// In one step AdamW shrinks an entry by rate·decay and moves it by the rate, unless the gradient is
// small beside epsilon.
static void a_step(Checks& check) {
  const Rows rows{{{1, 2}, {2, 1}}, {{3}, {4}}};
  Random random(1);
  const Product<float> before({2, 2, 1}, random);
  Product<float> model = before;
  const TrainingSettings settings{.steps = 1, .batch = 2, .rate = 0.1, .adam = {.decay = 5}};
  train(model, rows, settings, Random(2));
  for (std::size_t t = 0; t < model.tensors().size(); ++t) {
    const Matrix<float> moved = read_only(model)[t].tensor - 0.5f * read_only(before)[t].tensor;
    check.near(largest_entry(moved), 0.1, 1e-5, "the settings' decay, " + model.tensors()[t].name);
  }
}

// Improves with the rate, but diverges in one of two runs from .045 on, and in both from .4.
static Contender edgy(Checks& check, const SplitRows& split) {
  const auto predictions = [&](const SplitRows& rows, std::uint64_t seed, double rate) {
    if (&rows != &split) {
      check.that(rows.train.X == Matrix<double>(row_block(split.train.X, 0, 48)),
                 "all but the last training rows are learned from");
      check.that(rows.test.X == Matrix<double>(row_block(split.train.X, 48, 16)),
                 "a rate is chosen on the last of the training rows");
    }
    if (rate > 0.4 || (rate > 0.04 && seed == seed_of_run(3, 1))) throw Diverged("");
    return (1 - 1e-3 / rate) * rows.test.T;
  };
  return {"", predictions};
}

// What no polynomial of a degree exceeds on suite A.
static void ceilings(Checks& check) {
  Random random(4);
  using Row = std::array<double, suite_inputs>;
  Row x{};
  for (double& one : x) one = random.uniform(-3, 3);
  for (std::size_t o = 0; o < suite_outputs; ++o) {
    const double zero = suite_a(Row{})[o];
    double sum = zero;
    for (const auto& [first, inputs] : curves_of_a) {
      Row alone{};
      std::copy_n(x.begin() + first, inputs, alone.begin() + first);
      sum += suite_a(alone)[o] - zero;
    }
    check.near(sum, suite_a(x)[o], 1e-13, "suite A adds up its curves");
  }
  check.near(ceiling_of(0), 0, 1e-12, "a constant explains nothing");
  const SplitRows split = draw_suite(suite_a, 4, 20'000);
  const double line =
      r_squared(matmul(split.test.X, least_squares(split.train.X, split.train.T)), split.test.T);
  check.near(ceiling_of(1), line, 0.01, "degree 1: as on rows that are drawn");
}

// The lesson's own check of gradients, at the tolerance that it claims.
static void own_check(Checks& check) {
  // Validation losses .2, .6 and .5; the second is best on test rows.
  const std::vector<Judged> judged = {{{{1}, {0.2}, 0}, {{0.1}, {}}},
                                      {{{1, 3}, {0.1, 0.6}, 1}, {{0.9}, {}}},
                                      {{{1}, {0.5}, 0}, {{0.5}, {}}}};
  check.near(double(chosen_of(judged, 0)), 0, 0, "the least validation loss");
  check.near(double(chosen_of(judged, 1)), 2, 0, "... from the second on");
  const Folder folder;
  for (const bool slips : {false, true}) {
    Options options;
    options.out = folder / "out";
    Lesson lesson(options, "The check of gradients");
    Random random(1);
    if (slips)
      claim_gradients(lesson, "off by a millionth, which fails",
                      Slipped(Product<double>({4, 5, 3})), random);
    else claim_gradients(lesson, "right", Product<double>({4, 5, 3}), random);
    check.that((lesson.finish("") != 0) == slips, "a slip of a millionth is noticed, and no other");
  }
}

static void protocol(Checks& check) {
  const SplitRows split = draw_suite(suite_b, 3, 64);
  const Contender one = edgy(check, split);
  const RateSweep of_one_run = rates_of(one, Splits(1, &split), 3, 0.005),
                  of_two_runs = rates_of(one, Splits(2, &split), 3, 0.005);
  check.near(of_one_run.rates[of_one_run.best], 0.135, 1e-15, "one run chooses the edge");
  check.near(of_two_runs.rates[of_two_runs.best], 0.015, 1e-15, "of two runs none may diverge");
  check.that(score(one, split, 3, 1) == -HUGE_VAL, "a run that diverges has no score");
  check.near(double(diverged({-HUGE_VAL, 0.5})), 1, 0, "and is counted");
  check.near(spread_of_scores({-HUGE_VAL, 0.5}).mean, 0.25, 1e-15, "and counts as the mean");
  const auto half = [](const SplitRows& rows, std::uint64_t, double) { return 0.5 * rows.test.T; };
  const Contender steady{"", half};
  Pool pool(1);
  const auto beside = [&](const Contender& contender) {
    return runs_beside(pool, {contender, of_two_runs}, Splits(2, &split), 3);
  };
  const Beside of_one = beside(one);
  const auto [below, best, above] = compare(of_one, beside(steady)).difference;
  check.near(double(diverged(of_one)), 1, 0, "one run diverges, above the best rate");
  const Verdict with_itself = compare(of_one, of_one);
  check.near(with_itself.difference[2].deviation, 0, 0, "each run is paired with its own");
  check.that(best.mean > 0.2, "pairs at the best rate");
  check.that(above.mean < best.mean, "the run that diverged spoils the mean above it");
  check.that(below.mean < best.mean, "and a lower rate is worse");
  for (const double rate : {0.005, 0.015}) {
    const double expected = r_squared((1 - 1e-3 / rate) * split.test.T, split.test.T) -
                            r_squared(0.5 * split.test.T, split.test.T);
    check.near(rate == 0.015 ? best.mean : below.mean, expected, 1e-12, "one minus the other");
  }
}

// A table of one's own: its scales, its rows, and networks that come back from a file.
static void own_tables(Checks& check) {
  const Matrix<double> A{{1, 5}, {3, 5}};
  const Scale scale = scale_of(A);
  check.that(scale.scaled(A) == Matrix<double>{{-1, 0}, {1, 0}}, "mean 0, variance 1, or all 0");
  check.that(scale.restored(scale.scaled(A)) == A, "and back");
  const OwnTable balls = thrown_balls(100, Random(1));
  const OwnRows rows = own_rows(balls, Random(2));
  check.near(double(rows.learn.size()), 80, 0, "four fifths to learn from");
  check.near(double(rows.test.size()), 20, 0, "a fifth that chooses nothing");
  check.near(largest_entry(column_means(rows.learn.T)), 0, 1e-14,
             "scaled by the rows learned from");
  std::multiset<double> before, after;
  for (std::size_t i = 0; i < 100; ++i) before.insert(balls.X(i, 0));
  const Matrix<double> learned = rows.x.restored(rows.learn.X), kept = rows.x.restored(rows.test.X);
  for (const Matrix<double>* part : {&learned, &kept})
    for (std::size_t i = 0; i < part->rows(); ++i) after.insert((*part)(i, 0));
  double apart = 0;
  for (auto one = before.begin(), other = after.begin(); one != before.end(); ++one, ++other)
    apart = std::max(apart, std::abs(*one - *other));
  check.near(apart, 0, 1e-12, "each row once");
  const Folder folder;
  for (const Kind kind : kinds) {
    for (const std::size_t in : {1u, 16u, 300u})
      with_kind(kind, in, 4, [&](const auto& start) {
        Random random(1);
        const auto numbers = double(parameters_of(start(random)));
        // Of few inputs two product layers have the least number of units that mixes them.
        check.near(numbers / double(60 * (in + 5) + 4 * in), 1, in == 1 ? 1.3 : 0.12,
                   title_of(kind) + ": about as many numbers");
      });
    with_kind(kind, 3, 2, [&](const auto& start) {
      Random random(1);
      const auto model = start(random);
      store(folder / "net", kind, model, rows);
      const Stored stored = stored_in(folder / "net");
      const Matrix<double> Y = rows.t.restored(predict(model, rows.x.scaled(balls.X)));
      check.that(stored.answers(balls.X) == Y, title_of(kind) + ": answers as it did");
    });
  }
}

int main() {
  GradientTest test;
  visit_models(test);
  floors(test.check);
  tasks_and_scores(test.check);
  starts(test.check);
  a_step(test.check);
  protocol(test.check);
  ceilings(test.check);
  own_check(test.check);
  own_tables(test.check);
  return test.done("test_lesson3");
}
