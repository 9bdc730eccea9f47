// Lesson 6, part 4: the mask task, and what a layer reaches in it. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/model/7_mask_task.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "common/support/spread.hpp"

namespace lesson6::mask_task {

template <class T>
void draw(std::size_t n, Random& random, Batch<T>& batch) {
  Matrix<T>& X = batch.X.X;
  make_room(X, tokens * n, width);
  make_room(batch.target, n, features);
  std::fill(X.values().begin(), X.values().end(), T(0));
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t mask = random.bits() >> 32;
    for (std::size_t f = 0; f < features; ++f) {
      const T c = T(random.normal()), k = T(mask >> f & 1);
      X.row(2 * i)[f] = c;
      X.row(2 * i + 1)[features + f] = 2 * k - 1;
      batch.target.row(i)[f] = k * c;
    }
  }
}

template <class T>
Matrix<T> read_output(const Matrix<T>& Y) {
  Matrix<T> output(Y.rows() / tokens, features);
  for (std::size_t i = 0; i < output.rows(); ++i)
    std::copy_n(Y.row(2 * i + 1).begin(), features, output.row(i).begin());
  return output;
}

template <class T>
Matrix<T> read_output_back(const Matrix<T>& doutput) {
  Matrix<T> dY(doutput.rows() * tokens, width);
  for (std::size_t i = 0; i < doutput.rows(); ++i)
    std::copy_n(doutput.row(i).begin(), features, dY.row(2 * i + 1).begin());  // back
  return dY;
}

template <class T>
Loss<T> loss_of(const Matrix<T>& Y, const Matrix<T>& target) {
  Loss<T> loss = mean_squared_error(read_output(Y), target);
  loss.gradient = read_output_back(loss.gradient);  // 2n x 16   back
  return loss;
}

template <class T>
GatedAttention<T> layer(Gate gate, std::size_t heads) {
  return GatedAttention<T>({gate, width, heads});
}

template <class T>
GatedAttention<T> fresh(Gate gate, std::size_t heads, Random& random) {
  GatedAttention<T> a = layer<T>(gate, heads);
  for (Matrix<T>* W : {&a.plain.Wq, &a.plain.Wk, &a.plain.Wv, &a.plain.Wo})
    *W = normal_matrix<T>(width, width, 1 / std::sqrt(double(width)), random);
  for (Matrix<T>* W : {&a.Wg, &a.Wp}) *W = normal_matrix<T>(W->rows(), W->cols(), 0.02, random);
  return a;
}

template <class T>
GatedAttention<T> by_hand(T strength) {
  GatedAttention<T> gated = layer<T>(Gate::standard, features);
  Attention<T>& a = gated.plain;
  for (std::size_t f = 0; f < features; ++f) {
    const std::size_t column = f * a.form.head_width();
    a.bq(0, column) = -strength * std::sqrt(T(a.form.head_width()));  // the query is the same for all tokens
    a.Wk(features + f, column) = 1;                                   // the key is the mask
    a.Wv(f, column) = 1;                                              // the value is the content
    a.Wo(column, f) = 1;
  }
  return gated;
}

// ------------------------------------------------------------------------------------------------------------ scores

// R² of what `answer(X)` returns, n x 8.
template <class T, class Answer>
static double r_squared_of(std::size_t examples, Random random, Answer answer) {
  Batch<T> batch;
  double error = 0, square = 0;
  for (std::size_t done = 0; done < examples;) {
    const std::size_t n = std::min<std::size_t>(500, examples - done);
    draw(n, random, batch);
    error += mean_squared_error(answer(batch.X), batch.target).value * double(n);
    square += mean_square(batch.target) * double(n);
    done += n;
  }
  return 1 - error / square;
}

template <class T>
double r_squared(const GatedAttention<T>& layer, std::size_t examples, Random random) {
  typename GatedAttention<T>::Trace t;
  return r_squared_of<T>(examples, random, [&](const Sequences<T>& X) {
    layer.forward(X, t);
    return read_output(t.Y);
  });
}

double r_squared_of_half(std::size_t examples, Random random) {
  return r_squared_of<double>(examples, random, [](const Sequences<double>& in) {
    Matrix<double> output(in.X.rows() / tokens, features);
    for (std::size_t i = 0; i < output.rows(); ++i)
      for (std::size_t f = 0; f < features; ++f) output.row(i)[f] = in.X.row(2 * i)[f] / 2;
    return output;
  });
}

// ------------------------------------------------------------------------------------------------- averaged weights

// Mean and variance, over the contents of a batch, of the weight that a head gives to them.
template <class T>
static Spread spread_of_weights(const GatedAttention<T>& layer, const Matrix<T>& A, std::size_t h) {
  const std::size_t heads = layer.form.heads;
  std::vector<double> weights;
  for (std::size_t i = 0; i < A.rows() / (heads * tokens); ++i)
    weights.push_back(double(A((i * heads + h) * tokens + 1, 0)));
  return spread_of(weights);
}

template <class T>
Averaged average_weights(const GatedAttention<T>& layer, std::size_t contents, Random random) {
  const std::size_t heads = layer.form.heads;
  Averaged found{Matrix<double>(masks, heads)};
  Batch<T> batch;
  draw(contents, random, batch);
  typename GatedAttention<T>::Trace t;
  double within = 0;
  for (std::size_t mask = 0; mask < masks; ++mask) {
    for (std::size_t i = 0; i < contents; ++i)
      for (std::size_t f = 0; f < features; ++f) batch.X.X(2 * i + 1, features + f) = mask >> f & 1 ? T(1) : T(-1);
    layer.forward(batch.X, t);
    for (std::size_t h = 0; h < heads; ++h) {
      const Spread s = spread_of_weights(layer, t.A, h);
      found.weights(mask, h) = s.mean;
      within += s.deviation * s.deviation / double(masks);
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

// The mask that a second token holds, as a number.
template <class T>
static std::size_t mask_of(std::span<const T> second) {
  std::size_t mask = 0;
  for (std::size_t f = 0; f < features; ++f) mask |= std::size_t(second[features + f] > 0) << f;
  return mask;
}

template <class T>
double r_squared(const GatedAttention<T>& layer, const Averaged& averaged, std::size_t examples, Random random) {
  typename GatedAttention<T>::Trace t;
  return r_squared_of<T>(examples, random, [&](const Sequences<T>& in) {
    layer.forward(in, t);
    const Matrix<T>& values = layer.prepare(in.X, t);
    for_each_head(layer.plain.form, in.X.rows(), tokens, [&](const Place& at) {
      const double weight = averaged.weights(mask_of(in.X.row(at.first + 1)), at.column / at.width);
      t.A(at.top + 1, 0) = T(weight);
      t.A(at.top + 1, 1) = T(1 - weight);
      matmul_into(at.head(t.C), at.square(t.A), at.head(values));  // 2 x dh   (6.4)
    });
    layer.put_out(t);
    return read_output(t.Y);
  });
}

template void draw(std::size_t, Random&, Batch<float>&);
template void draw(std::size_t, Random&, Batch<double>&);
template Matrix<float> read_output(const Matrix<float>&);
template Matrix<double> read_output(const Matrix<double>&);
template Matrix<float> read_output_back(const Matrix<float>&);
template Matrix<double> read_output_back(const Matrix<double>&);
template Loss<float> loss_of(const Matrix<float>&, const Matrix<float>&);
template Loss<double> loss_of(const Matrix<double>&, const Matrix<double>&);
template GatedAttention<float> layer(Gate, std::size_t);
template GatedAttention<double> layer(Gate, std::size_t);
template GatedAttention<float> fresh(Gate, std::size_t, Random&);
template GatedAttention<float> by_hand(float);
template GatedAttention<double> by_hand(double);
template double r_squared(const GatedAttention<float>&, std::size_t, Random);
template double r_squared(const GatedAttention<double>&, std::size_t, Random);
template Averaged average_weights(const GatedAttention<float>&, std::size_t, Random);
template Averaged average_weights(const GatedAttention<double>&, std::size_t, Random);
template double r_squared(const GatedAttention<float>&, const Averaged&, std::size_t, Random);
template double r_squared(const GatedAttention<double>&, const Averaged&, std::size_t, Random);

}  // namespace lesson6::mask_task
