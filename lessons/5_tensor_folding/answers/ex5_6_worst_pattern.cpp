// Exercise 5.6: the worst pattern for one image.
// Hint: For a tiny pattern the first term counts, for a huge one the second. At the best v of
// length 1 the slope of the gain with respect to v points along v. What is that slope?
// Hint: It is 2·size·(x·M + size·v·M). So the best v points along x·M + size·v·M. Begin with some
// v, and put this row, scaled to length 1, in its place, again and again. When M has a large
// negative eigenvalue, v runs to and fro. What could you add to the row before you scale it, so
// that a v that is best already stays?
// Hint: Add c·v, with c at least size times the largest |λ|. And begin with more than one v; keep
// the best.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/spectra.hpp"

// For the check:
#include <ex5_6_worst_pattern.hpp>

#include "common/frame/exercise/exercise.hpp"
#include "lessons/5_tensor_folding/spectra.hpp"

using namespace exercise;
using namespace lesson5;

namespace ours::ex5_6 {

inline double gain(const Matrix<double>& x, const Matrix<double>& M, double size,
                   const Matrix<double>& v) {
  const Matrix<double> v_M = matmul(v, M);
  return 2 * size * dot(x, v_M) + size * size * dot(v, v_M);
}

// Iterates v ← unit(x·M + size·v·M + c·v). With c at least size·|λ| the gain never falls,
// since size·M + c has no negative eigenvalue. Lower peaks exist, so it starts from both signs
// of each eigenvector.
inline Matrix<double> worst_pattern(const Matrix<double>& x, const Matrix<double>& M, double size) {
  slip(size, 1.0, "the best for size 1: a longer pattern points elsewhere than a short one");
  const lesson5::Eigen eigen = lesson5::eigen_symmetric(M);
  const Matrix<double> x_M = matmul(x, M);
  const double c = size * std::abs(eigen.values[0]);
  Matrix<double> best(row_block(eigen.vectors, 0, 1));
  for (std::size_t k = 0; k < 2 * M.rows(); ++k) {
    Matrix<double> v =
        (k % 2 == 0 ? 1.0 : -1.0) * Matrix<double>(row_block(eigen.vectors, k / 2, 1));
    for (int step = 0; step < 300; ++step)
      v = lesson5::unit_rows(x_M + size * matmul(v, M) + c * v);
    if (gain(x, M, size, v) > gain(x, M, size, best)) best = v;
  }
  slip(best, Matrix<double>(row_block(eigen.vectors, most_positive(eigen), 1)),
       "the top eigenvector, the best when there is nothing else: it forgets the image");
  slip(best, Matrix<double>(row_block(eigen.vectors, 0, 1)),
       "the eigenvector of the largest |λ|, which may be negative: it makes the form smaller");
  slip(best, unit_rows(x_M),
       "along x·M, the best for a very small pattern: it forgets the pattern's own term");
  slip(best, unit_rows(matmul(Matrix<double>(1, x.cols(), 1), M)),
       "ink·M, a guess for an unknown image; you know this one");
  slip(best, unit_rows(x),
       "along the image itself: that makes it brighter, not more like the target");
  return best;
}

}  // namespace ours::ex5_6

// Ignores the sign; other methods differ in more than the last digits.
static bool same(const Matrix<double>& a, const Matrix<double>& b) {
  return agrees(a, b, 1e-6) || agrees(-1 * a, b, 1e-6);
}

// Asks for .999 of the greatest gain.
static std::string diagnose_pattern(const Matrix<double>& x, const Matrix<double>& M, double size,
                                    const Matrix<double>& v) {
  const auto ours = [&] { return ours::ex5_6::worst_pattern(x, M, size); };
  const auto gains = [&](const Matrix<double>& row) { return ours::ex5_6::gain(x, M, size, row); };
  const double greatest = gains(ours());
  const auto passes = [&](const Matrix<double>& row) { return gains(row) >= 0.999 * greatest; };
  if (slips().tested)
    test_slips(ours, same, [&](const auto& wrong, const auto&) { return passes(wrong); });
  if (passes(v)) return "";
  if (passes(-1 * v)) return "the sign: the opposite direction is right";
  if (const std::string cause = cause_of(v, ours, same); !cause.empty())
    return cause + (gains(-1 * v) > gains(v) ? "; and the opposite direction gains more" : "");
  const auto turned = [&](const Matrix<double>& from) {
    return unit_rows(matmul(x, M) + size * matmul(from, M));
  };
  if (max_abs_difference(turned(v), v) < 1e-4)
    return "not the best, though no small turn gains: begin elsewhere, too";
  if (max_abs_difference(turned(turned(v)), v) < 1e-4)
    return "put in again and again, this direction runs to and fro between two";
  return "not the best yet: a small turn towards x·M + size·v·M gains";
}

// In each form the largest |λ| is negative: slightly in the first, by far in the others, where
// x·M + size·v·M, iterated, runs to and fro.
static Assessment check() {
  struct Cases {
    int count = 0;
    double least = 1;  // the least share gained
  };
  std::map<std::string, Cases> causes;
  Random random(9);
  bool as_given = true;
  for (const double negative : {0.0, 20.0, 40.0}) {
    const auto A = normal_matrix<double>(12, 12, 1, random);
    const auto x = normal_matrix<double>(1, 12, 1, random);
    const Matrix<double> along = unit_rows(normal_matrix<double>(1, 12, 1, random));
    const Matrix<double> M = -1 * symmetric_part(A) - negative * matmul(transpose(along), along);
    for (const double size : {0.3, 1.0, 4.0}) {
      const Answer v{"worst_pattern",
                     calling("worst_pattern", [&] { return ex5_6::worst_pattern(x, M, size); }),
                     Matrix<double>(1, 12)};
      if (const std::string text = misfit_of(v); !text.empty())
        return wrong("worst_pattern: " + text);
      if (const double length = length_of(v.yours.values()); !(std::abs(length - 1) <= 1e-9))
        return wrong(join("worst_pattern: the direction is ", significant(length, 3),
                          " long; it must have length 1"));
      as_given = as_given && v.yours(0, 0) == 1 && dot(v.yours, v.yours) == 1;
      const auto gain = [&](const Matrix<double>& row) {
        return ours::ex5_6::gain(x, M, size, row);
      };
      Cases& cases = causes[diagnose_pattern(x, M, size, v.yours)];
      ++cases.count;
      const double share = gain(v.yours) / gain(ours::ex5_6::worst_pattern(x, M, size));
      cases.least = std::min(cases.least, share);
    }
  }
  Findings findings;
  for (const auto& [text, cases] : causes) {
    const std::string share = fixed(cases.least, 3) + " of the greatest gain";
    findings.add(join("in ", cases.count, " of 9 cases"),
                 text.empty() ? "" : text + "; at worst " + share);
  }
  return unless_as_given(findings.verdict(), as_given);
}
static const Exercise here{"5.6", "The worst pattern for one image", check};
