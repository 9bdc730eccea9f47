// How far the reader is with the exercises of a lesson, as its page holds it.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/page/results.hpp"

namespace page {

// The number under which the page stores them; no part has it.
constexpr int exercises = 99;

struct CheckedExercise {
  std::string number, title;
  std::optional<Claim::Verdict> verdict;  // holds: done; open: not started; none: not looked at in this run
};

// Returns the exercises as they are stored, for `before`, what was stored; one that was not looked at stays as it was.
std::string stored_exercises(const std::vector<CheckedExercise>& checked, std::string_view before);

struct Progress {
  std::size_t done = 0, all = 0;
};
Progress progress_of(std::string_view stored);

}  // namespace page
