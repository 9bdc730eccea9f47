// Lesson 3, part 4: what a parabola can say of a curve; then both suites, equal parameters, five runs.
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
    all.push_back({title, features * out, features, [phi](const SplitRows& split, std::uint64_t) {
                     return matmul(phi(split.test.X), least_squares(phi(split.train.X), split.train.T));
                   }});
  };
  solved("least squares, linear", in, [](const Matrix<double>& X) { return X; });
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

static void claims_of_the_table(Lesson& lesson, const Scores& scores) {
  const char *const quadratic = "least squares, quadratic", *const product = "product layer",
                    *const swish = "swish MLP";
  const auto minus = [&](const char* one, const char* other, std::size_t s) {
    return spread_of(scores.of(one)[s]).mean - spread_of(scores.of(other)[s]).mean;
  };
  double apart = 0;
  for (const auto& [model, floor] : {std::pair{"BMLP as published", "least squares, linear"},
                                     {"weights W1 + mean(x)·U1", "least squares, x and mean(x)·x"},
                                     {product, quadratic}})
    for (const std::size_t s : {0u, 1u}) apart = std::max(apart, std::abs(minus(model, floor, s)));
  lesson.claim_trained("networks of degree 1 or 2: how far R² is from that of least squares", apart, at_most(0.003));
  lesson.claim_trained("product layer on B: 1 - R²", 1 - spread_of(scores.of(product)[1]).mean, at_most(1e-5));
  lesson.claim_trained("product layer minus swish MLP on B", minus(product, swish, 1), at_least(0));
  lesson.claim_trained("swish MLP minus product layer on A", minus(swish, product, 0), at_least(0));
  lesson.claim_trained("what the biases of swish buy on A", minus(swish, "swish MLP, no biases", 0), at_least(0));
  lesson.claim_trained("a second product layer on A", minus("two product layers", product, 0), at_least(0));
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  predict_sine(lesson);
  const std::size_t runs = session.runs(5);
  const Scores scores = compete(session, runs);
  lesson.say("Trained on ", session.rows(), " rows, ", session.training().steps, " steps, ", runs,
             " runs. R² of the test rows, mean ± standard deviation:");
  Table table{{"model", "parameters", "suite A", "suite B"}, {}};
  for (const Contender& c : scores.contenders)
    table.rows.push_back({c.title, std::to_string(c.parameters), spread_of(scores.of(c.title)[0]).text(),
                          spread_of(scores.of(c.title)[1]).text()});
  lesson.show(table);
  claims_of_the_table(lesson, scores);
}

extern const Part<Session> part4{4, "Two suites, equal parameters", run};

}  // namespace lesson3
