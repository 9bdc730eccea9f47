// Lesson 6, the model: the forward and the backward pass of the five variants. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/model/2_gates.hpp"

namespace lesson6 {

static bool gates_by_query(Gate gate) { return gate == Gate::bma || gate == Gate::attending; }

template <class T>
GatedAttention<T>::GatedAttention(const GatedForm& f) : form(f), plain(f.plain()) {
  if (gates_by_query(f.gate)) Wg = Matrix<T>(f.width, f.width / f.heads);
  if (f.gate == Gate::post) {
    Wp = plain.Wo;
    bp = plain.bo;
  }
}

template <class T>
Tensors<T> GatedAttention<T>::tensors() {
  Tensors<T> all;
  Attention<T>& a = plain;
  append(all, "", {{"Wq", a.Wq}, {"bq", a.bq}, {"Wk", a.Wk}, {"bk", a.bk}, {"Wv", a.Wv}, {"bv", a.bv}});
  append(all, "", {{"Wg", Wg}, {"Wp", Wp}, {"bp", bp}, {"Wo", a.Wo}, {"bo", a.bo}});
  return all;
}

namespace {

// What head h owns: its columns of a matrix of n rows, and its square of Wg.
struct HeadOf {
  std::size_t h, width;

  template <class M>
  auto columns(M& of) const {
    return column_block(of, h * width, width);
  }
  template <class M>
  auto square(M& of) const {
    return row_block(of, h * width, width);
  }
};

}  // namespace

// ---------------------------------------------------------------------------------------------------------- forward

template <class T>
void GatedAttention<T>::forward(const Sequences<T>& X, Trace& t) const {
  std::optional<Random> random = X.dropout;
  forward(X.X, X.layout, t, random ? &*random : nullptr);
}

template <class T>
void GatedAttention<T>::forward(const Matrix<T>& X, Layout layout, Trace& t, Random* random) const {
  const Matrix<T>& values = prepare(X, t);  // n x d   (6.1) (6.9) (6.10) (6.13)
  plain.mix(values, layout, t, random);     // n x d   (6.2) to (6.4)
  put_out(t);                               // n x d   (6.5) (6.12) (6.13)
}

template <class T>
const Matrix<T>& GatedAttention<T>::prepare(const Matrix<T>& X, Trace& t) const {
  plain.project(X, t);  // n x d   (6.1)
  switch (form.gate) {
    case Gate::standard:
      break;
    case Gate::half:
      scale(T(0.5), t.V, t.M);  // n x d
      return t.M;
    case Gate::bma:
      gate_by_query(t);         // n x d   (6.9)
      multiply(t.G, t.V, t.M);  // n x d   (6.10)
      return t.M;
    case Gate::attending:
      gate_by_query(t);  // n x d   (6.9)
      break;
    case Gate::post:
      gate_by_input(X, t);  // n x d   (6.13)
      break;
  }
  return t.V;
}

template <class T>
void GatedAttention<T>::gate_by_query(Trace& t) const {
  const std::size_t width = plain.form.head_width();
  make_room(t.G, t.Q.rows(), t.Q.cols());
  for (std::size_t h = 0; h < form.heads; ++h) {
    const HeadOf head{h, width};
    matmul_into(head.columns(t.G), head.columns(t.Q), head.square(Wg));  // n x dh   (6.9)
  }
  for (T& z : t.G.values()) z = elementary::sigmoid(z);  // n x d   (6.9)
}

template <class T>
void GatedAttention<T>::gate_by_input(const Matrix<T>& X, Trace& t) const {
  linear(X, Wp, bp, t.G);                                // n x d   (6.13)
  for (T& z : t.G.values()) z = elementary::sigmoid(z);  // n x d   (6.13)
}

template <class T>
void GatedAttention<T>::put_out(Trace& t) const {
  const bool gated = form.gate == Gate::attending || form.gate == Gate::post;
  if (gated) multiply(t.G, t.C, t.O);                  // n x d   (6.12) (6.13)
  linear(gated ? t.O : t.C, plain.Wo, plain.bo, t.Y);  // n x d   (6.5)
}

// --------------------------------------------------------------------------------------------------------- backward

template <class T>
void GatedAttention<T>::backward(const Sequences<T>& X, const Trace& t, const Matrix<T>& dY,
                                 Gradients<GatedAttention>& g) const {
  backward(X.X, X.layout, t, dY, g.room, g.d, g.dX);  // back
}

// dZ = dG ⊙ G ⊙ (1 - G), in the place of dG.
template <class T>
static void sigmoid_back(const Matrix<T>& G, Matrix<T>& dG) {
  for (std::size_t k = 0; k < G.size(); ++k) {
    const T g = G.values()[k];
    dG.values()[k] *= g * (1 - g);  // n x d   (6.9) (6.13) back
  }
}

template <class T>
void GatedAttention<T>::backward(const Matrix<T>& X, Layout layout,  // n x d
                                 const Trace& t, const Matrix<T>& dY, Room& room, GatedAttention& d,
                                 Matrix<T>& dX) const {
  const Matrix<T>& Wo = plain.Wo;
  switch (form.gate) {
    case Gate::standard:
      linear_back(t.C, Wo, dY, d.plain.Wo, d.plain.bo, room.dC);  // n x d   (6.5) back
      plain.mix_back(t.V, layout, t, room, room.dV);              // n x d   (6.4) to (6.2) back
      break;
    case Gate::half:
      linear_back(t.C, Wo, dY, d.plain.Wo, d.plain.bo, room.dC);  // n x d   (6.5) back
      plain.mix_back(t.M, layout, t, room, room.dM);              // n x d   (6.4) to (6.2) back
      scale(T(0.5), room.dM, room.dV);                            // n x d   back
      break;
    case Gate::bma:
      linear_back(t.C, Wo, dY, d.plain.Wo, d.plain.bo, room.dC);  // n x d   (6.5) back
      plain.mix_back(t.M, layout, t, room, room.dM);              // n x d   (6.4) to (6.2) back
      multiply(room.dM, t.G, room.dV);                            // n x d   (6.10) back
      multiply(room.dM, t.V, room.dG);                            // n x d   (6.10) back
      gate_by_query_back(t, room, d);                             // n x d   (6.9) back
      break;
    case Gate::attending:
    case Gate::post:
      linear_back(t.O, Wo, dY, d.plain.Wo, d.plain.bo, room.dO);  // n x d   (6.5) back
      multiply(room.dO, t.C, room.dG);                            // n x d   (6.12) (6.13) back
      multiply(room.dO, t.G, room.dC);                            // n x d   (6.12) (6.13) back
      plain.mix_back(t.V, layout, t, room, room.dV);              // n x d   (6.4) to (6.2) back
      break;
  }
  if (form.gate == Gate::attending) gate_by_query_back(t, room, d);  // n x d   (6.9) back
  plain.project_back(X, room, d.plain, dX);                          // n x d   (6.1) back
  if (form.gate != Gate::post) return;
  sigmoid_back(t.G, room.dG);                               // n x d   (6.13) back
  linear_back(X, Wp, room.dG, d.Wp, d.bp, dX, Write::add);  // n x d   (6.13) back
}

template <class T>
void GatedAttention<T>::gate_by_query_back(const Trace& t, Room& room, GatedAttention& d) const {
  const std::size_t width = plain.form.head_width();
  sigmoid_back(t.G, room.dG);  // n x d   (6.9) back
  for (std::size_t h = 0; h < form.heads; ++h) {
    const HeadOf head{h, width};
    const View<T> dQ = head.columns(room.dQ), dZ = head.columns(room.dG);
    matmul_into(head.square(d.Wg), transpose(head.columns(t.Q)), dZ);  // dh x dh (6.9) back
    matmul_into(dQ, dZ, transpose(head.square(Wg)), Write::add);       // n x dh  (6.9) back
  }
}

template struct GatedAttention<float>;
template struct GatedAttention<double>;

}  // namespace lesson6
