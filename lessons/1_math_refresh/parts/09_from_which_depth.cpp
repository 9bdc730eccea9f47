// Lesson 1, part 9: from which depth on does the variance decide?
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/lesson.hpp"

namespace lesson1::p9 {

constexpr std::size_t starts = 8, choosing = 12, patience = 400;

// With the rates of 1/n and of 2/n at which the search begins.
struct Depth {
  std::size_t layers;
  double first[2];
};
constexpr Depth depths[] = {
    {3, {0.081, 0.027}}, {5, {0.081, 0.009}}, {10, {0.081, 0.003}}, {20, {0.027, 0.003}}};

// The steps that networks need at their best rate: from the starts that chose it, and from others,
// which the table reports.
struct Raced {
  double rate;
  std::vector<double> chosen_by, steps;
};

// Chooses among powers of 3.
static Raced race(double gain, std::size_t layers, double first, std::uint64_t seed,
                  const Starts& choose, const Starts& report) {
  std::map<double, std::vector<double>> tried;
  const RateSweep sweep = sweep_rates(first, 3, [&](double rate) {
    tried[rate] = steps_to_learn(gain, layers, rate, patience, seed, choose);
    return geometric_mean(tried[rate]);
  });
  const double rate = sweep.rates[sweep.best];
  return {rate, tried[rate], steps_to_learn(gain, layers, rate, patience, seed, report)};
}

static Spread logarithms(const std::vector<double>& steps) {
  std::vector<double> all;
  for (const double count : steps) all.push_back(std::log(count));
  return spread_of(all);
}

static void run(Lesson& lesson, Pool& pool, const knob::Settings&) {
  const std::size_t runs = lesson.options().quick_or<std::size_t>(2, starts);
  const std::size_t others = lesson.options().quick_or<std::size_t>(2, choosing);
  const std::size_t count = lesson.options().quick_or<std::size_t>(2, std::size(depths));
  std::array<std::array<Raced, 2>, std::size(depths)> raced;
  run_grid(pool, "races", {count, 2}, [&](std::size_t i, std::size_t g) {
    const Depth& depth = depths[count - 1 - i];  // the longest first
    raced[count - 1 - i][g] = race(double(g + 1), depth.layers, depth.first[g],
                                   lesson.options().seed, {runs, others}, {0, runs});
  });
  lesson.say("How many steps to a loss of 1/2, each at the best rate of ", others,
             " starts, in the geometric mean over ", runs,
             " others? In brackets the ratio's standard error.");
  Table table{{"layers", "rate", "1/n", "rate", "2/n", "1/n over 2/n"}, {}};
  std::map<std::size_t, double> ratio, error;
  for (std::size_t d = 0; d < count; ++d) {
    const auto& [one, two] = raced[d];
    const std::size_t layers = depths[d].layers;
    const Spread a = logarithms(one.steps), b = logarithms(two.steps);
    ratio[layers] = std::exp(a.mean - b.mean);
    error[layers] = ratio[layers] * std::hypot(a.standard_error(), b.standard_error());
    table.rows.push_back({std::to_string(layers), significant(one.rate),
                          fixed(geometric_mean(one.steps), 1), significant(two.rate),
                          fixed(geometric_mean(two.steps), 1),
                          join(fixed(ratio[layers], 2), " (", fixed(error[layers], 2), ")")});
  }
  lesson.show(table);
  // Seeds 1 to 5: .43 to .71, .66 to .85, .91 to 1.66, 2.85 to 4.07; errors .13 to .26, .07 to .24,
  // .16 to .69, .59 to .96. A ratio of 1 would be level.
  lesson.claim_trained("3 layers: steps of 1/n over those of 2/n", ratio[3], between(0.3, 0.85));
  lesson.claim_trained("5 layers: the same", ratio[5], between(0.5, 0.95));
  lesson.claim_trained("10 layers: the same", ratio[10], between(0.8, 2));
  lesson.claim_trained("20 layers: the same", ratio[20], between(2.2, 8));
  // Deviations would be √8 times as large.
  lesson.claim_trained("20 layers: its error, relative", error[20] / ratio[20], between(0.1, 0.4));
  lesson.claim(
      "the starts that choose are not those that count",
      raced[0][0].chosen_by != raced[0][0].steps || raced[1][0].chosen_by != raced[1][0].steps);
}

static std::string settings() {
  return join("width ", hidden_width, ", momentum ", momentum, ", ", choosing,
              " starts to choose a rate, ", starts, " others to count");
}

}  // namespace lesson1::p9

const Part<Pool> lesson1::part9{.number = 9,
                                .title = "From which depth?",
                                .kind = PartKind::further,
                                .question = "From which depth on does the variance decide?",
                                .run = p9::run,
                                .settings = p9::settings};
