// Pictures of digits with their labels: drawn by a program, so that a lesson needs no download, or read from the files
// in which MNIST comes; and the pictures in three colours of CIFAR-10. A pixel is 0 where there is no ink and 1 where there is most; noise may leave that range.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/matrix.hpp"
#include "common/random.hpp"

struct Images {
  std::size_t rows = 0, cols = 0;     // of one image
  Matrix<float> X;                    // n x planes·rows·cols: an image is a row, its pixels row by row from the top
  std::vector<std::uint32_t> labels;  // n, each 0 to 9
  std::size_t planes = 1;             // colours: an image is so many pictures, one behind the other
};

// ---------------------------------------------------------------------------------------------------- drawn digits

struct DigitSettings {
  double shift = 1.25;  // an image moves by up to this many pixels along each axis
  double noise = .15;   // standard deviation of what is added to each pixel
};

namespace digits {

inline constexpr std::size_t side = 12;  // an image is side x side pixels
inline constexpr std::size_t area = side * side;

struct Point {
  double x, y;  // right, down
};
using Stroke = std::vector<Point>;

// The digits 0 to 9, each one stroke of the pen in the unit square, given by its corners.
const std::array<Stroke, 10>& strokes();

// Returns the stroke as a hand might write it, in pixels: jittered, scaled, sheared and turned about its middle, then
// moved by up to `shift` pixels along each axis.
Stroke by_hand(Stroke stroke, double shift, Random& random);

// Returns for each pixel the square of the distance from its centre to the nearest point of the stroke.
std::array<double, area> squared_distances(const Stroke& stroke);

}  // namespace digits

// Draws `count` digits of 12 x 12 pixels, X count x 144. The labels 0 to 9 in turn, shuffled: of each digit as many as
// of any other, or one more. Settings change neither the labels nor what else is drawn: the same seed with another
// noise gives the same digits under another noise. Two platforms differ by rounding only. Throws std::invalid_argument
// unless shift and noise are finite and not negative.
Images draw_digits(std::size_t count, DigitSettings settings, Random& random);

// ------------------------------------------------------------------------------------------------------- IDX files

// The format of MNIST (yann.lecun.com/exdb/mnist): big-endian words of 4 bytes (what the file holds, the sizes), then
// bytes. A file may be hostile: sizes are compared with what the file holds before anything is allocated for them.
namespace idx {

struct Pixels {
  std::size_t count, rows, cols;
  std::string_view bytes;  // count·rows·cols; a window on what was parsed
};

// Returns what the bytes of a file of images say. Throws std::runtime_error with one line that says what is wrong.
Pixels parse_images(std::string_view bytes);

// Returns the labels in the bytes of a file of labels. Throws like parse_images.
std::vector<std::uint32_t> parse_labels(std::string_view bytes);

}  // namespace idx

// Reads images and labels from two IDX files, pixels 0 to 255 as 0 to 1, in the order of the files. Throws
// std::runtime_error with one line that names the path and what is wrong.
Images read_idx(const std::string& images_path, const std::string& labels_path);

// -------------------------------------------------------------------------------------------------- CIFAR-10's files

// Returns what the bytes of a binary batch say (cs.toronto.edu/~kriz/cifar.html): for each image a byte for its label and
// 32 x 32 bytes each for red, green and blue. Throws std::runtime_error with one line that says what is wrong.
Images parse_cifar(std::string_view bytes);

// Reads such a file. Throws std::runtime_error with one line that names the path and what is wrong.
Images read_cifar(const std::string& path);

// ----------------------------------------------------------------------------------------------------------- parts

// Returns the images with these numbers, in this order. Throws std::out_of_range for a number that is not there.
Images select(const Images& images, std::span<const std::size_t> numbers);

struct TrainTest {
  Images train, test;
};

// Splits into `train` of the images, drawn without replacement, and the others, both in random order. Throws
// std::invalid_argument when there are fewer.
TrainTest split(const Images& images, std::size_t train, Random& random);

// Returns images to learn from and images to be judged by: four fifths and a fifth of those in the files, which are CIFAR-10's
// where no file of labels is named; where no file is named, 2·part and part drawn digits. Throws UserError for files that hold fewer than a hundred.
TrainTest read_or_draw(const std::string& images, const std::string& labels, std::size_t part, Random& random);
