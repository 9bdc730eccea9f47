// Lesson 6, part 6: the character language model: five attention layers, equal steps, paired seeds, and a control.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/6_bma/run/bounds.hpp"
#include "lessons/6_bma/run/memory.hpp"
#include "lessons/6_bma/run/one_run.hpp"
#include "lessons/6_bma/run/settings.hpp"

namespace lesson6 {
namespace {

std::size_t bytes_in_training(const Run& run, const Corpus& corpus) {
  LanguageModel<float>::Trace t;
  const std::size_t tokens = run.recipe.form.context;
  std::vector<std::uint32_t> batch;
  for (std::size_t k = 0; k < run.recipe.run.batch; ++k)
    batch.insert(batch.end(), corpus.text.begin(), corpus.text.begin() + std::ptrdiff_t(tokens));
  run.model.forward({batch, tokens}, t);
  return bytes_of(t) + 4 * parameters_of(run.model) * sizeof(float);  // weights, gradients, two averages
}

// The losses of the last tenth of the steps: their variance is a measure of how quietly a run ends.
double last_variance(const std::vector<double>& losses) {
  const std::size_t count = std::max<std::size_t>(2, losses.size() / 10);
  const Spread s = spread_of({losses.end() - std::ptrdiff_t(std::min(count, losses.size())), losses.end()});
  return s.deviation * s.deviation;
}

void show_variants(Lesson& lesson, Session& session, const Compared& c) {
  Table table{{"attention", "parameters", "loss", "perplexity", "memory", "variance", "spikes"}, {}};
  std::string times;
  for (std::size_t g = 0; g < c.gates.size(); ++g) {
    const Outcome& first = c.outcomes[g][0];
    double seconds = 0, steps = 0;
    std::vector<double> variances;
    std::size_t jumps = 0;
    for (const Outcome& o : c.outcomes[g]) {
      seconds += o.seconds;
      steps += double(o.losses.size());
      variances.push_back(last_variance(o.losses));
      jumps += spikes(o.losses);
    }
    table.rows.push_back({name_of(c.gates[g]), std::to_string(parameters_of(first.run.model)),
                          spread_of(c.losses[g]).text(), fixed(std::exp(spread_of(c.losses[g]).mean), 2),
                          kilobytes(bytes_in_training(first.run, session.corpus)), fixed(spread_of(variances).mean, 4),
                          std::to_string(jumps)});
    times += join("  ", pad(name_of(c.gates[g]), 10), " took ", fixed(seconds / double(c.outcomes[g].size()), 2),
                  " s a run, ", fixed(1e3 * seconds / steps, 2), " ms a step\n");
  }
  lesson.show(table);
  lesson.note(
      "Loss: nats a symbol on the last tenth of the text, mean and standard deviation over the runs; "
      "e to its mean is the perplexity. Memory: "
      "weights, gradients, averages, and what the forward pass of a batch keeps. Variance: "
      "of the batches' losses in the last tenth of the steps. Spikes: "
      "steps more than half a nat above the mean of the ten before, in all runs together. "
      "Times on one thread, with the other runs beside it:");
  lesson.detail(times);
}

// The pairs lie where many have lain. A direction is claimed where so many pairs can tell it.
void claim_settings(Lesson& lesson, const Settings& rates) {
  if (!lesson.claims_training()) {
    lesson.note(
        "With settings of your own the conclusion is yours: has bma a star against standard, and against half?");
    return;
  }
  for (std::size_t pair = 0; pair < shown_pairs.size(); ++pair) {
    const std::string name = name_of(shown_pairs[pair]);
    lesson.claim(join(name, ": furthest from the means measured before, in standard errors"), furthest(rates, pair),
                 at_most(spreads));
    const Told count = told(rates, pair);
    if (count.can > 0)
      lesson.claim(join(name, ": settings where the pairs can tell its sign, and do"), double(count.did),
                   exactly(double(count.can)));
  }
}

// Says in how many settings a pair's mean difference is beyond luck.
std::string starred(const Settings& rates, std::size_t pair) {
  std::size_t all = 0, beyond = 0;
  for (const std::vector<Setting>& settings : rates)
    for (const Setting& s : settings) {
      ++all;
      beyond += beyond_luck(s.difference(shown_pairs[pair].first, shown_pairs[pair].second));
    }
  return join(name_of(shown_pairs[pair]), " ", beyond, " of ", all);
}

void compare_settings(Lesson& lesson, Session& session) {
  const Settings rates = all_settings(session);
  lesson.say("Is it the gate, or where the weights start? ", session.seeds(),
             " pairs a start, thousandths of a nat: mean, standard error, and a star beyond luck.");
  for (const std::vector<Setting>& settings : rates) {
    lesson.say("Peak rate ", settings[0].recipe.run.rate, ":");
    lesson.show(table_of(session, settings));
  }
  lesson.figure("seeds", chart_of(rates[0]));
  lesson.say("Stars: ", starred(rates, 0), ", ", starred(rates, 2), ", ", starred(rates, 4), ".");
  claim_settings(lesson, rates);
}

}  // namespace

void part6(Lesson& lesson, Session& session) {
  const Recipe recipe = session.recipe(Gate::standard, session.options.seed);
  lesson.say("Which attention learns best? Configuration ", session.flags.config, ": ", recipe.form.transformer.layers,
             recipe.form.transformer.layers == 1 ? " layer" : " layers", ", width ", recipe.form.transformer.width,
             ", ", recipe.form.transformer.heads, " heads, context ", recipe.form.context, ", ", recipe.run.steps,
             " steps of ", recipe.run.batch, " windows, ", session.seeds(), " paired runs:");
  const Compared& c = session.comparison();
  show_variants(lesson, session, c);
  const std::vector<double> tables = table_losses(session);
  lesson.say("Tables of counts of order 2 to 5: ", fixed(tables[0], 3), ", ", fixed(tables[1], 3), ", ",
             fixed(tables[2], 3), ", ", fixed(tables[3], 3), ".");
  double worst = 0;
  for (const auto& losses : c.losses) worst = std::max(worst, spread_of(losses).mean);
  lesson.claim_trained("all five below the table of order 2, by", tables[0] - worst, at_least(0));
  compare_settings(lesson, session);
}

}  // namespace lesson6
