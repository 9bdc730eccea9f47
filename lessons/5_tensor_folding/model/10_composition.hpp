// Lesson 5, part 11: two product layers as one tensor of order five. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "lessons/5_tensor_folding/model/01_tensor.hpp"

namespace lesson5 {

// Returns T4[o,p,q,p',q'] = Σ_ij T2[o,i,j]·T1[i,p,q]·T1[j,p',q'], n⁴ numbers for each output (n inputs).   (5.24)
std::vector<std::vector<double>> fold_twice(const Tensor3& T1, const Tensor3& T2);

// Returns the output of such numbers F at x: each times its four inputs, all added.
double evaluate_order_four(const std::vector<double>& F, std::span<const double> x);

// Returns how many terms a polynomial of degree at most 4 in n variables has: n + 4 over 4.
double distinct_of_degree_four(double n);

// Returns those terms of one output over n inputs: entries whose inputs are the same, in whatever order, added up.
std::map<std::array<std::size_t, 4>, double> terms_of_degree_four(const std::vector<double>& F, std::size_t n);

}  // namespace lesson5
