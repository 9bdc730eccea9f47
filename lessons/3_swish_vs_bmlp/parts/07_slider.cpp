// Lesson 3, part 7: one slider from a product to a gate: swish_β with β from 0 (a product layer) to large (ReGLU).
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/elementary.hpp"
#include "common/support/lesson.hpp"
#include "common/support/spread.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/checks.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"
#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"

namespace lesson3 {
namespace {

// At β = 0 the gate is 1/2: the same parameters with half the W2 are a product layer.
double distance_to_product(Random& random) {
  SwishGate<double> gate({{4, 5, 3}, 0});
  fill_normal(gate.tensors(), random);
  Product<double> product({4, 5, 3});
  product.layer = gate.layer;
  product.readout = gate.readout;
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

// Squares with as many numbers as the products have: 60·(16 + 1 + 4) and the read-out's 68, 1,328.
constexpr Sizes squares{suite_inputs, 60, suite_outputs};

// The largest distance of a layer of products from one of twice as many squares: by pq = ((p + q)/2)² - ((p - q)/2)² the
// sums and differences of the factors, with a read-out of either sign.
double products_are_squares(Random& random) {
  constexpr std::size_t h = 5;
  Product<double> product({4, h, 3});
  fill_normal(product.tensors(), random);
  Square<double> square({4, 2 * h, 3});
  const auto halves = [](const Matrix<double>& one, const Matrix<double>& other) {
    Matrix<double> both(one.rows(), 2 * h);
    for (std::size_t i = 0; i < both.rows(); ++i)
      for (std::size_t j = 0; j < h; ++j) {
        both(i, j) = (one(i, j) + other(i, j)) / 2;
        both(i, h + j) = (one(i, j) - other(i, j)) / 2;
      }
    return both;
  };
  square.layer.W = halves(product.layer.W, product.layer.V);
  square.layer.b = halves(product.layer.b, product.layer.c);
  square.readout = product.readout;
  square.readout.W2 = Matrix<double>(2 * h, 3);
  for (std::size_t j = 0; j < h; ++j)
    for (std::size_t o = 0; o < 3; ++o) {
      square.readout.W2(j, o) = product.readout.W2(j, o);
      square.readout.W2(h + j, o) = -product.readout.W2(j, o);
    }
  const auto X = normal_matrix<double>(20, 4, 1, random);
  return max_abs_difference(output(square, X), output(product, X));
}

// Trains squares on both suites with the data of the slides' runs, and compares them with the products there, run by run.
void squares_as_rival(Lesson& lesson, Session& session, const std::vector<Slide>& slides) {
  const std::size_t runs = slides[0].runs.size();
  std::vector<double> found(2 * runs), differences[2];
  session.run("training", found.size(), [&](std::size_t job) {
    const std::uint64_t seed = seed_of_run(session.options.seed, job % runs);
    const SplitRows split = draw_suite(suites[job / runs], seed, session.rows());
    Random random(seed, 31);
    Square<float> model(squares, random);
    train(model, split.train, session.training(), Random(seed, 32));
    found[job] = r_squared(model, split.test);
  });
  Table table{{"R² of the test rows", "parameters", "suite A", "suite B"}, {}};
  std::vector<std::string> square{"60 squares", "1328"}, product{"33 products", "1322"};
  for (const std::size_t s : {0u, 1u}) {
    const auto first = found.begin() + std::ptrdiff_t(s * runs);
    square.push_back(spread_of({first, first + std::ptrdiff_t(runs)}).text());
    product.push_back(slides[s].spreads[0].text());
    for (std::size_t k = 0; k < runs; ++k) differences[s].push_back(found[s * runs + k] - slides[s].runs[k][0]);
  }
  table.rows = {square, product};
  lesson.note("Squares as a rival of the products, with as many numbers:");
  lesson.detail(table);
  // Means and spreads over 20 seeds, of means over three runs.
  lesson.claim_trained("squares minus products on A", spread_of(differences[0]).mean, within(0.00021, 4.5 * 0.00017));
  lesson.claim_trained("squares minus products on B", spread_of(differences[1]).mean, within(-5e-8, 4.5 * 2.2e-7));
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

  // Sums of a dozen products of numbers near 1, in another order.
  lesson.claim("5 products are 10 squares, max |diff|", products_are_squares(random), at_most(1e-12));
  Square<double> square({4, 8, 3});
  lesson.claim("squares: every gradient entry", check_through_sum(square, 16, random).worst(), exactly(0));
  squares_as_rival(lesson, session, slides);
}

}  // namespace lesson3
