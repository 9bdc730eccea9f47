// A tensor of order three, the net that is such a tensor, and the net's rivals, forward and
// backward by hand. The n rows are examples; names and equations are those of README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/data/digits.hpp"
#include "common/model.hpp"
#include "common/model_losses.hpp"

namespace lesson5 {

// ------------------------------------------------------------------------- a tensor of order three

// The numbers T[o,p,q]: for each output o a slice, the matrix over pairs (p, q) of inputs.
using Tensor3 = std::vector<Matrix<double>>;

// W and V are m x h.
inline Tensor3 product_tensor(const Matrix<double>& W, const Matrix<double>& V) {
  check_shapes(W.shape() == V.shape(), "product_tensor", W.shape(), V.shape());
  Tensor3 B(W.cols(), Matrix<double>(W.rows(), W.rows()));
  for (std::size_t k = 0; k < W.cols(); ++k)
    for (std::size_t p = 0; p < W.rows(); ++p)
      for (std::size_t q = 0; q < W.rows(); ++q) B[k](p, q) = W(p, k) * V(q, k);  // (5.1)
  return B;
}

// Returns Y[r,o] = Σ_pq X[r,p]·T[o,p,q]·X[r,q]; X is n x inputs, Y is n x outputs.
inline Matrix<double> evaluate(const Tensor3& t, const Matrix<double>& X) {
  Matrix<double> Y(X.rows(), t.size());
  for (std::size_t o = 0; o < t.size(); ++o) {
    const Matrix<double> XT = matmul(X, t[o]);  // n x inputs
    for (std::size_t r = 0; r < X.rows(); ++r)
      for (std::size_t q = 0; q < X.cols(); ++q) Y(r, o) += XT(r, q) * X(r, q);  // (5.2)
  }
  return Y;
}

// Folds in a linear map behind; U is h x outputs.
inline Tensor3 fold_behind(const Tensor3& B, const Matrix<double>& U) {
  check_shapes(U.rows() == B.size(), "fold_behind", {B.size(), 1}, U.shape());
  Tensor3 T(U.cols(), Matrix<double>(B[0].rows(), B[0].cols()));
  for (std::size_t o = 0; o < U.cols(); ++o)
    for (std::size_t k = 0; k < U.rows(); ++k) T[o] += U(k, o) * B[k];  // (5.3)
  return T;
}

// Folds in a linear map in front; E is inputs x m.
inline Tensor3 fold_in_front(const Tensor3& B, const Matrix<double>& E) {
  Tensor3 T;
  for (const Matrix<double>& slice : B)
    T.push_back(matmul(matmul(E, slice), transpose(E)));  // (5.4)
  return T;
}

// Folds in both at once, without making B.
inline Tensor3 fold_factors(const Matrix<double>& EW, const Matrix<double>& EV,
                            const Matrix<double>& U) {
  check_shapes(EW.shape() == EV.shape(), "fold_factors", EW.shape(), EV.shape());
  check_shapes(EW.cols() == U.rows(), "fold_factors", EW.shape(), U.shape());
  Tensor3 T;
  for (std::size_t o = 0; o < U.cols(); ++o) {
    Matrix<double> weighted = EW;
    for (std::size_t p = 0; p < weighted.rows(); ++p)
      for (std::size_t k = 0; k < weighted.cols(); ++k) weighted(p, k) *= U(k, o);
    T.push_back(matmul(weighted, transpose(EV)));  // inputs x inputs   (5.5)
  }
  return T;
}

// Returns (A + Aᵀ)/2.
inline Matrix<double> symmetric_part(const Matrix<double>& A) {
  return 0.5 * (A + Matrix<double>(transpose(A)));
}

// Returns the symmetric tensor with the same outputs.
inline Tensor3 symmetric(Tensor3 t) {
  for (Matrix<double>& slice : t) slice = symmetric_part(slice);  // (5.6)
  return t;
}

// ----------------------------------------------------------- embedding, product layer, unembedding

// Without an embedding the product layer sees X itself.
struct NetForm {
  std::size_t inputs = 0, embedding = 0, hidden = 0, outputs = 0;  // embedding: 0 means none
  Biases biases = Biases::with;

  // Returns m, the width that the product layer sees.
  std::size_t seen() const { return embedding ? embedding : inputs; }
  bool operator==(const NetForm&) const = default;
};

// The form of a net without embedding and biases.
inline NetForm of_products(std::size_t inputs, std::size_t hidden, std::size_t outputs) {
  return {.inputs = inputs, .hidden = hidden, .outputs = outputs, .biases = Biases::without};
}

template <class T>
struct Net {
  using Number = T;
  struct Trace {
    Matrix<T> J, P, Q, H, Y;  // the product layer sees J; Y holds the logits
  };

  NetForm form;
  Matrix<T> E, e;        // inputs x m, 1 x m
  Matrix<T> W, b, V, c;  // W and V are m x h, b and c 1 x h
  Matrix<T> U, u;        // h x outputs, 1 x outputs; biases that are not listed stay zero

  explicit Net(const NetForm& f)
      : form(f),
        E(f.embedding ? f.inputs : 0, f.embedding),
        e(1, f.embedding),
        W(f.seen(), f.hidden),
        b(1, f.hidden),
        V(f.seen(), f.hidden),
        c(1, f.hidden),
        U(f.hidden, f.outputs),
        u(1, f.outputs) {}
  // Draws weights from N(0, 1/fan-in).
  Net(const NetForm& f, Random& random) : Net(f) {
    for (Matrix<T>* A : {&E, &W, &V, &U})
      if (A->size() > 0)
        *A = normal_matrix<T>(A->rows(), A->cols(), 1 / std::sqrt(double(A->rows())), random);
  }

  Tensors<T> tensors() {
    const bool biased = form.biases == Biases::with, embeds = form.embedding > 0;
    Tensors<T> all;
    const auto list = [&](const char* name, Matrix<T>& A, bool there) {
      if (there) all.push_back({name, A});
    };
    list("E", E, embeds);
    list("e", e, embeds && biased);
    list("W", W, true);
    list("b", b, biased);
    list("V", V, true);
    list("c", c, biased);
    list("U", U, true);
    list("u", u, biased);
    return all;
  }
  ConstTensors<T> tensors() const { return read_only(*this); }

  void forward(const Matrix<T>& X, Trace& t) const {
    t.J = form.embedding ? add_row(matmul(X, E), e) : X;  // n x m         (5.8)
    t.P = add_row(matmul(t.J, W), b);                     // n x h         (5.9)
    t.Q = add_row(matmul(t.J, V), c);                     // n x h         (5.9)
    t.H = hadamard(t.P, t.Q);                             // n x h         (5.10)
    t.Y = add_row(matmul(t.H, U), u);                     // n x outputs   (5.11)
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Net>& g) const {
    g.parameters.U = matmul(transpose(t.H), dY);    // h x outputs   (5.11) back
    g.parameters.u = column_sums(dY);               // 1 x outputs   (5.11) back
    const Matrix<T> dH = matmul(dY, transpose(U));  // n x h         (5.11) back
    const Matrix<T> dP = hadamard(dH, t.Q);         // n x h         (5.10) back
    const Matrix<T> dQ = hadamard(dH, t.P);         // n x h         (5.10) back
    g.parameters.W = matmul(transpose(t.J), dP);    // m x h         (5.9) back
    g.parameters.b = column_sums(dP);               // 1 x h         (5.9) back
    g.parameters.V = matmul(transpose(t.J), dQ);    // m x h         (5.9) back
    g.parameters.c = column_sums(dQ);               // 1 x h         (5.9) back
    if (!form.embedding && !g.with_dX) return;
    Matrix<T> dJ = matmul(dP, transpose(W));                        // n x m         (5.9) back
    matmul_into(dJ, dQ, transpose(V), Write::add);                  // n x m         (5.9) back
    if (form.embedding) g.parameters.E = matmul(transpose(X), dJ);  // inputs x m    (5.8) back
    if (form.embedding) g.parameters.e = column_sums(dJ);           // 1 x m         (5.8) back
    if (g.with_dX)
      g.dX = form.embedding ? matmul(dJ, transpose(E)) : dJ;  // n x inputs    (5.8) back
  }
};

// --------------------------------------------------------------------------- the net as one tensor

inline Net<double> in_double(const Net<float>& net) {
  Net<double> wide(net.form);
  const Tensors<double> to = wide.tensors();
  const ConstTensors<float> from = net.tensors();
  for (std::size_t t = 0; t < to.size(); ++t) to[t].tensor = Matrix<double>(from[t].tensor.view());
  return wide;
}

// Returns [A B].
inline Matrix<double> beside(const Matrix<double>& A, const Matrix<double>& B) {
  Matrix<double> both(A.rows(), A.cols() + B.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    std::copy(B.row(i).begin(), B.row(i).end(),
              std::copy(A.row(i).begin(), A.row(i).end(), both.row(i).begin()));
  return both;
}

// Returns X with a column of ones behind it.
inline Matrix<double> with_one(const Matrix<double>& X) {
  return beside(X, Matrix<double>(X.rows(), 1, 1));
}

// Returns [A; a], where the bias a is the weights of a last input that is 1. Throws
// std::invalid_argument when the shapes do not fit.
inline Matrix<double> with_last_row(const Matrix<double>& A, const Matrix<double>& a) {
  check_shapes(a.shape() == Shape{1, A.cols()}, "extended", A.shape(), a.shape());
  return Matrix<double>(
      transpose(beside(Matrix<double>(transpose(A)), Matrix<double>(transpose(a)))));
}

// Returns [A 0; a 1], which takes (x, 1) to (x·A + a, 1). Throws like with_last_row.
inline Matrix<double> extended(const Matrix<double>& A, const Matrix<double>& a) {
  Matrix<double> last(A.rows() + 1, 1);
  last(A.rows(), 0) = 1;
  return beside(with_last_row(A, a), last);  // (5.7)
}

// Throws std::invalid_argument unless a model is quadratic: a net with a norm, say, is not a
// tensor of order three. Along a line the third difference of a quadratic is 0, up to rounding
// of some 1e-15.
template <class Model>
void check_quadratic(const Model& model, const std::string& who) {
  Random random(1);
  const auto start = normal_matrix<double>(1, model.form.inputs, 1, random),
             step = normal_matrix<double>(1, model.form.inputs, 1, random);
  const auto at = [&](double steps) { return output(model, start + steps * step); };
  const Matrix<double> last = at(3), third = last - 3 * at(2) + 3 * at(1) - at(0);
  if (!(largest_entry(third) <= 1e-9 * largest_entry(last)))
    throw std::invalid_argument(who + ": the net is not a quadratic function of its input");
}

// Returns the net as one tensor over x~ = (x, 1). Throws like check_quadratic.
inline Tensor3 fold(const Net<double>& net) {
  check_quadratic(net, "fold");
  Matrix<double> W = extended(net.W, net.b), V = extended(net.V, net.c);
  if (net.form.embedding) {
    const Matrix<double> E = extended(net.E, net.e);
    W = matmul(E, W);
    V = matmul(E, V);
  }
  return fold_factors(W, V, with_last_row(net.U, net.u));
}

// Returns the table of one layer behind another; its slices have a row and a column for each pair
// of inputs.
inline Tensor3 fold_layers(const Tensor3& lower, const Tensor3& upper) {
  Matrix<double> slices(lower.size(), lower[0].size());  // one of the lower layer's a row
  for (std::size_t k = 0; k < lower.size(); ++k)
    std::copy(lower[k].values().begin(), lower[k].values().end(), slices.row(k).begin());
  Tensor3 T;
  for (const Matrix<double>& slice : upper)
    T.push_back(matmul(matmul(transpose(slices), slice), slices));  // pairs x pairs   (5.24)
  return T;
}

// Returns the slices without the constant, each inputs x inputs.
inline Tensor3 quadratic_slices(const Net<double>& net) {
  Tensor3 S = symmetric(fold(net));
  const std::size_t n = net.form.inputs;
  for (Matrix<double>& slice : S)
    slice = Matrix<double>(row_block(column_block(slice, 0, n), 0, n));
  return S;
}

// ------------------------------------------------------------------------------- rivals of the net

struct LinearForm {
  std::size_t inputs = 0, outputs = 0;
};

// Softmax regression (lesson 2 derives its loss). Training starts at zero, because any start leads
// to the only best place.
template <class T>
struct LinearNet {
  using Number = T;
  struct Trace {
    Matrix<T> Y;  // the logits
  };

  LinearForm form;
  Matrix<T> W, b;  // inputs x outputs, 1 x outputs

  explicit LinearNet(const LinearForm& f) : form(f), W(f.inputs, f.outputs), b(1, f.outputs) {}
  LinearNet(const LinearForm& f, Random&) : LinearNet(f) {}
  Tensors<T> tensors() { return {{"W", W}, {"b", b}}; }
  ConstTensors<T> tensors() const { return read_only(*this); }

  void forward(const Matrix<T>& X, Trace& t) const {
    t.Y = add_row(matmul(X, W), b);  // n x outputs   (5.12)
  }
  void backward(const Matrix<T>& X, const Trace&, const Matrix<T>& dY,
                Gradients<LinearNet>& g) const {
    g.parameters.W = matmul(transpose(X), dY);       // inputs x outputs   (5.12) back
    g.parameters.b = column_sums(dY);                // 1 x outputs        (5.12) back
    if (g.with_dX) g.dX = matmul(dY, transpose(W));  // n x inputs         (5.12) back
  }
};

enum class Unit { relu, square };

struct UnitForm {
  std::size_t inputs = 0, hidden = 0, outputs = 0;
  Unit unit = Unit::relu;
};

// One hidden layer of ReLU units (lesson 1), or of units that square their sum.
template <class T>
struct UnitNet {
  using Number = T;
  struct Trace {
    Matrix<T> Z, H, Y;  // Y holds the logits
  };

  UnitForm form;
  Matrix<T> W, b;  // inputs x h, 1 x h
  Matrix<T> U, u;  // h x outputs, 1 x outputs

  explicit UnitNet(const UnitForm& f)
      : form(f), W(f.inputs, f.hidden), b(1, f.hidden), U(f.hidden, f.outputs), u(1, f.outputs) {}
  UnitNet(const UnitForm& f, Random& random) : UnitNet(f) {
    // Lesson 1's rule for ReLU.
    W = normal_matrix<T>(f.inputs, f.hidden, std::sqrt(2 / double(f.inputs)), random);
    U = normal_matrix<T>(f.hidden, f.outputs, 1 / std::sqrt(double(f.hidden)), random);
  }
  Tensors<T> tensors() { return {{"W", W}, {"b", b}, {"U", U}, {"u", u}}; }
  ConstTensors<T> tensors() const { return read_only(*this); }

  void forward(const Matrix<T>& X, Trace& t) const {
    t.Z = add_row(matmul(X, W), b);                                     // n x h   (5.13) (5.15)
    if (form.unit == Unit::square) t.H = hadamard(t.Z, t.Z);            // n x h   (5.15)
    else t.H = map_entries(t.Z, [](T z) { return z > 0 ? z : T(0); });  // n x h   (5.13)
    t.Y = add_row(matmul(t.H, U), u);                                   // n x outputs   (5.14)
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY,
                Gradients<UnitNet>& g) const {
    g.parameters.U = matmul(transpose(t.H), dY);    // h x outputs (5.14) back
    g.parameters.u = column_sums(dY);               // 1 x outputs (5.14) back
    const Matrix<T> dH = matmul(dY, transpose(U));  // n x h       (5.14) back
    Matrix<T> dZ;
    if (form.unit == Unit::square) dZ = hadamard(dH, T(2) * t.Z);  // n x h   (5.15) back
    else
      dZ = hadamard(
          dH, map_entries(t.Z, [](T z) { return z > 0 ? T(1) : T(0); }));  // n x h   (5.13) back
    g.parameters.W = matmul(transpose(X), dZ);       // inputs x h (5.13) (5.15) back
    g.parameters.b = column_sums(dZ);                // 1 x h (5.13) (5.15) back
    if (g.with_dX) g.dX = matmul(dZ, transpose(W));  // n x inputs (5.13) (5.15) back
  }
};

extern template struct Net<float>;
extern template struct LinearNet<float>;
extern template struct UnitNet<float>;

// ----------------------------------------------------------------------------------- what is right

// Returns for each row the column of its largest entry.
template <class T>
std::vector<std::uint32_t> largest_of_rows(const Matrix<T>& logits) {
  std::vector<std::uint32_t> answers;
  for (std::size_t i = 0; i < logits.rows(); ++i) {
    const auto row = logits.row(i);
    answers.push_back(std::uint32_t(std::max_element(row.begin(), row.end()) - row.begin()));
  }
  return answers;
}

template <class T>
double accuracy_of(const Matrix<T>& logits, const std::vector<std::uint32_t>& labels) {
  const std::vector<std::uint32_t> answers = largest_of_rows(logits);
  std::size_t right = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) right += answers[i] == labels[i];
  return double(right) / double(answers.size());
}

template <class Model>
double accuracy(const Model& model, const Images& images) {
  return accuracy_of(output(model, Matrix<typename Model::Number>(images.X.view())), images.labels);
}

// --------------------------------------------------------------------------------- what is checked

// Visits the net in each form and its rivals at these sizes.
template <class Visitor>
void visit_at(Visitor& visitor, std::size_t rows, const NetForm& sizes, Random& random) {
  const auto point = [&](auto model) {
    fill_normal(model.tensors(), random, 0.4);  // small, so that no probability is
    return model;
  };
  const auto X = normal_matrix<double>(rows, sizes.inputs, 1, random);
  cross_entropy loss;
  for (std::size_t i = 0; i < rows; ++i)
    loss.labels.push_back(std::uint32_t((i * i + 1) % sizes.outputs));  // some classes in no order
  const std::string where = ", " + to_text(X.shape());
  for (const std::size_t embedding : {sizes.embedding, std::size_t(0)})
    for (const Biases biases : {Biases::with, Biases::without}) {
      NetForm form = sizes;
      form.embedding = embedding;
      form.biases = biases;
      visitor.test_only(std::string("net") + (embedding ? ", embedding" : "") +
                            (biases == Biases::with ? ", biases" : "") + where,
                        point(Net<double>(form)), X, loss, Quadratic::all);
    }
  visitor.test_only("softmax" + where, point(LinearNet<double>({sizes.inputs, sizes.outputs})), X,
                    loss, Quadratic::all);
  const auto units = [&](Unit unit) {
    return point(UnitNet<double>({sizes.inputs, sizes.hidden, sizes.outputs, unit}));
  };
  visitor.test_only("ReLU" + where, units(Unit::relu), X, loss);
  visitor.test_only("squares" + where, units(Unit::square), X, loss, Quadratic::all);
}

// Visits the models of this lesson (common/model_losses.hpp) at sizes that differ, and at equal
// sizes, where no shape betrays a transpose too many.
template <class Visitor>
void visit_models(Visitor& visitor) {
  Random random(5);
  Net<double> net({.inputs = 6, .embedding = 4, .hidden = 5, .outputs = 3});
  fill_normal(net.tensors(), random, 0.7);
  const auto X = normal_matrix<double>(8, 6, 1, random);
  visitor.add("net", net, X, cross_entropy{{0, 2, 1, 1, 0, 2, 2, 1}}, Quadratic::all);
  const NetForm different{.inputs = 3, .embedding = 5, .hidden = 4, .outputs = 2};
  visit_at(visitor, 7, different, random);
  visit_at(visitor, 1, different, random);
  visit_at(visitor, 4, {.inputs = 4, .embedding = 4, .hidden = 4, .outputs = 4}, random);
}

}  // namespace lesson5
