// Tests of what lesson 5 reads from tensors and weights: patterns that fool, unfoldings, composition, bounds,
// dictionaries and directions (model/07 and 09 to 13).
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "lessons/5_tensor_folding/model/03_fold.hpp"
#include "lessons/5_tensor_folding/model/07_fooling.hpp"
#include "lessons/5_tensor_folding/model/09_unfolding.hpp"
#include "lessons/5_tensor_folding/model/10_composition.hpp"
#include "lessons/5_tensor_folding/model/11_bounds.hpp"
#include "lessons/5_tensor_folding/model/12_dictionary.hpp"
#include "lessons/5_tensor_folding/model/13_directions.hpp"
#include "lessons/5_tensor_folding/run/train_toy.hpp"
#include "tests/check.hpp"

using namespace lesson5;

static void unfoldings(Checks& check) {
  Tensor3 t(2, 2, 2);
  t.slices = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
  check.that(output_unfolding(t) == Matrix<double>{{1, 2, 3, 4}, {5, 6, 7, 8}}, "output mode: a slice a row");
  check.that(input_unfolding(t) == Matrix<double>{{1, 2, 5, 6}, {3, 4, 7, 8}}, "input mode: an input a row");
  check.that(count_above({4, 2, 1e-9}, 1e-6) == 2, "counting singular values");
  const std::vector<double> where = leverage(svd(Matrix<double>{{3, 0}, {0, 0}, {0, 2}}), 2);
  check.near(std::abs(where[0] - 1) + std::abs(where[1]) + std::abs(where[2] - 1), 0, 1e-15, "inputs in use, or not");
}

// M of M = S[t] - mean S as a matrix, against what is made of its factors.
static void directions_that_fool(Checks& check) {
  Random random(1);
  const Net<float> net({9, 0, 5, 10, Biases::without}, random);
  const std::vector<Matrix<double>> S = quadratic_slices(net);
  Matrix<double> M = S[4];
  for (const Matrix<double>& slice : S) M += -0.1 * slice;
  const Net<double> one = contrast(net, 4);
  const auto X = normal_matrix<double>(3, 9, 1, random);
  check.near(max_abs_difference(times_M(one, X), matmul(X, M)), 0, 1e-14, "x·M from the factors");
  const Matrix<double> v = fooling_direction(one), ink = ink_direction(one);
  const Eigen whole = eigen_symmetric(M);
  check.near(dot(matmul(v, M), v), *std::max_element(whole.values.begin(), whole.values.end()), 1e-13,
             "the top eigenvalue of M");
  check.that(std::accumulate(v.values().begin(), v.values().end(), 0.0) > 0, "the sign that gains by ink");
  const Matrix<double> from_ones = matmul(Matrix<double>(1, 9, 1), M);
  check.near(dot(ink, from_ones), std::sqrt(dot(from_ones, from_ones)), 1e-13, "M·1");
  for (const Matrix<double>& direction : {v, ink})
    check.near(dot(direction, direction), 1, 1e-13, "a direction has length 1");
  Net<double> other = one;  // W, and so M, with the opposite sign: the ink direction turns round
  other.W = -1 * one.W;
  check.near(max_abs_difference(ink_direction(other), -1 * ink), 0, 1e-14, "M·1 goes with M's sign");
}

static void attacks(Checks& check) {
  Net<float> net({1, 0, 1, 10, Biases::without});  // logits of class 3: x²
  net.W = {{1}};
  net.V = {{1}};
  net.U(0, 3) = 1;
  Images images{1, 1, Matrix<float>{{0}, {0}, {1}}, {0, 3, 3}};
  const std::vector<double> v{1};
  const Attack none = attack(net, images, 3, v, 0), moved = attack(net, images, 3, v, 2);
  check.near(none.success, 0, 0, "nothing added, nothing taken for a 3");
  check.near(moved.success, 1, 0, "the one image that is no 3 is taken for one");
  check.near(moved.accuracy, 2 / 3.0, 1e-15, "and two of three are right");
  images.labels = {3, 3, 3};
  check.near(attack(net, images, 3, v, 2).success, 0, 0, "no image of another class");
}

static void composition(Checks& check) {
  Tensor3 T1(2, 2, 2), T2(1, 2, 2);
  T1.slices = {{{1, 0}, {0, 0}}, {{0, 1}, {0, 0}}};  // x0², x0·x1
  T2.slices = {{{0, 2}, {0, 0}}};                    // twice their product
  const std::vector<double> F = fold_twice(T1, T2)[0], x{3, 5};
  check.near(evaluate_order_four(F, x), 2 * 9 * 15, 0, "x0²·x0·x1, twice");
  check.near(distinct_of_degree_four(4), 70, 0, "monomials of degree at most 4 in 4 variables");
  const auto terms = terms_of_degree_four({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, 2);
  check.that(terms.size() == 5 && terms.at({0, 0, 0, 1}) == 2 + 3 + 5 + 9 && terms.at({1, 1, 1, 1}) == 16,
             "entries whose inputs are the same make one term");
}

// One unit whose weights point along an input: all that the norms allow.
static void bound_of_relu(Checks& check) {
  ReluNet<float> net({3, 2, 2});
  net.W = {{3, 0}, {0, 0}, {4, 0}};
  net.b = {{0.5, 0}};
  net.U = {{-2, 0}, {0, 1}};
  net.d = {{7, 7}};
  check.near(share_of_bound(net, Matrix<double>{{6, 0, 8}}), 1, 1e-6,
             "the ReLU net's bound is reached along its weights");
  check.near(share_of_bound(net, Matrix<double>{{0, 1, 0}, {-3, 0, -4}}), 1 / 11.0, 1e-6, "and by nothing else");
}

// Rows that are sums of two of four known atoms.
static void dictionaries(Checks& check) {
  Random random(2);
  const Matrix<double> atoms = unit_rows({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, -1, -1}});
  const Matrix<double> Z = matmul(draw_features(600, 4, 0.2, EmptyRows::redrawn, random), atoms);
  const Dictionary d = learn_dictionary(Z, 4, 3, 80, random);
  check.that(recovered(atoms, d.D) == 4, "four atoms are found");
  check.that(recovered(atoms, Matrix<double>{{1, 0, 0}, {0, -1, 0}}) == 1, "a direction and its opposite differ");
  for (const double c : d.C.values()) check.that(c >= 0, "codes are not negative");
  const auto A = normal_matrix<double>(5, 3, 1, random);
  check.near(max_abs_difference(matmul(pseudo_inverse(A), A), identity(3)), 0, 1e-12, "A⁺·A = 1");
}

// Where the atoms are at right angles, a row's best codes are its parts along them, less the penalty, and not negative.
// Elsewhere they are where no code can get better: the slope is 0 where a code is, and not negative where none is.
static void best_codes(Checks& check) {
  Dictionary turned{{{0.6, 0.8}, {-0.8, 0.6}}, Matrix<double>(2, 2)};
  const Matrix<double> rows{{3, 4}, {-1, 0.5}};  // along the atoms: 5 and 0, -0.2 and 1.1
  improve_codes(turned, rows, 0.5, 1);
  check.near(max_abs_difference(turned.C, {{4.5, 0}, {0, 0.6}}), 0, 1e-15,
             "codes: parts less the penalty, in one step");

  Random random(3);
  constexpr double penalty = 0.3;
  Dictionary d{unit_rows(normal_matrix<double>(5, 3, 1, random)), Matrix<double>(8, 5)};
  const auto Z = normal_matrix<double>(8, 3, 1, random);
  improve_codes(d, Z, penalty, 20'000);
  const Matrix<double> slope = matmul(matmul(d.C, d.D) - Z, transpose(d.D));
  std::size_t used = 0;
  for (std::size_t i = 0; i < d.C.size(); ++i) {
    const double total = slope.values()[i] + penalty;
    used += d.C.values()[i] > 0;
    check.that(d.C.values()[i] > 0 ? std::abs(total) < 1e-9 : total > -1e-9, "codes: none can get better");
  }
  check.that(used > 0 && used < d.C.size(), "codes: some atoms are used, some are not");
  const Matrix<double> rest = Z - matmul(d.C, d.D);
  double sum = 0;
  for (const double c : d.C.values()) sum += penalty * c;
  check.near(objective_of(d, Z, penalty), dot(rest, rest) / 2 + sum, 1e-13, "what codes are to make small");
}

// Rows that codes tell exactly name their atoms; an atom that no code uses becomes the row that is told worst.
static void best_atoms(Checks& check) {
  Random random(4);
  const Matrix<double> atoms = unit_rows(normal_matrix<double>(3, 2, 1, random));
  Dictionary d{Matrix<double>(3, 2), normal_matrix<double>(9, 3, 1, random)};
  const Matrix<double> Z = matmul(d.C, atoms);
  improve_atoms(d, Z, 1e-4, Unused::keep);
  check.near(max_abs_difference(d.D, atoms), 0, 1e-9, "atoms by least squares");

  Dictionary one{Matrix<double>(2, 2), {{1, 0}, {2, 0}, {1, 0}}};
  improve_atoms(one, {{1, 0}, {2, 0}, {1, 5}}, 1e-4, Unused::replace);
  const double length = std::sqrt(26);
  check.near(max_abs_difference(Matrix<double>(row_block(one.D, 1, 1)), {{1 / length, 5 / length}}), 0, 1e-15,
             "an unused atom becomes the row that is told worst");
}

// Output o = (h·a_o)² + h·a_o for known rows a_o: the weights must name them, in any basis when balanced.
static void named_by_weights(Checks& check) {
  const Matrix<double> a{{1, 0}, {-1, 2}, {0.5, -3}};
  Net<double> net({2, 0, 3, 3});
  net.W = Matrix<double>(transpose(a));
  net.V = net.W;
  net.c = Matrix<double>(1, 3, 1);
  net.U = identity(3);
  check.that(recovered(a, directions_from_weights(net, Basis::as_it_stands)) == 3, "(h·a)² + h·a names a");
  const Matrix<double> balanced = directions_from_weights(net, Basis::balanced);
  Net<double> stretched = net;  // h = g·A with A = [2 0; 0 1/3], so W becomes A·W
  const Matrix<double> A{{2, 0}, {0, 1 / 3.0}};
  stretched.W = matmul(A, net.W);
  stretched.V = stretched.W;
  const Matrix<double> back = matmul(directions_from_weights(stretched, Basis::balanced), A);
  check.that(recovered(balanced, back) == 3, "balanced directions go with the basis");

  // (h·a)² + h·a less nine times the square of h·b: the largest |λ| names b, the most positive a.
  const Matrix<double> b{{0, 3}, {6, 3}, {-9, -1.5}};
  Net<double> with_less({2, 0, 6, 3});
  for (std::size_t o = 0; o < 3; ++o) {
    for (std::size_t i = 0; i < 2; ++i) {
      with_less.W(i, o) = with_less.V(i, o) = a(o, i);
      with_less.W(i, 3 + o) = with_less.V(i, 3 + o) = b(o, i);
    }
    with_less.c(0, o) = 1;
    with_less.U(o, o) = 1;
    with_less.U(3 + o, o) = -1;
  }
  for (std::size_t o = 0; o < 3; ++o) check.near(dot_of_rows(a.row(o), b.row(o)), 0, 0, "b is square to a");
  check.that(recovered(a, directions_from_weights(with_less, Basis::as_it_stands)) == 3,
             "a, not what counts against it");
}

int main() {
  Checks check;
  unfoldings(check);
  directions_that_fool(check);
  attacks(check);
  composition(check);
  bound_of_relu(check);
  dictionaries(check);
  best_codes(check);
  best_atoms(check);
  named_by_weights(check);
  return check.done("test_lesson5_reading");
}
