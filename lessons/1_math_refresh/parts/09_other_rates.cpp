// Lesson 1, part 9: finer rates and another optimizer, for what sections 7 and 8 say of rates.
// SPDX-License-Identifier: MIT
#include "common/verdict.hpp"
#include "lessons/1_math_refresh/lesson.hpp"

namespace lesson1::p9 {

constexpr std::size_t choosing = 8, counting = 24;  // starts
constexpr std::size_t longest = 200;
constexpr double finer = std::numbers::sqrt2;  // the ratio of neighbouring rates

struct Way {
  const char* name;
  Descent by;
  std::size_t layers;
  double first_rates[2];  // for 1/n and 2/n
};
constexpr Way ways[] = {{"momentum", Descent::sgd, 3, {0.08, 0.03}},
                        {"momentum", Descent::sgd, 5, {0.08, 0.01}},
                        {"momentum", Descent::sgd, 10, {0.08, 0.01}},
                        {"momentum", Descent::sgd, 20, {0.04, 0.004}},
                        {"Adam", Descent::adam, 20, {0.004, 0.001}}};

// Returns the geometric mean with its error, as "35.8 (9.1)".
static std::string geometric(const Spread& logarithms, int decimals) {
  const double mean = std::exp(logarithms.mean);
  return join(fixed(mean, decimals), " (", fixed(mean * logarithms.standard_error(), decimals),
              ")");
}

struct Found {
  double rate;
  plot::Series tried;                   // steps at each rate
  std::vector<double> logarithms = {};  // of the steps of the starts that count

  std::string steps() const { return geometric(spread_of(logarithms), 1); }
};

static double steps_to_learn(const Options& options, const Way& way, double of_gain, double rate,
                             std::size_t start) {
  const auto most = options.quick_or<std::size_t>(2, longest);
  const Random random(seed_of_run(options.seed, start), 9);
  const auto losses = train_deep(of_gain, way.layers, rate, 1, most, random, way.by);
  return losses.back() < learnt ? std::max(1.0, double(losses.size() - 1)) : double(longest);
}

// Searches the rate with the first starts, and counts steps with the others.
static Found find(const Options& options, Pool& pool, const Way& way, double of_gain) {
  const auto steps_at = [&](double rate, std::size_t first, std::size_t of) {
    std::vector<double> steps(of);
    pool.run(of, [&](std::size_t k) {
      steps[k] = steps_to_learn(options, way, of_gain, rate, first + k);
    });
    return steps;
  };
  const RateSweep sweep =
      sweep_rates(way.first_rates[of_gain == 1 ? 0 : 1], finer,
                  [&](double rate) { return geometric_mean(steps_at(rate, 0, choosing)); });
  const std::string name = join(way.by == Descent::adam ? "Adam " : "", of_gain, "/n");
  Found all{sweep.rates[sweep.best], {name, sweep.rates, sweep.losses}};
  for (const double steps : steps_at(all.rate, choosing, counting))
    all.logarithms.push_back(std::log(steps));
  return all;
}

// Does any rate bring networks with 1/n to where those with 2/n are?
static void finer_rates(Lesson& lesson, Pool& pool) {
  Table table{{"layers", "descent", "best rate", "1/n", "best rate", "2/n", "1/n over 2/n"}, {}};
  plot::Chart chart{.title = "At its best rate, too, 1/n is late",
                    .x = {.title = "rate", .log = true},
                    .y = {.title = "steps that twenty layers need", .log = true}};
  for (const Way& way : ways) {
    const Found one = find(lesson.options(), pool, way, 1),
                two = find(lesson.options(), pool, way, 2);
    std::vector<double> apart(counting);
    for (std::size_t k = 0; k < counting; ++k) apart[k] = one.logarithms[k] - two.logarithms[k];
    const Spread ratio = spread_of(apart);
    table.rows.push_back({std::to_string(way.layers), way.name, significant(one.rate, 2),
                          one.steps(), significant(two.rate, 2), two.steps(), geometric(ratio, 2)});
    if (way.layers < 20) continue;
    chart.series.insert(chart.series.end(), {one.tried, two.tried});
    // Seeds 1 to 7: 2.6 to 3.6, and 2.1 to 2.7 with Adam; logarithms vary by .12. Of networks that
    // learn alike it would be 1.
    lesson.claim_trained(join("20 layers, ", way.name, ": steps with 1/n over those with 2/n"),
                         std::exp(ratio.mean), between(1.5, 5.5));
  }
  lesson.say("How many steps does each need at the best of finer rates? (", choosing,
             " starts choose, ", counting, " count; steps with their errors.)");
  lesson.show(table);
  lesson.picture("rates", chart);
}

static double best_rate(const Options& options, std::size_t width, RateOf rule, Descent by,
                        std::size_t steps) {
  constexpr Starts starts{3, 4};
  const RateSweep sweep = sweep_rates(by == Descent::adam ? 0.004 : 0.016, 2, [&](double rate) {
    return wide_loss(width, rate, rule, 1, options.seed, starts, steps, by);
  });
  return sweep.rates[sweep.best];
}

// How does the best rate of a wide network depend on how long it trains, and by which descent?
static void widths(Lesson& lesson, Pool& pool) {
  struct Case {
    const char* name;
    Descent by;
    RateOf rule;
    std::size_t steps;
    std::array<double, 3> best = {};
  };
  std::array cases{Case{"momentum, one rate", Descent::sgd, one_rate, 60},
                   Case{"momentum, one rate", Descent::sgd, one_rate, 300},
                   Case{"Adam, one rate", Descent::adam, one_rate, 60},
                   Case{"Adam, base·64/n", Descent::adam, rate_by_inputs, 60}};
  constexpr std::size_t sizes[] = {16, 64, 256};
  run_grid(pool, "rates", {cases.size(), std::size(sizes)}, [&](std::size_t i, std::size_t k) {
    Case& c = cases[i];
    const auto steps = lesson.options().quick_or<std::size_t>(2, c.steps);
    c.best[k] = best_rate(lesson.options(), sizes[k], c.rule, c.by, steps);
  });
  Table table{{"descent", "steps", "width 16", "width 64", "width 256"}, {}};
  for (const Case& c : cases) {
    table.rows.push_back({c.name, std::to_string(c.steps)});
    for (const double rate : c.best) table.rows.back().push_back(significant(rate, 2));
  }
  lesson.say("Which rate, or base, is best at which width?");
  lesson.show(table);
  const auto fall = [&](std::size_t i) { return cases[i].best[0] / cases[i].best[2]; };
  // Powers of 2. Seeds 1 to 6: 1 to 4; 16 or 32; 8 or 16.
  lesson.claim_usual(
      "width 16 to 256, momentum: the best rate falls further in 60 steps than in 300, by",
      fall(0) / fall(1), between(1.5, 20));
  lesson.claim_trained("Adam: the best rate falls from width 16 to 256 by", fall(2),
                       between(6, 100));
  lesson.claim_trained("... further than the best base of base·64/n, by", fall(2) / fall(3),
                       between(3, 40));
}

static void run(Lesson& lesson, Pool& pool, const knob::Settings&) {
  finer_rates(lesson, pool);
  widths(lesson, pool);
}

}  // namespace lesson1::p9

const Part<Pool> lesson1::part9{.number = 9,
                                .title = "Finer rates, another optimizer",
                                .kind = PartKind::further,
                                .run = p9::run};
