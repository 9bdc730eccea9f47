// Exercise 6.6 (warm-up, 20 minutes): how many numbers a model is made of, before it is built.
// All answers are whole numbers, and must be exact; expressions such as 2.0 * 768 * 768 are welcome. d is the width and
// H the heads, of dh = d/H columns each. Wq, Wk, Wv, Wo are d x d. BMA has a dh x dh gate for each head, without a
// bias; the gate behind the attention ("post") has one d x d matrix and a bias.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

namespace ex6_6 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: put your numbers in the place of not_answered.

// One layer of attention with d = 768 and 12 heads, biases on Wq, Wk, Wv and Wo.
const double attention = not_answered;
// What BMA adds to it, and what post adds.
const double added_by_bma = not_answered;
const double added_by_post = not_answered;
// Another gate reads the queries of its own head and of a neighbour: a matrix of 2·dh x dh for each of 16 heads. Leave
// out all biases: post's numbers divided by those of this gate, for any d?
const double post_over_wider_gate = not_answered;

// A language model with standard attention: 40 symbols, a context of 24, 3 layers, d = 48, 4 heads. Embedding tables
// for symbols and for places; in each layer two norms (a gain and a shift each), attention, and a feed-forward part of
// four times the width; a last norm; and a read-out of its own, d x 40. Everything that can have a bias has one.
const double language_model = not_answered;
// What BMA adds to this model, all of its layers.
const double added_by_bma_in_all = not_answered;

// When this model writes, token by token, how many numbers must it keep for each token that is past, all layers
// together, to compute nothing twice? With standard attention, and with BMA.
const double kept_for_a_token = not_answered;
const double kept_for_a_token_bma = not_answered;

}  // namespace ex6_6
