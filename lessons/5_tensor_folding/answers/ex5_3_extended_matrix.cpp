// Exercise 5.3: biases by a constant one.
// Hint: (x, 1) times column j of the matrix should be x times column j of A, plus a[j]. So a is the
// last row. Which last column makes a 1 come out?
// Hint: Only the last entry of the last column is not 0.
// SPDX-License-Identifier: MIT
#include "common/matrix.hpp"

// For the check:
#include <ex5_3_extended_matrix.hpp>

#include "common/frame/exercise/exercise.hpp"
#include "lessons/5_tensor_folding/models.hpp"

using namespace exercise;

// Right for (1, x).
static Matrix<double> one_first(const Matrix<double>& A) {
  Matrix<double> result(A.rows(), A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j)
      result((i + 1) % A.rows(), (j + 1) % A.cols()) = A(i, j);
  return result;
}

static Matrix<double> on_top(const Matrix<double>& A, const Matrix<double>& a,
                             std::size_t row_of_1) {
  Matrix<double> wide(A.rows() + 1, A.cols() + 1);
  wide(row_of_1, A.cols()) = 1;
  for (std::size_t j = 0; j < A.cols(); ++j) {
    wide(0, j) = a(0, j);
    for (std::size_t i = 0; i < A.rows(); ++i) wide(i + 1, j) = A(i, j);
  }
  return wide;
}

static Matrix<double> in_last_column(const Matrix<double>& A, const Matrix<double>& a,
                                     double corner) {
  Matrix<double> wide = lesson5::extended(A, 0 * a);
  for (std::size_t i = 0; i < std::min(A.rows(), A.cols()); ++i) wide(i, A.cols()) = a(0, i);
  wide(A.rows(), A.cols()) = corner;
  return wide;
}

namespace ours::ex5_3 {

inline Matrix<double> extended(const Matrix<double>& A, const Matrix<double>& a) {
  const std::size_t rows = A.rows(), cols = A.cols();
  Matrix<double> wide(rows + 1, cols + 1);
  for (std::size_t j = 0; j < cols; ++j) {
    for (std::size_t i = 0; i < rows; ++i) wide(i, j) = A(i, j);
    wide(rows, j) = a(0, j);
    slip(wide(rows, j), 0.0, "a is missing: it belongs below A, where the 1 of (x, 1) meets it");
  }
  wide(rows, cols) = 1;
  slip(
      wide(rows, cols), 0.0,
      "the 1 in the corner is missing: the constant gets lost, and the next bias has nothing to weigh");
  slip(wide, in_last_column(A, a, 0),
       "a stands in the last column, but the 1 of (x, 1) meets the last row");
  slip(wide, in_last_column(A, a, 1),
       "a stands in the last column, but the 1 of (x, 1) meets the last row");
  slip(wide, wide + in_last_column(0 * A, Matrix<double>(1, cols, 1), 0),
       "ones stand above the corner: the last number is 1 plus the sum of x, not 1");
  slip(wide, Matrix<double>(column_block(wide, 0, cols)),
       "that is [A; a]: the column that makes a 1 come out again is missing");
  slip(wide, Matrix<double>(row_block(wide, 0, rows)),
       "that is [A 0]: the row of the biases and of the 1 is missing");
  slip(wide, on_top(A, a, 0),
       "a stands on top of A, but the 1 of (x, 1) is last and meets the last row");
  slip(wide, on_top(A, a, rows),
       "a stands on top of A, but the 1 of (x, 1) is last and meets the last row");
  slip(wide, one_first(wide), "right for (1, x); here the 1 is last");
  return wide;
}

}  // namespace ours::ex5_3

static Assessment check() {
  Random random(3);
  const auto A = normal_matrix<double>(3, 4, 1, random), a = normal_matrix<double>(1, 4, 1, random);
  const Answer answer{"extended", ex5_3::extended(A, a), lesson5::extended(A, a)};
  if (untouched(answer)) return not_started();
  std::string text =
      diagnose(answer, {rounding, "right"}, [&] { return ours::ex5_3::extended(A, a); });
  const bool turned =
      std::min(answer.yours.rows(), answer.yours.cols()) > 1 && answer.yours(0, 1) == A(1, 0);
  if (turned && answer.yours(1, 0) == A(0, 1))
    text = "A is transposed: each row belongs to an input";
  return text.empty() ? done() : wrong(text);
}
static const Exercise here{"5.3", "The extended matrix", check};
