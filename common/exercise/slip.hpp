// A solution and its known slips in one text: a slip stands behind the line that it spoils,
//
//   double rows = double(Y.rows());
//   slip(rows, 1.0, "the loss is a mean: divide by the number of rows");
//
// and does nothing, unless just that slip is being made. So a wrong answer is our solution with one slip, or with two;
// nobody writes it down a second time, and `make solution` prints the text without them.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace exercise {

struct Slips {
  using Place = std::pair<std::string, int>;  // of the statement: file and line

  std::map<Place, std::string> known;  // all that the solution has come by, with their causes
  std::vector<Place> made;             // those that are being made
  bool tested = false;                 // each is to be made in turn, and named
  std::map<Place, bool> tried;         // of those, and whether an answer is spoilt by it
  int unnamed = 0;
};

// The slips of the exercise that is being checked, for the statements inside the solutions.
inline Slips& slips() {
  static Slips all;
  return all;
}

// Makes `value` the wrong one, or what `wrong()` returns, where this slip is being made; `cause` says what is wrong.
template <class T, class Wrong>
void slip(T& value, Wrong wrong, const char* cause, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const Slips::Place place{file, line};  // clang++ 14 has no std::source_location
  slips().known.try_emplace(place, cause);
  for (const Slips::Place& made : slips().made) {
    if (made != place) continue;
    if constexpr (std::is_invocable_v<Wrong>) value = wrong();
    else value = T(std::move(wrong));
  }
}

// Returns what ours() is while these slips are made. Throws what it throws.
template <class Ours>
auto with_slips(const Ours& ours, std::vector<Slips::Place> places) {
  struct Made {
    explicit Made(std::vector<Slips::Place> places) { slips().made = std::move(places); }
    ~Made() { slips().made.clear(); }
  } made(std::move(places));
  return ours();
}

// Returns the cause of the slip, or of two, with which ours() is the same as `yours`; empty where there is none. What a
// slip makes ours() throw is no answer of a reader's.
template <class Yours, class Ours, class Same>
std::string cause_of(const Yours& yours, const Ours& ours, const Same& same) {
  slips().known.clear();
  with_slips(ours, {});
  const std::map<Slips::Place, std::string> known = slips().known;
  const auto found = [&](const std::vector<Slips::Place>& places) {
    try {
      return same(with_slips(ours, places), yours);
    } catch (const std::exception&) {
      return false;
    }
  };
  for (const auto& [place, cause] : known)
    if (found({place})) return cause;
  for (const auto& [one, cause] : known)
    for (const auto& [other, also] : known)
      if (one < other && found({one, other})) return cause + "; and " + also;
  return "";
}

// Makes each slip of ours() in turn: where it spoils this answer, it must be named by its own cause. A slip may leave an
// answer as it was, if it spoils another one of the same solution.
template <class Ours, class Same, class Passes>
void test_slips(const Ours& ours, const Same& same, const Passes& passes) {
  slips().known.clear();
  const auto right = with_slips(ours, {});
  const std::map<Slips::Place, std::string> known = slips().known;
  for (const auto& [place, cause] : known) {
    bool& spoils = slips().tried[place];  // false at first
    std::string told = "that it throws";
    try {
      const auto wrong = with_slips(ours, {place});
      if (passes(wrong, right)) continue;
      told = cause_of(wrong, ours, same);
    } catch (const std::exception&) {
    }
    spoils = true;
    if (told == cause) continue;
    ++slips().unnamed;
    std::printf("%s:%d: '%s' is told: %s\n", place.first.c_str(), place.second, cause.c_str(), told.c_str());
  }
}

}  // namespace exercise
