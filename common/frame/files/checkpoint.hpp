// Between matrices and safetensors files. A matrix is stored with its two sizes, a bias as 1 x n, a
// loss as a scalar.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include "common/frame/files/safetensors.hpp"
#include "common/frame/terminal/flags.hpp"
#include "common/frame/text/words.hpp"
#include "common/model.hpp"

template <class T>
void add_matrix(safetensors::File& file, const std::string& name, const Matrix<T>& a) {
  file.add(name, {a.rows(), a.cols()}, a.values());
}

template <class List>
void add_tensors(safetensors::File& file, const std::string& prefix, const List& tensors) {
  for (const auto& [name, tensor] : tensors) add_matrix(file, prefix + name, tensor);
}

inline void add_scalar(safetensors::File& file, const std::string& name, double value) {
  file.add(name, {}, std::span(&value, 1));
}

inline void add_indices(safetensors::File& file, const std::string& name,
                        const safetensors::Shape& shape, std::span<const std::uint32_t> indices) {
  file.add(name, shape, std::vector<std::int64_t>(indices.begin(), indices.end()));
}

// Ends a run under --export. Returns the exit status. Throws UserError.
inline int write_export(const std::string& path, const safetensors::File& file) {
  blame("--export", [&] { safetensors::save(path, file); });
  print("wrote " + one_line(path) + "\n");
  return 0;
}

// Fills a list from the file. Throws std::runtime_error, and changes nothing, when a tensor is
// missing or does not fit.
template <class T>
void read_tensors(const safetensors::File& file, const Tensors<T>& tensors) {
  std::vector<std::vector<T>> values;
  for (const auto& [name, tensor] : tensors)
    values.push_back(file.values<T>(name, {tensor.rows(), tensor.cols()}));
  for (std::size_t t = 0; t < tensors.size(); ++t)
    std::copy(values[t].begin(), values[t].end(), tensors[t].tensor.values().begin());
}

// Throws std::runtime_error when a number is not finite: a file may be hostile.
template <class List>
void check_finite(const List& tensors) {
  for (const auto& [name, tensor] : tensors)
    if (!std::isfinite(largest_entry(tensor)))
      throw std::runtime_error("tensor '" + name + "' holds a number that is not finite");
}
