// Lesson 1, part 0: the question, one neuron, and a value used twice.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/lesson.hpp"
#include "lessons/1_math_refresh/strips.hpp"

namespace lesson1::p0 {

constexpr knob::Real rate{
    "rate", "how far a step goes, as a multiple of the slope", 0.05, {0, 0.25, 0.005}};
constexpr knob::Real weight{"w", "the neuron's weight at the start", 0, {-5, 5, 0.25}};
constexpr knob::Real bias{"b", "the neuron's bias at the start", 0, {-5, 5, 0.25}};
constexpr knob::Real input{"x", "the input of the only example", 2, {-4, 4, 0.25}};
constexpr knob::Real wanted{"target", "what the neuron should answer", 6, {-10, 10, 0.5}};
constexpr knob::Numbers nodes{
    "graph", "two numbers, of which a is used twice", {2, 3}, {-4, 4, 0.5}, {"a", "b"}};

using plot::Fill, plot::Scene, plot::short_number, plot::Spot, plot::Tone;

// Draws seven ReLU networks that differ only in scale; the middle one is level.
static void opening(Lesson& lesson) {
  constexpr std::size_t layers = 50, width = 256;
  Random random(lesson.options().seed, 509);
  const auto unit = unit_weights(std::vector<std::size_t>(layers + 1, width), random);
  const auto X = normal_matrix<double>(4, width, 1, random);
  const auto strips =
      seven_strips(unit, relu_activation, X, [](double in, double) { return 2 / in; });
  lesson.figure("opening", picture_of(strips));
  const auto last = [&](std::size_t k) { return strips[k].moments.back(); };
  // A layer more or less would change this by ln 1.3 = .26.
  lesson.claim("seven networks: ln of the ratio of neighbours after fifty layers, 50·ln 1.3",
               std::log(last(0) / last(6)) / 6, within(50 * std::log(1.3), 1e-12));
  // By (1.17) -0.5 ± 1.0, so four and a half standard deviations; the neighbours end at 13 and -13.
  lesson.claim("the middle network: ln of its mean square", std::log(last(3)), within(-0.5, 4.5));
}

// Where the nodes of the graph stand, in each half of its picture.
constexpr Spot place_a{50, 58}, place_b{50, 136}, place_p{222, 136}, place_q{345, 58},
    place_r{445, 58};
constexpr double half_node = 24, graph_back_from = 190;

struct GraphHalf {
  Scene& scene;
  double top;
  Tone tone;
  Fill fill;
  double most;  // the largest flow

  void node(Spot at, const char* name, double number, bool stored) const {
    const bool below = at.y > 100;
    scene.cell({.corner = {at.x - half_node, top + at.y - 14},
                .size = {2 * half_node, 28},
                .words = short_number(number),
                .fill = stored ? Fill::stored : fill,
                .round = stored ? 0.0 : 9.0});
    scene.text({at.x, top + at.y + (below ? 33 : -21)}, name, {.slant = true});
  }
  // From box to box; what is multiplied on the way stands upon it.
  void flow(Spot from, Spot to, double size, const std::string& words = "") const {
    const double side = to.x > from.x ? half_node + 3 : -half_node - 3;
    const Spot a{from.x + side, top + from.y}, b{to.x - side, top + to.y};
    if (size == 0) scene.line(a, b, {.width = 1, .dashed = true});
    else scene.arrow(a, b, {tone, plot::width_of_flow(size, most)});
    if (!words.empty()) scene.chip({(a.x + b.x) / 2, (a.y + b.y) / 2}, words, {.tone = tone});
  }
};

static Scene picture_of(const Graph& graph) {
  Scene scene("Used twice, a collects two slopes");
  const double through_p = graph.dp * graph.b;
  const double values = std::max({std::abs(graph.a), std::abs(graph.p), std::abs(graph.q), 1e-9});
  const double slopes = std::max({std::abs(graph.dq), std::abs(through_p), std::abs(graph.db)});
  const GraphHalf forward{scene, 0, Tone::value, Fill::value, 4 * values};
  const GraphHalf back{scene, graph_back_from, Tone::gradient, Fill::gradient, slopes};
  scene.text({16, 14}, "Forward: values", {Tone::value, "start", true});
  forward.flow(place_a, place_q, graph.a);
  forward.flow(place_a, place_p, graph.a);
  forward.flow(place_b, place_p, graph.b);
  forward.flow(place_p, place_q, graph.p);
  forward.flow(place_q, place_r, graph.q);
  scene.line({16, 181}, {470, 181}, {});
  scene.text({16, graph_back_from + 14}, "Back: how far each moves r",
             {Tone::gradient, "start", true});
  back.flow(place_r, place_q, graph.dq);
  back.flow(place_q, place_a, graph.dq, short_number(graph.dq));
  back.flow(place_q, place_p, graph.dp);
  back.flow(
      place_p, place_a, through_p,
      join(short_number(graph.b), "·", short_number(graph.dp), " = ", short_number(through_p)));
  back.flow(place_p, place_b, graph.db, join(short_number(graph.a), "·", short_number(graph.dp)));
  const auto draw = [](const GraphHalf& half, double a, double b, double p, double q, double r,
                       bool gradients) {
    half.node(place_a, gradients ? "" : "a", a, !gradients);
    half.node(place_b, gradients ? "db" : "b", b, !gradients);
    half.node(place_p, gradients ? "dp" : "p = a·b", p, false);
    half.node(place_q, gradients ? "dq" : "q = a + p", q, false);
    half.node(place_r, gradients ? "dr" : "r = q²", r, false);
  };
  draw(forward, graph.a, graph.b, graph.p, graph.q, graph.r, false);
  draw(back, graph.da, graph.db, graph.dp, graph.dq, 1, true);
  scene.text({16, graph_back_from + 36},
             join("da = ", short_number(graph.dq), " + ", short_number(through_p)),
             {Tone::gradient, "start", true});
  scene.end(graph_back_from + 176);
  return scene;
}

// Since r is quadratic in a and in b, moving either by 1 to both sides finds the exact slope.
static void graph_of_five(Lesson& lesson, double a, double b) {
  const Graph graph(a, b);
  lesson.figure("graph", picture_of(graph));
  const Graph more_a(a + 1, b), less_a(a - 1, b), more_b(a, b + 1), less_b(a, b - 1);
  const double worst = std::max(std::abs(graph.da - (more_a.r - less_a.r) / 2),
                                std::abs(graph.db - (more_b.r - less_b.r) / 2));
  // A few roundings of the largest r; numbers with few digits have none.
  lesson.claim("gradients of the graph, against moving a and b by 1, relative to the largest r",
               worst / std::max({more_a.r, less_a.r, more_b.r, less_b.r, 1e-9}), at_most(1e-14));
}

static void scene(Lesson& lesson, Pool&, const knob::Settings& at) {
  constexpr int steps = 20;
  const std::vector<Example> examples{{at[input], at[wanted]}};
  Neuron neuron{at[weight], at[bias]};
  const double first_error = neuron(at[input]) - at[wanted];
  const double factor = 1 - 2 * at[rate] * (at[input] * at[input] + 1);
  plot::Series answers{"answer"};
  double worst = 0;
  for (int step = 0; step <= steps; ++step) {
    answers.add(step, neuron(at[input]));
    const double error = answers.y.back() - at[wanted];
    const double largest = 35 * std::pow(std::max(1.0, std::abs(factor)), step);
    worst = std::max(worst, std::abs(error - first_error * std::pow(factor, step)) / largest);
    descend(neuron, examples, at[rate]);
  }
  lesson.figure(
      "neuron",
      plot::Chart{.title = "The answer of one neuron, step by step",
                  .x = {.title = "step", .low = 0, .high = steps},
                  .y = {.title = "y", .low = -20, .high = 20},
                  .series = {answers},
                  .levels = {{"target", at[wanted]}},
                  .grips = {{steps - 1, at[wanted], "", "target y 1 0"},
                            {0, answers.y[0], "", join("b y 1 ", -at[weight] * at[input])}}});
  lesson.say("Each step multiplies the error by 1 - 2·rate·(x² + 1) = ", factor, ". In ", steps,
             " steps the answer goes from ", answers.y.front(), " to ", answers.y.back(), ".");
  // Twenty steps of ten roundings each: 20·10·ε is 4e-14.
  lesson.claim(
      "each step multiplies the error by this factor, relative to the largest possible error",
      worst, at_most(1e-13));
  const std::vector<double> given = at[nodes];
  graph_of_five(lesson, given[0], given[1]);
}

static void run(Lesson& lesson, Pool& pool, const knob::Settings& at) {
  opening(lesson);
  scene(lesson, pool, at);
}

}  // namespace lesson1::p0

const Part<Pool> lesson1::part0{
    .number = 0,
    .title = "One neuron, and what you need",
    .question = "Which rate lets the neuron learn?",
    .run = p0::run,
    .scene = p0::scene,
    .knobs = {&p0::rate, &p0::weight, &p0::bias, &p0::input, &p0::wanted, &p0::nodes}};
