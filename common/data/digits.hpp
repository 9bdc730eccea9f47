// Pictures of digits with labels: drawn by a program, so that a lesson needs no download, or read
// from files in the form of MNIST's (IDX), such as EMNIST's letters; and CIFAR-10's photographs. A
// pixel is 0 without ink and 1 with most; noise may leave that range. Files may be hostile:
// whatever is wrong is a std::runtime_error of one line.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"
#include "common/random.hpp"

struct Images {
  std::size_t rows = 0, cols = 0;     // of one image
  Matrix<float> X;                    // n x rows·cols (·3), row by row from the top, by colour
  std::vector<std::uint32_t> labels;  // n, each the place of its class
  // What their files call the classes, in rising order: EMNIST's letters are 1 to 26.
  std::vector<std::uint32_t> names{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

  std::size_t classes() const { return names.size(); }
};

namespace digits {
inline constexpr std::size_t side = 12, area = side * side;  // of a drawn image, in pixels
inline constexpr double shift = 1.25;  // it is moved by up to this many along each axis
inline constexpr double noise = .15;   // standard deviation at each pixel
}  // namespace digits

// Draws `count` digits, X count x 144, with the labels 0 to 9 in turn, shuffled.
Images draw_digits(std::size_t count, Random& random);

// Reads images and labels from two files of MNIST, pixels 0 to 255 as 0 to 1. Labels that occur
// are the classes, at least two.
Images read_idx(const std::string& images_path, const std::string& labels_path);

// Reads a binary batch of CIFAR-10: labels, each before its 32 x 32 pixels in red, green and blue.
Images read_cifar(const std::string& path);

// Returns the images with these numbers, in this order. Throws std::out_of_range.
Images select(const Images& images, std::span<const std::size_t> numbers);

struct TrainTest {
  Images train, test;
};

// Splits at random into `train` of the images and the others. Throws std::invalid_argument for
// too few.
TrainTest split(const Images& images, std::size_t train, Random& random);

// Returns images to learn from and to be judged by: four fifths and a fifth of those in the files;
// without files 2·part and part drawn digits. Throws UserError for fewer than a hundred.
TrainTest read_or_draw(const std::string& images, const std::string& labels, std::size_t part,
                       Random& random);
