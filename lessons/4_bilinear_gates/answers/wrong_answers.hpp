// Lesson 4: the wrong answers to its exercises that come to mind, and what is wrong with each. check.cpp compares with
// them what does not pass, so that a reader learns more than where two numbers differ.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "common/support/diagnosis.hpp"
#include "common/support/exercise.hpp"
#include "lessons/4_bilinear_gates/model/3_gates.hpp"

namespace lesson4 {

using namespace exercise;

// ------------------------------------------------------------------------------------------------------------- 4.1

inline Matrix<double> row_of(const TruthTable& truth) {
  Matrix<double> row(1, truth.size());
  std::copy(truth.begin(), truth.end(), row.row(0).begin());
  return row;
}

// Every other gate by its name, and x + y, which is OR at three corners.
inline std::vector<Mistake> wrong_gates(const TruthTable& wanted) {
  std::vector<Mistake> mistakes{{{{0, 1, 1, 2}}, "that is x + y, and 2 at 11: the other factor must halve it there"},
                                {{{1, 0, 0, -1}}, "that is 1 - x - y, and -1 at 11"},
                                {{{0, 0, 0, 2}}, "that is 0 at 10 and 01 too: one factor is, where it must not be"},
                                {{{-1, 0, 0, 3}}, "that is right for inputs in {-1, 1} only"}};
  for (const Gate& gate : gates) {
    const bool negated = row_of(gate.truth) == Matrix<double>(1, 4, 1) - row_of(wanted);
    mistakes.push_back(
        {row_of(gate.truth), join("that is ", gate.name, negated ? "; 1 minus it is what is wanted" : "")});
  }
  return mistakes;
}

// ------------------------------------------------------------------------------------------------------------- 4.2

// The way back to one factor: dH has come to `own`·`other`, and what belongs to `own` is asked for.
inline std::vector<Mistake> wrong_factors(const Matrix<double>& dH, const Matrix<double>& own,
                                          const Matrix<double>& other) {
  return {{hadamard(dH, own), "that has its own factor in it; the slope of p·q in p is q"},
          {dH, "that is dH as it came: what does the factor stand next to?"},
          {other, "that is the slope alone; dH is missing"},
          {hadamard(dH, hadamard(own, other)), "that is dH ⊙ H: the slope of p·q in p is q alone"}};
}

// One factor's gradient D, n x h, as the reader has it, as it must be, and that of the other factor.
struct Branch {
  Matrix<double> yours, right, other;
};

// The mistakes in made(D), where D is right in one branch: made(D) is Xᵀ·D, or the column sums of D.
template <class Made>
std::vector<Mistake> wrong_parameters(const Branch& branch, const Matrix<double>& dH, Made made) {
  std::vector<Mistake> mistakes;
  if (branch.yours.shape() == branch.right.shape() && !agrees(branch.yours, branch.right, rounding))
    mistakes.push_back({made(branch.yours), "follows from what you have one step before: mend that first"});
  mistakes.push_back({made(branch.other), "that belongs to the other factor"});
  mistakes.push_back({made(dH), "made from dH; it has to pass the product first"});
  mistakes.push_back({1 / double(dH.rows()) * made(branch.right), "averaged over the n rows; they add"});
  return mistakes;
}

inline std::vector<Mistake> wrong_inputs(const Branch& p, const Branch& q, const Matrix<double>& W,
                                         const Matrix<double>& V) {
  const auto both = [&](const Matrix<double>& dP, const Matrix<double>& dQ) {
    return matmul(dP, transpose(W)) + matmul(dQ, transpose(V));
  };
  const Matrix<double> none(p.right.rows(), p.right.cols());
  std::vector<Mistake> mistakes;
  const bool fit = p.yours.shape() == p.right.shape() && q.yours.shape() == q.right.shape();
  if (fit && !(agrees(p.yours, p.right, rounding) && agrees(q.yours, q.right, rounding))) {
    const std::string first = ", and your dP or dQ is wrong: mend that first";
    mistakes.push_back({both(p.yours, q.yours), "follows from your dP and dQ: mend those first"});
    mistakes.push_back({both(p.yours, none), "the way through Q is missing" + first});
    mistakes.push_back({both(none, q.yours), "the way through P is missing" + first});
  }
  mistakes.push_back({both(p.right, none), "the way through Q is missing: X feeds both factors"});
  mistakes.push_back({both(none, q.right), "the way through P is missing: X feeds both factors"});
  mistakes.push_back({both(q.right, p.right), "W and V are exchanged: P came through W"});
  return mistakes;
}

// ------------------------------------------------------------------------------------------------------------- 4.3

// One value of a unit's two factors for each unit of the layer, as a row.
template <class F>
Matrix<double> of_units(const ProductLayer& layer, F f) {
  Matrix<double> row(1, layer.W.cols());
  for (std::size_t k = 0; k < row.cols(); ++k) row(0, k) = f(first_factor(layer, k), second_factor(layer, k));
  return row;
}

// What every unit gets when k is forgotten.
inline Matrix<double> of_unit_0(const Matrix<double>& row) { return Matrix<double>(1, row.cols(), row(0, 0)); }

inline std::vector<Mistake> wrong_xy(const ProductLayer& layer, const Matrix<double>& right) {
  const auto by = [&](auto f) { return of_units(layer, f); };
  return {
      {of_unit_0(right), "that of unit 0 for every unit: the column is k"},
      {by([](Factor w, Factor v) { return (w.x * v.y + w.y * v.x) / 2; }),
       "half of it: that stands in the symmetric matrix, on each side of the diagonal"},
      {by([](Factor w, Factor v) { return w.x * v.y; }), "w1·x meets v2·y, but there is a second pair"},
      {by([](Factor w, Factor v) { return w.y * v.x; }), "w2·y meets v1·x, but there is a second pair"},
      {by([](Factor w, Factor v) { return 2 * w.x * v.y; }), "the two terms are not equal: w1·v2 is not w2·v1"},
      {by([](Factor w, Factor v) { return 2 * w.y * v.x; }), "the two terms are not equal: w1·v2 is not w2·v1"},
      {by([](Factor w, Factor v) { return w.x * v.y - w.y * v.x; }), "the two terms add; that is a determinant"},
      {by([](Factor w, Factor v) { return w.x * v.x; }), "that is the coefficient of x²"},
      {by([](Factor w, Factor v) { return w.y * v.y; }), "that is the coefficient of y²"},
      {by([](Factor w, Factor v) { return w.x * v.x + w.y * v.y; }), "those are the coefficients of x² and y²"},
      {by([](Factor w, Factor v) { return w.x * w.y + v.x * v.y; }), "a term takes one weight from W and one from V"},
      {by([](Factor w, Factor v) { return w.at(1, 1) * v.at(1, 1); }), "that is the unit's value at x = y = 1"}};
}

inline std::vector<Mistake> wrong_one(const ProductLayer& layer, const Matrix<double>& right) {
  const auto by = [&](auto f) { return of_units(layer, f); };
  return {
      {of_unit_0(right), "that of unit 0 for every unit: the column is k"},
      {by([](Factor w, Factor v) { return w.one + v.one; }), "the factors are multiplied, not added"},
      {by([](Factor w, Factor) { return w.one; }), "that is b; the other factor has a constant, too"},
      {by([](Factor, Factor v) { return v.one; }), "that is c; the other factor has a constant, too"},
      {by([](Factor w, Factor v) { return w.one * v.one / 2; }), "half of it: b meets c once, and that is the whole"},
      {by([](Factor w, Factor v) { return 2 * w.one * v.one; }), "twice that: b meets c only once"},
      {by([](Factor w, Factor) { return w.one * w.one; }), "b meets c, not itself"}};
}

// ------------------------------------------------------------------------------------------------------------- 4.4

inline const std::string too_many_squares =
    "counts positive and negative squares together: one product holds one of each";

inline const std::vector<Misreading> wrong_circle{
    {1, "one product is zero on straight lines; this is zero on a circle"}, {3, too_many_squares}};
inline const std::vector<Misreading> wrong_bowl{
    {1, "a product is zero where one of its factors is; this is never zero"},
    {2, "a unit has at most one positive square, and the 1 is a square, too"}};
inline const std::vector<Misreading> wrong_bowl_with_bias{{1, "the bias takes no part of x² or y²"},
                                                          {3, "the bias can take something over"}};
inline const std::vector<Misreading> wrong_saddle{{2, too_many_squares}};
inline const std::vector<Misreading> wrong_product_and_one{{1, "(x + b)(y + c) with b·c = 1 has c·x + b·y in it, too"},
                                                           {3, too_many_squares}};
inline const std::vector<Misreading> wrong_six_terms{
    {2, "look for a square that is more than x + y"},
    {3, "the squares must be of independent things; is there a factor?"},
    {6, "terms are not units: one product has up to six"}};

// ------------------------------------------------------------------------------------------------------------- 4.6

inline const std::vector<Misreading> wrong_most_with_biases{
    {4, "that is a linear bottleneck; products of two numbers are functions of them, too"},
    {10, "that counts the products of two; biases let the four numbers themselves through"},
    {15, "the constant is a function, too, but the row of zeros forbids it: it is not 0 there"}};
inline const std::vector<Misreading> wrong_most_without_biases{
    {4, "that is a linear bottleneck; count the products of two numbers"},
    {6, "the squares are products of two, too"},
    {16, "x·y and y·x are the same function"},
    {14, "without biases the numbers themselves do not come through, only products of two"}};
inline const std::vector<Misreading> wrong_most_no_zeros{
    {10, "that is without biases"},
    {14, "that is with the row of zeros; what did it forbid?"},
    {16, "a function for each feature: which would be the sixteenth?"}};
inline const std::vector<Misreading> wrong_m_with_biases{{2, "two numbers have x², x·y, y², x, y: too few"},
                                                         {4, "enough, but fewer are, too, with biases"},
                                                         {7, "that is a linear bottleneck"}};
inline const std::vector<Misreading> wrong_m_without_biases{
    {2, "two numbers have three products of two: x², x·y, y²"},
    {3, "count the products of two out of three numbers; the numbers themselves do not come through"},
    {7, "that is a linear bottleneck"}};
inline const std::vector<Misreading> wrong_m_linear{
    {3, "there are no products here"},
    {4, "there are no products here"},
    {6, "a constant could replace one number, but for the row of zeros; and X·E·U has none"},
    {8, "the row of zeros comes back as zeros by itself"}};
inline const std::vector<Misreading> wrong_lowest_loss{
    {1, "that is the sum of all squares; the loss is their mean"},
    {1.0 / 7, "a mean over 7: how many entries have eight rows of seven?"},
    {1.0 / 8, "a mean over the rows; it runs over all entries"},
    {1.0 / 49, "the row of zeros is right, and counts in the mean, too"},
    {1.0 / 42, "7 features and 8 rows, not 6 and 7"},
    {2.0 / 56, "not two: six dimensions out of seven leave one"}};

}  // namespace lesson4
