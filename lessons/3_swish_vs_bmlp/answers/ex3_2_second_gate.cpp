// Exercise 3.2: the second layer with weights that depend on its input, W2 + mean(h)·U2.
// Hint: W2 and U2 are right. H is reached through W2, through U2 and through its mean. With one output the third way is
// right, too. What does it do with the outputs?
// Hint: y_ik = Σ_j h_ij·W2_jk + m_i·f_ik. In how many outputs of its row does m_i stand? What does the loss do with what
// comes back from each?
// Hint: dm_i = Σ_k dy_ik·f_ik: it is a sum. The mean that Y takes is the one over the h numbers of a row, and that has its
// own line.
// SPDX-License-Identifier: MIT
#include <ex3_2_second_gate.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex3_2 {

using lesson3::add_column, lesson3::row_dots, lesson3::row_means, lesson3::scale_rows;

struct Gradients {
  Matrix<double> dW2, dU2, dH;
};

// H is n x h, W2 and U2 are h x o, dY is n x o. m_i stands beside F_ik in every output k of its row, and the loss collects
// over k: dm is the sum of dY ⊙ F along a row, and not its mean. The mean that there is, over the h numbers of a row of H,
// has its own line. With one output sum and mean over the outputs are the same.
inline Gradients backward(const Matrix<double>& H, const Matrix<double>& W2, const Matrix<double>& U2,
                          const Matrix<double>& dY) {
  const double h = double(H.cols());
  const Matrix<double> m = row_means(H);        // n x 1
  const Matrix<double> F = matmul(H, U2);       // n x o
  const Matrix<double> dF = scale_rows(dY, m);  // n x o   back
  Matrix<double> dm = row_dots(dY, F);          // n x 1   back
  slip(dm, 1 / double(dY.cols()) * dm, "still as given in its effect");
  slip(dm, 0 * dm, "the path through the mean is missing: m moves with every h of its row");
  slip(dm, 0.5 * dm, "the path through the mean is halved: a mean is no square, and nothing is counted twice in it");
  slip(dm, 2 * dm, "the path through the mean is doubled: m stands in Y once");
  slip(dm, 1 / double(H.rows()) * dm, "dm is divided by n: every row has a mean of its own");
  slip(dm, row_dots(dF, F), "dm is multiplied by the mean itself: it is made of dY, not of dF");
  slip(dm, -1 * dm, "the sign of the path through the mean");
  slip(dm, row_dots(dY, map(F, [](double) { return 1.0; })),
       "m stands beside F: what comes back to it is multiplied by F");
  slip(dm, h * dm, "the path through the mean lacks its 1/h: an h is only a part of the mean");
  slip(dm, 1 / h * dm, "the path through the mean is divided by h twice: a line further down does it, too");
  slip(dm, h / double(dY.cols()) * dm, "the wrong mean was taken away: one in this file belongs to the formula of Y");
  Matrix<double> through_W2 = matmul(dY, transpose(W2)), through_U2 = matmul(dF, transpose(U2));  // n x h   back
  slip(through_U2, 0 * H, "the path through U2 is missing");
  slip(through_W2, 0 * H, "the path through W2 is missing");
  Gradients g;
  g.dW2 = matmul(transpose(H), dY);                        // h x o   back
  g.dU2 = matmul(transpose(H), dF);                        // h x o   back
  g.dH = add_column(through_W2 + through_U2, 1 / h * dm);  // n x h   back
  return g;
}

}  // namespace ours::ex3_2

static Verdict check() {
  constexpr std::size_t n = 6, h = 4, o = 3;
  Random random(5);
  auto H = normal_matrix<double>(n, h, 1, random), W2 = normal_matrix<double>(h, o, 1, random),
       U2 = normal_matrix<double>(h, o, 1, random);
  const auto R = normal_matrix<double>(n, o, 1, random);
  const auto forward = [&] { return matmul(H, W2) + lesson3::scale_rows(matmul(H, U2), lesson3::row_means(H)); };
  const auto loss = [&] { return dot(R, forward()); };  // so that dY is R
  const ex3_2::Gradients yours = calling("backward", [&] { return ex3_2::backward(H, W2, U2, R); });
  const Answer dW2{"dW2", yours.dW2, numeric_gradient(W2, loss, Step::quadratic)},
      dU2{"dU2", yours.dU2, numeric_gradient(U2, loss, Step::quadratic)},
      dH{"dH", yours.dH, numeric_gradient(H, loss, Step::quadratic)};
  const auto ours = [&] { return ours::ex3_2::backward(H, W2, U2, R).dH; };
  const std::string cause = diagnose(dH, numeric, ours);
  Findings findings;
  findings.add("backward", dW2, numeric);
  findings.add("backward", dU2, numeric);
  findings.add(dH.yours.shape() == dH.right.shape() ? "dH" : "backward, dH", cause);
  const bool others = agrees(dW2.yours, dW2.right, rounding) && agrees(dU2.yours, dU2.right, rounding);
  if (others && cause == "still as given in its effect")
    return not_started("dW2 and dU2 are right, so dF is; dH is wrong. Which of its three terms?");
  return findings.verdict();
}
static const Exercise here{"3.2", "The second gate", check};
