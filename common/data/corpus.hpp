// Text for the language models. A symbol is a byte: every file is a text, and no byte is special,
// but one that is compressed or in UTF-16 is refused. Or a symbol is a word, and bytes spell what
// is not in the vocabulary.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "common/frame/text/words.hpp"

enum class SymbolKind { bytes, words };

// A list, of names say, is in some order: mixed, its parts are alike.
enum class LineOrder { in_order, shuffled };

// The tables of counts pack six of them into 64 bits.
inline constexpr std::size_t most_symbols = 1024;

constexpr std::size_t most_of(SymbolKind kind) {
  return kind == SymbolKind::words ? most_symbols : 256;
}

// The symbols of the small Shakespeare of the literature, and of the course's play.
inline constexpr std::string_view symbols65 =
    "\n !$&',-.3:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// The symbols of a text, by number: its distinct bytes in ascending order, then words, if any.
class Vocabulary {
 public:
  explicit Vocabulary(std::string_view text);

  // Adds the most frequent words of a text, as many as most_symbols leaves, none that occurs once.
  // A word is a run of letters (of ASCII, apostrophes, bytes of a longer character) with the one
  // space before it, and longer than a byte.
  void add_words(std::string_view text);

  std::size_t size() const { return symbols_.size(); }
  const std::string& symbol(std::size_t i) const { return symbols_.at(i); }
  bool has_words() const { return !word_number_.empty(); }

  std::optional<std::size_t> find(std::string_view symbol) const;

  // Returns symbol i as tables show it: a byte that is visible ASCII itself, another as \n, \r, \t,
  // ' ' or \xNN, a word with ␣ for its space. Throws std::out_of_range.
  std::string name(std::size_t i) const;

  // Returns the same for pictures: ␣ for the space, ↵ for the end of a line.
  std::string label(std::size_t i) const;

  // Returns the symbols for a file's metadata: the bytes in hexadecimal, then the words, each
  // behind a space.
  std::string hex() const;

  // Reads that. Throws std::invalid_argument when it is no vocabulary.
  static Vocabulary from_hex(const std::string& hex);

  // Returns the numbers of a text; a word outside the vocabulary is spelled in bytes. Throws
  // std::invalid_argument that names the first unknown byte.
  std::vector<std::uint32_t> encode(std::string_view text) const;

  // Returns the bytes behind the numbers; throws std::out_of_range.
  std::string decode(std::span<const std::uint32_t> numbers) const;

  friend bool operator==(const Vocabulary& a, const Vocabulary& b) {
    return a.symbols_ == b.symbols_;
  }

 private:
  void add_word(const std::string& word);

  std::vector<std::string> symbols_;
  static constexpr std::uint32_t absent = UINT32_MAX;  // of a byte that does not occur
  std::array<std::uint32_t, 256> number_{};
  std::unordered_map<std::string, std::uint32_t> word_number_;
};

// Returns the 64-bit FNV-1a hash; behind a piece whose hash is `h`, of both.
std::uint64_t text_hash(std::string_view text, std::uint64_t h = 0xcbf29ce484222325);

// The parts of a text, in its order: windows that must not outlive it.
struct Split {
  std::span<const std::uint32_t> train, validation, test;
};

struct Corpus {
  std::uint64_t hash = 0;  // of its bytes
  Vocabulary vocabulary;
  std::vector<std::uint32_t> text;
  Split part;  // nine tenths of the bytes, a twentieth, a twentieth

  // Tells whether it is common/data/play.txt, in bytes, on which the claims about training rest.
  bool shipped() const { return hash == 0x97769cac3e6c6c17 && !vocabulary.has_words(); }
  std::size_t vocab() const { return vocabulary.size(); }
  std::size_t train_end() const { return part.train.size(); }
  std::size_t validation_end() const { return train_end() + part.validation.size(); }
};

// What a loss in nats per symbol is, whatever a symbol is: nats per byte, e to the nats per word.
// Words as published perplexities count them: runs of letters, and each other byte that is not
// white space.
struct Comparable {
  double nats_a_byte, word_perplexity;
  std::string text() const {
    const std::string nats = fixed(nats_a_byte, 4) + " nats per byte";
    if (word_perplexity < 1e9)
      return join(nats, ", perplexity ", fixed(word_perplexity, 0), " a word.");
    return nats +
           ". Of words there is no perplexity below a billion: there are none, or too long ones.";
  }
};
// The loss is that of the text from `first` on: of its last tenth, or of the test text.
Comparable comparable(const Corpus& corpus, double loss, std::size_t first);
inline Comparable comparable(const Corpus& corpus, double loss) {
  return comparable(corpus, loss, corpus.train_end());
}

// Reads the text at `path`, or common/data/play.txt when `path` is empty. Words come from the
// training part; lines are shuffled before it is cut off, always alike. Throws UserError when the
// text cannot be learned from: missing, empty, of one symbol only, or with a part too short for a
// window of `context` symbols.
Corpus read_corpus(const std::string& path, std::size_t context,
                   SymbolKind symbols = SymbolKind::bytes, LineOrder order = LineOrder::in_order);
