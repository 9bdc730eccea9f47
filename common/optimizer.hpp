// Gradient descent with momentum, AdamW and the cosine schedule (both derived in lesson 2), and
// clipping by the global norm. Each walks a model's tensors and their gradients in step.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/model.hpp"

// Throws std::invalid_argument unless every tensor has a gradient of its name and shape.
template <class T>
void check_gradients_fit(const Tensors<T>& parameters, const Tensors<T>& gradients) {
  if (parameters.size() != gradients.size())
    throw std::invalid_argument("as many gradients as tensors are needed");
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& [name, tensor] = parameters[i];
    if (name != gradients[i].name)
      throw std::invalid_argument("gradient " + gradients[i].name + " stands at " + name);
    const Shape gradient = gradients[i].tensor.shape();
    check_shapes(tensor.shape() == gradient, name.c_str(), tensor.shape(), gradient);
  }
}

// Prepares running averages, one matrix for each tensor: zeros before the first step. Throws
// std::invalid_argument when they were made for other tensors.
template <class T>
void prepare_averages(std::vector<Matrix<T>>& averages, const Tensors<T>& tensors) {
  if (averages.empty())
    for (const auto& [name, tensor] : tensors) averages.emplace_back(tensor.rows(), tensor.cols());
  if (averages.size() != tensors.size())
    throw std::invalid_argument("this optimizer has served another model");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Shape average = averages[i].shape(), tensor = tensors[i].tensor.shape();
    check_shapes(average == tensor, "this optimizer has served another model", average, tensor);
  }
}

// Training went wrong in a way that more steps do not mend.
struct Diverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws Diverged unless the loss is below the limit, from which no training comes back. NaN is
// below nothing.
inline void check_below(double limit, double loss, long step) {
  if (loss < limit) return;
  throw Diverged("training diverged: at step " + std::to_string(step) + " the loss is " +
                 std::to_string(loss) + "; try a smaller --rate, such as a third of it");
}

// Stochastic gradient descent with momentum: v ← momentum·v + g, p ← p - rate·v.
template <class T>
class Sgd {
 public:
  explicit Sgd(double momentum = 0) : momentum_(momentum) {}

  // Takes one step in place. Throws std::invalid_argument when the lists do not fit.
  void step(const Tensors<T>& parameters, const Tensors<T>& gradients, double rate) {
    check_gradients_fit(parameters, gradients);
    prepare_averages(velocity_, parameters);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      velocity_[i] = T(momentum_) * std::move(velocity_[i]) + gradients[i].tensor;  // back
      parameters[i].tensor = zip(std::move(parameters[i].tensor), velocity_[i],
                                 [rate](T p, T v) { return p - T(rate) * v; });  // back
    }
  }

 private:
  double momentum_;
  std::vector<Matrix<T>> velocity_;
};

struct AdamWSettings {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decay = 0.01;
  bool rows_decay = true;  // false: biases, gains and shifts, which are single rows, do not
  std::vector<double> factors = {};  // of each tensor's rate; none: all 1
};

// AdamW (Kingma and Ba 2015; Loshchilov and Hutter 2019). At step t = 1, 2, ...
//   m ← β₁m + (1 - β₁)g      v ← β₂v + (1 - β₂)g²      m^ = m/(1 - β₁ᵗ)      v^ = v/(1 - β₂ᵗ)
//   p ← p - rate·decay·p - rate·m^/(√v^ + ε)      (2.7)
// The decay acts on the parameter itself, not through the averages: that is the W.
template <class T>
class AdamW {
 public:
  // What a run must keep to go on later: its steps and each tensor's averages m and v.
  struct State {
    long steps = 0;
    std::vector<Matrix<T>> mean, square;
  };

  explicit AdamW(AdamWSettings settings = {}, State state = {})
      : settings_(settings), state_(std::move(state)) {}

  const State& state() const { return state_; }

  // Takes one step in place. Throws std::invalid_argument when the lists or the state do not fit.
  void step(const Tensors<T>& parameters, const Tensors<T>& gradients, double rate) {
    check_gradients_fit(parameters, gradients);
    prepare_averages(state_.mean, parameters);
    prepare_averages(state_.square, parameters);
    ++state_.steps;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const bool decays = settings_.rows_decay || parameters[i].tensor.rows() > 1;
      const double factor = settings_.factors.empty() ? 1 : settings_.factors.at(i);
      update(parameters[i].tensor.values(), gradients[i].tensor.values(), state_.mean[i].values(),
             state_.square[i].values(), factor * rate, decays ? settings_.decay : 0);
    }
  }

 private:
  void update(std::span<T> parameter, std::span<const T> gradient, std::span<T> mean,
              std::span<T> square, double rate, double decay) const {
    const T beta1 = T(settings_.beta1);
    const T beta2 = T(settings_.beta2);
    const T epsilon = T(settings_.epsilon);
    // Subtracted in double: 1 - float(0.999) would be off by 1e-5 of itself.
    const T rest1 = T(1 - settings_.beta1);
    const T rest2 = T(1 - settings_.beta2);
    const T keep = T(1 - rate * decay);
    // m^ and √v^ differ from m and √v by factors that depend on t alone.
    const T scaled_rate = T(rate / (1 - std::pow(settings_.beta1, state_.steps)));
    const T root_scale = T(1 / std::sqrt(1 - std::pow(settings_.beta2, state_.steps)));
    for (std::size_t i = 0; i < parameter.size(); ++i) {
      const T g = gradient[i];                        // back
      const T m = beta1 * mean[i] + rest1 * g;        // back
      const T v = beta2 * square[i] + rest2 * g * g;  // back
      mean[i] = m;
      square[i] = v;
      parameter[i] =
          keep * parameter[i] - scaled_rate * m / (root_scale * std::sqrt(v) + epsilon);  // back
    }
  }

  AdamWSettings settings_;
  State state_;
};

// Returns the learning rate at step 0, 1, ..., steps - 1: a straight climb to the peak, then half a
// cosine down towards last·peak, which step = steps would reach.
inline double cosine_rate(long step, long steps, double peak, long warm_up = 0, double last = 0) {
  if (step < warm_up) return peak * double(step + 1) / double(warm_up);
  const double part = double(step - warm_up) / double(steps - warm_up);
  return peak * (last + (1 - last) * 0.5 * (1 + std::cos(std::numbers::pi * part)));
}

// Scales all gradients by one factor so that their common Euclidean norm is at most `limit`.
// Returns the norm before.
template <class T>
double clip_global_norm(const Tensors<T>& gradients, double limit) {
  double sum = 0;
  for (const auto& [name, gradient] : gradients) sum += dot(gradient, gradient);  // back
  const double norm = std::sqrt(sum);
  if (norm > limit)
    for (const auto& [name, gradient] : gradients)
      gradient = T(limit / norm) * std::move(gradient);  // back
  return norm;
}
