// Lesson 3: can a product replace the activation function? The parts of README.md in their order; each lies in parts/.
// Run: make lesson3   (or: g++ -std=c++20 -O3 -pthread -I. lessons/3_swish_vs_bmlp/main.cpp -o lesson3 && ./lesson3)
// SPDX-License-Identifier: MIT
#include "common/support/lesson.hpp"
#include "lessons/3_swish_vs_bmlp/export.hpp"
#include "lessons/3_swish_vs_bmlp/own_table.hpp"
#include "lessons/3_swish_vs_bmlp/parts/part0_one_page.hpp"
#include "lessons/3_swish_vs_bmlp/parts/part1_swish.hpp"
#include "lessons/3_swish_vs_bmlp/parts/part2_bmlp.hpp"
#include "lessons/3_swish_vs_bmlp/parts/part3_suspicion.hpp"
#include "lessons/3_swish_vs_bmlp/parts/part4_proof.hpp"
#include "lessons/3_swish_vs_bmlp/parts/part5_products.hpp"
#include "lessons/3_swish_vs_bmlp/parts/part6_suites.hpp"
#include "lessons/3_swish_vs_bmlp/parts/part7_slider.hpp"
#include "lessons/3_swish_vs_bmlp/parts/part8_hidden_factor.hpp"
#include "lessons/3_swish_vs_bmlp/parts/part9_keep_and_verify.hpp"

int run_parts(Session& session) {
  const auto loaded = load_checked(session.flags.load, session.options.seed, suite_inputs, suite_outputs);
  Lesson lesson(session.options, "Lesson 3: can a product replace the activation function?");
  if (!session.is_standard()) lesson.training_is_not_standard();
  if (lesson.part(0, "One page: linear, affine, bilinear, quadratic")) part0(lesson);
  if (lesson.part(1, "The swish MLP")) part1(lesson);
  if (lesson.part(2, "The BMLP as published")) part2(lesson, session);
  if (lesson.part(3, "The suspicion")) part3(lesson, session);
  if (lesson.part(4, "The proof")) part4(lesson, session);
  if (lesson.part(5, "Real products")) part5(lesson, session);
  if (lesson.part(6, "Two suites, equal parameters")) part6(lesson, session);
  if (lesson.part(7, "One slider joins both worlds")) part7(lesson, session);
  if (lesson.part(8, "The hidden factor")) part8(lesson, session);
  if (lesson.part(9, "Keep a model, and verify it")) part9(lesson, session, loaded);
  return lesson.finish(
      "Yes, if it is a product of two things that depend on the input. The published network adds a learned vector "
      "times a mean, and a mean is linear: it is one matrix in disguise, and stops where least squares stops. A "
      "product layer is every quadratic function that its width allows, exactly at home where the truth is a product, "
      "and, on inputs spread evenly around 0, no better than a straight line on odd curves. Two of them bend about as "
      "well as swish does here.");
}

int main(int argc, char** argv) {
  return run_program("lesson3", [&] {
    Flags flags(argc, argv, "lesson3", "Can a product replace the activation function?");
    const SwishFlags own = swish_flags(flags);
    const Options options = common_options(flags, "lesson3", 0, 9);
    flags.finish();
    if (!options.export_file.empty()) return export_lesson3(options.export_file);

    check_flags(own, options);
    Session session(own, options);
    return own.data.empty() ? run_parts(session) : run_own_table(session);
  });
}
