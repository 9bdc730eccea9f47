// Lesson 1, part 0: one neuron learns; a value that is used twice collects two gradients; and twenty layers learn or do
// not, which is the lesson's question.
// SPDX-License-Identifier: MIT
#include "common/support/part.hpp"
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

constexpr knob::Real rate{"rate", "the part of the slope that a step takes", 0.05, {0, 0.25, 0.005}};
constexpr knob::Real weight{"w", "the neuron's weight at the start", 0, {-5, 5, 0.25}};
constexpr knob::Real bias{"b", "its bias at the start", 0, {-5, 5, 0.25}};
constexpr knob::Real input{"x", "the input of its one example", 2, {-4, 4, 0.25}};
constexpr knob::Real wanted{"target", "what it should answer", 6, {-10, 10, 0.5}};
constexpr knob::Real node_a{"node-a", "a of the graph p = a·b, q = a + p, r = q²", 2, {-5, 5, 0.25}};
constexpr knob::Real node_b{"node-b", "b of the graph", 3, {-5, 5, 0.25}};

// Twenty steps of one neuron on one example; README.md has the gradient of the first by hand.
static void one_neuron(Lesson& lesson, const knob::Settings& at) {
  constexpr int steps = 20, shown = 3;
  const std::vector<Example> examples{{at[input], at[wanted]}};
  Neuron neuron{at[weight], at[bias]};
  const double first = neuron(at[input]) - at[wanted], factor = 1 - 2 * at[rate] * (at[input] * at[input] + 1);
  Table table{{"step", "w", "b", "y", "loss"}, {}};
  plot::Series answers{"answer"};
  double worst = 0, loss_shown = 0;
  for (int step = 0; step <= steps; ++step) {
    const auto [w, b] = neuron;
    const double y = neuron(at[input]), loss = descend(neuron, examples, at[rate]);
    answers.add(step, y);
    if (step == shown) loss_shown = loss;
    if (step <= shown)
      table.rows.push_back({std::to_string(step), significant(w), significant(b), significant(y), significant(loss)});
    // How far the answer is from what the factor makes of the first error, as a part of the largest number that occurs.
    const double largest = 35 * std::pow(std::max(1.0, std::abs(factor)), step);
    worst = std::max(worst, std::abs(y - at[wanted] - first * std::pow(factor, step)) / largest);
  }
  lesson.say("Does one neuron y = w·x + b learn to answer ", at[wanted], " to x = ", at[input], "? Rate ", at[rate],
             ":");
  lesson.show(table);
  lesson.figure("neuron", plot::Chart{.title = "The answer of one neuron, step by step",
                                      .x = {.title = "step", .low = 0, .high = steps},
                                      .y = {.title = "y", .low = -20, .high = 20},
                                      .series = {answers, {"answer, each step", answers.x, answers.y, true}},
                                      .levels = {{"target", at[wanted]}}});
  lesson.note("Each step multiplies the error by 1 - 2·rate·(x² + 1) = ", significant(factor), ": from ",
              answers.y.front(), " to ", answers.y.back(), " in ", steps, " steps.");
  // Twenty steps of some ten roundings each, of numbers up to 35: 20·10·ε is 4e-14.
  lesson.claim("the error is multiplied so in each step, relative to what is largest", worst, at_most(1e-13));
  // The error is halved three times, and so the loss is 36/4³.
  lesson.claim_usual("the loss after three steps", loss_shown, within(36 * std::pow(0.25, shown), 1e-13));
}

// The graph with its gradients, and the slopes found by moving a and b by 1 to both sides: r is a quadratic in each, so
// that these are exact but for rounding.
static void graph_of_five(Lesson& lesson, const knob::Settings& at) {
  const Graph graph(at[node_a], at[node_b]);
  const auto slope = [](auto f, double x) { return (f(x + 1) - f(x - 1)) / 2; };
  const auto box = [](const char* name, double column, double row, double value, double gradient) {
    const auto kind = column == 0 ? plot::Box::Kind::stored : plot::Box::Kind::computed;
    return plot::Box{name, column, row, kind, "", significant(value + 0.0), significant(gradient + 0.0)};  // -0 is 0
  };
  lesson.figure("graph",
                plot::Diagram{.title = "Node a is used twice and collects two gradients of r",
                              .boxes = {box("a", 0, 0, graph.a, graph.da), box("b", 0, 1.2, graph.b, graph.db),
                                        box("p = a·b", 1, 1.2, graph.p, graph.dp),
                                        box("q = a + p", 2, 0.5, graph.q, graph.dq), box("r = q²", 3, 0.5, graph.r, 1)},
                              .arrows = {{"a", "p = a·b"},
                                         {"b", "p = a·b"},
                                         {"a", "q = a + p"},
                                         {"p = a·b", "q = a + p"},
                                         {"q = a + p", "r = q²"}}});
  const double off_a = graph.da - slope([&](double a) { return Graph(a, graph.b).r; }, graph.a),
               off_b = graph.db - slope([&](double b) { return Graph(graph.a, b).r; }, graph.b);
  // A few roundings of numbers up to (6 + 36)², 2,000.
  lesson.claim("gradients of the graph against moving a and b by 1", std::max(std::abs(off_a), std::abs(off_b)),
               at_most(1e-11));
}

static void scene(Lesson& lesson, Pool&, const knob::Settings& at) {
  one_neuron(lesson, at);
  graph_of_five(lesson, at);
}

constexpr std::size_t deep = 20;
constexpr double slow_rate = 0.001;

// The question of the lesson: the first hundred steps of two networks of twenty layers, which differ in the variance of
// their first weights alone.
static void mystery(Lesson& lesson, Pool& pool) {
  const std::size_t steps = lesson.options().quick_or<std::size_t>(10, 100);
  std::vector<double> losses[2];
  pool.run(2, [&](std::size_t k) {
    losses[k] = train_deep(double(k + 1), deep, slow_rate, steps, 1, Random(lesson.options().seed, 7));
  });
  lesson.figure("mystery",
                plot::Chart{.title = "Twenty layers, the first hundred steps",
                            .x = {.title = "step"},
                            .y = {.title = "mean squared error", .low = 0},
                            .series = {plot::line("Var W = 1/n", losses[0]), plot::line("Var W = 2/n", losses[1])}});
  lesson.say("And twenty layers? Loss before step ", steps, ": ", fixed(losses[0].back(), 2), " with Var W = 1/n, ",
             fixed(losses[1].back(), 2), " with 2/n.");
  if (steps < 100) return;
  lesson.claim("1/n: the loss before step 100, still above 1/2", losses[0].back(), at_least(learnt));
  lesson.claim("2/n: the loss before step 100, below 1/2", losses[1].back(), at_most(learnt));
}

static void run(Lesson& lesson, Pool& pool, const knob::Settings& at) {
  scene(lesson, pool, at);
  mystery(lesson, pool);
}

static std::string settings() {
  return join(pairs, " examples, ", deep, " layers of width ", hidden_width, ", rate ", slow_rate, ", momentum ",
              momentum);
}

extern const Part<Pool> part0(0, "One neuron, and what you need", run,
                              "Which rate lets the neuron learn, and what does a node collect that is used twice?",
                              {&rate, &weight, &bias, &input, &wanted, &node_a, &node_b}, scene, settings);

}  // namespace lesson1
