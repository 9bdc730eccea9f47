// Lesson 6, the model: five variants of attention, which differ in the factor that stands in it: none, the constant ½,
// or one of three gates. Forward and backward by hand: 2_gates.cpp. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include "lessons/6_bma/model/1_attention.hpp"

namespace lesson6 {

// Where the factor stands. `half` is the control: what a gate of σ(0) does, without a parameter.
enum class Gate { standard, half, bma, attending, post };
inline constexpr std::array all_gates{Gate::standard, Gate::half, Gate::bma, Gate::attending, Gate::post};

inline const char* name_of(Gate gate) {
  constexpr std::array names{"standard", "half", "bma", "attending", "post"};
  return names.at(std::size_t(gate));
}

struct GatedForm {
  Gate gate = Gate::standard;
  std::size_t width = 0, heads = 1;
  bool causal = true, biases = true;
  double dropout = 0;

  AttentionForm plain() const { return {width, heads, causal, biases, dropout}; }
};

template <class T>
struct GatedAttention {
  using Number = T;

  GatedForm form;
  Attention<T> plain;
  Matrix<T> Wg;      // heads·dh x dh, a square for each head: bma and attending
  Matrix<T> Wp, bp;  // d x d, 1 x d: post

  // All parameters zero. Throws std::invalid_argument when the heads do not divide the width.
  explicit GatedAttention(const GatedForm& f);

  // In forward order; only what there is.
  Tensors<T> tensors();
  ConstTensors<T> tensors() const { return read_only(*this); }

  // All n x d; what a variant does not have is empty.
  struct Trace : Attention<T>::Trace {
    Matrix<T> G;  // the gate
    Matrix<T> M;  // the values times their factor, V~ in README.md: half and bma
    Matrix<T> O;  // the mixtures times the gate: attending and post
  };
  struct Room : Attention<T>::Room {
    Matrix<T> dG, dM, dO;
  };

  // Throws std::invalid_argument when the layout does not fit the rows.
  void forward(const Sequences<T>& X, Trace& t) const;
  void backward(const Sequences<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<GatedAttention>& g) const;

  // The same as a layer of a larger model, which keeps what the layer reads and sets. `random` draws the dropout; null:
  // none.
  void forward(const Matrix<T>& X, Layout layout, Trace& t, Random* random) const;
  void backward(const Matrix<T>& X, Layout layout, const Trace& t, const Matrix<T>& dY, Room& room, GatedAttention& d,
                Matrix<T>& dX) const;

  // The steps of forward, for one who writes token by token.

  // Makes what each row has by itself: query, key, value and gate. Returns the values that are to be mixed: t.V or t.M.
  const Matrix<T>& prepare(const Matrix<T>& X, Trace& t) const;

  // Makes the output t.Y from the mixtures t.C.
  void put_out(Trace& t) const;

 private:
  void gate_by_query(Trace& t) const;
  void gate_by_input(const Matrix<T>& X, Trace& t) const;
  void gate_by_query_back(const Trace& t, Room& room, GatedAttention& d) const;
};

}  // namespace lesson6
