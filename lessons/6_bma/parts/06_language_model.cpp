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
  lesson.say(
      "Loss: nats a symbol on the last tenth of the text, mean and standard deviation over the runs; "
      "e to its mean is the perplexity. Memory: "
      "weights, gradients, averages, and what the forward pass of a batch keeps. Variance: "
      "of the batches' losses in the last tenth of the steps. Spikes: "
      "steps more than half a nat above the mean of the ten before, in all runs together. "
      "Times on one thread, with the other runs beside it:");
  lesson.show(times);
}

// What the table of a rate says, in words.
void explain_settings(Lesson& lesson, const Session& session) {
  lesson.say(
      "Why does ½ help, and is it a property of the gate or of where the weights start? "
      "Before training the attention adds much to what a token brings, a mean of what others bring, "
      "in which the token itself drowns. The same five, ",
      session.seeds(),
      " runs of each, with other starts: large, the lesson's own with embeddings ten times as large; "
      "published, the start of the code that was published with bma, all weights at .02, no branch made smaller, "
      "the head tied to the embeddings; and this untied. Token and attention: "
      "the size (root mean square) of what a token brings to the first block before training, "
      "and of what the attention adds to it. Pairs: "
      "the mean of the paired differences and, in parentheses, its standard error, "
      "in thousandths of a nat (one of them is a tenth of a percent of perplexity); "
      "a star where the mean is beyond luck: "
      "farther from 0 than it lies in nineteen cases of twenty when the truth is 0 (Student's bound). "
      "Of twenty such cells one has a star for nothing.");
}

// The pairs lie where many have lain. A direction is claimed where so many pairs can tell it.
void claim_settings(Lesson& lesson, const Settings& rates) {
  if (!lesson.claims_training()) {
    lesson.say("With settings of your own the conclusion is yours: has bma a star against standard, and against half?");
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
  lesson.say(
      "Few runs show a direction and prove nothing. Over twenty pairs (--seeds 20; "
      "README.md has that table) \"bma beats standard attention\" reproduces at the lesson's start and at the "
      "published one, and so does the constant ½ at both; at the other two there is little to reproduce. "
      "Against the control bma is worth a few thousandths of a nat, of either sign. "
      "Without the control one would have published the gate.");
}

void compare_settings(Lesson& lesson, Session& session) {
  explain_settings(lesson, session);
  const Settings rates = all_settings(session);
  for (const std::vector<Setting>& settings : rates) {
    lesson.say("Peak rate ", settings[0].recipe.run.rate, ":");
    lesson.show(table_of(session, settings));
  }
  lesson.picture("seeds", chart_of(rates[0]));
  claim_settings(lesson, rates);
}

}  // namespace

void part6(Lesson& lesson, Session& session) {
  const Recipe recipe = session.recipe(Gate::standard, session.options.seed);
  lesson.say("Configuration ", session.flags.config, ": ", recipe.form.transformer.layers,
             recipe.form.transformer.layers == 1 ? " layer" : " layers", ", width ", recipe.form.transformer.width,
             ", ", recipe.form.transformer.heads, " heads, context ", recipe.form.context, ", batches of ",
             recipe.run.batch, ", ", recipe.run.steps, " steps. Five variants, ", session.seeds(),
             " runs of each; "
             "the k-th run of each starts from the same numbers and sees the same windows as the k-th of the others, "
             "so that differences can be taken pair by pair. "
             "`half` is standard attention times ½ and has nothing to learn in its gate: the control.");
  const Compared& c = session.comparison();
  show_variants(lesson, session, c);
  const std::vector<double> tables = table_losses(session);
  lesson.say("Tables of counts on the same text (lesson 2): Kneser-Ney of order 2 ", fixed(tables[0], 3), ", 3 ",
             fixed(tables[1], 3), ", 4 ", fixed(tables[2], 3), ", 5 ", fixed(tables[3], 3),
             ". These networks are small and are trained for a moment.");
  double worst = 0;
  for (const auto& losses : c.losses) worst = std::max(worst, spread_of(losses).mean);
  lesson.claim_trained("all five below the table of order 2, by", tables[0] - worst, at_least(0));
  compare_settings(lesson, session);
}

}  // namespace lesson6
