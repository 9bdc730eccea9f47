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

// Mean test R² for each β, on one suite.
struct Slide {
  std::vector<double> betas, mean, deviation;
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
  std::vector<Slide> slides(2);
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t b = 0; b < betas.size(); ++b) {
      const auto first = found.begin() + std::ptrdiff_t((s * betas.size() + b) * runs);
      const Spread spread = spread_of({first, first + std::ptrdiff_t(runs)});
      slides[s].betas.push_back(betas[b]);
      slides[s].mean.push_back(spread.mean);
      slides[s].deviation.push_back(spread.deviation);
    }
  return slides;
}

}  // namespace

void part7(Lesson& lesson, Session& session) {
  Random random(lesson.options().seed, 34);
  lesson.say(
      "swish_β(z) = z·σ(βz). "
      "At β = 0 it is z/2, and the gated unit swish_β(XW + b) ⊙ (XV + c) is a product layer, half as large. "
      "At β = 1 it is SwiGLU. As β grows, swish_β becomes ReLU, and the unit ReGLU.");
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
  lesson.say("The same 1,322 parameters, trained at each β as in part 6, ", runs, " runs. R² of the test rows:");
  Table table{{"β", "suite A", "suite B"}, {}};
  for (std::size_t b = 0; b < betas.size(); ++b) {
    std::vector<std::string> row{significant(betas[b])};
    for (const Slide& s : slides) row.push_back(fixed(s.mean[b], 4) + " ± " + fixed(s.deviation[b], 4));
    table.rows.push_back(row);
  }
  lesson.show(table);
  plot::Chart chart;
  chart.title = "From a product (β = 0) by SwiGLU (β = 1) towards ReGLU";
  chart.x.title = "β";
  chart.y = {.title = "1 - R² of the test rows (logarithmic)", .log = true};
  for (const std::size_t s : {0u, 1u}) {
    std::vector<double> missing = slides[s].mean;
    for (double& r2 : missing) r2 = 1 - r2;
    chart.series.push_back({s == 0 ? "suite A, smooth" : "suite B, products", slides[s].betas, missing});
  }
  lesson.picture("slider", chart);
  lesson.claim_trained("suite A: what the bend of the gate buys, β = 1 minus 0", slides[0].mean[3] - slides[0].mean[0],
                       at_least(0.134 - 4.5 * 0.007));  // mean and spread over 20 seeds
  lesson.claim_trained("suite B: what it costs, β = 0 minus 8", slides[1].mean[0] - slides[1].mean[6], at_least(0));
}

}  // namespace lesson3
