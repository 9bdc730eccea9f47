// The pages of a lesson, of a run and of the course, around the text of the READMEs.
// SPDX-License-Identifier: MIT
#include "common/frame/page/page.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "common/frame/files/file.hpp"
#include "common/frame/page/readme.hpp"
#include "common/frame/plot/plot.hpp"

namespace page {
namespace {

namespace fs = std::filesystem;
using markdown::Block;
using markdown::Kind;

// Puts a box around a lesson's title, its question and the bench that opens it, which a telephone
// shows before the question.
std::string with_top(std::string html) {
  const std::string end = "</section>\n";
  const std::size_t opening = html.find("id=\"opening\""), title = html.find("<h1");
  if (opening == html.npos || title == html.npos) return html;
  html.insert(html.find(end, opening) + end.size(), "</div>\n");
  return html.insert(title, "<div class=\"top\">\n");
}

constexpr const char* digits = "0123456789";

std::string number_behind(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words), from = text.find_first_of(digits, at);
  if (at == text.npos || from == text.npos) return "";
  return text.substr(from, text.find_first_not_of(digits, from) - from);
}

// Returns the minutes that a README says its core and its exercises take; tests/test_docs.cpp
// counts them.
std::string minutes_in(std::string readme) {
  std::replace(readme.begin(), readme.end(), '\n', ' ');
  const std::string core = number_behind(readme, "core takes about"),
                    derivations = number_behind(readme, "its derivations "),
                    exercises = number_behind(readme, "the exercises ");
  std::string times;
  if (!core.empty()) times = core + " minutes to read";
  if (!derivations.empty()) times += join(", ", derivations, " to derive");
  if (!exercises.empty()) times += join(", ", exercises, " for the exercises");
  return times;
}

// A list beside the text, on a telephone a bar that unfolds.
std::string contents(const LessonPage& lesson, const std::vector<Section>& sections,
                     const std::string& minutes) {
  std::string html;
  for (const Section& section : sections)
    if (!section.title.empty())
      html += join("<li", part_of(section.title) < 0 ? " class=\"aside\"" : "", "><a href=\"#",
                   section.anchor, "\">", escape_html(section.title), "</a></li>\n");
  if (!minutes.empty()) html += join("<li class=\"aside\">", minutes, ".</li>\n");
  return join("<nav aria-label=\"contents\"><details><summary>Lesson ", lesson.number,
              "</summary>\n<ol>\n<li class=\"aside\">",
              "<a href=\"../index.html\">The course</a></li>\n", html, "</ol></details></nav>\n");
}

constexpr int last_lesson = 6;

std::string neighbours(int number) {
  std::string html;
  for (const int other : {number - 1, number + 1})
    if (other >= 1 && other <= last_lesson)
      html += join("<a href=\"../lesson", other, "/index.html\">", other < number ? "← " : "",
                   "Lesson ", other, other > number ? " →" : "", "</a> ");
  return join("<p class=\"next\">", html, "</p>\n");
}

// Returns the question behind "**The question.**": up to its last question mark, or two sentences.
std::string question_in(const std::string& paragraph) {
  const std::string text = markdown::title(paragraph.substr(17));
  std::size_t end = text.rfind('?');
  if (end == text.npos) end = text.find(". ", text.find(". ") + 2);
  return text.substr(0, end == text.npos ? end : end + 1);
}

// Returns what all lessons taught, which stands behind the last.
std::vector<Section> closing(const std::string& folder) {
  const std::string text = folder.empty() ? "" : contents_of(folder + "/../CLOSING.md");
  markdown::Complaints ignored;
  std::vector<Block> blocks = markdown::read(text, ignored);
  for (Block& block : blocks)
    if (block.kind == Kind::heading) ++block.level;
  Results none;
  return read_text({}, blocks, none, ignored).sections;
}

// Marks a bench that shows at first what its text has shown already.
std::string told_before(std::string bench, const std::string& text) {
  const std::string shown = "<div class=\"shown";
  const std::size_t box = bench.find(shown), from = bench.find("<svg ", box),
                    end = bench.find("</svg>", from);
  if (end != bench.npos && text.find(bench.substr(from, end - from)) != text.npos)
    bench.insert(box + shown.size(), " again");
  return bench;
}

// Returns files of this folder as pages hold them: without what stands above their first empty
// line, blanks in front, and lines of remarks. Of a course that is not there, nothing: a program of
// a page has no look, and one whose course is gone writes a plain page.
std::string look_of(std::initializer_list<const char*> files) {
  std::string text;
  for (const char* file : files) {
    std::istringstream lines(contents_of(in_course(join("common/frame/page/", file))));
    std::string line;
    while (std::getline(lines, line) && !line.empty()) {
    }
    while (std::getline(lines, line)) {
      line.erase(0, line.find_first_not_of(' '));
      if (!line.starts_with("//")) text += line + "\n";
    }
  }
  return text;
}

}  // namespace

std::string document(const std::string& title, const std::string& nav, const std::string& main) {
  const std::string style = look_of({"page.css"});
  // The tools come before the page's text, for what runs while it arrives.
  const std::string tools = look_of({"tools.js", "numbers.js", "knobs.js"});
  const std::string script = look_of({"reading.js", "predictions.js", "spots.js", "touch.js"});
  return join("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n",
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
              escape_html(title), "</title>\n<style>\n", style, plot::svg_style,
              "</style>\n<script>\n", tools, "</script></head>\n<body>", mark,
              "Skip to the text</a>\n<div class=\"page\">\n", nav, "<main id=\"text\">\n", main,
              "</main>\n</div>\n<script>\n'use strict';\n", script, "</script></body></html>\n");
}

LessonPage read_lesson(int number, const std::string& title) {
  LessonPage lesson{number, title, lesson_folder(number)};
  try {
    for (formula::Derivation& d : formula::derivations_in(lesson.folder)) {
      try {
        d.gradients();
        lesson.derivations.push_back(std::move(d));
      } catch (const std::runtime_error& error) {
        lesson.problems.push_back(join("derivation ", d.number, ": ", error.what()));
      }
    }
  } catch (const std::runtime_error& error) {
    lesson.problems.push_back(join("derive.txt: ", error.what()));
  }
  return lesson;
}

void check_own(const std::string& path) {
  const std::string there = contents_of(path);
  if (!there.empty() && there.find(mark) == there.npos)
    throw std::invalid_argument(
        join("'", path, "' is not a page of this course, and would be lost"));
}

std::string of_lesson(const LessonPage& lesson, Results results, markdown::Complaints& complaints) {
  std::string title = lesson.title, main;
  std::set<int> with_section;
  for (auto& [name, result] : results)
    if (!name.ends_with(".bench")) name_pieces(name, result);
  const auto fold = [&](int part) {
    const Result& result = results[join(part)];
    return result.command.empty() ? "" : fold_of(join(part), result);
  };
  const std::string readme = lesson.folder.empty() ? "" : contents_of(lesson.folder + "/README.md");
  const std::vector<Block> blocks = markdown::read(readme, complaints);
  auto [sections, other_derivations, listing] = read_text(lesson, blocks, results, complaints);
  if (!blocks.empty()) title = markdown::title(blocks[0].text);
  else main = join("<h1>", escape_html(title), "</h1>\n");
  sections[0].html = with_top(sections[0].html);
  for (const Section& section : sections) {
    const int part = part_of(section.title);
    main += section.html;
    if (part >= 0) {
      with_section.insert(part);
      main += fold(part);
      if (results[join(part)].command.empty())
        main += join("<p class=\"command\">Not run yet: <code>make lesson", lesson.number,
                     " ARGS=\"--part ", part, "\"</code></p>\n");
    }
    const std::string workbench = told_before(bench(part, results), main);
    // It may answer a prediction.
    main += section.asks ? workbench + section.ends : section.ends + workbench;
    if (section.title == "Exercises") main += other_derivations;
  }
  main += listing;
  if (lesson.number == last_lesson)
    for (const Section& section : closing(lesson.folder)) {
      main += section.html;
      sections.push_back(section);
    }
  if (!lesson.folder.empty() && fs::exists(lesson.folder + "/whole.cpp"))
    main +=
        "<p><a href=\"whole.html\">The whole lesson in one file, beside its equations</a></p>\n";
  main += neighbours(lesson.number);
  for (const auto& [name, result] : results) {
    const int part = part_of(name + ".");
    if (part >= 0 && with_section.insert(part).second)
      main += join("<h2>Part ", part, "</h2>\n", fold(part), bench(part, results));
  }
  return document(title, contents(lesson, sections, minutes_in(readme)), main);
}

std::string of_run(const std::string& title, Results parts) {
  std::string html = join("<h1>", escape_html(title), "</h1>\n");
  for (auto& [name, result] : parts) {
    name_pieces(name, result);
    html += fold_of(name, result);
  }
  return document(title, "", html);
}

// Returns the file name of the picture that opens a README.
static std::string first_picture(const std::vector<Block>& blocks) {
  for (const Block& block : blocks)
    if (const std::size_t from = block.text.find("](pictures/");
        block.text.starts_with("![") && from != std::string::npos)
      return block.text.substr(from + 11, block.text.find(')', from) - from - 11);
  return "";
}

static std::string card_of(int number, const std::string& out) {
  const std::string folder = lesson_folder(number), name = join("lesson", number);
  const std::string place = join(out, "/", name);
  const std::string readme = folder.empty() ? "" : contents_of(folder + "/README.md");
  std::string title = join("Lesson ", number), question, figure, way;
  markdown::Complaints ignored;  // its own page has them
  const std::vector<Block> blocks = markdown::read(readme, ignored);
  if (!blocks.empty()) title = markdown::title(blocks[0].text);
  for (const Block& block : blocks)
    if (block.text.starts_with("**The question.**")) question = question_in(block.text);
  const std::string picture = first_picture(blocks);
  std::string svg = contents_of(join(place, "/", picture));
  if (svg.empty()) svg = contents_of(join(folder, "/pictures/", picture));
  if (svg.starts_with("<svg ")) figure = figure_of(svg);
  if (contents_of(place + "/index.html").empty())
    way = join("<code>make ", name, "</code> makes its page.");
  else
    way = join("<a class=\"begin\" href=\"", name, "/index.html\">", number == 1 ? "Begin" : "Open",
               "</a>");
  return join("<article data-lesson=\"", number, "\"><h2>", escape_html(title), "</h2>\n", figure,
              "<p>", escape_html(question), "</p>\n<p class=\"command\">", minutes_in(readme),
              "</p>\n<p>", way, "</p></article>\n");
}

std::string of_course(const std::string& out) {
  Results first = stored(out + "/lesson1");
  const std::string opening = opening_bench(first);
  std::string cards;
  int begin = 1;  // the first lesson that has a page
  while (begin < 6 && contents_of(join(out, "/lesson", begin, "/index.html")).empty()) ++begin;
  for (int number = 1; number <= 6; ++number) cards += card_of(number, out);
  return document(
      "How neural networks compute", "",
      join(
          "<h1>How neural networks compute</h1>\n<p class=\"promise\">Six lessons for programmers: every gradient derived by hand, "
          "every statement checked by a program, every number yours to turn. <a class=\"begin\" href=\"lesson",
          begin, "/index.html\">Begin</a></p>\n", opening, "<div class=\"cards\">\n", cards,
          "</div>\n"));
}

}  // namespace page
