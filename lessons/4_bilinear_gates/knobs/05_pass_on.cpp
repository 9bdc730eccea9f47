// Lesson 4, part 5: what a product layer with a read-out is asked to pass on, and its biases, can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"
#include "lessons/4_bilinear_gates/run/train.hpp"

namespace lesson4 {
namespace {

constexpr knob::Choice biases{"biases", "biases of the layer and of the read-out", {"without", "with"}};
constexpr knob::Choice points{"points", "mirrored: each point with its opposite; plain: any", {"mirrored", "plain"}};
constexpr knob::Whole inputs{"inputs", "numbers that are to come back", 3, {1, 5, 1}};
constexpr knob::Whole units{"units", "products", 8, {1, 12, 1}};
constexpr knob::Whole rows{"rows", "points, a mirrored one and its opposite counted once", 16, {1, 64, 1}};

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  Random random(session.options.seed, 505);
  const bool mirrored = at[points] == 0;
  const auto half = normal_matrix<double>(at[rows], at[inputs], 1, random);
  Matrix<double> X(at[rows] * (mirrored ? 2 : 1), at[inputs]);
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < X.cols(); ++j) X(i, j) = i < at[rows] ? half(i, j) : -half(i - at[rows], j);
  ProductNet net({X.cols(), at[units], X.cols(), at[biases] == 0 ? Biases::without : Biases::with}, random);
  FitSettings settings;
  settings.steps = session.options.quick_or(100L, 1000L);
  settings.enough = 0;
  settings.cosine = true;
  plot::Series line{"loss"};
  const double floor = mean_square(X);
  const Fit found =
      fit(net, X, X, settings, [&](long step, double loss) { line.add(double(step), std::clamp(loss, 1e-30, 1e3)); });
  lesson.picture("turned_identity", plot::Chart{.title = "Passing " + std::to_string(X.cols()) + " numbers on, " +
                                                         at.name_of(biases) + " biases",
                                                .x = {.title = "step", .low = 0, .high = double(settings.steps)},
                                                .y = {.title = "loss", .log = true, .low = 1e-30, .high = 1e3},
                                                .series = {line},
                                                .levels = {{"mean of x²: the answer 0", floor}}});
  lesson.say("After ", found.steps, " steps the loss is ", found.loss, ", and the answer 0 to everything has ", floor,
             ". Without biases a layer gives x and -x one answer.");
  // 1e-12: a mean of up to 640 squares, rounded.
  if (mirrored && at[biases] == 0)
    lesson.claim("without biases on mirrored points: loss over the mean of x², less 1", found.loss / floor - 1,
                 at_least(-1e-12));
}

}  // namespace

Bench<Session> bench5() {
  return {"When can a product layer pass numbers on?", {&biases, &points, &inputs, &units, &rows}, run};
}

}  // namespace lesson4
