// Lesson 6: a run in a file.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/checkpoint.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "common/support/checkpoint.hpp"
#include "common/support/corpus.hpp"
#include "common/support/flags.hpp"
#include "common/support/words.hpp"
#include "lessons/6_bma/run/state_dict.hpp"

namespace lesson6 {

// The shortest text that is read back as this very number.
static std::string exact(double x) {
  char text[40];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, x);
    if (std::strtod(text, nullptr) == x) break;
  }
  return text;
}

std::vector<Field> fields_of(const Recipe& r, const Vocabulary& vocabulary, std::uint64_t text) {
  const TransformerForm& f = r.form.transformer;
  constexpr auto training = Field::Of::training;
  const auto flag = [](bool b) { return std::string(b ? "yes" : "no"); };
  return {{"attention", name_of(f.gate)},
          {"layers", std::to_string(f.layers)},
          {"heads", std::to_string(f.heads)},
          {"width", std::to_string(f.width)},
          {"context", std::to_string(r.form.context)},
          {"biases", flag(f.biases)},
          {"tied", flag(r.form.tied)},
          {"symbols", vocabulary.hex()},
          {"dropout", exact(f.dropout), training},
          {"text", std::to_string(text), training},
          {"steps", std::to_string(r.run.steps), training},
          {"batch", std::to_string(r.run.batch), training},
          {"rate", exact(r.run.rate), training},
          {"last_rate", exact(r.run.last_rate), training},
          {"warm_up", std::to_string(r.run.warm_up), training},
          {"decay", exact(r.run.decay), training},
          {"clip", exact(r.run.clip), training},
          {"seed", std::to_string(r.run.seed), training},
          {"start", r.start.name, training}};
}

// ------------------------------------------------------------------------------------------------------------ writing

// The averages in the shape of a model, as which they are stored.
static LanguageModel<float> as_model(const LanguageForm& form, const std::vector<Matrix<float>>& of_matrices,
                                     const std::vector<Matrix<float>>& of_rows) {
  LanguageModel<float> model(form);
  std::size_t matrices = 0, rows = 0;
  for (const auto& [name, tensor] : model.tensors())
    tensor = tensor.rows() == 1 ? of_rows.at(rows++) : of_matrices.at(matrices++);
  return model;
}

static safetensors::File file_of(const Run& run) {
  safetensors::File file;
  file.metadata = {{"lesson", "6"}, {"model", "lm"}, {"done", std::to_string(run.state.steps())}};
  for (const Field& field : fields_of(run.recipe, run.vocabulary, run.text)) file.metadata[field.name] = field.value;
  add_state_dict(file, "", run.model);
  if (run.state.steps() == 0) return file;
  const auto& [matrices, rows] = run.state;
  add_state_dict(file, "optimizer.mean.", as_model(run.model.form, matrices.mean, rows.mean));
  add_state_dict(file, "optimizer.square.", as_model(run.model.form, matrices.square, rows.square));
  return file;
}

void save_run(const std::string& path, const Run& run) {
  blame("--save", [&] { safetensors::save(path, file_of(run)); });
}

// ------------------------------------------------------------------------------------------------------------ reading

// The metadata of a file as numbers and words. Everything throws UserError that names the field.
class Metadata {
 public:
  explicit Metadata(const safetensors::File& file) : file_(file) {}

  std::string word(const std::string& name) const {
    const auto found = file_.metadata.find(name);
    if (found == file_.metadata.end()) throw UserError("its metadata lack '" + name + "'");
    return found->second;
  }

  template <class Integer>
  Integer count(const std::string& name, Integer least, Integer most) const {
    const std::string text = word(name);
    Integer number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < least || number > most)
      throw UserError("its " + name + ", '" + excerpt(text) + "', is no number from " + std::to_string(least) + " to " +
                      std::to_string(most));
    return number;
  }

  double real(const std::string& name, double least, double most) const {
    const std::string text = word(name);
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(number >= least && number <= most))
      throw UserError("its " + name + ", '" + excerpt(text) + "', is no number from " + significant(least) + " to " +
                      significant(most));
    return number;
  }

  bool yes(const std::string& name) const {
    const std::string text = word(name);
    if (text != "yes" && text != "no")
      throw UserError("its " + name + ", '" + excerpt(text) + "', is neither yes nor no");
    return text == "yes";
  }

 private:
  const safetensors::File& file_;
};

Gate gate_named(const std::string& name) {
  for (const Gate gate : all_gates)
    if (name == name_of(gate)) return gate;
  throw UserError("'" + excerpt(name) + "' is none of standard, half, bma, attending, post");
}

static Recipe recipe_in(const Metadata& data) {
  Recipe r;
  r.name = "file";
  TransformerForm& f = r.form.transformer;
  f.gate = gate_named(data.word("attention"));
  f.layers = data.count<std::size_t>("layers", 1, most_layers);
  f.width = data.count<std::size_t>("width", 1, most_width);
  f.heads = data.count<std::size_t>("heads", 1, f.width);
  f.biases = data.yes("biases");
  f.dropout = data.real("dropout", 0, 0.99);
  r.form.context = data.count<std::size_t>("context", 1, most_context);
  r.form.tied = data.yes("tied");
  r.run.steps = data.count<long>("steps", 1, 1'000'000'000);
  r.run.batch = data.count<std::size_t>("batch", 1, 65536);
  r.run.rate = data.real("rate", 0, 100);
  r.run.last_rate = data.real("last_rate", 0, 1);
  r.run.warm_up = data.count<long>("warm_up", 0, r.run.steps);
  r.run.decay = data.real("decay", 0, 100);
  r.run.clip = data.real("clip", 0, 1e9);
  r.run.seed = data.count<std::uint64_t>("seed", 0, UINT64_MAX);
  r.start = blame("its start", [&] { return start_named(data.word("start")); });
  return r;
}

// The sizes that the metadata claim must be those of tensors that are there, before room is made for a model of such
// sizes.
static void check_sizes(const safetensors::File& file, const LanguageForm& form) {
  const std::size_t d = form.transformer.width;
  const auto expect = [&](const std::string& name, const safetensors::Shape& shape) {
    if (file.at(name).shape != shape)
      throw UserError("tensor '" + name + "' is " + safetensors::text(file.at(name).shape) + ", and the metadata say " +
                      safetensors::text(shape));
  };
  expect("tok.weight", {form.vocab, d});
  expect("pos.weight", {form.context, d});
  for (std::size_t b = 0; b < form.transformer.layers; ++b)
    expect("blocks." + std::to_string(b) + ".attn.qkv.weight", {3 * d, d});
}

// Where the optimizer stood after `done` steps.
static RunState<float> state_in(const safetensors::File& file, const LanguageForm& form, long done) {
  RunState<float> state;
  if (done == 0) return state;
  LanguageModel<float> mean(form), square(form);
  read_state_dict(file, "optimizer.mean.", mean);
  read_state_dict(file, "optimizer.square.", square);
  check_finite(mean.tensors());
  check_finite(square.tensors());
  const Tensors<float> means = mean.tensors(), squares = square.tensors();
  for (std::size_t t = 0; t < means.size(); ++t) {
    for (const float x : squares[t].tensor.values())
      if (x < 0) throw UserError("the mean square of '" + squares[t].name + "' is negative");
    AdamW<float>::State& part = means[t].tensor.rows() == 1 ? state.rows : state.matrices;
    part.mean.push_back(means[t].tensor);
    part.square.push_back(squares[t].tensor);
  }
  state.matrices.steps = state.rows.steps = done;
  return state;
}

// The run that a file holds. Throws std::runtime_error when it is of another lesson, or something is missing, of the
// wrong shape or type, or not finite.
static Run run_in(const safetensors::File& file) {
  const Metadata data(file);
  if (data.word("lesson") != "6" || data.word("model") != "lm")
    throw UserError("holds no model of lesson 6 (lesson: " + excerpt(data.word("lesson")) +
                    ", model: " + excerpt(data.word("model")) + ")");
  Recipe recipe = recipe_in(data);
  const Vocabulary vocabulary = blame("its symbols", [&] { return Vocabulary::from_hex(data.word("symbols")); });
  if (vocabulary.size() < 2) throw UserError("its symbols are fewer than two");
  recipe.form.vocab = vocabulary.size();
  check_sizes(file, recipe.form);
  Run run{recipe, vocabulary, data.count<std::uint64_t>("text", 0, UINT64_MAX), LanguageModel<float>(recipe.form), {}};
  read_state_dict(file, "", run.model);
  check_finite(run.model.tensors());
  run.state = state_in(file, recipe.form, data.count<long>("done", 0, recipe.run.steps));
  return run;
}

Run load_run(const std::string& path, const std::string& flag) {
  const safetensors::File file = blame(flag, [&] { return safetensors::load(path); });
  return blame(flag + ": '" + path + "'", [&] { return run_in(file); });
}

}  // namespace lesson6
