// Lesson 5: writes a small fixed batch with all gradients, and the net as one tensor with its eigenvectors.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/run/export.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/loss.hpp"
#include "common/support/checkpoint.hpp"
#include "lessons/5_tensor_folding/model/03_fold.hpp"
#include "lessons/5_tensor_folding/model/04_jacobi.hpp"

namespace lesson5 {
namespace {

// Sizes no two of which are equal: 8 examples, 6 inputs, an embedding of 4, 5 products, 3 outputs.
Net<double> export_net(safetensors::File& file) {
  Random random(5);
  Net<double> net({6, 4, 5, 3});
  fill_normal(net.tensors(), random, 0.7);
  const auto X = normal_matrix<double>(8, 6, 1, random);
  const std::vector<std::uint32_t> labels{0, 2, 1, 1, 0, 2, 2, 1};
  add_matrix(file, "input.X", X);
  add_indices(file, "input.labels", {labels.size()}, labels);
  add_model(file, "net", "logits", net, X,
            [&](const Matrix<double>& logits) { return softmax_cross_entropy<double>(logits, labels); });
  return net;
}

// Adds matrices of one shape as a tensor of order three.
void add_slices(safetensors::File& file, const std::string& name, const std::vector<Matrix<double>>& slices) {
  std::vector<double> all;
  for (const Matrix<double>& slice : slices) all.insert(all.end(), slice.values().begin(), slice.values().end());
  file.add(name, {slices.size(), slices.at(0).rows(), slices.at(0).cols()}, all);
}

void export_fold(safetensors::File& file, const Net<double>& net) {
  const Tensor3 UBE = fold(net), S = symmetric(UBE);
  Matrix<double> values(S.outputs(), S.shape().rows);
  std::vector<Matrix<double>> vectors;
  for (std::size_t o = 0; o < S.outputs(); ++o) {
    const Eigen eigen = eigen_symmetric(S.slices[o]);
    std::copy(eigen.values.begin(), eigen.values.end(), values.row(o).begin());
    vectors.push_back(eigen.vectors);
  }
  add_slices(file, "fold.UBE", UBE.slices);
  add_slices(file, "fold.S", S.slices);
  add_matrix(file, "fold.eigenvalues", values);
  add_slices(file, "fold.eigenvectors", vectors);
}

}  // namespace

int export_lesson5(const std::string& path) {
  safetensors::File file;
  file.metadata = {{"lesson", "5"},
                   {"loss", "mean cross-entropy in nats; * is entry by entry, X W is the matrix product"},
                   {"net", "Z = X E + e; H = (Z W + b) * (Z V + c); logits = H U + d"},
                   {"fold.UBE", "logits[r,o] = sum over p, q of (X,1)[r,p] UBE[o,p,q] (X,1)[r,q]"},
                   {"fold.S", "S[o,p,q] = (UBE[o,p,q] + UBE[o,q,p]) / 2"},
                   {"fold.eigenvalues", "of S[o], by falling size"},
                   {"fold.eigenvectors",
                    "S[o,p,q] = sum over k of eigenvalues[o,k] eigenvectors[o,k,p] eigenvectors[o,k,q]; "
                    "signs are free, and so are vectors of equal eigenvalues (two of each S[o] are 0)"}};
  export_fold(file, export_net(file));
  return write_export(path, file);
}

}  // namespace lesson5
