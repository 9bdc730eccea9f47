// Lesson 6, the model: the forward and the backward pass of multi-head attention. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/model/1_attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace lesson6 {

static void check_layout(std::size_t n, Layout layout) {
  if (layout.tokens == 0 || n % layout.tokens != 0)
    throw std::invalid_argument("attention: " + std::to_string(n) + " rows are no sequences of " +
                                std::to_string(layout.tokens));
  if (!layout.seen.empty() && layout.seen.size() != n)
    throw std::invalid_argument("attention: a mask of " + std::to_string(layout.seen.size()) + " for " +
                                std::to_string(n) + " rows");
}

template <class T>
Attention<T>::Attention(const AttentionForm& f) : form(f) {
  if (f.heads == 0 || f.width % f.heads != 0)
    throw std::invalid_argument("a width of " + std::to_string(f.width) + " is not divisible by " +
                                std::to_string(f.heads) + " heads");
  Wq = Wk = Wv = Wo = Matrix<T>(f.width, f.width);
  bq = bk = bv = bo = bias_row<T>(f.biases, f.width);
}

template <class T>
Tensors<T> Attention<T>::tensors() {
  Tensors<T> all;
  append(all, "", {{"Wq", Wq}, {"bq", bq}, {"Wk", Wk}, {"bk", bk}, {"Wv", Wv}, {"bv", bv}, {"Wo", Wo}, {"bo", bo}});
  return all;
}

template <class T>
T Attention<T>::scale_of_scores() const {
  return 1 / std::sqrt(T(form.head_width()));
}

// ---------------------------------------------------------------------------------------------------------- forward

template <class T>
void Attention<T>::forward(const Sequences<T>& X, Trace& t) const {
  std::optional<Random> random = X.dropout;
  project(X.X, t);                                     // n x d   (6.1)
  mix(t.V, X.layout, t, random ? &*random : nullptr);  // n x d   (6.2) to (6.4)
  linear(t.C, Wo, bo, t.Y);                            // n x d   (6.5)
}

template <class T>
void Attention<T>::project(const Matrix<T>& X, Trace& t) const {
  linear(X, Wq, bq, t.Q);  // n x d   (6.1)
  linear(X, Wk, bk, t.K);  // n x d   (6.1)
  linear(X, Wv, bv, t.V);  // n x d   (6.1)
}

template <class T>
void Attention<T>::mix(const Matrix<T>& values, Layout layout, Trace& t, Random* random) const {
  const std::size_t n = values.rows(), tokens = layout.tokens;
  check_layout(n, layout);
  make_room(t.A, form.heads * n, tokens);
  make_room(t.C, n, form.width);
  for_each_head(form, n, tokens, [&](const Place& at) {
    matmul_into(at.square(t.A), at.head(t.Q), transpose(at.head(t.K)));  // tokens x tokens   (6.2)
    for (std::size_t i = 0; i < tokens; ++i) weigh(t.A.row(at.top + i), i, at.first, layout);
  });
  draw_mask(t.mask, t.A.rows(), tokens, form.dropout, random);
  const bool drops = t.mask.size() > 0;
  if (drops) multiply(t.A, t.mask, t.D);  // heads·n x tokens   (6.17)
  const Matrix<T>& D = drops ? t.D : t.A;
  for_each_head(form, n, tokens, [&](const Place& at) {
    matmul_into(at.head(t.C), at.square(D), at.head(values));  // tokens x dh   (6.4)
  });
}

template <class T>
void Attention<T>::weigh(std::span<T> row, std::size_t i, std::size_t first, Layout layout) const {
  const std::size_t visible = form.causal ? i + 1 : row.size();
  for (std::size_t j = visible; j < row.size(); ++j) row[j] = 0;
  row = row.first(visible);
  for (T& score : row) score *= scale_of_scores();
  bool sees = layout.seen.empty();
  for (std::size_t j = 0; j < visible && !layout.seen.empty(); ++j)
    if (layout.seen[first + j]) sees = true;
    else row[j] = -std::numeric_limits<T>::infinity();
  if (sees) softmax(row);
  else std::fill(row.begin(), row.end(), T(0));
}

// --------------------------------------------------------------------------------------------------------- backward

template <class T>
void Attention<T>::backward(const Sequences<T>& X, const Trace& t, const Matrix<T>& dY,  // n x d
                            Gradients<Attention>& g) const {
  linear_back(t.C, Wo, dY, g.d.Wo, g.d.bo, g.room.dC);  // n x d   (6.5) back
  mix_back(t.V, X.layout, t, g.room, g.room.dV);        // n x d   (6.4) to (6.2) back
  project_back(X.X, g.room, g.d, g.dX);                 // n x d   (6.1) back
}

template <class T>
void Attention<T>::mix_back(const Matrix<T>& values, Layout layout, const Trace& t, Room& room,
                            Matrix<T>& dvalues) const {
  const std::size_t n = values.rows(), tokens = layout.tokens;
  const Matrix<T>& D = t.mask.size() > 0 ? t.D : t.A;
  for (Matrix<T>* tensor : {&room.dQ, &room.dK, &dvalues}) make_room(*tensor, n, form.width);
  make_room(room.dA, tokens, tokens);
  // dA is tokens x tokens; what else is set here is tokens x dh.
  for_each_head(form, n, tokens, [&](const Place& at) {
    matmul_into(at.head(dvalues), transpose(at.square(D)), at.head(room.dC));  // (6.4) back
    matmul_into(room.dA, at.head(room.dC), transpose(at.head(values)));        // (6.4) back
    weigh_back(at, t, room.dA);                                                // (6.3) back
    matmul_into(at.head(room.dQ), room.dA, at.head(t.K));                      // (6.2) back
    matmul_into(at.head(room.dK), transpose(room.dA), at.head(t.Q));           // (6.2) back
  });
}

template <class T>
void Attention<T>::weigh_back(const Place& at, const Trace& t, Matrix<T>& dA) const {
  for (std::size_t i = 0; i < at.tokens; ++i) {
    const std::span<const T> A = t.A.row(at.top + i);
    const std::span<T> d = dA.row(i);
    if (t.mask.size() > 0)
      for (std::size_t j = 0; j < d.size(); ++j) d[j] *= t.mask.row(at.top + i)[j];  // (6.17) back
    const T mean = sum_of<T>(d.size(), [&](std::size_t j) { return d[j] * A[j]; });  // (6.3) back
    for (std::size_t j = 0; j < d.size(); ++j)
      d[j] = scale_of_scores() * A[j] * (d[j] - mean);  // now dS, tokens x tokens   (6.3) back
  }
}

template <class T>
void Attention<T>::project_back(const Matrix<T>& X, const Room& room,  // n x d
                                Attention& d, Matrix<T>& dX) const {
  linear_back(X, Wq, room.dQ, d.Wq, d.bq, dX);              // n x d   (6.1) back
  linear_back(X, Wk, room.dK, d.Wk, d.bk, dX, Write::add);  // n x d   (6.1) back
  linear_back(X, Wv, room.dV, d.Wv, d.bv, dX, Write::add);  // n x d   (6.1) back
}

template struct Attention<float>;
template struct Attention<double>;

}  // namespace lesson6
