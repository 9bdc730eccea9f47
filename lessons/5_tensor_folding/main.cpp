// Lesson 5: can a network be understood from its weights alone? The parts of README.md in their order; each lies in parts/.
// Run: make lesson5   (or: g++ -std=c++20 -O3 -pthread -I. lessons/5_tensor_folding/main.cpp -o lesson5 && ./lesson5)
// SPDX-License-Identifier: MIT
#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/export.hpp"
#include "lessons/5_tensor_folding/parts/part10_svd.hpp"
#include "lessons/5_tensor_folding/parts/part11_composition.hpp"
#include "lessons/5_tensor_folding/parts/part12_guarantees.hpp"
#include "lessons/5_tensor_folding/parts/part13_dictionaries.hpp"
#include "lessons/5_tensor_folding/parts/part1_third_order.hpp"
#include "lessons/5_tensor_folding/parts/part2_folding.hpp"
#include "lessons/5_tensor_folding/parts/part3_biases.hpp"
#include "lessons/5_tensor_folding/parts/part4_symmetry.hpp"
#include "lessons/5_tensor_folding/parts/part5_eigenvectors.hpp"
#include "lessons/5_tensor_folding/parts/part6_digits.hpp"
#include "lessons/5_tensor_folding/parts/part7_pictures.hpp"
#include "lessons/5_tensor_folding/parts/part8_regularisation.hpp"
#include "lessons/5_tensor_folding/parts/part9_adversarial.hpp"

int run_parts(Session& session) {
  Lesson lesson(session.options, "Lesson 5: can a network be understood from its weights alone?");
  if (!session.is_standard()) lesson.training_is_not_standard();
  if (lesson.part(1, "A tensor of third order")) part1(lesson);
  if (lesson.part(2, "Folding")) part2(lesson);
  if (lesson.part(3, "Biases by a constant one")) part3(lesson);
  if (lesson.part(4, "Symmetry")) part4(lesson);
  if (lesson.part(5, "Eigenvectors")) part5(lesson);
  if (lesson.part(6, "Digits")) part6(lesson, session);
  if (lesson.part(7, "What the eigenvectors look like")) part7(lesson, session);
  if (lesson.part(8, "Regularisation")) part8(lesson, session);
  if (lesson.part(9, "A pattern that fools")) part9(lesson, session);
  if (lesson.part(10, "What the SVD can tell")) part10(lesson, session);
  if (lesson.part(11, "Does it scale to composition?")) part11(lesson);
  if (lesson.part(12, "Guarantees")) part12(lesson, session);
  if (lesson.part(13, "Sparse dictionaries")) part13(lesson, session);
  if (!session.flags.save.empty()) {
    session.net();  // training stores it
    lesson.wrote(session.flags.save);
  }
  return lesson.finish(
      "Yes, one product layer at a time. Fold it, make it symmetric, take eigenvectors: what it multiplies, what each "
      "output "
      "looks for, what fools it and what it can never exceed are all in the weights. It costs a table that is larger "
      "than the "
      "net, works for one layer only, and names features only where something makes a basis special: outputs that mean "
      "something, or sparsity.");
}

int main(int argc, char** argv) {
  return run_program("lesson5", [&] {
    Flags flags(argc, argv, "lesson5", "Can a network be understood from its weights alone?");
    const FoldingFlags own = folding_flags(flags);
    const Options options = common_options(flags, "lesson5", 1, 13);
    flags.finish();
    if (!options.export_file.empty()) return export_lesson5(options.export_file);

    Session session(own, options);
    return run_parts(session);
  });
}
