// Lesson 2: a source of known entropy. A random chain in which each symbol depends on the two before it; what nobody can
// predict about it, its entropy rate, follows from its table by arithmetic.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/matrix.hpp"
#include "common/random.hpp"

class MarkovChain {
 public:
  // Row (a, b) of the table holds the law of the symbol after a, b: squares of uniform numbers, made to sum to 1.
  MarkovChain(std::size_t symbols, Random& random) : symbols_(symbols), next_(symbols * symbols, symbols) {
    for (std::size_t pair = 0; pair < next_.rows(); ++pair) {
      double sum = 0;
      for (double& p : next_.row(pair)) p = 0.01 + std::pow(random.uniform(), 2), sum += p;
      for (double& p : next_.row(pair)) p /= sum;
    }
  }

  // The chain with the given table: symbols² x symbols, rows that sum to 1.
  explicit MarkovChain(Matrix<double> next) : symbols_(next.cols()), next_(std::move(next)) {
    check_shapes(next_.rows() == symbols_ * symbols_, "MarkovChain", next_.shape(), {symbols_ * symbols_, symbols_});
  }

  std::size_t symbols() const { return symbols_; }

  // `count` symbols of the chain, started at symbols 0, 0.
  std::vector<std::uint32_t> draw(std::size_t count, Random& random) const {
    std::vector<std::uint32_t> text;
    std::size_t a = 0, b = 0;
    while (text.size() < count) {
      const std::size_t symbol = random.pick(next_.row(a * symbols_ + b));
      text.push_back(std::uint32_t(symbol));
      a = b, b = symbol;
    }
    return text;
  }

  // Entropy rate in nats: Σ π(a,b)·H(next | a,b), π the stationary law of pairs, found by letting pairs flow until
  // they change by less than rounding.   (2.7)
  double entropy_rate() const {
    std::vector<double> pi(next_.rows(), 1 / double(next_.rows()));
    for (int round = 0; round < 10'000; ++round) {
      std::vector<double> moved(pi.size());
      for (std::size_t pair = 0; pair < pi.size(); ++pair)
        for (std::size_t s = 0; s < symbols_; ++s) moved[pair % symbols_ * symbols_ + s] += pi[pair] * next_(pair, s);
      double change = 0;
      for (std::size_t pair = 0; pair < pi.size(); ++pair) change += std::abs(moved[pair] - pi[pair]);
      pi = moved;
      if (change < 1e-15) break;
    }
    double rate = 0;
    for (std::size_t pair = 0; pair < pi.size(); ++pair)
      for (const double p : next_.row(pair)) rate -= pi[pair] * p * std::log(p);
    return rate;
  }

  // What the chain itself loses on a text, in nats a symbol, from the third symbol on: nobody can do better but by luck.
  double loss(std::span<const std::uint32_t> text) const {
    double sum = 0;
    for (std::size_t t = 2; t < text.size(); ++t) sum -= std::log(next_(text[t - 2] * symbols_ + text[t - 1], text[t]));
    return sum / double(text.size() - 2);
  }

 private:
  std::size_t symbols_;
  Matrix<double> next_;  // symbols² x symbols
};
