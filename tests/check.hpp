// What every test program uses: count what holds, print what does not, end with one line and an
// exit status.
// Run: each test is a program of its own; it exits 0 when all checks hold, 1 when one fails.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <string>

class Checks {
 public:
  // Records one check; a failing one is printed at once with its text.
  void that(bool holds, const std::string& what) {
    ++count_;
    if (holds) return;
    ++failed_;
    std::printf("FAIL %s\n", what.c_str());
  }

  // |measured - expected| at most tolerance; NaN fails.
  void near(double measured, double expected, double tolerance, const std::string& what) {
    char text[120];
    std::snprintf(text, sizeof text, ": %.17g, expected %.17g within %.2g", measured, expected,
                  tolerance);
    that(std::abs(measured - expected) <= tolerance, what + text);
  }

  // The texts are the same; where they are not, both are shown.
  void equal(const std::string& found, const std::string& expected, const std::string& what) {
    that(found == expected, what + ": '" + found + "', expected '" + expected + "'");
  }

  // f() throws an exception derived from E whose text contains `part`.
  template <class E = std::exception, class F>
  void throws(F f, const std::string& part, const std::string& what = "refused") {
    try {
      f();
      that(false, what + ": nothing thrown");
    } catch (const E& error) {
      const std::string text = error.what();
      that(text.find(part) != std::string::npos,
           what + ": threw '" + text + "', which lacks '" + part + "'");
    }
  }

  // Prints the closing line; return its value from main.
  int done(const char* name) const {
    std::printf("%s: %d checks, %d failed\n", name, count_, failed_);
    return failed_ == 0 ? 0 : 1;
  }

 private:
  int count_ = 0, failed_ = 0;
};

// What most programs have for a main: one test after another.
inline int run_checks(const char* name, std::initializer_list<void (*)(Checks&)> tests) {
  Checks check;
  for (const auto test : tests) test(check);
  return check.done(name);
}

// How often `part` stands in `text`.
inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}
inline bool has(const std::string& text, const std::string& part) { return count(text, part) > 0; }
