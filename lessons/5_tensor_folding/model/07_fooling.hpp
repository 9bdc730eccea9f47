// Lesson 5, part 9: patterns that fool a net, made of its weights alone. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>

#include "common/support/digits.hpp"
#include "lessons/5_tensor_folding/model/02_net.hpp"

namespace lesson5 {

// Returns M = S[target] - mean S as the net of one output whose slice it is: U's column less the mean column.
Net<double> contrast(const Net<float>& net, std::size_t target);

// Returns x·M for each row x of X (n x inputs), from the factors: ½·((x·W ⊙ u)·Vᵀ + (x·V ⊙ u)·Wᵀ), u the column of U.
Matrix<double> times_M(const Net<double>& one, const Matrix<double>& X);

// Returns A / |A|.
Matrix<double> unit(const Matrix<double>& A);

// Returns the unit vector along which x·M·xᵀ grows fastest from x = 0: M's eigenvector of the most positive eigenvalue.
// Of its two signs the one for which ink, all of it positive, gains: 1·M·v = λ·(1·v) > 0.   (5.20)
Matrix<double> fooling_direction(const Net<double>& one);

// Returns M·1 at length 1: the direction in which x·M·xᵀ grows fastest from an image of even ink, to first order.
Matrix<double> ink_direction(const Net<double>& one);

// What becomes of images that are moved by size·v.
struct Attack {
  double success = 0;       // share of the images of other classes that are taken for the target
  double accuracy = 0;      // share of all images still right
  double from_image = 0;    // 2·size·x·M·vᵀ, mean over the images
  double from_pattern = 0;  // size²·v·M·vᵀ
};

// Moves all images by size·direction, and finds the first two of these. Model is Net<float> or ReluNet<float>.
template <class Model>
Attack attack(const Model& net, const Images& images, std::size_t target, std::span<const double> direction,
              double size);

}  // namespace lesson5
