// Lesson 1: activation functions and their derivatives, as README.md derives them, (1.4) to (1.8).
// Each function f(z) stands beside its slope f_prime(z). Plain double and the standard library: made to be read.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>

namespace lesson1 {

inline double identity(double z) { return z; }
inline double identity_prime(double) { return 1; }

// max(0, z). At z = 0 there is no slope; we say 0, as everybody does.   (1.4)
inline double relu(double z) { return z > 0 ? z : 0; }
inline double relu_prime(double z) { return z > 0 ? 1 : 0; }  // (1.4) back

// A ReLU that lets a little through below zero, so that a unit can come back to life.   (1.5)
inline constexpr double leak = 0.01;
inline double leaky_relu(double z) { return z > 0 ? z : leak * z; }
inline double leaky_relu_prime(double z) { return z > 0 ? 1 : leak; }  // (1.5) back

// 1 / (1 + e^-z), written so that exp never overflows.   (1.6)
inline double sigmoid(double z) {
  const double e = std::exp(-std::abs(z));  // at most 1
  return z >= 0 ? 1 / (1 + e) : e / (1 + e);
}
// σ(1 - σ), and 1 - σ(z) = σ(-z)
inline double sigmoid_prime(double z) { return sigmoid(z) * sigmoid(-z); }  // (1.6) back

// (e^z - e^-z) / (e^z + e^-z)   (1.7)
inline double tanh_prime(double z) { return 1 - std::tanh(z) * std::tanh(z); }  // (1.7) back

// z·σ(βz). β = 1 is swish, β = 0 the straight line z/2, large β is nearly ReLU.   (1.8)
inline double swish_beta(double z, double beta) { return z * sigmoid(beta * z); }
inline double swish_beta_prime(double z, double beta) {
  return sigmoid(beta * z) + beta * z * sigmoid_prime(beta * z);  // (1.8) back: the product rule
}
inline double swish(double z) { return swish_beta(z, 1); }
inline double swish_prime(double z) { return swish_beta_prime(z, 1); }  // (1.8) back

struct Activation {
  const char* name;
  double (*value)(double z);
  double (*prime)(double z);
};

inline constexpr Activation linear_activation{"linear", identity, identity_prime};
inline constexpr Activation relu_activation{"ReLU", relu, relu_prime};
inline constexpr Activation leaky_relu_activation{"leaky ReLU", leaky_relu, leaky_relu_prime};
inline constexpr Activation sigmoid_activation{"sigmoid", sigmoid, sigmoid_prime};
inline constexpr Activation tanh_activation{"tanh", [](double z) { return std::tanh(z); }, tanh_prime};
inline constexpr Activation swish_activation{"swish", swish, swish_prime};

inline constexpr std::array activations{relu_activation, leaky_relu_activation, sigmoid_activation, tanh_activation,
                                        swish_activation};

}  // namespace lesson1
