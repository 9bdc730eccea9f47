// Lesson 1, part 4: how a gradient check errs, and which step is best.
// SPDX-License-Identifier: MIT
#include "common/frame/plot/scene.hpp"
#include "lessons/1_math_refresh/lesson.hpp"

namespace lesson1::p4 {

constexpr knob::Real power{"log-delta", "log10 of the step δ: -5 is 1e-5", 0, {-12, 0, 0.25}};
constexpr knob::Choice function{"function", "f", {"cubic", "tanh", "sine", "quadratic"}};
constexpr knob::Real place{"x", "where the slope is taken", 2, {-3, 3, 0.1}};

using plot::Scene, plot::short_number, plot::Spot, plot::Tone;

using Function = double (*)(double);

struct Checked {
  Function f;
  Function prime;
  const char* formula;
};
constexpr Checked of_tanh{tanh_activation.value, tanh_prime, "tanh x"};
constexpr Checked of_quadratic{[](double x) { return 3 * x * x - 2 * x + 7; },
                               [](double x) { return 6 * x - 2; }, "3x² − 2x + 7"};
const Checked functions[] = {
    {[](double x) { return x * x * x; }, [](double x) { return 3 * x * x; }, "x³"},
    of_tanh,
    {[](double x) { return std::sin(x); }, [](double x) { return std::cos(x); }, "sin x"},
    of_quadratic,
};
static_assert(function.choices.count == std::size(functions));

// (f(x + δ) - f(x - δ)) / 2δ   (1.9)
static double central(Function f, double x, double step) {
  return (f(x + step) - f(x - step)) / (2 * step);
}

// Two central differences whose δ² errors cancel: what common/gradcheck.hpp uses.   (1.9)
static double extrapolated(Function f, double x, double step) {
  return (4 * central(f, x, step / 2) - central(f, x, step)) / 3;
}

// The curve within 1.5 of x, and what the picture measures there.
struct Poles {
  Function f;
  const char* formula;
  double x, step, chord, tangent;  // two slopes

  double on_chord(double at) const { return (f(x + step) + f(x - step)) / 2 + chord * (at - x); }
  double side() const { return chord >= 0 ? 1 : -1; }  // of the higher pole
  double half() const { return std::max(step, seen); }
  static constexpr double seen = 0.6;
  double on_tangent(double at) const { return f(x) + tangent * (at - x); }
};

// A plane that holds the curve, both poles, which stand on height 0, and the tangent's middle.
class Plane {
 public:
  explicit Plane(const Poles& p) : x_(p.x) {
    for (double at = -reach; at <= reach; at += 0.05) take(p.f(p.x + at));
    take(p.on_tangent(p.x + p.side() * p.half()));
    take(p.on_tangent(p.x - p.side() * Poles::seen));
    take(0);
    if (high_ - low_ < 1e-3) high_ = low_ + 1e-3;
  }
  Spot place(double x, double y) const {
    return {left + wide * (x - x_ + reach) / (2 * reach),
            top + tall * (high_ - y) / (high_ - low_)};
  }
  double bottom() const { return top + tall; }

  static constexpr double reach = 1.5, left = 24, wide = 440, top = 34, tall = 250;

 private:
  void take(double y) {
    low_ = std::min(low_, y);
    high_ = std::max(high_, y);
  }
  double x_, low_ = HUGE_VAL, high_ = -HUGE_VAL;
};

static Scene picture_of(const Poles& p) {
  const std::string chord = significant(p.chord, 5), tangent = significant(p.tangent, 5);
  Scene scene(join("The poles measure ", chord, ", the slope is ", tangent));
  const Plane plane(p);
  const double from = p.x - p.step, to = p.x + p.step, ground = plane.place(p.x, 0).y,
               bottom = plane.bottom();
  scene.text({16, 6}, join("f(x) = ", p.formula, ", δ = ", significant(p.step, 2)),
             {.tone = Tone::soft, .anchor = "start"});
  scene.line({Plane::left, ground}, {Plane::left + Plane::wide, ground}, {.width = 1});
  plot::Path path;
  for (double at = -Plane::reach; at <= Plane::reach + 1e-9; at += 0.05)
    path.push_back(plane.place(p.x + at, p.f(p.x + at)));
  scene.curve(path, {Tone::ink, 2.2});
  // The lines reach as far as the poles, or far enough to be seen; the tangent not where it is low.
  const double side = p.side(), half = p.half(), high = p.x + side * half,
               low = p.x - side * Poles::seen;
  scene.line(plane.place(low, p.on_tangent(low)), plane.place(high, p.on_tangent(high)),
             {Tone::ink, 1.3});
  scene.line(plane.place(p.x - half, p.on_chord(p.x - half)),
             plane.place(p.x + half, p.on_chord(p.x + half)), {Tone::gradient, 4});
  for (const double at : {from, to}) {
    const Spot top = plane.place(at, p.f(at));
    scene.line({top.x, ground}, top, {Tone::value, 3});
    scene.dot(top, 5, Tone::value);
  }
  const Spot here = plane.place(p.x, p.f(p.x));
  scene.dot(here, 5);
  // Words stand at the higher end, right of a curve that rises.
  const char *const inward = side > 0 ? "end" : "start", *const outward =
                                                             side > 0 ? "start" : "end";
  const Spot end = plane.place(high, p.on_chord(high)),
             below = plane.place(high, p.on_tangent(high));
  scene.text({end.x - 18 * side, end.y + 4}, join("slope from pole to pole: ", chord),
             {Tone::gradient, inward, true, false, true});
  scene.text({below.x + 8 * side, below.y + 18}, join("at x: ", tangent),
             {.tone = Tone::ink, .anchor = outward, .clear = true});
  if (plane.place(to, 0).x - plane.place(from, 0).x > 120)
    for (const double sign : {-1.0, 1.0}) {
      const double at = p.x + sign * p.step;
      const Spot top = plane.place(at, p.f(at));
      scene.text({top.x, bottom + 19}, sign < 0 ? "x − δ" : "x + δ", {.tone = Tone::value});
      scene.text({top.x + 9 * sign, sign == side ? top.y + 15 : top.y - 7}, short_number(p.f(at)),
                 {Tone::value, sign < 0 ? "end" : "start", true});
    }
  scene.text({here.x, bottom + 19}, join("x = ", short_number(p.x)), {.tone = Tone::soft});
  scene.end(bottom + 24);
  return scene;
}

static void scene(Lesson& lesson, Pool&, const knob::Settings& at) {
  const auto [f, prime, formula] = functions[at[function]];
  const double x = at[place], step = std::pow(10, at[power]);
  const double slope = central(f, x, step), right = prime(x);
  lesson.figure("poles", picture_of(Poles{f, formula, x, step, slope, right}));
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

static void run(Lesson& lesson, Pool& pool, const knob::Settings& at) {
  scene(lesson, pool, at);
  const auto quadratic = [](double step) { return error_of(central, of_quadratic, step); };
  const Valley one =
      valley_of("tanh", [](double step) { return error_of(central, of_tanh, step); });
  const Valley two =
      valley_of("tanh, 2 steps", [](double step) { return error_of(extrapolated, of_tanh, step); });
  lesson.say(
      "Which step δ errs least, and by how much? (Means over 200 places x from 0.5 to 1.5.)");
  lesson.predict("At which δ does the error of tanh's central difference turn upwards?", one.at,
                 {.times = 3});
  lesson.figure("gradient_check",
                plot::Chart{.title = "A small step rounds, a large one bends",
                            .x = {.title = "step δ to either side", .log = true},
                            .y = {.title = "error of the measured slope, relative", .log = true},
                            .series = {one.line, two.line, valley_of("quadratic", quadratic).line},
                            .notes = {{1e-4, 5e-3, "the curve bends"}, {1e-9, 5e-3, "rounding"}}});
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
