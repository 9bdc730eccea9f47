// SPDX-License-Identifier: MIT
#include "common/support/shape.hpp"

#include <stdexcept>

std::string to_text(Shape s) { return std::to_string(s.rows) + " x " + std::to_string(s.cols); }

void throw_too_large(Shape s) { throw std::length_error("matrix: " + to_text(s) + " are too many numbers"); }

void throw_shapes(const char* operation, Shape a, Shape b) {
  throw std::invalid_argument(std::string(operation) + ": " + to_text(a) + " and " + to_text(b));
}

void throw_index(std::size_t i, std::size_t j, Shape s) {
  throw std::out_of_range("entry (" + std::to_string(i) + ", " + std::to_string(j) + ") of " + to_text(s));
}
