// Lesson 3: reads comma-separated numbers.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/run/table.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>

#include "common/support/file.hpp"
#include "common/support/words.hpp"

namespace lesson3 {
namespace {

constexpr std::size_t most_columns = 10'000;

// Returns the first bytes of a text from the file, in quotes and on one line.
std::string shown(std::string_view text) {
  std::size_t end = std::min<std::size_t>(text.size(), 30);
  while (end > 0 && end < text.size() && (text[end] & 0xC0) == 0x80) --end;  // do not cut a character in two
  return "\"" + printable(text.substr(0, end)) + (end < text.size() ? "...\"" : "\"");
}

// A line of the file, for the messages about it. Row 0 is the header.
struct Place {
  std::size_t row = 0;
  std::span<const std::string> names;  // empty while the header is read

  [[noreturn]] void fail(const std::string& what) const {
    if (row == 0) throw std::runtime_error("the header" + what);
    throw std::runtime_error(join("row ", row, what, " (line ", row + 1, " of the file)"));
  }
  [[noreturn]] void fail(std::size_t column, const std::string& what) const {
    fail(", column " + (column < names.size() ? shown(names[column]) : std::to_string(column + 1)) + ": " + what);
  }
};

std::string_view trim(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

// Cuts the first line off `rest` and returns it without its end: LF, CRLF or CR.
std::string_view take_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
  rest.remove_prefix(line.size());
  rest.remove_prefix(rest.starts_with("\r\n") ? 2 : rest.empty() ? 0 : 1);
  return line;
}

// Cuts off the quoted text with which `rest` begins and returns it; nothing when no quote closes it.
std::optional<std::string> take_quoted(std::string_view& rest) {
  for (std::string text;; text += '"') {
    const std::size_t end = rest.find('"', 1);
    if (end == std::string_view::npos) return std::nullopt;
    text += rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    if (!rest.starts_with('"')) return text;  // two quotes stand for one, and the text goes on
  }
}

// Returns the texts in the cells of a line, without quotes and without the spaces and tabs around them.
std::vector<std::string> split_cells(std::string_view line, const Place& place) {
  if (line.find('\0') != std::string_view::npos) place.fail(" holds a NUL byte: the file is no text in UTF-8");
  std::vector<std::string> cells;
  for (bool more = true; more;) {
    if (cells.size() == most_columns) place.fail(join(" has more than ", most_columns, " cells"));
    line = trim(line);
    const bool quoted = line.starts_with('"');
    const auto quote = quoted ? take_quoted(line) : std::nullopt;
    if (quoted && !quote) place.fail(cells.size(), "the quote is not closed in its line");
    const std::size_t comma = std::min(line.find(','), line.size());
    const std::string_view plain = trim(line.substr(0, comma));
    if (quoted && !plain.empty()) place.fail(cells.size(), shown(plain) + " follows the closing quote");
    cells.emplace_back(quoted ? trim(*quote) : plain);
    more = comma < line.size();
    line.remove_prefix(comma + more);
  }
  return cells;
}

std::vector<std::string> read_names(std::string_view line) {
  const Place place{0, {}};
  if (line.find(',') == std::string_view::npos && trim(line).find_first_of(";\t") != std::string_view::npos)
    place.fail(" has no comma: cells must be separated by commas");
  std::vector<std::string> names = split_cells(line, place);
  if (std::all_of(names.begin(), names.end(),
                  [](const std::string& name) { return name.empty() || decimal_number(name); }))
    place.fail(" holds no name: the first line must name the columns");
  std::set<std::string> seen;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (names[j].empty()) place.fail(j, "the name is empty");
    if (!seen.insert(names[j]).second) place.fail(j, "the name " + shown(names[j]) + " stands twice");
    names[j] = printable(names[j]);
  }
  return names;
}

// Appends the numbers of one row.
void read_row(std::string_view line, const Place& place, std::vector<double>& numbers) {
  if (trim(line).empty()) place.fail(" is blank");
  const std::vector<std::string> cells = split_cells(line, place);
  const std::size_t found = cells.size(), columns = place.names.size();
  if (found != columns) place.fail(join(" has ", found, found == 1 ? " cell" : " cells", ", the header ", columns));
  for (std::size_t j = 0; j < columns; ++j) {
    const std::optional<double> number = decimal_number(cells[j]);
    if (!number) place.fail(j, cells[j].empty() ? "the cell is empty" : shown(cells[j]) + " is no number");
    numbers.push_back(*number);
  }
}

// Throws for a column that cannot be standardised, which divides by the standard deviation: the squares under its root
// must neither vanish nor overflow. Within these bounds neither their sum nor their mean leaves 1e-308..1e308 for up to
// 1e8 rows.
void check_columns(const NumericTable& table) {
  for (std::size_t j = 0; j < table.names.size(); ++j) {
    double low = table.values(0, j), high = low;
    for (std::size_t i = 0; i < table.values.rows(); ++i) {
      low = std::min(low, table.values(i, j));
      high = std::max(high, table.values(i, j));
    }
    if (high - low >= 1e-150 && high - low <= 1e150) continue;
    const std::string how = low == high ? " is constant" : " spreads over " + significant(high - low);
    throw std::runtime_error("column " + shown(table.names[j]) + how + ": it cannot be standardised");
  }
}

}  // namespace

NumericTable parse_table(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);  // the byte order mark of UTF-8
  bytes = bytes.substr(0, bytes.find_last_not_of(" \t\r\n") + 1);
  if (bytes.empty()) throw std::runtime_error("the file is empty");
  NumericTable table{read_names(take_line(bytes)), {}};
  if (bytes.empty()) throw std::runtime_error("no row of numbers follows the header");
  std::vector<double> numbers;
  std::size_t rows = 0;
  while (!bytes.empty()) read_row(take_line(bytes), {++rows, table.names}, numbers);
  table.values = Matrix<double>(rows, table.names.size());
  std::copy(numbers.begin(), numbers.end(), table.values.values().begin());
  check_columns(table);
  return table;
}

NumericTable read_table(const std::string& path) {
  const std::string bytes = read_file(path, 20);  // a cell of two bytes becomes a number in several places
  try {
    return parse_table(bytes);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot read '" + path + "': " + error.what());
  }
}

}  // namespace lesson3
