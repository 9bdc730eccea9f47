// A table of a lesson: for the terminal and for its page.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

struct Table {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;

  // Returns lines of at most `width` columns: what is wider continues in further tables, each with the first column
  // again.
  std::string text(std::size_t width = 80) const;

  std::string html() const;

 private:
  std::string block(const std::vector<std::size_t>& columns, const std::vector<std::size_t>& widths) const;
};
