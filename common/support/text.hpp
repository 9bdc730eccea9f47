// Text for the language models: which symbols occur, the text as numbers, its parts for training and testing.
// A symbol is a byte: every file is a text, whatever its encoding, and nothing in it (NUL, CRLF, byte-order mark) is
// special. Nothing here opens a file.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Returns bytes as pairs of hexadecimal digits: symbols may be any bytes, metadata must be text.
std::string to_hex(std::string_view bytes);

// The distinct bytes of a text in ascending order; a symbol's number is its place in that order.
class Vocabulary {
 public:
  explicit Vocabulary(std::string_view text);

  std::size_t size() const { return symbols_.size(); }
  const std::string& symbols() const { return symbols_; }

  // Returns symbol number i as tables show it: itself where it is visible ASCII, else \n, \r, \t, ' ' or \xNN. Throws
  // std::out_of_range when there is none.
  std::string name(std::size_t i) const;

  // Returns the number of each byte. Throws std::invalid_argument that names the first byte outside the vocabulary.
  std::vector<std::uint32_t> encode(std::string_view text) const;

  // Does the same where each byte already stands in the place that its number is to have: a long text then needs no
  // memory but for its numbers.
  void encode_in_place(std::span<std::uint32_t> bytes) const;

  // Returns the bytes behind the numbers; throws std::out_of_range for a number that is not below size().
  std::string decode(std::span<const std::uint32_t> numbers) const;

 private:
  std::string symbols_;
  std::array<std::uint32_t, 256> number_{};
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
