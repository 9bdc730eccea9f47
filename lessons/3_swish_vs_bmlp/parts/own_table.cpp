// Lesson 3: the networks of part 4 on the reader's own table. It is no part: --data runs it in their place.
// SPDX-License-Identifier: MIT
#include <numeric>

#include "lessons/3_swish_vs_bmlp/lesson.hpp"
#include "lessons/3_swish_vs_bmlp/table.hpp"

namespace lesson3 {

constexpr std::size_t fewest_rows = 20, most_features = 1000, validation_runs = 3;

// What is learned and what judges, in units of what is learned. The last columns are targets; four rows of five, drawn at
// random, are learned from. Throws UserError.
static SplitRows split_table(const NumericTable& table, std::size_t targets, std::uint64_t seed) {
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
  SplitRows split{rows(0, learned), rows(learned, n - learned)};
  const auto first_target = table.names.begin() + std::ptrdiff_t(inputs);
  const Scale of_X = scale_of(split.train.X, {table.names.begin(), first_target}),
              of_T = scale_of(split.train.T, {first_target, table.names.end()});
  for (Rows* part : {&split.train, &split.test})
    *part = {of_X.to_standard(std::move(part->X)), of_T.to_standard(std::move(part->T))};
  return split;
}

static std::string text_of(double r2) {
  return !std::isfinite(r2) ? "-" : std::abs(r2) < 1000 ? fixed(r2, 4) : significant(r2);
}

// R² of the test rows for least squares and every model, and of the validation rows at the rate that they chose.
static void compare_on_table(Lesson& lesson, Session& session, const SplitRows& split) {
  const std::vector<Contender> all = contenders(split.train.X.cols(), split.train.T.cols(), session.training());
  Table table{{"model", "parameters", "rate", "validation", "test R²"}, {}};
  for (const Contender& c : all) table.rows.push_back({c.title, std::to_string(c.parameters), "", "", "too few rows"});
  session.run(all.size(), [&](std::size_t k) {
    if (all[k].features > std::min(most_features, split.train.size() / 2)) return;
    const std::uint64_t seed = session.options.seed;
    double rate = session.training().rate;
    if (all[k].tuned) {
      const RateSweep sweep = rates_of(all[k], Splits(validation_runs, &split), seed, rate);
      rate = sweep.rates[sweep.best];
      table.rows[k][2] = sweep.text();
      table.rows[k][3] = text_of(1 - sweep.losses[sweep.best]);
    }
    table.rows[k][4] = text_of(score(all[k], split, seed, rate));
  });
  lesson.show(table);
  lesson.note("A hyphen: training diverged, or the targets of these rows do not vary, so that there is no R².");
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
  const SplitRows split = blame("--data: '" + path + "'", [&] {
    return split_table(table, session.options.own[targets_flag], session.options.seed);
  });
  Lesson lesson(session.options, "Lesson 3: the models on your table", "data");
  lesson.training_is_not_standard();
  lesson.say(table.values.rows(), " rows; inputs: ", split.train.X.cols(), ", targets: ", split.train.T.cols(),
             ". Learned from ", split.train.size(), " rows drawn at random, judged by the other ", split.test.size(),
             ".");
  compare_on_table(lesson, session, split);
  return lesson.finish();
}

}  // namespace lesson3
