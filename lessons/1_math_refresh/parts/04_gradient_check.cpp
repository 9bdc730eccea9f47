// Lesson 1, part 4: how a gradient check errs, and which step is the right one. The function, where it is checked, and
// the step can be turned.
// SPDX-License-Identifier: MIT
#include "common/support/part.hpp"
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

constexpr knob::Real power{"log-delta", "log10 of the step δ: -5 is 1e-5", -5, {-12, 0, 0.25}};
constexpr knob::Choice function{"function", "f", {"tanh", "sine", "cubic", "quadratic"}};
constexpr knob::Real place{"place", "the first of 200 places x, which fill a stretch of 1", 0.5, {-3, 3, 0.1}};

template <class T>
using FunctionOf = T (*)(T);

// A function in numbers of either kind, and its slope.
struct Checked {
  FunctionOf<double> in_double;
  FunctionOf<float> in_float;
  FunctionOf<double> prime;
};
const Checked functions[] = {
    {[](double x) { return std::tanh(x); }, [](float x) { return std::tanh(x); }, tanh_prime},
    {[](double x) { return std::sin(x); }, [](float x) { return std::sin(x); }, [](double x) { return std::cos(x); }},
    {[](double x) { return x * x * x; }, [](float x) { return x * x * x; }, [](double x) { return 3 * x * x; }},
    {[](double x) { return 3 * x * x - 2 * x + 7; }, [](float x) { return 3 * x * x - 2 * x + 7; },
     [](double x) { return 6 * x - 2; }},
};
static_assert(function.choices.count == std::size(functions));

// (f(x + δ) - f(x - δ)) / 2δ   (1.11)
template <class T>
static T central(FunctionOf<T> f, T x, T step) {
  return (f(x + step) - f(x - step)) / (2 * step);
}

// Two central differences whose δ² errors cancel: what common/gradcheck.hpp uses.   (1.11)
static double extrapolated(FunctionOf<double> f, double x, double step) {
  return (4 * central(f, x, step / 2) - central(f, x, step)) / 3;
}

// The root mean square of a slope's error over the places, as a part of that of the slope.
template <class T>
static double error_of(T (*difference)(FunctionOf<T>, T, T), FunctionOf<T> f, FunctionOf<double> prime, double start,
                       double step) {
  constexpr int places = 200;
  double errors = 0, slopes = 0;
  for (int k = 0; k < places; ++k) {
    const T x = T(start + k / double(places));
    const double slope = prime(double(x)), error = double(difference(f, x, T(step))) - slope;
    errors += error * error;
    slopes += slope * slope;
  }
  return std::sqrt(errors / slopes);
}

// The error against the step, a U, and its lowest point.
struct Valley {
  plot::Series line;
  double least = HUGE_VAL, at = 0;

  std::vector<std::string> row() const { return {line.name, significant(least, 2), significant(at, 2)}; }
};

template <class Error>
static Valley valley_of(const std::string& name, Error error_at) {
  Valley valley{{name}};
  for (int tenths = -120; tenths <= 0; tenths += 2) {
    const double step = std::pow(10, tenths / 10.0), error = error_at(step);
    valley.line.add(step, std::clamp(error, 1e-17, 1e3));
    if (error >= valley.least) continue;
    valley.least = error;
    valley.at = step;
  }
  return valley;
}

static void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  const Checked &of = functions[at[function]], &square = functions[3];
  const std::string name = at.name_of(function);
  const double step = std::pow(10, at[power]);
  const auto in_double = [&](double h) { return error_of(central, of.in_double, of.prime, at[place], h); };
  const auto in_float = [&](double h) { return error_of(central, of.in_float, of.prime, at[place], h); };
  const auto by_two = [&](double h) { return error_of(extrapolated, of.in_double, of.prime, at[place], h); };
  const auto of_square = [&](double h) { return error_of(central, square.in_double, square.prime, at[place], h); };
  const Valley one = valley_of(name + ", central", in_double), two = valley_of(name + ", two steps", by_two),
               narrow = valley_of(name + " in float, central", in_float);
  lesson.say("Which step δ errs least, and by how much, in the mean over 200 places x from ", at[place], " to ",
             at[place] + 1, "?");
  lesson.predict("At which δ does the curve of the central difference of " + name + " turn?", std::cbrt(0x1p-52),
                 {.times = 3});
  plot::Chart chart{.title = "Relative error of a slope against the step δ"};
  chart.x = {.title = "step δ", .log = true};
  chart.y = {.title = "relative error", .log = true};
  chart.series = {one.line, two.line, valley_of("quadratic 3x² - 2x + 7, central", of_square).line, narrow.line};
  if (lesson.options().settings.turned()) {
    chart.series.push_back({"this δ", {step, step}, {in_double(step), in_float(step)}, true});
    lesson.note("With δ = ", significant(step, 2), " the central difference errs by ", significant(in_double(step), 2),
                ", in float by ", significant(in_float(step), 2), ".");
  }
  lesson.figure("gradient_check", chart);
  lesson.show(Table{{"slope", "least relative error", "at δ"}, {one.row(), two.row(), narrow.row()}});
  // The minimum is flat: theory gives (3ε·|f|/|f'''|)^(1/3), and for the root mean square of these places that is
  // within a factor 4 of ε^(1/3).
  lesson.claim_usual("the best central step", one.at, between(6.1e-6 / 4, 6.1e-6 * 4));
  // By theory some ε^(2/3) = 4e-11 and ε^(4/5) = 3e-13.
  lesson.claim_usual("its error", one.least, at_most(1e-10));
  lesson.claim_usual("two steps combined: best error", two.least, at_most(1e-12));
  // A few roundings of size ε; and far out f is about 3δ², and its error ε·|f|/(δ·|f'|).
  lesson.claim_usual("quadratic with δ = 1", of_square(1), at_most(1e-14));
  lesson.claim_usual("quadratic with δ = 1e8", of_square(1e8), between(1e-9, 1e-6));
}

extern const Part<Pool> part4(4, "How a gradient check works", run, "Which step errs least, and in which numbers?",
                              {&power, &function, &place});

}  // namespace lesson1
