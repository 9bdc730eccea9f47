// Lesson 6, part 9: could a seed make that gap? The gap, the spread and the number of pairs can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "common/support/spread.hpp"
#include "lessons/6_bma/run/bounds.hpp"
#include "lessons/6_bma/run/session.hpp"

namespace lesson6 {
namespace {

constexpr knob::Real gap{"gap", "the true difference, in thousandths of a nat", 5.9, {0, 60, 0.1}};
constexpr knob::Real deviation{
    "spread", "standard deviation of a paired difference, thousandths", 13.8, {0.5, 60, 0.1}};
constexpr knob::Whole pairs{"pairs", "pairs of runs", 3, {2, 120, 1}};

// Of many experiments of so many pairs: the share that names a winner, and the mean size of the gap that these find.
struct Told {
  double share = 0, size = 0;
};

Told told(double truth, double spread, std::size_t runs, std::size_t experiments, Random& random) {
  Told found;
  std::vector<double> differences(runs);
  for (std::size_t k = 0; k < experiments; ++k) {
    for (double& difference : differences) difference = truth + spread * random.normal();
    const Spread s = spread_of(differences);
    if (!beyond_luck(s)) continue;
    found.share += 1;
    found.size += std::abs(s.mean);
  }
  if (found.share > 0) found.size /= found.share;
  found.share /= double(experiments);
  return found;
}

plot::Chart chart_of(double truth, double spread, std::size_t experiments, Random& random) {
  plot::Chart chart{.title = join("A gap of ", truth, ", pairs that spread by ", spread, ": who finds a winner?")};
  chart.x = {.title = "pairs (logarithmic)", .log = true, .low = 2, .high = 120};
  chart.y = {.title = "share of experiments that name one", .low = 0, .high = 1};
  plot::Series there{.name = "with the gap"}, luck{.name = "without any"};
  for (const std::size_t runs : {2u, 3u, 4u, 5u, 7u, 10u, 14u, 20u, 30u, 45u, 70u, 120u}) {
    there.add(double(runs), told(truth, spread, runs, experiments, random).share);
    luck.add(double(runs), told(0, spread, runs, experiments, random).share);
  }
  chart.series = {there, luck};
  return chart;
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  Random random(lesson.options().seed, 509);
  lesson.picture("turned_pairs", chart_of(at[gap], at[deviation], 500, random));
  constexpr std::size_t experiments = 2000;
  const Told with_gap = told(at[gap], at[deviation], at[pairs], experiments, random),
             by_luck = told(0, at[deviation], at[pairs], experiments, random);
  lesson.say("Of ", experiments, " experiments with ", at[pairs], " pairs ", fixed(100 * with_gap.share, 1),
             " % name a winner, and those find a gap of ", fixed(with_gap.size, 1),
             " on average; where there is none, ", fixed(100 * by_luck.share, 1), " % do.");
  if (at[gap] > 0) {
    const double enough = std::pow(3 * at[deviation] / at[gap], 2);
    lesson.say("The standard error is a third of the gap at ", fixed(std::max(enough, 2.0), 0), " pairs.");
  }
  // Student's factor makes that one case of twenty; above thirty pairs it is rounded up, which takes .006 off.
  lesson.claim("no gap: the share of experiments that name a winner", by_luck.share,
               within(0.05, 0.006 + spreads * std::sqrt(0.05 * 0.95 / double(experiments))));
}

}  // namespace

Bench<Session> bench9() {
  return {"Could a seed make the published gap, and how many pairs would tell?", {&gap, &deviation, &pairs}, run};
}

}  // namespace lesson6
