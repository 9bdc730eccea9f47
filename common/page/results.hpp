// What a part found, as pieces that the page may place where its text speaks of them. A run stores
// each result in a file of its own beside the page; the page is made anew from README.md and these.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/text/words.hpp"

namespace page {

// A statement that the program checked.
struct Claim {
  enum class Status { holds, fails, open };  // open: shown, but not claimed under these flags
  Status status;
  std::string statement, figure;
};

struct Piece {
  // An asked prediction stands in the text; its field is hidden here, and its fold open.
  enum class Kind { text, picture, table, prediction, claim, asked };
  Kind kind;
  std::string name, html;  // of a table its head, of a claim its status
};

struct Result {
  std::string command = {};  // what made it, as one types it, in HTML
  double seconds = 0;        // what it took
  std::vector<Piece> pieces = {};

  void add(Piece::Kind kind, const std::string& name, const std::string& html);
  void add(const Table& table);
  void add(const Claim& claim);

  // Adds a picture; or a film, whose frames a slider shows one at a time, the last one first.
  void picture(const std::string& name, const std::string& svg);
  void film(const std::string& name, const std::string& parameter,
            const std::vector<std::string>& labels, const std::vector<std::string>& frames);

  // Adds a field for the reader's number; what follows is folded until it is given. The answer is
  // text, as 0.31 or 3.2e-05; what lies from low to high counts.
  void predict(const std::string& question, const std::string& answer, double low, double high);

  std::size_t count(Claim::Status status) const;

  // Returns the piece of this kind and name, or nothing.
  std::string of(Piece::Kind kind, const std::string& name) const;

  // Takes out the first piece of this kind and, unless it is empty, this name, for the place where
  // the text speaks of it. Returns nothing where there is none, and where it follows a prediction
  // that the text has not asked, since it is part of the answer.
  std::string take(Piece::Kind kind, const std::string& name = "");
};

// Returns the name of a table with these head cells.
std::string name_of(const std::vector<std::string>& head);

// Returns "5 of 6 claims hold", and how many are not claimed.
std::string in_words(const Result& result);

// Returns what the execution of the equations found, by their numbers.
Result equations_found(const std::map<std::string, std::string>& marks);

struct CheckedExercise {
  std::string number, title;
  // holds: done; open: not started; none: not looked at in this run, so it stays as it was.
  std::optional<Claim::Status> verdict;
};
Result exercises_found(const std::vector<CheckedExercise>& checked, const Result& before);

// What runs have left beside a page.
struct Results {
  std::map<int, Result> parts = {},
                        benches = {};  // of a part as README.md has it, and with its knobs turned
  Result knobs = {}, equations = {},
         exercises = {};  // texts by the part's, equation's, exercise's number
};

// Writes the results that are there into files of their own in results/ beside the page; others
// stay as they are. Returns all that lie there, pictures and tables of parts with their anchors. A
// file that is none of ours, or broken, is no result.
void store(const std::string& folder, const Results& results);
Results stored(const std::string& folder);

// Writes a result, or reads it; nothing where the text is none.
std::string text_of(const Result& result);
std::optional<Result> result_in(const std::string& text);

// Gives the pictures and tables of a part anchors of their own on the page.
void name_pieces(int part, Result& result);

// Unfolds the answer to a prediction; ends with "</details>".
constexpr std::string_view fold_of_answer =
    "<details class=\"found\"><summary>The answer, and what follows from it</summary>\n";

// Returns what the text has left of a result: a fold that says how many claims hold, and stands
// open where one fails.
std::string fold_of(int part, const Result& result);

// Returns what a bench shows: the first picture, which stays in sight, and the rest.
std::string shown_by_bench(int part, Result result);

}  // namespace page
