// Lesson 1: writes a small fixed batch with all gradients, so that another system can check the derivation.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/run/export.hpp"

#include <utility>

#include "common/loss.hpp"
#include "common/support/checkpoint.hpp"
#include "lessons/1_math_refresh/model/2_mlp.hpp"

namespace lesson1 {
namespace {

void export_mlp(safetensors::File& file) {
  Random random(1);
  Mlp net({tanh_activation, {4, 6, 5, 3}});
  fill_normal(net.tensors(), random, 0.7);
  const auto X = normal_matrix<double>(7, 4, 1, random), target = normal_matrix<double>(7, 3, 1, random);
  add_matrix(file, "input.X", X);
  add_matrix(file, "input.T", target);
  add_model(file, "mlp", "Y", net, X, [&](const Matrix<double>& Y) { return mean_squared_error(Y, target); });
}

void export_activations(safetensors::File& file) {
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

}  // namespace

int export_lesson1(const std::string& path) {
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

}  // namespace lesson1
