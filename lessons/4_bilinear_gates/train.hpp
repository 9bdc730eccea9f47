// Lesson 4: training on all rows at once.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>

#include "common/training.hpp"
#include "lessons/4_bilinear_gates/models.hpp"

namespace lesson4 {

// Below this training has succeeded: Adam at a constant rate does not stay at 0.
inline constexpr double as_good_as_zero = 1e-6;

// Section 6's rates, and the stream of its starts.
inline constexpr double xor_rates[] = {0.001, 0.003, 0.01, 0.03, 0.1, 0.3};
inline constexpr std::uint64_t xor_stream = 46;

// Returns the standard error of how many of some starts succeed. One more of each kind is counted,
// so that none and all have an error, too.
inline double error_of_count(double successes, std::size_t starts) {
  const double share = (successes + 1) / double(starts + 2);
  return std::sqrt(double(starts) * share * (1 - share));
}

struct FitSettings {
  long steps = 3000;
  double rate = 0.03;
  double enough = as_good_as_zero;
  bool cosine = false;  // the rate falls to 0 by half a cosine
  bool plain = false;   // descent along the gradient itself, in place of Adam
};

struct Fit {
  double loss = 0;
  long steps = 0;

  bool succeeded() const { return loss < as_good_as_zero; }
};

// The loss of an output.
using LossOf = std::function<Loss<double>(const Matrix<double>& Y)>;

// Mean squared error against T, or expected error over inputs.
LossOf error_to(const Matrix<double>& T);
LossOf error_over(const WeightedRows& rows);

template <class Model>
struct Trainer {
  // AdamW without decay is Adam.
  static Fit fit(Model& model, const Matrix<double>& X, const LossOf& loss_of,
                 const FitSettings& settings, const Watch& watch) {
    if (settings.plain) return descend(Sgd<double>(), model, X, loss_of, settings, watch);
    return descend(AdamW<double>({.decay = 0}), model, X, loss_of, settings, watch);
  }

 private:
  template <class Optimizer>
  static Fit descend(Optimizer optimizer, Model& model, const Matrix<double>& X,
                     const LossOf& loss_of, const FitSettings& settings, const Watch& watch) {
    Pass<Model> pass(model);
    const Schedule schedule{
        .steps = settings.steps, .rate = settings.rate, .last = settings.cosine ? 0.0 : 1.0};
    const auto run = [&](long) { return pass.run(model, X, loss_of); };
    Fit result;
    const auto judge = [&](long step, double loss) {
      result = {loss, step};
      return (!watch || watch(step, loss)) && loss >= settings.enough;
    };
    const long taken = train(model, pass, optimizer, schedule, HUGE_VAL, run, judge);
    if (taken == settings.steps) judge(taken, run(taken));
    return result;
  }
};
extern template struct Trainer<ProductLayer<double>>;
extern template struct Trainer<ProductNet<double>>;
extern template struct Trainer<HiddenNet<double>>;
extern template struct Trainer<Bottleneck<double>>;

template <class Model>
Fit fit(Model& model, const Matrix<double>& X, const LossOf& loss_of, const FitSettings& settings,
        const Watch& watch = {}) {
  return Trainer<Model>::fit(model, X, loss_of, settings, watch);
}

}  // namespace lesson4
