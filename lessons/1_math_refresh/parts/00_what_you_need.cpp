// Lesson 1, part 0: one neuron learns; twenty layers do or do not, which is the lesson's question; and the calculus and
// the statistics that the answer needs, each piece with a number that could be wrong.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include "common/matrix.hpp"
#include "common/support/lesson.hpp"
#include "common/support/parallel.hpp"
#include "lessons/1_math_refresh/model/0_graph.hpp"
#include "lessons/1_math_refresh/model/0_neuron.hpp"
#include "lessons/1_math_refresh/run/train.hpp"

namespace lesson1 {
namespace {

constexpr long throws = 200'000;             // of dice
constexpr int trials = 20'000, terms = 100;  // means, and the numbers of which each is made

// Five steps of one neuron on one example, by hand in README.md: each step halves the error.
void five_steps(Lesson& lesson) {
  const std::vector<Example> examples{{2, 6}};
  Neuron neuron;
  Table table{{"step", "w", "b", "y", "loss"}, {}};
  for (int step = 0; step <= 5; ++step) {
    std::vector<std::string> row{std::to_string(step), significant(neuron.w), significant(neuron.b),
                                 significant(neuron(2))};
    const double loss = descend(neuron, examples, 0.05);
    row.push_back(significant(loss));
    table.rows.push_back(row);
    // The loss falls to a quarter: (1 - 0.05·2·(2² + 1))² = 1/4. Some ten roundings of numbers near 36.
    const double expected = 36 * std::pow(0.25, step);
    lesson.claim(join("loss of one neuron before step ", step + 1), loss, within(expected, 1e-13));
  }
  lesson.say("Does one neuron y = w·x + b learn to answer 6 to x = 2? Rate 0.05:");
  lesson.show(table);
}

// A hundred steps on four examples, which lie on the line 3x - 1.
void four_examples(Lesson& lesson) {
  const std::vector<Example> examples{{-1, -4}, {0, -1}, {1, 2}, {2, 5}};
  Neuron neuron;
  for (int step = 0; step < 100; ++step) descend(neuron, examples, 0.1);
  lesson.note("Behind 100 steps at rate 0.1 on four examples of 3x - 1 the neuron computes ", fixed(neuron.w, 6),
              "·x + (", fixed(neuron.b, 6), ").");
  // The second derivatives of the loss are [3 1; 1 2], whose least eigenvalue is 1.382: a step leaves at most 0.862 of
  // the distance, which is √10 at first. √10·0.862^100 is 1.1e-6.
  const double distance = std::hypot(neuron.w - 3, neuron.b + 1);
  lesson.claim("distance from w = 3, b = -1 behind 100 steps", distance, at_most(1.2e-6));
}

// The question of the lesson: the first hundred steps of two networks of twenty layers, which differ in the variance of
// their first weights alone.
void mystery(Lesson& lesson, Pool& pool) {
  const std::size_t steps = lesson.options().quick ? 10 : 100;
  const double gains[] = {1, 2};
  std::vector<double> losses[2];
  pool.run(2, [&](std::size_t k) { losses[k] = train_deep(gains[k], 20, steps, lesson.options().seed); });
  plot::Chart chart{.title = "Twenty layers, the first hundred steps",
                    .x = {.title = "step"},
                    .y = {.title = "mean squared error", .low = 0}};
  for (std::size_t k = 0; k < 2; ++k) {
    plot::Series line{join("Var W = ", gains[k], "/n")};
    for (std::size_t step = 0; step < steps; ++step) line.add(double(step), losses[k][step]);
    chart.series.push_back(line);
  }
  lesson.figure("mystery", chart);
  lesson.say("And twenty layers? Loss before step ", steps, ": ", fixed(losses[0][steps - 1], 2), " with Var W = 1/n, ",
             fixed(losses[1][steps - 1], 2), " with 2/n.");
  // Over the seeds 1 to 60 it is 0.90 to 1.00 with 1/n, which needs at least 167 steps to come below 1/2, and 0.01 to
  // 0.27 with 2/n.
  if (steps == 100) {
    lesson.claim("1/n: the loss before step 100, still above 1/2", losses[0].at(99), at_least(learnt));
    lesson.claim("2/n: the loss before step 100, below 1/2", losses[1].at(99), at_most(learnt));
  }
}

double square(double x) { return x * x; }

// The slope of f at x, by brute force: how much higher is it a little further on?
template <class F>
double slope(F f, double x, double h = 1e-6) {
  return (f(x + h) - f(x - h)) / (2 * h);
}

// The graph with its values and, below them, its gradients.
plot::Diagram diagram_of(const Graph& graph) {
  using enum plot::Box::Kind;
  const auto box = [](const char* name, double column, double row, plot::Box::Kind kind, double value,
                      double gradient) {
    return plot::Box{name, column, row, kind, "", significant(value), significant(gradient)};
  };
  return {
      .title = "Node a is used twice and collects two gradients of r",
      .boxes = {box("a", 0, 0, stored, graph.a, graph.da), box("b", 0, 1.2, stored, graph.b, graph.db),
                box("p = a·b", 1, 1.2, computed, graph.p, graph.dp),
                box("q = a + p", 2, 0.5, computed, graph.q, graph.dq), box("r = q²", 3, 0.5, computed, graph.r, 1)},
      .arrows = {
          {"a", "p = a·b"}, {"b", "p = a·b"}, {"a", "q = a + p"}, {"p = a·b", "q = a + p"}, {"q = a + p", "r = q²"}}};
}

// What was found beside what theory says, a line each.
void add_row(Table& table, const std::string& what, double expected, double found) {
  table.rows.push_back({what, significant(expected, 4), significant(found, 4)});
}

void slopes_and_chain_rule(Lesson& lesson, Table& found) {
  lesson.claim("slope of x² at 3, by moving x", slope(square, 3), within(6, 1e-8));  // ε·9/h = 2e-9

  // For x²y at (2, 5) a step along the gradient (20, 4). The next term of the series is 0.001²/2 times
  // (20, 4)·[second derivatives]·(20, 4) = 0.00232.
  const auto f = [](double x, double y) { return x * x * y; };
  lesson.claim("x²y rises by, for a step of 0.001 times its gradient", f(2 + 0.001 * 20, 5 + 0.001 * 4) - f(2, 5),
               within(0.416, 0.003));

  const Graph graph(2, 3);
  lesson.figure("graph", diagram_of(graph));
  // A central difference with h = 1e-6 of numbers near 64 rounds by some 64·ε/h = 1.4e-8; of a cubic it errs by less.
  const double by_a = slope([](double a) { return Graph(a, 3).r; }, 2);
  const double by_b = slope([](double b) { return Graph(2, b).r; }, 3);
  lesson.claim("da, against moving a", graph.da, within(by_a, 1e-6));
  lesson.claim("db, against moving b", graph.db, within(by_b, 1e-6));
  add_row(found, "da of the graph of five nodes, a used twice", graph.da, by_a);
}

void product_of_matrices(Lesson& lesson) {
  const Matrix<double> A{{1, 2}, {3, 4}}, B{{5, 6}, {7, 8}};
  lesson.claim_same("A·B is [19 22; 43 50]", max_abs_difference(matmul(A, B), {{19, 22}, {43, 50}}));
  lesson.claim_same("(A·B)ᵀ is Bᵀ·Aᵀ, the order turned round",
                    max_abs_difference(Matrix<double>(transpose(matmul(A, B))), matmul(transpose(B), transpose(A))));
}

// Mean and variance of what `draw` returns, over many draws.
struct Moments {
  double mean = 0, variance = 0;
};
template <class Draw>
Moments moments(long draws, Draw draw) {
  double sum = 0, squares = 0;
  for (long k = 0; k < draws; ++k) {
    const double x = draw();
    sum += x;
    squares += x * x;
  }
  const double mean = sum / double(draws);
  return {mean, squares / double(draws) - mean * mean};
}

void dice(Lesson& lesson, Table& found) {
  Random random(lesson.options().seed);
  const auto die = [&] { return double(1 + random.below(6)); };
  const Moments one = moments(throws, die);
  const Moments two = moments(throws, [&] { return die() + die(); });
  const Moments twice = moments(throws, [&] { return 2 * die(); });
  const Moments product = moments(throws, [&] { return (die() - 3.5) * (die() - 3.5); });
  // E[x²] and E[x⁴] of one die, x measured from its mean. A mean of N throws errs by √(E[x²]/N), a variance by
  // √((E[x⁴] - E[x²]²)/N); of two dice, x⁴ has the terms x⁴, y⁴ and 6·x²·y².
  constexpr double second = 35.0 / 12,
                   fourth = (0.5 * 0.5 * 0.5 * 0.5 + 1.5 * 1.5 * 1.5 * 1.5 + 2.5 * 2.5 * 2.5 * 2.5) / 3;
  const auto error = [](double x4, double x2) { return std::sqrt((x4 - x2 * x2) / throws); };
  lesson.claim("mean of one die", one.mean, within(3.5, 4.5 * std::sqrt(second / throws)));
  lesson.claim("variance of one die", one.variance, within(second, 4.5 * error(fourth, second)));
  lesson.claim("variance of the sum of two dice", two.variance,
               within(2 * second, 4.5 * error(2 * fourth + 6 * second * second, 2 * second)));
  lesson.claim("variance of one die doubled", twice.variance, within(4 * second, 4.5 * error(16 * fourth, 4 * second)));
  lesson.claim("mean product of two centred, independent dice", product.mean,
               within(0, 4.5 * std::sqrt(second * second / throws)));
  lesson.claim("its variance is the product of the variances", product.variance,
               within(second * second, 4.5 * error(fourth * fourth, second * second)));
  add_row(found, "variance of a die", second, one.variance);
  add_row(found, "variance of the sum of two dice", 2 * second, two.variance);
  add_row(found, "variance of one die counted twice", 4 * second, twice.variance);
}

// Sums of numbers that have a variance are nearly normal; of numbers that have none they need not be.
void sums(Lesson& lesson, Table& found) {
  Random random(lesson.options().seed, 1);
  const auto mean_of_terms = [&](auto draw) {
    double sum = 0;
    for (int k = 0; k < terms; ++k) sum += draw();
    return sum / terms;
  };
  const double deviation = std::sqrt(1.0 / 12 / terms);  // the variance of a number between 0 and 1 is 1/12
  int close = 0, far = 0;
  for (int k = 0; k < trials; ++k) {
    close += std::abs(mean_of_terms([&] { return random.uniform(); }) - 0.5) < deviation;
    far += std::abs(mean_of_terms([&] { return std::tan(std::numbers::pi * (random.uniform() - 0.5)); })) > 1;
  }
  const auto error = [](double share) { return std::sqrt(share * (1 - share) / trials); };
  lesson.claim("share within one standard deviation", double(close) / trials, within(0.6827, 4.5 * error(0.6827)));
  lesson.claim("share beyond 1 and -1", double(far) / trials, within(0.5, 4.5 * error(0.5)));
  add_row(found, "share of means within a standard deviation", 0.6827, double(close) / trials);
  add_row(found, "share of means of tangents beyond 1, -1", 0.5, double(far) / trials);
}

}  // namespace

void part0(Lesson& lesson, Pool& pool) {
  five_steps(lesson);
  four_examples(lesson);
  mystery(lesson, pool);
  lesson.note("Does each rule hold where a program can try it?");
  lesson.note(
      "Tried are a step of 0.001 times the gradient (20, 4) of x²y at (2, 5), A = [1 2; 3 4] times "
      "B = [5 6; 7 8], ",
      throws, " throws of dice, and ", trials, " means of ", terms,
      " numbers between 0 and 1 or tangents of random angles. A normal number lies within one standard deviation of its "
      "mean in 68.27 % of all cases, and the tangent of a random angle is beyond 1 or -1 in half of them.");
  Table found{{"what", "by the rule", "found"}, {}};
  slopes_and_chain_rule(lesson, found);
  product_of_matrices(lesson);
  dice(lesson, found);
  sums(lesson, found);
  lesson.detail(found);
}

}  // namespace lesson1
