// Lesson 3: the wrong answers to its exercises that come to mind, and what is wrong with each. check.cpp compares with
// them what does not pass, so that a reader learns more than where two numbers differ.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "common/support/diagnosis.hpp"
#include "lessons/3_swish_vs_bmlp/model/04_means.hpp"
#include "lessons/3_swish_vs_bmlp/model/05_bmlp.hpp"

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
  const double d = double(m.form.in), h = double(m.form.hidden);
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
          {with(1 / d, 1 / d), "mean(H) is divided by d; it is over h numbers"},
          {with(1 / h, 1 / h), "mean(X) is divided by h; it is over d numbers"},
          {with(1 / h, 1 / d), "the counts are exchanged: mean(X) is over d numbers, mean(H) over h"},
          {with(1 / d, 1 / h) - 1 / (d * h) * matmul(sums, m.u2), "mean(X)·u1 is a part of H, so mean(H) has it too"}};
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
          {with(1 / o * dm), "the wrong mean was taken away: one in this file belongs to the formula of Y"},
          {with(1 / h * lesson3::row_dots(dY, Matrix<double>(F.rows(), F.cols(), 1))),
           "m stands beside F: what comes back to it is multiplied by F"},
          {with(1 / h * dm) - through_U2, "the path through U2 is missing"},
          {with(1 / h * dm) - through_W2, "the path through W2 is missing"}};
}

// ------------------------------------------------------------------------------------------------------------- 3.6

// The factors by which all gradients of 1 - R² can be off, where n·o, n and the spread of the targets, Σ (T - mean)², are
// known; the first is what the given file does.
inline std::vector<std::pair<double, std::string>> wrong_factors_of_loss(const Matrix<double>& T, double spread) {
  const double n = double(T.rows()), count = double(T.size()), squares = dot(T, T);
  return {
      {spread / count, "still as given in its effect"},
      {spread / n, "all gradients are off by one factor: the loss does not divide by the number of rows"},
      {spread, "all gradients are off by one factor: the loss divides, and dY does not"},
      {0.5, "all gradients are off by one factor: a square has a slope with a factor of its own"},
      {spread / squares, "all gradients are off by one factor: the loss takes the targets' distances from their means"},
      {1 / count, "all gradients are off by one factor: two divisors stand where the loss has one"},
      {std::sqrt(spread),
       "all gradients are off by one factor: the loss divides by a sum of squares, not by its root"}};
}

}  // namespace exercise
