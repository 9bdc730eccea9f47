// The text that a language model learns, as numbers, and its three parts by position: train, validation, test.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/support/text.hpp"

// The 65 symbols of the small Shakespeare that the literature uses, and of the course's play.
inline constexpr std::string_view symbols65 = "\n !$&',-.3:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

struct Corpus {
  std::uint64_t hash = 0;  // hash() of its bytes
  Vocabulary vocabulary;
  std::vector<std::uint32_t> text;
  Split part;  // windows on `text`, cut at the same bytes whatever the symbols are

  // Tell whether it is the course's own text, and that in bytes, for which alone the claims about training are made.
  bool is_play() const;
  bool shipped() const;
  std::size_t vocab() const { return vocabulary.size(); }
  std::size_t train_end() const { return part.train.size(); }
  std::size_t validation_end() const { return train_end() + part.validation.size(); }
};

// What a loss in nats a symbol on the last tenth is in measures that do not depend on what a symbol is: nats a byte,
// and e to the nats a word, the perplexity of a word.
struct Comparable {
  double nats_a_byte, word_perplexity;
};
Comparable comparable(const Corpus& corpus, double loss);

// Reads the text at `path`, or the course's own, common/data/play.txt, when `path` is empty; takes four bytes of memory
// a byte. `program` is argv[0]. Words are those of the part for training. Throws UserError when the text cannot be learned
// from: missing, empty, of one symbol only, or so short that a part of it would not hold one window of `context` symbols.
Corpus read_corpus(const std::string& path, const char* program, std::size_t context,
                   SymbolKind symbols = SymbolKind::bytes);
