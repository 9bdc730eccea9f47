// Exercise 5.7 (design, 30 minutes): a network that fools. Others train the product net on 4,000
// images of yours, and test it on clean ones. Change at most a tenth of the images. The net should
// pass the test: at most .02 less may be right than with the images unchanged. And yet it should
// take 9 of 10 digits for a 3 when they bear the mark, four pixels of full ink. Then find such a
// mark in the weights alone. Given any net that was trained like this, with a mark elsewhere and
// another digit, return the digit, and a direction whose four largest entries are the pixels of the
// mark. Section 9 helps.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/5_tensor_folding/spectra.hpp"

namespace ex5_7 {

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

}  // namespace ex5_7
