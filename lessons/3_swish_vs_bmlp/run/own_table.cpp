// Lesson 3: --data, the models of the lesson on the reader's own table.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/run/own_table.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "lessons/3_swish_vs_bmlp/floors.hpp"
#include "lessons/3_swish_vs_bmlp/run/table.hpp"
#include "lessons/3_swish_vs_bmlp/run/verify.hpp"
#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"

namespace lesson3 {

std::vector<std::string> short_names(std::vector<std::string> names) {
  constexpr std::size_t room = 16;
  for (std::string& name : names)
    if (columns_of(name) > room) {
      const std::string lines = ::fold(std::string_view(name).substr(0, 4 * room), room);  // 4: bytes of a character
      name = lines.substr(0, lines.find('\n')) + "~";
    }
  return names;
}

namespace {

constexpr std::size_t fewest_rows = 20, most_features = 1000;

// The last `targets` columns are targets; four rows of five, drawn at random, are learned from.
Task split_table(const NumericTable& table, std::size_t targets, std::uint64_t seed) {
  const std::size_t n = table.values.rows(), columns = table.values.cols();
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
    return Rows{Matrix<double>(column_block(picked, 0, columns - targets)),
                Matrix<double>(column_block(picked, columns - targets, targets))};
  };
  const std::size_t learned = n - n / 5;
  const auto first_target = table.names.end() - std::ptrdiff_t(targets);
  return {rows(0, learned), rows(learned, n - learned), short_names({table.names.begin(), first_target}),
          short_names({first_target, table.names.end()})};
}

using Line = std::vector<std::string>;

// A line of least squares on features of X, of which there are `features`.
Line solved(const std::string& title, std::size_t features,
            const std::function<Matrix<double>(const Matrix<double>&)>& phi, const Rows& train_rows,
            const Rows& test_rows) {
  const Line without{title, std::to_string(features * train_rows.T.cols())};
  if (features > most_features) return {without[0], without[1], "too many features"};
  if (features > train_rows.size() / 2) return {without[0], without[1], "too few rows"};
  const Matrix<double> w = least_squares(phi(train_rows.X), train_rows.T);
  return {without[0], without[1], score_or_dash(r_squared(matmul(phi(test_rows.X), w), test_rows.T))};
}

// R² of the test rows for least squares and every model, in units of the standard deviations.
void compare_on_table(Lesson& lesson, Session& session, const Task& task) {
  const Scales scales = task.scales();
  const Rows train_rows = standardised(task.train, scales), test_rows = standardised(task.test, scales);
  const std::size_t d = train_rows.X.cols();
  Table table{{"model", "parameters", "R² of the test rows"}, {}};
  table.rows.push_back(solved("least squares, affine", d + 1, affine_features, train_rows, test_rows));
  table.rows.push_back(
      solved("least squares, quadratic", (d + 1) * (d + 2) / 2, quadratic_features, train_rows, test_rows));

  std::vector<Line> lines(7);
  session.run("training", lines.size(), [&](std::size_t job) {
    std::size_t k = 0;
    for_each_model(d, train_rows.T.cols(), [&](const char* key, const char* title, auto start) {
      if (k++ != job) return;
      Random random(session.options.seed, 31);
      auto model = start(random);
      train(model, train_rows, session.training(), Random(session.options.seed, 32));
      lines[job] = {std::string(title) + " (" + key + ")", std::to_string(parameters_of(model)),
                    score_or_dash(r_squared(model, test_rows))};
    });
  });
  for (Line& line : lines) table.rows.push_back(std::move(line));
  lesson.show(table);
}

// Throws UserError when the models would not fit: the numbers of the table in six places, the features of least squares
// twice, and what a model keeps of each row that judges it (a fifth of all) on each thread.
void check_fits(const NumericTable& table, double threads) {
  const double columns = double(table.values.cols());
  const double features = std::min(double(most_features), (columns + 1) * (columns + 2) / 2);
  const double numbers = 6 * columns + 2 * features + threads * (columns + 600) / 5;
  check_memory("--data, --threads", 8 * double(table.values.rows()) * numbers);
}

}  // namespace

int run_own_table(Session& session) {
  const OwnFlags& flags = session.flags;
  const NumericTable table = blame("--data", [&] { return read_table(flags.data); });
  check_fits(table, double(session.options.threads));
  const Task task = blame("--data: '" + flags.data + "'", [&] {
    Task found = split_table(table, flags.targets, session.options.seed);
    if (flags.load.empty()) found.scales();  // throws for a column that does not vary
    return found;
  });
  session.loaded = load_checked(flags.load, session.options.seed, task.train.X.cols(), task.train.T.cols());
  Lesson lesson(session.options, "Lesson 3: the models on your table", "data");
  lesson.training_is_not_standard();
  lesson.say(task.train.size() + task.test.size(), " rows, ", task.train.X.cols(),
             task.train.X.cols() == 1 ? " input, " : " inputs, ", task.train.T.cols(),
             task.train.T.cols() == 1 ? " target" : " targets", ". Learned from ", task.train.size(),
             " rows drawn at random, judged by the other ", task.test.size(), ".");
  if (flags.load.empty()) compare_on_table(lesson, session, task);
  keep_or_use(lesson, session, task);
  return lesson.finish();
}

}  // namespace lesson3
