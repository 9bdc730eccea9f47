// Lesson 3: every gradient of its models (GradientTest), and what no claim says: the floors at
// small cases, the scores.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/protocol.hpp"
#include "tests/gradients.hpp"

using namespace lesson3;
using namespace std::string_literals;

template <template <class> class Layer, class Form>
struct InFloat<Net<Layer, double, Form>> {
  using type = Net<Layer, float, Form>;
};

static void floors(Checks& check) {
  Random random(2);
  const auto A = normal_matrix<double>(20, 2, 1, random),
             T = normal_matrix<double>(20, 1, 1, random);
  Matrix<double> B(20, 3);  // a third column that is the sum of the others gets the weight 0
  for (std::size_t i = 0; i < 20; ++i)
    B.row(i)[2] = (B.row(i)[0] = A(i, 0)) + (B.row(i)[1] = A(i, 1));
  const Matrix<double> w = least_squares(B, T), alone = least_squares(A, T);
  check.that(w(2, 0) == 0, "a redundant column has no weight");
  check.near(std::abs(w(0, 0) - alone(0, 0)) + std::abs(w(1, 0) - alone(1, 0)), 0, 1e-13,
             "the others are as without");
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

// The test rows are centred by what the training rows say, and nothing that is decided depends on
// them.
static void tasks_and_scores(Checks& check) {
  Random again(3, 30);
  const Rows raw = draw_rows(suite_b, 512, again), other = draw_rows(suite_b, 512, again);
  const SplitRows split = draw_suite(suite_b, 3, 512);
  const Matrix<double> means = column_means(raw.T);
  check.that(split.train.T == add_row(raw.T, -1 * means), "training targets are centred");
  check.that(split.test.T == add_row(other.T, -1 * means), "test targets by the training means");
  check.that(split.test.X == other.X && !(draw_suite(suite_b, 4, 512).test.X == other.X),
             "another seed, other rows");
  const Matrix<double> T{{1, 5}, {3, 5}, {5, 8}};
  check.near(r_squared(Matrix<double>{{3, 6}, {3, 6}, {3, 6}}, T), 0, 0,
             "R² of each output's mean");
  check.near(r_squared(T + T, T), 1 - dot(T, T) / 14, 1e-15, "R² pools the outputs");
}

// Every tensor starts as it says, apart from all others: weights from U[-a, a] with a = 1/√inputs,
// biases within theirs.
static void starts(Checks& check) {
  std::vector<std::size_t> sizes;
  for_each_model([&](const std::string& key, const auto& start) {
    Random random(5);
    const auto model = start(random);
    sizes.push_back(parameters_of(model));
    std::vector<float> firsts;
    for (const auto& [name, tensor] : read_only(model)) {
      const double rms = std::sqrt(mean_square(tensor)),
                   bound = 1 / std::sqrt(double(tensor.rows()));
      const bool bias = tensor.rows() == 1, drawn = name != "b1" && name != "b2" && name != "e";
      const double expected = name[0] == 'u' ? 0.01
                              : bias         ? (key == "two product layers" ? 0.5 : 0.1)
                              : name == "E"  ? 0.3 * bound
                                             : bound;
      // The mean square of k uniform numbers errs by √(4/5k) of itself.
      if (!drawn) check.that(rms == 0, key + ": " + name);
      else
        check.near(rms / expected * std::sqrt(3.0), 1, 1.5 / std::sqrt(double(tensor.size())),
                   key + ": " + name);
      if (drawn) firsts.push_back(tensor(0, 0) / float(expected));
    }
    std::sort(firsts.begin(), firsts.end());
    check.that(std::adjacent_find(firsts.begin(), firsts.end()) == firsts.end(),
               key + ": two tensors start alike");
  });
  check.that(sizes == std::vector<std::size_t>{1412, 1326, 1322, 1360, 1344, 1328},
             "as the text has them");
}

// A contender that is the better the larger its rate, but from .045 on diverges in one of two runs,
// and from .4 on in both.
static void protocol(Checks& check) {
  const SplitRows split = draw_suite(suite_b, 3, 64);
  const Contender edgy{"", [&](const SplitRows& rows, std::uint64_t seed, double rate) {
                         const bool chooses = rows.train.size() == 48 && rows.test.size() == 16 &&
                                              rows.train.X(0, 0) == split.train.X(0, 0) &&
                                              rows.test.X(0, 0) == split.train.X(48, 0);
                         check.that(chooses || &rows == &split,
                                    "a rate is chosen on the last of the training rows");
                         if (rate > 0.4 || (rate > 0.04 && seed == seed_of_run(3, 1)))
                           throw Diverged("");
                         return (1 - 1e-3 / rate) * rows.test.T;
                       }};
  const RateSweep one = rates_of(edgy, Splits(1, &split), 3, 0.005),
                  two = rates_of(edgy, Splits(2, &split), 3, 0.005);
  check.near(one.rates[one.best], 0.135, 1e-15, "one run chooses the edge");
  check.near(two.rates[two.best], 0.015, 1e-15, "of two runs none may diverge");
  check.that(score(edgy, split, 3, 1) == -HUGE_VAL && diverged({-HUGE_VAL, 0.5}) == 1,
             "a run that diverges is known");
  check.near(spread_of_scores({-HUGE_VAL, 0.5}).mean, 0.25, 1e-15, "and counts as the mean");
  const Contender steady{
      "", [](const SplitRows& rows, std::uint64_t, double) { return 0.5 * rows.test.T; }};
  const auto each = [](std::size_t count, const auto& job) {
    for (std::size_t k = 0; k < count; ++k) job(k);
  };
  const auto [verdict, lost] = compare(edgy, two, steady, two, Splits(2, &split), 3, each);
  check.that(lost == 1 && verdict.difference[1].mean > 0.2,
             "pairs at the best rate, and one that diverges above it");
  check.that(verdict.difference[2].mean < verdict.difference[1].mean, "which spoils that mean");
}

int main() {
  GradientTest test;
  visit_models(test);
  floors(test.check);
  tasks_and_scores(test.check);
  starts(test.check);
  protocol(test.check);
  return test.done("test_lesson3");
}
