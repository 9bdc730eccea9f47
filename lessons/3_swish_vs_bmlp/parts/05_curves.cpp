// Lesson 3, part 5: what one product layer, in one input a parabola, sees of a curve.
// SPDX-License-Identifier: MIT
#include "common/frame/formula/formula.hpp"
#include "common/frame/plot/scene.hpp"
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3::p5 {

constexpr knob::Choice function{
    "f", "the curve", {"sin", "cos", "bump", "log", "tanh", "square", "cube", "exp"}};
constexpr knob::Words own{"own", "or one of your own, such as tanh(2·x) - x²/8"};
constexpr knob::Real centre{"centre", "the middle of the interval of inputs", 0, {-3, 3, 0.05}};
constexpr knob::Real half{"half", "half the width of that interval", 3, {0.1, 4, 0.05}};

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

using plot::Scene, plot::Spot, plot::Tone;

constexpr std::size_t units = 3, places = 121;
constexpr std::uint64_t drawing = 2476;  // a seed whose products are all in sight
constexpr double left = 12, wide = 330, top = 6, tall = 230;  // of the plane

// Products of lines drawn at random, as the best read-out weighs them, and their sum.
struct Summed {
  Matrix<double> x, y, sum, products;  // places x 1, and x units

  double low() const { return x(0, 0); }
  double high() const { return x(places - 1, 0); }
};

static Summed summed(const Curved& curve, double middle, double half_width) {
  Summed s{Matrix<double>(places, 1), Matrix<double>(places, 1), {}, Matrix<double>(places, units)};
  Matrix<double> u(places, 1);
  for (std::size_t i = 0; i < places; ++i) {
    u(i, 0) = 2 * double(i) / (places - 1) - 1;
    s.x(i, 0) = middle + half_width * u(i, 0);
    s.y(i, 0) = curve.f(s.x(i, 0));
  }
  Random random(drawing);
  HiddenProducts<double> layer(1, units);
  fill_normal(layer.tensors(), random);
  HiddenProducts<double>::Trace t;
  s.products = layer.forward(u, t);
  const Matrix<double> W2 = least_squares(s.products, s.y);
  s.sum = matmul(s.products, W2);
  for (std::size_t i = 0; i < places; ++i)
    for (std::size_t k = 0; k < units; ++k) s.products(i, k) *= W2(k, 0);
  return s;
}

// Draws what is inside the plane, in pieces.
static void draw_curve(Scene& scene, const Matrix<double>& of, std::size_t column, double limit,
                       const plot::Pen& pen) {
  plot::Path path;
  const auto end = [&] {
    if (path.size() > 1) scene.curve(path, pen);
    path.clear();
  };
  for (std::size_t i = 0; i < places; ++i) {
    const double y = of(i, column);
    if (std::abs(y) > limit) end();
    else
      path.push_back(
          {left + wide * double(i) / (places - 1), top + tall * (limit - y) / (2 * limit)});
  }
  end();
}

static Scene sum_of_products(const Curved& curve, const Summed& s) {
  Scene scene("Sums of products cannot wave");
  const double limit = 1.7 * std::max(largest_entry(s.y), 1e-100);
  const auto height = [&](double y) {
    return top + tall * (limit - std::clamp(y, -limit, limit)) / (2 * limit);
  };
  scene.line({left, height(0)}, {left + wide, height(0)}, {.width = 1});
  for (std::size_t k = 0; k < units; ++k)
    draw_curve(scene, s.products, k, limit, {Tone::soft, 1.3});
  draw_curve(scene, s.y, 0, limit, {Tone::ink, 2.2});
  draw_curve(scene, s.sum, 0, limit, {Tone::value, 4});
  const double at_curve = height(s.y(places - 1, 0)), at_sum = height(s.sum(places - 1, 0));
  const double least = at_curve <= at_sum ? 21 : 44;  // the sum's name has two lines
  const auto ends = plot::pushed_apart({at_curve, at_sum}, least, top, top + tall - 24);
  const double of_curve = ends[0], of_sum = ends[1];
  const double right = left + wide + 10;
  scene.text({right, of_curve + 5}, curve.name, {.anchor = "start", .strong = true});
  scene.text({right, of_sum + 5}, "their sum", {Tone::value, "start", true});
  scene.text({right, of_sum + 24}, join("R² ", fixed(r_squared(s.sum, s.y), 2)),
             {Tone::value, "start"});
  scene.text({left + 4, top + tall - 6}, "three products",
             {Tone::soft, "start", false, false, true});
  const double foot = top + tall + 19;
  scene.text({left, foot}, plot::short_number(s.low()), {Tone::soft, "start"});
  scene.text({left + wide, foot}, plot::short_number(s.high()), {Tone::soft, "end"});
  scene.end(foot + 4);
  return scene;
}

// A parabola gains nothing of sin 2x when inputs lie evenly around 0.
static void run(Lesson& lesson, Session&, const knob::Settings&) {
  lesson.figure("sum", sum_of_products(curves[0], summed(curves[0], 0, suite_range)));
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
      plot::curve("parabola", middle - range, middle + range, range / 40, parabola));
  chart.grips = {{middle, parabola(middle), "", "centre x 1 0"},
                 {middle - range, parabola(middle - range), "", join("half x -1 ", middle)},
                 {middle + range, parabola(middle + range), "", join("half x 1 ", -middle)}};
  lesson.picture("interval", chart);
  lesson.figure("sum", sum_of_products(curve, summed(curve, middle, range)));
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
