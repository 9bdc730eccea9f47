// Lesson 3, part 3: the suspicion: the BMLP's loss stops where least squares does, and nobody trained that. The scene: the
// same on a target whose bend and noise can be turned.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3 {

constexpr knob::Real bent{"bent", "share of the target's variance that is no straight line", 0.5, {0, 1, 0.05}};
constexpr knob::Whole degree{"degree", "degree of that share", 2, {2, 6, 1}};
constexpr knob::Real noise{"noise", "standard deviation of the noise in the target", 0.2, {0, 1, 0.05}};
constexpr knob::Real rate{"rate", "peak learning rate", 0.02, {0.0005, 0.1, 0.0005}};
constexpr knob::Whole steps{"steps", "training steps", 400, {20, 2000, 20}};

static plot::Chart chart_of(const std::string& title, const plot::Series& swish, const plot::Series& bmlp,
                            double floor) {
  plot::Chart chart{.title = title};
  chart.x.title = "step";
  chart.series = {swish, bmlp};
  chart.levels = {{"linear least squares", floor}};
  return chart;
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const Matrix<double> line = least_squares(affine_features({{0}, {1}, {2}}), {{0}, {1}, {4}});
  lesson.note("The line by hand: Cholesky finds w0 = ", fixed(line(0, 0), 4), ", w1 = ", fixed(line(1, 0), 4), ".");
  lesson.claim("w0 and w1, max |diff|", max_abs_difference(line, {{-1.0 / 3}, {2}}),
               at_most(1e-14));  // a dozen roundings

  const Rows& rows = session.suite().train;
  const Matrix<double> w = least_squares(rows.X, rows.T), error = matmul(rows.X, w) - rows.T;
  const double floor = mean_square(error);
  lesson.claim("slope of the loss at w, largest entry",
               largest_entry(matmul(transpose(rows.X), error)) / double(rows.size()),
               at_most(1e-13));  // sums of 4,096 terms of size 10, each rounded
  session.bmlp();
  const plot::Series& bmlp = session.bmlp_curve;
  Random random = session.start();
  Swish<float> swish(suite_forms.bare_swish, random);
  const plot::Series curve =
      train_and_watch("swish MLP, no biases", swish, rows, session.training(), session.batches());
  const double end = bmlp.y.back();
  plot::Chart chart = chart_of("Suite A: who gets below the line that a linear map cannot cross?", curve, bmlp, floor);
  chart.y = {.title = "mean squared error, training rows (logarithmic)", .log = true};
  lesson.predict("The BMLP ends at " + fixed(end, 3) + ". How many times the loss of the best linear map is that?",
                 end / floor);
  lesson.picture("floor", chart);
  lesson.say("At the end: BMLP, ", parameters_of(session.bmlp()), " parameters, ", fixed(end, 6),
             "; swish MLP without biases, ", parameters_of(swish), ", ", fixed(curve.y.back(), 6),
             "; the best linear map, solved for, ", w.size(), ", ", fixed(floor, 6), ".");
  // Never below, but for the rounding of float outputs; a little above for AdamW's decay and its last steps.
  lesson.claim("BMLP: not below the floor, loss over floor - 1", end / floor - 1, at_least(-1e-6));
  lesson.claim_trained("BMLP: on the floor, loss over floor - 1", end / floor - 1, at_most(1e-3));
  lesson.claim_trained("swish MLP: through the floor, loss over floor", curve.y.back() / floor, at_most(0.6));
}

static void scene(Lesson& lesson, Session&, const knob::Settings& at) {
  Random random(lesson.options().seed, 503);
  const Rows rows = SmallTask{at[bent], at[noise], at[degree]}.draw(random);
  const TrainingSettings settings{.steps = long(at[steps]), .batch = 32, .rate = at[rate]};
  const Random batches(lesson.options().seed, 5031);
  Bmlp<float> bmlp(Sizes{SmallTask::inputs, 16, 1}, random);
  Swish<float> swish({{SmallTask::inputs, 16, 1}}, random);
  const plot::Series of_bmlp = train_and_watch("BMLP", bmlp, rows, settings, batches),
                     of_swish = train_and_watch("swish MLP", swish, rows, settings, batches);
  const double floor = floor_of(rows.X, rows.T), end = of_bmlp.y.back(), noise_square = at[noise] * at[noise];
  plot::Chart chart =
      chart_of(join("Bent ", at[bent], " of degree ", at[degree], ", noise ", at[noise]), of_swish, of_bmlp, floor);
  chart.y = {.title = "mean squared error, training rows", .low = 0, .high = 3};
  lesson.picture("turned_floor", chart);
  lesson.say("The best linear map leaves ", fixed(floor, 4),
             "; over all inputs, not these 512 rows, bent + noise² = ", fixed(at[bent] + noise_square, 4),
             ". The BMLP ends at ", fixed(end, 4), ", the swish MLP at ", fixed(of_swish.y.back(), 4), "; noise² is ",
             fixed(noise_square, 4), ".");
  // Float outputs are off by some 1e-6 at most, their mean squared error by no more than a few times that.
  lesson.claim("BMLP: loss minus the floor", end - floor, at_least(-1e-5));
}

extern const Part<Session> part3{3,
                                 "The suspicion",
                                 run,
                                 "Where does the BMLP stop, whatever the target, the rate and the number of steps?",
                                 {&bent, &degree, &noise, &rate, &steps},
                                 PartKind::core,
                                 scene};

}  // namespace lesson3
