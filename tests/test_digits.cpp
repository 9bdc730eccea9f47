// Checks common/support/digits.hpp: the drawn digits against a separate program, IDX files good, wrong and mutated, the
// split. The last part wants mnist/t10k-*-ubyte in the folder that COURSE_DATA names.
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>

#include "common/support/digits.hpp"
#include "common/support/file.hpp"
#include "tests/check.hpp"
#include "tests/files.hpp"

using Numbers = std::vector<std::uint32_t>;

static constexpr double float_eps = std::numeric_limits<float>::epsilon();

// ------------------------------------------------------------------------------------------------------- drawn digits

// Label, sum of the pixels, and the sums weighted by column and by row of ten digits at seed 2024, from a separate
// program in another language that was written from the description of the digits, with six decimals.
static void against_a_separate_program(Checks& check) {
  struct Row {
    std::uint32_t label;
    double all, by_col, by_row;
  };
  const std::array<Row, 10> rows = {{{5, 33.421709, 178.584759, 207.980450},
                                     {4, 33.398209, 167.315014, 161.972019},
                                     {6, 40.817458, 265.621941, 259.689124},
                                     {0, 30.816144, 187.646060, 163.333140},
                                     {2, 41.966883, 251.052517, 270.844890},
                                     {9, 30.540773, 195.586475, 107.550074},
                                     {7, 33.133365, 232.773511, 120.485877},
                                     {1, 23.403673, 115.666929, 108.243643},
                                     {3, 39.693615, 265.834003, 211.342743},
                                     {8, 43.805087, 281.165547, 236.123586}}};
  Random random(2024);
  const Images drawn = draw_digits(10, {}, random);
  check.that(drawn.rows == 12 && drawn.cols == 12 && drawn.X.shape() == Shape{10, 144} && drawn.labels.size() == 10,
             "shapes of ten digits");
  for (std::size_t i = 0; i < 10; ++i) {
    const auto& [label, all, by_col, by_row] = rows[i];
    const std::string what = "digit " + std::to_string(label);
    std::array<double, 3> sums{};
    for (std::size_t k = 0; k < 144; ++k) {
      const double x = double(drawn.X(i, k));
      sums[0] += x;
      sums[1] += x * double(k % 12);
      sums[2] += x * double(k / 12);
    }
    check.that(drawn.labels[i] == label, what + " is number " + std::to_string(i));
    // 144 pixels below 2 in size, each rounded to float by at most eps/2 of it, with weights of 5.5 on average.
    const double tolerance = 144 * float_eps + 5e-7, weighted = 144 * 5.5 * float_eps + 5e-7;
    check.near(sums[0], all, tolerance, what + ", sum of the pixels");
    check.near(sums[1], by_col, weighted, what + ", weighted by columns");
    check.near(sums[2], by_row, weighted, what + ", weighted by rows");
  }
  const Images more = draw_digits(10, {}, random);
  check.that(drawn.X != more.X && drawn.labels != more.labels, "a second call goes on where the first ended");
}

static void settings(Checks& check) {
  // What the separate program knows at one setting only: noise and shift are factors, and change nothing else.
  const auto drawn = [](double shift, double noise) {
    Random random(3);
    return draw_digits(1003, {shift, noise}, random);
  };
  const Images clean = drawn(1, 0), noisy = drawn(1, .25), noisier = drawn(1, .5);
  double uneven = 0;
  for (std::size_t k = 0; k < clean.X.size(); ++k) {
    const double once = double(noisy.X.values()[k] - clean.X.values()[k]);
    uneven = std::max(uneven, std::abs(double(noisier.X.values()[k] - clean.X.values()[k]) - 2 * once));
  }
  check.near(uneven, 0, 8 * float_eps, "twice the noise");  // differences of numbers below 5, rounded to float
  check.that(clean.labels == noisy.labels && clean.labels == drawn(0, 0).labels, "settings do not change the labels");
  const auto [least, most] = std::minmax_element(clean.X.values().begin(), clean.X.values().end());
  check.that(*least == 0 && *most == 1, "without noise pixels reach from 0 to 1");

  const auto corner = [](double shift) {
    Random random(5);
    return digits::by_hand(digits::strokes()[2], shift, random)[3];
  };
  // Places below 16, each rounded by at most 16·eps/2.
  const double rounding = 32 * std::numeric_limits<double>::epsilon();
  check.that(corner(1).x != corner(0).x && corner(1).y != corner(0).y, "a shift moves along both axes");
  check.near(corner(2).x - corner(0).x, 2 * (corner(1).x - corner(0).x), rounding, "twice the shift to the right");
  check.near(corner(2).y - corner(0).y, 2 * (corner(1).y - corner(0).y), rounding, "twice the shift down");

  for (std::uint32_t label = 0; label < 10; ++label)
    check.that(std::count(clean.labels.begin(), clean.labels.end(), label) == (label < 3 ? 101 : 100),
               "1003 digits, how many are " + std::to_string(label));
  check.that(!std::is_sorted(clean.labels.begin(), clean.labels.end()), "labels are shuffled");

  Random random(1);
  for (const double bad : {-1e-9, std::nan(""), HUGE_VAL})
    for (const DigitSettings& wrong : {DigitSettings{bad, .1}, {1, bad}})
      check.throws<std::invalid_argument>([&] { draw_digits(1, wrong, random); }, "not negative", "a bad setting");
  check.that(draw_digits(0, {}, random).X.shape() == Shape{0, 144}, "no digits at all");
}

// ---------------------------------------------------------------------------------------------------------- IDX files

// The words big-endian, then the data.
static std::string packed(const Numbers& words, const std::string& data = "") {
  std::string bytes;
  for (const std::uint32_t word : words)
    for (const unsigned down : {24u, 16u, 8u, 0u}) bytes += static_cast<char>(word >> down & 0xFF);
  return bytes + data;
}

static const std::string three_images = packed({0x803, 3, 2, 1}, {'\0', '\xFF', '\1', '\x80', '\x33', '\x7F'});
static const std::string three_labels = packed({0x801, 3}, {'\7', '\0', '\11'});

static void files(Checks& check) {
  const Folder folder;
  const auto read = [&](const std::string& images, const std::string& labels) {
    write_file(folder / "images", images);
    write_file(folder / "labels", labels);
    return read_idx(folder / "images", folder / "labels");
  };
  const Images images = read(three_images, three_labels);
  check.that(images.rows == 2 && images.cols == 1, "two rows of one pixel");
  check.that(images.labels == Numbers{7, 0, 9}, "three labels");
  const Matrix<float> expected{{0, 1}, {1 / 255.f, 128 / 255.f}, {.2f, 127 / 255.f}};  // .2 is 51/255
  check.that(images.X == expected, "pixels divided by 255, each image in a row");

  struct Case {
    std::string bytes, reason;
  };
  const auto refused = [&](const std::string& faulty, const std::vector<Case>& cases) {
    for (const Case& bad : cases)
      check.throws<std::runtime_error>(
          [&] { read(faulty == "images" ? bad.bytes : three_images, faulty == "labels" ? bad.bytes : three_labels); },
          "cannot read '" + (folder / faulty) + "': " + bad.reason, faulty + " of " + std::to_string(bad.bytes.size()));
  };
  const std::uint32_t most = 0xFFFFFFFF;
  refused(
      "images",
      {{"", "not an IDX file: 0 bytes"},
       {"abc", "not an IDX file: 3 bytes"},
       {"\x1f\x8b\x08", "it is compressed with gzip: unpack it first"},
       {"P5 12 12 255", "not an IDX file of images: begins with 0x50352031, not 0x00000803"},
       {packed({0x03080000, 3}), "not an IDX file of images: begins with 0x03080000, not 0x00000803"},   // swapped
       {packed({0xD03, 3, 2, 1}), "not an IDX file of images: begins with 0x00000d03, not 0x00000803"},  // floats
       {three_labels, "it holds labels where images are expected: are the two files exchanged?"},
       {three_images.substr(0, 4), "truncated: a header of 16 bytes, the file has 4"},
       {three_images.substr(0, 15), "truncated: a header of 16 bytes, the file has 15"},
       {three_images.substr(0, 16), "truncated: 3 images of 2 x 1 pixels according to its header, but only 0 bytes"},
       {three_images.substr(0, 21), "truncated: 3 images of 2 x 1 pixels according to its header, but only 5 bytes"},
       {three_images + '\0', "1 bytes after the last of 3 images of 2 x 1 pixels"},
       {three_images + three_images, "22 bytes after the last of 3 images of 2 x 1 pixels"},
       {packed({0x803, 0, 2, 1}), "it holds no images of 2 x 1 pixels"},
       {packed({0x803, 3, 0, 1}), "images of 0 x 1 pixels"},
       {packed({0x803, 3, 2, 0}), "images of 2 x 0 pixels"},
       {packed({0x803, 3, 0, 0}, "ab"), "images of 0 x 0 pixels"},
       {packed({0x803, most, most, most}, "abcd"), "truncated: 4294967295 images of 4294967295 x 4294967295 pixels"},
       // 65536·65536 is 0 in 32 bits; 2^31·2^31·4 is 0 in 64 bits, and 48448661·769546·494770 is 4.
       {packed({0x803, 1, 65536, 65536}), "truncated: 1 images of 65536 x 65536 pixels"},
       {packed({0x803, 4, 0x80000000, 0x80000000}), "truncated: 4 images of 2147483648 x 2147483648 pixels"},
       {packed({0x803, 48448661, 769546, 494770}, "abcd"), "truncated: 48448661 images of 769546 x 494770 pixels"}});
  const std::string of_images = " labels for the 3 images in '" + (folder / "images") + "'";
  refused("labels",
          {{"", "not an IDX file: 0 bytes"},
           {"\x1f\x8b", "it is compressed with gzip: unpack it first"},
           {"7,2,1,0", "not an IDX file of labels: begins with 0x372c322c, not 0x00000801"},
           {three_images, "it holds images where labels are expected: are the two files exchanged?"},
           {three_labels.substr(0, 7), "truncated: a header of 8 bytes, the file has 7"},
           {three_labels.substr(0, 10), "truncated: 3 labels according to its header, but only 2 bytes follow"},
           {three_labels + '\0', "1 bytes after the last of 3 labels"},
           {packed({0x801, most}, "\1\2\3"), "truncated: 4294967295 labels according to its header, but only 3 bytes"},
           {packed({0x801, 0}), "it holds no labels"},
           {packed({0x801, 3}, "\1\12\13"), "label 10 at position 1 (counted from 0) is over 9"},
           {packed({0x801, 3}, "\1\2\xFF"), "label 255 at position 2 (counted from 0) is over 9"},
           {packed({0x801, 2}, "\1\2"), "2" + of_images},
           {packed({0x801, 4}, "\1\2\3\4"), "4" + of_images}});
  for (const auto& pair : {std::pair{"images", "none"}, {"none", "labels"}})
    check.throws<std::runtime_error>([&] { read_idx(folder / pair.first, folder / pair.second); },
                                     "cannot read '" + (folder / "none") + "': no such file", "a file that is missing");
}

// Does parse(bytes) succeed? Where it throws it must be a std::runtime_error, of one line.
template <class Parse>
bool accepts(Checks& check, Parse parse, const std::string& bytes) {
  try {
    parse(bytes);
    return true;
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    if (text.empty() || has(text, "\n")) check.that(false, "a reason of one line, not: " + text);
    return false;
  }
}

// What a valid file is, said without a product: so few bytes follow that no size can be larger than their number.
static bool valid_images(const std::string& bytes) {
  if (bytes.size() < 16 || bytes.substr(0, 4) != three_images.substr(0, 4)) return false;
  const std::size_t data = bytes.size() - 16;
  const auto size = [&](std::size_t at) {
    return bytes[at] || bytes[at + 1] || bytes[at + 2] ? 0 : std::size_t(static_cast<unsigned char>(bytes[at + 3]));
  };
  const std::size_t count = size(4), rows = size(8), cols = size(12);
  return count > 0 && rows > 0 && cols > 0 && data % count == 0 && data / count % rows == 0 &&
         data / count / rows == cols;
}
static bool valid_labels(const std::string& bytes) {
  if (bytes.size() < 9 || bytes.substr(0, 4) != three_labels.substr(0, 4)) return false;
  const std::string data = bytes.substr(8);
  return bytes.substr(4, 4) == packed({static_cast<std::uint32_t>(data.size())}) &&
         data.find_first_not_of(std::string("\0\1\2\3\4\5\6\7\10\11", 10)) == std::string::npos;
}

static void mutations(Checks& check) {
  std::string alphabet;  // small numbers are half of it
  for (int byte = 0; byte < 26; ++byte) alphabet += static_cast<char>(byte < 13 ? byte : byte * 9);
  Random random(7);
  std::array<int, 2> accepted{}, wrong{};
  for (int i = 0; i < 50'000; ++i) {
    const std::string images = mutated(three_images, alphabet, random);
    const std::string labels = mutated(three_labels, alphabet, random);
    const bool image = accepts(check, idx::parse_images, images), label = accepts(check, idx::parse_labels, labels);
    accepted[0] += image;
    accepted[1] += label;
    wrong[0] += image != valid_images(images);
    wrong[1] += label != valid_labels(labels);
  }
  check.that(wrong == std::array<int, 2>{}, "50,000 mutated files: those that are valid are read, no others");
  // A quarter keep all their bytes.
  for (const int count : accepted)
    check.that(count > 12'000 && count < 40'000, "there are many of both kinds: " + std::to_string(count));
}

// -------------------------------------------------------------------------------------------------------------- parts

static void splits(Checks& check) {
  // 100 images of 2 x 3 pixels that hold their own numbers; image i is labelled i mod 10.
  Images images{2, 3, Matrix<float>(100, 6), {}};
  for (std::uint32_t i = 0; i < 100; ++i) {
    images.labels.push_back(i % 10);
    for (std::size_t k = 0; k < 6; ++k) images.X(i, k) = float(i) + float(k) / 8;
  }
  const auto is_whole = [](const Images& part, std::size_t i) {  // is image i one of these, with its label?
    const float first = part.X(i, 0);
    for (std::size_t k = 0; k < 6; ++k)
      if (part.X(i, k) != first + float(k) / 8) return false;
    return part.labels[i] == static_cast<std::uint32_t>(first) % 10;
  };
  Random random(8), again(8);
  const auto [train, test] = split(images, 70, random);
  std::set<float> found;
  bool whole = true, in_order = true;
  for (const Images* part : {&train, &test})
    for (std::size_t i = 0; i < part->X.rows(); ++i) {
      found.insert(part->X(i, 0));
      whole = whole && is_whole(*part, i);
      in_order = in_order && (i == 0 || part->X(i - 1, 0) < part->X(i, 0));
    }
  check.that(train.X.shape() == Shape{70, 6} && test.X.shape() == Shape{30, 6}, "70 and 30 images");
  check.that(train.labels.size() == 70 && test.labels.size() == 30, "70 and 30 labels");
  check.that(train.rows == 2 && train.cols == 3 && test.rows == 2 && test.cols == 3, "of the same size");
  check.that(found.size() == 100 && whole && !in_order, "each image is in one part, with its label, shuffled");
  check.that(split(images, 70, again).train.X == train.X, "the same seed gives the same split");
  check.that(split(images, 70, random).train.X != train.X, "what is drawn next another");
  check.that(split(images, 0, random).train.labels.empty(), "none for training");
  check.that(split(images, 100, random).test.labels.empty(), "none for testing");
  check.throws<std::invalid_argument>([&] { split(images, 101, random); }, "101 of 100", "more than there are");

  const Images chosen = select(images, std::array<std::size_t, 3>{99, 5, 5});
  check.that(chosen.labels == Numbers{9, 5, 5} && chosen.X(0, 0) == 99 && chosen.X(2, 0) == 5 && is_whole(chosen, 1),
             "select takes images by number, also twice");
  check.throws<std::out_of_range>([&] { select(images, std::array<std::size_t, 1>{100}); }, "100",
                                  "one that is not there");
}

// --------------------------------------------------------------------------------------------------------------- data

static void mnist(Checks& check, const std::string& folder) {
  const Images images = read_idx(folder + "/mnist/t10k-images-idx3-ubyte", folder + "/mnist/t10k-labels-idx1-ubyte");
  check.that(images.rows == 28 && images.cols == 28 && images.X.shape() == Shape{10'000, 784}, "10,000 of 28 x 28");
  check.that(Numbers(images.labels.begin(), images.labels.begin() + 8) == Numbers{7, 2, 1, 0, 4, 1, 4, 9},
             "its first labels");
  std::array<std::size_t, 10> found{};
  for (const std::uint32_t label : images.labels) ++found.at(label);
  check.that(found == std::array<std::size_t, 10>{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009},
             "how many of each digit");
  // Sums of the bytes, counted by a separate program. A pixel of at most 1 is rounded to float by at most eps/4, and
  // 1,511,219 of the 7,840,000 pixels are not 0; the sums are in double.
  const auto bytes = [](std::span<const float> pixels) {
    return 255 * std::accumulate(pixels.begin(), pixels.end(), 0.);
  };
  check.near(bytes(images.X.row(0)), 18'454, 255 * 784 * float_eps / 4, "pixel sum of the first image");
  check.near(bytes(images.X.row(9999)), 41'833, 255 * 784 * float_eps / 4, "pixel sum of the last image");
  check.near(bytes(images.X.values()), 264'923'200, 255 * 1'511'219 * float_eps / 4, "pixel sum of all images");
}

// A batch of CIFAR-10: a byte for the label, then red, green and blue, 32 x 32 each.
static void colours(Checks& check) {
  std::string record(3073, '\0');
  record[0] = '\7';
  for (std::size_t k = 1; k < record.size(); ++k) record[k] = static_cast<char>(k * 7 % 256);
  std::string other = record;
  other[0] = '\0';
  const Images images = parse_cifar(record + other);
  check.that(images.rows == 32 && images.cols == 32 && images.planes == 3, "32 x 32 in three colours");
  check.that(images.labels == Numbers{7, 0} && images.X.shape() == Shape{2, 3072}, "a label and 3,072 bytes each");
  bool same = true;
  for (std::size_t k = 0; k < 3072; ++k) same &= images.X(1, k) == float((k + 1) * 7 % 256) / 255;
  check.that(same, "red, green and blue, row by row");
  check.that(select(images, std::vector<std::size_t>{1}).planes == 3, "a selection keeps its colours");
  const auto refused = [&](const std::string& bytes, const std::string& reason) {
    check.throws<std::runtime_error>([&] { parse_cifar(bytes); }, reason, "a batch: " + reason);
  };
  refused("", "not a binary batch of CIFAR-10: 0 bytes");
  refused(record.substr(1), "not a binary batch of CIFAR-10: 3072 bytes are not images of 3073 each");
  other[0] = '\12';
  refused(record + other, "label 10 of image 1 (counted from 0) is over 9");
  const Folder folder;
  write_file(folder / "batch", record + "x");
  check.throws<std::runtime_error>([&] { read_cifar(folder / "batch"); }, "batch': not a binary batch",
                                   "names the file");
}

int main() {
  Checks check;
  against_a_separate_program(check);
  settings(check);
  files(check);
  mutations(check);
  splits(check);
  if (const char* data = std::getenv("COURSE_DATA")) mnist(check, data);
  else std::puts("test_digits: COURSE_DATA is not set, the MNIST part is skipped");
  colours(check);
  return check.done("test_digits");
}
