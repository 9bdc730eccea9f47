// Lesson 5, parts 10 and 13: the toy whose features are known: rare features squeezed through a bottleneck (lesson 4).
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "lessons/5_tensor_folding/model/02_net.hpp"

namespace lesson5 {

enum class EmptyRows { allowed, redrawn };

// Draws rows of features that are each 1 with probability p, else 0.
Matrix<double> draw_features(std::size_t rows, std::size_t features, double p, EmptyRows empty, Random& random);

// Finds the slopes of giving X back, whose loss is the mean squared error: pass.g.d, in which that of e stays zero.
void toy_pass(const Net<double>& net, const Matrix<double>& X, Pass<Net<double>>& pass);

// Returns a net of this form, with as many outputs as inputs, that gives its inputs back, trained on drawn rows in
// which each feature is on with probability p. E has no bias, and one factor of each product starts as the constant 1,
// so that the net starts linear.
Net<double> train_toy(const NetForm& form, double p, long steps, Random random);

}  // namespace lesson5
