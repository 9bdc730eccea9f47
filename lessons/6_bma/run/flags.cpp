// Lesson 6: the flags of its program.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/flags.hpp"

#include "lessons/6_bma/run/checkpoint.hpp"

namespace lesson6 {
namespace {

// What a run is trained with.
void ask_for_model(Flags& flags, BmaFlags& f) {
  const auto count = [&](const std::string& name, std::optional<std::size_t>& into, std::size_t most,
                         const std::string& help) {
    const std::size_t found = flags.count<std::size_t>(name, 0, 1, most, help);
    if (flags.given(name)) into = found;
  };
  const auto real = [&](const std::string& name, std::optional<double>& into, double above, double most,
                        const std::string& help) {
    const double found = flags.real(name, 0, above, most, help);
    if (flags.given(name)) into = found;
  };
  const auto name = [&](const std::string& flag, std::optional<std::string>& into, const std::string& help) {
    const std::string found = flags.text(flag, "NAME", "", help);
    if (flags.given(flag)) into = found;
  };
  name("--attention", f.attention, "standard, half, bma, attending or post (bma; of a recipe standard)");
  if (f.attention) blame("--attention", [&] { gate_named(*f.attention); });
  count("--layers", f.layers, most_layers, "blocks of the transformer");
  count("--heads", f.heads, most_width, "heads of each attention");
  count("--width", f.width, most_width, "numbers for each token");
  count("--context", f.context, most_context, "symbols that the model sees");
  count("--batch", f.batch, 4096, "windows a step");
  real("--lr", f.rate, 0, 100, "peak learning rate");
  real("--dropout", f.dropout, -1, 0.9, "probability with which numbers are dropped (0)");
  if (f.dropout && *f.dropout < 0) throw UserError("--dropout: a probability is not negative");
  name("--head", f.head, "tied to the embedding table, or own");
  if (f.head && *f.head != "tied" && *f.head != "own")
    throw UserError("--head: '" + *f.head + "' is neither tied nor own");
  name("--start", f.start, "weights: own, large, small or published (own)");
  if (f.start) blame("--start", [&] { start_named(*f.start); });
  f.own_model = f.layers || f.heads || f.width || f.context || f.batch || f.rate || f.dropout || f.head || f.start;
}

// How often, on which images, what to write, and what to store.
void ask_for_rest(Flags& flags, BmaFlags& f) {
  f.seeds = flags.count<std::size_t>("--seeds", 0, 1, 100, "seeds of the comparisons (3; A: 5)");
  f.images = flags.text("--images", "FILE", "", "part 7: images in IDX form, or a batch of CIFAR-10 (drawn digits)");
  f.labels = flags.text("--labels", "FILE", "", "part 7: the labels of images in IDX form");
  f.patch = flags.count<std::size_t>("--patch", 0, 1, 64,
                                     "part 7: rows and columns of a patch (3; 7 for 28 x 28; 8 for 32 x 32)");
  f.class_token = flags.toggle("--class-token", "part 7: read the class off a token, not off the mean");
  f.sample = flags.count<std::size_t>("--sample", 0, 1, 10'000'000, "write this many symbols and stop");
  f.prompt = flags.text("--prompt", "TEXT", "", "what the writing continues");
  f.temperature = flags.real("--temperature", 1, 1e-6, 100, "below 1 safer, above 1 wilder (1)");
  f.save = flags.text("--save", "FILE", "", "store the trained model (safetensors)");
  f.save_every = flags.count<long>("--save-every", 0, 1, 1'000'000'000, "and every so many steps on the way");
  f.stop_at = flags.count<long>("--stop-at", 0, 1, 1'000'000'000, "stop the run after this step");
  f.load = flags.text("--load", "FILE", "", "parts 8 and 10 and --sample take a stored model");
  f.resume = flags.text("--resume", "FILE", "", "go on with a stored run, bit for bit");
}

void check_together(const Flags& flags, const BmaFlags& f) {
  if (f.images.empty() && !f.labels.empty()) throw UserError("--labels needs --images");
  if (!f.load.empty() && !f.resume.empty()) throw UserError("--load: with --resume the model comes from there");
  if (!f.save.empty() && !f.load.empty()) throw UserError("--save: with --load nothing is trained that could be saved");
  for (const char* name : {"--prompt", "--temperature"})
    if (flags.given(name) && f.sample == 0) throw UserError(std::string(name) + " needs --sample");
  const bool one = !f.recipe.empty() || !f.resume.empty();
  if (one && flags.given("--config")) throw UserError("--config: --recipe and --resume train one model");
  if (one && f.sample > 0) throw UserError("--sample: store the model with --save, then --load it");
  if (!f.recipe.empty() && !f.load.empty())
    throw UserError("--load: --recipe trains a model; --resume goes on with one");
  if (f.sample > 0 && !f.load.empty() && f.own_model) throw UserError("--load: the stored model has sizes of its own");
  if (f.save_every > 0 && f.save.empty()) throw UserError("--save-every needs --save");
  if (f.stop_at > 0 && f.save.empty()) throw UserError("--stop-at needs --save");
  if ((f.save_every > 0 || f.stop_at > 0) && !one)
    throw UserError("--save-every and --stop-at need --recipe or --resume");
}

}  // namespace

BmaFlags bma_flags(Flags& flags) {
  BmaFlags f;
  f.text = flags.text("--text", "FILE", "", "learn this text; any bytes (the course's own play)");
  const std::string symbols =
      flags.text("--symbols", "KIND", "bytes", "bytes, or words spelled in bytes where rare (bytes)");
  f.symbols = blame("--symbols", [&] { return symbols_named(symbols); });
  f.config = flags.text("--config", "NAME", f.config, "what part 6 compares: A, B, C or nanogpt (C)");
  f.recipe = flags.text("--recipe", "NAME", "", "train one model of A, B, C or nanogpt, and stop");
  ask_for_model(flags, f);
  ask_for_rest(flags, f);
  check_together(flags, f);
  return f;
}

}  // namespace lesson6
