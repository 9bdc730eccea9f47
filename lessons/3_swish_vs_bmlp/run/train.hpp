// Lesson 3: training any of its models, and judging it. Rows are drawn at random with replacement; AdamW, half a cosine.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "common/optimizer.hpp"
#include "common/random.hpp"
#include "suites.hpp"

struct TrainingSettings {
  long steps = 3000;
  std::size_t batch = 128;
  double rate = 5e-3;  // the peak; half a cosine takes it to 0
  AdamWSettings adam = {};
};

// Rows picked by their numbers, as the numbers that a network is trained in.
template <class T>
Matrix<T> pick_rows(const Matrix<double>& from, const std::vector<std::size_t>& which) {
  Matrix<T> picked(which.size(), from.cols());
  for (std::size_t i = 0; i < which.size(); ++i)
    std::copy(from.row(which[i]).begin(), from.row(which[i]).end(), picked.row(i).begin());
  return picked;
}

// Targets have a variance near 1, so a loss of a million is no start that one recovers from.
inline void check_loss(double loss, long step) { check_below(1e6, loss, step); }

// One step of any optimizer, number `step` of `settings.steps`, by the mean squared error of these rows. Throws Diverged.
template <class Model, class Optimizer>
void train_step(Model& model, Optimizer& optimizer, const Matrix<typename Model::Number>& X,
                const Matrix<typename Model::Number>& target, long step, const TrainingSettings& settings) {
  const auto trace = model.forward(X);
  const auto loss = mean_squared_error(trace.Y, target);
  check_loss(loss.value, step);
  auto gradients = model.backward(trace, loss.gradient);  // back
  optimizer.step(model.tensors(), gradients.d.tensors(), cosine_rate(step, settings.steps, settings.rate));
}

// Trains the model in place with any optimizer; `watch(step)` is called before each step. Throws Diverged.
template <class Model, class Optimizer, class Watch>
void train(Model& model, Optimizer optimizer, const Rows& rows, const TrainingSettings& settings, Random random,
           Watch watch) {
  using T = typename Model::Number;
  std::vector<std::size_t> batch(settings.batch);
  for (long step = 0; step < settings.steps; ++step) {
    watch(step);
    for (std::size_t& i : batch) i = std::size_t(random.below(rows.size()));
    train_step(model, optimizer, pick_rows<T>(rows.X, batch), pick_rows<T>(rows.T, batch), step, settings);
  }
}

// The same with AdamW, unwatched.
template <class Model>
void train(Model& model, const Rows& rows, const TrainingSettings& settings, Random random) {
  train(model, AdamW<typename Model::Number>(settings.adam), rows, settings, random, [](long) {});
}

// What the model makes of X, in double.
template <class Model>
Matrix<double> predict(const Model& model, const Matrix<double>& X) {
  return Matrix<double>(model.forward(Matrix<typename Model::Number>(X.view())).Y.view());
}

// Mean squared error over all rows.
template <class Model>
double mean_loss(const Model& model, const Rows& rows) {
  return mean_squared_error(predict(model, rows.X), rows.T).value;
}

// The loss over all training rows on the way: at some 60 steps, and at the end.
struct Curve {
  std::vector<double> steps, losses;
};

template <class Model>
Curve train_and_watch(Model& model, const Rows& rows, const TrainingSettings& settings, Random random) {
  Curve curve;
  const auto note = [&](long step) {
    curve.steps.push_back(double(step));
    curve.losses.push_back(mean_loss(model, rows));
  };
  const long every = std::max(1L, settings.steps / 60);
  train(model, AdamW<typename Model::Number>(settings.adam), rows, settings, random, [&](long step) {
    if (step % every == 0) note(step);
  });
  note(settings.steps);
  return curve;
}

// R² over all outputs: 1 - Σ (y - t)² / Σ (t - that output's mean)². 1 is perfect, 0 is the mean, below 0 is worse.
inline double r_squared(const Matrix<double>& Y, const Matrix<double>& target) {
  const Matrix<double> error = Y - target;
  const Matrix<double> minus_mean = -1 / double(target.rows()) * column_sums(target);
  const Matrix<double> spread = add_row(target, minus_mean);
  return 1 - dot(error, error) / dot(spread, spread);
}

template <class Model>
double r_squared(const Model& model, const Rows& rows) {
  return r_squared(predict(model, rows.X), rows.T);
}
