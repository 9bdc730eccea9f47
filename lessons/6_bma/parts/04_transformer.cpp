// Part 4: the whole transformer, checked.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/lesson.hpp"

namespace lesson6::p4 {

struct Worst {
  double error = 0;
  std::size_t models = 0, numbers = 0;

  void test_only(const std::string&, LanguageModel<double> model, Texts texts,
                 const cross_entropy& loss) {
    error = std::max(error, without_key_biases(check_model(model, texts, loss)).worst());
    ++models;
    numbers = std::max(numbers, parameters_of(model));
  }
};

static void run(Lesson& lesson, Session&, const knob::Settings&) {
  Worst all;
  visit_language_models(all, lesson.options().seed);
  // Ten times what a layer is held to: some slopes are small beside others, and the h⁴ term is not.
  lesson.claim(join("every gradient of ", all.models, " language models of up to ", all.numbers,
                    " numbers, but that of the keys' biases, which is 0: worst relative error"),
               all.error, at_most(1e-6));
}

}  // namespace lesson6::p4

const Part<lesson6::Session> lesson6::part4{
    .number = 4, .title = "The transformer", .run = p4::run};
