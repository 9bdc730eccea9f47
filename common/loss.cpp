// The softmax of all lessons, compiled once, with all optimizations.
// SPDX-License-Identifier: MIT
#include "common/loss.hpp"

template Normalizer<float> softmax(std::span<float>);
