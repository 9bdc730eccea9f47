// Lesson 5: the wrong answers to its exercises that come to mind, and what is wrong with each. check.cpp compares with
// them what does not pass, so that a reader learns more than where two numbers differ.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/support/diagnosis.hpp"
#include "common/support/exercise.hpp"
#include "lessons/5_tensor_folding/model/01_tensor.hpp"
#include "lessons/5_tensor_folding/model/04_jacobi.hpp"

namespace lesson5 {

using exercise::agrees, exercise::Misreading, exercise::Mistake, exercise::reason_among, exercise::rounding;

// Says what is wrong with numbers that were found on paper: the reason where it is known, else the first place. It does
// not say the right number.
inline std::string diagnose_by_hand(const exercise::Answer& a, const std::vector<Mistake>& mistakes) {
  if (a.yours.shape() != a.right.shape()) return exercise::diagnose_shape(a);
  if (const std::string text = exercise::diagnose_not_finite(a); !text.empty()) return text;
  if (agrees(a.yours, a.right, rounding)) return "";
  if (exercise::untouched(a)) return "still all zero";
  if (const std::string reason = reason_among(mistakes, a.yours, rounding); !reason.empty()) return reason;
  std::size_t k = 0;
  while (std::abs(a.yours.values()[k] - a.right.values()[k]) <= rounding) ++k;
  return "not yet; look again at entry " + a.entry(k / a.yours.cols(), k % a.yours.cols());
}

// ------------------------------------------------------------------------------------------------------------- 5.1

// The layer of 5.1 and, with biases, of 5.2.
struct SmallLayer {
  Matrix<double> W{{1, 2}, {-1, 3}}, V{{3, 2}, {1, -1}}, U{{1}, {2}};

  Matrix<double> UB() const { return fold_factors(W, V, U).slices[0]; }
};

inline Tensor3 one_slice(const Matrix<double>& slice) {
  Tensor3 t(1, slice.rows(), slice.cols());
  t.slices[0] = slice;
  return t;
}

inline Matrix<double> symmetric_of(const Matrix<double>& T) { return symmetric(one_slice(T)).slices[0]; }
inline Matrix<double> triangular_of(const Matrix<double>& T) { return triangular(one_slice(T)).slices[0]; }

inline Matrix<double> turned(const Matrix<double>& A) { return Matrix<double>(transpose(A)); }

// The entries on the diagonal of T, and zeros beside it.
inline Matrix<double> diagonal_of(const Matrix<double>& T) {
  Matrix<double> D(T.rows(), T.cols());
  for (std::size_t p = 0; p < T.rows(); ++p) D(p, p) = T(p, p);
  return D;
}

inline std::vector<Mistake> wrong_UB(const SmallLayer& layer) {
  const Matrix<double>&W = layer.W, &V = layer.V, &U = layer.U, UB = layer.UB();
  const Tensor3 B = product_tensor(W, V);
  return {{fold_factors(turned(W), turned(V), U).slices[0],
           "made from the rows of W and V; product k has column k of each"},
          {matmul(W, transpose(V)), "B[0] + B[1], each counted once: U has a weight for each"},
          {matmul(W, V), "that is W·V; what is the product of row i, column j with k?"},
          {B.slices[0], "that is B[0]; product 1 is missing"},
          {B.slices[1], "that is B[1]; U weighs it, and product 0 is missing"},
          {2 * B.slices[1], "product 0 is missing"},
          {2 * B.slices[0] + B.slices[1], "the weights of U are exchanged"},
          {turned(UB), "the transpose of the right one: row i belongs to W, column j to V"},
          {symmetric_of(UB), "that is the symmetric matrix already; here they stay as the formula makes them"},
          {triangular_of(UB), "that has the same y, but all of x0·x1 in one place; here W and V decide where"}};
}

// `yours` is the reader's UB.
inline std::vector<Mistake> wrong_symmetric_UB(const Matrix<double>& yours, const Matrix<double>& UB) {
  const Matrix<double> S = symmetric_of(UB), sum = UB + turned(UB);
  std::vector<Mistake> mistakes{
      {UB, "that is UB as it was: its entries beside the diagonal differ"},
      {turned(UB), "that is UB with its two entries exchanged; they must be equal"},
      {sum, "the sum with the transpose: it must be halved"},
      {S + diagonal_of(UB), "the diagonal is doubled: x0² has one place only"},
      {sum - diagonal_of(UB), "the coefficient of x0·x1 stands there twice; each place gets half of it"},
      {triangular_of(UB), "all of x0·x1 in one place: the same y, but not symmetric"},
      {0.5 * (UB - turned(UB)), "the difference; what is the same in both is what counts"}};
  if (yours.shape() == UB.shape() && !agrees(yours, UB, rounding))
    mistakes.push_back({symmetric_of(yours), "follows from your UB: mend that first"});
  return mistakes;
}

inline std::vector<Mistake> wrong_folded_slice(const Tensor3& B, const Matrix<double>& U, std::size_t o) {
  const std::size_t last = B.outputs() - 1;
  const Matrix<double> ones(U.rows(), 1, 1);
  return {{fold_behind(B, turned(U)).slices[o], "weighted with row o of U; the weights of output o are its column o"},
          {fold_behind(B, U).slices[0], "that is output 0 whatever o is"},
          {fold_behind(B, ones).slices[0], "the slices are added without their weights"},
          {B.slices[o], "that is B[o]: o counts outputs, k products"},
          {U(0, o) * B.slices[0], "the first product alone: they add, over all k"},
          {U(last, o) * B.slices[last], "the last product alone: they add, over all k"}};
}

// ------------------------------------------------------------------------------------------------------------- 5.2

// `right` is [A 0; a 1].
inline std::vector<Mistake> wrong_extended(const Matrix<double>& A, const Matrix<double>& right) {
  const std::size_t rows = A.rows(), cols = A.cols();
  Matrix<double> no_corner = right, no_bias = right, ones = right;
  no_corner(rows, cols) = 0;
  Matrix<double> bare = no_corner;  // A alone
  for (std::size_t j = 0; j < cols; ++j) no_bias(rows, j) = bare(rows, j) = 0;
  for (std::size_t i = 0; i < rows; ++i) ones(i, cols) = 1;
  Matrix<double> bias_first(rows + 1, cols + 1), one_first(rows + 1, cols + 1), both_first(rows + 1, cols + 1);
  for (std::size_t i = 0; i <= rows; ++i)
    for (std::size_t j = 0; j <= cols; ++j) {
      const std::size_t below = (i + 1) % (rows + 1), behind = (j + 1) % (cols + 1);
      bias_first(below, j) = one_first(i, behind) = both_first(below, behind) = right(i, j);
    }
  // As many entries of a as fit into the column, with the corner as it is when nothing, a or the 1 is written there last.
  Matrix<double> column = bare;
  for (std::size_t i = 0; i < std::min(rows, cols); ++i) column(i, cols) = right(rows, i);
  Matrix<double> column_one = column, column_filled = column;
  column_one(rows, cols) = 1;
  if (rows < cols) column_filled(rows, cols) = right(rows, rows);
  const std::string beside = "a stands in the last column, but the 1 of (x, 1) meets the last row";
  return {
      {column, beside},
      {column_one, beside},
      {column_filled, beside},
      {no_corner, "the 1 in the corner is missing, so the constant gets lost and the next bias has nothing to weigh"},
      {no_bias, "a is missing: it belongs below A, where the 1 of (x, 1) meets it"},
      {bare, "only A is there yet; a and the 1 are missing"},
      {ones, "ones above the corner: what comes out behind is 1 plus the sum of x, not 1"},
      {Matrix<double>(column_block(right, 0, cols)),
       "that is [A; a]: the bias is there, but no column makes a 1 come out again"},
      {Matrix<double>(row_block(right, 0, rows)), "that is [A 0]: the row of the biases and of the 1 is missing"},
      {bias_first, "a stands in the first row; the 1 of (x, 1) is last, so it must be the last row"},
      {one_first, "the column that makes the 1 stands first; (x·A + a, 1) has it last"},
      {both_first, "right for (1, x); here the 1 is last"}};
}

inline const std::vector<Misreading> wrong_constant{
    {16, "d is missing"},
    {8, "the weights of U are missing"},
    {-5, "b and c are multiplied, not added"},
    {-6, "that is d; b times c is a constant, too"},
    {-2, "product by product: b0·c0 and b1·c1, not the sum of b times the sum of c"},
    {5, "half of it: 1·1 has one place only, and nothing to share with"},
    {20, "twice that: 1·1 has one place only"},
    {13, "half of d: 1·1 has one place only, and all of d is in it"}};
inline const std::vector<Misreading> wrong_entry{
    {1, "that is the coefficient of x0; S[0,2] and S[2,0] share it"},
    {-4, "that has x0 from W and the 1 from V; the other way round counts, too, and halved"},
    {5, "that has x0 from V and the 1 from W; the other way round counts, too, and halved"},
    {-2, "that has x0 from W and the 1 from V; the other way round counts, too"},
    {2.5, "that has x0 from V and the 1 from W; the other way round counts, too"},
    {3.5, "the weights of U are missing"},
    {7, "the weights of U are missing, and S[0,2] and S[2,0] share it"},
    {-5.5, "that is the entry of x1"},
    {-11, "that is the coefficient of x1"}};
inline const std::vector<Misreading> wrong_constant_behind{
    {10, "as before; but where x is 0 the layer sees e, not 0"},
    {43, "that has e in it, but no b and c"},
    {59, "e·W times c and b times e·V are missing: (e·W + b)(e·V + c) has four terms"},
    {-14, "e reaches V, too"},
    {25, "e reaches W, too"},
    {56, "d is missing"},
    {44, "the weights of U are missing"}};

// ------------------------------------------------------------------------------------------------------------- 5.3

inline const std::string halves = "the two places of 4·x·y share its coefficient: half in each";
inline const std::string whole_numbers = "a slice of zeros has no eigenvalue but 0; this one has entries";
inline const std::string one_place = "x² has one place only, and all of its coefficient is in it";
inline const std::string not_unit = "that stands before a square; but the vector in it must have length 1";

inline const std::vector<Misreading> wrong_square_largest{{0.5, one_place}, {2, one_place}, {0, whole_numbers}};
inline const std::vector<Misreading> wrong_square_smallest{
    {1, "that would add y²; how much of x² is there along (0, 1)?"},
    {-1, "that would take away y²; how much of x² is there along (0, 1)?"},
    {0.5, one_place}};
inline const std::vector<Misreading> wrong_product_largest{
    {4, halves}, {1, not_unit}, {0.5, "that is of x·y; here 4 stands before it"}, {0, whole_numbers}};
inline const std::vector<Misreading> wrong_product_smallest{
    {-4, halves},
    {-1, not_unit},
    {-0.5, "that is of x·y; here 4 stands before it"},
    {2, "two positive squares would never be negative; 4·x·y is, at (1, -1)"},
    {0, "one square would never be negative; 4·x·y is, at (1, -1)"}};
inline const std::vector<Misreading> wrong_saddle_largest{
    {0.5, "that is of u·v for u and v of length 1; x + y and x - y are longer"}, {2, one_place}, {0, whole_numbers}};
inline const std::vector<Misreading> wrong_saddle_smallest{
    {-0.5, "that is of u·v for u and v of length 1; x + y and x - y are longer"},
    {-2, one_place},
    {0, "y² counts, with a minus"}};
inline const std::vector<Misreading> wrong_square_of_sum_largest{
    {1, not_unit},
    {4, "that is its value at (1, 1), whose length is not 1"},
    {3, halves + " of the 2"},
    {std::sqrt(2), "that is the length of (1, 1); it comes out of the square"},
    {0, whole_numbers},
    {0.5, "the other way round: (x + y)/√2 is shorter than x + y, so more stands before its square"}};
inline const std::vector<Misreading> wrong_square_of_sum_smallest{
    {1, "x² and y² are on the diagonal, but 2·x·y is beside it"},
    {2, "one square; what is it along (1, -1)?"},
    {-1, halves + " of the 2"}};
inline const std::string own_eigenvector = "the 1 is not added to an eigenvalue: it has an eigenvector of its own";
inline const std::vector<Misreading> wrong_one_largest{
    {1, "that is of the constant; 4·x·y has a larger one"}, {3, own_eigenvector}, {4, halves}, {5, own_eigenvector}};
inline const std::vector<Misreading> wrong_one_middle{
    {2, "one of those of 4·x·y; the constant is a square, too: of the third input, 1"},
    {0.5, "1·1 has one place only, and nothing to share with"},
    {0, "no direction is without a square here: the constant has one of its own"}};
inline const std::vector<Misreading> wrong_one_smallest{
    {-4, halves}, {-1, own_eigenvector}, {1, "one of those of 4·x·y is negative"}, {0, "4·x·y is negative at (1, -1)"}};
inline const std::vector<Misreading> wrong_one_rank{
    {3, "that is the rank; it would be the effective one if all three had the same size"},
    {2, "that is of 4·x·y alone, or a fraction of whole numbers, cut to one"},
    {1, "that counts the largest alone"},
    {1.0 / 9, "signs do not count: Σ|λ|, or those of 4·x·y cancel"},
    {25, "that is (Σ|λ|)²; it is divided by Σλ²"},
    {9, "that is Σλ²"},
    {5, "that is Σ|λ|; it must be squared, and divided by Σλ²"},
    {5.0 / 9, "Σ|λ| must be squared"}};

// ------------------------------------------------------------------------------------------------------------- 5.4

// T + Tᵀ with halves everywhere but on the diagonal: what the given code makes of T.
inline Matrix<double> doubled_diagonal(const Matrix<double>& T) { return symmetric_of(T) + diagonal_of(T); }

inline std::vector<Mistake> wrong_symmetric_slice(const Matrix<double>& T) {
  const Matrix<double> S = symmetric_of(T), sum = T + turned(T);
  return {{S - diagonal_of(T), "the diagonal is lost: x0² has no other place"},
          {S - 0.5 * diagonal_of(T), "now the diagonal is halved: x0² has no other place to share with"},
          {sum, "all is doubled, not only the diagonal"},
          {sum - diagonal_of(T), "the diagonal is right, but what stands beside it is doubled"},
          {0.5 * (T - turned(T)), "the difference; T and its transpose must add"},
          {0.5 * (S + diagonal_of(T)),
           "the diagonal is right now, but what stands beside it is halved: only p = q was wrong"},
          {T, "that is T as it was: the same outputs, but not symmetric"},
          {triangular_of(T), "that is the triangular form: the same outputs, but not symmetric"}};
}

// ------------------------------------------------------------------------------------------------------------- 5.5

inline const std::string rounding_level = "its row holds 1e-16 and less, which is what rounding leaves of 0";

// For the right input and the one that it is multiplied by.
inline std::vector<Misreading> wrong_input(double input, double partner) {
  std::vector<Misreading> wrong{{input + 1, "the inputs are counted from 0: the second row is that of x1"},
                                {partner, "that is the other one again; a square would stand on the diagonal"}};
  for (const double other : {0.0, 2.0, 3.0})
    if (other != input + 1) wrong.push_back({other, rounding_level});
  return wrong;
}
inline const std::vector<Misreading> wrong_coefficient{
    {-1.5, "that is one of two entries; x1·x4 and x4·x1 are the same"},
    {1.5, "that is the size of one of two entries"},
    {2.25, "the entries add; they are not multiplied"},
    {-2.25, "the entries add; they are not multiplied"}};

using Sum = std::array<double, 5>;  // weights of x0 to x4

inline bool is_zero(const Sum& sum) { return sum == Sum{}; }

// What stands before each x_p·x_q, p <= q, when the two sums are multiplied out.
inline exercise::Answer multiplied_out(const Sum& a, const Sum& b, const Sum& right_a, const Sum& right_b) {
  exercise::Answer answer{"product", Matrix<double>(1, 15), Matrix<double>(1, 15)};
  const auto coefficient = [](const Sum& f, const Sum& g, std::size_t p, std::size_t q) {
    return f[p] * g[q] + (p == q ? 0 : f[q] * g[p]);
  };
  for (std::size_t p = 0; p < a.size(); ++p)
    for (std::size_t q = p; q < a.size(); ++q) {
      const std::size_t k = answer.places.size();
      answer.yours(0, k) = coefficient(a, b, p, q);
      answer.right(0, k) = coefficient(right_a, right_b, p, q);
      answer.places.push_back(join("before x", p, "·x", q));
    }
  return answer;
}

// An input in both sums, or two in one sum that the slice multiplies; empty when there are none.
inline std::string diagnose_groups(const Sum& a, const Sum& b, const Sum& right_a, const Sum& right_b) {
  for (std::size_t p = 0; p < a.size(); ++p)
    if (a[p] != 0 && b[p] != 0) return join("x", p, " is in both sums, which makes x", p, "²; the diagonal has none");
  if (a[4] != 0 || b[4] != 0) return "x4 is in a sum, but its row is all zeros";
  for (std::size_t p = 0; p < a.size(); ++p)
    for (std::size_t q = p + 1; q < a.size(); ++q) {
      const bool multiplied = right_a[p] * right_b[q] + right_a[q] * right_b[p] != 0;
      if (multiplied && (a[p] * a[q] != 0 || b[p] * b[q] != 0))
        return join("x", p, " and x", q, " are in one sum, but the slice multiplies them");
    }
  return "";
}

inline std::string diagnose_sums(const Sum& a, const Sum& b) {
  constexpr Sum right_a{1, 0, 0, 1, 0}, right_b{0, 1, -1, 0, 0};
  const exercise::Answer answer = multiplied_out(a, b, right_a, right_b);
  const std::string text = exercise::diagnose(answer, {rounding, "right"});
  if (text.empty() || !exercise::diagnose_not_finite(answer).empty()) return text;
  if (is_zero(a) && is_zero(b)) return "both are still zero";
  if (is_zero(a) || is_zero(b)) return "one sum is still zero, and so is the product";
  if (const std::string groups = diagnose_groups(a, b, right_a, right_b); !groups.empty()) return groups;
  const auto size = [](double x) { return std::abs(x); };
  const bool sizes = agrees(map(answer.yours, size), map(answer.right, size), rounding);
  return (sizes ? "the right inputs, but not their signs: " : "") + text;
}

// ------------------------------------------------------------------------------------------------------------- 5.6

inline std::vector<Mistake> wrong_slope(const Matrix<double>& x, const Matrix<double>& T) {
  const Matrix<double> by_rows = matmul(x, T), by_columns = matmul(x, turned(T)), y(1, 1, dot(x, by_rows));
  const auto of_pairs = [&](double f) { return f * (by_rows + by_columns); };
  return {{by_rows, "x_p is also the second factor: the sum over T[q,p] alone is half of the terms"},
          {by_columns, "x_p is also the first factor: the sum over T[p,q] alone is half of the terms"},
          {2 * by_rows, "twice one of the two sums: right for a symmetric T, but this one is not"},
          {2 * by_columns, "twice one of the two sums: right for a symmetric T, but this one is not"},
          {of_pairs(0.5), "that is x·S; a square has the slope 2·x_p, so there is a 2 that is missing"},
          {of_pairs(2), "a 2 too many: T + its transpose is 2·S already"},
          {hadamard(x, of_pairs(1)), "that is times x: a slope in x_p has one input less than y"},
          {of_pairs(1) - hadamard(x, matmul(x, diagonal_of(T))), "the diagonal counts twice: x_p² has the slope 2·x_p"},
          {matmul(x, T - turned(T)), "the two sums add: both grow with x_p"},
          {matmul(x, 2 * diagonal_of(T)), "the diagonal alone; the pairs are missing"}};
}
inline const std::vector<Misreading> wrong_times_y{
    {1, "each term of y has two inputs, and each of them is counted once"},
    {0.5, "the other way round: x times the slope counts a term more than once"},
    {4, "a term has two inputs, not two for each of two places"},
    {0, "y is a sum of terms T[p,q]·x_p·x_q; what is x_p times the slope of such a term in x_p?"}};

// ------------------------------------------------------------------------------------------------------------- 5.7

// `right` is the slice with d in its corner.
inline std::vector<Mistake> wrong_slice_of_squares(const Matrix<double>& W, const Matrix<double>& U,
                                                   const Matrix<double>& right, std::size_t o) {
  const std::size_t n = W.rows();
  const auto slice = [&](auto entry) {
    Matrix<double> S = right;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = 0; q < n; ++q) {
        S(p, q) = 0;
        for (std::size_t k = 0; k < W.cols(); ++k) S(p, q) += entry(p, q, k);
      }
    return S;
  };
  Matrix<double> no_constant = right, shared = right, border = right, column = right, row = right;
  no_constant(n, n) = 0;
  shared(n, n) = right(n, n) / 2;
  border(n, n) = 0;
  border(0, n) = border(n, 0) = right(n, n) / 2;
  for (std::size_t p = 0; p < n; ++p) column(p, n) = row(n, p) = right(n, n);
  const std::string spread = "d belongs into the corner alone: in the rest of the last row or column it meets an x";
  return {
      {column, spread},
      {row, spread},
      {column + row - right, spread},
      {slice([&](auto p, auto q, auto k) { return k + 1 == W.cols() ? U(k, o) * W(p, k) * W(q, k) : 0; }),
       "only the last square is left: = writes over what += would add to"},
      {no_constant, "d is missing: it is what the 1 behind x is for"},
      {shared, "half of d: 1·1 has one place only"},
      {border, "d stands beside the 1, where it would be multiplied by x0; 1·1 is the corner"},
      {slice([&](auto p, auto q, auto k) { return W(p, k) * W(q, k); }), "the weights of U are missing"},
      {slice([&](auto p, auto q, auto k) { return p == q ? U(k, o) * W(p, k) * W(p, k) : 0; }),
       "only the squares of single inputs; a sum that is squared has mixed terms, too"},
      {slice([&](auto p, auto q, auto k) { return (p == q ? 1 : 2) * U(k, o) * W(p, k) * W(q, k); }),
       "the mixed terms are doubled: 2·x_p·x_q is shared by two places"},
      {slice([&](auto p, auto q, auto k) { return U(k, o) * U(k, o) * W(p, k) * W(q, k); }),
       "U is squared, too; it stands behind the square"},
      {slice([&](auto p, auto q, auto k) { return U(k, 0) * W(p, k) * W(q, k); }), "that is output 0 whatever o is"}};
}
inline const std::vector<Misreading> wrong_most_eigenvalues{
    {48, "that is for products; a square is made of one column of W"},
    {25, "the constant would be one more, but here d = 0"},
    {144, "the slice is that large, but what is it made of?"},
    {145, "the slice is that large, but what is it made of?"},
    {1, "one for each square that the output adds up"},
    {12, "each square brings one"}};
inline const std::vector<Misreading> wrong_negative_eigenvalues{{0, "a square is not negative, but its weight may be"},
                                                                {14, "a square brings one eigenvalue, a product two"},
                                                                {17, "those are the positive ones"},
                                                                {24, "the weights decide about the sign, one by one"}};
inline const std::vector<Misreading> wrong_squares_for_a_product{
    {1, "a single square has one sign; the product is positive for some x and negative for others"},
    {3, "one can be spared: a² and b² cancel in the right combination"},
    {4, "two can be spared: look at (a + b)² and (a - b)²"}};

// ------------------------------------------------------------------------------------------------------------- 5.8

inline const std::vector<Misreading> wrong_outputs_of_S{
    {4, "that is the number of outputs; some of them are sums of others"},
    {3, "is one of them still a sum of others? In S x0·x1 and x1·x0 are one"},
    {1, "two different forms occur"}};
inline const std::vector<Misreading> wrong_outputs_of_T{{2, "that is of S; in T (0, 1) and (1, 0) are two places"},
                                                        {4, "is there one among the four that the others give?"}};
inline const std::vector<Misreading> wrong_inputs_of_S{{3, "x2 occurs in no output"},
                                                       {1, "x0 and x1 are two directions: x0² + x1² needs both"},
                                                       {4, "the input mode has a row for each input"}};
inline const std::vector<Misreading> wrong_outputs_with_y4{
    {2, "is x0·x2 a sum of the others?"},
    {4, "one too many: y4 is added to the outputs of S, where y0 and y1 are one form"},
    {5, "some are sums of others"}};
inline const std::vector<Misreading> wrong_inputs_with_y4{{2, "x2 occurs now"}, {4, "there are three inputs"}};
inline const std::vector<Misreading> wrong_singular_value{
    {std::sqrt(10.0), "that is the length of the weights (1, 3); the form has a length of its own"},
    {std::sqrt(0.5), "that is the length of the form; the weights (1, 3) have one, too"},
    {4, "lengths of right angles: squares add, and then the root"},
    {std::sqrt(8.0), "that is 1 + 3 times the length of the form; of the weights (1, 3), too, the squares add"},
    {5, "take the root"},
    {2 * std::sqrt(0.5), "that is of 1 and 1; the second output has a 3"},
    {std::sqrt(20.0), "x0·x1 has ½ in each of two places, so its length is below 1"}};

// ------------------------------------------------------------------------------------------------------------- 5.9

// An image and a form of 5.9.
struct FormAndImage {
  Matrix<double> M, x;
};

// Draws those that the check asks with. In each the largest |λ| is a negative one, so that it and the top one are two: in the
// first by a little; in the others by far, after a square is taken away along a drawn direction. There x·M + size·v·M, put in
// the place of v again and again, runs to and fro.
inline std::vector<FormAndImage> drawn_forms() {
  Random random(9);
  std::vector<FormAndImage> forms;
  for (const double taken : {0.0, 20.0, 40.0}) {
    const auto A = normal_matrix<double>(12, 12, 1, random);
    FormAndImage form{-1 * symmetric_part(A), normal_matrix<double>(1, 12, 1, random)};
    const Matrix<double> u = unit_rows(normal_matrix<double>(1, 12, 1, random));
    form.M += -taken * matmul(transpose(u), u);
    forms.push_back(form);
  }
  return forms;
}

// The gain of a direction, and the greatest there is: x + size·v for |v| = 1.
inline double gain_of(const Matrix<double>& x, const Matrix<double>& M, double size, const Matrix<double>& v) {
  const Matrix<double> v_M = matmul(v, M);
  return 2 * size * dot(x, v_M) + size * size * dot(v, v_M);
}

// In M's eigenvectors the best direction has the entries g_i/(t - size·λ_i) with g = x·M, for the one t above all
// size·λ_i that gives it length 1. The length falls with t, so t is found by halving.
inline double greatest_gain(const Matrix<double>& x, const Matrix<double>& M, double size) {
  const Eigen eigen = eigen_symmetric(M);
  const Matrix<double> g = matmul(matmul(x, M), turned(eigen.vectors));
  double low = -HUGE_VAL, length = std::sqrt(dot(g, g));
  for (const double value : eigen.values) low = std::max(low, size * value);
  double high = low + length;
  const auto direction = [&](double t) {
    Matrix<double> v(1, g.cols());
    for (std::size_t i = 0; i < g.cols(); ++i) v(0, i) = g(0, i) / (t - size * eigen.values[i]);
    return v;
  };
  for (int half = 0; half < 200; ++half) {
    const double t = (low + high) / 2;
    const Matrix<double> v = direction(t);
    (dot(v, v) > 1 ? low : high) = t;
  }
  return gain_of(x, M, size, matmul(unit_rows(direction(high)), eigen.vectors));
}

// Directions that come to mind first.
inline std::vector<Mistake> wrong_patterns(const Matrix<double>& x, const Matrix<double>& M) {
  const Eigen eigen = eigen_symmetric(M);
  std::size_t top = 0;
  for (std::size_t k = 1; k < eigen.values.size(); ++k)
    if (eigen.values[k] > eigen.values[top]) top = k;
  const Matrix<double> first(row_block(eigen.vectors, top, 1)), size(row_block(eigen.vectors, 0, 1));
  const std::string alone = "the top eigenvector, the best from nothing: it forgets the image";
  return {{first, alone},
          {-1 * first, alone},
          {size, "the eigenvector of the largest |λ|, which may be negative: it makes the form smaller"},
          {-1 * size, "the eigenvector of the largest |λ|, which may be negative: it makes the form smaller"},
          {unit_rows(matmul(x, M)),
           "along x·M, the best for a very small pattern: it forgets what the pattern adds itself"},
          {unit_rows(-1 * matmul(x, M)), "against x·M: the sign is wrong, the form falls"},
          {unit_rows(x), "along the image itself: that makes it brighter, not more like the target"}};
}

// Says what is wrong with a direction, and how far it comes; empty where it reaches .999 of the greatest gain.
inline std::string diagnose_pattern(const Matrix<double>& x, const Matrix<double>& M, double size,
                                    const Matrix<double>& v) {
  if (const double length = std::sqrt(dot(v, v)); !(std::abs(length - 1) <= 1e-9))
    return join("the direction is ", significant(length, 3), " long; it must have length 1");
  const double greatest = greatest_gain(x, M, size), share = gain_of(x, M, size, v) / greatest;
  if (share >= 0.999) return "";
  std::string cause = reason_among(wrong_patterns(x, M), v, 1e-6);
  if (cause.empty() && gain_of(x, M, size, -1 * v) >= 0.999 * greatest)
    cause = "the sign: the opposite direction is right";
  return cause + (cause.empty() ? "" : "; ") + join("it gains ", fixed(share, 3), " of the greatest gain");
}

}  // namespace lesson5
