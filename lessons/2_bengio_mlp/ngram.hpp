// Lesson 2: tables of counts, the network's rival. They hold the probability of each n-gram that
// occurred and, for each context, the weight of the shorter one for what never followed it:
//   p_n(s | context) = what is kept of the n-gram, else weight(context)·p_{n-1}(s | shorter one)
//   p_0 = 1/vocab
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

class Ngram {
 public:
  using Text = std::span<const std::uint32_t>;  // symbols, each below vocab

  // (count + λ·p_{n-1}) / (total + λ). Throws std::invalid_argument for a wrong symbol, order 0,
  // n-grams beyond 64 bits.
  static Ngram interpolated(Text text, std::size_t vocab, std::size_t order, double lambda) {
    return Ngram(text, vocab, order, lambda, Method::interpolated);
  }

  // (count - D(count) + ΣD·p_{n-1}) / total, with three discounts for each order (Chen and Goodman
  // 1999). Below the highest order the count is of distinct left neighbours. Throws as above.
  static Ngram kneser_ney(Text text, std::size_t vocab, std::size_t order) {
    return Ngram(text, vocab, order, 0, Method::kneser_ney);
  }

  // Returns the nats that a text following the table loses with an n-gram that came `count` times:
  // with probability p, and q after the shorter context. Both leave a rest to symbols without an
  // n-gram (Stolcke 1998).   (2.10)
  static double lost(double count, double p, double q, double rest, double shorter_rest) {
    const double weight = rest / shorter_rest;
    const double new_weight = (rest + p) / (shorter_rest + q);
    const double others = rest > 1e-9 ? rest / p * std::log(weight / new_weight) : 0;
    return count * (std::log(p / (new_weight * q)) + others);
  }

  enum class Counted { ngrams, weights_too };

  // The n-grams of a table that can be dropped, those first that would be missed most.
  class Ranking {
    friend class Ngram;
    // The gain of dropping; n and the n-gram settle ties.
    std::vector<std::tuple<double, std::size_t, std::uint64_t>> best;
  };

  Ranking ranking() const {
    Ranking all;
    for (std::size_t n = 1; n < orders_.size(); ++n) {
      const auto rests = rests_of(n);
      for (const auto& [gram, p] : orders_[n].p) {
        const auto& [rest, shorter_rest] = rests.at(gram >> bits_);
        all.best.emplace_back(
            -lost(orders_[n].count.at(gram), p, shorter(n, gram), rest, shorter_rest), n, gram);
      }
    }
    std::sort(all.best.begin(), all.best.end());
    return all;
  }

  // Keeps as much as `numbers` numbers hold: all single symbols, then the first of this table's
  // ranking. An n-gram counts as one number, and a context's weight as none, or one too.
  Ngram pruned(const Ranking& ranking, std::size_t numbers, Counted what = Counted::ngrams) const {
    Ngram small(vocab_, bits_, orders_.size());
    small.orders_[0] = orders_[0];
    const std::span best = std::span(ranking.best).first(how_many(ranking, numbers, what));
    for (const auto& [gain, n, gram] : best) small.orders_[n].p[gram] = orders_[n].p.at(gram);
    for (std::size_t n = 1; n < orders_.size(); ++n) small.weigh(n, orders_[n], rests_of(n));
    return small;
  }

  Ngram pruned(std::size_t numbers, Counted what = Counted::ngrams) const {
    return pruned(ranking(), numbers, what);
  }

  // Counts the n-grams of all orders.
  std::size_t stored() const {
    std::size_t all = 0;
    for (const Order& order : orders_) all += order.p.size();
    return all;
  }

  // Returns the probability of a symbol after the last order - 1 symbols of a context, oldest
  // first; a shorter one takes a lower order. Throws for a symbol outside the vocabulary.
  double probability(Text context, std::uint32_t symbol) const {
    const std::size_t n = std::min(context.size(), orders_.size() - 1);
    return of(n, packed(context.last(n)) << bits_ | checked(symbol));
  }

  // Returns -ln p in nats of each symbol from text[first] on, after all before it; infinite when p
  // is 0. Throws std::invalid_argument when there is nothing to predict.
  std::vector<double> losses(Text text, std::size_t first = 0) const {
    if (first >= text.size())
      throw std::invalid_argument("n-gram: a loss needs at least one symbol to predict");
    std::vector<double> all;
    for (std::size_t i = first; i < text.size(); ++i)
      all.push_back(-std::log(probability(text.first(i), text[i])));
    return all;
  }

  // Returns their mean.
  double loss(Text text, std::size_t first = 0) const {
    const std::vector<double> all = losses(text, first);
    return std::accumulate(all.begin(), all.end(), 0.0) / double(all.size());
  }

 private:
  enum class Method { interpolated, kneser_ney };
  using Key = std::uint64_t;  // packed symbols, the last in the lowest bits
  using Numbers = std::unordered_map<Key, double>;
  struct Order {
    Numbers count, p, weight;
  };

  std::size_t how_many(const Ranking& ranking, std::size_t numbers, Counted what) const {
    std::set<std::pair<std::size_t, Key>> weighed;
    std::size_t kept = 0, used = orders_[0].p.size() + (what == Counted::weights_too ? 1 : 0);
    for (const auto& [gain, n, gram] : ranking.best) {
      ++used;
      if (what == Counted::weights_too && weighed.emplace(n, gram >> bits_).second) ++used;
      if (used > numbers) break;
      ++kept;
    }
    return kept;
  }

  // What a context's n-grams leave of 1, here and after the shorter context.
  struct Rest {
    double here = 1, shorter = 1;
  };
  using Rests = std::unordered_map<Key, Rest>;

  Ngram(std::size_t vocab, std::size_t bits, std::size_t order)
      : vocab_(vocab), bits_(bits), orders_(order) {}

  Ngram(Text text, std::size_t vocab, std::size_t order, double lambda, Method method)
      : vocab_(vocab) {
    if (vocab == 0 || order == 0) throw std::invalid_argument("n-gram: no vocabulary, or order 0");
    bits_ = std::max<std::size_t>(1, std::size_t(std::bit_width(vocab - 1)));
    if (order > 64 / bits_)
      throw std::invalid_argument(
          "n-gram: order " + std::to_string(order) + " over " + std::to_string(vocab) +
          " symbols exceeds 64 bits; the highest order is " + std::to_string(64 / bits_));
    orders_.resize(order);
    for (std::size_t i = 0; i + order <= text.size(); ++i)
      orders_[order - 1].count[packed(text.subspan(i, order))] += 1;
    // A shorter n-gram is the end of a longer one, but for the first of the text: its left
    // neighbour, the start of the text, counts as one more symbol.
    for (std::size_t n = order - 1; n >= 1; --n) {
      for (const auto& [gram, count] : orders_[n].count)
        orders_[n - 1].count[last(n, gram)] += method == Method::kneser_ney ? 1 : count;
      if (text.size() >= n) orders_[n - 1].count[packed(text.first(n))] += 1;
    }
    for (std::size_t n = 0; n < order; ++n) estimate(n, lambda, method);
  }

  // Needs the probabilities after the shorter contexts.
  void estimate(std::size_t n, double lambda, Method method) {
    Order& here = orders_[n];
    std::array<double, 4> D{};
    if (method == Method::kneser_ney) D = discounts(here.count);
    const auto discount = [&D](double count) { return D[std::size_t(std::min(count, 3.0))]; };
    Numbers total;
    for (const auto& [gram, count] : here.count) {
      total[gram >> bits_] += count;
      here.weight[gram >> bits_] += discount(count);
    }
    for (auto& [context, weight] : here.weight)
      weight = (lambda + weight) / (lambda + total.at(context));
    for (const auto& [gram, count] : here.count) {
      const Key context = gram >> bits_;
      here.p[gram] = (count - discount(count)) / (lambda + total.at(context)) +
                     here.weight.at(context) * shorter(n, gram);
    }
  }

  // Returns D_i = i - (i+1)·Y·n_{i+1}/n_i with Y = n_1/(n_1 + 2·n_2), where n_i n-grams have count
  // i; D_3 serves higher counts. If any is not between 0 and i (NaN when n_i = 0), all are 1/2.
  static std::array<double, 4> discounts(const Numbers& counts) {
    std::array<double, 5> n{};
    for (const auto& [gram, count] : counts)
      if (count <= 4) n[std::size_t(count)] += 1;
    std::array<double, 4> D{};
    for (std::size_t i = 1; i <= 3; ++i) {
      const double di = double(i);
      D[i] = di - (di + 1) * n[1] / (n[1] + 2 * n[2]) * n[i + 1] / n[i];
      if (!(D[i] > 0 && D[i] < di)) return {0, .5, .5, .5};
    }
    return D;
  }

  double of(std::size_t n, Key gram) const {  // after a context of n symbols
    if (const auto kept = orders_[n].p.find(gram); kept != orders_[n].p.end()) return kept->second;
    const auto weight = orders_[n].weight.find(gram >> bits_);
    return (weight == orders_[n].weight.end() ? 1 : weight->second) * shorter(n, gram);
  }

  // Returns the probability after a context one symbol shorter.
  double shorter(std::size_t n, Key gram) const {
    return n == 0 ? 1 / double(vocab_) : of(n - 1, last(n, gram));
  }

  Rests rests_of(std::size_t n) const {
    Rests rests;
    for (const auto& [gram, p] : orders_[n].p) {
      auto& [rest, shorter_rest] = rests[gram >> bits_];
      rest -= p;
      shorter_rest -= shorter(n, gram);
    }
    return rests;
  }

  // Weighs the contexts left of `whole`. A context whose rests are unchanged, or lost in rounding,
  // keeps its weight.
  void weigh(std::size_t n, const Order& whole, const Rests& before) {
    for (const auto& [context, rest] : rests_of(n)) {
      const auto& [here, shorter] = before.at(context);
      const bool same = std::abs(rest.here - here) + std::abs(rest.shorter - shorter) < 1e-13;
      const bool keeps = same || std::min(rest.here, rest.shorter) < 1e-12;
      orders_[n].weight[context] = keeps ? whole.weight.at(context) : rest.here / rest.shorter;
    }
  }

  Key packed(Text symbols) const {
    Key key = 0;
    for (const std::uint32_t s : symbols) key = key << bits_ | checked(s);
    return key;
  }

  // n is at least 1.
  Key last(std::size_t n, Key key) const { return key & ~Key{0} >> (64 - bits_ * n); }

  std::uint32_t checked(std::uint32_t symbol) const {
    if (symbol < vocab_) return symbol;
    throw std::invalid_argument("n-gram: symbol " + std::to_string(symbol) +
                                " is outside the vocabulary of " + std::to_string(vocab_));
  }

  std::size_t vocab_;
  std::size_t bits_ = 0;  // of one symbol in a key
  std::vector<Order> orders_;
};
