// Lesson 3: a table of one's own: comma-separated numbers, and its columns in units of their own.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/support/file.hpp"
#include "common/support/flags.hpp"
#include "common/support/words.hpp"
#include "lessons/3_swish_vs_bmlp/train.hpp"

namespace lesson3 {

// ----------------------------------------------------------------------------------------------------------- scales

// Columns in units of their own: standard = (value - mean) / deviation, each 1 x columns.
struct Scale {
  Matrix<double> mean, deviation;

  Matrix<double> to_standard(Matrix<double> values) const {
    for (std::size_t i = 0; i < values.rows(); ++i)
      for (std::size_t j = 0; j < values.cols(); ++j) values(i, j) = (values(i, j) - mean(0, j)) / deviation(0, j);
    return values;
  }
};

// Returns mean and standard deviation of each column. Throws UserError, with the column's name, for one that does not
// vary, or varies too widely to square.
inline Scale scale_of(const Matrix<double>& values, const std::vector<std::string>& names) {
  const Matrix<double> mean = column_means(values), off = add_row(values, -1 * mean);
  const Scale scale{mean, map(column_means(hadamard(off, off)), [](double v) { return std::sqrt(v); })};
  for (std::size_t j = 0; j < values.cols(); ++j) {
    const double first = values(0, j), deviation = scale.deviation(0, j);
    bool varies = false;  // a deviation of rounding alone is not 0
    for (std::size_t i = 1; i < values.rows(); ++i) varies = varies || values(i, j) != first;
    if (!std::isfinite(deviation)) throw UserError("column \"" + names[j] + "\" is too large to square");
    if (!varies || deviation == 0)
      throw UserError("column \"" + names[j] + "\" is constant over the rows that are learned from");
  }
  return scale;
}

// ------------------------------------------------------------------------------------------------------------ tables

struct NumericTable {
  std::vector<std::string> names;  // one for each column; what cannot be printed in them is replaced
  Matrix<double> values;           // n x columns, finite
};

// Returns the cells of a line: what stands between commas, without spaces around.
inline std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',') cells.emplace_back();
    else cells.back() += c;
  }
  for (std::string& cell : cells) {
    cell.erase(0, std::min(cell.find_first_not_of(" \t"), cell.size()));
    cell.erase(cell.find_last_not_of(" \t") + 1);
  }
  return cells;
}

// Returns the names in a header. Throws std::runtime_error where it is none.
inline std::vector<std::string> names_of(std::string_view line) {
  if (line.find(',') == std::string_view::npos && line.find_first_of(";\t") != std::string_view::npos)
    throw std::runtime_error("the header has no comma: cells must be separated by commas");
  std::vector<std::string> names = cells_of(line);
  const auto no_name = [](const std::string& name) { return name.empty() || decimal_number(name); };
  if (std::all_of(names.begin(), names.end(), no_name))
    throw std::runtime_error("the header holds no name: the first line must name the columns");
  for (std::string& name : names) name = excerpt(name);
  return names;
}

// Appends the numbers of a line. Throws std::runtime_error, to follow the row's number, where it holds others than those
// of a row.
inline void read_row(std::string_view line, const std::vector<std::string>& names, std::vector<double>& numbers) {
  const std::vector<std::string> cells = cells_of(line);
  const std::size_t found = cells.size();
  if (found != names.size())
    throw std::runtime_error(join(" has ", found, found == 1 ? " cell" : " cells", ", the header ", names.size()));
  for (std::size_t j = 0; j < found; ++j) {
    const std::optional<double> number = decimal_number(cells[j]);
    const std::string what = cells[j].empty() ? "the cell is empty" : "\"" + excerpt(cells[j]) + "\" is no number";
    if (!number) throw std::runtime_error(", column \"" + names[j] + "\": " + what);
    numbers.push_back(*number);
  }
}

// Returns the table that these bytes are: the first line names the columns, each further one is a row of numbers. Throws
// std::runtime_error with one line that says what is wrong and where; rows are counted from 1, without the header.
inline NumericTable parse_table(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);  // the byte order mark of UTF-8
  bytes = bytes.substr(0, bytes.find_last_not_of(" \t\r\n") + 1);
  if (bytes.empty()) throw std::runtime_error("the file is empty");
  const auto take_line = [&] {  // LF, CR LF or CR ends it
    const std::string_view line = bytes.substr(0, bytes.find_first_of("\r\n"));
    bytes.remove_prefix(line.size());
    bytes.remove_prefix(bytes.starts_with("\r\n") ? 2 : bytes.empty() ? 0 : 1);
    return line;
  };
  NumericTable table{names_of(take_line()), {}};
  if (bytes.empty()) throw std::runtime_error("no row of numbers follows the header");
  std::vector<double> numbers;
  for (std::size_t row = 1; !bytes.empty(); ++row) try {
      read_row(take_line(), table.names, numbers);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(join("row ", row, error.what(), " (line ", row + 1, " of the file)"));
    }
  table.values = Matrix<double>(numbers.size() / table.names.size(), table.names.size());
  std::copy(numbers.begin(), numbers.end(), table.values.values().begin());
  return table;
}

// Reads the table in a file. Throws std::runtime_error with one line that names the path and what is wrong.
inline NumericTable read_table(const std::string& path) {
  const std::string bytes = read_file(path, 20);  // a cell of two bytes becomes a number in several places
  try {
    return parse_table(bytes);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot read '" + path + "': " + error.what());
  }
}

}  // namespace lesson3
