// Lesson 1, part 4: how a gradient check errs, and which step is the right one.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <functional>
#include <string>

#include "common/support/lesson.hpp"
#include "lessons/1_math_refresh/model/1_activations.hpp"

namespace lesson1 {
namespace {

double tanh_of(double x) { return std::tanh(x); }
double quadratic(double x) { return 3 * x * x - 2 * x + 7; }
double quadratic_prime(double x) { return 6 * x - 2; }

// Root mean square, over 200 places x, of the relative error of a slope found with a step.
template <class F, class Prime, class Difference>
double slope_error(F f, Prime prime, Difference difference, double step) {
  constexpr int places = 200;
  double sum = 0;
  for (int k = 0; k < places; ++k) {
    const double x = 0.5 + k / double(places);
    const double error = difference(f, x, step) / prime(x) - 1;
    sum += error * error;
  }
  return std::sqrt(sum / places);
}

// (f(x + δ) - f(x - δ)) / 2δ   (1.9)
double central(const std::function<double(double)>& f, double x, double step) {
  return (f(x + step) - f(x - step)) / (2 * step);
}

// Two central differences whose δ² errors cancel: what common/gradcheck.hpp uses.   (1.9)
double extrapolated(const std::function<double(double)>& f, double x, double step) {
  return (4 * central(f, x, step / 2) - central(f, x, step)) / 3;
}

// tanh at one place, seen from a step: what lies between x - step and x + step fills the picture.
plot::Chart seen_from(double step) {
  constexpr double x = 0.7;
  constexpr int pieces = 40;
  const double slope = tanh_prime(x), found = central(tanh_of, x, step);
  plot::Chart chart{.title = "tanh between 0.7 - δ and 0.7 + δ; relative error of the slope " +
                             significant(std::abs(found / slope - 1), 1),
                    .x = {.title = "(x - 0.7) / δ", .low = -1, .high = 1},
                    .y = {.title = "(tanh x - tanh 0.7) / δ", .low = -1.25, .high = 1.25},
                    .series = {{"tanh"}, {"slope found"}, {"slope"}}};
  const auto seen = [step](double t) { return (tanh_of(x + t * step) - tanh_of(x)) / step; };
  for (int k = -pieces; k <= pieces; ++k) chart.series[0].add(k / double(pieces), seen(k / double(pieces)));
  for (const double t : {-1.0, 1.0}) {
    chart.series[1].add(t, (seen(1) + seen(-1)) / 2 + t * found);
    chart.series[2].add(t, t * slope);
  }
  return chart;
}

plot::Film<plot::Chart> film_of_steps() {
  plot::Film<plot::Chart> film{.parameter = "δ"};
  for (const double step :
       {1.0, 0.7, 0.5, 0.3, 0.2, 0.1, 0.01, 1e-5, 1e-8, 1e-11, 1e-13, 3e-14, 1e-14, 5e-15, 3e-15, 2e-15, 1e-15})
    film.add(significant(step), seen_from(step));
  return film;
}

// The errors of a slope against the step, for the three ways, and what is least.
struct Errors {
  plot::Chart chart{.title = "Relative error of a slope against the step δ",
                    .x = {.title = "step δ", .log = true},
                    .y = {.title = "relative error", .log = true},
                    .series = {{"tanh, central"}, {"tanh, two steps"}, {"quadratic 3x² - 2x + 7, central"}}};
  double best = 1, best_step = 0, best_extrapolated = 1, step_extrapolated = 0;
};

Errors errors_by_step() {
  Errors errors;
  for (int tenths = -120; tenths <= 0; tenths += 2) {
    const double step = std::pow(10, tenths / 10.0);
    const double found[] = {slope_error(tanh_of, tanh_prime, central, step),
                            slope_error(tanh_of, tanh_prime, extrapolated, step),
                            slope_error(quadratic, quadratic_prime, central, step)};
    for (std::size_t s = 0; s < 3; ++s) errors.chart.series[s].add(step, found[s]);
    if (found[0] < errors.best) {
      errors.best = found[0];
      errors.best_step = step;
    }
    if (found[1] < errors.best_extrapolated) {
      errors.best_extrapolated = found[1];
      errors.step_extrapolated = step;
    }
  }
  return errors;
}

void quadratic_by_step(Lesson& lesson) {
  const auto at = [](double step) { return slope_error(quadratic, quadratic_prime, central, step); };
  lesson.detail(Table{{"3x² - 2x + 7, step δ", "relative error"},
                      {{"1e8", significant(at(1e8), 2)},
                       {"1e4", significant(at(1e4), 2)},
                       {"1", significant(at(1), 2)},
                       {"1e-5", significant(at(1e-5), 2)},
                       {"1e-8", significant(at(1e-8), 2)}}});
  lesson.claim("quadratic with δ = 1e8", at(1e8), between(1e-9, 1e-6));  // f is about 3δ², and its error ε·|f|/(δ·|f'|)
  lesson.claim("quadratic with δ = 1", at(1), at_most(1e-14));           // a few roundings of size ε
  lesson.claim("quadratic with δ = 1e-5", at(1e-5), between(1e-12, 1e-9));  // about ε·|f|/(δ·|f'|)
  lesson.claim("quadratic with δ = 1e-8", at(1e-8), between(1e-9, 1e-6));
}

}  // namespace

void part4(Lesson& lesson, Pool&) {
  const Errors errors = errors_by_step();
  lesson.say("Which step δ errs least, and by how much, in the mean over 200 places?");
  lesson.predict("At which δ does the curve of the central difference of tanh turn?", errors.best_step);
  lesson.figure("gradient_check", errors.chart);
  lesson.film("steps", film_of_steps());
  lesson.show(Table{{"slope", "least relative error", "at δ"},
                    {{"tanh, central difference", significant(errors.best, 2), significant(errors.best_step, 2)},
                     {"tanh, two steps combined", significant(errors.best_extrapolated, 2),
                      significant(errors.step_extrapolated, 2)}}});
  // The minimum is flat: theory gives (3ε·|f|/|f'''|)^(1/3), and for the root mean square of these places that is
  // within a factor 4 of ε^(1/3).
  lesson.claim("the best central step", errors.best_step, between(6.1e-6 / 4, 6.1e-6 * 4));
  // By theory some ε^(2/3) = 4e-11 and ε^(4/5) = 3e-13.
  lesson.claim("its error", errors.best, at_most(1e-10));
  lesson.claim("two steps combined: best error", errors.best_extrapolated, at_most(1e-12));
  quadratic_by_step(lesson);
}

}  // namespace lesson1
