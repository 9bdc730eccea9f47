// Lesson 4, part 1: linear and bilinear maps: the equations that define them, and three ways to read a bilinear one.
// SPDX-License-Identifier: MIT
#include <string>

#include "lessons/4_bilinear_gates/run/session.hpp"

namespace lesson4 {
namespace {

Matrix<double> A() { return {{1, 2}, {3, -1}}; }
Matrix<double> B() { return {{2, 0}, {1, 1}}; }

// g(x, y) = (x·A) ⊙ (y·B), for rows x and y.   (4.0)
Matrix<double> g(const Matrix<double>& x, const Matrix<double>& y) { return hadamard(matmul(x, A()), matmul(y, B())); }

// The first reading: x alone makes a matrix, M(x)[j,k] = B[j,k]·(x·A)[k], which then acts on y.
Matrix<double> matrix_from(const Matrix<double>& x) {
  const Matrix<double> a = matmul(x, A());
  Matrix<double> M = B();
  for (std::size_t j = 0; j < M.rows(); ++j)
    for (std::size_t k = 0; k < M.cols(); ++k) M(j, k) *= a(0, k);
  return M;
}

std::string pair_text(const Matrix<double>& row) {
  return "(" + significant(row(0, 0)) + ", " + significant(row(0, 1)) + ")";
}

}  // namespace

void part1(Lesson& lesson, Session&) {
  const Matrix<double> x{{1, 1}}, y{{3, -1}}, r{{-2, 5}};
  lesson.say("What does g(x, y) = (x·A) ⊙ (y·B) keep? With x = (1, 1), y = (3, -1):");
  const auto equal = [&](const char* statement, const Matrix<double>& left, const Matrix<double>& right) {
    lesson.claim_same(statement, max_abs_difference(left, right));
  };
  equal("g(x + r, y) = g(x, y) + g(r, y)", g(x + r, y), g(x, y) + g(r, y));
  equal("g(x, y + r) = g(x, y) + g(x, r)", g(x, y + r), g(x, y) + g(x, r));
  equal("g(3x, y) = 3·g(x, y)", g(3 * x, y), 3 * g(x, y));
  equal("g(x, 3y) = 3·g(x, y)", g(x, 3 * y), 3 * g(x, y));
  lesson.show(Table{{"g(x, y)", "g(3x, y)", "g(2x, 2y)", "g(x, x)", "g(-x, -x)"},
                    {{pair_text(g(x, y)), pair_text(g(3 * x, y)), pair_text(g(2 * x, 2 * y)), pair_text(g(x, x)),
                      pair_text(g(-1 * x, -1 * x))}}});
  equal("g(2x, 2y) = 4·g(x, y)", g(2 * x, 2 * y), 4 * g(x, y));
  equal("g(-x, -x) = g(x, x)", g(-1 * x, -1 * x), g(x, x));

  const Matrix<double> M = matrix_from(x), gate = matmul(x, A());
  lesson.note("Three ways to read it:");
  lesson.detail(join("  1. x makes a matrix, which acts on y:  M(x) = [", M(0, 0), " ", M(0, 1), "; ", M(1, 0), " ",
                     M(1, 1), "],  y·M(x) = ", pair_text(matmul(y, M)),
                     "\n  2. two linear steps, one for each:     x·A = ", pair_text(gate),
                     ",  (y·B) ⊙ (x·A) = ", pair_text(hadamard(matmul(y, B()), gate)),
                     "\n  3. like multiplying numbers:           s(a, b) = a·b, and s(a, a) = a²\n"));
  equal("the matrix made from x gives g(x, y)", matmul(y, M), g(x, y));
  equal("so do the two steps", hadamard(matmul(y, B()), gate), Matrix<double>{{20, -1}});
}

}  // namespace lesson4
