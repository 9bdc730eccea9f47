// What --export writes: a batch through each model, with all gradients.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/frame/lesson/model_visitors.hpp"
#include "lessons/6_bma/store.hpp"

namespace lesson6 {

// With all gradients, by which another system can check the derivation.
struct Export : Exports {
  using Exports::add;

  void rows(const std::string& name, const Matrix<double>& A) {
    file.add(name, {SmallCase::sequences, SmallCase::tokens, A.cols()}, A.values());
  }
  void layer(const std::string& prefix, const Attention<double>& of) {
    for (const auto& [name, tensor] : of.tensors())
      if (name == "Wg")
        file.add(prefix + name, {of.form.heads, tensor.cols(), tensor.cols()}, tensor.values());
      else add_matrix(file, prefix + name, tensor);
  }
  void add(const std::string& name, const Attention<double>& model, const Sequences<double>& X,
           const weighted_sum& loss) {
    if (!file.contains("input.X")) {
      rows("input.X", X.X);
      rows("input.R", loss.R);
    }
    const Matrix<double> Y = output(model, X);
    const Gradients<Attention<double>> g = gradients(model, X, loss);
    layer(name + ".param.", model);
    rows(name + ".output.Y", Y);
    add_scalar(file, name + ".loss", loss(Y).value);
    layer(name + ".grad.", g.parameters);
    rows(name + ".grad.X", g.dX);
  }
};

inline void export_language_model(safetensors::File& file) {
  const SmallModel small(small_form({.gate = Gate::bma}), 6);
  const Matrix<double> Y = output(small.model, small.texts());
  const std::size_t texts = SmallModel::sequences, length = small.tokens;
  add_indices(file, "input.tokens", {texts, length}, small.inputs);
  add_indices(file, "input.targets", {texts, length}, small.loss.labels);
  add_state_dict(file, "lm.param.", small.model);
  file.add("lm.output.logits", {texts, length, Y.cols()}, Y.values());
  add_scalar(file, "lm.loss", small.loss(Y).value);
  add_state_dict(file, "lm.grad.", gradients(small.model, small.texts(), small.loss).parameters);
}

inline safetensors::File exported() {
  Export to;
  to.file.metadata = {
      {"lesson", "6"},
      {"loss",
       "sum of R * Y; of lm: mean cross-entropy in nats. * is entry by entry, X W the matrix product"},
      {"lm",
       "x = tok[tokens] + pos; for each block x += attn(norm1(x)), x += mlp(norm2(x)); logits = norm(x) head; "
       "names and shapes of a PyTorch state_dict (out x in), attn.gate[head] in x out; GELU with tanh; "
       "attention as in bma"},
      {"vision",
       "x = X patch + pos, 6 rows an image; blocks, norm, loss as in lm, but not causal; Y = x head, "
       "of each image's first row"}};
  for (const Gate gate : all_gates) to.file.metadata[name_of(gate)] = variant_of(gate).formula;
  visit_models(to);
  const SmallVision small(Gate::bma, 1);
  add_matrix(to.file, "vision.input.X", small.X);
  add_indices(to.file, "vision.input.labels", {small.loss.labels.size()}, small.loss.labels);
  export_language_model(to.file);
  return std::move(to.file);
}

}  // namespace lesson6
