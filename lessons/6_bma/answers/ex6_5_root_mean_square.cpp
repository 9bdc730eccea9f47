// Exercise 6.5: another norm, forward and backward.
// Hint: N_l depends on x_j directly, and through the mean of the squares. "Further" has three ways for layer norm; which
// of them is gone?
// Hint: With r = 1/√(mean + ε): what is ∂r/∂x_j, written with N_j? Then sum over l what each N_l does to the loss, with
// dN = γ ⊙ dy.
// Hint: What is left of layer norm's formula has no mean of dN, but still the mean of dN ⊙ N.
// SPDX-License-Identifier: MIT
#include <ex6_5_root_mean_square.hpp>

#include "lessons/6_bma/answers/shared.hpp"

using namespace shared;

// The mean over row i of what `entry(j)` returns.
template <class Entry>
static double mean_of(const Matrix<double>& X, Entry entry) {
  double sum = 0;
  for (std::size_t j = 0; j < X.cols(); ++j) sum += entry(j) / double(X.cols());
  return sum;
}
static double mean_of_row(const Matrix<double>& X, std::size_t i) {
  return mean_of(X, [&](std::size_t j) { return X(i, j); });
}

static double bare_along(const Matrix<double>& X, const Matrix<double>& dY, std::size_t i, double r) {
  return r * mean_of(X, [&](std::size_t j) { return dY(i, j) * X(i, j); });
}

namespace ours::ex6_5 {

inline constexpr double epsilon = 1e-5;

struct Gradients {
  Matrix<double> dX, dgain;
};

inline double mean_of_squares(const Matrix<double>& X, std::size_t i) {
  double squares = 0;
  for (const double x : X.row(i)) squares += x * x;
  return squares / double(X.cols());
}

inline Matrix<double> forward(const Matrix<double>& X, const Matrix<double>& gain) {
  Matrix<double> Y(X.rows(), X.cols());
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < X.cols(); ++j) {
      double square = mean_of_squares(X, i) + epsilon, x = X(i, j), g = gain(0, j);
      slip(square, square - mean_of_row(X, i) * mean_of_row(X, i),
           "divided by the root of the variance; it is the mean of x², from which no mean is taken away");
      slip(x, x - mean_of_row(X, i), "a mean is taken away from x; here none is");
      slip(g, 1.0, "γ is missing");
      slip(square, square * square, "the root is missing");
      slip(square, double(X.cols()) * mean_of_squares(X, i) + epsilon,
           "divided by the root of the sum of squares; it is their mean_of_row(X, i)");
      slip(square, mean_of_squares(X, i), "ε is missing");
      slip(square, std::pow(std::sqrt(mean_of_squares(X, i)) + epsilon, 2), "ε belongs under the root");
      Y(i, j) = g * x / std::sqrt(square);
      slip(Y(i, j),
           gain(0, j) * (X(i, j) - mean_of_row(X, i)) /
               std::sqrt(mean_of_squares(X, i) - mean_of_row(X, i) * mean_of_row(X, i) + epsilon),
           "that is layer norm; here no mean is taken away");
    }
  return Y;
}

inline Gradients backward(const Matrix<double>& X, const Matrix<double>& gain, const Matrix<double>& dY) {
  Gradients g{Matrix<double>(X.rows(), X.cols()), Matrix<double>(1, X.cols())};
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const double r = 1 / std::sqrt(mean_of_squares(X, i) + epsilon);
    double along = 0;  // the mean of dN ⊙ N
    for (std::size_t j = 0; j < X.cols(); ++j) along += gain(0, j) * dY(i, j) * X(i, j) * r / double(X.cols());  // back
    slip(along, double(X.cols()) * along, "the sum of dN ⊙ N in the place of its mean");
    slip(along, -along, "a sign: a larger x makes r smaller");
    slip(along, bare_along(X, dY, i, r), "γ is missing in the mean: it is of dN ⊙ N, not of dy ⊙ N");
    slip(along, 0.0, "r is treated as a constant; it depends on every x of the row");
    slip(along, 2 * along, "a 2 too many: the root halves the slope of the square");
    for (std::size_t j = 0; j < X.cols(); ++j) {
      const double dN = gain(0, j) * dY(i, j), N = X(i, j) * r;
      g.dX(i, j) = r * (dN - N * along);  // back
      slip(g.dX(i, j), r * (dN - mean_of(X, [&](std::size_t l) { return gain(0, l) * dY(i, l); }) - N * along),
           "that is layer norm's: the mean of dN came through the mean of x, which is not taken away here");
      slip(g.dX(i, j), dN - N * along, "the factor r before the bracket is missing");
      slip(g.dX(i, j), r * (dN - X(i, j) * along), "x stands in the bracket where N belongs: an r is missing there");
      slip(g.dX(i, j), r * (dY(i, j) - N * bare_along(X, dY, i, r)), "γ is missing: dN = γ ⊙ dy");
      slip(g.dX(i, j), r * gain(0, j) * (dY(i, j) - N * bare_along(X, dY, i, r)),
           "γ stands before the bracket: it belongs to dN alone, inside and in the mean");
      slip(g.dX(i, j), r * (dY(i, j) - N * along),
           "γ is missing beside dy, and stands in the mean only: dN = γ ⊙ dy in both places");
      double part = dY(i, j) * X(i, j) * r;  // of this row   back
      slip(part, dY(i, j), "that is the gradient of a shift; γ is multiplied by N");
      slip(part, dY(i, j) * X(i, j), "γ is multiplied by N, not by x");
      slip(part, gain(0, j) * part, "γ itself does not stand in the slope of γ ⊙ N in γ");
      slip(part, part / double(X.rows()), "averaged over the rows; they add");
      slip(g.dgain(0, j), 0.0, "the last row alone: = in the place of +=");
      g.dgain(0, j) += part;  // back
    }
  }
  return g;
}

}  // namespace ours::ex6_5

static Verdict check() {
  constexpr std::size_t n = 3, d = 5;
  Random random(8);
  auto X = drawn(n, d, random), gain = drawn(1, d, random);
  X += Matrix<double>(n, d, 0.7);  // a mean that is not 0
  const auto dY = drawn(n, d, random);
  const auto right = [&] { return ours::ex6_5::forward(X, gain); };
  const auto back_of_ours = [&] { return ours::ex6_5::backward(X, gain, dY); };
  const auto loss = [&] { return dot(dY, right()); };
  const auto normed = attempt([&] { return ex6_5::forward(X, gain); });
  const auto back = attempt([&] { return ex6_5::backward(X, gain, dY); });
  const Answer Y{"forward", normed.value, right()}, dX{"dX", back.value.dX, numeric_gradient(X, loss)},
      dgain{"dgain", back.value.dgain, numeric_gradient(gain, loss)};
  if (untouched(Y) && untouched(dX) && untouched(dgain)) return not_started();
  Findings findings;
  findings.add(Y.name, normed.or_else(diagnose(Y, by_formula, right)));
  if (!back.thrown.empty()) {
    findings.add("backward", back.thrown);
  } else {
    findings.add("backward", dX, numeric, [&] { return back_of_ours().dX; });
    findings.add("backward", dgain, numeric, [&] { return back_of_ours().dgain; });
  }
  return findings.verdict();
}
static const Exercise here{"6.5", "Another norm", check};
