// Lesson 6: one run of a recipe, from its start or from where it was stopped: `--recipe`, `--resume`. Beside its loss
// stands what tables of counts reach on the same text.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "lessons/6_bma/run/session.hpp"

namespace lesson6 {

// Returns the losses of Kneser-Ney tables of the orders 2 to 5 on the last tenth (lesson 2 explains them).
std::vector<double> table_losses(Session& session);

// Trains one run and shows it. Returns the exit status.
int one_run(Session& session);

}  // namespace lesson6
