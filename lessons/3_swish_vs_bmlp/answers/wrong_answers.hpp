// Lesson 3: the wrong answers to its exercises that come to mind, and what is wrong with each. check.cpp compares with
// them what does not pass, so that a reader learns more than where two numbers differ.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "common/support/diagnosis.hpp"
#include "lessons/3_swish_vs_bmlp/model/04_means.hpp"
#include "lessons/3_swish_vs_bmlp/model/05_bmlp.hpp"

namespace exercise {

using lesson3::Bmlp, lesson3::Sizes, lesson3::add_column;

// ------------------------------------------------------------------------------------------------------------- 3.1

inline const Matrix<double> places{{-4, -2, -1, -0.4, 0, 0.4, 1, 2, 4}};

// What a formula in z and σ(z) gives at each place.
template <class F>
Matrix<double> at_places(F f) {
  return map(places, [f](double z) { return f(z, 1 / (1 + std::exp(-z))); });
}

// The formulas that come to mind, and what is wrong with each.
inline const std::vector<Mistake> wrong_slopes{
    {at_places([](double z, double s) { return z * s; }), "that is swish itself, not its slope"},
    {at_places([](double, double s) { return s; }), "σ moves with z too: the product rule has a second term"},
    {at_places([](double, double s) { return s * (1 - s); }), "the slope of σ alone; swish has a second factor, z"},
    {at_places([](double z, double s) { return z * s * (1 - s); }), "the term in which the factor z moves is missing"},
    {at_places([](double, double s) { return s + s * (1 - s); }), "σ' stands beside the other factor, z"},
    {at_places([](double z, double s) { return s - z * s * (1 - s); }), "the sign between the two terms"},
    {at_places([](double z, double s) { return s + z * s * (1 - z * s); }), "σ' is σ·(1 - σ), not σ·(1 - swish)"},
    {at_places([](double z, double s) { return s + z * s; }), "the slope of σ is σ·(1 - σ), not σ"},
    {at_places([](double z, double s) { return s + z * (1 - s); }), "the slope of σ is σ·(1 - σ), not 1 - σ"}};

// --------------------------------------------------------------------------------------------------------- 3.2, 3.5

// What dH becomes when the path through the mean comes in with another share than 1/h.
inline Matrix<double> dH_with(double share, const Matrix<double>& W2, const Matrix<double>& u2,
                              const Matrix<double>& dY) {
  return add_column(matmul(dY, transpose(W2)), share * matmul(dY, transpose(u2)));
}

// The mistakes in dH, seen through what is made of it: made(dH) is a gradient behind H. n, d, h and o must differ.
template <class Made>
std::vector<Mistake> wrong_shares(Sizes s, const Matrix<double>& W2, const Matrix<double>& u2, const Matrix<double>& dY,
                                  Made made) {
  const auto with = [&](double share) { return made(dH_with(share, W2, u2, dY)); };
  const char* const count = "the path through mean(H) is divided by a wrong count: the mean runs over h numbers";
  return {
      {with(0), "the path through mean(H) is missing: every h of a row moves that row's mean"},
      {with(1), "the path through mean(H) lacks its 1/h: an h is only a part of the mean"},
      {with(1 / double(dY.rows())), "the path through mean(H) is divided by n; the mean runs over a row, h numbers"},
      {with(1 / double(s.in)), count},
      {with(1 / double(s.out)), count}};
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

}  // namespace exercise
