// Lesson 3: one model of the reader's choice: scaled, trained, stored, read back, and judged output by output.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "model_file.hpp"
#include "session.hpp"

// Mean and standard deviation of each column. Throws UserError for a column that does not vary, or varies too widely to
// square; `names` are those of the columns, if they have any.
inline Scale scale_of(const Matrix<double>& values, const std::vector<std::string>& names = {}) {
  Scale scale(values.cols());
  const double n = double(values.rows());
  scale.mean = 1 / n * column_sums(values);
  const Matrix<double> off = add_row(values, -1 * scale.mean);
  scale.deviation = map(1 / n * column_sums(hadamard(off, off)), [](double v) { return std::sqrt(v); });
  for (std::size_t j = 0; j < values.cols(); ++j) {
    const std::string name = "column " + (names.empty() ? std::to_string(j + 1) : "\"" + names[j] + "\"");
    if (!std::isfinite(scale.deviation(0, j))) throw UserError(name + " is too large to square");
    bool varies = false;  // a deviation of rounding alone is not 0
    for (std::size_t i = 1; i < values.rows(); ++i) varies = varies || values(i, j) != values(0, j);
    if (!varies) throw UserError(name + " is constant over the rows that are learned from");
  }
  return scale;
}

// What is to be learned: rows in their own units, and what the outputs are called.
struct Task {
  Rows train, test;
  std::vector<std::string> inputs, outputs;

  Scales scales() const { return {scale_of(train.X, inputs), scale_of(train.T, outputs)}; }
};

// The same rows in units of their standard deviations.
inline Rows standardised(const Rows& rows, const Scales& scales) {
  return {scales.X.to_standard(rows.X), scales.T.to_standard(rows.T)};
}

// A trained model as it is stored, and what it said of the test rows before it was.
struct Kept {
  safetensors::File file;
  Matrix<double> Y;
};

inline Kept train_and_keep(const std::string& key, const Task& task, const TrainingSettings& settings,
                           std::uint64_t seed) {
  const Scales scales = task.scales();
  const Rows rows = standardised(task.train, scales);
  Kept kept;
  visit_model(key, rows.X.cols(), rows.T.cols(), [&](auto start) {
    Random random(seed, 31);
    auto model = start(random);
    train(model, rows, settings, Random(seed, 32));
    kept = {file_of(key, model, scales, seed), predict(model, scales, task.test.X)};
  });
  return kept;
}

// What the model in the file says of X. Throws std::runtime_error when the file holds no such model, or one for other
// columns.
inline Matrix<double> predict_from(const safetensors::File& file, const Matrix<double>& X, std::size_t outputs) {
  const std::string key = model_named_in(file);
  const Sizes sizes = sizes_in(file);
  if (sizes.in != X.cols() || sizes.out != outputs)
    throw UserError(
        join("is made for ", sizes.in, " inputs and ", sizes.out, " targets, not for ", X.cols(), " and ", outputs));
  Matrix<double> Y;
  const bool known = visit_model(key, sizes.in, sizes.out, [&](auto start) {
    Random any(1);
    auto model = start(any);
    const Scales scales = read_model(file, model);
    Y = predict(model, scales, X);
  });
  if (!known) throw UserError("names the model '" + key + "', which is none of " + model_keys());
  return Y;
}

// The file of --load, if there is one, which must hold a model for so many inputs and targets, trained with this seed:
// another would draw other rows to judge it by, some of which it has learned from. Throws UserError.
inline std::optional<safetensors::File> load_checked(const std::string& path, std::uint64_t seed, std::size_t inputs,
                                                     std::size_t outputs) {
  if (path.empty()) return {};
  safetensors::File file = blame("--load", [&] { return safetensors::load(path); });
  blame("--load: '" + path + "'", [&] { return predict_from(file, Matrix<double>(1, inputs), outputs); });
  const auto found = file.metadata.find("seed");
  const std::string then = found == file.metadata.end() ? "unknown" : found->second;
  if (then != std::to_string(seed))
    throw UserError("--load: '" + path + "' was trained with the seed " + then + ": say --seed " + then);
  return file;
}

// "-" where the targets do not vary, so that no R² exists.
inline std::string score_or_dash(double r2) {
  return !std::isfinite(r2) ? "-" : std::abs(r2) < 1000 ? fixed(r2, 4) : significant(r2);
}

// R² and mean absolute error of each output, and the first rows as an example.
inline void show_predictions(Lesson& lesson, const Matrix<double>& Y, const Matrix<double>& T,
                             const std::vector<std::string>& outputs) {
  Table quality{{"output", "R²", "mean absolute error", "standard deviation of the targets"}, {}};
  if (!std::all_of(Y.values().begin(), Y.values().end(), [](double y) { return std::isfinite(y); }))
    lesson.say("Some predictions are no finite numbers: these rows lie too far from those that were learned from.");
  constexpr std::size_t most_outputs = 20;
  for (std::size_t o = 0; o < std::min(T.cols(), most_outputs); ++o) {
    const Matrix<double> y(column_block(Y, o, 1)), t(column_block(T, o, 1));
    const double n = double(t.rows()), mean = column_sums(t)(0, 0) / n;
    const double error = column_sums(map(y - t, [](double e) { return std::abs(e); }))(0, 0) / n;
    const double deviation = std::sqrt(mean_square(map(t, [mean](double v) { return v - mean; })));
    quality.rows.push_back(
        {outputs[o], score_or_dash(r_squared(y, t)), significant(error, 4), significant(deviation, 4)});
  }
  lesson.show(quality);
  constexpr std::size_t most_rows = 5, window = 80, number = 11;
  Table rows{{"row"}, {}};
  std::size_t shown = 0;
  for (std::size_t used = 8; shown < T.cols(); ++shown) {
    used += std::max(columns_of(outputs[shown]) + 2, number) + number;
    if (used > window) break;
    rows.head.push_back(outputs[shown]), rows.head.push_back("actual");
  }
  lesson.say("The first rows, predicted and actual",
             shown < T.cols() ? join(" (", shown, " of ", T.cols(), " outputs)") : std::string(), ":");
  for (std::size_t i = 0; i < std::min(most_rows, T.rows()); ++i) {
    rows.rows.push_back({std::to_string(i)});
    for (std::size_t o = 0; o < shown; ++o)
      for (const double value : {Y(i, o), T(i, o)}) rows.rows.back().push_back(significant(value, 3));
  }
  lesson.show(rows);
}
