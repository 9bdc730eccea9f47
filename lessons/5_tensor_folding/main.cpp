// Lesson 5: can a network be understood from its weights alone? The parts of README.md, which lie in parts/.
// Run: make lesson5
// SPDX-License-Identifier: MIT
#include "common/support/parts.hpp"
#include "lessons/5_tensor_folding/run/export.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"

namespace lesson5 {

Experiment<Session> part1, part2, part3, part4, part5, part6, part7, part8, part9, part10, part11, part12, part13,
    part14;
Bench<Session> bench1(), bench2(), bench3(), bench4(), bench5(), bench6(), bench7(), bench8(), bench9(), bench10(),
    bench11(), bench12(), bench13(), bench14();

static constexpr OldPart<Session> parts[] = {
    {1, "A tensor of third order", part1, PartKind::core, bench1},
    {2, "Folding", part2, PartKind::core, bench2},
    {3, "Biases by a constant one", part3, PartKind::core, bench3},
    {4, "Symmetry", part4, PartKind::core, bench4},
    {5, "Eigenvectors", part5, PartKind::core, bench5},
    {6, "Digits", part6, PartKind::core, bench6},
    {7, "What the eigenvectors look like", part7, PartKind::core, bench7},
    {8, "Regularisation", part8, PartKind::core, bench8},
    {9, "A pattern that fools", part9, PartKind::core, bench9},
    {10, "What the SVD can tell", part10, PartKind::further, bench10},
    {11, "Does it scale to composition?", part11, PartKind::core, bench11},
    {12, "Guarantees", part12, PartKind::core, bench12},
    {13, "Sparse dictionaries", part13, PartKind::further, bench13},
    {14, "Squares and biases", part14, PartKind::further, bench14},
};

static int run(const FoldingFlags& own, const Options& options) {
  if (!options.export_file.empty()) return export_lesson5(options.export_file);
  Session session(own, options);
  Lesson lesson(options, "Lesson 5: can a network be understood from its weights alone?");
  if (!session.is_standard()) lesson.training_is_not_standard();
  run_old_parts<Session>(lesson, session, parts);
  if (!own.save.empty()) {
    session.net();  // training stores it
    lesson.wrote(own.save);
  }
  return lesson.finish(
      "Yes, as long as it is one product layer: folded, it gives up each digit's patterns, one that fools it, and a "
      "bound that no input passes. Two layers are too many for one table: those are read one at a time.");
}

}  // namespace lesson5

int main(int argc, char** argv) {
  return run_program("lesson5", [&] {
    Flags flags(argc, argv, "lesson5", "Can a network be understood from its weights alone?");
    const lesson5::FoldingFlags own = lesson5::folding_flags(flags);
    Options options = common_options(flags, "lesson5", 1, 14);
    ask_for_knobs<lesson5::Session>(flags, options, lesson5::parts);
    flags.finish();
    return lesson5::run(own, options);
  });
}
