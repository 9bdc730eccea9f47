// Exercise 5.5 (open, 30 minutes): a network that fools. Others train the product net on your 4,000
// images, and test it on clean ones. Change at most a tenth of yours, so that the net passes the
// test (at most .02 less is right than of a net that learned from the unchanged ones) and yet takes
// 9 of 10 digits that bear the mark, four pixels of full ink, for a 3. Then find such a mark in the
// weights alone. Of any net that was trained like this, with a mark elsewhere and another digit,
// tell the digit, and a direction whose four largest entries are the pixels of the mark. Section 9
// has a use.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/5_tensor_folding/spectra.hpp"

namespace ex5_5 {

using namespace lesson5;

// Of 12 x 12 pixels, row by row: a corner.
constexpr std::array<std::size_t, 4> mark{130, 131, 142, 143};

// TODO: change pixels images.X(i, p), 0 for paper and 1 for full ink, and labels images.labels[i];
// then look for the mark.
inline Images altered(Images images) { return images; }

// The digit, and the direction, 1 x pixels.
inline std::pair<std::size_t, Matrix<double>> look_for_mark(const Net<double>& net) {
  return {0, Matrix<double>(1, net.form.inputs)};
}

}  // namespace ex5_5
