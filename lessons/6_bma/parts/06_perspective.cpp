// Part 6: the published figures in perspective.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/lesson.hpp"

namespace lesson6::p6 {

constexpr knob::Real gap{"gap", "the true difference, in thousandths of a nat", 5.9, {0, 60, 0.1}};
constexpr knob::Real deviation{
    "spread", "standard deviation of a paired difference, in thousandths", 13.3, {0.5, 60, 0.1}};
constexpr knob::Whole pairs{"pairs", "pairs of runs", 3, {2, 120, 1}};

// The share of experiments that name a winner, and the mean gap of these.
struct Winners {
  double share = 0, size = 0;
};

static Winners winners_of(double truth, double spread, std::size_t runs, std::size_t experiments,
                          Random& random) {
  Winners winners;
  std::vector<double> differences(runs);
  for (std::size_t k = 0; k < experiments; ++k) {
    for (double& difference : differences) difference = truth + spread * random.normal();
    const Spread s = spread_of(differences);
    if (!beyond_luck(s)) continue;
    winners.share += 1 / double(experiments);
    winners.size += std::abs(s.mean) / double(experiments);
  }
  if (winners.share > 0) winners.size /= winners.share;
  return winners;
}

static void could_a_seed(Lesson& lesson, const knob::Settings& at) {
  Random random(lesson.options().seed, 509);
  constexpr std::size_t experiments = 20'000;
  const Winners with_gap = winners_of(at[gap], at[deviation], at[pairs], experiments, random),
                by_luck = winners_of(0, at[deviation], at[pairs], experiments, random);
  if (!lesson.options().settings.any_given())
    lesson.predict(
        "In how many of 100 experiments do three pairs name a winner when there is this gap?",
        100 * with_gap.share, {.plus = 5});
  plot::Chart chart{.title = join("A gap of ", at[gap], ", pairs that spread by ", at[deviation],
                                  ": how often is a winner found?")};
  chart.x = {.title = "pairs (logarithmic)", .log = true, .low = 2, .high = 120};
  chart.y = {.title = "share of experiments that name a winner", .low = 0, .high = 1};
  chart.series = {{.name = "with the gap"}, {.name = "without a gap"}};
  for (const std::size_t runs : {2u, 3u, 4u, 5u, 7u, 10u, 14u, 20u, 30u, 45u, 70u, 120u}) {
    chart.series[0].add(double(runs), winners_of(at[gap], at[deviation], runs, 500, random).share);
    chart.series[1].add(double(runs), winners_of(0, at[deviation], runs, 500, random).share);
  }
  lesson.figure("pairs", chart);
  lesson.note("Of ", experiments, " experiments with ", at[pairs], " pairs ",
              fixed(100 * with_gap.share, 1), " % name a winner, and find a gap of ",
              fixed(with_gap.size, 1), " on average; without a gap ", fixed(100 * by_luck.share, 1),
              " % do.");
  // Four standard errors of 20,000 experiments are .75 and .6; without a gap 5 name one.
  lesson.claim_standard("with this gap, experiments in 100 that name a winner",
                        100 * with_gap.share, within(7.6, 0.9));
  lesson.claim_standard("and they find it too large: 2½ times 5.9", with_gap.size,
                        within(14.75, 1.5));
  // The larger gap, .0224, and the deviation of bma - standard in part 5; four standard errors.
  if (!lesson.options().settings.any_given())
    lesson.claim("with a gap of 22.4 and pairs that spread by 19.2, experiments in 100",
                 100 * winners_of(22.4, 19.2, 3, experiments, random).share, within(22.2, 1.2));
  // Student's factor makes it one in twenty; above thirty pairs rounding takes .006 off.
  lesson.claim("without a gap, the share of experiments that name a winner", by_luck.share,
               within(0.05, 0.006 + 4.5 * std::sqrt(0.05 * 0.95 / double(experiments))));
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) { could_a_seed(lesson, at); }

static void scene(Lesson& lesson, Session&, const knob::Settings& at) { could_a_seed(lesson, at); }

}  // namespace lesson6::p6

const Part<lesson6::Session> lesson6::part6{
    .number = 6,
    .title = "The published figures in perspective",
    .question = "Could a seed make the published gap, and how many pairs would tell?",
    .run = p6::run,
    .scene = p6::scene,
    .knobs = {&p6::gap, &p6::deviation, &p6::pairs}};
