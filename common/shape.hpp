// The shape of a matrix, and the checks of shapes.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>

struct Shape {
  std::size_t rows = 0, cols = 0;
  bool operator==(const Shape&) const = default;
};

// Returns "2 x 3".
inline std::string to_text(Shape s) {
  return std::to_string(s.rows) + " x " + std::to_string(s.cols);
}

// Returns rows·cols. Throws std::length_error when that overflows: a huge shape would stand over
// few numbers.
inline std::size_t checked_size(Shape s) {
  if (s.cols != 0 && s.rows > std::size_t(-1) / s.cols)
    throw std::length_error("matrix: " + to_text(s) + " are too many numbers");
  return s.rows * s.cols;
}

// Throws std::invalid_argument "operation: 2 x 3 and 4 x 5" unless fits.
inline void check_shapes(bool fits, const char* operation, Shape a, Shape b) {
  if (!fits) throw std::invalid_argument(operation + (": " + to_text(a)) + " and " + to_text(b));
}

// Stands apart from check_index, so that a check costs its callers a comparison.
[[noreturn]] inline void throw_index(std::size_t i, std::size_t j, Shape s) {
  throw std::out_of_range("entry (" + std::to_string(i) + ", " + std::to_string(j) + ") of " +
                          to_text(s));
}

// Throws std::out_of_range unless entry (i, j) exists.
inline void check_index(std::size_t i, std::size_t j, Shape s) {
  if (i >= s.rows || j >= s.cols) throw_index(i, j, s);
}
