// Lesson 3: its two tasks, and how models are trained and judged.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "common/frame/plot/plot.hpp"
#include "common/loss.hpp"
#include "common/training.hpp"
#include "lessons/3_swish_vs_bmlp/all_models.hpp"
#include "lessons/3_swish_vs_bmlp/floors.hpp"

namespace lesson3 {

struct SplitRows {
  Rows train, test;
};

// -------------------------------------------------------------------------------------- the suites

inline constexpr std::size_t suite_inputs = 16, suite_outputs = 4, suite_rows = 4096;
inline constexpr double suite_range = 3;  // inputs are drawn from U[-3, 3]

using Outputs = std::array<double, suite_outputs>;

inline double bump(double z) { return 2 * std::exp(-z * z); }

inline Outputs suite_a(std::span<const double> x) {  // (3.18)
  return {std::sin(2 * x[0]) + std::cos(1.5 * x[1]) + 0.03 * std::sinh(x[2] - x[3]),
          0.85 * std::tanh(x[4] + x[5]) + bump(x[6]) + 0.1 * x[7] * x[7] * x[8],
          1.85 * std::log(std::abs(x[9]) + 1) + 0.6 * x[10] * std::sin(std::numbers::pi * x[11]),
          std::cos(1.5 * x[12]) + bump(x[13]) + 0.85 * std::tanh(x[14] + x[15])};
}
inline Outputs suite_b(std::span<const double> x) {  // (3.19)
  return {x[0] * x[1] / 3, (x[2] * x[3] + x[4] * x[5]) / 4 + 0.2 * x[6],
          (x[7] * x[7] - x[8] * x[8]) / 4 - 0.2 * x[9] * x[10],
          x[11] * (x[12] + x[13] - x[14]) / 5 + 0.3 * x[15]};
}

using Suite = Outputs (*)(std::span<const double> x);
inline constexpr Suite suites[] = {suite_a, suite_b};

// Suite A adds up curves of one or two inputs, each of its own: the first of them, and how many.
struct Curve {
  std::size_t first, inputs;
};
inline constexpr Curve curves_of_a[] = {{0, 1}, {1, 1},  {2, 2},  {4, 2},  {6, 1}, {7, 2},
                                        {9, 1}, {10, 2}, {12, 1}, {13, 1}, {14, 2}};

// Returns the largest R² on suite A of a polynomial of this degree. The inputs are independent, so
// it adds up the best polynomial of each curve, by least squares on an even grid.
inline double ceiling_of(std::size_t degree) {
  constexpr std::size_t side = 100;
  double missed = 0, all = 0;
  for (const auto& [first, inputs] : curves_of_a) {
    Matrix<double> u(side * side, inputs), T(side * side, suite_outputs);
    for (std::size_t i = 0; i < u.rows(); ++i) {
      std::array<double, suite_inputs> x{};
      const std::size_t places[] = {i % side, i / side};
      for (std::size_t j = 0; j < inputs; ++j) {
        u(i, j) = (2 * double(places[j]) + 1) / side - 1;
        x[first + j] = suite_range * u(i, j);
      }
      const Outputs y = suite_a(x);
      std::copy(y.begin(), y.end(), T.row(i).begin());
    }
    missed += floor_of(monomials(u, degree), T);
    all += floor_of(monomials(u, 0), T);
  }
  return 1 - missed / all;
}

inline Rows draw_rows(Suite suite, std::size_t count, Random& random) {
  Rows rows{Matrix<double>(count, suite_inputs), Matrix<double>(count, suite_outputs)};
  for (double& x : rows.X.values()) x = random.uniform(-suite_range, suite_range);
  for (std::size_t i = 0; i < count; ++i) {
    const Outputs y = suite(rows.X.row(i));
    std::copy(y.begin(), y.end(), rows.T.row(i).begin());
  }
  return rows;
}

// Draws `rows` rows for training and as many for the test. The means of the training targets are
// subtracted from both, since networks without biases have no constant.
inline SplitRows draw_suite(Suite suite, std::uint64_t seed, std::size_t rows) {
  Random random(seed, 30);
  SplitRows split;
  for (Rows* part : {&split.train, &split.test}) *part = draw_rows(suite, rows, random);
  const Matrix<double> minus_mean = -1 * column_means(split.train.T);
  for (Rows* part : {&split.train, &split.test}) part->T = add_row(std::move(part->T), minus_mean);
  return split;
}

// ----------------------------------------------------------------------------- the models in a row

// Sizes with about equally many parameters.
struct Forms {
  std::size_t in = suite_inputs, out = suite_outputs;
  Sizes bmlp{in, 64, out}, gated_mean{in, 34, out}, product{in, 33, out};
  Product2Form product2{{in, 20, out}, 12, 12};
  SwishForm bare_swish{{in, 64, out}, Biases::without}, swish{{in, 60, out}};
};
inline constexpr Forms suite_forms{};

// Returns start(random), which draws a model of this form.
template <class Model, class Form>
auto start_of(const Form& form) {
  return [form](Random& random) { return Model(form, random); };
}

template <class Visit>
void for_each_model(Visit visit) {
  visit("BMLP as published", start_of<Bmlp<float>>(suite_forms.bmlp));
  visit("weights W1 + mean(x)·U1", start_of<GatedMean<float>>(suite_forms.gated_mean));
  visit("product layer", start_of<Product<float>>(suite_forms.product));
  visit("two product layers", start_of<Product2<float>>(suite_forms.product2));
  visit("swish MLP, no biases", start_of<Swish<float>>(suite_forms.bare_swish));
  visit("swish MLP", start_of<Swish<float>>(suite_forms.swish));
}

// ---------------------------------------------------------------------------------------- training

struct TrainingSettings {
  long steps = 3000;
  std::size_t batch = 128;  // rows drawn with replacement
  double rate = 5e-3;       // the peak; half a cosine takes it to 0
  AdamWSettings adam{};
};

template <class T>
Matrix<T> pick_rows(const Matrix<double>& from, const std::vector<std::size_t>& which) {
  Matrix<T> picked(which.size(), from.cols());
  for (std::size_t i = 0; i < which.size(); ++i)
    std::copy(from.row(which[i]).begin(), from.row(which[i]).end(), picked.row(i).begin());
  return picked;
}

// Compiled once, in models.cpp.
template <class Model>
struct Trainer {
  // Trains in place. Throws Diverged.
  static void train(Model& model, const Rows& rows, const TrainingSettings& settings, Random random,
                    const Watch& watch) {
    std::vector<std::size_t> batch(settings.batch);
    Pass<Model> pass(model);
    const auto run = [&](long) {
      for (std::size_t& i : batch) i = std::size_t(random.below(rows.size()));
      const auto X = pick_rows<float>(rows.X, batch), target = pick_rows<float>(rows.T, batch);
      return pass.run(model, X,
                      [&](const Matrix<float>& Y) { return mean_squared_error(Y, target); });
    };
    AdamW<float> adamw(settings.adam);
    // Targets have a variance near 1: nothing recovers from a million.
    constexpr double hopeless = 1e6;
    ::train(model, pass, adamw, {settings.steps, settings.rate}, hopeless, run, watch);
  }
};
extern template struct Trainer<Swish<float>>;
extern template struct Trainer<Bmlp<float>>;
extern template struct Trainer<BatchBmlp<float>>;
extern template struct Trainer<GatedMean<float>>;
extern template struct Trainer<Product<float>>;
extern template struct Trainer<Product2<float>>;
extern template struct Trainer<SwishGate<float>>;

template <class Model>
void train(Model& model, const Rows& rows, const TrainingSettings& settings, Random random,
           const Watch& watch = {}) {
  Trainer<Model>::train(model, rows, settings, random, watch);
}

template <class Model>
Matrix<double> predict(const Model& model, const Matrix<double>& X) {
  return Matrix<double>(output(model, Matrix<float>(X.view())).view());
}

template <class Model>
double loss_of(const Model& model, const Rows& rows) {
  return mean_squared_error(predict(model, rows.X), rows.T).value;
}

// Trains in place; returns the loss over all rows at some 60 steps and at the end.
template <class Model>
plot::Series train_and_watch(const std::string& name, Model& model, const Rows& rows,
                             const TrainingSettings& settings, Random random) {
  plot::Series curve{.name = name};
  const long every = std::max(1L, settings.steps / 60);
  train(model, rows, settings, random, [&](long step, double) {
    if (step % every == 0) curve.add(double(step), loss_of(model, rows));
    return true;
  });
  curve.add(double(settings.steps), loss_of(model, rows));
  return curve;
}

}  // namespace lesson3
