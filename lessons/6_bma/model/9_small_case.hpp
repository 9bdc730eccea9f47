// Lesson 6: a small attention layer with drawn weights and a batch, and its gradient check, for parts 1 and 2.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "attention.hpp"
#include "common/gradcheck.hpp"

// Two sequences of five tokens, width 6, two heads; the loss is Σ R ⊙ Y.
struct SmallCase {
  static constexpr std::size_t tokens = 5, sequences = 2, width = 6, heads = 2;

  Attention<double> layer;
  Matrix<double> X, R;
  std::vector<std::uint8_t> seen;  // empty, or the attention mask
  std::uint64_t dropout_seed;
  Attention<double>::Trace t;

  // Weights with standard deviation .6, so that no gate and no weight is near its end.
  SmallCase(AttentionForm form, bool masked, std::uint64_t seed) : layer(form), dropout_seed(seed_of_run(seed, 1)) {
    Random random(seed);
    for (const auto& [name, tensor] : layer.tensors())
      tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), 0.6, random);
    X = normal_matrix<double>(sequences * tokens, width, 1, random);
    R = normal_matrix<double>(sequences * tokens, width, 1, random);
    if (masked) seen = {0, 1, 1, 0, 1, 1, 1, 0, 1, 1};
  }

  Layout layout() const { return {tokens, seen}; }

  // The dropout is drawn from the same numbers each time: a fixed mask.
  double loss() {
    Random random(dropout_seed);
    layer.forward(X, layout(), t, &random);
    return dot(R, t.Y);
  }

  struct Gradients {
    Attention<double> d;
    Matrix<double> dX;
  };
  Gradients gradients() {
    loss();
    Gradients g{Attention<double>(layer.form), {}};
    Attention<double>::Trace room;
    layer.backward(X, layout(), t, R, room, g.d, g.dX);
    return g;
  }

  // Every tensor but the keys' bias, whose gradient is zero in theory, and X.
  GradientReport check(Gradients& g) {
    Tensors<double> tensors, derived;
    const Tensors<double> all = layer.tensors(), all_derived = g.d.tensors();
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].name != "bk") tensors.push_back(all[k]), derived.push_back(all_derived[k]);
    tensors.push_back({"X", X}), derived.push_back({"X", g.dX});
    return check_gradients(tensors, derived, [&] { return loss(); });
  }
};

inline double largest(const Matrix<double>& A) { return max_abs_difference(A, Matrix<double>(A.rows(), A.cols())); }
