// Lesson 6: does a product inside attention help, and which product? The parts of README.md in their order; each lies in
// parts/. Run: make lesson6   (or: g++ -std=c++20 -O3 -pthread -I. lessons/6_bma/main.cpp -o lesson6 && ./lesson6)
// SPDX-License-Identifier: MIT
#include "common/support/lesson.hpp"
#include "lessons/6_bma/one_run.hpp"
#include "lessons/6_bma/session.hpp"

int main(int argc, char** argv) {
  return run_program("lesson6", [&] {
    Flags flags(argc, argv, "lesson6", "Does a product inside attention help, and which product?");
    const BmaFlags own = bma_flags(flags);
    const Options options = common_options(flags, "lesson6", 1, 10);
    flags.finish();
    Session session(own, options, argv[0]);
    if (!own.recipe.empty() || !own.resume.empty()) return one_run(session);
    return 0;
  });
}
