// SPDX-License-Identifier: MIT
#include "common/support/corpus.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "common/support/file.hpp"
#include "common/support/flags.hpp"

namespace {

constexpr std::uint64_t play_hash = 0x97769cac3e6c6c17;  // hash() of common/data/play.txt

// Reads the bytes of a file, each where the number of its symbol is to stand, with their hash and vocabulary.
void read_bytes(const std::string& file, Corpus& corpus) {
  constexpr double times = 12;  // a number of four bytes for each, and the tables that count them
  const auto make_room = [&](std::size_t size) { corpus.text.reserve(size); };
  read_pieces(file, times, make_room, [&](std::string_view piece) {
    corpus.hash = hash(piece, corpus.hash);
    corpus.vocabulary = Vocabulary(corpus.vocabulary.joined() + std::string(piece));
    corpus.text.insert(corpus.text.end(), piece.begin(), piece.end());
  });
}

// Makes symbols of the bytes, each part's for itself, one behind the other.
void encode(Corpus& corpus, SymbolKind symbols) {
  const Split bytes = split(corpus.text, 0.9, 0.05, 0.05);
  if (symbols == SymbolKind::words) corpus.vocabulary.add_words(bytes.train);
  const std::size_t sizes[]{bytes.train.size(), bytes.validation.size(), bytes.test.size()};
  std::size_t first = 0, kept = 0, counts[3];
  for (std::size_t p = 0; p < 3; ++p) {
    const std::span<std::uint32_t> part = std::span(corpus.text).subspan(first, sizes[p]);
    counts[p] = corpus.vocabulary.encode_in_place(part);
    if (kept < first) std::copy_n(part.begin(), counts[p], corpus.text.begin() + std::ptrdiff_t(kept));
    first += sizes[p];
    kept += counts[p];
  }
  corpus.text.resize(kept);
  const std::span<const std::uint32_t> all = corpus.text;
  corpus.part = {all.first(counts[0]), all.subspan(counts[0], counts[1]), all.last(counts[2])};
}

}  // namespace

bool Corpus::is_play() const { return hash == play_hash; }

bool Corpus::shipped() const { return is_play() && !vocabulary.has_words(); }

Comparable comparable(const Corpus& corpus, double loss) {
  constexpr std::size_t piece = 1 << 16;  // symbols that are bytes again at a time; a word across a cut counts twice
  double bytes = 0, words = 0;
  const std::span<const std::uint32_t> last = std::span(corpus.text).subspan(corpus.train_end());
  for (std::size_t first = 0; first < last.size(); first += piece) {
    const std::string text = corpus.vocabulary.decode(last.subspan(first, std::min(piece, last.size() - first)));
    bytes += double(text.size());
    for (std::string_view rest = text; !take_word(rest).empty();) words += 1;
  }
  return {loss * double(last.size()) / bytes, std::exp(loss * double(last.size()) / words)};
}

Corpus read_corpus(const std::string& path, const char* program, std::size_t context, SymbolKind symbols) {
  const std::string file = path.empty() ? in_course(program, "common/data/play.txt").string() : path;
  if (file.empty())
    throw UserError("the course's text common/data/play.txt was not found; name a text with --text FILE");
  Corpus corpus{hash(""), Vocabulary(""), {}, {}};
  blame("--text", [&] { read_bytes(file, corpus); });
  if (corpus.text.empty()) throw UserError("--text: '" + file + "' is empty");
  if (corpus.vocab() < 2)
    throw UserError("--text: '" + file + "' has only one distinct symbol, so there is nothing to predict");
  encode(corpus, symbols);
  const std::size_t smallest = std::min(corpus.part.validation.size(), corpus.part.test.size());
  if (smallest <= context)
    throw UserError("--text: '" + file + "' has " + std::to_string(corpus.text.size()) +
                    " symbols; a twentieth of it must be longer than the context of " + std::to_string(context));
  return corpus;
}
