// Lesson 3: how networks are compared (README.md, section 6). Each finds its best rate on rows that
// do not judge; then runs are paired at the best rates and beside them.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/frame/lesson/lesson.hpp"
#include "common/spread.hpp"
#include "common/verdict.hpp"
#include "lessons/3_swish_vs_bmlp/train.hpp"

namespace lesson3 {

constexpr std::size_t rate_step = 3;
constexpr std::size_t kept_back = 4;  // a fourth of the training rows chooses among them

// A network that reaches its floor needs no best rate.
enum class Rate { standard, its_best };

// A network or a least squares solution, judged on test rows.
struct Contender {
  using Predictions = Matrix<double>(const SplitRows& split, std::uint64_t seed, double rate);

  std::string title;
  std::function<Predictions> predictions;
  Rate rate = Rate::its_best;
};

// start(random) draws the network. Threads call one contender at several rates, so it keeps none.
template <class Start>
Contender network(const std::string& title, TrainingSettings settings, Start start) {
  const auto trained = [=](const SplitRows& split, std::uint64_t seed, double rate) {
    Random random(seed, 31);
    auto model = start(random);
    TrainingSettings own = settings;
    own.rate = rate;
    train(model, split.train, own, Random(seed, 32));
    return predict(model, split.test.X);
  };
  return {title, trained};
}

// Returns R² of the test rows, or minus infinity when training diverges.
inline double score(const Contender& contender, const SplitRows& split, std::uint64_t seed,
                    double rate) {
  try {
    return r_squared(contender.predictions(split, seed, rate), split.test.T);
  } catch (const Diverged&) {
    return -HUGE_VAL;
  }
}

// Counts a run that diverged as 0, the score of the mean.
inline double counted(double r2) {
  if (r2 == -HUGE_VAL) return 0;
  return r2;
}
inline Spread spread_of_scores(std::vector<double> r2) {
  for (double& one : r2) one = counted(one);
  return spread_of(r2);
}

inline std::size_t diverged(const std::vector<double>& r2) {
  return std::size_t(std::count(r2.begin(), r2.end(), -HUGE_VAL));
}

// The rows of each run.
using Splits = std::vector<const SplitRows*>;

// Splits training rows to choose a rate: the last ones judge.
inline SplitRows split_again(const Rows& train) {
  const std::size_t judging = train.size() / kept_back, learned = train.size() - judging;
  const auto block = [&](std::size_t first, std::size_t count) {
    return Rows{Matrix<double>(row_block(train.X, first, count)),
                Matrix<double>(row_block(train.T, first, count))};
  };
  return {block(0, learned), block(learned, judging)};
}

// Returns rates by the mean of 1 - R² over all runs, infinite when a run diverges.
inline RateSweep rates_of(const Contender& contender, const Splits& splits, std::uint64_t seed,
                          double start) {
  const auto loss = [&](double rate) {
    double sum = 0;
    for (std::size_t k = 0; k < splits.size() && std::isfinite(sum); ++k)
      sum += 1 - score(contender, split_again(splits[k]->train), seed_of_run(seed, k), rate);
    return sum / double(splits.size());
  };
  return sweep_rates(start, rate_step, loss);
}

struct Tried {
  const Contender& contender;
  const RateSweep& sweep;
};

// R² of runs at the rates below, at and above the best of a contender.
using Beside = std::array<std::vector<double>, 3>;

inline Beside runs_beside(Pool& pool, const Tried& tried, const Splits& splits,
                          std::uint64_t seed) {
  Beside r2;
  for (std::vector<double>& of_rate : r2) of_rate.resize(splits.size());
  run_grid(pool, "training", {3, splits.size()}, [&](std::size_t at, std::size_t k) {
    const double rate = tried.sweep.rates[tried.sweep.best + at - 1];
    r2[at][k] = score(tried.contender, *splits[k], seed_of_run(seed, k), rate);
  });
  return r2;
}

inline std::size_t diverged(const Beside& r2) {
  return diverged(r2[0]) + diverged(r2[1]) + diverged(r2[2]);
}

// Compares R² of one contender with the other's, run by run.
inline Verdict compare(const Beside& one, const Beside& other) {
  std::array<std::vector<double>, 3> differences;
  for (std::size_t at = 0; at < 3; ++at)
    for (std::size_t k = 0; k < one[at].size(); ++k)
      differences[at].push_back(counted(one[at][k]) - counted(other[at][k]));
  return verdict_of(differences);
}

}  // namespace lesson3
