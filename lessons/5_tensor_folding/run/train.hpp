// Lesson 5, part 6: trains classifiers of images.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/model.hpp"
#include "common/support/digits.hpp"

namespace lesson5 {

struct ClassifierSettings {
  long steps = 1500;
  std::size_t batch = 128;
  double rate = 3e-3;  // the peak; half a cosine takes it to 0
  double decay = 0.01;
  double noise = 0;  // standard deviation of what is added to each pixel of each batch
};

// Finds the slopes of the cross-entropy on these images, g.d in the form of the model; returns the cross-entropy. The
// model is a Net, a LinearNet or a ReluNet, of float or double.
template <class Model>
double slopes_of(const Model& model, const Matrix<typename Model::Number>& X, const std::vector<std::uint32_t>& labels,
                 typename Model::Trace& trace, Gradients<Model>& g);

// Trains in place on images drawn at random with replacement; the same models, of float. Throws Diverged when the loss
// is a hundred times that of knowing nothing, or NaN.
template <class Model>
void train(Model& model, const Images& images, const ClassifierSettings& settings, Random random);

}  // namespace lesson5
