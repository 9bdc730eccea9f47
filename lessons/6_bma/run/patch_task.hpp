// Lesson 6, part 7: which images, and what is trained on them.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/support/digits.hpp"
#include "common/support/lesson.hpp"
#include "lessons/6_bma/run/flags.hpp"
#include "lessons/6_bma/run/train_vision.hpp"

namespace lesson6 {

// Images to learn from and to be judged by, and how.
struct PatchTask {
  TrainTest images;
  VisionForm form;        // of all variants, but for the gate
  std::size_t seeds = 3;  // runs of each variant

  VisionForm form_with(Gate gate) const;
};

// Returns what the flags ask for: drawn digits, 6,000 and 3,000, or four of five of the images in the files, at random:
// digits in IDX form, or a binary batch of CIFAR-10 in three colours.
// Throws UserError.
PatchTask patch_task(const BmaFlags& flags, const Options& options);

}  // namespace lesson6
