// SPDX-License-Identifier: MIT
#include "common/support/digits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "common/support/file.hpp"
#include "common/support/flags.hpp"

// ---------------------------------------------------------------------------------------------------- drawn digits

namespace digits {
namespace {

constexpr double height = 9;         // of a digit, in pixels, before it is scaled
constexpr double edge = .6;          // pixels over which ink fades to nothing
constexpr double jitter = .02;       // standard deviation of a corner, in heights
constexpr double largest_turn = 12;  // degrees

}  // namespace

const std::array<Stroke, 10>& strokes() {
  static const std::array<Stroke, 10> ten = {{
      {{.5, .05}, {.28, .15}, {.2, .5}, {.28, .85}, {.5, .95}, {.72, .85}, {.8, .5}, {.72, .15}, {.5, .05}},
      {{.35, .25}, {.55, .05}, {.55, .95}},
      {{.2, .27}, {.35, .07}, {.65, .07}, {.8, .27}, {.72, .47}, {.2, .95}, {.82, .95}},
      {{.2, .08}, {.78, .08}, {.45, .42}, {.75, .6}, {.7, .85}, {.45, .95}, {.2, .85}},
      {{.65, .95}, {.65, .05}, {.2, .65}, {.88, .65}},
      {{.76, .05}, {.28, .05}, {.25, .45}, {.6, .42}, {.78, .65}, {.6, .93}, {.22, .88}},
      {{.7, .07}, {.4, .25}, {.22, .6}, {.35, .92}, {.65, .92}, {.78, .7}, {.6, .5}, {.25, .6}},
      {{.2, .07}, {.8, .07}, {.42, .95}},
      {{.5, .48},
       {.25, .3},
       {.35, .07},
       {.65, .07},
       {.75, .3},
       {.5, .48},
       {.22, .7},
       {.35, .94},
       {.65, .94},
       {.78, .7},
       {.5, .48}},
      {{.75, .35}, {.6, .5}, {.3, .45}, {.22, .25}, {.4, .06}, {.68, .08}, {.76, .35}, {.7, .7}, {.5, .95}},
  }};
  return ten;
}

// Each draw is a statement of its own, or in braces, since the arguments of a call are evaluated in any order.
Stroke by_hand(Stroke stroke, double shift, Random& random) {
  const Point scale{random.uniform(.8, 1.05), random.uniform(.8, 1.05)};
  const double shear = random.uniform(-.15, .15);
  const double angle = random.uniform(-largest_turn, largest_turn) * std::numbers::pi / 180;
  const Point moved{shift * random.uniform(-1, 1), shift * random.uniform(-1, 1)};
  const double c = std::cos(angle), s = std::sin(angle);
  for (Point& p : stroke) {
    const Point corner{p.x - .5 + jitter * random.normal(), p.y - .5 + jitter * random.normal()};
    const double y = scale.y * corner.y, x = scale.x * corner.x + shear * y;
    p = {side / 2. + height * (c * x - s * y) + moved.x, side / 2. + height * (s * x + c * y) + moved.y};
  }
  return stroke;
}

std::array<double, area> squared_distances(const Stroke& stroke) {
  std::array<double, area> nearest;
  nearest.fill(std::numeric_limits<double>::infinity());
  for (std::size_t k = 1; k < stroke.size(); ++k) {
    const Point a = stroke[k - 1], ab{stroke[k].x - a.x, stroke[k].y - a.y};
    const double per_length = 1 / (ab.x * ab.x + ab.y * ab.y);
    for (std::size_t i = 0; i < side; ++i)
      for (std::size_t j = 0; j < side; ++j) {
        const double x = double(j) + .5 - a.x, y = double(i) + .5 - a.y;
        // The nearest point of the segment is a + t·ab: the foot of the perpendicular, or the end beyond which it lies.
        const double t = std::min(std::max((x * ab.x + y * ab.y) * per_length, 0.), 1.);
        const double dx = x - t * ab.x, dy = y - t * ab.y;
        nearest[i * side + j] = std::min(nearest[i * side + j], dx * dx + dy * dy);
      }
  }
  return nearest;
}

}  // namespace digits

namespace {

// Writes the image of a digit: ink of half-width .45 to .9 pixels along its stroke, and noise.
void draw(std::uint32_t label, DigitSettings settings, Random& random, std::span<float> pixels) {
  const digits::Stroke stroke = digits::by_hand(digits::strokes()[label], settings.shift, random);
  const double half_width = random.uniform(.45, .9);
  const std::array<double, digits::area> squares = digits::squared_distances(stroke);
  for (std::size_t k = 0; k < pixels.size(); ++k) {
    const double ink = std::clamp(1 - (std::sqrt(squares[k]) - half_width) / digits::edge, 0., 1.);
    pixels[k] = static_cast<float>(ink + settings.noise * random.normal());
  }
}

}  // namespace

Images draw_digits(std::size_t count, DigitSettings settings, Random& random) {
  for (const double x : {settings.shift, settings.noise})
    if (!(x >= 0 && std::isfinite(x)))
      throw std::invalid_argument("draw_digits: shift and noise must be finite and not negative");
  std::vector<std::uint32_t> labels(count);
  for (std::size_t i = 0; i < count; ++i) labels[i] = static_cast<std::uint32_t>(i % digits::strokes().size());
  random.shuffle(std::span(labels));
  Matrix<float> X(count, digits::area);
  for (std::size_t i = 0; i < count; ++i) draw(labels[i], settings, random, X.row(i));
  return {digits::side, digits::side, std::move(X), std::move(labels)};
}

// ------------------------------------------------------------------------------------------------------- IDX files

namespace idx {
namespace {

constexpr std::uint32_t image_magic = 0x803, label_magic = 0x801;  // bytes in 3 dimensions, bytes in 1

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (const char byte : bytes.substr(at, 4)) word = word << 8 | static_cast<unsigned char>(byte);
  return word;
}

std::string hex(std::uint32_t word) {
  char text[11];
  std::snprintf(text, sizeof text, "0x%08lx", static_cast<unsigned long>(word));
  return text;
}

// Throws unless the bytes begin with `magic` and are long enough for a header with this many sizes.
void check_start(std::string_view bytes, std::uint32_t magic, std::size_t sizes) {
  const bool images = magic == image_magic;
  const std::string wanted = images ? "images" : "labels", other = images ? "labels" : "images";
  if (bytes.starts_with("\x1f\x8b")) fail("it is compressed with gzip: unpack it first");
  if (bytes.size() < 4) fail("not an IDX file: " + std::to_string(bytes.size()) + " bytes");
  const std::uint32_t found = word_at(bytes, 0);
  if (found == (images ? label_magic : image_magic))
    fail("it holds " + other + " where " + wanted + " are expected: are the two files exchanged?");
  if (found != magic) fail("not an IDX file of " + wanted + ": begins with " + hex(found) + ", not " + hex(magic));
  if (bytes.size() < 4 + 4 * sizes)
    fail("truncated: a header of " + std::to_string(4 + 4 * sizes) + " bytes, the file has " +
         std::to_string(bytes.size()));
}

// Throws unless `data` is `count` items (`what`) of `size` bytes each. Size is not 0. count·size is formed only where
// it is known to be at most the size of the data, so that it cannot overflow.
void check_length(std::string_view data, std::uint64_t count, std::uint64_t size, const std::string& what) {
  if (count == 0) fail("it holds no " + what);
  if (count > data.size() / size)
    fail("truncated: " + std::to_string(count) + " " + what + " according to its header, but only " +
         std::to_string(data.size()) + " bytes follow");
  if (count * size < data.size())
    fail(std::to_string(data.size() - count * size) + " bytes after the last of " + std::to_string(count) + " " + what);
}

// parse(bytes); what it throws then names the file.
template <class Parse>
auto parse_file(const std::string& path, std::string_view bytes, Parse parse) {
  try {
    return parse(bytes);
  } catch (const std::runtime_error& error) {
    fail("cannot read '" + path + "': " + error.what());
  }
}

}  // namespace

Pixels parse_images(std::string_view bytes) {
  check_start(bytes, image_magic, 3);
  const std::uint64_t count = word_at(bytes, 4), rows = word_at(bytes, 8), cols = word_at(bytes, 12);
  const std::string shape = std::to_string(rows) + " x " + std::to_string(cols);
  if (rows == 0 || cols == 0) fail("images of " + shape + " pixels");
  check_length(bytes.substr(16), count, rows * cols, "images of " + shape + " pixels");
  return {std::size_t(count), std::size_t(rows), std::size_t(cols), bytes.substr(16)};
}

std::vector<std::uint32_t> parse_labels(std::string_view bytes) {
  check_start(bytes, label_magic, 1);
  const std::string_view data = bytes.substr(8);
  check_length(data, word_at(bytes, 4), 1, "labels");
  std::vector<std::uint32_t> labels(data.size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    labels[i] = static_cast<unsigned char>(data[i]);
    if (labels[i] > 9)
      fail("label " + std::to_string(labels[i]) + " at position " + std::to_string(i) + " (counted from 0) is over 9");
  }
  return labels;
}

}  // namespace idx

Images read_idx(const std::string& images_path, const std::string& labels_path) {
  const std::string image_bytes = read_file(images_path, 10);  // bytes, numbers, and those in two parts
  const idx::Pixels pixels = idx::parse_file(images_path, image_bytes, idx::parse_images);
  std::vector<std::uint32_t> labels = idx::parse_file(labels_path, read_file(labels_path), idx::parse_labels);
  if (labels.size() != pixels.count)
    idx::fail("cannot read '" + labels_path + "': " + std::to_string(labels.size()) + " labels for the " +
              std::to_string(pixels.count) + " images in '" + images_path + "'");
  Matrix<float> X(pixels.count, pixels.rows * pixels.cols);
  std::transform(pixels.bytes.begin(), pixels.bytes.end(), X.values().begin(),
                 [](char byte) { return static_cast<float>(static_cast<unsigned char>(byte)) / 255; });
  return {pixels.rows, pixels.cols, std::move(X), std::move(labels)};
}

// -------------------------------------------------------------------------------------------------- CIFAR-10's files

Images parse_cifar(std::string_view bytes) {
  constexpr std::size_t side = 32, planes = 3, pixels = planes * side * side, record = 1 + pixels;
  if (bytes.empty() || bytes.size() % record != 0)
    idx::fail("not a binary batch of CIFAR-10: " + std::to_string(bytes.size()) + " bytes are not images of " +
              std::to_string(record) + " each");
  Images images{side, side, Matrix<float>(bytes.size() / record, pixels), {}, planes};
  for (std::size_t i = 0; i < images.X.rows(); ++i) {
    const std::string_view image = bytes.substr(i * record, record);
    images.labels.push_back(static_cast<unsigned char>(image[0]));
    if (images.labels[i] > 9)
      idx::fail("label " + std::to_string(images.labels[i]) + " of image " + std::to_string(i) +
                " (counted from 0) is over 9");
    std::transform(image.begin() + 1, image.end(), images.X.row(i).begin(),
                   [](char byte) { return static_cast<float>(static_cast<unsigned char>(byte)) / 255; });
  }
  return images;
}

Images read_cifar(const std::string& path) {
  return idx::parse_file(path, read_file(path, 10), parse_cifar);  // bytes, numbers, and those in two parts
}

// ----------------------------------------------------------------------------------------------------------- parts

Images select(const Images& images, std::span<const std::size_t> numbers) {
  Images part{images.rows, images.cols, Matrix<float>(numbers.size(), images.X.cols()), {}, images.planes};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto row = images.X.row(numbers[i]);
    std::copy(row.begin(), row.end(), part.X.row(i).begin());
    part.labels.push_back(images.labels.at(numbers[i]));
  }
  return part;
}

TrainTest split(const Images& images, std::size_t train, Random& random) {
  std::vector<std::size_t> order(images.labels.size());
  if (train > order.size())
    throw std::invalid_argument("split: " + std::to_string(train) + " of " + std::to_string(order.size()) + " images");
  std::iota(order.begin(), order.end(), std::size_t(0));
  random.shuffle(std::span(order));
  const std::span<const std::size_t> all = order;
  return {select(images, all.first(train)), select(images, all.subspan(train))};
}

TrainTest read_or_draw(const std::string& images, const std::string& labels, std::size_t part, Random& random) {
  if (images.empty()) {
    TrainTest drawn;
    drawn.train = draw_digits(2 * part, DigitSettings{}, random);
    drawn.test = draw_digits(part, DigitSettings{}, random);
    return drawn;
  }
  const Images all = blame("--images", [&] { return labels.empty() ? read_cifar(images) : read_idx(images, labels); });
  if (all.labels.size() < 100) throw UserError("--images: at least 100 images are needed");
  return split(all, all.labels.size() * 4 / 5, random);
}
