// SPDX-License-Identifier: MIT
#include "common/data/table.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "common/frame/files/file.hpp"
#include "common/frame/text/words.hpp"

namespace {

constexpr double largest_number = 1e100;  // its square is a number, too
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

using Fields = std::vector<std::string>;

std::string trimmed(const std::string& field) {
  constexpr std::string_view around = " \t\"";
  const std::size_t first = field.find_first_not_of(around);
  if (first == field.npos) return "";
  return field.substr(first, field.find_last_not_of(around) + 1 - first);
}

// Returns what separates the fields of a line; a blank stands for any number of blanks.
char separator_of(std::string_view line) {
  for (const char separator : {';', '\t', ','})
    if (line.find(separator) != line.npos) return separator;
  return ' ';
}

// A separator in quotes is a part of its field.
Fields fields_of(std::string_view line, char separator) {
  Fields fields{""};
  bool quoted = false;
  for (const char letter : line) {
    if (letter == '"') quoted = !quoted;
    if (letter == separator && !quoted) fields.emplace_back();
    else fields.back() += letter;
  }
  for (std::string& field : fields) field = trimmed(field);
  if (separator == ' ') std::erase(fields, "");
  return fields;
}

// Returns a number, whose decimal comma is none of the separators.
std::optional<double> number_in(std::string field) {
  std::replace(field.begin(), field.end(), ',', '.');
  if (field.starts_with('+')) field.erase(0, 1);
  return decimal_number(field);
}

double number_at(const std::string& field, std::size_t line, std::size_t column) {
  const std::string place = join("line ", line, ", column ", column);
  if (field.empty()) throw std::runtime_error(place + " is empty");
  const std::optional<double> number = number_in(field);
  if (!number) throw std::runtime_error(join(place, ": '", excerpt(field), "' is no number"));
  if (std::abs(*number) > largest_number)
    throw std::runtime_error(join(place, ": '", excerpt(field), "' is beyond 1e100"));
  return *number;
}

// The rows of a table, as they are read.
struct TableRows {
  Fields names;
  std::vector<double> numbers;
  std::size_t columns = 0, first_line = 0;
  char separator = ',';

  void add(std::string_view line, std::size_t number_of_line) {
    if (columns == 0) separator = separator_of(line);
    const Fields fields = fields_of(line, separator);
    if (columns == 0) {
      columns = fields.size();
      first_line = number_of_line;
      if (std::none_of(fields.begin(), fields.end(), number_in)) {
        names = fields;
        return;
      }
    }
    if (fields.size() != columns)
      throw std::runtime_error(join("line ", number_of_line, " has ", fields.size(),
                                    fields.size() == 1 ? " field" : " fields", ", and line ",
                                    first_line, " has ", columns));
    for (std::size_t j = 0; j < columns; ++j)
      numbers.push_back(number_at(fields[j], number_of_line, j + 1));
  }
};

}  // namespace

NumberTable parse_table(std::string_view text) {
  if (text.find('\0') != text.npos)
    throw std::runtime_error("it holds a zero byte; a table is plain text, such as UTF-8");
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  TableRows rows;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.find_first_not_of(" \t") != line.npos) rows.add(line, number);
    const bool two = text.substr(end).starts_with("\r\n");
    text.remove_prefix(std::min(end + (two ? 2 : 1), text.size()));
  }
  if (rows.numbers.empty()) throw std::runtime_error("it has no row of numbers");
  NumberTable table{rows.names, Matrix<double>(rows.numbers.size() / rows.columns, rows.columns)};
  std::copy(rows.numbers.begin(), rows.numbers.end(), table.numbers.values().begin());
  table.names.resize(rows.columns);
  for (std::size_t j = 0; j < rows.columns; ++j)
    if (table.names[j].empty()) table.names[j] = join("column ", j + 1);
  return table;
}

NumberTable read_table(const std::string& path) {
  return parse_file(path, 6, [](std::string_view text) { return parse_table(text); });
}

Matrix<double> Scale::scaled(const Matrix<double>& A) const {
  Matrix<double> all = add_row(A, -1 * mean);
  for (std::size_t i = 0; i < all.rows(); ++i)
    for (std::size_t j = 0; j < all.cols(); ++j) all(i, j) /= deviation(0, j);
  return all;
}

Matrix<double> Scale::restored(const Matrix<double>& A) const {
  Matrix<double> all = A;
  for (std::size_t i = 0; i < all.rows(); ++i)
    for (std::size_t j = 0; j < all.cols(); ++j)
      all(i, j) = all(i, j) * deviation(0, j) + mean(0, j);
  return all;
}

Scale scale_of(const Matrix<double>& A) {
  Scale scale{1 / double(A.rows()) * column_sums(A), Matrix<double>(1, A.cols())};
  const Matrix<double> apart = add_row(A, -1 * scale.mean);
  for (std::size_t j = 0; j < A.cols(); ++j) {
    double squares = 0;
    for (std::size_t i = 0; i < A.rows(); ++i) squares += apart(i, j) * apart(i, j);
    const double deviation = std::sqrt(squares / double(A.rows()));
    const bool varies = deviation > 1e-12 * std::abs(scale.mean(0, j)) && deviation > 1e-100;
    scale.deviation(0, j) = varies ? deviation : 1;
  }
  return scale;
}
