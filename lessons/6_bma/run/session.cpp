// Lesson 6: what its parts share.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/session.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace lesson6 {

Session::Session(const BmaFlags& f, const Options& o, const char* program)
    : flags(f),
      options(o),
      corpus(read_corpus(f.text, program, wanted(f, o).form.context, f.symbols)),
      pool(pool_of(o)) {
  const std::string stored = !f.load.empty() ? f.load : f.resume;
  if (!stored.empty()) load(stored, !f.load.empty() ? "--load" : "--resume");
  check_save(f.save, options, {f.text, f.load, f.images, f.labels});  // a run may be stored where it came from
}

bool Session::is_standard() const {
  const bool part7 = options.all || options.part == 7;
  const bool usual_patches = !part7 || (flags.images.empty() && flags.patch == 0 && !flags.class_token);
  const bool enough = flags.seeds == 0 || flags.seeds >= 3;
  return corpus.shipped() && usual_patches && enough && !flags.own_model && flags.load.empty() && flags.config == "C";
}

Recipe Session::wanted(const BmaFlags& f, const Options& o) {
  Recipe r = f.recipe.empty() ? recipe_of(f.config, "--config") : recipe_of(f.recipe, "--recipe");
  TransformerForm& t = r.form.transformer;
  t.gate = f.attention ? gate_named(*f.attention) : f.recipe.empty() ? Gate::bma : Gate::standard;
  t.layers = f.layers.value_or(t.layers);
  t.heads = f.heads.value_or(t.heads);
  t.width = f.width.value_or(t.width);
  t.dropout = f.dropout.value_or(t.dropout);
  r.form.context = f.context.value_or(r.form.context);
  r.form.vocab = most_of(f.symbols);
  if (f.start) {
    r.start = start_named(*f.start);
    r.form.tied = r.form.tied || *f.start == "published";
  }
  if (f.head) r.form.tied = *f.head == "tied";
  r.run.batch = f.batch.value_or(r.run.batch);
  r.run.rate = f.rate.value_or(r.run.rate);
  r.run.steps = o.steps_or(r.run.steps, 20);
  r.run.warm_up = warm_up_of(r.run.steps);
  r.run.seed = o.seed;
  if (t.width % t.heads != 0)
    throw UserError("--heads: " + std::to_string(t.heads) + " heads do not divide a width of " +
                    std::to_string(t.width));
  const double runs = f.recipe.empty() ? 5 * double(std::max<std::size_t>(f.seeds, 5)) : 1;  // what part 6 compares
  check_memory("--layers, --width, --context, --batch, --threads", r, runs, std::min(runs, double(o.threads)));
  return r;
}

Recipe Session::recipe(Gate gate, std::uint64_t seed) const {
  Recipe r = wanted(flags, options);
  r.form.vocab = corpus.vocab();
  r.form.transformer.gate = gate;
  r.run.seed = seed;
  return r;
}

Gate Session::gate() const { return wanted(flags, options).form.transformer.gate; }

std::size_t Session::seeds() const {
  if (flags.seeds > 0) return flags.seeds;
  return options.quick ? 2 : flags.config == "A" ? 5 : 3;
}

Run Session::fresh(const Recipe& r) const {
  Run run{r, corpus.vocabulary, corpus.hash, LanguageModel<float>(r.form), {}};
  draw_start(run.model.tensors(), r.start, r.form.transformer.layers, r.run.seed);
  return run;
}

Outcome Session::train(Run run, Pool& threads, long last, const Watch& watch) const {
  Outcome o{std::move(run), {}, 0};
  LanguageTrainer<float> trainer(o.run.model, corpus.part.train, o.run.recipe.run, threads, o.run.state);
  const auto start = std::chrono::steady_clock::now();
  while (trainer.steps() < last) {
    o.losses.push_back(trainer.step());
    watch(trainer.steps(), o.losses.back(), trainer);
  }
  o.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  o.run.state = trainer.state();
  return o;
}

Outcome Session::train(const Recipe& r, Pool& threads) const {
  return train(fresh(r), threads, r.run.steps, [](long, double, const LanguageTrainer<float>&) {});
}

double Session::held_out(const LanguageModel<float>& model, Pool& threads, const Windowing& w) const {
  return mean_loss(model, corpus.text, corpus.train_end(), corpus.text.size() - corpus.train_end(), w, threads);
}

double Session::held_out(const LanguageModel<float>& model, Pool& threads) const {
  return held_out(model, threads, side_by_side(model.form));
}

const Compared& Session::comparison() {
  if (!comparison_) comparison_ = compare(*this, recipe(Gate::standard, options.seed), seeds(), "training");
  return *comparison_;
}

const Run& Session::shown() {
  if (run_ || gate() != Gate::bma) return model();
  return comparison().outcomes[std::size_t(Gate::bma)][0].run;
}

const Run& Session::model() {
  if (!run_) keep(train(recipe(gate(), options.seed), pool).run);
  return *run_;
}

void Session::keep(Run run) {
  run_ = std::move(run);
  if (!flags.save.empty()) save_run(flags.save, *run_);
}

// A stored run must fit this text, and the flags that were given.
void Session::load(const std::string& path, const std::string& flag) {
  Run run = load_run(path, flag);
  const auto differs = [&](const Field& there, const Field& here) {
    if (there.name == "text") throw UserError(flag + ": '" + path + "' was trained on another text");
    throw UserError(flag + ": '" + path + "' differs in " + there.name + ": " + there.value + " there, " + here.value +
                    " here");
  };
  if (!(run.vocabulary == corpus.vocabulary))
    throw UserError(flag + ": '" + path +
                    "' was trained on other symbols than those of this text, or of another kind (--symbols)");
  const std::size_t held_out = corpus.text.size() - corpus.train_end();
  if (held_out <= run.recipe.form.context)
    throw UserError(flag + ": '" + path + "' has a context of " + std::to_string(run.recipe.form.context) +
                    ", and a tenth of this text has no more than " + std::to_string(held_out) + " symbols");
  const bool resumes = flag == "--resume";
  Recipe here = run.recipe;
  apply_given(here);
  const auto a = fields_of(run.recipe, run.vocabulary, run.text), b = fields_of(here, run.vocabulary, corpus.hash);
  for (std::size_t k = 0; k < a.size(); ++k)
    if ((a[k].of == Field::Of::model || resumes) && a[k].value != b[k].value) differs(a[k], b[k]);
  check_memory(flag + ": '" + path + "'", run.recipe);
  run_ = std::move(run);
}

// Puts into `r` only what flags say outright.
void Session::apply_given(Recipe& r) const {
  const Recipe asked = wanted(flags, options);
  TransformerForm& t = r.form.transformer;
  const TransformerForm& w = asked.form.transformer;
  const bool all = !flags.recipe.empty();
  if (all || flags.attention) t.gate = w.gate;
  if (all || flags.layers) t.layers = w.layers;
  if (all || flags.heads) t.heads = w.heads;
  if (all || flags.width) t.width = w.width;
  if (all || flags.context) r.form.context = asked.form.context;
  if (all || flags.start) r.start = asked.start;
  if (all || flags.head || flags.start) r.form.tied = asked.form.tied;
  if (all || flags.dropout) t.dropout = w.dropout;
  if (all || flags.batch) r.run.batch = asked.run.batch;
  if (all || flags.rate) r.run.rate = asked.run.rate;
  if (all || options.steps > 0) {
    r.run.steps = asked.run.steps;
    r.run.warm_up = asked.run.warm_up;
  }
  if (all) t.biases = w.biases;
}

}  // namespace lesson6
