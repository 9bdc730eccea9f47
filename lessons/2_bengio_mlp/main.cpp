// Lesson 2: a neural language model from an embedding table. The parts of README.md in their order, each in parts/.
// Run: make lesson2
// SPDX-License-Identifier: MIT
#include "common/support/parts.hpp"
#include "lessons/2_bengio_mlp/run/export.hpp"
#include "lessons/2_bengio_mlp/run/session.hpp"

namespace lesson2 {

Experiment<Session> part1, part2, part3, part4, part5, part6, part7, part8;
Bench<Session> bench1(), bench2(), bench3(), bench4(), bench5(), bench6(), bench7(), bench8();

static constexpr OldPart<Session> parts[] = {
    {1, "Encode", part1, PartKind::core, bench1},
    {2, "The embedding table", part2, PartKind::core, bench2},
    {3, "Forward, backward, and the check", part3, PartKind::core, bench3},
    {4, "The loss before training", part4, PartKind::core, bench4},
    {5, "A source of known entropy", part5, PartKind::core, bench5},
    {6, "Training on the text", part6, PartKind::core, bench6},
    {7, "Reading the embedding", part7, PartKind::core, bench7},
    {8, "Writing", part8, PartKind::core, bench8},
};

// --sample: writes, and nothing but the text goes to stdout.
static int write_alone(Session& session, const Options& options) {
  session.ensure_model(options);
  const BengioFlags& f = session.flags;
  print(session.write(f.prompt, f.sample, f.temperature, options.seed) + "\n");
  return 0;
}

static int run(Session& session, const Options& options) {
  Lesson lesson(options, "Lesson 2: a neural language model from an embedding table");
  if (!session.is_standard()) lesson.training_is_not_standard();
  run_old_parts<Session>(lesson, session, parts);
  if (!session.flags.save.empty()) {
    session.ensure_model(options);  // training saves it
    lesson.wrote(session.flags.save);
  }
  return lesson.finish(
      "Yes: given nothing but which symbol follows which, a network finds numbers for the symbols and predicts. "
      "Whether it beats counting depends on what is held equal. "
      "For the same context the tables are ahead on texts of this size. "
      "For the same count of stored numbers it is the network while both are small, and the table when large.");
}

}  // namespace lesson2

int main(int argc, char** argv) {
  return run_program("lesson2", [&] {
    Flags flags(argc, argv, "lesson2", "A neural language model from an embedding table");
    const lesson2::BengioFlags own = lesson2::bengio_flags(flags);
    Options options = common_options(flags, "lesson2", 1, 8);
    ask_for_knobs<lesson2::Session>(flags, options, lesson2::parts);
    flags.finish();
    if (!options.export_file.empty()) return lesson2::export_lesson2(options.export_file);
    if (own.sample > 0 && options.part) throw UserError("--part: with --sample only text is written");
    lesson2::check_fits(own, options.threads);
    lesson2::Session session(own, options, argv[0]);
    return own.sample > 0 ? lesson2::write_alone(session, options) : lesson2::run(session, options);
  });
}
