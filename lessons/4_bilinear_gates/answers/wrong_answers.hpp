// Lesson 4: the wrong answers to its exercises that come to mind, and what is wrong with each. check.cpp compares with
// them what does not pass, so that a reader learns more than where two numbers differ.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/diagnosis.hpp"
#include "common/support/exercise.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"

namespace lesson4 {

using namespace exercise;

// ------------------------------------------------------------------------------------------------------------- 4.1

inline Matrix<double> row_of(const TruthTable& truth) {
  Matrix<double> row(1, truth.size());
  std::copy(truth.begin(), truth.end(), row.row(0).begin());
  return row;
}

// Every other gate by its name, and some sums, for inputs -1 and 1.
inline std::vector<Mistake> wrong_gates(const TruthTable& wanted) {
  std::vector<Mistake> mistakes;
  for (const Gate& gate : gates) {
    const bool negated = row_of(gate.truth) == Matrix<double>(1, 4, 1) - row_of(wanted);
    mistakes.push_back(
        {row_of(gate.truth), join("that is ", gate.name, negated ? "; 1 minus it is what is wanted" : "")});
  }
  return mistakes;
}

// A reader's product at 00, 10, 01, 11, and at the corners of the square from -1 to 1, in the same order.
inline Matrix<double> on_bits(const Factor& w, const Factor& v) { return row_of(truth_of(multiplied_out(w, v))); }
inline Matrix<double> on_signs(const Factor& w, const Factor& v) {
  Matrix<double> row(1, corners.size());
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const double s = 2 * corners[k][0] - 1, t = 2 * corners[k][1] - 1;
    row(0, k) = w.at(s, t) * v.at(s, t);
  }
  return row;
}

inline bool is_zero(const Factor& f) { return f.x == 0 && f.y == 0 && f.one == 0; }

// Tells whether the product is right once a bias has what (4.6) adds to it; the weights are halved already.
inline bool lacks_half_in_bias(const Factor& w, const Factor& v, const Matrix<double>& right, double tolerance) {
  const auto added = [](Factor f) { return Factor{f.x, f.y, f.one + f.x + f.y}; };
  return agrees(on_signs(added(w), added(v)), right, tolerance) || agrees(on_signs(added(w), v), right, tolerance) ||
         agrees(on_signs(w, added(v)), right, tolerance);
}

// Says what is wrong with a reader's gate for inputs -1 and 1. A weight moves all four corners at once, so no single corner is
// said to lack a factor.
inline std::string diagnose_gate(const Factor& w, const Factor& v, const TruthTable& truth) {
  const Matrix<double> yours = on_signs(w, v), right = row_of(truth);
  // At the corners sums of three terms round; a fraction written as 0.3333 is off by more.
  constexpr double tolerance = 1e-9;
  if (agrees(yours, right, tolerance)) return "";
  if (is_zero(w) && is_zero(v)) return "both factors are still zero";
  if (is_zero(w) || is_zero(v)) return "one factor is still zero, and so is the product";
  if (agrees(on_bits(w, v), right, tolerance)) return "right for inputs 0 and 1; here they are -1 and 1";
  const Matrix<double> as_signs = map(right, [](double bit) { return 2 * bit - 1; });
  if (agrees(yours, as_signs, tolerance)) return "the outputs are -1 and 1; they must be 0 and 1";
  // Halved weights with the old biases can be another gate by accident, as NAND's are OR: then both are said.
  const std::string lacks = lacks_half_in_bias(w, v, right, tolerance)
                                ? "if the weights are halved: a half of each goes to the bias of its factor, too"
                                : "";
  for (const Mistake& mistake : wrong_gates(truth))
    if (agrees(yours, mistake.value, tolerance)) return mistake.reason + (lacks.empty() ? "" : "; " + lacks);
  if (!lacks.empty()) return lacks;
  const double factor = dot(yours, right) / dot(right, right);
  if (agrees(yours, factor * right, tolerance))
    return join("every corner is ", significant(factor), " times what it must be: divide one of the factors");
  constexpr const char* places[] = {"(-1,-1)", "(1,-1)", "(-1,1)", "(1,1)"};
  std::size_t count = 0, first = 4;
  for (std::size_t k = 0; k < 4; ++k) {
    if (std::abs(yours(0, k) - right(0, k)) <= tolerance) ++count;
    else if (first == 4) first = k;
  }
  return join("right at ", count, " of 4 corners, and each weight moves all of them: at ", places[first], " ",
              two_values(yours(0, first), right(0, first), "wanted"));
}

// ------------------------------------------------------------------------------------------------------------- 4.2

// The ways back to P of P ⊙ Q ⊙ Q that come to mind.
inline std::vector<Mistake> wrong_single(const Matrix<double>& dH, const Matrix<double>& P, const Matrix<double>& Q) {
  const Matrix<double> squares = hadamard(Q, Q);
  return {{hadamard(dH, Q), "that is the way back through P ⊙ Q; here Q stands twice"},
          {hadamard(dH, P), "that has its own factor in it; the slope of p·q·q in p is all that stands beside p"},
          {dH, "that is dH as it came: what does P stand next to?"},
          {squares, "that is the slope alone; dH is missing"},
          {2 * hadamard(dH, squares), "P stands only once, so nothing is doubled"},
          {2 * hadamard(dH, hadamard(P, Q)), "that belongs to the other factor"},
          {2 * hadamard(dH, Q), "that is the slope of q·q; P is multiplied by it, not bent by it"},
          {hadamard(dH, hadamard(P, squares)), "that is dH ⊙ H: the slope in p is what is left without p"}};
}

// The ways back to Q.
inline std::vector<Mistake> wrong_double(const Matrix<double>& dH, const Matrix<double>& P, const Matrix<double>& Q) {
  const Matrix<double> product = hadamard(P, Q);
  return {{hadamard(dH, product), "Q stands twice, and both places collect"},
          {hadamard(dH, P), "that is the way back through P ⊙ Q; here Q stands twice"},
          {2 * hadamard(dH, P), "of the two places of Q only one moves at a time: the other stays as a factor"},
          {2 * hadamard(dH, Q), "P stands beside the square, too"},
          {dH, "that is dH as it came: what does Q stand next to?"},
          {2 * product, "that is the slope alone; dH is missing"},
          {hadamard(dH, hadamard(Q, Q)), "that belongs to the other factor"},
          {hadamard(dH, hadamard(product, Q)), "that is dH ⊙ H: the slope of q·q is not q·q"}};
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
  const auto product = [&](const Matrix<double>& dP, const Matrix<double>& dQ) {
    return hadamard(matmul(dP, transpose(W)), matmul(dQ, transpose(V)));
  };
  const std::string multiplied = "the two ways are multiplied: what comes back on two ways adds";
  if (mistakes.empty()) mistakes.push_back({product(p.right, q.right), multiplied});
  else mistakes.push_back({product(p.yours, q.yours), multiplied});
  mistakes.push_back({both(p.right, none), "the way through Q is missing: X feeds both factors"});
  mistakes.push_back({both(none, q.right), "the way through P is missing: X feeds both factors"});
  mistakes.push_back({both(q.right, p.right), "W and V are exchanged: P came through W"});
  mistakes.push_back({both(p.right, 2 * q.right), "the 2 is in dQ already; here it stands twice"});
  mistakes.push_back({both(2 * p.right, 2 * q.right), "doubled: the 2 is in dQ already, and that is all"});
  return mistakes;
}

// ------------------------------------------------------------------------------------------------------------- 4.3

// One factor of a unit with three inputs: its weights of x, y, z and its bias.
struct Factor3 {
  double x, y, z, one;
};

// One value of a unit's two factors for each unit of the layer, as a row.
template <class F>
Matrix<double> of_units(const ProductLayer<double>& layer, F f) {
  Matrix<double> row(1, layer.W.cols());
  const auto factor = [](const Matrix<double>& W, const Matrix<double>& b, std::size_t k) {
    return Factor3{W(0, k), W(1, k), W(2, k), b(0, k)};
  };
  for (std::size_t k = 0; k < row.cols(); ++k) row(0, k) = f(factor(layer.W, layer.b, k), factor(layer.V, layer.c, k));
  return row;
}

// What every unit gets when k is forgotten.
inline Matrix<double> of_unit_0(const Matrix<double>& row) { return Matrix<double>(1, row.cols(), row(0, 0)); }

inline std::vector<Mistake> wrong_xz(const ProductLayer<double>& layer, const Matrix<double>& right) {
  using F = Factor3;
  const auto by = [&](auto f) { return of_units(layer, f); };
  return {{of_unit_0(right), "that of unit 0 for every unit: the column is k"},
          {0.5 * right, "half of it: that stands in a symmetric matrix, on each side of the diagonal"},
          {by([](F w, F v) { return w.x * v.z; }), "w1·x meets v3·z, but there is a second pair"},
          {by([](F w, F v) { return w.z * v.x; }), "w3·z meets v1·x, but there is a second pair"},
          {by([](F w, F v) { return 2 * w.x * v.z; }), "the two terms are not equal: w1·v3 is not w3·v1"},
          {by([](F w, F v) { return 2 * w.z * v.x; }), "the two terms are not equal: w1·v3 is not w3·v1"},
          {by([](F w, F v) { return w.x * v.z - w.z * v.x; }), "the two terms add; that is a determinant"},
          {by([](F w, F v) { return w.x * v.y + w.y * v.x; }),
           "that is the coefficient of x·y: the weights of z are in row 2"},
          {by([](F w, F v) { return w.y * v.z + w.z * v.y; }),
           "that is the coefficient of y·z: the weights of x are in row 0"},
          {by([](F w, F v) { return w.x * v.x + w.z * v.z; }), "those are the coefficients of x² and z²"},
          {right + by([](F w, F v) { return w.x * v.x; }), "w1·v1 is in it, too, and stands before x²"},
          {right + by([](F w, F v) { return w.z * v.z; }), "w3·v3 is in it, too, and stands before z²"},
          {right + by([](F w, F v) { return w.x * v.x + w.z * v.z; }), "the coefficients of x² and z² are in it, too"},
          {by([](F w, F v) { return w.x * w.z + v.x * v.z; }), "a term takes one weight from W and one from V"}};
}

inline std::vector<Mistake> wrong_z(const ProductLayer<double>& layer, const Matrix<double>& right) {
  using F = Factor3;
  const auto by = [&](auto f) { return of_units(layer, f); };
  return {{of_unit_0(right), "that of unit 0 for every unit: the column is k"},
          {0.5 * right, "half of it: that stands in a symmetric matrix, on each side of the diagonal"},
          {by([](F w, F v) { return w.z + v.z; }), "z alone is z times a bias: the factors are multiplied, not added"},
          {by([](F w, F v) { return w.z * v.one; }), "w3·z meets c, but there is a second pair"},
          {by([](F w, F v) { return w.one * v.z; }), "b meets v3·z, but there is a second pair"},
          {by([](F w, F v) { return w.z * w.one + v.z * v.one; }),
           "a bias meets the weight of the other factor, not of its own"},
          {by([](F w, F v) { return w.z * v.z; }), "that is the coefficient of z²"},
          {right + by([](F w, F v) { return w.z * v.z; }), "w3·v3 is in it, too, and stands before z²"},
          {right + by([](F w, F v) { return w.one * v.one; }), "b·c is in it, too, and stands without z"},
          {by([](F w, F v) { return w.y * v.one + w.one * v.y; }),
           "that is the coefficient of y: the weights of z are in row 2"},
          {by([](F w, F v) { return w.one * v.one; }), "that is the constant"}};
}

// Says what is wrong with a number for each unit. These are numbers and no matrix, so there is no shape to speak of.
inline std::string diagnose_units(const Matrix<double>& yours, const Matrix<double>& right,
                                  const std::vector<Mistake>& mistakes) {
  if (agrees(yours, right, rounding)) return "";
  if (const std::string reason = reason_among(mistakes, yours, rounding); !reason.empty()) return reason;
  if (agrees(-1 * yours, right, rounding)) return "the sign";
  if (yours == Matrix<double>(1, yours.cols())) return "still zero";
  for (std::size_t k = 0; k < right.cols(); ++k)
    if (!agrees({{yours(0, k)}}, {{right(0, k)}}, rounding))
      return join("this is not the sum of the two products that are wanted: for unit ", k, " ",
                  two_values(yours(0, k), right(0, k), "right"));
  return "";
}

// ------------------------------------------------------------------------------------------------------------- 4.4

inline const std::string too_many_squares =
    "counts positive and negative squares together: one product holds one of each";

inline const std::vector<Misreading> wrong_circle{
    {1, "one product is zero on straight lines; this is zero on a circle"}, {3, too_many_squares}};
inline const std::vector<Misreading> wrong_bowl{
    {1, "a product is zero where one of its factors is; this is never zero"},
    {2, "a unit has at most one positive square, and what is left of the constant is a square, too"},
    {4, "the linear term needs no unit: it completes a square"}};
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
    {2, "that is the sum of all squares; the loss is their mean"},
    {1, "that is a sum, and of one feature too many; how many functions do three numbers have, for eight features?"},
    {2.0 / 8, "a mean over 8: how many entries have nine rows of eight?"},
    {2.0 / 9, "a mean over the rows; it runs over all entries"},
    {2.0 / 64, "the row of zeros is right, and counts in the mean, too"},
    {1.0 / 72, "one direction is missed where there is one function too few: how many are too few here?"},
    {1.0 / 56, "that is seven features; here are eight"},
    {3.0 / 72, "the products of two alone are more than five"},
    {5.0 / 72, "three numbers have more functions than three: products of two"}};

// ------------------------------------------------------------------------------------------------------------- 4.5

// The gradients of W, b and X of a layer of squares, through a wrong dP: the first is what the given file does.
struct WrongSquare {
  Matrix<double> dP;
  std::string reason;
};
inline std::vector<WrongSquare> wrong_squares(const Matrix<double>& dH, const Matrix<double>& P) {
  return {{hadamard(dH, P), "as given"},
          {dH, "the square has been left out: what comes back to P passes it"},
          {2 * dH, "the slope of a square depends on the number"},
          {2 * P, "dH is missing in what comes back to P"},
          {hadamard(dH, hadamard(P, P)), "that is dH ⊙ H: a square is not its own slope"},
          {2 * hadamard(dH, hadamard(P, P)), "that is twice dH ⊙ H: a square is not its own slope"},
          {4 * hadamard(dH, P), "doubled twice: once for each of two places, and that is all"}};
}

// ------------------------------------------------------------------------------------------------------------- 4.7

inline const std::string of_bits = "that is of outputs 0 and 1; here they are -1 and 1";
inline const std::string unsigned_corners = "counted without signs: even corners count minus";
inline const std::vector<Misreading> wrong_majority{{-2, of_bits},
                                                    {4, "the sign: at which corners is it 1, odd or even ones?"},
                                                    {2, "the sign, and it is of outputs 0 and 1"},
                                                    {0, unsigned_corners},
                                                    {-6, "one odd corner has a majority, too"},
                                                    {-1, "the even corners have a part in it, too"}};
inline const std::vector<Misreading> wrong_exactly_one{{3, of_bits},
                                                       {-6, "the sign: corners with one 1 are odd"},
                                                       {-2, unsigned_corners},
                                                       {2, "the even corners say -1 each, and count minus"},
                                                       {8, "at the fourth odd corner all three are 1"}};
inline const std::vector<Misreading> wrong_at_least_one{{1, of_bits},
                                                        {6, unsigned_corners},
                                                        {-2, "the sign: one even corner says -1, and no odd one"},
                                                        {4, "it is 1 at three even corners, too"},
                                                        {0, "000 is the one corner at which it is -1: odd or even?"}};
inline const std::vector<Misreading> wrong_without_z{{2, "z is 0 or 1: there are two corners with x AND NOT y"},
                                                     {-2, "z is 0 or 1: there are two corners with x AND NOT y"},
                                                     {-4, unsigned_corners},
                                                     {4, "the two corners differ in z: one of them is even"}};
inline const std::string shared_out = "|κ| is shared out among the eight corners";
inline const std::vector<Misreading> wrong_miss{
    {4, "that is |κ|; it is shared out among the eight corners"},
    {-0.5, "a distance is not negative"},
    {1, "shared out among four corners, but there are eight"},
    {0.25, "that is of outputs 0 and 1, or the square of the distance"},
    {0.75, "that follows from κ = 6 or -6, which the majority has not: " + shared_out},
    {0.125, "that follows from κ = 1 or -1, which the majority has not: " + shared_out}};
inline const std::vector<Misreading> wrong_count{{4, "three odd corners and no even one is one way; is there another?"},
                                                 {1, "three of four odd corners can be chosen in more than one way"},
                                                 {16, "of each kind there are four"},
                                                 {70, "those have κ = 0"},
                                                 {0, "some have it: at which corners must it be 1?"}};

// ------------------------------------------------------------------------------------------------------------- 4.8

// Says what is wrong where a unit's answers at the four corners are these and others were wanted; empty where that is unknown.
inline std::string wrong_unit(const TruthTable& said, const TruthTable& wanted) {
  const auto right = [&](std::size_t k) { return std::abs(said[k] - wanted[k]) <= 1e-9 * (1 + std::abs(wanted[k])); };
  const auto turned = [&](std::size_t k, std::size_t other) {
    return std::abs(said[k] - wanted[other]) <= 1e-9 * (1 + std::abs(wanted[other]));
  };
  const std::size_t count = right(0) + right(1) + right(2) + right(3);
  if (turned(1, 2) && turned(2, 1)) return "x and y are exchanged: f[1] is wanted at 10, f[2] at 01";
  if (said[1] == said[0] && said[2] == said[0] && said[3] == said[0])
    return "both factors are constants: a factor must look at x, and one at y";
  // With the stretch s = (f[3] - f[1])/(f[2] - f[0]) upside down the last corner says f[1] + (f[2] - f[0])/s; or y for x.
  const auto upside_down = [&](std::size_t from, std::size_t rise_to) {
    const double rise = wanted[rise_to] - wanted[0];
    return std::abs((said[3] - wanted[from]) * (wanted[3] - wanted[from]) - rise * rise) <= 1e-9 * (1 + rise * rise);
  };
  if (count == 3 && !right(3) && (upside_down(1, 2) || upside_down(2, 1)))
    return "three corners are right; at 11 the stretch from one side to the other is upside down";
  if (count == 3)
    return "three corners are right; two weights of the six are still free: which of them moves the fourth alone?";
  if (right(0) && count == 1)
    return "right at 00; along x and along y the product has a square, too: what does it add at 1?";
  if (count == 2) return "right at two corners: what do the free weights do at the other two?";
  return "";
}

}  // namespace lesson4
