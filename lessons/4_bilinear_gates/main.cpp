// Lesson 4: what can one product compute? The parts of README.md in their order; each lies in parts/.
// Run: make lesson4   (or: g++ -std=c++20 -O3 -pthread -I. lessons/4_bilinear_gates/main.cpp -o lesson4 && ./lesson4)
// SPDX-License-Identifier: MIT
#include "common/support/lesson.hpp"
#include "lessons/4_bilinear_gates/any_gate.hpp"
#include "lessons/4_bilinear_gates/export.hpp"
#include "lessons/4_bilinear_gates/parts/part10_depth.hpp"
#include "lessons/4_bilinear_gates/parts/part1_bilinear_maps.hpp"
#include "lessons/4_bilinear_gates/parts/part2_the_layer.hpp"
#include "lessons/4_bilinear_gates/parts/part3_xor_by_hand.hpp"
#include "lessons/4_bilinear_gates/parts/part4_sixteen_gates.hpp"
#include "lessons/4_bilinear_gates/parts/part5_identity.hpp"
#include "lessons/4_bilinear_gates/parts/part6_xor_by_training.hpp"
#include "lessons/4_bilinear_gates/parts/part7_reading_weights.hpp"
#include "lessons/4_bilinear_gates/parts/part8_three_inputs.hpp"
#include "lessons/4_bilinear_gates/parts/part9_superposition.hpp"

int run_parts(Session& session) {
  Lesson lesson(session.options, "Lesson 4: what can one product compute?");
  if (lesson.part(1, "Linear and bilinear maps")) part1(lesson);
  if (lesson.part(2, "The layer")) part2(lesson);
  if (lesson.part(3, "XOR by hand")) part3(lesson, session);
  if (lesson.part(4, "Sixteen gates, one unit")) part4(lesson, session);
  if (lesson.part(5, "The identity")) part5(lesson, session);
  if (lesson.part(6, "XOR by training")) part6(lesson, session);
  if (lesson.part(7, "Reading the weights")) part7(lesson, session);
  if (lesson.part(8, "Three inputs")) part8(lesson);
  if (lesson.part(9, "Superposition")) part9(lesson, session);
  if (lesson.part(10, "Depth")) part10(lesson, session);
  return lesson.finish(
      "A ReLU unit only rises, or only falls, along its one sum, and XOR needs 0, 1, 0. A product of two sums is a "
      "parabola along a line: it can fall and rise again. So one unit is every gate of two bits, and it learned XOR "
      "from each of the starts that we tried: there is no region of weights in which it is off. The biases let a "
      "factor be constant: without them the layer says the same at h and -h, and cannot pass a number on. What one "
      "layer "
      "cannot do is more than a quadratic of its inputs: three-bit parity takes two.");
}

int main(int argc, char** argv) {
  return run_program("lesson4", [&] {
    Flags flags(argc, argv, "lesson4", "What can one product compute?");
    const std::string gate = flags.text("--gate", "NAME", "", "train and explain this gate, such as NAND, and stop");
    const std::string truth = flags.text("--truth", "BITS", "", "the same for outputs at 00, 10, 01, 11 (or eight)");
    const Options options = common_options(flags, "lesson4", 1, 10);
    flags.finish();
    const std::string wanted = wanted_table(gate, truth);
    if (!options.export_file.empty()) return export_lesson4(options.export_file);

    if (!wanted.empty() && options.part) throw UserError("--part: with --gate or --truth only that gate is trained");
    check_memory("--steps", 16 * double(options.steps));  // part 6 keeps the loss of each step of a run
    Session session(options);
    return wanted.empty() ? run_parts(session) : explain_gate(session, wanted);
  });
}
