// Lesson 5, the model: embedding, product layer, unembedding, forward and backward by hand. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <utility>

#include "common/matrix.hpp"
#include "common/random.hpp"

// Which parts a net has. Without an embedding the product layer sees X itself.
struct NetForm {
  std::size_t inputs = 0, embedding = 0, hidden = 0, outputs = 0;  // embedding: 0 for none
  bool biases = true;

  std::size_t seen() const { return embedding ? embedding : inputs; }  // m: what the product layer sees
  bool operator==(const NetForm&) const = default;
};

template <class T>
struct Net {
  using Number = T;

  NetForm form;
  Matrix<T> E, e;        // inputs x m, 1 x m
  Matrix<T> W, b, V, c;  // m x h, 1 x h, twice
  Matrix<T> U, d;        // h x outputs, 1 x outputs; biases that are not there stay zero and are not listed

  // All parameters zero.
  explicit Net(NetForm f)
      : form(f),
        E(f.embedding ? f.inputs : 0, f.embedding),
        e(1, f.embedding),
        W(f.seen(), f.hidden),
        b(1, f.hidden),
        V(f.seen(), f.hidden),
        c(1, f.hidden),
        U(f.hidden, f.outputs),
        d(1, f.outputs) {}

  // The start of training: weights N(0, 1/fan-in), biases 0.
  Net(NetForm f, Random& random) : Net(f) {
    const auto draw = [&](Matrix<T>& weights) {
      if (weights.size() > 0)
        weights = normal_matrix<T>(weights.rows(), weights.cols(), 1 / std::sqrt(double(weights.rows())), random);
    };
    draw(E), draw(W), draw(V), draw(U);
  }

  Tensors<T> tensors() {
    Tensors<T> all;
    const auto add = [&](const char* weights, Matrix<T>& w, const char* bias, Matrix<T>& shift) {
      all.push_back({weights, w});
      if (form.biases) all.push_back({bias, shift});
    };
    if (form.embedding) add("E", E, "e", e);
    add("W", W, "b", b), add("V", V, "c", c), add("U", U, "d", d);
    return all;
  }

  // What the backward pass needs to remember of the forward pass. Z is what the product layer sees.
  struct Trace {
    Matrix<T> X, Z, P, Q, H, logits;
  };

  Trace forward(Matrix<T> X) const {
    Trace t;
    t.X = std::move(X);
    t.Z = form.embedding ? add_row(matmul(t.X, E), e) : t.X;  // n x m         (5.6)
    t.P = add_row(matmul(t.Z, W), b);                         // n x h         (5.7)
    t.Q = add_row(matmul(t.Z, V), c);                         // n x h         (5.7)
    t.H = hadamard(t.P, t.Q);                                 // n x h         (5.8)
    t.logits = add_row(matmul(t.H, U), d);                    // n x outputs   (5.9)
    return t;
  }

  struct Gradients {
    Net d;
    Matrix<T> dX;
  };

  // dlogits is n x outputs. dX is found only where it is asked for: a net that is trained does not need it.
  Gradients backward(const Trace& t, const Matrix<T>& dlogits, bool with_dX = true) const {
    Gradients g{Net(form), {}};
    g.d.U = matmul(transpose(t.H), dlogits);             // h x outputs   (5.9) back
    g.d.d = column_sums(dlogits);                        // 1 x outputs   (5.9) back
    const Matrix<T> dH = matmul(dlogits, transpose(U));  // n x h         (5.9) back
    const Matrix<T> dP = hadamard(dH, t.Q);              // n x h         (5.8) back
    const Matrix<T> dQ = hadamard(dH, t.P);              // n x h         (5.8) back
    g.d.W = matmul(transpose(t.Z), dP);                  // m x h         (5.7) back
    g.d.b = column_sums(dP);                             // 1 x h         (5.7) back
    g.d.V = matmul(transpose(t.Z), dQ);                  // m x h         (5.7) back
    g.d.c = column_sums(dQ);                             // 1 x h         (5.7) back
    if (!form.embedding && !with_dX) return g;
    Matrix<T> dZ = matmul(dP, transpose(W));                             // n x m         (5.7) back
    matmul_into(dZ, dQ, transpose(V), Write::add);                       // n x m         (5.7) back
    if (form.embedding) g.d.E = matmul(transpose(t.X), dZ);              // inputs x m    (5.6) back
    if (form.embedding) g.d.e = column_sums(dZ);                         // 1 x m         (5.6) back
    if (with_dX) g.dX = form.embedding ? matmul(dZ, transpose(E)) : dZ;  // n x inputs    (5.6) back
    return g;
  }
};
