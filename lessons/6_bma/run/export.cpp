// Lesson 6: writes a small fixed batch with all gradients, so that another system can check the derivation.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/export.hpp"

#include <cstdint>
#include <vector>

#include "common/loss.hpp"
#include "common/support/checkpoint.hpp"
#include "lessons/6_bma/run/start.hpp"
#include "lessons/6_bma/run/state_dict.hpp"

namespace lesson6 {
namespace {

// Two sequences of five tokens, width 6, two heads.
constexpr std::size_t sequences = 2, tokens = 5, width = 6, heads = 2;

void add_rows(safetensors::File& file, const std::string& name, const Matrix<double>& rows) {
  file.add(name, {sequences, tokens, rows.cols()}, rows.values());
}

// The gate's matrices have a square for each head.
void add_layer(safetensors::File& file, const std::string& prefix, const GatedAttention<double>& layer) {
  for (const auto& [name, tensor] : layer.tensors())
    if (name == "Wg") file.add(prefix + name, {heads, tensor.cols(), tensor.cols()}, tensor.values());
    else add_matrix(file, prefix + name, tensor);
}

void export_attention(safetensors::File& file, Gate gate, const Sequences<double>& X, const Matrix<double>& R) {
  GatedAttention<double> layer({.gate = gate, .width = width, .heads = heads});
  Random random(6);
  fill_normal(layer.tensors(), random, 0.6);
  const auto loss = [&](const Matrix<double>& Y) { return Loss<double>{dot(R, Y), R}; };
  const Matrix<double> Y = output(layer, X);
  const Gradients<GatedAttention<double>> g = gradients(layer, X, loss);
  const std::string name = name_of(gate);
  add_layer(file, name + ".param.", layer);
  add_rows(file, name + ".output.Y", Y);
  add_scalar(file, name + ".loss", loss(Y).value);
  add_layer(file, name + ".grad.", g.d);
  add_rows(file, name + ".grad.X", g.dX);
}

void export_language_model(safetensors::File& file) {
  constexpr std::size_t texts = 3, length = 4, vocab = 7;
  LanguageModel<double> model({vocab, 5, {Gate::bma, 2, 2, 6}});
  draw_start(model.tensors(), {0.7, 0, 1, 0.5}, 2, 6);
  Random random(7);
  for (const auto& [name, tensor] : model.tensors())
    if (tensor.rows() == 1) tensor += normal_matrix<double>(1, tensor.cols(), 0.3, random);
  std::vector<std::uint32_t> inputs(texts * length), targets(texts * length);
  for (std::uint32_t& symbol : inputs) symbol = std::uint32_t(random.below(vocab));
  for (std::uint32_t& symbol : targets) symbol = std::uint32_t(random.below(vocab));
  const Texts X{inputs, length};
  const auto loss = [&](const Matrix<double>& Y) { return softmax_cross_entropy<double>(Y, targets); };
  const Matrix<double> Y = output(model, X);
  add_indices(file, "input.tokens", {texts, length}, inputs);
  add_indices(file, "input.targets", {texts, length}, targets);
  add_state_dict(file, "lm.param.", model);
  file.add("lm.output.logits", {texts, length, vocab}, Y.values());
  add_scalar(file, "lm.loss", loss(Y).value);
  add_state_dict(file, "lm.grad.", gradients(model, X, loss).d);
}

}  // namespace

int export_lesson6(const std::string& path) {
  Random random(5);
  constexpr std::size_t rows = sequences * tokens;
  const Sequences<double> X{normal_matrix<double>(rows, width, 1, random), {tokens}};
  const Matrix<double> R = normal_matrix<double>(rows, width, 1, random);
  safetensors::File file;
  file.metadata = {
      {"lesson", "6"},
      {"loss", "sum of R * Y; of lm: mean cross-entropy in nats. * is entry by entry, X W the matrix product"},
      {"standard",
       "Q = X Wq + bq, K = X Wk + bk, V = X Wv + bv; for each head A = softmax of Q K' / sqrt(d_h), causal; "
       "C = A V; Y = C Wo + bo"},
      {"half", "C = A (V / 2)"},
      {"bma", "G = sigmoid(Q Wg[head]); C = A (G * V)"},
      {"attending", "G = sigmoid(Q Wg[head]); Y = (G * C) Wo + bo"},
      {"post", "G = sigmoid(X Wp + bp); Y = (G * C) Wo + bo"},
      {"lm",
       "x = tok[tokens] + pos; for each block x += attn(norm1(x)), x += mlp(norm2(x)); logits = norm(x) head; "
       "names and shapes of a PyTorch state_dict (out x in), attn.gate[head] in x out; GELU with tanh; "
       "attention as in bma"}};
  add_rows(file, "input.X", X.X);
  add_rows(file, "input.R", R);
  for (const Gate gate : all_gates) export_attention(file, gate, X, R);
  export_language_model(file);
  return write_export(path, file);
}

}  // namespace lesson6
