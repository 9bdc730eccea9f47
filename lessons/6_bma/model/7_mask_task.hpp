// Lesson 6, part 4: the mask task, which separates a gate of the token that attends from a gate of the token that is
// attended to. Two tokens: the first holds a content c, the second a mask κ; at the second, κ ⊙ c is asked for.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/loss.hpp"
#include "lessons/6_bma/model/2_gates.hpp"

namespace lesson6::mask_task {

inline constexpr std::size_t features = 8, width = 2 * features, tokens = 2;
inline constexpr std::size_t masks = 1u << features;

template <class T>
struct Batch {
  Sequences<T> X{{}, {tokens}};  // 2n x 16: rows 2i = [c; 0] and 2i + 1 = [0; 2κ - 1]
  Matrix<T> target;              // n x 8: κ ⊙ c
};

// Draws n examples: c ~ N(0, I), and each entry of κ is 0 or 1 with probability 1/2.
template <class T>
void draw(std::size_t n, Random& random, Batch<T>& batch);

// Returns what the layer says at the second token, n x 8: the first 8 numbers of its output Y there.
template <class T>
Matrix<T> read_output(const Matrix<T>& Y);

// Returns the gradient of Y: 0 for all other outputs.
template <class T>
Matrix<T> read_output_back(const Matrix<T>& doutput);

// Returns the mean squared error of what the layer says.
template <class T>
Loss<T> loss_of(const Matrix<T>& Y, const Matrix<T>& target);

// Returns a causal attention layer with its output product and nothing else: no residual stream, no feed-forward. With
// biases: without them standard and half give -Y for -X, and of the target κ ⊙ c = c/2 + (κ - 1/2) ⊙ c only the first
// part turns its sign when c and 2κ - 1 do, so that R² = 1/2 would be their ceiling. All parameters zero.
template <class T>
GatedAttention<T> layer(Gate gate, std::size_t heads);

// Returns such a layer as its training starts: weights normal with standard deviation 1/√fan-in, gates .02 and last;
// biases 0.
template <class T>
GatedAttention<T> fresh(Gate gate, std::size_t heads, Random& random);

// Returns standard attention that solves the task with one head for each feature, set by hand: at the second token the
// scores of head f are 0 for the first and -strength·(2κ_f - 1) for itself, so its weight on the first is
// σ(strength·(2κ_f - 1)).
template <class T>
GatedAttention<T> by_hand(T strength);

// Returns 1 - (mean squared error)/(mean square of the targets, whose mean is 0) of a layer on fresh examples.
template <class T>
double r_squared(const GatedAttention<T>& layer, std::size_t examples, Random random);

// Returns the same of the best that can be said without the mask: c/2.
double r_squared_of_half(std::size_t examples, Random random);

// What the weights on the content are made from. Each is averaged over contents, mask by mask.
struct Averaged {
  Matrix<double> weights;  // masks x heads: the mean over the contents
  double share = 0;  // of the variance of all weights: what is left of it within a mask, where only the content changes
};

template <class T>
Averaged average_weights(const GatedAttention<T>& layer, std::size_t contents, Random random);

// Returns R² of the layer with each weight replaced by its mean over the contents: what is left when they look at the
// mask alone.
template <class T>
double r_squared(const GatedAttention<T>& layer, const Averaged& averaged, std::size_t examples, Random random);

}  // namespace lesson6::mask_task
