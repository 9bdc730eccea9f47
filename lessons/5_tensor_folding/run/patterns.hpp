// Lesson 5, part 7: patterns as images, beside a digit, and a logit that is built up from them.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "common/support/digits.hpp"
#include "common/support/plot.hpp"
#include "lessons/5_tensor_folding/model/02_net.hpp"
#include "lessons/5_tensor_folding/model/04_jacobi.hpp"

namespace lesson5 {

// Returns the first image of a class that the net takes for what it is, 1 x pixels; the first of all where there is
// none.
Matrix<double> example_of(const Net<float>& net, const Images& images, std::uint32_t label);

// Draws each digit's pattern of the most positive λ, and below them the digit `shown` laid over two of its own.
// `examples` holds an image of each digit; a pattern's sign is chosen such that v·x > 0 for it.
plot::Sheet sheet_of_patterns(const std::vector<Eigen>& spectra, const std::vector<Matrix<double>>& examples,
                              const Images& images, std::size_t shown);

// Shows a logit y = Σ λ·(v·x)² while its first 12 terms are added, largest |λ| first: the image, the term λ·(v·x)·v,
// the sum of the terms so far, and that of all, which is x·S.
plot::Film<plot::Sheet> film_of_terms(const Eigen& eigen, const Matrix<double>& x, const Images& images,
                                      std::size_t digit);

}  // namespace lesson5
