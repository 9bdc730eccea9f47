// Lesson 3: training any of its models, and judging it.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/run/train.hpp"

#include <algorithm>

#include "lessons/3_swish_vs_bmlp/models.hpp"

namespace lesson3 {
namespace {

// A training on its way, with what can be kept from step to step.
template <class Model>
class Training {
 public:
  using T = typename Model::Number;

  Training(Model& model, const Optimizer<T>& optimizer, const TrainingSettings& settings)
      : model_(model), optimizer_(optimizer), settings_(settings), pass_(model) {}

  // Takes step number `step` by the mean squared error of these rows. Throws Diverged.
  void take_step(const Matrix<T>& X, const Matrix<T>& target, long step) {
    const double loss = pass_.run(model_, X, [&](const Matrix<T>& Y) { return mean_squared_error(Y, target); });
    check_below(1e6, loss, step);  // targets have a variance near 1: nothing recovers from a million
    optimizer_.step(model_.tensors(), pass_.g.d.tensors(), cosine_rate(step, settings_.steps, settings_.rate));
  }

 private:
  Model& model_;
  const Optimizer<T>& optimizer_;
  const TrainingSettings& settings_;
  Pass<Model> pass_;
};

template <class Of>
Optimizer<float> wrapped(Of optimizer) {
  return {[optimizer](const Tensors<float>& parameters, const Tensors<float>& gradients, double rate) mutable {
    optimizer.step(parameters, gradients, rate);
  }};
}

}  // namespace

Optimizer<float> adamw(const AdamWSettings& settings) { return wrapped(AdamW<float>(settings)); }
Optimizer<float> plain_descent() { return wrapped(Sgd<float>()); }

template <class T>
Matrix<T> pick_rows(const Matrix<double>& from, const std::vector<std::size_t>& which) {
  Matrix<T> picked(which.size(), from.cols());
  for (std::size_t i = 0; i < which.size(); ++i)
    std::copy(from.row(which[i]).begin(), from.row(which[i]).end(), picked.row(i).begin());
  return picked;
}

template <class Model>
void train(Model& model, const Optimizer<typename Model::Number>& optimizer, const Rows& rows,
           const TrainingSettings& settings, Random random, const Watch& watch) {
  using T = typename Model::Number;
  Training<Model> training(model, optimizer, settings);
  std::vector<std::size_t> batch(settings.batch);
  for (long step = 0; step < settings.steps; ++step) {
    watch(step);
    for (std::size_t& i : batch) i = std::size_t(random.below(rows.size()));
    training.take_step(pick_rows<T>(rows.X, batch), pick_rows<T>(rows.T, batch), step);
  }
}

void train_on_all_rows(BmlpBatch<float>& model, const Rows& rows, const TrainingSettings& settings) {
  const Matrix<float> X(rows.X.view()), target(rows.T.view());
  const Optimizer<float> optimizer = adamw(settings.adam);
  Training<BmlpBatch<float>> training(model, optimizer, settings);
  for (long step = 0; step < settings.steps; ++step) training.take_step(X, target, step);
}

template <class Model>
Curve train_and_watch(Model& model, const Rows& rows, const TrainingSettings& settings, Random random) {
  Curve curve;
  const auto note = [&](long step) {
    curve.steps.push_back(double(step));
    curve.losses.push_back(mean_squared_error(predict(model, rows.X), rows.T).value);
  };
  const long every = std::max(1L, settings.steps / 60);
  train(model, adamw(settings.adam), rows, settings, random, [&](long step) {
    if (step % every == 0) note(step);
  });
  note(settings.steps);
  return curve;
}

double r_squared(const Matrix<double>& Y, const Matrix<double>& target) {
  const Matrix<double> error = Y - target;
  const Matrix<double> spread = add_row(target, -1 * column_means(target));
  return 1 - dot(error, error) / dot(spread, spread);
}

// ------------------------------------------------------------------------------ what parts and tests ask for, compiled

template Matrix<float> pick_rows(const Matrix<double>&, const std::vector<std::size_t>&);
template Matrix<double> pick_rows(const Matrix<double>&, const std::vector<std::size_t>&);

using Settings = TrainingSettings;
template void train(Swish<float>&, const Optimizer<float>&, const Rows&, const Settings&, Random, const Watch&);
template void train(Bmlp<float>&, const Optimizer<float>&, const Rows&, const Settings&, Random, const Watch&);
template void train(GatedMean<float>&, const Optimizer<float>&, const Rows&, const Settings&, Random, const Watch&);
template void train(Product<float>&, const Optimizer<float>&, const Rows&, const Settings&, Random, const Watch&);
template void train(Product<double>&, const Optimizer<double>&, const Rows&, const Settings&, Random, const Watch&);
template void train(Outer<float>&, const Optimizer<float>&, const Rows&, const Settings&, Random, const Watch&);
template void train(Product2<float>&, const Optimizer<float>&, const Rows&, const Settings&, Random, const Watch&);
template void train(SwishGate<float>&, const Optimizer<float>&, const Rows&, const Settings&, Random, const Watch&);
template void train(Square<float>&, const Optimizer<float>&, const Rows&, const Settings&, Random, const Watch&);

template Curve train_and_watch(Swish<float>&, const Rows&, const Settings&, Random);
template Curve train_and_watch(Bmlp<float>&, const Rows&, const Settings&, Random);
template Curve train_and_watch(Product<float>&, const Rows&, const Settings&, Random);
template Curve train_and_watch(Product2<float>&, const Rows&, const Settings&, Random);

}  // namespace lesson3
