// Exercise 6.2: BMA without the sigmoid, the truly bilinear gate.
// Hint: M = G ⊙ V is lesson 4's product layer with one factor given. m = g·v for one entry: its slope in g is v, its
// slope in v is g.
// Hint: dG = dM ⊙ V and dV = dM ⊙ G. Then G = Q·Wg is a linear layer without a bias: dWg and the gate's part of dQ are
// those of lesson 1, with dG in place of dY.
// Hint: At the start G = Q·0. Which of these need M or G as a factor: dWo = (A·M)ᵀ·dY, dA = dC·Mᵀ, dV = dM ⊙ G,
// dWg = Qᵀ·(dM ⊙ V)? Only what is not multiplied by 0 can learn in the first step; afterwards the gate is open, and the
// rest follows.
// Hint: Count in how many factors X stands. M has it twice, once in Q and once in V; a score has it twice, too. Twice a
// change of sign is none, and twice a doubling is four. So in training values grow with the square of x, no σ holds the
// gate between 0 and 1, and without biases the sign of X is lost.
// SPDX-License-Identifier: MIT
#include <ex6_2_without_sigmoid.hpp>

#include "lessons/6_bma/answers/shared.hpp"

using namespace shared;

namespace ours::ex6_2 {

struct Gradients {
  Matrix<double> dG, dV, dWg, dQ;
};

inline Matrix<double> mixed_values(const Matrix<double>& Q, const Matrix<double>& V, const Matrix<double>& Wg) {
  Matrix<double> G = matmul(Q, Wg);  // n x m
  slip(G, sigmoid_of(G), "that has the sigmoid; here the gate is Q·Wg itself");
  slip(G, matmul(V, Wg), "the gate is computed from V; it comes from Q");
  slip(G, matmul(Q, transpose(Wg)), "Q·Wgᵀ in the place of Q·Wg");
  Matrix<double> M = hadamard(G, V);  // n x m
  slip(M, G, "that is the gate; it multiplies V, entry by entry");
  slip(M, V, "that is V; the gate is missing");
  slip(M, G + V, "gate and value are added; ⊙ multiplies them");
  slip(M, hadamard(Q, matmul(V, Wg)), "Wg belongs to Q, not to V");
  return M;
}

inline Gradients backward(const Matrix<double>& Q, const Matrix<double>& V, const Matrix<double>& Wg,
                          const Matrix<double>& dM) {
  const Matrix<double> G = matmul(Q, Wg);  // n x m
  Gradients g;
  g.dG = hadamard(dM, V);  // n x m   back
  slip(g.dG, dM, "M = G ⊙ V: the slope of M in G is the other factor");
  slip(g.dG, hadamard(dM, G), "that is dV: multiplied by G, where the slope in G is the other factor");
  slip(g.dG, hadamard(g.dG, slope_of_sigmoid(sigmoid_of(G))), "the slope of the sigmoid; there is none here");
  slip(g.dG, hadamard(g.dG, slope_of_sigmoid(G)), "the slope of the sigmoid; there is none here");
  slip(g.dG, hadamard(g.dG, G), "M itself times dM: G does not stand in its own slope");
  g.dV = hadamard(dM, G);  // n x m   back
  slip(g.dV, dM, "M = G ⊙ V: the slope of M in V is the other factor");
  slip(g.dV, hadamard(dM, V), "that is dG: multiplied by V, where the slope in V is the other factor");
  slip(g.dV, hadamard(dM, sigmoid_of(G)), "that has the sigmoid; here the gate is Q·Wg itself");
  slip(g.dV, hadamard(g.dV, V), "M itself times dM: V does not stand in its own slope");
  g.dWg = matmul(transpose(Q), g.dG);  // m x m   back
  slip(g.dWg, matmul(transpose(V), g.dG), "Wg is multiplied by Q, not by V: Qᵀ stands before dG");
  slip(g.dWg, matmul(transpose(V), dM), "Wg is multiplied by Q, and what comes back to it is dG");
  slip(g.dWg, 1 / double(Q.rows()) * g.dWg, "averaged over the n tokens; they add");
  g.dQ = matmul(g.dG, transpose(Wg));  // n x m   back
  slip(g.dQ, matmul(g.dG, Wg), "Wg without its transpose: dX = dY·Wᵀ");
  slip(g.dQ, g.dG, "that is dG; it goes back through Wg");
  return g;
}

const double factor_at_the_start = 0;
const double matrices_with_a_gradient = 1;

const double factor_when_doubled = 4;
const double factor_when_negated = 1;
const double factor_when_negated_standard = -1;

}  // namespace ours::ex6_2

static const std::vector<Prediction> predictions{
    counted("factor_at_the_start", ex6_2::factor_at_the_start, 0,
            {{0.5, "that is with the sigmoid: σ(0) is 1/2; here the gate is Q·Wg"},
             {1, "the gate multiplies; 1 would leave V as it is, and Wg is 0"}}),
    counted("matrices_with_a_gradient", ex6_2::matrices_with_a_gradient, 1,
            {{5, "with the sigmoid, yes; but here M is 0 at the start, and what reaches it goes through it"},
             {4, "more of them than one thinks are shut off: what does dWo = (A·M)ᵀ·dY need?"},
             {3, "more of them than one thinks are shut off: what does dA = dC·Mᵀ need?"},
             {2, "one of the two is shut off: dV = dM ⊙ G, and dWo = (A·M)ᵀ·dY"},
             {0, "then it would never start; and M moves at once when Wg does"}}),
    counted("factor_when_doubled", ex6_2::factor_when_doubled, 4,
            {{2, "that is standard attention; here two factors have X in them"},
             {1, "the weight stays 1, but what it weighs is made from X"},
             {8, "two factors of M have X in them; the weight of token 0 is 1 and stays"},
             {16, "the scores do become 4 times as large, but token 0 has only one, and its weight is 1"}}),
    counted("factor_when_negated", ex6_2::factor_when_negated, 1,
            {{-1, "both factors of M change their sign"}, {0, "nothing cancels: follow the signs of Q, K and V"}}),
    counted("factor_when_negated_standard", ex6_2::factor_when_negated_standard, -1,
            {{1, "A stays, but V changes its sign, and nothing makes up for it"},
             {0, "nothing cancels: follow the signs of Q, K and V"}})};

static Verdict check() {
  constexpr std::size_t n = 5, m = 3;
  Random random(1);
  auto Q = drawn(n, m, random), V = drawn(n, m, random), Wg = drawn(m, m, random);
  const auto dM = drawn(n, m, random);
  const auto mixed = attempt([&] { return ex6_2::mixed_values(Q, V, Wg); });
  const auto back = attempt([&] { return ex6_2::backward(Q, V, Wg, dM); });
  const auto loss = [&] { return dot(dM, hadamard(matmul(Q, Wg), V)); };  // linear in each tensor
  const Answer M{"M", mixed.value, ours::ex6_2::mixed_values(Q, V, Wg)}, dG{"dG", back.value.dG, hadamard(dM, V)},
      dV{"dV", back.value.dV, numeric_gradient(V, loss, Step::quadratic)},
      dWg{"dWg", back.value.dWg, numeric_gradient(Wg, loss, Step::quadratic)},
      dQ{"dQ", back.value.dQ, numeric_gradient(Q, loss, Step::quadratic)};
  if (untouched(M) && untouched(dG) && untouched(dV) && untouched(dWg) && untouched(dQ) && all_open(predictions))
    return not_started();
  Findings findings;
  if (!mixed.thrown.empty()) findings.add("mixed_values", mixed.thrown);
  else findings.add("mixed_values", M, by_formula, [&] { return ours::ex6_2::mixed_values(Q, V, Wg); });
  if (!back.thrown.empty()) findings.add("backward", back.thrown);
  const auto ours = [&](Matrix<double> ours::ex6_2::Gradients::*which) {
    return [&, which] { return ours::ex6_2::backward(Q, V, Wg, dM).*which; };
  };
  using G = ours::ex6_2::Gradients;
  for (const auto& [answer, which] : {std::pair{&dG, &G::dG}, {&dV, &G::dV}, {&dWg, &G::dWg}, {&dQ, &G::dQ}})
    if (back.thrown.empty()) findings.add("backward", *answer, numeric, ours(which));
  add_all(findings, predictions);
  return findings.verdict();
}
static const Exercise here{"6.2", "BMA without the sigmoid", check};
