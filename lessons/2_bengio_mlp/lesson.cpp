// Lesson 2: a neural language model from an embedding table.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/lesson.hpp"

#include "common/frame/lesson/model_visitors.hpp"
#include "common/frame/terminal/terminal.hpp"

namespace lesson2 {

void equations(formula::EquationChecker& checker);
const Part<Session>* const parts[] = {&part1, &part2, &part3, &part4, &part5,
                                      &part6, &part7, &part8, &part9};

constexpr knob::TextFile text{"text", "learn this text; any bytes (the course's own play)"};
constexpr knob::Choice kind{"symbols", "what a symbol is", {"bytes", "words"}};
constexpr knob::Toggle shuffle{"shuffle", "mix the text's lines before it is split: of a list"};
constexpr knob::Whole context{"context", "symbols that the model sees", 3, {1, 64}};
constexpr knob::Whole dim{"dim", "numbers for each symbol", 8, {1, 4096}};
constexpr knob::Whole hidden{"hidden", "hidden units", 128, {1, 4096}};
constexpr knob::Toggle direct{"direct", "connections from the embeddings straight to the logits"};
// Not constexpr: the settings hold a vector, which is constant in newer libraries only.
const knob::Whole batch{"batch", "windows in a step", TrainingSettings{}.batch, {1, 65536}};
const knob::Real rate{"rate", "peak learning rate", TrainingSettings{}.rate, {1e-9, 100}};
const knob::Real decay{"decay", "weight decay", TrainingSettings{}.adam.decay, {0, 100}};
constexpr knob::Whole seeds{"seeds", "runs of parts 3 and 9", 1, {1, 100}};
constexpr knob::Whole folds{"folds", "tenths of the text by which part 9 judges", 1, {1, 10}};
constexpr knob::Whole written{"sample", "write this many symbols and stop", 0, {1, 10'000'000}};
constexpr knob::Words prompt{"prompt", "what the written text continues"};
constexpr knob::Real temperature{
    "temperature", "of what is written: below 1 safer, above 1 wilder", 1, {1e-6, 100}};
constexpr knob::TextFile save{"save", "store the trained model (safetensors)"};
constexpr knob::TextFile load{"load", "use a stored model instead of training one"};

const knob::Knobs of_the_model = {&context, &dim, &hidden, &direct, &batch, &rate, &decay};
const knob::Knobs own = {&text,    &kind,   &shuffle,     &context, &dim,   &hidden,
                         &direct,  &batch,  &rate,        &decay,   &seeds, &folds,
                         &written, &prompt, &temperature, &save,    &load};

// Throws UserError for what exceeds memory. Weights are kept twelve times (model, two averages,
// gradients of a step and two shards, a copy with its file), and once for each further shard.
static void check_size(const knob::Settings& at, std::size_t threads) {
  const double vocab = double(most_of(SymbolKind(at[kind]))), in = double(at[context] * at[dim]);
  const double h = double(at[hidden]);
  const double rows = std::max(double(at[batch]), 1024 * double(threads));
  const double weights =
      vocab * double(at[dim]) + in * h + h * vocab + (at[direct] ? in * vocab : 0);
  check_memory("--context, --dim, --hidden, --batch, --threads",
               4 * ((12 + double(at[batch]) / 64) * weights + rows * (3 * in + 4 * h + 3 * vocab)));
}

// Throws UserError when a flag would be ignored.
static void check(const Options& options) {
  const knob::Settings& at = options.own;
  const bool writes = at[written] > 0;
  if (writes && options.part) throw UserError("--part: with --sample only text is written");
  if (at.given(prompt) && !writes) throw UserError("--prompt needs --sample");
  if (at.given(temperature) && !writes && options.part != 8)
    throw UserError("--temperature needs --sample");
  if (at.given(load))
    for (const knob::Knob* flag : of_the_model)
      if (at.given(*flag)) throw UserError(flag->flag() + ": the model of --load has its own");
  if (at.given(save) && at.given(load))
    throw UserError("--save: with --load nothing is trained that could be saved");
  check_size(at, options.threads);
}

Session::Session(const Options& options)
    : flags(options.own),
      corpus(read_corpus(flags[text], flags[context], SymbolKind(flags[kind]),
                         LineOrder(flags[shuffle]))),
      pool(pool_of(options)) {
  blame("--prompt", [&] { return corpus.vocabulary.encode(flags[prompt]); });
  if (loaded()) model_ = load_model(flags[load], corpus.vocabulary);
  check_save(flags[save], options, {flags[text]});
}

bool Session::loaded() const { return flags.given(load); }

BengioForm Session::form() const {
  if (model_) return model_->form;
  return {.vocab = corpus.vocab(),
          .context = flags[context],
          .dim = flags[dim],
          .hidden = flags[hidden],
          .direct = flags[direct]};
}

TrainingSettings Session::training(long steps) const {
  TrainingSettings settings{.steps = steps, .batch = flags[batch], .rate = flags[rate]};
  settings.adam.decay = flags[decay];
  return settings;
}

std::size_t Session::seeds() const { return flags[lesson2::seeds]; }
std::size_t Session::folds() const { return flags[lesson2::folds]; }

void Session::ensure_model(const Options& options, const Watch& watch) {
  if (model_) return;
  const long steps = options.steps_or(standard_steps, 60);
  Progress progress("training", steps);
  Random random(options.seed);
  model_.emplace(form(), random);
  const bool saves = flags.given(save);
  std::optional<terminal::Interruptible> interruptible;
  if (saves) interruptible.emplace();
  const auto seen = [&](long step, double loss) {
    progress(step + 1, "loss " + fixed(loss, 3));
    if (watch && !watch(step, loss)) return false;
    return !interruptible || !interruptible->is_asked_to_end();
  };
  const long taken =
      train(*model_, corpus.part.train, training(steps), pool, Random(options.seed, 1), seen);
  if (saves) save_model(flags[save], *model_, corpus.vocabulary);
  if (taken < steps) end_interrupted(taken, steps, flags[save]);
}

std::vector<std::size_t> times_seen(Symbols train, Symbols all, std::size_t first,
                                    std::size_t count, std::size_t length, std::uint32_t padding) {
  const auto key = [](const Windows& windows, std::size_t i) {
    return std::vector<std::uint32_t>(windows.context(i).begin(), windows.context(i).end());
  };
  std::map<std::vector<std::uint32_t>, std::size_t> seen;
  const Windows known = windows_of(train, 0, train.size(), length, padding);
  for (std::size_t i = 0; i < known.size(); ++i) ++seen[key(known, i)];
  const Windows judged = windows_of(all, first, count, length, padding);
  std::vector<std::size_t> times;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const auto found = seen.find(key(judged, i));
    times.push_back(found == seen.end() ? 0 : found->second);
  }
  return times;
}

static int export_lesson(const std::string& path) {
  const Windows windows = small_windows();
  Exports to{{}, "logits"};
  to.file.metadata = {
      {"lesson", "2"},
      {"bengio",
       "E[i, k dim + a] = C[contexts[i, k], a]; H = tanh(E W1 + b1); logits = H W2 + b2; "
       "loss = mean cross-entropy in nats"},
      {"bengio_direct", "the same with logits = H W2 + b2 + E Wd"}};
  add_indices(to.file, "input.contexts", {windows.size(), windows.length}, windows.contexts);
  add_indices(to.file, "input.targets", {windows.size()}, windows.targets);
  visit_models(to);
  return write_export(path, to.file);
}

// Only the text goes to stdout. A stored model brings its own symbols.
static int write_and_stop(const Bengio<float>& model, const Vocabulary& vocabulary,
                          const Options& options) {
  const knob::Settings& at = options.own;
  const auto begun = blame("--prompt", [&] { return vocabulary.encode(at[prompt]); });
  Random random(options.seed, 8);
  const std::vector<std::uint32_t> symbols =
      sample(model, begun, at[written], at[temperature], random);
  print(at[prompt] + vocabulary.decode(symbols) + "\n");
  return 0;
}

static int run(Session& session, const Options& options) {
  Lesson lesson(options, "Lesson 2: a neural language model from an embedding table");
  const auto given = [&](const knob::Knob* flag) { return session.flags.given(*flag); };
  lesson.equations(equations);
  if (!session.corpus.shipped() || session.loaded() ||
      std::any_of(of_the_model.begin(), of_the_model.end(), given))
    lesson.training_is_not_standard();
  run_parts<Session>(lesson, session, parts);
  if (session.flags.given(save)) {
    session.ensure_model(options);  // training saves it
    lesson.wrote(session.flags[save]);
  }
  return lesson.finish(
      "Yes: told only which symbol follows which, a network finds numbers for the symbols, and "
      "predicts. Is that better than counting? " +
      session.verdict);
}

}  // namespace lesson2

int main(int argc, char** argv) {
  using namespace lesson2;
  return run_program("lesson2", [&] {
    const Options options = read_flags<Session>(
        argc, argv, "lesson2", "A neural language model from an embedding table", own, parts);
    if (!options.export_file.empty()) return export_lesson(options.export_file);
    check(options);
    const bool writes = options.own[written] > 0;
    if (writes && options.own.given(load)) {
      const Vocabulary vocabulary = stored_vocabulary(options.own[load]);
      return write_and_stop(load_model(options.own[load], vocabulary), vocabulary, options);
    }
    Session session(options);
    if (!writes) return run(session, options);
    session.ensure_model(options);
    return write_and_stop(session.model(), session.corpus.vocabulary, options);
  });
}
