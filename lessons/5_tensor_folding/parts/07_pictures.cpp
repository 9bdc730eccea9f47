// Lesson 5, part 7: what the eigenvectors look like, and how few of them are needed.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/session.hpp"

// The eigenvector of the most positive (sign 1) or most negative (sign -1) eigenvalue.
inline std::size_t extreme(const Eigen& eigen, int sign) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < eigen.values.size(); ++k)
    if (sign * eigen.values[k] > sign * eigen.values[best]) best = k;
  return best;
}

// For the first `digits` digits the eigenvectors of the most positive eigenvalue, and of the most negative where wanted.
inline plot::Sheet picture_of_eigenvectors(const std::vector<Eigen>& spectra, const Images& images, std::size_t digits,
                                           std::vector<int> signs, const std::string& title) {
  plot::Sheet sheet;
  sheet.title = title;
  sheet.rows = images.rows, sheet.cols = images.cols;
  sheet.diverging = sheet.own_scale = true;
  sheet.per_row = 10;
  for (const int sign : signs)
    for (std::size_t o = 0; o < digits; ++o) {
      const std::size_t k = extreme(spectra[o], sign);
      const auto v = spectra[o].vectors.row(k);
      sheet.images.push_back(
          {std::to_string(o) + (sign > 0 ? " +" : " ") + fixed(spectra[o].values[k], 1), {v.begin(), v.end()}});
    }
  return sheet;
}

// The share of a unit vector's energy that lies in the outermost pixels.
inline double border_energy(std::span<const double> v, const Images& images) {
  double border = 0;
  for (std::size_t r = 0; r < images.rows; ++r)
    for (std::size_t c = 0; c < images.cols; ++c)
      if (r == 0 || c == 0 || r + 1 == images.rows || c + 1 == images.cols) {
        const double x = v[r * images.cols + c];
        border += x * x;
      }
  return border;
}

inline double mean_border_energy(const std::vector<Eigen>& spectra, const Images& images) {
  double sum = 0;
  for (const Eigen& eigen : spectra) sum += border_energy(eigen.vectors.row(extreme(eigen, 1)), images);
  return sum / double(spectra.size());
}

inline double mean_effective_rank(const std::vector<Eigen>& spectra) {
  double sum = 0;
  for (const Eigen& eigen : spectra) sum += effective_rank(eigen.values);
  return sum / double(spectra.size());
}

// Of each slice the most positive eigenvalue and its eigenvector alone.
inline std::vector<Eigen> most_positive(const std::vector<Eigen>& spectra) {
  std::vector<Eigen> found;
  for (const Eigen& eigen : spectra) {
    const std::size_t k = extreme(eigen, 1);
    found.push_back({{eigen.values[k]}, Matrix<double>(row_block(eigen.vectors, k, 1))});
  }
  return found;
}

inline void part7(Lesson& lesson, Session& session) {
  const std::vector<Eigen>& spectra = session.spectra();
  const Images& test = session.images.test;
  const Matrix<double> X(test.X.view());
  lesson.say("Each digit's slice is a sum of signed squares of patterns: y = Σ λ·(v·x)². A pattern with a positive λ ",
             "speaks for the digit wherever it is found, with either sign; one with a negative λ speaks against it.");
  lesson.picture("eigenvectors",
                 picture_of_eigenvectors(spectra, test, 10, {1, -1},
                                         "For each digit the patterns of the most positive and the most negative λ"));

  const double full = accuracy_of(evaluate_truncated(spectra, X, spectra[0].values.size()), test.labels);
  const double net = accuracy(session.net(), test);
  const std::size_t pixels = X.cols();
  Table table{{"eigenvectors kept", "numbers stored", "right"}, {}};
  plot::Series curve{"product net, eigenvectors of largest |λ|", {}, {}};
  double at_8 = 0;
  for (const std::size_t kept : {1u, 2u, 4u, 6u, 8u, 12u, 16u, 24u, 48u}) {
    if (kept > spectra[0].values.size()) continue;
    const double right = accuracy_of(evaluate_truncated(spectra, X, kept), test.labels);
    if (kept == 8) at_8 = right;
    table.rows.push_back({std::to_string(kept), std::to_string(kept * 10 * (pixels + 1)), fixed(right, 4)});
    curve.x.push_back(double(kept)), curve.y.push_back(right);
  }
  lesson.say("Of each digit's ", spectra[0].values.size(),
             " eigenvectors that are not zero, keep those of the largest |λ|. ", "The net itself stores ",
             parameters_of(session.net()), " numbers and is right for ", fixed(net, 4), ".");
  lesson.show(table);
  plot::Chart chart;
  chart.title = "How many eigenvectors does a digit need?";
  chart.x = {"eigenvectors kept for each digit", true, {}, {}};
  chart.y = {"right", false, 0.0, 1.0};
  chart.series = {curve};
  chart.levels = {{"the net itself", net}};
  lesson.picture("truncation", chart);
  const auto against = std::count_if(spectra.begin(), spectra.end(), [](const Eigen& e) { return e.values[0] < 0; });
  const double largest = accuracy_of(evaluate_truncated(spectra, X, 1), test.labels);
  const double positive = accuracy_of(evaluate_truncated(most_positive(spectra), X, 1), test.labels);
  lesson.say(
      "One for each digit is poor. The largest |λ| of ", against, " of the ", spectra.size(),
      " belongs to a negative λ: a logit that is one negative square is never above 0, and such a digit is never ",
      "answered. With the most positive λ of each digit in its place ", fixed(positive, 3), " are right, not ",
      fixed(largest, 3), ".");
  const double rank = mean_effective_rank(spectra);
  lesson.say(
      "Effective rank, (Σ|λ|)²/Σλ²: ", fixed(rank, 1), " of ", spectra[0].values.size(),
      ". Folding is for reading: the table above needs more numbers than the net, because each digit keeps patterns ",
      "of its own, while the net's products serve all ten.");
  lesson.claim("all eigenvectors: as many right as the net", std::abs(full - net),
               at_most(0.001));  // the order of rounding may decide a tie
  // Means and spreads over 40 seeds.
  lesson.claim_trained("eight of them: behind the net by", net - at_8, at_most(0.0043 + 4.5 * 0.0022));
  lesson.claim_trained("effective rank", rank, within(15.7, 4.5 * 0.68));
  // The spreads are wide: in a few seeds the largest does better.
  lesson.claim_trained("one, of the largest |λ|: right", largest, within(0.247, 4.5 * 0.048));
  lesson.claim_trained("one, of the most positive λ: right", positive, within(0.340, 4.5 * 0.048));
}
