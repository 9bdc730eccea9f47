// Lesson 4, the model: a product layer, and the networks that this lesson builds from it, forward and backward by hand.
// Equation numbers: README.md. n rows are examples; dX means d loss / d X.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <utility>

#include "common/initialize.hpp"
#include "common/matrix.hpp"
#include "common/random.hpp"

struct ProductLayer {
  bool biases;
  Matrix<double> W, b, V, c;  // d x h, 1 x h, twice; without biases b and c stay zero and are not listed

  // All parameters zero.
  ProductLayer(std::size_t in, std::size_t hidden, bool with_biases = true)
      : biases(with_biases), W(in, hidden), b(1, hidden), V(in, hidden), c(1, hidden) {}

  // The start of training: weights and biases alike.
  ProductLayer(std::size_t in, std::size_t hidden, bool with_biases, Random& random)
      : ProductLayer(in, hidden, with_biases) {
    for (const auto& [name, tensor] : tensors())
      tensor = uniform_matrix<double>(tensor.rows(), hidden, 1 / std::sqrt(double(in)), random);
  }

  Tensors<double> tensors() {
    if (!biases) return {{"W", W}, {"V", V}};
    return {{"W", W}, {"b", b}, {"V", V}, {"c", c}};
  }

  // What the backward pass needs to remember of the forward pass. The output is H.
  struct Trace {
    Matrix<double> X, P, Q, H;

    const Matrix<double>& output() const { return H; }
  };

  Trace forward(Matrix<double> X) const {
    Trace t;
    t.X = std::move(X);
    t.P = add_row(matmul(t.X, W), b);  // n x h   (4.1)
    t.Q = add_row(matmul(t.X, V), c);  // n x h   (4.2)
    t.H = hadamard(t.P, t.Q);          // n x h   (4.3)
    return t;
  }

  struct Gradients;

  // dH is d loss / d H, n x h.
  Gradients backward(const Trace& t, const Matrix<double>& dH) const;
};

// The parameters' gradients under their own names: d.W is d loss / d W.
struct ProductLayer::Gradients {
  ProductLayer d;
  Matrix<double> dX;
};

inline ProductLayer::Gradients ProductLayer::backward(const Trace& t, const Matrix<double>& dH) const {
  Gradients g{ProductLayer(W.rows(), W.cols(), biases), {}};
  const Matrix<double> dP = hadamard(dH, t.Q);      // n x h   (4.3) back
  const Matrix<double> dQ = hadamard(dH, t.P);      // n x h   (4.3) back
  g.d.V = matmul(transpose(t.X), dQ);               // d x h   (4.2) back
  g.d.c = column_sums(dQ);                          // 1 x h   (4.2) back
  g.d.W = matmul(transpose(t.X), dP);               // d x h   (4.1) back
  g.d.b = column_sums(dP);                          // 1 x h   (4.1) back
  g.dX = matmul(dQ, transpose(V));                  // n x d   (4.2) back
  matmul_into(g.dX, dP, transpose(W), Write::add);  // n x d   (4.1) back
  return g;
}

// A product layer with a linear read-out, Y = H·U + d.
struct ProductNet {
  ProductLayer layer;
  Matrix<double> U, d;  // h x o, 1 x o; the bias d goes with those of the layer

  // All parameters zero.
  ProductNet(std::size_t in, std::size_t hidden, std::size_t out, bool with_biases = true)
      : layer(in, hidden, with_biases), U(hidden, out), d(1, out) {}

  // The start of training.
  ProductNet(std::size_t in, std::size_t hidden, std::size_t out, bool with_biases, Random& random)
      : layer(in, hidden, with_biases, random), U(uniform_weights<double>(hidden, out, random)), d(1, out) {
    if (with_biases) d = uniform_matrix<double>(1, out, 1 / std::sqrt(double(hidden)), random);
  }

  Tensors<double> tensors() {
    Tensors<double> all = layer.tensors();
    all.push_back({"U", U});
    if (layer.biases) all.push_back({"d", d});
    return all;
  }

  struct Trace {
    ProductLayer::Trace layer;
    Matrix<double> Y;

    const Matrix<double>& output() const { return Y; }
  };

  Trace forward(Matrix<double> X) const {
    Trace t{layer.forward(std::move(X)), {}};
    t.Y = add_row(matmul(t.layer.H, U), d);  // n x o   (4.4)
    return t;
  }

  struct Gradients;

  // dY is d loss / d Y, n x o.
  Gradients backward(const Trace& t, const Matrix<double>& dY) const;
};

struct ProductNet::Gradients {
  ProductNet d;
  Matrix<double> dX;
};

inline ProductNet::Gradients ProductNet::backward(const Trace& t, const Matrix<double>& dY) const {
  Gradients g{ProductNet(layer.W.rows(), U.rows(), U.cols(), layer.biases), {}};
  g.d.U = matmul(transpose(t.layer.H), dY);                        // h x o   (4.4) back
  g.d.d = column_sums(dY);                                         // 1 x o   (4.4) back
  const Matrix<double> dH = matmul(dY, transpose(U));              // n x h   (4.4) back
  ProductLayer::Gradients of_layer = layer.backward(t.layer, dH);  // back
  g.d.layer = std::move(of_layer.d);                               // back
  g.dX = std::move(of_layer.dX);                                   // back
  return g;
}

// A bottleneck in front: n features squeezed into m numbers, X·E, which a product net reads.
struct Bottleneck {
  Matrix<double> E;  // features x m
  ProductNet net;

  // All parameters zero.
  Bottleneck(std::size_t features, std::size_t m, std::size_t hidden, bool with_biases = true)
      : E(features, m), net(m, hidden, features, with_biases) {}

  // The start of training: with biases, one factor of each unit starts near the constant 1, so that the unit starts linear.
  Bottleneck(std::size_t features, std::size_t m, std::size_t hidden, bool with_biases, Random& random)
      : Bottleneck(features, m, hidden, with_biases) {
    E = uniform_weights<double>(features, m, random);
    net.layer.W = uniform_weights<double>(m, hidden, random);
    net.layer.V = uniform_weights<double>(m, hidden, random);
    net.U = uniform_weights<double>(hidden, features, random);
    if (with_biases) net.layer.c = Matrix<double>(1, hidden, 1);
  }

  Tensors<double> tensors() {
    Tensors<double> all{{"E", E}};
    for (const Named<double>& each : net.tensors()) all.push_back(each);
    return all;
  }

  struct Trace {
    Matrix<double> X;
    ProductNet::Trace net;

    const Matrix<double>& output() const { return net.Y; }
  };

  Trace forward(Matrix<double> X) const {
    Trace t;
    t.X = std::move(X);
    t.net = net.forward(matmul(t.X, E));  // n x m   (4.13)
    return t;
  }

  struct Gradients;

  // dY is d loss / d Y, n x features.
  Gradients backward(const Trace& t, const Matrix<double>& dY) const;
};

struct Bottleneck::Gradients {
  Bottleneck d;
  Matrix<double> dX;
};

inline Bottleneck::Gradients Bottleneck::backward(const Trace& t, const Matrix<double>& dY) const {
  Gradients g{Bottleneck(E.rows(), E.cols(), net.U.rows(), net.layer.biases), {}};
  ProductNet::Gradients of_net = net.backward(t.net, dY);  // back
  g.d.net = std::move(of_net.d);                           // back
  g.d.E = matmul(transpose(t.X), of_net.dX);               // features x m   (4.13) back
  g.dX = matmul(of_net.dX, transpose(E));                  // n x features   (4.13) back
  return g;
}
