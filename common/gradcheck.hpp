// The gradient check: holds derived gradients against slopes that know nothing of the derivation,
// (loss(x + h) - loss(x - h)) / 2h for each entry x of each tensor. Lesson 1 shows how such slopes
// err, and why these steps are right. Always in double.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/model.hpp"
#include "common/optimizer.hpp"

// How far an entry is moved. A loss that is at most quadratic in each tensor has no truncation
// error at any step, so h = 1 is best, as large as the entries; a larger step only enlarges the
// loss and its rounding. Otherwise two slopes are combined so that their h² errors cancel.
enum class Step { smooth, quadratic };

// The check of one tensor. The relative error of an entry is |derived - numeric| over the largest
// of |derived|, |numeric|, a thousandth of the tensor's largest |numeric|, and the least slope that
// can be judged (gradcheck::least_slope); `worst` is the largest error, at (row, col).
struct GradientRow {
  std::string name;
  Shape shape;
  double worst = 0;
  std::size_t row = 0, col = 0;
  // The two values there; without any error, those at the largest slope.
  double derived = 0, numeric = 0;
  // Entries where the loss has a corner, as ReLU at 0, and so no slope; and those of them whose
  // derived value does not even lie between the slopes to the left and to the right.
  std::size_t kinks = 0, outside = 0;

  void point_at(std::size_t k, const Matrix<double>& gradient, double slope) {
    row = k / gradient.cols();
    col = k % gradient.cols();
    derived = gradient.values()[k];
    numeric = slope;
  }
};

namespace gradcheck {

// Returns the noise in a slope: a loss is rounded, to ε·|loss| or a few times that, and the
// difference of two losses is divided by h. Below some 1e-150 squares underflow.
inline double noise_of(double loss, double h) { return 1e-150 + 0x1p-52 * std::abs(loss) / h; }

// Returns the size below which no numeric slope can judge a gradient: there the noise alone would
// exceed the error that a right gradient may have, 1e-7 with small steps and 1e-12 with h = 1. Over
// 400 random networks the noise reached 2.1 times noise_of.
inline double least_slope(double noise, Step step) {
  return 4 * noise / (step == Step::smooth ? 1e-7 : 1e-12);
}

// The slope at an entry. Its bend is how far the differences at h and h/2 are from those of a
// smooth loss.
struct Slope {
  double value = 0, left = 0, right = 0;
  double noise = 0;
  double bend = 0;
  bool kink = false;
};

// From the losses around x, at a distance h: the central difference; the slopes to the left and to
// the right of x; the largest loss, since rounding is a part of it.
struct Differences {
  double central = 0, left = 0, right = 0, size = 0;

  double turn() const { return right - left; }
};

// Leaves x as it was; `middle` is the loss at x.
template <class Loss>
Differences differences(double& x, double h, double middle, Loss& loss) {
  const double kept = x;
  x = kept + h;
  const double above = x, up = loss();
  x = kept - h;
  const double below = x, down = loss();
  x = kept;
  // Divided by the distance that x really moved, after rounding.
  return {.central = (up - down) / (above - below),
          .left = (middle - down) / (kept - below),
          .right = (up - middle) / (above - kept),
          .size = std::max({std::abs(up), std::abs(middle), std::abs(down)})};
}

// Returns the slope of a smooth loss: central differences at h and h/2 have errors c·h² and c·h²/4,
// so (4·second - first)/3 has neither. What is left, of order h⁴, and the rounding ε/h balance near
// h = ε^(1/5) = 7e-4. The turn of a smooth loss halves with h. At a corner it does not, even when
// the corner is at x itself and the central differences agree.
template <class Loss>
Slope smooth_slope(double& x, double step, double middle, Loss& loss) {
  const double h = step * std::max(1.0, std::abs(x));
  const Differences wide = differences(x, h, middle, loss);
  const Differences narrow = differences(x, h / 2, middle, loss);
  const double turn = std::abs(wide.turn() - 2 * narrow.turn());
  return {.value = (4 * narrow.central - wide.central) / 3,
          .left = wide.left,
          .right = wide.right,
          .noise = noise_of(wide.size, h),
          .bend = std::abs(wide.central - narrow.central) + turn};
}

template <class Loss>
Slope exact_slope(double& x, double middle, Loss& loss) {
  return {.value = differences(x, 1.0, middle, loss).central, .noise = noise_of(middle, 1)};
}

// Returns the slopes at every entry of a tensor. Where the differences bend by more than curvature
// explains, a corner lies within h: if a second look from closer still finds it, it is a kink. This
// looks at numbers only, never at the derived gradient, so a wrong gradient cannot pass for a kink.
template <class Loss>
std::vector<Slope> slopes(Matrix<double>& tensor, Loss& loss, Step step) {
  const double middle = loss();
  std::vector<Slope> all;
  double largest = 0;
  for (double& x : tensor.values()) {
    const bool smooth = step == Step::smooth;
    all.push_back(smooth ? smooth_slope(x, 7e-4, middle, loss) : exact_slope(x, middle, loss));
    largest = std::max(largest, std::abs(all.back().value));
  }
  // h²/8 is 6e-8: this leaves room for a third derivative of 160 times the largest slope.
  const double curvature = 1e-5 * largest;
  // Twelve losses over h go into a bend, each with its rounding.
  const auto bends = [&](const Slope& s) { return s.bend > curvature + 40 * s.noise; };
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!bends(all[k])) continue;
    all[k] = smooth_slope(tensor.values()[k], 7e-6, middle, loss);
    all[k].kink = bends(all[k]);
  }
  return all;
}

// `largest` is the largest slope of the tensor.
inline double relative_error(double derived, const Slope& slope, double largest, Step step) {
  const double numeric = slope.value;
  if (derived == 0 && numeric == 0) return 0;
  const double size = std::max(
      {std::abs(derived), std::abs(numeric), 1e-3 * largest, least_slope(slope.noise, step)});
  return std::abs(derived - numeric) / size;
}

// Returns by how much a derived value misses the slopes between left and right of a kink. Each of
// these errs by two roundings over h, and by h/2 times a curvature, as 1e-5 of the largest slope.
inline double beyond_kink(double derived, const Slope& slope, double largest) {
  const auto [low, high] = std::minmax(slope.left, slope.right);
  const double missed = std::max({low - derived, derived - high, 0.0});
  return missed > 1e-5 * largest + 4 * slope.noise ? missed : 0;
}

// Counts NaN as worse than every number.
inline bool is_worse(double error, double worst) { return !(error <= worst) && !std::isnan(worst); }

inline GradientRow compare(const std::string& name, const Matrix<double>& gradient,
                           const std::vector<Slope>& slopes, Step step) {
  GradientRow row{.name = name, .shape = gradient.shape()};
  if (slopes.empty()) return row;
  const auto smaller = [](const Slope& a, const Slope& b) {
    return std::abs(a.value) < std::abs(b.value);
  };
  const auto top = std::max_element(slopes.begin(), slopes.end(), smaller);
  row.point_at(std::size_t(top - slopes.begin()), gradient, top->value);
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    const double derived = gradient.values()[k], largest = std::abs(top->value);
    if (slopes[k].kink) {
      ++row.kinks;
      if (beyond_kink(derived, slopes[k], largest) == 0) continue;
      ++row.outside;
    }
    const double error = relative_error(derived, slopes[k], largest, step);
    if (is_worse(error, row.worst)) {
      row.worst = error;
      row.point_at(k, gradient, slopes[k].value);
    }
  }
  return row;
}

}  // namespace gradcheck

struct GradientReport {
  std::vector<GradientRow> rows;
  bool repeatable = true;  // a second forward gave the same loss, to the bit

  // Returns the largest relative error; infinite when over a tenth of a tensor's entries are kinks,
  // so that it was not checked.
  double worst() const {
    double largest = 0;
    for (const GradientRow& row : rows) {
      if (10 * row.kinks > row.shape.rows * row.shape.cols) return HUGE_VAL;
      if (gradcheck::is_worse(row.worst, largest)) largest = row.worst;
    }
    return largest;
  }
};

// Checks every entry of every tensor. loss() computes the loss from the tensors as they stand; the
// gradients must have been derived there. Throws std::invalid_argument when a gradient lacks its
// tensor's name or shape.
template <class Loss>
GradientReport check_gradients(const Tensors<double>& tensors, const Tensors<double>& gradients,
                               Loss loss, Step step = Step::smooth) {
  check_gradients_fit(tensors, gradients);
  GradientReport report;
  report.repeatable = loss() == loss();
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const std::vector<gradcheck::Slope> slopes = gradcheck::slopes(tensors[t].tensor, loss, step);
    const auto& [name, gradient] = gradients[t];
    report.rows.push_back(gradcheck::compare(name, gradient, slopes, step));
  }
  return report;
}

// Returns an input of real numbers, which a check moves as it moves parameters, else null.
inline Matrix<double>* real_input(Matrix<double>& X) { return &X; }
template <class Input>
Matrix<double>* real_input(Input&) {
  return nullptr;
}

// Checks every entry of a model's parameters and input, through loss_of(Y).
template <class Model, class Input, class LossOfY>
GradientReport check_model(Model& model, Input& X, LossOfY loss_of, Step step = Step::smooth) {
  Gradients<Model> g = gradients(model, X, loss_of);
  Tensors<double> tensors = model.tensors();
  Tensors<double> derived = g.parameters.tensors();
  if (Matrix<double>* numbers = real_input(X)) {
    tensors.push_back({"X", *numbers});
    derived.push_back({"X", g.dX});
  }
  const auto loss = [&] { return loss_of(output(model, X)).value; };
  return check_gradients(tensors, derived, loss, step);
}

// Draws normals for an exact check, rounded away from 0 to whole quarters. Sums and products of a
// few such numbers are exact in double, and so are means over 2, 4, 8 or 16 of them; then derived
// and numeric slopes of a quadratic loss are equal.
inline Matrix<double> quarters(std::size_t rows, std::size_t cols, Random& random,
                               double size = 1) {
  const auto rounded = [](double z) { return std::copysign(std::ceil(std::abs(4 * z)) / 4, z); };
  return map_entries(normal_matrix<double>(rows, cols, size, random), rounded);
}
