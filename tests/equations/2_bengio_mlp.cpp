// Binds lesson 2's equations to what the program computes.
// SPDX-License-Identifier: MIT
#include <cmath>

#include "common/frame/formula/equation_checker.hpp"
#include "common/optimizer.hpp"
#include "lessons/2_bengio_mlp/models.hpp"
#include "lessons/2_bengio_mlp/ngram.hpp"

namespace lesson2 {

using formula::Scope;

namespace p5 {
void source(formula::EquationChecker& checker);  // (2.6), in part 5
}

// Symbols and padding repeat in these windows.
static void network(formula::EquationChecker& checker, const BengioForm& form) {
  Random random(2);
  const Bengio<double> model = normal_model(form, random);
  const Windows windows = small_windows();
  Bengio<double>::Trace t;
  model.forward(windows, t);
  const Loss<double> loss = loss_of(windows)(t.Y);
  const auto g = gradients(model, windows, loss_of(windows));
  Matrix<double> context(windows.size(), form.context), T(windows.size(), form.vocab), P = t.Y;
  std::copy(windows.contexts.begin(), windows.contexts.end(), context.values().begin());
  for (std::size_t i = 0; i < windows.size(); ++i) {
    T(i, windows.targets[i]) = 1;
    softmax(P.row(i));
  }
  Scope s;
  s.values = {{"context", context}, {"dim", 2.0}, {"n", double(windows.size())}, {"T", T}};
  std::vector<std::string> inputs{"context", "dim", "n", "T"};
  const auto own = read_only(model), slopes = read_only(g.parameters);
  for (std::size_t k = 0; k < own.size(); ++k) {
    inputs.push_back(own[k].name);
    s.values[own[k].name] = own[k].tensor;
    s.values["d" + own[k].name] = slopes[k].tensor;
  }
  s.values.insert(
      {{"E", t.E}, {"H", t.H}, {"S", t.Y}, {"P", P}, {"loss", loss.value}, {"dloss", 1.0}});
  s.values.insert({{"Z", add_row(matmul(t.E, model.W1), model.b1)},
                   {"dS", loss.gradient},
                   {"dH", matmul(loss.gradient, transpose(model.W2))}});
  // (2.9) stands in the place of (2.4), and adds to dE before (2.1) scatters it.
  const std::string with_direct = "2.1 2.2 2.3 2.9 2.5", without = "2.1 2.2 2.3 2.4 2.5";
  const std::string back = "2.5 2.9 2.4 2.3 2.2 2.1", loss_name = "loss";
  checker.model(form.direct ? with_direct : without, s, inputs, loss_name, form.direct ? back : "");
}

static void third_step(formula::EquationChecker& checker) {
  constexpr double rate = 0.1, beta1 = 0.8, beta2 = 0.95, epsilon = 0.01, decay = 0.3;
  Random random(3);
  AdamW<double> adam({beta1, beta2, epsilon, decay});
  auto w = normal_matrix<double>(2, 3, 1, random);
  Scope s;
  for (int step = 0; step < 3; ++step) {
    auto g = normal_matrix<double>(2, 3, 1, random);
    s.values = {{"w", w}, {"g", g}};
    if (step > 0) s.values.insert({{"m", adam.state().mean[0]}, {"v", adam.state().square[0]}});
    adam.step({{"w", w}}, {{"w", g}}, rate);
  }
  s.values.insert(
      {{"w←", w}, {"m←", adam.state().mean[0]}, {"v←", adam.state().square[0]}, {"steps", 3.0}});
  s.values.insert(
      {{"rate", rate}, {"β_1", beta1}, {"β_2", beta2}, {"ε", epsilon}, {"decay", decay}});
  checker.holds("2.7", s);
}

void equations(formula::EquationChecker& checker) {
  for (const BengioForm& form : {small_form, small_direct_form}) network(checker, form);
  p5::source(checker);
  third_step(checker);

  constexpr double count = 3, p = 0.2, q = 0.15, rest = 0.4, shorter_rest = 0.5;
  Scope s;
  s.values = {{"count", count}, {"p", p}, {"q", q}, {"rest", rest}, {"ω", rest / shorter_rest}};
  s.values.insert({{"ω'", (rest + p) / (shorter_rest + q)},
                   {"lost", Ngram::lost(count, p, q, rest, shorter_rest)}});
  checker.holds("2.10", s);

  Random random(4);
  const Bengio<double> model = normal_model(small_form, random);
  Matrix<double> next(1, small_form.vocab);
  const std::vector<double> p_next = next_distribution(model, {4, 4, 1}, 0.7);
  std::copy(p_next.begin(), p_next.end(), next.values().begin());
  s.values = {{"S", output(model, Windows{3, {4, 4, 1}, {0}})}, {"temperature", 0.7}, {"P", next}};
  checker.holds("2.8", s);
}

}  // namespace lesson2
