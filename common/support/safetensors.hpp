// The safetensors format, in which models are saved, loaded and exported: an 8-byte little-endian length, a JSON header
// of that length, then the tensors row-major, little-endian and without holes (github.com/huggingface/safetensors).
// Of its types: F32, F64, I64. A file that is read may be hostile: whatever is wrong with it ends in one clear error.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace safetensors {

inline constexpr std::size_t largest_header = 100'000'000;  // bytes, the limit of the reference implementation

using Shape = std::vector<std::size_t>;

struct Tensor {
  std::string name, dtype;  // dtype: F32, F64 or I64
  Shape shape;              // {} is a scalar
  std::string bytes;        // the values as in the file: row-major, little-endian
};

// Returns a shape as the format writes it: "[2,3]".
std::string text(const Shape& shape);

// Named tensors in order, each with as many bytes as its shape says, and no name twice.
class File {
 public:
  std::map<std::string, std::string> metadata;

  // Adds a tensor. Throws std::runtime_error where the name is taken or the bytes do not fit dtype and shape.
  void add(Tensor tensor);

  // Adds numbers: file.add("W", {W.rows(), W.cols()}, W.values()).
  void add(const std::string& name, const Shape& shape, std::span<const float> values);
  void add(const std::string& name, const Shape& shape, std::span<const double> values);
  void add(const std::string& name, const Shape& shape, std::span<const std::int64_t> values);

  const std::vector<Tensor>& tensors() const { return tensors_; }
  bool contains(const std::string& name) const { return index_.count(name) > 0; }

  // Returns the tensor. Throws std::runtime_error where there is no such tensor.
  const Tensor& at(const std::string& name) const;

  // Returns the values of a tensor, row-major, for T float, double or std::int64_t. Throws std::runtime_error where it
  // is missing or of another type.
  template <class T>
  std::vector<T> values(const std::string& name) const;

  // Does the same for a tensor that must have this shape; throws where it has another.
  template <class T>
  std::vector<T> values(const std::string& name, const Shape& shape) const {
    check_shape(name, shape);
    return values<T>(name);
  }

 private:
  template <class T>
  void add_numbers(const std::string& name, const Shape& shape, std::span<const T> values);
  void check_shape(const std::string& name, const Shape& shape) const;

  std::vector<Tensor> tensors_;
  std::map<std::string, std::size_t> index_;  // name to position in tensors_
};

// Returns the file as bytes.
std::string serialize(const File& file);

// Returns the file that these bytes are, tensors in the order of their data. Throws std::runtime_error with one line
// that says what is wrong. Allocates in proportion to bytes.size(), whatever the bytes claim.
File parse(std::string_view bytes);

// Writes the file at once or not at all, see write_file. Throws std::runtime_error.
void save(const std::string& path, const File& file);

// Reads a file. Throws std::runtime_error with one line that names the path and what is wrong.
File load(const std::string& path);

}  // namespace safetensors
