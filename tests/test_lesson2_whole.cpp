// Tests of lesson 2's whole.cpp: its gradients against differences, its losses against those of the lesson's model.
// SPDX-License-Identifier: MIT
#include "common/exercise/exercise.hpp"
#include "lessons/2_bengio_mlp/train.hpp"
#include "tests/gradients.hpp"

#define main whole_main
#include "lessons/2_bengio_mlp/whole.cpp"
#undef main

using lesson2::Bengio;
using Sizes = std::vector<std::size_t>;

// Copies its weights, or its gradients, into the lesson's model.
static Bengio<float> as_lesson(Model& model, Numbers Weights::*what) {
  Bengio<float> same({model.vocab, model.c, model.dim, model.h});
  const std::vector<Weights*> own = model.weights();
  for (std::size_t k = 0; k < own.size(); ++k)
    std::copy((own[k]->*what).begin(), (own[k]->*what).end(), same.tensors()[k].tensor.values().begin());
  return same;
}

int main() {
  Checks check;
  Model model{7, 3, 2, 5};
  Random random(1);
  for (Weights* one : model.weights())
    for (float& w : one->w) w = float(random.normal());
  const lesson2::Windows windows = lesson2::small_windows();
  model.gradients({windows.contexts.begin(), windows.contexts.end()}, {windows.targets.begin(), windows.targets.end()});
  Bengio<float> point = as_lesson(model, &Weights::w), slopes = as_lesson(model, &Weights::d);
  Bengio<double> wide(point.form);
  const auto loss = [&] { return lesson2::loss_of(windows)(output(wide, windows)).value; };
  for (std::size_t k = 0; k < 5; ++k) wide.tensors()[k].tensor = Matrix<double>(point.tensors()[k].tensor.view());
  for (std::size_t k = 0; k < 5; ++k) {
    const auto tensors = wide.tensors();
    const auto& [name, tensor] = tensors[k];
    const Matrix<double> right = exercise::numeric_gradient(tensor, loss);
    check.near(
        max_abs_difference(Matrix<double>(slopes.tensors()[k].tensor.view()), right) / double(largest_entry(right)), 0,
        float_tolerance, "whole.cpp: d" + name);
  }

  AdamW<float> adam(lesson2::TrainingSettings().adam);
  std::vector<std::uint32_t> text(300);
  for (std::uint32_t& s : text) s = std::uint32_t(random.below(7));
  for (int step = 0; step < 20; ++step) {
    const lesson2::Windows batch = lesson2::draw_windows(text, 32, 3, 7, random);
    const double rate = 0.01 * (step + 1);
    model.step({batch.contexts.begin(), batch.contexts.end()}, {batch.targets.begin(), batch.targets.end()}, rate);
    // In float: some roundings of 1e-7; a step that is wrong by a hundredth moves the next loss by 1e-3.
    check.near(model.loss, lesson2::loss_of(batch)(output(point, batch)).value, 1e-5, "whole.cpp: the loss of a batch");
    auto g = gradients(point, batch, lesson2::loss_of(batch));
    adam.step(point.tensors(), g.d.tensors(), rate);
  }
  std::string name = "whole", nowhere = "/no/text/here";
  char* words[] = {name.data(), nowhere.data()};
  check.that(whole_main(2, words) == 2, "whole.cpp: without a text it says so, with status 2");
  return check.done("test_lesson2_whole");
}
