// Exercise 3.2: the gradient of weights that are stored out x in.
// Hint: Which of the two gradients is wrong? It points in an unrelated direction, and yet no number in it is far too large
// or too small.
// Hint: Y = X·Wᵀ, so W is the transpose of what this course multiplies with. What is the transpose of Xᵀ·dY? In which
// order do its numbers lie in memory?
// Hint: dW must be out x in, like W: the view has {out, in} and in numbers a row, and the product is dYᵀ·X.
// SPDX-License-Identifier: MIT
#include <ex3_2_stored_weights.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex3_2 {

struct Gradients {
  std::vector<double> dW;  // number for number in the order of W
  Matrix<double> dX;       // n x in
};

// X is n x in, dY is n x out, W holds out x in numbers, row after row. Throws std::invalid_argument for other counts.
// Xᵀ·dY belongs to Y = X·W with W in x out. Here W is the transpose of that, and so is its gradient: dYᵀ·X. The given
// version computes all the right numbers and writes them in another order; since in·out = out·in, they fit the buffer, and
// each weight is moved by another weight's gradient. A matrix that knows its shape would have thrown.
inline Gradients backward(const Matrix<double>& X, const std::vector<double>& W, const Matrix<double>& dY) {
  const std::size_t in = X.cols(), out = dY.cols();
  check_shapes(W.size() == out * in, "backward", {out, in}, {1, W.size()});
  Gradients g{std::vector<double>(W.size()), {}};
  const View<const double> weights{W.data(), {out, in}, std::ptrdiff_t(in)};
  Matrix<double> dweights = matmul(transpose(dY), X);  // out x in   back
  slip(dweights, matmul(transpose(X), dY), "all the right numbers, in the order in x out");
  std::copy(dweights.values().begin(), dweights.values().end(), g.dW.begin());
  g.dX = matmul(dY, weights);  // n x in   back
  return g;
}

}  // namespace ours::ex3_2

static Verdict check() {
  constexpr std::size_t n = 5, in = 8, out = 6;
  Random random(4);
  auto X = normal_matrix<double>(n, in, 1, random), W = normal_matrix<double>(out, in, 1, random);
  const auto R = normal_matrix<double>(n, out, 1, random);
  const auto loss = [&] { return dot(R, matmul(X, transpose(W))); };  // so that dY is R; linear in each
  const std::vector<double> stored(W.values().begin(), W.values().end());
  const ex3_2::Gradients yours = calling("backward", [&] { return ex3_2::backward(X, stored, R); });
  if (yours.dW.size() != W.size()) return wrong(join("backward: dW holds ", yours.dW.size(), " numbers, W ", W.size()));
  // A run of numbers in the shape of W.
  const auto as_matrix = [&](const std::vector<double>& numbers) {
    Matrix<double> shaped(out, in);
    std::copy(numbers.begin(), numbers.end(), shaped.values().begin());
    return shaped;
  };
  const Answer dW{"dW", as_matrix(yours.dW), numeric_gradient(W, loss, Step::quadratic)};
  const Answer dX{"dX", yours.dX, numeric_gradient(X, loss, Step::quadratic)};
  Findings findings;
  findings.add("backward", dW, numeric, [&] { return as_matrix(ours::ex3_2::backward(X, stored, R).dW); });
  findings.add("backward", dX, numeric);
  const Matrix<double> given = matmul(transpose(X), R);
  if (agrees(dX.yours, dX.right, rounding) &&
      agrees(dW.yours, as_matrix({given.values().begin(), given.values().end()}), rounding)) {
    const double cosine = dot(dW.yours, dW.right) / std::sqrt(dot(dW.yours, dW.yours) * dot(dW.right, dW.right));
    return not_started("dX is right, dW wrong in nearly all entries; the cosine of dW with the numeric one is " +
                       fixed(cosine, 2) + " (1: the same direction)");
  }
  return findings.verdict();
}
static const Exercise here{"3.2", "Weights stored out x in", check};
