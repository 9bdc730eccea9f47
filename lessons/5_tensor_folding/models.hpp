// Lesson 5: a tensor of order three, the net that is one, its rivals, each forward and backward by
// hand. Rows are examples, n of them; every other name is that of README.md, which has the
// equations. What is read from such a net stands in spectra.hpp.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/data/digits.hpp"
#include "common/model.hpp"
#include "common/model_losses.hpp"

namespace lesson5 {

// ----------------------------------------------------------------------- parts 1, 2 and 3: a
// tensor of order three

// Numbers T[o,p,q]: for each output o a matrix over pairs (p, q) of inputs, its slice. In double,
// whatever the net was trained in: a tensor is made to be read.
using Tensor3 = std::vector<Matrix<double>>;

// Returns a product layer as a tensor; W and V are m x h.
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

// Folds both at once, from the factors, without B in between.
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

// Returns the symmetric tensor with the same outputs: x[p]·x[q] = x[q]·x[p].
inline Tensor3 symmetric(Tensor3 t) {
  for (Matrix<double>& slice : t) slice = symmetric_part(slice);  // (5.6)
  return t;
}

// ------------------------------------------------------------ part 2: embedding, product layer,
// unembedding: the net

using ::Biases;

// Which parts a net has. Without an embedding the product layer sees X itself.
struct NetForm {
  std::size_t inputs = 0, embedding = 0, hidden = 0, outputs = 0;  // embedding: 0 for none
  Biases biases = Biases::with;

  std::size_t seen() const {
    return embedding ? embedding : inputs;
  }  // m: what the product layer sees
  bool operator==(const NetForm&) const = default;
};

template <class T>
struct Net {
  using Number = T;
  struct Trace {
    Matrix<T> J, P, Q, H, Y;  // J is what the product layer sees; Y holds the logits
  };

  NetForm form;
  Matrix<T> E, e;        // inputs x m, 1 x m
  Matrix<T> W, b, V, c;  // m x h, 1 x h, twice
  Matrix<T> U,
      u;  // h x outputs, 1 x outputs; biases that are not there stay zero and are not listed

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
  // Draws weights N(0, 1/fan-in).
  Net(const NetForm& f, Random& random) : Net(f) {
    for (Matrix<T>* A : {&E, &W, &V, &U})
      if (A->size() > 0)
        *A = normal_matrix<T>(A->rows(), A->cols(), 1 / std::sqrt(double(A->rows())), random);
  }

  Tensors<T> tensors() {
    Tensors<T> all;
    for (const Named<Matrix<T>>& one : Tensors<T>{
             {"E", E}, {"e", e}, {"W", W}, {"b", b}, {"V", V}, {"c", c}, {"U", U}, {"u", u}}) {
      const bool bias = one.name[0] >= 'a';
      if (one.tensor.size() > 0 && !(bias && form.biases == Biases::without)) all.push_back(one);
    }
    return all;
  }
  ConstTensors<T> tensors() const { return read_only(*this); }

  void forward(const Matrix<T>& X, Trace& t) const {
    t.J = form.embedding ? add_row(matmul(X, E), e) : X;  // n x m         (5.7)
    t.P = add_row(matmul(t.J, W), b);                     // n x h         (5.8)
    t.Q = add_row(matmul(t.J, V), c);                     // n x h         (5.8)
    t.H = hadamard(t.P, t.Q);                             // n x h         (5.9)
    t.Y = add_row(matmul(t.H, U), u);                     // n x outputs   (5.10)
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Net>& g) const {
    g.parameters.U = matmul(transpose(t.H), dY);    // h x outputs   (5.10) back
    g.parameters.u = column_sums(dY);               // 1 x outputs   (5.10) back
    const Matrix<T> dH = matmul(dY, transpose(U));  // n x h         (5.10) back
    const Matrix<T> dP = hadamard(dH, t.Q);         // n x h         (5.9) back
    const Matrix<T> dQ = hadamard(dH, t.P);         // n x h         (5.9) back
    g.parameters.W = matmul(transpose(t.J), dP);    // m x h         (5.8) back
    g.parameters.b = column_sums(dP);               // 1 x h         (5.8) back
    g.parameters.V = matmul(transpose(t.J), dQ);    // m x h         (5.8) back
    g.parameters.c = column_sums(dQ);               // 1 x h         (5.8) back
    if (!form.embedding && !g.with_dX) return;
    Matrix<T> dJ = matmul(dP, transpose(W));                        // n x m         (5.8) back
    matmul_into(dJ, dQ, transpose(V), Write::add);                  // n x m         (5.8) back
    if (form.embedding) g.parameters.E = matmul(transpose(X), dJ);  // inputs x m    (5.7) back
    if (form.embedding) g.parameters.e = column_sums(dJ);           // 1 x m         (5.7) back
    if (g.with_dX)
      g.dX = form.embedding ? matmul(dJ, transpose(E)) : dJ;  // n x inputs    (5.7) back
  }
};

// ------------------------------------------------------------------------------- parts 2 and 4:
// the net as one tensor

// Returns the net in double, for what needs more digits than training has.
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

// Returns [A; a]: the bias as the weights of a last input that is 1. Throws std::invalid_argument
// unless a is 1 x cols.
inline Matrix<double> with_last_row(const Matrix<double>& A, const Matrix<double>& a) {
  check_shapes(a.shape() == Shape{1, A.cols()}, "extended", A.shape(), a.shape());
  return Matrix<double>(
      transpose(beside(Matrix<double>(transpose(A)), Matrix<double>(transpose(a)))));
}

// Returns [A 0; a 1]. (x, 1) times it is (x·A + a, 1): the constant is carried through. Throws as
// with_last_row.
inline Matrix<double> extended(const Matrix<double>& A, const Matrix<double>& a) {
  Matrix<double> last(A.rows() + 1, 1);
  last(A.rows(), 0) = 1;
  return beside(with_last_row(A, a), last);  // (5.11)
}

// Returns the net as one tensor over (x, 1), logits[r,o] = Σ_pq x~[r,p]·T[o,p,q]·x~[r,q]. Without
// biases the constant's row and column are zero.
inline Tensor3 fold(const Net<double>& net) {
  Matrix<double> W = extended(net.W, net.b), V = extended(net.V, net.c);
  if (net.form.embedding) {
    const Matrix<double> E = extended(net.E, net.e);
    W = matmul(E, W);
    V = matmul(E, V);
  }
  return fold_factors(W, V, with_last_row(net.U, net.u));
}

// Returns the slices of all outputs without the constant, inputs x inputs. For a net without biases
// this is all.
inline Tensor3 quadratic_slices(const Net<double>& net) {
  Tensor3 S = symmetric(fold(net));
  const std::size_t n = net.form.inputs;
  for (Matrix<double>& slice : S)
    slice = Matrix<double>(row_block(column_block(slice, 0, n), 0, n));
  return S;
}

// --------------------------------------------------------------------------------------- part 6:
// rivals of the net

struct LinearForm {
  std::size_t inputs = 0, outputs = 0;
};

// Softmax regression (lesson 2 derives its loss). Training starts at zero: there is one best place,
// and it is found from anywhere.
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

struct UnitForm {
  std::size_t inputs = 0, hidden = 0, outputs = 0;
};

// One hidden layer of ReLU units (lesson 1).
template <class T>
struct ReluNet {
  using Number = T;
  struct Trace {
    Matrix<T> Z, H, Y;  // Y holds the logits
  };

  UnitForm form;
  Matrix<T> W, b;  // inputs x h, 1 x h
  Matrix<T> U, u;  // h x outputs, 1 x outputs

  explicit ReluNet(const UnitForm& f)
      : form(f), W(f.inputs, f.hidden), b(1, f.hidden), U(f.hidden, f.outputs), u(1, f.outputs) {}
  ReluNet(const UnitForm& f, Random& random) : ReluNet(f) {
    W = normal_matrix<T>(f.inputs, f.hidden, std::sqrt(2 / double(f.inputs)),
                         random);  // lesson 1's rule
    U = normal_matrix<T>(f.hidden, f.outputs, 1 / std::sqrt(double(f.hidden)), random);
  }
  Tensors<T> tensors() { return {{"W", W}, {"b", b}, {"U", U}, {"u", u}}; }
  ConstTensors<T> tensors() const { return read_only(*this); }

  void forward(const Matrix<T>& X, Trace& t) const {
    t.Z = add_row(matmul(X, W), b);                        // n x h         (5.13)
    t.H = map(t.Z, [](T z) { return z > 0 ? z : T(0); });  // n x h         (5.13)
    t.Y = add_row(matmul(t.H, U), u);                      // n x outputs   (5.14)
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY,
                Gradients<ReluNet>& g) const {
    g.parameters.U = matmul(transpose(t.H), dY);    // h x outputs (5.14) back
    g.parameters.u = column_sums(dY);               // 1 x outputs (5.14) back
    const Matrix<T> dH = matmul(dY, transpose(U));  // n x h       (5.14) back
    const Matrix<T> dZ =
        hadamard(dH, map(t.Z, [](T z) { return z > 0 ? T(1) : T(0); }));  // n x h   (5.13) back
    g.parameters.W = matmul(transpose(X), dZ);                            // inputs x h  (5.13) back
    g.parameters.b = column_sums(dZ);                                     // 1 x h       (5.13) back
    if (g.with_dX) g.dX = matmul(dZ, transpose(W));                       // n x inputs  (5.13) back
  }
};

// What trains: models.cpp makes these once, optimized.
extern template struct Net<float>;
extern template struct LinearNet<float>;
extern template struct ReluNet<float>;

// ----------------------------------------------------------------------------------- what is right

// Returns the column with the largest entry of each row: what a classifier answers.
template <class T>
std::vector<std::uint32_t> largest_of_rows(const Matrix<T>& logits) {
  std::vector<std::uint32_t> found(logits.rows());
  for (std::size_t i = 0; i < logits.rows(); ++i)
    found[i] = std::uint32_t(std::max_element(logits.row(i).begin(), logits.row(i).end()) -
                             logits.row(i).begin());
  return found;
}

// Returns the share of rows whose largest logit is that of the label.
template <class T>
double accuracy_of(const Matrix<T>& logits, const std::vector<std::uint32_t>& labels) {
  const std::vector<std::uint32_t> found = largest_of_rows(logits);
  std::size_t right = 0;
  for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == labels[i];
  return double(right) / double(found.size());
}

// Returns the share of the images that a model takes for what they are.
template <class Model>
double accuracy(const Model& model, const Images& images) {
  return accuracy_of(output(model, Matrix<typename Model::Number>(images.X.view())), images.labels);
}

// --------------------------------------------------------------------------------- what is checked

// The models of this lesson (common/model_losses.hpp). Of the first all sizes differ; so they do in
// the others, with one row or with more, but for one set: where all are equal, a transpose too many
// fits.
template <class Visitor>
void visit_models(Visitor& visitor) {
  Random random(5);
  Net<double> net({6, 4, 5, 3});
  fill_normal(net.tensors(), random, 0.7);
  const auto X = normal_matrix<double>(8, 6, 1, random);
  visitor.add("net", net, X, cross_entropy{{0, 2, 1, 1, 0, 2, 2, 1}}, Quadratic::all);

  const auto point = [&](auto model) {
    fill_normal(model.tensors(), random,
                0.4);  // so that no probability is small, nor any slope beside the loss
    return model;
  };
  struct Sizes {
    std::size_t rows, inputs, embedding, hidden, outputs;
  };
  for (const auto& [n, inputs, embedding, hidden, outputs] :
       {Sizes{7, 3, 5, 4, 2}, {1, 3, 5, 4, 2}, {4, 4, 4, 4, 4}}) {
    const auto rows = normal_matrix<double>(n, inputs, 1, random);
    cross_entropy loss;
    for (std::size_t i = 0; i < n; ++i) loss.labels.push_back(std::uint32_t((i * i + 1) % outputs));
    const std::string where = ", " + to_text(rows.shape());
    for (const std::size_t m : {embedding, std::size_t(0)})
      for (const Biases biases : {Biases::with, Biases::without})
        visitor.test_only(std::string("net") + (m ? ", embedding" : "") +
                              (biases == Biases::with ? ", biases" : "") + where,
                          point(Net<double>({inputs, m, hidden, outputs, biases})), rows, loss,
                          Quadratic::all);
    visitor.test_only("softmax" + where, point(LinearNet<double>({inputs, outputs})), rows, loss,
                      Quadratic::all);
    visitor.test_only("ReLU" + where, point(ReluNet<double>({inputs, hidden, outputs})), rows,
                      loss);
  }
}

}  // namespace lesson5
