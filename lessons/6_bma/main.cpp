// Lesson 6: does a product inside attention help, and which product? The parts of README.md in their order; each lies
// in parts/. Run: make lesson6
// SPDX-License-Identifier: MIT
#include "common/support/parts.hpp"
#include "lessons/6_bma/model/8_writer.hpp"
#include "lessons/6_bma/run/export.hpp"
#include "lessons/6_bma/run/one_run.hpp"

namespace lesson6 {

Experiment<Session> part1, part2, part3, part4, part5, part6, part7, part8, part9, part10;
Bench<Session> bench1(), bench2(), bench3(), bench4(), bench5(), bench6(), bench7(), bench8(), bench9(), bench10();

static constexpr OldPart<Session> parts[] = {
    {1, "Attention by hand", part1, PartKind::core, bench1},
    {2, "Two identities", part2, PartKind::core, bench2},
    {3, "Parameters and memory", part3, PartKind::core, bench3},
    {4, "The task that separates them", part4, PartKind::core, bench4},
    {5, "The transformer", part5, PartKind::core, bench5},
    {6, "A language model, five times", part6, PartKind::core, bench6},
    {7, "Patches", part7, PartKind::further, bench7},
    {8, "What the heads do", part8, PartKind::core, bench8},
    {9, "The published figures in perspective", part9, PartKind::core, bench9},
    {10, "Writing", part10, PartKind::core, bench10},
};

// --sample: write, and stop; nothing but the text goes to stdout. A stored model brings its own symbols.
static int write_and_stop(const Run& run, const BmaFlags& flags, std::uint64_t seed) {
  const Vocabulary& vocabulary = run.vocabulary;
  const std::vector<std::uint32_t> prompt = blame("--prompt", [&] { return vocabulary.encode(flags.prompt); });
  Random random(seed, 5);
  print(flags.prompt + vocabulary.decode(write(run.model, prompt, flags.sample, flags.temperature, random)) + "\n");
  return 0;
}

static int show_parts(Session& session) {
  if (!session.options.settings.turned()) session.patches = patch_task(session.flags, session.options);
  Lesson lesson(session.options, "Lesson 6: does a product inside attention help, and which product?");
  if (!session.is_standard()) lesson.training_is_not_standard();
  run_old_parts<Session>(lesson, session, parts);
  if (!session.flags.save.empty()) {
    session.model();  // training stores it
    lesson.wrote(session.flags.save);
  }
  return lesson.finish(
      "A product inside attention helps where the token that attends makes it. The published gate is made by the token "
      "that is read: it fails the task that asks for a choice, and in the language model it is worth what a constant ½ "
      "is, to a few thousandths of a nat. The gate behind the attention is ahead in most settings. Paired seeds tell; "
      "one run does not.");
}

static int run(const BmaFlags& own, const Options& options, const char* program) {
  if (own.sample > 0 && options.part) throw UserError("--part: with --sample only text is written");
  if (!options.export_file.empty()) return export_lesson6(options.export_file);
  if (own.sample > 0 && !own.load.empty()) return write_and_stop(load_run(own.load, "--load"), own, options.seed);
  Session session(own, options, program);
  if (!own.recipe.empty() || !own.resume.empty()) return one_run(session);
  if (own.sample > 0) return write_and_stop(session.model(), own, options.seed);
  return show_parts(session);
}

}  // namespace lesson6

int main(int argc, char** argv) {
  return run_program("lesson6", [&] {
    Flags flags(argc, argv, "lesson6", "Does a product inside attention help, and which product?");
    const lesson6::BmaFlags own = lesson6::bma_flags(flags);
    Options options = common_options(flags, "lesson6", 1, 10);
    ask_for_knobs<lesson6::Session>(flags, options, lesson6::parts);
    flags.finish();
    return lesson6::run(own, options, argv[0]);
  });
}
