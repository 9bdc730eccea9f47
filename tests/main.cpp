// Runs the tests of a folder, which are one program: all, or those that are named. --list prints
// their names.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "tests/check.hpp"

// An exception ends its own test alone.
static bool passes(const Listed& test) {
  Checks check;
  try {
    for (const auto part : test.checks) part(check);
  } catch (const std::exception& error) {
    check.that(false, std::string("an exception: ") + error.what());
  }
  return check.done(test.name) == 0;
}

int main(int argc, char** argv) {
  const std::vector<std::string> named(argv + 1, argv + argc);
  const bool list = !named.empty() && named[0] == "--list";
  std::size_t ran = 0, failed = 0;
  for (const Listed* test : Listed::all()) {
    if (list) std::puts(test->name);
    if (list || (!named.empty() && std::count(named.begin(), named.end(), test->name) == 0))
      continue;
    ++ran;
    failed += !passes(*test);
  }
  return !list && (failed > 0 || ran == 0);
}
