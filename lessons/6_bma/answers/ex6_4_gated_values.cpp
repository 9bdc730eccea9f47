// Exercise 6.4: the gradients of BMA, one head.
// Hint: dK, dV and dWg are right. Go through the forward pass: in how many places does Q stand? K? V?
// Hint: Q makes the scores, and it makes the gate. A value that is used twice gets a part of its gradient from each use
// (lesson 1), and the parts add.
// Hint: Z = Q·Wg is a linear layer, and dZ has been found for dWg already. What is dX of a linear layer?
// SPDX-License-Identifier: MIT
#include <ex6_4_gated_values.hpp>

#include "lessons/6_bma/answers/shared.hpp"

using namespace shared;

namespace ours::ex6_4 {

// What the forward pass left: Q, K, V are n x dh, Wg is dh x dh, A is n x n.
struct Trace {
  Matrix<double> Q, K, V, Wg, A;
};

struct Gradients {
  Matrix<double> dQ, dK, dV, dWg;
};

// dC is n x dh, dS is n x n.
inline Gradients backward(const Trace& t, const Matrix<double>& dC, const Matrix<double>& dS) {
  const auto& [Q, K, V, Wg, A] = t;
  const Matrix<double> G = map(matmul(Q, Wg), elementary::sigmoid<double>);                  // n x dh, computed again
  const Matrix<double> dM = matmul(transpose(A), dC);                                        // n x dh   back
  const Matrix<double> dG = hadamard(dM, V);                                                 // n x dh   back
  const Matrix<double> dZ = zip(dG, G, [](double d, double g) { return d * g * (1 - g); });  // n x dh, Z = Q·Wg, back
  Gradients d;
  d.dV = hadamard(dM, G);  // n x dh   back
  slip(d.dV, dM, "the gate is missing: the slope of G ⊙ V in V is G");
  slip(d.dV, dG, "that is dG: the slope of G ⊙ V in V is the other factor, G");
  slip(d.dV, hadamard(dM, slope_of_sigmoid(G)),
       "the slope of the sigmoid belongs to the gate's path, not to the value's");
  d.dWg = matmul(transpose(Q), dZ);                    // dh x dh   back
  d.dK = matmul(transpose(dS), Q);                     // n x dh   back
  d.dQ = matmul(dS, K);                                // n x dh, through the scores, back
  Matrix<double> by_gate = matmul(dZ, transpose(Wg));  // n x dh   back
  slip(d.dQ, Matrix<double>(Q.rows(), Q.cols()),
       "the path through the gate alone; the one through the scores is overwritten, and the two add");
  slip(by_gate, Matrix<double>(Q.rows(), Q.cols()), "as it was given: not all of it is there");
  slip(by_gate, -1 * by_gate, "both paths are there, and they add: the sign between them");
  slip(by_gate, matmul(dZ, Wg), "both paths are there, but Wg lacks its transpose");
  slip(by_gate, matmul(dG, transpose(Wg)), "both paths are there, but the gate's lacks the slope of the sigmoid");
  slip(by_gate, scale_of_scores(Q) * by_gate, "the scale s belongs to the scores; the gate has none");
  slip(by_gate, 2 * by_gate, "the path through the gate is added twice");
  slip(by_gate, dZ, "dZ has to go back through Wg before it is a part of dQ");
  slip(by_gate, hadamard(d.dQ, by_gate) - d.dQ, "the two paths are multiplied; they add");
  d.dQ += by_gate;  // n x dh, through the gate, back
  return d;
}

}  // namespace ours::ex6_4

// The reader's gradients of Σ R⊙C for a Wg of the given deviation, and what they are made of.
struct GatedCase {
  ours::ex6_4::Trace t;
  Matrix<double> R, dS;
  std::vector<Answer> answers;

  explicit GatedCase(double deviation) {
    constexpr std::size_t n = 6, dh = 8;
    Random random(4);
    auto& [Q, K, V, Wg, A] = t;
    for (Matrix<double>* W : {&Q, &K, &V, &R}) *W = drawn(n, dh, random);
    Wg = drawn(dh, dh, random, deviation);
    A = causal_weights(Q, K);
    const auto C = [&] { return matmul(causal_weights(Q, K), hadamard(sigmoid_of(matmul(Q, Wg)), V)); };
    const auto loss = [&] { return dot(R, C()); };
    const Matrix<double> dA = matmul(R, transpose(hadamard(sigmoid_of(matmul(Q, Wg)), V)));
    dS = dA;
    for (std::size_t i = 0; i < n; ++i) {
      double mean = 0;
      for (std::size_t j = 0; j < n; ++j) mean += A(i, j) * dA(i, j);
      for (std::size_t j = 0; j < n; ++j) dS(i, j) = scale_of_scores(Q) * A(i, j) * (dA(i, j) - mean);
    }
    const ex6_4::Gradients yours = calling("backward", [&] { return ex6_4::backward({Q, K, V, Wg, A}, R, dS); });
    answers = {{"dQ", yours.dQ, numeric_gradient(Q, loss)},
               {"dK", yours.dK, numeric_gradient(K, loss)},
               {"dV", yours.dV, numeric_gradient(V, loss)},
               {"dWg", yours.dWg, numeric_gradient(Wg, loss)}};
  }

  // |yours - right| / |right| of dQ as a whole.
  double off() const {
    const Matrix<double> difference = answers[0].yours - answers[0].right;
    return std::sqrt(dot(difference, difference) / dot(answers[0].right, answers[0].right));
  }
};

static Verdict check() {
  const GatedCase drawn(0.3), fresh(0.02);
  using G = ours::ex6_4::Gradients;
  constexpr Matrix<double> G::*parts[] = {&G::dQ, &G::dK, &G::dV, &G::dWg};
  Findings findings;
  bool others_right = true;
  for (std::size_t k = 0; k < 4; ++k) {
    const Answer& a = drawn.answers[k];
    findings.add("backward", a, numeric, [&] { return ours::ex6_4::backward(drawn.t, drawn.R, drawn.dS).*parts[k]; });
    others_right = others_right && (k == 0 || agrees(a.yours, a.right, numeric.tolerance));
  }
  Verdict verdict = findings.verdict();
  const bool as_given = others_right && agrees(drawn.answers[0].yours, matmul(drawn.dS, drawn.t.K), rounding);
  if (as_given)
    verdict.findings += "\ndQ is off by " + fixed(drawn.off(), 2) +
                        " of its size; with a Wg of 0.02, as training starts, by " + fixed(fresh.off(), 2);
  return unless_as_given(verdict, as_given);
}
static const Exercise here{"6.4", "The gradients of a gated value", check};
