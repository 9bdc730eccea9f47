// Exercise 6.6, solution: how many numbers a model is made of, before it is built.
// BMA adds H·dh² = d²/H, post d²: the factor between them is h, the count of the heads, and no constant.
// SPDX-License-Identifier: MIT
#pragma once

namespace ex6_6 {

// Four matrices and their biases: 1,050,624.
const double attention = 4.0 * 512 * 512 + 4 * 512;
// Eight squares of 64 x 64: 32,768. One of 512 x 512 and a bias: 262,656.
const double added_by_bma = 8 * 64 * 64;
const double added_by_post = 512 * 512 + 512;
// d² over 16·(d/16)².
const double post_over_bma_for_16_heads = 16;

// Tables; two layers of two norms, attention, and 64 → 256 → 64; the last norm; the head.
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
