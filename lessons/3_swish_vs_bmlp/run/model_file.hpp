// Lesson 3: a trained model with the scales of its data, as a file that other systems read too: safetensors, float32 for
// the parameters, float64 for the scales.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <string>

#include "common/support/checkpoint.hpp"
#include "common/support/flags.hpp"
#include "train.hpp"
#include "zoo.hpp"

// Columns in units of their own: standard = (value - mean) / deviation, each 1 x columns.
struct Scale {
  Matrix<double> mean, deviation;

  explicit Scale(std::size_t columns = 0) : mean(1, columns), deviation(1, columns, 1) {}

  Matrix<double> to_standard(Matrix<double> values) const {
    for (std::size_t i = 0; i < values.rows(); ++i)
      for (std::size_t j = 0; j < values.cols(); ++j) values(i, j) = (values(i, j) - mean(0, j)) / deviation(0, j);
    return values;
  }
  Matrix<double> from_standard(Matrix<double> values) const {
    for (std::size_t i = 0; i < values.rows(); ++i)
      for (std::size_t j = 0; j < values.cols(); ++j) values(i, j) = values(i, j) * deviation(0, j) + mean(0, j);
    return values;
  }
};

// What the parameters of a model are worth without: how its inputs and targets were scaled.
struct Scales {
  Scale X, T;

  Tensors<double> tensors() {
    return {{"X.mean", X.mean}, {"X.deviation", X.deviation}, {"T.mean", T.mean}, {"T.deviation", T.deviation}};
  }
};

// The model's answer to inputs in their own units.
template <class Model>
Matrix<double> predict(const Model& model, const Scales& scales, const Matrix<double>& X) {
  return scales.T.from_standard(predict(model, scales.X.to_standard(X)));
}

template <class Model>
safetensors::File file_of(const std::string& key, Model model, Scales scales, std::uint64_t seed) {
  safetensors::File file;
  file.metadata = {{"lesson", "3"},
                   {"model", key},
                   {"seed", std::to_string(seed)},
                   {"use", "standardise the inputs, run the model, undo the standardisation of the targets"}};
  add_tensors(file, "", model.tensors());
  add_tensors(file, "", scales.tensors());
  return file;
}

// The metadata entry that names the model. Throws UserError when the file is of another lesson.
inline std::string model_named_in(const safetensors::File& file) {
  const auto entry = [&](const std::string& key) {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? std::string("none") : found->second;
  };
  if (entry("lesson") != "3") throw UserError("holds no model of lesson 3 (lesson: " + entry("lesson") + ")");
  return entry("model");
}

// How many columns the inputs and the targets have for which the model was made.
inline Sizes sizes_in(const safetensors::File& file) {
  const auto columns = [&](const std::string& name) {
    const safetensors::Shape& shape = file.at(name).shape;
    if (shape.size() != 2 || shape[0] != 1 || shape[1] == 0) throw UserError("tensor '" + name + "' is no row");
    return shape[1];
  };
  const Sizes sizes{columns("X.mean"), 0, columns("T.mean")};
  // All models have a W3, so a file of a few bytes cannot ask for a large one.
  if (file.at("W3").shape != safetensors::Shape{sizes.in, sizes.out}) throw UserError("W3 does not fit the scales");
  return sizes;
}

// Fills a model of the right shape, and the scales, from the file. Throws std::runtime_error when a tensor is missing, of
// the wrong shape or type, or holds a number that nothing can be computed with.
template <class Model>
Scales read_model(const safetensors::File& file, Model& model) {
  Scales scales{Scale(model.sizes.in), Scale(model.sizes.out)};
  read_tensors(file, model.tensors());
  read_tensors(file, scales.tensors());
  const auto check = [](const auto& tensors) {
    for (const auto& [name, tensor] : tensors)
      for (const auto x : tensor.values())
        if (!std::isfinite(x)) throw UserError("tensor '" + name + "' holds a number that is not finite");
  };
  check(model.tensors());
  check(scales.tensors());
  for (const Scale* scale : {&scales.X, &scales.T})
    for (const double deviation : scale->deviation.values())
      if (!(deviation > 0)) throw UserError("a standard deviation is not positive");
  return scales;
}
