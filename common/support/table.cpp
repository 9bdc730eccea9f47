// SPDX-License-Identifier: MIT
#include "common/support/table.hpp"

#include <algorithm>

#include "common/support/words.hpp"

// Returns these columns of the table: the first to the left, the others to the right, two spaces between them.
std::string Table::block(const std::vector<std::size_t>& columns, const std::vector<std::size_t>& widths) const {
  std::string all;
  const auto add = [&](const std::vector<std::string>& row) {
    std::string line = " ";
    for (const std::size_t c : columns)
      if (c < row.size()) line += " " + pad(row[c], widths[c], c ? Side::right : Side::left) + " ";
    all += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add(head);
  std::vector<std::string> rules;
  for (const std::size_t width : widths) rules.emplace_back(width, '-');
  add(rules);
  for (const auto& row : rows) add(row);
  return all;
}

std::string Table::text(std::size_t width) const {
  std::vector<std::size_t> widths(head.size());
  const auto widen = [&](const std::vector<std::string>& row) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], columns_of(row[c]));
  };
  widen(head);
  for (const auto& row : rows) widen(row);
  std::string all;
  for (std::size_t next = 1; all.empty() || next < head.size();) {
    std::vector<std::size_t> columns{0};
    std::size_t used = widths.empty() ? 0 : widths[0] + 2;
    for (; next < head.size() && (columns.size() == 1 || used + widths[next] + 2 <= width); ++next) {
      columns.push_back(next);
      used += widths[next] + 2;
    }
    all += (all.empty() ? "" : "\n") + fold(block(columns, widths), width);
  }
  return all;
}

std::string Table::html() const {
  const auto line = [](const std::vector<std::string>& cells, const std::string& tag) {
    std::string html = "<tr>";
    for (const std::string& cell : cells) html += "<" + tag + ">" + escape_html(cell) + "</" + tag + ">";
    return html + "</tr>\n";
  };
  std::string html = "<div class=\"wide\"><table>\n" + line(head, "th");
  for (const auto& row : rows) html += line(row, "td");
  return html + "</table></div>\n";
}
