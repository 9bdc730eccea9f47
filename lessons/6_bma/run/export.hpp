// Lesson 6: writes a small fixed batch with all gradients, so that another system can check the derivation: each of the five
// attention layers, and a language model under the names of its state_dict.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "common/support/checkpoint.hpp"
#include "common/support/flags.hpp"
#include "start.hpp"
#include "state_dict.hpp"

// Two sequences of five tokens, width 6, two heads.
struct ExportBatch {
  static constexpr std::size_t sequences = 2, tokens = 5, width = 6, heads = 2;

  Matrix<double> X, R;

  static void add(safetensors::File& file, const std::string& name, const Matrix<double>& rows) {
    file.add(name, {sequences, tokens, rows.cols()}, rows.values());
  }
  // The gate's matrices have a square for each head.
  static void add_layer(safetensors::File& file, const std::string& prefix, Attention<double>& layer) {
    for (const auto& [name, tensor] : layer.tensors())
      if (name == "Wg") file.add(prefix + name, {heads, tensor.cols(), tensor.cols()}, tensor.values());
      else add_matrix(file, prefix + name, tensor);
  }
};

inline void export_attention(safetensors::File& file, Gate gate, const ExportBatch& batch) {
  Attention<double> layer({gate, ExportBatch::width, ExportBatch::heads, true, true}), grad(layer.form);
  Random random(6);
  for (const auto& [name, tensor] : layer.tensors())
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), 0.6, random);
  Attention<double>::Trace t, room;
  Matrix<double> dX;
  layer.forward(batch.X, {ExportBatch::tokens}, t);
  layer.backward(batch.X, {ExportBatch::tokens}, t, batch.R, room, grad, dX);
  const std::string name = name_of(gate);
  ExportBatch::add_layer(file, name + ".param.", layer);
  ExportBatch::add(file, name + ".output.Y", t.Y);
  add_scalar(file, name + ".loss", dot(batch.R, t.Y));
  ExportBatch::add_layer(file, name + ".grad.", grad);
  ExportBatch::add(file, name + ".grad.X", dX);
}

inline void export_language_model(safetensors::File& file) {
  constexpr std::size_t sequences = 3, tokens = 4, vocab = 7;
  LanguageModel<double> model({vocab, 5, {Gate::bma, 2, 2, 6}, false}), grad(model.form);
  draw_start(model.tensors(), {0.7, 0, 1, 0.5}, 2, 6);
  Random random(7);
  for (const auto& [name, tensor] : model.tensors())
    if (tensor.rows() == 1) tensor += normal_matrix<double>(1, tensor.cols(), 0.3, random);
  std::vector<std::uint32_t> inputs(sequences * tokens), targets(sequences * tokens);
  for (std::uint32_t& symbol : inputs) symbol = std::uint32_t(random.below(vocab));
  for (std::uint32_t& symbol : targets) symbol = std::uint32_t(random.below(vocab));
  LanguageModel<double>::Trace t, room;
  model.forward(inputs, tokens, t);
  const Loss<double> loss = softmax_cross_entropy<double>(t.logits, targets);
  model.backward(inputs, tokens, t, loss.gradient, room, grad);
  add_indices(file, "input.tokens", {sequences, tokens}, inputs);
  add_indices(file, "input.targets", {sequences, tokens}, targets);
  add_state_dict(file, "lm.param.", model);
  file.add("lm.output.logits", {sequences, tokens, vocab}, t.logits.values());
  add_scalar(file, "lm.loss", loss.value);
  add_state_dict(file, "lm.grad.", grad);
}

// Returns the exit status. Throws UserError when the file cannot be written.
inline int export_lesson6(const std::string& path) {
  Random random(5);
  constexpr std::size_t rows = ExportBatch::sequences * ExportBatch::tokens;
  const ExportBatch batch{normal_matrix<double>(rows, ExportBatch::width, 1, random),
                          normal_matrix<double>(rows, ExportBatch::width, 1, random)};
  safetensors::File file;
  file.metadata = {
      {"lesson", "6"},
      {"loss", "sum of R * Y; of lm: mean cross-entropy in nats. * is entry by entry, X W the matrix product"},
      {"standard",
       "Q = X Wq + bq, K = X Wk + bk, V = X Wv + bv; for each head A = softmax of Q K' / sqrt(d_h), causal; C = A V; "
       "Y = C Wo + bo"},
      {"half", "C = A (V / 2)"},
      {"bma", "G = sigmoid(Q Wg[head]); C = A (G * V)"},
      {"attending", "G = sigmoid(Q Wg[head]); Y = (G * C) Wo + bo"},
      {"post", "G = sigmoid(X Wp + bp); Y = (G * C) Wo + bo"},
      {"lm",
       "x = tok[tokens] + pos; for each block x += attn(norm1(x)), x += mlp(norm2(x)); logits = norm(x) head; names "
       "and "
       "shapes of a PyTorch state_dict (out x in), attn.gate[head] in x out; GELU with tanh; attention as in bma"}};
  ExportBatch::add(file, "input.X", batch.X);
  ExportBatch::add(file, "input.R", batch.R);
  for (const Gate gate : all_gates) export_attention(file, gate, batch);
  export_language_model(file);
  return write_export(path, file);
}
