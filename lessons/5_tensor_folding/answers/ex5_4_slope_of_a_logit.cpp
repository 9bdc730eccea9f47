// Exercise 5.4: which pixel moves a logit most? The slope of an output in its inputs.
// Hint: For n = 2: what is the slope of T00·x0² in x0? And of (T01 + T10)·x0·x1?
// Hint: So dy[0] = 2·T00·x0 + (T01 + T10)·x1. Which sum over row 0 of T is in there, and which over column 0?
// Hint: x[p]·∂y/∂x[p]: take one term T[p,q]·x[p]·x[q], and see how often all inputs together count it.
// SPDX-License-Identifier: MIT
#include <ex5_4_slope_of_a_logit.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/5_tensor_folding/spectra.hpp"

using namespace exercise;

namespace ours::ex5_4 {

// x[p] stands in two places, as the first factor and as the second: ∂y/∂x[p] = Σ_q T[p,q]·x[q] + Σ_q x[q]·T[q,p]. With S in
// the place of T both sums are the same, and the slope is 2·x·S.
inline Matrix<double> slope(const Matrix<double>& x, const Matrix<double>& T) {
  Matrix<double> first = matmul(x, transpose(T)), second = matmul(x, T);  // back
  slip(first, 0 * first, "x[p] is also the first factor: the sum over T[q,p] alone is half of the terms");
  slip(second, 0 * second, "x[p] is also the second factor: the sum over T[p,q] alone is half of the terms");
  slip(first, second, "twice one of the two sums: right for a symmetric T, but this one is not");
  slip(second, first, "twice one of the two sums: right for a symmetric T, but this one is not");
  slip(first, -1 * first, "the two sums add: both grow with x[p]");
  Matrix<double> both = first + second;
  slip(both, 0.5 * both, "that is x·S; a square has the slope 2·x[p], so there is a 2 that is missing");
  slip(both, 2 * both, "a 2 too many: T + its transpose is 2·S already");
  slip(both, hadamard(x, both), "that is times x: a slope in x[p] has one input less than y");
  slip(both, both - hadamard(x, matmul(x, hadamard(T, lesson5::identity(T.rows())))),
       "the diagonal counts twice: x[p]² has the slope 2·x[p]");
  slip(both, 2 * matmul(x, hadamard(T, lesson5::identity(T.rows()))), "the diagonal alone; the pairs are missing");
  return both;
}

// Each term of y has two inputs, so x times the slope counts it twice: half of x[p]·dy[p] is the share of pixel p that part
// 7 shows.
const double times_y = 2;

}  // namespace ours::ex5_4

static Verdict check() {
  Random random(6);
  const auto T = normal_matrix<double>(5, 5, 1, random);
  auto x = normal_matrix<double>(1, 5, 1, random);
  const auto y = [&] { return dot(x, matmul(x, T)); };
  const Attempt<Matrix<double>> slopes = attempt([&] { return ex5_4::slope(x, T); });
  const Answer slope{"slope", slopes.value, numeric_gradient(x, y)};
  const Prediction times{
      "times_y",
      ex5_4::times_y,
      std::round(dot(x, slope.right) / y()),
      0,
      {{1, "each term of y has two inputs, and each of them is counted once"},
       {0.5, "the other way round: x times the slope counts a term more than once"},
       {4, "a term has two inputs, not two for each of two places"},
       {0, "y is a sum of terms T[p,q]·x[p]·x[q]; what is x[p] times the slope of such a term in x[p]?"}}};
  if (untouched(slope) && std::isnan(times.yours)) return not_started();
  Findings findings;
  findings.add("slope", slopes.or_else(diagnose(slope, numeric, [&] { return ours::ex5_4::slope(x, T); })));
  findings.add("times_y", diagnose(times));
  return findings.verdict();
}
static const Exercise here{"5.4", "The slope of a logit", check};
