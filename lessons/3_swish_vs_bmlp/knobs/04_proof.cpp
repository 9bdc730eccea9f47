// Lesson 3, part 4: the BMLP along a line, with vectors u1 and u2 of a size that can be turned, beside a second factor
// that depends on the input.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/initialize.hpp"
#include "common/support/parts.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"

namespace lesson3 {
namespace {

constexpr knob::Real vectors{"u", "size of u1 and u2 of the BMLP, and of U1", 1, {0, 10, 0.1}};
constexpr knob::Whole inputs{"d", "inputs", 4, {1, 32, 1}};
constexpr knob::Whole hidden{"h", "hidden units", 16, {1, 128, 1}};

// The values of a network on a line x + t·v; along v all inputs rise together, and so does their mean.
struct Line {
  std::vector<double> t, y;

  // |Δ|, |ΔΔ|, ... at the largest, over the largest value: differences of neighbours, `order` times.
  double difference(std::size_t order) const {
    std::vector<double> left = y;
    double most = 1e-300, size = 0;
    for (const double value : y) most = std::max(most, std::abs(value));
    for (std::size_t k = 0; k < order; ++k)
      for (std::size_t i = 0; i + k + 1 < y.size(); ++i) left[i] = left[i + 1] - left[i];
    for (std::size_t i = 0; i + order < y.size(); ++i) size = std::max(size, std::abs(left[i]));
    return size / most;
  }
};

template <class F>
Line along(const Matrix<double>& x, const Matrix<double>& v, F f) {
  Line line;
  for (int k = -12; k <= 12; ++k) {
    line.t.push_back(0.25 * k);
    line.y.push_back(f(x + 0.25 * k * v));
  }
  return line;
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  Random random(lesson.options().seed, 504);
  const Sizes sizes{at[inputs], at[hidden], 1};
  Bmlp<double> bmlp(sizes, random);
  GatedMean<double> gated(sizes, random);
  bmlp.u1 = at[vectors] * normal_matrix<double>(1, sizes.hidden, 1, random);
  bmlp.u2 = at[vectors] * normal_matrix<double>(1, 1, 1, random);
  gated.layer.U1 = at[vectors] * normal_matrix<double>(sizes.in, sizes.hidden, 1, random);
  const Matrix<double> x = uniform_matrix<double>(1, sizes.in, 1, random), v(1, sizes.in, 1.0), M = fold(bmlp);
  const Line f = along(x, v, [&](const auto& row) { return output(bmlp, row)(0, 0); });
  const Line folded = along(x, v, [&](const auto& row) { return matmul(row, M)(0, 0); });
  const Line product = along(x, v, [&](const auto& row) { return output(gated, row)(0, 0); });
  plot::Chart chart{.title = join("On a line through the inputs, u of size ", at[vectors])};
  chart.x = {.title = "t in x + t·v", .low = -3, .high = 3};
  chart.y = {.title = "output", .low = -10, .high = 10};
  chart.series = {{"BMLP", f.t, f.y}, {"X·M", folded.t, folded.y, true}, {"W1 + mean(x)·U1", product.t, product.y}};
  lesson.picture("turned_line", chart);
  double apart = 0, most = 1;
  for (std::size_t k = 0; k < f.y.size(); ++k) {
    apart = std::max(apart, std::abs(f.y[k] - folded.y[k]));
    most = std::max(most, std::abs(f.y[k]));
  }
  lesson.say("Second differences, over the largest value: BMLP ", significant(f.difference(2), 1), ", W1 + mean(x)·U1 ",
             significant(product.difference(2), 2), ".");
  // Sums of up to 128 products in another order, and numbers that cancel: some 1e-14 of the largest term.
  lesson.claim("BMLP: max |f(x) - x·M| over the largest output or 1", apart / most, at_most(1e-11));
  lesson.claim("W1 + mean(x)·U1: third differences, over the largest value", product.difference(3), at_most(1e-10));
}

}  // namespace

Bench<Session> bench4() {
  return {"Does the BMLP bend when its vectors are large?", {&vectors, &inputs, &hidden}, run};
}

}  // namespace lesson3
