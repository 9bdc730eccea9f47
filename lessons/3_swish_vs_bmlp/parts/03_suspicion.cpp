// Lesson 3, part 3: the suspicion: the BMLP's loss stops where least squares does, and nobody trained that.
// SPDX-License-Identifier: MIT
#include "common/support/lesson.hpp"
#include "lessons/3_swish_vs_bmlp/floors.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"
#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"

namespace lesson3 {
namespace {

// The small case of README.md: a line through (0, 0), (1, 1), (2, 4).
void line_by_hand(Lesson& lesson) {
  const Matrix<double> Phi = affine_features({{0}, {1}, {2}}), T{{0}, {1}, {4}};
  const Matrix<double> w = least_squares(Phi, T);
  lesson.note("The line by hand: Cholesky finds w0 = ", fixed(w(0, 0), 4), ", w1 = ", fixed(w(1, 0), 4), ".");
  lesson.claim("w0 and w1, max |diff|", max_abs_difference(w, {{-1.0 / 3}, {2}}), at_most(1e-14));  // a dozen roundings
}

}  // namespace

void part3(Lesson& lesson, Session& session) {
  line_by_hand(lesson);
  const Rows& rows = session.suite().train;
  const Matrix<double> w = least_squares(linear_features(rows.X), rows.T);
  const Matrix<double> error = matmul(linear_features(rows.X), w) - rows.T;
  const double floor = mean_square(error);
  const Matrix<double> slope = 1 / double(rows.size()) * matmul(transpose(linear_features(rows.X)), error);
  lesson.claim("slope of the loss at w, largest entry", largest_entry(slope),
               at_most(1e-13));  // sums of 4,096 terms of size 10, each rounded

  session.bmlp();
  const Curve& bmlp = session.bmlp_curve;
  Random random(lesson.options().seed, 31);
  Swish<float> swish(Forms{suite_inputs, suite_outputs}.bare_swish, random);
  const Curve curve = train_and_watch(swish, rows, session.training(), Random(lesson.options().seed, 32));

  plot::Chart chart;
  chart.title = "Suite A: who gets below the line that a linear map cannot cross?";
  chart.x.title = "step";
  chart.y = {.title = "mean squared error, training rows (logarithmic)", .log = true};
  chart.series = {{"swish MLP, no biases", curve.steps, curve.losses}, {"BMLP", bmlp.steps, bmlp.losses}};
  chart.levels = {{"linear least squares", floor}};
  lesson.predict(
      "The BMLP ends at " + fixed(bmlp.losses.back(), 3) + ". How many times the loss of the best linear map is that?",
      bmlp.losses.back() / floor);
  lesson.picture("floor", chart);
  lesson.say("At the end: BMLP, ", parameters_of(session.bmlp()), " parameters, ", fixed(bmlp.losses.back(), 6),
             "; swish MLP without biases, ", parameters_of(swish), ", ", fixed(curve.losses.back(), 6),
             "; the best linear map, solved for, ", w.size(), ", ", fixed(floor, 6), ".");
  // Never below, but for the rounding of float outputs; a little above for AdamW's decay and its last steps.
  lesson.claim("BMLP: not below the floor, loss over floor - 1", bmlp.losses.back() / floor - 1, at_least(-1e-6));
  lesson.claim_trained("BMLP: on the floor, loss over floor - 1", bmlp.losses.back() / floor - 1,
                       at_most(3e-4 + 4.5 * 0.5e-4));  // mean and spread over 20 seeds
  lesson.claim_trained("swish MLP: through the floor, loss over floor", curve.losses.back() / floor,
                       at_most(0.458 + 4.5 * 0.0065));  // likewise
}

}  // namespace lesson3
