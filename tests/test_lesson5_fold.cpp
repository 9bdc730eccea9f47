// Tests of lesson 5's tensors of order three (model/01_tensor) and of folding (model/03_fold).
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "lessons/5_tensor_folding/model/03_fold.hpp"
#include "lessons/5_tensor_folding/model/14_squares.hpp"
#include "tests/gradients.hpp"
#include "tests/lesson5_nets.hpp"
#include "tests/models.hpp"

using namespace lesson5;
using Slices = std::vector<Numbers>;

// ---------------------------------------------------------------------------------------------- a tensor, by hand

// Two products of three inputs: w_0 = (1, 3, 0), v_0 = (2, 1, -1); w_1 = (2, -1, 2), v_1 = (0, 1, 3).
static const Numbers W{{1, 2}, {3, -1}, {0, 2}}, V{{2, 0}, {1, 1}, {-1, 3}};
static const Numbers U{{1, 0, 2}, {-1, 1, 1}};  // three outputs
static const Numbers E{{1, 0, 2}, {0, 1, -1}};  // two inputs in front

// Small whole numbers: nothing is rounded, and everything must be equal.
static void by_hand(Checks& check) {
  const Tensor3 B = product_tensor(W, V);
  check.that(B.slices == Slices{{{2, 1, -1}, {6, 3, -3}, {0, 0, 0}}, {{0, 2, 6}, {0, -1, -3}, {0, 2, 6}}},
             "B = w_k·v_kᵀ");
  check.that(B.outputs() == 2 && B.shape() == Shape{3, 3} && B(1, 0, 2) == 6, "its sizes and an entry");
  // At x = (1, 2, 3): 7·1 and 6·11. At (1, 0, 0): 1·2 and 2·0.
  check.that(evaluate(B, {{1, 2, 3}, {1, 0, 0}}) == Numbers{{7, 66}, {2, 0}}, "evaluate: xᵀ·B·x is (W·x)·(V·x)");
  check.that(fold_behind(B, U).slices == Slices{{{2, -1, -7}, {6, 4, 0}, {0, -2, -6}},
                                                {{0, 2, 6}, {0, -1, -3}, {0, 2, 6}},
                                                {{4, 4, 4}, {12, 5, -9}, {0, 2, 6}}},
             "a linear map behind: B_0 - B_1, B_1, 2·B_0 + B_1");
  // E·w_0 = (1, 3), E·v_0 = (0, 2); E·w_1 = (6, -3), E·v_1 = (6, -2).
  check.that(fold_in_front(B, E).slices == Slices{{{0, 2}, {0, 6}}, {{36, -12}, {-18, 6}}}, "a linear map in front");
  check.that(fold_factors(matmul(E, W), matmul(E, V), U).slices ==
                 Slices{{{-36, 14}, {18, 0}}, {{36, -12}, {-18, 6}}, {{36, -8}, {-18, 18}}},
             "both at once, from the factors");

  Tensor3 t(1, 2, 2);
  check.that(t.slices == Slices{{{0, 0}, {0, 0}}}, "a new tensor is zero");
  t(0, 0, 0) = 1;
  t(0, 0, 1) = 4;
  t(0, 1, 0) = 2;
  t(0, 1, 1) = 3;
  check.that(symmetric(t).slices == Slices{{{1, 3}, {3, 3}}}, "symmetric: the diagonal stays");
  check.that(triangular(t).slices == Slices{{{1, 6}, {0, 3}}}, "triangular: the diagonal stays");
}

// With quarters all sums are exact, so what is equal in mathematics is equal to the bit.
static void same_outputs(Checks& check) {
  Random random(1);
  const auto w = quarters(4, 5, random), v = quarters(4, 5, random), u = quarters(5, 3, random),
             e = quarters(6, 4, random), X = quarters(7, 6, random);
  const Tensor3 B = product_tensor(w, v);
  const Tensor3 UBE = fold_in_front(fold_behind(B, u), e);
  check.that(UBE.outputs() == 3 && UBE.shape() == Shape{6, 6}, "UBE: outputs x inputs x inputs");
  check.that(fold_behind(fold_in_front(B, e), u).slices == UBE.slices, "behind and in front, in either order");
  check.that(fold_factors(matmul(e, w), matmul(e, v), u).slices == UBE.slices, "and from the factors");
  const Numbers Z = matmul(X, e), Y = matmul(hadamard(matmul(Z, w), matmul(Z, v)), u);
  check.that(evaluate(UBE, X) == Y, "the tensor is the net");
  check.that(evaluate(symmetric(UBE), X) == Y && evaluate(triangular(UBE), X) == Y, "so are its two tidy forms");
  for (std::size_t o = 0; o < 3; ++o)
    for (std::size_t p = 0; p < 6; ++p)
      for (std::size_t q = 0; q < 6; ++q) {
        check.that(symmetric(UBE)(o, p, q) == symmetric(UBE)(o, q, p), "symmetric");
        if (p > q) check.that(triangular(UBE)(o, p, q) == 0, "nothing below the diagonal");
      }
}

static void shapes(Checks& check) {
  using Wrong = std::invalid_argument;
  const Tensor3 B = product_tensor(W, V);
  check.throws<Wrong>([&] { product_tensor(W, E); }, "product_tensor: 3 x 2 and 2 x 3", "W and V of two shapes");
  check.throws<Wrong>([&] { evaluate(B, {{1, 2}}); }, "matmul: 1 x 2 and 3 x 3", "too few inputs");
  check.throws<Wrong>([&] { fold_behind(B, W); }, "fold_behind: 2 x 1 and 3 x 2", "three rows for two products");
  check.throws<Wrong>([&] { fold_in_front(B, W); }, "matmul: 3 x 2 and 3 x 3", "a map to two numbers for three");
  check.throws<Wrong>([&] { fold_factors(W, V, W); }, "fold_factors: 3 x 2 and 3 x 2", "factors and a wrong U");
  check.throws<Wrong>([&] { fold_factors(W, E, U); }, "fold_factors: 3 x 2 and ", "factors of two shapes");
  check.throws<Wrong>([&] { symmetric(Tensor3(1, 2, 3)); }, "+: 2 x 3 and 3 x 2", "no square to symmetrise");
  check.throws<Wrong>([&] { extended(W, Numbers{{1, 2, 3}}); }, "extended: 3 x 2 and 1 x 3", "a bias too long");
  check.throws<Wrong>([&] { with_last_row(W, Numbers{{1}, {2}}); }, "extended: 3 x 2 and 2 x 1", "a bias upright");
}

// ---------------------------------------------------------------------------------------------------------- biases

static void constants(Checks& check) {
  const Numbers A{{1, 2}, {3, 4}, {5, 6}}, a{{7, 8}}, X{{1, -1, 2}, {0, 3, 1}};
  check.that(extended(A, a) == Numbers{{1, 2, 0}, {3, 4, 0}, {5, 6, 0}, {7, 8, 1}}, "[A 0; a 1]");
  check.that(with_last_row(A, a) == Numbers{{1, 2}, {3, 4}, {5, 6}, {7, 8}}, "[A; a]");
  check.that(with_one(X) == Numbers{{1, -1, 2, 1}, {0, 3, 1, 1}}, "a column of ones");
  check.that(matmul(with_one(X), extended(A, a)) == with_one(add_row(matmul(X, A), a)),
             "the constant is carried through");
  check.that(matmul(with_one(X), with_last_row(A, a)) == add_row(matmul(X, A), a), "or left behind at last");
}

static void folded_nets(Checks& check) {
  Random random(2);
  for (const NetForm& form : forms) {
    const std::string what = name_of(form);
    const Net<double> net = random_net<double>(form, random);
    const auto X = normal_matrix<double>(20, 6, 1, random);
    const Numbers Y = output(net, X);
    const Tensor3 t = fold(net), S = symmetric(t);
    const Slices quadratic = quadratic_slices(net);
    check.that(t.outputs() == 3 && t.shape() == Shape{7, 7}, what + ": over the inputs and the constant");
    check.near(max_abs_difference(evaluate(t, with_one(X)), Y) / largest_entry(Y), 0, exact_enough, what + ": fold");
    double constant = 0;
    for (const Numbers& slice : t.slices)
      for (std::size_t p = 0; p < 7; ++p) constant = std::max({constant, std::abs(slice(p, 6)), std::abs(slice(6, p))});
    check.that((constant == 0) == (form.biases == Biases::without),
               what + ": the constant's row and column are zero without biases");

    // At X = 0 the logits are the constant parts, and their gradients the linear ones. What is left is quadratic.
    const Numbers at_zero = output(net, Numbers(1, 6));
    for (std::size_t o = 0; o < 3; ++o) {
      Numbers one(1, 3), expected(20, 1), found(20, 1);
      one(0, o) = 1;
      const Numbers linear = gradients(net, Numbers(1, 6), weighted_by(one)).dX;
      const Numbers& Q = quadratic[o];
      check.near(S(o, 6, 6), at_zero(0, o), exact_enough * largest_entry(Y), what + ": S[o,n,n] is the constant");
      for (std::size_t p = 0; p < 6; ++p)
        check.near(2 * S(o, p, 6), linear(0, p), exact_enough * largest_entry(Y),
                   what + ": 2·S[o,p,n] is the linear part");
      for (std::size_t r = 0; r < 20; ++r) {
        expected(r, 0) = Y(r, o) - at_zero(0, o);
        for (std::size_t p = 0; p < 6; ++p) expected(r, 0) -= linear(0, p) * X(r, p);
        for (std::size_t p = 0; p < 6; ++p)
          for (std::size_t q = 0; q < 6; ++q) found(r, 0) += X(r, p) * Q(p, q) * X(r, q);
      }
      check.near(max_abs_difference(found, expected), 0, exact_enough * largest_entry(Y),
                 what + ": the quadratic part");
      check.that(Q.shape() == Shape{6, 6}, what + ": a slice over the inputs alone");
    }
    check.that(quadratic.size() == 3, what + ": a slice for each output");
  }

  // What was trained in float is folded in double: nothing is lost on the way.
  Net<double> wide = random_net<double>(forms[0], random);
  Net<float> trained(forms[0]);
  same_numbers(wide.tensors(), trained.tensors());
  check.that(fold(trained).slices == fold(wide).slices, "a net of floats is folded in double");
}

// Any product net without an embedding as squares; and by hand (x + 1)(x - 1) = x² - 1².
static void products_as_squares(Checks& check) {
  Random random(3);
  for (const NetForm& form : forms) {
    if (form.embedding) continue;
    const Net<double> net = random_net<double>(form, random);
    const auto X = normal_matrix<double>(20, 6, 1, random);
    const Numbers Y = output(net, X);
    check.near(max_abs_difference(output(squares_of(net), X), Y) / largest_entry(Y), 0, exact_enough,
               name_of(form) + ": as squares");
  }
  Net<double> net({1, 0, 1, 1});
  net.W = net.V = {{1}};
  net.b = {{1}};
  net.c = {{-1}};
  net.U = {{3}};
  const SquareNet<double> squares = squares_of(net);
  check.that(squares.W == Numbers{{1, 0}} && squares.b == Numbers{{0, 1}} && squares.U == Numbers{{3}, {-3}},
             "3(x + 1)(x - 1) = 3·x² - 3·1²");
}

// Of 0, 1, 8, 27, 64: 1 7 19 37, 6 12 18, 6 6, 0; beside it a straight line, which ends earlier.
static void differences(Checks& check) {
  const std::vector<double> found = differences_along({{0, 1}, {1, 2}, {8, 3}, {27, 4}, {64, 5}});
  const std::vector<double> expected{1, 37.0 / 64, 18.0 / 64, 6.0 / 64, 0};
  check.that(found == expected, "differences of cubes");
}

int main() {
  Checks check;
  by_hand(check);
  same_outputs(check);
  shapes(check);
  constants(check);
  folded_nets(check);
  products_as_squares(check);
  differences(check);
  return check.done("test_lesson5_fold");
}
