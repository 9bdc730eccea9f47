// Lesson 3: the wrong answers to its exercises that come to mind, and what is wrong with each. check.cpp compares with
// them what does not pass, so that a reader learns more than where two numbers differ.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/support/exercise.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"

namespace exercise {

using lesson3::Bmlp, lesson3::Sizes, lesson3::add_column;

// ------------------------------------------------------------------------------------------------------------- 3.1

inline const Matrix<double> places{{-4, -2, -1, -0.4, 0, 0.4, 1, 2, 4}};

// What a formula in z and tanh z gives at each place.
template <class F>
Matrix<double> at_places(F f) {
  return map(places, [f](double z) { return f(z, std::tanh(z)); });
}

// The formulas that come to mind, and what is wrong with each.
inline const std::vector<Mistake> wrong_slopes{
    {at_places([](double z, double t) { return z * t; }), "that is z·tanh z itself, not its slope"},
    {at_places([](double, double t) { return t; }), "tanh moves with z too: the product rule has a second term"},
    {at_places([](double, double t) { return 1 - t * t; }), "the slope of tanh alone; there is a second factor, z"},
    {at_places([](double z, double t) { return z * (1 - t * t); }), "the term in which the factor z moves is missing"},
    {at_places([](double, double t) { return t + 1 - t * t; }), "the slope of tanh stands beside the other factor, z"},
    {at_places([](double z, double t) { return t - z * (1 - t * t); }), "the sign between the two terms"},
    {at_places([](double z, double t) { return t + z * t * (1 - t); }),
     "t·(1 - t) is the slope of the sigmoid, not of tanh"},
    {at_places([](double z, double t) { return t + z * (1 - t); }),
     "the slope of tanh is not 1 - tanh: a square is missing"},
    {at_places([](double z, double t) { return t + z * (1 + t * t); }), "the sign in the slope of tanh"},
    {at_places([](double, double t) { return t * (1 - t * t); }),
     "the two slopes are multiplied; each stands beside the other factor"}};

// The numbers at the place where z·tanh z is steepest, which is `place`.
inline std::vector<Misreading> wrong_places(double place) {
  return {{1, "close, but the slope still grows there"},
          {1 / std::tanh(1.0), "that is one round from 1; go on until it settles"},
          {0, "there the slope is 0"},
          {1.2, "rounded too early: four decimals are asked for"},
          {-place, "the slope is negative there; z > 0 is asked for"}};
}
inline std::vector<Misreading> wrong_steepest(double place) {
  const double t = std::tanh(place), one = std::tanh(1.0);
  return {{1, "1 is z·tanh z there, and its slope far out, and the slope of tanh at 0; what is the slope there?"},
          {t, "that is tanh there; the slope has a second term"},
          {1 - t * t, "that is the slope of tanh there; z·tanh z has two terms"},
          {place * (1 - t * t), "the term in which the factor z moves is missing"},
          {1.2, "rounded too early: four decimals are asked for"},
          {one + 1 - one * one, "that is the slope at 1; it still grows there"}};
}

// --------------------------------------------------------------------------------------------------------- 3.2

// dH when to each h of row i comes a share of it times entry i of dY·u2ᵀ.
inline Matrix<double> dH_with(double share, const Matrix<double>& H, const Matrix<double>& W2, const Matrix<double>& u2,
                              const Matrix<double>& dY) {
  return matmul(dY, transpose(W2)) + lesson3::scale_rows(share * H, matmul(dY, transpose(u2)));
}

// The mistakes in dH. n, h and o must differ.
inline std::vector<Mistake> wrong_squares(const Matrix<double>& H, const Matrix<double>& W2, const Matrix<double>& u2,
                                          const Matrix<double>& dY) {
  const double h = double(H.cols()), n = double(H.rows()), o = double(dY.cols());
  const auto with = [&](double share) { return dH_with(share, H, W2, u2, dY); };
  const Matrix<double> dr = matmul(dY, transpose(u2)), through_W2 = matmul(dY, transpose(W2));
  const char* const count = "the path through the mean is divided by a wrong count: the mean runs over h numbers";
  return {
      {through_W2, "the path through the mean of the squares is missing: every h of a row moves it"},
      {with(2 / h) - through_W2, "the path through W2 is missing"},
      {with(1 / h), "the slope of a square is not the number itself: a factor is missing in the path through the mean"},
      {with(2), "the path through the mean lacks its 1/h: a square is only a part of the mean"},
      {with(1), "the path through the mean lacks its 1/h, and the slope of a square its factor"},
      {with(2 / (n * h)), "the path through the mean is divided by n too: r has a number of its own for each row"},
      {with(2 / n), count},
      {with(2 / o), count},
      {add_column(through_W2, 1 / h * dr), "that is the way back through a mean of numbers; here squares are averaged"},
      {add_column(through_W2, 2 / h * dr), "the slope of a square depends on the number: each h brings its own"},
      {add_column(through_W2, 2 * hadamard(lesson3::row_means(H), dr)),
       "that is the way back through the square of the mean; here the mean is of the squares"}};
}

inline std::vector<Mistake> wrong_mean_weights(const Matrix<double>& H, const Matrix<double>& dY) {
  const Matrix<double> r = lesson3::row_means(hadamard(H, H)), mean = lesson3::row_means(H);
  const auto made = [&](const Matrix<double>& column) { return matmul(transpose(column), dY); };
  return {{column_sums(dY), "that is the gradient of a bias; u2 is multiplied by a number of each row"},
          {made(mean), "u2 is multiplied by the mean of the squares, not by that of the numbers"},
          {made(hadamard(mean, mean)), "that has the square of the mean; u2 is multiplied by the mean of the squares"},
          {double(H.cols()) * made(r), "that takes the sum of the squares; their mean is 1/h of that"},
          {1 / double(H.rows()) * made(r), "averaged over the n rows; they add"}};
}

// ------------------------------------------------------------------------------------------------------------- 3.3

// The ways to fold that come to mind, and what is wrong with each.
inline std::vector<Mistake> wrong_folds(const Bmlp<double>& m) {
  const double d = double(m.form.in), h = double(m.form.hidden), o = double(m.form.out);
  const auto with = [&](double x, double y) { return matmul(add_row(m.W1, x * m.u1), add_row(m.W2, y * m.u2)) + m.W3; };
  const Matrix<double> sums(m.form.in, 1, dot(m.u1, Matrix<double>(1, m.form.hidden, 1)));  // d x 1, each Σ u1
  return {{with(1 / d, 1 / h) - m.W3, "X·W3 is missing"},
          {with(1 / d, 0), "mean(H)·u2 is missing"},
          {with(0, 1 / h), "mean(X)·u1 is missing"},
          {with(0, 0), "mean(X)·u1 and mean(H)·u2 are missing"},
          {with(0.5, 0.5), "0.5 was 1/d and 1/h on paper, where both were 2; here d is 3 and h is 5"},
          {with(1, 1), "that takes sums; a mean is divided by how many numbers it is over"},
          {with(1, 1 / h), "mean(X) is a sum of d numbers, divided by d"},
          {with(1 / d, 1), "mean(H) is a sum of h numbers, divided by h"},
          {with(0.5 / d, 0.5 / h), "both means are half as large as they are: nothing is counted twice here"},
          {with(1 / d, 0.5 / h), "mean(H) is half as large as it is: its sum has h numbers, and u2 comes in once"},
          {with(0.5 / d, 1 / h), "mean(X) is half as large as it is: its sum has d numbers, and u1 comes in once"},
          {with(2 / d, 2 / h), "both means are twice as large as they are"},
          {with(1 / d, 2 / h), "mean(H) is twice as large as it is"},
          {with(2 / d, 1 / h), "mean(X) is twice as large as it is"},
          {with(1 / d, 1 / d), "mean(H) is divided by d; it is over h numbers"},
          {with(1 / h, 1 / h), "mean(X) is divided by h; it is over d numbers"},
          {with(1 / h, 1 / d), "the counts are exchanged: mean(X) is over d numbers, mean(H) over h"},
          {with(1 / d, 1 / h) - 1 / (d * h) * matmul(sums, m.u2), "mean(X)·u1 is a part of H, so mean(H) has it too"},
          {with(1 / d, 1 / o), "mean(H) is divided by the columns of W2; its h numbers are as many as W2's rows"},
          {with(1 / h, 1 / o), "both means are divided by columns; W1 has d rows, and W2 has h"}};
}

// ------------------------------------------------------------------------------------------------------------- 3.5

// The mistakes in dH of the second gate, from what came back to F and m: the first is what the given file does.
inline std::vector<Mistake> wrong_gates(const Matrix<double>& H, const Matrix<double>& W2, const Matrix<double>& U2,
                                        const Matrix<double>& dY) {
  const Matrix<double> m = lesson3::row_means(H), F = matmul(H, U2), dF = lesson3::scale_rows(dY, m);
  const Matrix<double> dm = lesson3::row_dots(dY, F), nothing(H.rows(), 1);
  const Matrix<double> through_W2 = matmul(dY, transpose(W2)), through_U2 = matmul(dF, transpose(U2));
  const double h = double(H.cols()), o = double(dY.cols());
  const auto with = [&](const Matrix<double>& column) { return add_column(through_W2 + through_U2, column); };
  return {{with(1 / (h * o) * dm), "still as given in its effect"},
          {with(nothing), "the path through the mean is missing: m moves with every h of its row"},
          {with(dm), "the path through the mean lacks its 1/h: an h is only a part of the mean"},
          {with(1 / (h * h) * dm), "the path through the mean is divided by h twice: a line further down does it, too"},
          {with(0.5 / h * dm),
           "the path through the mean is halved: a mean is no square, and nothing is counted twice in it"},
          {with(2 / h * dm), "the path through the mean is doubled: m stands in Y once"},
          {with(1 / (h * double(H.rows())) * dm), "dm is divided by n: every row has a mean of its own"},
          {with(1 / h * lesson3::row_dots(dF, F)), "dm is multiplied by the mean itself: it is made of dY, not of dF"},
          {with(-1 / h * dm), "the sign of the path through the mean"},
          {with(1 / o * dm), "the wrong mean was taken away: one in this file belongs to the formula of Y"},
          {with(1 / h * lesson3::row_dots(dY, Matrix<double>(F.rows(), F.cols(), 1))),
           "m stands beside F: what comes back to it is multiplied by F"},
          {with(1 / h * dm) - through_U2, "the path through U2 is missing"},
          {with(1 / h * dm) - through_W2, "the path through W2 is missing"}};
}

// ------------------------------------------------------------------------------------------------------------- 3.6

// The factors by which all gradients of 1 - R² can be off, where the targets, their spread Σ (T - mean)² and the loss are
// known; the first is what the given file does.
inline std::vector<Misreading> wrong_factors_of_loss(const Matrix<double>& T, double spread, double loss) {
  const double n = double(T.rows()), count = double(T.size()), squares = dot(T, T);
  const std::string off = "all gradients are off by one factor: ";
  return {
      {spread / count, "still as given in its effect"},
      {-1, "all gradients have the wrong sign: the loss grows with Y where Y is above T"},
      {spread / n, off + "the loss does not divide by the number of rows"},
      {spread, off + "the loss divides, and dY does not"},
      {0.5, off + "a square has a slope with a factor of its own"},
      {0.5 * spread / count, off + "dY divides by another number than the loss, and a square has a factor of its own"},
      {spread / squares, off + "the loss takes the targets' distances from their means"},
      {1 / count, off + "two divisors stand where the loss has one"},
      {1 / n, off + "two divisors stand where the loss has one, and the second is the number of rows"},
      {count, off + "it is multiplied by the number of entries; the loss is one quotient of two sums"},
      {n, off + "it is multiplied by the number of rows; the loss is one quotient of two sums"},
      {1 / loss, off + "dY divides by the squared errors; below in the loss stands what the targets have"},
      {std::sqrt(spread), off + "the loss divides by a sum of squares, not by its root"}};
}

// Says what is wrong when all gradients are `factor` times the right ones; empty for 1, and for 0: they share none.
inline std::string diagnose_factor(double factor, const std::vector<Misreading>& known) {
  const auto near = [factor](double other) { return std::abs(factor / other - 1) < 1e-6; };
  if (factor == 0 || near(1)) return "";
  for (const Misreading& wrong : known)
    if (near(wrong.value)) return wrong.reason;
  return "all gradients are off by one factor, " + significant(factor, 4);
}

// ------------------------------------------------------------------------------------------------------------- 3.7

// H = X·W1 + mean(X)·u1 of the second of two calls with one X.
inline std::vector<Mistake> wrong_second_H(const Matrix<double>& X, const Matrix<double>& W1,
                                           const Matrix<double>& u1) {
  const Matrix<double> plain = matmul(X, W1), mean = matmul(lesson3::row_means(X), u1);
  Matrix<double> last(X.rows(), 1);
  for (std::size_t i = 0; i < X.rows(); ++i) last(i, 0) = X(i, X.cols() - 1) / double(X.cols());
  return {{plain + 2 * mean, "what the first call left behind in the means is still in it"},
          {2 * (plain + mean),
           "what the first call left behind in H is still in it: who writes a buffer first, overwrites"},
          {plain, "the means never reach H: they are cleared before they are used"},
          {plain + matmul(last, u1),
           "only the last number of a row is in its mean: clear it once before the row, then add"}};
}

// ------------------------------------------------------------------------------------------------------------- 3.8

// What a reader says of function after function; the first that is wrong is told, but one answer for all has a cause of
// its own. Functions of more than one degree are asked.
inline std::string same_for_all(const std::vector<std::size_t>& said) {
  for (const std::size_t one : said)
    if (one != said.front()) return "";
  return "you say " + std::to_string(said.front()) + " of every function: the answer does not depend on f";
}

}  // namespace exercise
