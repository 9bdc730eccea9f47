// Lesson 2: the trained model as a file that other systems read too: safetensors, float32, with the symbols it knows.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>

#include "bengio.hpp"
#include "common/support/checkpoint.hpp"
#include "common/support/flags.hpp"
#include "common/support/text.hpp"

// Throws UserError when the file cannot be written; an old file at that place then stays as it was.
inline void save_model(const std::string& path, Bengio<float> model, const Vocabulary& vocabulary) {
  safetensors::File file;
  file.metadata = {{"lesson", "2"},
                   {"model", "bengio"},
                   {"symbols", to_hex(vocabulary.symbols())},
                   {"formula", "E = rows of C side by side; H = tanh(E W1 + b1); logits = H W2 + b2 (+ E Wd)"}};
  add_tensors(file, "", model.tensors());
  blame("--save", [&] { safetensors::save(path, file); });
}

// The model that `file` holds, which must know exactly the symbols of `vocabulary`. Throws std::runtime_error when it is of
// another lesson, or a tensor is missing, of the wrong shape or type, or not finite.
inline Bengio<float> model_in(const safetensors::File& file, const Vocabulary& vocabulary) {
  const auto entry = [&](const std::string& key) {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? std::string("none") : found->second;
  };
  if (entry("lesson") != "2" || entry("model") != "bengio")
    throw UserError("holds no model of lesson 2 (lesson: " + entry("lesson") + ", model: " + entry("model") + ")");
  if (entry("symbols") != to_hex(vocabulary.symbols()))
    throw UserError("was trained on other symbols than those of this text");
  const auto shape = [&](const std::string& name) {
    const safetensors::Shape& s = file.at(name).shape;
    if (s.size() != 2 || s[0] == 0 || s[1] == 0) throw UserError("tensor '" + name + "' is no matrix");
    return s;
  };
  const std::size_t dim = shape("C")[1], inputs = shape("W1")[0];
  if (inputs % dim != 0) throw UserError("the rows of W1 are no multiple of the columns of C");
  Bengio<float> model({vocabulary.size(), inputs / dim, dim, shape("W1")[1], file.contains("Wd")});
  read_tensors(file, model.tensors());
  for (const auto& [name, tensor] : model.tensors())
    for (const float x : tensor.values())
      if (!std::isfinite(x)) throw UserError("tensor '" + name + "' holds a number that is not finite");
  return model;
}

// The model stored at `path`. Throws UserError when the file cannot be read or is not such a model.
inline Bengio<float> load_model(const std::string& path, const Vocabulary& vocabulary) {
  const safetensors::File file = blame("--load", [&] { return safetensors::load(path); });
  return blame("--load: '" + path + "'", [&] { return model_in(file, vocabulary); });
}
