// Lesson 1: writes a small fixed batch with all gradients, so that another system can check the derivation.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <utility>

#include "common/loss.hpp"
#include "common/support/checkpoint.hpp"
#include "common/support/flags.hpp"
#include "lessons/1_math_refresh/mlp.hpp"

inline void export_mlp(safetensors::File& file) {
  Random random(1);
  Mlp net(tanh_activation, {4, 6, 5, 3});
  for (const auto& [name, tensor] : net.tensors())
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), 0.7, random);
  const auto X = normal_matrix<double>(7, 4, 1, random), target = normal_matrix<double>(7, 3, 1, random);
  const Mlp::Trace t = net.forward(X);
  const Loss<double> loss = mean_squared_error(t.output(), target);
  Mlp::Gradients g = net.backward(t, loss.gradient);
  add_matrix(file, "input.X", X);
  add_matrix(file, "input.T", target);
  add_tensors(file, "mlp.param.", net.tensors());
  add_matrix(file, "mlp.output.Y", t.output());
  add_scalar(file, "mlp.loss", loss.value);
  add_tensors(file, "mlp.grad.", g.d.tensors());
  add_matrix(file, "mlp.grad.X", g.dX);
}

inline void export_activations(safetensors::File& file) {
  Matrix<double> z(1, 41);
  for (std::size_t k = 0; k < z.cols(); ++k) z(0, k) = 0.25 * (double(k) - 20) + 0.01;  // -4.99 .. 5.01, never 0
  add_matrix(file, "act.z", z);
  for (const auto& [name, phi] : {std::pair("relu", relu_activation), std::pair("leaky_relu", leaky_relu_activation),
                                  std::pair("sigmoid", sigmoid_activation), std::pair("tanh", tanh_activation),
                                  std::pair("swish", swish_activation)}) {
    add_matrix(file, std::string("act.") + name, map(z, phi.value));
    add_matrix(file, std::string("act.") + name + "_prime", map(z, phi.prime));
  }
}

// Returns the exit status. Throws UserError when the file cannot be written.
inline int export_lesson1(const std::string& path) {
  safetensors::File file;
  file.metadata = {{"lesson", "1"},
                   {"mlp",
                    "Z1 = X W1 + b1; H1 = tanh Z1; Z2 = H1 W2 + b2; H2 = tanh Z2; Y = H2 W3 + b3; "
                    "loss = mean over all entries of (Y - T)^2"},
                   {"act", "relu; leaky_relu with slope 0.01 below 0; sigmoid; tanh; swish z sigmoid(z); and slopes"}};
  export_mlp(file);
  export_activations(file);
  return write_export(path, file);
}
