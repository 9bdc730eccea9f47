// Lesson 3, part 3: product layers checked, and one product of one input.
// SPDX-License-Identifier: MIT
#include "common/frame/plot/scene.hpp"
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3::p3 {

constexpr knob::Numbers first{
    "p", "the first factor, P = W·x + b", {1, 1}, {-3, 3, 0.25}, {"W", "b"}};
constexpr knob::Numbers second{"q", "the second, Q = V·x + c", {1, -1}, {-3, 3, 0.25}, {"V", "c"}};

using plot::Scene, plot::short_number, plot::Spot, plot::Tone, plot::Type;

// A line, of a weight and a bias.
struct Line {
  double weight, bias;

  double operator()(double x) const { return weight * x + bias; }
  bool crosses() const { return weight != 0 && std::abs(zero()) < 3; }
  double zero() const { return -bias / weight; }

  std::string words() const {
    const std::string size = std::abs(weight) == 1 ? "" : short_number(std::abs(weight)) + "·";
    const std::string of_x = weight == 0 ? "" : (weight < 0 ? "−" : "") + size + "x";
    if (of_x.empty() || bias == 0) return of_x.empty() ? short_number(bias) : of_x;
    return join(of_x, bias < 0 ? " − " : " + ", short_number(std::abs(bias)));
  }
};

// The plane from -3 to 3 and from -6 to 6.
constexpr double left = 24, wide = 440, tall = 260, reach = 3, limit = 6;
static Spot place(double x, double y) {
  return {left + wide * (x + reach) / (2 * reach), 8 + tall * (limit - y) / (2 * limit)};
}

// Shades where the factors' signs agree or differ, and writes them on top.
static void draw_signs(Scene& scene, const Line& P, const Line& Q) {
  std::vector<double> ends{-reach, reach};
  for (const Line& line : {P, Q})
    if (line.crosses()) ends.push_back(line.zero());
  std::sort(ends.begin(), ends.end());
  const auto sign = [](double number) { return number > 0 ? "+" : number < 0 ? "−" : "0"; };
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const double middle = (ends[k] + ends[k + 1]) / 2, product = P(middle) * Q(middle);
    const Spot corner = place(ends[k], limit);
    const double width = place(ends[k + 1], 0).x - corner.x;
    const Tone tone = product < 0 ? Tone::minus : Tone::value;
    if (product != 0) scene.band(corner, {width, tall}, tone, 0);
    if (width > 44)
      scene.text({corner.x + width / 2, corner.y + 20},
                 join(sign(P(middle)), " · ", sign(Q(middle))), {.tone = tone, .strong = true});
  }
}

// A line with its name close to its left end, on the side that it leaves.
static void draw_line(Scene& scene, const std::string& name, const Line& line) {
  plot::Path path;
  for (double x = -reach; x <= reach + 1e-9; x += 0.05)
    if (std::abs(line(x)) <= limit) path.push_back(place(x, line(x)));
  if (path.empty()) return;
  scene.curve(path, {Tone::ink, 2.2});
  const bool below = line.weight > 0;
  const double y = std::max(path[0].y + (below ? 15 : -6), 24.0);
  scene.text({path[0].x + 6, y}, join(name, " = ", line.words()),
             {.anchor = "start", .clear = true});
  if (line.crosses()) scene.dot(place(line.zero(), 0), 5, Tone::value);
}

static void draw_product(Scene& scene, const Line& P, const Line& Q) {
  plot::Path path;
  for (double x = -reach; x <= reach + 1e-9; x += 0.05)
    if (std::abs(P(x) * Q(x)) <= limit) path.push_back(place(x, P(x) * Q(x)));
  if (path.size() > 1) scene.curve(path, {Tone::value, 4});
}

// At one x the heights multiply.
static void draw_heights(Scene& scene, const Line& P, const Line& Q) {
  constexpr double x = 1.5;
  const double p = P(x), q = Q(x), h = p * q;
  const double high = std::max({p, q, h, 0.0}), low = std::min({p, q, h, 0.0});
  if (high > limit || low < -limit) return;
  scene.line(place(x, high), place(x, low), {.tone = Tone::ink, .dashed = true});
  scene.dot(place(x, p), 4, Tone::ink);
  scene.dot(place(x, q), 4, Tone::ink);
  scene.dot(place(x, h), 6, Tone::value);
  const Spot corner = place(reach, -limit);
  scene.text({corner.x - 6, corner.y - 30}, "at x = 1.5", {.anchor = "end", .clear = true});
  scene.text({corner.x - 6, corner.y - 10},
             join(short_number(p), " · ", short_number(q), " = ", short_number(h)),
             {Tone::value, "end", true, false, true});
}

static Scene parabola(const Line& P, const Line& Q) {
  Scene scene("A product of two lines is one parabola");
  draw_signs(scene, P, Q);
  scene.line(place(-reach, 0), place(reach, 0), {.width = 1});
  draw_line(scene, "P", P);
  draw_line(scene, "Q", Q);
  draw_product(scene, P, Q);
  draw_heights(scene, P, Q);
  const Spot corner = place(-reach, -limit);
  scene.text({corner.x + wide / 2, corner.y - 10}, "H = P·Q",
             {Tone::value, "middle", true, false, true});
  for (const double x : {-3.0, 0.0, 3.0})
    scene.text({place(x, 0).x, corner.y + 19}, short_number(x), {.tone = Tone::soft});
  for (const Line& line : {P, Q})
    if (line.crosses() && std::abs(std::remainder(line.zero(), 3)) > 0.5)
      scene.text({place(line.zero(), 0).x, corner.y + 19}, short_number(line.zero()),
                 {.tone = Tone::value});
  scene.end(corner.y + 22);
  return scene;
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::vector<double> p = at[first], q = at[second];
  const auto P = [&](double x) { return p[0] * x + p[1]; };
  const auto Q = [&](double x) { return q[0] * x + q[1]; };
  const auto H = [&](double x) { return P(x) * Q(x); };
  lesson.figure("parabola", parabola({p[0], p[1]}, {q[0], q[1]}));
  plot::Chart chart{.title = "One product of one input"};
  chart.x = {.title = "x", .low = -3, .high = 3};
  chart.y = {.title = "P, Q and H = P·Q", .low = -6, .high = 6};
  chart.series = {plot::curve("H", -3, 3, 0.05, H), plot::curve("P", -3, 3, 6, P),
                  plot::curve("Q", -3, 3, 6, Q)};
  // At 0 a line is its bias, at 1 that and its weight.
  chart.grips = {{0, p[1], "", "p:1 y 1 0"},
                 {1, P(1), "", join("p:0 y 1 ", -p[1])},
                 {0, q[1], "", "q:1 y 1 0"},
                 {1, Q(1), "", join("q:0 y 1 ", -q[1])}};
  lesson.figure("product", chart);
  const double slope = p[0] * Q(1) + P(1) * q[0];
  lesson.note("At x = 1 the factors are P = ", P(1), " and Q = ", Q(1), "; H is ", H(1) + 0.0,
              ", and its slope W·Q + P·V is ", slope + 0.0, ".");
  // Central differences of a parabola are exact but for roundings of numbers near 100.
  lesson.claim("the slope at x = 1 and by differences, |diff|", std::abs(slope - (H(2) - H(0)) / 2),
               at_most(1e-12));
  Random random(lesson.options().seed, 33);
  const Sizes sizes{4, 8, 3};
  claim_gradients(lesson, "product layer: every gradient entry", Product<double>(sizes), random);
  claim_gradients(lesson, "W1 + mean(x)·U1: every gradient entry", GatedMean<double>(sizes),
                  random);
}

}  // namespace lesson3::p3

const Part<lesson3::Session> lesson3::part3{
    .number = 3,
    .title = "Real products",
    .question = "Which curves can one product of one input be?",
    .run = p3::run,
    .knobs = {&p3::first, &p3::second}};
