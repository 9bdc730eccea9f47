// Lesson 3: the reader's own numbers, from a comma-separated file as spreadsheets write it. The first line names the
// columns, each further line is a row of numbers; whatever else stands there is refused, with one line that says where.
// "Row N" in a message counts the rows of numbers from 1. A row is one line and no line between rows is blank, so it
// is line N + 1 in an editor, and the message says so too.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "common/matrix.hpp"

namespace lesson3 {

struct NumericTable {
  std::vector<std::string> names;  // one for each column; what cannot be printed in them is replaced
  Matrix<double> values;           // n x columns: finite, and no column is constant
};

// Returns the table that these bytes are. Throws std::runtime_error with one line that says what is wrong, and in which
// row and column. Allocates in proportion to bytes.size().
NumericTable parse_table(std::string_view bytes);

// Reads the table in a file. Throws std::runtime_error with one line that names the path and what is wrong.
NumericTable read_table(const std::string& path);

}  // namespace lesson3
