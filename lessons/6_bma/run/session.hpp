// Lesson 6: what its parts share: the flags of this lesson, the text, the images, the threads, and the trained models.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint.hpp"
#include "common/support/corpus.hpp"
#include "common/support/digits.hpp"
#include "common/support/lesson.hpp"
#include "common/support/spread.hpp"
#include "evaluate.hpp"
#include "recipe.hpp"

// The flags of lesson 6 beside those that all lessons share.
struct BmaFlags {
  std::string text, config = "C", recipe, save, load, resume, prompt, images, labels;
  std::optional<std::string> attention, head, start;
  std::optional<std::size_t> layers, heads, width, context, batch;
  std::optional<double> rate, dropout;
  std::size_t seeds = 0, sample = 0, patch = 0;
  long save_every = 0, stop_at = 0;
  double temperature = 1;
  bool class_token = false, own_model = false;  // own_model: a flag changes what is trained
};

inline BmaFlags bma_flags(Flags& flags) {
  BmaFlags f;
  const auto count = [&](const std::string& name, std::optional<std::size_t>& into, std::size_t most,
                         const std::string& help) {
    const std::size_t found = flags.count<std::size_t>(name, 0, 1, most, help);
    if (flags.given(name)) into = found, f.own_model = true;
  };
  const auto real = [&](const std::string& name, std::optional<double>& into, double above, double most,
                        const std::string& help) {
    const double found = flags.real(name, 0, above, most, help);
    if (flags.given(name)) into = found, f.own_model = true;
  };
  f.text = flags.text("--text", "FILE", "", "learn this text; any bytes (the course's own play)");
  f.config = flags.text("--config", "NAME", f.config, "what part 6 compares: A, B, C or nanogpt (C)");
  f.recipe = flags.text("--recipe", "NAME", "", "train one model of A, B, C or nanogpt, and stop");
  const std::string attention = flags.text("--attention", "NAME", "", "standard, half, bma, attending or post (bma)");
  if (flags.given("--attention")) blame("--attention", [&] { return gate_named(attention); }), f.attention = attention;
  count("--layers", f.layers, most_layers, "blocks of the transformer");
  count("--heads", f.heads, most_width, "heads of each attention");
  count("--width", f.width, most_width, "numbers for each token");
  count("--context", f.context, most_context, "symbols that the model sees");
  count("--batch", f.batch, 4096, "windows a step");
  real("--lr", f.rate, 0, 100, "peak learning rate");
  real("--dropout", f.dropout, -1, 0.9, "probability with which numbers are dropped (0)");
  if (f.dropout && *f.dropout < 0) throw UserError("--dropout: a probability is not negative");
  const std::string head = flags.text("--head", "NAME", "", "tied to the embedding table, or own");
  if (flags.given("--head")) f.head = head, f.own_model = true;
  if (f.head && *f.head != "tied" && *f.head != "own")
    throw UserError("--head: '" + *f.head + "' is neither tied nor own");
  const std::string start = flags.text("--start", "NAME", "", "weights: own, large, small or published (own)");
  if (flags.given("--start")) blame("--start", [&] { return start_named(start); }), f.start = start, f.own_model = true;
  f.seeds = flags.count<std::size_t>("--seeds", 0, 1, 100, "seeds of the comparisons (3; A: 5)");
  f.images = flags.text("--images", "FILE", "", "part 7: images in IDX form (drawn digits)");
  f.labels = flags.text("--labels", "FILE", "", "part 7: their labels, in IDX form");
  f.patch = flags.count<std::size_t>("--patch", 0, 1, 64, "part 7: rows and columns of a patch (3; 7 for 28 x 28)");
  f.class_token = flags.toggle("--class-token", "part 7: read the class off a token, not off the mean");
  f.sample = flags.count<std::size_t>("--sample", 0, 1, 10'000'000, "write this many symbols and stop");
  f.prompt = flags.text("--prompt", "TEXT", "", "what the writing continues");
  f.temperature = flags.real("--temperature", 1, 1e-6, 100, "below 1 safer, above 1 wilder (1)");
  f.save = flags.text("--save", "FILE", "", "store the trained model (safetensors)");
  f.save_every = flags.count<long>("--save-every", 0, 1, 1'000'000'000, "and every so many steps on the way");
  f.stop_at = flags.count<long>("--stop-at", 0, 1, 1'000'000'000, "stop the run after this step");
  f.load = flags.text("--load", "FILE", "", "parts 8 and 10 and --sample take a stored model");
  f.resume = flags.text("--resume", "FILE", "", "go on with a stored run, bit for bit");
  if (f.images.empty() != f.labels.empty()) throw UserError("--images and --labels need each other");
  if (!f.load.empty() && !f.resume.empty()) throw UserError("--load: with --resume the model comes from there");
  if (!f.save.empty() && !f.load.empty()) throw UserError("--save: with --load nothing is trained that could be saved");
  for (const char* name : {"--prompt", "--temperature"})
    if (flags.given(name) && f.sample == 0) throw UserError(std::string(name) + " needs --sample");
  const bool one = !f.recipe.empty() || !f.resume.empty();
  if (one && flags.given("--config")) throw UserError("--config: --recipe and --resume train one model");
  if (one && f.sample > 0) throw UserError("--sample: store the model with --save, then --load it");
  if (!f.recipe.empty() && !f.load.empty())
    throw UserError("--load: --recipe trains a model; --resume goes on with one");
  if (f.sample > 0 && !f.load.empty() && f.own_model) throw UserError("--load: the stored model has sizes of its own");
  if (f.save_every > 0 && f.save.empty()) throw UserError("--save-every needs --save");
  if (f.stop_at > 0 && f.save.empty()) throw UserError("--stop-at needs --save");
  if ((f.save_every > 0 || f.stop_at > 0) && !one)
    throw UserError("--save-every and --stop-at need --recipe or --resume");
  return f;
}

// One run and what was seen of it.
struct Outcome {
  Run run;
  std::vector<double> losses;  // of each step
  double seconds = 0;
};

class Session {
 public:
  // Reads the text and, under --load or --resume, the stored run. Throws UserError.
  Session(const BmaFlags& f, const Options& o, const char* program)
      : flags(f), options(o), corpus(read_corpus(f.text, program, wanted(f, o).form.context)), pool(pool_of(o)) {
    const std::string stored = !f.load.empty() ? f.load : f.resume;
    if (!stored.empty()) load(stored, !f.load.empty() ? "--load" : "--resume");
    check_save(f.save, options, {f.text, f.load, f.images, f.labels});  // a run may be stored where it came from
  }

  bool is_standard() const {
    const bool part7 = options.all || options.part == 7;
    const bool patches = !part7 || (flags.images.empty() && flags.patch == 0 && !flags.class_token);
    const bool enough = flags.seeds == 0 || flags.seeds >= 3;
    return corpus.shipped() && patches && enough && !flags.own_model && flags.load.empty() && flags.config == "C";
  }

  // What the flags ask for; the vocabulary comes from the text.
  static Recipe wanted(const BmaFlags& f, const Options& o) {
    Recipe r = f.recipe.empty() ? recipe_of(f.config, "--config") : recipe_of(f.recipe, "--recipe");
    TransformerForm& t = r.form.transformer;
    t.gate = f.attention ? gate_named(*f.attention) : f.recipe.empty() ? Gate::bma : Gate::standard;
    t.layers = f.layers.value_or(t.layers), t.heads = f.heads.value_or(t.heads), t.width = f.width.value_or(t.width);
    t.dropout = f.dropout.value_or(t.dropout);
    r.form.context = f.context.value_or(r.form.context);
    if (f.start) r.start = start_named(*f.start), r.form.tied = r.form.tied || *f.start == "published";
    if (f.head) r.form.tied = *f.head == "tied";
    r.run.batch = f.batch.value_or(r.run.batch), r.run.rate = f.rate.value_or(r.run.rate);
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

  // The recipe of the flags with another gate and seed.
  Recipe recipe(Gate gate, std::uint64_t seed) const {
    Recipe r = wanted(flags, options);
    r.form.vocab = corpus.vocab();
    r.form.transformer.gate = gate;
    r.run.seed = seed;
    return r;
  }
  Gate gate() const { return wanted(flags, options).form.transformer.gate; }

  std::size_t seeds() const {
    if (flags.seeds > 0) return flags.seeds;
    return options.quick ? 2 : flags.config == "A" ? 5 : 3;
  }

  Run fresh(const Recipe& r) const {
    Run run{r, corpus.vocabulary.symbols(), corpus.hash, LanguageModel<float>(r.form), {}};
    draw_start(run.model.tensors(), r.start, r.form.transformer.layers, r.run.seed);
    return run;
  }

  // Trains a run to its end, or to `last` steps; `watch(step, loss, trainer)` is called after each step.
  template <class Watch>
  Outcome train(Run run, Pool& threads, long last, Watch watch) const {
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
  Outcome train(const Recipe& r, Pool& threads) const {
    return train(fresh(r), threads, r.run.steps, [](long, double, const auto&) {});
  }

  // The loss on the last tenth of the text.
  double held_out(const LanguageModel<float>& model, Pool& threads, Windowing w) const {
    return mean_loss(model, corpus.text, corpus.train_end(), corpus.text.size() - corpus.train_end(), w, threads);
  }
  double held_out(const LanguageModel<float>& model, Pool& threads) const {
    return held_out(model, threads, Windowing::side_by_side(model.form));
  }

  // The model that parts 8 and 10 look at: loaded, or trained once; stored under --save.
  const Run& model() {
    if (!run_) keep(train(recipe(gate(), options.seed), pool).run);
    return *run_;
  }
  bool has_model() const { return run_.has_value(); }
  void keep(Run run) {
    run_ = std::move(run);
    if (!flags.save.empty()) save_run(flags.save, *run_);
  }

  // job(0) .. job(count - 1) on all threads, with a line of progress at a terminal.
  template <class Job>
  void each(const std::string& what, std::size_t count, const Job& job) {
    run_with_progress(pool, what, count, job);
  }

  BmaFlags flags;
  Options options;
  Corpus corpus;
  Pool pool;

 private:
  // A stored run must fit this text, and the flags that were given.
  void load(const std::string& path, const std::string& flag) {
    Run run = load_run(path, flag);
    const auto differs = [&](const Field& there, const Field& here) {
      if (there.name == "text") throw UserError(flag + ": '" + path + "' was trained on another text");
      throw UserError(flag + ": '" + path + "' differs in " + there.name + ": " + there.value + " there, " +
                      here.value + " here");
    };
    if (run.symbols != corpus.vocabulary.symbols())
      throw UserError(flag + ": '" + path + "' was trained on other symbols than those of this text");
    const std::size_t held_out = corpus.text.size() - corpus.train_end();
    if (held_out <= run.recipe.form.context)
      throw UserError(flag + ": '" + path + "' has a context of " + std::to_string(run.recipe.form.context) +
                      ", and a tenth of this text has no more than " + std::to_string(held_out) + " symbols");
    const bool resumes = flag == "--resume";
    Recipe here = run.recipe;
    apply_given(here);
    const auto a = fields_of(run.recipe, run.symbols, run.text), b = fields_of(here, run.symbols, corpus.hash);
    for (std::size_t k = 0; k < a.size(); ++k)
      if ((a[k].of_model || resumes) && a[k].value != b[k].value) differs(a[k], b[k]);
    check_memory(flag + ": '" + path + "'", run.recipe);
    run_ = std::move(run);
  }

  // Only what flags say outright.
  void apply_given(Recipe& r) const {
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
    if (all || options.steps > 0) r.run.steps = asked.run.steps, r.run.warm_up = asked.run.warm_up;
    if (all) t.biases = w.biases;
  }

  std::optional<Run> run_;
};
