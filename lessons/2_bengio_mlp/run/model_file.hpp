// Lesson 2: the trained model as a file that other systems read too: safetensors, float32, with the symbols it knows.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "common/support/text.hpp"
#include "lessons/2_bengio_mlp/model/2_bengio.hpp"

namespace lesson2 {

// Writes the model. Throws UserError when the file cannot be written; an old file at that place then stays as it was.
void save_model(const std::string& path, const Bengio<float>& model, const Vocabulary& vocabulary);

// Reads the model stored at `path`. Throws UserError when the file cannot be read, when it is of another lesson or
// knows other symbols than those of `vocabulary`, and when a tensor is missing, of the wrong shape or type, or not
// finite.
Bengio<float> load_model(const std::string& path, const Vocabulary& vocabulary);

}  // namespace lesson2
