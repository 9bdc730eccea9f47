// Lesson 2: stores the trained model, and reads it with distrust.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/run/model_file.hpp"

#include <cmath>

#include "common/support/checkpoint.hpp"
#include "common/support/flags.hpp"
#include "common/support/words.hpp"

namespace lesson2 {

void save_model(const std::string& path, const Bengio<float>& model, const Vocabulary& vocabulary) {
  safetensors::File file;
  file.metadata = {{"lesson", "2"},
                   {"model", "bengio"},
                   {"symbols", vocabulary.hex()},
                   {"formula", "E = rows of C side by side; H = tanh(E W1 + b1); logits = H W2 + b2 (+ E Wd)"}};
  add_tensors(file, "", model.tensors());
  blame("--save", [&] { safetensors::save(path, file); });
}

static void check_origin(const safetensors::File& file, const Vocabulary& vocabulary) {
  const auto entry = [&](const std::string& key) {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? std::string("none") : found->second;
  };
  if (entry("lesson") != "2" || entry("model") != "bengio")
    throw UserError("holds no model of lesson 2 (lesson: " + excerpt(entry("lesson")) +
                    ", model: " + excerpt(entry("model")) + ")");
  if (entry("symbols") != vocabulary.hex())
    throw UserError("was trained on other symbols than those of this text, or of another kind (--symbols)");
}

static BengioForm form_in(const safetensors::File& file, std::size_t vocab) {
  const auto shape = [&](const std::string& name) {
    const safetensors::Shape& s = file.at(name).shape;
    if (s.size() != 2 || s[0] == 0 || s[1] == 0) throw UserError("tensor '" + name + "' is no matrix");
    return s;
  };
  const std::size_t dim = shape("C")[1], inputs = shape("W1")[0];
  if (inputs % dim != 0) throw UserError("the rows of W1 are no multiple of the columns of C");
  return {vocab, inputs / dim, dim, shape("W1")[1], file.contains("Wd")};
}

static Bengio<float> model_in(const safetensors::File& file, const Vocabulary& vocabulary) {
  check_origin(file, vocabulary);
  Bengio<float> model(form_in(file, vocabulary.size()));
  read_tensors(file, model.tensors());
  check_finite(model.tensors());
  return model;
}

Bengio<float> load_model(const std::string& path, const Vocabulary& vocabulary) {
  const safetensors::File file = blame("--load", [&] { return safetensors::load(path); });
  return blame("--load: '" + path + "'", [&] { return model_in(file, vocabulary); });
}

}  // namespace lesson2
