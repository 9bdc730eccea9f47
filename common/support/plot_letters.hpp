// Letters and numbers as a picture needs them: labels of any bytes made safe, lines broken at a width, and decimals
// that no locale can change.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace plot {

using Letters = std::u32string;  // one element per code point

// The code point that starts at bytes[i], and moves i behind it. A byte that starts no valid UTF-8 sequence (RFC 3629:
// no overlong form, no surrogate, nothing above U+10FFFF) gives U+FFFD.
inline char32_t next_letter(const std::string& bytes, std::size_t& i) {
  const auto byte = [&](std::size_t k) { return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u; };
  const unsigned first = byte(i++);
  if (first < 0x80) return first;
  const std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  char32_t letter = first & (0x3Fu >> more);
  for (std::size_t k = 0; k < more; ++k) {
    if ((byte(i + k) & 0xC0u) != 0x80u) return U'\uFFFD';
    letter = (letter << 6) | (byte(i + k) & 0x3Fu);
  }
  const char32_t smallest[] = {0, 0x80, 0x800, 0x10000};
  const bool surrogate = letter >= 0xD800 && letter <= 0xDFFF;
  if (first < 0xC0 || first > 0xF7 || letter < smallest[more] || letter > 0x10FFFF || surrogate) return U'\uFFFD';
  i += more;
  return letter;
}

// The letters of a label that may hold any bytes. Line breaks and tabs become spaces; other control characters, which
// would be illegal in XML or drive a terminal, and invalid UTF-8 become U+FFFD.
inline Letters letters(const std::string& bytes) {
  Letters out;
  for (std::size_t i = 0; i < bytes.size();) {
    const char32_t c = next_letter(bytes, i);
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xFFFE || c == 0xFFFF;
    out += c == '\n' || c == '\t' || c == '\r' ? U' ' : control ? U'\uFFFD' : c;
  }
  return out;
}

// As UTF-8.
inline std::string encode(const Letters& text) {
  std::string out;
  for (const char32_t c : text) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80u | ((c >> shift) & 0x3Fu)); };
    if (c < 0x80) out += static_cast<char>(c);
    else if (c < 0x800) out += static_cast<char>(0xC0u | (c >> 6)), tail(0);
    else if (c < 0x10000) out += static_cast<char>(0xE0u | (c >> 12)), tail(6), tail(0);
    else out += static_cast<char>(0xF0u | (c >> 18)), tail(12), tail(6), tail(0);
  }
  return out;
}

// Lines of at most `width` >= 1 letters, broken at spaces, and within a word that is longer than a line.
inline std::vector<Letters> wrap(Letters text, std::size_t width) {
  std::vector<Letters> lines;
  while (text.size() > width) {
    const std::size_t space = text.rfind(U' ', width);
    const bool at_space = space != Letters::npos && space > 0;
    lines.push_back(text.substr(0, at_space ? space : width));
    text.erase(0, at_space ? space + 1 : width);
  }
  if (!text.empty()) lines.push_back(text);
  return lines;
}

inline std::size_t longest(const std::vector<Letters>& lines) {
  std::size_t most = 0;
  for (const Letters& line : lines) most = std::max(most, line.size());
  return most;
}

// digits x 10^exponent, digit by digit, without superfluous zeros, as in -0.25 or (scientific) -2.5e-13.
inline std::string decimal(long long digits, int exponent, bool scientific) {
  if (digits == 0) return "0";
  for (; digits % 10 == 0; digits /= 10) ++exponent;
  std::string text = std::to_string(std::llabs(digits));
  const int count = static_cast<int>(text.size()), leading = exponent + count - 1;  // exponent of the first digit
  if (scientific) {
    if (count > 1) text.insert(1, 1, '.');
    text += "e" + std::to_string(leading);
  } else if (exponent >= 0) {
    text.append(static_cast<std::size_t>(exponent), '0');
  } else {
    if (leading < 0) text.insert(0, static_cast<std::size_t>(-leading), '0');
    text.insert(text.size() - static_cast<std::size_t>(-exponent), 1, '.');
  }
  return (digits < 0 ? "-" : "") + text;
}

// v to `significant` <= 17 digits, scientific below 1e-4 and from 1e6 on. The digits are collected around whatever the locale has for a point.
inline std::string number(double v, int significant = 3) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
  char text[48];
  std::snprintf(text, sizeof text, "%.*e", significant - 1, v);
  long long digits = 0;
  const char* c = text;
  for (; *c != 'e'; ++c)
    if (*c >= '0' && *c <= '9') digits = 10 * digits + (*c - '0');
  const int leading = std::atoi(c + 1);
  return decimal(v < 0 ? -digits : digits, leading - (significant - 1), leading < -4 || leading > 5);
}

// A coordinate: at most two decimals. |v| must be below 1e15.
inline std::string fixed(double v) { return decimal(std::llround(v * 100), -2, false); }

}  // namespace plot
