// The page of a lesson: its README with what the program found behind each section. One file that
// needs no other. A run of one part keeps what the runs before it left behind, since the page is
// also where that is stored.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/formula/derive.hpp"
#include "common/terminal/flags.hpp"

namespace page {

// ------------------------------------------------------------------------------- what a part found

// A statement that the program checked.
struct Claim {
  enum class Status { holds, fails, open };  // open: shown, but not claimed under these flags
  Claim::Status verdict;
  std::string statement, figure;
};

struct Result {
  std::string command;  // what made it, as one types it
  std::string html;     // paragraphs, tables and pictures in their order
  std::vector<Claim> claims = {};
  int predictions =
      0;  // how many it asks for; what follows one is folded until the reader has given it
  double seconds = 0;  // what it took

  // Adds a picture; or a film, whose frames are shown one at a time by a slider, the last one
  // first.
  void picture(const std::string& name, const std::string& svg);
  void film(const std::string& name, const std::string& parameter,
            const std::vector<std::string>& labels, const std::vector<std::string>& frames);

  // Adds a field for the reader's number and folds what follows. The answer is text, as 0.31
  // or 3.2e-05; what lies from low to high counts.
  void predict(const std::string& question, const std::string& answer, double low, double high);
  std::size_t count(Claim::Status verdict) const;
};

// Returns "5 of 6 claims hold", and how many are not claimed.
std::string in_words(const Result& result);

// ---------------------------------------------------------------------------------- what is stored

// By the number of the part.
using Results = std::map<int, Result>;
using Stored = std::map<int, std::string>;

// The numbers under which the page holds what the execution of the equations found, the exercises,
// what a part found whose knobs were turned, and the form of these knobs. No part has them.
constexpr int equations = 98, exercises = 99;
constexpr int turned(int part) { return 100 + part; }
constexpr int knobs_of(int part) { return 200 + part; }

// Returns a result as HTML between two comments by which `stored_results` finds it again: a fold
// that says how many claims hold, and stands open where one fails; of what a bench shows, its first
// picture and the rest. Of any HTML, of whole lines, the same.
std::string stored(int part, const Result& result);
std::string stored(int part, const std::string& html);

// Returns the stored results that a page holds, each as it was stored, with what was taken out of
// it; none in what is no page of ours.
Stored stored_results(std::string_view page);

// Tells whether a claim of a stored result fails.
bool fails(std::string_view stored);

// Each takes something out of a stored result, for the place where the text speaks of it; a line
// there remembers it. They return nothing where there is none, and where it is part of the answer
// to a prediction: a picture by its name, a table by its head cells, the first field for a
// prediction. What such a field folded there stands open, since the text folds it.
std::string take_picture(std::string& stored, const std::string& name);
std::string take_table(std::string& stored, const std::vector<std::string>& head);
std::string take_prediction(std::string& stored);

// What folds the answer to a prediction, and unfolds with it; ends with "</details>".
constexpr std::string_view fold_of_answer =
    "<details class=\"found\"><summary>The answer, and what follows from it</summary>\n";

// Returns what the execution of the equations found, by their numbers, as it is stored.
std::string stored_equations(const std::map<std::string, std::string>& marks);

struct CheckedExercise {
  std::string number, title;
  std::optional<Claim::Status>
      verdict;  // holds: done; open: not started; none: not looked at in this run
};

// Returns the exercises as they are stored, for `before`, what was stored; one that was not looked
// at stays as it was.
std::string stored_exercises(const std::vector<CheckedExercise>& checked, std::string_view before);

// ------------------------------------------------------------------------------------------- pages

// What a page is made of beside the results. Missing files are missing on the page; they are no
// error, since a lesson can be run far from its folder.
struct LessonPage {
  int number = 0;
  std::string title;                                  // where there is no README
  std::string folder;                                 // lessons/3_swish_vs_bmlp; may be empty
  std::vector<formula::Derivation> derivations = {};  // what the reader may derive
};

// Returns the page: text, contents, and the stored results, whose pictures, tables and predictions
// stand where the text speaks of them. A numbered equation leads to the lines of the lesson's
// headers that compute it, `// n x d   (6.3)`, or its gradients, `(6.3) back`. Where the README
// cannot be read, the page says so.
std::string of_lesson(const LessonPage& lesson, Stored results);

// Returns a page of its own: a title and what follows it, as HTML.
std::string of_run(const std::string& title, const std::string& html);

// Returns the page of the course, from the lessons' own pages and pictures in out/lesson1,
// out/lesson2, ..., of which some or all may be missing, and from the READMEs, which are looked for
// as in_course (file.hpp) says.
std::string of_course(const std::string& program, const std::string& out);

// Returns the form of a part's knobs: sliders, lists and fields, and the command that they make;
// and the workbench of a part, from what its knobs show and that form, both as they are stored.
std::string panel(int lesson, int part, const std::string& question, const knob::Knobs& knobs);
std::string bench(int part, const std::string& shown, const std::string& form);

// The looks and the behaviour of all pages: CSS and JavaScript.
extern const std::string_view style;
extern const std::string_view script;

}  // namespace page
