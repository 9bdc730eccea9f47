// SPDX-License-Identifier: MIT
#include "common/support/ngram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

// Returns n low bits set, n from 1 to 64.
std::uint64_t low_bits(std::size_t n) { return ~std::uint64_t{0} >> (64 - n); }

}  // namespace

Ngram Ngram::interpolated(Text text, std::size_t vocab, std::size_t order, double a) {
  if (!(a >= 0) || std::isinf(a)) throw std::invalid_argument("n-gram: a must be at least 0 and finite");
  return Ngram(text, vocab, order, a, false);
}

Ngram Ngram::kneser_ney(Text text, std::size_t vocab, std::size_t order) { return Ngram(text, vocab, order, 0, true); }

std::size_t Ngram::distinct(std::size_t n) const { return tables_.at(n - 1).grams.size(); }

std::size_t Ngram::distinct_up_to(std::size_t n) const {
  return n == 1 ? distinct(1) : distinct(n) + distinct_up_to(n - 1);
}

// Calls f(row, discounts) for the n-grams that follow no symbol, the last, the last two, ..., while there are any.
template <class F>
void Ngram::for_orders(Text context, F f) const {
  context = context.last(std::min(context.size(), order() - 1));
  check_symbols(context);
  std::uint64_t key = 0;
  for (std::size_t n = 0; n <= context.size(); ++n) {  // n symbols of context
    if (n > 0) key |= std::uint64_t{context[context.size() - n]} << (bits_ * (n - 1));
    const std::span<const Gram> row = followers(n, key);
    if (row.empty()) return;  // then no longer context was seen either
    f(row, tables_[n].discount);
  }
}

void Ngram::distribution(Text context, std::span<double> out) const {
  if (out.size() != vocab_) throw std::invalid_argument("n-gram: the distribution must have room for the vocabulary");
  std::fill(out.begin(), out.end(), 1 / static_cast<double>(vocab_));
  for_orders(context, [&](std::span<const Gram> row, const Discounts& D) {
    const auto [total, mass] = sums(row, D);
    for (double& p : out) p *= mass / total;
    for (const Gram& g : row) out[last_symbol(g)] += (static_cast<double>(g.count) - taken(g, D)) / total;
  });
}

double Ngram::probability(Text context, std::uint32_t symbol) const {
  check_symbols({&symbol, 1});
  double p = 1 / static_cast<double>(vocab_);
  for_orders(context, [&](std::span<const Gram> row, const Discounts& D) {
    const auto [total, mass] = sums(row, D);
    p *= mass / total;
    const auto before = [this](const Gram& g, std::uint32_t s) { return last_symbol(g) < s; };
    const auto found = std::lower_bound(row.begin(), row.end(), symbol, before);
    if (found != row.end() && last_symbol(*found) == symbol)
      p += (static_cast<double>(found->count) - taken(*found, D)) / total;
  });
  return p;
}

double Ngram::loss(Text text, std::size_t first) const {
  if (first >= text.size()) throw std::invalid_argument("n-gram: a loss needs at least one symbol to predict");
  check_symbols(text);
  double sum = 0;
  for (std::size_t i = first; i < text.size(); ++i) sum -= std::log(probability(text.first(i), text[i]));
  return sum / static_cast<double>(text.size() - first);
}

Ngram::Ngram(Text text, std::size_t vocab, std::size_t order, double a, bool kneser_ney) : vocab_(vocab), added_(a) {
  if (vocab == 0 || order == 0) throw std::invalid_argument("n-gram: the vocabulary and the order must be at least 1");
  bits_ = std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(vocab - 1)));
  if (order > 64 / bits_)
    throw std::invalid_argument("n-gram: order " + std::to_string(order) + " over " + std::to_string(vocab) +
                                " symbols exceeds 64 bits; the highest order is " + std::to_string(64 / bits_));
  check_symbols(text);
  tables_.resize(order);
  tables_[order - 1].grams = merged(windows(text, order));
  // The end of an n-gram is the n-gram one shorter. Only the first of the text is no such end: its left neighbour is
  // the start of the text, which counts as one more symbol.
  for (std::size_t n = order - 1; n >= 1; --n) {
    std::vector<Gram> grams = windows(text.first(std::min(n, text.size())), n);
    for (const Gram& g : tables_[n].grams) grams.push_back({g.key & low_bits(bits_ * n), kneser_ney ? 1 : g.count});
    tables_[n - 1].grams = merged(std::move(grams));
  }
  if (kneser_ney)
    for (Table& t : tables_) t.discount = discounts(t.grams);
}

// Returns each run of n symbols in the text, with count 1.
std::vector<Ngram::Gram> Ngram::windows(Text text, std::size_t n) const {
  std::vector<Gram> grams;
  grams.reserve(text.size());
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    key = (key << bits_ | text[i]) & low_bits(bits_ * n);
    if (i + 1 >= n) grams.push_back({key, 1});
  }
  return grams;
}

// Sorts by key; equal keys are made one and their counts added.
std::vector<Ngram::Gram> Ngram::merged(std::vector<Gram> grams) {
  std::sort(grams.begin(), grams.end(), [](const Gram& x, const Gram& y) { return x.key < y.key; });
  std::vector<Gram> distinct;
  for (const Gram& g : grams) {
    if (distinct.empty() || distinct.back().key != g.key) distinct.push_back({g.key, 0});
    distinct.back().count += g.count;
  }
  return distinct;
}

// Returns D_i = i - (i+1)·Y·n_{i+1}/n_i with Y = n_1/(n_1 + 2·n_2), where n_i n-grams have count i. Where there are so
// few that one does not come out between 0 and i (NaN when n_i = 0), all are 1/2: absolute discounting.
Ngram::Discounts Ngram::discounts(const std::vector<Gram>& grams) {
  std::array<double, 5> n{};
  for (const Gram& g : grams)
    if (g.count <= 4) n[std::size_t(g.count)] += 1;
  Discounts D{};
  for (std::size_t i = 1; i <= 3; ++i) {
    const double di = static_cast<double>(i);
    D[i] = di - (di + 1) * n[1] / (n[1] + 2 * n[2]) * n[i + 1] / n[i];
    if (!(D[i] > 0 && D[i] < di)) return {0, .5, .5, .5};
  }
  return D;
}

// Returns the n-grams that begin with a context of n symbols.
std::span<const Ngram::Gram> Ngram::followers(std::size_t n, std::uint64_t context) const {
  const std::vector<Gram>& grams = tables_[n].grams;
  const auto before = [this](const Gram& g, std::uint64_t c) { return (g.key >> bits_) < c; };
  const auto other = [&](const Gram& g) { return (g.key >> bits_) != context; };
  const Gram* const last = grams.data() + grams.size();
  const Gram* const begin = std::lower_bound(grams.data(), last, context, before);
  const Gram* const end = std::find_if(begin, last, other);
  return {begin, end};
}

double Ngram::taken(const Gram& g, const Discounts& discount) {
  return discount[std::size_t(std::min<std::uint64_t>(g.count, 3))];
}

std::size_t Ngram::last_symbol(const Gram& g) const { return std::size_t(g.key & low_bits(bits_)); }

// Returns what a row of n-grams counts in total, and what the discounts leave for the shorter context.
std::pair<double, double> Ngram::sums(std::span<const Gram> row, const Discounts& discount) const {
  double total = added_, mass = added_;
  for (const Gram& g : row) {
    total += static_cast<double>(g.count);
    mass += taken(g, discount);
  }
  return {total, mass};
}

void Ngram::check_symbols(Text text) const {
  for (const std::uint32_t symbol : text)
    if (symbol >= vocab_)
      throw std::invalid_argument("n-gram: symbol " + std::to_string(symbol) + " is outside the vocabulary of " +
                                  std::to_string(vocab_));
}
