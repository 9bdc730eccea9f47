// Lesson 1: why does a deep network need a variance law? The parts of README.md in their order; each lies in parts/.
// Run: make lesson1
// SPDX-License-Identifier: MIT
#include "common/support/parts.hpp"
#include "lessons/1_math_refresh/run/export.hpp"

namespace lesson1 {

Experiment<Pool> part0, part1, part2, part3, part4, part5, part6, part7;
Bench<Pool> bench0(), bench1(), bench2(), bench3(), bench4(), bench5(), bench6(), bench7();

static constexpr OldPart<Pool> parts[] = {
    {0, "One neuron, and what you need", part0, PartKind::core, bench0},
    {1, "The linear layer", part1, PartKind::core, bench1},
    {2, "Activations and their slopes", part2, PartKind::core, bench2},
    {3, "Backpropagation", part3, PartKind::core, bench3},
    {4, "How a gradient check works", part4, PartKind::core, bench4},
    {5, "The variance law", part5, PartKind::core, bench5},
    {6, "What the textbook table hides", part6, PartKind::core, bench6},
    {7, "Does it matter for training?", part7, PartKind::core, bench7},
};

static int run(const Options& options) {
  if (!options.export_file.empty()) return export_lesson1(options.export_file);
  check_memory("--steps", 100 * double(options.steps));  // part 7 keeps the loss of each step, and draws it
  Pool pool = pool_of(options);
  Lesson lesson(options, "Lesson 1: why does a deep network need a variance law?");
  run_old_parts<Pool>(lesson, pool, parts);
  return lesson.finish(
      "Every layer multiplies the second moment of its signal by n·Var W times what the activation keeps, "
      "and fifty layers raise that factor to the fiftieth power. Only one variance makes it 1: "
      "2/n for ReLU, with weights that are symmetric around 0. "
      "Forward and backward, one number decides how much of a signal is left to learn from, "
      "and so when learning begins.");
}

}  // namespace lesson1

int main(int argc, char** argv) {
  return run_program("lesson1", [&] {
    Flags flags(argc, argv, "lesson1", "Why does a deep network need a variance law?");
    Options options = common_options(flags, "lesson1", 0, 7);
    ask_for_knobs<Pool>(flags, options, lesson1::parts);
    flags.finish();
    return lesson1::run(options);
  });
}
