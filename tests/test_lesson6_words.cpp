// Lesson 6, the table of counts over words.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <vector>

#include "lessons/6_bma/run/word_table.hpp"
#include "tests/check.hpp"

using namespace lesson6;

static void words(Checks& check) {
  const std::vector<std::string> expected{"To", "be", ",", "or", "not", "-", "that's"};
  check.that(words_of("To be, or\n not- that's ") == expected, "words, and signs one by one");
  // a is seen twice, b once: a kind for a, one for all others. The table knows a and the other with the counts 2 and 1.
  const WordTable table("a b a | a a", 6, 1);
  check.that(table.kinds == 2 && table.learned == 3, "rare words are one kind");
  check.that(table.loss > 0 && table.loss < std::log(2.0), "and a table of them is better than knowing nothing");
}

int main() {
  Checks check;
  words(check);
  return check.done("test_lesson6_words");
}
