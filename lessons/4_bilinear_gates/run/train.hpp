// Lesson 4: training on all rows at once, until the loss is as good as zero.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>

#include "common/optimizer.hpp"
#include "lessons/4_bilinear_gates/model/8_superposition.hpp"

namespace lesson4 {

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

// One step of an optimizer, in place, and who is told each loss before it.
using Update = std::function<void(const Tensors<double>& parameters, const Tensors<double>& gradients, double rate)>;
using Watch = std::function<void(long step, double loss)>;

// Return an optimizer that has taken no step yet.
Update adamw(const AdamWSettings& settings);
Update plain_descent();

// Trains a model of this lesson in place on the rows of X and T, by the mean squared error.
template <class Model>
Fit fit(Model& model, const Update& update, const Matrix<double>& X, const Matrix<double>& T,
        const FitSettings& settings, const Watch& watch = {});

// Does the same with AdamW.
template <class Model>
Fit fit(Model& model, const Matrix<double>& X, const Matrix<double>& T, const FitSettings& settings,
        const Watch& watch = {}) {
  return fit(model, adamw(settings.adam), X, T, settings, watch);
}

// Trains on all inputs at once, each as important as it is probable, at a rate that follows half a cosine to 0; returns the
// expected squared error of a feature.
double fit_weighted(Bottleneck& model, const Update& update, const WeightedRows& rows, long steps, double rate);

// Does the same with AdamW.
double fit_weighted(Bottleneck& model, const WeightedRows& rows, long steps, double rate);

// Returns the smallest Frobenius distance between S (3 x 3, symmetric) and what `units` products add up to, by descent on its
// square from some starts.
double best_distance(const Matrix<double>& S, std::size_t units, Random random);

}  // namespace lesson4
