// Lesson 2: a neural language model from an embedding table. The parts of README.md in their order; each lies in parts/.
// Run: make lesson2   (or: g++ -std=c++20 -O3 -pthread -I. lessons/2_bengio_mlp/main.cpp -o lesson2 && ./lesson2)
// SPDX-License-Identifier: MIT
#include "common/support/lesson.hpp"
#include "lessons/2_bengio_mlp/export.hpp"
#include "lessons/2_bengio_mlp/parts/part1_encode.hpp"
#include "lessons/2_bengio_mlp/parts/part2_embedding_table.hpp"
#include "lessons/2_bengio_mlp/parts/part3_gradients.hpp"
#include "lessons/2_bengio_mlp/parts/part4_before_training.hpp"
#include "lessons/2_bengio_mlp/parts/part5_known_entropy.hpp"
#include "lessons/2_bengio_mlp/parts/part6_training.hpp"
#include "lessons/2_bengio_mlp/parts/part7_reading_the_embedding.hpp"
#include "lessons/2_bengio_mlp/parts/part8_writing.hpp"

// Trains the model quietly where no part has done so and none was loaded.
void ensure_model(Session& session, const Options& options) {
  if (session.has_model()) return;
  const long steps = options.steps_or(standard_steps, 60);
  Progress progress("training", steps);
  session.train_model(options.seed, steps,
                      [&](long step, double loss, const auto&) { progress(step + 1, "loss " + fixed(loss, 3)); });
}

// --sample: write, and stop; nothing but the text goes to stdout.
void write_and_stop(Session& session, const Options& options) {
  ensure_model(session, options);
  const std::string text =
      write_text(session, session.flags.prompt, session.flags.sample, session.flags.temperature, options.seed);
  print(text + "\n");
}

int run_parts(Session& session, const Options& options) {
  Lesson lesson(options, "Lesson 2: a neural language model from an embedding table");
  if (!session.is_standard()) lesson.training_is_not_standard();
  if (lesson.part(1, "Encode")) part1(lesson, session);
  if (lesson.part(2, "The embedding table")) part2(lesson);
  if (lesson.part(3, "Forward, backward, and the check")) part3(lesson, session);
  if (lesson.part(4, "The loss before training")) part4(lesson, session);
  if (lesson.part(5, "A source of known entropy")) part5(lesson, session.pool);
  if (lesson.part(6, "Training on the text")) part6(lesson, session);
  if (lesson.part(7, "Reading the embedding")) part7(lesson, session);
  if (lesson.part(8, "Writing")) {
    ensure_model(session, options);
    part8(lesson, session);
  }
  if (!session.flags.save.empty()) {
    ensure_model(session, options);  // training saves it
    lesson.wrote(session.flags.save);
  }
  return lesson.finish(
      "Yes: given nothing but which symbol follows which, a network finds numbers for the symbols and predicts. "
      "Whether "
      "it beats counting depends on what is held equal. For the same context the tables are ahead on texts of this "
      "size. For the same count of stored numbers it is the network while both are small, and the table when large.");
}

int main(int argc, char** argv) {
  return run_program("lesson2", [&] {
    Flags flags(argc, argv, "lesson2", "A neural language model from an embedding table");
    const BengioFlags own = bengio_flags(flags);
    const Options options = common_options(flags, "lesson2", 1, 8);
    flags.finish();
    if (!options.export_file.empty()) return export_lesson2(options.export_file);

    if (own.sample > 0 && options.part) throw UserError("--part: with --sample only text is written");
    check_memory(own, options.threads);
    Session session(own, options, argv[0]);
    if (own.sample == 0) return run_parts(session, options);
    write_and_stop(session, options);
    return 0;
  });
}
