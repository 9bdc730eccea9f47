// Lesson 2: what its parts share.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "common/data/corpus.hpp"
#include "common/frame/lesson/part.hpp"
#include "lessons/2_bengio_mlp/ngram.hpp"
#include "lessons/2_bengio_mlp/train.hpp"

namespace lesson2 {

inline constexpr long standard_steps = 6000;  // of the model that parts 6 and 8 share
inline constexpr double pseudo_counts = 4;    // the λ of the interpolated tables

class Session {
 public:
  // Throws UserError when the text or the model of --load cannot be used, when the text lacks a
  // symbol of the prompt, or when the model could not be saved.
  explicit Session(const Options& options);

  // Of the model, loaded or to be trained.
  BengioForm form() const;
  TrainingSettings training(long steps) const;

  std::size_t seeds() const;
  std::size_t folds() const;

  bool loaded() const;
  const Bengio<float>& model() const { return *model_; }

  // Trains and saves the model, unless there is one.
  void ensure_model(const Options& options, const Watch& watch = {});

  const knob::Settings& flags;
  Corpus corpus;
  Pool pool;
  std::string verdict;  // what part 6 found

 private:
  std::optional<Bengio<float>> model_;
};

inline Ngram interpolated(const Corpus& corpus, std::size_t order) {
  return Ngram::interpolated(corpus.part.train, corpus.vocab(), order, pseudo_counts);
}
inline Ngram kneser_ney(const Corpus& corpus, std::size_t order) {
  return Ngram::kneser_ney(corpus.part.train, corpus.vocab(), order);
}

// In nats per symbol.
inline double test_loss(const Ngram& table, const Corpus& corpus) {
  return table.loss(corpus.text, corpus.validation_end());
}
inline double test_loss(const Bengio<float>& model, const Corpus& corpus, Pool& pool) {
  return mean_loss(model, corpus.text, corpus.validation_end(), corpus.part.test.size(), pool);
}

inline double mean_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / double(numbers.size());
}

// Returns the mean, and the deviation of blocks of 100 symbols: neighbours are hard or easy
// together.
inline Spread over_text(const std::vector<double>& of_symbols) {
  constexpr std::ptrdiff_t block = 100;
  std::vector<double> blocks;
  for (auto at = of_symbols.begin(); of_symbols.end() - at >= block; at += block)
    blocks.push_back(mean_of({at, at + block}));
  Spread spread = spread_of(blocks);
  spread.mean = mean_of(of_symbols);
  return spread;
}
// Returns the mean with its error, and nothing where there is no symbol.
inline std::string over_text(const std::vector<double>& of_symbols, int decimals) {
  return of_symbols.empty() ? "" : over_text(of_symbols).with_error(decimals);
}
inline std::vector<double> minus(std::vector<double> losses, const std::vector<double>& others) {
  std::transform(losses.begin(), losses.end(), others.begin(), losses.begin(), std::minus());
  return losses;
}

// Returns of each of `count` symbols from all[first] on how often `train` holds the window of
// `length` symbols before it.
std::vector<std::size_t> times_seen(Symbols train, Symbols all, std::size_t first,
                                    std::size_t count, std::size_t length, std::uint32_t padding);

// Windows by how often the training text holds them.
inline const std::vector<std::string> rarities{"never", "1 to 10 times", "11 to 100", "more"};
inline std::size_t rarity_of(std::size_t times) {
  if (times == 0) return 0;
  return times <= 10 ? 1 : times <= 100 ? 2 : 3;
}

// Returns those of the differences whose windows are of this rarity.
inline std::vector<double> of_rarity(std::size_t rarity, const std::vector<double>& differences,
                                     const std::vector<std::size_t>& times) {
  std::vector<double> those;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (rarity_of(times[i]) == rarity) those.push_back(differences[i]);
  return those;
}

inline std::string settings_of(const BengioForm& form, const TrainingSettings& at) {
  return join("c = ", form.context, ", dim = ", form.dim, ", h = ", form.hidden, ", ", at.steps,
              " steps of ", at.batch, " windows, rate ", at.rate, ", decay ", at.adam.decay);
}

extern const Part<Session> part1, part2, part3, part4, part5, part6, part7, part8, part9;

}  // namespace lesson2
