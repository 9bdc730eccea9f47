// Lesson 4: what its parts share: the run's options, its threads, and the four corners that every gate is about.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>

#include "common/support/lesson.hpp"
#include "common/support/spread.hpp"
#include "gates.hpp"

class Session {
 public:
  explicit Session(const Options& o) : options(o), pool(pool_of(o)) {}

  // The number for the tests, or the one for readers.
  template <class Number>
  Number quick_or(Number short_run, Number standard) const {
    return options.quick ? short_run : standard;
  }

  // job(0) .. job(count - 1) on all threads, with a line of progress at a terminal.
  template <class Job>
  void run(const std::string& what, std::size_t count, const Job& job) {
    run_with_progress(pool, what, count, job);
  }

  Options options;
  Pool pool;
};

// The counts of successes to allow for in runs that each succeed with probability p, 0 < p < 1: what is left out on either side
// is as rare as 4.5 deviations of a normal. (Near 0 and all of them a count is skewed, and its deviation tells less.)
inline Bound binomial(std::size_t runs, double p) {
  constexpr double rare = 3.4e-6;
  const double n = double(runs);
  const auto probability = [&](double k) {
    return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) +
                    (n - k) * std::log1p(-p));
  };
  double low = 0, high = n;
  for (double below = probability(low); below < rare; below += probability(++low)) continue;
  for (double above = probability(high); above < rare; above += probability(--high)) continue;
  return between(low, high);
}

// The four corners as rows, and a truth table as a column.
inline Matrix<double> corner_rows() {
  Matrix<double> X(corners.size(), 2);
  for (std::size_t k = 0; k < corners.size(); ++k) X(k, 0) = corners[k][0], X(k, 1) = corners[k][1];
  return X;
}
inline Matrix<double> column_of(const TruthTable& truth) {
  Matrix<double> T(truth.size(), 1);
  for (std::size_t k = 0; k < truth.size(); ++k) T(k, 0) = truth[k];
  return T;
}

// Throws std::invalid_argument for a name that is not in the table.
inline const Gate& gate_named(const std::string& name) {
  for (const Gate& gate : gates)
    if (gate.name == name) return gate;
  throw std::invalid_argument("no gate is called " + name);
}
