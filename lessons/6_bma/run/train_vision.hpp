// Lesson 6, part 7: trains the vision model on images, and counts what it gets right.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/support/digits.hpp"
#include "lessons/6_bma/model/6_vision.hpp"
#include "lessons/6_bma/run/train.hpp"

namespace lesson6 {

// Returns what part 7 trains with.
RunSettings vision_run();

// Returns a model as training starts: by the rules of start.hpp.
VisionModel<float> fresh_vision(const VisionForm& form, std::uint64_t seed);

// Returns the mean cross-entropy of a batch; its gradients, clipped to the norm `clip`, are then in `pass`.
template <class T>
double vision_pass(Pass<VisionModel<T>>& pass, const VisionModel<T>& model, const Pictures<T>& pictures,
                   std::span<const std::uint32_t> labels, double clip);

// Trains in place on images drawn at random with replacement. Throws Diverged when the loss is ten times that of
// knowing nothing, or NaN.
void train(VisionModel<float>& model, const Images& images, const RunSettings& settings);

struct Score {
  double loss = 0;   // mean cross-entropy
  double right = 0;  // the share of images whose largest logit is that of their label
};

// Returns the score of a model on images, `chunk` of them at a time, so that many images need no more room than few.
template <class T>
Score score(const VisionModel<T>& model, const Images& images, std::size_t chunk = 64);

}  // namespace lesson6
