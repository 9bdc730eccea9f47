// Lesson 3: its models, forward and backward by hand, with README.md's equation numbers. Most are a
// hidden layer and a read-out: from n x in to n x h to n x out. Gradients are set; only dX, when it
// is asked for, is added to, by add_back: the read-out sees X, too.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>

#include "common/fast/elementary.hpp"
#include "common/model.hpp"
#include "common/model_losses.hpp"

namespace lesson3 {

// At the start u1 and u2 of the BMLP, and the biases of one product layer and of two, lie within
// this distance of 0.
inline constexpr double published_start = 0.01, product_start = 0.1, stacked_start = 0.5;

// E, between two product layers, starts at this part of other weights' size.
inline constexpr double stacked_part = 0.3;

// The form of most models; other forms begin with it.
struct Sizes {
  std::size_t in = 0, hidden = 0, out = 0;  // in, h, out
};

// --------------------------------------------------------------------- part 0: the additivity test

// Takes a row, 1 x in, and returns a row, 1 x out.
using RowFunction = std::function<Matrix<double>(const Matrix<double>&)>;

// Returns D(x, y): how far f, without its constant, is from adding up.   (3.0)
inline Matrix<double> additivity(const RowFunction& f, const Matrix<double>& x,
                                 const Matrix<double>& y) {
  return f(x + y) - f(x) - f(y) + f(Matrix<double>(x.rows(), x.cols()));
}

// Returns DD, the same test of D as a function of its first argument.
inline Matrix<double> additivity_twice(const RowFunction& f, const Matrix<double>& x,
                                       const Matrix<double>& y, const Matrix<double>& s) {
  return additivity([&](const Matrix<double>& first) { return additivity(f, first, y); }, x, s);
}

// ------------------------------------------------------- part 1: hidden layer, read-out, swish MLP

// Draws weights, each within 1/√(rows of its matrix) of 0.
template <class T>
void start_weights(std::initializer_list<Matrix<T>*> weights, Random& random) {
  for (Matrix<T>* W : weights) *W = uniform_weights<T>(W->rows(), W->cols(), random);
}

// Draws rows, each within `bound` of 0.
template <class T>
void start_rows(std::initializer_list<Matrix<T>*> rows, double bound, Random& random) {
  for (Matrix<T>* b : rows) *b = uniform_matrix<T>(1, b->cols(), bound, random);
}

// Adds dY·Wᵀ, which comes back through W, to dX; nullptr when nobody needs dX.
template <class T>
void add_back(Matrix<T>* dX, const Matrix<T>& dY, const Matrix<T>& W) {
  if (dX != nullptr) matmul_into(*dX, dY, transpose(W), Write::add);  // n x in   back
}

// Y = H·W2 + X·W3 + b2 reads the hidden layer H and, past it, the inputs X.
template <class T>
struct Readout {
  Matrix<T> W2, W3, b2;  // h x out, in x out, 1 x out

  Readout(std::size_t in, std::size_t hidden, std::size_t out)
      : W2(hidden, out), W3(in, out), b2(1, out) {}
  Tensors<T> tensors() { return {{"W2", W2}, {"W3", W3}, {"b2", b2}}; }
  void start(Random& random) { start_weights({&W2, &W3}, random); }

  Matrix<T> forward(const Matrix<T>& H, const Matrix<T>& X) const {
    Matrix<T> Y = add_row(matmul(H, W2), b2);  // n x out   (3.3)
    matmul_into(Y, X, W3, Write::add);         // n x out
    return Y;
  }
  Matrix<T> backward(const Matrix<T>& H, const Matrix<T>& X, const Matrix<T>& dY, Readout& d,
                     Matrix<T>* dX) const {
    d.W2 = matmul(transpose(H), dY);   // h x out   (3.3) back
    d.W3 = matmul(transpose(X), dY);   // in x out   back
    d.b2 = column_sums(dY);            // 1 x out   back
    add_back(dX, dY, W3);              // n x in   back
    return matmul(dY, transpose(W2));  // n x h   back
  }
};

// A hidden layer and its read-out. A layer's forward returns the hidden numbers and leaves in its
// trace what its backward needs.
template <template <class> class Layer, class T, class Form = Sizes>
struct Net {
  using Number = T;
  struct Trace {
    typename Layer<T>::Trace layer;
    Matrix<T> hidden, Y;  // n x h, n x out
  };

  Form form;
  Layer<T> layer;
  Readout<T> readout;

  // Sets all parameters to 0.
  explicit Net(const Form& f) : form(f), layer(f), readout(f.in, layer.outputs(), f.out) {}

  // Draws the start of training, weights before biases.
  Net(const Form& f, Random& random) : Net(f) {
    layer.start(random);
    readout.start(random);
    if constexpr (requires { layer.start_biases(random); }) layer.start_biases(random);
  }

  bool has_biases() const {
    if constexpr (requires { form.biases; }) return form.biases == Biases::with;
    return true;
  }

  // Without biases b1 and b2 stay zero and are not listed.
  Tensors<T> tensors() {
    Tensors<T> all;
    for (const Tensors<T>& part : {layer.tensors(), readout.tensors()})
      for (const Named<Matrix<T>>& tensor : part)
        if (has_biases() || !tensor.name.starts_with('b')) all.push_back(tensor);
    return all;
  }
  ConstTensors<T> tensors() const { return read_only(*this); }

  void forward(const Matrix<T>& X, Trace& t) const {
    t.hidden = layer.forward(X, t.layer);
    t.Y = readout.forward(t.hidden, X);
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Net>& g) const {
    if (g.with_dX) g.dX = Matrix<T>(X.rows(), X.cols());
    Matrix<T>* const dX = g.with_dX ? &g.dX : nullptr;  // n x in   back
    const Matrix<T> dH = readout.backward(t.hidden, X, dY, g.parameters.readout, dX);  // n x h back
    layer.backward(X, t.layer, dH, g.parameters.layer, dX);                            // back
  }
};

struct SwishForm : Sizes {
  Biases biases = Biases::with;
};

template <class T>
struct SwishLayer {
  Matrix<T> W1, b1;  // in x h, 1 x h
  struct Trace {
    Matrix<T> Z, G;  // G is σ(Z)
  };

  explicit SwishLayer(const Sizes& s) : W1(s.in, s.hidden), b1(1, s.hidden) {}
  std::size_t outputs() const { return W1.cols(); }
  Tensors<T> tensors() { return {{"W1", W1}, {"b1", b1}}; }
  void start(Random& random) { start_weights({&W1}, random); }

  Matrix<T> forward(const Matrix<T>& X, Trace& t) const {
    t.Z = add_row(matmul(X, W1), b1);                // n x h   (3.1)
    t.G = map_entries(t.Z, elementary::sigmoid<T>);  // n x h   (3.2)
    return hadamard(t.Z, t.G);                       // H, n x h   (3.2)
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dH, SwishLayer& d,
                Matrix<T>* dX) const {
    const auto slope = [](T z, T gate) { return gate * (1 + z * (1 - gate)); };  // (3.2) back
    const Matrix<T> dZ = hadamard(zip(t.Z, t.G, slope), dH);  // n x h   (3.2) back
    d.W1 = matmul(transpose(X), dZ);                          // in x h   (3.1) back
    d.b1 = column_sums(dZ);                                   // 1 x h   (3.1) back
    add_back(dX, dZ, W1);                                     // n x in   (3.1) back
  }
};
template <class T>
using Swish = Net<SwishLayer, T, SwishForm>;

// --------------------------------------------------------------------- part 2: means, and the BMLP

// Returns the mean of each row, n x 1. Its slope in each number of the row is 1/cols.
template <class T>
Matrix<T> row_means(const Matrix<T>& A) {
  return matmul(A, Matrix<T>(A.cols(), 1, T(1) / T(A.cols())));
}

// Returns A with entry i of the column m (n x 1) added to all of row i.
template <class T>
Matrix<T> add_column(Matrix<T> A, const Matrix<T>& m) {
  matmul_into(A, m, Matrix<T>(1, A.cols(), T(1)), Write::add);  // (3.5) back
  return A;
}

// Returns the mean of each column, 1 x cols.
template <class T>
Matrix<T> column_means(const Matrix<T>& A) {
  return T(1) / T(A.rows()) * column_sums(A);
}

// Returns A with each row i times entry i of the column m (n x 1).
template <class T>
Matrix<T> scale_rows(Matrix<T> A, const Matrix<T>& m) {
  check_shapes(m.shape() == Shape{A.rows(), 1}, "scale_rows", A.shape(), m.shape());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (T& a : A.row(i)) a *= m(i, 0);
  return A;
}

// Returns the scalar product of each row of A with that of B, n x 1: the gradient that scale_rows
// sends back to its column.
template <class T>
Matrix<T> row_dots(const Matrix<T>& A, const Matrix<T>& B) {
  return matmul(hadamard(A, B), Matrix<T>(A.cols(), 1, T(1)));  // (3.17) back
}

// The BMLP as published.
template <class T>
struct Bmlp {
  using Number = T;
  struct Trace {
    Matrix<T> mX, H, mH, Y;  // mX and mH are the means of the rows of X and H
  };

  Sizes form;
  Matrix<T> W1, u1, W2, u2, W3;  // in x h, 1 x h, h x out, 1 x out, in x out

  explicit Bmlp(const Sizes& s)
      : form(s),
        W1(s.in, s.hidden),
        u1(1, s.hidden),
        W2(s.hidden, s.out),
        u2(1, s.out),
        W3(s.in, s.out) {}
  Bmlp(const Sizes& s, Random& random) : Bmlp(s) {
    start_weights({&W1, &W2, &W3}, random);
    start_rows({&u1, &u2}, published_start, random);
  }
  Tensors<T> tensors() { return {{"W1", W1}, {"u1", u1}, {"W2", W2}, {"u2", u2}, {"W3", W3}}; }
  ConstTensors<T> tensors() const { return read_only(*this); }

  // H reaches the output by two paths, through W2 and through its mean; so does X.
  void forward(const Matrix<T>& X, Trace& t) const {
    t.mX = row_means(X);                       // n x 1   (3.4)
    t.H = matmul(X, W1) + matmul(t.mX, u1);    // n x h   (3.4)
    t.mH = row_means(t.H);                     // n x 1   (3.5)
    t.Y = matmul(t.H, W2) + matmul(t.mH, u2);  // n x out   (3.5)
    matmul_into(t.Y, X, W3, Write::add);       // n x out   (3.5)
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Bmlp>& g) const {
    g.parameters.W2 = matmul(transpose(t.H), dY);      // h x out   (3.5) back
    g.parameters.u2 = matmul(transpose(t.mH), dY);     // 1 x out   (3.5) back
    g.parameters.W3 = matmul(transpose(X), dY);        // in x out   (3.5) back
    const Matrix<T> dmH = matmul(dY, transpose(u2));   // n x 1   (3.5) back
    Matrix<T> dH = matmul(dY, transpose(W2));          // n x h   (3.5) back
    dH = add_column(dH, T(1) / T(form.hidden) * dmH);  // n x h   (3.5) back
    g.parameters.W1 = matmul(transpose(X), dH);        // in x h   (3.4) back
    g.parameters.u1 = matmul(transpose(t.mX), dH);     // 1 x h   (3.4) back
    if (!g.with_dX) return;
    const Matrix<T> dmX = matmul(dH, transpose(u1));   // n x 1   (3.4) back
    g.dX = matmul(dY, transpose(W3));                  // n x in   (3.5) back
    matmul_into(g.dX, dH, transpose(W1), Write::add);  // n x in   (3.4) back
    g.dX = add_column(g.dX, T(1) / T(form.in) * dmX);  // n x in   (3.4) back
  }
};

// ------------------------------------------------ part 3: input-dependent weights, W1 + mean(x)·U1

template <class T>
struct GatedMeanLayer {
  Matrix<T> W1, U1, b1;  // in x h, in x h, 1 x h
  struct Trace {
    Matrix<T> m, F;  // m holds the mean of each row of X, F is X·U1
  };

  explicit GatedMeanLayer(const Sizes& s)
      : W1(s.in, s.hidden), U1(s.in, s.hidden), b1(1, s.hidden) {}
  std::size_t outputs() const { return W1.cols(); }
  Tensors<T> tensors() { return {{"W1", W1}, {"U1", U1}, {"b1", b1}}; }
  void start(Random& random) { start_weights({&W1, &U1}, random); }

  Matrix<T> forward(const Matrix<T>& X, Trace& t) const {
    t.m = row_means(X);                  // n x 1   (3.17)
    t.F = matmul(X, U1);                 // n x h   (3.17)
    Matrix<T> H = scale_rows(t.F, t.m);  // n x h   (3.17)
    matmul_into(H, X, W1, Write::add);   // n x h   (3.17)
    return add_row(std::move(H), b1);    // n x h   (3.17)
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dH, GatedMeanLayer& d,
                Matrix<T>* dX) const {
    const Matrix<T> dF = scale_rows(dH, t.m);  // n x h   (3.17) back
    d.W1 = matmul(transpose(X), dH);           // in x h   (3.17) back
    d.U1 = matmul(transpose(X), dF);           // in x h   (3.17) back
    d.b1 = column_sums(dH);                    // 1 x h   (3.17) back
    add_back(dX, dH, W1);                      // n x in   (3.17) back
    add_back(dX, dF, U1);                      // n x in   (3.17) back
    if (dX == nullptr) return;
    const Matrix<T> dm = row_dots(dH, t.F);          // n x 1   (3.17) back
    *dX = add_column(*dX, T(1) / T(X.cols()) * dm);  // n x in   (3.17) back
  }
};
template <class T>
using GatedMean = Net<GatedMeanLayer, T>;

// ----------------------------------------------------------------------- part 3: the product layer

template <class T>
struct HiddenProducts {
  Matrix<T> W, b, V, c;  // in x h, 1 x h, twice
  struct Trace {
    Matrix<T> P, Q;
  };

  HiddenProducts(std::size_t in, std::size_t hidden)
      : W(in, hidden), b(1, hidden), V(in, hidden), c(1, hidden) {}
  explicit HiddenProducts(const Sizes& s) : HiddenProducts(s.in, s.hidden) {}
  std::size_t outputs() const { return W.cols(); }
  Tensors<T> tensors() { return {{"W", W}, {"b", b}, {"V", V}, {"c", c}}; }
  void start(Random& random) { start_weights({&W, &V}, random); }
  void start_biases(Random& random, double bound = product_start) {
    start_rows({&b, &c}, bound, random);
  }

  Matrix<T> forward(const Matrix<T>& X, Trace& t) const {
    t.P = add_row(matmul(X, W), b);  // n x h   (3.8)
    t.Q = add_row(matmul(X, V), c);  // n x h   (3.9)
    return hadamard(t.P, t.Q);       // n x h   (3.10)
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dH, HiddenProducts& d,
                Matrix<T>* dX) const {
    const Matrix<T> dP = hadamard(dH, t.Q);  // n x h   (3.10) back
    const Matrix<T> dQ = hadamard(dH, t.P);  // n x h   (3.10) back
    from_factors(X, dP, dQ, d, dX);          // back
  }
  void from_factors(const Matrix<T>& X, const Matrix<T>& dP, const Matrix<T>& dQ, HiddenProducts& d,
                    Matrix<T>* dX) const {
    d.V = matmul(transpose(X), dQ);  // in x h   (3.9) back
    d.c = column_sums(dQ);           // 1 x h   (3.9) back
    d.W = matmul(transpose(X), dP);  // in x h   (3.8) back
    d.b = column_sums(dP);           // 1 x h   (3.8) back
    add_back(dX, dQ, V);             // n x in   (3.9) back
    add_back(dX, dP, W);             // n x in   (3.8) back
  }
};
template <class T>
using Product = Net<HiddenProducts, T>;

// ------------------------------------------------ part 4: two product layers, one behind the other

struct Product2Form : Sizes {        // hidden: the products of the first layer
  std::size_t width = 0, upper = 0;  // the numbers that the second layer sees, and its products
};

template <class T>
struct Product2Layer {
  HiddenProducts<T> lower, upper;  // in x h, width x upper
  Matrix<T> E, e;                  // h x width, 1 x width
  struct Trace {
    typename HiddenProducts<T>::Trace lower, upper;
    Matrix<T> H, J;  // H comes out of the first layer, J enters the second
  };

  explicit Product2Layer(const Product2Form& f)
      : lower(f.in, f.hidden), upper(f.width, f.upper), E(f.hidden, f.width), e(1, f.width) {}
  std::size_t outputs() const { return upper.outputs(); }
  Tensors<T> tensors() {
    return {{"W", lower.W}, {"b", lower.b},  {"V", lower.V},  {"c", lower.c},  {"E", E},
            {"e", e},       {"W~", upper.W}, {"b~", upper.b}, {"V~", upper.V}, {"c~", upper.c}};
  }
  // Signals are squared twice, so the first layer's output is kept small.
  void start(Random& random) {
    lower.start(random);
    start_weights({&E}, random);
    E = T(stacked_part) * E;
    upper.start(random);
  }
  void start_biases(Random& random) {
    for (HiddenProducts<T>* layer : {&lower, &upper}) layer->start_biases(random, stacked_start);
  }

  Matrix<T> forward(const Matrix<T>& X, Trace& t) const {
    t.H = lower.forward(X, t.lower);     // n x h (3.8) (3.9) (3.10)
    t.J = add_row(matmul(t.H, E), e);    // n x width   (3.11)
    return upper.forward(t.J, t.upper);  // n x upper   (3.12)
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dH_upper, Product2Layer& d,
                Matrix<T>* dX) const {
    Matrix<T> dJ(t.J.rows(), t.J.cols());
    upper.backward(t.J, t.upper, dH_upper, d.upper, &dJ);  // n x width   (3.12) back
    d.E = matmul(transpose(t.H), dJ);                      // h x width   (3.11) back
    d.e = column_sums(dJ);                                 // 1 x width   (3.11) back
    const Matrix<T> dH = matmul(dJ, transpose(E));         // n x h       (3.11) back
    lower.backward(X, t.lower, dH, d.lower, dX);           // (3.10) to (3.8) back
  }
};
template <class T>
using Product2 = Net<Product2Layer, T, Product2Form>;

// ------------------------------------------------- part 7: the first factor passes through swish_β

struct GateForm : Sizes {
  double beta = 1;  // fixed, not trained: at 0 a product layer, at 1 SwiGLU, when large ReGLU
};

template <class T>
struct GateLayer : HiddenProducts<T> {
  double beta;
  struct Trace {
    Matrix<T> P, G, Q;  // G is σ(βP)
  };

  explicit GateLayer(const GateForm& f) : HiddenProducts<T>(f), beta(f.beta) {}

  Matrix<T> forward(const Matrix<T>& X, Trace& t) const {
    t.P = add_row(matmul(X, this->W), this->b);                // n x h   (3.8)
    t.Q = add_row(matmul(X, this->V), this->c);                // n x h   (3.9)
    t.G = map_entries(T(beta) * t.P, elementary::sigmoid<T>);  // n x h   (3.13)
    return hadamard(hadamard(t.P, t.G), t.Q);                  // n x h   (3.14)
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dH, GateLayer& d,
                Matrix<T>* dX) const {
    const Matrix<T> dQ = hadamard(dH, hadamard(t.P, t.G));  // n x h   (3.14) back
    const auto slope = [b = T(beta)](T z, T gate) {
      return gate * (1 + b * z * (1 - gate));
    };                                                                       // (3.14) back
    const Matrix<T> dP = hadamard(zip(t.P, t.G, slope), hadamard(dH, t.Q));  // n x h   (3.14) back
    this->from_factors(X, dP, dQ, d, dX);                                    // (3.8) (3.9) back
  }
};
template <class T>
using SwishGate = Net<GateLayer, T, GateForm>;

// Compiled once, in models.cpp.
extern template struct Net<SwishLayer, float, SwishForm>;
extern template struct Bmlp<float>;
extern template struct Net<HiddenProducts, float>;
extern template struct Net<Product2Layer, float, Product2Form>;
extern template struct Net<GateLayer, float, GateForm>;

}  // namespace lesson3
