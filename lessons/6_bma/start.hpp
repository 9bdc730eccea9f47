// Where the weights of this lesson's models start: each part of a model says what its tensors are.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "common/matrix.hpp"
#include "common/random.hpp"

namespace lesson6 {

struct Start {
  double embeddings = 0.05;  // of symbols and places
  double weights = 0;        // 0: 1/√fan-in
  double head = 0.5;         // times the read-out's
  double gates = 0.02;       // of Wg and Wp: gates start near their `start`
  bool shrinks = true;       // branches' outputs, by √(2·layers)
  const char* name = "own";
  double outputs = 1;  // times those of Wo
};

// The lesson's own; the same with large embeddings; GPT-2's and nanoGPT's; and that of bma's
// published code, whose branches do not shrink.
inline constexpr std::array<Start, 4> starts{
    {{},
     {.embeddings = 0.5, .name = "large"},
     {.embeddings = 0.02, .weights = 0.02, .head = 1, .name = "small"},
     {.embeddings = 0.02, .weights = 0.02, .head = 1, .shrinks = false, .name = "published"}}};

// Draws tensors, one after the other. Gates have their own stream: variants of one seed share all
// else, and can be compared in pairs.
template <class T>
class Drawing {
 public:
  Drawing(const Start& start, std::size_t layers, std::uint64_t seed)
      : start_(start),
        shrink_(start.shrinks ? std::sqrt(2 * double(layers)) : 1),
        shared_(seed, 1),
        gates_(seed, 2) {}

  void gain(Matrix<T>& g) { g = Matrix<T>(g.rows(), g.cols(), T(1)); }
  void embedding(Matrix<T>& C) { draw(C, start_.embeddings, shared_); }
  void gate(Matrix<T>& W) { draw(W, start_.gates, gates_); }
  void weights(Matrix<T>& W) { draw(W, deviation(W), shared_); }
  void head(Matrix<T>& W) { draw(W, deviation(W) * start_.head, shared_); }
  // The outputs of branches shrink since they are added up (Radford et al. 2019).
  void of_feed_forward(Matrix<T>& W2) { draw(W2, deviation(W2) / shrink_, shared_); }
  void of_attention(Matrix<T>& Wo) { draw(Wo, deviation(Wo) / shrink_ * start_.outputs, shared_); }

 private:
  double deviation(const Matrix<T>& W) const {
    return start_.weights > 0 ? start_.weights : 1 / std::sqrt(double(W.rows()));
  }
  static void draw(Matrix<T>& W, double deviation, Random& random) {
    W = normal_matrix<T>(W.rows(), W.cols(), deviation, random);
  }

  Start start_;
  double shrink_;
  Random shared_, gates_;
};

// Draws a model whose parameters are all 0. Biases and shifts stay so.
template <class Model>
void draw_start(Model& model, const Start& start, std::uint64_t seed) {
  Drawing<typename Model::Number> draw(start, model.form.transformer.layers, seed);
  model.start(draw);
}

}  // namespace lesson6
