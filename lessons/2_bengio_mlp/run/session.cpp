// Lesson 2: prepares what its parts share.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/run/session.hpp"

#include <utility>

#include "lessons/2_bengio_mlp/model/5_sample.hpp"
#include "lessons/2_bengio_mlp/run/model_file.hpp"

namespace lesson2 {

Session::Session(const BengioFlags& f, const Options& options, const char* program)
    : flags(f), corpus(read_corpus(f.text, program, f.context, f.symbols)), pool(pool_of(options)) {
  blame("--prompt", [&] { return corpus.vocabulary.encode(f.prompt); });
  if (!f.load.empty()) model_ = load_model(f.load, corpus.vocabulary);
  check_save(f.save, options, {f.text});
}

BengioForm Session::form() const {
  if (model_) return model_->form;
  return {corpus.vocab(), flags.context, flags.dim, flags.hidden, flags.direct};
}

void Session::train_model(std::uint64_t seed, long steps, const WatchModel& watch) {
  TrainingSettings settings = flags.training;
  settings.steps = steps;
  Random random(seed);
  Bengio<float> model(form(), random);
  train(model, corpus.part.train, settings, pool, Random(seed, 1),
        [&](long step, double loss) { watch(step, loss, model); });
  model_ = std::move(model);
  if (!flags.save.empty()) save_model(flags.save, *model_, corpus.vocabulary);
}

void Session::ensure_model(const Options& options) {
  if (model_) return;
  const long steps = options.steps_or(standard_steps, 60);
  Progress progress("training", steps);
  train_model(options.seed, steps,
              [&](long step, double loss, const auto&) { progress(step + 1, "loss " + fixed(loss, 3)); });
}

std::string Session::write(const std::string& prompt, std::size_t count, double temperature, std::uint64_t seed) const {
  Random random(seed, 8);
  const Vocabulary& vocabulary = corpus.vocabulary;
  return prompt + vocabulary.decode(sample(model(), vocabulary.encode(prompt), count, temperature, random));
}

}  // namespace lesson2
