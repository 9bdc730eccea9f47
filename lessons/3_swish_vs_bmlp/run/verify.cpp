// Lesson 3: one model of the reader's choice: scaled, trained, stored, read back, and judged output by output.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/run/verify.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"

namespace lesson3 {

Rows standardised(const Rows& rows, const Scales& scales) {
  return {scales.X.to_standard(rows.X), scales.T.to_standard(rows.T)};
}

Kept train_and_keep(const std::string& key, const Task& task, const TrainingSettings& settings, std::uint64_t seed) {
  const Scales scales = task.scales();
  const Rows rows = standardised(task.train, scales);
  Kept kept;
  visit_model(key, rows.X.cols(), rows.T.cols(), [&](auto start) {
    Random random(seed, 31);
    auto model = start(random);
    train(model, rows, settings, Random(seed, 32));
    kept = {file_of(key, read_only(model), scales, seed), predict(model, scales, task.test.X)};
  });
  return kept;
}

Matrix<double> predict_from(const safetensors::File& file, const Matrix<double>& X, std::size_t outputs) {
  const std::string key = model_named_in(file);
  const Sizes sizes = sizes_in(file);
  if (sizes.in != X.cols() || sizes.out != outputs)
    throw UserError(
        join("is made for ", sizes.in, " inputs and ", sizes.out, " targets, not for ", X.cols(), " and ", outputs));
  Matrix<double> Y;
  const bool known = visit_model(key, sizes.in, sizes.out, [&](auto start) {
    Random any(1);
    auto model = start(any);
    const Scales scales = read_model(file, sizes, model.tensors());
    Y = predict(model, scales, X);
  });
  if (!known) throw UserError("names the model '" + excerpt(key) + "', which is none of " + model_keys());
  return Y;
}

double changed_by_storage(const Kept& kept, const Task& task) {
  const safetensors::File back = safetensors::parse(safetensors::serialize(kept.file));
  const Matrix<double> Y = predict_from(back, task.test.X, task.test.T.cols());
  double changed = 0;
  for (std::size_t k = 0; k < Y.size(); ++k)  // bits, since a NaN is not equal to itself
    changed += std::bit_cast<std::uint64_t>(Y.values()[k]) != std::bit_cast<std::uint64_t>(kept.Y.values()[k]);
  return changed;
}

std::optional<safetensors::File> load_checked(const std::string& path, std::uint64_t seed, std::size_t inputs,
                                              std::size_t outputs) {
  if (path.empty()) return {};
  safetensors::File file = blame("--load", [&] { return safetensors::load(path); });
  blame("--load: '" + path + "'", [&] { return predict_from(file, Matrix<double>(1, inputs), outputs); });
  const auto found = file.metadata.find("seed");
  const std::string then = found == file.metadata.end() ? "unknown" : excerpt(found->second);
  if (then != std::to_string(seed))
    throw UserError("--load: '" + path + "' was trained with the seed " + then + ": say --seed " + then);
  return file;
}

std::string score_or_dash(double r2) {
  return !std::isfinite(r2) ? "-" : std::abs(r2) < 1000 ? fixed(r2, 4) : significant(r2);
}

namespace {

// R² and mean absolute error of each output.
Table quality_of(const Matrix<double>& Y, const Matrix<double>& T, const std::vector<std::string>& outputs) {
  Table quality{{"output", "R²", "mean absolute error", "standard deviation of the targets"}, {}};
  constexpr std::size_t most_outputs = 20;
  for (std::size_t o = 0; o < std::min(T.cols(), most_outputs); ++o) {
    const Matrix<double> y(column_block(Y, o, 1)), t(column_block(T, o, 1));
    const double n = double(t.rows()), mean = column_sums(t)(0, 0) / n;
    const double error = column_sums(map(y - t, [](double e) { return std::abs(e); }))(0, 0) / n;
    const double deviation = std::sqrt(mean_square(map(t, [mean](double v) { return v - mean; })));
    quality.rows.push_back(
        {outputs[o], score_or_dash(r_squared(y, t)), significant(error, 4), significant(deviation, 4)});
  }
  return quality;
}

// The first rows, predicted and actual, of as many outputs as fit.
Table first_rows(const Matrix<double>& Y, const Matrix<double>& T, const std::vector<std::string>& outputs) {
  constexpr std::size_t most_rows = 5, window = 80, number = 11;
  Table rows{{"row"}, {}};
  std::size_t shown = 0;
  for (std::size_t used = 8; shown < T.cols(); ++shown) {
    used += std::max(columns_of(outputs[shown]) + 2, number) + number;
    if (used > window) break;
    rows.head.push_back(outputs[shown]);
    rows.head.push_back("actual");
  }
  for (std::size_t i = 0; i < std::min(most_rows, T.rows()); ++i) {
    rows.rows.push_back({std::to_string(i)});
    for (std::size_t o = 0; o < shown; ++o)
      for (const double value : {Y(i, o), T(i, o)}) rows.rows.back().push_back(significant(value, 3));
  }
  return rows;
}

void show_predictions(Lesson& lesson, const Matrix<double>& Y, const Matrix<double>& T,
                      const std::vector<std::string>& outputs) {
  if (!std::all_of(Y.values().begin(), Y.values().end(), [](double y) { return std::isfinite(y); }))
    lesson.say("Some predictions are no finite numbers: these rows lie too far from those that were learned from.");
  lesson.detail(quality_of(Y, T, outputs));
  const Table rows = first_rows(Y, T, outputs);
  const std::size_t shown = rows.head.size() / 2;
  lesson.note("The first rows, predicted and actual",
              shown < T.cols() ? join(" (", shown, " of ", T.cols(), " outputs)") : std::string(), ":");
  lesson.detail(rows);
}

Matrix<double> predictions(Lesson& lesson, const Session& session, const Task& task) {
  if (session.loaded) {
    lesson.note("The model stored in ", session.flags.load, ":");
    return predict_from(*session.loaded, task.test.X, task.test.T.cols());
  }
  lesson.note("The model ", session.flags.model, ", its inputs and targets in units of their standard deviations, ",
              session.training().steps, " steps:");
  const Kept kept = train_and_keep(session.flags.model, task, session.training(), session.options.seed);
  lesson.claim("stored and read back: predictions that differ", changed_by_storage(kept, task), exactly(0));
  if (!session.flags.save.empty()) {
    blame("--save", [&] { safetensors::save(session.flags.save, kept.file); });
    lesson.wrote(session.flags.save);
  }
  return kept.Y;
}

}  // namespace

void keep_or_use(Lesson& lesson, const Session& session, const Task& task) {
  show_predictions(lesson, predictions(lesson, session, task), task.test.T, task.outputs);
}

}  // namespace lesson3
