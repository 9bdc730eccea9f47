// Lesson 1, part 0: the neuron's start, its example and its rate can be turned, and the values of the graph of five nodes.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/1_math_refresh/model/0_graph.hpp"
#include "lessons/1_math_refresh/model/0_neuron.hpp"

namespace lesson1 {
namespace {

constexpr knob::Real weight{"w", "the neuron's weight at the start", 0, {-5, 5, 0.25}};
constexpr knob::Real bias{"b", "its bias at the start", 0, {-5, 5, 0.25}};
constexpr knob::Real input{"x", "the input of its one example", 2, {-4, 4, 0.25}};
constexpr knob::Real wanted{"target", "what it should answer", 6, {-10, 10, 0.5}};
constexpr knob::Real rate{"rate", "the part of the slope that a step takes", 0.05, {0, 0.25, 0.005}};
constexpr knob::Real node_a{"node-a", "a of the graph p = a·b, q = a + p, r = q²", 2, {-5, 5, 0.25}};
constexpr knob::Real node_b{"node-b", "b of the graph", 3, {-5, 5, 0.25}};

constexpr int steps = 20;

// One neuron on its way: the answer before each step, and how far that is from what (1 - 2·rate·(x² + 1)) times the
// error in each step would make it, as a part of the largest number that occurs.
struct Descent {
  std::vector<double> answers = {};
  double factor = 0, worst = 0;
};

Descent descent_at(const knob::Settings& at) {
  const std::vector<Example> examples{{at[input], at[wanted]}};
  Neuron neuron{at[weight], at[bias]};
  Descent way;
  way.factor = 1 - 2 * at[rate] * (at[input] * at[input] + 1);
  const double first = neuron(at[input]) - at[wanted];
  for (int step = 0; step <= steps; ++step) {
    way.answers.push_back(neuron(at[input]));
    const double expected = at[wanted] + first * std::pow(way.factor, step);
    const double largest = 35 * std::pow(std::max(1.0, std::abs(way.factor)), step);
    way.worst = std::max(way.worst, std::abs(way.answers.back() - expected) / largest);
    descend(neuron, examples, at[rate]);
  }
  return way;
}

std::string verdict(double factor) {
  if (factor == 1) return "so the neuron stays as it is";
  if (std::abs(factor) == 1) return "so the answer jumps to and fro for ever";
  if (std::abs(factor) > 1) return "so the answer jumps to the other side, farther away each time";
  return factor < 0 ? "so the answer jumps to and fro around the target and comes nearer"
                    : "so the answer comes nearer";
}

plot::Chart chart_of(const Descent& way, double target) {
  plot::Chart chart{.title = "The answer of one neuron, step by step",
                    .x = {.title = "step", .low = 0, .high = steps},
                    .y = {.title = "y", .low = -20, .high = 20},
                    .series = {{"answer"}, {"answer, each step", {}, {}, true}},
                    .levels = {{"target", target}}};
  for (std::size_t step = 0; step < way.answers.size(); ++step)
    for (plot::Series& line : chart.series) line.add(double(step), way.answers[step]);
  return chart;
}

// The gradients of the graph, and the slopes found by moving each of its numbers by 1 to both sides: r is a quadratic in
// each, so that these are exact but for rounding. Returns the largest difference.
double show_graph(Lesson& lesson, const Graph& graph) {
  const auto slope = [](auto f, double x) { return (f(x + 1) - f(x - 1)) / 2; };
  const auto square = [](double x) { return x * x; };
  struct Node {
    const char* name;
    double value, derived, found;
  };
  const Node nodes[] = {
      {"a", graph.a, graph.da, slope([&](double a) { return Graph(a, graph.b).r; }, graph.a)},
      {"b", graph.b, graph.db, slope([&](double b) { return Graph(graph.a, b).r; }, graph.b)},
      {"p = a·b", graph.p, graph.dp, slope([&](double p) { return square(graph.a + p); }, graph.p)},
      {"q = a + p", graph.q, graph.dq, slope(square, graph.q)},
      {"r = q²", graph.r, 1, 1},
  };
  Table table{{"node", "value", "gradient of r", "by moving it"}, {}};
  double worst = 0;
  for (const Node& node : nodes) {
    table.rows.push_back(
        {node.name, significant(node.value + 0.0), significant(node.derived + 0.0), significant(node.found + 0.0)});
    worst = std::max(worst, std::abs(node.derived - node.found));
  }
  lesson.show(table);
  return worst;
}

void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  const Descent way = descent_at(at);
  lesson.picture("turned_neuron", chart_of(way, at[wanted]));
  lesson.say("Each step multiplies the error by 1 - 2·rate·(x² + 1) = ", significant(way.factor), ", ",
             verdict(way.factor), ": from ", way.answers.front(), " to ", way.answers.back(), " in ", steps, " steps.");
  const Graph graph(at[node_a], at[node_b]);
  const double worst = show_graph(lesson, graph);
  lesson.say("Node a collects ", graph.dq + 0.0, " from q and ", graph.dp * graph.b + 0.0, " from p.");
  // Twenty steps of some ten roundings each, of numbers up to 35: 20·10·ε is 4e-14.
  lesson.claim("the error is multiplied so in each step, relative to what is largest", way.worst, at_most(1e-13));
  // A few roundings of numbers up to (6 + 36)², 2,000.
  lesson.claim("gradients of the graph against moving each number by 1", worst, at_most(1e-11));
}

}  // namespace

Bench<Pool> bench0() {
  return {"Which rate lets the neuron learn, and what does a node collect that is used twice?",
          {&rate, &weight, &bias, &input, &wanted, &node_a, &node_b},
          run};
}

}  // namespace lesson1
