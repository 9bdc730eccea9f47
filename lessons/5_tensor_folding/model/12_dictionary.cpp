// Lesson 5, part 13: a sparse dictionary, its codes and its atoms improved in turn. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/model/12_dictionary.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "lessons/5_tensor_folding/model/04_jacobi.hpp"

namespace lesson5 {

double objective_of(const Dictionary& dict, const Matrix<double>& Z, double penalty) {
  const Matrix<double> rest = Z - matmul(dict.C, dict.D);
  return dot(rest, rest) / 2 + penalty * std::accumulate(dict.C.values().begin(), dict.C.values().end(), 0.0);
}

Matrix<double> slope_of_codes(const Dictionary& dict, const Matrix<double>& Z, double penalty) {
  const Matrix<double> of_squares = matmul(matmul(dict.C, dict.D) - Z, transpose(dict.D));  // n x k   (5.27) back
  return map(of_squares, [&](double slope) { return slope + penalty; });                    // n x k   (5.27) back
}

void improve_codes(Dictionary& dict, const Matrix<double>& Z, double penalty, int steps) {
  const Matrix<double> gram = matmul(dict.D, transpose(dict.D));
  double steepest = 0;  // the largest row sum bounds the largest eigenvalue
  for (std::size_t a = 0; a < gram.rows(); ++a) {
    double sum = 0;
    for (const double g : gram.row(a)) sum += std::abs(g);
    steepest = std::max(steepest, sum);
  }
  for (int step = 0; step < steps; ++step) {
    const Matrix<double> slopes = slope_of_codes(dict, Z, penalty);  // back
    dict.C = zip(std::move(dict.C), slopes,
                 [&](double c, double slope) { return std::max(0.0, c - slope / steepest); });  // (5.27) back
  }
}

// Puts the row of Z that is told worst in the place of each atom that fewer than one row of 500 uses; clears its codes.
static void replace_unused(Dictionary& dict, const Matrix<double>& Z) {
  const Matrix<double> rest = Z - matmul(dict.C, dict.D);
  std::vector<double> error;
  for (std::size_t i = 0; i < Z.rows(); ++i) error.push_back(squared_length(rest.row(i)));
  for (std::size_t a = 0; a < dict.D.rows(); ++a) {
    std::size_t uses = 0;
    for (std::size_t i = 0; i < Z.rows(); ++i) uses += dict.C(i, a) > 0;
    if (500 * uses >= Z.rows()) continue;
    const auto worst = std::size_t(std::max_element(error.begin(), error.end()) - error.begin());
    std::copy(Z.row(worst).begin(), Z.row(worst).end(), dict.D.row(a).begin());
    error[worst] = 0;
    for (std::size_t i = 0; i < Z.rows(); ++i) dict.C(i, a) = 0;
  }
  dict.D = unit_rows(std::move(dict.D));
}

void improve_atoms(Dictionary& dict, const Matrix<double>& Z, double scale, Unused unused) {
  Matrix<double> gram = matmul(transpose(dict.C), dict.C);
  for (std::size_t a = 0; a < gram.rows(); ++a) gram(a, a) += 1e-6 * scale * scale * double(Z.rows());
  const Matrix<double> inverse = matrix_function(gram, [](double value) { return 1 / value; });
  dict.D = unit_rows(matmul(inverse, matmul(transpose(dict.C), Z)));
  if (unused == Unused::replace) replace_unused(dict, Z);
}

// Atoms that are rows of Z picked at random, blurred a little, and no codes yet.
static Dictionary start_from_rows(const Matrix<double>& Z, std::size_t k, double scale, Random& random) {
  Dictionary dict{normal_matrix<double>(k, Z.cols(), 0.02 * scale, random), Matrix<double>(Z.rows(), k)};
  for (std::size_t a = 0; a < k; ++a) {
    const std::size_t picked = std::size_t(random.below(Z.rows()));
    for (std::size_t j = 0; j < Z.cols(); ++j) dict.D(a, j) += Z(picked, j);
  }
  dict.D = unit_rows(std::move(dict.D));
  return dict;
}

Dictionary learn_dictionary(const Matrix<double>& Z, std::size_t k, int starts, int rounds, Random& random) {
  double scale = 0;
  for (std::size_t i = 0; i < Z.rows(); ++i) scale += std::sqrt(squared_length(Z.row(i))) / double(Z.rows());
  const double penalty = 0.1 * scale;
  Dictionary best;
  for (int start = 0; start < starts; ++start) {
    Dictionary dict = start_from_rows(Z, k, scale, random);
    for (int round = 0; round < rounds; ++round) {
      improve_codes(dict, Z, penalty, 5);
      improve_atoms(dict, Z, scale, 4 * round < 3 * rounds ? Unused::replace : Unused::keep);
    }
    improve_codes(dict, Z, penalty, 100);
    dict.objective = objective_of(dict, Z, penalty);
    if (dict.objective < best.objective) best = std::move(dict);
  }
  return best;
}

}  // namespace lesson5
