// Lesson 1, part 4: how a gradient check errs, and which step is best.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/lesson.hpp"

namespace lesson1::p4 {

constexpr knob::Real power{"log-delta", "log10 of the step δ: -5 is 1e-5", 0, {-12, 0, 0.25}};
constexpr knob::Choice function{"function", "f", {"cubic", "tanh", "sine", "quadratic"}};
constexpr knob::Real place{"x", "where the slope is taken", 2, {-3, 3, 0.1}};

using Function = double (*)(double);

struct Checked {
  Function f;
  Function prime;
};
constexpr Checked of_tanh{tanh_activation.value, tanh_prime};
constexpr Checked of_quadratic{[](double x) { return 3 * x * x - 2 * x + 7; },
                               [](double x) { return 6 * x - 2; }};
const Checked functions[] = {
    {[](double x) { return x * x * x; }, [](double x) { return 3 * x * x; }},
    of_tanh,
    {[](double x) { return std::sin(x); }, [](double x) { return std::cos(x); }},
    of_quadratic,
};
static_assert(function.choices.count == std::size(functions));

// (f(x + δ) - f(x - δ)) / 2δ   (1.11)
static double central(Function f, double x, double step) {
  return (f(x + step) - f(x - step)) / (2 * step);
}

// Two central differences whose δ² errors cancel: what common/gradcheck.hpp uses.   (1.11)
static double extrapolated(Function f, double x, double step) {
  return (4 * central(f, x, step / 2) - central(f, x, step)) / 3;
}

static void scene(Lesson& lesson, Pool&, const knob::Settings& at) {
  const auto [f, prime] = functions[at[function]];
  const double x = at[place], step = std::pow(10, at[power]);
  const double slope = central(f, x, step), right = prime(x);
  const auto line = [f = f, x, step, slope](double to) {
    return (f(x + step) + f(x - step)) / 2 + slope * (to - x);
  };
  lesson.picture(
      "difference",
      plot::Chart{
          .title = "A slope by the central difference",
          .x = {.title = "x"},
          .y = {.title = "f(x)"},
          .series = {plot::curve("f", x - 1.5, x + 1.5, 0.05, f),
                     {"the line through f(x - δ) and f(x + δ)",
                      {x - 1.5, x + 1.5},
                      {line(x - 1.5), line(x + 1.5)}},
                     {"x - δ and x + δ", {x - step, x + step}, {f(x - step), f(x + step)}, true}},
          .grips = {{x, f(x), "", "x x 1 0"}}});
  lesson.say("With δ = ", significant(step, 2), " the difference of the ", at.name_of(function),
             " at ", x, " is ", significant(slope, 15), ", its slope is ", significant(right, 15),
             ", and the error is ", significant(slope - right, 2), ".");
}

// Returns the root mean square error over 200 places, relative to the slope's own.
static double error_of(double (*difference)(Function, double, double), const Checked& of,
                       double step) {
  constexpr int places = 200;
  double errors = 0, slopes = 0;
  for (int k = 0; k < places; ++k) {
    const double x = 0.5 + k / double(places), slope = of.prime(x);
    const double error = difference(of.f, x, step) - slope;
    errors += error * error;
    slopes += slope * slope;
  }
  return std::sqrt(errors / slopes);
}

// The error against the step, a U, and its lowest point.
struct Valley {
  plot::Series line;
  double least = HUGE_VAL;
  double at = 0;

  std::vector<std::string> row() const {
    return {line.name, significant(least, 2), significant(at, 2)};
  }
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

static void run(Lesson& lesson, Pool&, const knob::Settings&) {
  const auto quadratic = [](double step) { return error_of(central, of_quadratic, step); };
  const Valley one =
      valley_of("tanh, central", [](double step) { return error_of(central, of_tanh, step); });
  const Valley two = valley_of("tanh, two steps",
                               [](double step) { return error_of(extrapolated, of_tanh, step); });
  lesson.say(
      "Which step δ errs least, and by how much? (Means over 200 places x from 0.5 to 1.5.)");
  lesson.predict("At which δ does the error of tanh's central difference turn upwards?", one.at,
                 {.times = 3});
  lesson.figure(
      "gradient_check",
      plot::Chart{.title = "Relative error against the step δ",
                  .x = {.title = "step δ", .log = true},
                  .y = {.title = "relative error", .log = true},
                  .series = {one.line, two.line,
                             valley_of("quadratic 3x² - 2x + 7, central", quadratic).line}});
  lesson.show(Table{{"slope", "least relative error", "at δ"}, {one.row(), two.row()}});
  // Theory gives (3ε·|f|/|f'''|)^(1/3), which with root mean squares over these places is within a
  // factor 4 of ε^(1/3).
  lesson.claim("the best central step", one.at, between(6.1e-6 / 4, 6.1e-6 * 4));
  // By theory some ε^(2/3) = 4e-11 and ε^(4/5) = 3e-13. One-sided differences err by ε^(1/2).
  lesson.claim("the error at that step", one.least, between(4e-12, 1e-10));
  lesson.claim("two steps combined: the least error", two.least, at_most(1e-12));
  lesson.claim("x³ at 2 with δ = 1", central(functions[0].f, 2, 1), exactly(13));
  lesson.claim("x³ at 2 with δ = 0.1", central(functions[0].f, 2, 0.1), within(12.01, 1e-12));
  // A few roundings of size ε; and far out f is about 3δ², and its error ε·|f|/(δ·|f'|).
  lesson.claim("quadratic with δ = 1", quadratic(1), at_most(1e-14));
  lesson.claim("quadratic with δ = 1e8", quadratic(1e8), between(1e-9, 1e-6));
}

}  // namespace lesson1::p4

const Part<Pool> lesson1::part4{.number = 4,
                                .title = "How a gradient check works",
                                .question = "Which step errs least?",
                                .run = p4::run,
                                .scene = p4::scene,
                                .knobs = {&p4::power, &p4::function, &p4::place}};
