// The numbers come from a Python program, itself checked against published values of xoshiro256**
// and SplitMix64, whose statistics are known.
// SPDX-License-Identifier: MIT
#include "common/random.hpp"

#include <limits>
#include <numeric>
#include <set>

#include "common/verdict.hpp"
#include "tests/check.hpp"

namespace test_random {

static void numbers(Checks& check) {
  struct Case {
    std::uint64_t seed, stream, first, second, thousandth;
  };
  for (const Case& c : {Case{0, 0, 0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x7aac8c483a2edd2f},
                        Case{~0ull, 0, 0x8f5520d52a7ead08, 0xc476a018caa1802d, 0xc3c93ea5cde434cc},
                        Case{42, 7, 0x11a904479c05b3da, 0xcffd69429302c462, 0xc3274d74ab95cc14}}) {
    Random random(c.seed, c.stream);
    check.that(random.bits() == c.first, join("the first of seed ", c.seed));
    check.that(random.bits() == c.second, join("the second of seed ", c.seed));
    for (int k = 3; k < 1000; ++k) random.bits();
    check.that(random.bits() == c.thousandth, join("the thousandth of seed ", c.seed));
  }
  Random uniform(42), range(42), normal(42), below(42), large(42), shuffle(42), pick(42);
  for (const double expected :
       {0x1.5780b2e0c2ec0p-4, 0x1.84136619b444ep-2, 0x1.5c2ea66473c93p-1, 0x1.d9715a8e0766cp-1})
    check.near(uniform.uniform(), expected, 0, "uniform of seed 42");
  // Rounded once; with two roundings, the first, third and fourth would differ.
  for (const double expected :
       {-0x1.1032eba6186e7p-4, 0x1.a6a479ebda760p-5, 0x1.604aa3d3ec752p-3, 0x1.145aaed805ebdp-2})
    check.near(range.uniform(-0.1, 0.3), expected, 0, "uniform(-0.1, 0.3) of seed 42");
  // From log and cos in 50 decimal digits; the platform's may err by 4 units in the last place.
  const double epsilon = std::numeric_limits<double>::epsilon();
  for (const double expected :
       {-0.303263064678738, 1.3438117634372806, 0.3834617912676943, 0.9369624250258951})
    check.near(normal.normal(), expected, 4 * epsilon * std::exp2(std::ilogb(expected)),
               "normal of seed 42");
  Random copy = normal;
  check.that(copy.normal() == normal.normal(), "a copy repeats its original's normals");
  check.that(copy.bits() == normal.bits(), "and its bits");
  for (const std::uint64_t expected : {742u, 102u, 9u, 193u})
    check.that(below.below(1000) == expected, "below(1000) of seed 42");
  // Half of the draws are rejected, among them the first two of seed 42.
  for (const std::uint64_t expected :
       {3321214725393783200u, 7834202072327348384u, 9072180941210541667u})
    check.that(large.below((std::uint64_t{1} << 63) + 1) == expected, "below(2^63 + 1) of seed 42");
  std::vector<int> order(10), none;
  std::iota(order.begin(), order.end(), 0);
  shuffle.shuffle(std::span(order));
  shuffle.shuffle(std::span(none));
  check.that(order == std::vector<int>{7, 3, 8, 9, 5, 6, 4, 1, 0, 2}, "shuffle of seed 42");
  // The uniforms of seed 42 are .08, .38, .68, .92, .99.
  const std::vector<double> law{0.1, 0.6, 0, 0.3};
  for (const std::size_t expected : {0u, 1u, 1u, 3u, 3u})
    check.that(pick.pick(std::span<const double>(law)) == expected, "pick of seed 42");
  const std::vector<float> short_of_one{0, 0, 0.5f};
  for (int k = 0; k < 20; ++k)
    check.that(pick.pick(std::span<const float>(short_of_one)) == 2,
               "pick: the last where a gap is left");
  check.that(seed_of_run(7, 0) == 7);
  check.that(seed_of_run(7, 1) != seed_of_run(8, 0), "no run of one seed is another's");
}

static void bounds(Checks& check) {
  Random random(8);
  const double next = std::nextafter(1.0, 2.0), after = std::nextafter(next, 2.0);
  std::set<double> narrow;
  for (int i = 0; i < 1000; ++i) narrow.insert(random.uniform(1, after));
  // Two numbers lie in [1, after). A quarter of the sums would round up to `after`, outside.
  check.that(narrow == std::set<double>{1, next}, "uniform over two numbers");
  check.throws<std::invalid_argument>([&] { random.below(0); }, "below");
  const double all = std::numeric_limits<double>::max();
  for (const auto& range :
       {std::pair{1., 1.}, {2., 1.}, {0., std::nan("")}, {-all, all}, {0., HUGE_VAL}})
    check.throws<std::invalid_argument>([&] { random.uniform(range.first, range.second); },
                                        "range");
  // Of 12,000 draws the extremes lie within 20/12,000 of the ends but for a chance of e^-20.
  const Matrix<float> A = uniform_matrix<float>(300, 40, 0.5, random),
                      W = uniform_weights<float>(25, 8, random);
  const auto [least, most] = std::minmax_element(A.values().begin(), A.values().end());
  check.near(*least, -0.499, 0.001, "the lower bound is reached");
  check.near(*most, 0.499, 0.001, "the upper bound is reached");
  check.that(W.shape() == Shape{25, 8});
  check.near(*std::max_element(W.values().begin(), W.values().end()), 0.175, 0.0251,
             "the bound is 1/√in");
}

static void sweeps(Checks& check) {
  const auto loss = [](double rate) {
    return rate > 20 ? HUGE_VAL : std::abs(std::log2(rate / 8));
  };
  for (const double start : {8., 1., 4., 16., 64.}) {
    const RateSweep s = sweep_rates(start, 2, loss);
    check.that(s.rates[s.best] == 8, join("the best, from ", start));
    check.that(s.best > 0);
    check.that(s.best + 1 < s.rates.size());
    for (std::size_t k = 0; k < s.rates.size(); ++k) {
      check.that(s.losses[k] == loss(s.rates[k]), "each loss stands beside its rate");
      check.that(k == 0 || s.rates[k] == 2 * s.rates[k - 1], "rates ascend by the factor");
    }
  }
  for (const double sign : {1., -1.}) {
    const RateSweep none = sweep_rates(1, 3, [&](double rate) { return sign * rate; });
    check.that(none.best == 1, "none of twelve is the best");
    check.equal(none.text(), "1?", "the start, with a question mark");
  }

  // At the rates (1, 20), (2, 40), (4, 80): rate + k - other rate / 10.
  const RateSweep one{.rates = {.5, 1, 2, 4}, .losses = {9, 9, 1, 9}, .best = 2};
  const RateSweep other{.rates = {20, 40, 80}, .losses = {9, 1, 9}, .best = 1};
  const auto figure = [](double rate, std::size_t k) { return rate + double(k); };
  const auto other_figure = [](double rate, std::size_t) { return rate / 10; };
  const Verdict verdict = compare_at_best(one, figure, other, other_figure, 3);
  for (const auto& [at, mean] : {std::pair{0u, 0.}, {1u, -1.}, {2u, -3.}})
    check.near(verdict.difference[at].mean, mean, 1e-15, join("pairs at rate ", at));

  // Chance takes the mean of three numbers that are 1 apart as far as 4.303/√3 = 2.48.
  const auto around = [](double mean) { return std::vector<double>{mean - 1, mean, mean + 1}; };
  struct Case {
    double below, best, above;
    bool holds;
    const char* what;
  };
  for (const auto& [below, best, above, holds, what] :
       {Case{.1, 2.6, .1, true, "beyond chance, and positive at the neighbours"},
        {-.1, -2.6, -9, true, "beyond chance, and negative at the neighbours"},
        {9, 2.4, 9, false, "what chance can do"},
        {-9, -2.4, -9, false, "what chance can do below 0"},
        {-.1, 2.6, 9, false, "a sign that turns below the best"},
        {9, 2.6, -.1, false, "a sign that turns above the best"},
        {9, -2.6, -9, false, "a positive sign below the best"},
        {0, 2.6, 9, false, "no sign below the best"}})
    check.that(verdict_of({around(below), around(best), around(above)}).holds() == holds, what);
}

static const Listed here("random", {sweeps, numbers, bounds});

}  // namespace test_random
