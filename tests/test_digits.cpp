// Checks common/support/digits.hpp: the drawn digits against a separate program, geometry by hand and their statistics;
// IDX files good, wrong and mutated; the split. The last part wants mnist/t10k-*-ubyte in the folder that COURSE_DATA
// names.
// SPDX-License-Identifier: MIT
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <numeric>
#include <set>

#include "common/support/digits.hpp"
#include "common/support/file.hpp"
#include "tests/check.hpp"

namespace fs = std::filesystem;
using Numbers = std::vector<std::uint32_t>;

static constexpr double float_eps = std::numeric_limits<float>::epsilon();

// ------------------------------------------------------------------------------------------------------ how they look

// The sum of an image's pixels, and the sums weighted by column and by row.
struct Ink {
  double all = 0, by_col = 0, by_row = 0;
};
static Ink ink(const Images& images, std::size_t i) {
  Ink sums;
  for (std::size_t k = 0; k < images.X.cols(); ++k) {
    const double x = double(images.X(i, k));
    sums.all += x, sums.by_col += x * double(k % images.cols), sums.by_row += x * double(k / images.cols);
  }
  return sums;
}

// Label and sums of ten digits at seed 2024, from a separate program in another language that was written from the
// description of the digits, with six decimals.
static void against_a_separate_program(Checks& check) {
  struct Row {
    std::uint32_t label;
    Ink expected;
  };
  const std::array<Row, 10> rows = {{{5, {33.421709, 178.584759, 207.980450}},
                                     {4, {33.398209, 167.315014, 161.972019}},
                                     {6, {40.817458, 265.621941, 259.689124}},
                                     {0, {30.816144, 187.646060, 163.333140}},
                                     {2, {41.966883, 251.052517, 270.844890}},
                                     {9, {30.540773, 195.586475, 107.550074}},
                                     {7, {33.133365, 232.773511, 120.485877}},
                                     {1, {23.403673, 115.666929, 108.243643}},
                                     {3, {39.693615, 265.834003, 211.342743}},
                                     {8, {43.805087, 281.165547, 236.123586}}}};
  Random random(2024);
  const Images drawn = draw_digits(10, {}, random);
  check.that(drawn.rows == 12 && drawn.cols == 12 && drawn.X.shape() == Shape{10, 144} && drawn.labels.size() == 10,
             "shapes of ten digits");
  for (std::size_t i = 0; i < 10; ++i) {
    const auto& [label, expected] = rows[i];
    const std::string what = "digit " + std::to_string(label);
    const Ink found = ink(drawn, i);
    check.that(drawn.labels[i] == label, what + " is number " + std::to_string(i));
    // 144 pixels below 2 in size, each rounded to float by at most eps/2 of it, with weights of 5.5 on average.
    const double tolerance = 144 * float_eps + 5e-7, weighted = 144 * 5.5 * float_eps + 5e-7;
    check.near(found.all, expected.all, tolerance, what + ", sum of the pixels");
    check.near(found.by_col, expected.by_col, weighted, what + ", weighted by columns");
    check.near(found.by_row, expected.by_row, weighted, what + ", weighted by rows");
  }
}

// Two segments, right and then down; pixels beside them, on them, before the first, past the last, nearer the second.
static void distances(Checks& check) {
  const auto squares = digits::squared_distances({{2.5, 3.5}, {6.5, 3.5}, {6.5, 9.5}});
  struct Case {
    std::size_t row, col;
    double square;
  };
  for (const auto& [row, col, square] :
       {Case{0, 4, 9}, {3, 4, 0}, {1, 0, 8}, {11, 9, 13}, {6, 9, 9}, {6, 6, 0}, {6, 3, 9}, {7, 4, 4}})
    // The numbers are of size 10 and computed in a handful of operations.
    check.near(squares[row * 12 + col], square, 100 * std::numeric_limits<double>::epsilon(),
               "squared distance of pixel " + std::to_string(row) + ", " + std::to_string(col));
}

static void range_without_noise(Checks& check) {
  Random random(1);
  const Images clean = draw_digits(1000, {1.25, 0}, random);
  std::size_t outside = 0, without_ends = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    const auto [low, high] = std::minmax_element(clean.X.row(i).begin(), clean.X.row(i).end());
    if (*low < 0 || *high > 1) ++outside;
    if (*low != 0 || *high != 1) ++without_ends;  // paper, and full ink: some centre lies within .45 of a line
  }
  check.that(outside == 0, "without noise all pixels lie in 0 to 1");
  check.that(without_ends == 0, "and each image has both");
}

static void same_seed_same_digits(Checks& check) {
  const auto drawn = [](std::uint64_t seed, DigitSettings settings) {
    Random random(seed);
    return draw_digits(100, settings, random);
  };
  const Images a = drawn(1, {});
  check.that(a.X == drawn(1, {}).X && a.labels == drawn(1, {}).labels, "the same seed draws the same digits");
  check.that(a.X != drawn(2, {}).X && a.labels != drawn(2, {}).labels, "another seed draws others");
  check.that(a.labels == drawn(1, {0, 0}).labels, "settings do not change the labels");
  Random random(1);
  const Images first = draw_digits(100, {}, random), second = draw_digits(100, {}, random);
  check.that(first.X != second.X && first.labels != second.labels, "a second call goes on where the first ended");
}

// --------------------------------------------------------------------------------------------------------- statistics

// Bounds of five standard errors: a right program misses one with probability 6e-7, and the seeds are fixed.

static void noise(Checks& check) {
  const std::size_t count = 300;
  Random one(3), other(3);
  const Images clean = draw_digits(count, {1.25, 0}, one), noisy = draw_digits(count, {1.25, .3}, other);
  double sum = 0, squares = 0, neighbours = 0, before = 0;
  for (std::size_t k = 0; k < clean.X.size(); ++k) {
    const double z = double(noisy.X.values()[k] - clean.X.values()[k]) / .3;
    sum += z, squares += z * z, neighbours += z * before;
    before = z;
  }
  const double n = double(clean.X.size());
  check.near(sum / n, 0, 5 / std::sqrt(n), "mean of the noise, in its standard deviations");
  check.near(squares / n, 1, 5 * std::sqrt(2 / n), "its variance");  // Var z² = 2
  check.near(neighbours / n, 0, 5 / std::sqrt(n), "correlation of neighbouring pixels");
}

// Scale, shear, turn, shift and jitter are independent, and all but the scale are symmetric: the mean place of a corner
// is the middle plus 9·E[scale]·E[cos angle]·(corner - middle); for an angle uniform in -a to a, E[cos] = sin(a)/a.
static void mean_corners(Checks& check) {
  const std::size_t count = 4000;
  const double a = 12 * std::numbers::pi / 180, factor = 9 * .925 * std::sin(a) / a;
  Random random(4);
  for (std::size_t digit = 0; digit < 10; ++digit) {
    const digits::Stroke& plain = digits::strokes[digit];
    std::vector<std::array<double, 4>> sums(plain.size());  // x, y, x², y²
    for (std::size_t i = 0; i < count; ++i) {
      const digits::Stroke drawn = digits::by_hand(plain, 1.25, random);
      for (std::size_t k = 0; k < plain.size(); ++k) {
        const double x = drawn[k].x - 6 - factor * (plain[k].x - .5), y = drawn[k].y - 6 - factor * (plain[k].y - .5);
        sums[k][0] += x, sums[k][1] += y, sums[k][2] += x * x, sums[k][3] += y * y;
      }
    }
    double worst = 0;  // mean / (standard deviation / √n) = sum / √(sum of squares)
    for (const auto& [x, y, xx, yy] : sums)
      worst = std::max({worst, std::abs(x) / std::sqrt(xx), std::abs(y) / std::sqrt(yy)});
    check.near(worst, 0, 5, "mean corners of digit " + std::to_string(digit) + ", in standard errors");
  }
}

static void shifts(Checks& check) {
  const std::size_t count = 4000;
  const double most = .5;
  Random random(5);
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0, largest = 0, uneven = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Random copy = random;
    const digits::Stroke still = digits::by_hand(digits::strokes[2], 0, copy);
    const digits::Stroke moved = digits::by_hand(digits::strokes[2], most, random);
    const double right = moved[0].x - still[0].x, down = moved[0].y - still[0].y;
    x += right, y += down, xx += right * right, yy += down * down, xy += right * down;
    largest = std::max({largest, std::abs(right), std::abs(down)});
    for (std::size_t k = 1; k < still.size(); ++k)
      uneven = std::max({uneven, std::abs(moved[k].x - still[k].x - right), std::abs(moved[k].y - still[k].y - down)});
  }
  // Uniform in ±s: variance s²/3; variance of the square s⁴/5 - s⁴/9 = 4s⁴/45; of a product of two s⁴/9.
  const double n = double(count), s2 = most * most;
  check.near(x / n, 0, 5 * std::sqrt(s2 / 3 / n), "mean shift to the right");
  check.near(y / n, 0, 5 * std::sqrt(s2 / 3 / n), "mean shift down");
  check.near(xx / n, s2 / 3, 5 * s2 * std::sqrt(4 / (45 * n)), "variance of the shift to the right");
  check.near(yy / n, s2 / 3, 5 * s2 * std::sqrt(4 / (45 * n)), "variance of the shift down");
  check.near(xy / n, 0, 5 * s2 / (3 * std::sqrt(n)), "the two shifts are independent");
  // Differences of places below 16, each rounded by at most 16·eps/2, twice.
  const double rounding = 32 * std::numeric_limits<double>::epsilon();
  check.that(largest <= most + rounding && largest > .99 * most, "the shift reaches its limit and not beyond");
  check.near(uneven, 0, 2 * rounding, "all corners shift alike");
}

static void label_frequencies(Checks& check) {
  Random random(6);
  const Numbers labels = draw_digits(1003, {}, random).labels;
  std::array<std::size_t, 10> found{};
  std::size_t equal_neighbours = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ++found.at(labels[i]);
    if (i > 0 && labels[i] == labels[i - 1]) ++equal_neighbours;
  }
  for (std::size_t label = 0; label < 10; ++label)
    check.that(found[label] == (label < 3 ? 101u : 100u), "1003 digits, how many are " + std::to_string(label));
  // Two places of a shuffled list agree with probability .1; 1002 pairs, standard deviation √(1002·.1·.9) = 9.5.
  check.near(double(equal_neighbours), 100.2, 5 * 9.5, "equal labels side by side");
}

static void bad_settings(Checks& check) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  Random random(1);
  for (const double bad : {-1e-9, nan, infinity}) {
    check.throws<std::invalid_argument>([&] { draw_digits(1, {bad, .1}, random); }, "not negative", "a bad shift");
    check.throws<std::invalid_argument>([&] { draw_digits(1, {1, bad}, random); }, "not negative", "bad noise");
  }
  const Images none = draw_digits(0, {}, random);
  check.that(none.X.shape() == Shape{0, 144} && none.labels.empty(), "no digits at all");
}

// -------------------------------------------------------------------------------------------------- telling them apart

// Rows first .. last - 1: the mean image of each digit, 10 x 144.
static Matrix<double> mean_images(const Images& images, std::size_t first, std::size_t last) {
  Matrix<double> sums(10, images.X.cols());
  std::array<double, 10> counts{};
  for (std::size_t i = first; i < last; ++i) {
    counts[images.labels[i]] += 1;
    for (std::size_t k = 0; k < sums.cols(); ++k) sums(images.labels[i], k) += double(images.X(i, k));
  }
  for (std::size_t label = 0; label < 10; ++label)
    for (double& x : sums.row(label)) x /= counts[label];
  return sums;
}

template <class A, class B>
double distance(std::span<const A> a, std::span<const B> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (double(a[k]) - double(b[k])) * (double(a[k]) - double(b[k]));
  return std::sqrt(sum);
}

static void nearest_mean(Checks& check) {
  Random random(1);
  const Images train = draw_digits(6000, {}, random), test = draw_digits(3000, {}, random);
  const Matrix<double> means = mean_images(train, 0, 6000);

  // Means of two halves differ by chance alone; means of two digits by more. Over 20 seeds the smallest distance of the
  // second kind was 2.8 to 4.4 times the largest of the first.
  const Matrix<double> half = mean_images(train, 0, 3000), other = mean_images(train, 3000, 6000);
  double by_chance = 0, apart = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < 10; ++a) {
    by_chance = std::max(by_chance, distance<double, double>(half.row(a), other.row(a)));
    for (std::size_t b = 0; b < a; ++b) apart = std::min(apart, distance<double, double>(means.row(a), means.row(b)));
  }
  check.that(apart > 2 * by_chance, "each digit has a mean image of its own");

  std::size_t right = 0;
  for (std::size_t i = 0; i < test.labels.size(); ++i) {
    std::array<double, 10> to{};
    for (std::size_t label = 0; label < 10; ++label)
      to[label] = distance<float, double>(test.X.row(i), means.row(label));
    if (std::size_t(std::min_element(to.begin(), to.end()) - to.begin()) == test.labels[i]) ++right;
  }
  // Over 20 seeds .737 with a standard deviation of .0073, so four of these are .03.
  check.near(double(right) / 3000, .737, .03, "accuracy on fresh digits of the nearest mean image");
}

// ---------------------------------------------------------------------------------------------------------- IDX files

// A folder of its own, removed at the end.
class Folder {
 public:
  Folder() {
    const auto stamp = std::chrono::system_clock::now().time_since_epoch().count();
    path_ = fs::temp_directory_path() / ("test_digits_" + std::to_string(stamp));
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// The words big-endian, then the data.
static std::string idx_bytes(const Numbers& words, const std::string& data) {
  std::string bytes;
  for (const std::uint32_t word : words)
    for (const unsigned down : {24u, 16u, 8u, 0u}) bytes += static_cast<char>(word >> down & 0xFF);
  return bytes + data;
}

static const std::string three_images = idx_bytes({0x803, 3, 2, 1}, {'\0', '\xFF', '\1', '\x80', '\x33', '\x7F'});
static const std::string three_labels = idx_bytes({0x801, 3}, {'\7', '\0', '\11'});

static void read_good(Checks& check, const Folder& folder) {
  write_file(folder.file("images"), three_images);
  write_file(folder.file("labels"), three_labels);
  const Images images = read_idx(folder.file("images"), folder.file("labels"));
  check.that(images.rows == 2 && images.cols == 1, "two rows of one pixel");
  check.that(images.labels == Numbers{7, 0, 9}, "three labels");
  const Matrix<float> expected{{0, 1}, {1 / 255.f, 128 / 255.f}, {.2f, 127 / 255.f}};  // .2 is 51/255
  check.that(images.X == expected, "pixels divided by 255, each image in a row");
}

// What read_idx says about a pair of files of which `faulty` is at fault.
static void refused(Checks& check, const Folder& folder, const std::string& images, const std::string& labels,
                    const std::string& faulty, const std::string& reason, const std::string& what) {
  write_file(folder.file("images"), images);
  write_file(folder.file("labels"), labels);
  const std::string expected = "cannot read '" + folder.file(faulty) + "': " + reason;
  try {
    read_idx(folder.file("images"), folder.file("labels"));
    check.that(false, what + ": nothing thrown");
  } catch (const std::runtime_error& error) {
    check.that(error.what() == expected, what + ": '" + error.what() + "', expected '" + expected + "'");
  }
}

static void refused_images(Checks& check, const Folder& folder) {
  const auto bad = [&](const std::string& bytes, const std::string& reason, const std::string& what) {
    refused(check, folder, bytes, three_labels, "images", reason, "images: " + what);
  };
  const std::uint32_t most = 0xFFFFFFFF;
  bad("", "not an IDX file: 0 bytes", "an empty file");
  bad("abc", "not an IDX file: 3 bytes", "three bytes");
  bad("\x1f\x8b\x08", "it is compressed with gzip: unpack it first", "compressed");
  bad("P5 12 12 255", "not an IDX file of images: begins with 0x50352031, not 0x00000803", "another format");
  bad(idx_bytes({0x03080000, 3}, ""), "not an IDX file of images: begins with 0x03080000, not 0x00000803", "swapped");
  bad(idx_bytes({0xD03, 3, 2, 1}, ""), "not an IDX file of images: begins with 0x00000d03, not 0x00000803", "floats");
  bad(three_labels, "it holds labels where images are expected: are the two files exchanged?", "exchanged");
  bad(three_images.substr(0, 4), "truncated: a header of 16 bytes, the file has 4", "magic alone");
  bad(three_images.substr(0, 15), "truncated: a header of 16 bytes, the file has 15", "a short header");
  bad(three_images.substr(0, 16),
      "truncated: 3 images of 2 x 1 pixels according to its header, but only 0 bytes follow", "a header alone");
  bad(three_images.substr(0, 21),
      "truncated: 3 images of 2 x 1 pixels according to its header, but only 5 bytes follow", "a byte short");
  bad(three_images + '\0', "1 bytes after the last of 3 images of 2 x 1 pixels", "a byte more");
  bad(three_images + three_images, "22 bytes after the last of 3 images of 2 x 1 pixels", "twice");
  bad(idx_bytes({0x803, 0, 2, 1}, ""), "it holds no images of 2 x 1 pixels", "none");
  bad(idx_bytes({0x803, 3, 0, 1}, ""), "images of 0 x 1 pixels", "no rows");
  bad(idx_bytes({0x803, 3, 2, 0}, ""), "images of 2 x 0 pixels", "no columns");
  bad(idx_bytes({0x803, 3, 0, 0}, "ab"), "images of 0 x 0 pixels", "no pixels");
  bad(idx_bytes({0x803, most, most, most}, "abcd"),
      "truncated: 4294967295 images of 4294967295 x 4294967295 pixels according to its header, but only 4 bytes follow",
      "the largest sizes");
  // 65536·65536 is 0 in 32 bits; 2^31·2^31·4 is 0 in 64 bits, and 48448661·769546·494770 is 4.
  bad(idx_bytes({0x803, 1, 65536, 65536}, ""),
      "truncated: 1 images of 65536 x 65536 pixels according to its header, but only 0 bytes follow", "2^32 pixels");
  bad(idx_bytes({0x803, 4, 0x80000000, 0x80000000}, ""),
      "truncated: 4 images of 2147483648 x 2147483648 pixels according to its header, but only 0 bytes follow",
      "2^64 pixels");
  bad(idx_bytes({0x803, 48448661, 769546, 494770}, "abcd"),
      "truncated: 48448661 images of 769546 x 494770 pixels according to its header, but only 4 bytes follow",
      "2^64 + 4 pixels");
}

static void refused_labels(Checks& check, const Folder& folder) {
  const auto bad = [&](const std::string& bytes, const std::string& reason, const std::string& what) {
    refused(check, folder, three_images, bytes, "labels", reason, "labels: " + what);
  };
  bad("", "not an IDX file: 0 bytes", "an empty file");
  bad("\x1f\x8b", "it is compressed with gzip: unpack it first", "compressed");
  bad("7,2,1,0", "not an IDX file of labels: begins with 0x372c322c, not 0x00000801", "another format");
  bad(three_images, "it holds images where labels are expected: are the two files exchanged?", "images twice");
  bad(three_labels.substr(0, 7), "truncated: a header of 8 bytes, the file has 7", "a short header");
  bad(three_labels.substr(0, 10), "truncated: 3 labels according to its header, but only 2 bytes follow", "one short");
  bad(three_labels + '\0', "1 bytes after the last of 3 labels", "one more");
  bad(idx_bytes({0x801, 0xFFFFFFFF}, "\1\2\3"),
      "truncated: 4294967295 labels according to its header, but only 3 bytes follow", "a claim of 4 GB");
  bad(idx_bytes({0x801, 0}, ""), "it holds no labels", "none");
  bad(idx_bytes({0x801, 3}, "\1\12\13"), "label 10 at position 1 (counted from 0) is over 9", "a label of 10");
  bad(idx_bytes({0x801, 3}, "\1\2\xFF"), "label 255 at position 2 (counted from 0) is over 9", "a label of 255");
  const std::string images = " images in '" + folder.file("images") + "'";
  bad(idx_bytes({0x801, 2}, "\1\2"), "2 labels for the 3" + images, "fewer than images");
  bad(idx_bytes({0x801, 4}, "\1\2\3\4"), "4 labels for the 3" + images, "more than images");

  fs::remove(folder.file("labels"));
  check.throws<std::runtime_error>([&] { read_idx(folder.file("images"), folder.file("labels")); },
                                   "cannot read '" + folder.file("labels") + "': no such file", "no labels");
  check.throws<std::runtime_error>([&] { read_idx(folder.file("none"), folder.file("labels")); },
                                   "cannot read '" + folder.file("none") + "': no such file", "no images");
}

// Does parse(bytes) succeed? Where it throws it must be a std::runtime_error, of one line.
template <class Parse>
bool accepts(Checks& check, Parse parse, const std::string& bytes) {
  try {
    parse(bytes);
    return true;
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    if (text.empty() || text.find('\n') != std::string::npos) check.that(false, "a reason of one line, not: " + text);
    return false;
  }
}

// The file with some bytes changed, most of them to small numbers, and cut or made longer.
static std::string mutated(std::string bytes, Random& random) {
  for (std::uint64_t changes = random.below(4); changes > 0; --changes)
    bytes[random.below(bytes.size())] = static_cast<char>(random.below(random.below(4) == 0 ? 256 : 13));
  if (random.below(2) == 0) bytes.resize(random.below(2 * bytes.size()), '\1');
  return bytes;
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
  return bytes.substr(4, 4) == idx_bytes({static_cast<std::uint32_t>(data.size())}, "") &&
         data.find_first_not_of(std::string("\0\1\2\3\4\5\6\7\10\11", 10)) == std::string::npos;
}

static void mutations(Checks& check) {
  Random random(7);
  std::array<std::size_t, 2> accepted{}, wrong{};
  for (int i = 0; i < 50'000; ++i) {
    const std::string images = mutated(three_images, random), labels = mutated(three_labels, random);
    const bool image = accepts(check, idx::parse_images, images), label = accepts(check, idx::parse_labels, labels);
    accepted[0] += image, accepted[1] += label;
    wrong[0] += image != valid_images(images), wrong[1] += label != valid_labels(labels);
  }
  check.that(wrong == std::array<std::size_t, 2>{}, "50,000 mutated files: those that are valid are read, no others");
  // Half keep their length, and a quarter of these all their bytes: at least an eighth is valid, 6,250 of 50,000.
  for (const std::size_t count : accepted)
    check.that(count > 6'000 && count < 40'000, "there are many of both kinds: " + std::to_string(count));
}

// -------------------------------------------------------------------------------------------------------------- parts

// 100 images of 2 x 3 pixels that hold their own numbers; image i is labelled i mod 10.
static Images numbered() {
  Images images{2, 3, Matrix<float>(100, 6), {}};
  for (std::uint32_t i = 0; i < 100; ++i) {
    images.labels.push_back(i % 10);
    for (std::size_t k = 0; k < 6; ++k) images.X(i, k) = float(i) + float(k) / 8;
  }
  return images;
}

static bool is_whole(const Images& part, std::size_t i) {  // is image i one of numbered(), with its label?
  const float first = part.X(i, 0);
  for (std::size_t k = 0; k < 6; ++k)
    if (part.X(i, k) != first + float(k) / 8) return false;
  return part.labels[i] == static_cast<std::uint32_t>(first) % 10;
}

static void splits(Checks& check) {
  const Images images = numbered();
  Random random(8);
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
  check.that(found.size() == 100, "each image is in one part");
  check.that(whole, "each with its label");
  check.that(!in_order, "shuffled");

  Random again(8), another(9);
  check.that(split(images, 70, again).train.X == train.X, "the same seed gives the same split");
  check.that(split(images, 70, another).train.X != train.X, "another seed another");
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

int main() {
  Checks check;
  against_a_separate_program(check);
  distances(check);
  range_without_noise(check);
  same_seed_same_digits(check);
  noise(check);
  mean_corners(check);
  shifts(check);
  label_frequencies(check);
  bad_settings(check);
  nearest_mean(check);
  const Folder folder;
  read_good(check, folder);
  refused_images(check, folder);
  refused_labels(check, folder);
  mutations(check);
  splits(check);
  if (const char* data = std::getenv("COURSE_DATA")) mnist(check, data);
  else std::puts("test_digits: COURSE_DATA is not set, the MNIST part is skipped");
  return check.done("test_digits");
}
