// The safetensors format, in which models are saved, loaded and exported: an 8-byte little-endian
// length, a JSON header of that length, then the tensors row-major, little-endian and without holes
// (github.com/huggingface/safetensors). A file may be hostile: whatever is wrong with it is a
// std::runtime_error of one line.
// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace safetensors {

// In bytes, the limit of the reference implementation.
inline constexpr std::size_t largest_header = 100'000'000;

[[noreturn]] void fail(const std::string& what);
std::string label(const std::string& name);

using Shape = std::vector<std::size_t>;

struct Tensor {
  std::string name, dtype;  // values() knows F32, F64 and I64; others may stand in a file unread
  Shape shape;              // {} is a scalar
  std::string bytes;        // row-major, little-endian
};

// Returns "[2,3]".
std::string text(const Shape& shape);

template <class T>
constexpr const char* dtype_of() {
  return std::is_same_v<T, float> ? "F32" : std::is_same_v<T, double> ? "F64" : "I64";
}

// The unsigned integer as wide as T, whose shifts see the same bytes on every host.
template <class T>
using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
void append_value(std::string& bytes, T value) {
  const auto word = std::bit_cast<Word<T>>(value);
  for (std::size_t k = 0; k < sizeof(T); ++k) bytes += char(word >> 8 * k & 0xFF);
}

template <class T>
T value_at(std::string_view bytes, std::size_t at) {
  Word<T> word = 0;
  for (std::size_t k = 0; k < sizeof(T); ++k) word |= Word<T>{std::uint8_t(bytes[at + k])} << 8 * k;
  return std::bit_cast<T>(word);
}

// Named tensors in order, each with as many bytes as its shape says, and no name twice.
class File {
 public:
  std::map<std::string, std::string> metadata;

  std::string entry(const std::string& key) const {
    return metadata.count(key) > 0 ? metadata.at(key) : "none";
  }

  // Throws when the name is taken or the bytes do not fit dtype and shape.
  void add(Tensor tensor);

  // Adds numbers, float, double or std::int64_t: file.add("W", {W.rows(), W.cols()}, W.values()).
  template <class Values>
  void add(const std::string& name, const Shape& shape, const Values& values) {
    using T = std::remove_cvref_t<decltype(values[0])>;
    Tensor tensor{name, dtype_of<T>(), shape, {}};
    tensor.bytes.reserve(values.size() * sizeof(T));
    for (const T value : values) append_value(tensor.bytes, value);
    add(std::move(tensor));
  }

  const std::vector<Tensor>& tensors() const { return tensors_; }
  bool contains(const std::string& name) const { return index_.count(name) > 0; }

  // Throws when there is none.
  const Tensor& at(const std::string& name) const {
    if (!contains(name)) fail("no " + label(name));
    return tensors_[index_.at(name)];
  }

  // Returns the values, row-major. Throws when the tensor is missing, or of another type or shape.
  template <class T>
  std::vector<T> values(const std::string& name) const {
    const Tensor& tensor = at(name);
    if (tensor.dtype != dtype_of<T>())
      fail(label(name) + " is " + tensor.dtype + ", expected " + dtype_of<T>());
    std::vector<T> result(tensor.bytes.size() / sizeof(T));
    for (std::size_t k = 0; k < result.size(); ++k)
      result[k] = value_at<T>(tensor.bytes, k * sizeof(T));
    return result;
  }
  template <class T>
  std::vector<T> values(const std::string& name, const Shape& shape) const {
    if (at(name).shape != shape)
      fail(label(name) + " is " + text(at(name).shape).substr(0, 60) + ", expected " + text(shape));
    return values<T>(name);
  }

 private:
  std::vector<Tensor> tensors_;
  std::map<std::string, std::size_t> index_;  // name to position in tensors_
};

// Throws for what is not UTF-8. Wider types come first: some readers need them aligned.
std::string serialize(const File& file);

// Keeps the order of the data. Allocates in proportion to bytes.size(), whatever these claim.
File parse(std::string_view bytes);

// Writes the file at once or not at all, see write_file.
void save(const std::string& path, const File& file);

File load(const std::string& path);

}  // namespace safetensors
