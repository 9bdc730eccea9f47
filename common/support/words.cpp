// SPDX-License-Identifier: MIT
#include "common/support/words.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>

static bool continues(char c) { return (c & 0xC0) == 0x80; }  // a character that began before

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
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

std::string pad(std::string text, std::size_t columns, Side side) {
  const std::string space(columns - std::min(columns, columns_of(text)), ' ');
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
    } else if (!line.empty()) {
      line += ' ';
    }
    line += word;
  }
  return lines + line + "\n";
}

std::string fold(std::string_view text, std::size_t columns) {
  std::string folded;
  while (!text.empty()) {
    std::size_t end = 0, used = 0, space = 0;  // bytes that fit, their columns, and the last space among them
    for (; end < text.size() && text[end] != '\n'; ++end) {
      if (!continues(text[end]) && ++used > columns) break;
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
  for (std::size_t bytes; !text.empty(); text.remove_prefix(bytes)) {
    const auto [code, size] = utf8::first(text);
    const bool visible = size > 0 && (code == '\n' || (code >= 0x20 && !(code >= 0x7F && code < 0xA0)));
    bytes = visible ? size : 1;
    shown += visible ? text.substr(0, size) : std::string_view("\uFFFD");
  }
  return shown;
}

std::string one_line(std::string_view text) {
  std::string line = printable(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::string excerpt(std::string_view text) {
  const std::string_view start = utf8::beginning(text, 60);
  return one_line(start) + (start.size() < text.size() ? "..." : "");
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

utf8::Character utf8::first(std::string_view text) {
  if (text.empty()) return {};
  const unsigned lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF8 ? 4 : 0;
  if (bytes == 0 || text.size() < bytes) return {};
  char32_t code = lead & (0x7Fu >> bytes);
  for (std::size_t k = 1; k < bytes; ++k) {
    if (!continues(text[k])) return {};
    code = (code << 6) | (static_cast<unsigned char>(text[k]) & 0x3F);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};  // what needs so many bytes
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < smallest[bytes] || code > 0x10FFFF || surrogate) return {};
  return {code, bytes};
}

std::string utf8::encode(char32_t code) {
  const auto part = [&](unsigned mark, unsigned shift) { return static_cast<char>(mark | (code >> shift & 0x3F)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {part(0xC0, 6), part(0x80, 0)};
  if (code < 0x10000) return {part(0xE0, 12), part(0x80, 6), part(0x80, 0)};
  return {part(0xF0, 18), part(0x80, 12), part(0x80, 6), part(0x80, 0)};
}

std::string_view utf8::beginning(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > most - 3 && continues(text[end])) --end;
  return text.substr(0, end);
}
