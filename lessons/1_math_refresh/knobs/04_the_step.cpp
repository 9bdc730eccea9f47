// Lesson 1, part 4: the step of a gradient check, the function, and where it is checked can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "common/support/parts.hpp"

namespace lesson1 {
namespace {

constexpr knob::Real power{"log-delta", "log10 of the step δ: -5 is 1e-5", -5, {-16, 0, 0.25}};
constexpr knob::Choice function{"function", "f", {"tanh", "sine", "cubic", "quadratic"}};
constexpr knob::Real place{"place", "the first of 50 places x, which fill a stretch of 1", 0.5, {-3, 3, 0.1}};

constexpr int places = 50;

// A function in numbers of either kind, its slope, the largest |f'''|, and how large what is rounded in it gets.
struct Curve {
  double (*in_double)(double);
  float (*in_float)(float);
  double (*prime)(double);
  double third;
  double (*size)(double);
};

template <class T>
T quadratic(T x) {
  return 3 * x * x - 2 * x + 7;
}

const Curve curves[] = {
    {[](double x) { return std::tanh(x); }, [](float x) { return std::tanh(x); },
     [](double x) { return 1 - std::tanh(x) * std::tanh(x); }, 2, [](double) { return 1.0; }},
    {[](double x) { return std::sin(x); }, [](float x) { return std::sin(x); }, [](double x) { return std::cos(x); }, 1,
     [](double) { return 1.0; }},
    {[](double x) { return x * x * x; }, [](float x) { return x * x * x; }, [](double x) { return 3 * x * x; }, 6,
     [](double x) { return std::abs(x * x * x); }},
    {quadratic<double>, quadratic<float>, [](double x) { return 6 * x - 2; }, 0,
     [](double x) { return 3 * x * x + 2 * std::abs(x) + 7; }},
};

// The root mean square of a slope's error over the places, as a part of that of the slope; and how large it can be.
struct Error {
  double relative = 0, bound = 0;
};

template <class T>
Error error_of(T (*f)(T), const Curve& curve, double start, double step) {
  const T delta = T(step);
  double errors = 0, slopes = 0, bounds = 0;
  for (int k = 0; k < places; ++k) {
    const T x = T(start + k / double(places));
    const double slope = curve.prime(double(x)), found = double((f(x + delta) - f(x - delta)) / (2 * delta));
    // Truncation; then 4 roundings of f and one of each x ± δ, which f passes on with its slope out there; then the step's
    // own, and the division.
    const double far = std::abs(double(x)) + step, steepest = std::abs(slope) + 6 * far * step + 2 * step;
    const double bound = step * step * curve.third / 6 +
                         std::numeric_limits<T>::epsilon() *
                             ((4 * curve.size(far) + steepest * far) / step + 4 * std::abs(slope) + curve.third);
    errors += (found - slope) * (found - slope);
    slopes += slope * slope;
    bounds += bound * bound;
  }
  return {std::sqrt(errors / slopes), std::sqrt(bounds / slopes)};
}

// One kind of number: its U, and the step at which that is lowest.
struct Valley {
  plot::Series line;
  double least = HUGE_VAL, at = 0, over_bound = 0;
  Error here = {};
};

template <class T>
Valley valley_of(const std::string& name, T (*f)(T), const Curve& curve, const knob::Settings& at) {
  Valley valley{{name}};
  for (int quarters = -64; quarters <= 0; ++quarters) {
    const double step = std::pow(10, quarters / 4.0);
    const Error error = error_of(f, curve, at[place], step);
    valley.line.add(step, std::clamp(error.relative, 1e-17, 1e3));
    valley.over_bound = std::max(valley.over_bound, error.relative / error.bound);
    if (error.relative < valley.least) {
      valley.least = error.relative;
      valley.at = step;
    }
  }
  valley.here = error_of(f, curve, at[place], std::pow(10, at[power]));
  return valley;
}

void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  const Curve& curve = curves[at[function]];
  const double step = std::pow(10, at[power]);
  const Valley wide = valley_of("double", curve.in_double, curve, at),
               narrow = valley_of("float", curve.in_float, curve, at);
  plot::Series here{"the step δ", {}, {}, true};
  for (const Valley* valley : {&wide, &narrow}) here.add(step, std::clamp(valley->here.relative, 1e-17, 1e3));
  plot::Chart chart{.title = "Relative error of a central difference, " + at.name_of(function),
                    .x = {.title = "step δ", .log = true, .low = 1e-16, .high = 1},
                    .y = {.title = "relative error", .log = true, .low = 1e-17, .high = 1e3},
                    .series = {wide.line, narrow.line, here}};
  lesson.picture("turned_step", chart);
  Table table{{"numbers", "ε", "least error", "at δ", "error at " + significant(step, 2)}, {}};
  table.rows = {
      {"double", "2.2e-16", significant(wide.least, 2), significant(wide.at, 2), significant(wide.here.relative, 2)},
      {"float", "1.2e-07", significant(narrow.least, 2), significant(narrow.at, 2),
       significant(narrow.here.relative, 2)}};
  lesson.show(table);
  lesson.claim("double: error over δ²·|f'''|/6 and what rounding can do", wide.over_bound, at_most(1));
  lesson.claim("float: the same", narrow.over_bound, at_most(1));
}

}  // namespace

Bench<Pool> bench4() { return {"Which step errs least, and in which numbers?", {&power, &function, &place}, run}; }

}  // namespace lesson1
