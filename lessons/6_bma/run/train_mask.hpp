// Lesson 6, part 4: trains an attention layer on the mask task.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "lessons/6_bma/model/7_mask_task.hpp"
#include "lessons/6_bma/run/train.hpp"

namespace lesson6::mask_task {

// What part 4 trains with: half a cosine takes the rate from its peak to 0; nothing decays, nothing is clipped.
RunSettings run_settings();

// Returns a layer after training.
GatedAttention<float> trained(Gate gate, std::size_t heads, const RunSettings& settings);

}  // namespace lesson6::mask_task
