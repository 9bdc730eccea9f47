// Exercise 2.8: the best weight of two voters.
// Hint: Write the loss as a function of w first. For w = 0 and w = 1 you know it.
// Hint: You may try many w. Or take its slope: each place adds -(network - table) divided by
// the mixture. The slope grows with w.
// Hint: Halve the interval from 0 to 1: where the slope is negative the best w lies to the
// right. Twenty halvings are enough.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <ex2_8_best_weight.hpp>
#include <numeric>

#include "common/exercise/exercise.hpp"
#include "common/random.hpp"

using namespace exercise;
using Numbers = std::vector<double>;

static double loss_of_votes(const Numbers& network, const Numbers& table, double w) {
  double sum = 0;
  for (std::size_t i = 0; i < network.size(); ++i) sum -= std::log(w * network[i] + (1 - w) * table[i]);
  return sum / double(network.size());
}

// The best of steps + 1 weights at equal distances.
static double best_of(const Numbers& network, const Numbers& table, int steps) {
  double best = 0;
  for (int k = 1; k <= steps; ++k)
    if (loss_of_votes(network, table, double(k) / steps) < loss_of_votes(network, table, best))
      best = double(k) / steps;
  return best;
}

// The mean of f(network[i], table[i]).
template <class F>
static double mean_over(const Numbers& network, const Numbers& table, F f) {
  return std::inner_product(network.begin(), network.end(), table.begin(), 0.0, std::plus<>(), f) /
         double(network.size());
}

namespace ours::ex2_8 {

// The loss bends upwards everywhere as a function of w, so its slope has one zero. Where the loss still falls at the
// middle, the best w lies to the right of it.
inline double best_weight(const std::vector<double>& network, const std::vector<double>& table) {
  double low = 0, high = 1;
  while (high - low > 1e-6) {
    const double w = (low + high) / 2;
    double rise = 0;  // the sum of the losses rises with w by this
    for (std::size_t i = 0; i < network.size(); ++i)
      rise -= (network[i] - table[i]) / (w * network[i] + (1 - w) * table[i]);
    if (rise < 0) low = w;
    else high = w;
  }
  double best = (low + high) / 2;
  slip(best, 1 - best, "that is the weight of the table");
  slip(best, 0.5, "half each is the paper's choice, not the best");
  slip(best, best_of(network, table, 10), "in tenths: now look between them");
  slip(best, best_of(network, table, 100), "in hundredths: now look between them");
  slip(best, best_of(network, table, 1), "that hands all to the better one, as where logarithms are mixed");
  slip(best, std::min(best_of(network, table, 1), 0.99), "that hands nearly all to the better one: mix, then take -ln");
  slip(best, 1 - best_of(network, table, 1), "that hands all to the worse one");
  slip(best, std::min(1 - best_of(network, table, 1), 0.99), "that hands nearly all to the worse one");
  slip(best, mean_over(network, table, [](double p, double q) { return p / (p + q); }),
       "the mean of p/(p + q) is one step from 1/2 toward the best weight: go on from there");
  slip(best, mean_over(network, table, std::greater<>()),
       "that is how often the network was ahead, and not by how much");
  slip(best,
       1 - mean_over(network, table, [](double, double q) { return q; }) / mean_over(network, table, std::plus<>()),
       "the sums of the probabilities say nothing of where the two err differently");
  return best;
}

}  // namespace ours::ex2_8

// What two models gave the symbols that came.
struct Voters {
  std::string title;
  Numbers network, table;
};

static std::vector<Voters> voters() {
  std::vector<Voters> all{{"one good at what the other is bad at", {0.9, 0.8, 0.1, 0.7}, {0.2, 0.1, 0.8, 0.3}},
                          {"the network mostly ahead", {0.6, 0.5, 0.4, 0.3, 0.02}, {0.3, 0.2, 0.2, 0.1, 0.3}},
                          {"the table mostly ahead", {0.1, 0.2, 0.05, 0.6}, {0.5, 0.6, 0.4, 0.1}},
                          {"the network always ahead", {0.6, 0.5, 0.4}, {0.3, 0.2, 0.2}},
                          {"the table always ahead", {0.1, 0.2}, {0.5, 0.4}},
                          {"many places", {}, {}}};
  Random random(8);
  for (int i = 0; i < 500; ++i) {
    all.back().network.push_back(random.uniform(0.01, 0.9));
    all.back().table.push_back(random.uniform(0.01, 0.7));
  }
  return all;
}

static Verdict check() {
  constexpr double near = 0.001;  // as the stub promises
  const std::vector<Voters> all = voters();
  const auto at_all = [&](auto weight) {
    Matrix<double> found(1, all.size());
    for (std::size_t k = 0; k < all.size(); ++k) found(0, k) = weight(all[k].network, all[k].table);
    return found;
  };
  const auto within = [](double tolerance) {
    return [tolerance](const Matrix<double>& a, const Matrix<double>& b) {
      return max_abs_difference(a, b) <= tolerance;  // NaN is not
    };
  };
  const auto ours = [&] { return at_all(ours::ex2_8::best_weight); };
  if (slips().tested) test_slips(ours, within(near), within(near));
  const Matrix<double> right = at_all([](const Numbers& p, const Numbers& q) { return best_of(p, q, 10'000); });
  const Matrix<double> yours = calling("best_weight", [&] { return at_all(ex2_8::best_weight); });
  if (untouched({"", yours, right, {}})) return not_started();
  if (within(near + 5e-5)(yours, right)) return done();
  const std::string cause = cause_of(yours, ours, within(near));
  if (!cause.empty()) return wrong("best_weight: " + cause);
  std::size_t k = 0;
  while (k + 1 < all.size() && std::abs(yours(0, k) - right(0, k)) <= near) ++k;
  const auto loss = [&](double w) { return significant(loss_of_votes(all[k].network, all[k].table, w), 6); };
  return wrong(join("best_weight: in the case \"", all[k].title, "\": w = ", significant(yours(0, k), 4),
                    " gives the loss ", loss(yours(0, k)), "; the best is ", loss(right(0, k))));
}
static const Exercise here{"2.8", "The best weight of two voters", check};
