// Lesson 1, part 1: the linear layer in the three ways that books write it; and how large the numbers are that come out
// of one with random weights, which can be turned.
// SPDX-License-Identifier: MIT
#include "common/support/part.hpp"
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

constexpr knob::Whole fan_in{"fan-in", "n, the numbers that enter a unit", 64, {1, 256, 1}};
constexpr knob::Real mean{"mean", "mean of the inputs", 1, {0, 3, 0.1}};
constexpr knob::Real spread{"spread", "standard deviation of the inputs", 1, {0.1, 3, 0.1}};
constexpr knob::Real deviation{"deviation", "standard deviation of the weights", 0.125, {0.01, 1, 0.005}};
constexpr knob::Choice weights{"weights", "what one weight is drawn from", {"normal", "uniform", "coin"}};

constexpr std::size_t units = 2000;

// What a weight can be drawn from: numbers with mean 0 and variance 1.
struct Source {
  double (*draw)(Random& random);
  double fourth;  // the mean of its fourth power
};
const Source sources[] = {
    {[](Random& random) { return random.normal(); }, 3},
    {[](Random& random) { return random.uniform(-std::sqrt(3.0), std::sqrt(3.0)); }, 1.8},
    {[](Random& random) { return random.below(2) == 0 ? -1.0 : 1.0; }, 1},
};
static_assert(weights.choices.count == std::size(sources));

// Batch, column and stored transposed: the same numbers.
static void three_ways(Lesson& lesson) {
  constexpr std::size_t n = 5, in = 4, out = 3;
  Random random(lesson.options().seed);
  const auto X = normal_matrix<double>(n, in, 1, random), W = normal_matrix<double>(in, out, 1, random),
             b = normal_matrix<double>(1, out, 1, random);
  const Matrix<double> book_W(transpose(W));                             // as many books store it
  const Matrix<double> Y = add_row(matmul(X, W), b);                     // ours: rows are examples
  const Matrix<double> book = add_row(matmul(X, transpose(book_W)), b);  // Y = X·Wᵀ + b
  Matrix<double> one_by_one(n, out);                                     // y = W·x + b for each example alone
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t o = 0; o < out; ++o) {
      one_by_one(i, o) = b(0, o);
      for (std::size_t k = 0; k < in; ++k) one_by_one(i, o) += book_W(o, k) * X(i, k);
    }
  lesson.say("Are the three ways to write one layer the same numbers? ", n, " examples, ", in, " inputs, ", out,
             " outputs.");
  // Five terms of size about 1, each rounded once: a few times 2.2e-16.
  lesson.claim("batch = examples one by one, max |diff|", max_abs_difference(Y, one_by_one), at_most(4e-15));
  lesson.claim("X·W + b = X·Wᵀ + b with W stored transposed, max |diff|", max_abs_difference(Y, book), at_most(4e-15));
}

// The share of the units in each stretch of the axis, and that of a normal number of this variance.
static plot::Chart chart_of(const Matrix<double>& Z, double variance) {
  constexpr double reach = 10, bin = 0.5;
  plot::Chart chart{.title = join("What ", units, " units of one layer say"),
                    .x = {.title = "z", .low = -reach, .high = reach},
                    .y = {.title = join("share of the units in each ", bin), .low = 0},
                    .series = {{"units"}, {"normal, with the variance of (1.10)"}}};
  const auto below = [&](double z) { return std::erfc(-z / std::sqrt(2 * variance)) / 2; };
  for (double left = -reach; left < reach; left += bin) {
    const auto inside = [&](double z) { return z >= left && z < left + bin; };
    const auto count = std::count_if(Z.values().begin(), Z.values().end(), inside);
    chart.series[0].add(left + bin / 2, double(count) / double(units));
    chart.series[1].add(left + bin / 2, below(left + bin) - below(left));
  }
  return chart;
}

// One example goes through a layer of random weights: E[z²] = n·Var W·E[x²].   (1.10)
static void random_layer(Lesson& lesson, const knob::Settings& at) {
  Random random(lesson.options().seed, 501);
  const Source& source = sources[at[weights]];
  const double n = double(at[fan_in]), gain = n * at[deviation] * at[deviation];
  Matrix<double> x(1, at[fan_in]), W(at[fan_in], units);
  for (double& value : x.values()) value = at[mean] + at[spread] * random.normal();
  for (double& value : W.values()) value = at[deviation] * source.draw(random);
  const Matrix<double> Z = matmul(x, W), ones(1, at[fan_in], 1), squares = hadamard(x, x);
  const double average = dot(x, ones) / n, second = mean_square(x), predicted = gain * second,
               measured = mean_square(Z);
  lesson.note("And how large is what one layer makes of its inputs, with random weights?");
  lesson.figure("layer", chart_of(Z, predicted));
  lesson.note("A unit adds n = ", at[fan_in], " products, and E[z²] is ", measured, ". n·Var W·E[x²] says ", predicted,
              ", and n·Var W·Var x ", gain * (second - average * average) + 0.0,
              ". Twice the n makes z √2 times larger, unless the weights shrink.");
  // E[z⁴]/E[z²]² is 3 for normal weights and less for the others: it is 3 + (E[w⁴]/Var² W - 3)·Σx⁴/(Σx²)². A mean of N
  // squares errs by √((that - 1)/N) of itself; 1e-12 for roundings, since the square of n = 1 coin is a constant.
  const double z_fourth = 3 + (source.fourth - 3) * mean_square(squares) / (n * second * second);
  lesson.claim("one layer with random weights: E[z²] over n·Var W·E[x²]", measured / predicted,
               within(1, 4.5 * std::sqrt(std::max(0.0, z_fourth - 1) / units) + 1e-12));
}

static void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  three_ways(lesson);
  random_layer(lesson, at);
}

extern const Part<Pool> part1{.number = 1,
                              .title = "The linear layer",
                              .run = run,
                              .question = "How large is what one layer makes of its inputs?",
                              .knobs = {&fan_in, &mean, &spread, &deviation, &weights}};

}  // namespace lesson1
