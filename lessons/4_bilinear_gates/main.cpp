// Lesson 4: what can one product compute? The parts of README.md in their order; each lies in parts/.
// Run: make lesson4
// SPDX-License-Identifier: MIT
#include "common/support/parts.hpp"
#include "lessons/4_bilinear_gates/run/any_gate.hpp"
#include "lessons/4_bilinear_gates/run/export.hpp"

namespace lesson4 {

Experiment<Session> part1, part2, part3, part4, part5, part6, part7, part8, part9, part10;
Bench<Session> bench1(), bench2(), bench3(), bench4(), bench5(), bench6(), bench7(), bench8(), bench9(), bench10();

static constexpr OldPart<Session> parts[] = {
    {1, "Linear and bilinear maps", part1, PartKind::core, bench1},
    {2, "The layer", part2, PartKind::core, bench2},
    {3, "XOR by hand", part3, PartKind::core, bench3},
    {4, "Sixteen gates, one unit", part4, PartKind::core, bench4},
    {5, "The identity", part5, PartKind::core, bench5},
    {6, "XOR by training", part6, PartKind::core, bench6},
    {7, "Reading the weights", part7, PartKind::core, bench7},
    {8, "Three inputs", part8, PartKind::core, bench8},
    {9, "Superposition", part9, PartKind::core, bench9},
    {10, "Depth", part10, PartKind::further, bench10},
};

static int run(const Options& options, const std::string& wanted) {
  if (!options.export_file.empty()) return export_lesson4(options.export_file);
  if (!wanted.empty() && options.part) throw UserError("--part: with --gate or --truth only that gate is trained");
  check_memory("--steps", 16 * double(options.steps));  // part 6 keeps the loss of each step of a run
  Session session(options);
  if (!wanted.empty()) return explain_gate(session, wanted);
  Lesson lesson(options, "Lesson 4: what can one product compute?");
  run_old_parts<Session>(lesson, session, parts);
  return lesson.finish(
      "Any quadratic that its factors allow: with biases every gate of two bits, XOR among them, "
      "which a unit that only rises or only falls cannot be. Without biases it is even, and cannot pass a number on. "
      "More than a quadratic takes more than one layer, as three-bit parity does.");
}

}  // namespace lesson4

int main(int argc, char** argv) {
  return run_program("lesson4", [&] {
    Flags flags(argc, argv, "lesson4", "What can one product compute?");
    const std::string gate = flags.text("--gate", "NAME", "", "train and explain this gate, such as NAND, and stop");
    const std::string truth = flags.text("--truth", "BITS", "", "the same for outputs at 00, 10, 01, 11 (or eight)");
    Options options = common_options(flags, "lesson4", 1, 10);
    ask_for_knobs<lesson4::Session>(flags, options, lesson4::parts);
    flags.finish();
    return lesson4::run(options, lesson4::wanted_table(gate, truth));
  });
}
