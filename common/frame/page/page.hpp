// The page of a lesson: its README with what the program found. One file that needs no other.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/frame/formula/derivation.hpp"
#include "common/frame/page/results.hpp"
#include "common/frame/terminal/flags.hpp"
#include "common/frame/text/markdown.hpp"

namespace page {

// Files may be missing, since a lesson can be run far from its folder.
struct LessonPage {
  int number = 0;
  std::string title;   // where there is no README
  std::string folder;  // lessons/3_swish_vs_bmlp; may be empty
  std::vector<formula::Derivation> derivations = {};
  std::vector<std::string> problems = {};  // why other derivations cannot be asked
};

// Reads what stands in the folder of a lesson, whose files may be misprinted.
LessonPage read_lesson(int number, const std::string& title);

// Returns the page: contents, text, and the results, where the text speaks of them. A numbered
// equation leads to the statements in the lesson's headers that compute it, `// n x d   (6.3)`, or
// its gradients, `(6.3) back`. What of the README cannot be read stands in the page as it is, and
// among the complaints.
std::string of_lesson(const LessonPage& lesson, Results results, markdown::Complaints& complaints);

// Returns the lesson's whole.cpp, each line beside its equation; nothing where it has none.
std::string of_whole(const LessonPage& lesson);

// Returns the questions of a lesson on paper, its predictions and derivations with room to write,
// and the answers on pages of their own.
std::string of_sheet(const LessonPage& lesson, const Results& results);

std::string of_run(const std::string& title, Results parts);

// Returns the page of the course, from its READMEs and out/lesson1, out/lesson2, ..., if there.
std::string of_course(const std::string& out);

// Returns the form of a part's knobs, and the command that they make. In the form that opens a
// lesson one knob stands in sight, and the others in a fold.
std::string panel(int lesson, int part, const std::string& question, const knob::Knobs& knobs,
                  const knob::Knob* opening = nullptr);

// Returns the workbench of a part; nothing where it has no form.
std::string bench(int part, Results& results);

// Returns the workbench that opens a lesson, whose form has this name with the part behind it.
constexpr std::string_view opening_name = "opening ";
std::string opening_bench(Results& results);

// Returns the form of a derivation: in the text, which has its lines and what follows from them, or
// alone.
enum class Place { in_text, alone };
std::string form_of(const formula::Derivation& derivation, Place place);

// Return what a page and paper share: the lines that lead to the loss, with shapes; "dW =", or in
// words what a question calls its number; and our lines, each with its reason.
std::string given(const formula::Derivation& derivation);
std::string asked_for(const formula::Asked& asked);
std::string told(const formula::Derivation& derivation);

// Returns a page: its contents, and what it shows.
std::string document(const std::string& title, const std::string& nav, const std::string& main);

// What every page of the course holds, and hardly another.
constexpr std::string_view mark = "<a class=\"skip\" href=\"#text\">";

// Throws where a page of somebody else's stands, which would be lost.
void check_own(const std::string& path);

// Returns a picture with its colours as attributes, too.
std::string with_fills(const std::string& svg);

}  // namespace page
