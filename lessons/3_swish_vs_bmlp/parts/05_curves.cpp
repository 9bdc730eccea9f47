// Lesson 3, part 5: what one product layer, in one input a parabola, sees of a curve.
// SPDX-License-Identifier: MIT
#include "common/frame/formula/formula.hpp"
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3::p5 {

constexpr knob::Choice function{
    "f", "the curve", {"sin", "cos", "bump", "log", "tanh", "square", "cube", "exp"}};
constexpr knob::Words own{"own", "or one of your own, such as tanh(2·x) - x²/8"};
constexpr knob::Real centre{"centre", "the middle of the interval of inputs", 0, {-3, 3, 0.05}};
constexpr knob::Real half{"half", "half the width of that interval", 3, {0.1, 4, 0.05}};

// A parabola gains nothing of sin 2x when inputs lie evenly around 0.
static void run(Lesson& lesson, Session&, const knob::Settings&) {
  const auto sine = [](double x) { return std::sin(2 * x); };
  const double line = fit_polynomial(sine, 0, suite_range, 1).r2,
               parabola = fit_polynomial(sine, 0, suite_range, 2).r2;
  const double quarter = std::numbers::pi / 4;  // on [0, π/2]
  const double arch_line = fit_polynomial(sine, quarter, quarter, 1).r2,
               arch = fit_polynomial(sine, quarter, quarter, 2).r2;
  lesson.predict("What is R² of the best parabola for sin 2x on [-3, 3], from 0 to 1?", parabola,
                 {.plus = 0.05});
  lesson.say("For sin 2x on [-3, 3] the best parabola has R² ", fixed(parabola, 4),
             ", and the best line ", fixed(line, 4), ". On [0, π/2] they have ", fixed(arch, 4),
             " and ", fixed(arch_line, 4), ".");
  lesson.claim("sin 2x around 0: a parabola gains nothing over a line", parabola - line,
               at_most(1e-10));
  lesson.claim("sin 2x on [-3, 3]: R² of the parabola", parabola, within(0.1617, 1e-4));
  lesson.claim("sin 2x on [0, π/2]: R² of the line", arch_line, at_most(1e-4));
  lesson.claim("sin 2x on [0, π/2]: R² of the parabola", arch, within(0.9969, 1e-4));
}

enum class Symmetry { other, odd };
struct Curved {
  std::string name;
  std::function<double(double x)> f;
  Symmetry symmetry = Symmetry::other;
};
constexpr double drawn = 7;  // from -7 to 7
static const Curved curves[] = {
    {"sin 2x", [](double x) { return std::sin(2 * x); }, Symmetry::odd},
    {"cos 1.5x", [](double x) { return std::cos(1.5 * x); }},
    {"2·exp(-x²)", bump},
    {"log(|x| + 1)", [](double x) { return std::log(std::abs(x) + 1); }},
    {"tanh x", [](double x) { return std::tanh(x); }, Symmetry::odd},
    {"x²/4", [](double x) { return x * x / 4; }},
    {"x³/16", [](double x) { return x * x * x / 16; }, Symmetry::odd},
    {"exp(x)/8", [](double x) { return std::exp(x) / 8; }}};

// Reads a curve in the notation of the READMEs. Throws UserError unless it has a value at every x
// that is drawn, and not one value everywhere.
static Curved own_curve(const std::string& text) {
  const formula::Node tree = blame(own.flag(), [&] { return formula::expression(text); });
  const auto f = [tree](double x) {
    const formula::Scope scope{{{"x", x}}, {}};
    const formula::Value value = blame(own.flag(), [&] { return scope(tree); });
    if (!value.is_number() || !std::isfinite(value.numbers[0]))
      throw UserError(join(own.flag(), ": no number at x = ", x));
    return value.numbers[0];
  };
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (double x = -drawn; x <= drawn; x += 0.05) {
    low = std::min(low, f(x));
    high = std::max(high, f(x));
  }
  // Of a smaller difference rounding would be the largest part, or its square would underflow.
  if (high - low <= std::max(1e-6 * std::max(std::abs(low), std::abs(high)), 1e-100))
    throw UserError(own.flag() + ": this is all but the same everywhere");
  return {text, f};
}

static void scene(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::string typed = at[own];
  const Curved curve = typed.empty() ? curves[at[function]] : own_curve(typed);
  const double middle = at[centre], range = at[half];
  plot::Chart chart{.title = curve.name + ", its best line and parabola"};
  chart.x = {.title = "x", .low = -drawn, .high = drawn};
  chart.y = {.title = "y", .low = -2, .high = 4};
  chart.series = {plot::curve(curve.name, -drawn, drawn, 0.05, curve.f)};
  const Polynomial line = fit_polynomial(curve.f, middle, range, 1),
                   parabola = fit_polynomial(curve.f, middle, range, 2);
  const double fourth = fit_polynomial(curve.f, middle, range, 4).r2;
  chart.series.push_back(plot::curve("line", middle - range, middle + range, range / 40, line));
  chart.series.push_back(
      plot::curve("parabola, one product", middle - range, middle + range, range / 40, parabola));
  chart.grips = {{middle, parabola(middle), "", "centre x 1 0"},
                 {middle - range, parabola(middle - range), "", join("half x -1 ", middle)},
                 {middle + range, parabola(middle + range), "", join("half x 1 ", -middle)}};
  lesson.picture("interval", chart);
  lesson.say("The best line has R² ", fixed(line.r2, 4),
             ", the best parabola, which one product can be, ", fixed(parabola.r2, 4),
             ", and the best polynomial of degree 4, which two layers can be, ", fixed(fourth, 4),
             ".");
  // Sums of 4,000 terms; where the curve hardly varies, rounding is 1e-8 of its variance.
  lesson.claim("no polynomial explains more than all: R² of degree 4", fourth, at_most(1 + 1e-7));
  if (curve.symmetry == Symmetry::odd && middle == 0)
    lesson.claim("an odd curve around 0: what the parabola gains", parabola.r2 - line.r2,
                 at_most(1e-10));
}

}  // namespace lesson3::p5

const Part<lesson3::Session> lesson3::part5{
    .number = 5,
    .title = "What a parabola sees of a curve",
    .question = "On which inputs is one product better than a straight line?",
    .run = p5::run,
    .scene = p5::scene,
    .knobs = {&p5::function, &p5::own, &p5::centre, &p5::half}};
