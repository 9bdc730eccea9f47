// Lesson 6: does a product inside attention help, and which product?
// Run: make lesson6
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/lesson.hpp"

#include <chrono>

#include "common/frame/terminal/terminal.hpp"
#include "lessons/6_bma/export.hpp"

namespace lesson6 {

void equations(formula::EquationChecker& checker);
static const Part<Session>* const parts[] = {&part1, &part2, &part3, &part4, &part5,
                                             &part6, &part7, &part8, &part9};

// ------------------------------------------------------------------------------------------- flags

static const knob::Knobs flags = {
    &flag::text,        &flag::symbols,     &flag::config,  &flag::recipe,  &flag::attention,
    &flag::layers,      &flag::heads,       &flag::width,   &flag::context, &flag::batch,
    &flag::rate,        &flag::others,      &flag::dropout, &flag::head,    &flag::start,
    &flag::seeds,       &flag::images,      &flag::labels,  &flag::pool,    &flag::sample,
    &flag::prompt,      &flag::temperature, &flag::save,    &flag::load,    &flag::resume,
    &flag::feed_forward};
static const knob::Knobs shapes = {&flag::attention, &flag::feed_forward, &flag::layers,
                                   &flag::heads,     &flag::width,        &flag::context,
                                   &flag::head,      &flag::start};
static const knob::Knobs vision = {&flag::images, &flag::labels, &flag::pool};
static const knob::Knobs training = {&flag::batch, &flag::rate, &flag::dropout};

static void check_together(const Options& o) {
  const knob::Settings& own = o.own;
  const bool writes = own[flag::sample] > 0, loads = own.given(flag::load),
             resumes = own.given(flag::resume);
  const bool one = own.given(flag::recipe) || resumes;
  const auto refuse = [&](const knob::Knobs& knobs, bool wrong, const std::string& why) {
    for (const knob::Knob* knob : knobs)
      if (wrong && own.given(*knob)) throw UserError(knob->flag() + why);
  };
  refuse({&flag::labels}, !own.given(flag::images), " needs --images");
  refuse(vision, one || writes || (!o.all && o.part != 9), " goes with --part 9 or --all");
  refuse({&flag::load}, resumes, ": with --resume the model comes from there");
  refuse({&flag::load}, own.given(flag::recipe),
         ": --recipe trains a model; --resume goes on with one");
  refuse({&flag::recipe}, resumes, ": a stored model is trained as it was");
  refuse({&flag::save}, loads, ": with --load nothing is trained that could be saved");
  refuse({&flag::prompt}, !writes, " needs --sample");
  refuse({&flag::temperature}, !writes && o.part != 8, " needs --sample");
  refuse({&flag::config, &flag::seeds}, one, ": --recipe and --resume train one model");
  refuse({&flag::sample}, one, ": store the model with --save, then --load it");
  refuse({&flag::others}, one || writes, ": only part 5 trains with two rates");
  refuse(shapes, loads || resumes, ": the stored model has its own");
  refuse(training, loads && writes, ": the stored model is not trained");
  if (writes && o.part) throw UserError("--part: with --sample only text is written");
}

// With the largest vocabulary of any text.
static Recipe wanted(const Options& o) {
  const knob::Settings& own = o.own;
  const bool one = own.given(flag::recipe);
  Recipe r = recipe_of(own.name_of(one ? flag::recipe : flag::config));
  TransformerForm& t = r.form.transformer;
  const auto set = [&](auto& value, const auto& knob) {
    if (own.given(knob)) value = std::decay_t<decltype(value)>(own[knob]);
  };
  t.gate = one && !own.given(flag::attention) ? Gate::standard : Gate(own[flag::attention]);
  t.inside = Inside(own[flag::feed_forward]);
  set(t.layers, flag::layers);
  set(t.heads, flag::heads);
  set(t.width, flag::width);
  set(t.dropout, flag::dropout);
  set(r.form.context, flag::context);
  set(r.run.batch, flag::batch);
  set(r.run.rate, flag::rate);
  set(r.run.others, flag::others);
  r.form.vocab = most_of(SymbolKind(own[flag::symbols]));
  if (own.given(flag::start)) {
    r.start = starts[own[flag::start]];
    r.form.tied = r.form.tied || r.start.name == std::string("published");
  }
  if (own.given(flag::head)) r.form.tied = own[flag::head] == 1;
  r.run.set_steps(o.steps_or(r.run.steps, 20));
  r.run.seed = o.seed;
  if (t.width % t.heads != 0)
    throw UserError(join("--heads: ", t.heads, " heads do not divide a width of ", t.width));
  return r;
}

// ---------------------------------------------------------------------------- what the parts share

// Reads the text if what follows has room.
static Corpus corpus_of(const Options& o) {
  const Recipe r = wanted(o);
  const char* const sizes = "--layers, --width, --context, --batch, --threads";
  if (o.own.given(flag::recipe)) check_memory(sizes, r);
  else check_memory(sizes, r, 8, double(o.threads));  // part 5 keeps two of each setting
  return read_corpus(o.own[flag::text], r.form.context, SymbolKind(o.own[flag::symbols]));
}

static std::optional<Images> images_of(const knob::Settings& own) {
  const std::string path = own[flag::images], labels = own[flag::labels];
  if (path.empty()) return {};
  return blame("--images", [&] {
    Images images = labels.empty() ? read_cifar(path) : read_idx(path, labels);
    vision_form(images, Pooling::mean);
    if (images.labels.size() < 100) throw UserError("at least 100 images are needed");
    return images;
  });
}

Session::Session(const Options& o)
    : options(o), own(options.own), corpus(corpus_of(o)), images(images_of(own)), pool(pool_of(o)) {
  for (const knob::TextFile* stored : {&flag::load, &flag::resume}) {
    if (!own.given(*stored)) continue;
    const std::string path = own[*stored], where = stored->flag() + ": '" + path + "'";
    run_ = load_run(path, stored->flag());
    run_->text = corpus.hash;
    if (!(run_->vocabulary == corpus.vocabulary))
      throw UserError(
          where +
          " was trained on other symbols than those of this text, or of another kind (--symbols)");
    if (held_out().size() <= run_->recipe.form.context)
      throw UserError(join(where, " has a context of ", run_->recipe.form.context,
                           ", and a tenth of this text has no more than ", held_out().size(),
                           " symbols"));
    check_memory(where, run_->recipe);
  }
  check_save(own[flag::save], options,
             {own[flag::text], own[flag::load], own[flag::images], own[flag::labels]});
}

bool Session::is_standard() const {
  bool usual = corpus.shipped() && own[flag::seeds] >= 3 && own[flag::config] == 0;
  for (const knob::Knobs& knobs : {shapes, training, vision, {&flag::load}})
    for (const knob::Knob* knob : knobs)
      usual = usual && (!own.given(*knob) || knob == &flag::attention);
  return usual;
}

Recipe Session::recipe(Gate gate) const {
  Recipe r = wanted(options);
  r.form.vocab = corpus.vocab();
  r.form.transformer.gate = gate;
  return r;
}

Gate Session::gate() const { return wanted(options).form.transformer.gate; }

std::size_t Session::seeds() const {
  if (own.given(flag::seeds)) return own[flag::seeds];
  return options.quick ? 2 : own.name_of(flag::config) == "A" ? 5 : 3;
}

Run Session::fresh(const Recipe& r) const {
  Run run{r, corpus.vocabulary, corpus.hash, LanguageModel<float>(r.form)};
  draw_start(run.model, r.start, r.run.seed);
  return run;
}

Outcome Session::train_and_keep(Run run, const Watch& watch) {
  if (!own.given(flag::save)) return train(std::move(run), pool, watch);
  const terminal::Interruptible interruptible;
  const auto goes_on = [&](long step, double loss) {
    return (!watch || watch(step, loss)) && !interruptible.is_asked_to_end();
  };
  Outcome o = train(std::move(run), pool, goes_on);
  const long steps = long(o.losses.size()), all = o.run.recipe.run.steps;
  save_run(own[flag::save], o.run);
  if (steps < all) end_interrupted(steps, all, own[flag::save]);
  return o;
}

Outcome Session::train(Run run, Pool& threads, const Watch& watch) const {
  Outcome o{std::move(run), {}, 0};
  LanguageTrainer<float> trainer(o.run.model, corpus.part.train, o.run.recipe.run, threads);
  const auto start = std::chrono::steady_clock::now();
  while (trainer.steps() < o.run.recipe.run.steps) {
    o.losses.push_back(trainer.step());
    if (watch && !watch(trainer.steps(), o.losses.back())) break;
  }
  o.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return o;
}

double Session::loss_on(Symbols part, const LanguageModel<float>& model, Pool& threads,
                        std::size_t each) const {
  return mean_loss(model, corpus.text, std::size_t(part.data() - corpus.text.data()), part.size(),
                   threads, each);
}

Symbols Session::window(std::size_t from, std::size_t count) const {
  const Symbols all = held_out();
  count = std::min(count, all.size());
  return all.subspan(std::min(from, all.size() - count), count);
}

Compared Session::compare(const Recipe& recipe, const std::string& what) {
  std::vector<Contender> contenders(all_gates.begin(), all_gates.end());
  if (recipe.run.others == 1) contenders.insert(contenders.end(), {starts_at_half, moves_by_half});
  Compared c;
  for (const Contender& who : contenders) c.runs.push_back({who, std::vector<double>(seeds())});
  run_grid(pool, what, {seeds(), contenders.size()}, [&](std::size_t k, std::size_t contender) {
    const Contender& who = contenders[contender];
    Compared::Runs& runs = c.runs[contender];
    Pool alone(1);
    Recipe one = who.in(recipe);
    one.run.seed = seed_of_run(recipe.run.seed, k);
    Outcome outcome = train(fresh(one), alone);
    runs.losses[k] = loss_on(held_out(), outcome.run.model, alone);
    if (k > 0) return;
    runs.training = std::move(outcome.losses);
    if (who == Gate::bma) c.bma = std::move(outcome.run);
    if (who == Gate::half) c.half = std::move(outcome.run);
  });
  return c;
}

const Compared& Session::comparison() {
  if (!comparison_) comparison_ = compare(recipe(Gate::standard), "training");
  return *comparison_;
}

const Run& Session::shown() {
  if (run_ || gate() != Gate::bma) return model();
  return *comparison().bma;
}

const Run& Session::model() {
  if (!run_) run_ = train_and_keep(fresh(recipe(gate()))).run;
  return *run_;
}

// --------------------------------------------------------------- one run alone: --recipe, --resume

static plot::Chart curve_of(const std::vector<double>& losses) {
  plot::Chart chart{.title = "Loss of the batches, mean of each fortieth of the run"};
  chart.x.title = "step";
  chart.y.title = "nats per symbol";
  chart.series = {{.name = "train"}};
  const std::size_t each = std::max<std::size_t>(1, losses.size() / 40);
  for (auto k = losses.begin(); losses.end() - k >= std::ptrdiff_t(each); k += std::ptrdiff_t(each))
    chart.series[0].add(double(k - losses.begin()) + double(each),
                        spread_of({k, k + std::ptrdiff_t(each)}).mean);
  return chart;
}

static int one_run(Session& session) {
  Lesson lesson(session.options, "Lesson 6: one run", "run");
  Run start = session.own.given(flag::resume) ? session.model()
                                              : session.fresh(session.recipe(session.gate()));
  RunSettings& r = start.recipe.run;
  if (session.own.given(flag::resume)) {
    const Recipe asked = session.recipe(start.recipe.form.transformer.gate);
    if (session.own.given(flag::batch)) r.batch = asked.run.batch;
    if (session.own.given(flag::rate)) r.rate = asked.run.rate;
    r.set_steps(session.options.steps_or(r.steps, 20));
    r.seed = asked.run.seed;
  }
  const LanguageForm& form = start.recipe.form;
  const TransformerForm& f = form.transformer;
  lesson.say(name_of(f.gate), " attention, ", f.layers, f.layers == 1 ? " layer, " : " layers, ",
             f.heads, " heads, width ", f.width, ", context ", form.context, ", ",
             parameters_of(start.model), " parameters. Batches of ", r.batch, ", ", r.steps,
             " steps, peak rate ", r.rate, ", seed ", r.seed, ".");
  const Symbols window = session.window(0, 64 * form.context);
  const double before = session.loss_on(window, start.model, session.pool);
  lesson.say("Before the first step the loss on ", window.size(),
             " symbols that are not trained on is ", fixed(before, 4),
             ". A model that knows nothing has ln ", form.vocab, " = ",
             fixed(std::log(double(form.vocab)), 4), ".");
  if (session.own.given(flag::resume))
    lesson.say(
        "The weights go on; the rest begins anew: AdamW's averages, the climb of the rate "
        "and the order of the windows (--seed). So the loss may rise at first.");
  Progress progress("training", r.steps);
  Outcome o = session.train_and_keep(std::move(start), [&](long step, double loss) {
    progress(step, "loss " + fixed(loss, 3));
    return true;
  });
  lesson.picture("run", curve_of(o.losses));
  const auto held_out = [&](std::size_t each) {
    return session.loss_on(session.held_out(), o.run.model, session.pool, each);
  };
  const double loss = held_out(0), half_overlapping = held_out((o.run.model.form.context + 1) / 2);
  lesson.say(
      "Loss on the last tenth of the text after ", o.losses.size(), " steps: ", fixed(loss, 4),
      " with windows side by side, ", fixed(half_overlapping, 4),
      " overlapping by half. Side by side is how the literature measures: a window's first symbols are predicted "
      "from next to nothing.");
  if (o.run.model.form.context > 1)
    lesson.claim("windows that overlap are other windows: the losses differ by",
                 std::abs(loss - half_overlapping), at_least(1e-9));
  lesson.say("Side by side, whatever a symbol is: ", comparable(session.corpus, loss).text());
  lesson.say("Training took ", fixed(o.seconds, 1), " s, ",
             fixed(1e3 * o.seconds / double(o.losses.size()), 2), " ms a step.");
  if (session.own.given(flag::save)) lesson.wrote(session.own[flag::save]);
  return lesson.finish();
}

// ------------------------------------------------------------------------------------- the program

// Only the text goes to stdout. A stored model brings its own symbols.
static int write_and_stop(const Run& run, const Options& options) {
  const std::string prompt = options.own[flag::prompt];
  const std::vector<std::uint32_t> symbols =
      blame("--prompt", [&] { return run.vocabulary.encode(prompt); });
  Random random(options.seed, 5);
  print(prompt +
        run.vocabulary.decode(write(run.model, symbols, options.own[flag::sample],
                                    options.own[flag::temperature], random)) +
        "\n");
  return 0;
}

static const char* const title =
    "Lesson 6: does a product inside attention help, and which product?";

static int show_parts(Session& session) {
  Lesson lesson(session.options, title);
  if (!session.is_standard()) lesson.training_is_not_standard();
  lesson.equations(equations);
  run_parts<Session>(lesson, session, parts);
  if (session.own.given(flag::save)) {
    session.model();  // training stores it
    lesson.wrote(session.own[flag::save]);
  }
  return lesson.finish(
      "A product in attention helps when its gate belongs to the token that holds the information: the one that "
      "attends in the mask task, the one that is read in the same task turned round. " +
      session.answer);
}

static int run(const Options& options) {
  const knob::Settings& own = options.own;
  check_together(options);
  if (!options.export_file.empty()) return write_export(options.export_file, exported());
  if (options.list_equations) Lesson(options, title).equations(equations);  // they need no text
  if (own[flag::sample] > 0 && own.given(flag::load))
    return write_and_stop(load_run(own[flag::load], "--load"), options);
  Session session(options);
  if (own.given(flag::recipe) || own.given(flag::resume)) return one_run(session);
  if (own[flag::sample] > 0) return write_and_stop(session.model(), options);
  return show_parts(session);
}

}  // namespace lesson6

int main(int argc, char** argv) {
  return run_program("lesson6", [&] {
    const Options options = read_flags<lesson6::Session>(
        argc, argv, "lesson6", "Does a product inside attention help, and which product?",
        lesson6::flags, lesson6::parts);
    return lesson6::run(options);
  });
}
