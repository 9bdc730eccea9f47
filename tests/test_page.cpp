// Tests common/page: numbered equations and their code, stored results, and the page of a lesson.
// Run: make test, or build/tests/test_page, from the root
// SPDX-License-Identifier: MIT
#include <filesystem>

#include "common/page/page.hpp"
#include "common/page/results.hpp"
#include "common/support/file.hpp"
#include "common/support/table.hpp"
#include "common/support/words.hpp"
#include "tests/check.hpp"
#include "tests/files.hpp"

using page::Claim;

static void equations(Checks& check) {
  const auto found = [](const char* text) {
    std::string all;
    for (const page::Reference& one : page::references(text)) all += one.number + " ";
    return all;
  };
  check.equal(found("(3.1) and (3.12) to (13.2)"), "3.1 3.12 13.2 ", "references");
  check.equal(found("(3) (3.) (.1) (3.1 (3.123) f(x) ((4.5)) (a.1) ("), "4.5 ", "what is none");
  check.equal(page::number_at_end("H = X·W1    n × h      (3.1)  "), "3.1", "the number behind a formula");
  check.equal(page::number_at_end("by (3.1) it is so") + page::number_at_end("x"), "", "no number at the end");
}

static void code(Checks& check) {
  const Folder folder;
  std::filesystem::create_directories(folder / "model");
  write_file(folder / "model/2_b.cpp",
             "// (9.1) alone is no code\n  a = b;  // n x h   (9.1)\n  // (9.1)\nc = d;  // (9.1) back\n");
  write_file(folder / "model/1_a.hpp", "x;  // (9.4) to (9.2) back\ny;  // (9.2) (9.7)\n");
  write_file(folder / "model/notes.txt", "z;  // (9.1)\n");
  const page::NumberedCode found = page::numbered_code(folder.path());
  check.that(found.size() == 5, join(found.size(), " numbers: 9.1, 9.2, 9.3, 9.4, 9.7"));
  check.that(found.count("9.3") == 1 && found.at("9.3")[0].file == "model/1_a.hpp", "9.3 lies between 9.4 and 9.2");
  check.that(found.at("9.1").size() == 2 && found.at("9.1")[0].line == 2 && found.at("9.1")[1].line == 4,
             "lines of 9.1");
  check.equal(found.at("9.1")[0].text, "  a = b;  // n x h   (9.1)", "a line as it stands");
  check.that(page::numbered_code("no/such/folder").empty(), "no folder, no code");
}

static page::Result result(Claim::Verdict verdict) {
  return {
      "make lesson9", "<p>found</p>\n", {{Claim::Verdict::holds, "a < b", "1 (at most 2)"}, {verdict, "other", ""}}};
}

static void results(Checks& check) {
  const std::string holds = page::stored(3, result(Claim::Verdict::holds));
  const std::string fails = page::stored(4, result(Claim::Verdict::fails));
  const std::string open = page::stored(5, result(Claim::Verdict::open));
  check.that(has(holds, "<summary>2 of 2 claims hold</summary>") && has(holds, "a &lt; b"),
             "claims that hold are folded");
  check.that(has(fails, "<ul class=\"claims\">\n<li class=\"fails\"><b>✗</b> other"), "one that fails stands open");
  check.that(fails.find("other") < fails.find("<details"), "before the folded ones");
  check.that(has(open, "1 of 1 claim holds; 1 shown, but not claimed under these flags"), "what is not claimed");
  const auto found = page::stored_results("<html>\n" + holds + fails + "<p>between</p>\n" + open + "</html>\n");
  check.that(found.size() == 3 && found.at(3) == holds && found.at(4) == fails && found.at(5) == open, "all come back");
  check.that(page::state_of(found.at(3)) == page::State::holds && page::state_of(fails) == page::State::fails &&
                 page::state_of("") == page::State::not_run,
             "states");
  check.that(page::stored_results("\n<!-- part 3 holds -->\nno end").empty(), "an end that is missing");
  check.that(page::stored_results("").empty(), "no page, no results");
  const std::string list = page::stored_exercises({{"1.1", "One", Claim::Verdict::holds}}, "");
  check.that(list.find("<section class=\"run\">") != std::string::npos, "the exercises stand in the frame of a result");
}

// A picture goes where the text shows it, and is found there when another run makes the page anew.
static void pictures(Checks& check) {
  const Folder folder;
  std::filesystem::create_directories(folder / "pictures");
  write_file(folder / "README.md",
             "# A lesson\n\n## 1. One\n\n![a](pictures/shown.svg)\n\nBetween.\n\n![b](pictures/asked.svg)\n\n"
             "## 2. Two\n\n![c](pictures/tracked.svg)\n\n![d](pictures/foreign.svg)\n\n![e](pictures/none.svg)\n");
  write_file(folder / "pictures/tracked.svg", "<svg >tracked</svg>\n");
  write_file(folder / "pictures/foreign.svg", "<b>foreign</b>\n");
  page::Result one = result(Claim::Verdict::holds);
  one.picture("shown", "<svg >shown</svg>");
  one.predict("How much?", "3");
  one.film("asked", "gain", {"1", "2"}, {"<svg >first</svg>", "<svg >last</svg>"});
  const std::string stored = page::stored(1, one);
  const page::Lesson lesson{2, "Lesson", folder.path()};
  const std::string html = page::of_lesson(lesson, {{1, stored}});
  const auto place = [&](const char* text) { return html.find(text); };
  check.that(place(">shown</svg>") < place("Between.") && place("Between.") < place("<section"),
             "where the text shows it");
  check.that(place(">last</svg>") > place("<details class=\"found\">"), "an answer stays folded");
  check.that(count(html, ">shown</svg>") == 1 && count(html, ">last</svg>") == 1, "each picture once");
  check.that(has(html, "<figure><svg >tracked</svg>"), "without a run the one of the README");
  check.that(!has(html, "foreign") && !has(html, "<p></p>"), "nothing else comes in");
  check.that(page::stored_results(html).at(1) == stored, "the result comes back whole");
  check.that(page::of_lesson(lesson, page::stored_results(html)) == html, "and makes the same page again");
}

// A field stands where the text asks; what follows there and what was found fold until it is used.
static void predictions(Checks& check) {
  const Folder folder;
  write_file(
      folder / "README.md",
      "# A lesson\n\n## 1. One\n\nBefore.\n\n**Predict** it.\n\nThe answer is 3.\n\n![a](pictures/a.svg)\n\n"
      "## 2. Two\n\n**Predict** this.\n\nThen.\n\n<details>\n<summary>Further</summary>\n\n**Predict** that.\n\n</details>\n");
  page::Result one = result(Claim::Verdict::holds);
  one.predict("How much?", "3");
  one.html += "<p>The table.</p>\n";
  one.picture("a", "<svg >a</svg>");
  const std::string stored = page::stored(1, one);
  const page::Lesson lesson{2, "Lesson", folder.path()};
  const std::string html = page::of_lesson(lesson, {{1, stored}});
  std::size_t at = 0;
  for (const char* next : {"Before.", "it.</p>\n<form class=\"predict\" data-answer=\"3\">",
                           "</form>\n<details class=\"found\"><summary>The answer", "The answer is 3.", ">a</svg>",
                           "<section", "<form hidden", "<details class=\"found\" open><summary hidden>", "The table.",
                           "</details>", "</section>", "</details>\n<h2"}) {
    const std::size_t found = html.find(next, at);
    check.that(found != std::string::npos, std::string("the page lacks, in its place: ") + next);
    at = std::min(found, html.size());
  }
  check.that(html.find("<form class", at) == std::string::npos, "a part that was not run asks nothing");
  check.that(has(html.substr(at), "Then."), "and its text is open");
  check.that(page::stored_results(html).at(1) == stored, "the result comes back whole");
  check.that(page::of_lesson(lesson, page::stored_results(html)) == html, "and makes the same page again");
  page::Result two = result(Claim::Verdict::holds);
  two.predict("And?", "4");
  two.predict("Further?", "5");
  const std::string both = page::of_lesson(lesson, {{1, stored}, {2, page::stored(2, two)}});
  check.that(count(both, "<form hidden") == 2 && has(both, "that.</p>\n</details>"),
             "no field in a fold of the README");
  std::string other = stored;  // a field without the fold that belongs to it
  other.replace(other.find("<summary>"), 9, "<summary >");
  const std::string old = page::of_lesson(lesson, {{1, other}});
  check.that(has(old, "<summary >") && !has(old, "<form hidden"), "what another version stored stays as it is");
}

// A table of the README gives way to that of the run with the same head.
static void tables(Checks& check) {
  const Folder folder;
  write_file(
      folder / "README.md",
      "# A lesson\n\n## 0. None\n\n| a & b | `c` |\n|---|---|\n| far | 1 |\n\n## 1. One\n\n| a & b | `c` |\n|---|---|\n| typed | 1 |\n\nBetween.\n\n| other | c |\n|---|---|\n| kept | 1 |\n\n"
      "| asked | c |\n|---|---|\n| asked | 1 |\n");
  page::Result one = result(Claim::Verdict::holds);
  one.html += Table{{"x"}, {{"none"}}}.html() + Table{{"a & b", "c"}, {{"measured", "2"}}}.html();
  one.predict("How much?", "3");
  one.html += Table{{"asked", "c"}, {{"answer", "2"}}}.html();
  const std::string stored = page::stored(1, one);
  const page::Lesson lesson{2, "Lesson", folder.path()};
  const std::string html = page::of_lesson(lesson, {{1, stored}});
  check.that(!has(html, "typed") && html.find(">measured<") < html.find("Between."),
             "the run's table stands in the text");
  check.that(count(html, ">measured<") == 1 && has(html, ">kept<"), "once, and others stay");
  check.that(has(html, ">far<"), "a table of another section stays");
  check.that(html.find(">answer<") > html.find("<details class=\"found\">"), "an answer stays folded");
  check.that(page::stored_results(html).at(1) == stored, "the result comes back whole");
  check.that(page::of_lesson(lesson, page::stored_results(html)) == html, "and makes the same page again");
}

static void of_lesson(Checks& check) {
  const Folder folder;
  std::filesystem::create_directories(folder / "model");
  write_file(folder / "model/1_a.cpp", "  y = x;  // (9.1)\n");
  write_file(folder / "README.md",
             "# Lesson 9: a & b?\n\nSee (9.1) and (9.5).\n\n## 1. First\n\n```\ny = x   n × h   (9.1)\nand so\n```\n\n"
             "```cpp\n  y = x;  // (9.1) <T>\n```\n\n## 2. Second\n\nText.\n\n## Sources\n\nNone.\n");
  const page::Lesson lesson{2, "Lesson 9", folder.path()};
  const std::string html = page::of_lesson(lesson, {{1, page::stored(1, result(Claim::Verdict::fails))}});
  for (
      const char* part :
      {"<h1 id=\"lesson-9-a--b\">Lesson 9: a &amp; b?</h1>", "See <a href=\"#eq9.1\">(9.1)</a> and (9.5).",
       "<div id=\"eq9.1\"><span>y = x   n × h</span><span class=\"number\"><a href=\"#code9.1\">(9.1)</a></span></div>",
       "<div>and so</div>", "<details class=\"code\" id=\"code9.1\">",
       "   1    y = x;  // <a href=\"#eq9.1\">(9.1)</a>",
       "<pre><code>  y = x;  // <a href=\"#eq9.1\">(9.1)</a> &lt;T&gt;",
       "Not run yet: <code>make lesson2 ARGS=\"--part 2\"</code>",
       "<li class=\"fails\" title=\"a claim fails\"><a href=\"#1-first\">1. First</a></li>",
       "<li class=\"open\" title=\"not run\"><a href=\"#2-second\">2. Second</a></li>",
       "<li class=\"aside\"><a href=\"#sources\">Sources</a></li>", "href=\"../lesson1/index.html\"",
       "href=\"../lesson3/index.html\""})
    check.that(has(html, part), std::string("the page lacks ") + part);
  check.that(html.find("<p>found</p>") > html.find("<h2 id=\"1-first") &&
                 html.find("<p>found</p>") < html.find("<h2 id=\"2-second"),
             "what was found stands in its section");
  check.that(count(html, "id=\"eq9.1\"") == 1 && count(html, "id=\"code9.1\"") == 1, "one anchor each");
  write_file(folder / "README.md", "# Lesson\n\n**unfinished\n");
  check.that(has(page::of_lesson(lesson, {{7, "<p>kept</p>"}}), "README.md cannot be shown: line 3"),
             "a slip is named");
  check.that(has(page::of_lesson(lesson, {{7, "<p>kept</p>"}}), "<p>kept</p>"), "and what was found is kept");
  const std::string bare = page::of_lesson({2, "A <b>", ""}, {});
  check.that(has(bare, "<h1>A &lt;b&gt;</h1>"), "without its folder a page has a title");
}

static void of_course(Checks& check) {
  const Folder out;
  std::filesystem::create_directories(out.path() / "lesson1");
  write_file(out / "lesson1/index.html", "<main>\n" + page::stored(3, result(Claim::Verdict::fails)) +
                                             page::stored(4, result(Claim::Verdict::holds)));
  write_file(out / "lesson1/variance.svg", "<svg>curve</svg>");
  const std::string html = page::of_course("", out.path());
  for (const char* part :
       {"<a href=\"lesson1/index.html\">Lesson 1: why", "2 parts run in 0.0 s; claims fail in 1 of them",
        "<figure><svg>curve</svg></figure>", "<h2>Lesson 6: does", "not run yet: <code>make lesson6"})
    check.that(has(html, part), std::string("the page of the course lacks ") + part);
  check.that(count(html, "<figure>") == 1 && count(html, "<h2>") == 6, "six lessons, one picture");
}

// Each lesson's own page, from the root of the repository: every number that stands in its model's code leads somewhere.
static void lessons(Checks& check) {
  for (const auto& entry : std::filesystem::directory_iterator("lessons")) {
    if (!std::filesystem::exists(entry.path() / "README.md")) continue;
    const std::string html = page::of_lesson({1, "", entry.path()}, {});
    check.that(!has(html, "cannot be shown"), entry.path().string() + " is shown");
    for (const auto& [number, lines] : page::numbered_code(entry.path()))
      check.that(has(html, "id=\"code" + number + "\"") && has(html, "id=\"eq" + number + "\""),
                 lines[0].file + ": (" + number + ") is no equation of " + entry.path().string());
  }
}

// The form of a part's knobs and what a turned part found stand behind the part, and a page keeps both.
static void knobs(Checks& check) {
  const std::map<int, std::string> results{
      {1, page::stored(1, result(Claim::Verdict::holds))},
      {page::knobs_of(1), page::stored(page::knobs_of(1), "<form id=\"knobs1\">\n")},
      {page::turned(1), page::stored(page::turned(1), result(Claim::Verdict::open))}};
  const std::string html = page::of_lesson({4, "Lesson 4", ""}, results);
  const std::map<int, std::string> kept = page::stored_results(html);
  check.that(kept == results, "a page keeps its knobs and what they found");
}

int main() {
  Checks check;
  equations(check);
  code(check);
  results(check);
  pictures(check);
  predictions(check);
  tables(check);
  of_lesson(check);
  of_course(check);
  lessons(check);
  knobs(check);
  return check.done("test_page");
}
