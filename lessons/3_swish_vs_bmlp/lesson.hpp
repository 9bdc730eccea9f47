// Lesson 3: what its parts share: its flags, the threads, and the BMLP that parts 3 and 4 look at.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>

#include "common/cases.hpp"
#include "common/support/part.hpp"
#include "common/support/safetensors.hpp"
#include "lessons/3_swish_vs_bmlp/floors.hpp"
#include "lessons/3_swish_vs_bmlp/train.hpp"

namespace lesson3 {

// The lesson's own flags.
constexpr knob::TextFile data_flag{"data", "learn this table instead (CSV: header row, numbers)"};
constexpr knob::Whole targets_flag{"targets", "how many of its last columns are targets", 1, {1, 1000, 1}};
constexpr knob::Choice model_flag{"model",
                                  "the model of part 9 and of --save",
                                  {"bmlp", "gated_mean", "product", "outer", "product2", "swish", "swish_bias"},
                                  4};
constexpr knob::Real rate_flag{"rate", "peak learning rate", 0.005, {1e-9, 100, 0}};
constexpr knob::TextFile save_flag{"save", "store that model once it is trained (safetensors)"};
constexpr knob::TextFile load_flag{"load", "use a stored model instead of training one"};

class Session {
 public:
  explicit Session(const Options& o) : options(o), pool(pool_of(o)) {}

  // Returns how the models of this run are trained: 3,000 steps, 60 under --quick.
  TrainingSettings training() const {
    return {.steps = options.steps_or(TrainingSettings().steps, 60), .rate = options.own[rate_flag]};
  }

  // Returns how many rows each part of a suite has; few for the tests.
  std::size_t rows() const { return options.quick_or<std::size_t>(512, 4096); }

  // Returns how often an experiment is repeated.
  std::size_t runs(std::size_t standard) const { return options.quick_or<std::size_t>(2, standard); }

  // Runs job(0) .. job(count - 1) on all threads, with a line of progress at a terminal.
  template <class Job>
  void run(std::size_t count, const Job& job) {
    run_with_progress(pool, "training", count, job);
  }

  // Returns suite A with the seed of the run.
  const SplitRows& suite() {
    if (!suite_) suite_ = draw_suite(0, options.seed, rows());
    return *suite_;
  }

  // Returns a model of the part as it starts, and the numbers that draw its batches.
  Random start() const { return Random(options.seed, 31); }
  Random batches() const { return Random(options.seed, 32); }

  // Returns the BMLP, trained on suite A with the seed of the run by the first part that asks.
  const Bmlp<float>& bmlp() {
    if (!bmlp_) {
      Random random = start();
      bmlp_.emplace(suite_forms.bmlp, random);
      bmlp_curve = train_and_watch("BMLP", *bmlp_, suite().train, training(), batches());
    }
    return *bmlp_;
  }

  Options options;
  Pool pool;
  std::optional<safetensors::File> loaded;  // the file of --load
  plot::Series bmlp_curve;                  // of bmlp(), once it is trained

 private:
  std::optional<Bmlp<float>> bmlp_;
  std::optional<SplitRows> suite_;
};

// ---------------------------------------------------------------------------------------------- what several parts do

// Returns the loss that the best map of these features has on the rows: no model that can use nothing else gets below.
inline double floor_of(const Matrix<double>& Phi, const Matrix<double>& T) {
  return mean_square(matmul(Phi, least_squares(Phi, T)) - T);
}

// A model, or the solution of a least squares problem, judged by what it says of the test rows once it has learned.
struct Contender {
  std::string title;
  std::size_t parameters, features;  // features: of least squares, else 0
  std::function<Matrix<double>(const SplitRows& split, std::uint64_t seed)> predictions;
};

// Returns least squares on three kinds of features, and the models in a row. In parts/06_suites.cpp.
std::vector<Contender> contenders(std::size_t in, std::size_t out, const TrainingSettings& settings);

// Returns |Δ⁰y|, |Δ¹y|, ...: differences of neighbours, of those again, and so on, the largest of each over the largest
// value. Of a polynomial of degree k all vanish from the difference k + 1 on.
inline std::vector<double> differences(std::vector<double> y) {
  std::vector<double> sizes;
  for (double most = 1e-300; !y.empty(); y.pop_back()) {
    double size = 0;
    for (const double value : y) size = std::max(size, std::abs(value));
    if (sizes.empty()) most = std::max(most, size);
    sizes.push_back(size / most);
    for (std::size_t t = 0; t + 1 < y.size(); ++t) y[t] = y[t + 1] - y[t];
  }
  return sizes;
}

// Draws a model anew and checks it through Σ R⊙Y with a fixed random R: at most quadratic in each tensor of a product
// layer, so that a step of 1 has no truncation error. All numbers are quarters, so with means over powers of 2 there is
// no rounding either.
template <class Model>
GradientReport check_through_sum(Model model, Random& random) {
  for (const auto& [name, tensor] : model.tensors()) tensor = quarters(tensor.rows(), tensor.cols(), random);
  Matrix<double> X = quarters(16, model.form.in, random);
  return check_model(model, X, weighted_sum{quarters(16, model.form.out, random)}, Step::quadratic);
}

// Draws a model anew and checks it through its mean squared error.
template <class Model>
GradientReport check_through_loss(Model model, Random& random) {
  fill_normal(model.tensors(), random, 0.5);  // larger numbers, squared twice, would round by more than 1e-7
  Matrix<double> X = normal_matrix<double>(6, model.form.in, 1, random);
  return check_model(model, X, squared_error(normal_matrix<double>(6, model.form.out, 1, random)));
}

// A task that a scene learns while one waits: 4 inputs, 1 output, which is a sum over the inputs of Legendre polynomials:
// of degree 1 with the variance 1 - bent, of `degree` with the variance bent; and noise. Polynomials of two degrees are
// uncorrelated.
struct SmallTask {
  double bent = 0.5, noise = 0;
  std::size_t degree = 2, count = 512;
  static constexpr std::size_t inputs = 4;

  Rows draw(Random& random) const {
    Rows rows{Matrix<double>(count, inputs), Matrix<double>(count, 1)};
    for (double& x : rows.X.values()) x = random.uniform(-suite_range, suite_range);
    const double straight = std::sqrt((1 - bent) / double(inputs)), curved = std::sqrt(bent / double(inputs));
    for (std::size_t i = 0; i < count; ++i) {
      for (const double x : rows.X.row(i)) {
        const std::vector<double> values = unit_legendre(degree, x / suite_range);
        rows.T(i, 0) += straight * values[1] + curved * values[degree];
      }
      rows.T(i, 0) += noise * random.normal();
    }
    return rows;
  }
};

}  // namespace lesson3
