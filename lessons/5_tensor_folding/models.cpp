// Lesson 5: what computes, compiled once and optimized.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/models.hpp"

#include "lessons/5_tensor_folding/spectra.hpp"
#include "lessons/5_tensor_folding/train.hpp"

namespace lesson5 {

template struct Net<float>;
template struct Net<double>;
template struct LinearNet<float>;
template struct LinearNet<double>;
template struct ReluNet<float>;
template struct ReluNet<double>;

template void rotate_rows(std::span<double>, std::span<double>, Rotation);
template void rotate_away(Matrix<double>&, Matrix<double>&, std::size_t, std::size_t);
template std::size_t sweep(Matrix<double>&, Matrix<double>&);

template void train(Net<float>&, const Images&, const ClassifierSettings&, Random);
template void train(LinearNet<float>&, const Images&, const ClassifierSettings&, Random);
template void train(ReluNet<float>&, const Images&, const ClassifierSettings&, Random);

}  // namespace lesson5
