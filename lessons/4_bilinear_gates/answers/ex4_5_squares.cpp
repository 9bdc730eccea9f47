// Exercise 4.5: the backward pass of a layer of squares with a read-out.
// Hint: U and d are right. W, b and X are wrong, and all by the same factor: what do their gradients go through that those
// of U and d do not?
// Hint: P is both factors of P ⊙ P. A product layer with V = W has a dP and a dQ. What would the given lines leave out?
// Hint: dQ is dH ⊙ P, too, and belongs to the same P. A value that is used twice collects twice.
// SPDX-License-Identifier: MIT
#include <ex4_5_squares.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex4_5 {

struct Gradients {
  Matrix<double> dW, db, dU, dd, dX;
};

// X is n x d; W is d x h, b is 1 x h, U is h x o; dY is n x o. P is both factors of P ⊙ P: as the first it is given dH ⊙ P,
// and as the second the same once more. With half of it training goes downhill, at half the rate behind the square.
inline Gradients backward(const Matrix<double>& X, const Matrix<double>& W, const Matrix<double>& b,
                          const Matrix<double>& U, const Matrix<double>& dY) {
  const Matrix<double> P = add_row(matmul(X, W), b);  // n x h
  const Matrix<double> H = hadamard(P, P);            // n x h
  Gradients g;
  const Matrix<double> dH = matmul(dY, transpose(U));  // n x h   back
  Matrix<double> dP = 2 * hadamard(dH, P);             // n x h   back
  slip(dP, hadamard(dH, P), "still half of what it must be");
  slip(dP, dH, "the square has been left out: what comes back to P passes it");
  slip(dP, 2 * dH, "the slope of a square depends on the number");
  slip(dP, 2 * P, "dH is missing in what comes back to P");
  slip(dP, hadamard(dH, H), "that is dH ⊙ H: a square is not its own slope");
  slip(dP, 2 * hadamard(dH, H), "that is twice dH ⊙ H: a square is not its own slope");
  slip(dP, 2 * dP, "doubled twice: once for each of two places, and that is all");
  g.dU = matmul(transpose(H), dY);  // h x o   back
  slip(g.dU, 2 * g.dU, "doubled, and it was right as given: what is used twice comes before it");
  g.dd = column_sums(dY);  // 1 x o   back
  slip(g.dd, 2 * g.dd, "doubled, and it was right as given: what is used twice comes before it");
  g.dW = matmul(transpose(X), dP);  // d x h   back
  g.db = column_sums(dP);           // 1 x h   back
  g.dX = matmul(dP, transpose(W));  // n x d   back
  return g;
}

}  // namespace ours::ex4_5

static Verdict check() {
  constexpr std::size_t n = 6, in = 5, h = 4, o = 3;
  Random random(5);
  auto X = normal_matrix<double>(n, in, 1, random), W = normal_matrix<double>(in, h, 1, random),
       b = normal_matrix<double>(1, h, 1, random), U = normal_matrix<double>(h, o, 1, random),
       d = normal_matrix<double>(1, o, 1, random);
  const auto R = normal_matrix<double>(n, o, 1, random);
  const auto loss = [&] {  // so that dY is R; at most quadratic in each
    const Matrix<double> P = add_row(matmul(X, W), b);
    return dot(R, add_row(matmul(hadamard(P, P), U), d));
  };
  const ex4_5::Gradients yours = calling("backward", [&] { return ex4_5::backward(X, W, b, U, R); });
  using Ours = ours::ex4_5::Gradients;
  Findings findings;
  bool as_given = true;
  const auto add = [&](const char* name, const Matrix<double>& answer, Matrix<double>& of, double given,
                       Matrix<double> Ours::*which) {
    const Answer a{name, answer, numeric_gradient(of, loss, Step::quadratic)};
    as_given = as_given && agrees(answer, given * a.right, rounding);
    findings.add("backward", a, numeric, [&] { return ours::ex4_5::backward(X, W, b, U, R).*which; });
  };
  add("dW", yours.dW, W, 0.5, &Ours::dW);
  add("db", yours.db, b, 0.5, &Ours::db);
  add("dX", yours.dX, X, 0.5, &Ours::dX);
  add("dU", yours.dU, U, 1, &Ours::dU);
  add("dd", yours.dd, d, 1, &Ours::dd);
  if (as_given) return not_started("dU and dd are right; dW, db and dX are all half of what they must be");
  return findings.verdict();
}
static const Exercise here{"4.5", "A layer of squares", check};
