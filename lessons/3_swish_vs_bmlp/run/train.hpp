// Lesson 3: training any of its models, and judging it. Rows are drawn with replacement; AdamW, half a cosine.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <vector>

#include "common/loss.hpp"
#include "common/optimizer.hpp"
#include "common/random.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/suites.hpp"

namespace lesson3 {

struct TrainingSettings {
  long steps = 3000;
  std::size_t batch = 128;
  double rate = 5e-3;  // the peak; half a cosine takes it to 0
  AdamWSettings adam = {};
};

// Any optimizer: step(parameters, gradients, rate) moves the parameters.
template <class T>
struct Optimizer {
  std::function<void(const Tensors<T>&, const Tensors<T>&, double)> step;
};

// Return AdamW, and plain descent, from their first step on.
Optimizer<float> adamw(const AdamWSettings& settings = {});
Optimizer<float> plain_descent();

// Is called before each step, with its number.
using Watch = std::function<void(long step)>;

// Returns rows picked by their numbers, as the numbers that a network is trained in.
template <class T>
Matrix<T> pick_rows(const Matrix<double>& from, const std::vector<std::size_t>& which);

// Trains the model in place by the mean squared error. Throws Diverged.
template <class Model>
void train(Model& model, const Optimizer<typename Model::Number>& optimizer, const Rows& rows,
           const TrainingSettings& settings, Random random, const Watch& watch);

// Does the same with AdamW, unwatched.
template <class Model>
void train(Model& model, const Rows& rows, const TrainingSettings& settings, Random random) {
  train(model, adamw(settings.adam), rows, settings, random, [](long) {});
}

// Does the same with all rows in each step.
void train_on_all_rows(BmlpBatch<float>& model, const Rows& rows, const TrainingSettings& settings);

// The loss over all training rows on the way: at some 60 steps, and at the end.
struct Curve {
  std::vector<double> steps, losses;
};

// Trains the model in place with AdamW; returns what became of its loss.
template <class Model>
Curve train_and_watch(Model& model, const Rows& rows, const TrainingSettings& settings, Random random);

// Returns what the model makes of X, in double.
template <class Model>
Matrix<double> predict(const Model& model, const Matrix<double>& X) {
  return Matrix<double>(output(model, Matrix<typename Model::Number>(X.view())).view());
}

// Returns R² over all outputs, 1 - Σ (y - t)² / Σ (t - that output's mean)²: 1 is perfect, 0 the mean, below 0 worse.
double r_squared(const Matrix<double>& Y, const Matrix<double>& target);

// Returns that of a model on all rows.
template <class Model>
double r_squared(const Model& model, const Rows& rows) {
  return r_squared(predict(model, rows.X), rows.T);
}

}  // namespace lesson3
