// Fuzzes --load of lesson 2 with a stored model that is almost right. What is accepted is stored and read the same.
// SPDX-License-Identifier: MIT
#include "common/support/file.hpp"
#include "common/support/flags.hpp"
#include "lessons/2_bengio_mlp/run/model_file.hpp"
#include "tests/fuzz/files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Scratch path("model");
  static const Vocabulary vocabulary("ab");
  static const safetensors::File valid = [] {
    Random random(1);
    lesson2::save_model(path.path, lesson2::Bengio<float>({2, 2, 2, 3, true}, random), vocabulary);
    return safetensors::load(path.path);
  }();
  Input in(data, size);
  const std::string bytes = bytes_of(edited(valid, in));
  refused<UserError>([&] {
    const lesson2::Bengio<float> model = lesson2::load_model(path.holds(bytes), vocabulary);
    succeeds([&] {
      lesson2::save_model(path.path, model, vocabulary);
      const std::string once = read_file(path.path);
      lesson2::save_model(path.path, lesson2::load_model(path.path, vocabulary), vocabulary);
      require(read_file(path.path) == once, "a model is stored and read the same");
    });
  });
  return 0;
}
