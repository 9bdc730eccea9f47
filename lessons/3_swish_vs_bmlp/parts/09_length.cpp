// Lesson 3, part 9: does the order of section 6 last when training does?
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3::p9 {

constexpr long shares[] = {27, 9, 3, 1};  // of the steps
constexpr std::size_t lengths = std::size(shares);

static std::vector<Contender> contenders(const TrainingSettings& settings) {
  return {network("swish MLP", settings, start_of<Swish<float>>(suite_forms.swish)),
          network("two product layers", settings, start_of<Product2<float>>(suite_forms.product2)),
          network("gate, β = 1", settings,
                  start_of<SwishGate<float>>(GateForm{suite_forms.product, 1}))};
}

// Returns what the first contender is ahead of another, in pairs of runs.
static Spread lead(const std::vector<Judged>& judged, std::size_t over) {
  std::vector<double> differences;
  for (std::size_t k = 0; k < judged[0].r2[0].size(); ++k)
    differences.push_back(counted(judged[0].r2[0][k]) - counted(judged[over].r2[0][k]));
  return spread_of(differences);
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const std::size_t runs = session.runs(session.options.all ? 6 : 3);
  lesson.say("Swish and two others on suite A, each at its best rate for each length, R² of ", runs,
             " runs, with standard errors in brackets:");
  Table table{{"steps", "swish MLP", "two product layers", "gate, β = 1", "swish - products",
               "swish - gate"},
              {}};
  std::vector<Judged> judged;
  std::size_t lost = 0;
  for (std::size_t k = 0; k < lengths; ++k) {
    TrainingSettings settings = session.training();
    settings.steps = std::max(1L, settings.steps / shares[k]);
    judged = judge(session, contenders(settings), {session.suite(0, runs)}, settings);
    table.rows.push_back({join(settings.steps)});
    for (const Judged& one : judged) {
      table.rows[k].push_back(spread_of_scores(one.r2[0]).with_error(3));
      lost += diverged(one.r2[0]);
    }
    for (const std::size_t other : {1u, 2u})
      table.rows[k].push_back(lead(judged, other).with_error(3));
  }
  lesson.show(table);
  say_diverged(lesson, lost);
  // As in part 6, at its length.
  lesson.claim_trained("at the longest: swish minus two product layers", lead(judged, 1).mean,
                       between(0.115, 0.25));
  lesson.claim_trained("... and minus the gate", lead(judged, 2).mean, between(0.03, 0.19));
}

}  // namespace lesson3::p9

const Part<lesson3::Session> lesson3::part9{.number = 9,
                                            .title = "Is the better one only faster?",
                                            .kind = PartKind::further,
                                            .question = "",
                                            .run = p9::run};
