// Exercise 6.6, solution: how many numbers a model is made of, before it is built.
// BMA adds H·dh² = d²/H, post d²: the factor between them is the number of heads, and no constant.
// SPDX-License-Identifier: MIT
#pragma once

namespace ex6_6 {

// Four matrices and their biases: 2,362,368.
const double attention = 4.0 * 768 * 768 + 4 * 768;
// Twelve squares of 64 x 64: 49,152. One of 768 x 768 and a bias: 590,592.
const double added_by_bma = 12 * 64 * 64;
const double added_by_post = 768 * 768 + 768;
// d² over 16·2·(d/16)².
const double post_over_wider_gate = 8;

// Tables; three layers of two norms, attention, and 48 → 192 → 48; the last norm; the read-out.
// 1,920 + 1,152 + 3·(192 + 9,408 + 18,672) + 96 + 1,960 = 89,944.
const double language_model = 40 * 48 + 24 * 48 +
                              3 * (2 * 2 * 48 + 4 * (48 * 48 + 48) + (48 * 192 + 192) + (192 * 48 + 48)) +  //
                              2 * 48 + (48 * 40 + 40);
// Three layers, four heads, 12 x 12.
const double added_by_bma_in_all = 3 * 4 * 12 * 12;

// In each layer a key and a value of 48 numbers. With BMA a key and a gated value: G_j needs only token j's own query,
// so the value is gated once and kept as V~_j, and nobody asks for V_j, G_j or Q_j again.
const double kept_for_a_token = 3 * (48 + 48);
const double kept_for_a_token_bma = 3 * (48 + 48);

}  // namespace ex6_6
