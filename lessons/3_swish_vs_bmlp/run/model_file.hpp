// Lesson 3: a trained model with the scales of its data, as a file that other systems read too: safetensors, float32
// for the parameters, float64 for the scales.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/support/checkpoint.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/train.hpp"

namespace lesson3 {

// Columns in units of their own: standard = (value - mean) / deviation, each 1 x columns.
struct Scale {
  Matrix<double> mean, deviation;

  explicit Scale(std::size_t columns = 0) : mean(1, columns), deviation(1, columns, 1) {}

  Matrix<double> to_standard(Matrix<double> values) const;
  Matrix<double> from_standard(Matrix<double> values) const;
};

// Returns mean and standard deviation of each column. Throws UserError for a column that does not vary, or varies too
// widely to square; `names` are those of the columns, if they have any.
Scale scale_of(const Matrix<double>& values, const std::vector<std::string>& names = {});

// What the parameters of a model are worth without: how its inputs and targets were scaled.
struct Scales {
  Scale X, T;

  Tensors<double> tensors() {
    return {{"X.mean", X.mean}, {"X.deviation", X.deviation}, {"T.mean", T.mean}, {"T.deviation", T.deviation}};
  }
};

// Returns the model's answer to inputs in their own units.
template <class Model>
Matrix<double> predict(const Model& model, const Scales& scales, const Matrix<double>& X) {
  return scales.T.from_standard(predict(model, scales.X.to_standard(X)));
}

// Returns the file of a model that is asked for by `key`.
safetensors::File file_of(const std::string& key, const ConstTensors<float>& model, Scales scales, std::uint64_t seed);

// Returns the metadata entry that names the model. Throws UserError when the file is of another lesson.
std::string model_named_in(const safetensors::File& file);

// Returns how many columns the inputs and the targets have for which the model was made. Throws std::runtime_error.
Sizes sizes_in(const safetensors::File& file);

// Fills the tensors of a model for these sizes from the file; returns the scales. Throws std::runtime_error when a
// tensor is missing, of the wrong shape or type, or holds a number that nothing can be computed with.
Scales read_model(const safetensors::File& file, const Sizes& sizes, const Tensors<float>& model);

}  // namespace lesson3
