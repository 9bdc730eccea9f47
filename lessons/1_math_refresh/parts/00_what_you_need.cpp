// Lesson 1, part 0: the question, one neuron, and a value used twice.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/lesson.hpp"

namespace lesson1::p0 {

constexpr knob::Real rate{
    "rate", "how far a step goes, as a multiple of the slope", 0.05, {0, 0.25, 0.005}};
constexpr knob::Real weight{"w", "the neuron's weight at the start", 0, {-5, 5, 0.25}};
constexpr knob::Real bias{"b", "the neuron's bias at the start", 0, {-5, 5, 0.25}};
constexpr knob::Real input{"x", "the input of the only example", 2, {-4, 4, 0.25}};
constexpr knob::Real wanted{"target", "what the neuron should answer", 6, {-10, 10, 0.5}};

// Draws seven ReLU networks that differ only in scale; the middle one is level.
static void opening(Lesson& lesson) {
  constexpr std::size_t layers = 50, width = 256;
  constexpr double apart = 1.3;  // the ratio of neighbouring variances
  Random random(lesson.options().seed, 509);
  const auto unit = unit_weights(std::vector<std::size_t>(layers + 1, width), random);
  const auto X = normal_matrix<double>(4, width, 1, random);
  plot::Chart chart{.title = "Fifty layers, all weights × 0.675 to 1.48",
                    .x = {.title = "layer"},
                    .y = {.title = "mean of the squares of a layer's numbers",
                          .log = true,
                          .low = 1e-20,
                          .high = 1e20}};
  std::vector<double> last;
  for (int k = 3; k >= -3; --k) {
    const double factor = std::pow(apart, k);
    const auto W = scaled(unit, [factor](double n, double) { return 2 * factor / n; });
    const std::vector<double> moments = send(W, relu_activation, X, X).forward;
    chart.series.push_back(plot::line("× " + significant(std::sqrt(factor)), moments));
    last.push_back(moments[layers]);
  }
  lesson.figure("opening", chart);
  // A layer more or less would change this by ln 1.3 = .26.
  lesson.claim("seven networks: ln of the ratio of neighbours after fifty layers, 50·ln 1.3",
               std::log(last[0] / last[6]) / 6, within(50 * std::log(1.3), 1e-12));
  // By (1.16) -0.5 ± 1.0, so four and a half standard deviations; the neighbours end at 13 and -13.
  lesson.claim("the middle network: ln of its mean square", std::log(last[3]), within(-0.5, 4.5));
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
}

// Since r is quadratic in a and in b, moving either by 1 to both sides finds the exact slope.
static void graph_of_five(Lesson& lesson) {
  const Graph graph(2, 3);
  const auto box = [](const char* name, double column, double row, double value, double gradient) {
    const auto kind = column == 0 ? plot::Box::Kind::stored : plot::Box::Kind::computed;
    return plot::Box{name, column, row, kind, "", significant(value), significant(gradient)};
  };
  lesson.figure(
      "graph",
      plot::Diagram{
          .title = "Node a is used twice",
          .boxes = {box("a", 0, 0, graph.a, graph.da), box("b", 0, 1, graph.b, graph.db),
                    box("p = a·b", 1, 1, graph.p, graph.dp),
                    box("q = a + p", 2, 0.4, graph.q, graph.dq), box("r = q²", 3, 0.4, graph.r, 1)},
          .arrows = {{"a", "p = a·b"},
                     {"b", "p = a·b"},
                     {"a", "q = a + p"},
                     {"p = a·b", "q = a + p"},
                     {"q = a + p", "r = q²"}}});
  lesson.claim("gradients of the graph, against moving a and b by 1",
               std::max(std::abs(graph.da - (Graph(3, 3).r - Graph(1, 3).r) / 2),
                        std::abs(graph.db - (Graph(2, 4).r - Graph(2, 2).r) / 2)),
               exactly(0));
}

static void run(Lesson& lesson, Pool& pool, const knob::Settings& at) {
  opening(lesson);
  scene(lesson, pool, at);
  graph_of_five(lesson);
}

}  // namespace lesson1::p0

const Part<Pool> lesson1::part0{
    .number = 0,
    .title = "One neuron, and what you need",
    .question = "Which rate lets the neuron learn?",
    .run = p0::run,
    .scene = p0::scene,
    .knobs = {&p0::rate, &p0::weight, &p0::bias, &p0::input, &p0::wanted}};
