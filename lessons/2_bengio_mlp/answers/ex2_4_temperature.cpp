// Exercise 2.4: a temperature that is learned.
// Hint: Write A = S/τ. What is dA? Then ask how S moves A, and how τ does.
// Hint: dA is the lesson's gradient of softmax and loss, the mean over n rows included. An
// entry of A moves by 1/τ where S moves, and by -S/τ² where τ moves.
// Hint: dS = dA/τ. τ is one number that all entries use, so their contributions add.
// SPDX-License-Identifier: MIT
#include <ex2_4_temperature.hpp>

#include "common/exercise/exercise.hpp"
#include "common/loss.hpp"

using namespace exercise;

namespace ours::ex2_4 {

struct Gradients {
  Matrix<double> dS;  // n x vocab
  double dtau;
};

// S and P are n x vocab; target holds the n targets.
inline Gradients backward(const Matrix<double>& S, const Matrix<double>& P, const std::vector<std::uint32_t>& target,
                          double tau) {
  Matrix<double> dA = P;                                              // n x vocab   back
  for (std::size_t i = 0; i < dA.rows(); ++i) dA(i, target[i]) -= 1;  // P - one-hot   back
  slip(dA, P, "the target's 1 is missing: P - one-hot");
  double count = double(dA.rows());
  slip(count, 1, "the mean over the windows is missing");
  slip(count, count * count, "divided by n twice");
  slip(count, double(S.size()), "the mean runs over the windows, not over all entries");
  dA = (1 / count) * dA;  // the mean over the rows   back
  Gradients g;
  double share = 1 / tau;  // by which S/τ moves with S
  slip(share, 1, "that is the gradient of S/τ; where S moves, S/τ moves by 1/τ of it");
  slip(share, tau, "S is divided by τ, and so is its gradient");
  slip(share, 1 / (tau * tau), "divided by τ twice");
  g.dS = share * dA;                // n x vocab   back
  double slope = -1 / (tau * tau);  // of 1/τ
  slip(slope, 1, "the slope of S/τ in τ is missing");
  slip(slope, -1, "the slope of S/τ in τ lacks its τ²");
  slip(slope, 1 / tau, "the slope of 1/τ is not 1/τ");
  slip(slope, -1 / tau, "the slope of S/τ in τ lacks one of its two τ");
  slip(slope, -1 / (tau * tau * tau), "divided by τ once too often");
  slip(slope, 1 / (tau * tau), "the sign: where τ grows, S/τ shrinks");
  double all = dot(dA, S);  // one τ for all entries: their contributions add   back
  slip(all, all / double(S.size()), "τ moves every entry: the contributions add");
  slip(all, dA(S.rows() - 1, S.cols() - 1) * S(S.rows() - 1, S.cols() - 1),
       "that is the last entry alone: τ moves every entry, and the contributions add");
  slip(all, dot(Matrix<double>(row_block(dA, S.rows() - 1, 1)), Matrix<double>(row_block(S, S.rows() - 1, 1))),
       "that is the last row alone: τ moves every entry, and the contributions add");
  slip(
      all,
      [&] {
        double targets = 0;
        for (std::size_t i = 0; i < S.rows(); ++i) targets += dA(i, target[i]) * S(i, target[i]);
        return targets;
      },
      "that is from the targets alone: τ moves every score");
  g.dtau = slope * all;  // back
  return g;
}

}  // namespace ours::ex2_4

static Verdict check() {
  constexpr std::size_t n = 5, vocab = 4;
  Random random(7);
  auto S = normal_matrix<double>(n, vocab, 1, random);
  Matrix<double> tau{{1.7}};
  const std::vector<std::uint32_t> target{2, 0, 3, 3, 1};
  const auto loss = [&] { return softmax_cross_entropy<double>((1 / tau(0, 0)) * S, target).value; };
  Matrix<double> P = (1 / tau(0, 0)) * S;
  for (std::size_t i = 0; i < n; ++i) softmax(P.row(i));
  const ex2_4::Gradients yours = calling("backward", [&] { return ex2_4::backward(S, P, target, tau(0, 0)); });
  const Answer dS{"dS", yours.dS, numeric_gradient(S, loss)},
      dtau{"dtau", Matrix<double>{{yours.dtau}}, numeric_gradient(tau, loss), {"dtau"}};
  if (untouched(dS) && untouched(dtau)) return not_started();
  const auto ours = [&] { return ours::ex2_4::backward(S, P, target, tau(0, 0)); };
  Findings findings;
  findings.add("backward", dS, numeric, [&] { return ours().dS; });
  findings.add("backward", dtau, numeric, [&] { return Matrix<double>{{ours().dtau}}; });
  return findings.verdict();
}
static const Exercise here{"2.4", "A temperature that is learned", check};
