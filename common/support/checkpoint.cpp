// SPDX-License-Identifier: MIT
#include "common/support/checkpoint.hpp"

#include "common/support/flags.hpp"
#include "common/support/words.hpp"

void add_scalar(safetensors::File& file, const std::string& name, double value) {
  file.add(name, {}, std::span<const double>(&value, 1));
}

void add_indices(safetensors::File& file, const std::string& name, const safetensors::Shape& shape,
                 std::span<const std::uint32_t> indices) {
  file.add(name, shape, std::vector<std::int64_t>(indices.begin(), indices.end()));
}

int write_export(const std::string& path, const safetensors::File& file) {
  blame("--export", [&] { safetensors::save(path, file); });
  print("wrote " + one_line(path) + "\n");
  return 0;
}
