// Lesson 1, part 4: how a gradient check errs, and which step is the right one. The function, where it is checked, and
// the step can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "common/support/part.hpp"
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

constexpr knob::Real power{"log-delta", "log10 of the step δ: -5 is 1e-5", -5, {-12, 0, 0.25}};
constexpr knob::Choice function{"function", "f", {"tanh", "sine", "cubic", "quadratic"}};
constexpr knob::Real place{"place", "the first of 200 places x, which fill a stretch of 1", 0.5, {-3, 3, 0.1}};

template <class T>
using FunctionOf = T (*)(T);

template <class T>
static T quadratic(T x) {
  return 3 * x * x - 2 * x + 7;
}

// A function in numbers of either kind, its slope, the largest |f'''|, and how large what is rounded in it gets.
struct Checked {
  FunctionOf<double> in_double;
  FunctionOf<float> in_float;
  FunctionOf<double> prime;
  double third;
  FunctionOf<double> size;
};

const Checked functions[] = {
    {[](double x) { return std::tanh(x); }, [](float x) { return std::tanh(x); }, tanh_prime, 2,
     [](double) { return 1.0; }},
    {[](double x) { return std::sin(x); }, [](float x) { return std::sin(x); }, [](double x) { return std::cos(x); }, 1,
     [](double) { return 1.0; }},
    {[](double x) { return x * x * x; }, [](float x) { return x * x * x; }, [](double x) { return 3 * x * x; }, 6,
     [](double x) { return std::abs(x * x * x); }},
    {quadratic<double>, quadratic<float>, [](double x) { return 6 * x - 2; }, 0,
     [](double x) { return 3 * x * x + 2 * std::abs(x) + 7; }},
};
static_assert(function.choices.count == std::size(functions));

// (f(x + δ) - f(x - δ)) / 2δ   (1.9)
template <class T>
static T central(FunctionOf<T> f, T x, T step) {
  return (f(x + step) - f(x - step)) / (2 * step);
}

// Two central differences whose δ² errors cancel: what common/gradcheck.hpp uses.   (1.9)
static double extrapolated(FunctionOf<double> f, double x, double step) {
  return (4 * central(f, x, step / 2) - central(f, x, step)) / 3;
}

// The root mean square of a slope's error over the places, as a part of that of the slope; and how large that of a
// central difference can be.
struct SlopeError {
  double relative, bound;
};

template <class T>
static SlopeError error_of(T (*difference)(FunctionOf<T>, T, T), FunctionOf<T> f, const Checked& of, double start,
                           double step) {
  constexpr int places = 200;
  double errors = 0, slopes = 0, bounds = 0;
  for (int k = 0; k < places; ++k) {
    const T x = T(start + k / double(places));
    const double slope = of.prime(double(x)), found = double(difference(f, x, T(step)));
    // Truncation; then 4 roundings of f and one of each x ± δ, which f passes on with its slope out there; then the
    // step's own, and the division.
    const double far = std::abs(double(x)) + step, steepest = std::abs(slope) + 6 * far * step + 2 * step;
    const double bound =
        step * step * of.third / 6 + std::numeric_limits<T>::epsilon() *
                                         ((4 * of.size(far) + steepest * far) / step + 4 * std::abs(slope) + of.third);
    errors += (found - slope) * (found - slope);
    slopes += slope * slope;
    bounds += bound * bound;
  }
  return {std::sqrt(errors / slopes), std::sqrt(bounds / slopes)};
}

// The error against the step, a U; its lowest point; and how near it comes to its bound.
struct Valley {
  plot::Series line;
  double least = HUGE_VAL, at = 0, here = 0, over_bound = 0;

  std::vector<std::string> row() const {
    return {line.name, significant(least, 2), significant(at, 2), significant(here, 2)};
  }
};

template <class T>
static Valley valley_of(const std::string& name, T (*difference)(FunctionOf<T>, T, T), FunctionOf<T> f,
                        const Checked& of, const knob::Settings& at) {
  const auto error_at = [&](double step) { return error_of(difference, f, of, at[place], step); };
  const auto drawn = [](double error) { return std::clamp(error, 1e-17, 1e3); };
  Valley valley{{name}};
  for (int tenths = -120; tenths <= 0; tenths += 2) {
    const double step = std::pow(10, tenths / 10.0);
    const auto [relative, bound] = error_at(step);
    valley.line.add(step, drawn(relative));
    valley.over_bound = std::max(valley.over_bound, relative / bound);
    if (relative >= valley.least) continue;
    valley.least = relative;
    valley.at = step;
  }
  valley.here = drawn(error_at(std::pow(10, at[power])).relative);
  return valley;
}

// tanh at one place, seen from a step: what lies between x - step and x + step fills the picture.
static plot::Chart seen_from(double step) {
  constexpr double x = 0.7;
  constexpr int pieces = 40;
  const FunctionOf<double> f = functions[0].in_double;
  const double slope = tanh_prime(x), found = central(f, x, step);
  plot::Chart chart{.title = "tanh between 0.7 - δ and 0.7 + δ; relative error of the slope " +
                             significant(std::abs(found / slope - 1), 1),
                    .x = {.title = "(x - 0.7) / δ", .low = -1, .high = 1},
                    .y = {.title = "(tanh x - tanh 0.7) / δ", .low = -1.25, .high = 1.25},
                    .series = {{"tanh"}, {"slope found"}, {"slope"}}};
  const auto seen = [&](double t) { return (f(x + t * step) - f(x)) / step; };
  for (int k = -pieces; k <= pieces; ++k) chart.series[0].add(k / double(pieces), seen(k / double(pieces)));
  for (const double t : {-1.0, 1.0}) {
    chart.series[1].add(t, (seen(1) + seen(-1)) / 2 + t * found);
    chart.series[2].add(t, t * slope);
  }
  return chart;
}

static void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  const Checked &of = functions[at[function]], &without_third = functions[3];
  const std::string name = at.name_of(function);
  const Valley wide = valley_of(name + ", central", central, of.in_double, of, at),
               two = valley_of(name + ", two steps", extrapolated, of.in_double, of, at),
               square =
                   valley_of("quadratic 3x² - 2x + 7, central", central, without_third.in_double, without_third, at),
               narrow = valley_of(name + " in float, central", central, of.in_float, of, at);
  lesson.say("Which step δ errs least, and by how much, in the mean over 200 places?");
  lesson.predict("At which δ does the curve of the central difference of " + name + " turn?", wide.at);
  const double step = std::pow(10, at[power]);
  lesson.figure("gradient_check",
                plot::Chart{.title = "Relative error of a slope against the step δ",
                            .x = {.title = "step δ", .log = true},
                            .y = {.title = "relative error", .log = true},
                            .series = {wide.line,
                                       two.line,
                                       square.line,
                                       narrow.line,
                                       {"δ = " + significant(step, 2), {step, step}, {wide.here, narrow.here}, true}}});
  plot::Film<plot::Chart> film{.parameter = "δ"};
  for (const double from :
       {1.0, 0.7, 0.5, 0.3, 0.2, 0.1, 0.01, 1e-5, 1e-8, 1e-11, 1e-13, 3e-14, 1e-14, 5e-15, 3e-15, 2e-15, 1e-15})
    film.add(significant(from), seen_from(from));
  lesson.film("steps", film);
  lesson.show(Table{{"slope", "least relative error", "at δ", "error at δ = " + significant(step, 2)},
                    {wide.row(), two.row(), narrow.row()}});
  lesson.claim("double: error over δ²·|f'''|/6 and what rounding can do", wide.over_bound, at_most(1));
  lesson.claim("float: the same", narrow.over_bound, at_most(1));
  // The minimum is flat: theory gives (3ε·|f|/|f'''|)^(1/3), and for the root mean square of these places that is
  // within a factor 4 of ε^(1/3).
  lesson.claim_usual("the best central step", wide.at, between(6.1e-6 / 4, 6.1e-6 * 4));
  // By theory some ε^(2/3) = 4e-11 and ε^(4/5) = 3e-13.
  lesson.claim_usual("its error", wide.least, at_most(1e-10));
  lesson.claim_usual("two steps combined: best error", two.least, at_most(1e-12));
  // A few roundings of size ε; and far out f is about 3δ², and its error ε·|f|/(δ·|f'|).
  const auto of_square = [&](double delta) {
    return error_of(central, without_third.in_double, without_third, at[place], delta).relative;
  };
  lesson.claim_usual("quadratic with δ = 1", of_square(1), at_most(1e-14));
  lesson.claim_usual("quadratic with δ = 1e8", of_square(1e8), between(1e-9, 1e-6));
}

extern const Part<Pool> part4{.number = 4,
                              .title = "How a gradient check works",
                              .run = run,
                              .question = "Which step errs least, and in which numbers?",
                              .knobs = {&power, &function, &place}};

}  // namespace lesson1
