// Lesson 4: what its parts share.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/frame/lesson/part.hpp"
#include "common/gradcheck.hpp"
#include "common/model_losses.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"
#include "lessons/4_bilinear_gates/train.hpp"

namespace lesson4 {

constexpr knob::Range in_quarters{-3, 3, 0.25};

// Numbers of one's own, which part 10 reads.
inline constexpr knob::TextFile data_flag{
    "data", "part 10: numbers from a file, a row a line, its target the last"};
constexpr int part_of_data = 10;

// Throws UserError where part 10 cannot use what --data or --table give it.
void check_rows(const Options& options);

class Session {
 public:
  explicit Session(const Options& o) : options(o), pool(pool_of(o)) {}

  long steps(long standard, long short_run) const { return options.steps_or(standard, short_run); }

  Options options;
  Pool pool;
};

template <class Model>
struct Trained {
  Model model;
  Fit fit;
  double worst = 0;  // the highest loss of all starts
};

// Trains from random starts, and returns the net with the lowest loss.
template <class Model, class Form>
Trained<Model> best_of(Session& session, std::size_t starts, std::uint64_t stream, const Form& form,
                       const Matrix<double>& X, const LossOf& loss_of,
                       const FitSettings& settings) {
  std::vector<Trained<Model>> all(starts, {Model(form), {}, 0});
  run_grid(session.pool, "training", {starts}, [&](std::size_t k) {
    Random random(seed_of_run(session.options.seed, k), stream);
    all[k].model = Model(form, random);
    all[k].fit = fit(all[k].model, X, loss_of, settings);
  });
  const auto better = [](const auto& a, const auto& b) { return a.fit.loss < b.fit.loss; };
  const auto [best, worst] = std::minmax_element(all.begin(), all.end(), better);
  best->worst = worst->fit.loss;
  return *best;
}

// Claims all gradients through Σ R ⊙ output, in quarters, so that nothing is rounded.
template <class Model>
void claim_exactly(Lesson& lesson, const std::string& statement, Model model, std::size_t n,
                   std::size_t in, Random& random) {
  for (const auto& [name, tensor] : model.tensors())
    tensor = quarters(tensor.rows(), tensor.cols(), random);
  Matrix<double> X = quarters(n, in, random);
  const weighted_sum loss{quarters(n, output(model, X).cols(), random)};
  lesson.claim(statement, check_model(model, X, loss, Step::quadratic).worst(), exactly(0));
}

// Returns "2000 steps, rate 0.03 falling to 0".
inline std::string words_of(const FitSettings& s) {
  return join(s.steps, " steps, rate ", s.rate, s.cosine ? " falling to 0" : "");
}

// Where a failed run on XOR may stop: two corners right and two at 1/2; one right and three at
// their mean; all at 1/2.
inline constexpr std::array<double, 3> traps{1.0 / 8, 1.0 / 6, 1.0 / 4};

inline bool is_at(double loss, const Fit& f) { return std::abs(f.loss - loss) < 1e-3; }

// Adds a column for each of these losses: how many of a row's runs, its `ends`, stopped there.
template <class Contenders>
void add_traps(Table& table, const Contenders& all) {
  for (const double trap : traps) {
    table.head.push_back(join("1/", 1 / trap));
    for (std::size_t row = 0; row < all.size(); ++row) {
      const auto stopped = [&](const Fit& end) { return is_at(trap, end); };
      const auto count = std::count_if(all[row].ends.begin(), all[row].ends.end(), stopped);
      table.rows[row].push_back(significant(double(count)));
    }
  }
}

inline Factor factor_of(const std::vector<double>& weights) {
  return {weights[0], weights[1], weights[2]};
}
inline Matrix<double> matrix_of(std::size_t rows, const std::vector<double>& numbers) {
  Matrix<double> M(rows, numbers.size() / rows);
  std::copy(numbers.begin(), numbers.end(), M.values().begin());
  return M;
}

// Return a number, and "(2, -1)" for a row or column of two; -0 becomes 0.
inline std::string text_of(double number) { return significant(number + 0.0); }
inline std::string pair_text(const Matrix<double>& two) {
  return "(" + text_of(two.values()[0]) + ", " + text_of(two.values()[1]) + ")";
}

// Draws a model over the square [-1/2, 3/2]², y = 3/2 on top.
constexpr std::size_t surface_side = 21;
template <class Model>
plot::Image surface(const Model& model, const std::string& caption) {
  plot::Image image{caption, {}, {}};
  for (std::size_t down = 0; down < surface_side; ++down)
    for (std::size_t across = 0; across < surface_side; ++across) {
      const double x = -0.5 + 2 * double(across) / (surface_side - 1);
      const double y = 1.5 - 2 * double(down) / (surface_side - 1);
      image.values.push_back(output(model, Matrix<double>{{x, y}})(0, 0));
    }
  for (const auto& [x, y] : corners)
    image.grips.push_back(
        {x, y, significant(output(model, Matrix<double>{{x, y}})(0, 0) + 0.0, 2)});
  return image;
}

inline plot::Sheet surfaces(const std::string& title, const std::vector<plot::Image>& images) {
  return {.title = title + ": shades end at 0 and 1",
          .rows = surface_side,
          .cols = surface_side,
          .images = images,
          .low = 0,
          .high = 1,
          .x = {.title = "x", .low = -0.5, .high = 1.5},
          .y = {.title = "y", .low = -0.5, .high = 1.5}};
}

extern const Part<Session> part1, part2, part3, part4, part5, part6, part7, part8, part9, part10;

}  // namespace lesson4
