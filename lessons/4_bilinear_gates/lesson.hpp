// Lesson 4: what its parts share.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/lesson/part.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"
#include "lessons/4_bilinear_gates/train.hpp"

namespace lesson4 {

class Session {
 public:
  explicit Session(const Options& o) : options(o), pool(pool_of(o)) {}

  // Runs job(0) .. job(count - 1) on all threads, with a line of progress at a terminal.
  template <class Job>
  void run(const std::string& what, std::size_t count, const Job& job) {
    run_with_progress(pool, what, count, job);
  }
  long steps(long standard, long short_run) const { return options.steps_or(standard, short_run); }

  Options options;
  Pool pool;
};

// Trains nets of one form from so many random starts, and returns that with the lowest loss.
template <class Model>
struct Best {
  Model model;
  Fit fit;
};
template <class Model, class Form>
Best<Model> best_of(Session& session, std::size_t starts, std::uint64_t stream, const Form& form,
                    const Matrix<double>& X, const LossOf& loss_of, const FitSettings& settings) {
  std::vector<Best<Model>> found(starts, {Model(form), {}});
  session.run("training", starts, [&](std::size_t k) {
    Random random(seed_of_run(session.options.seed, k), stream);
    found[k].model = Model(form, random);
    found[k].fit = fit(found[k].model, X, loss_of, settings);
  });
  const auto better = [](const auto& a, const auto& b) { return a.fit.loss < b.fit.loss; };
  return *std::min_element(found.begin(), found.end(), better);
}

// Says what a training was: "Adam, 2000 steps at a rate of 0.03 falling to 0".
inline std::string words_of(const FitSettings& s) {
  return join("Adam, ", s.steps, " steps at a rate of ", s.rate, s.cosine ? " falling to 0" : "");
}

// Return what the numbers of a knob stand for.
inline Factor factor_of(const std::vector<double>& weights) {
  return {weights[0], weights[1], weights[2]};
}
inline Matrix<double> matrix_of(std::size_t rows, const std::vector<double>& numbers) {
  Matrix<double> M(rows, numbers.size() / rows);
  std::copy(numbers.begin(), numbers.end(), M.values().begin());
  return M;
}

// Returns a number, or "(2, -1)" of a row or a column of two; -0 is written as 0.
inline std::string text_of(double number) { return significant(number + 0.0); }
inline std::string pair_text(const Matrix<double>& two) {
  return "(" + text_of(two.values()[0]) + ", " + text_of(two.values()[1]) + ")";
}

// Returns what a model says over the square [-1/2, 3/2]², y = 3/2 on top.
constexpr std::size_t surface_side = 21;
template <class Model>
plot::Image surface(const Model& model, const std::string& caption) {
  Matrix<double> X(surface_side * surface_side, 2);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    X(i, 0) = -0.5 + 2 * double(i % surface_side) / (surface_side - 1);
    X(i, 1) = 1.5 - 2 * double(i / surface_side) / (surface_side - 1);
  }
  const Matrix<double> Y = output(model, X);
  return {caption, {Y.values().begin(), Y.values().end()}};
}

// Returns such images side by side, shaded from 0 to 1.
inline plot::Sheet surfaces(const std::string& title, const std::vector<plot::Image>& images) {
  return {.title = title + ", x and y from -1/2 to 3/2; shades end at 0 and 1",
          .rows = surface_side,
          .cols = surface_side,
          .images = images,
          .low = 0,
          .high = 1};
}

extern const Part<Session> part1, part2, part3, part4, part5, part6, part7, part8, part9;

}  // namespace lesson4
