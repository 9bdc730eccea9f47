// A lesson's whole.cpp as a page of its own: each line of code stands beside its equation.
// SPDX-License-Identifier: MIT
#include <sstream>

#include "common/frame/files/file.hpp"
#include "common/frame/page/page.hpp"
#include "common/frame/text/words.hpp"

namespace page {
namespace {

// Returns the equations in a line's comment: "6.9 back" and "6.10 back" of "(6.9) (6.10) back".
std::vector<std::string> equations_of(std::string_view code) {
  std::vector<std::string> all;
  const std::size_t comment = code.find("//");
  if (comment == code.npos) return all;
  for (std::size_t at = comment; at < code.size(); ++at)
    if (const std::string number = markdown::reference(code.substr(at)); !number.empty())
      all.push_back(number + (code.ends_with(" back") ? " back" : ""));
  return all;
}

// Sets the lines of the README that have a number, by that number.
std::map<std::string, std::string> formulas_of(const std::string& readme) {
  std::map<std::string, std::string> formulas;
  for (const formula::Line& line : formula::lines_of_readme(readme))
    for (const formula::Equation& one : line.equations)
      formulas[line.number + (line.back ? " back" : "")] +=
          join("<span>", formula::mathml(one), "</span> ");
  return formulas;
}

// Links a number to its equation on the page of its lesson.
std::string linked(const std::string& number, int here) {
  const std::string plain = number.substr(0, number.find(' '));
  const std::string page =
      number[0] - '0' == here ? "" : join("../lesson", number.substr(0, 1), "/");
  return join("<a href=\"", page, "index.html#eq", plain, "\">(", plain, ")</a>",
              number.substr(plain.size()), " ");
}

}  // namespace

std::string of_whole(const LessonPage& lesson) {
  const std::string source = contents_of(lesson.folder + "/whole.cpp");
  if (lesson.folder.empty() || source.empty()) return "";
  const auto formulas = formulas_of(contents_of(lesson.folder + "/README.md"));
  std::string rows;
  std::vector<std::string> before;
  std::size_t at = 0;
  std::istringstream lines(source);
  for (std::string code; std::getline(lines, code);) {
    const std::vector<std::string> numbers = equations_of(code);
    std::string beside;
    for (const std::string& number : numbers) {
      const auto known = formulas.find(number);
      if (numbers == before) continue;  // said already
      beside += linked(number, lesson.number) + (known == formulas.end() ? "" : known->second);
    }
    if (!numbers.empty()) before = numbers;
    rows += join("<tr><td class=\"at\">", ++at, "</td><td><code>", escape_html(code),
                 "</code></td><td class=\"beside\">", beside, "</td></tr>\n");
  }
  return document(
      join("Lesson ", lesson.number, " in one file"), "",
      join(
          "<h1>Lesson ", lesson.number,
          " in one file</h1>\n<p>This is <code>whole.cpp</code>, line by line. ",
          "Beside a line stands the equation of <a href=\"index.html\">the lesson</a> that it computes; its number leads "
          "to the place where it is derived.</p>\n<div class=\"table\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"the program beside its equations\">\n<table class=\"whole\">\n",
          rows, "</table>\n</div>\n"));
}

}  // namespace page
