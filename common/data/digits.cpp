// SPDX-License-Identifier: MIT
#include "common/data/digits.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>

#include "common/frame/files/file.hpp"
#include "common/frame/terminal/flags.hpp"
#include "common/frame/text/words.hpp"

namespace {

struct Point {
  double x, y;  // right, down
};
using Stroke = std::vector<Point>;

// The digits 0 to 9, each one stroke of the pen, given by its corners: x and y in hundredths.
constexpr const char* strokes[] = {
    "50 05 28 15 20 50 28 85 50 95 72 85 80 50 72 15 50 05",
    "35 25 55 05 55 95",
    "20 27 35 07 65 07 80 27 72 47 20 95 82 95",
    "20 08 78 08 45 42 75 60 70 85 45 95 20 85",
    "65 95 65 05 20 65 88 65",
    "76 05 28 05 25 45 60 42 78 65 60 93 22 88",
    "70 07 40 25 22 60 35 92 65 92 78 70 60 50 25 60",
    "20 07 80 07 42 95",
    "50 48 25 30 35 07 65 07 75 30 50 48 22 70 35 94 65 94 78 70 50 48",
    "75 35 60 50 30 45 22 25 40 06 68 08 76 35 70 70 50 95"};

// Returns a stroke as a hand might write it, in pixels: each corner off by .02 heights, scaled,
// sheared, turned, moved. Each draw is a statement of its own, or in braces, since arguments of a
// call are evaluated in any order.
Stroke by_hand(std::uint32_t label, Random& random) {
  constexpr double height = 9;
  Stroke stroke;
  std::istringstream corners(strokes[label]);
  for (double x = 0, y = 0; corners >> x >> y;) stroke.push_back({x / 100, y / 100});
  const Point scale{random.uniform(.8, 1.05), random.uniform(.8, 1.05)};
  const double shear = random.uniform(-.15, .15),
               angle = random.uniform(-12, 12) * std::numbers::pi / 180;
  const Point offset{digits::shift * random.uniform(-1, 1), digits::shift * random.uniform(-1, 1)};
  const double c = std::cos(angle), s = std::sin(angle), middle = digits::side / 2.;
  for (Point& p : stroke) {
    const Point corner{p.x - .5 + .02 * random.normal(), p.y - .5 + .02 * random.normal()};
    const double y = scale.y * corner.y, x = scale.x * corner.x + shear * y;
    p = {middle + height * (c * x - s * y) + offset.x,
         middle + height * (s * x + c * y) + offset.y};
  }
  return stroke;
}

// Returns for each pixel the square of its centre's distance from the stroke.
std::array<double, digits::area> squared_distances(const Stroke& stroke) {
  std::array<double, digits::area> nearest;
  nearest.fill(std::numeric_limits<double>::infinity());
  for (std::size_t k = 1; k < stroke.size(); ++k) {
    const Point a = stroke[k - 1], ab{stroke[k].x - a.x, stroke[k].y - a.y};
    const double per_length = 1 / (ab.x * ab.x + ab.y * ab.y);
    for (std::size_t i = 0; i < digits::side; ++i)
      for (std::size_t j = 0; j < digits::side; ++j) {
        const double x = double(j) + .5 - a.x, y = double(i) + .5 - a.y;
        // The nearest point of the segment is a + t·ab: the foot of the perpendicular, or an end.
        const double t = std::min(std::max((x * ab.x + y * ab.y) * per_length, 0.), 1.);
        const double dx = x - t * ab.x, dy = y - t * ab.y;
        double& best = nearest[i * digits::side + j];
        best = std::min(best, dx * dx + dy * dy);
      }
  }
  return nearest;
}

}  // namespace

Images draw_digits(std::size_t count, Random& random) {
  Images images{digits::side, digits::side, Matrix<float>(count, digits::area),
                std::vector<std::uint32_t>(count)};
  for (std::size_t i = 0; i < count; ++i) images.labels[i] = std::uint32_t(i % std::size(strokes));
  random.shuffle(std::span(images.labels));
  for (std::size_t i = 0; i < count; ++i) {
    const Stroke stroke = by_hand(images.labels[i], random);
    const double half_width = random.uniform(.45, .9);
    const auto squares = squared_distances(stroke);
    for (std::size_t k = 0; k < squares.size(); ++k) {  // ink fades to nothing over .6 pixels
      const double ink = std::clamp(1 - (std::sqrt(squares[k]) - half_width) / .6, 0., 1.);
      images.X(i, k) = float(ink + digits::noise * random.normal());
    }
  }
  return images;
}

[[noreturn]] static void fail(const std::string& what) { throw std::runtime_error(what); }

// A file of MNIST: big-endian words of 4 bytes, which say what it holds and its sizes, then bytes.
struct Idx {
  std::vector<std::size_t> sizes;
  std::string_view bytes;
};

static Idx parse_idx(std::string_view bytes, std::size_t dimensions) {
  const std::string magic{'\0', '\0', '\x08', char(dimensions)};
  if (bytes.starts_with(magic.substr(0, 3)) && !bytes.starts_with(magic))
    fail(join("it has other than ", dimensions, " dimensions: are images and labels exchanged?"));
  if (!bytes.starts_with(magic)) fail("not an IDX file of bytes");
  if (bytes.size() < 4 + 4 * dimensions) fail("truncated: no whole header");
  Idx idx{{}, bytes.substr(4 + 4 * dimensions)};
  // At most as many as there are bytes: no product overflows, and no size is believed.
  std::uint64_t count = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    std::uint64_t size = 0;
    for (const char byte : bytes.substr(4 + 4 * d, 4)) size = size << 8 | std::uint8_t(byte);
    if (size == 0) fail("it holds nothing");
    if (size > idx.bytes.size() / count)
      fail(join("truncated: only ", idx.bytes.size(), " bytes follow its header"));
    count *= size;
    idx.sizes.push_back(std::size_t(size));
  }
  if (count < idx.bytes.size()) fail(join(idx.bytes.size() - count, " bytes too many"));
  return idx;
}

static float pixel_of(char byte) { return float(std::uint8_t(byte)) / 255; }

// Numbers the labels that occur, 0, 1 and so on: a class that no image bears is none.
static void number_classes(Images& images) {
  const std::set<std::uint32_t> occur(images.labels.begin(), images.labels.end());
  images.names.assign(occur.begin(), occur.end());
  for (std::uint32_t& label : images.labels)
    label = std::uint32_t(std::lower_bound(images.names.begin(), images.names.end(), label) -
                          images.names.begin());
}

static Images pixels_in(std::string_view bytes) {
  const Idx idx = parse_idx(bytes, 3);
  const std::size_t rows = idx.sizes[1], cols = idx.sizes[2];
  Images images{rows, cols, Matrix<float>(idx.sizes[0], rows * cols), {}};
  std::transform(idx.bytes.begin(), idx.bytes.end(), images.X.values().begin(), pixel_of);
  return images;
}

Images read_idx(const std::string& images_path, const std::string& labels_path) {
  constexpr double times = 10;  // bytes, numbers, and those in two parts
  Images images = parse_file(images_path, times, pixels_in);
  parse_file(labels_path, 5, [&](std::string_view bytes) {
    for (const char byte : parse_idx(bytes, 1).bytes) images.labels.push_back(std::uint8_t(byte));
    if (images.labels.size() != images.X.rows())
      fail(join(images.labels.size(), " labels for the ", images.X.rows(), " images in '",
                images_path, "'"));
    number_classes(images);
    if (images.classes() < 2)
      fail(join("every label is ", images.names[0], ": nothing is to be told apart"));
  });
  return images;
}

static Images photographs_in(std::string_view bytes) {
  constexpr std::size_t side = 32, pixels = 3 * side * side, record = 1 + pixels;
  if (bytes.empty() || bytes.size() % record != 0)
    fail(join("its ", bytes.size(), " bytes are no records of CIFAR-10; IDX needs --labels"));
  Images images{side, side, Matrix<float>(bytes.size() / record, pixels), {}};
  for (std::size_t n = 0; n < images.X.rows(); ++n) {
    const std::string_view image = bytes.substr(n * record, record);
    if (std::uint8_t(image[0]) > 9)
      fail(join("label ", int(std::uint8_t(image[0])), " of image ", n,
                " (counted from 0) is over 9: no records of CIFAR-10; IDX needs --labels"));
    images.labels.push_back(std::uint8_t(image[0]));
    std::transform(image.begin() + 1, image.end(), images.X.row(n).begin(), pixel_of);
  }
  return images;
}

Images read_cifar(const std::string& path) { return parse_file(path, 10, photographs_in); }

Images select(const Images& images, std::span<const std::size_t> numbers) {
  Images part{
      images.rows, images.cols, Matrix<float>(numbers.size(), images.X.cols()), {}, images.names};
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
    throw std::invalid_argument(join("split: ", train, " of ", order.size(), " images"));
  std::iota(order.begin(), order.end(), std::size_t(0));
  random.shuffle(std::span(order));
  const std::span<const std::size_t> all = order;
  return {select(images, all.first(train)), select(images, all.subspan(train))};
}

TrainTest read_or_draw(const std::string& images, const std::string& labels, std::size_t part,
                       Random& random) {
  if (images.empty()) {
    Images learned = draw_digits(2 * part, random);
    return {std::move(learned), draw_digits(part, random)};
  }
  const Images all = blame("--images", [&] { return read_idx(images, labels); });
  if (all.labels.size() < 100) throw UserError("--images: at least 100 images are needed");
  return split(all, all.labels.size() * 4 / 5, random);
}
