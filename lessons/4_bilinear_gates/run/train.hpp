// Lesson 4: training on all rows at once, until the loss is as good as zero.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/loss.hpp"
#include "common/optimizer.hpp"

struct FitSettings {
  long steps = 3000;
  double rate = 0.03;
  double enough = 1e-6;  // a loss below this ends the training; Adam at a constant rate does not stay at zero
  bool cosine = false;   // the rate follows half a cosine to 0
  AdamWSettings adam{0.9, 0.999, 1e-8, 0};
};

struct Fit {
  double loss = 0;  // at the end
  long steps = 0;   // taken

  bool succeeded(const FitSettings& settings) const { return loss < settings.enough; }
};

// Trains the model in place on the rows of X and T; `watch(step, loss)` is called before each update.
template <class Model, class Optimizer, class Watch>
Fit fit(Model& model, Optimizer optimizer, const Matrix<double>& X, const Matrix<double>& T,
        const FitSettings& settings, Watch watch) {
  Fit result;
  for (;; ++result.steps) {
    const auto trace = model.forward(X);
    const Loss<double> loss = mean_squared_error(trace.output(), T);
    result.loss = loss.value;
    watch(result.steps, loss.value);
    if (result.steps == settings.steps || loss.value < settings.enough) return result;
    auto gradients = model.backward(trace, loss.gradient);  // back
    const double rate = settings.cosine ? cosine_rate(result.steps, settings.steps, settings.rate) : settings.rate;
    optimizer.step(model.tensors(), gradients.d.tensors(), rate);
  }
}

// The same with AdamW, unwatched.
template <class Model>
Fit fit(Model& model, const Matrix<double>& X, const Matrix<double>& T, const FitSettings& settings) {
  return fit(model, AdamW<double>(settings.adam), X, T, settings, [](long, double) {});
}
