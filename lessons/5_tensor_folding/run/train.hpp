// Lesson 5, part 6: the rivals (a softmax classifier and a ReLU net), training on images, and counting what is right.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/loss.hpp"
#include "common/optimizer.hpp"
#include "common/support/digits.hpp"
#include "net.hpp"

// logits = X·W + b: softmax regression (lesson 2 derives its loss).
template <class T>
struct LinearNet {
  using Number = T;

  Matrix<T> W, b;  // inputs x outputs, 1 x outputs

  LinearNet(std::size_t inputs, std::size_t outputs) : W(inputs, outputs), b(1, outputs) {}

  Tensors<T> tensors() { return {{"W", W}, {"b", b}}; }

  struct Trace {
    Matrix<T> X, logits;
  };
  Trace forward(Matrix<T> X) const {
    Trace t{std::move(X), {}};
    t.logits = add_row(matmul(t.X, W), b);  // n x outputs   (5.15)
    return t;
  }

  struct Gradients {
    LinearNet d;
    Matrix<T> dX;
  };
  Gradients backward(const Trace& t, const Matrix<T>& dlogits, bool with_dX = true) const {
    Gradients g{LinearNet(W.rows(), W.cols()), {}};
    g.d.W = matmul(transpose(t.X), dlogits);            // inputs x outputs   (5.15) back
    g.d.b = column_sums(dlogits);                       // 1 x outputs        (5.15) back
    if (with_dX) g.dX = matmul(dlogits, transpose(W));  // n x inputs         (5.15) back
    return g;
  }
};

// H = relu(X·W + b), logits = H·U + d (lesson 1).
template <class T>
struct ReluNet {
  using Number = T;

  Matrix<T> W, b;  // inputs x h, 1 x h
  Matrix<T> U, d;  // h x outputs, 1 x outputs

  ReluNet(std::size_t inputs, std::size_t hidden, std::size_t outputs)
      : W(inputs, hidden), b(1, hidden), U(hidden, outputs), d(1, outputs) {}

  // The start of training: lesson 1's rule for ReLU in front, N(0, 1/fan-in) behind.
  ReluNet(std::size_t inputs, std::size_t hidden, std::size_t outputs, Random& random)
      : ReluNet(inputs, hidden, outputs) {
    W = normal_matrix<T>(inputs, hidden, std::sqrt(2 / double(inputs)), random);
    U = normal_matrix<T>(hidden, outputs, 1 / std::sqrt(double(hidden)), random);
  }

  Tensors<T> tensors() { return {{"W", W}, {"b", b}, {"U", U}, {"d", d}}; }

  struct Trace {
    Matrix<T> X, H, logits;
  };
  Trace forward(Matrix<T> X) const {
    Trace t{std::move(X), {}, {}};
    t.H = add_row(matmul(t.X, W), b);                                 // n x h         (5.16)
    t.H = map(std::move(t.H), [](T z) { return z > 0 ? z : T(0); });  // n x h         (5.16)
    t.logits = add_row(matmul(t.H, U), d);                            // n x outputs   (5.17)
    return t;
  }

  struct Gradients {
    ReluNet d;
    Matrix<T> dX;
  };
  Gradients backward(const Trace& t, const Matrix<T>& dlogits, bool with_dX = true) const {
    Gradients g{ReluNet(W.rows(), W.cols(), U.cols()), {}};
    g.d.U = matmul(transpose(t.H), dlogits);                                           // h x outputs   (5.17) back
    g.d.d = column_sums(dlogits);                                                      // 1 x outputs   (5.17) back
    const Matrix<T> dH = matmul(dlogits, transpose(U));                                // n x h         (5.17) back
    const Matrix<T> dZ = zip(dH, t.H, [](T g_h, T h) { return h > 0 ? g_h : T(0); });  // n x h       (5.16) back
    g.d.W = matmul(transpose(t.X), dZ);                                                // inputs x h    (5.16) back
    g.d.b = column_sums(dZ);                                                           // 1 x h         (5.16) back
    if (with_dX) g.dX = matmul(dZ, transpose(W));                                      // n x inputs    (5.16) back
    return g;
  }
};

struct ClassifierSettings {
  long steps = 1500;
  std::size_t batch = 128;
  double rate = 3e-3;  // the peak; half a cosine takes it to 0
  double decay = 0.01;
  double noise = 0;  // standard deviation of what is added to each pixel of each batch
};

// Normal numbers to take from: drawing one for each pixel of each batch would take longer than the training. Each row of a
// batch gets a stretch that starts at random.
class NoiseBank {
 public:
  NoiseBank(double deviation, std::size_t longest, Random& random)
      : numbers_(deviation > 0 ? longest + 100'000 : 0), longest_(longest) {
    for (float& number : numbers_) number = float(deviation * random.normal());
  }

  template <class T>
  void add_to(std::span<T> row, Random& random) const {
    if (numbers_.empty()) return;
    const float* from = numbers_.data() + random.below(numbers_.size() - longest_);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] += T(from[j]);
  }

 private:
  std::vector<float> numbers_;
  std::size_t longest_;
};

// The slopes of the cross-entropy on these images, in the form of the model. Throws Diverged when the loss is a hundred
// times that of knowing nothing, or NaN.
template <class Model>
Model slopes_of(const Model& model, const Matrix<typename Model::Number>& X, const std::vector<std::uint32_t>& labels,
                long step) {
  using T = typename Model::Number;
  const auto trace = model.forward(X);
  const Loss<T> loss = softmax_cross_entropy<T>(trace.logits, labels);
  check_below(100 * std::log(10.0), loss.value, step);
  auto gradients = model.backward(trace, loss.gradient, false);  // back
  return gradients.d;
}

// Trains in place on images drawn at random with replacement. Throws Diverged as slopes_of does.
template <class Model>
void train(Model& model, const Images& images, const ClassifierSettings& settings, Random random) {
  using T = typename Model::Number;
  AdamW<T> adam({0.9, 0.999, 1e-8, settings.decay});
  const NoiseBank noise(settings.noise, images.X.cols(), random);
  Matrix<T> X(settings.batch, images.X.cols());
  std::vector<std::uint32_t> labels(settings.batch);
  for (long step = 0; step < settings.steps; ++step) {
    for (std::size_t i = 0; i < settings.batch; ++i) {
      const std::size_t picked = std::size_t(random.below(images.labels.size()));
      std::copy(images.X.row(picked).begin(), images.X.row(picked).end(), X.row(i).begin());
      labels[i] = images.labels[picked];
      noise.add_to(X.row(i), random);
    }
    Model slopes = slopes_of(model, X, labels, step);
    adam.step(model.tensors(), slopes.tensors(), cosine_rate(step, settings.steps, settings.rate));
  }
}

// The column with the largest entry of each row.
template <class T>
std::vector<std::uint32_t> largest_of_rows(const Matrix<T>& logits) {
  std::vector<std::uint32_t> found(logits.rows());
  for (std::size_t i = 0; i < logits.rows(); ++i)
    found[i] = std::uint32_t(std::max_element(logits.row(i).begin(), logits.row(i).end()) - logits.row(i).begin());
  return found;
}

// The share of rows whose largest logit is that of the label.
template <class T>
double accuracy_of(const Matrix<T>& logits, const std::vector<std::uint32_t>& labels) {
  const std::vector<std::uint32_t> found = largest_of_rows(logits);
  std::size_t right = 0;
  for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == labels[i];
  return double(right) / double(found.size());
}

template <class Model>
double accuracy(const Model& model, const Images& images) {
  return accuracy_of(model.forward(Matrix<typename Model::Number>(images.X.view())).logits, images.labels);
}
