// Exercise 4.2: the backward pass of H = P ⊙ Q ⊙ Q with P = X·W + b, Q = X·V + c.
// Hint: h = p·q·q. If p moves a little, h moves by q·q times as much. If q moves a little, both of the q move: what does
// each add?
// Hint: dP = dH ⊙ Q ⊙ Q and dQ = 2·dH ⊙ P ⊙ Q. With dP in the place of dY, W and b are those of a linear layer: dW =
// Xᵀ·dP, and each row of dP reaches the same b.
// Hint: db = column_sums(dP), a sum and no mean. X reaches the loss through P and through Q: what comes back on the two
// ways adds, dX = dP·Wᵀ + dQ·Vᵀ.
// SPDX-License-Identifier: MIT
#include <ex4_2_three_factors.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex4_2 {

struct Gradients {
  Matrix<double> dP, dQ, dW, db, dV, dc, dX;
};

// X is n x d; W and V are d x h; P, Q and dH are n x h. The slope of p·q² in p is q², and in q it is 2·p·q: Q stands twice,
// and both places collect. Then come two layers of lesson 1, and X, which feeds both, collects from both.
inline Gradients backward(const Matrix<double>& X, const Matrix<double>& W, const Matrix<double>& V,
                          const Matrix<double>& P, const Matrix<double>& Q, const Matrix<double>& dH) {
  Gradients g;
  const Matrix<double> QQ = hadamard(Q, Q), PQ = hadamard(P, Q);
  g.dP = hadamard(dH, QQ);  // n x h   back
  slip(g.dP, hadamard(dH, Q), "that is the way back through P ⊙ Q, but Q stands twice");
  slip(g.dP, hadamard(dH, P), "that has its own factor in it; the slope is what stands beside p");
  slip(g.dP, dH, "that is dH as it came: what does P stand next to?");
  slip(g.dP, QQ, "that is the slope alone; dH is missing");
  slip(g.dP, 2 * hadamard(dH, QQ), "P stands only once, so nothing is doubled");
  slip(g.dP, 2 * hadamard(dH, PQ), "that belongs to the other factor");
  slip(g.dP, 2 * hadamard(dH, Q), "that is the slope of q·q; P stands beside it");
  slip(g.dP, hadamard(dH, hadamard(PQ, Q)), "that is dH ⊙ H: the slope in p is what is left without p");
  g.dQ = 2 * hadamard(dH, PQ);  // n x h   back
  slip(g.dQ, hadamard(dH, PQ), "Q stands twice, and both places collect");
  slip(g.dQ, hadamard(dH, P), "that is the way back through P ⊙ Q, but Q stands twice");
  slip(g.dQ, 2 * hadamard(dH, P), "of the two Q one moves at a time: the other stays");
  slip(g.dQ, 2 * hadamard(dH, Q), "P stands beside the square, too");
  slip(g.dQ, dH, "that is dH as it came: what does Q stand next to?");
  slip(g.dQ, 2 * PQ, "that is the slope alone; dH is missing");
  slip(g.dQ, hadamard(dH, QQ), "that belongs to the other factor");
  slip(g.dQ, hadamard(dH, hadamard(PQ, Q)), "that is dH ⊙ H: q·q is not its own slope");
  g.dW = matmul(transpose(X), g.dP);  // d x h   back
  slip(g.dW, 1 / double(X.rows()) * g.dW, "averaged over the n rows; they add");
  g.db = column_sums(g.dP);  // 1 x h   back
  slip(g.db, 1 / double(X.rows()) * g.db, "averaged over the n rows; they add");
  g.dV = matmul(transpose(X), g.dQ);  // d x h   back
  slip(g.dV, 1 / double(X.rows()) * g.dV, "averaged over the n rows; they add");
  g.dc = column_sums(g.dQ);  // 1 x h   back
  slip(g.dc, 1 / double(X.rows()) * g.dc, "averaged over the n rows; they add");
  Matrix<double> through_P = matmul(g.dP, transpose(W)), through_Q = matmul(g.dQ, transpose(V));  // n x d   back
  slip(through_P, 0 * through_P, "the way through P is missing: X feeds both factors");
  slip(through_Q, 0 * through_Q, "the way through Q is missing: X feeds both factors");
  slip(through_Q, 2 * through_Q, "the 2 is in dQ already; here it stands twice");
  g.dX = through_P + through_Q;  // n x d   back
  slip(g.dX, hadamard(through_P, through_Q), "multiplied: what comes back on two ways adds");
  slip(g.dX, matmul(g.dQ, transpose(W)) + matmul(g.dP, transpose(V)), "exchanged: P came through W");
  slip(g.dX, 2 * g.dX, "doubled: the 2 is in dQ already, and that is all");
  return g;
}

}  // namespace ours::ex4_2

static Verdict check() {
  constexpr std::size_t n = 5, d = 4, h = 3;
  Random random(2);
  auto X = normal_matrix<double>(n, d, 1, random), W = normal_matrix<double>(d, h, 1, random),
       V = normal_matrix<double>(d, h, 1, random), b = normal_matrix<double>(1, h, 1, random),
       c = normal_matrix<double>(1, h, 1, random);
  const auto R = normal_matrix<double>(n, h, 1, random);
  Matrix<double> P = add_row(matmul(X, W), b), Q = add_row(matmul(X, V), c);
  // So that dH is R. Linear in P and its parameters, quadratic in Q and its own, and of degree 3 in X.
  const auto from_factors = [&] { return dot(R, hadamard(P, hadamard(Q, Q))); };
  const auto from_input = [&] {
    const Matrix<double> q = add_row(matmul(X, V), c);
    return dot(R, hadamard(add_row(matmul(X, W), b), hadamard(q, q)));
  };
  const ex4_2::Gradients yours = calling("backward", [&] { return ex4_2::backward(X, W, V, P, Q, R); });
  using Ours = ours::ex4_2::Gradients;
  Findings findings;
  bool zero = true;
  const auto add = [&](const Answer& answer, Matrix<double> Ours::*which) {
    zero = zero && untouched(answer);
    findings.add("backward", answer, numeric, [&] { return ours::ex4_2::backward(X, W, V, P, Q, R).*which; });
  };
  add({"dP", yours.dP, numeric_gradient(P, from_factors, Step::quadratic)}, &Ours::dP);
  add({"dQ", yours.dQ, numeric_gradient(Q, from_factors, Step::quadratic)}, &Ours::dQ);
  const Verdict factors = findings.verdict();
  add({"dW", yours.dW, numeric_gradient(W, from_input, Step::quadratic)}, &Ours::dW);
  add({"db", yours.db, numeric_gradient(b, from_input, Step::quadratic)}, &Ours::db);
  add({"dV", yours.dV, numeric_gradient(V, from_input, Step::quadratic)}, &Ours::dV);
  add({"dc", yours.dc, numeric_gradient(c, from_input, Step::quadratic)}, &Ours::dc);
  add({"dX", yours.dX, numeric_gradient(X, from_input)}, &Ours::dX);
  if (zero) return not_started();
  if (factors.state == State::wrong) return wrong(factors.findings + "\nmend that first: the others follow from it");
  return findings.verdict();
}
static const Exercise here{"4.2", "The way back through P ⊙ Q ⊙ Q", check};
