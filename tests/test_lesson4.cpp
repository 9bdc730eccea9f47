// Tests of lesson 4: the gradients of all its models, what is listed and what training hands on, the meaning of the gates,
// signatures and ranks, and functions of three bits. What its parts claim of themselves is not said again.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/support/words.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"
#include "lessons/4_bilinear_gates/train.hpp"
#include "tests/gradients.hpp"

using namespace lesson4;

// What is not listed is not trained, so it must be zero from the start.
static void without_biases(Checks& check) {
  Random random(1);
  const Bottleneck<double> model({5, 3, 4, Biases::without}, random);
  std::string names;
  for (const auto& [name, tensor] : model.tensors()) names += name;
  check.equal(names, "EWVU", "without biases none is listed");
  check.that(
      largest_entry(model.net.layer.b) == 0 && largest_entry(model.net.layer.c) == 0 && largest_entry(model.net.d) == 0,
      "and none is drawn");
}

// The slopes that training hands to its optimizer, and its rates. The optimizer keeps them and leaves everything as it is.
static void training(Checks& check) {
  Random random(2);
  Bottleneck<double> model({3, 2, 5}, random), handed = model;
  const Matrix<double> X = normal_matrix<double>(8, 3, 1, random), T = normal_matrix<double>(8, 3, 1, random);
  std::vector<double> rates, losses;
  const Update keep = [&](const Tensors<double>&, const Tensors<double>& slopes, double rate) {
    const Tensors<double> to = handed.tensors();
    for (std::size_t t = 0; t < to.size(); ++t) to[t].tensor = slopes[t].tensor;
    rates.push_back(rate);
  };
  const FitSettings settings{.steps = 4, .rate = 0.25, .enough = 0, .cosine = true, .update = keep};
  const Fit found = fit(model, X, error_to(T), settings, [&](long, double loss) { losses.push_back(loss); });
  Gradients<Bottleneck<double>> expected = gradients(model, X, squared_error(T));
  for (std::size_t t = 0; t < expected.d.tensors().size(); ++t)
    check.near(max_abs_difference(handed.tensors()[t].tensor, expected.d.tensors()[t].tensor), 0, 1e-13, "slopes");
  check.that(found.steps == 4 && losses.size() == 5 && rates.size() == 4,
             "a loss before each step, and one at the end");
  check.near(rates[0], 0.25, 1e-16, "half a cosine begins at its peak");
  check.near(rates[2], 0.125, 1e-16, "and is at half of it in the middle");
  const Fit at_once = fit(model, X, error_to(output(model, X)), FitSettings{});
  check.that(at_once.steps == 0 && at_once.succeeded(), "a model that fits is left alone");
}

// What each name says, in the order of the table.
static bool meaning(std::size_t gate, bool x, bool y) {
  const bool values[] = {false,    x && y, x && !y, x,       !x && y, y,       x != y,    x || y,
                         !x && !y, x == y, !y,      x || !y, !x,      !x || y, !(x && y), true};
  return values[gate];
}

static void meanings(Checks& check) {
  const char* const names[] = {"FALSE", "AND",   "x AND NOT y", "x",     "NOT x AND y", "y",    "XOR", "OR", "NOR",
                               "XNOR",  "NOT y", "x OR NOT y",  "NOT x", "NOT x OR y",  "NAND", "TRUE"};
  for (std::size_t g = 0; g < gates.size(); ++g) {
    check.equal(gates[g].name, names[g], "the gate has its place");
    for (std::size_t k = 0; k < corners.size(); ++k)
      check.that(gates[g].truth[k] == double(meaning(g, corners[k][0] == 1, corners[k][1] == 1)),
                 std::string(names[g]) + " does what it says");
    check.that(gate_of(gates[g].truth) == &gates[g], "and is found by its truth table");
  }
  check.that(gate_of({0, 1, 0.5, 0}) == nullptr, "no gate says 1/2");
  check.equal(text_of(Factor{1, -1, 1}) + ", " + text_of(Factor{-0.5, 0, 1.5}) + ", " + text_of(Factor{}),
              "x - y + 1, -0.5·x + 1.5, 0", "factors as sums");
}

// A·D·Aᵀ has the signature of D for every A that has an inverse (Sylvester's law of inertia): all 27 sign patterns.
static void signatures(Checks& check) {
  Random random(3);
  for (int pattern = 0; pattern < 27; ++pattern)
    for (int round = 0; round < 10; ++round) {
      const std::array<int, 3> signs{pattern % 3 - 1, pattern / 3 % 3 - 1, pattern / 9 - 1};
      // Two triangles with ones on the diagonal, of whole numbers: the determinant is 1, and nothing is rounded.
      Matrix<double> D(3, 3), L{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, R = L;
      for (std::size_t i = 0; i < 3; ++i) {
        D(i, i) = signs[i] * double(1 + random.below(3));
        for (std::size_t j = 0; j < i; ++j) {
          L(i, j) = std::round(random.normal());
          R(j, i) = std::round(random.normal());
        }
      }
      const Matrix<double> A = matmul(L, R);
      const Signature found = signature(matmul(matmul(A, D), transpose(A)));
      check.that(
          found.positive == std::count(signs.begin(), signs.end(), 1) &&
              found.negative == std::count(signs.begin(), signs.end(), -1),
          join("signature of ", signs[0], " ", signs[1], " ", signs[2], ": ", found.positive, ", ", found.negative));
    }
  for (const std::size_t rank : {0u, 1u, 3u, 4u}) {
    const auto A = matmul(normal_matrix<double>(6, rank, 1, random), normal_matrix<double>(rank, 4, 1, random));
    check.that(rank_of(A, 1e-9) == rank, join("rank of a product through ", rank));
  }
}

// Function 128 is AND of three, 136 is x AND y, 202 is "if z then y else x", 150 is odd parity.
static void the_cube(Checks& check) {
  check.that(cubic_coefficient(128) == 1 && cubic_coefficient(150) == 4 && cubic_coefficient(202) == 0, "κ");
  check.that(has_partner(136, {1, 0, 0, 0}) && !has_partner(136, {0, 0, 1, 0}), "x AND y = x·y, and z is no factor");
  check.that(one_unit_does(136) && !is_multiplexer(136), "x AND y takes one unit");
  check.that(!one_unit_does(202) && is_multiplexer(202), "if z then y else x takes two");
}

int main() {
  GradientTest test;
  cases(test);
  without_biases(test.check);
  training(test.check);
  meanings(test.check);
  signatures(test.check);
  the_cube(test.check);
  return test.done("test_lesson4");
}
