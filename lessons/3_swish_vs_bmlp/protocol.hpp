// Lesson 3: how its networks are compared (README.md, section 6): each contender first finds its
// own best rate, on rows that do not judge; then come pairs of runs, at the best rates and at those
// beside them.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include "common/spread.hpp"
#include "common/verdict.hpp"
#include "lessons/3_swish_vs_bmlp/train.hpp"

namespace lesson3 {

constexpr std::size_t rate_step = 3,
                      kept_back =
                          4;  // rates are 3 times apart; a fourth of the rows chooses among them

// A network, or the solution of a least squares problem, judged by what it says of the test rows
// once it has learned.
struct Contender {
  std::string title;
  std::function<Matrix<double>(const SplitRows& split, std::uint64_t seed, double rate)>
      predictions;
  bool tuned = true;  // false: least squares says what it reaches, and the standard rate does
};

// start(random) makes the network as it starts its training.
template <class Start>
Contender network(const std::string& title, TrainingSettings settings, Start start) {
  return {title, [=](const SplitRows& split, std::uint64_t seed, double rate) mutable {
            Random random(seed, 31);
            auto model = start(random);
            settings.rate = rate;
            train(model, split.train, settings, Random(seed, 32));
            return predict(model, split.test.X);
          }};
}

// Returns R² of the test rows once the contender has learned; minus infinity where its training
// diverges.
inline double score(const Contender& contender, const SplitRows& split, std::uint64_t seed,
                    double rate) {
  try {
    return r_squared(contender.predictions(split, seed, rate), split.test.T);
  } catch (const Diverged&) {
    return -HUGE_VAL;
  }
}

// Returns the spread of such scores. A run that diverged says no more than the mean would: it
// counts as 0.
inline Spread spread_of_scores(std::vector<double> r2) {
  std::replace(r2.begin(), r2.end(), -HUGE_VAL, 0.0);
  return spread_of(r2);
}

// Returns how many of the runs diverged.
inline std::size_t diverged(const std::vector<double>& r2) {
  return std::size_t(std::count(r2.begin(), r2.end(), -HUGE_VAL));
}

// The rows of each run.
using Splits = std::vector<const SplitRows*>;

// Returns the contender's rates by 1 - R² of validation rows, its mean over all runs, each with a
// start of its own: a run learns from all but the last of its training rows, and those judge.
// Infinite where one diverges.
inline RateSweep rates_of(const Contender& contender, const Splits& splits, std::uint64_t seed,
                          double start) {
  const auto loss = [&](double rate) {
    double sum = 0;
    for (std::size_t k = 0; k < splits.size() && std::isfinite(sum); ++k) {
      const Rows& train = splits[k]->train;
      const std::size_t judging = train.size() / kept_back, learned = train.size() - judging;
      const auto block = [&](std::size_t first, std::size_t count) {
        return Rows{Matrix<double>(row_block(train.X, first, count)),
                    Matrix<double>(row_block(train.T, first, count))};
      };
      sum += 1 - score(contender, {block(0, learned), block(learned, judging)},
                       seed_of_run(seed, k), rate);
    }
    return sum / double(splits.size());
  };
  return sweep_rates(start, rate_step, loss);
}

// Returns by how much R² of `one` is above that of `other` in pairs of runs, at the rates below, at
// and above the best of each; and how many of these runs diverged. run(count, job) runs job(0) ..
// job(count - 1).
template <class Run>
std::pair<Verdict, std::size_t> compare(const Contender& one, const RateSweep& rates_of_one,
                                        const Contender& other, const RateSweep& rates_of_other,
                                        const Splits& splits, std::uint64_t seed, const Run& run) {
  const std::size_t runs = splits.size();
  std::vector<double> r2(6 * runs);  // of one, then of the other: [rate][run]
  run(r2.size(), [&](std::size_t job) {
    const bool first = job < 3 * runs;
    const std::size_t at = job / runs % 3, k = job % runs;
    const RateSweep& sweep = first ? rates_of_one : rates_of_other;
    r2[job] = score(first ? one : other, *splits[k], seed_of_run(seed, k),
                    sweep.rates[sweep.best + at - 1]);
  });
  std::size_t asked[2] = {};  // rates in ascending order, runs in theirs
  const auto next = [&](std::size_t which) {
    return spread_of_scores({r2[3 * runs * which + asked[which]++]}).mean;
  };
  const Verdict verdict = compare_at_best(
      rates_of_one, [&](double, std::size_t) { return next(0); }, rates_of_other,
      [&](double, std::size_t) { return next(1); }, runs);
  return {verdict, diverged(r2)};
}

}  // namespace lesson3
