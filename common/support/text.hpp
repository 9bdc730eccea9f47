// Text for the language models: which symbols occur, the text as numbers, its parts for training and testing.
// A symbol is a byte: every file is a text, whatever its encoding, and nothing in it (NUL, CRLF, byte-order mark) is
// special. Or it is a word, and the bytes spell what is no word of the vocabulary. Nothing here opens a file.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

enum class SymbolKind { bytes, words };

inline constexpr std::size_t most_symbols = 1024;  // the tables of counts pack six of them into 64 bits

// Returns the kind of that name. Throws std::invalid_argument for another.
SymbolKind symbols_named(const std::string& name);

// Returns the largest vocabulary of a kind.
constexpr std::size_t most_of(SymbolKind kind) { return kind == SymbolKind::words ? most_symbols : 256; }

// Returns bytes as pairs of hexadecimal digits: symbols may be any bytes, metadata must be text.
std::string to_hex(std::string_view bytes);

// A letter of ASCII, an apostrophe, and any byte of a longer character of UTF-8.
bool is_letter(char c);

bool is_space(char c);

// Takes the next word off a text and returns it, nothing at the end. Words as published perplexities count them: runs
// of letters, and each other byte that is no white space.
std::string_view take_word(std::string_view& text);

// The symbols of a text: its distinct bytes in ascending order, and the words behind them, where there are any. A
// symbol's number is its place.
class Vocabulary {
 public:
  // Takes the bytes of a text.
  explicit Vocabulary(std::string_view text);

  // Adds the most frequent words of a text of bytes, at most as many as most_symbols leaves, and none that occurs once.
  // A word is a run of letters with the one space before it, if there is one, and longer than a byte.
  void add_words(std::span<const std::uint32_t> bytes);

  std::size_t size() const { return symbols_.size(); }
  const std::string& symbol(std::size_t i) const { return symbols_.at(i); }
  std::string joined() const;  // all symbols, one behind the other
  bool has_words() const { return !word_number_.empty(); }
  std::optional<std::size_t> find(std::string_view symbol) const;

  // Returns symbol number i as tables show it: a byte that is visible ASCII itself, another as \n, \r, \t, ' ' or \xNN,
  // a word with ␣ for its space. Throws std::out_of_range when there is none.
  std::string name(std::size_t i) const;

  // Returns the same for pictures: ␣ for the space, ↵ for the end of a line.
  std::string label(std::size_t i) const;

  // Returns the symbols for a file's metadata: the bytes in hexadecimal digits, and behind spaces the words.
  std::string hex() const;

  // Reads that. Throws std::invalid_argument when it is no vocabulary.
  static Vocabulary from_hex(const std::string& hex);

  // Returns the numbers of a text; a word that is not in the vocabulary is spelled in bytes, so that nothing is lost.
  // Throws std::invalid_argument that names the first byte outside the vocabulary.
  std::vector<std::uint32_t> encode(std::string_view text) const;

  // Does the same where each byte already stands in the place that its number is to have: a long text then needs no
  // memory but for its numbers. Returns how many these are, at the front.
  std::size_t encode_in_place(std::span<std::uint32_t> bytes) const;

  // Returns the bytes behind the numbers; throws std::out_of_range for a number that is not below size().
  std::string decode(std::span<const std::uint32_t> numbers) const;

  friend bool operator==(const Vocabulary& a, const Vocabulary& b) { return a.symbols_ == b.symbols_; }

 private:
  void add_word(const std::string& word);
  std::uint32_t number_of(std::uint32_t byte, std::size_t position) const;

  std::vector<std::string> symbols_;
  std::array<std::uint32_t, 256> number_{};                     // of each byte
  std::unordered_map<std::string, std::uint32_t> word_number_;  // of each word
};

// Returns the FNV-1a hash, 64 bits, which tells whether a program runs on the text that its claims were made for. Of a
// text in pieces: `h` is the hash of what went before.
std::uint64_t hash(std::string_view text, std::uint64_t h = 0xcbf29ce484222325);

// The parts of an encoded text, in the order of the text. They are windows on it and must not outlive it.
struct Split {
  std::span<const std::uint32_t> train, validation, test;
};

// Cuts by position: the first `train` of the text, the last `test` of it (both rounded down), validation between.
// Throws std::invalid_argument unless the fractions lie in 0..1 and add up to 1.
Split split(std::span<const std::uint32_t> text, double train, double validation, double test);
