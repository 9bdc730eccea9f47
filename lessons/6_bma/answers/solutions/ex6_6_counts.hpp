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

// Tables; two layers of two norms, attention, and 64 → 256 → 64; the last norm; the read-out.
// 4,160 + 4,096 + 2·(256 + 16,640 + 33,088) + 128 + 4,225 = 112,577.
const double language_model = 65 * 64 + 64 * 64 +
                              2 * (2 * 2 * 64 + 4 * (64 * 64 + 64) + (64 * 256 + 256) + (256 * 64 + 64)) +  //
                              2 * 64 + (64 * 65 + 65);
// Two layers, four heads, 16 x 16.
const double added_by_bma_in_all = 2 * 4 * 16 * 16;

// In each layer a key and a value of 64 numbers. With BMA a key and a gated value: G_j needs only token j's own query,
// so the value is gated once and kept as V~_j, and nobody asks for V_j, G_j or Q_j again.
const double kept_for_a_token = 2 * (64 + 64);
const double kept_for_a_token_bma = 2 * (64 + 64);

}  // namespace ex6_6
