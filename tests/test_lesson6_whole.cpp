// Lesson 6 in one file is lesson 6: from the same weights and on the same batches both lose the same, step by step, and
// what the file derives agrees with differences, for each of its gates.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "common/optimizer.hpp"
#include "lessons/6_bma/transformer.hpp"
#include "tests/check.hpp"

namespace whole {
#define float double  // so that what is left between the two is rounding of 1e-16, not of 6e-8
#define main whole_main
#include "lessons/6_bma/whole.cpp"
#undef main
#undef float
}  // namespace whole

using Indices = std::vector<std::size_t>;

// The weights of the file's model under the lesson's names.
static std::map<std::string, whole::Weights*> named(whole::Model& model) {
  std::map<std::string, whole::Weights*> all{{"tok", &model.C}, {"pos", &model.Pos}, {"head.W", &model.Wh}};
  all["norm.weight"] = &model.norm.gain;
  for (std::size_t k = 0; k < model.blocks.size(); ++k) {
    const std::string at = "blocks." + std::to_string(k) + ".";
    whole::Block& b = model.blocks[k];
    whole::Attention& a = b.attention;
    all.insert({{at + "norm1.weight", &b.norm1.gain}, {at + "norm2.weight", &b.norm2.gain}, {at + "attn.Wq", &a.Wq}});
    all.insert({{at + "attn.Wk", &a.Wk}, {at + "attn.Wv", &a.Wv}, {at + "attn.Wg", &a.Wg}, {at + "attn.Wp", &a.Wp}});
    all.insert({{at + "attn.Wo", &a.Wo}, {at + "mlp.W1", &b.W1}, {at + "mlp.W2", &b.W2}});
  }
  return all;
}

static void draw(const std::vector<whole::Weights*>& weights) {
  std::mt19937_64 random(7);
  for (whole::Weights* one : weights)
    for (double& w : one->w) w = (one->rows == 1 ? 1 : 0) + std::normal_distribution<double>(0, .4)(random);
}

static void compare(Checks& check, whole::Gate gate, const std::string& name) {
  constexpr std::size_t vocab = 7, context = 5, width = 6, heads = 2, windows = 3;
  whole::Model file{vocab, width, context, {}};
  file.blocks.assign(2, whole::Block{{gate, width, heads, context}});
  draw(file.weights());

  lesson6::LanguageForm form{vocab, context, {lesson6::Gate(gate), 2, heads, width, false}};
  lesson6::LanguageModel<double> lesson(form);
  for (const auto& [tensor_name, tensor] : lesson.tensors()) {
    const whole::Weights& from = *named(file).at(tensor_name);
    check.that(tensor.shape() == Shape{from.rows, from.cols}, name + ": the shape of " + tensor_name);
    std::copy(from.w.begin(), from.w.end(), tensor.values().begin());
  }

  // A difference over 2e-4 leaves an h² term of some 1e-8 and a rounding of some 1e-12; a wrong line is off by 1e-3.
  std::mt19937_64 random(3);
  Indices in(windows * context), out(in);
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = random() % vocab, out[k] = random() % vocab;
  const auto lost = [&] {
    whole::Numbers S = file.forward(in);
    return file.loss(S, out);
  };
  file.gradients(in, out);
  for (const auto& [weights_name, weights] : named(file))
    for (std::size_t k = 0; k < weights->w.size(); k += 1 + weights->w.size() / 9) {
      double &w = weights->w[k], kept = w, d = weights->d[k];
      w = kept + 1e-4;
      const double above = lost();
      w = kept - 1e-4;
      check.near(d, (above - lost()) / 2e-4, 1e-6, name + ": the gradient of " + weights_name);
      w = kept;
    }

  AdamW<double> adam({.9, .99, 1e-8, .1, false});
  Gradients<lesson6::LanguageModel<double>> g(lesson);
  lesson6::LanguageModel<double>::Trace t;
  for (int step = 0; step < 20; ++step) {
    for (std::size_t k = 0; k < in.size(); ++k) in[k] = random() % vocab, out[k] = (in[k] * 3 + k) % vocab;
    const std::vector<std::uint32_t> symbols(in.begin(), in.end()), targets(out.begin(), out.end());
    const lesson6::Texts texts{symbols, context};
    lesson.forward(texts, t);
    const Loss<double> loss = softmax_cross_entropy(t.Y, targets);
    check.near(file.step(in, out, .01), loss.value, 1e-9, name + ": the loss of step " + std::to_string(step));
    lesson.backward(texts, t, loss.gradient, g);
    clip_global_norm(g.d.tensors(), 1);
    adam.step(lesson.tensors(), g.d.tensors(), .01);
  }
}

int main() {
  Checks check;
  const std::vector<std::string> gates{"standard", "half", "bma", "attending", "post"};
  for (std::size_t g = 0; g < gates.size(); ++g) compare(check, whole::Gate(g), gates[g]);
  return check.done("test_lesson6_whole");
}
