// Exercise 5.2: the eigenvalues of small slices, without a program.
// Hint: Write each matrix first. 4·x·y has two places, (0,1) and (1,0), and half of its coefficient in each; x² has
// only one.
// Hint: Where a matrix is diagonal, its eigenvalues stand on the diagonal. Else multiply (1, 1) and (1, -1) by it:
// what comes back is a multiple of each.
// Hint: To check: the eigenvalues add up to the sum of the diagonal. With the 1 as third input, the constant is a 1 at
// (2,2), alone in its row and column.
// SPDX-License-Identifier: MIT
#include <ex5_2_eigenvalues.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/5_tensor_folding/spectra.hpp"

using namespace exercise;

namespace ours::ex5_2 {

// [1 0; 0 0] is diagonal already; y does not occur.
const double square_largest = 1;
const double square_smallest = 0;
// [0 2; 2 0] takes (1, 1) to 2·(1, 1), and (1, -1) to -2·(1, -1).
const double product_largest = 2;
const double product_smallest = -2;
// [1 0; 0 -1]. As a product of x + y and x - y: those have length √2 each, and √2·√2·½ is 1.
const double saddle_largest = 1;
const double saddle_smallest = -1;
// [1 1; 1 1] takes (1, 1) to (2, 2), and (1, -1) to 0: (x + y)² = 2·((x + y)/√2)².
const double square_of_sum_largest = 2;
const double square_of_sum_smallest = 0;

// [0 2 0; 2 0 0; 0 0 1]: those of 4·x·y, and the constant, 1·1², which shares no entry with them.
const double product_and_one_largest = 2;
const double product_and_one_middle = 1;
const double product_and_one_smallest = -2;
// (2 + 1 + 2)²/(4 + 1 + 4).
const double product_and_one_effective_rank = 25.0 / 9;

}  // namespace ours::ex5_2

// The eigenvalues by Jacobi's rotations, the largest first.
static std::vector<double> falling_eigenvalues(const Matrix<double>& S) {
  std::vector<double> values = lesson5::eigen_symmetric(S).values;
  std::sort(values.rbegin(), values.rend());
  return values;
}

static Verdict check() {
  using namespace ex5_2;
  const auto square = falling_eigenvalues({{1, 0}, {0, 0}}), product = falling_eigenvalues({{0, 2}, {2, 0}}),
             saddle = falling_eigenvalues({{1, 0}, {0, -1}}), of_sum = falling_eigenvalues({{1, 1}, {1, 1}}),
             one = falling_eigenvalues({{0, 2, 0}, {2, 0, 0}, {0, 0, 1}});
  const std::string halves = "the two places of 4·x·y share its coefficient: half in each",
                    not_zero = "a slice of zeros has no eigenvalue but 0; this one has entries",
                    one_place = "x² has one place only, and all of its coefficient is in it",
                    not_unit = "that stands before a square; but the vector in it must have length 1",
                    own = "the 1 is not added to an eigenvalue: it has an eigenvector of its own",
                    of_xy = "that is of x·y; here 4 stands before it",
                    of_uv = "that is of u·v for u and v of length 1; x + y and x - y are longer";
  // Whole numbers are exact as a reader writes them; 25/9 may be rounded.
  std::vector<Prediction> all;
  const auto number = [&](const char* name, double yours, double truth, std::vector<Misreading> wrong, double off = 0) {
    all.push_back({name, yours, truth, off, std::move(wrong)});
  };
  number("square_largest", square_largest, square[0], {{0.5, one_place}, {2, one_place}, {0, not_zero}});
  number("square_smallest", square_smallest, square[1],
         {{1, "that would add y²; how much of x² is there along (0, 1)?"},
          {-1, "that would take away y²; how much of x² is there along (0, 1)?"},
          {0.5, one_place}});
  number("product_largest", product_largest, product[0], {{4, halves}, {1, not_unit}, {0.5, of_xy}, {0, not_zero}});
  number("product_smallest", product_smallest, product[1],
         {{-4, halves},
          {-1, not_unit},
          {-0.5, of_xy},
          {2, "two positive squares would never be negative; 4·x·y is, at (1, -1)"},
          {0, "one square would never be negative; 4·x·y is, at (1, -1)"}});
  number("saddle_largest", saddle_largest, saddle[0], {{0.5, of_uv}, {2, one_place}, {0, not_zero}});
  number("saddle_smallest", saddle_smallest, saddle[1],
         {{-0.5, of_uv}, {-2, one_place}, {0, "y² counts, with a minus"}});
  number("square_of_sum_largest", square_of_sum_largest, of_sum[0],
         {{1, not_unit},
          {4, "that is its value at (1, 1), whose length is not 1"},
          {3, halves + " of the 2"},
          {std::sqrt(2), "that is the length of (1, 1); it comes out of the square"},
          {0, not_zero},
          {0.5, "the other way round: (x + y)/√2 is shorter than x + y, so more stands before its square"}});
  number("square_of_sum_smallest", square_of_sum_smallest, of_sum[1],
         {{1, "x² and y² are on the diagonal, but 2·x·y is beside it"},
          {2, "one square; what is it along (1, -1)?"},
          {-1, halves + " of the 2"}});
  number("product_and_one_largest", product_and_one_largest, one[0],
         {{1, "that is of the constant; 4·x·y has a larger one"}, {3, own}, {4, halves}, {5, own}});
  number("product_and_one_middle", product_and_one_middle, one[1],
         {{2, "one of those of 4·x·y; the constant is a square, too: of the third input, 1"},
          {0.5, "1·1 has one place only, and nothing to share with"},
          {0, "no direction is without a square here: the constant has one of its own"}});
  number("product_and_one_smallest", product_and_one_smallest, one[2],
         {{-4, halves}, {-1, own}, {1, "one of those of 4·x·y is negative"}, {0, "4·x·y is negative at (1, -1)"}});
  number("product_and_one_effective_rank", product_and_one_effective_rank, lesson5::effective_rank(one),
         {{3, "that is the rank; it would be the effective one if all three had the same size"},
          {2, "that is of 4·x·y alone, or a fraction of whole numbers, cut to one"},
          {1, "that counts the largest alone"},
          {1.0 / 9, "signs do not count: Σ|λ|, or those of 4·x·y cancel"},
          {25, "that is (Σ|λ|)²; it is divided by Σλ²"},
          {9, "that is Σλ²"},
          {5, "that is Σ|λ|; it must be squared, and divided by Σλ²"},
          {5.0 / 9, "Σ|λ| must be squared"}},
         0.001);
  return compare(all);
}
static const Exercise here{"5.2", "Eigenvalues of small slices", check};
