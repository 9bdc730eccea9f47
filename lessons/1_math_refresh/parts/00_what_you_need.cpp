// Lesson 1, part 0: the calculus and the statistics that the course needs, each piece with a number that could be
// wrong.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <numbers>

#include "common/matrix.hpp"
#include "common/support/lesson.hpp"

namespace lesson1 {
namespace {

double square(double x) { return x * x; }

// The slope of f at x, by brute force: how much higher is it a little further on?
template <class F>
double slope(F f, double x, double h = 1e-6) {
  return (f(x + h) - f(x - h)) / (2 * h);
}

// Five nodes: a and b are given, p = a·b, q = a + p, r = q². Node a is used twice, so it collects two gradients.
struct Graph {
  double a, b, p, q, r;
  double da = 0, db = 0, dp = 0, dq = 0;  // the gradients of r

  Graph(double a_, double b_) : a(a_), b(b_), p(a * b), q(a + p), r(q * q) {
    dq = 2 * q;    // r = q²
    da += dq;      // q = a + p, first use of a
    dp = dq;       // q = a + p
    da += dp * b;  // p = a·b, second use of a: it adds
    db = dp * a;   // p = a·b
  }
};

void slopes_and_chain_rule(Lesson& lesson) {
  lesson.say("Slope. x² has slope 2x; at x = 3 that is 6. The loop that knows no calculus moves x a little and looks.");
  lesson.claim("slope of x² at 3, by moving x", slope(square, 3), within(6, 1e-8));  // ε·9/h = 2e-9

  lesson.say(
      "Partial derivatives, one for each input, make the gradient. For f(u, v) = u²v at (2, 5): "
      "2uv = 20 and u² = 4. A step of 0.001 along the gradient must raise f by 0.001·(20² + 4²), nearly.");
  const auto f = [](double u, double v) { return u * u * v; };
  // The next term of the series is 0.001²/2 times (20, 4)·[second derivatives]·(20, 4) = 0.00232.
  lesson.claim("f rises by", f(2 + 0.001 * 20, 5 + 0.001 * 4) - f(2, 5), within(0.416, 0.003));

  const Graph graph(2, 3);
  lesson.say("Chain rule, on a graph of five nodes. Node a is used twice, so it collects two gradients:");
  lesson.show(join("  a = 2, b = 3, p = a·b = ", graph.p, ", q = a + p = ", graph.q, ", r = q² = ", graph.r, "\n",
                   "  dq = 2q = ", graph.dq, ", dp = dq = ", graph.dp, ", db = dp·a = ", graph.db,
                   ", da = dq + dp·b = ", graph.da, "\n"));
  // A central difference with h = 1e-6 of numbers near 64 rounds by some 64·ε/h = 1.4e-8; of a cubic it errs by less.
  lesson.claim("da, against moving a", graph.da, within(slope([](double a) { return Graph(a, 3).r; }, 2), 1e-6));
  lesson.claim("db, against moving b", graph.db, within(slope([](double b) { return Graph(2, b).r; }, 3), 1e-6));
}

void product_of_matrices(Lesson& lesson) {
  const Matrix<double> A{{1, 2}, {3, 4}}, B{{5, 6}, {7, 8}};
  lesson.say(
      "Matrix product. Entry (i, j) of A·B is row i of A times column j of B: for [1 2; 3 4]·[5 6; "
      "7 8] the first entry is 1·5 + 2·7 = 19.");
  lesson.claim("A·B is [19 22; 43 50]", max_abs_difference(matmul(A, B), {{19, 22}, {43, 50}}), exactly(0));
  lesson.claim("(A·B)ᵀ is Bᵀ·Aᵀ, the order turned round",
               max_abs_difference(Matrix<double>(transpose(matmul(A, B))), matmul(transpose(B), transpose(A))),
               exactly(0));
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

void dice(Lesson& lesson) {
  constexpr long throws = 200'000;
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
  lesson.say(
      "Mean and variance, by two hundred thousand throws of dice. One die has mean 3.5 and variance 35/12 = 2.9167.");
  lesson.claim("mean of one die", one.mean, within(3.5, 4.5 * std::sqrt(second / throws)));
  lesson.claim("variance of one die", one.variance, within(second, 4.5 * error(fourth, second)));
  lesson.say(
      "Independent throws: variances add, so two dice have twice the variance. "
      "The same die counted twice has four times. "
      "Independence is what makes the difference, and the law of part 5 rests on it.");
  lesson.claim("variance of the sum of two dice", two.variance,
               within(2 * second, 4.5 * error(2 * fourth + 6 * second * second, 2 * second)));
  lesson.claim("variance of one die doubled", twice.variance, within(4 * second, 4.5 * error(16 * fourth, 4 * second)));
  lesson.say("Of two independent numbers with mean 0, the product has mean 0, and the product of the variances:");
  lesson.claim("mean product of two centred, independent dice", product.mean,
               within(0, 4.5 * std::sqrt(second * second / throws)));
  lesson.claim("its variance is the product of the variances", product.variance,
               within(second * second, 4.5 * error(fourth * fourth, second * second)));
}

// Sums of numbers that have a variance are nearly normal; of numbers that have none they need not be.
void sums(Lesson& lesson) {
  constexpr int trials = 20'000, terms = 100;
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
  lesson.say(
      "A sum of many independent numbers that have a variance is nearly normal, "
      "so that 68.3 % of such sums lie within one standard deviation of their mean. ",
      trials, " means of ", terms, " numbers between 0 and 1:");
  lesson.claim("share within one standard deviation", double(close) / trials, within(0.6827, 4.5 * error(0.6827)));
  lesson.say(
      "The tangent of a random angle has no variance: the mean of its squares is infinite. "
      "Half of all such numbers lie beyond 1 and -1, and so do half of the means of ",
      terms, ", which a normal sum would not:");
  lesson.claim("share beyond 1 and -1", double(far) / trials, within(0.5, 4.5 * error(0.5)));
}

}  // namespace

void part0(Lesson& lesson, Pool&) {
  slopes_and_chain_rule(lesson);
  product_of_matrices(lesson);
  dice(lesson);
  sums(lesson);
}

}  // namespace lesson1
