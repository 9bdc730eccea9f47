// Lesson 3, part 6: what each network can represent, by quadrature; then both suites, equal parameters, five runs.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/support/lesson.hpp"
#include "common/support/spread.hpp"
#include "lessons/3_swish_vs_bmlp/floors.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"
#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"

namespace lesson3 {
namespace {

// ------------------------------------------------------------------------------------------------ before training

// A function that suite A adds up, and the factors that it occurs with. No two terms share an input, so their variances
// add, and each may be fitted on its own.
struct Term {
  std::string name;
  double (*f)(double x, double y);
  std::vector<double> factors;
};

std::vector<Term> terms_of_suite_a() {
  return {{"sin 2x", [](double x, double) { return std::sin(2 * x); }, {1}},
          {"cos 1.5x", [](double x, double) { return std::cos(1.5 * x); }, {1, 1}},
          {"exp(-x²)", [](double x, double) { return std::exp(-x * x); }, {2, 2}},
          {"log(|x| + 1)", [](double x, double) { return std::log(std::abs(x) + 1); }, {1.85}},
          {"tanh(x + y)", [](double x, double y) { return std::tanh(x + y); }, {0.85, 0.85}},
          {"x²y", [](double x, double y) { return x * x * y; }, {0.1}},
          {"sinh(x - y)", [](double x, double y) { return std::sinh(x - y); }, {0.03}},
          {"x·sin πy", [](double x, double y) { return x * std::sin(std::numbers::pi * y); }, {0.6}}};
}

// The best R² that is possible on suite A, whatever the number of parameters and rows.
struct Ceilings {
  double linear = 0, quadratic = 0;
  double even_or_linear = 0;  // for a sum of a linear and an even function: swish without biases
};

// What polynomials can say of each term, and of suite A.
struct PolynomialTable {
  Table table{{"function", "variance", "even part", "degree 1", "2", "3", "4"}, {}};
  Ceilings ceilings;
  double variance = 0;      // of suite A
  double worst_odd = 0;     // what an odd function gains at degree 2, or an even one at degree 1
  double linear_share = 0;  // what the best linear map says of x²y
  double parabola_of_sine = 0;
  double changed_figure = 0;  // by a finer quadrature
};

std::vector<std::string> row_of(const Term& term, const PolynomialFit& fit) {
  std::vector<std::string> row{term.name, significant(fit.variance, 4),
                               fixed(std::abs(fit.even / fit.variance), 2)};  // rounding may leave it below 0
  for (std::size_t k = 1; k <= 4; ++k) row.push_back(fixed(fit.share[k], 4));
  return row;
}

PolynomialTable fit_terms() {
  PolynomialTable all;
  Ceilings& ceilings = all.ceilings;
  for (const Term& term : terms_of_suite_a()) {
    const PolynomialFit fit = fit_polynomials(term.f, suite_range, 4);
    const PolynomialFit finer = fit_polynomials(term.f, suite_range, 4, 48);
    for (std::size_t k = 0; k <= 4; ++k)
      all.changed_figure = std::max(all.changed_figure, std::abs(finer.share[k] - fit.share[k]));
    all.table.rows.push_back(row_of(term, fit));
    const bool odd = fit.even < 0.5 * fit.variance;  // each of these functions is odd or even
    all.worst_odd = std::max(all.worst_odd, odd ? fit.share[2] - fit.share[1] : fit.share[1]);
    if (term.name == "x²y") all.linear_share = fit.share[1];
    if (term.name == "sin 2x") all.parabola_of_sine = fit.share[2];
    for (const double factor : term.factors) {
      const double here = factor * factor * fit.variance;
      all.variance += here;
      ceilings.linear += here * fit.share[1];
      ceilings.quadratic += here * fit.share[2];
      ceilings.even_or_linear += odd ? here * fit.share[1] : here;
    }
  }
  for (double* share : {&ceilings.linear, &ceilings.quadratic, &ceilings.even_or_linear}) *share /= all.variance;
  return all;
}

// On [0, π/2] sin 2x is cos 2u with u from -π/4 to π/4.
void other_inputs(Lesson& lesson) {
  const PolynomialFit arch = fit_polynomials([](double u, double) { return std::cos(2 * u); }, std::numbers::pi / 4, 2);
  lesson.note("On [0, π/2] a line says ", fixed(arch.share[1], 4), " of sin 2x, a parabola ", fixed(arch.share[2], 4),
              ".");
  lesson.claim("sin 2x on [0, π/2]: a line says nothing of it", arch.share[1], at_most(1e-12));
  const double pi = std::numbers::pi, weight = 2 / pi - 24 / (pi * pi * pi);  // over √5; by parts, twice
  lesson.claim("and a parabola 5·(2/π - 24/π³)²/(1/2 - 4/π²), to",
               arch.share[2] - 5 * weight * weight / (0.5 - 4 / (pi * pi)), within(0, 1e-12));
}

Ceilings predict_ceilings(Lesson& lesson) {
  const PolynomialTable all = fit_terms();
  lesson.predict("R² of the best parabola for sin 2x on U[-3, 3], from 0 to 1?", all.parabola_of_sine);
  lesson.note("R² of the best polynomial of degree 1 to 4 over U[-3, 3], by quadrature:");
  lesson.detail(all.table);
  // The quadrature is exact or converged to rounding for all of these.
  lesson.claim("odd functions gain nothing at degree 2, even ones at degree 1", all.worst_odd, at_most(1e-12));
  lesson.claim("48 points in the place of 32 change no figure, largest change", all.changed_figure, at_most(1e-12));
  lesson.claim("x²y: the best linear map says 5/9", std::abs(all.linear_share - 5.0 / 9), at_most(1e-12));
  other_inputs(lesson);
  lesson.say("The best parabola for sin 2x: ", fixed(all.parabola_of_sine, 4),
             ". The highest R² possible on suite A: linear ", fixed(all.ceilings.linear, 4), ", quadratic ",
             fixed(all.ceilings.quadratic, 4), ", swish MLP without biases ", fixed(all.ceilings.even_or_linear, 4),
             ". Its variance is ", fixed(all.variance, 3), ".");
  return all.ceilings;
}

// ------------------------------------------------------------------------------------------------ the experiment

// What one row of the table says: a model, or the solution of a least squares problem.
struct Contender {
  std::string title;
  std::size_t parameters;
  std::function<Matrix<double>(const SplitRows& split, std::uint64_t seed)> predictions;  // of the test rows
  std::vector<double> score[2] = {};       // R² of each run, suites A and B
  std::vector<double> per_output[2] = {};  // mean R² of each output
};

Contender solved(const std::string& title, std::size_t features,
                 std::function<Matrix<double>(const Matrix<double>&)> phi) {
  return {title, features * suite_outputs, [phi](const SplitRows& split, std::uint64_t) {
            return matmul(phi(split.test.X), least_squares(phi(split.train.X), split.train.T));
          }};
}

std::vector<Contender> contenders(const TrainingSettings& settings) {
  std::vector<Contender> all{solved("least squares, linear", 16, linear_features),
                             solved("least squares, x and mean(x)·x", 33, gated_mean_features),
                             solved("least squares, quadratic", 153, quadratic_features)};
  for_each_model(suite_inputs, suite_outputs, [&](const char*, const char* title, auto start) {
    Random any(1);
    all.push_back({title, parameters_of(start(any)), [=](const SplitRows& split, std::uint64_t seed) {
                     Random random(seed, 31);
                     auto model = start(random);
                     train(model, split.train, settings, Random(seed, 32));
                     return predict(model, split.test.X);
                   }});
  });
  return all;
}

// R² of one output alone.
double r_squared_of(const Matrix<double>& Y, const Matrix<double>& target, std::size_t output) {
  return r_squared(Matrix<double>(column_block(Y, output, 1)), Matrix<double>(column_block(target, output, 1)));
}

// Every contender on both suites in every run; the runs share nothing, so they go to any thread in any order.
std::vector<Contender> compete(Session& session, std::size_t runs) {
  std::vector<Contender> all = contenders(session.training());
  std::vector<SplitRows> splits[2];
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t k = 0; k < runs; ++k)
      splits[s].push_back(draw_suite(suites[s], seed_of_run(session.options.seed, k), session.rows()));
  std::vector<Matrix<double>> per_output(all.size() * 2, Matrix<double>(runs, suite_outputs));
  for (Contender& c : all)
    for (auto& score : c.score) score.resize(runs);
  session.run("training", all.size() * 2 * runs, [&](std::size_t job) {
    const std::size_t c = job / (2 * runs), s = job / runs % 2, k = job % runs;
    const SplitRows& split = splits[s][k];
    const Matrix<double> Y = all[c].predictions(split, seed_of_run(session.options.seed, k));
    all[c].score[s][k] = r_squared(Y, split.test.T);
    for (std::size_t o = 0; o < suite_outputs; ++o) per_output[2 * c + s](k, o) = r_squared_of(Y, split.test.T, o);
  });
  for (std::size_t c = 0; c < all.size(); ++c)
    for (std::size_t s = 0; s < 2; ++s) {
      const Matrix<double> sums = column_sums(per_output[2 * c + s]);
      for (const double sum : sums.values()) all[c].per_output[s].push_back(sum / double(runs));
    }
  return all;
}

const Contender& named(const std::vector<Contender>& all, const std::string& title) {
  for (const Contender& c : all)
    if (c.title == title) return c;
  throw std::invalid_argument("no contender is called " + title);
}

// R² of one minus that of the other, run by run: what the luck of the data does to both cancels.
Spread paired(const std::vector<Contender>& all, const std::string& one, const std::string& other, std::size_t suite) {
  std::vector<double> difference = named(all, one).score[suite];
  const std::vector<double>& minus = named(all, other).score[suite];
  for (std::size_t k = 0; k < difference.size(); ++k) difference[k] -= minus[k];
  return spread_of(difference);
}

// Who is ahead, if the mean difference is further from 0 than luck alone goes in nineteen cases of twenty.
std::string verdict(const Spread& difference, const std::string& one, const std::string& other) {
  if (std::abs(difference.mean) <= difference.luck()) return "inside the noise, no winner";
  return (difference.mean > 0 ? one : other) + " is ahead";
}

// R² of one minus that of the other on suite A, run by run; `first` is the number of the first run.
Spread compare_in_runs(Session& session, const std::string& one, const std::string& other, std::size_t first,
                       std::size_t runs) {
  const std::vector<Contender> all = contenders(session.training());
  std::vector<double> difference(runs);
  session.run("training", runs, [&](std::size_t k) {
    const std::uint64_t seed = seed_of_run(session.options.seed, first + k);
    const SplitRows split = draw_suite(suites[0], seed, session.rows());
    const auto score = [&](const std::string& title) {
      return r_squared(named(all, title).predictions(split, seed), split.test.T);
    };
    difference[k] = score(one) - score(other);
  });
  return spread_of(difference);
}

// The table's five runs ask whether two product layers or swish are ahead on suite A; others must answer.
void two_layers_or_swish(Lesson& lesson, Session& session, const std::vector<Contender>& all) {
  const char *const two = "two product layers", *const swish = "swish MLP";
  const Spread in_table = paired(all, two, swish, 0);
  lesson.say("Two product layers minus swish on A, run by run: ", in_table.text(), ", ",
             verdict(in_table, two, "swish"), "; ", in_table.count, " runs tell apart ",
             significant(in_table.luck(), 1), " or more.");
  const std::size_t runs = session.options.quick ? 2 : session.options.all ? 400 : 20;
  const Spread further = compare_in_runs(session, two, swish, in_table.count, runs);
  lesson.say("In ", runs, " further runs: ", further.text(), ", standard error ", fixed(further.standard_error(), 4),
             ", ", verdict(further, two, "swish"), ".");
  lesson.claim_trained(join("two product layers minus swish MLP on A, ", runs, " further runs"), further.mean,
                       within(-0.005, 4.5 * 0.0305 / std::sqrt(double(runs))));  // mean and spread of 559 runs
  if (session.options.all) lesson.claim_trained("swish is ahead, if by little", further.mean, at_most(0));
}

void output_map(Lesson& lesson, const std::vector<Contender>& all) {
  constexpr std::string_view solved = "least squares, ";
  plot::HeatMap map;
  map.title = "R² of each output, suites A and B (LS: least squares)";
  map.rows = all.size();
  map.cols = 2 * suite_outputs;
  for (const Contender& c : all) {
    map.row_labels.push_back(c.title.starts_with(solved) ? "LS " + c.title.substr(solved.size()) : c.title);
    for (const auto& scores : c.per_output)
      for (const double r2 : scores) map.values.push_back(std::round(1000 * r2) / 1000);
  }
  for (const char* suite : {"A", "B"})
    for (const char* output : {"0", "1", "2", "3"}) map.col_labels.push_back(std::string(suite) + output);
  map.numbers = true;
  map.low = 0;
  map.high = 1;
  lesson.figure("outputs", map);
}

// R² of one minus that of the other on a suite (0: A, 1: B), mean of the table's runs: what it is, and how it spreads
// over 20 seeds.
struct Gap {
  const char *statement, *one, *other;
  std::size_t suite;
  double mean, spread;
};

void claims_of_the_table(Lesson& lesson, const std::vector<Contender>& all) {
  const char *const linear = "least squares, linear", *const quadratic = "least squares, quadratic",
                    *const gated = "least squares, x and mean(x)·x", *const bmlp = "BMLP as published",
                    *const mean_gate = "weights W1 + mean(x)·U1", *const product = "product layer",
                    *const outer = "all products, H⊗H", *const two = "two product layers",
                    *const bare = "swish MLP, no biases", *const swish = "swish MLP";
  const Gap gaps[] = {
      {"BMLP minus linear least squares on A", bmlp, linear, 0, -0.00025, 0.00014},
      {"W1 + mean(x)·U1 minus its least squares on A", mean_gate, gated, 0, -0.0003, 0.00012},
      {"product layer minus quadratic least squares on A", product, quadratic, 0, 0.0003, 0.0002},
      {"H⊗H minus quadratic least squares on A", outer, quadratic, 0, 0.00026, 0.00024},
      {"BMLP minus linear least squares on B", bmlp, linear, 1, -0.0003, 0.0002},
      {"W1 + mean(x)·U1 minus its least squares on B", mean_gate, gated, 1, -0.0004, 0.0002},
      {"product layer minus quadratic least squares on B", product, quadratic, 1, -1.7e-7, 1.2e-7},
      {"H⊗H minus quadratic least squares on B", outer, quadratic, 1, -8.5e-8, 3e-8},
      {"swish MLP minus BMLP on A", swish, bmlp, 0, 0.431, 0.0134},
      {"swish MLP minus product layer on A", swish, product, 0, 0.168, 0.0134},
      {"product layer minus swish MLP on B", product, swish, 1, 0.00493, 0.00008},
      {"what the biases of swish buy on A", swish, bare, 0, 0.079, 0.0135},
      {"a second product layer on A", two, product, 0, 0.165, 0.008},
  };
  for (const Gap& gap : gaps)
    lesson.claim_trained(gap.statement, paired(all, gap.one, gap.other, gap.suite).mean,
                         within(gap.mean, 4.5 * gap.spread));
}

}  // namespace

void part6(Lesson& lesson, Session& session) {
  const Ceilings ceilings = predict_ceilings(lesson);
  const std::size_t runs = session.runs(5);
  const std::vector<Contender> all = compete(session, runs);
  lesson.say("Trained on ", session.rows(), " rows, ", session.training().steps, " steps, ", runs,
             " runs. R² of the test rows, mean ± standard deviation:");
  Table table{{"model", "parameters", "suite A", "suite B"}, {}};
  for (const Contender& c : all)
    table.rows.push_back(
        {c.title, std::to_string(c.parameters), spread_of(c.score[0]).text(), spread_of(c.score[1]).text()});
  lesson.show(table);
  output_map(lesson, all);
  const double linear = spread_of(named(all, "least squares, linear").score[0]).mean;
  const double quadratic = spread_of(named(all, "least squares, quadratic").score[0]).mean;
  // Means and spreads over 20 seeds, of means over five runs.
  lesson.claim_trained("linear least squares on A minus its ceiling", linear - ceilings.linear,
                       within(-0.0037, 4.5 * 0.0027));
  lesson.claim_trained("quadratic least squares on A minus its ceiling", quadratic - ceilings.quadratic,
                       within(-0.0182, 4.5 * 0.0027));
  claims_of_the_table(lesson, all);
  two_layers_or_swish(lesson, session, all);
}

}  // namespace lesson3
