// Lesson 4: writes a small fixed batch with all gradients, so that another system can check the derivation, and the gates.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string>

#include "common/loss.hpp"
#include "common/support/checkpoint.hpp"
#include "common/support/flags.hpp"
#include "gates.hpp"
#include "product_layer.hpp"

inline void export_product(safetensors::File& file) {
  Random random(4);
  ProductNet net(4, 5, 3);
  for (const auto& [name, tensor] : net.tensors())
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), 0.7, random);
  const auto X = normal_matrix<double>(7, 4, 1, random), target = normal_matrix<double>(7, 3, 1, random);
  const ProductNet::Trace t = net.forward(X);
  const Loss<double> loss = mean_squared_error(t.output(), target);
  ProductNet::Gradients g = net.backward(t, loss.gradient);
  add_matrix(file, "input.X", X);
  add_matrix(file, "input.T", target);
  add_tensors(file, "product.param.", net.tensors());
  add_matrix(file, "product.output.Y", t.output());
  add_scalar(file, "product.loss", loss.value);
  add_tensors(file, "product.grad.", g.d.tensors());
  add_matrix(file, "product.grad.X", g.dX);
}

// The table of gates.hpp, a row for each gate; the names go into the metadata.
inline void export_gates(safetensors::File& file) {
  Matrix<double> W(gates.size(), 3), V(gates.size(), 3), truth(gates.size(), corners.size());
  std::string names;
  for (std::size_t k = 0; k < gates.size(); ++k) {
    const auto& [name, outputs, w, v] = gates[k];
    names += std::string(k == 0 ? "" : ",") + name;
    W(k, 0) = w.x, W(k, 1) = w.y, W(k, 2) = w.one;
    V(k, 0) = v.x, V(k, 1) = v.y, V(k, 2) = v.one;
    std::copy(outputs.begin(), outputs.end(), truth.row(k).begin());
  }
  file.metadata["gates.names"] = names;
  add_matrix(file, "gates.W", W);
  add_matrix(file, "gates.V", V);
  add_matrix(file, "gates.truth", truth);
}

// Returns the exit status. Throws UserError when the file cannot be written.
inline int export_lesson4(const std::string& path) {
  safetensors::File file;
  file.metadata = {{"lesson", "4"},
                   {"loss", "mean over all entries of (Y - T)^2; * is entry by entry, X W is the matrix product"},
                   {"product", "Y = ((X W + b) * (X V + c)) U + d"},
                   {"gates",
                    "row k: (W[k,0] x + W[k,1] y + W[k,2]) (V[k,0] x + V[k,1] y + V[k,2]) is truth[k] at "
                    "(x, y) = (0, 0), (1, 0), (0, 1), (1, 1)"}};
  export_product(file);
  export_gates(file);
  return write_export(path, file);
}
