// Exercise 5.4: the symmetric form S of a slice T.
// Hint: It is right wherever x0 = 0. What has T for x0 that it has not for x1 and x2? At (1, 0, 0) only one entry of S
// counts.
// Hint: Go through the inner loop for p = 0, q = 0 with a pencil. What is S(0,0) after each line?
// SPDX-License-Identifier: MIT
#include <ex5_4_symmetric_slice.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/5_tensor_folding/spectra.hpp"

using namespace exercise;

namespace ours::ex5_4 {

// T is n x n, and so is S. For p = q the two lines with += wrote to the same entry, and it got 2·T[p,p]: each output was
// too large by Σ_p T[p,p]·x[p]², which is nothing where the diagonal is zero, or x[p] is. With = in the place of += the
// second line writes the same number again.
inline Matrix<double> symmetric_slice(const Matrix<double>& T) {
  Matrix<double> S(T.rows(), T.cols());
  for (std::size_t p = 0; p < T.rows(); ++p)
    for (std::size_t q = p; q < T.cols(); ++q) {
      const double both = T(p, q) + T(q, p);
      S(p, q) = both / 2;
      S(q, p) = both / 2;
      slip(S(q, p), p == q ? both : both / 2, "the diagonal is doubled, as it was given");
      slip(S(q, p), p == q ? 0 : both / 2, "the diagonal is lost: x0² has no other place");
      slip(S(q, p), p == q ? both / 4 : both / 2, "now the diagonal is halved: x0² has no other place to share with");
    }
  slip(S, 2 * S, "all is doubled, not only the diagonal");
  slip(S, 2 * S - hadamard(S, lesson5::identity(S.rows())),
       "the diagonal is right, but what stands beside it is doubled");
  slip(S, 0.5 * (S + hadamard(S, lesson5::identity(S.rows()))),
       "the diagonal is right now, but what stands beside it is halved: only p = q was wrong");
  slip(S, T - S, "the difference; T and its transpose must add");
  slip(S, T, "that is T as it was: the same outputs, but not symmetric");
  slip(S, lesson5::triangular_part(T), "that is the triangular form: the same outputs, but not symmetric");
  return S;
}

}  // namespace ours::ex5_4

// Says where outputs change with S in the place of T, of six inputs that fix all coefficients. Empty where none do.
static std::string compare_outputs(const Matrix<double>& T, const Matrix<double>& S) {
  const Matrix<double> X{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
  std::string changed;
  for (std::size_t r = 0; r < X.rows(); ++r) {
    const Matrix<double> x(row_block(X, r, 1));
    const double before = dot(matmul(x, T), x), after = dot(matmul(x, S), x);
    if (std::abs(after - before) <= rounding || !changed.empty()) continue;
    changed = join("outputs change, such as at (", x(0, 0), ", ", x(0, 1), ", ", x(0, 2),
                   "): ", two_values(after, before, "before"));
  }
  return changed;
}

static Verdict check() {
  const Matrix<double> T{{2, 4, -2}, {1, 0, 5}, {3, 1, 0}};
  Random random(4);
  const auto drawn = normal_matrix<double>(5, 5, 1, random);
  const auto yours = [](const Matrix<double>& slice) {
    return calling("symmetric_slice", [&] { return ex5_4::symmetric_slice(slice); });
  };
  const Answer small{"symmetric_slice", yours(T), lesson5::symmetric_part(T)};
  if (small.yours.shape() != small.right.shape()) return wrong("symmetric_slice: " + diagnose_shape(small));
  if (const std::string text = diagnose_not_finite(small); !text.empty()) return wrong("symmetric_slice: " + text);
  const auto ours_of_T = [&] { return ours::ex5_4::symmetric_slice(T); };
  const std::string plain = diagnose(small, {rounding, "right"}),
                    told = diagnose(small, {rounding, "right"}, ours_of_T);
  const std::string example = compare_outputs(T, small.yours);
  if (agrees(small.yours, small.right + hadamard(T, lesson5::identity(3)), rounding)) return not_started(example);
  const Matrix<double> across(transpose(small.yours));
  std::string cause = told != plain ? told : agrees(small.yours, across, rounding) ? "" : "S(p,q) and S(q,p) differ";
  if (!cause.empty() || !example.empty())
    return wrong(cause + (cause.empty() || example.empty() ? "" : "; ") + example);
  const std::string text = diagnose({"S", yours(drawn), lesson5::symmetric_part(drawn)}, {rounding, "right"});
  return text.empty() ? done() : wrong("right for 3 inputs, not for 5 with a drawn T: " + text);
}
static const Exercise here{"5.4", "A symmetric slice", check};
