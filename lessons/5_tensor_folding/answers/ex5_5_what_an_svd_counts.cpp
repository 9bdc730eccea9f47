// Exercise 5.5: what the singular values of a tensor count.
// Hint: Write the six or so entries of each slice as a row. Which rows are sums of multiples of others?
// Hint: Input mode: which inputs occur at all, and could two of them always be replaced by one sum of them?
// Hint: One form with the weights 1 and 3: the matrix is (1, 3)ᵀ times a row. Its singular value is the length of the
// one times the length of the other.
// SPDX-License-Identifier: MIT
#include <ex5_5_what_an_svd_counts.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/5_tensor_folding/spectra.hpp"

using namespace exercise;

namespace ours::ex5_5 {

// The rank of the output mode is the number of slices that are no sums of others. In S there are two, x0·x1 and x0² +
// x1²; in T x0·x1 and x1·x0 are two places, so there are three. The rank of the input mode is the number of directions
// that the slices use: x0 and x1, and with y4 also x2.
const double output_mode_of_S = 2;
const double output_mode_of_T = 3;
const double input_mode_of_S = 2;
const double output_mode_with_y4 = 3;
const double input_mode_with_y4 = 3;
// The slice of x0·x1 has the length √(¼ + ¼); the outputs' weights (1, 3) have √10.
const double singular_value = 2.23606797749979;

}  // namespace ours::ex5_5

static Verdict check() {
  using namespace ex5_5;
  using namespace lesson5;
  Tensor3 T(5, 3, 3);
  T(0, 0, 1) = T(3, 0, 1) = T(4, 0, 2) = 1;
  T(1, 1, 0) = 3;
  for (std::size_t p = 0; p < 2; ++p) {
    T(2, p, p) = 1;
    T(3, p, p) = -1;
  }
  const auto first = [](Tensor3 t, std::size_t outputs) {
    t.slices.erase(t.slices.begin() + std::ptrdiff_t(outputs), t.slices.end());
    return t;
  };
  const auto rank = [](const Matrix<double>& A) { return double(count_above(svd(A).values, 1e-9)); };
  const Tensor3 S = symmetric(T), four = first(S, 4);
  std::vector<Prediction> all;
  const auto number = [&](const char* name, double yours, double truth, std::vector<Misreading> wrong, double off = 0) {
    all.push_back({name, yours, truth, off, std::move(wrong)});
  };
  number("output_mode_of_S", output_mode_of_S, rank(output_unfolding(four)),
         {{4, "that is the number of outputs; some of them are sums of others"},
          {3, "is one of them still a sum of others? In S x0·x1 and x1·x0 are one"},
          {1, "two different forms occur"}});
  number("output_mode_of_T", output_mode_of_T, rank(output_unfolding(first(T, 4))),
         {{2, "that is of S; in T (0, 1) and (1, 0) are two places"},
          {4, "is there one among the four that the others give?"}});
  number("input_mode_of_S", input_mode_of_S, rank(input_unfolding(four)),
         {{3, "x2 occurs in no output"},
          {1, "x0 and x1 are two directions: x0² + x1² needs both"},
          {4, "the input mode has a row for each input"}});
  number("output_mode_with_y4", output_mode_with_y4, rank(output_unfolding(S)),
         {{2, "is x0·x2 a sum of the others?"},
          {4, "one too many: y4 is added to the outputs of S, where y0 and y1 are one form"},
          {5, "some are sums of others"}});
  number("input_mode_with_y4", input_mode_with_y4, rank(input_unfolding(S)),
         {{2, "x2 occurs now"}, {4, "there are three inputs"}});
  number("singular_value", singular_value, svd(output_unfolding(first(S, 2))).values[0],
         {{std::sqrt(10.0), "that is the length of the weights (1, 3); the form has a length of its own"},
          {std::sqrt(0.5), "that is the length of the form; the weights (1, 3) have one, too"},
          {4, "lengths of right angles: squares add, and then the root"},
          {std::sqrt(8.0), "that is 1 + 3 times the length of the form; of the weights (1, 3), too, the squares add"},
          {5, "take the root"},
          {2 * std::sqrt(0.5), "that is of 1 and 1; the second output has a 3"},
          {std::sqrt(20.0), "x0·x1 has ½ in each of two places, so its length is below 1"}},
         0.001);
  return compare(all);
}
static const Exercise here{"5.5", "What an SVD counts", check};
