// Lesson 2: asks for its flags.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/run/flags.hpp"

#include <algorithm>

namespace lesson2 {

static void check_together(const Flags& flags, const BengioFlags& f) {
  for (const char* name : {"--prompt", "--temperature"})
    if (flags.given(name) && f.sample == 0) throw UserError(std::string(name) + " needs --sample");
  if (!f.save.empty() && !f.load.empty()) throw UserError("--save: with --load nothing is trained that could be saved");
}

BengioFlags bengio_flags(Flags& flags) {
  constexpr std::size_t most = 4096;
  BengioFlags f;
  f.text = flags.text("--text", "FILE", "", "learn this text; any bytes (the course's own play)");
  const std::string symbols =
      flags.text("--symbols", "KIND", "bytes", "bytes, or words spelled in bytes where rare (bytes)");
  f.symbols = blame("--symbols", [&] { return symbols_named(symbols); });
  f.context = flags.count<std::size_t>("--context", f.context, 1, 64, "symbols that the model sees (3)");
  f.dim = flags.count<std::size_t>("--dim", f.dim, 1, most, "numbers for each symbol (8)");
  f.hidden = flags.count<std::size_t>("--hidden", f.hidden, 1, most, "hidden units (128)");
  f.direct = flags.toggle("--direct", "connections from the embeddings straight to the logits");
  f.training.batch = flags.count<std::size_t>("--batch", f.training.batch, 1, 65536, "windows a step (128)");
  f.training.rate = flags.real("--lr", f.training.rate, 0, 100, "peak learning rate (0.01)");
  f.sample = flags.count<std::size_t>("--sample", 0, 1, 10'000'000, "write this many symbols and stop");
  f.prompt = flags.text("--prompt", "TEXT", "", "what the writing continues");
  f.temperature = flags.real("--temperature", 1, 1e-6, 100, "below 1 safer, above 1 wilder (1)");
  f.save = flags.text("--save", "FILE", "", "store the trained model (safetensors)");
  f.load = flags.text("--load", "FILE", "", "use a stored model instead of training one");
  check_together(flags, f);
  for (const char* name : {"--context", "--dim", "--hidden", "--direct", "--batch", "--lr"})
    if (flags.given(name)) {
      if (!f.load.empty()) throw UserError(std::string(name) + ": the model of --load has its own");
      f.own_model = true;
    }
  return f;
}

// Weights are kept twelve times at most (the model, two averages, the gradients of a step and of two shards at work, a
// copy with its file) and once more for each further shard.
void check_fits(const BengioFlags& f, std::size_t threads) {
  const double vocab = double(most_of(f.symbols)), d = double(f.dim), in = double(f.context) * d, h = double(f.hidden);
  const double weights = vocab * d + in * h + h * vocab + (f.direct ? in * vocab : 0);
  const double rows = std::max(double(f.training.batch), 1024 * double(threads));
  check_memory("--context, --dim, --hidden, --batch, --threads",
               4 * ((12 + double(f.training.batch) / 64) * weights + rows * (3 * in + 4 * h + 3 * vocab)));
}

}  // namespace lesson2
