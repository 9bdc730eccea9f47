// Fuzzes the reader of safetensors files: bytes as they are, or with the length of their header put right, without
// which hardly a change would get past the first eight bytes. What is read is written and read the same.
// SPDX-License-Identifier: MIT
#include "common/support/safetensors.hpp"

#include "tests/fuzz/hostile.hpp"

static std::string with_length(std::string_view text) {
  const std::size_t header = std::min(text.find('\n'), text.size());
  std::string bytes(8, '\0');
  for (std::size_t k = 0; k < 8; ++k) bytes[k] = static_cast<char>(header >> 8 * k);
  return bytes.append(text.substr(0, header)).append(text.substr(std::min(header + 1, text.size())));
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string bytes = text.starts_with('{') ? with_length(text) : std::string(text);
  safetensors::File file;
  if (refused([&] { file = safetensors::parse(bytes); })) return 0;
  const std::string written = safetensors::serialize(file);
  const safetensors::File again = safetensors::parse(written);
  require(safetensors::serialize(again) == written, "what is written is read back the same");
  require(again.metadata == file.metadata && again.tensors().size() == file.tensors().size(), "nothing is lost");
  for (const safetensors::Tensor& tensor : file.tensors()) {
    const safetensors::Tensor& other = again.at(tensor.name);
    require(other.bytes == tensor.bytes && other.shape == tensor.shape, "a tensor is read back the same");
    refused([&] { file.values<float>(tensor.name); });
    refused([&] { file.values<std::int64_t>(tensor.name, {2}); });
  }
  return 0;
}
