// The gradient check: hand-derived gradients against numbers that know nothing of the derivation.
// Each entry x of each tensor is moved up and down, and the slope (loss(x + h) - loss(x - h)) / 2h
// is compared with the derived gradient. Lesson 1 shows how such a slope errs, and why these steps
// are the right ones. Always in double.
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
// error at any step, so one as large as the entries themselves is best (quadratic: h = 1); a larger
// one only enlarges the loss and its rounding. Elsewhere two slopes are combined so that their h²
// errors cancel (smooth).
enum class Step { smooth, quadratic };

// What the check found for one tensor. The relative error of an entry is |derived - numeric| over
// the largest of |derived|, |numeric|, a thousandth of the tensor's largest |numeric|, and the
// least slope that can be judged at all (gradcheck::least_slope); `worst` is the largest of them,
// at (row, col).
struct GradientRow {
  std::string name;
  Shape shape;
  double worst = 0;
  std::size_t row = 0, col = 0;
  double derived = 0,
         numeric = 0;  // the two values there; at the largest slope when no entry is off at all
  std::size_t kinks =
      0;  // entries where the loss has a corner (ReLU at 0), so that no slope exists there

  // Makes entry k of the gradient the one that is shown.
  void point_at(std::size_t k, const Matrix<double>& gradient, double slope) {
    row = k / gradient.cols();
    col = k % gradient.cols();
    derived = gradient.values()[k];
    numeric = slope;
  }
};

struct GradientReport {
  std::vector<GradientRow> rows;  // in the order of the tensors
  bool repeatable = true;         // a second forward gave the same loss, to the bit

  // The largest relative error of all; infinite when a tensor has so many kinks (over a tenth) that
  // it was not checked.
  double worst() const {
    double result = 0;
    for (const GradientRow& row : rows) {
      if (10 * row.kinks > row.shape.rows * row.shape.cols) return HUGE_VAL;
      if (!(row.worst <= result) && !std::isnan(result))
        result = row.worst;  // takes a NaN and keeps it
    }
    return result;
  }
};

// Numbers for an exact check: normal ones, rounded away from 0 to whole quarters. Sums and products
// of a few such numbers are exact in double, and so are means over 2, 4, 8 or 16 of them; then
// derived and numeric slopes of a quadratic loss are equal.
inline Matrix<double> quarters(std::size_t rows, std::size_t cols, Random& random,
                               double size = 1) {
  return map(normal_matrix<double>(rows, cols, size, random),
             [](double z) { return std::copysign(std::ceil(std::abs(4 * z)) / 4, z); });
}

namespace gradcheck {

// A loss is rounded, to ε·|loss| or a few times that, and a difference of two losses over h turns
// this into noise in the slope, however small the slope is. (1e-150: the squares of what is smaller
// are 0.)
inline double noise_of(double loss, double h) { return 1e-150 + 0x1p-52 * std::abs(loss) / h; }

// Below this size the noise alone would be an error beyond what a right gradient is held to, 1e-7
// with small steps and 1e-12 with h = 1: no numeric slope can judge it. Over 400 random networks
// the noise reached 2.1 times noise_of.
inline double least_slope(double noise, Step step) {
  return 4 * noise / (step == Step::smooth ? 1e-7 : 1e-12);
}

struct Slope {
  double value = 0;
  double noise = 0;
  double bend = 0;  // how far the differences at h and h/2 are from what a smooth loss has
  bool kink = false;
};

// The losses around x at a distance h: the central difference, the slope to the right minus the
// slope to the left, and the largest of them, since each is rounded by a part of itself.
struct Differences {
  double central = 0, turn = 0, size = 0;
};

// `middle` is the loss at x; x is left as it was.
template <class Loss>
Differences differences(double& x, double h, double middle, Loss& loss) {
  const double kept = x;
  x = kept + h;
  const double up = loss(), above = x;
  x = kept - h;
  const double down = loss(), below = x;
  x = kept;
  return {(up - down) / (above - below),  // the distance that was really moved, after rounding
          (up - middle) / (above - kept) - (middle - down) / (kept - below),
          std::max({std::abs(up), std::abs(middle), std::abs(down)})};
}

// The slope of a smooth loss: central differences at h and h/2 have errors c·h² and c·h²/4, so
// (4·second - first)/3 has neither. What is left, of order h⁴, and the rounding ε/h balance near h
// = ε^(1/5) = 7e-4. The turn of a smooth loss halves with h. At a corner it does not, even where
// the corner is at x itself and the central differences agree.
template <class Loss>
Slope smooth_slope(double& x, double step, double middle, Loss& loss) {
  const double h = step * std::max(1.0, std::abs(x));
  const Differences wide = differences(x, h, middle, loss),
                    narrow = differences(x, h / 2, middle, loss);
  return {(4 * narrow.central - wide.central) / 3, noise_of(wide.size, h),
          std::abs(wide.central - narrow.central) + std::abs(wide.turn - 2 * narrow.turn)};
}

// The slopes of a loss at every entry of a tensor. Where the differences bend by more than
// curvature explains, a corner lies within h: look again from closer, and if it is still there, it
// is a kink. The test looks at numbers only, never at the derived gradient, so a wrong gradient
// cannot pass for a kink.
template <class Loss>
std::vector<Slope> slopes(Matrix<double>& tensor, Loss& loss, Step step) {
  const double middle = loss();
  std::vector<Slope> found;
  double largest = 0;
  for (double& x : tensor.values()) {
    found.push_back(step == Step::smooth
                        ? smooth_slope(x, 7e-4, middle, loss)
                        : Slope{differences(x, 1.0, middle, loss).central, noise_of(middle, 1)});
    largest = std::max(largest, std::abs(found.back().value));
  }
  const double curvature =
      1e-5 * largest;  // h²/8 is 6e-8: room for a third derivative of 160 times the largest slope
  // Twelve losses over h go into a bend, each with its rounding.
  const auto bends = [&](const Slope& s) { return s.bend > curvature + 40 * s.noise; };
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (!bends(found[k])) continue;
    found[k] = smooth_slope(tensor.values()[k], 7e-6, middle, loss);
    found[k].kink = bends(found[k]);
  }
  return found;
}

}  // namespace gradcheck

// Checks every entry of every tensor. `loss()` computes the loss anew from the tensors as they
// stand. The gradients must have been derived at the same point. Throws std::invalid_argument when
// a gradient lacks its tensor's name or shape.
template <class Loss>
GradientReport check_gradients(const Tensors<double>& tensors, const Tensors<double>& gradients,
                               Loss loss, Step step = Step::smooth) {
  check_gradients_fit(tensors, gradients);
  GradientReport report;
  report.repeatable = loss() == loss();
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    Matrix<double>& tensor = tensors[t].tensor;
    GradientRow row{tensors[t].name, tensor.shape()};
    const std::vector<gradcheck::Slope> slopes = gradcheck::slopes(tensor, loss, step);
    const auto smaller = [](const auto& a, const auto& b) {
      return std::abs(a.value) < std::abs(b.value);
    };
    const auto top = std::max_element(slopes.begin(), slopes.end(), smaller);
    const double largest = slopes.empty() ? 0 : std::abs(top->value);
    if (!slopes.empty())
      row.point_at(std::size_t(top - slopes.begin()), gradients[t].tensor, top->value);
    for (std::size_t k = 0; k < slopes.size(); ++k) {
      if (slopes[k].kink) {
        ++row.kinks;
        continue;
      }
      const double derived = gradients[t].tensor.values()[k], numeric = slopes[k].value;
      const double size = std::max({std::abs(derived), std::abs(numeric), 1e-3 * largest,
                                    gradcheck::least_slope(slopes[k].noise, step)});
      const double error = derived == 0 && numeric == 0 ? 0 : std::abs(derived - numeric) / size;
      if (!(error <= row.worst) && !std::isnan(row.worst)) {  // takes a NaN and keeps it
        row.worst = error;
        row.point_at(k, gradients[t].tensor, numeric);
      }
    }
    report.rows.push_back(row);
  }
  return report;
}

// Returns the real-valued numbers of a model's input, which a check moves as it moves parameters;
// null where it has none.
inline Matrix<double>* real_input(Matrix<double>& X) { return &X; }
template <class Input>
Matrix<double>* real_input(Input&) {
  return nullptr;
}

// Checks every entry of every parameter of a model, and of its input, through loss(Y) (see
// gradients in common/model.hpp).
template <class Model, class Input, class LossOfY>
GradientReport check_model(Model& model, Input& X, LossOfY loss, Step step = Step::smooth) {
  Gradients<Model> g = gradients(model, X, loss);
  Tensors<double> tensors = model.tensors(), derived = g.parameters.tensors();
  if (Matrix<double>* numbers = real_input(X)) {
    tensors.push_back({"X", *numbers});
    derived.push_back({"X", g.dX});
  }
  return check_gradients(
      tensors, derived, [&] { return loss(output(model, X)).value; }, step);
}
