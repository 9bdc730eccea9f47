// Exercise 3.5: the BMLP's hidden layer, H = X·W1 + mean(X)·u1, as an object.
// Hint: The first call is right. What differs at the second, when X is the same? Only what the
// object remembers.
// Hint: dW1 stays right and du1 doubles. Which buffer goes into du1 and not into dW1?
// Hint: mX_ still holds the means of the last call when += begins. Each entry must be 0 before the
// sum over its row starts.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <utility>

#include "common/matrix.hpp"

// For the check:
#include <ex3_5_second_call.hpp>

#include "common/frame/exercise/exercise.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"

using namespace exercise;

namespace ours::ex3_5 {

// At every call but the first += adds to old means. Clearing at the end of forward is too early,
// since backward reads mX_; in backward it is too late, since not every forward has one. H_ is
// clean, since matmul_into without Write::add overwrites.
class HiddenLayer {
 public:
  struct Gradients {
    Matrix<double> dW1, du1;
  };

  // For batches of n rows; W1 is in x h, u1 is 1 x h.
  HiddenLayer(std::size_t n, Matrix<double> W1, Matrix<double> u1)
      : W1_(std::move(W1)), u1_(std::move(u1)), X_(n, W1_.rows()), mX_(n, 1), H_(n, W1_.cols()) {}

  // X is n x in. The result, n x h, is good until the next call. Throws std::invalid_argument for
  // another shape.
  const Matrix<double>& forward(const Matrix<double>& X) {
    check_shapes(X.shape() == X_.shape(), "forward", X_.shape(), X.shape());
    X_ = X;
    for (std::size_t i = 0; i < X.rows(); ++i) {
      double sum = 0;
      slip(sum, mX_(i, 0), "what the first call left behind in the means is still in H");
      slip(sum, i == 0 ? 0.0 : mX_(i, 0),
           "only the mean of the first row is cleared, and each row has one");
      for (const double x : X.row(i)) sum += x / double(X.cols());
      slip(sum, 0.0, "the means never reach H: they are cleared before they are used");
      slip(sum, sum * double(X.cols()) / double(X.rows()),
           "the mean of a row is over its own numbers, not over the rows");
      slip(sum, sum * double(X.cols()), "the mean is a sum that is never divided");
      slip(sum, X.row(i).back() / double(X.cols()),
           "only the last number of a row is in its mean: clear the mean before the row, then add");
      mX_(i, 0) = sum;
    }
    Write first = Write::set, second = Write::add;
    slip(
        first, Write::add,
        "H still holds what the first call left there: the first to write into a buffer overwrites");
    matmul_into(H_, X, W1_, first);
    slip(second, Write::set, "the second product overwrites the first: X·W1 is gone from H");
    matmul_into(H_, mX_, u1_, second);
    return H_;
  }

  // The gradients at the last X; dH is n x h.
  Gradients backward(const Matrix<double>& dH) const {
    return {matmul(transpose(X_), dH), matmul(transpose(mX_), dH)};  // in x h, 1 x h   back
  }

 private:
  Matrix<double> W1_, u1_;     // in x h, 1 x h
  Matrix<double> X_, mX_, H_;  // n x in, n x 1, n x h
};

}  // namespace ours::ex3_5

static Assessment check() {
  constexpr std::size_t n = 5, in = 4, h = 3;
  Random random(7);
  const auto A = normal_matrix<double>(n, in, 1, random),
             B = normal_matrix<double>(n, in, 1, random),
             R = normal_matrix<double>(n, h, 1, random);
  auto W1 = normal_matrix<double>(in, h, 1, random), u1 = normal_matrix<double>(1, h, 1, random);
  const auto right = [&](const Matrix<double>& X) {
    return matmul(X, W1) + matmul(lesson3::row_means(X), u1);
  };
  const auto loss = [&] { return dot(R, right(A)); };  // so that dH is R; linear in each tensor
  const Matrix<double> dW1 = numeric_gradient(W1, loss, Step::quadratic);
  const Matrix<double> du1 = numeric_gradient(u1, loss, Step::quadratic);
  constexpr Tolerance by_formula{rounding, "right"};

  // One call for the gradients; then two without a backward between them.
  ex3_5::HiddenLayer once(n, W1, u1), again(n, W1, u1);
  const auto forward = [&](ex3_5::HiddenLayer& layer, const Matrix<double>& X) {
    return calling("forward", [&]() -> Matrix<double> { return layer.forward(X); });
  };
  const auto backward = [&](ex3_5::HiddenLayer& layer) {
    return calling("backward", [&] { return layer.backward(R); });
  };
  const Matrix<double> H_once = forward(once, A);
  const auto g_once = backward(once);
  forward(again, A);
  const Matrix<double> H_second = forward(again, A);
  const auto g_second = backward(again);
  const Matrix<double> H_third = forward(again, B);
  const std::string cause = diagnose(Answer{"", H_second, right(A)}, by_formula, [&] {
    ours::ex3_5::HiddenLayer layer(n, W1, u1);
    layer.forward(A);
    return layer.forward(A);
  });
  const bool first_right = agrees(H_once, right(A), rounding) &&
                           agrees(g_once.dW1, dW1, rounding) && agrees(g_once.du1, du1, rounding);
  const Matrix<double> left_over = matmul(lesson3::row_means(A), u1);
  if (first_right && agrees(H_second, right(A) + left_over, rounding) &&
      agrees(H_third, right(B) + 2 * left_over, rounding))
    return not_started("X was the same in calls 1 and 2, and yet their H differ by up to " +
                       significant(max_abs_difference(H_once, H_second), 2));
  Findings findings;
  if (untouched({"", g_once.du1, du1}))
    findings.add("backward", "it still needs what forward put into its buffers, and finds zeros");
  if (first_right && agrees(H_third, matmul(B, W1) + left_over, rounding))
    findings.add("H of call 3", "its means are those of an earlier call, but each X has its own");
  if (!cause.empty() && agrees(H_third, right(B), rounding))
    findings.add("forward",
                 "what is cleared in backward is missing when no backward was called in between");
  if (!cause.empty() && H_second.shape() == H_once.shape()) findings.add("H of call 2", cause);
  else {
    findings.add("forward", {"H of call 1", H_once, right(A)}, by_formula);
    findings.add("backward", {"dW1 of call 1", g_once.dW1, dW1}, by_formula);
    findings.add("backward", {"du1 of call 1", g_once.du1, du1}, by_formula);
    findings.add("backward", {"dW1 of call 2", g_second.dW1, dW1}, by_formula);
    findings.add("backward", {"du1 of call 2", g_second.du1, du1}, by_formula);
    findings.add("forward", {"H of call 3", H_third, right(B)}, by_formula);
  }
  return findings.verdict();
}
static const Exercise here{"3.5", "Forward, and forward again", check};
