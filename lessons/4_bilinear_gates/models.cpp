// Lesson 4: models and training, compiled once.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/models.hpp"

#include "lessons/4_bilinear_gates/train.hpp"

namespace lesson4 {

template struct ProductLayer<double>;
template struct ProductNet<double>;
template struct HiddenNet<double>;
template struct Bottleneck<double>;

LossOf error_to(const Matrix<double>& T) {
  return [T](const Matrix<double>& Y) { return mean_squared_error(Y, T); };
}

LossOf error_over(const WeightedRows& rows) {
  return [rows](const Matrix<double>& Y) { return expected_error(Y, rows); };
}

template struct Trainer<ProductLayer<double>>;
template struct Trainer<ProductNet<double>>;
template struct Trainer<HiddenNet<double>>;
template struct Trainer<Bottleneck<double>>;

}  // namespace lesson4
