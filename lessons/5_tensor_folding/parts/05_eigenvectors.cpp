// Lesson 5, part 5: each slice as a sum of signed squares.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/model/03_fold.hpp"
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"

namespace lesson5 {
namespace {

void by_hand(Lesson& lesson) {
  const Eigen product = eigen_symmetric({{0, 0.5}, {0.5, 0}});
  lesson.note("By hand: the slice of x0·x1 has the eigenvalues ", product.values[0], " and ", product.values[1], ".");
  // One rotation by 45°, whose sine and cosine are rounded.
  lesson.claim("eigenvalues of x0·x1: distance from ½ and -½",
               std::max(std::abs(std::abs(product.values[0]) - 0.5), std::abs(product.values[0] + product.values[1])),
               at_most(1e-15));
}

// ----------------------------------------------------------------------------------------------- the slice of a net

// The largest entries of V·Vᵀ - 1, and of S - Σ λ·vᵀ·v.
struct EigenErrors {
  double orthogonality = 0, residual = 0;
};
EigenErrors errors_of(const Eigen& eigen, const Matrix<double>& S) {
  const std::size_t n = S.rows();
  Matrix<double> scaled = eigen.vectors;
  for (std::size_t i = 0; i < n; ++i)
    for (double& v : scaled.row(i)) v *= eigen.values[i];
  return {max_abs_difference(matmul(eigen.vectors, transpose(eigen.vectors)), identity(n)),
          max_abs_difference(matmul(transpose(eigen.vectors), scaled), S)};
}

void slice_of_a_net(Lesson& lesson, Random& random) {
  Net<double> net({30, 0, 6, 3, Biases::without});
  fill_normal(net.tensors(), random);
  const Matrix<double> S = quadratic_slices(net)[1];
  const Eigen whole = eigen_symmetric(S), factors = eigen_through_factors(net, 1);
  const double size = std::abs(whole.values[0]);
  const EigenErrors errors = errors_of(whole, S);
  const auto X = normal_matrix<double>(50, 30, 1, random);
  std::vector<Eigen> spectra;
  for (std::size_t o = 0; o < 3; ++o) spectra.push_back(eigen_through_factors(net, o));
  const Matrix<double> Y = output(net, X);
  double apart = 0;
  for (std::size_t k = 0; k < 12; ++k) apart = std::max(apart, std::abs(whole.values[k] - factors.values[k]));

  const double beyond = std::abs(whole.values[12]) / size;
  lesson.say("How many eigenvectors has a slice? ", net.form.inputs, " inputs and ", net.form.hidden,
             " products: of its ", whole.values.size(), " eigenvalues the 12th largest is ",
             significant(std::abs(whole.values[11]) / size, 2), " of the largest, the 13th ", significant(beyond, 2),
             ". The 12 are also those of the 12 × 12 matrix (5.14), to ", significant(apart / size, 2), ".");
  // Six sweeps of 435 rotations, each rounded by ε: at most 2,600·2.2e-16 = 6e-13, and hardly that.
  lesson.claim("eigenvectors at right angles and of length 1", errors.orthogonality, at_most(1e-12));
  lesson.claim("S = Σ λ·vᵀ·v, relative to the largest |λ|", errors.residual / size, at_most(1e-12));
  lesson.claim("the 13th largest |λ|, relative", beyond, at_most(1e-12));
  lesson.claim("Σ λ·(v·x)² = the net's outputs, relative",
               max_abs_difference(evaluate_truncated(spectra, X, 12), Y) / largest_entry(Y), at_most(1e-12));
  lesson.claim("eigenvalues through the factors, relative difference", apart / size, at_most(1e-12));
}

// ------------------------------------------------------------------------------------------- how fast sweeps converge

// The root of the sum of squares off the diagonal: what a sweep makes small.
double off_diagonal(const Matrix<double>& D) {
  double squares = 0;
  for (std::size_t i = 0; i < D.rows(); ++i)
    for (std::size_t j = 0; j < D.cols(); ++j) squares += i == j ? 0 : D(i, j) * D(i, j);
  return std::sqrt(squares);
}

// The smallest distance between two eigenvalues.
double smallest_gap(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double gap = HUGE_VAL;
  for (std::size_t k = 1; k < values.size(); ++k) gap = std::min(gap, values[k] - values[k - 1]);
  return gap;
}

// What a sweep leaves off the diagonal: itself, over the square of what it found, and that times the smallest gap.
struct SweepLeaves {
  double off, over_square, with_gap;
};

// Sweep after sweep, until hardly more than rounding is left.
std::vector<SweepLeaves> sweeps_over(const Matrix<double>& S) {
  const double gap = smallest_gap(eigen_symmetric(S).values), start = off_diagonal(S);
  Matrix<double> D = S, V = identity(S.rows());
  std::vector<SweepLeaves> all;
  for (double before = start; sweep(D, V) > 0; before = all.back().off) {
    const double off = off_diagonal(D), over_square = off / (before * before);
    if (off < 1e-12 * start) break;
    all.push_back({off, over_square, over_square * gap});
  }
  return all;
}

// The sweeps over the same matrix in two units, S and S/1024: a power of two rounds nothing.
struct TwoUnits {
  std::vector<SweepLeaves> whole, small;
};

std::vector<TwoUnits> in_two_units(std::size_t matrices, Random& random) {
  std::vector<TwoUnits> all;
  for (std::size_t m = 0; m < matrices; ++m) {
    const auto A = normal_matrix<double>(8, 8, 1, random);
    const Matrix<double> S = A + Matrix<double>(transpose(A));
    all.push_back({sweeps_over(S), sweeps_over(0x1p-10 * S)});
  }
  return all;
}

void speed_of_sweeps(Lesson& lesson, Random& random) {
  const std::vector<TwoUnits> matrices = in_two_units(100, random);
  double largest = 0, of_square = 0, apart = 0;
  for (const auto& [whole, small] : matrices)
    for (std::size_t k = 0; k < whole.size(); ++k) {
      largest = std::max(largest, whole[k].with_gap);
      of_square = std::max(of_square, small.at(k).over_square);
      apart = std::max(apart, std::abs(whole[k].with_gap - small[k].with_gap));
    }
  Table table{{"sweep", "off", "off/before²", "of S/1024", "off·gap/before²", "of S/1024"}, {}};
  const auto& [whole, small] = matrices[0];
  for (std::size_t k = 0; k < whole.size(); ++k)
    table.rows.push_back({std::to_string(k + 1), significant(whole[k].off, 2), significant(whole[k].over_square, 2),
                          significant(small[k].over_square, 2), significant(whole[k].with_gap, 2),
                          significant(small[k].with_gap, 2)});
  lesson.say("How fast do Jacobi's sweeps converge? Of ", matrices.size(),
             " random 8 × 8 matrices none left more than ", fixed(largest, 2),
             "·off²/gap in any sweep, whether S or S/1024; in parts of off² alone it is up to ", fixed(of_square, 0),
             " for S/1024.");
  lesson.note("The first of them; \"before\" is what off was a sweep earlier:");
  lesson.detail(table);
  lesson.claim("100 such matrices: the most that a sweep leaves, in parts of off²/gap", largest, at_most(0.5));
  lesson.claim_same("... the same for S/1024", apart);
  lesson.claim("... but in parts of off² alone, for S/1024", of_square, at_least(1));
}

}  // namespace

void part5(Lesson& lesson, Session&) {
  by_hand(lesson);
  Random random(lesson.options().seed, 64);
  slice_of_a_net(lesson, random);
  speed_of_sweeps(lesson, random);
}

}  // namespace lesson5
