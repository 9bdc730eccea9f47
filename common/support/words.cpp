// SPDX-License-Identifier: MIT
#include "common/support/words.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "common/support/utf8.hpp"

namespace {

// Counts the bytes of the visible UTF-8 character that the text starts with; 0 where there is none.
std::size_t visible_character(std::string_view text) {
  const auto [code, bytes] = utf8::first(text);
  return code < 0x20 || (code >= 0x7F && code < 0xA0) ? 0 : bytes;
}

}  // namespace

std::string fixed(double x, int decimals) {
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", decimals, x);
  return text;
}

std::string significant(double x, int digits) {
  const double size = std::abs(x);
  if ((x == std::floor(x) && size < 1e9) || (size >= std::pow(10, digits) && size < 1e6)) return fixed(x, 0);
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  return text;
}

std::string gigabytes(double bytes) { return bytes < 1e11 ? significant(bytes / 1e9, 2) : fixed(bytes / 1e9, 0); }

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (const char c : text) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return columns;
}

std::string pad(std::string text, std::size_t columns, Side side) {
  const std::size_t used = columns_of(text);
  if (used >= columns) return text;
  const std::string space(columns - used, ' ');
  return side == Side::left ? text + space : space + text;
}

std::string wrap(std::string_view text, std::size_t columns, std::size_t indent) {
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

std::string fold(std::string_view text, std::size_t columns) {
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

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t size = text[0] == '\n' ? 1 : visible_character(text);
    shown += size ? text.substr(0, size) : std::string_view("\uFFFD");
    text.remove_prefix(size ? size : 1);
  }
  return shown;
}

std::string one_line(std::string_view text) {
  std::string line = printable(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t most = 60;
  if (text.size() <= most) return one_line(text);
  std::size_t end = most;
  while (end > most - 3 && (text[end] & 0xC0) == 0x80) --end;  // do not cut a character in two
  return one_line(text.substr(0, end)) + "...";
}

std::string small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// strtod alone would also take leading blanks, nan, inf and hexadecimal.
std::optional<double> decimal_number(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos) return std::nullopt;
  char* stop = nullptr;
  const double number = std::strtod(text.c_str(), &stop);
  return *stop == '\0' && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::string escape_html(std::string_view text) {
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
