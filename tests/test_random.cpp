// Tests of common/random.hpp: the very numbers, from an independent program in Python, itself checked against the
// values published with xoshiro256** and SplitMix64. The statistics of a generator that gives them are known; here are
// looked at only those of what single numbers do not show.
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
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

static void bits(Checks& check) {
  struct Case {
    std::uint64_t seed, stream;
    std::array<std::uint64_t, 5> bits;  // the first four, and the thousandth
  };
  const Case cases[] = {
      {0, 0, {0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x1a5f849d4933e6e0, 0x6aa594f1262d2d2c, 0x7aac8c483a2edd2f}},
      {1, 0, {0xb3f2af6d0fc710c5, 0x853b559647364cea, 0x92f89756082a4514, 0x642e1c7bc266a3a7, 0xb8517c33c344d153}},
      {42, 0, {0x15780b2e0c2ec716, 0x6104d9866d113a7e, 0xae17533239e499a1, 0xecb8ad4703b360a1, 0x8de5848c61ab8968}},
      {~0ull, 0, {0x8f5520d52a7ead08, 0xc476a018caa1802d, 0x81de31c0d260469e, 0xbf658d7e065f3c2f, 0xc3c93ea5cde434cc}},
      {1, 1, {0x7801ffa85c6ecc24, 0x0858358f00dd267e, 0x867df49580968b98, 0x7ee948c5b679a2c1, 0x6d9693983e1349ad}},
      {1, 2, {0xb90d91bde8ab13c6, 0x8f506dd03b23b31c, 0x6cf0ed1803cb3a17, 0xea5799959c00d52c, 0xa8e1f9c4e0ef72f8}},
      {42, 7, {0x11a904479c05b3da, 0xcffd69429302c462, 0x79e6a4245def3af9, 0x501c914b15828b2b, 0xc3274d74ab95cc14}},
  };
  for (const Case& c : cases) {
    Random random(c.seed, c.stream);
    for (int k = 1; k <= 1000; ++k) {
      const std::uint64_t found = random.bits();
      if (k <= 4 || k == 1000)
        check.that(found == c.bits[k <= 4 ? std::size_t(k - 1) : 4],
                   "draw " + std::to_string(k) + " of seed " + std::to_string(c.seed));
    }
  }
}

static void numbers(Checks& check) {
  Random uniform(42), range(42), normal(42), below(42), large(42), shuffle(42), pick(42);
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
  Random copy = normal;
  check.that(copy.normal() == normal.normal() && copy.bits() == normal.bits(), "a copy repeats its original");
  for (const std::uint64_t expected : {742u, 102u, 9u, 193u, 476u, 584u, 754u, 407u})
    check.that(below.below(1000) == expected, "below(1000) of seed 42");
  // Half of the draws are rejected here, among them the first two of seed 42.
  for (const std::uint64_t expected : {3321214725393783200u, 7834202072327348384u, 9072180941210541667u})
    check.that(large.below((std::uint64_t{1} << 63) + 1) == expected, "below(2^63 + 1) of seed 42");
  std::vector<int> order(10), none;
  std::iota(order.begin(), order.end(), 0);
  shuffle.shuffle(std::span(order));
  shuffle.shuffle(std::span(none));
  check.that(order == std::vector<int>{7, 3, 8, 9, 5, 6, 4, 1, 0, 2}, "shuffle of seed 42");
  // The uniforms of seed 42 are .08, .38, .68, .92, .99, .77, .72, .85.
  const std::vector<double> law{0.1, 0.6, 0, 0.3};
  for (const std::size_t expected : {0u, 1u, 1u, 3u, 3u, 3u, 3u, 3u})
    check.that(pick.pick(std::span<const double>(law)) == expected, "pick of seed 42");
  const std::vector<float> short_of_one{0, 0, 0.5f};
  for (int k = 0; k < 20; ++k)
    check.that(pick.pick(std::span<const float>(short_of_one)) == 2, "pick: the last where a gap is left");
}

static void bounds(Checks& check) {
  Random random(8);
  bool finite = true;
  const double next = std::nextafter(1.0, 2.0), after = std::nextafter(next, 2.0);
  std::set<double> narrow;
  std::array<int, 3> thirds{};
  for (int i = 0; i < 100'000; ++i) {
    finite = finite && std::abs(random.normal()) <= 8.6;  // sqrt(2·53·ln 2) = 8.57
    narrow.insert(random.uniform(1, after));
    ++thirds.at(std::size_t(random.below(3ull << 62) >> 62));
  }
  check.that(finite, "normal is not finite");
  // Two numbers lie in [1, after). A quarter of the sums would round up to `after`, which is outside.
  check.that(narrow == std::set<double>{1, next}, "uniform over two numbers");
  // A plain remainder of n = 3/4 of 2^64 would give the lowest third twice as often as each other. A third of the draws
  // has a standard deviation of sqrt(1e5·2/9) = 149.
  for (const int count : thirds) check.near(count, 1e5 / 3, 5 * 149, "below(3·2^62), thirds");
  check.that(random.below(1) == 0, "below(1)");
  check.throws<std::invalid_argument>([&] { random.below(0); }, "below", "below(0)");
  const double all = std::numeric_limits<double>::max();
  for (const auto& [low, high] : {std::pair{1., 1.}, {2., 1.}, {0., std::nan("")}, {-all, all}, {0., HUGE_VAL}})
    check.throws<std::invalid_argument>([&] { random.uniform(low, high); }, "range", "uniform(" + std::to_string(low));
}

// Run 0 is the seed itself; no run of one seed is a run of another, as --seed 1 and --seed 2 would share with seed + k.
static void seeds_of_runs(Checks& check) {
  std::set<std::uint64_t> all;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (std::uint64_t run = 0; run < 100; ++run) all.insert(seed_of_run(seed, run));
  check.that(all.size() == 100 * 100, "a hundred runs of a hundred seeds are all different");
  check.that(seed_of_run(7, 0) == 7 && seed_of_run(~0ull, 0) == ~0ull, "run 0 has the program's seed");
}

int main() {
  Checks check;
  bits(check);
  numbers(check);
  bounds(check);
  seeds_of_runs(check);
  return check.done("random");
}
