// Lesson 3, part 0: linear, affine, bilinear, quadratic, and one test that tells them apart.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "common/support/elementary.hpp"
#include "common/support/lesson.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"

namespace lesson3 {
namespace {

// "(2, -1)".
std::string pair_text(const Matrix<double>& row) {
  return "(" + significant(row(0, 0)) + ", " + significant(row(0, 1)) + ")";
}

}  // namespace

void part0(Lesson& lesson, Session&) {
  const Matrix<double> A{{1, 2}, {3, -1}}, B{{2, 0}, {1, 1}}, a{{5, 1}}, b{{-1, 2}};
  const auto bilinear = [&](const Matrix<double>& x, const Matrix<double>& y) {
    return hadamard(matmul(x, A), matmul(y, B));
  };
  const std::vector<std::pair<std::string, RowFunction>> functions = {
      {"linear x·A", [&](const auto& x) { return matmul(x, A); }},
      {"affine x·A + a", [&](const auto& x) { return matmul(x, A) + a; }},
      {"quadratic (x·A)⊙(x·B)", [&](const auto& x) { return bilinear(x, x); }},
      {"(x·A + a)⊙(x·B + b)", [&](const auto& x) { return hadamard(matmul(x, A) + a, matmul(x, B) + b); }},
      {"swish(x·A)",
       [&](const auto& x) { return map(matmul(x, A), [](double z) { return z * elementary::sigmoid(z); }); }},
  };
  const Matrix<double> x{{2, 1}}, y{{1, -1}}, s{{-2, 1}}, zero(1, 2);
  lesson.say("Which of the four words is it? The test (3.0), and the same test on D:");
  lesson.note("Here A = [1 2; 3 -1], B = [2 0; 1 1], a = (5, 1), b = (-1, 2).");
  Table table{{"f(x)", "f(0)", "D(x, y)", "D of D"}, {}};
  std::vector<double> first, second;
  for (const auto& [name, f] : functions) {
    const Matrix<double> D = additivity(f, x, y), DD = additivity_twice(f, x, y, s);
    table.rows.push_back({name, pair_text(f(zero)), pair_text(D), pair_text(DD)});
    first.push_back(largest_entry(D));
    second.push_back(largest_entry(DD));
  }
  lesson.show(table);
  lesson.claim("linear: D", first[0], exactly(0));
  lesson.claim("affine: D, for its constant is taken out", first[1], exactly(0));
  // Whole numbers: what is not 0 is at least 1. Swish bends by some tenths at arguments of this size.
  lesson.claim("quadratic: D is not zero, with biases or without", std::min(first[2], first[3]), at_least(1));
  lesson.claim("quadratic: D adds up, with biases or without", std::max(second[2], second[3]), exactly(0));
  lesson.claim("swish: not even D adds up", second[4], at_least(1e-3));

  const double in_first = max_abs_difference(bilinear(x + s, y), bilinear(x, y) + bilinear(s, y));
  const double in_second = max_abs_difference(bilinear(x, y + s), bilinear(x, y) + bilinear(x, s));
  lesson.claim_same("g(x, y) = (x·A)⊙(y·B) adds up in its first argument, and in its second",
                    std::max(in_first, in_second));
  lesson.claim_same("D of the quadratic is g(x, y) + g(y, x)",
                    max_abs_difference(additivity(functions[2].second, x, y), bilinear(x, y) + bilinear(y, x)));
}

}  // namespace lesson3
