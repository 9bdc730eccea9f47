// Exercise 3.1: the way back through a mean of squares.
// Hint: y_ik = Σ_j h_ij·W2_jk + (1/h)·(Σ_j h_ij²)·u2_k. In how many terms does one h_ij stand, and what is the slope of
// each in it?
// Hint: The slopes are W2_jk and (2/h)·h_ij·u2_k. Multiply by dy_ik and sum over k: that is one matrix product for each
// path. The second depends on j through h_ij only.
// Hint: dH = dY·W2ᵀ + scale_rows(2/h · H, dY·u2ᵀ). u2 is multiplied by the column of the means, so du2 = (the same
// column)ᵀ·dY.
// SPDX-License-Identifier: MIT
#include <ex3_1_mean_square.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex3_1 {

using lesson3::row_means, lesson3::scale_rows;

struct Gradients {
  Matrix<double> dH, du2;
};

// H is n x h, W2 is h x o, u2 is 1 x o, dY is n x o. h_ij reaches y_ik twice: through W2 with the slope W2_jk, and through
// r_i = (1/h)·Σ_j h_ij² with the slope (2/h)·h_ij·u2_k. The loss collects over k along both paths. For u2 the column r is
// what X is for any W.
inline Gradients backward(const Matrix<double>& H, const Matrix<double>& W2, const Matrix<double>& u2,
                          const Matrix<double>& dY) {
  const double h = double(H.cols());
  Matrix<double> dr = matmul(dY, transpose(u2)), r = row_means(hadamard(H, H));  // n x 1   back
  double share = 2 / h;
  slip(share, 1 / h,
       "the slope of a square is not the number itself: a factor is missing in the path through the mean");
  slip(share, 2.0, "the path through the mean lacks its 1/h: a square is only a part of the mean");
  slip(share, 1.0, "the path through the mean lacks its 1/h, and the slope of a square its factor");
  slip(share, 2 / (double(H.rows()) * h),
       "the path through the mean is divided by n too: r has a number of its own for each row");
  slip(share, 2 / double(H.rows()), "the path through the mean is divided by n: the mean runs over h numbers");
  slip(share, 2 / double(dY.cols()), "the path through the mean is divided by o: the mean runs over h numbers");
  Matrix<double> through_mean = scale_rows(share * H, dr), through_W2 = matmul(dY, transpose(W2));  // n x h   back
  slip(through_mean, 0 * H, "the path through the mean of the squares is missing: every h of a row moves it");
  slip(through_mean, lesson3::add_column(0 * H, 1 / h * dr),
       "that is the way back through a mean of numbers; here squares are averaged");
  slip(through_mean, lesson3::add_column(0 * H, 2 / h * dr),
       "the slope of a square depends on the number: each h brings its own");
  slip(through_mean, lesson3::add_column(0 * H, 2 * hadamard(row_means(H), dr)),
       "that is the way back through the square of the mean; here the mean is of the squares");
  slip(through_W2, 0 * H, "the path through W2 is missing");
  slip(r, row_means(H), "u2 is multiplied by the mean of the squares, not by that of the numbers");
  slip(r, hadamard(row_means(H), row_means(H)),
       "that has the square of the mean; u2 is multiplied by the mean of the squares");
  slip(r, h * r, "that takes the sum of the squares; their mean is 1/h of that");
  slip(r, 1 / double(H.rows()) * r, "averaged over the n rows; they add");
  slip(r, Matrix<double>(H.rows(), 1, 1), "that is the gradient of a bias; u2 is multiplied by a number of each row");
  return {through_W2 + through_mean, matmul(transpose(r), dY)};  // n x h, 1 x o   back
}

}  // namespace ours::ex3_1

static Verdict check() {
  constexpr std::size_t n = 5, h = 4, o = 3;
  Random random(2);
  auto H = normal_matrix<double>(n, h, 1, random), u2 = normal_matrix<double>(1, o, 1, random);
  const auto W2 = normal_matrix<double>(h, o, 1, random), R = normal_matrix<double>(n, o, 1, random);
  const auto forward = [&] { return matmul(H, W2) + matmul(lesson3::row_means(hadamard(H, H)), u2); };
  const auto loss = [&] { return dot(R, forward()); };  // so that dY is R; quadratic in H, linear in u2
  const ex3_1::Gradients yours = calling("backward", [&] { return ex3_1::backward(H, W2, u2, R); });
  const Answer dH{"dH", yours.dH, numeric_gradient(H, loss, Step::quadratic)};
  const Answer du2{"du2", yours.du2, numeric_gradient(u2, loss, Step::quadratic)};
  if (untouched(dH) && untouched(du2)) return not_started();
  const auto ours = [&] { return ours::ex3_1::backward(H, W2, u2, R); };
  Findings findings;
  findings.add("backward", dH, numeric, [&] { return ours().dH; });
  findings.add("backward", du2, numeric, [&] { return ours().du2; });
  return findings.verdict();
}
static const Exercise here{"3.1", "The way back through a mean of squares", check};
