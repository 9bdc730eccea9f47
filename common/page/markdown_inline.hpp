// The inline half of markdown.hpp, for its other half: a paragraph's source as tokens.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace markdown {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", digits = "0123456789";

inline bool is_one_of(char c, std::string_view characters) { return characters.find(c) != std::string_view::npos; }
inline bool is_letter(char c) { return is_one_of(c, letters); }
inline bool is_digit(char c) { return is_one_of(c, digits); }

// Tells whether text is made of these characters alone.
inline bool consists_of(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

// Tells whether HTML begins a text, as far as GitHub is concerned.
inline bool begins_html(std::string_view text) {
  return text.size() > 1 && text[0] == '<' && (is_letter(text[1]) || is_one_of(text[1], "/!?"));
}

// Throws an Error unless the text is UTF-8 without control characters but the newline.
void check_characters(std::string_view text, std::size_t line);

// A piece of inline text. Tags are em, strong and a.
struct Token {
  enum class Kind { text, code, equation, image, open, close };
  Kind kind = Kind::text;
  std::string text = {};    // of an image the alternative, of a tag its name
  std::string target = {};  // of an image, and of the tag that opens a link
};

// Reads inline source whose first line is `line` of its file; throws an Error as read() does.
std::vector<Token> tokens(std::string_view source, std::size_t line);

// Returns tokens as text without markup, on one line.
std::string text_of(const std::vector<Token>& tokens);

}  // namespace markdown
