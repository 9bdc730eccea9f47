// Lesson 6, part 4: the mask task, which separates a gate of the token that attends from a gate of the token that is attended
// to. Two tokens: the first holds a content c, the second a mask κ; at the second, κ ⊙ c is asked for.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "attention.hpp"
#include "common/loss.hpp"
#include "common/optimizer.hpp"
#include "common/support/spread.hpp"

namespace mask_task {

inline constexpr std::size_t features = 8, width = 2 * features, tokens = 2;

template <class T>
struct Batch {
  Matrix<T> X;       // 2n x 16: rows 2i = [c; 0] and 2i + 1 = [0; 2κ - 1]
  Matrix<T> target;  // n x 8: κ ⊙ c
};

// n examples: c ~ N(0, I), and each entry of κ is 0 or 1 with probability 1/2.
template <class T>
void draw(std::size_t n, Random& random, Batch<T>& batch) {
  make_room(batch.X, tokens * n, width);
  make_room(batch.target, n, features);
  std::fill(batch.X.values().begin(), batch.X.values().end(), T(0));
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t mask = random.bits() >> 32;
    for (std::size_t f = 0; f < features; ++f) {
      const T c = T(random.normal()), k = T(mask >> f & 1);
      batch.X.row(2 * i)[f] = c;
      batch.X.row(2 * i + 1)[features + f] = 2 * k - 1;
      batch.target.row(i)[f] = k * c;
    }
  }
}

// What the layer says at the second token: the first 8 numbers of its output there.
template <class T>
void read_output(const Matrix<T>& Y, Matrix<T>& output) {
  make_room(output, Y.rows() / tokens, features);
  for (std::size_t i = 0; i < output.rows(); ++i)
    std::copy_n(Y.row(2 * i + 1).begin(), features, output.row(i).begin());
}

// And its gradient on the way back: 0 for all other outputs.
template <class T>
void read_output_back(const Matrix<T>& doutput, Matrix<T>& dY) {
  make_room(dY, doutput.rows() * tokens, width);
  std::fill(dY.values().begin(), dY.values().end(), T(0));  // back
  for (std::size_t i = 0; i < doutput.rows(); ++i)
    std::copy_n(doutput.row(i).begin(), features, dY.row(2 * i + 1).begin());  // back
}

struct Settings {
  long steps = 600;
  std::size_t batch = 32;
  double rate = 3e-2;  // the peak; half a cosine takes it to 0
  std::size_t tests = 20'000;
  std::uint64_t seed = 1;
};

// A causal attention layer with its output product and nothing else: no residual stream, no feed-forward. With biases:
// without them standard and half give -Y for -X, and of the target κ ⊙ c = c/2 + (κ - 1/2) ⊙ c only the first part turns its
// sign when c and 2κ - 1 do, so that R² = 1/2 would be their ceiling.
template <class T>
Attention<T> layer(Gate gate, std::size_t heads) {
  return Attention<T>({gate, width, heads});
}

// Weights normal with standard deviation 1/√fan-in, gates .02 and last; biases 0.
template <class T>
void start(Attention<T>& a, Random& random) {
  for (Matrix<T>* W : {&a.Wq, &a.Wk, &a.Wv, &a.Wo})
    *W = normal_matrix<T>(width, width, 1 / std::sqrt(double(width)), random);
  for (Matrix<T>* W : {&a.Wg, &a.Wp}) *W = normal_matrix<T>(W->rows(), W->cols(), 0.02, random);
}

// Standard attention that solves the task with one head for each feature, set by hand: at the second token the scores of
// head f are 0 for the first and -strength·(2κ_f - 1) for itself, so its weight on the first is σ(strength·(2κ_f - 1)).
template <class T>
Attention<T> by_hand(T strength) {
  Attention<T> a = layer<T>(Gate::standard, features);
  for (std::size_t f = 0; f < features; ++f) {
    const std::size_t column = f * a.form.head_width();
    a.bq(0, column) = -strength * std::sqrt(T(a.form.head_width()));  // the query is the same for all tokens
    a.Wk(features + f, column) = 1;                                   // the key is the mask
    a.Wv(f, column) = 1;                                              // the value is the content
    a.Wo(column, f) = 1;
  }
  return a;
}

// 1 - (mean squared error)/(mean square of the targets, whose mean is 0) on fresh examples, of what `answer(X, output)` puts
// into output, n x 8.
template <class T, class Answer>
double r_squared(std::size_t examples, Random random, Answer answer) {
  Batch<T> batch;
  Matrix<T> output;
  double error = 0, square = 0;
  for (std::size_t done = 0; done < examples;) {
    const std::size_t n = std::min<std::size_t>(500, examples - done);
    draw(n, random, batch);
    answer(batch.X, output);
    error += mean_squared_error(output, batch.target).value * double(n);
    square += mean_square(batch.target) * double(n);
    done += n;
  }
  return 1 - error / square;
}

template <class T>
double r_squared(const Attention<T>& layer, std::size_t examples, Random random) {
  typename Attention<T>::Trace trace;
  return r_squared<T>(examples, random, [&](const Matrix<T>& X, Matrix<T>& output) {
    layer.forward(X, {tokens}, trace);
    read_output(trace.Y, output);
  });
}

// The best that can be said without the mask: c/2.
inline double r_squared_of_half(std::size_t examples, Random random) {
  return r_squared<double>(examples, random, [](const Matrix<double>& X, Matrix<double>& output) {
    make_room(output, X.rows() / tokens, features);
    for (std::size_t i = 0; i < output.rows(); ++i)
      for (std::size_t f = 0; f < features; ++f) output.row(i)[f] = X.row(2 * i)[f] / 2;
  });
}

// What a training step needs room for, and the gradients that it finds.
template <class T>
struct Pass {
  typename Attention<T>::Trace trace, room;
  Matrix<T> output, dY, dX;
  Attention<T> gradients;

  explicit Pass(const AttentionForm& form) : gradients(form) {}

  // Returns the mean squared error of a batch; its gradients are then in `gradients`.
  double run(const Attention<T>& layer, const Batch<T>& batch) {
    layer.forward(batch.X, {tokens}, trace);
    read_output(trace.Y, output);
    const Loss<T> loss = mean_squared_error(output, batch.target);
    read_output_back(loss.gradient, dY);                                // back
    layer.backward(batch.X, {tokens}, trace, dY, room, gradients, dX);  // back
    return loss.value;
  }
};

template <class T>
void train(Attention<T>& layer, const Settings& settings, Random random) {
  AdamW<T> adam({0.9, 0.999, 1e-8, 0});
  Pass<T> pass(layer.form);
  Batch<T> batch;
  for (long step = 0; step < settings.steps; ++step) {
    draw(settings.batch, random, batch);
    pass.run(layer, batch);
    adam.step(layer.tensors(), pass.gradients.tensors(), cosine_rate(step, settings.steps, settings.rate));
  }
}

inline constexpr std::size_t masks = 1u << features;

// The mask that a second token holds, as a number.
template <class T>
std::size_t mask_of(std::span<const T> second) {
  std::size_t mask = 0;
  for (std::size_t f = 0; f < features; ++f) mask |= std::size_t(second[features + f] > 0) << f;
  return mask;
}

// What the weights on the content are made from. Each is averaged over contents, mask by mask.
struct Averaged {
  Matrix<double> weights;  // masks x heads: the mean over the contents
  double share = 0;  // of the variance of all weights: what is left of it within a mask, where only the content changes
};

template <class T>
Averaged average_weights(const Attention<T>& layer, std::size_t contents, Random random) {
  const std::size_t heads = layer.form.heads;
  Averaged found{Matrix<double>(masks, heads)};
  Batch<T> batch;
  draw(contents, random, batch);
  typename Attention<T>::Trace t;
  double within = 0;
  for (std::size_t mask = 0; mask < masks; ++mask) {
    for (std::size_t i = 0; i < contents; ++i)
      for (std::size_t f = 0; f < features; ++f) batch.X(2 * i + 1, features + f) = mask >> f & 1 ? T(1) : T(-1);
    layer.forward(batch.X, {tokens}, t);
    for (std::size_t h = 0; h < heads; ++h) {
      std::vector<double> weights;
      for (std::size_t i = 0; i < contents; ++i) weights.push_back(double(t.A((i * heads + h) * tokens + 1, 0)));
      const Spread s = spread_of(weights);
      found.weights(mask, h) = s.mean, within += s.deviation * s.deviation / double(masks);
    }
  }
  double between = 0;
  for (std::size_t h = 0; h < heads; ++h) {
    std::vector<double> means;
    for (std::size_t mask = 0; mask < masks; ++mask) means.push_back(found.weights(mask, h));
    between += spread_of(means).deviation * spread_of(means).deviation;
  }
  found.share = within / (within + between);
  return found;
}

// R² of the layer with each weight replaced by its mean over the contents: what is left when they look at the mask alone.
template <class T>
double r_squared(const Attention<T>& layer, const Averaged& averaged, std::size_t examples, Random random) {
  typename Attention<T>::Trace t;
  return r_squared<T>(examples, random, [&](const Matrix<T>& X, Matrix<T>& output) {
    layer.forward(X, {tokens}, t);
    layer.for_each_head(X.rows(), tokens, [&](const typename Attention<T>::Place& at) {
      const double weight = averaged.weights(mask_of(X.row(at.first + 1)), at.column / at.width);
      t.A(at.top + 1, 0) = T(weight), t.A(at.top + 1, 1) = T(1 - weight);
      matmul_into(at.head(t.C), at.square(t.A), at.head(layer.values_of(t)));  // 2 x dh   (6.4)
    });
    layer.finish(t);
    read_output(t.Y, output);
  });
}

// A layer after training.
inline Attention<float> trained(Gate gate, std::size_t heads, const Settings& settings) {
  Attention<float> a = layer<float>(gate, heads);
  Random random(settings.seed, 64);
  start(a, random);
  train(a, settings, Random(settings.seed, 65));
  return a;
}

}  // namespace mask_task
