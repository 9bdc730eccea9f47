// Exercise 2.3: a hidden layer with a scale.
// Hint: Walk the forward line from the outside to the inside: first the scale, then tanh,
// then the linear layer of lesson 1.
// Hint: Each s_j is used by every window, and each time it is multiplied by U(i, j). What
// comes back to U is dH, each column times its s_j.
// Hint: ds = column sums of dH ⊙ U. dZ(i,j) = dH(i,j)·s_j·(1 - U(i,j)²). The rest is made
// of dZ as in lesson 1.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <ex2_3_scaled_layer.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex2_3 {

struct Gradients {
  Matrix<double> ds, dZ, dW1, db1, dE;
};

// E is n x c·d, W1 is c·d x h, s is 1 x h; U = tanh(Z) with Z = E·W1 + b1, and dH, are n x h.
inline Gradients backward(const Matrix<double>& E, const Matrix<double>& W1, const Matrix<double>& s,
                          const Matrix<double>& U, const Matrix<double>& dH) {
  Gradients g;
  Matrix<double> S = add_row(Matrix<double>(U.rows(), U.cols()), s);  // n x h: s in every row
  Matrix<double> dU = hadamard(dH, S);                                // n x h   back
  slip(dU, dH, "the scale is missing on the way through: H moves s_j times as much as U");
  slip(dU, hadamard(dU, S), "the scale came in twice");
  Matrix<double> slope = map(U, [](double u) { return 1 - u * u; });  // n x h   back
  slip(slope, map(U, [](double) { return 1.0; }), "tanh' is missing");
  slip(slope, map(hadamard(S, U), [](double h) { return 1 - h * h; }), "tanh' is made of U, not of H");
  slip(slope, U, "tanh' is 1 - tanh², not tanh");
  slip(slope, map(U, [](double u) { return 1 - std::tanh(u) * std::tanh(u); }),
       "tanh' was taken at U; U is tanh(Z) already");
  slip(slope, map(U, [](double u) { return 1 - u; }), "tanh' is made of the square of tanh");
  slip(slope, map(U, [](double u) { return u * (1 - u); }), "that is the slope of the sigmoid");
  g.dZ = hadamard(dU, slope);  // n x h   back

  Matrix<double> with = hadamard(dH, U);  // n x h: s_j is multiplied by U, in every window   back
  slip(with, dH, "that is the gradient of something added; s_j is multiplied by its tanh");
  slip(with, hadamard(with, S), "s_j was multiplied by U, not by H");
  slip(with, hadamard(with, slope), "tanh stands behind s_j, not in front: its slope has no part here");
  slip(with, g.dZ, "that is db1");
  g.ds = column_sums(with);  // 1 x h   back
  slip(g.ds, row_block(with, U.rows() - 1, 1), "that is the last window alone; all of them use s");
  slip(g.ds, row_block(with, 0, 1), "that is the first window alone; all of them use s");

  Matrix<double> sent = g.dZ;  // n x h: what reaches W1, b1 and E   back
  slip(sent, dH, "made of dH; tanh and the scale lie between");
  g.dW1 = matmul(transpose(E), sent);  // c·d x h   back
  g.db1 = column_sums(sent);           // 1 x h     back
  g.dE = matmul(sent, transpose(W1));  // n x c·d   back
  slip(g.db1, row_block(sent, U.rows() - 1, 1), "that is the last window alone; all of them use b1");
  slip(g.ds, (1 / double(U.rows())) * g.ds, "divided by n; dH has the mean over the windows already");
  slip(g.dW1, (1 / double(U.rows())) * g.dW1, "divided by n; dH has the mean over the windows already");
  slip(g.db1, (1 / double(U.rows())) * g.db1, "divided by n; dH has the mean over the windows already");
  return g;
}

}  // namespace ours::ex2_3

static Verdict check() {
  constexpr std::size_t n = 5, in = 6, hidden = 4;
  Random random(1);
  auto E = normal_matrix<double>(n, in, 1, random), W1 = normal_matrix<double>(in, hidden, 0.5, random),
       b1 = normal_matrix<double>(1, hidden, 0.5, random), s = normal_matrix<double>(1, hidden, 1, random);
  const auto R = normal_matrix<double>(n, hidden, 1, random);
  Matrix<double> Z = add_row(matmul(E, W1), b1);
  const auto tanh_of = [](const Matrix<double>& A) { return map(A, [](double z) { return std::tanh(z); }); };
  const auto weighted = [&](const Matrix<double>& A) { return dot(column_sums(hadamard(R, tanh_of(A))), s); };
  const auto loss_of_Z = [&] { return weighted(Z); };  // so that dH is R
  const auto loss = [&] { return weighted(add_row(matmul(E, W1), b1)); };
  const Matrix<double> U = tanh_of(Z);
  const ex2_3::Gradients yours = calling("backward", [&] { return ex2_3::backward(E, W1, s, U, R); });
  const Answer ds{"ds", yours.ds, numeric_gradient(s, loss)}, dZ{"dZ", yours.dZ, numeric_gradient(Z, loss_of_Z)},
      dW1{"dW1", yours.dW1, numeric_gradient(W1, loss)}, db1{"db1", yours.db1, numeric_gradient(b1, loss)},
      dE{"dE", yours.dE, numeric_gradient(E, loss)};
  if (untouched(ds) && untouched(dZ) && untouched(dW1) && untouched(db1) && untouched(dE)) return not_started();
  const auto part = [&](Matrix<double> ours::ex2_3::Gradients::*which) {
    return [&, which] { return ours::ex2_3::backward(E, W1, s, U, R).*which; };
  };
  using Ours = ours::ex2_3::Gradients;
  Findings findings;
  findings.add("backward", ds, numeric, part(&Ours::ds));
  findings.add("backward", dZ, numeric, part(&Ours::dZ));
  if (!agrees(dZ.yours, dZ.right, numeric.tolerance))
    return wrong("mend dZ first: dW1, db1 and dE are made of it\n" + findings.verdict().findings);
  findings.add("backward", dW1, numeric, part(&Ours::dW1));
  findings.add("backward", db1, numeric, part(&Ours::db1));
  findings.add("backward", dE, numeric, part(&Ours::dE));
  return findings.verdict();
}
static const Exercise here{"2.3", "A hidden layer with a scale", check};
