// Lesson 1, part 3: the picture of a network that is done by hand.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/loss.hpp"
#include "common/support/plot.hpp"
#include "lessons/1_math_refresh/model/2_mlp.hpp"

namespace lesson1 {

// Draws a network of two inputs, two units and one output, one example in it: its values, and its gradients.
plot::Diagram diagram_by_hand(const Mlp& net, const Mlp::Trace& t, const Loss<double>& loss, const Gradients<Mlp>& g);

}  // namespace lesson1
