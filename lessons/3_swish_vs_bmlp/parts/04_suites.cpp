// Lesson 3, part 4: what a parabola can say of a curve; then both suites, equal parameters, each network at its own best
// rate.
// SPDX-License-Identifier: MIT
#include "common/support/spread.hpp"
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3 {

// What one product can say of sin 2x: where the inputs lie evenly around 0, no more than a straight line.
static void predict_sine(Lesson& lesson) {
  const auto sine = [](double x) { return std::sin(2 * x); };
  const double line = fit_polynomial(sine, 0, suite_range, 1).r2, parabola = fit_polynomial(sine, 0, suite_range, 2).r2;
  const double quarter = std::numbers::pi / 4;  // on [0, π/2]
  const double arch_line = fit_polynomial(sine, quarter, quarter, 1).r2,
               arch = fit_polynomial(sine, quarter, quarter, 2).r2;
  lesson.predict("R² of the best parabola for sin 2x on U[-3, 3], from 0 to 1?", parabola);
  lesson.say("The best parabola for sin 2x: R² ", fixed(parabola, 4), ", the best line ", fixed(line, 4),
             "; on [0, π/2] ", fixed(arch, 4), " and ", fixed(arch_line, 4), ".");
  lesson.claim("sin 2x around 0: a parabola gains nothing over a line", parabola - line, at_most(1e-10));
  lesson.claim("sin 2x on [0, π/2]: what it gains", arch - arch_line, at_least(0.99));
}

std::vector<Contender> contenders(std::size_t in, std::size_t out, const TrainingSettings& settings) {
  std::vector<Contender> all;
  const auto solved = [&](const char* title, std::size_t features, Matrix<double> (*phi)(const Matrix<double>&)) {
    all.push_back({title, features * out, features, [phi](const SplitRows& split, std::uint64_t, double) {
                     return matmul(phi(split.test.X), least_squares(phi(split.train.X), split.train.T));
                   }});
  };
  solved("least squares, linear", in, [](const Matrix<double>& X) { return X; });
  solved("least squares, x and mean(x)·x", 2 * in + 1, gated_mean_features);
  solved("least squares, quadratic", (in + 1) * (in + 2) / 2, quadratic_features);
  for_each_model(in, out, [&](const char*, const char* title, const auto& start) {
    all.push_back(network(title, settings, start));
  });
  return all;
}

RateSweep rates_of(const Contender& contender, const Rows& train, std::uint64_t seed, double start) {
  const std::size_t learned = train.size() - train.size() / 4;
  const auto block = [&](std::size_t first, std::size_t count) {
    return Rows{Matrix<double>(row_block(train.X, first, count)), Matrix<double>(row_block(train.T, first, count))};
  };
  const SplitRows split{block(0, learned), block(learned, train.size() - learned)};
  const auto loss = [&](double rate) {
    try {
      return 1 - r_squared(contender.predictions(split, seed, rate), split.test.T);
    } catch (const Diverged&) {
      return HUGE_VAL;
    }
  };
  return sweep_rates(start, 3, loss);
}

std::vector<std::array<Judged, 2>> judge(Session& session, const std::vector<Contender>& all, std::size_t runs) {
  std::vector<std::array<Judged, 2>> judged(all.size());
  std::vector<SplitRows> splits;  // of suite A, then of suite B
  for (std::size_t k = 0; k < 2 * runs; ++k)
    splits.push_back(draw_suite(k / runs, seed_of_run(session.options.seed, k % runs), session.rows()));
  session.run(2 * all.size(), [&](std::size_t job) {
    const std::size_t c = job / 2, s = job % 2;
    judged[c][s].r2.resize(runs);
    if (all[c].features == 0)
      judged[c][s].sweep =
          rates_of(all[c], splits[s * runs].train, seed_of_run(session.options.seed, 0), session.training().rate);
  });
  session.run(2 * all.size() * runs, [&](std::size_t job) {
    const std::size_t c = job / (2 * runs), s = job / runs % 2, k = job % runs;
    Judged& here = judged[c][s];
    const double rate = all[c].features == 0 ? here.sweep.rates[here.sweep.best] : 0;
    const SplitRows& split = splits[s * runs + k];
    here.r2[k] = r_squared(all[c].predictions(split, seed_of_run(session.options.seed, k), rate), split.test.T);
  });
  return judged;
}

// R² of both suites by title.
struct Scores {
  std::vector<Contender> contenders;
  std::vector<std::array<Judged, 2>> judged;

  std::size_t at(const std::string& title) const {
    std::size_t c = 0;
    while (contenders.at(c).title != title) ++c;
    return c;
  }
  double mean(const std::string& title, std::size_t suite) const { return spread_of(judged[at(title)][suite].r2).mean; }
};

static const char *const of_products = "two product layers", *const of_swish = "swish MLP";

// Pairs of runs on suite A, at the rates below, at and above the best of each.
static Verdict pairs(Session& session, const Scores& scores, std::size_t runs) {
  const std::size_t one = scores.at(of_swish), other = scores.at(of_products);
  const RateSweep &of_one = scores.judged[one][0].sweep, &of_other = scores.judged[other][0].sweep;
  std::vector<double> r2(6 * runs);  // of swish, then of the products: [rate][run]
  session.run(r2.size(), [&](std::size_t job) {
    const bool first = job < 3 * runs;
    const std::size_t at = job / runs % 3, k = job % runs;
    const RateSweep& sweep = first ? of_one : of_other;
    const std::uint64_t seed = seed_of_run(session.options.seed, k);
    const SplitRows split = draw_suite(0, seed, session.rows());
    const Contender& contender = scores.contenders[first ? one : other];
    try {
      r2[job] = r_squared(contender.predictions(split, seed, sweep.rates[sweep.best + at - 1]), split.test.T);
    } catch (const Diverged&) {
      r2[job] = -HUGE_VAL;
    }
  });
  std::size_t asked[2] = {};  // rates in ascending order, runs in theirs
  return compare_at_best(
      of_one, [&](double, std::size_t) { return r2[asked[0]++]; }, of_other,
      [&](double, std::size_t) { return r2[3 * runs + asked[1]++]; }, runs);
}

// 1 - R² of suite A's validation rows over the rate, a line for each network with a bend or a product.
static plot::Chart chart_of(const Scores& scores) {
  plot::Chart chart{.title = "Suite A, one run: what each network misses, by its learning rate"};
  chart.x = {.title = "peak learning rate (logarithmic)", .log = true};
  chart.y = {.title = "1 - R² of validation rows (logarithmic)", .log = true};
  for (const char* const title : {"product layer", of_products, "swish MLP, no biases", of_swish}) {
    const RateSweep& sweep = scores.judged[scores.at(title)][0].sweep;
    plot::Series line{.name = title};
    for (std::size_t k = 0; k < sweep.rates.size(); ++k)
      if (std::isfinite(sweep.losses[k])) line.add(sweep.rates[k], sweep.losses[k]);
    chart.series.push_back(line);
  }
  return chart;
}

static void claims_of_the_table(Lesson& lesson, const Scores& scores) {
  double apart = 0;
  for (const auto& [model, floor] : {std::pair{"BMLP as published", "least squares, linear"},
                                     {"weights W1 + mean(x)·U1", "least squares, x and mean(x)·x"},
                                     {"product layer", "least squares, quadratic"}})
    for (const std::size_t s : {0u, 1u})
      apart = std::max(apart, std::abs(scores.mean(model, s) - scores.mean(floor, s)));
  lesson.claim_trained("networks of degree 1 or 2: how far R² is from that of least squares", apart, at_most(0.005));
  lesson.claim_trained("product layer on B: 1 - R²", 1 - scores.mean("product layer", 1), at_most(1e-5));
  lesson.claim_trained("swish MLP minus product layer on A", scores.mean(of_swish, 0) - scores.mean("product layer", 0),
                       at_least(0));
  lesson.claim_trained("what the biases of swish buy on A",
                       scores.mean(of_swish, 0) - scores.mean("swish MLP, no biases", 0), at_least(0));
  lesson.claim_trained("a second product layer on A", scores.mean(of_products, 0) - scores.mean("product layer", 0),
                       at_least(0));
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  predict_sine(lesson);
  const std::size_t runs = session.runs(5);
  Scores scores{contenders(suite_inputs, suite_outputs, session.training()), {}};
  scores.judged = judge(session, scores.contenders, runs);
  lesson.say("Each network at its own best rate, chosen on a quarter of the training rows. R² of the test rows, ", runs,
             " runs, mean ± standard deviation:");
  Table table{{"model", "parameters", "rate", "suite A", "rate", "suite B"}, {}};
  for (std::size_t c = 0; c < scores.contenders.size(); ++c) {
    table.rows.push_back({scores.contenders[c].title, std::to_string(scores.contenders[c].parameters)});
    for (const auto& [sweep, r2] : scores.judged[c]) {
      table.rows.back().push_back(sweep.rates.empty() ? "" : significant(sweep.rates[sweep.best], 2));
      table.rows.back().push_back(spread_of(r2).text());
    }
  }
  lesson.show(table);
  lesson.picture("rates", chart_of(scores));
  const Verdict verdict = pairs(session, scores, runs);
  const auto& [below, best, above] = verdict.difference;
  lesson.say("Swish MLP minus two product layers on A, ", runs, " pairs: at the best rate of each ", best.text(),
             "; three times below ", below.text(), ", three times above ", above.text(), ".");
  claims_of_the_table(lesson, scores);
  lesson.claim_trained("on A swish is ahead, beyond luck and at all three rates", verdict.holds() && best.mean > 0,
                       exactly(1));
}

extern const Part<Session> part4{4, "Two suites, each network at its best rate", run};

}  // namespace lesson3
