// Lesson 4, part 6: the network that learns XOR, its units, its start and its rate can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "common/gradcheck.hpp"
#include "common/loss.hpp"
#include "common/support/parts.hpp"
#include "lessons/4_bilinear_gates/model/3_gates.hpp"
#include "lessons/4_bilinear_gates/model/5_hidden_net.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"
#include "lessons/4_bilinear_gates/run/train.hpp"

namespace lesson4 {
namespace {

constexpr knob::Choice kind{
    "net", "one product without a read-out, or units with one", {"product", "products", "relu", "tanh"}};
constexpr knob::Whole units{"units", "units; the one product has no others", 2, {1, 8, 1}};
constexpr knob::Whole start{"start", "which random start", 1, {1, 100, 1}};
constexpr knob::Real rate{"rate", "the rate of AdamW", 0.03, {0.001, 0.3, 0.001}};

constexpr double lowest = 1e-6, highest = 10;  // of the picture

struct Learnt {
  Fit fit = {};
  std::optional<double> resting = {};
  Matrix<double> said = {};  // at the four corners
  plot::Series line = {};
  std::optional<double> gradients = {};  // worst relative error at the start, where every unit is smooth
};

template <class Model>
Learnt learn(Model model, const FitSettings& settings, const std::string& name, bool smooth) {
  const Matrix<double> T = column_of(gate_named("XOR").truth);
  Matrix<double> X = corner_rows();
  Learnt learnt{.line = {name}};
  if (smooth)
    learnt.gradients = check_model(model, X, [&](const Matrix<double>& Y) { return mean_squared_error(Y, T); }).worst();
  learnt.fit = fit(model, X, T, settings,
                   [&](long step, double loss) { learnt.line.add(double(step), std::clamp(loss, lowest, highest)); });
  learnt.resting = resting_loss(model);
  learnt.said = output(model, X);
  return learnt;
}

Learnt learn_at(const knob::Settings& at, const FitSettings& settings, std::uint64_t seed) {
  Random random(seed_of_run(seed, at[start] - 1), 506);
  const std::size_t h = at[units];
  switch (at[kind]) {
    case 0:
      return learn(ProductLayer({2, 1}, random), settings, "one product", true);
    case 1:
      return learn(ProductNet({2, h, 1}, random), settings, join(h, " products"), true);
    case 2:
      return learn(HiddenNet({Bend::relu, 2, h, 1}, random), settings, join(h, " ReLU"), false);
    default:
      return learn(HiddenNet({Bend::tanh, 2, h, 1}, random), settings, join(h, " tanh"), true);
  }
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  FitSettings settings;
  settings.steps = session.options.quick_or(100L, 2000L);
  settings.rate = at[rate];
  const Learnt learnt = learn_at(at, settings, session.options.seed);
  lesson.picture("turned_xor",
                 plot::Chart{.title = join("XOR by ", learnt.line.name, ", start ", at[start]),
                             .x = {.title = "step", .low = 0, .high = double(settings.steps)},
                             .y = {.title = "mean squared error", .log = true, .low = lowest, .high = highest},
                             .series = {learnt.line},
                             .levels = {{"1/2 everywhere", 0.25}}});
  std::string answers;
  for (std::size_t k = 0; k < 4; ++k)
    answers += join(k == 0 ? "" : k == 3 ? " and " : ", ", fixed(learnt.said(k, 0), 3));
  lesson.say(learnt.fit.succeeded(settings) ? "It is XOR" : "It is not XOR", " after ", learnt.fit.steps,
             " steps: at 00, 10, 01 and 11 it says ", answers, ", with a loss of ", learnt.fit.loss, ".");
  if (learnt.resting) {
    lesson.say("With the units that are on and off at these corners no loss below ", *learnt.resting, " is possible.");
    lesson.claim("the loss, less what on and off allow", learnt.fit.loss - *learnt.resting,
                 at_least(-1e-12));  // rounding
  }
  // What lesson 1 asks of a sound check.
  if (learnt.gradients)
    lesson.claim("every gradient entry at the start, against numbers", *learnt.gradients, at_most(1e-7));
  lesson.claim_trained("the loss", learnt.fit.loss, at_most(settings.enough));
}

}  // namespace

Bench<Session> bench6() {
  return {"Which networks learn XOR, and from which starts?", {&kind, &units, &start, &rate}, run};
}

}  // namespace lesson4
