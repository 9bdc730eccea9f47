// Lesson 2: a case small enough for every gradient to be looked at: what part 3 checks and --export writes.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/2_bengio_mlp/model/2_bengio.hpp"

namespace lesson2 {

enum class Connections { hidden_alone, direct_too };

// Returns 10 windows of 3 of 7 symbols, in which symbols and padding repeat.
Windows small_windows();

// Draws a model of them: d = 2, 5 hidden units, all parameters N(0, 1).
Bengio<double> small_model(Connections connections, Random& random);

}  // namespace lesson2
