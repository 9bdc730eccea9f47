// The text that a language model learns, as numbers, and its three parts by position: train, validation, test.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/support/file.hpp"
#include "common/support/flags.hpp"
#include "common/support/play.hpp"
#include "common/support/text.hpp"

// The 65 symbols of the small Shakespeare that the literature uses, and of the course's play.
inline constexpr std::string_view symbols65 = "\n !$&',-.3:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

struct Corpus {
  std::string path;
  std::uint64_t hash = 0;  // hash() of its bytes
  Vocabulary vocabulary;
  std::vector<std::uint32_t> text;
  Split part;  // windows on `text`

  // Is it the course's own text, for which the claims about training are made?
  bool shipped() const { return hash == play_hash; }
  std::size_t vocab() const { return vocabulary.size(); }
  std::size_t train_end() const { return part.train.size(); }
  std::size_t validation_end() const { return train_end() + part.validation.size(); }
};

// The bytes of a file, each where the number of its symbol is to stand, with their hash and vocabulary.
inline void read_bytes(const std::string& file, Corpus& corpus) {
  constexpr double times = 12;  // a number of four bytes for each, and the tables that count them
  const auto make_room = [&](std::size_t size) { corpus.text.reserve(size); };
  read_pieces(file, times, make_room, [&](std::string_view piece) {
    corpus.hash = hash(piece, corpus.hash);
    corpus.vocabulary = Vocabulary(corpus.vocabulary.symbols() + std::string(piece));
    corpus.text.insert(corpus.text.end(), piece.begin(), piece.end());
  });
}

// Reads the text at `path`, or the course's own when `path` is empty; takes four bytes of memory a symbol. Throws UserError
// when it cannot be learned from: missing, empty, of one symbol only, or so short that a part of it would not hold one
// window of `context` symbols.
inline Corpus read_corpus(const std::string& path, const char* program, std::size_t context) {
  const std::string file = path.empty() ? play_path(program) : path;
  Corpus corpus{file, hash(""), Vocabulary(""), {}, {}};
  blame("--text", [&] { read_bytes(file, corpus); });
  if (corpus.text.empty()) throw UserError("--text: '" + file + "' is empty");
  if (corpus.vocab() < 2)
    throw UserError("--text: '" + file + "' has only one distinct symbol, so there is nothing to predict");
  corpus.vocabulary.encode_in_place(corpus.text);
  corpus.part = split(corpus.text, 0.9, 0.05, 0.05);
  const std::size_t smallest = std::min(corpus.part.validation.size(), corpus.part.test.size());
  if (smallest <= context)
    throw UserError("--text: '" + file + "' has " + std::to_string(corpus.text.size()) +
                    " symbols; a twentieth of it must be longer than the context of " + std::to_string(context));
  return corpus;
}
