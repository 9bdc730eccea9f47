// Lesson 3, part 1: the swish MLP: a small case by hand, its gradients, and what it cannot do without biases.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "common/support/elementary.hpp"
#include "common/support/lesson.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/checks.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"

namespace lesson3 {
namespace {

// The network of README.md, "By hand": one input, one hidden unit, one output.
void swish_by_hand(Lesson& lesson) {
  Swish<double> net({{1, 1, 1}, false});
  net.layer.W1 = {{1}};
  net.readout.W2 = {{4}};
  const double ln3 = std::log(3.0);
  const Matrix<double> x{{ln3}};
  Swish<double>::Trace t;
  Gradients<Swish<double>> g(net);
  net.forward(x, t);
  net.backward(x, t, {{1}}, g);
  lesson.note("The case by hand: y = ", fixed(t.Y(0, 0), 4), ", slope in x ", fixed(g.dX(0, 0), 4), ".");
  lesson.claim("output by hand", std::abs(t.Y(0, 0) - 3 * ln3), at_most(4e-15));  // a few units of 4e-16
  lesson.claim("slope by hand", std::abs(g.dX(0, 0) - 3 * (1 + ln3 / 4)), at_most(4e-15));
}

// Where swish' is zero: Newton on σ(z)(1 + z(1 - σ(z))), whose slope is σ(1 - σ)(2 + z(1 - 2σ)).
double swish_minimum() {
  double z = -1;
  for (int newton = 0; newton < 20; ++newton) {
    const double s = elementary::sigmoid(z);
    z -= s * (1 + z * (1 - s)) / (s * (1 - s) * (2 + z * (1 - 2 * s)));
  }
  return z;
}

}  // namespace

void part1(Lesson& lesson, Session&) {
  swish_by_hand(lesson);
  const double bottom = swish_minimum(), value = bottom * elementary::sigmoid(bottom);
  lesson.say("swish is not monotone: its least value is ", fixed(value, 4), ", at z = ", fixed(bottom, 4), ".");
  // Newton ends within some ε of the place, where the value hardly changes, and the value is rounded a few times.
  lesson.claim("value at the minimum minus (z + 1)", std::abs(value - (bottom + 1)), at_most(1e-15));
  double lowest = HUGE_VAL;
  for (int k = -10'000; k <= 10'000; ++k) lowest = std::min(lowest, 1e-3 * k * elementary::sigmoid(1e-3 * k));
  // At most half a step of the grid off the minimum, where swish'' is at most 1/2.
  lesson.claim("the lowest of 20,001 places from -10 to 10, minus that value", lowest - value,
               between(0, 0.5 * 0.5 * 0.0005 * 0.0005));

  Random random(lesson.options().seed);
  Swish<double> net({{4, 5, 3}, true});
  fill_normal(net.tensors(), random);
  lesson.note("Every gradient against numbers: 4 inputs, 5 hidden units, 3 outputs, 6 rows, all entries of size 1.");
  lesson.claim_gradients("swish MLP", check_through_loss(net, 6, random), 1e-7);  // lesson 1, part 4
  Swish<double> bare({{4, 5, 3}, false});
  fill_normal(bare.tensors(), random);
  lesson.claim("without biases: every gradient entry", check_through_loss(bare, 6, random).worst(), at_most(1e-7));

  const Matrix<double> x = normal_matrix<double>(6, 4, 1, random), y = normal_matrix<double>(6, 4, 1, random);
  const auto odd_part = [&](const Swish<double>& f, const Matrix<double>& at) {
    return output(f, at) - output(f, -1 * at);
  };
  const auto off_additive = [&](const Swish<double>& f) {
    return max_abs_difference(odd_part(f, x + y), odd_part(f, x) + odd_part(f, y));
  };
  lesson.say("What do the biases buy? f(x) - f(-x) is off a linear function by ", significant(off_additive(bare), 1),
             " without biases, and by ", significant(off_additive(net), 2), " with them.");
  // Some hundred roundings of numbers near 100 are below 1e-12; what a bias does to random nets is near 1.
  lesson.claim("without biases: f(x) - f(-x) adds up", off_additive(bare), at_most(1e-12));  // outputs near 100
  lesson.claim("with biases it does not", off_additive(net), at_least(1e-3));
}

}  // namespace lesson3
