// Lesson 6: the model under the names and shapes of a PyTorch state_dict.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/state_dict.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace lesson6 {
namespace {

// One stored tensor: the transposes of its parts below each other, or a part as it is.
template <class T>
struct Stored {
  std::string name;
  safetensors::Shape shape;
  std::vector<Matrix<T>*> parts;
  bool transposed = false;
};

template <class T>
struct Dictionary {
  std::vector<Stored<T>> all;

  void table(const std::string& name, Matrix<T>& A) { all.push_back({name, {A.rows(), A.cols()}, {&A}}); }
  void weight(const std::string& name, const std::vector<Matrix<T>*>& parts) {
    if (parts[0]->size() == 0) return;
    all.push_back({name, {parts.size() * parts[0]->cols(), parts[0]->rows()}, parts, true});
  }
  void row(const std::string& name, const std::vector<Matrix<T>*>& parts) {
    if (parts[0]->size() > 0) all.push_back({name, {parts.size() * parts[0]->cols()}, parts});
  }
  void norm(const std::string& name, LayerNorm<T>& n) {
    row(name + ".weight", {&n.gain});
    row(name + ".bias", {&n.shift});
  }
  void attention(const std::string& name, GatedAttention<T>& gated) {
    Attention<T>& a = gated.plain;
    const std::size_t width = a.form.head_width();
    weight(name + ".qkv.weight", {&a.Wq, &a.Wk, &a.Wv});
    row(name + ".qkv.bias", {&a.bq, &a.bk, &a.bv});
    if (gated.Wg.size() > 0) all.push_back({name + ".gate", {a.form.heads, width, width}, {&gated.Wg}});
    weight(name + ".post.weight", {&gated.Wp});
    row(name + ".post.bias", {&gated.bp});
    weight(name + ".proj.weight", {&a.Wo});
    row(name + ".proj.bias", {&a.bo});
  }
  void feed_forward(const std::string& name, FeedForward<T>& f) {
    weight(name + ".up.weight", {&f.W1});
    row(name + ".up.bias", {&f.b1});
    weight(name + ".down.weight", {&f.W2});
    row(name + ".down.bias", {&f.b2});
  }
};

// All tensors of a model; they point into it.
template <class T>
std::vector<Stored<T>> state_dict(LanguageModel<T>& model) {
  Dictionary<T> found;
  found.table("tok.weight", model.E);
  found.table("pos.weight", model.P);
  for (std::size_t b = 0; b < model.transformer.blocks.size(); ++b) {
    Block<T>& block = model.transformer.blocks[b];
    const std::string at = "blocks." + std::to_string(b);
    found.norm(at + ".norm1", block.norm1);
    found.attention(at + ".attn", block.attention);
    found.norm(at + ".norm2", block.norm2);
    found.feed_forward(at + ".mlp", block.feed_forward);
  }
  found.norm("norm", model.transformer.norm);
  found.weight("head.weight", {&model.Wh});
  found.row("head.bias", {&model.bh});
  return found.all;
}

}  // namespace

template <class T>
void add_state_dict(safetensors::File& file, const std::string& prefix, const LanguageModel<T>& model) {
  for (const Stored<T>& stored : state_dict(const_cast<LanguageModel<T>&>(model))) {  // which is only read
    std::vector<T> values;
    for (const Matrix<T>* part : stored.parts) {
      const Matrix<T> turned = stored.transposed ? Matrix<T>(transpose(*part)) : *part;
      values.insert(values.end(), turned.values().begin(), turned.values().end());
    }
    file.add(prefix + stored.name, stored.shape, values);
  }
}

void read_state_dict(const safetensors::File& file, const std::string& prefix, LanguageModel<float>& model) {
  for (const Stored<float>& stored : state_dict(model)) {
    const std::vector<float> values = file.values<float>(prefix + stored.name, stored.shape);
    const std::size_t each = values.size() / stored.parts.size();
    for (std::size_t p = 0; p < stored.parts.size(); ++p) {
      Matrix<float>& part = *stored.parts[p];
      const Shape shape = stored.transposed ? Shape{part.cols(), part.rows()} : part.shape();
      Matrix<float> found(shape.rows, shape.cols);
      std::copy_n(values.begin() + std::ptrdiff_t(p * each), each, found.values().begin());
      part = stored.transposed ? Matrix<float>(transpose(found)) : std::move(found);
    }
  }
}

template void add_state_dict(safetensors::File&, const std::string&, const LanguageModel<float>&);
template void add_state_dict(safetensors::File&, const std::string&, const LanguageModel<double>&);

}  // namespace lesson6
