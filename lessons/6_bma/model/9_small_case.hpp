// Lesson 6: small attention layers, for the parts that look at one closely: with drawn weights and a batch, and the
// example that README.md does by hand.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

#include "common/gradcheck.hpp"
#include "common/loss.hpp"
#include "lessons/6_bma/model/2_gates.hpp"

namespace lesson6 {

// Two sequences of five tokens, width 6, two heads; the loss is Σ R ⊙ Y.
struct SmallCase {
  static constexpr std::size_t tokens = 5, sequences = 2, width = 6, heads = 2;
  static constexpr std::uint8_t mask[]{0, 1, 1, 0, 1, 1, 1, 0, 1, 1};
  static constexpr Layout all_seen{tokens}, some_hidden{tokens, mask};

  GatedAttention<double> layer;
  Sequences<double> X;
  Matrix<double> R;

  // Draws weights with standard deviation .6, so that no gate and no weight is near its end. The form needs no sizes.
  SmallCase(GatedForm form, const Layout& layout, std::uint64_t seed);

  Loss<double> loss(const Matrix<double>& Y) const { return {dot(R, Y), R}; }

  Gradients<GatedAttention<double>> derive() const;  // by hand, at this point

  // Checks every tensor but the keys' bias, whose gradient is zero in theory, and X.
  GradientReport check();
};

// Takes the rows of the keys' biases out of a report: their gradients are zero, and so are both sides of a relative
// error.
GradientReport without_key_biases(GradientReport report);

// Returns the example of README.md: width 1, one head, causal. Its tokens are 1 and 2; scores 2·ln 3 and 4·ln 3 make
// weights of 1/10 and 9/10.
GatedAttention<double> layer_by_hand(Gate gate);
Sequences<double> tokens_by_hand();

}  // namespace lesson6
