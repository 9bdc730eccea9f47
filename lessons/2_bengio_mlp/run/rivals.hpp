// Lesson 2: measuring the network and its rivals, tables of counts, on text that neither was trained on.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "common/support/ngram.hpp"
#include "lessons/2_bengio_mlp/run/session.hpp"

namespace lesson2 {

inline constexpr double pseudo_counts = 4;  // the `a` of the interpolated tables; on a larger text more is better

// Count the n-grams of the train text, see common/support/ngram.hpp.
Ngram interpolated(const Corpus& corpus, std::size_t order);
Ngram kneser_ney(const Corpus& corpus, std::size_t order);

// Losses on validation, test and both together, in nats a symbol.
struct HeldOut {
  double validation, test, both;
};
HeldOut held_out(const Bengio<float>& model, const Corpus& corpus, Pool& pool);
HeldOut held_out(const Ngram& table, const Corpus& corpus);

// Losses on test when the network and a table vote: each alone, half the weight each, and with the network's weight, in
// tenths, that was best on validation.
struct Mixture {
  double table = 0, network = 0, half = 0, weight = 0, mixed = HUGE_VAL;
};
Mixture mix(Session& session, const Ngram& table);

// A trained network: its size, its loss on the last tenth, and on the text it was trained on.
struct Trained {
  std::size_t numbers = 0;
  double loss = 0, train_loss = 0;
};

// Trains a network of the given context and hidden units, d = 8, on the calling thread.
Trained train_small(const Corpus& corpus, std::size_t context, std::size_t hidden, long steps, std::uint64_t seed);

}  // namespace lesson2
