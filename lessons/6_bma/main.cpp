// Lesson 6: does a product inside attention help, and which product? The parts of README.md in their order; each lies in
// parts/. Run: make lesson6   (or: g++ -std=c++20 -O3 -pthread -I. lessons/6_bma/main.cpp -o lesson6 && ./lesson6)
// SPDX-License-Identifier: MIT
#include "common/support/lesson.hpp"
#include "lessons/6_bma/compare.hpp"
#include "lessons/6_bma/export.hpp"
#include "lessons/6_bma/one_run.hpp"
#include "lessons/6_bma/parts/part10_writing.hpp"
#include "lessons/6_bma/parts/part1_attention.hpp"
#include "lessons/6_bma/parts/part2_identities.hpp"
#include "lessons/6_bma/parts/part3_parameters.hpp"
#include "lessons/6_bma/parts/part4_mask_task.hpp"
#include "lessons/6_bma/parts/part5_transformer.hpp"
#include "lessons/6_bma/parts/part6_language_model.hpp"
#include "lessons/6_bma/parts/part7_patches.hpp"
#include "lessons/6_bma/parts/part8_heads.hpp"
#include "lessons/6_bma/parts/part9_perspective.hpp"
#include "lessons/6_bma/session.hpp"

// --sample: write, and stop; nothing but the text goes to stdout. A stored model brings its own symbols.
void write_and_stop(const Run& run, const BmaFlags& flags, std::uint64_t seed) {
  const Vocabulary vocabulary(run.symbols);
  const std::vector<std::uint32_t> prompt = blame("--prompt", [&] { return vocabulary.encode(flags.prompt); });
  Random random(seed, 5);
  const std::string text =
      flags.prompt + vocabulary.decode(write(run.model, prompt, flags.sample, flags.temperature, random));
  print(text + "\n");
}

int run_parts(Session& session) {
  const PatchTask patches = patch_task(session.flags, session.options);
  Lesson lesson(session.options, "Lesson 6: does a product inside attention help, and which product?");
  if (!session.is_standard()) lesson.training_is_not_standard();
  Comparison comparison(session);
  if (lesson.part(1, "Attention by hand")) part1(lesson);
  if (lesson.part(2, "Two identities")) part2(lesson);
  if (lesson.part(3, "Parameters and memory")) part3(lesson);
  if (lesson.part(4, "A mask that only one token knows")) part4(lesson, session.pool);
  if (lesson.part(5, "The transformer")) part5(lesson);
  if (lesson.part(6, "A language model, five times")) part6(lesson, session, comparison);
  if (lesson.part(7, "Patches", true)) part7(lesson, session.pool, patches);
  if (lesson.part(8, "What the heads do")) part8(lesson, session, comparison);
  if (lesson.part(9, "The published figures in perspective")) part9(lesson, session, comparison);
  if (lesson.part(10, "Writing")) part10(lesson, session, comparison);
  if (!session.flags.save.empty()) {
    session.model();  // training stores it
    lesson.wrote(session.flags.save);
  }
  return lesson.finish(
      "Not as it was said. Whose gate it is decides what it can do. The published gate is one of the value's own "
      "token, a "
      "gated linear unit on the value: it cannot let the attending token choose, and fails the task that asks for it. "
      "A "
      "gate of the attending token leaves the sum, is a gate behind the attention, and solves that task. In the "
      "language "
      "model the published gate is worth what a constant ½ is worth, give or take a few thousandths of a nat; whether "
      "½ "
      "helps depends on the start, the head and the learning rate. A gate behind the attention, computed from the "
      "whole "
      "token, is ahead in most settings, by up to two hundredths. No single run could have told: runs that differ "
      "in "
      "nothing but their seed lie as far apart as the published gaps.");
}

int main(int argc, char** argv) {
  return run_program("lesson6", [&] {
    Flags flags(argc, argv, "lesson6", "Does a product inside attention help, and which product?");
    const BmaFlags own = bma_flags(flags);
    const Options options = common_options(flags, "lesson6", 1, 10);
    flags.finish();
    if (own.sample > 0 && options.part) throw UserError("--part: with --sample only text is written");
    if (!options.export_file.empty()) return export_lesson6(options.export_file);
    if (own.sample > 0 && !own.load.empty()) return write_and_stop(load_run(own.load, "--load"), own, options.seed), 0;
    Session session(own, options, argv[0]);
    if (!own.recipe.empty() || !own.resume.empty()) return one_run(session);
    if (own.sample > 0) return write_and_stop(session.model(), own, options.seed), 0;
    return run_parts(session);
  });
}
