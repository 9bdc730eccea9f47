// Lesson 2: a source of known entropy. A random chain in which each symbol depends on the two before it; what nobody
// can predict about it, its entropy rate, follows from its table by arithmetic.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/matrix.hpp"
#include "common/random.hpp"

namespace lesson2 {

class MarkovChain {
 public:
  // Draws a chain: row (a, b) of its table holds the distribution of the symbol after a, b, for each symbol 0.01 and the square
  // of a uniform number, made to sum to 1.
  MarkovChain(std::size_t symbols, Random& random);

  // Takes a table: symbols² x symbols, rows that sum to 1. Throws std::invalid_argument for another shape.
  explicit MarkovChain(Matrix<double> next);

  // Draws `count` symbols, started at symbols 0, 0.
  std::vector<std::uint32_t> draw(std::size_t count, Random& random) const;

  // Returns the entropy rate in nats: Σ π(a,b)·H(next | a,b), π the stationary distribution of pairs.   (2.7)
  double entropy_rate() const;

  // Returns what the chain itself loses on a text, in nats a symbol, from the third symbol on: nobody can do better but
  // by luck.
  double loss(std::span<const std::uint32_t> text) const;

 private:
  std::vector<double> stationary() const;

  std::size_t symbols_;
  Matrix<double> next_;  // symbols² x symbols
};

}  // namespace lesson2
