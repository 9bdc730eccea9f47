// Tests of lesson 4's gates and forms: the table of the sixteen gates, products multiplied out, quadratic forms as matrices
// and how many products they take, ranks, and the functions of three bits.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/support/words.hpp"
#include "lessons/4_bilinear_gates/model/4_forms.hpp"
#include "lessons/4_bilinear_gates/model/6_cube.hpp"
#include "tests/check.hpp"

using namespace lesson4;

// A normal number rounded to whole quarters. Sums of products of four of them are exact in double, so whatever is computed
// from them in two ways must be equal.
static double quarter(Random& random) { return std::round(4 * random.normal()) / 4; }

static Factor random_factor(Random& random) { return {quarter(random), quarter(random), quarter(random)}; }

// ------------------------------------------------------------------------------------------------------- the gates

// What each name says, in the order of the table.
static bool meaning(std::size_t gate, bool x, bool y) {
  const bool values[] = {false,    x && y, x && !y, x,       !x && y, y,       x != y,    x || y,
                         !x && !y, x == y, !y,      x || !y, !x,      !x || y, !(x && y), true};
  return values[gate];
}

static void table(Checks& check) {
  const char* const names[] = {"FALSE", "AND",   "x AND NOT y", "x",     "NOT x AND y", "y",    "XOR", "OR", "NOR",
                               "XNOR",  "NOT y", "x OR NOT y",  "NOT x", "NOT x OR y",  "NAND", "TRUE"};
  std::set<TruthTable> different;
  std::set<std::pair<double, double>> different_corners;
  for (std::size_t g = 0; g < gates.size(); ++g) {
    check.that(gates[g].name == std::string(names[g]), std::string("gate ") + names[g] + " has its place");
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const auto [x, y] = corners[k];
      check.that(gates[g].truth[k] == double(meaning(g, x == 1, y == 1)),
                 join(names[g], " does at ", x, ", ", y, " what it says"));
      different_corners.insert({x, y});
    }
    different.insert(gates[g].truth);
  }
  check.that(different.size() == 16, "the sixteen truth tables are different, and there are no others");
  check.that(different_corners.size() == 4, "the corners are different");
  check.that(corners[1][0] == 1 && corners[1][1] == 0, "the second corner is 10");
  check.that(corner_rows() == Matrix<double>{{0, 0}, {1, 0}, {0, 1}, {1, 1}}, "the corners as rows");
  check.that(column_of(gate_named("XOR").truth) == Matrix<double>{{0}, {1}, {1}, {0}}, "XOR as a column");
  check.that(text_of(gate_named("XOR").truth) == "0110", "and in digits");
  check.throws<std::invalid_argument>([] { gate_named("IMPLY"); }, "IMPLY", "a gate that is not there");
}

// The weights are halves, and quarters for -1 and 1: nothing is rounded.
static void exact(Checks& check) {
  for (const Gate& gate : gates) {
    const std::string name = std::string("gate ") + gate.name;
    const Factor w = for_signs(gate.w), v = for_signs(gate.v);
    const ProductLayer on_bits = unit_of(gate.w, gate.v), on_signs = unit_of(w, v);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const auto [x, y] = corners[k];
      const double s = 2 * x - 1, t = 2 * y - 1, expected = gate.truth[k];
      const std::string at = join(" at ", x, ", ", y);
      check.that(gate.w.at(x, y) * gate.v.at(x, y) == expected, name + at + ": the product of the factors");
      check.that(w.at(s, t) * v.at(s, t) == expected, name + at + ", inputs in {-1, 1}: the product of the factors");
      check.that(output(on_bits, Matrix<double>{{x, y}}) == Matrix<double>{{expected}}, name + at + ": the layer");
      check.that(output(on_signs, Matrix<double>{{s, t}}) == Matrix<double>{{expected}},
                 name + at + ", inputs in {-1, 1}: the layer");
    }
    check.that(truth_of(multiplied_out(gate.w, gate.v)) == gate.truth, name + ": its form has its truth table");
  }
}

// ------------------------------------------------------------------------------------------------- multiplied out

static bool same(const Factor& a, const Factor& b) { return a.x == b.x && a.y == b.y && a.one == b.one; }

static void forms(Checks& check) {
  const QuadraticForm by_hand = multiplied_out({1, 2, 3}, {5, 7, 11});  // (x + 2y + 3)(5x + 7y + 11)
  check.that(by_hand.xx == 5 && by_hand.yy == 14 && by_hand.xy == 17 && by_hand.x == 26 && by_hand.y == 43 &&
                 by_hand.one == 33,
             "multiplied out by hand");
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    const Factor w = random_factor(random), v = random_factor(random);
    const double x = quarter(random), y = quarter(random);
    const QuadraticForm form = multiplied_out(w, v);
    const double expected = w.at(x, y) * v.at(x, y);
    check.that(form.at(x, y) == expected, "multiplied out, the form has the value of the product");
    const Matrix<double> z{{x, y, 1}}, S = matrix_of(form);
    check.that(matmul(matmul(z, S), transpose(z)) == Matrix<double>{{expected}}, "and so has its matrix");
    check.that(S == Matrix<double>(transpose(S)), "which is symmetric");
    const ProductLayer unit = unit_of(w, v);
    check.that(same(first_factor(unit, 0), w) && same(second_factor(unit, 0), v), "the factors of a unit come back");
  }
}

// A layer of four units against the formula and against its own outputs, added up.
static void matrix_of_layer(Checks& check) {
  Random random(2);
  ProductLayer layer({2, 4});
  for (const auto& [name, tensor] : layer.tensors()) tensor = map(tensor, [&](double) { return quarter(random); });
  Matrix<double> W(3, 4), V(3, 4);  // [W; b] and [V; c]
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t j = 0; j < 2; ++j) {
      W(j, k) = layer.W(j, k);
      V(j, k) = layer.V(j, k);
    }
    W(2, k) = layer.b(0, k);
    V(2, k) = layer.c(0, k);
  }
  const Matrix<double> S = matrix_of(layer);
  check.that(S == 0.5 * (matmul(W, transpose(V)) + matmul(V, transpose(W))),
             "the matrix of a layer is ½ Σ (w·vᵀ + v·wᵀ)");
  for (int round = 0; round < 10; ++round) {
    const Matrix<double> X{{quarter(random), quarter(random)}}, z{{X(0, 0), X(0, 1), 1}};
    check.that(dot(output(layer, X), Matrix<double>(1, 4, 1)) == dot(matmul(z, S), z),
               "the matrix of a layer gives the sum of its units");
  }
  check.that(matrix_of(ProductLayer({2, 0})) == Matrix<double>(3, 3), "no units, no form");
}

// ----------------------------------------------------------------------------------------------------- signatures

static void has_signature(Checks& check, const std::string& what, const Matrix<double>& S, int positive, int negative) {
  const Signature found = signature(S);
  check.that(found.positive == positive && found.negative == negative,
             join("signature of ", what, ": (", found.positive, ", ", found.negative, "), expected (", positive, ", ",
                  negative, ")"));
  check.that(found.units() == std::max(positive, negative), "units of " + what);
}

static void known_signatures(Checks& check) {
  const auto form = [&](const char* what, const QuadraticForm& f, int positive, int negative) {
    has_signature(check, what, matrix_of(f), positive, negative);
  };
  form("0", {}, 0, 0);
  form("1", {0, 0, 0, 0, 0, 1}, 1, 0);
  form("x", {0, 0, 0, 1, 0, 0}, 1, 1);
  form("xy", {0, 0, 1, 0, 0, 0}, 1, 1);
  form("x²", {1, 0, 0, 0, 0, 0}, 1, 0);
  form("-(x - y + 1)²", {-1, -1, 2, -2, 2, -1}, 0, 1);
  form("x² + y²", {1, 1, 0, 0, 0, 0}, 2, 0);
  form("-x² - y²", {-1, -1, 0, 0, 0, 0}, 0, 2);
  form("x² + y² + 1", {1, 1, 0, 0, 0, 1}, 3, 0);
  form("x² + y² - 1", {1, 1, 0, 0, 0, -1}, 2, 1);
  form("xy + 1", {0, 0, 1, 0, 0, 1}, 2, 1);
  form("xy - 1", {0, 0, 1, 0, 0, -1}, 1, 2);
  form("-x² - xy - y² - 1", {-1, -1, -1, 0, 0, -1}, 0, 3);
  for (const Gate& gate : gates)  // what one product gives takes one product
    check.that(signature(matrix_of(multiplied_out(gate.w, gate.v))).units() <= 1,
               std::string("one unit does ") + gate.name);
}

// L·R, with ones on the diagonals of both triangles: its determinant is 1. `draw()` fills the rest.
template <class Draw>
static Matrix<double> of_determinant_one(Draw draw) {
  Matrix<double> L{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, R = L;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      L(i, j) = draw();
      R(j, i) = draw();
    }
  return matmul(L, R);
}

// A·D·Aᵀ has the signature of D for every A that has an inverse (Sylvester's law of inertia). All 27 sign patterns of D.
template <class Draw, class Size>
static void sign_patterns(Checks& check, const std::string& kind, Draw draw, Size size) {
  for (int pattern = 0; pattern < 27; ++pattern)
    for (int round = 0; round < 10; ++round) {
      const int signs[] = {pattern % 3 - 1, pattern / 3 % 3 - 1, pattern / 9 - 1};
      Matrix<double> D(3, 3);
      for (std::size_t i = 0; i < 3; ++i) D(i, i) = signs[i] * size();
      const Matrix<double> A = of_determinant_one(draw), S = matmul(matmul(A, D), transpose(A));
      has_signature(check, join(kind, ", signs ", signs[0], " ", signs[1], " ", signs[2]), S,
                    int(std::count(signs, signs + 3, 1)), int(std::count(signs, signs + 3, -1)));
    }
}

static void congruences(Checks& check) {
  Random random(3);
  // Whole numbers: the coefficients are exact, those that should be 0 are.
  sign_patterns(
      check, "whole", [&] { return std::round(random.normal()); }, [&] { return double(1 + random.below(3)); });
  // Here the entries of S stay below 20. What should be 0 is a sum of products of at most three of them, so it is a
  // rounding of at most some 20³·1e-16 = 1e-12; the last coefficient that is not 0 is above 0.1. The limit
  // of 1e-9 lies between.
  sign_patterns(
      check, "normal", [&] { return 0.5 * random.normal(); }, [&] { return random.uniform(0.5, 2); });
}

static void changes_of_sign(Checks& check) {
  check.that(sign_changes({1, -1, 1, -1}, 0) == 3, "three changes of sign");
  check.that(sign_changes({1, 0, 0, -1}, 0) == 1, "zeros are left out");
  check.that(sign_changes({1, -1e-9, 2, -3}, 1e-9) == 1, "what is as good as zero is left out");
  check.that(sign_changes({0, -2, -2, 1}, 0) == 1, "a zero in front is no sign");
}

// ----------------------------------------------------------------------------------------------- ranks and the cube

static void ranks(Checks& check) {
  Random random(1);
  for (const std::size_t rank : {0u, 1u, 3u, 4u}) {
    const auto A = matmul(normal_matrix<double>(6, rank, 1, random), normal_matrix<double>(rank, 4, 1, random));
    check.that(rank_of(A, 1e-9) == rank, "rank of a product through " + std::to_string(rank));
  }
  check.that(rank_of(Matrix<double>{{0, 0}, {0, 2}}, 1e-9) == 1, "a pivot that is not in the first place");
}

// Function 128 is AND of three; 202 is "if z then y else x"; 150 is odd parity; 0 and 255 are constant.
static void the_cube(Checks& check) {
  check.that(cubic_coefficient(128) == 1 && cubic_coefficient(127) == -1, "AND of three is xyz, its opposite 1 - xyz");
  check.that(cubic_coefficient(150) == 4 && cubic_coefficient(105) == -4, "the parities");
  check.that(cubic_coefficient(0) == 0 && cubic_coefficient(255) == 0, "constants");
  check.that(has_partner(136, {1, 0, 0, 0}), "x AND y = x·y");
  check.that(!has_partner(136, {0, 0, 1, 0}), "z is no factor of x AND y");
  check.that(one_unit_does(136) && !is_multiplexer(136), "x AND y takes one unit");
  check.that(!one_unit_does(202) && is_multiplexer(202), "if z then y else x takes two");
  const std::array<double, 8> parity = best_quadratic(150), mux = best_quadratic(202), all = best_quadratic(128);
  for (std::size_t i = 0; i < 8; ++i) {
    check.near(parity[i], 0.5, 0, "the quadratic nearest to parity");
    check.near(mux[i], output_bit(202, i), 0, "a multiplexer is a quadratic");
    check.near(std::abs(all[i] - output_bit(128, i)), 1 / 8.0, 0, "AND of three is missed by an eighth");
  }
}

// The matrix S(α, β, γ) by its values on the cube, and a minor whose rows and columns differ.
static void multiplexers(Checks& check) {
  const MultiplexerProof proof = prove_multiplexer();
  check.that(proof.identity == 0 && proof.corners == 0, "the proof that a multiplexer takes two products");
  const Matrix<double> S{{1, 2, 3, 4}, {0, 1, 5, 6}, {0, 0, 7, 8}, {9, 0, 0, 1}};
  check.that(minor_of(S, {0, 1, 2}, {0, 1, 2}) == 7, "a triangle's determinant");
  check.that(minor_of(S, {0, 1, 3}, {0, 2, 3}) == 1 * (5 * 1 - 6 * 0) + 9 * (3 * 6 - 4 * 5),
             "a minor off the diagonal");
}

static void sums(Checks& check) {
  check.that(text_of(Factor{1, -1, 1}) == "x - y + 1" && text_of(Factor{-0.5, 0, 1.5}) == "-0.5·x + 1.5" &&
                 text_of(Factor{}) == "0",
             "factors as sums");
}

int main() {
  Checks check;
  table(check);
  exact(check);
  sums(check);
  forms(check);
  matrix_of_layer(check);
  known_signatures(check);
  congruences(check);
  changes_of_sign(check);
  ranks(check);
  the_cube(check);
  multiplexers(check);
  return check.done("test_lesson4_gates");
}
