// What a part found, as pieces that the page may place where its text speaks of them. A run stores
// each result in a file of its own; the page is made anew from README.md and these files.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/frame/text/words.hpp"

namespace page {

struct Claim {
  enum class Status { holds, fails, open };  // open: shown, but not claimed under these flags
  Status status;
  std::string statement, figure;
};

struct Piece {
  enum class Kind { run, text, picture, table, prediction, claim };  // run: what made the result
  Kind kind;
  std::string name, html;  // name: of a table its head, of a claim its status
};

struct Result {
  std::string command = {};  // what you type for it, as HTML
  double seconds = 0;
  std::vector<Piece> pieces = {};

  void add(Piece::Kind kind, const std::string& name, const std::string& html);
  void add(const Table& table);
  void add(const Claim& claim);

  void picture(const std::string& name, const std::string& svg);

  // Adds a field for the reader's number, which counts from low to high; what follows is folded
  // until it is given.
  void predict(const std::string& question, const std::string& answer, double low, double high);

  std::size_t count(Claim::Status status) const;

  std::string of(Piece::Kind kind, const std::string& name) const;

  // Takes out the first piece of a kind and, unless it is empty, a name. Returns nothing where
  // there is none, or it may answer a prediction before it that the text has not asked.
  std::string take(Piece::Kind kind, const std::string& name = "");
};

std::string figure_of(const std::string& svg);
std::string name_of(const std::vector<std::string>& head);

// Returns "5 of 6 claims hold", and how many are not claimed.
std::string in_words(const Result& result);

// By name: 3 for a part, 3.bench for the same with its knobs turned; knobs, equations, exercises,
// whose pieces have numbers for names.
using Results = std::map<std::string, Result>;

// Writes each to results/NAME.html beside the page. Returns those that lie there, without any that
// is broken or not ours.
void store(const std::string& folder, const Results& results);
Results stored(const std::string& folder);
std::string text_of(const Result& result);
std::optional<Result> result_in(const std::string& text);

struct CheckedExercise {
  std::string number;
  std::optional<Claim::Status> verdict;  // holds: done; open: not started; none: as it was before
};
Result exercises_found(const std::vector<CheckedExercise>& checked, const Result& before);

void name_pieces(const std::string& part, Result& result);

// Unfolds the answer to a prediction; ends with "</details>".
constexpr std::string_view fold_of_answer =
    "<details class=\"found\"><summary>The answer, and what follows from it</summary>\n";

// Return what the text has left of a result: a fold, open where a claim fails; on a bench the first
// picture, which stays in sight, and the rest.
std::string fold_of(const std::string& part, const Result& result);
std::string shown_by_bench(Result result);

}  // namespace page
