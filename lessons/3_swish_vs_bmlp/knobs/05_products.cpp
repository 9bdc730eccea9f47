// Lesson 3, part 5: one product against a line, on an interval that can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/3_swish_vs_bmlp/floors.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"

namespace lesson3 {
namespace {

constexpr knob::Choice function{"f", "the curve", {"sin", "cos", "bump", "log", "tanh", "square", "cube", "exp"}};
constexpr knob::Real centre{"centre", "the middle of the interval of inputs", 0, {-3, 3, 0.05}};
constexpr knob::Real half{"half", "half its width", 3, {0.1, 4, 0.05}};

struct Curved {
  const char* name;
  double (*f)(double x);
  bool odd;
};
const Curved curves[] = {{"sin 2x", [](double x) { return std::sin(2 * x); }, true},
                         {"cos 1.5x", [](double x) { return std::cos(1.5 * x); }, false},
                         {"2·exp(-x²)", [](double x) { return 2 * std::exp(-x * x); }, false},
                         {"log(|x| + 1)", [](double x) { return std::log(std::abs(x) + 1); }, false},
                         {"tanh x", [](double x) { return std::tanh(x); }, true},
                         {"x²/4", [](double x) { return x * x / 4; }, false},
                         {"x³/16", [](double x) { return x * x * x / 16; }, true},
                         {"exp(x)/8", [](double x) { return std::exp(x) / 8; }, false}};

constexpr std::size_t most = 4;

// The weight of each Legendre polynomial of mean square 1, and the R² of the best polynomial of each degree.   (3.24)
struct Fit {
  std::vector<double> weights, share;
};

// Leg_i at z, times √(2i + 1).
double unit_legendre(std::size_t i, double z) { return std::sqrt(2 * double(i) + 1) * legendre(most, z)[i]; }

Fit fit_of(double (*f)(double), double middle, double range) {
  const Quadrature rule = gauss_legendre(32, range);
  Fit fit{std::vector<double>(most + 1), std::vector<double>(most + 1)};
  for (std::size_t p = 0; p < rule.points.size(); ++p)
    for (std::size_t i = 0; i <= most; ++i)
      fit.weights[i] += rule.weights[p] * f(middle + rule.points[p]) * unit_legendre(i, rule.points[p] / range);
  double variance = 0;
  for (std::size_t p = 0; p < rule.points.size(); ++p)
    variance += rule.weights[p] * std::pow(f(middle + rule.points[p]) - fit.weights[0], 2);
  for (std::size_t i = 1; i <= most; ++i) fit.share[i] = fit.share[i - 1] + fit.weights[i] * fit.weights[i] / variance;
  return fit;
}

plot::Chart chart_of(const Curved& curve, const Fit& fit, double middle, double range) {
  plot::Chart chart{.title = std::string(curve.name) + ", and the best line and parabola where the inputs lie"};
  chart.x = {.title = "x", .low = -7, .high = 7};
  chart.y = {.title = "y", .low = -2, .high = 4};
  plot::Series all{.name = curve.name};
  for (int k = -140; k <= 140; ++k) all.add(0.05 * k, curve.f(0.05 * k));
  chart.series = {all};
  for (const std::size_t degree : {1u, 2u}) {
    plot::Series best{.name = degree == 1 ? "line" : "parabola, one product"};
    for (int k = -40; k <= 40; ++k) {
      double y = 0;
      for (std::size_t i = 0; i <= degree; ++i) y += fit.weights[i] * unit_legendre(i, k / 40.0);
      best.add(middle + range * k / 40, y);
    }
    chart.series.push_back(best);
  }
  return chart;
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Curved& curve = curves[at[function]];
  const Fit fit = fit_of(curve.f, at[centre], at[half]);
  lesson.picture("turned_interval", chart_of(curve, fit, at[centre], at[half]));
  const auto share = [&](std::size_t degree) { return fixed(fit.share[degree], 4); };
  lesson.show(Table{{"R² of the best", "line", "parabola", "cubic", "degree 4"},
                    {{curve.name, share(1), share(2), share(3), share(4)}}});
  lesson.say("One product gains ", fixed(fit.share[2] - fit.share[1], 4),
             " over the straight line; two layers, which "
             "reach degree 4, at most ",
             fixed(fit.share[4] - fit.share[1], 4), ".");
  // Sums of 64 terms; where the curve hardly varies, rounding is 1e-8 of its variance.
  lesson.claim("no polynomial explains more than all: R² of degree 4", fit.share[4], at_most(1 + 1e-7));
  if (curve.odd && at[centre] == 0)
    lesson.claim("an odd curve around 0: what the parabola gains", fit.share[2] - fit.share[1], at_most(1e-12));
}

}  // namespace

Bench<Session> bench5() {
  return {"On which inputs is one product better than a straight line?", {&function, &centre, &half}, run};
}

}  // namespace lesson3
