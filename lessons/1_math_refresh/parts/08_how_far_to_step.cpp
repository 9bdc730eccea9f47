// Lesson 1, part 8: how far to step as a network grows wide.
// SPDX-License-Identifier: MIT
#include "common/verdict.hpp"
#include "lessons/1_math_refresh/lesson.hpp"

namespace lesson1::p8 {

constexpr knob::Whole width{"width", "numbers in each hidden layer", 128, {8, 256, 8}};
constexpr knob::Real power{"log-rate", "log10 of the rate", -1.5, {-4, 0, 0.125}};
constexpr knob::Choice rule{
    "rule", "one rate for all matrices, or base·64/n for each", {"one", "fan-in"}};
constexpr double (*rules[])(double, double, double) = {one_rate, rate_by_inputs};

constexpr std::size_t starts = 3, choosing = 4;
constexpr double first_rate = 0.016;
constexpr std::size_t widths[] = {16, 32, 64, 128, 256};

// A network's best rate, the loss there of the starts that chose it, and of those that report.
struct Best {
  double rate, chosen_by, loss;
};

static Best best_of(Lesson& lesson, std::size_t of_width,
                    double (*rate_of)(double, double, double)) {
  const auto runs = lesson.options().quick_or<std::size_t>(1, starts);
  const auto others = lesson.options().quick_or<std::size_t>(1, choosing);
  const auto steps = std::size_t(lesson.steps(wide_steps, wide_steps));
  const auto loss = [&](double rate, const Starts& of) {
    return wide_loss(of_width, rate, rate_of, 1, lesson.options().seed, of, steps);
  };
  const RateSweep sweep = sweep_rates(first_rate, 2, [&](double rate) {
    return loss(rate, {runs, others});
  });
  const double best = sweep.rates[sweep.best];
  return {best, sweep.losses[sweep.best], loss(best, {0, runs})};
}

static void scene(Lesson& lesson, Pool&, const knob::Settings& at) {
  const double rate = std::pow(10, at[power]);
  std::vector<double> losses =
      train_wide(at[width], rate, rules[at[rule]], 1, Random(lesson.options().seed, 508));
  const double highest = *std::max_element(losses.begin(), losses.end());
  lesson.say("Width ", at[width], ", rate ", significant(rate, 2), ": ",
             losses.back() < lost ? join("the loss after ", wide_steps, " steps is ", losses.back(),
                                         ", and its highest was ", highest, ".")
                                  : "lost.");
  for (double& loss : losses) loss = std::clamp(loss, 1e-4, 1e8);
  const auto [lowest, highest_drawn] = std::minmax_element(losses.begin(), losses.end());
  const auto power_of = [](double exponent) { return std::pow(10, exponent); };
  lesson.picture("wide",
                 plot::Chart{.title = "Loss of a ReLU network of three layers",
                             .x = {.title = "step", .low = 0, .high = wide_steps},
                             .y = {.title = "mean squared error",
                                   .log = true,
                                   .low = power_of(std::floor(std::log10(*lowest))),
                                   .high = power_of(std::ceil(std::log10(*highest_drawn) + 1e-9))},
                             .series = {plot::line(join("width ", at[width]), losses)}});
}

static void run(Lesson& lesson, Pool& pool, const knob::Settings&) {
  std::array<std::array<Best, std::size(widths)>, 2> best;  // of each rule, at each width
  run_grid(pool, "rates", {std::size(rules), std::size(widths)}, [&](std::size_t r, std::size_t k) {
    best[r][k] = best_of(lesson, widths[k], rules[r]);
  });
  const auto& [one, own] = best;
  const Best &wide = one[4], &narrow = one[2];
  lesson.predict("Width 64 learns best at a rate of " + significant(narrow.rate) +
                     ". At which rate does width 256?",
                 wide.rate, {.times = 2});
  lesson.say("Which rate leaves the least loss? ", choosing, " starts choose, and ", starts,
             " others count.");
  Table table{{"width", "best rate", "loss there", "best base", "loss there"}, {}};
  for (std::size_t k = 0; k < std::size(widths); ++k) {
    table.rows.push_back({std::to_string(widths[k])});
    for (const Best& of : {one[k], own[k]}) {
      table.rows[k].push_back(significant(of.rate));
      table.rows[k].push_back(of.loss < lost / starts ? fixed(of.loss, 3) : "lost");
    }
  }
  lesson.show(table);
  // Powers of 2. 32 seeds: 2 to 16, 1/2 or 1, 8 to 64, 1/8 to 1/2.
  lesson.claim_trained("one rate: the best of width 64 over the best of 256",
                       narrow.rate / wide.rate, between(1.5, 50));
  lesson.claim_trained("base·64/n: the best base of width 64 over the best of 256",
                       own[2].rate / own[4].rate, between(0.4, 1.25));
  lesson.claim_trained("from width 16 to 256 the best rate falls further than the best base, by",
                       one[0].rate / wide.rate / (own[0].rate / own[4].rate), between(3, 150));
  lesson.claim_trained("base·64/n: the best base of width 16 over the best of 256",
                       own[0].rate / own[4].rate, between(0.05, 1.25));
  lesson.claim_trained("starts that choose and starts that count differ by",
                       std::abs(wide.chosen_by - wide.loss), at_least(1e-9));
  // 32 seeds: 149 or more, and 23 or less. Their ratio is 14 or more; its logarithm varies by 1.2.
  const auto peak = [&](std::size_t r) {
    const auto losses = train_wide(256, 0.032, rules[r], 1, Random(lesson.options().seed, 508));
    return *std::max_element(losses.begin(), losses.end());
  };
  const double highest = peak(0), highest_by_inputs = peak(1);
  lesson.claim_usual("width 256, one rate of .032: the loss climbs to", highest, at_least(100));
  lesson.claim_usual("base·64/n: the loss climbs to", highest_by_inputs, at_most(40));
  lesson.claim_trained("the former is higher, by a factor of", highest / highest_by_inputs,
                       at_least(1));
}

static std::string settings() {
  return join(wide_layers, " layers, 2/n, ", wide_steps, " steps, momentum ", momentum, ", ",
              choosing, " starts to choose, ", starts, " others to count");
}

}  // namespace lesson1::p8

const Part<Pool> lesson1::part8{
    .number = 8,
    .title = "How far to step",
    .question = "Which rate is still stable, and how does that depend on the width?",
    .run = p8::run,
    .scene = p8::scene,
    .knobs = {&p8::width, &p8::power, &p8::rule},
    .settings = p8::settings};
