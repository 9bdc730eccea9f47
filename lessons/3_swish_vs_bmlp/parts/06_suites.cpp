// Lesson 3, part 6: what each network can represent, by quadrature; then both suites, equal parameters, five runs.
// SPDX-License-Identifier: MIT
#include "common/support/spread.hpp"
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3 {

// ------------------------------------------------------------------------------------------------ before training

// A function that suite A adds up, and the sum of the squares of the factors that it occurs with. No two terms share an
// input, so their variances add, and each may be fitted on its own.
struct Term {
  const char* name;
  double (*f)(double x, double y);
  double squares;
};
static const Term terms[] = {{"sin 2x", [](double x, double) { return std::sin(2 * x); }, 1},
                             {"cos 1.5x", [](double x, double) { return std::cos(1.5 * x); }, 2},
                             {"exp(-x²)", [](double x, double) { return std::exp(-x * x); }, 8},
                             {"log(|x| + 1)", [](double x, double) { return std::log(std::abs(x) + 1); }, 1.85 * 1.85},
                             {"tanh(x + y)", [](double x, double y) { return std::tanh(x + y); }, 2 * 0.85 * 0.85},
                             {"x²y", [](double x, double y) { return x * x * y; }, 0.01},
                             {"sinh(x - y)", [](double x, double y) { return std::sinh(x - y); }, 0.0009},
                             {"x·sin πy", [](double x, double y) { return x * std::sin(std::numbers::pi * y); }, 0.36}};

// Shows what polynomials can say of each term, and the best R² that is possible on suite A; returns that of a quadratic
// map, whatever the number of parameters and rows.
static double predict_ceilings(Lesson& lesson) {
  Table table{{"function", "variance", "even part", "degree 1", "2", "3", "4"}, {}};
  double variance = 0, linear = 0, quadratic = 0, even_or_linear = 0;  // the last: swish without biases
  double in_vain = 0;
  for (const Term& term : terms) {
    const PolynomialFit fit = fit_polynomials(term.f, suite_range, 4);
    const bool odd = fit.even < 0.5 * fit.variance;  // each of these functions is odd or even
    const double here = term.squares * fit.variance;
    variance += here;
    linear += here * fit.share[1];
    quadratic += here * fit.share[2];
    even_or_linear += odd ? here * fit.share[1] : here;
    in_vain = std::max(in_vain, odd ? fit.share[2] - fit.share[1] : fit.share[1]);
    table.rows.push_back({term.name, significant(fit.variance, 4), fixed(std::abs(fit.even / fit.variance), 2)});
    for (std::size_t k = 1; k <= 4; ++k) table.rows.back().push_back(fixed(fit.share[k], 4));
  }
  const double of_sine = fit_polynomials(terms[0].f, suite_range, 2).share[2];
  // On [0, π/2] sin 2x is cos 2u with u from -π/4 to π/4.
  const PolynomialFit arch = fit_polynomials([](double u, double) { return std::cos(2 * u); }, std::numbers::pi / 4, 2);
  lesson.predict("R² of the best parabola for sin 2x on U[-3, 3], from 0 to 1?", of_sine);
  lesson.note("R² of the best polynomial of degree 1 to 4 over U[-3, 3], by quadrature:");
  lesson.detail(table);
  // The quadrature is exact or converged to rounding for all of these.
  lesson.claim("odd functions gain nothing at degree 2, even ones at degree 1", in_vain, at_most(1e-12));
  const double pi = std::numbers::pi, weight = 2 / pi - 24 / (pi * pi * pi);  // over √5; by parts, twice
  lesson.claim("sin 2x on [0, π/2]: a line says nothing of it", arch.share[1], at_most(1e-12));
  lesson.claim("and a parabola 5·(2/π - 24/π³)²/(1/2 - 4/π²), to",
               arch.share[2] - 5 * weight * weight / (0.5 - 4 / (pi * pi)), within(0, 1e-12));
  lesson.say("The best parabola for sin 2x: ", fixed(of_sine, 4), ". The highest R² possible on suite A: linear ",
             fixed(linear / variance, 4), ", quadratic ", fixed(quadratic / variance, 4), ", swish MLP without biases ",
             fixed(even_or_linear / variance, 4), ". Its variance is ", fixed(variance, 3), ".");
  return quadratic / variance;
}

// ------------------------------------------------------------------------------------------------ the experiment

std::vector<Contender> contenders(std::size_t in, std::size_t out, const TrainingSettings& settings) {
  std::vector<Contender> all;
  const auto solved = [&](const char* title, std::size_t features, Matrix<double> (*phi)(const Matrix<double>&)) {
    all.push_back({title, features * out, features, [phi](const SplitRows& split, std::uint64_t) {
                     return matmul(phi(split.test.X), least_squares(phi(split.train.X), split.train.T));
                   }});
  };
  solved("least squares, linear", in, linear_features);
  solved("least squares, x and mean(x)·x", 2 * in + 1, gated_mean_features);
  solved("least squares, quadratic", (in + 1) * (in + 2) / 2, quadratic_features);
  for_each_model(in, out, [&](const char*, const char* title, auto start) {
    Random any(1);
    all.push_back({title, parameters_of(start(any)), 0, [=](const SplitRows& split, std::uint64_t seed) {
                     Random random(seed, 31);
                     auto model = start(random);
                     train(model, split.train, settings, Random(seed, 32));
                     return predict(model, split.test.X);
                   }});
  });
  return all;
}

// R² of every contender, on both suites, in each run.
struct Scores {
  std::vector<Contender> contenders;
  std::vector<std::array<std::vector<double>, 2>> all;  // [contender][suite][run]

  const std::array<std::vector<double>, 2>& of(const std::string& title) const {
    std::size_t c = 0;
    while (contenders.at(c).title != title) ++c;
    return all[c];
  }
};

// The runs share nothing, so they go to any thread in any order.
static Scores compete(Session& session, std::size_t runs) {
  Scores scores{contenders(suite_inputs, suite_outputs, session.training()), {}};
  const std::size_t count = scores.contenders.size();
  scores.all.assign(count, {std::vector<double>(runs), std::vector<double>(runs)});
  std::vector<SplitRows> splits;
  for (std::size_t k = 0; k < 2 * runs; ++k)
    splits.push_back(draw_suite(k / runs, seed_of_run(session.options.seed, k % runs), session.rows()));
  session.run(count * 2 * runs, [&](std::size_t job) {
    const std::size_t c = job / (2 * runs), s = job / runs % 2, k = job % runs;
    const SplitRows& split = splits[s * runs + k];
    const Matrix<double> Y = scores.contenders[c].predictions(split, seed_of_run(session.options.seed, k));
    scores.all[c][s][k] = r_squared(Y, split.test.T);
  });
  return scores;
}

static void claims_of_the_table(Lesson& lesson, const Scores& scores, double ceiling) {
  const char *const quadratic = "least squares, quadratic", *const product = "product layer",
                    *const swish = "swish MLP";
  const auto minus = [&](const char* one, const char* other, std::size_t s) {
    return spread_of(scores.of(one)[s]).mean - spread_of(scores.of(other)[s]).mean;
  };
  double apart = 0;
  for (const auto& [model, floor] : {std::pair{"BMLP as published", "least squares, linear"},
                                     {"weights W1 + mean(x)·U1", "least squares, x and mean(x)·x"},
                                     {product, quadratic},
                                     {"all products, H⊗H", quadratic}})
    for (const std::size_t s : {0u, 1u}) apart = std::max(apart, std::abs(minus(model, floor, s)));
  lesson.claim_trained("networks of degree 1 or 2: how far R² is from that of least squares", apart, at_most(0.003));
  lesson.claim_trained("quadratic least squares on A stays under its ceiling",
                       spread_of(scores.of(quadratic)[0]).mean - ceiling, at_most(0));
  lesson.claim_trained("product layer on B: 1 - R²", 1 - spread_of(scores.of(product)[1]).mean, at_most(1e-5));
  lesson.claim_trained("product layer minus swish MLP on B", minus(product, swish, 1), at_least(0));
  lesson.claim_trained("swish MLP minus product layer on A", minus(swish, product, 0), at_least(0));
  lesson.claim_trained("what the biases of swish buy on A", minus(swish, "swish MLP, no biases", 0), at_least(0));
  lesson.claim_trained("a second product layer on A", minus("two product layers", product, 0), at_least(0));
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const double ceiling = predict_ceilings(lesson);
  const std::size_t runs = session.runs(5);
  const Scores scores = compete(session, runs);
  lesson.say("Trained on ", session.rows(), " rows, ", session.training().steps, " steps, ", runs,
             " runs. R² of the test rows, mean ± standard deviation:");
  Table table{{"model", "parameters", "suite A", "suite B"}, {}};
  for (const Contender& c : scores.contenders)
    table.rows.push_back({c.title, std::to_string(c.parameters), spread_of(scores.of(c.title)[0]).text(),
                          spread_of(scores.of(c.title)[1]).text()});
  lesson.show(table);
  claims_of_the_table(lesson, scores, ceiling);
}

extern const Part<Session> part6{6, "Two suites, equal parameters", run};

}  // namespace lesson3
