// Lesson 1: why does a deep network need a variance law? The parts of README.md in their order; each lies in parts/.
// Run: make lesson1   (or: g++ -std=c++20 -O3 -pthread -I. lessons/1_math_refresh/main.cpp -o lesson1 && ./lesson1)
// SPDX-License-Identifier: MIT
#include "common/support/lesson.hpp"
#include "lessons/1_math_refresh/export.hpp"
#include "lessons/1_math_refresh/parts/part0_what_you_need.hpp"
#include "lessons/1_math_refresh/parts/part1_linear_layer.hpp"
#include "lessons/1_math_refresh/parts/part2_activations.hpp"
#include "lessons/1_math_refresh/parts/part3_backpropagation.hpp"
#include "lessons/1_math_refresh/parts/part4_gradient_check.hpp"
#include "lessons/1_math_refresh/parts/part5_variance_law.hpp"
#include "lessons/1_math_refresh/parts/part6_what_the_table_hides.hpp"
#include "lessons/1_math_refresh/parts/part7_does_it_matter.hpp"

int main(int argc, char** argv) {
  return run_program("lesson1", [&] {
    Flags flags(argc, argv, "lesson1", "Why does a deep network need a variance law?");
    const Options options = common_options(flags, "lesson1", 0, 7);
    flags.finish();
    if (!options.export_file.empty()) return export_lesson1(options.export_file);

    check_memory("--steps", 100 * double(options.steps));  // part 7 keeps the loss of each step, and draws it
    Pool pool = pool_of(options);
    Lesson lesson(options, "Lesson 1: why does a deep network need a variance law?");
    if (lesson.part(0, "What you need")) part0(lesson);
    if (lesson.part(1, "The linear layer")) part1(lesson);
    if (lesson.part(2, "Activations and their slopes")) part2(lesson);
    if (lesson.part(3, "Backpropagation")) part3(lesson);
    if (lesson.part(4, "How a gradient check works")) part4(lesson);
    if (lesson.part(5, "The variance law")) part5(lesson, pool);
    if (lesson.part(6, "What the textbook table hides")) part6(lesson, pool);
    if (lesson.part(7, "Does it matter for training?")) part7(lesson);
    return lesson.finish(
        "Every layer multiplies the second moment of its signal by n·Var W times what the activation keeps, and fifty "
        "layers raise that factor to the fiftieth power. Only one variance makes it 1: 2/n for ReLU, with weights that "
        "are symmetric around 0. Forward and backward, one number decides how much of a signal is left to learn from, "
        "and so when learning begins.");
  });
}
