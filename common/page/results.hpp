// What the parts of a lesson found, as its page holds it: a run of one part keeps what the runs before it left behind.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace page {

// A statement that the program checked.
struct Claim {
  enum class Verdict { holds, fails, open };  // open: shown, but not claimed under these flags
  Verdict verdict;
  std::string statement, figure;
};

struct Result {
  std::string command;  // what made it, as one types it
  std::string html;     // paragraphs, tables and pictures in their order
  std::vector<Claim> claims = {};
  int predictions = 0;  // how many it asks for; what follows one is folded until the reader has given it
  double seconds = 0;   // what it took

  // Adds a picture; or a film, whose frames are shown one at a time by a slider, the last one first.
  void picture(const std::string& name, const std::string& svg);
  void film(const std::string& name, const std::string& parameter, const std::vector<std::string>& labels,
            const std::vector<std::string>& frames);

  // Adds a field for the reader's number and folds what follows. The answer is text, as 0.31 or 3.2e-05.
  void predict(const std::string& question, const std::string& answer);
  std::size_t count(Claim::Verdict verdict) const;
};

// By the number of the part.
using Results = std::map<int, Result>;

// The number under which the page holds the exercises, that of what a part found whose knobs were turned, and that of
// the form of these knobs. No part has it.
constexpr int exercises = 99;
constexpr int turned(int part) { return 100 + part; }
constexpr int knobs_of(int part) { return 200 + part; }

// Returns "5 of 6 claims hold", and how many are not claimed.
std::string in_words(const Result& result);

// ------------------------------------------------------------------------------------------------------ what is stored

// Returns a result as HTML between two comments by which `stored_results` finds it again. The claims that hold are
// folded into one line; one that fails stands open. Of any HTML, of whole lines, the same.
std::string stored(int part, const Result& result);
std::string stored(int part, const std::string& html);

// Returns the stored results that a page holds, each as it was stored, with what was taken out of it; none in what is
// no page of ours.
std::map<int, std::string> stored_results(std::string_view page);

// Says how a stored result ended.
enum class State { not_run, holds, fails };
State state_of(std::string_view stored);

// Each takes something out of a stored result, for the place where the text speaks of it; a line there remembers it.
// They return nothing where there is none, and where it is part of the answer to a prediction: a picture by its name, a
// table by its head cells, the first field for a prediction. What such a field folded there stands open, since the text
// folds it.
std::string take_picture(std::string& stored, const std::string& name);
std::string take_table(std::string& stored, const std::vector<std::string>& head);
std::string take_prediction(std::string& stored);

// Tells whether a stored result holds the picture, or held it before it was taken.
bool has_picture(std::string_view stored, const std::string& name);

// What folds the answer to a prediction, and unfolds with it; ends with "</details>".
constexpr std::string_view fold_of_answer =
    "<details class=\"found\"><summary>The answer, and what follows from it</summary>\n";

// ----------------------------------------------------------------------------------------------------------- exercises

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
