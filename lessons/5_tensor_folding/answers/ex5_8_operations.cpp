// Exercise 5.8: another operation.
// Hint: A one-hot input knows no order: to the net, 0 to 22 are names. Which operation becomes a
// sum when you rename the numbers?
// Hint: In a product of powers the exponents add, so modulo a prime a·b is a sum of other names for
// a and b (but for 0). a³ is only another name for a: does the net know a³ + b?
// Hint: For the other one, let a and b meet in more than one way, so that no renaming makes a sum
// of it.
// SPDX-License-Identifier: MIT
#include <cstddef>

// For the check:
#include <ex5_8_operations.hpp>

#include "common/frame/exercise/exercise.hpp"
#include "lessons/5_tensor_folding/train.hpp"

using namespace exercise;

namespace ours::ex5_8 {

// With a and b powers of one number modulo 23, a·b is a sum of exponents: unseen pairs .99 to 1
// over three seeds.
inline std::size_t learned(std::size_t a, std::size_t b) { return a * b % 23; }

// No renaming of a and b makes a sum of it: unseen pairs .06 to .11.
inline std::size_t by_heart(std::size_t a, std::size_t b) { return (a * a + a * b + b * b) % 23; }

}  // namespace ours::ex5_8

static std::string diagnose_operation(const lesson5::Operation& f) {
  constexpr std::size_t m = 23;
  const auto unchanged = [&](std::size_t by_a, std::size_t by_b) {  // when they grow by so much
    for (std::size_t a = 0; a < m; ++a)
      for (std::size_t b = 0; b < m; ++b)
        if (f(a, b) != f((a + by_a) % m, (b + by_b) % m)) return false;
    return true;
  };
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t b = 0; b < m; ++b)
      if (f(a, b) >= m)
        return join("at ", a, " and ", b, " it is ", f(a, b), ", which is not below 23");
  if (unchanged(1, 0) && unchanged(0, 1)) return "the result is the same for all numbers";
  if (unchanged(1, 0)) return "a does not matter";
  if (unchanged(0, 1)) return "b does not matter";
  for (std::size_t by_b = 1; by_b < m; ++by_b)
    if (unchanged(1, by_b))
      return join("made of a sum alone: the result stays when a grows by 1 and b by ", by_b,
                  ", modulo 23");
  return "";
}

static Assessment check() {
  Findings findings;
  const auto judge = [&](const std::string& name, const lesson5::Operation& f, double low,
                         double high, const std::string& cause) {
    const Attempt<std::string> text = attempt([&] {
      const std::string wrong = diagnose_operation(f);
      if (!wrong.empty()) return wrong;
      const double unseen = lesson5::learn(f, 23, {}, Random(1, 761)).unseen.back();
      return unseen >= low && unseen <= high
                 ? ""
                 : join(cause, ": of the unseen pairs ", fixed(unseen, 3), " are right");
    });
    findings.add(name, text.or_else(text.value));
  };
  judge("learned", ex5_8::learned, 0.95, 1, "the net finds no rule, or part of one");
  judge("by_heart", ex5_8::by_heart, 0, 0.2, "the net finds a rule, or part of one");
  const auto sums = [](const auto& f) { return f(7, 9) == 16 && f(20, 9) == 6 && f(22, 22) == 21; };
  return unless_as_given(findings.verdict(), sums(ex5_8::learned) && sums(ex5_8::by_heart));
}
static const Exercise here{"5.8", "Another operation", check};
