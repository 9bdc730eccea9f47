// Exercise 6.3: squares in the place of exponentials.
// Hint: Call the sum of squares q. s_k moves the numerator of its own weight alone, by 2·s_k, and q by 2·s_k for all.
// The quotient rule has two terms.
// Hint: In the sum over j the first term has j = k only. The second has a factor that does not depend on j, and
// Σ_j dA_j·a_j is left, one number for each row.
// Hint: If a row of scores is stretched, no weight changes. So how steep is any loss of the weights in that direction?
// SPDX-License-Identifier: MIT
#include <ex6_3_squares.hpp>

#include "lessons/6_bma/answers/shared.hpp"

using namespace shared;

// The weights s²/Σs², row by row.
static Matrix<double> squared_weights(const Matrix<double>& S) {
  Matrix<double> A = hadamard(S, S);
  for (std::size_t i = 0; i < A.rows(); ++i) {
    double sum = 0;
    for (const double a : A.row(i)) sum += a;
    for (double& a : A.row(i)) a /= sum;
  }
  return A;
}
static double sum_of_row(const Matrix<double>& A, std::size_t i) {
  double sum = 0;
  for (const double a : A.row(i)) sum += a;
  return sum;
}

namespace ours::ex6_3 {

inline Matrix<double> squares_backward(const Matrix<double>& S, const Matrix<double>& dA) {
  Matrix<double> dS(S.rows(), S.cols());
  for (std::size_t i = 0; i < S.rows(); ++i) {
    double q = 0, weighted = 0;
    for (std::size_t k = 0; k < S.cols(); ++k) {
      q += S(i, k) * S(i, k);                    // back
      weighted += dA(i, k) * S(i, k) * S(i, k);  // back
    }
    for (std::size_t k = 0; k < S.cols(); ++k) {
      double slope = 2 * S(i, k) / q, mean = weighted / q;  // the mean of dA, weighed by a_j   back
      slip(slope, S(i, k) * S(i, k) / q,
           "that is the softmax's: there the slope of e^s is e^s, here that of s² is 2·s");
      slip(slope, 2 * S(i, k) * S(i, k) / q,
           "2·a_k stands before the bracket; the slope of s_k²/q is 2·s_k/q, not 2·s_k²/q");
      slip(slope, S(i, k) / q, "the 2 is missing: the slope of s² is 2·s");
      slip(slope, 2 * S(i, k), "Σ s² is missing: each weight is divided by it");
      slip(slope, 2 / q, "the factor s_k is missing");
      slip(mean, 0.0, "the row's sum is missing: s_k moves the denominator of every weight of the row");
      slip(mean, dA(i, k) * S(i, k) * S(i, k) / q,
           "only k's own part of the sum: the other weights of the row move, too");
      slip(mean, sum_of_row(dA, i), "the row's sum is of dA alone; each is weighed by a_j");
      slip(mean, sum_of_row(dA, i) / double(S.cols()), "the plain mean of the row's dA; it is weighed by the a_j");
      slip(mean, weighted, "the sum is weighed by s_j², not by a_j: it is divided by Σ s², too");
      slip(mean, -mean, "right but for the sign before Σ_j dA_j·a_j: what one weight gains the others lose");
      slip(mean, column_sums(hadamard(squared_weights(S), dA))(0, k),
           "Σ dA·a is taken down the columns; the weights of a row belong together");
      slip(mean, dot(squared_weights(S), dA), "Σ dA·a is taken over the whole matrix; each row has its own");
      dS(i, k) = slope * (dA(i, k) - mean);  // back
      slip(dS(i, k), dA(i, k), "that is dA as it came");
    }
  }
  return dS;
}

const double factor_when_doubled = 1;
const double sum_of_scores_times_slopes = 0;

}  // namespace ours::ex6_3

static Verdict check() {
  constexpr std::size_t n = 5;
  Random random(2);
  auto S = drawn(n, n, random);
  const auto dA = drawn(n, n, random);
  const auto loss = [&] { return dot(dA, squared_weights(S)); };  // so that dA is what comes back to A
  const auto yours = attempt([&] { return ex6_3::squares_backward(S, dA); });
  const Answer dS{"dS", yours.value, numeric_gradient(S, loss)};
  const std::vector<Prediction> numbers{
      counted("factor_when_doubled", ex6_3::factor_when_doubled, 1,
              {{4, "numerator and denominator both become four times as large"},
               {2, "numerator and denominator both grow"},
               {0.5, "numerator and denominator both grow"},
               {0.25, "numerator and denominator both become four times as large"}}),
      counted("sum_of_scores_times_slopes", ex6_3::sum_of_scores_times_slopes, 0,
              {{1, "that is what a row of A adds up to; the slope along the row of scores is something else"},
               {2, "the 2 of the slope is a factor of the whole sum; what is the rest of it?"}})};
  if (untouched(dS) && all_open(numbers)) return not_started();
  Findings findings;
  const auto ours = [&] { return ours::ex6_3::squares_backward(S, dA); };
  findings.add("squares_backward", yours.or_else(diagnose(dS, numeric, ours)));
  add_all(findings, numbers);
  return findings.verdict();
}
static const Exercise here{"6.3", "Squares for exponentials", check};
