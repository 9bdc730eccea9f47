// Lesson 5: what several of its parts show.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/run/show.hpp"

#include <cmath>
#include <cstdint>

#include "common/loss.hpp"
#include "common/support/words.hpp"

namespace lesson5 {

std::string text_of(const Matrix<double>& A) {
  if (A.rows() == 1) {
    std::string row;
    for (const double a : A.values()) row += (row.empty() ? "(" : ", ") + significant(a);
    return row + ")";
  }
  std::string text = "[";
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) text += (j > 0 ? " " : i > 0 ? "; " : "") + significant(A(i, j));
  return text + "]";
}

double mean_effective_rank(const std::vector<Eigen>& spectra) {
  double sum = 0;
  for (const Eigen& eigen : spectra) sum += effective_rank(eigen.values);
  return sum / double(spectra.size());
}

void fill_for_check(const Tensors<double>& tensors, Random& random) {
  for (const auto& [name, tensor] : tensors)
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), 1 / std::sqrt(double(tensor.rows())), random);
}

GradientReport check_net(const NetForm& form, std::size_t n, Random& random) {
  Net<double> net(form);
  fill_for_check(net.tensors(), random);
  Matrix<double> X = normal_matrix<double>(n, form.inputs, 1, random);
  std::vector<std::uint32_t> labels;
  for (std::size_t i = 0; i < n; ++i) labels.push_back(std::uint32_t(i % form.outputs));
  return check_model(net, X, [&](const Matrix<double>& Y) { return softmax_cross_entropy<double>(Y, labels); });
}

}  // namespace lesson5
