// Lesson 1, part 4: how a gradient check errs, and which step is the right one.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <functional>
#include <limits>

#include "common/support/lesson.hpp"

namespace lesson1 {
namespace {

// Root mean square, over 200 places x, of the relative error of a slope found with step h.
template <class F, class Prime, class Difference>
double slope_error(F f, Prime prime, Difference difference, double h) {
  constexpr int places = 200;
  double sum = 0;
  for (int k = 0; k < places; ++k) {
    const double x = 0.5 + k / double(places);
    const double error = difference(f, x, h) / prime(x) - 1;
    sum += error * error;
  }
  return std::sqrt(sum / places);
}

// (f(x + h) - f(x - h)) / 2h   (1.9)
double central(const std::function<double(double)>& f, double x, double h) { return (f(x + h) - f(x - h)) / (2 * h); }

// Two central differences whose h² errors cancel: what common/gradcheck.hpp uses.   (1.9)
double extrapolated(const std::function<double(double)>& f, double x, double h) {
  return (4 * central(f, x, h / 2) - central(f, x, h)) / 3;
}

}  // namespace

void part4(Lesson& lesson, Pool&) {
  const auto smooth = [](double x) { return std::tanh(x); };
  const auto smooth_prime = [](double x) { return 1 - std::tanh(x) * std::tanh(x); };
  const auto quadratic = [](double x) { return 3 * x * x - 2 * x + 7; };
  const auto quadratic_prime = [](double x) { return 6 * x - 2; };

  plot::Chart chart;
  chart.title = "Relative error of a slope against the step h";
  chart.x = {.title = "step h", .log = true};
  chart.y = {.title = "relative error", .log = true};
  chart.series = {{"tanh, central", {}, {}}, {"tanh, two steps", {}, {}}, {"quadratic, central", {}, {}}};
  double best_error = 1, best_step = 0, best_extrapolated = 1;
  for (int tenths = -120; tenths <= 0; tenths += 2) {
    const double h = std::pow(10, tenths / 10.0);
    const double errors[] = {slope_error(smooth, smooth_prime, central, h),
                             slope_error(smooth, smooth_prime, extrapolated, h),
                             slope_error(quadratic, quadratic_prime, central, h)};
    for (std::size_t s = 0; s < 3; ++s) chart.series[s].add(h, errors[s]);
    if (errors[0] < best_error) {
      best_error = errors[0];
      best_step = h;
    }
    best_extrapolated = std::min(best_extrapolated, errors[1]);
  }

  lesson.say(
      "Too large a step errs by truncation, h²·f'''/6; too small a one by rounding, ε·|f|/h. "
      "Their sum is a U with its lowest point near h = ε^(1/3), where ε = 2.2e-16.");
  lesson.predict("At which h does the curve of the central difference of tanh turn?", best_step);
  lesson.picture("gradient_check", chart);
  // The minimum is flat: theory gives (3ε·|f|/|f'''|)^(1/3), and for the root mean square of these places that is
  // within a factor 4 of ε^(1/3).
  lesson.claim("the best central step", best_step, between(6.1e-6 / 4, 6.1e-6 * 4));
  // By theory some ε^(2/3) = 4e-11 and ε^(4/5) = 3e-13.
  lesson.claim("its error", best_error, at_most(1e-10));
  lesson.claim("two steps combined: best error", best_extrapolated, at_most(1e-12));
  lesson.say(
      "A function that is quadratic in what is moved has no third derivative, so nothing is truncated. "
      "Best is a step as large as x itself, here 1; a far larger one only enlarges f and its rounding. "
      "Product layers are quadratic: lessons 4 and 5 live on this line.");
  const auto at = [&](double h) { return slope_error(quadratic, quadratic_prime, central, h); };
  lesson.show(Table{{"quadratic, step", "relative error"},
                    {{"1e8", significant(at(1e8), 2)},
                     {"1e4", significant(at(1e4), 2)},
                     {"1", significant(at(1), 2)},
                     {"1e-5", significant(at(1e-5), 2)},
                     {"1e-8", significant(at(1e-8), 2)}}});
  lesson.claim("quadratic with h = 1e8", at(1e8), between(1e-9, 1e-6));  // f is about 3h², and its error ε·|f|/(h·|f'|)
  lesson.claim("quadratic with h = 1", at(1), at_most(1e-14));           // a few roundings of size ε
  lesson.claim("quadratic with h = 1e-5", at(1e-5), between(1e-12, 1e-9));  // about ε·|f|/(h·|f'|)
  lesson.claim("quadratic with h = 1e-8", at(1e-8), between(1e-9, 1e-6));
  lesson.say(
      "How to read a relative error: above 1e-2 wrong; 1e-2 to 1e-4 suspicious; "
      "at most 1e-7 good, for a smooth function in double.");
}

}  // namespace lesson1
