// The softmax of all lessons, compiled once, with all optimizations.
// SPDX-License-Identifier: MIT
#include "common/loss.hpp"

template double softmax(std::span<float>);
