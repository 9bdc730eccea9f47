// Lesson 2, part 4: the loss before training, and what a bad last layer costs.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/lesson.hpp"

namespace lesson2::p4 {

constexpr knob::Real deviation{
    "deviation", "standard deviation of W2 before training", 3, {0, 5, 0.01}};
constexpr knob::Real rate{"rate", "peak learning rate", 0.005, {0.0005, 0.03, 0.0005}};
constexpr knob::Whole length{"steps", "steps of training", 300, {5, 400, 5}};

// Draws the same numbers for every deviation of W2, but for their scale.
static Bengio<float> network(const Lesson& lesson, const Session& session, double last_deviation) {
  Random random(lesson.options().seed);
  return {plane_form(session.corpus.vocab()), random, last_deviation};
}

static plot::Series short_run(double last_deviation, const Lesson& lesson, Session& session,
                              const knob::Settings& at) {
  Bengio<float> model = network(lesson, session, last_deviation);
  const TrainingSettings settings{.steps = lesson.steps(long(at[length]), 30), .rate = at[rate]};
  plot::Series line{join("std ", last_deviation)};
  train(model, session.corpus.part.train, settings, session.pool, Random(lesson.options().seed, 1),
        [&](long step, double loss) {
          line.add(double(step + 1), loss);
          return true;
        });
  return line;
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Symbols text = session.corpus.part.train;
  const double chance = std::log(double(session.corpus.vocab()));
  const auto before = [&](double last_deviation) {  // on the first places of the text
    return mean_loss(network(lesson, session, last_deviation), text, 0,
                     std::min<std::size_t>(text.size(), 20'000), session.pool);
  };
  lesson.say("Which loss must there be before the first step? A model that knows nothing has ln ",
             session.corpus.vocab(), " = ", fixed(chance, 4),
             ". The loss depends on the standard deviation of W2:");
  Table table{{"std of W2", "loss before training"}, {}};
  for (const double std : {0.01, 0.1, 1.0, 3.0})
    table.rows.push_back({significant(std), fixed(before(std), 4)});
  lesson.show(table);
  // Float: the rounding of a logarithm of some 4.
  lesson.claim("std 0: distance from ln vocab", std::abs(before(0) - chance), at_most(1e-5));

  const plot::Chart chart{.title = "The hockey stick: loss of the batch, last layer small or large",
                          .x = {.title = "step"},
                          .y = {.title = "nats per symbol", .log = true},
                          .series = {short_run(at[deviation], lesson, session, at),
                                     short_run(0.01, lesson, session, at)},
                          .levels = {{"ln vocab", chance}}};
  lesson.figure("hockey_stick", chart);
  const double bad = spread_of_last_tenth(chart.series[0].y).mean;
  const double good = spread_of_last_tenth(chart.series[1].y).mean;
  const std::size_t all = chart.series[0].y.size();
  const double ignorant = first_below(chance, chart.series[0].y);
  lesson.say("Over the last tenth of ", all, " steps the loss is ", fixed(good, 2),
             " from std 0.01, and ", fixed(bad, 2), " from std ", at[deviation],
             ignorant < double(all)
                 ? join(", which spends ", ignorant, " steps on becoming ignorant.")
                 : std::string(", which is worse than ignorant to the end."));
  // On the first batch: 31 seeds have at most .017. A deviation of .1 begins some .1 above.
  lesson.claim_trained("the good run begins at ln vocab, off by",
                       std::abs(chart.series[1].y[0] - chance), at_most(0.035));
  // 31 seeds: 111 to 235 and .64 to 2.15; the logarithms vary by .16 and .25. A deviation of 1 has
  // .15 to .21.
  lesson.claim_trained("the bad start has become ignorant after, steps", ignorant,
                       between(75, 320));
  lesson.claim_trained("and is still behind at the end, by, nats", bad - good, at_least(0.38));
}

static std::string settings() {
  return settings_of(plane_form(0), {.steps = long(length.usual[0]), .rate = rate.usual[0]});
}

}  // namespace lesson2::p4

const Part<lesson2::Session> lesson2::part4{
    .number = 4,
    .title = "The loss before training",
    .question = "How does the last layer's start change the first steps?",
    .run = p4::run,
    .knobs = {&p4::deviation, &p4::rate, &p4::length},
    .settings = p4::settings};
