// Lesson 3: a trained model with the scales of its data, as a file that other systems read too.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/run/model_file.hpp"

#include <cmath>

#include "common/support/flags.hpp"
#include "common/support/words.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"

namespace lesson3 {

Matrix<double> Scale::to_standard(Matrix<double> values) const {
  for (std::size_t i = 0; i < values.rows(); ++i)
    for (std::size_t j = 0; j < values.cols(); ++j) values(i, j) = (values(i, j) - mean(0, j)) / deviation(0, j);
  return values;
}

Matrix<double> Scale::from_standard(Matrix<double> values) const {
  for (std::size_t i = 0; i < values.rows(); ++i)
    for (std::size_t j = 0; j < values.cols(); ++j) values(i, j) = values(i, j) * deviation(0, j) + mean(0, j);
  return values;
}

Scale scale_of(const Matrix<double>& values, const std::vector<std::string>& names) {
  Scale scale(values.cols());
  scale.mean = column_means(values);
  const Matrix<double> off = add_row(values, -1 * scale.mean);
  scale.deviation = map(column_means(hadamard(off, off)), [](double v) { return std::sqrt(v); });
  for (std::size_t j = 0; j < values.cols(); ++j) {
    const std::string name = "column " + (names.empty() ? std::to_string(j + 1) : "\"" + names[j] + "\"");
    if (!std::isfinite(scale.deviation(0, j))) throw UserError(name + " is too large to square");
    bool varies = false;  // a deviation of rounding alone is not 0
    for (std::size_t i = 1; i < values.rows(); ++i) varies = varies || values(i, j) != values(0, j);
    if (!varies) throw UserError(name + " is constant over the rows that are learned from");
  }
  return scale;
}

safetensors::File file_of(const std::string& key, const ConstTensors<float>& model, Scales scales, std::uint64_t seed) {
  safetensors::File file;
  file.metadata = {{"lesson", "3"},
                   {"model", key},
                   {"seed", std::to_string(seed)},
                   {"use", "standardise the inputs, run the model, undo the standardisation of the targets"}};
  add_tensors(file, "", model);
  add_tensors(file, "", scales.tensors());
  return file;
}

std::string model_named_in(const safetensors::File& file) {
  const auto entry = [&](const std::string& key) {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? std::string("none") : found->second;
  };
  if (entry("lesson") != "3") throw UserError("holds no model of lesson 3 (lesson: " + excerpt(entry("lesson")) + ")");
  return entry("model");
}

Sizes sizes_in(const safetensors::File& file) {
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

Scales read_model(const safetensors::File& file, const Sizes& sizes, const Tensors<float>& model) {
  Scales scales{Scale(sizes.in), Scale(sizes.out)};
  read_tensors(file, model);
  read_tensors(file, scales.tensors());
  check_finite(model);
  check_finite(scales.tensors());
  for (const Scale* scale : {&scales.X, &scales.T})
    for (const double deviation : scale->deviation.values())
      if (!(deviation > 0)) throw UserError("a standard deviation is not positive");
  return scales;
}

}  // namespace lesson3
