// Lesson 6: one head of attention as its definition says it, slowly: what answers are compared with.
// n tokens, dh columns. dX means d loss / d X.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "common/matrix.hpp"
#include "common/support/elementary.hpp"

namespace lesson6 {

inline bool causal(std::size_t i, std::size_t j) { return j <= i; }

// Row by row, the softmax of s·S over the columns j with sees(i, j); 0 elsewhere, and where a row sees nothing.
template <class Sees>
Matrix<double> softmax_rows(const Matrix<double>& S, double s, Sees sees) {
  Matrix<double> A(S.rows(), S.cols());
  for (std::size_t i = 0; i < S.rows(); ++i) {
    double sum = 0, top = -HUGE_VAL;  // without the largest score e^x would overflow, and the weights be NaN
    for (std::size_t j = 0; j < S.cols(); ++j)
      if (sees(i, j)) top = std::max(top, s * S(i, j));
    for (std::size_t j = 0; j < S.cols(); ++j)
      if (sees(i, j)) sum += A(i, j) = std::exp(s * S(i, j) - top);
    for (double& a : A.row(i)) a = sum > 0 ? a / sum : 0;
  }
  return A;
}

inline double scale_of_scores(const Matrix<double>& Q) { return 1 / std::sqrt(double(Q.cols())); }

inline Matrix<double> scores(const Matrix<double>& Q, const Matrix<double>& K) { return matmul(Q, transpose(K)); }

// A of causal attention.
inline Matrix<double> causal_weights(const Matrix<double>& Q, const Matrix<double>& K) {
  return softmax_rows(scores(Q, K), scale_of_scores(Q), causal);
}

// Each row's numbers minus the sum of their products with the row's weights, times weight and scale.
inline Matrix<double> softmax_back(const Matrix<double>& A, const Matrix<double>& dA, double s) {
  Matrix<double> dS(A.rows(), A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    double mean = 0;
    for (std::size_t j = 0; j < A.cols(); ++j) mean += A(i, j) * dA(i, j);
    for (std::size_t j = 0; j < A.cols(); ++j) dS(i, j) = s * A(i, j) * (dA(i, j) - mean);
  }
  return dS;
}

// Returns the sum of the squares of row i.
inline double squares_of(const Matrix<double>& X, std::size_t i) {
  double sum = 0;
  for (const double x : X.row(i)) sum += x * x;
  return sum;
}

// Returns each row less its mean.
inline Matrix<double> less_mean(Matrix<double> X) {
  for (std::size_t i = 0; i < X.rows(); ++i) {
    double sum = 0;
    for (const double x : X.row(i)) sum += x;
    for (double& x : X.row(i)) x -= sum / double(X.cols());
  }
  return X;
}

// Causal attention without biases. What is mixed is V, or the bilinear (Q·Wg) ⊙ V.
enum class Mixed { values, products };
struct BilinearHead {
  Matrix<double> X, Wq, Wk, Wv, Wg, Wo;

  BilinearHead(std::size_t n, std::size_t dh, Random& random) : X(normal_matrix<double>(n, dh, 1, random)) {
    for (Matrix<double>* W : {&Wq, &Wk, &Wv, &Wg, &Wo}) *W = normal_matrix<double>(dh, dh, 0.5, random);
  }

  Matrix<double> output(Mixed mixed) const {
    const Matrix<double> Q = matmul(X, Wq), K = matmul(X, Wk), V = matmul(X, Wv);
    const Matrix<double> A = causal_weights(Q, K), M = mixed == Mixed::products ? hadamard(matmul(Q, Wg), V) : V;
    return matmul(matmul(A, M), Wo);
  }
};

// C of BMA: the values gated by the sigmoid of their own queries.
inline Matrix<double> gated_mixture(const Matrix<double>& Q, const Matrix<double>& K, const Matrix<double>& V,
                                    const Matrix<double>& Wg) {
  const Matrix<double> G = map(matmul(Q, Wg), elementary::sigmoid<double>);
  return matmul(causal_weights(Q, K), hadamard(G, V));
}

}  // namespace lesson6
