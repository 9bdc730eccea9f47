// Exercise 1.2: a loss that forgives outliers.
// Hint: Walk as for (1.10): each entry of Y appears once. What is the slope of √r?
// Hint: 1/(2√r), and what stands under the root has a slope of its own. The mean divides
// by the number of entries, Y.size().
// Hint: Of one entry with error e the slope is e/√(1 + e²).
// SPDX-License-Identifier: MIT
#include <ex1_2_loss.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex1_2 {

// The slope of √r is 1/(2√r), that of 1 + error² is 2·error: the twos cancel.
inline Matrix<double> loss_gradient(const Matrix<double>& Y, const Matrix<double>& T) {
  double entries = double(Y.size());
  slip(entries, 1.0, "the loss is a mean: divide by the number of entries");
  slip(entries, double(Y.rows()), "the mean runs over all entries, not over the rows alone");
  slip(entries, double(Y.cols()), "the mean runs over all entries, not over the columns alone");
  slip(entries, entries * entries, "divided by the number of entries twice");
  slip(entries, entries * double(Y.rows()), "divided once more by the number of rows: the mean has it already");
  return zip(Y, T, [entries](double y, double t) {
    double error = y - t, root = std::sqrt(1 + error * error);
    slip(root, 1.0, "the root is missing: that is half the gradient of a square");
    slip(root, root * root, "divided by what stands under the root, not by the root");
    slip(root, 1 / root, "multiplied by the root: its slope divides by it");
    slip(error, 1.0, "the slope of what stands under the root is missing");
    double slope = error / root / entries;  // back
    slip(slope, -slope, "the error is Y - T, not T - Y");
    slip(slope, 2 * slope, "the 2 of the square stays, but the root has a 1/2");
    slip(slope, slope / 2, "the 1/2 of the root is there, but the square has a 2");
    slip(slope, (root - 1) / entries, "that is the loss, entry by entry, not its slope");
    slip(slope, (error > 0 ? 1 : -1) / entries, "the sign of the error is what a huge error would give");
    return slope;
  });
}

}  // namespace ours::ex1_2

static Verdict check() {
  Random random(2);
  auto Y = normal_matrix<double>(5, 3, 2, random);
  const auto T = normal_matrix<double>(5, 3, 2, random), ones = Matrix<double>(5, 3, 1);
  const auto loss = [&] {
    return dot(ones, map(Y - T, [](double d) { return std::sqrt(1 + d * d) - 1; })) / double(Y.size());
  };
  const Answer dY{"loss_gradient", ex1_2::loss_gradient(Y, T), numeric_gradient(Y, loss)};
  if (untouched(dY)) return not_started();
  Findings findings;
  findings.add("loss_gradient", dY, numeric, [&] { return ours::ex1_2::loss_gradient(Y, T); });
  return findings.verdict();
}
static const Exercise here{"1.2", "A loss that forgives outliers", check};
