// Exercise 2.8 (change, open, 30 minutes): a second hidden layer, H2 = tanh(H·W3 + b3), from which
// the logits are made. The network has W3 and b3 already, but does not use them. Once the
// gradients are right, the check trains your network from one start, for some three seconds, and
// from two or six where that leaves it open. You are done when, with at most 40,000 numbers, its
// mean loss on the test text is below those of two rivals: the interpolated 4-gram of section 6,
// and, by more than luck, a network of one hidden layer that has as many numbers and is otherwise
// like yours. Tune by the loss on the validation text, which the check shows you; only the test
// text judges. make derive2.11 asks for these gradients line by line.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/2_bengio_mlp/train.hpp"

namespace ex2_8 {

using namespace lesson2;

template <class T>
struct Deeper : Bengio<T> {
  using Bengio<T>::C, Bengio<T>::W1, Bengio<T>::b1, Bengio<T>::W2, Bengio<T>::b2;
  Matrix<T> W3, b3;  // h x h, 1 x h

  explicit Deeper(const BengioForm& of)
      : Bengio<T>(of), W3(of.hidden, of.hidden), b3(1, of.hidden) {}

  // The start of training.
  Deeper(const BengioForm& of, Random& random)
      : Bengio<T>(of, random), W3(of.hidden, of.hidden), b3(1, of.hidden) {}

  Tensors<T> tensors() {
    return {{"C", C}, {"W1", W1}, {"b1", b1}, {"W3", W3}, {"b3", b3}, {"W2", W2}, {"b2", b2}};
  }
  ConstTensors<T> tensors() const { return read_only(*this); }

  struct Trace : Bengio<T>::Trace {
    Matrix<T> H2;  // n x h
  };

  // TODO: use W3 and b3, forward and back, and draw W3 in the constructor above (normal_matrix);
  // then choose the sizes and the settings below.
  void forward(const Windows& X, Trace& t) const {
    t.E = this->look_up(X);                                                // n x c·dim
    t.H = map_entries(add_row(matmul(t.E, W1), b1), elementary::tanh<T>);  // n x h
    t.Y = add_row(matmul(t.H, W2), b2);                                    // n x vocab
  }

  void backward(const Windows& X, const Trace& t, const Matrix<T>& dS, Gradients<Deeper>& g) const {
    g.parameters.W2 = matmul(transpose(t.H), dS);                      // h x vocab
    g.parameters.b2 = column_sums(dS);                                 // 1 x vocab
    const Matrix<T> dH = matmul(dS, transpose(W2));                    // n x h
    const Matrix<T> dZ = zip(dH, t.H, through_tanh<T>);                // n x h
    g.parameters.W1 = matmul(transpose(t.E), dZ);                      // c·dim x h
    g.parameters.b1 = column_sums(dZ);                                 // 1 x h
    g.parameters.C = this->scatter_add(X, matmul(dZ, transpose(W1)));  // (vocab + 1) x dim
  }
};

inline BengioForm form(std::size_t vocab) {
  return {.vocab = vocab, .context = 3, .dim = 8, .hidden = 64};
}
inline TrainingSettings training() {
  // At most 1,500 steps of 128 windows. Of AdamW you set the decay alone: β₂ and ε stay.
  TrainingSettings settings{.steps = 1500, .batch = 128, .rate = 0.01};
  settings.adam.decay = 0.01;
  return settings;
}

}  // namespace ex2_8
