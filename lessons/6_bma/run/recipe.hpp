// Lesson 6: the configurations that are trained: the course's three small ones, and the one that nanoGPT's page gives
// for a computer without a graphics card (Karpathy 2022).
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include "lessons/6_bma/model/5_language_model.hpp"
#include "lessons/6_bma/run/start.hpp"
#include "lessons/6_bma/run/train.hpp"

namespace lesson6 {

struct Recipe {
  std::string name;
  LanguageForm form;  // without the vocabulary, which comes with the text
  RunSettings run;
  Start start;
};

// Returns the configuration of that name. A: two layers of width 64; B: one of width 32; C: B in a third of the steps;
// nanogpt: four of width 128. Throws UserError, which names the flag, for another name.
Recipe recipe_of(const std::string& name, const std::string& flag);

// Returns in how many of so many steps the rate climbs: a tenth, but no more than a hundred.
long warm_up_of(long steps);

// Throws UserError when `runs` models, `at_a_time` of them in training, would not fit. That takes eight times the
// weights (those, the gradients of four shards, two averages, a copy) and what the forward pass of a batch keeps;
// afterwards a run is its weights, their averages, and the loss of each step.
void check_memory(const std::string& flags, const Recipe& r, double runs = 1, double at_a_time = 1);

// Returns the multiply-adds of one training step, counted as two operations each: two thirds of them are in the
// backward pass, which has two products for each one of the forward pass. Only products are counted.
double operations_a_step(const LanguageForm& f, std::size_t batch);

}  // namespace lesson6
