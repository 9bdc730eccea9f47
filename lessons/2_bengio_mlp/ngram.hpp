// Lesson 2, tables of counts, the rival of the network: which symbol followed each context, and how often.
// Two ways to smooth the counts, interpolation and modified Kneser-Ney, have one form:
//   p_n(s | context) = (c - D(c) + mass · p_{n-1}(s | shorter context)) / total,    p_0 = 1/vocab,
// where the mass is what the discounts D took away (Kneser-Ney), or a constant a (interpolation: D = 0, total = n + a).
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

class Ngram {
 public:
  using Text = std::span<const std::uint32_t>;  // symbols, each below vocab

  // Counts c, the occurrences. a = 0 leaves what was never seen at 0. Throws std::invalid_argument for a symbol outside
  // the vocabulary, order 0, or n-grams beyond 64 bits.
  static Ngram interpolated(Text text, std::size_t vocab, std::size_t order, double a) {
    return Ngram(text, vocab, order, a, false);
  }

  // Chen and Goodman 1999: below the highest order c is the number of distinct left neighbours, and each order has three
  // discounts. Throws as above.
  static Ngram kneser_ney(Text text, std::size_t vocab, std::size_t order) {
    return Ngram(text, vocab, order, 0, true);
  }

  // Returns how many n-grams it keeps, those of all orders together.
  std::size_t stored() const {
    std::size_t count = 0;
    for (const Table& table : tables_) count += table.grams.size();
    return count;
  }

  // Returns the probability of a symbol after a context, the most recent symbol last. Of a long context the last
  // order - 1 symbols count; a short one takes a lower order. Throws for a symbol outside the vocabulary.
  double probability(Text context, std::uint32_t symbol) const {
    checked(symbol);
    double p = 1 / double(vocab_);
    std::uint64_t key = 0;
    for (std::size_t n = 0; n < tables_.size() && n <= context.size(); ++n) {  // after n symbols of context
      if (n > 0) key |= std::uint64_t{checked(context[context.size() - n])} << (bits_ * (n - 1));
      const std::span<const Gram> row = followers(n, key);
      if (row.empty()) break;  // then no longer context was seen either
      double total = added_, mass = added_, count = 0;
      for (const Gram& g : row) {
        const double taken = tables_[n].discount[std::size_t(std::min<std::uint64_t>(g.count, 3))];
        total += double(g.count);
        mass += taken;
        if ((g.key & low_bits(bits_)) == symbol) count = double(g.count) - taken;
      }
      p = p * (mass / total) + count / total;
    }
    return p;
  }

  // Returns the mean of -ln p in nats over text[first], text[first + 1], ..., each with the symbols before it as
  // context; infinite when one has probability 0. Throws std::invalid_argument when there is nothing to predict.
  double loss(Text text, std::size_t first = 0) const {
    if (first >= text.size()) throw std::invalid_argument("n-gram: a loss needs at least one symbol to predict");
    double sum = 0;
    for (std::size_t i = first; i < text.size(); ++i) sum -= std::log(probability(text.first(i), text[i]));
    return sum / double(text.size() - first);
  }

 private:
  // An n-gram packed into one number, its last symbol in the lowest bits, and how often it counts.
  struct Gram {
    std::uint64_t key, count;
  };
  using Grams = std::vector<Gram>;
  using Discounts = std::array<double, 4>;  // for the counts 0, 1, 2, and 3 or more
  // The n-grams of one order sorted by key: those with a common context stand side by side.
  struct Table {
    Grams grams;
    Discounts discount{};
  };

  Ngram(Text text, std::size_t vocab, std::size_t order, double a, bool kneser_ney) : vocab_(vocab), added_(a) {
    if (vocab == 0 || order == 0) throw std::invalid_argument("n-gram: no vocabulary, or order 0");
    bits_ = std::max<std::size_t>(1, std::size_t(std::bit_width(vocab - 1)));
    if (order > 64 / bits_)
      throw std::invalid_argument("n-gram: order " + std::to_string(order) + " over " + std::to_string(vocab) +
                                  " symbols exceeds 64 bits; the highest order is " + std::to_string(64 / bits_));
    tables_.resize(order);
    tables_[order - 1].grams = merged(runs(text, order));
    // The end of an n-gram is the n-gram one shorter. Only the first of the text is no such end: its left neighbour is
    // the start of the text, which counts as one more symbol.
    for (std::size_t n = order - 1; n >= 1; --n) {
      Grams grams = runs(text.first(std::min(n, text.size())), n);
      for (const Gram& g : tables_[n].grams) grams.push_back({g.key & low_bits(bits_ * n), kneser_ney ? 1 : g.count});
      tables_[n - 1].grams = merged(std::move(grams));
    }
    if (kneser_ney)
      for (Table& t : tables_) t.discount = discounts(t.grams);
  }

  // Returns n low bits set, n from 1 to 64.
  static std::uint64_t low_bits(std::size_t n) { return ~std::uint64_t{0} >> (64 - n); }

  std::uint32_t checked(std::uint32_t symbol) const {
    if (symbol < vocab_) return symbol;
    throw std::invalid_argument("n-gram: symbol " + std::to_string(symbol) + " is outside the vocabulary of " +
                                std::to_string(vocab_));
  }

  // Returns each run of n symbols in the text, with count 1.
  Grams runs(Text text, std::size_t n) const {
    Grams grams;
    grams.reserve(text.size());
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      key = (key << bits_ | checked(text[i])) & low_bits(bits_ * n);
      if (i + 1 >= n) grams.push_back({key, 1});
    }
    return grams;
  }

  // Sorts by key; equal keys are made one and their counts added.
  static Grams merged(Grams grams) {
    std::sort(grams.begin(), grams.end(), [](const Gram& x, const Gram& y) { return x.key < y.key; });
    Grams distinct;
    for (const Gram& g : grams) {
      if (distinct.empty() || distinct.back().key != g.key) distinct.push_back({g.key, 0});
      distinct.back().count += g.count;
    }
    return distinct;
  }

  // Returns D_i = i - (i+1)·Y·n_{i+1}/n_i with Y = n_1/(n_1 + 2·n_2), where n_i n-grams have count i. Where there are
  // so few that one does not come out between 0 and i (NaN when n_i = 0), all are 1/2: absolute discounting.
  static Discounts discounts(const Grams& grams) {
    std::array<double, 5> n{};
    for (const Gram& g : grams)
      if (g.count <= 4) n[std::size_t(g.count)] += 1;
    Discounts D{};
    for (std::size_t i = 1; i <= 3; ++i) {
      const double di = double(i);
      D[i] = di - (di + 1) * n[1] / (n[1] + 2 * n[2]) * n[i + 1] / n[i];
      if (!(D[i] > 0 && D[i] < di)) return {0, .5, .5, .5};
    }
    return D;
  }

  // Returns the n-grams that begin with a context of n symbols.
  std::span<const Gram> followers(std::size_t n, std::uint64_t context) const {
    const Grams& grams = tables_[n].grams;
    const auto before = [this](const Gram& g, std::uint64_t c) { return (g.key >> bits_) < c; };
    const auto other = [&](const Gram& g) { return (g.key >> bits_) != context; };
    const Gram* const last = grams.data() + grams.size();
    const Gram* const begin = std::lower_bound(grams.data(), last, context, before);
    return {begin, std::find_if(begin, last, other)};
  }

  std::size_t vocab_, bits_ = 0;  // bits of one symbol in a key
  double added_;
  std::vector<Table> tables_;  // of the n-grams of order 1, 2, ...
};
