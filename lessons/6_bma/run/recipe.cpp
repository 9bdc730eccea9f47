// Lesson 6: the configurations that are trained.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/recipe.hpp"

#include <algorithm>

#include "common/support/flags.hpp"

namespace lesson6 {

Recipe recipe_of(const std::string& name, const std::string& flag) {
  const auto small = [&](std::size_t layers, std::size_t width, std::size_t context, long steps, double rate) {
    Recipe r{name, {0, context, {Gate::standard, layers, 4, width}}, {}, {}};
    r.run.steps = steps;
    r.run.rate = rate;
    return r;
  };
  if (name == "A") return small(2, 64, 64, 800, 3e-3);
  if (name == "B") return small(1, 32, 32, 1000, 5e-3);
  if (name == "C") return small(1, 32, 32, 300, 5e-3);
  if (name != "nanogpt") throw UserError(flag + ": '" + name + "' is none of A, B, C, nanogpt");
  Recipe r = small(4, 128, 64, 2000, 1e-3);
  r.form.transformer.biases = false;
  r.form.tied = true;
  r.run.batch = 12;
  r.start = start_named("small");
  return r;
}

long warm_up_of(long steps) { return std::min(100L, steps / 10); }

void check_memory(const std::string& flags, const Recipe& r, double runs, double at_a_time) {
  const LanguageForm& f = r.form;
  const double d = double(f.transformer.width), layers = double(f.transformer.layers), context = double(f.context);
  const double vocab = double(f.vocab);
  const double weights = 13 * layers * d * d + (2 * vocab + context) * d;
  const double kept =
      double(r.run.batch) * context * (layers * (30 * d + double(f.transformer.heads) * context) + 2 * vocab);
  ::check_memory(flags, 4 * at_a_time * (8 * weights + kept) + runs * (12 * weights + 8 * double(r.run.steps)));
}

double operations_a_step(const LanguageForm& f, std::size_t batch) {
  const double d = double(f.transformer.width), tokens = double(f.context), layers = double(f.transformer.layers);
  const double gate = f.transformer.gate == Gate::post ? d * d
                      : f.transformer.gate == Gate::bma || f.transformer.gate == Gate::attending
                          ? d * d / double(f.transformer.heads)
                          : 0;
  const double each_token = layers * (12 * d * d + gate + 2 * tokens * d) + d * double(f.vocab);
  return 3 * 2 * each_token * tokens * double(batch);
}

}  // namespace lesson6
