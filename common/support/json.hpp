// The little JSON that a safetensors header needs: objects, arrays, strings and whole numbers, read strictly (RFC
// 8259). The caller asks for what its grammar wants next, so nesting is as deep as the caller's code and no deeper.
// Errors are std::runtime_error; those of the reader say at which byte of the text.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "common/support/words.hpp"

namespace json {

inline constexpr std::string_view escape_letters = "\"\\bfnrt", escape_meanings = "\"\\\b\f\n\r\t";

// Returns the text as a JSON string with its quotes, on one line: control characters are escaped. Throws where text is
// not UTF-8.
inline std::string quote(std::string_view text) {
  constexpr const char* hex = "0123456789abcdef";
  std::string quoted = "\"";
  for (std::size_t at = 0, bytes = 0; at < text.size(); at += bytes) {
    const utf8::Character character = utf8::first(text.substr(at));
    const char32_t code = character.code;
    bytes = character.bytes;
    if (bytes == 0) throw std::runtime_error("text is not valid UTF-8 at byte " + std::to_string(at));
    const std::size_t letter = escape_meanings.find(text[at]);
    if (letter != escape_meanings.npos) quoted += {'\\', escape_letters[letter]};
    else if (code < 0x20 || (code >= 0x7F && code < 0xA0))
      quoted += {'\\', 'u', '0', '0', hex[code >> 4], hex[code & 15]};
    else quoted += text.substr(at, bytes);
  }
  return quoted + '"';
}

// Quotes a name from outside for a message: one line of bounded length. Throws like quote.
inline std::string shown(std::string_view text) {
  const std::string_view start = utf8::beginning(text, 60);
  return quote(start) + (start.size() < text.size() ? "..." : "");
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // Reads an object; each(key) is called after the colon and must read the value. A key that stands twice is refused.
  template <class Each>
  void object(const Each& each) {
    std::set<std::string> seen;
    expect('{');
    if (take('}')) return;
    do {
      const auto [key, is_new] = seen.insert(string());
      if (!is_new) fail("duplicate key " + shown(*key));
      expect(':');
      each(*key);
    } while (take(','));
    if (!take('}')) fail("expected ',' or '}'");
  }

  // Reads an array; each() must read one element.
  template <class Each>
  void array(const Each& each) {
    expect('[');
    if (take(']')) return;
    do each();
    while (take(','));
    if (!take(']')) fail("expected ',' or ']'");
  }

  // Reads a string and returns it in UTF-8, escapes resolved.
  std::string string() {
    expect('"');
    std::string value;
    for (char c = next(); c != '"'; c = next()) {
      if (c == '\\') {
        value += escape();
        continue;
      }
      --at_;
      const std::size_t length = utf8::first(text_.substr(at_)).bytes;
      if (static_cast<unsigned char>(c) < 0x20) fail("control character in a string");
      if (length == 0) fail("string is not valid UTF-8");
      value += text_.substr(at_, length);
      at_ += length;
    }
    return value;
  }

  // Reads a number that must be whole, not negative, and representable.
  std::size_t number() {
    skip(" \t\n\r");
    std::size_t value = 0;
    const char* const first = text_.data() + at_;
    const auto [last, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail("number too large");
    if (error != std::errc()) fail("expected a whole number that is not negative");
    if (*first == '0' && last - first > 1) fail("number with a leading zero");
    at_ += static_cast<std::size_t>(last - first);
    if (at_ < text_.size() && (text_[at_] == '.' || text_[at_] == 'e' || text_[at_] == 'E'))
      fail("expected a whole number, without fraction or exponent");
    return value;
  }

  // Throws unless only spaces follow. To be called after the outermost value.
  void end() {
    skip(" ");
    if (at_ < text_.size()) fail("more text after the JSON object");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + " at byte " + std::to_string(at_) + " of the header");
  }

  void skip(std::string_view blanks) { at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size()); }

  bool take(char c) {
    skip(" \t\n\r");
    const bool is_here = at_ < text_.size() && text_[at_] == c;
    at_ += is_here;
    return is_here;
  }

  void expect(char c) {
    if (!take(c)) fail(std::string("expected '") + c + "'");
  }

  char next() {
    if (at_ == text_.size()) fail("unfinished string");
    return text_[at_++];
  }

  // Reads what stands after a backslash. A character above U+FFFF is written as two surrogates (RFC 8259, section 7).
  std::string escape() {
    const char c = next();
    const std::size_t letter = escape_letters.find(c);
    if (letter != escape_letters.npos) return {escape_meanings[letter]};
    if (c == '/') return "/";
    if (c != 'u') fail("unknown escape in a string");
    const unsigned code = four_hex_digits();
    if (code < 0xD800 || code > 0xDFFF) return utf8::encode(code);
    if (code > 0xDBFF || next() != '\\' || next() != 'u') fail("lone surrogate in a string");
    const unsigned low = four_hex_digits();
    if (low < 0xDC00 || low > 0xDFFF) fail("lone surrogate in a string");
    return utf8::encode(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
  }

  unsigned four_hex_digits() {
    unsigned code = 0;
    for (int k = 0; k < 4; ++k) {
      const std::size_t digit = std::string_view("0123456789abcdefABCDEF").find(next());
      if (digit == std::string_view::npos) fail("\\u without four hexadecimal digits");
      code = code * 16 + static_cast<unsigned>(digit < 16 ? digit : digit - 6);
    }
    return code;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace json
