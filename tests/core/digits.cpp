// Checks the drawn digits against a separate program, files good and wrong, and the split.
// SPDX-License-Identifier: MIT
#include "common/data/digits.hpp"

#include <limits>

#include "common/frame/files/file.hpp"
#include "tests/check.hpp"
#include "tests/files.hpp"

namespace test_digits {

using Numbers = std::vector<std::uint32_t>;
static constexpr double float_eps = std::numeric_limits<float>::epsilon();

// Labels and sums of pixel times place at seed 2024, from a program in another language that was
// written from the digits' description.
static void against_a_separate_program(Checks& check) {
  const std::pair<std::uint32_t, double> expected[10] = {
      {5, 2674.35016}, {4, 2110.97924}, {6, 3381.89143}, {0, 2147.64374}, {2, 3501.19120},
      {9, 1486.18736}, {7, 1678.60404}, {1, 1414.59064}, {3, 2801.94692}, {8, 3114.64858}};
  Random random(2024);
  const Images drawn = draw_digits(10, random);
  check.that(drawn.rows == 12, "rows of an image");
  check.that(drawn.X.shape() == Shape{10, 144}, "ten digits");
  check.that(draw_digits(10, random).X != drawn.X, "what is drawn next differs");
  for (std::size_t i = 0; i < 10; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < 144; ++k) sum += double(drawn.X(i, k)) * double(k);
    check.that(drawn.labels[i] == expected[i].first, "a label");
    // 144 pixels below 2, each rounded to float by at most eps/2 of it, times 71.5 on average.
    check.near(sum, expected[i].second, 144 * 71.5 * float_eps + 1.2e-5, "the pixels of a digit");
  }
}

static void files(Checks& check) {
  const auto word = [](std::uint32_t w) {
    return std::string{char(w >> 24), char(w >> 16 & 255), char(w >> 8 & 255), char(w & 255)};
  };
  const std::string three_images = word(0x803) + word(3) + word(2) + word(1) +
                                   std::string("\0\xFF\1\x80\x33\x7F", 6),
                    three_labels = word(0x801) + word(3) + std::string("\7\0\11", 3),
                    most = word(0xFFFFFFFF);
  const Folder folder;
  const auto read = [&](const std::string& images, const std::string& labels) {
    write_file(folder / "images", images);
    write_file(folder / "labels", labels);
    return read_idx(folder / "images", folder / "labels");
  };
  const Images images = read(three_images, three_labels);
  check.that(images.rows == 2, "rows of three images");
  check.that(images.cols == 1, "their columns");
  check.that(images.labels == Numbers{1, 0, 2}, "their classes, by rising labels");
  check.that(images.names == Numbers{0, 7, 9}, "... which the file calls 0, 7 and 9");
  check.that(images.X == Matrix<float>{{0, 1}, {1 / 255.f, 128 / 255.f}, {.2f, 127 / 255.f}},
             "pixels over 255");
  const auto refused = [&](const std::string& i, const std::string& l, const std::string& file,
                           const std::string& why) {
    check.throws<std::runtime_error>([&] { read(i, l); },
                                     "cannot read '" + (folder / file) + "': " + why, why);
  };
  for (const std::string& bad : {std::string(), word(0x03080000)})
    refused(bad, three_labels, "images", "not an IDX file of bytes");
  refused("\x1f\x8b\x08", three_labels, "images", "it is compressed with gzip: unpack it first");
  refused(three_labels, three_labels, "images",
          "it has other than 3 dimensions: are images and labels exchanged?");
  refused(three_images.substr(0, 21), three_labels, "images",
          "truncated: only 5 bytes follow its header");
  refused(three_images + three_images, three_labels, "images", "22 bytes too many");
  refused(word(0x803) + word(0) + word(2) + word(1), three_labels, "images", "it holds nothing");
  // Sizes whose product exceeds 64 bits, or wraps to 0 or 4.
  for (const std::string& sizes :
       {most + most + most, word(4) + word(0x80000000) + word(0x80000000)})
    refused(word(0x803) + sizes + "abcd", three_labels, "images",
            "truncated: only 4 bytes follow its header");
  const Images letters = read(three_images, word(0x801) + word(3) + std::string("\1\377\1", 3));
  check.that(letters.labels == Numbers{0, 1, 0}, "two classes, though one is called 255");
  const std::vector<std::size_t> last{2};
  check.that(select(letters, last).names == Numbers{1, 255}, "a part has the classes of the whole");
  refused(three_images, word(0x801) + word(3) + "\5\5\5", "labels",
          "every label is 5: nothing is to be told apart");
  refused(three_images, word(0x801) + word(2) + "\1\2", "labels", "2 labels for the 3 images in '");
  check.throws<std::runtime_error>([&] { read_idx(folder / "none", folder / "labels"); },
                                   "none': no such", "missing");
}

static void photographs(Checks& check) {
  const Folder folder;
  std::string record(3073, '\7');
  for (std::size_t k = 1; k < record.size(); ++k) record[k] = char(k * 7 % 256);
  write_file(folder / "batch", record + record);
  const Images images = read_cifar(folder / "batch");
  check.that(images.labels == Numbers{7, 7}, "two images");
  for (std::size_t k = 0; k < 3072; ++k)
    check.that(images.X(1, k) == float((k + 1) * 7 % 256) / 255, "a pixel");
  write_file(folder / "batch", record + "\12" + record.substr(1));
  check.throws<std::runtime_error>([&] { read_cifar(folder / "batch"); },
                                   "label 10 of image 1 (counted from 0) is over 9", "no CIFAR-10");
}

static void splits(Checks& check) {
  Images images{2, 3, Matrix<float>(100, 6), {}};  // each holds its own number
  for (std::uint32_t i = 0; i < 100; ++i) {
    images.labels.push_back(i % 10);
    for (float& pixel : images.X.row(i)) pixel = float(i);
  }
  Random random(8);
  const auto [train, test] = split(images, 70, random);
  double sum = 0;
  for (const Images* part : {&train, &test})
    for (std::size_t i = 0; i < part->X.rows(); ++i) {
      check.that(part->labels[i] == std::uint32_t(part->X(i, 5)) % 10, "an image keeps its label");
      sum += double(part->X(i, 0));
    }
  check.that(train.labels.size() == 70, "images to train");
  check.that(test.labels.size() == 30, "images to test");
  check.that(sum == 4950, "each in one part");
  check.that(test.rows == 2, "of the same shape");
  check.throws<std::invalid_argument>([&] { split(images, 101, random); }, "101 of 100",
                                      "more than there are");
}

static const Listed here("digits", {against_a_separate_program, files, photographs, splits});

}  // namespace test_digits
