// SPDX-License-Identifier: MIT
#include "common/frame/text/words.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace utf8 {

Character first(std::string_view text) {
  if (text.empty()) return {};
  const auto lead = std::uint8_t(text[0]);
  if (lead < 0x80) return {lead, 1};
  const auto bytes = std::size_t(std::countl_one(lead));
  if (bytes < 2 || bytes > 4 || text.size() < bytes) return {};
  char32_t code = lead & (0x7Fu >> bytes);
  for (std::size_t k = 1; k < bytes; ++k) {
    if (!continues(text[k])) return {};
    code = (code << 6) | (std::uint8_t(text[k]) & 0x3F);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};  // of each number of bytes
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < smallest[bytes] || code > 0x10FFFF || surrogate) return {};
  return {code, bytes};
}

std::string encode(char32_t code) {
  const auto part = [&](unsigned mark, unsigned shift) {
    return char(mark | (code >> shift & 0x3F));
  };
  if (code < 0x80) return {char(code)};
  if (code < 0x800) return {part(0xC0, 6), part(0x80, 0)};
  if (code < 0x10000) return {part(0xE0, 12), part(0x80, 6), part(0x80, 0)};
  return {part(0xF0, 18), part(0x80, 12), part(0x80, 6), part(0x80, 0)};
}

}  // namespace utf8

std::string fixed(double x, int decimals) {
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", decimals, x);
  return text;
}

std::string significant(double x, int digits) {
  const double size = std::abs(x);
  if ((x == std::floor(x) && size < 1e9) || (size >= std::pow(10, digits) && size < 1e6))
    return fixed(x, 0);
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  return text;
}

std::optional<double> decimal_number(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos)
    return std::nullopt;
  char* stop = nullptr;
  const double number = std::strtod(text.c_str(), &stop);
  return *stop == '\0' && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::size_t columns_of(std::string_view text) {
  return text.size() - std::size_t(std::count_if(text.begin(), text.end(), utf8::continues));
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
    std::size_t end = 0, used = 0, space = 0;  // of what fits: bytes, columns, the last space
    for (; end < text.size() && text[end] != '\n'; ++end) {
      if (!utf8::continues(text[end])) ++used;
      if (used > columns) break;
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
    const bool visible =
        size > 0 && (code == '\n' || (code >= 0x20 && !(code >= 0x7F && code < 0xA0)));
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
  if (text.size() <= 60) return one_line(text);
  std::size_t end = 60;
  while (end > 57 && utf8::continues(text[end])) --end;  // cuts no character in two
  return one_line(text.substr(0, end)) + "...";
}

static std::size_t edits_between(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row.back();
}

std::string nearest(const std::string& name, const std::vector<std::string>& names,
                    std::size_t most) {
  std::string best;
  std::size_t least = most + 1;
  for (const std::string& one : names)
    if (const std::size_t edits = edits_between(name, one); edits < least) {
      least = edits;
      best = one;
    }
  return best;
}

std::string small_letters(std::string text) {
  for (char& c : text) c = char(std::tolower(std::uint8_t(c)));
  return text;
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

std::string Table::text(std::size_t width) const {
  std::vector<std::size_t> widths;
  std::vector<std::string> rules;
  for (std::size_t c = 0; c < head.size(); ++c) {
    widths.push_back(columns_of(head[c]));
    for (const auto& row : rows)
      widths[c] = std::max(widths[c], c < row.size() ? columns_of(row[c]) : 0);
    rules.emplace_back(widths[c], '-');
  }
  std::string all;
  for (std::size_t first = 1, end = 1; all.empty() || first < head.size(); first = end) {
    std::size_t used = widths[0] + 2;
    for (; end < head.size() && (end == first || used + widths[end] + 2 <= width); ++end)
      used += widths[end] + 2;
    std::string block;
    const auto add = [&](const std::vector<std::string>& row) {
      std::string line = "  " + pad(row[0], widths[0]);
      for (std::size_t c = first; c < std::min(end, row.size()); ++c)
        line += "  " + pad(row[c], widths[c], Side::right);
      block += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    };
    add(head);
    add(rules);
    for (const auto& row : rows) add(row);
    all += (all.empty() ? "" : "\n") + fold(block, width);
  }
  return all;
}

std::string Table::html() const {
  const auto line = [](const std::vector<std::string>& cells, const std::string& wanted) {
    std::string html = "<tr>";
    for (const std::string& cell : cells) {
      const std::string tag = cell.empty() ? "td" : wanted;  // what is empty heads nothing
      html += join("<", tag, ">", escape_html(cell), "</", tag, ">");
    }
    return html + "</tr>\n";
  };
  std::string html = "<div class=\"wide\"><table>\n" + line(head, "th");
  for (const auto& row : rows) html += line(row, "td");
  return html + "</table></div>\n";
}
