// Pictures of digits with their labels: drawn by a program, so that a lesson needs no download, or
// read from the files in which MNIST comes (IDX). A pixel is 0 where there is no ink and 1 where
// there is most; noise may leave that range. Files may be hostile: whatever is wrong with one is a
// std::runtime_error of one line.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"
#include "common/random.hpp"

struct Images {
  std::size_t rows = 0, cols = 0;  // of one image
  Matrix<float> X;  // n x rows·cols: an image is a row, its pixels row by row from the top
  std::vector<std::uint32_t> labels;  // n, each 0 to 9
};

struct DigitSettings {
  double shift = 1.25;  // an image moves by up to this many pixels along each axis
  double noise = .15;   // standard deviation of what is added to each pixel
};

namespace digits {
inline constexpr std::size_t side = 12, area = side * side;  // of a drawn image, in pixels
}

// Draws `count` digits, X count x 144, with the labels 0 to 9 in turn, shuffled. The same seed with
// another noise gives the same digits under another noise. Throws std::invalid_argument unless
// shift and noise are finite and not negative.
Images draw_digits(std::size_t count, DigitSettings settings, Random& random);

// Reads images and labels from two files of MNIST, pixels 0 to 255 as 0 to 1, in the order of the
// files.
Images read_idx(const std::string& images_path, const std::string& labels_path);

// Returns the images with these numbers, in this order. Throws std::out_of_range for a number that
// is not there.
Images select(const Images& images, std::span<const std::size_t> numbers);

struct TrainTest {
  Images train, test;
};

// Splits at random into `train` of the images and the others. Throws std::invalid_argument when
// there are fewer.
TrainTest split(const Images& images, std::size_t train, Random& random);

// Returns images to learn from and to be judged by: four fifths and a fifth of those in the files;
// without files 2·part and part drawn digits. Throws UserError for fewer than a hundred.
TrainTest read_or_draw(const std::string& images, const std::string& labels, std::size_t part,
                       Random& random);
