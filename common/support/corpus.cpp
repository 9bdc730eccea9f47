// SPDX-License-Identifier: MIT
#include "common/support/corpus.hpp"

#include <algorithm>
#include <filesystem>

#include "common/support/file.hpp"
#include "common/support/flags.hpp"
#include "common/support/tree.hpp"

namespace {

constexpr std::uint64_t play_hash = 0x97769cac3e6c6c17;  // hash() of common/data/play.txt

// Reads the bytes of a file, each where the number of its symbol is to stand, with their hash and vocabulary.
void read_bytes(const std::string& file, Corpus& corpus) {
  constexpr double times = 12;  // a number of four bytes for each, and the tables that count them
  const auto make_room = [&](std::size_t size) { corpus.text.reserve(size); };
  read_pieces(file, times, make_room, [&](std::string_view piece) {
    corpus.hash = hash(piece, corpus.hash);
    corpus.vocabulary = Vocabulary(corpus.vocabulary.symbols() + std::string(piece));
    corpus.text.insert(corpus.text.end(), piece.begin(), piece.end());
  });
}

}  // namespace

bool Corpus::shipped() const { return hash == play_hash; }

Corpus read_corpus(const std::string& path, const char* program, std::size_t context) {
  const std::string file = path.empty() ? in_course(program, "common/data/play.txt").string() : path;
  if (file.empty())
    throw UserError("the course's text common/data/play.txt was not found; name a text with --text FILE");
  Corpus corpus{hash(""), Vocabulary(""), {}, {}};
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
