// N-gram tables, the rival of the neural models: count which symbol followed each context, and smooth the counts.
// Two smoothings, interpolated additive and modified Kneser-Ney; both have the form
//   p_n(s | context) = (c - D(c) + mass · p_{n-1}(s | shorter context)) / total,    p_0 = 1/vocab,
// where the mass is what the discounts D took away (Kneser-Ney), or a constant a (interpolated, D = 0, total = n + a).
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

class Ngram {
 public:
  using Text = std::span<const std::uint32_t>;  // symbols, each below vocab

  // p_n = (c + a·p_{n-1}) / (total + a) with c the number of occurrences. a = 0 leaves what was never seen at 0.
  // Throws std::invalid_argument for a < 0, a symbol outside the vocabulary, order 0, or n-grams beyond 64 bits.
  static Ngram interpolated(Text text, std::size_t vocab, std::size_t order, double a);

  // Modified Kneser-Ney, interpolated (Chen and Goodman 1999): below the highest order c is the number of distinct left
  // neighbours; three discounts for each order. Throws as above.
  static Ngram kneser_ney(Text text, std::size_t vocab, std::size_t order);

  std::size_t vocab() const { return vocab_; }
  std::size_t order() const { return tables_.size(); }

  // Counts the distinct n-grams stored: of order n, and of the orders 1 to n. Throw std::out_of_range outside 1..order.
  std::size_t distinct(std::size_t n) const;
  std::size_t distinct_up_to(std::size_t n) const;

  // Fills out (vocab numbers, which sum to 1) with the probability of each next symbol. The context has its most recent
  // symbol last; of a long one the last order - 1 count, a short one takes a lower order.
  void distribution(Text context, std::span<double> out) const;

  double probability(Text context, std::uint32_t symbol) const;

  // Returns the mean of -ln p in nats over text[first], text[first + 1], ..., each with the symbols before it as
  // context; infinite when one has probability 0. Throws std::invalid_argument when there is nothing to predict.
  double loss(Text text, std::size_t first = 0) const;

 private:
  // An n-gram packed into one number, its last symbol in the lowest bits, and how often it counts.
  struct Gram {
    std::uint64_t key, count;
  };
  using Discounts = std::array<double, 4>;  // for the counts 0, 1, 2, and 3 or more
  // The n-grams of one order sorted by key: those with a common context stand side by side.
  struct Table {
    std::vector<Gram> grams;
    Discounts discount{};
  };

  Ngram(Text text, std::size_t vocab, std::size_t order, double a, bool kneser_ney);

  std::vector<Gram> windows(Text text, std::size_t n) const;
  static std::vector<Gram> merged(std::vector<Gram> grams);
  static Discounts discounts(const std::vector<Gram>& grams);
  std::span<const Gram> followers(std::size_t n, std::uint64_t context) const;
  template <class F>
  void for_orders(Text context, F f) const;
  static double taken(const Gram& g, const Discounts& discount);
  std::size_t last_symbol(const Gram& g) const;
  std::pair<double, double> sums(std::span<const Gram> row, const Discounts& discount) const;
  void check_symbols(Text text) const;

  std::size_t vocab_, bits_ = 0;  // bits of one symbol in a key
  double added_;
  std::vector<Table> tables_;  // of the n-grams of order 1, 2, ...
};
