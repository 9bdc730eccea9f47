// Lesson 3, part 7: one slider from a product to a gate: swish_β with β from 0 (a product layer) to large (ReGLU).
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/elementary.hpp"
#include "common/support/lesson.hpp"
#include "common/support/spread.hpp"
#include "lessons/3_swish_vs_bmlp/model/10_product.hpp"
#include "lessons/3_swish_vs_bmlp/model/14_swish_gate.hpp"
#include "lessons/3_swish_vs_bmlp/run/checks.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"
#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"

namespace lesson3 {
namespace {

// At β = 0 the gate is 1/2: the same parameters with half the W2 are a product layer.
double distance_to_product(Random& random) {
  SwishGate<double> gate({{4, 5, 3}, 0});
  fill_normal(gate.tensors(), random);
  Product<double> product = gate.product;
  product.readout.W2 = 0.5 * product.readout.W2;
  const auto X = normal_matrix<double>(20, 4, 1, random);
  return max_abs_difference(output(gate, X), output(product, X));
}

// The largest distance of swish_β from ReLU: at z > 0 it is z·σ(-βz), 1/β times a number that depends on βz alone.
double distance_to_relu(double beta) {
  double worst = 0;
  for (double z = -10; z <= 10; z += 1e-3)
    worst = std::max(worst, std::abs(z * elementary::sigmoid(beta * z) - std::max(z, 0.0)));
  return worst;
}

// Test R² for each β on one suite: of each run, and their mean and spread.
struct Slide {
  std::vector<double> betas;
  std::vector<std::vector<double>> runs;
  std::vector<Spread> spreads;
};

std::vector<Slide> slide(Session& session, const std::vector<double>& betas, std::size_t runs) {
  std::vector<double> found(2 * betas.size() * runs);
  session.run("training", found.size(), [&](std::size_t job) {
    const std::size_t s = job / (betas.size() * runs), b = job / runs % betas.size(), k = job % runs;
    const std::uint64_t seed = seed_of_run(session.options.seed, k);
    const SplitRows split = draw_suite(suites[s], seed, session.rows());
    Random random(seed, 31);
    SwishGate<float> model({Forms{suite_inputs, suite_outputs}.product, betas[b]}, random);
    train(model, split.train, session.training(), Random(seed, 32));
    found[job] = r_squared(model, split.test);
  });
  std::vector<Slide> slides(2, {betas, std::vector<std::vector<double>>(runs), {}});
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t b = 0; b < betas.size(); ++b) {
      const auto first = found.begin() + std::ptrdiff_t((s * betas.size() + b) * runs);
      slides[s].spreads.push_back(spread_of({first, first + std::ptrdiff_t(runs)}));
      for (std::size_t k = 0; k < runs; ++k) slides[s].runs[k].push_back(first[std::ptrdiff_t(k)]);
    }
  return slides;
}

Table table_of(const std::vector<Slide>& slides) {
  Table table{{"R² of the test rows"}, {}};
  for (const double beta : slides[0].betas) table.head.push_back("β " + significant(beta));
  for (const std::size_t s : {0u, 1u}) {
    std::vector<std::string> means{s == 0 ? "suite A" : "suite B"}, deviations{"  deviation"};
    for (const Spread& spread : slides[s].spreads) {
      means.push_back(fixed(spread.mean, 4));
      deviations.push_back(fixed(spread.deviation, 4));
    }
    table.rows.push_back(means);
    table.rows.push_back(deviations);
  }
  return table;
}

// What of the variance is missed at each β > 0, a line for each run and one for the mean; β = 0, which a logarithmic
// axis has no place for, is a level.
plot::Chart chart_of(const Slide& slide, const std::string& suite) {
  plot::Chart chart;
  chart.title = suite + ": what is missed, from a product to a gate";
  chart.x = {.title = "β (logarithmic)", .log = true};
  chart.y = {.title = "1 - R² of the test rows (logarithmic)", .log = true};
  plot::Series mean{.name = "mean"};
  for (std::size_t b = 1; b < slide.betas.size(); ++b) mean.add(slide.betas[b], 1 - slide.spreads[b].mean);
  chart.series.push_back(mean);
  for (std::size_t k = 0; k < slide.runs.size(); ++k) {
    plot::Series run{.name = join("run ", k + 1)};
    for (std::size_t b = 1; b < slide.betas.size(); ++b) run.add(slide.betas[b], 1 - slide.runs[k][b]);
    chart.series.push_back(run);
  }
  chart.levels = {{"a product, β = 0", 1 - slide.spreads[0].mean}};
  return chart;
}

// The gate as β grows, between half its argument and ReLU; what was reached at the β's that were trained.
plot::Film<plot::Chart> film_of(const std::vector<Slide>& slides) {
  plot::Film<plot::Chart> film{.parameter = "β"};
  const auto curve = [](const std::string& name, auto f) {
    plot::Series series{.name = name};
    for (int k = -20; k <= 20; ++k) series.add(0.2 * k, f(0.2 * k));
    return series;
  };
  for (const double beta : {0.0, 0.125, 0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0}) {
    plot::Chart chart;
    chart.title = "z·σ(βz) at β = " + significant(beta);
    for (std::size_t b = 0; b < slides[0].betas.size(); ++b)
      if (slides[0].betas[b] == beta)
        chart.title +=
            join(". R² reached: A ", fixed(slides[0].spreads[b].mean, 3), ", B ", fixed(slides[1].spreads[b].mean, 4));
    chart.x = {.title = "z", .low = -4, .high = 4};
    chart.y = {.title = "what multiplies the other factor", .low = -2, .high = 4};
    chart.series = {curve("z·σ(βz)", [=](double z) { return z * elementary::sigmoid(beta * z); }),
                    curve("β = 0: z/2", [](double z) { return z / 2; }),
                    curve("β = ∞: ReLU", [](double z) { return std::max(z, 0.0); })};
    film.add(significant(beta), chart);
  }
  return film;
}

}  // namespace

void part7(Lesson& lesson, Session& session) {
  Random random(lesson.options().seed, 34);
  // Halving is exact; only the order of rounding may differ.
  lesson.claim("β = 0: a product layer with half the W2, max |diff|", distance_to_product(random), at_most(1e-13));
  const double at_1 = distance_to_relu(1), at_8 = distance_to_relu(8);
  lesson.claim("β = 1: largest distance of swish from ReLU", at_1,
               within(0.2785, 1e-4));  // minus its least value, part 1
  // The largest distance is looked for on a grid, which can miss 1e-3 of it.
  lesson.claim("β = 8: an eighth of it", at_8 * 8 / at_1, within(1, 1e-3));
  SwishGate<double> gate({{4, 5, 3}, 1.5});
  fill_normal(gate.tensors(), random);
  lesson.claim("β = 1.5: every gradient entry", check_through_loss(gate, 6, random).worst(), at_most(1e-7));

  const std::size_t runs = session.runs(3);
  const std::vector<double> betas{0, 0.25, 0.5, 1, 2, 4, 8};
  const std::vector<Slide> slides = slide(session, betas, runs);
  lesson.say("From a product (β = 0) by SwiGLU (β = 1) towards ReGLU: who wins where? ", "1,322",
             " parameters, trained as in part 6, ", runs, " runs:");
  lesson.show(table_of(slides));
  lesson.film("slider", film_of(slides));
  lesson.figure("slider_smooth", chart_of(slides[0], "Suite A, smooth"));
  lesson.figure("slider_products", chart_of(slides[1], "Suite B, products"));
  const std::vector<Spread>&smooth = slides[0].spreads, &products = slides[1].spreads;
  lesson.claim_trained("suite A: what the bend of the gate buys, β = 1 minus 0", smooth[3].mean - smooth[0].mean,
                       at_least(0.134 - 4.5 * 0.007));  // mean and spread over 20 seeds
  lesson.claim_trained("suite B: what it costs, β = 0 minus 8", products[0].mean - products[6].mean, at_least(0));
}

}  // namespace lesson3
