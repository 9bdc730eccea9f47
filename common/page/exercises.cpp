// SPDX-License-Identifier: MIT
#include "common/page/exercises.hpp"

#include "common/support/words.hpp"

namespace page {
namespace {

std::string start_of_item(const std::string& number) { return "<li id=\"exercise" + number + "\" "; }

std::string item(const CheckedExercise& exercise) {
  constexpr const char *classes[] = {"holds", "fails", "open"}, *marks[] = {"✓", "✗", "–"},
                       *words[] = {"done", "not right yet", "not started"};
  const auto verdict = static_cast<std::size_t>(exercise.verdict.value_or(Claim::Verdict::open));
  return start_of_item(exercise.number) + "class=\"" + classes[verdict] + "\"><b>" + marks[verdict] + "</b> " +
         escape_html(exercise.number + " " + exercise.title) + " <span>" + words[verdict] + "</span></li>\n";
}

// Returns the line of an exercise as it was stored; empty where there is none.
std::string item_before(const CheckedExercise& exercise, std::string_view before) {
  const std::size_t from = before.find(start_of_item(exercise.number));
  if (from == std::string_view::npos) return "";
  return std::string(before.substr(from, before.find('\n', from) + 1 - from));
}

std::size_t occurrences(std::string_view text, std::string_view of) {
  std::size_t count = 0;
  for (std::size_t at = text.find(of); at != std::string_view::npos; at = text.find(of, at + 1)) ++count;
  return count;
}

}  // namespace

std::string stored_exercises(const std::vector<CheckedExercise>& checked, std::string_view before) {
  std::string items;
  for (const CheckedExercise& exercise : checked) {
    const std::string kept = exercise.verdict ? "" : item_before(exercise, before);
    items += kept.empty() ? item(exercise) : kept;
  }
  return stored_in_a_frame(exercises, "<ul class=\"claims\">\n" + items + "</ul>\n");
}

Progress progress_of(std::string_view stored) {
  return {occurrences(stored, "\" class=\"holds\">"), occurrences(stored, "<li id=\"exercise")};
}

}  // namespace page
