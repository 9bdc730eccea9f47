// Lesson 5, part 6: trains classifiers of images.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/random.hpp"
#include "common/support/digits.hpp"

namespace lesson5 {

struct ClassifierSettings {
  long steps = 1500;
  std::size_t batch = 128;
  double rate = 3e-3;  // the peak; half a cosine takes it to 0
  double decay = 0.01;
  double noise = 0;  // standard deviation of what is added to each pixel of each batch
};

// Trains a Net, LinearNet, ReluNet or SquareNet in place, by the cross-entropy of images drawn at random with replacement.
// Throws Diverged when the loss is a hundred times that of knowing nothing, or NaN.
template <class Model>
void train(Model& model, const Images& images, const ClassifierSettings& settings, Random random);

}  // namespace lesson5
