// What a list of known wrong answers must keep to: none is right, and no two are the same, or a reader would be told
// another reader's mistake.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/support/exercise.hpp"
#include "tests/check.hpp"

// Matrices, which a check compares with the relative error `near`.
inline void check_mistakes(Checks& check, const std::string& what, const Matrix<double>& right,
                           const std::vector<exercise::Mistake>& mistakes, double near = 1e-7) {
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    const std::string reason = what + ": " + mistakes[i].reason;
    check.that(mistakes[i].value.shape() == right.shape(), reason + ": the shape");
    check.that(!exercise::agrees(mistakes[i].value, right, near), reason + ": that is right");
    for (std::size_t j = 0; j < i; ++j)
      check.that(!exercise::agrees(mistakes[i].value, mistakes[j].value, near),
                 reason + ": the same as " + mistakes[j].reason);
  }
}

// Numbers, which a check takes for the same within the part `near`.
inline void check_misreadings(Checks& check, const std::string& what, double right,
                              const std::vector<exercise::Misreading>& misreadings, double near) {
  const auto same = [near](double a, double b) { return std::abs(a - b) <= near * std::abs(b); };
  for (std::size_t i = 0; i < misreadings.size(); ++i) {
    const std::string reason = what + ": " + misreadings[i].reason;
    check.that(!same(misreadings[i].value, right), reason + ": that is right");
    for (std::size_t j = 0; j < i; ++j)
      check.that(!same(misreadings[i].value, misreadings[j].value), reason + ": the same as " + misreadings[j].reason);
  }
}

// The reader of each of them is told its reason, and nobody else's.
inline void check_told(Checks& check, const std::string& what, const Matrix<double>& right,
                       const std::vector<exercise::Mistake>& mistakes, const exercise::Judge& judge) {
  for (const exercise::Mistake& mistake : mistakes)
    check.equal(exercise::diagnose({what, mistake.value, right}, judge, mistakes), mistake.reason, what);
}

inline void check_told(Checks& check, const std::string& what, double right,
                       const std::vector<exercise::Misreading>& misreadings, double tolerance) {
  for (const exercise::Misreading& misreading : misreadings)
    check.equal(exercise::diagnose({what, misreading.value, right, tolerance, misreadings}), misreading.reason, what);
}

// Whoever gives this wrong answer is told a cause that has these words, whatever list it comes from.
inline void check_cause(Checks& check, const std::string& what, const Matrix<double>& yours,
                        const Matrix<double>& right, const std::vector<exercise::Mistake>& mistakes,
                        const std::string& words) {
  const std::string told = exercise::diagnose({what, yours, right}, exercise::numeric, mistakes);
  check.that(told.find(words) != std::string::npos, what + ": " + words + "; told: " + told);
}

// Both of it, for lists in which every wrong answer has the shape of the right one.
inline void check_all(Checks& check, const std::string& what, const Matrix<double>& right,
                      const std::vector<exercise::Mistake>& mistakes,
                      const exercise::Judge& judge = exercise::numeric) {
  check_mistakes(check, what, right, mistakes);
  check_told(check, what, right, mistakes, judge);
}

inline void check_all(Checks& check, const std::string& what, double right,
                      const std::vector<exercise::Misreading>& misreadings, double tolerance = 0) {
  check_misreadings(check, what, right, misreadings, tolerance);
  check_told(check, what, right, misreadings, tolerance);
}
