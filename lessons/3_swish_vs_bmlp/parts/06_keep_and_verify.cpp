// Lesson 3, part 6: a trained model is stored, read back, and gives the same predictions, bit for bit; and the same on the
// reader's own table.
// SPDX-License-Identifier: MIT
#include <bit>
#include <numeric>

#include "lessons/3_swish_vs_bmlp/keep.hpp"
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3 {

// What is to be learned: rows in their own units, and what the columns are called.
struct Task {
  Rows train, test;
  std::vector<std::string> inputs, outputs;

  // Throws UserError, as scale_of does.
  Scales scales() const { return {scale_of(train.X, inputs), scale_of(train.T, outputs)}; }
};

// A trained model as it is stored, and what it said of the test rows before it was.
struct Kept {
  safetensors::File file;
  Matrix<double> Y;
};

static Kept train_and_keep(const std::string& key, const Task& task, const TrainingSettings& settings,
                           const Session& session) {
  const Scales scales = task.scales();
  const Rows rows = scales.to_standard(task.train);
  Kept kept;
  visit_model(key, rows.X.cols(), rows.T.cols(), [&](const auto& start) {
    Random random = session.start();
    auto model = start(random);
    train(model, rows, settings, session.batches());
    kept = {file_of(key, read_only(model), scales, session.options.seed), predict(model, scales, task.test.X)};
  });
  return kept;
}

// "-" where the targets do not vary, so that no R² exists.
static std::string score_or_dash(double r2) {
  return !std::isfinite(r2) ? "-" : std::abs(r2) < 1000 ? fixed(r2, 4) : significant(r2);
}

// R² and mean absolute error of each output.
static void show_predictions(Lesson& lesson, const Matrix<double>& Y, const Task& task) {
  const Matrix<double>& T = task.test.T;
  if (!std::all_of(Y.values().begin(), Y.values().end(), [](double y) { return std::isfinite(y); }))
    lesson.say("Some predictions are no finite numbers: these rows lie too far from those that were learned from.");
  Table quality{{"output", "R²", "mean absolute error", "standard deviation of the targets"}, {}};
  for (std::size_t o = 0; o < std::min<std::size_t>(20, T.cols()); ++o) {
    const Matrix<double> y(column_block(Y, o, 1)), t(column_block(T, o, 1)), off = add_row(t, -1 * column_means(t));
    const Matrix<double> error = column_means(map(y - t, [](double e) { return std::abs(e); }));
    quality.rows.push_back({task.outputs[o], score_or_dash(r_squared(y, t)), significant(error(0, 0), 4),
                            significant(std::sqrt(mean_square(off)), 4)});
  }
  lesson.detail(quality);
}

// Shows what a model says of the task's test rows: that of --load where there is one, or else that of --model, which is
// trained, stored under --save, and claimed to come back unharmed.
static void keep_or_use(Lesson& lesson, const Session& session, const Task& task) {
  const knob::Settings& own = session.options.own;
  if (session.loaded) {
    lesson.note("The model stored in ", own[load_flag], ":");
    return show_predictions(lesson, predict_from(*session.loaded, task.test.X, task.test.T.cols()), task);
  }
  lesson.note("The model ", own.name_of(model_flag), ", its inputs and targets in units of their standard deviations, ",
              session.training().steps, " steps:");
  const Kept kept = train_and_keep(own.name_of(model_flag), task, session.training(), session);
  const safetensors::File back = safetensors::parse(safetensors::serialize(kept.file));
  const Matrix<double> again = predict_from(back, task.test.X, kept.Y.cols());
  const auto bits = [](double y) { return std::bit_cast<std::uint64_t>(y); };  // a NaN is not equal to itself
  const std::span<const double> x = again.values(), y = kept.Y.values();
  lesson.claim(
      "stored and read back, it predicts the same in every bit",
      std::equal(x.begin(), x.end(), y.begin(), y.end(), [&](double a, double b) { return bits(a) == bits(b); }));
  if (const std::string path = own[save_flag]; !path.empty()) {
    blame("--save", [&] { safetensors::save(path, kept.file); });
    lesson.wrote(path);
  }
  show_predictions(lesson, kept.Y, task);
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  Random random(session.options.seed, 30);
  Task task{{}, {}, std::vector<std::string>(suite_inputs, "x"), {"y0", "y1", "y2", "y3"}};
  for (Rows* part : {&task.train, &task.test}) *part = draw_rows(0, session.rows(), random);
  keep_or_use(lesson, session, task);
}

extern const Part<Session> part6(6, "Keep a model, and verify it", run, "", {}, nullptr, nullptr, PartKind::further);

// Reads the file of --load, if there is one, which must hold a model for so many inputs and targets, trained with this
// seed: another would draw other rows to judge it by, some of which it has learned from. Throws UserError.
void check_load(Session& session, std::size_t inputs, std::size_t outputs) {
  const std::string path = session.options.own[load_flag], seed = std::to_string(session.options.seed);
  if (path.empty()) return;
  session.loaded = blame("--load", [&] { return safetensors::load(path); });
  blame("--load: '" + path + "'", [&] { return predict_from(*session.loaded, Matrix<double>(1, inputs), outputs); });
  const std::string then = excerpt(entry_of(*session.loaded, "seed"));
  if (then != seed)
    throw UserError("--load: '" + path + "' was trained with the seed " + then + ": say --seed " + then);
}

// ------------------------------------------------------------------------------------------------ a table of one's own

constexpr std::size_t fewest_rows = 20, most_features = 1000;

// The last columns are targets; four rows of five, drawn at random, are learned from.
static Task split_table(const NumericTable& table, std::size_t targets, std::uint64_t seed) {
  const std::size_t n = table.values.rows(), columns = table.values.cols(), inputs = columns - targets;
  if (columns <= targets)
    throw UserError(join("has ", columns, " columns, so --targets ", targets, " leaves no input"));
  if (n < fewest_rows) throw UserError(join("has ", n, " rows; at least ", fewest_rows, " are needed"));
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(seed, 30);
  random.shuffle(std::span(order));
  const auto rows = [&](std::size_t first, std::size_t count) {
    const auto begin = order.begin() + std::ptrdiff_t(first);
    const auto picked = pick_rows<double>(table.values, {begin, begin + std::ptrdiff_t(count)});
    return Rows{Matrix<double>(column_block(picked, 0, inputs)), Matrix<double>(column_block(picked, inputs, targets))};
  };
  const std::size_t learned = n - n / 5;
  const auto first_target = table.names.begin() + std::ptrdiff_t(inputs);
  return {rows(0, learned),
          rows(learned, n - learned),
          {table.names.begin(), first_target},
          {first_target, table.names.end()}};
}

// R² of the test rows for least squares and every model, in units of the standard deviations.
static void compare_on_table(Lesson& lesson, Session& session, const Task& task) {
  const Scales scales = task.scales();
  const SplitRows split{scales.to_standard(task.train), scales.to_standard(task.test)};
  const std::vector<Contender> all = contenders(split.train.X.cols(), split.train.T.cols(), session.training());
  Table table{{"model", "parameters", "rate", "R² of the test rows"}, {}};
  for (const Contender& c : all) table.rows.push_back({c.title, std::to_string(c.parameters), "", "too few rows"});
  session.run(all.size(), [&](std::size_t k) {
    if (all[k].features > std::min(most_features, split.train.size() / 2)) return;
    const std::uint64_t seed = session.options.seed;
    double rate = session.training().rate;
    if (all[k].tuned) {
      const RateSweep sweep = rates_of(all[k], split.train, seed, rate);
      rate = sweep.rates[sweep.best];
      table.rows[k][2] = sweep.text();
    }
    table.rows[k][3] = score_or_dash(r_squared(all[k].predictions(split, seed, rate), split.test.T));
  });
  lesson.show(table);
}

// Runs the models on the table of --data. Returns the exit status. Throws UserError.
int run_own_table(Session& session) {
  const std::string path = session.options.own[data_flag];
  const NumericTable table = blame("--data", [&] { return read_table(path); });
  // The numbers of the table in six places, the features of least squares twice, and what a model keeps of each row that
  // judges it (a fifth of all) on each thread.
  const double columns = double(table.values.cols());
  const double features = std::min(double(most_features), (columns + 1) * (columns + 2) / 2);
  const double numbers = 6 * columns + 2 * features + double(session.options.threads) * (columns + 600) / 5;
  check_memory("--data, --threads", 8 * double(table.values.rows()) * numbers);
  const bool loads = !session.options.own[load_flag].empty();
  const Task task = blame("--data: '" + path + "'", [&] {
    Task found = split_table(table, session.options.own[targets_flag], session.options.seed);
    if (!loads) found.scales();  // throws for a column that does not vary
    return found;
  });
  check_load(session, task.train.X.cols(), task.train.T.cols());
  Lesson lesson(session.options, "Lesson 3: the models on your table", "data");
  lesson.training_is_not_standard();
  lesson.say(table.values.rows(), " rows; inputs: ", task.train.X.cols(), ", targets: ", task.train.T.cols(),
             ". Learned from ", task.train.size(), " rows drawn at random, judged by the other ", task.test.size(),
             ".");
  if (!loads) compare_on_table(lesson, session, task);
  keep_or_use(lesson, session, task);
  return lesson.finish();
}

}  // namespace lesson3
