// Small photographs in three colours with their labels, from the binary batches in which CIFAR-10
// comes. Files may be hostile: whatever is wrong with one is a std::runtime_error of one line.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "common/data/digits.hpp"

// Reads a batch: for each image a byte for its label, then 32 x 32 bytes each for red, green and
// blue. A row of X has the three one behind the other, from 0 to 1.
Images read_cifar(const std::string& path);
