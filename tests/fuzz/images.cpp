// Fuzzes the readers of images: IDX by bytes and by files, CIFAR-10. What is accepted has the sizes that it says.
// SPDX-License-Identifier: MIT
#include "common/support/digits.hpp"
#include "tests/fuzz/files.hpp"

static void check(const Images& images) {
  require(images.X.rows() == images.labels.size(), "an image has a label");
  require(images.X.cols() == images.planes * images.rows * images.cols, "an image has its pixels");
  for (const float pixel : images.X.values()) require(pixel >= 0 && pixel <= 1, "a pixel lies between 0 and 1");
  for (const std::uint32_t label : images.labels) require(label <= 9, "a label is a digit");
}

// CIFAR-10's images are long: those of the input are filled up.
static std::string long_image(std::string bytes) {
  if (bytes.size() > 4) bytes.resize((bytes.size() - 4) * 3073, bytes.back());
  return bytes;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Scratch images("images"), labels("labels");
  Input in(data, size);
  const int kind = in.ConsumeIntegralInRange(0, 3);
  const std::string first = kind == 3 ? in.ConsumeRandomLengthString() : rest(in), second = rest(in);
  if (kind == 0)
    refused([&] {
      const idx::Pixels found = idx::parse_images(first);
      require(found.bytes.size() == found.count * found.rows * found.cols, "the pixels are there");
    });
  if (kind == 1) refused([&] { require(idx::parse_labels(first).size() <= first.size(), "a label is a byte"); });
  if (kind == 2 && first.size() < 20) refused([&] { check(parse_cifar(long_image(first))); });
  if (kind == 3) refused([&] { check(read_idx(images.holds(first), labels.holds(second))); });
  return 0;
}
