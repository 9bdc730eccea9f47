// Exercise 3.7: a suite of your own.
// Hint: Swish adds up curves, each of one weighted sum of the inputs. What can two product layers
// compute without an error, and no such sum? And which part of that is beyond one product layer?
// Hint: A product of four inputs has no part that a straight line or one product layer sees, so at
// first a network can learn nothing from it. Targets that share a factor teach it from several
// sides.
// Hint: Take four sums of two products each, such as x[0]·x[1] + x[2]·x[3], and multiply them in
// pairs. If two product layers are ahead at the best rates alone, they break down at a rate three
// times as high. More products in a sum bend more.
// SPDX-License-Identifier: MIT
#include <span>

#include "lessons/3_swish_vs_bmlp/train.hpp"

// For the check:
#include <ex3_7_own_suite.hpp>

#include "common/frame/exercise/exercise.hpp"
#include "lessons/3_swish_vs_bmlp/protocol.hpp"

using namespace exercise;
using lesson3::Outputs, lesson3::SplitRows, lesson3::Suite;

namespace ours::ex3_7 {

// Of degree 4: products of what one product layer finds. A sum of bends has to patch each together.
inline lesson3::Outputs suite(std::span<const double> x) {
  const double p = x[0] * x[1] + x[2] * x[3], q = x[4] * x[5] + x[6] * x[7];
  const double r = x[8] * x[9] + x[10] * x[11], s = x[12] * x[13] + x[14] * x[15];
  return {p * q, q * r, r * s, s * p};
}

}  // namespace ours::ex3_7

constexpr std::size_t rows = 2048, runs = 3;
constexpr std::uint64_t seed_of_check = 1;

// Draws a run's rows, each target with mean 0 and variance 1 in training. Throws UserError.
static SplitRows draw(Suite suite, std::size_t run) {
  SplitRows split = lesson3::draw_suite(suite, seed_of_run(seed_of_check, run), rows);
  const Matrix<double> variance = lesson3::column_means(hadamard(split.train.T, split.train.T));
  for (std::size_t o = 0; o < variance.cols(); ++o) {
    bool varies = false;  // a variance of rounding alone is not 0
    for (std::size_t i = 1; i < rows; ++i)
      varies = varies || split.train.T(i, o) != split.train.T(0, o);
    if (!std::isfinite(variance(0, o)))
      throw UserError(join("y[", o, "] is not a finite number at some of the rows"));
    if (!varies || variance(0, o) == 0) throw UserError(join("y[", o, "] is the same at all rows"));
    for (lesson3::Rows* part : {&split.train, &split.test})
      for (std::size_t i = 0; i < rows; ++i) part->T(i, o) /= std::sqrt(variance(0, o));
  }
  return split;
}

// Returns why these rows need no network, or nothing.
static std::string known_without_training(const SplitRows& split) {
  constexpr double enough = 0.9,
                   farthest = 25;  // a product of four sums of inputs goes as far as 15
  if (const double far = largest_entry(split.train.T); far > farthest)
    return join("a value lies ", far,
                " standard deviations from the mean, so a few rows decide: nothing so steep");
  const auto reaches = [&](Matrix<double> (*phi)(const Matrix<double>&)) {
    return lesson3::r_squared(
        matmul(phi(split.test.X), lesson3::least_squares(phi(split.train.X), split.train.T)),
        split.test.T);
  };
  const double line = reaches([](const Matrix<double>&X) { return X; }),
               quadratic = reaches([](const Matrix<double>&X) { return lesson3::monomials(X, 2); });
  if (line >= enough)
    return join("the best linear map reaches R² ", line, ": X·W3 alone is enough");
  if (quadratic >= enough)
    return join("one product layer is enough: least squares on its terms reaches R² ", quadratic);
  return "";
}

// Returns nothing when two product layers are ahead.
static std::string verdict_of(Suite suite) try {
  std::vector<SplitRows> drawn;
  lesson3::Splits splits;
  for (std::size_t k = 0; k < runs; ++k) drawn.push_back(draw(suite, k));
  for (const SplitRows& split : drawn) splits.push_back(&split);
  if (const std::string known = known_without_training(drawn[0]); !known.empty()) return known;
  constexpr lesson3::TrainingSettings settings{.steps = 1000};
  using Products = lesson3::Product2<float>;
  using Swish = lesson3::Swish<float>;
  const lesson3::Contender both[] = {
      network("two product layers", settings,
              lesson3::start_of<Products>(lesson3::suite_forms.product2)),
      network("swish", settings, lesson3::start_of<Swish>(lesson3::suite_forms.swish))};
  RateSweep rates[2];
  Pool pool(2);
  pool.run(2, [&](std::size_t c) {
    rates[c] = rates_of(both[c], splits, seed_of_check, settings.rate);
  });
  double r2[2];
  for (const std::size_t c : {0u, 1u}) {
    r2[c] = 1 - rates[c].losses[rates[c].best];
    if (!std::isfinite(r2[c]))
      return both[c].title +
             ": training diverges, or comes to nothing, at every rate that was tried";
  }
  std::string figures = join(" (R² on validation rows: two product layers ", fixed(r2[0], 3),
                             ", swish ", fixed(r2[1], 3), ")");
  if (std::max(r2[0], r2[1]) < 0.2) return "neither network learns these targets" + figures;
  lesson3::Beside beside[2];
  for (const std::size_t c : {0u, 1u})
    beside[c] = runs_beside(pool, {both[c], rates[c]}, splits, seed_of_check);
  const Verdict verdict = lesson3::compare(beside[0], beside[1]);
  if (const auto lost = lesson3::diverged(beside[0]) + lesson3::diverged(beside[1]); lost > 0)
    figures += join("; runs that diverged and so count as 0: ", lost);
  const auto& [below, best, above] = verdict.difference;
  if (verdict.holds() && best.mean > 0) return "";
  if (std::abs(best.mean) <= best.half_width_95())
    return join("no verdict: the pairs differ by ", best.text(3),
                ", and luck alone takes their mean as far as ", fixed(best.half_width_95(), 3),
                figures);
  if (best.mean < 0) return join("swish is ahead, by ", fixed(-best.mean, 3), figures);
  return join("ahead at the best rates, ", rates[0].text(), " and ", rates[1].text(),
              ", but not at all the rates beside them: ", below.text(3), " three times below, ",
              above.text(3), " three times above", figures);
} catch (const UserError& error) {  // of rows that nobody can learn
  return error.what();
}

static double sine(std::span<const double> x, std::size_t k) {
  return std::sin(9 * x[k] * x[k + 1]);
}
static double cubic(std::span<const double> x, std::size_t k) {
  return (2 + x[k]) * (2 + x[k + 1]) * x[k + 2];
}
static Outputs shifted(std::span<const double> x) {
  const double p = x[0] * x[1] + 1, q = x[2] * x[3] + 1, r = x[4] * x[5] - 1, s = x[6] * x[7] + 1;
  return {p * q, q * r, r * s, s * p};
}
static const std::pair<Suite, const char*> attempts[] = {
    {[](auto x) -> Outputs {
       return {x[0], x[1] - x[2], x[3] + std::sin(x[4]) / 4, x[5]};
     },
     "X·W3 alone is enough"},
    {[](auto x) -> Outputs {
       return {x[0], x[1], 1 / 3.0, x[2]};
     },
     "y[2] is the same at all rows"},
    {[](auto x) -> Outputs {
       return {x[0], std::log(x[1]), x[2], x[3]};
     },
     "y[1] is not a finite number"},
    {lesson3::suite_b, "one product layer is enough"},
    {lesson3::suite_a, "swish is ahead"},
    {[](auto x) -> Outputs {
       return {std::exp(x[0] * x[1] * x[2]), x[3], x[4], x[5]};
     },
     "standard deviations"},
    {[](auto x) -> Outputs {
       return {sine(x, 0), sine(x, 4), sine(x, 8), sine(x, 12)};
     },
     "neither network learns these targets"},
    {[](auto x) -> Outputs {
       return {cubic(x, 0), cubic(x, 3), cubic(x, 6), cubic(x, 9)};
     },
     "no verdict"},
    {shifted, "but not at all the rates beside them"}};

// Tells whether a target depends on what stands before x[0] or behind x[15].
static bool reads_outside(Suite suite) {
  constexpr std::size_t inputs = 16;
  std::vector<double> x(3 * inputs);
  Outputs seen[2];
  for (const std::size_t k : {0u, 1u}) {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = i / inputs == 1 ? 0.3 + 0.01 * double(i) : 1 + double(k);
    seen[k] = suite(std::span(x).subspan(inputs, inputs));
  }
  return seen[0] != seen[1];
}

static void test_attempts() {
  for (const auto& [suite, expected] : attempts) {
    const std::string verdict = verdict_of(suite);
    if (verdict.find(expected) != verdict.npos) continue;
    ++slips().unnamed;
    std::printf("targets that are to be told '%s' are told: %s\n", expected, verdict.c_str());
  }
}

static exercise::Assessment check() {
  if (slips().tested) {
    test_attempts();
    slips().unnamed += !reads_outside([](auto x) -> Outputs {
      return {x[0], *(&x[15] + 1), 0, 0};
    });
  }
  Random random(1);
  const Matrix<double> some = lesson3::draw_rows(ex3_7::suite, 10, random).T;
  if (some == Matrix<double>(some.rows(), some.cols())) return not_started();
  if (reads_outside(ex3_7::suite))
    return wrong("a target reads beside the inputs: they are x[0] to x[15], and no others");
  const std::string verdict = verdict_of(ex3_7::suite);
  return verdict.empty() ? done() : wrong(verdict);
}
static const Exercise here{"3.7", "A suite of your own", check};
