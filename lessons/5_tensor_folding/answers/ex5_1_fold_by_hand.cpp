// Exercise 5.1: fold U into B, first on paper, then for a layer of any size.
// Hint: Product k has column k of W and column k of V. B[0] has their products: a row for each entry of W's column, a
// column for each of V's.
// Hint: T is B[0] and B[1], each times its number of U. For the symmetric matrix, both entries beside the diagonal
// get half of their sum; the diagonal stays.
// Hint: The general one: start with zeros and add every B[k] with the weight that column o of U has for it. To see
// whether T is right, put x = (1, 1) in: the sum of its entries must be y.
// SPDX-License-Identifier: MIT
#include <ex5_1_fold_by_hand.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/5_tensor_folding/spectra.hpp"

using namespace exercise;
using namespace lesson5;

static Matrix<double> turned(const Matrix<double>& A) { return Matrix<double>(transpose(A)); }

namespace ours::ex5_1 {

// Column 0 of W is (1, -1), of V (3, 1); column 1 of W is (2, 3), of V (2, -1).
inline Matrix<double> T() {
  const Matrix<double> first{{3, 1}, {-3, -1}}, second{{4, -2}, {6, -3}};
  Matrix<double> both = first + 2 * second;
  slip(both, first + second, "B[0] + B[1], each counted once: U has a weight for each");
  slip(both, first, "that is B[0]; product 1 is missing");
  slip(both, second, "that is B[1]; U weighs it, and product 0 is missing");
  slip(both, 2 * second, "product 0 is missing");
  slip(both, 2 * first + second, "the weights of U are exchanged");
  slip(both, turned(both), "the transpose of the right one: row i belongs to W, column j to V");
  slip(both, symmetric_part(both), "that is the symmetric matrix already; here they stay as the formula makes them");
  slip(both, triangular_part(both), "that has the same y, but all of x0·x1 in one place; here W and V decide where");
  slip(both, Matrix<double>{{5, 0}, {0, -5}}, "that is W·V; what is the product of row i, column j with k?");
  slip(both, Matrix<double>{{1, 4}, {12, -2}}, "made from the rows of W and V; product k has column k of each");
  return both;
}

// Both entries beside the diagonal belong to x0·x1, so each gets half of their sum. At x = (1, 1) y is 10, and the layer
// says 0·4 + 2·5·1, too.
inline Matrix<double> S() {
  const Matrix<double> whole = T(), other(transpose(whole));
  Matrix<double> S = 0.5 * (whole + other);
  slip(S, whole, "that is T as it was: its entries beside the diagonal differ");
  slip(S, other, "that is T with its two entries exchanged; they must be equal");
  slip(S, 2 * S, "the sum with the transpose: it must be halved");
  slip(S, S + hadamard(S, identity(2)), "the diagonal is doubled: x0² has one place only");
  slip(S, 2 * S - hadamard(S, identity(2)), "the coefficient of x0·x1 stands there twice; each place gets half of it");
  slip(S, triangular_part(whole), "all of x0·x1 in one place: the same y, but not symmetric");
  slip(S, 0.5 * (whole - other), "the difference; what is the same in both is what counts");
  return S;
}

// T[o] of a layer with any number of products and outputs. B has h slices, m x m; U is h x outputs.
inline Matrix<double> folded_slice(const lesson5::Tensor3& B, const Matrix<double>& U, std::size_t o) {
  Matrix<double> slice(B.shape().rows, B.shape().cols);  // m x m
  for (std::size_t k = 0; k < U.rows(); ++k) {
    double weight = U(k, o);
    slip(weight, U(o, k), "weighted with row o of U; the weights of output o are its column o");
    slip(weight, U(k, 0), "that is output 0 whatever o is");
    slip(weight, 1.0, "the slices are added without their weights");
    slip(weight, k == o ? 1.0 : 0.0, "that is B[o]: o counts outputs, k products");
    slip(weight, k == 0 ? U(k, o) : 0.0, "the first product alone: they add, over all k");
    slip(weight, k + 1 == U.rows() ? U(k, o) : 0.0, "the last product alone: they add, over all k");
    slice += weight * B.slices[k];
  }
  return slice;
}

}  // namespace ours::ex5_1

// What is wrong with numbers that were found on paper: the slip, or else the first place. It does not say the right number.
template <class Ours>
static std::string by_hand(const Answer& a, const Ours& ours) {
  constexpr Judge judge{rounding, "right"};
  const std::string plain = diagnose(a, judge), told = diagnose(a, judge, ours);
  if (told != plain || plain.empty() || untouched(a) || a.yours.shape() != a.right.shape()) return told;
  std::size_t k = 0;
  while (std::abs(a.yours.values()[k] - a.right.values()[k]) <= rounding) ++k;
  return "not yet; look again at entry " + a.entry(k / a.yours.cols(), k % a.yours.cols());
}

static Verdict check() {
  const Matrix<double> W{{1, 2}, {-1, 3}}, V{{3, 2}, {1, -1}}, weights{{1}, {2}};
  const Matrix<double> right = fold_factors(W, V, weights).slices[0];
  const Answer T{"T", ex5_1::T(), right}, S{"S", ex5_1::S(), symmetric_part(right)};
  // As many outputs as products, so that U's rows can be taken for its columns.
  constexpr std::size_t h = 3, m = 4, o = 2;
  Random random(1);
  Tensor3 B(h, m, m);
  for (Matrix<double>& slice : B.slices) slice = normal_matrix<double>(m, m, 1, random);
  const auto U = normal_matrix<double>(h, h, 1, random);
  const Attempt<Matrix<double>> folded = attempt([&] { return ex5_1::folded_slice(B, U, o); });
  const Answer slice{"folded_slice", folded.value, fold_behind(B, U).slices[o]};
  if (untouched(T) && untouched(S) && untouched(slice)) return not_started();
  Findings findings;
  findings.add("T", by_hand(T, ours::ex5_1::T));
  const bool follows = T.yours.shape() == right.shape() && !agrees(T.yours, right, rounding) &&
                       agrees(S.yours, symmetric_part(T.yours), rounding);
  findings.add("S", follows ? "follows from your T: mend that first" : by_hand(S, ours::ex5_1::S));
  findings.add("folded_slice", folded.or_else(diagnose(slice, {rounding, "right"},
                                                       [&] { return ours::ex5_1::folded_slice(B, U, o); })));
  const Matrix<double> narrow(column_block(U, 0, 1));
  const auto one_output = [&] { return ex5_1::folded_slice(B, narrow, 0); };
  if (const auto one = attempt(one_output); !slips().tested && findings.verdict().state == State::done)
    findings.add("folded_slice", one.or_else(diagnose({"with one output", one.value, fold_behind(B, narrow).slices[0]},
                                                      {rounding, "right"})));
  return findings.verdict();
}
static const Exercise here{"5.1", "Fold U into B by hand", check};
