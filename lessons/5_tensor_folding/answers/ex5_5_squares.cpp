// Exercise 5.5: fold another layer, one that squares.
// Hint: Multiply z_k² out: it is the product layer with the same column of W twice.
// Hint: d is there when x is 0. Which entry of S do (0, 1) on both sides meet?
// Hint: Each square is one pattern, so its slice has rank one. Its eigenvalue has the sign of its weight in U. For
// the last: how many positive eigenvalues has a product?
// SPDX-License-Identifier: MIT
#include <ex5_5_squares.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/5_tensor_folding/spectra.hpp"

using namespace exercise;

// The last column and the last row filled, but for the corner.
static Matrix<double> border(std::size_t n, double column, double row) {
  Matrix<double> S(n + 1, n + 1);
  for (std::size_t p = 0; p < n; ++p) {
    S(p, n) = column;
    S(n, p) = row;
  }
  return S;
}

namespace ours::ex5_5 {

// z_k² = Σ_pq W[p,k]·W[q,k]·x[p]·x[q], which is symmetric as it stands. The constant d meets 1·1 alone.
inline Matrix<double> slice_of_squares(const Matrix<double>& W, const Matrix<double>& U, const Matrix<double>& d,
                                       std::size_t o) {
  const std::size_t n = W.rows();
  Matrix<double> S(n + 1, n + 1);
  for (std::size_t k = 0; k < W.cols(); ++k)
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = 0; q < n; ++q) {
        double weight = U(k, o);
        slip(weight, 1.0, "the weights of U are missing");
        slip(weight, weight * weight, "U is squared, too; it stands behind the square");
        slip(weight, U(k, 0), "that is output 0 whatever o is");
        slip(weight, p == q ? weight : 0,
             "only the squares of single inputs; a sum that is squared has mixed terms, too");
        slip(weight, p == q ? weight : 2 * weight, "the mixed terms are doubled: 2·x[p]·x[q] is shared by two places");
        slip(weight, k + 1 == W.cols() ? weight : 0,
             "only the last square is left: = writes over what += would add to");
        S(p, q) += weight * W(p, k) * W(q, k);
      }
  S(n, n) = d(0, o);
  slip(S(n, n), 0.0, "d is missing: it is what the 1 behind x is for");
  slip(S(n, n), d(0, o) / 2, "half of d: 1·1 has one place only");
  slip(S, S + border(n, d(0, o), 0),
       "d belongs into the corner alone: in the rest of the last row or column it meets an x");
  slip(S, S + border(n, 0, d(0, o)),
       "d belongs into the corner alone: in the rest of the last row or column it meets an x");
  slip(S, S + border(n, d(0, o), d(0, o)),
       "d belongs into the corner alone: in the rest of the last row or column it meets an x");
  slip(
      S,
      [&] {
        Matrix<double> wrong = S;
        wrong(n, n) = 0;
        wrong(0, n) = wrong(n, 0) = d(0, o) / 2;
        return wrong;
      },
      "d stands beside the 1, where it would be multiplied by x0; 1·1 is the corner");
  return S;
}

// Without d, S is W·diag(u)·Wᵀ, so its rank is at most the number of squares. Stretching or turning the inputs changes
// the size of an eigenvalue but not how many are positive and negative (Sylvester's theorem of inertia): a sign for each
// weight of U.
const double most_eigenvalues = 24;
const double negative_eigenvalues = 7;
// It has three positive eigenvalues, and a product brings at most one. (x[k] times x[k] is a product, so three do it.)
const double products_for_three_squares = 3;

}  // namespace ours::ex5_5

static Verdict check() {
  using namespace ex5_5;
  Random random(8);
  const auto W = normal_matrix<double>(3, 4, 1, random), U = normal_matrix<double>(4, 2, 1, random),
             d = normal_matrix<double>(1, 2, 1, random);
  const Attempt<Matrix<double>> folded = attempt([&] { return slice_of_squares(W, U, d, 1); });
  lesson5::Net<double> same({3, 0, 4, 2});  // a product layer with the same matrix twice
  same.W = same.V = W;
  same.U = U;
  same.d = d;
  const Answer slice{"slice_of_squares", folded.value, symmetric(fold(same)).slices[1]};
  const std::string made_of = "the slice is that large, but what is it made of?";
  std::vector<Prediction> numbers;
  const auto number = [&](const char* name, double yours, double truth, std::vector<Misreading> wrong) {
    numbers.push_back({name, yours, truth, 0, std::move(wrong)});
  };
  number("most_eigenvalues", most_eigenvalues, ours::ex5_5::most_eigenvalues,
         {{48, "that is for products; a square is made of one column of W"},
          {25, "the constant would be one more, but here d = 0"},
          {144, made_of},
          {145, made_of},
          {1, "one for each square that the output adds up"},
          {12, "each square brings one"}});
  number("negative_eigenvalues", negative_eigenvalues, ours::ex5_5::negative_eigenvalues,
         {{0, "a square is not negative, but its weight may be"},
          {14, "a square brings one eigenvalue, a product two"},
          {17, "those are the positive ones"},
          {24, "the weights decide about the sign, one by one"}});
  number("products_for_three_squares", products_for_three_squares, ours::ex5_5::products_for_three_squares,
         {{2, "two products have at most two positive eigenvalues; how many has this form?"},
          {1, "a product is 0 along two lines; this form is 0 nowhere but at 0"},
          {6, "those are the squares of three products; x[0]² is x[0] times x[0]"},
          {1.5, "a product brings two eigenvalues, but only one of them is positive"}});
  if (untouched(slice) &&
      std::all_of(numbers.begin(), numbers.end(), [](const auto& p) { return std::isnan(p.yours); }))
    return not_started();
  Findings findings;
  findings.add(slice.name, folded.or_else(diagnose(slice, {rounding, "right"},
                                                   [&] { return ours::ex5_5::slice_of_squares(W, U, d, 1); })));
  for (const Prediction& p : numbers) findings.add(p.name, diagnose(p));
  return findings.verdict();
}
static const Exercise here{"5.5", "A layer that squares", check};
