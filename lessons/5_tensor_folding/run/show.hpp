// Lesson 5: what several of its parts show: small matrices, the effective rank, the gradient check of a net.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "common/gradcheck.hpp"
#include "lessons/5_tensor_folding/model/02_net.hpp"
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"

namespace lesson5 {

// Returns a matrix as README.md writes it, [1 2; 3 4], and a row as (1, 2).
std::string text_of(const Matrix<double>& A);

// Returns the mean over the outputs of the effective rank.
double mean_effective_rank(const std::vector<Eigen>& spectra);

// Draws weights N(0, 1/fan-in) and biases N(0, 1): logits are then of size 1, so that no probability is small, nor any
// slope beside the loss that it is found from.
void fill_for_check(const Tensors<double>& tensors, Random& random);

// Checks the gradients of a net through softmax and cross-entropy, on n drawn examples.
GradientReport check_net(const NetForm& form, std::size_t n, Random& random);

}  // namespace lesson5
