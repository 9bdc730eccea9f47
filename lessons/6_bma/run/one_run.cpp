// Lesson 6: one run of a recipe.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/one_run.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "common/ngram.hpp"
#include "lessons/6_bma/run/bounds.hpp"

namespace lesson6 {

std::vector<double> table_losses(Session& session) {
  std::vector<double> losses(4);
  const Corpus& corpus = session.corpus;
  run_with_progress(session.pool, "counting", losses.size(), [&](std::size_t k) {
    losses[k] = Ngram::kneser_ney(corpus.part.train, corpus.vocab(), k + 2).loss(corpus.text, corpus.train_end());
  });
  return losses;
}

// What the run was, in figures that its metadata hold too.
static void describe(Lesson& lesson, const Run& run) {
  const TransformerForm& f = run.recipe.form.transformer;
  const RunSettings& r = run.recipe.run;
  lesson.say(name_of(f.gate), " attention, ", f.layers, f.layers == 1 ? " layer, " : " layers, ", f.heads,
             " heads, width ", f.width, ", context ", run.recipe.form.context, ", ", parameters_of(run.model),
             " parameters. Batches of ", r.batch, ", ", r.steps, " steps, peak rate ", r.rate, ", seed ", r.seed, ".");
}

static plot::Chart curve_of(const std::vector<double>& losses, long first, const std::vector<double>& tables) {
  plot::Chart chart;
  chart.title = "Loss of the batches, mean of each fortieth of the run";
  chart.x.title = "step";
  chart.y.title = "nats a symbol";
  chart.series = {{"train", {}, {}}};
  const std::size_t each = std::max<std::size_t>(1, losses.size() / 40);
  for (std::size_t k = 0; k + each <= losses.size(); k += each) {
    const Spread mean = spread_of({losses.begin() + std::ptrdiff_t(k), losses.begin() + std::ptrdiff_t(k + each)});
    chart.series[0].x.push_back(double(first) + double(k + each));
    chart.series[0].y.push_back(mean.mean);
  }
  chart.levels = {{"Kneser-Ney, order 2", tables[0]}, {"order 4", tables[2]}};
  return chart;
}

// Trains to the end, or to --stop-at, saving on the way.
static Outcome train_on(Session& session, Run run) {
  const long steps = run.recipe.run.steps, first = run.state.steps();
  const long last = session.flags.stop_at > 0 ? std::min(session.flags.stop_at, steps) : steps;
  Progress progress("training", steps);
  Run kept = run;
  return session.train(std::move(run), session.pool, last,
                       [&](long step, double loss, const LanguageTrainer<float>& trainer) {
                         progress(step, "loss " + fixed(loss, 3));
                         if (session.flags.save_every == 0 || step % session.flags.save_every != 0 || step <= first)
                           return;
                         kept.model = trainer.model();
                         kept.state = trainer.state();
                         save_run(session.flags.save, kept);
                       });
}

// hash() of the small Shakespeare on which the recipe was published.
static constexpr std::uint64_t shakespeare_hash = 0x4016c93c3be74c18;

// What nanoGPT's recipe reaches on that text, standard attention. Over six seeds, side by side: 1.907 ± .006;
// overlapping, over three of them: 1.882, which moves with it.
static void claim_recipe(Lesson& lesson, const Session& session, const Run& run, double loss, double overlapping) {
  const bool published = session.flags.recipe == "nanogpt" && !session.flags.own_model && session.options.steps == 0 &&
                         run.state.steps() == run.recipe.run.steps && run.text == shakespeare_hash;
  if (!published || session.options.quick) return;
  lesson.claim("the recipe's loss, windows side by side", loss, within(1.907, spreads * 0.006));
  lesson.claim("windows overlapping by half", overlapping, within(1.882, spreads * 0.006));
}

// What is there before the first step of this program.
static void show_start(Lesson& lesson, Session& session, const Run& start) {
  describe(lesson, start);
  const long first = start.state.steps();
  if (first == start.recipe.run.steps) lesson.say("It had ended; nothing is left to do.");
  else if (first > 0) lesson.say("It goes on after step ", first, ".");
  const LanguageForm& form = start.recipe.form;
  const std::size_t some = std::min(64 * form.context, session.corpus.text.size() - session.corpus.train_end());
  lesson.say(first > 0 ? "Loss of the stored model" : "Loss before the first step", ", on ", some,
             " symbols that it is not trained on: ",
             fixed(mean_loss(start.model, session.corpus.text, session.corpus.train_end(), some, side_by_side(form),
                             session.pool),
                   4),
             "; knowing nothing is ln ", form.vocab, " = ", fixed(std::log(double(form.vocab)), 4), ".");
}

static void show_losses(Lesson& lesson, const Corpus& corpus, const std::vector<double>& tables, long steps,
                        double loss, double overlapping) {
  lesson.say("Losses on the last tenth of the text:");
  Table table{{"model", "nats a symbol"}, {}};
  for (std::size_t k = 0; k < tables.size(); ++k)
    table.rows.push_back({join("Kneser-Ney table of order ", k + 2), fixed(tables[k], 4)});
  const std::string after = join("this model after ", steps, " steps");
  table.rows.push_back({after + ", windows side by side", fixed(loss, 4)});
  table.rows.push_back({after + ", windows overlapping by half", fixed(overlapping, 4)});
  lesson.show(table);
  const Comparable c = comparable(corpus, loss);
  lesson.say("Side by side, whatever a symbol is: ", fixed(c.nats_a_byte, 4), " nats a byte, perplexity ",
             fixed(c.word_perplexity, 0), " a word.");
  lesson.say(
      "Side by side is how the literature measures: a window's first symbols are predicted from next to nothing. "
      "A table sees its whole context at each place; windows that overlap are the fairer match for it.");
}

static void show_speed(Lesson& lesson, const Outcome& o) {
  const double operations = operations_a_step(o.run.recipe.form, o.run.recipe.run.batch);
  lesson.say("Training took ", fixed(o.seconds, 1), " s, ", fixed(1e3 * o.seconds / double(o.losses.size()), 2),
             " ms a step of ", fixed(operations * 1e-9, 2),
             " billion operations: ", fixed(operations * 1e-9 * double(o.losses.size()) / o.seconds, 0),
             " billion a second. `make bench` measures what this machine can do at most.");
}

int one_run(Session& session) {
  Lesson lesson(session.options, "Lesson 6: one run", "run");
  Run start = session.flags.resume.empty() ? session.fresh(session.recipe(session.gate(), session.options.seed))
                                           : session.model();
  show_start(lesson, session, start);
  const long first = start.state.steps();
  const std::vector<double> tables = table_losses(session);
  Outcome o = train_on(session, std::move(start));
  const double loss = session.held_out(o.run.model, session.pool);
  const double with_overlap = session.held_out(o.run.model, session.pool, overlapping(o.run.model.form));
  if (!o.losses.empty()) lesson.picture("run", curve_of(o.losses, first, tables));
  show_losses(lesson, session.corpus, tables, o.run.state.steps(), loss, with_overlap);
  claim_recipe(lesson, session, o.run, loss, with_overlap);
  if (!o.losses.empty()) show_speed(lesson, o);
  session.keep(std::move(o.run));
  if (!session.flags.save.empty()) lesson.wrote(session.flags.save);
  return lesson.finish();
}

}  // namespace lesson6
