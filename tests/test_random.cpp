// Tests of common/random.hpp: the very numbers (from an independent program in Python, itself checked against the values
// published with xoshiro256** and SplitMix64), and the statistics that theory states for them. The seeds are fixed, so a
// check either always holds or never; bounds are 4 standard errors unless a comment says otherwise.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/random.hpp"
#include "tests/check.hpp"

static void known_numbers(Checks& check) {
  struct Case {
    std::uint64_t seed, stream;
    std::array<std::uint64_t, 4> bits;
  };
  const std::uint64_t last = ~std::uint64_t{0};
  const Case cases[] = {
      {0, 0, {0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x1a5f849d4933e6e0, 0x6aa594f1262d2d2c}},
      {1, 0, {0xb3f2af6d0fc710c5, 0x853b559647364cea, 0x92f89756082a4514, 0x642e1c7bc266a3a7}},
      {42, 0, {0x15780b2e0c2ec716, 0x6104d9866d113a7e, 0xae17533239e499a1, 0xecb8ad4703b360a1}},
      {last, 0, {0x8f5520d52a7ead08, 0xc476a018caa1802d, 0x81de31c0d260469e, 0xbf658d7e065f3c2f}},
      {1, 1, {0x7801ffa85c6ecc24, 0x0858358f00dd267e, 0x867df49580968b98, 0x7ee948c5b679a2c1}},
      {1, 2, {0xb90d91bde8ab13c6, 0x8f506dd03b23b31c, 0x6cf0ed1803cb3a17, 0xea5799959c00d52c}},
      {42, 7, {0x11a904479c05b3da, 0xcffd69429302c462, 0x79e6a4245def3af9, 0x501c914b15828b2b}},
  };
  for (const Case& c : cases) {
    Random random(c.seed, c.stream);
    for (const std::uint64_t expected : c.bits)
      check.that(random.bits() == expected,
                 "bits of seed " + std::to_string(c.seed) + ", stream " + std::to_string(c.stream));
  }

  Random uniform(42), range(42), normal(42), below(42), large(42), shuffle(42);
  for (const double expected : {0x1.5780b2e0c2ec0p-4, 0x1.84136619b444ep-2, 0x1.5c2ea66473c93p-1, 0x1.d9715a8e0766cp-1})
    check.near(uniform.uniform(), expected, 0, "uniform of seed 42");
  // Rounded once: multiplied and added in two roundings, the first, third and fourth would differ in the last place.
  for (const double expected :
       {-0x1.1032eba6186e7p-4, 0x1.a6a479ebda760p-5, 0x1.604aa3d3ec752p-3, 0x1.145aaed805ebdp-2})
    check.near(range.uniform(-0.1, 0.3), expected, 0, "uniform(-0.1, 0.3) of seed 42");
  // From log and cos in 50 decimal digits; 4 units in the last place for those of the platform.
  const double epsilon = std::numeric_limits<double>::epsilon();
  for (const double expected : {-0.303263064678738, 1.3438117634372806, 0.3834617912676943, 0.9369624250258951})
    check.near(normal.normal(), expected, 4 * epsilon * std::exp2(std::ilogb(expected)), "normal of seed 42");
  for (const std::uint64_t expected : {742u, 102u, 9u, 193u, 476u, 584u, 754u, 407u})
    check.that(below.below(1000) == expected, "below(1000) of seed 42");
  // Half of the draws are rejected here, among them the first two of seed 42.
  for (const std::uint64_t expected : {3321214725393783200u, 7834202072327348384u, 9072180941210541667u})
    check.that(large.below((std::uint64_t{1} << 63) + 1) == expected, "below(2^63 + 1) of seed 42");
  std::vector<int> order(10);
  std::iota(order.begin(), order.end(), 0);
  shuffle.shuffle(std::span(order));
  check.that(order == std::vector<int>{7, 3, 8, 9, 5, 6, 4, 1, 0, 2}, "shuffle of seed 42");
}

// sum (observed - expected)² / expected over cells of equal probability has mean k - 1 and variance about 2 (k - 1). Its
// upper tail is longer than a normal one, so 5 standard deviations; the faults looked for give thousands.
static void equally_often(Checks& check, const std::vector<std::size_t>& counts, const std::string& what) {
  const double total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  const double expected = total / static_cast<double>(counts.size()), freedom = static_cast<double>(counts.size() - 1);
  double chi_square = 0;
  for (const std::size_t count : counts) {
    const double difference = static_cast<double>(count) - expected;
    chi_square += difference * difference / expected;
  }
  check.near(chi_square, freedom, 5 * std::sqrt(2 * freedom), what + ": chi-square");
}

static void unbiased_integers(Checks& check) {
  const std::size_t draws = 120'000;
  for (const std::uint64_t n : {2u, 3u, 10u, 64u, 100u}) {
    Random random(5, n);
    std::vector<std::size_t> counts(n);
    for (std::size_t i = 0; i < draws; ++i) ++counts.at(random.below(n));
    equally_often(check, counts, "below(" + std::to_string(n) + ")");
  }
  // For n = 3/4 of 2^64 a plain remainder gives the lowest third twice as often as each of the others, and the
  // high word of a product n·bits gives twice as many multiples of 3. (Just above 2^63 the bias of the remainder
  // would vanish again: almost every number comes twice.)
  const std::uint64_t quarter = std::uint64_t{1} << 62;
  Random random(6);
  std::vector<std::size_t> thirds(3), remainders(3);
  for (std::size_t i = 0; i < draws; ++i) {
    const std::uint64_t draw = random.below(3 * quarter);
    ++thirds.at(draw / quarter);
    ++remainders.at(draw % 3);
  }
  equally_often(check, thirds, "below(3·2^62), thirds");
  equally_often(check, remainders, "below(3·2^62), remainders of 3");
  for (int i = 0; i < 10; ++i) check.that(random.below(1) == 0, "below(1)");
  check.throws<std::invalid_argument>([&] { random.below(0); }, "below", "below(0)");
}

// The mean of f over `draws` draws is `mean`, up to 4 standard errors; `variance` is that of one f.
template <class F>
static void average(Checks& check, const std::string& what, double mean, double variance, F f) {
  const int draws = 400'000;
  double sum = 0;
  for (int i = 0; i < draws; ++i) sum += f();
  check.near(sum / draws, mean, 4 * std::sqrt(variance / draws), what);
}

static void moments(Checks& check) {
  Random r(7);
  // For d = u - 1/2: E d² = 1/12, E d^4 = 1/80, E d^8 = 1/2304; so Var d² = 1/180, Var d^4 = 1/2304 - 1/6400.
  average(check, "uniform, mean", 1.0 / 2, 1.0 / 12, [&] { return r.uniform(); });
  average(check, "uniform, variance", 1.0 / 12, 1.0 / 180, [&] { return std::pow(r.uniform() - 0.5, 2); });
  average(check, "uniform, 4th moment", 1.0 / 80, 1.0 / 2304 - 1.0 / 6400,
          [&] { return std::pow(r.uniform() - 0.5, 4); });
  average(check, "uniform(-3, 5), mean", 1, 64.0 / 12, [&] { return r.uniform(-3, 5); });
  // E z² = 1, E z^4 = 3, E z^6 = 15, E z^8 = 105; so Var z² = 2, Var z³ = 15, Var z^4 = 96.
  average(check, "normal, mean", 0, 1, [&] { return r.normal(); });
  average(check, "normal, variance", 1, 2, [&] { return std::pow(r.normal(), 2); });
  average(check, "normal, 3rd moment", 0, 15, [&] { return std::pow(r.normal(), 3); });
  average(check, "normal, 4th moment", 3, 96, [&] { return std::pow(r.normal(), 4); });
  for (const double limit : {0.5, 1.0, 2.0, 3.0}) {
    const double tail = std::erfc(limit / std::sqrt(2.0));  // P(|z| > limit)
    average(check, "normal, tail", tail, tail * (1 - tail), [&] { return std::abs(r.normal()) > limit ? 1 : 0; });
  }
  average(check, "normal, neighbours", 0, 1, [&] { return r.normal() * r.normal(); });
}

static void bounds(Checks& check) {
  Random random(8);
  bool inside = true, finite = true;
  const double next = std::nextafter(1.0, 2.0), after = std::nextafter(next, 2.0);
  std::set<double> narrow;
  for (int i = 0; i < 100'000; ++i) {
    const double u = random.uniform(), v = random.uniform(-2, 3);
    inside = inside && u >= 0 && u < 1 && v >= -2 && v < 3;
    finite = finite && std::abs(random.normal()) <= 8.6;  // sqrt(2·53·ln 2) = 8.57
    narrow.insert(random.uniform(1, after));
  }
  check.that(inside, "uniform leaves its range");
  check.that(finite, "normal is not finite");
  // Two numbers lie in [1, after). A quarter of the sums would round up to `after`, which is outside.
  check.that(narrow == std::set<double>{1, next}, "uniform over two numbers");
  check.throws<std::invalid_argument>([&] { random.uniform(1, 1); }, "range", "uniform(1, 1)");
  check.throws<std::invalid_argument>([&] { random.uniform(2, 1); }, "range", "uniform(2, 1)");
  check.throws<std::invalid_argument>([&] { random.uniform(0, std::nan("")); }, "range", "uniform(0, NaN)");
  const double largest = std::numeric_limits<double>::max();
  check.throws<std::invalid_argument>([&] { random.uniform(-largest, largest); }, "range", "uniform over all");
}

static void orders(Checks& check) {
  Random random(9);
  std::vector<std::array<int, 4>> all;
  std::array<int, 4> sorted{1, 2, 3, 4}, order = sorted;
  do all.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  std::vector<std::size_t> counts(all.size());  // 24
  for (int i = 0; i < 120'000; ++i) {
    order = sorted;
    random.shuffle(std::span<int>(order));
    const auto found = std::lower_bound(all.begin(), all.end(), order);
    ++counts.at(static_cast<std::size_t>(found - all.begin()));
  }
  equally_often(check, counts, "shuffle of 4");
  std::vector<int> none;
  random.shuffle(std::span(none));
  check.that(none.empty(), "shuffle of nothing");
}

// Generators of other seeds and streams: no number in common (100,000 draws of 64 bits meet with probability 3e-10, and a
// sequence that overlaps another would repeat its numbers), and no correlation.
static void independent_generators(Checks& check) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (std::uint64_t stream = 0; stream < 10; ++stream) {
      Random random(seed, stream);
      for (int i = 0; i < 1000; ++i) seen.insert(random.bits());
    }
  check.that(seen.size() == 100'000, "two generators have numbers in common");

  Random first(3, 0), second(3, 1), third(4, 0);
  const auto centred = [](Random& random) { return random.uniform() - 0.5; };
  average(check, "correlation of two streams", 0, 1.0 / 144, [&] { return centred(first) * centred(second); });
  average(check, "correlation of two seeds", 0, 1.0 / 144, [&] { return centred(first) * centred(third); });
  // The first draws of neighbouring seeds and streams, where a weak seeding shows.
  std::uint64_t number = 0;
  average(check, "mean of first draws, seeds", 0.5, 1.0 / 12, [&] { return Random(number++).uniform(); });
  average(check, "mean of first draws, streams", 0.5, 1.0 / 12, [&] { return Random(3, number++).uniform(); });
  average(check, "correlation of first draws", 0, 1.0 / 144, [&] {
    Random one(5, number), other(5, number + 1);
    number += 2;
    return centred(one) * centred(other);
  });

  first.normal();
  Random copy = first;
  bool same = true;
  for (int i = 0; i < 100; ++i) same = same && copy.normal() == first.normal() && copy.bits() == first.bits();
  check.that(same, "a copy repeats its original");
}

// Run 0 is the seed itself; no run of one seed is a run of another, as --seed 1 and --seed 2 would share with seed + k.
static void seeds_of_runs(Checks& check) {
  std::set<std::uint64_t> all;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (std::uint64_t run = 0; run < 100; ++run) all.insert(seed_of_run(seed, run));
  check.that(all.size() == 100 * 100, "a hundred runs of a hundred seeds are all different");
  check.that(seed_of_run(7, 0) == 7 && seed_of_run(~0ull, 0) == ~0ull, "run 0 has the program's seed");
}

// pick draws each index with its probability; the bounds are five standard deviations of a count.
static void picks(Checks& check) {
  Random random(12);
  const std::array<double, 4> law{0.1, 0.6, 0, 0.3};
  std::array<double, 4> count{};
  constexpr double draws = 40'000;
  for (int k = 0; k < draws; ++k) ++count[random.pick(std::span<const double>(law))];
  for (std::size_t i = 0; i < law.size(); ++i)
    check.near(count[i], draws * law[i], 5 * std::sqrt(draws * law[i] * (1 - law[i])), "pick follows the law");
  const std::array<float, 3> short_of_one{0, 0, 0.5f};
  for (int k = 0; k < 20; ++k)
    check.that(random.pick(std::span<const float>(short_of_one)) == 2, "pick: the last where a gap is left");
}

int main() {
  Checks check;
  picks(check);
  known_numbers(check);
  unbiased_integers(check);
  moments(check);
  bounds(check);
  orders(check);
  independent_generators(check);
  seeds_of_runs(check);
  return check.done("random");
}
