// Fuzzes --load of lesson 5 with a stored net that is almost right. What is accepted is stored and read the same.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/run/store.hpp"
#include "tests/fuzz/files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const safetensors::File valid = [] {
    Random random(1);
    return lesson5::file_of(lesson5::Net<float>({4, 0, 3, 10, lesson5::Biases::without}, random));
  }();
  Input in(data, size);
  const std::string bytes = bytes_of(edited(valid, in));
  refused([&] {
    const lesson5::Net<float> net = lesson5::net_in(safetensors::parse(bytes), 4);
    const std::string once = safetensors::serialize(lesson5::file_of(net));
    const lesson5::Net<float> again = lesson5::net_in(safetensors::parse(once), 4);
    require(safetensors::serialize(lesson5::file_of(again)) == once, "a net is stored and read the same");
  });
  return 0;
}
