// One head of attention by its definition, slowly.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/fast/elementary.hpp"
#include "common/frame/exercise/exercise.hpp"

namespace shared {

using namespace exercise;

constexpr Tolerance by_formula{rounding, "right"};

inline Prediction counted(const char* name, double yours, double truth,
                          std::vector<Misreading> wrong) {
  return {name, yours, truth, 0, std::move(wrong)};
}

inline Matrix<double> drawn(std::size_t rows, std::size_t cols, Random& random, double size = 1) {
  return normal_matrix<double>(rows, cols, size, random);
}
inline Matrix<double> sigmoid_of(const Matrix<double>& Z) {
  return map_entries(Z, elementary::sigmoid<double>);
}

// Softmax of the rows of s·S over columns j with sees(i, j), else 0.
template <class Sees>
Matrix<double> softmax_rows(const Matrix<double>& S, double s, Sees sees) {
  Matrix<double> A(S.rows(), S.cols());
  for (std::size_t i = 0; i < S.rows(); ++i) {
    double sum = 0, top = -HUGE_VAL;  // subtracted, so that e^x does not overflow
    for (std::size_t j = 0; j < S.cols(); ++j)
      if (sees(i, j)) top = std::max(top, s * S(i, j));
    for (std::size_t j = 0; j < S.cols(); ++j) {
      if (sees(i, j)) A(i, j) = std::exp(s * S(i, j) - top);
      sum += A(i, j);
    }
    for (double& a : A.row(i)) a = sum > 0 ? a / sum : 0;
  }
  return A;
}
inline double scale_of_scores(const Matrix<double>& Q) { return 1 / std::sqrt(double(Q.cols())); }
inline Matrix<double> scores(const Matrix<double>& Q, const Matrix<double>& K) {
  return matmul(Q, transpose(K));
}
inline Matrix<double> causal_weights(const Matrix<double>& Q, const Matrix<double>& K) {
  return softmax_rows(scores(Q, K), scale_of_scores(Q),
                      [](std::size_t i, std::size_t j) { return j <= i; });
}

}  // namespace shared
