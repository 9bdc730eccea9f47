// Lesson 3: can a product replace the activation function? The parts of README.md in their order; each lies in parts/.
// Run: make lesson3
// SPDX-License-Identifier: MIT
#include "common/support/parts.hpp"
#include "lessons/3_swish_vs_bmlp/run/export.hpp"
#include "lessons/3_swish_vs_bmlp/run/own_table.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"
#include "lessons/3_swish_vs_bmlp/run/verify.hpp"

namespace lesson3 {

Experiment<Session> part0, part1, part2, part3, part4, part5, part6, part7, part8, part9;
Bench<Session> bench0(), bench1(), bench2(), bench3(), bench4(), bench5(), bench6(), bench7(), bench8();

static constexpr OldPart<Session> parts[] = {
    {0, "One page: linear, affine, bilinear, quadratic", part0, PartKind::core, bench0},
    {1, "The swish MLP", part1, PartKind::core, bench1},
    {2, "The BMLP as published", part2, PartKind::core, bench2},
    {3, "The suspicion", part3, PartKind::core, bench3},
    {4, "The proof", part4, PartKind::core, bench4},
    {5, "Real products", part5, PartKind::core, bench5},
    {6, "Two suites, equal parameters", part6, PartKind::core, bench6},
    {7, "One slider joins both worlds", part7, PartKind::core, bench7},
    {8, "The hidden factor", part8, PartKind::further, bench8},
    {9, "Keep a model, and verify it", part9},
};

static int run(const OwnFlags& own, const Options& options) {
  if (!options.export_file.empty()) return export_lesson3(options.export_file);
  check_flags(own, options);
  Session session(own, options);
  if (!own.data.empty()) return run_own_table(session);
  session.loaded = load_checked(own.load, options.seed, suite_inputs, suite_outputs);
  Lesson lesson(options, "Lesson 3: can a product replace the activation function?");
  if (!session.is_standard()) lesson.training_is_not_standard();
  run_old_parts<Session>(lesson, session, parts);
  return lesson.finish(
      "Yes, if both factors depend on the input. In the published network one does: "
      "it is one matrix, and stops where least squares stops. "
      "A product layer is exact where the truth is a product, and on odd curves, with inputs spread evenly around 0, a straight line; "
      "two of them bend about as well as swish does here.");
}

}  // namespace lesson3

int main(int argc, char** argv) {
  return run_program("lesson3", [&] {
    Flags flags(argc, argv, "lesson3", "Can a product replace the activation function?");
    const lesson3::OwnFlags own = lesson3::own_flags(flags);
    Options options = common_options(flags, "lesson3", 0, 9);
    ask_for_knobs<lesson3::Session>(flags, options, lesson3::parts);
    flags.finish();
    return lesson3::run(own, options);
  });
}
