// Lesson 4: what can one product compute?
// Run: make lesson4
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/lesson.hpp"

#include "common/frame/lesson/model_visitors.hpp"
#include "common/frame/lesson/part.hpp"

namespace lesson4 {

void equations(formula::EquationChecker& checker);
static const Part<Session>* const parts[] = {&part1, &part2, &part3, &part4, &part5,
                                             &part6, &part7, &part8, &part9, &part10};

static int write_example(const std::string& path) {
  Exports to;
  to.file.metadata = {
      {"lesson", "4"},
      {"loss",
       "mean over all entries of (Y - T)^2; * is entry by entry, X W is the matrix product"},
      {"product", "Y = ((X W + b) * (X V + c)) U + u"}};
  const Example batch = example();
  add_matrix(to.file, "input.X", batch.X);
  add_matrix(to.file, "input.T", batch.T);
  visit_models(to);
  return write_export(path, to.file);
}

// Returns the options of a run; rows of one's own are for one part alone.
static Options with_part(Options options) {
  if (!options.own.given(data_flag)) return options;
  if (options.part && options.part != part_of_data)
    throw UserError(join("--data goes with --part ", part_of_data));
  if (!options.part) options.settings = knob::standards_of(part10.knobs);
  options.part = part_of_data;
  return options;
}

static int run(const Options& given) {
  const Options options = with_part(given);
  if (options.part == part_of_data) check_rows(options);
  if (!options.export_file.empty()) return write_example(options.export_file);
  check_memory("--steps", 16 * double(options.steps));  // part 6 keeps the loss of each step
  Session session(options);
  Lesson lesson(options, "Lesson 4: what can one product compute?");
  lesson.equations(equations);
  run_parts<Session>(lesson, session, parts);
  return lesson.finish(
      "The quadratics that have at most one square of each sign. On two bits that is every gate, "
      "even XOR, which no unit can be that only rises or only falls; on three bits it is 46 of 256 "
      "functions. The biases let a factor be constant: without them the layer answers the same to r "
      "and -r, and cannot pass both on.");
}

}  // namespace lesson4

int main(int argc, char** argv) {
  using namespace lesson4;
  return run_program("lesson4", [&] {
    return run(read_flags<Session>(argc, argv, "lesson4", "What can one product compute?",
                                   {&data_flag}, parts));
  });
}
