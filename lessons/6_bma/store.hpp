// A trained model in a file, under a PyTorch state_dict's names and shapes: weights out x in, ours
// in x out; query, key and value in one tensor; rows as vectors.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>

#include "common/data/corpus.hpp"
#include "common/frame/files/checkpoint.hpp"
#include "common/frame/files/safetensors.hpp"
#include "common/frame/terminal/flags.hpp"
#include "common/frame/text/words.hpp"
#include "lessons/6_bma/tasks.hpp"

namespace lesson6 {

// --------------------------------------------------------------------------------- what is trained

struct Recipe {
  std::string name;
  LanguageForm form = {};  // the vocabulary comes with the text
  RunSettings run = {};
  Start start = {};
};

// nanogpt is from nanoGPT's page, for a computer without a graphics card (Karpathy 2022).
inline Recipe recipe_of(const std::string& name) {
  struct Sizes {
    std::size_t layers, width, context;
    long steps;
    double rate;
  };
  static const std::map<std::string, Sizes> sizes{
      {"A", {.layers = 2, .width = 64, .context = 64, .steps = 800, .rate = 3e-3}},
      {"B", {.layers = 1, .width = 32, .context = 32, .steps = 1000, .rate = 5e-3}},
      {"C", {.layers = 1, .width = 32, .context = 32, .steps = 300, .rate = 5e-3}},
      {"nanogpt", {.layers = 4, .width = 128, .context = 64, .steps = 2000, .rate = 1e-3}}};
  const Sizes& of = sizes.at(name);
  Recipe r{.name = name};
  TransformerForm& f = r.form.transformer;
  f.layers = of.layers;
  f.width = of.width;
  f.heads = 4;
  r.form.context = of.context;
  r.run.rate = of.rate;
  r.run.set_steps(of.steps);
  if (name != "nanogpt") return r;
  f.biases = Biases::without;
  r.form.tied = true;
  r.run.batch = 12;
  r.start = starts[2];
  return r;
}

// Throws UserError when `runs` models, `at_a_time` in training, would not fit. Training takes eight
// times the weights (those, gradients of four shards, two averages, a copy) and a forward pass;
// afterwards a run is its weights and losses.
inline void check_memory(const std::string& flags, const Recipe& r, double runs = 1,
                         double at_a_time = 1) {
  const TransformerForm& f = r.form.transformer;
  const double d = double(f.width), layers = double(f.layers), heads = double(f.heads);
  const double context = double(r.form.context), vocab = double(r.form.vocab);
  const double weights = 13 * layers * d * d + (2 * vocab + context) * d;
  const double each_token = layers * (30 * d + heads * context) + 2 * vocab;
  const double kept = double(r.run.batch) * context * each_token;
  ::check_memory(
      flags, 4 * at_a_time * (8 * weights + kept) + runs * (4 * weights + 8 * double(r.run.steps)));
}

// Two for each multiply-add; the backward pass has two products for each of the forward pass.
inline double operations_a_step(const LanguageForm& f, std::size_t batch) {
  const double d = double(f.transformer.width), layers = double(f.transformer.layers);
  const double tokens = double(f.context);
  const GateSource source = variant_of(f.transformer.gate).source;
  double gate = 0;
  if (source == GateSource::by_input) gate = d * d;
  if (source == GateSource::by_query) gate = d * d / double(f.transformer.heads);
  const double each_token = layers * (12 * d * d + gate + 2 * tokens * d) + d * double(f.vocab);
  return 3 * 2 * each_token * tokens * double(batch);
}

struct Run {
  Recipe recipe;
  Vocabulary vocabulary;
  std::uint64_t text = 0;  // text_hash() of the text; unknown for a stored run
  LanguageModel<float> model;
};

// ------------------------------------------------------------------------------------ a state_dict

// Transposed parts below each other, or a sole part as it is.
template <class T>
struct Stored {
  std::string name;
  safetensors::Shape shape;
  std::vector<Matrix<T>*> parts;
  bool transposed;
};

// The tensors point into the model. A weight is turned, any other tensor is a vector.
template <class T>
std::vector<Stored<T>> state_dict(LanguageModel<T>& model) {
  static const std::map<std::string, std::string> names{
      {"tok", "tok.weight"}, {"pos", "pos.weight"}, {"Wq", "qkv.weight"}, {"Wk", "qkv.weight"},
      {"Wv", "qkv.weight"},  {"bq", "qkv.bias"},    {"bk", "qkv.bias"},   {"bv", "qkv.bias"},
      {"Wg", "gate"},        {"Wp", "post.weight"}, {"bp", "post.bias"},  {"Wo", "proj.weight"},
      {"bo", "proj.bias"},   {"W1", "up.weight"},   {"b1", "up.bias"},    {"W3", "factor.weight"},
      {"b3", "factor.bias"}, {"W2", "down.weight"}, {"b2", "down.bias"},  {"W", "weight"},
      {"b", "bias"}};
  const std::size_t heads = model.form.transformer.heads;
  std::vector<Stored<T>> all;
  for (const auto& [full, tensor] : model.tensors()) {
    const std::size_t last = full.rfind('.') + 1;  // 0 without a dot
    const std::string own = full.substr(last);
    const auto known = names.find(own);
    const std::string name = full.substr(0, last) + (known == names.end() ? own : known->second);
    const bool turned = own[0] == 'W' && own != "Wg";
    auto stored =
        std::find_if(all.begin(), all.end(), [&](const auto& other) { return other.name == name; });
    if (stored == all.end()) stored = all.insert(all.end(), {name, {}, {}, turned});
    stored->parts.push_back(&tensor);
    const std::size_t parts = stored->parts.size();
    if (own == "Wg") stored->shape = {heads, tensor.cols(), tensor.cols()};
    else if (turned) stored->shape = {parts * tensor.cols(), tensor.rows()};
    else if (own == "tok" || own == "pos") stored->shape = {tensor.rows(), tensor.cols()};
    else stored->shape = {parts * tensor.cols()};
  }
  return all;
}

template <class T>
void add_state_dict(safetensors::File& file, const std::string& prefix, LanguageModel<T> model) {
  for (const Stored<T>& stored : state_dict(model)) {
    std::vector<T> values;
    for (const Matrix<T>* part : stored.parts) {
      const Matrix<T> turned = stored.transposed ? Matrix<T>(transpose(*part)) : *part;
      values.insert(values.end(), turned.values().begin(), turned.values().end());
    }
    file.add(prefix + stored.name, stored.shape, values);
  }
}

// Throws std::runtime_error when a tensor is missing, has another shape or type, or is not finite;
// the model is then useless.
template <class T>
void read_state_dict(const safetensors::File& file, LanguageModel<T>& model,
                     const std::string& prefix = "") {
  for (const Stored<T>& stored : state_dict(model)) {
    const std::vector<T> values = file.values<T>(prefix + stored.name, stored.shape);
    auto next = values.begin();
    for (Matrix<T>* part : stored.parts) {
      const Shape shape = stored.transposed ? Shape{part->cols(), part->rows()} : part->shape();
      Matrix<T> read(shape.rows, shape.cols);
      std::copy_n(next, read.size(), read.values().begin());
      next += std::ptrdiff_t(read.size());
      *part = stored.transposed ? Matrix<T>(transpose(read)) : std::move(read);
    }
  }
  check_finite(model.tensors());
}

// --------------------------------------------------------------------------------- a run in a file

// Throws UserError if it cannot write; an old file then stays.
inline void save_run(const std::string& path, const Run& run) {
  const TransformerForm& f = run.recipe.form.transformer;
  const RunSettings& r = run.recipe.run;
  const auto flag = [](bool b) { return b ? "yes" : "no"; };
  safetensors::File file;
  file.metadata = {{"lesson", "6"},
                   {"model", "lm"},
                   {"attention", name_of(f.gate)},
                   {"feedforward", bend_of(f.inside).name},
                   {"layers", std::to_string(f.layers)},
                   {"heads", std::to_string(f.heads)},
                   {"width", std::to_string(f.width)},
                   {"context", std::to_string(run.recipe.form.context)},
                   {"biases", flag(f.biases == Biases::with)},
                   {"tied", flag(run.recipe.form.tied)},
                   {"symbols", run.vocabulary.hex()},
                   {"text", std::to_string(run.text)},
                   {"dropout", significant(f.dropout, 9)},
                   {"batch", std::to_string(r.batch)},
                   {"rate", significant(r.rate, 9)},
                   {"last_rate", significant(r.last_rate, 9)},
                   {"decay", significant(r.decay, 9)},
                   {"clip", significant(r.clip, 9)},
                   {"seed", std::to_string(r.seed)}};
  add_state_dict(file, "", run.model);
  blame("--save", [&] { safetensors::save(path, file); });
}

inline constexpr std::size_t most_layers = 64, most_width = 4096, most_context = 8192;

// Throws std::runtime_error, which names the wrong field or tensor.
inline Run run_in(const safetensors::File& file) {
  const auto word = [&](const std::string& name) {
    const auto entry = file.metadata.find(name);
    if (entry == file.metadata.end()) throw UserError("its metadata lack '" + name + "'");
    return entry->second;
  };
  const auto real = [&](const std::string& name, double least, double most) {
    const std::optional<double> number = decimal_number(word(name));
    if (number && *number >= least && *number <= most) return *number;
    throw UserError(join("its ", name, ", '", excerpt(word(name)), "', is not a number from ",
                         least, " to ", most));
  };
  const auto count = [&](const std::string& name, std::size_t most) {
    return std::size_t(real(name, 1, double(most)));
  };
  if (word("lesson") != "6" || word("model") != "lm")
    throw UserError("holds no model of lesson 6 (lesson: " + excerpt(word("lesson")) +
                    ", model: " + excerpt(word("model")) + ")");
  Recipe r{.name = "file"};
  TransformerForm& f = r.form.transformer;
  const auto gate = std::find_if(all_gates.begin(), all_gates.end(),
                                 [&](Gate g) { return word("attention") == name_of(g); });
  if (gate == all_gates.end())
    throw UserError("its attention, '" + excerpt(word("attention")) + "', is not known");
  f.gate = *gate;
  const auto stored = file.metadata.find("feedforward");  // files of version 2.0 lack it
  const std::string feeds = stored == file.metadata.end() ? "gelu" : stored->second;
  const auto inside = std::find_if(bends<float>.begin(), bends<float>.end(),
                                   [&](const auto& bend) { return feeds == bend.name; });
  if (inside == bends<float>.end())
    throw UserError("its feedforward, '" + excerpt(feeds) + "', is not known");
  f.inside = Inside(inside - bends<float>.begin());
  f.layers = count("layers", most_layers);
  f.width = count("width", most_width);
  f.heads = count("heads", f.width);
  f.biases = word("biases") == "yes" ? Biases::with : Biases::without;
  f.dropout = real("dropout", 0, 0.99);
  r.form.context = count("context", most_context);
  r.form.tied = word("tied") == "yes";
  r.run.batch = count("batch", 65536);
  r.run.rate = real("rate", 0, 100);
  r.run.last_rate = real("last_rate", 0, 1);
  r.run.decay = real("decay", 0, 100);
  r.run.clip = real("clip", 0, 1e9);
  const Vocabulary vocabulary =
      blame("its symbols", [&] { return Vocabulary::from_hex(word("symbols")); });
  if (vocabulary.size() < 2) throw UserError("its symbols are fewer than two");
  r.form.vocab = vocabulary.size();
  // Tensors must have these sizes before room is made for them.
  const auto expect = [&](const std::string& name, const safetensors::Shape& shape) {
    if (file.at(name).shape != shape)
      throw UserError("tensor '" + name + "' is " + safetensors::text(file.at(name).shape) +
                      ", and the metadata say " + safetensors::text(shape));
  };
  expect("tok.weight", {r.form.vocab, f.width});
  expect("pos.weight", {r.form.context, f.width});
  for (std::size_t b = 0; b < f.layers; ++b)
    expect("blocks." + std::to_string(b) + ".attn.qkv.weight", {3 * f.width, f.width});
  Run run{r, vocabulary, 0, LanguageModel<float>(r.form)};
  read_state_dict(file, run.model);
  return run;
}

// Reads the file of a flag. Throws UserError.
inline Run load_run(const std::string& path, const std::string& flag) {
  const safetensors::File file = blame(flag, [&] { return safetensors::load(path); });
  return blame(flag + ": '" + path + "'", [&] { return run_in(file); });
}

}  // namespace lesson6
