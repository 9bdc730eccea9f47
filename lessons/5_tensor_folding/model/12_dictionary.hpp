// Lesson 5, part 13: two ways to look for features in m numbers: a sparse dictionary of activations, and the weights alone.
// Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "fold.hpp"
#include "jacobi.hpp"

// f of a symmetric matrix by its eigenvalues: Vᵀ·diag(f(λ))·V.
template <class F>
Matrix<double> matrix_function(const Matrix<double>& A, F f) {
  const Eigen eigen = eigen_symmetric(A);
  Matrix<double> scaled = eigen.vectors;
  for (std::size_t k = 0; k < A.rows(); ++k)
    for (double& v : scaled.row(k)) v *= f(eigen.values[k]);
  return matmul(transpose(eigen.vectors), scaled);
}

inline void unit_rows(Matrix<double>& D) {
  for (std::size_t k = 0; k < D.rows(); ++k) {
    double square = 0;
    for (const double d : D.row(k)) square += d * d;
    for (double& d : D.row(k)) d /= std::sqrt(std::max(square, 1e-300));
  }
}

// Z = C·D: n rows of m numbers as sums of few atoms. C is n x k, not negative and mostly zero; the atoms, rows of D (k x m),
// have length 1. What is made small is |Z - C·D|²/2 + penalty·ΣC.   (5.26)
struct Dictionary {
  Matrix<double> D, C;
  double objective = HUGE_VAL;
};

// What is made small. Codes are not negative, so their sum is that of their sizes.   (5.26)
inline double objective_of(const Dictionary& d, const Matrix<double>& Z, double penalty) {
  const Matrix<double> rest = Z - matmul(d.C, d.D);
  return dot(rest, rest) / 2 + penalty * std::accumulate(d.C.values().begin(), d.C.values().end(), 0.0);
}

// The slope of that in the codes: (C·D - Z)·Dᵀ + penalty; n x k.   (5.27)
inline Matrix<double> slope_of_codes(const Dictionary& d, const Matrix<double>& Z, double penalty) {
  const Matrix<double> of_squares = matmul(matmul(d.C, d.D) - Z, transpose(d.D));  // n x k   (5.27) back
  return map(of_squares, [&](double slope) { return slope + penalty; });           // n x k   (5.27) back
}

// Some steps on the codes: down the slope, and no further than 0 (ISTA: Daubechies et al. 2004).   (5.27)
inline void improve_codes(Dictionary& d, const Matrix<double>& Z, double penalty, int steps) {
  const Matrix<double> gram = matmul(d.D, transpose(d.D));
  double steepest = 0;  // the largest row sum bounds the largest eigenvalue
  for (std::size_t a = 0; a < gram.rows(); ++a) {
    double sum = 0;
    for (const double g : gram.row(a)) sum += std::abs(g);
    steepest = std::max(steepest, sum);
  }
  for (int step = 0; step < steps; ++step) {
    const Matrix<double> slopes = slope_of_codes(d, Z, penalty);  // back
    d.C = zip(std::move(d.C), slopes,
              [&](double c, double slope) { return std::max(0.0, c - slope / steepest); });  // back
  }
}

// The atoms that fit these codes best, by least squares; an atom that hardly a code uses becomes the row that is told worst.
inline void improve_atoms(Dictionary& d, const Matrix<double>& Z, double scale, bool replace) {
  Matrix<double> gram = matmul(transpose(d.C), d.C);
  for (std::size_t a = 0; a < gram.rows(); ++a) gram(a, a) += 1e-6 * scale * scale * double(Z.rows());
  d.D = matmul(matrix_function(gram, [](double value) { return 1 / value; }), matmul(transpose(d.C), Z));
  unit_rows(d.D);
  if (!replace) return;
  const Matrix<double> rest = Z - matmul(d.C, d.D);
  std::vector<double> error(Z.rows());
  for (std::size_t i = 0; i < Z.rows(); ++i)
    for (const double r : rest.row(i)) error[i] += r * r;
  for (std::size_t a = 0; a < d.D.rows(); ++a) {
    std::size_t uses = 0;
    for (std::size_t i = 0; i < Z.rows(); ++i) uses += d.C(i, a) > 0;
    if (500 * uses >= Z.rows()) continue;
    const auto worst = std::size_t(std::max_element(error.begin(), error.end()) - error.begin());
    std::copy(Z.row(worst).begin(), Z.row(worst).end(), d.D.row(a).begin());
    error[worst] = 0;
    for (std::size_t i = 0; i < Z.rows(); ++i) d.C(i, a) = 0;
  }
  unit_rows(d.D);
}

// A dictionary of k atoms for the rows of Z, the best of some starts by its own objective.
inline Dictionary learn_dictionary(const Matrix<double>& Z, std::size_t k, int starts, int rounds, Random& random) {
  double scale = 0;
  for (std::size_t i = 0; i < Z.rows(); ++i) {
    double square = 0;
    for (const double z : Z.row(i)) square += z * z;
    scale += std::sqrt(square) / double(Z.rows());
  }
  const double penalty = 0.1 * scale;
  Dictionary best;
  for (int start = 0; start < starts; ++start) {
    Dictionary d{normal_matrix<double>(k, Z.cols(), 0.02 * scale, random), Matrix<double>(Z.rows(), k), 0};
    for (std::size_t a = 0; a < k; ++a) {
      const std::size_t picked = std::size_t(random.below(Z.rows()));
      for (std::size_t j = 0; j < Z.cols(); ++j) d.D(a, j) += Z(picked, j);
    }
    unit_rows(d.D);
    for (int round = 0; round < rounds; ++round) {
      improve_codes(d, Z, penalty, 5);
      improve_atoms(d, Z, scale, 4 * round < 3 * rounds);
    }
    improve_codes(d, Z, penalty, 100);
    d.objective = objective_of(d, Z, penalty);
    if (d.objective < best.objective) best = std::move(d);
  }
  return best;
}

// The directions that the weights name, one for each output: UB[o] over the m numbers and 1, its quadratic part Q and its
// linear part l. `balanced`: in the basis in which Σ l·lᵀ is the identity, so that the choice of basis for the m numbers
// does not matter; else as the numbers stand. The top eigenvector of Q, its sign such that l agrees.   (5.28)
inline Matrix<double> directions_from_weights(const Net<double>& net, bool balanced) {
  const std::size_t m = net.W.rows();
  Net<double> behind({m, 0, net.form.hidden, net.form.outputs, true});
  behind.W = net.W, behind.b = net.b, behind.V = net.V, behind.c = net.c, behind.U = net.U, behind.d = net.d;
  const Tensor3<double> S = symmetric(fold(behind));
  Matrix<double> linear(S.outputs(), m), found(S.outputs(), m), half(m, m);
  for (std::size_t o = 0; o < S.outputs(); ++o)
    for (std::size_t i = 0; i < m; ++i) linear(o, i) = S(o, i, m);
  for (std::size_t i = 0; i < m; ++i) half(i, i) = 1;
  if (balanced)
    half = matrix_function(matmul(transpose(linear), linear), [](double value) { return 1 / std::sqrt(value); });
  for (std::size_t o = 0; o < S.outputs(); ++o) {
    const Matrix<double> Q(row_block(column_block(S.slices[o], 0, m), 0, m));
    const Matrix<double> turned = matmul(matmul(half, Q), half);
    const Eigen eigen = eigen_symmetric(0.5 * (turned + Matrix<double>(transpose(turned))));
    const auto top = std::size_t(std::max_element(eigen.values.begin(), eigen.values.end()) - eigen.values.begin());
    const Matrix<double> v = matmul(row_block(eigen.vectors, top, 1), half);
    double agreement = 0;
    for (std::size_t i = 0; i < m; ++i) agreement += v(0, i) * linear(o, i);
    for (std::size_t i = 0; i < m; ++i) found(o, i) = agreement < 0 ? -v(0, i) : v(0, i);
  }
  return found;
}

// How many rows of the truth have a row of `found` in their direction, cosine above 0.95.
inline std::size_t recovered(const Matrix<double>& truth, Matrix<double> found) {
  Matrix<double> unit = truth;
  unit_rows(unit), unit_rows(found);
  const Matrix<double> cosines = matmul(unit, transpose(found));
  std::size_t count = 0;
  for (std::size_t i = 0; i < cosines.rows(); ++i)
    count += *std::max_element(cosines.row(i).begin(), cosines.row(i).end()) > 0.95;
  return count;
}

// D⁺, m x k for a D of k x m with independent columns: (Dᵀ·D)⁻¹·Dᵀ.
inline Matrix<double> pseudo_inverse(const Matrix<double>& D) {
  return matmul(matrix_function(matmul(transpose(D), D), [](double value) { return 1 / value; }), transpose(D));
}
