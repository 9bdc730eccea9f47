// Lesson 6, the model: the forward and the backward pass of blocks and transformer. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/model/4_transformer.hpp"

#include <algorithm>
#include <string>

namespace lesson6 {

template <class T>
Block<T>::Block(const TransformerForm& f)
    : norm1(f.width, f.biases),
      attention(f.attention()),
      norm2(f.width, f.biases),
      feed_forward(f.width, f.biases),
      dropout(f.dropout) {}

template <class T>
Tensors<T> Block<T>::tensors() {
  Tensors<T> all;
  append(all, "norm1.", norm1.tensors());
  append(all, "attn.", attention.tensors());
  append(all, "norm2.", norm2.tensors());
  append(all, "mlp.", feed_forward.tensors());
  return all;
}

// X += mask ⊙ Y; an empty mask is none.   (6.18)
template <class T>
static void add_branch(Matrix<T>& X, Matrix<T>& Y, const Matrix<T>& mask) {
  apply_mask(Y, mask);
  X += Y;
}

// Returns the gradient that enters a branch: mask ⊙ dX, kept in `room`, since dX itself goes on past the branch.
template <class T>
static const Matrix<T>& branch_gradient(const Matrix<T>& dX, const Matrix<T>& mask, Matrix<T>& room) {
  if (mask.size() == 0) return dX;
  multiply(dX, mask, room);  // n x d   (6.18) back
  return room;
}

template <class T>
void Block<T>::forward(Matrix<T>& X, Layout layout, Trace& t, Random* random) const {
  norm1.forward(X, t.norm1);                                  // n x d   (6.15)
  attention.forward(t.norm1.Y, layout, t.attention, random);  // n x d   (6.1) to (6.13)
  draw_mask(t.mask1, X.rows(), X.cols(), dropout, random);    //         (6.17)
  add_branch(X, t.attention.Y, t.mask1);                      // n x d   (6.18)
  norm2.forward(X, t.norm2);                                  // n x d   (6.15)
  feed_forward.forward(t.norm2.Y, t.feed_forward);            // n x d   (6.16)
  draw_mask(t.mask2, X.rows(), X.cols(), dropout, random);    //         (6.17)
  add_branch(X, t.feed_forward.Y, t.mask2);                   // n x d   (6.18)
}

template <class T>
void Block<T>::backward(Matrix<T>& dX, Layout layout, const Trace& t, Room& room, Block& d) const {
  const Matrix<T>& dF = branch_gradient(dX, t.mask2, room.dbranch);  // (6.18) back
  feed_forward.backward(t.norm2.Y, t.feed_forward, dF,               // n x d   (6.16) back
                        room.feed_forward, d.feed_forward, room.dN);
  norm2.backward(t.norm2, room.dN, d.norm2, dX);                     // (6.15) back
  const Matrix<T>& dA = branch_gradient(dX, t.mask1, room.dbranch);  // (6.18) back
  attention.backward(t.norm1.Y, layout, t.attention, dA,             // n x d   (6.13) to (6.1) back
                     room.attention, d.attention, room.dN);
  norm1.backward(t.norm1, room.dN, d.norm1, dX);  // (6.15) back
}

template <class T>
Transformer<T>::Transformer(const TransformerForm& f)
    : form(f), blocks(f.layers, Block<T>(f)), norm(f.width, f.biases) {}

template <class T>
Tensors<T> Transformer<T>::tensors() {
  Tensors<T> all;
  for (std::size_t b = 0; b < blocks.size(); ++b) append(all, "blocks." + std::to_string(b) + ".", blocks[b].tensors());
  append(all, "norm.", norm.tensors());
  return all;
}

template <class T>
void Transformer<T>::forward(Matrix<T>& X, Layout layout, Trace& t, Random* random) const {
  t.blocks.resize(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b].forward(X, layout, t.blocks[b], random);
  norm.forward(X, t.norm);  // n x d   (6.15)
}

template <class T>
void Transformer<T>::backward(Layout layout, const Trace& t, const Matrix<T>& dY,  // n x d
                              Room& room, Transformer& d, Matrix<T>& dX) const {
  make_room(dX, dY.rows(), dY.cols());
  std::fill(dX.values().begin(), dX.values().end(), T(0));  // back
  norm.backward(t.norm, dY, d.norm, dX);                    // n x d   (6.15) back
  for (std::size_t b = blocks.size(); b-- > 0;)
    blocks[b].backward(dX, layout, t.blocks[b], room.block, d.blocks[b]);  // back
}

template struct Block<float>;
template struct Block<double>;
template struct Transformer<float>;
template struct Transformer<double>;

}  // namespace lesson6
