// Lesson 6: the model under the names and shapes of a PyTorch state_dict: weights out x in, where ours are in x out; query,
// key and value in one tensor; rows as vectors. So a stored model can be loaded there, and its gradients compared.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/support/safetensors.hpp"
#include "language_model.hpp"

// One stored tensor: the transposes of its parts below each other, or a part as it is.
template <class T>
struct Stored {
  std::string name;
  safetensors::Shape shape;
  std::vector<Matrix<T>*> parts;
  bool transposed = false;
};

// All tensors of a model; they point into it.
template <class T>
std::vector<Stored<T>> state_dict(LanguageModel<T>& model) {
  std::vector<Stored<T>> all;
  const auto table = [&](const std::string& name, Matrix<T>& A) {
    all.push_back({name, {A.rows(), A.cols()}, {&A}, false});
  };
  const auto weight = [&](const std::string& name, std::vector<Matrix<T>*> parts) {
    all.push_back({name, {parts.size() * parts[0]->cols(), parts[0]->rows()}, parts, true});
  };
  const auto row = [&](const std::string& name, std::vector<Matrix<T>*> parts) {
    if (parts[0]->size() > 0) all.push_back({name, {parts.size() * parts[0]->cols()}, parts, false});
  };
  const auto norm = [&](const std::string& name, LayerNorm<T>& n) {
    row(name + ".weight", {&n.gain});
    row(name + ".bias", {&n.shift});
  };
  table("tok.weight", model.E);
  table("pos.weight", model.P);
  for (std::size_t b = 0; b < model.transformer.blocks.size(); ++b) {
    Block<T>& block = model.transformer.blocks[b];
    Attention<T>& a = block.attention;
    FeedForward<T>& f = block.feed_forward;
    const std::string at = "blocks." + std::to_string(b);
    norm(at + ".norm1", block.norm1);
    weight(at + ".attn.qkv.weight", {&a.Wq, &a.Wk, &a.Wv});
    row(at + ".attn.qkv.bias", {&a.bq, &a.bk, &a.bv});
    const std::size_t width = a.form.head_width();
    if (a.Wg.size() > 0) all.push_back({at + ".attn.gate", {a.form.heads, width, width}, {&a.Wg}, false});
    if (a.Wp.size() > 0) weight(at + ".attn.post.weight", {&a.Wp});
    row(at + ".attn.post.bias", {&a.bp});
    weight(at + ".attn.proj.weight", {&a.Wo});
    row(at + ".attn.proj.bias", {&a.bo});
    norm(at + ".norm2", block.norm2);
    weight(at + ".mlp.up.weight", {&f.W1});
    row(at + ".mlp.up.bias", {&f.b1});
    weight(at + ".mlp.down.weight", {&f.W2});
    row(at + ".mlp.down.bias", {&f.b2});
  }
  norm("norm", model.transformer.norm);
  if (model.Wh.size() > 0) weight("head.weight", {&model.Wh});
  row("head.bias", {&model.bh});
  return all;
}

// Adds all tensors of the model under prefix + their names.
template <class T>
void add_state_dict(safetensors::File& file, const std::string& prefix, LanguageModel<T>& model) {
  for (const Stored<T>& stored : state_dict(model)) {
    std::vector<T> values;
    for (Matrix<T>* part : stored.parts) {
      const Matrix<T> turned = stored.transposed ? Matrix<T>(transpose(*part)) : *part;
      values.insert(values.end(), turned.values().begin(), turned.values().end());
    }
    file.add(prefix + stored.name, stored.shape, values);
  }
}

// Fills the model from such tensors. Throws std::runtime_error, and the model is then good for nothing, when one is missing or
// has another shape or type.
template <class T>
void read_state_dict(const safetensors::File& file, const std::string& prefix, LanguageModel<T>& model) {
  for (const Stored<T>& stored : state_dict(model)) {
    const std::vector<T> values = file.values<T>(prefix + stored.name, stored.shape);
    const std::size_t each = values.size() / stored.parts.size();
    for (std::size_t p = 0; p < stored.parts.size(); ++p) {
      Matrix<T>& part = *stored.parts[p];
      const Shape shape = stored.transposed ? Shape{part.cols(), part.rows()} : part.shape();
      Matrix<T> found(shape.rows, shape.cols);
      std::copy_n(values.begin() + std::ptrdiff_t(p * each), each, found.values().begin());
      part = stored.transposed ? Matrix<T>(transpose(found)) : std::move(found);
    }
  }
}
