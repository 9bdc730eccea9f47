// Lesson 5, part 12: what can be promised of a net without running it. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "lessons/5_tensor_folding/model/02_net.hpp"
#include "lessons/5_tensor_folding/model/04_jacobi.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"

namespace lesson5 {

// Returns the largest |y_o|/(max|λ_o|·|x|²) over all rows x of X and all outputs of a net without embedding or biases,
// whose spectra these are: 1 is what the bound allows.   (5.25)
double share_of_bound(const Net<float>& net, const std::vector<Eigen>& spectra, const Matrix<double>& X);

// Returns the same for a ReLU net and the bound that its norms give: |y_o - d_o| <= |u_o|·(σ·|x| + |b|), σ the largest
// singular value of W.
double share_of_bound(const ReluNet<float>& net, const Matrix<double>& X);

}  // namespace lesson5
