// Lesson 6: a run in a file: the model, how it was being trained, and what the training needs to go on. The weights
// stand under their state_dict names, the averages of AdamW under the same names behind `optimizer.mean.` and
// `optimizer.square.`. A file is replaced in one step, so a program that is killed while it writes leaves the last one
// whole (and its unfinished successor beside it, as FILE.<digits>.tmp).
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/support/safetensors.hpp"
#include "common/support/text.hpp"
#include "lessons/6_bma/run/recipe.hpp"

namespace lesson6 {

// A model and its training, begun or ended.
struct Run {
  Recipe recipe;
  Vocabulary vocabulary;
  std::uint64_t text = 0;  // hash() of the text
  LanguageModel<float> model;
  RunState<float> state;
};

inline constexpr std::size_t most_layers = 64, most_width = 4096, most_context = 8192;

// Returns the variant of that name. Throws UserError for another.
Gate gate_named(const std::string& name);

// What tells one run from another, in words: the fields of the file's metadata, and of messages.
struct Field {
  enum class Of { model, training };
  std::string name, value;
  Of of = Of::model;
};
std::vector<Field> fields_of(const Recipe& r, const Vocabulary& vocabulary, std::uint64_t text);

// Throws UserError when the file cannot be written; an old file at that place then stays as it was.
void save_run(const std::string& path, const Run& run);

// Reads the run in the file that a flag names. Throws UserError when it is of another lesson, or something is missing,
// of the wrong shape or type, or not finite.
Run load_run(const std::string& path, const std::string& flag);

}  // namespace lesson6
