// Fuzzes --load of lesson 3 with a stored model of each kind that is almost right.
// SPDX-License-Identifier: MIT
#include "common/support/flags.hpp"
#include "lessons/3_swish_vs_bmlp/run/verify.hpp"
#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"
#include "tests/fuzz/files.hpp"

// A file of each model, for two inputs and one output.
static std::vector<safetensors::File> valid_files() {
  std::vector<safetensors::File> files;
  lesson3::for_each_model(2, 1, [&](const char* key, const char*, auto start) {
    Random random(1);
    const auto model = start(random);
    files.push_back(lesson3::file_of(key, read_only(model), {lesson3::Scale(2), lesson3::Scale(1)}, 1));
  });
  return files;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<safetensors::File> valid = valid_files();
  Input in(data, size);
  const std::size_t which = in.ConsumeIntegralInRange<std::size_t>(0, valid.size() - 1);
  const std::string bytes = bytes_of(edited(valid[which], in));
  refused([&] {
    const safetensors::File file = safetensors::parse(bytes);
    const Matrix<double> Y = lesson3::predict_from(file, Matrix<double>(3, 2, 0.5), 1);
    require(Y.rows() == 3 && Y.cols() == 1, "a prediction has its shape");
  });
  return 0;
}
