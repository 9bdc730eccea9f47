// Small things about text that several headers need: numbers as text, widths in columns, wrapping, what can be shown, HTML.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

// x with a fixed count of decimals: fixed(3.14159, 2) is 3.14.
inline std::string fixed(double x, int decimals) {
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", decimals, x);
  return text;
}

// x with `digits` significant digits, in powers of ten where it is very large or small: 0.000012 is 1.2e-05.
inline std::string significant(double x, int digits = 3) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  return text;
}

// Bytes as billions of them, to two digits: 0.25, 3.1, 120.
inline std::string gigabytes(double bytes) {
  return bytes < 1e11 ? significant(bytes / 1e9, 2) : fixed(bytes / 1e9, 0);
}

// "loss 2.5 after 100 steps" from "loss ", 2.5, " after ", 100, " steps".
template <class... Parts>
std::string join(const Parts&... parts) {
  std::string all;
  const auto add = [&all](const auto& part) {
    using Part = std::decay_t<decltype(part)>;
    if constexpr (std::is_floating_point_v<Part>) all += significant(double(part), 4);
    else if constexpr (std::is_integral_v<Part>) all += std::to_string(part);
    else all += part;
  };
  (add(parts), ...);
  return all;
}

// Columns that UTF-8 text takes: its code points.
inline std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (const char c : text) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return columns;
}

// `text` filled up with spaces to `columns`, at its left or right side.
enum class Side { left, right };
inline std::string pad(std::string text, std::size_t columns, Side side = Side::left) {
  const std::size_t used = columns_of(text);
  if (used >= columns) return text;
  const std::string space(columns - used, ' ');
  return side == Side::left ? text + space : space + text;
}

// Text broken at spaces into lines of at most `columns`; every line but the first starts with `indent` spaces.
inline std::string wrap(std::string_view text, std::size_t columns, std::size_t indent = 0) {
  std::string lines, line;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    if (!line.empty() && columns_of(line) + 1 + columns_of(word) > columns) {
      lines += line + "\n";
      line.assign(indent, ' ');
      line += word;
    } else {
      if (!line.empty()) line += ' ';
      line += word;
    }
  }
  return lines + line + "\n";
}

// Text with every line that is longer than `columns` broken at a space, or inside a word that is longer still.
inline std::string fold(std::string_view text, std::size_t columns) {
  std::string folded;
  while (!text.empty()) {
    std::size_t end = 0, used = 0, space = 0;  // bytes that fit, their columns, and the last space among them
    for (; end < text.size() && text[end] != '\n'; ++end) {
      const std::size_t column = columns_of(text.substr(end, 1));
      if (used + column > columns) break;
      used += column;
      if (text[end] == ' ') space = end + 1;
    }
    const bool more = end < text.size(), newline = more && text[end] == '\n';
    if (more && !newline && space > 0) end = space;
    folded += text.substr(0, end);
    if (more) folded += '\n';
    text.remove_prefix(end + newline);
  }
  return folded;
}

// Bytes of the visible UTF-8 character that the text starts with; 0 where there is none (Unicode standard, table 3-7).
inline std::size_t visible_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t size = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  const unsigned least = first == 0xC2 || first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (second < least || second > most) return 0;
  for (std::size_t k = 2; k < size; ++k)
    if (byte(k) < 0x80 || byte(k) > 0xBF) return 0;
  return size;
}

// Text that every terminal and page can hold: newlines and visible UTF-8 stay, any other byte becomes U+FFFD.
inline std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t size = text[0] == '\n' ? 1 : visible_character(text);
    shown += size ? text.substr(0, size) : std::string_view("\uFFFD");
    text.remove_prefix(size ? size : 1);
  }
  return shown;
}

// The same on one line, as names of files must be shown.
inline std::string one_line(std::string_view text) {
  std::string line = printable(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

// The number that a text is in decimal digits, such as -12, .5 or 1e-3; nothing unless it is that, all of it, and finite.
// strtod alone would also take leading blanks, nan, inf and hexadecimal.
inline std::optional<double> decimal_number(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos) return std::nullopt;
  char* stop = nullptr;
  const double number = std::strtod(text.c_str(), &stop);
  return *stop == '\0' && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

// Text as it must stand in HTML or SVG.
inline std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') escaped += "&amp;";
    else if (c == '<') escaped += "&lt;";
    else if (c == '>') escaped += "&gt;";
    else if (c == '"') escaped += "&quot;";
    else escaped += c;
  }
  return escaped;
}
