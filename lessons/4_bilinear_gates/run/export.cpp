// Lesson 4: writes a small fixed batch with all gradients, so that another system can check the derivation, and the
// gates.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/run/export.hpp"

#include <algorithm>
#include <array>

#include "common/loss.hpp"
#include "common/support/checkpoint.hpp"
#include "lessons/4_bilinear_gates/model/2_product_net.hpp"
#include "lessons/4_bilinear_gates/model/3_gates.hpp"

namespace lesson4 {
namespace {

void export_product(safetensors::File& file) {
  Random random(4);
  ProductNet net({4, 5, 3});
  fill_normal(net.tensors(), random, 0.7);
  const auto X = normal_matrix<double>(7, 4, 1, random), target = normal_matrix<double>(7, 3, 1, random);
  add_matrix(file, "input.X", X);
  add_matrix(file, "input.T", target);
  add_model(file, "product", "Y", net, X, [&](const Matrix<double>& Y) { return mean_squared_error(Y, target); });
}

std::array<double, 3> weights_of(const Factor& f) { return {f.x, f.y, f.one}; }

// The table of 3_gates.hpp, a row for each gate; the names go into the metadata.
void export_gates(safetensors::File& file) {
  Matrix<double> W(gates.size(), 3), V(gates.size(), 3), truth(gates.size(), corners.size());
  std::string names;
  for (std::size_t k = 0; k < gates.size(); ++k) {
    const auto& [name, outputs, w, v] = gates[k];
    names += std::string(k == 0 ? "" : ",") + name;
    const auto first = weights_of(w), second = weights_of(v);
    std::copy(first.begin(), first.end(), W.row(k).begin());
    std::copy(second.begin(), second.end(), V.row(k).begin());
    std::copy(outputs.begin(), outputs.end(), truth.row(k).begin());
  }
  file.metadata["gates.names"] = names;
  add_matrix(file, "gates.W", W);
  add_matrix(file, "gates.V", V);
  add_matrix(file, "gates.truth", truth);
}

}  // namespace

int export_lesson4(const std::string& path) {
  safetensors::File file;
  file.metadata = {
      {"lesson", "4"},
      {"loss", "mean over all entries of (Y - T)^2; * is entry by entry, X W is the matrix product"},
      {"product", "Y = ((X W + b) * (X V + c)) U + d"},
      {"gates",
       "row k: "
       "(W[k,0] x + W[k,1] y + W[k,2]) (V[k,0] x + V[k,1] y + V[k,2]) is truth[k] at (x, y) = (0, 0), (1, 0), "
       "(0, 1), (1, 1)"}};
  export_product(file);
  export_gates(file);
  return write_export(path, file);
}

}  // namespace lesson4
