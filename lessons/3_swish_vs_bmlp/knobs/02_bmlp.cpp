// Lesson 3, part 2: the BMLP's gradient check, and the forgotten path, at sizes that can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/initialize.hpp"
#include "common/support/parts.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"

namespace lesson3 {
namespace {

constexpr knob::Whole rows{"n", "rows in the batch", 16, {1, 64, 1}};
constexpr knob::Whole inputs{"d", "inputs", 8, {1, 24, 1}};
constexpr knob::Whole hidden{"h", "hidden units", 16, {1, 48, 1}};
constexpr knob::Whole outputs{"o", "outputs", 4, {1, 8, 1}};
constexpr knob::Real size{"u", "u1 and u2 are drawn from -u to u", 0.1, {0, 2, 0.01}};
constexpr knob::Choice means{"means", "over what the means are taken", {"rows", "batch"}};

struct Found {
  GradientReport right;     // of all tensors
  std::vector<double> off;  // what each entry of dW1 is off without the path through mean(H), relative, d x h
  double norm = 0;          // the norm of the error over that of dW1
};

template <class Model>
Found look(const knob::Settings& at, Random& random) {
  Model net(Sizes{at[inputs], at[hidden], at[outputs]});
  fill_normal(net.tensors(), random);
  for (Matrix<double>* u : {&net.u1, &net.u2}) *u = at[size] * uniform_matrix<double>(1, u->cols(), 1, random);
  auto X = normal_matrix<double>(at[rows], at[inputs], 1, random);
  const auto R = normal_matrix<double>(at[rows], at[outputs], 1, random);
  const auto sum = [&](const Matrix<double>& Y) { return Loss<double>{dot(R, Y), R}; };
  const Matrix<double> right = gradients(net, X, sum).d.W1;
  const Matrix<double> wrong = matmul(transpose(X), matmul(R, transpose(net.W2)));  // and nothing through mean(H)
  Found found{check_model(net, X, sum, Step::quadratic), {}, 0};
  const double least = std::max(1e-3 * largest_entry(right), 1e-300);
  for (std::size_t k = 0; k < right.size(); ++k) {
    const double w = wrong.values()[k], r = right.values()[k];
    found.off.push_back(std::abs(w - r) / std::max({std::abs(w), std::abs(r), least}));
  }
  found.norm = std::sqrt(mean_square(wrong - right) / std::max(mean_square(right), 1e-300));
  return found;
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  Random random(lesson.options().seed, 502);
  const Found found = at[means] == 0 ? look<Bmlp<double>>(at, random) : look<BmlpBatch<double>>(at, random);
  plot::HeatMap map{.title = "Relative error of each entry of dW1 without the path through mean(H)"};
  map.rows = at[inputs];
  map.cols = at[hidden];
  map.values = found.off;
  map.low = 0;
  map.high = 1;
  lesson.picture("turned_forgotten_path", map);
  const double worst = *std::max_element(found.off.begin(), found.off.end());
  lesson.say("Without that path the norm of dW1 is off by ", significant(found.norm, 2), ", its worst entry by ",
             significant(worst, 2), ": a check to 1e-2 of norms ", found.norm <= 1e-2 ? "passes" : "fails",
             ", one of every entry ", worst <= 1e-2 ? "passes" : "fails", ".");
  // Σ R⊙Y is quadratic in each tensor, so only rounding is left: of sums of up to 64·24·48 terms, some 1e-12 of the
  // largest slope, and an entry is held to a thousandth of that slope at least.
  lesson.claim("with the path: every gradient entry", found.right.worst(), at_most(1e-8));
}

}  // namespace

Bench<Session> bench2() {
  return {"When does a check of norms miss the forgotten path, and one of every entry see it?",
          {&size, &means, &rows, &inputs, &hidden, &outputs},
          run};
}

}  // namespace lesson3
