// Lesson 4: its models, forward and backward by hand. A product layer stands alone,
// with a read-out, and behind a bottleneck; its rivals bend or square one sum.
// Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "common/loss.hpp"
#include "common/model.hpp"
#include "common/model_losses.hpp"

namespace lesson4 {

// ----------------------------------------------------------------------- part 3: the product layer

struct LayerForm {
  std::size_t in, units;
  Biases biases = Biases::with;
};

template <class T>
struct ProductLayer {
  using Number = T;
  struct Trace {
    Matrix<T> P, Q, Y;  // Y is H in README.md
  };

  LayerForm form;
  Matrix<T> W, b, V, c;  // W and V are in x h, b and c 1 x h

  explicit ProductLayer(const LayerForm& f)
      : form(f), W(f.in, f.units), b(1, f.units), V(f.in, f.units), c(1, f.units) {}
  // Biases are drawn like the weights.
  ProductLayer(const LayerForm& f, Random& random) : ProductLayer(f) {
    for (const auto& [name, tensor] : tensors())
      tensor = uniform_matrix<T>(tensor.rows(), f.units, 1 / std::sqrt(double(f.in)), random);
  }
  // Without biases, b and c stay zero and are not listed.
  Tensors<T> tensors() {
    if (form.biases == Biases::without) return {{"W", W}, {"V", V}};
    return {{"W", W}, {"b", b}, {"V", V}, {"c", c}};
  }
  ConstTensors<T> tensors() const { return read_only(*this); }

  // X is n x in, t.Y is n x h.
  void forward(const Matrix<T>& X, Trace& t) const {
    t.P = add_row(matmul(X, W), b);  // n x h   (4.2)
    t.Q = add_row(matmul(X, V), c);  // n x h   (4.3)
    t.Y = hadamard(t.P, t.Q);        // n x h   (4.4)
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dH, ProductLayer& g,
                Matrix<T>* dX) const {
    const Matrix<T> dP = hadamard(dH, t.Q);          // n x h   (4.4) back
    const Matrix<T> dQ = hadamard(dH, t.P);          // n x h   (4.4) back
    g.V = matmul(transpose(X), dQ);                  // in x h   (4.3) back
    g.c = column_sums(dQ);                           // 1 x h   (4.3) back
    g.W = matmul(transpose(X), dP);                  // in x h   (4.2) back
    g.b = column_sums(dP);                           // 1 x h   (4.2) back
    if (!dX) return;                                 // training does not need dX
    *dX = matmul(dQ, transpose(V));                  // n x in  (4.3) back
    matmul_into(*dX, dP, transpose(W), Write::add);  // n x in  (4.2) back
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dH,
                Gradients<ProductLayer>& g) const {
    backward(X, t, dH, g.parameters, g.with_dX ? &g.dX : nullptr);  // back
  }
};

// ------------------------------------------------------------------------- part 3: with a read-out

struct NetForm {
  std::size_t in, units, out;
  Biases biases = Biases::with;  // of the layer and of the read-out
};

template <class T>
struct ProductNet {
  using Number = T;
  struct Trace {
    typename ProductLayer<T>::Trace layer;
    Matrix<T> Y;
  };

  NetForm form;
  ProductLayer<T> layer;
  Matrix<T> U, u;  // h x out, 1 x out

  explicit ProductNet(const NetForm& f)
      : form(f), layer({f.in, f.units, f.biases}), U(f.units, f.out), u(1, f.out) {}
  ProductNet(const NetForm& f, Random& random) : ProductNet(f) {
    layer = ProductLayer<T>(layer.form, random);
    U = uniform_weights<T>(f.units, f.out, random);
    if (f.biases == Biases::with)
      u = uniform_matrix<T>(1, f.out, 1 / std::sqrt(double(f.units)), random);
  }
  Tensors<T> tensors() {
    Tensors<T> all = layer.tensors();
    all.push_back({"U", U});
    if (form.biases == Biases::with) all.push_back({"u", u});
    return all;
  }
  ConstTensors<T> tensors() const { return read_only(*this); }

  void forward(const Matrix<T>& X, Trace& t) const {
    layer.forward(X, t.layer);
    t.Y = add_row(matmul(t.layer.Y, U), u);  // n x out   (4.5)
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, ProductNet& g,
                Matrix<T>* dX) const {
    g.U = matmul(transpose(t.layer.Y), dY);         // h x out   (4.5) back
    g.u = column_sums(dY);                          // 1 x out   (4.5) back
    const Matrix<T> dH = matmul(dY, transpose(U));  // n x h   (4.5) back
    layer.backward(X, t.layer, dH, g.layer, dX);    // back
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY,
                Gradients<ProductNet>& g) const {
    backward(X, t, dY, g.parameters, g.with_dX ? &g.dX : nullptr);  // back
  }
};

// ------------------------------------------------------ part 6: the rivals, which lesson 1 derives

// φ and its slope.
struct Activation {
  double (*value)(double z), (*slope)(double z);
};

inline double tanh_slope(double z) {
  const double h = std::tanh(z);
  return 1 - h * h;  // (4.10) back
}
inline double relu_slope(double z) { return z > 0 ? 1.0 : 0.0; }  // (4.10) back
// GELU is z times the normal distribution's share below z.
inline double share_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }
inline double gelu_slope(double z) {
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  return share_below(z) + z * density;  // (4.10) back
}
inline constexpr Activation relu_activation{[](double z) { return z > 0 ? z : 0; }, relu_slope},
    tanh_activation{[](double z) { return std::tanh(z); }, tanh_slope},
    gelu_activation{[](double z) { return z * share_below(z); }, gelu_slope},
    square_activation{[](double z) { return z * z; }, [](double z) { return 2 * z; }};

struct HiddenForm {
  Activation activation;
  std::size_t in, units, out;
};

template <class T>
struct HiddenNet {
  using Number = T;
  struct Trace {
    Matrix<T> Z, H, Y;
  };

  HiddenForm form;
  Matrix<T> W, b;  // in x h, 1 x h
  Matrix<T> U, u;  // h x out, 1 x out

  explicit HiddenNet(const HiddenForm& f)
      : form(f), W(f.in, f.units), b(1, f.units), U(f.units, f.out), u(1, f.out) {}
  HiddenNet(const HiddenForm& f, Random& random) : HiddenNet(f) {
    W = uniform_weights<T>(f.in, f.units, random);
    b = uniform_matrix<T>(1, f.units, 1 / std::sqrt(double(f.in)), random);
    U = uniform_weights<T>(f.units, f.out, random);
    u = uniform_matrix<T>(1, f.out, 1 / std::sqrt(double(f.units)), random);
  }
  Tensors<T> tensors() { return {{"W", W}, {"b", b}, {"U", U}, {"u", u}}; }
  ConstTensors<T> tensors() const { return read_only(*this); }

  void forward(const Matrix<T>& X, Trace& t) const {
    t.Z = add_row(matmul(X, W), b);                                               // n x h   (4.9)
    t.H = map_entries(t.Z, [this](T z) { return T(form.activation.value(z)); });  // n x h   (4.10)
    t.Y = add_row(matmul(t.H, U), u);                                             // n x out   (4.5)
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY,
                Gradients<HiddenNet>& g) const {
    g.parameters.U = matmul(transpose(t.H), dY);    // h x out   (4.5) back
    g.parameters.u = column_sums(dY);               // 1 x out   (4.5) back
    const Matrix<T> dH = matmul(dY, transpose(U));  // n x h   (4.5) back
    const Matrix<T> slopes = map_entries(
        t.Z, [this](T z) { return T(form.activation.slope(z)); });  // n x h   (4.10) back
    const Matrix<T> dZ = hadamard(dH, slopes);                      // n x h   (4.10) back
    g.parameters.W = matmul(transpose(X), dZ);                      // in x h   (4.9) back
    g.parameters.b = column_sums(dZ);                               // 1 x h   (4.9) back
    if (g.with_dX) g.dX = matmul(dZ, transpose(W));                 // n x in  (4.9) back
  }
};

// --------------------- part 9: a bottleneck, n features squeezed into m numbers, in front of a net

struct BottleneckForm {
  std::size_t features, numbers, units;
  Biases biases = Biases::with;
};

template <class T>
struct Bottleneck {
  using Number = T;
  struct Trace {
    Matrix<T> J;  // X·E
    typename ProductNet<T>::Trace net;
    Matrix<T> Y;
  };

  BottleneckForm form;
  Matrix<T> E;  // features x m
  ProductNet<T> net;

  explicit Bottleneck(const BottleneckForm& f)
      : form(f), E(f.features, f.numbers), net({f.numbers, f.units, f.features, f.biases}) {}
  // With biases one factor of each unit starts near the constant 1, so the unit
  // starts nearly linear.
  Bottleneck(const BottleneckForm& f, Random& random) : Bottleneck(f) {
    for (Matrix<T>* weights : {&E, &net.layer.W, &net.layer.V, &net.U})
      *weights = uniform_weights<T>(weights->rows(), weights->cols(), random);
    if (f.biases == Biases::with) net.layer.c = Matrix<T>(1, f.units, 1);
  }
  Tensors<T> tensors() {
    Tensors<T> all{{"E", E}};
    for (const Named<Matrix<T>>& each : net.tensors()) all.push_back(each);
    return all;
  }
  ConstTensors<T> tensors() const { return read_only(*this); }

  // X and t.Y are n x features.
  void forward(const Matrix<T>& X, Trace& t) const {
    t.J = matmul(X, E);  // n x m   (4.12)
    net.forward(t.J, t.net);
    t.Y = std::move(t.net.Y);
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY,
                Gradients<Bottleneck>& g) const {
    Matrix<T> dJ;
    net.backward(t.J, t.net, dY, g.parameters.net, &dJ);  // n x m   back
    g.parameters.E = matmul(transpose(X), dJ);            // features x m   (4.12) back
    if (g.with_dX) g.dX = matmul(dJ, transpose(E));       // n x features   (4.12) back
  }
};

// Inputs with their probabilities, which sum to 1.
struct WeightedRows {
  Matrix<double> X;
  std::vector<double> weight;
};

// Returns all inputs with their probabilities, each feature being on with probability p.
inline WeightedRows all_inputs(std::size_t features, double p) {
  WeightedRows all{Matrix<double>(std::size_t(1) << features, features), {}};
  for (std::size_t i = 0; i < all.X.rows(); ++i) {
    const double ones = double(std::popcount(i));
    for (std::size_t j = 0; j < features; ++j) all.X(i, j) = double(i >> j & 1);
    all.weight.push_back(std::pow(p, ones) * std::pow(1 - p, double(features) - ones));
  }
  return all;
}

// Returns the expected squared error of one feature, and its gradient by Y, the output
// for the rows.
template <class T>
Loss<T> expected_error(const Matrix<T>& Y, const WeightedRows& rows) {
  Loss<T> loss{0, Matrix<T>(Y.rows(), Y.cols())};
  const double features = double(rows.X.cols());
  for (std::size_t i = 0; i < Y.rows(); ++i)
    for (std::size_t j = 0; j < Y.cols(); ++j) {
      const double e = double(Y(i, j)) - rows.X(i, j);
      loss.value += rows.weight[i] * e * e / features;               // (4.13)
      loss.gradient(i, j) = T(e * (2 * rows.weight[i] / features));  // (4.13) back
    }
  return loss;
}

// ---------------------------------------------------------------------------------------- the list

// What --export writes.
struct Example {
  ProductNet<double> net{NetForm{4, 5, 3}};
  Matrix<double> X, T;
};
inline Example example() {
  Random random(4);
  Example e;
  fill_normal(e.net.tensors(), random, 0.7);
  e.X = normal_matrix<double>(7, 4, 1, random);
  e.T = normal_matrix<double>(7, 3, 1, random);
  return e;
}

// Visits all models of the lesson, each with its input and loss (common/model_losses.hpp).
template <class Visitor>
void visit_models(Visitor& visitor) {
  const Example e = example();
  visitor.add("product", e.net, e.X, squared_error(e.T), Quadratic::all);
  Random random(1);
  const auto drawn = [&](const std::string& name, auto model, std::size_t n, Quadratic quadratic) {
    fill_normal(model.tensors(), random);
    const auto X = normal_matrix<double>(n, model.tensors()[0].tensor.rows(), 1, random);
    const Matrix<double> Y = output(model, X);
    visitor.test_only(name + ", " + to_text(X.shape()), model, X,
                      squared_error(normal_matrix<double>(Y.rows(), Y.cols(), 1, random)),
                      quadratic);
  };
  for (const Biases biases : {Biases::with, Biases::without}) {
    const std::string with = biases == Biases::with ? " with biases" : " without biases";
    drawn("layer" + with, ProductLayer<double>({3, 5, biases}), 8, Quadratic::all);
    drawn("net" + with, ProductNet<double>({3, 5, 4, biases}), 1, Quadratic::all);
    drawn("bottleneck" + with, Bottleneck<double>({3, 2, 5, biases}), 8, Quadratic::all);
  }
  drawn("bottleneck, square", Bottleneck<double>({4, 4, 4}), 4, Quadratic::all);
  drawn("tanh", HiddenNet<double>({tanh_activation, 3, 5, 4}), 8, Quadratic::none);
  drawn("GELU", HiddenNet<double>({gelu_activation, 3, 5, 4}), 8, Quadratic::none);
  drawn("squares", HiddenNet<double>({square_activation, 3, 5, 4}), 8, Quadratic::all);
  drawn("ReLU, square", HiddenNet<double>({relu_activation, 4, 4, 4}), 4, Quadratic::none);
  Bottleneck<double> model({3, 2, 5});
  fill_normal(model.tensors(), random);
  const WeightedRows rows = all_inputs(3, 0.3);
  visitor.test_only("bottleneck, expected error", model, rows.X,
                    [rows](const auto& Y) { return expected_error(Y, rows); });
}

extern template struct ProductLayer<double>;
extern template struct ProductNet<double>;
extern template struct HiddenNet<double>;
extern template struct Bottleneck<double>;

}  // namespace lesson4
