// Lesson 3: its flags, and what its parts share.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/run/session.hpp"

#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"

namespace lesson3 {

OwnFlags own_flags(Flags& flags) {
  OwnFlags f;
  f.data = flags.text("--data", "FILE", "", "learn this table instead (CSV: header row, numbers)");
  f.targets = flags.count<std::size_t>("--targets", f.targets, 1, 1000, "how many of its last columns are targets (1)");
  f.model = flags.text("--model", "NAME", "product2", "the model of part 9 and of --save (product2)");
  f.rate = flags.real("--lr", f.rate, 0, 100, "peak learning rate (0.005)");
  f.save = flags.text("--save", "FILE", "", "store that model once it is trained (safetensors)");
  f.load = flags.text("--load", "FILE", "", "use a stored model instead of training one");
  if (flags.given("--targets") && f.data.empty()) throw UserError("--targets needs --data");
  if (!f.save.empty() && !f.load.empty()) throw UserError("--save: with --load nothing is trained that could be saved");
  if (!visit_model(f.model, 1, 1, [](auto) {}))
    throw UserError("--model: '" + f.model + "' is none of " + model_keys());
  if (flags.given("--model") && !f.load.empty()) throw UserError("--model: the file of --load names its own");
  return f;
}

void check_flags(const OwnFlags& own, const Options& options) {
  if (!own.data.empty() && options.part) throw UserError("--part: with --data the lesson's parts are not run");
  const bool keeps = !own.data.empty() || !options.part || *options.part == 9;
  if (!keeps && !own.save.empty()) throw UserError("--save: it is part 9 that trains this model");
  if (!keeps && !own.load.empty()) throw UserError("--load: it is part 9 that uses this model");
  check_save(own.save, options, {own.data});
}

TrainingSettings Session::training() const {
  TrainingSettings settings;
  settings.steps = options.steps_or(settings.steps, 60);
  settings.rate = flags.rate;
  return settings;
}

const Bmlp<float>& Session::bmlp() {
  if (!bmlp_) {
    Random random(options.seed, 31);
    bmlp_.emplace(Forms{suite_inputs, suite_outputs}.bmlp, random);
    bmlp_curve = train_and_watch(*bmlp_, suite().train, training(), Random(options.seed, 32));
  }
  return *bmlp_;
}

const SplitRows& Session::suite() {
  if (!suite_) suite_ = draw_suite(suites[0], options.seed, rows());
  return *suite_;
}

}  // namespace lesson3
