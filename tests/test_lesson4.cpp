// Tests of lesson 4: the gradients of all its models, what is listed, the meaning of the gates,
// signatures, what can be solved, and functions of three bits. What its parts claim of themselves
// is not said again.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/text/words.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"
#include "tests/gradients.hpp"

using namespace lesson4;

// What is not listed is not trained, so it must be zero from the start.
static void without_biases(Checks& check) {
  Random random(1);
  const Bottleneck<double> model({5, 3, 4, Biases::without}, random);
  std::string names;
  for (const auto& [name, tensor] : model.tensors()) names += name;
  check.equal(names, "EWVU", "without biases none is listed");
  check.that(largest_entry(model.net.layer.b) == 0 && largest_entry(model.net.layer.c) == 0 &&
                 largest_entry(model.net.u) == 0,
             "and none is drawn");
}

// Every gate does what its name says, in the order of the table.
static void meanings(Checks& check) {
  const char* const names[] = {
      "FALSE", "AND",  "x AND NOT y", "x",          "NOT x AND y", "y",          "XOR",  "OR",
      "NOR",   "XNOR", "NOT y",       "x OR NOT y", "NOT x",       "NOT x OR y", "NAND", "TRUE"};
  for (std::size_t g = 0; g < gates.size(); ++g) {
    check.equal(gates[g].name, names[g], "the gate has its place");
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const bool x = corners[k][0] == 1, y = corners[k][1] == 1;
      const bool values[] = {false,  x && y,  x && !y,   x,      !x && y, y,
                             x != y, x || y,  !x && !y,  x == y, !y,      x || !y,
                             !x,     !x || y, !(x && y), true};
      check.that(gates[g].truth[k] == double(values[g]),
                 std::string(names[g]) + " does what it says");
    }
  }
  check.that(gate_of({0, 1, 0.5, 0}) == nullptr, "no gate says 1/2");
}

// A·D·Aᵀ has the signature of D for every A that has an inverse (Sylvester): all sign patterns of
// four squares, of any size. A is two triangles of whole numbers with ones on the diagonal: its
// determinant is 1, and nothing is rounded.
static void signatures(Checks& check) {
  Random random(3);
  for (int round = 0; round < 810; ++round) {
    const std::array<int, 4> signs{round % 3 - 1, round / 3 % 3 - 1, round / 9 % 3 - 1,
                                   round / 27 % 3 - 1};
    Matrix<double> D(4, 4), L(4, 4), R(4, 4);
    for (std::size_t i = 0; i < 4; ++i) {
      D(i, i) = signs[i] * double(1 + random.below(3));
      L(i, i) = R(i, i) = 1;
      for (std::size_t j = 0; j < i; ++j) {
        L(i, j) = std::round(random.normal());
        R(j, i) = std::round(random.normal());
      }
    }
    const Matrix<double> A = matmul(L, R);
    constexpr double sizes[] = {1, 1e-300, 1e300};
    const Signature found =
        signature(sizes[round % 3 == 0 ? 0 : round % 2 + 1] * matmul(matmul(A, D), transpose(A)));
    const auto count = [&](int sign) { return std::count(signs.begin(), signs.end(), sign); };
    check.that(found.plus == count(1) && found.minus == count(-1),
               join("signature of round ", round));
  }
  for (const std::size_t rank : {0u, 1u, 3u, 4u}) {  // six equations for three numbers
    auto A = matmul(normal_matrix<double>(6, rank, 1, random),
                    normal_matrix<double>(rank, 4, 1, random));
    for (std::size_t i = 0; rank > 0 && rank < 4 && i < 6; ++i) A(i, 3) = A(i, 0) - 2 * A(i, 1);
    check.that(solvable(A, 1e-9) == (rank < 4), join("what can be solved, through ", rank));
    A(5, 3) += 1;
    check.that(!solvable(A, 1e-9), join("and what not, through ", rank));
  }
}

int main() {
  GradientTest test;
  visit_models(test);
  without_biases(test.check);
  meanings(test.check);
  signatures(test.check);
  // Function 128 is AND of three, 150 odd parity, 202 "if z then y else x".
  test.check.that(
      cubic_coefficient(128) == 1 && cubic_coefficient(150) == 4 && cubic_coefficient(202) == 0,
      "κ");
  return test.done("test_lesson4");
}
