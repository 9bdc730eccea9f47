// Lesson 4, part 10: the wiring of product layers one behind the other, their width and their start can be turned.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/4_bilinear_gates/model/9_depth.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"

namespace lesson4 {
namespace {

constexpr knob::Choice wiring{"wiring", "what is done with each layer", {"plain", "norm", "residual", "both"}};
constexpr knob::Real first{"from", "second moment of the input", 0.8, {0.1, 3, 0.05}};
constexpr knob::Whole layers{"layers", "product layers", 5, {1, 7, 1}};
constexpr knob::Whole width{"width", "numbers in each", 128, {8, 256, 8}};

constexpr std::size_t draws = 3;

// log10 of the second moment behind each layer, for infinite width.
std::vector<double> predicted(Wiring how, double mu, std::size_t count) {
  std::vector<double> logs{std::log10(mu)};
  for (std::size_t l = 0; l < count; ++l) {
    const double of_product = how == Wiring::plain || how == Wiring::residual ? mu * mu : 1;
    mu = of_product + (how == Wiring::residual || how == Wiring::both ? mu : 0);
    logs.push_back(std::log10(mu));
  }
  return logs;
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  constexpr Wiring wirings[] = {Wiring::plain, Wiring::norm, Wiring::residual, Wiring::both};
  const Wiring how = wirings[at[wiring]];
  plot::Chart chart{.title = join("Product layers, ", at.name_of(wiring), ", from ", at[first]),
                    .x = {.title = "layer", .low = 0, .high = double(at[layers])},
                    .y = {.title = "log10 of the second moment", .low = -20, .high = 20}};
  double last = 0, scaling = 0;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const Matrix<double> logs = log_moments({{at[first], how}, {1, how}}, at[width], at[layers],
                                            Random(seed_of_run(session.options.seed, draw), 510));
    plot::Series line{join("draw ", draw + 1)};
    for (std::size_t l = 0; l <= at[layers]; ++l) {
      line.add(double(l), logs(0, l));
      const double doubled = std::exp2(double(l));
      const double expected = how == Wiring::plain ? doubled * std::log10(at[first])
                              : l == 0             ? std::log10(at[first])
                                                   : 0;
      scaling = std::max(scaling, std::abs(logs(0, l) - logs(1, l) - expected) / doubled);
    }
    last += logs(0, at[layers]) / double(draws);
    chart.series.push_back(line);
  }
  const std::vector<double> theory = predicted(how, at[first], at[layers]);
  chart.series.push_back({"infinite width"});
  for (std::size_t l = 0; l < theory.size(); ++l) chart.series.back().add(double(l), theory[l]);
  lesson.picture("turned_chain", chart);
  lesson.say("Behind ", at[layers], " layers log10 of the second moment is ", last, " on average over ", draws,
             " draws, and ", theory.back(), " for infinite width.");
  // Some roundings of a sum of 256 squares, which each further layer doubles.
  if (how == Wiring::plain)
    lesson.claim("log10 less that from 1: 2^l·log10 of the start, off by, over 2^l", scaling, at_most(1e-12));
  if (how == Wiring::norm) lesson.claim("a norm forgets the start: log10 less that from 1", scaling, at_most(1e-12));
}

}  // namespace

Bench<Session> bench10() {
  return {
      "Does the second moment live through product layers, and what helps?", {&wiring, &first, &layers, &width}, run};
}

}  // namespace lesson4
