// A line as tokens: numbers, names with what is written below them, signs in one spelling each.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/frame/formula/formula.hpp"

namespace formula {

enum class Type { number, name, sign, text, end };
struct Token {
  Type type = Type::end;
  std::string text = {}, subscript = {};
  std::size_t blanks = 0;  // before it
  std::size_t at = 0;

  bool is(std::string_view sign_or_word) const {
    return type != Type::text && text == sign_or_word;
  }
  bool has_space() const { return blanks > 0; }
};

// Returns the tokens of a text that plain_letters has made. Those that say how something is set,
// as \left, and brackets around a letter of another style, as in \mathbf{W}, are none. Throws
// Error.
std::vector<Token> tokens_of(std::string_view text, const Hand& hand);

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }
inline bool is_small_letters(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

inline std::string_view first_character(std::string_view text) {
  return text.substr(0, utf8::first(text).bytes);
}

}  // namespace formula
