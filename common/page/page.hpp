// The page of a lesson: its README with what the program found behind each section. One file that needs no other.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/page/results.hpp"
#include "common/support/flags.hpp"

namespace page {

// What a page is made of beside the results. Missing files are missing on the page; they are no error, since a lesson
// can be run far from its folder.
struct Lesson {
  int number = 0;
  std::string title;             // where there is no README
  std::filesystem::path folder;  // lessons/3_swish_vs_bmlp; may be empty
};

// Returns the page: text, contents, and the stored results by the number of their part, whose pictures stand where the
// text shows them. Where the README cannot be read, the page says so.
std::string of_lesson(const Lesson& lesson, std::map<int, std::string> results);

// Returns a page of its own: a title and what follows it, as HTML.
std::string of_run(const std::string& title, const std::string& html);

// Returns the page of the course, from the lessons' own pages and pictures in out/lesson1, out/lesson2, ..., of which
// some or all may be missing, and from the READMEs, which are looked for as in_course (file.hpp) says.
std::string of_course(const std::string& program, const std::filesystem::path& out);

// Returns the form of a part's knobs: sliders, lists and fields, and the command that they make. A page that holds the
// lesson's program runs it (common/web/shell.js); without knobs the form is hidden until then.
std::string panel(int lesson, int part, const std::string& question, const knob::Knobs& knobs);

// Returns what a file holds; nothing where there is none.
std::string contents_of(const std::filesystem::path& file);

// The looks and the behaviour of all pages: CSS and JavaScript.
extern const std::string_view style;
extern const std::string_view script;

// --------------------------------------------------------------------------------------------------------- equations

// Numbered equations are the hinge between a lesson's text and its code: (6.3) stands behind a formula in README.md and
// in the comments of the lines of the models that compute it, `// n x d   (6.3)`, and its gradients, `(6.3) back`.

// A number in parentheses that some text holds: text.substr(at, size) is "(6.3)".
struct Reference {
  std::size_t at, size;
  std::string number;
};

// Returns them in their order; ranges such as "(6.2) to (6.4)" are two.
std::vector<Reference> references(std::string_view text);

// Returns the number at the end of a line, as behind an equation, "(6.3)" or "(6.3) back"; empty where there is none.
std::string number_at_end(std::string_view line);

// A line of source that bears a number.
struct CodeLine {
  std::string file;  // in the lesson's folder, as in models.hpp
  std::size_t line;  // counted from 1
  std::string text;
};

// The lines that bear each number, as in "6.3", in the order of files and lines.
using NumberedCode = std::map<std::string, std::vector<CodeLine>>;

// Reads the sources at the top of a lesson's folder. A file that cannot be read has no lines.
NumberedCode numbered_code(const std::filesystem::path& lesson);

}  // namespace page
