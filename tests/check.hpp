// Counts checks, prints those that fail and where, and ends with an exit status.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <string>
#include <vector>

// clang++ 14 has the built-in functions, but not std::source_location.
struct Place {
  const char* file;
  int line;

  static Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

class Checks {
 public:
  // Prints a failing check at once. `what` may be missing where the condition says it all.
  void that(bool holds, const std::string& what = "does not hold", Place at = Place::here()) {
    ++count_;
    if (holds) return;
    ++failed_;
    std::printf("FAIL %s:%d: %s\n", at.file, at.line, what.c_str());
  }

  // |measured - expected| must be at most the tolerance; NaN fails.
  void near(double measured, double expected, double tolerance, const std::string& what,
            Place at = Place::here()) {
    char text[120];
    std::snprintf(text, sizeof text, ": %.17g, expected %.17g within %.2g", measured, expected,
                  tolerance);
    that(std::abs(measured - expected) <= tolerance, what + text, at);
  }

  void equal(const std::string& text, const std::string& expected, const std::string& what,
             Place at = Place::here()) {
    that(text == expected, what + ": '" + text + "', expected '" + expected + "'", at);
  }

  // f() must throw an E whose text contains `part`.
  template <class E = std::exception, class F>
  void throws(F f, const std::string& part, const std::string& what = "refused",
              Place at = Place::here()) {
    try {
      f();
      that(false, what + ": nothing thrown", at);
    } catch (const E& error) {
      const std::string text = error.what();
      that(text.find(part) != std::string::npos,
           what + ": threw '" + text + "', which lacks '" + part + "'", at);
    }
  }

  // Prints the closing line; main returns its value.
  int done(const char* name) const {
    std::printf("%s: %d checks, %d failed\n", name, count_, failed_);
    return failed_ == 0 ? 0 : 1;
  }

 private:
  int count_ = 0, failed_ = 0;
};

inline int run_checks(const char* name, std::initializer_list<void (*)(Checks&)> tests) {
  Checks check;
  for (const auto test : tests) test(check);
  return check.done(name);
}

// A test of a folder of tests/, whose files are one program: tests/main.cpp runs what is listed.
struct Listed {
  const char* name;
  std::vector<void (*)(Checks&)> checks;

  Listed(const char* own_name, std::initializer_list<void (*)(Checks&)> own_checks)
      : name(own_name), checks(own_checks) {
    all().push_back(this);
  }
  static std::vector<const Listed*>& all() {
    static std::vector<const Listed*> list;
    return list;
  }
};

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++times;
  return times;
}
inline bool has(const std::string& text, const std::string& part) { return count(text, part) > 0; }
