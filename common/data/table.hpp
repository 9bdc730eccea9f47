// A table of numbers in a text file, a row a line, as spreadsheets and NumPy write it: with commas,
// semicolons, tabs or blanks between; with a first line of names or without; with a decimal comma
// where that does not separate. Files may be hostile: whatever is wrong is a std::runtime_error of
// one line.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "common/matrix.hpp"

struct NumberTable {
  std::vector<std::string> names;  // of its columns; "column 1", ... where the file has none
  Matrix<double> numbers;          // each of at most 1e100
};

NumberTable parse_table(std::string_view text);

NumberTable read_table(const std::string& path);

// What each column is moved and divided by, so that it has mean 0 and variance 1; 1 x columns.
struct Scale {
  Matrix<double> mean, deviation;

  Matrix<double> scaled(const Matrix<double>& A) const;
  Matrix<double> restored(const Matrix<double>& A) const;
};

// A column that rounding alone varies is left as it is: all its numbers become about 0.
Scale scale_of(const Matrix<double>& A);
