// Lesson 3: --data, the models of the lesson on the reader's own table.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "least_squares.hpp"
#include "parts/part9_keep_and_verify.hpp"
#include "table.hpp"

inline constexpr std::size_t fewest_rows = 20, most_features = 1000;

// Names as the tables and messages have room for.
inline std::vector<std::string> short_names(std::vector<std::string> names) {
  constexpr std::size_t room = 16;
  for (std::string& name : names)
    if (columns_of(name) > room) {
      const std::string lines = fold(std::string_view(name).substr(0, 4 * room), room);  // 4: bytes of a character
      name = lines.substr(0, lines.find('\n')) + "~";
    }
  return names;
}

// The last `targets` columns are targets; four rows of five, drawn at random, are learned from.
inline Task split_table(const NumericTable& table, std::size_t targets, std::uint64_t seed) {
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

// R² of the test rows for least squares and every model, in units of the standard deviations.
inline void compare_on_table(Lesson& lesson, Session& session, const Task& task) {
  const Scales scales = task.scales();
  const Rows train_rows = standardised(task.train, scales), test_rows = standardised(task.test, scales);
  Table table{{"model", "parameters", "R² of the test rows"}, {}};
  const auto solve = [&](const std::string& title, auto phi) {
    const Matrix<double> Phi = phi(train_rows.X);
    if (Phi.cols() > Phi.rows() / 2) {
      table.rows.push_back({title, std::to_string(Phi.cols() * train_rows.T.cols()), "too few rows"});
      return;
    }
    const Matrix<double> w = least_squares(Phi, train_rows.T);
    table.rows.push_back(
        {title, std::to_string(w.size()), score_or_dash(r_squared(matmul(phi(test_rows.X), w), test_rows.T))});
  };
  const std::size_t d = train_rows.X.cols();
  const auto solve_or_skip = [&](const std::string& title, std::size_t features, auto phi) {
    if (features <= most_features) solve(title, phi);
    else table.rows.push_back({title, std::to_string(features * train_rows.T.cols()), "too many features"});
  };
  solve_or_skip("least squares, affine", d + 1, affine_features);
  solve_or_skip("least squares, quadratic", (d + 1) * (d + 2) / 2, quadratic_features);

  std::vector<std::vector<std::string>> lines(7);
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
  for (auto& line : lines) table.rows.push_back(std::move(line));
  lesson.show(table);
}

// Throws UserError when the models would not fit: the numbers of the table in six places, the features of least squares
// twice, and what a model keeps of each row that judges it (a fifth of all) on each thread.
inline void check_memory(const NumericTable& table, double threads) {
  const double columns = double(table.values.cols());
  const double features = std::min(double(most_features), (columns + 1) * (columns + 2) / 2);
  const double numbers = 6 * columns + 2 * features + threads * (columns + 600) / 5;
  check_memory("--data, --threads", 8 * double(table.values.rows()) * numbers);
}

// Returns the exit status.
inline int run_own_table(Session& session) {
  const SwishFlags& flags = session.flags;
  const NumericTable table = blame("--data", [&] { return read_table(flags.data); });
  check_memory(table, double(session.options.threads));
  const Task task = blame("--data: '" + flags.data + "'", [&] {
    Task found = split_table(table, flags.targets, session.options.seed);
    if (flags.load.empty()) found.scales();  // throws for a column that does not vary
    return found;
  });
  const auto loaded = load_checked(flags.load, session.options.seed, task.train.X.cols(), task.train.T.cols());
  Lesson lesson(session.options, "Lesson 3: the models on your table", "data");
  lesson.training_is_not_standard();
  lesson.say(task.train.size() + task.test.size(), " rows, ", task.train.X.cols(),
             task.train.X.cols() == 1 ? " input, " : " inputs, ", task.train.T.cols(),
             task.train.T.cols() == 1 ? " target." : " targets.", " Learned from ", task.train.size(),
             " rows drawn at random, judged by the other ", task.test.size(), ".");
  if (flags.load.empty()) compare_on_table(lesson, session, task);
  const Matrix<double> Y = keep_or_use(lesson, session, task, loaded);
  show_predictions(lesson, Y, task.test.T, task.outputs);
  return lesson.finish();
}
