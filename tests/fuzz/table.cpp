// Fuzzes the reader of comma-separated numbers. A table that is read is finite, and is written and read the same.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/run/table.hpp"

#include <cmath>

#include "lessons/3_swish_vs_bmlp/run/own_table.hpp"
#include "tests/fuzz/hostile.hpp"

static std::string written(const lesson3::NumericTable& table) {
  std::string text;
  for (std::size_t j = 0; j < table.names.size(); ++j) text += (j ? ",c" : "c") + std::to_string(j);
  char number[40];
  for (std::size_t i = 0; i < table.values.rows(); ++i)
    for (std::size_t j = 0; j < table.names.size(); ++j) {
      std::snprintf(number, sizeof number, "%c%.17g", j ? ',' : '\n', table.values(i, j));
      text += number;
    }
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lesson3::NumericTable table;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (refused([&] { table = lesson3::parse_table(text); })) return 0;
  require(table.names.size() == table.values.cols(), "a column has a name");
  require(lesson3::short_names(table.names).size() == table.names.size(), "a column keeps its name");
  for (const double number : table.values.values()) require(std::isfinite(number), "a number is finite");
  const lesson3::NumericTable again = lesson3::parse_table(written(table));
  require(again.values.values().size() == table.values.values().size(), "as many numbers are read back");
  for (std::size_t k = 0; k < table.values.size(); ++k)
    require(again.values.values()[k] == table.values.values()[k], "a number is read back");
  return 0;
}
