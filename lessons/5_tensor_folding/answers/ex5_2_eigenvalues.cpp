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

static Misreading is(double value, const std::string& reason) { return {value, reason}; }

static Verdict check() {
  using namespace ex5_2;
  const auto product = falling_eigenvalues({{0, 2}, {2, 0}}), saddle = falling_eigenvalues({{1, 0}, {0, -1}}),
             of_sum = falling_eigenvalues({{1, 1}, {1, 1}}),
             one = falling_eigenvalues({{0, 2, 0}, {2, 0, 0}, {0, 0, 1}});
  const std::string halves = "a product has two places, which share what stands before it: half in each",
                    not_zero = "a slice of zeros has no eigenvalue but 0; this one has entries",
                    one_place = "a square has one place only, and all of its coefficient is in it",
                    not_unit = "that stands before a square; but the vector in it must have length 1",
                    own = "the 1 is not added to an eigenvalue: it has an eigenvector of its own",
                    of_xy = "that is of x·y; here 4 stands before it",
                    of_uv = "that is of u·v for u and v of length 1; x + y and x - y are longer",
                    root = "a root of 2 is left: v is in the square, so its length counts squared";
  // Whole numbers are exact as a reader writes them; 25/9 may be rounded.
  std::vector<Prediction> all;
  const auto number = [&](const char* name, double yours, double truth, std::vector<Misreading> wrong) {
    for (const double factor : {std::sqrt(2), std::sqrt(0.5)})
      if (truth != 0) wrong.push_back({factor * truth, root});
    all.push_back({name, yours, truth, 0, std::move(wrong)});
  };
  number("product_largest", product_largest, product[0],
         {is(4, halves), is(1, not_unit), is(0.5, of_xy), is(0, not_zero)});
  number("product_smallest", product_smallest, product[1],
         {is(-4, halves), is(-1, not_unit), is(-0.5, of_xy),
          is(2, "two positive squares would never be negative; 4·x·y is, at (1, -1)"),
          is(0, "one square would never be negative; 4·x·y is, at (1, -1)")});
  number("saddle_largest", saddle_largest, saddle[0], {is(0.5, of_uv), is(2, one_place), is(0, not_zero)});
  number("saddle_smallest", saddle_smallest, saddle[1],
         {is(-0.5, of_uv), is(-2, one_place), is(0, "y² counts, with a minus")});
  number("square_of_sum_largest", square_of_sum_largest, of_sum[0],
         {is(1, not_unit), is(4, "that is its value at (1, 1), whose length is not 1"), is(3, halves), is(0, not_zero),
          is(0.5, "the other way round: (x + y)/√2 is shorter than x + y, so more stands before its square")});
  number("square_of_sum_smallest", square_of_sum_smallest, of_sum[1],
         {is(1, "x² and y² are on the diagonal, but 2·x·y is beside it"),
          is(2, "one square; what is it along (1, -1)?"), is(-1, halves)});
  number("product_and_one_largest", product_and_one_largest, one[0],
         {is(1, "that is of the constant; 4·x·y has a larger one"), is(3, own), is(4, halves), is(5, own)});
  number("product_and_one_middle", product_and_one_middle, one[1],
         {is(2, "one of those of 4·x·y; the constant is a square, too: of the third input, 1"), is(0.5, one_place),
          is(0, "no direction is without a square here: the constant has one of its own")});
  number(
      "product_and_one_smallest", product_and_one_smallest, one[2],
      {is(-4, halves), is(-1, own), is(1, "one of those of 4·x·y is negative"), is(0, "4·x·y is negative at (1, -1)")});
  const double largest = product_and_one_largest, middle = product_and_one_middle, smallest = product_and_one_smallest;
  all.push_back({"product_and_one_effective_rank",
                 product_and_one_effective_rank,
                 lesson5::effective_rank(one),
                 0.001,
                 {is(3, "that is the rank; it would be the effective one if all three had the same size"),
                  is(2, "that is of 4·x·y alone, or a fraction of whole numbers, cut to one"),
                  is(1, "that counts the largest alone"), is(9.0 / 25, "upside down: Σλ² divides"),
                  is(1.0 / 9, "signs do not count: Σ|λ|, or those of 4·x·y cancel"), is(9, "that is Σλ²"),
                  is(25, "that is (Σ|λ|)²; it is divided by Σλ²"), is(5.0 / 9, "Σ|λ| must be squared"),
                  is(5, "that is Σ|λ|; it must be squared, and divided by Σλ²"),
                  is(lesson5::effective_rank({largest, middle, smallest}),
                     "it follows from your three, which are not all right")}});
  return compare(all);
}
static const Exercise here{"5.2", "Eigenvalues of small slices", check};
