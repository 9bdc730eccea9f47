// SPDX-License-Identifier: MIT
#include "common/support/json.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>
#include <system_error>

#include "common/support/utf8.hpp"

namespace json {
namespace {

constexpr std::string_view escape_letters = "\"\\bfnrt", escape_meanings = "\"\\\b\f\n\r\t";

}  // namespace

std::string quote(std::string_view text) {
  constexpr const char* hex = "0123456789abcdef";
  std::string quoted = "\"";
  for (std::size_t at = 0, bytes = 0; at < text.size(); at += bytes) {
    const utf8::Character character = utf8::first(text.substr(at));
    bytes = character.bytes;
    if (bytes == 0) throw std::runtime_error("text is not valid UTF-8 at byte " + std::to_string(at));
    const char32_t code = character.code;
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const std::size_t letter = escape_meanings.find(text[at]);
    if (letter != std::string_view::npos) quoted += {'\\', escape_letters[letter]};
    else if (control) quoted += {'\\', 'u', '0', '0', hex[code >> 4], hex[code & 15]};
    else quoted += text.substr(at, bytes);
  }
  return quoted + '"';
}

std::string shown(std::string_view text) {
  std::size_t end = std::min<std::size_t>(text.size(), 60);
  while (end > 0 && end < text.size() && (text[end] & 0xC0) == 0x80) --end;  // do not cut a character in two
  return quote(text.substr(0, end)) + (end < text.size() ? "..." : "");
}

void Reader::object(const std::function<void(const std::string& key)>& each) {
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

void Reader::array(const std::function<void()>& each) {
  expect('[');
  if (take(']')) return;
  do each();
  while (take(','));
  if (!take(']')) fail("expected ',' or ']'");
}

std::string Reader::string() {
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

std::size_t Reader::number() {
  skip_space();
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

void Reader::end() {
  while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  if (at_ < text_.size()) fail("more text after the JSON object");
}

void Reader::fail(const std::string& what) const {
  throw std::runtime_error(what + " at byte " + std::to_string(at_) + " of the header");
}

void Reader::skip_space() {
  while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos) ++at_;
}

bool Reader::take(char c) {
  skip_space();
  if (at_ == text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

void Reader::expect(char c) {
  if (!take(c)) fail(std::string("expected '") + c + "'");
}

char Reader::next() {
  if (at_ == text_.size()) fail("unfinished string");
  return text_[at_++];
}

// A character above U+FFFF is written as two surrogates (RFC 8259, section 7).
std::string Reader::escape() {
  const char c = next();
  const std::size_t letter = escape_letters.find(c);
  if (letter != std::string_view::npos) return {escape_meanings[letter]};
  if (c == '/') return "/";
  if (c != 'u') fail("unknown escape in a string");
  const unsigned code = four_hex_digits();
  if (code < 0xD800 || code > 0xDFFF) return utf8::encode(code);
  if (code > 0xDBFF || next() != '\\' || next() != 'u') fail("lone surrogate in a string");
  const unsigned low = four_hex_digits();
  if (low < 0xDC00 || low > 0xDFFF) fail("lone surrogate in a string");
  return utf8::encode(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
}

unsigned Reader::four_hex_digits() {
  unsigned code = 0;
  for (int k = 0; k < 4; ++k) {
    const char c = next();
    const std::size_t digit = std::string_view("0123456789abcdefABCDEF").find(c);
    if (digit == std::string_view::npos) fail("\\u without four hexadecimal digits");
    code = code * 16 + static_cast<unsigned>(digit < 16 ? digit : digit - 6);
  }
  return code;
}

}  // namespace json
