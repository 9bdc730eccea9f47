// Lesson 3: one model of the reader's choice: scaled, trained, stored, read back, and judged output by output.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lessons/3_swish_vs_bmlp/run/model_file.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"

namespace lesson3 {

// What is to be learned: rows in their own units, and what the outputs are called.
struct Task {
  Rows train, test;
  std::vector<std::string> inputs, outputs;

  // Throws UserError, as scale_of does.
  Scales scales() const { return {scale_of(train.X, inputs), scale_of(train.T, outputs)}; }
};

// Returns the same rows in units of their standard deviations.
Rows standardised(const Rows& rows, const Scales& scales);

// A trained model as it is stored, and what it said of the test rows before it was.
struct Kept {
  safetensors::File file;
  Matrix<double> Y;
};

// Trains the model with this key.
Kept train_and_keep(const std::string& key, const Task& task, const TrainingSettings& settings, std::uint64_t seed);

// Returns what the model in the file says of X. Throws std::runtime_error when the file holds no such model, or one for
// other columns.
Matrix<double> predict_from(const safetensors::File& file, const Matrix<double>& X, std::size_t outputs);

// Counts the predictions that differ, in any bit, once the kept model was bytes.
double changed_by_storage(const Kept& kept, const Task& task);

// Returns the file of --load, if there is one, which must hold a model for so many inputs and targets, trained with
// this seed: another would draw other rows to judge it by, some of which it has learned from. Throws UserError.
std::optional<safetensors::File> load_checked(const std::string& path, std::uint64_t seed, std::size_t inputs,
                                              std::size_t outputs);

// Returns "-" where the targets do not vary, so that no R² exists.
std::string score_or_dash(double r2);

// Shows what a model says of the task's test rows: that of --load where there is one, or else that of --model, which is
// trained, stored under --save, and claimed to come back unharmed.
void keep_or_use(Lesson& lesson, const Session& session, const Task& task);

}  // namespace lesson3
