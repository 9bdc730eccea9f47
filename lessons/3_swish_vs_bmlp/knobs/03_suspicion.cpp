// Lesson 3, part 3: the floor of the linear maps, on a target whose bend and noise can be turned.
// SPDX-License-Identifier: MIT
#include <string>

#include "common/support/parts.hpp"
#include "lessons/3_swish_vs_bmlp/knobs/small_task.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/floors.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"

namespace lesson3 {
namespace {

constexpr knob::Real bent{"bent", "share of the target's variance that is no straight line", 0.5, {0, 1, 0.05}};
constexpr knob::Whole degree{"degree", "degree of that share", 2, {2, 6, 1}};
constexpr knob::Real noise{"noise", "standard deviation of the noise in the target", 0.2, {0, 1, 0.05}};
constexpr knob::Real rate{"rate", "peak learning rate", 0.02, {0.0005, 0.1, 0.0005}};
constexpr knob::Whole updates{"updates", "training steps", 400, {20, 2000, 20}};

TrainingSettings training_at(const knob::Settings& at) {
  TrainingSettings settings;
  settings.steps = long(at[updates]);
  settings.batch = 32;
  settings.rate = at[rate];
  return settings;
}

// The BMLP has no constant, so the floor is that of X·w.
double linear_floor(const Rows& rows) {
  return mean_square(matmul(linear_features(rows.X), least_squares(linear_features(rows.X), rows.T)) - rows.T);
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  Random random(lesson.options().seed, 503);
  const Rows rows = draw_rows({at[bent], at[noise], at[degree]}, random);
  const Random batches(lesson.options().seed, 5031);
  Bmlp<float> bmlp(Sizes{small_inputs, 16, 1}, random);
  Swish<float> swish({{small_inputs, 16, 1}, true}, random);
  const Curve of_bmlp = train_and_watch(bmlp, rows, training_at(at), batches);
  const Curve of_swish = train_and_watch(swish, rows, training_at(at), batches);
  const double floor = linear_floor(rows), theory = at[bent] + at[noise] * at[noise];
  plot::Chart chart{.title = join("Bent ", at[bent], " of degree ", at[degree], ", noise ", at[noise])};
  chart.x.title = "step";
  chart.y = {.title = "mean squared error, training rows", .low = 0, .high = 3};
  chart.series = {series_of("BMLP", of_bmlp), series_of("swish MLP", of_swish)};
  chart.levels = {{"linear least squares", floor}};
  lesson.picture("turned_floor", chart);
  lesson.say("The best linear map leaves ", fixed(floor, 4),
             "; over all inputs, not these 512 rows, bent + noise² = ", fixed(theory, 4), ". The BMLP ends at ",
             fixed(of_bmlp.losses.back(), 4), ", the swish MLP at ", fixed(of_swish.losses.back(), 4), "; noise² is ",
             fixed(at[noise] * at[noise], 4), ".");
  // Float outputs are off by some 1e-6 at most, their mean squared error by no more than a few times that.
  lesson.claim("BMLP: loss minus the floor", of_bmlp.losses.back() - floor, at_least(-1e-5));
  lesson.claim_trained("BMLP: on the floor, loss over floor - 1", of_bmlp.losses.back() / floor - 1,
                       at_most(0.0024 + 4.5 * 0.0014));  // mean and spread over 20 seeds
}

}  // namespace

Bench<Session> bench3() {
  return {"Where does the BMLP stop, whatever the target, the rate and the number of steps?",
          {&bent, &degree, &noise, &rate, &updates},
          run};
}

}  // namespace lesson3
