// Files for the readers that take a path: one that holds any bytes, and safetensors files that are almost right.
// SPDX-License-Identifier: MIT
#pragma once
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "common/support/safetensors.hpp"
#include "tests/fuzz/hostile.hpp"

// A file of this process alone, in memory where the system has a folder for that, gone with the process.
class Scratch {
 public:
  explicit Scratch(const std::string& name) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path();
    path = (folder / ("fuzz-" + std::to_string(getpid()) + "-" + name)).string();
  }
  ~Scratch() { std::filesystem::remove(path); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& holds(std::string_view bytes) const {
    std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
    return path;
  }

  std::string path;
};

// Fills a tensor with one number, of those that are most likely to do harm.
inline void fill(safetensors::Tensor& tensor, Input& in) {
  using Limits = std::numeric_limits<float>;
  const float number = in.PickValueInArray(
      {0.f, -1.f, 1.f, Limits::max(), Limits::denorm_min(), Limits::infinity(), Limits::quiet_NaN()});
  char bytes[8] = {};
  const double wide = double(number);
  if (tensor.dtype == "F32") std::memcpy(bytes, &number, 4);
  else std::memcpy(bytes, &wide, 8);
  const std::size_t size = tensor.dtype == "F32" ? 4 : 8;
  for (std::size_t k = 0; k < tensor.bytes.size(); ++k) tensor.bytes[k] = bytes[k % size];
}

// Gives a tensor another type and shape, and as many bytes as they say.
inline void reshape(safetensors::Tensor& tensor, Input& in) {
  tensor.dtype = in.PickValueInArray({"F32", "F64", "I64"});
  if (in.ConsumeBool()) {
    tensor.shape.clear();
    for (std::size_t left = in.ConsumeIntegralInRange<std::size_t>(0, 3); left > 0; --left)
      tensor.shape.push_back(in.ConsumeIntegralInRange<std::size_t>(0, 5));
  } else if (!tensor.shape.empty()) {
    tensor.shape[in.ConsumeIntegralInRange<std::size_t>(0, tensor.shape.size() - 1)] =
        in.ConsumeIntegralInRange<std::size_t>(0, 5);
  }
  std::size_t count = 1;
  for (const std::size_t size : tensor.shape) count *= size;
  tensor.bytes.resize(count * (tensor.dtype == "F32" ? 4 : 8));
}

// Returns a valid file after a few changes that the input asks for; as it is where the input is empty.
inline safetensors::File edited(const safetensors::File& valid, Input& in) {
  std::vector<safetensors::Tensor> tensors = valid.tensors();
  safetensors::File file;
  file.metadata = valid.metadata;
  while (in.remaining_bytes() > 0 && !tensors.empty()) {
    const int edit = in.ConsumeIntegralInRange(0, 6);
    const std::size_t which = in.ConsumeIntegralInRange<std::size_t>(0, 255);
    safetensors::Tensor& tensor = tensors[which % tensors.size()];
    if (edit <= 2 && !file.metadata.empty()) {
      const auto entry = std::next(file.metadata.begin(), std::ptrdiff_t(which % file.metadata.size()));
      if (edit == 0) file.metadata.erase(entry);
      else if (edit == 1)
        entry->second = in.PickValueInArray({"0", "1", "2", "3", "-1", "64", "4096", "1000000000", "nan", "yes", "no"});
      else entry->second = in.ConsumeRandomLengthString(40);
    } else if (edit == 3) tensors.erase(tensors.begin() + std::ptrdiff_t(which % tensors.size()));
    else if (edit == 4) tensor.name = tensors[which / 16 % tensors.size()].name + "x";
    else if (edit == 5) reshape(tensor, in);
    else fill(tensor, in);
  }
  for (safetensors::Tensor& tensor : tensors)
    if (!file.contains(tensor.name)) file.add(std::move(tensor));
  return file;
}

// Returns its bytes; nothing where a changed text is no UTF-8, which no file can hold.
inline std::string bytes_of(const safetensors::File& file) {
  std::string bytes;
  refused([&] { bytes = safetensors::serialize(file); });
  return bytes;
}
