// The one-file lesson must lose what the lesson loses at each step, from the same weights and
// batches, and agree with differences.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "common/frame/exercise/exercise.hpp"
#include "lessons/2_bengio_mlp/train.hpp"
#include "lessons/6_bma/transformer.hpp"
#include "tests/files.hpp"
#include "tests/gradients.hpp"

namespace whole {
#define float double  // so that the two differ by roundings of 1e-16, not 6e-8
#define main whole_main
#include "lessons/6_bma/whole.cpp"
#undef main
#undef float
}  // namespace whole
namespace whole2 {
static std::string said;
namespace std {  // in which whole.cpp prints into `said`
using namespace ::std;
static int printf(const char* format, ...) {
  char line[1000];
  va_list words;
  va_start(words, format);
  const int size = vsnprintf(line, sizeof line, format, words);
  va_end(words);
  said += line;
  return size;
}
}  // namespace std
#define main whole_main
#include "lessons/2_bengio_mlp/whole.cpp"
#undef main
}  // namespace whole2

using Indices = std::vector<std::size_t>;

static std::map<std::string, whole::Weights*> named(whole::Model& model) {
  std::map<std::string, whole::Weights*> all{
      {"tok", &model.C}, {"pos", &model.Pos}, {"head.W", &model.Wh}};
  all["norm.weight"] = &model.norm.gain;
  for (std::size_t k = 0; k < model.blocks.size(); ++k) {
    const std::string at = "blocks." + std::to_string(k) + ".";
    whole::Block& b = model.blocks[k];
    whole::Attention& a = b.attention;
    all.insert({{at + "norm1.weight", &b.norm1.gain},
                {at + "norm2.weight", &b.norm2.gain},
                {at + "attn.Wq", &a.Wq}});
    all.insert({{at + "attn.Wk", &a.Wk},
                {at + "attn.Wv", &a.Wv},
                {at + "attn.Wg", &a.Wg},
                {at + "attn.Wp", &a.Wp}});
    all.insert({{at + "attn.Wo", &a.Wo}, {at + "mlp.W1", &b.W1}, {at + "mlp.W2", &b.W2}});
  }
  return all;
}

static void draw(const std::vector<whole::Weights*>& weights) {
  std::mt19937_64 random(7);
  for (whole::Weights* one : weights)
    for (double& w : one->w)
      w = (one->rows == 1 ? 1 : 0) + std::normal_distribution<double>(0, .4)(random);
}

static void compare(Checks& check, whole::Gate gate, const std::string& name) {
  constexpr std::size_t vocab = 7, context = 5, width = 6, heads = 2, windows = 3;
  whole::Model file{vocab, width, context, {}};
  file.blocks.assign(2, whole::Block{{gate, width, heads, context}});
  draw(file.weights());

  const lesson6::AttentionForm attention{
      .gate = lesson6::Gate(gate), .width = width, .heads = heads, .biases = Biases::without};
  lesson6::LanguageForm form{.vocab = vocab, .context = context, .transformer = {attention, 2}};
  lesson6::LanguageModel<double> lesson(form);
  for (const auto& [tensor_name, tensor] : lesson.tensors()) {
    const whole::Weights& from = *named(file).at(tensor_name);
    check.that(tensor.shape() == Shape{from.rows, from.cols},
               name + ": the shape of " + tensor_name);
    std::copy(from.w.begin(), from.w.end(), tensor.values().begin());
  }

  // A step of 2e-4 leaves an h² term of 1e-8 and a rounding of 1e-12; a wrong line is off by 1e-3.
  std::mt19937_64 random(3);
  Indices in(windows * context), out(in);
  for (std::size_t k = 0; k < in.size(); ++k) {
    in[k] = random() % vocab;
    out[k] = random() % vocab;
  }
  const auto lost = [&] {
    whole::Numbers S = file.forward(in);
    return file.loss(S, out);
  };
  file.gradients(in, out);
  for (const auto& [weights_name, weights] : named(file))
    for (std::size_t k = 0; k < weights->w.size(); k += 1 + weights->w.size() / 9) {
      double& w = weights->w[k];
      const double kept = w;
      w = kept + 1e-4;
      const double above = lost();
      w = kept - 1e-4;
      check.near(weights->d[k], (above - lost()) / 2e-4, 1e-6,
                 name + ": the gradient of " + weights_name);
      w = kept;
    }

  AdamW<double> adam({.9, .99, 1e-8, .1, false});
  Gradients<lesson6::LanguageModel<double>> g(lesson);
  lesson6::LanguageModel<double>::Trace t;
  for (int step = 0; step < 20; ++step) {
    for (std::size_t k = 0; k < in.size(); ++k) {
      in[k] = random() % vocab;
      out[k] = (in[k] * 3 + k) % vocab;
    }
    const std::vector<std::uint32_t> symbols(in.begin(), in.end()), targets(out.begin(), out.end());
    const lesson6::Texts texts{symbols, context};
    lesson.forward(texts, t);
    const Loss<double> loss = softmax_cross_entropy(t.Y, targets);
    check.near(file.step(in, out, .01), loss.value, 1e-9,
               name + ": the loss of step " + std::to_string(step));
    lesson.backward(texts, t, loss.gradient, g);
    clip_global_norm(g.parameters.tensors(), 1);
    adam.step(lesson.tensors(), g.parameters.tensors(), .01);
  }
}

using lesson2::Bengio;

static Bengio<float> as_lesson(whole2::Model& model, whole2::Numbers whole2::Weights::*what) {
  Bengio<float> same({model.vocab, model.c, model.dim, model.h});
  const std::vector<whole2::Weights*> own = model.weights();
  for (std::size_t k = 0; k < own.size(); ++k)
    std::copy((own[k]->*what).begin(), (own[k]->*what).end(),
              same.tensors()[k].tensor.values().begin());
  return same;
}

static void compare_lesson2(Checks& check) {
  whole2::Model model{7, 3, 2, 5};
  Random random(1);
  for (whole2::Weights* one : model.weights())
    for (float& w : one->w) w = float(random.normal());
  const lesson2::Windows windows = lesson2::small_windows();
  model.gradients({windows.contexts.begin(), windows.contexts.end()},
                  {windows.targets.begin(), windows.targets.end()});
  Bengio<float> point = as_lesson(model, &whole2::Weights::w),
                slopes = as_lesson(model, &whole2::Weights::d);
  Bengio<double> wide(point.form);
  const auto loss = [&] { return lesson2::loss_of(windows)(output(wide, windows)).value; };
  for (std::size_t k = 0; k < 5; ++k)
    wide.tensors()[k].tensor = Matrix<double>(point.tensors()[k].tensor.view());
  for (std::size_t k = 0; k < 5; ++k) {
    const auto tensors = wide.tensors();
    const auto& [name, tensor] = tensors[k];
    const Matrix<double> right = exercise::numeric_gradient(tensor, loss);
    check.near(max_abs_difference(Matrix<double>(slopes.tensors()[k].tensor.view()), right) /
                   double(largest_entry(right)),
               0, float_tolerance, "lesson 2: d" + name);
  }

  AdamW<float> adam(lesson2::TrainingSettings().adam);
  std::vector<std::uint32_t> text(300);
  for (std::uint32_t& s : text) s = std::uint32_t(random.below(7));
  for (int step = 0; step < 20; ++step) {
    const lesson2::Windows batch = lesson2::draw_windows(text, 32, 3, 7, random);
    const double rate = 0.01 * (step + 1);
    model.step({batch.contexts.begin(), batch.contexts.end()},
               {batch.targets.begin(), batch.targets.end()}, rate);
    // Some float roundings of 1e-7; a step wrong by a hundredth moves the next loss by 1e-3.
    check.near(model.loss, lesson2::loss_of(batch)(output(point, batch)).value, 1e-5,
               "lesson 2: the loss of a batch");
    auto g = gradients(point, batch, lesson2::loss_of(batch));
    adam.step(point.tensors(), g.parameters.tensors(), rate);
  }
  std::string name = "whole", nowhere = "/no/text/here";
  char* words[] = {name.data(), nowhere.data()};
  check.that(whole2::whole_main(2, words) == 2,
             "lesson 2: without a text it says so, with status 2");
}

// The text's last twentieth judges, the one before it does nothing, and nine tenths train.
static void judge_lesson2(Checks& check) {
  const Folder folder;
  const auto said_of = [&folder](std::size_t first, std::size_t count) {
    std::string text;
    for (int k = 0; k < 500; ++k) text += "aabb";
    for (std::size_t k = first; k < first + count; ++k) text[k] = k % 3 == 0 ? 'a' : 'b';
    std::string name = "whole", path = folder / "text", steps = "100";
    std::ofstream(path) << text;
    char* words[] = {name.data(), path.data(), steps.data()};
    whole2::said.clear();
    whole2::whole_main(3, words);
    return whole2::said.substr(0, whole2::said.find("100 steps") + 16);
  };
  const std::string as_it_was = said_of(0, 0);
  check.that(as_it_was.find("100 steps: 0.0") < as_it_was.size(), "lesson 2: it learns a rule");
  // All but the three letters that the first window of the last twentieth sees.
  check.that(said_of(1800, 97) == as_it_was, "lesson 2: what is between decides nothing");
  check.that(said_of(1700, 100) != as_it_was, "lesson 2: what is before trains");
  const std::string spoilt = said_of(1900, 100), trained = said_of(0, 1800);
  check.that(spoilt.find("100 steps: 0.0") > spoilt.size(), "lesson 2: the last twentieth judges");
  check.that(trained.find("100 steps: 0.0") > trained.size(), "lesson 2: nine tenths train");
}

int main() {
  Checks check;
  const std::vector<std::string> gates{"standard", "half", "bma", "attending", "post"};
  for (std::size_t g = 0; g < gates.size(); ++g) compare(check, whole::Gate(g), gates[g]);
  compare_lesson2(check);
  judge_lesson2(check);
  return check.done("test_lesson2_lesson6_whole");
}
