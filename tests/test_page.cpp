// Tests common/page: numbered equations and their code, stored results, and the page of a lesson, with what was found
// standing where the text speaks of it. And the pictures that the READMEs show: each is there, and said in words.
// Run: make test, or build/tests/test_page, from the root
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <regex>

#include "common/page/page.hpp"
#include "common/support/file.hpp"
#include "common/support/table.hpp"
#include "common/support/words.hpp"
#include "tests/check.hpp"
#include "tests/files.hpp"

namespace fs = std::filesystem;
using page::Claim;

static page::Result result(Claim::Verdict verdict) {
  return {
      "make lesson9", "<p>found</p>\n", {{Claim::Verdict::holds, "a < b", "1 (at most 2)"}, {verdict, "other", ""}}};
}

// Says where the first of these texts that does not follow the one before is missing.
static void in_order(Checks& check, const std::string& html, const std::vector<std::string>& parts) {
  std::size_t at = 0;
  for (const std::string& part : parts) {
    const std::size_t found = html.find(part, at);
    check.that(found != html.npos, "the page lacks, in its place: " + part);
    at = std::min(found, html.size());
  }
}

// Returns the page of a lesson with these parts. Each part comes back whole out of it, and makes the same page again.
static std::string page_of(Checks& check, const fs::path& folder, const std::map<int, std::string>& stored) {
  const page::Lesson lesson{2, "Lesson <2>", folder};
  const std::string html = page::of_lesson(lesson, stored);
  check.that(page::stored_results(html) == stored, "the results come back whole");
  check.that(page::of_lesson(lesson, page::stored_results(html)) == html, "and make the same page again");
  return html;
}

static void equations(Checks& check) {
  std::string found;
  for (const page::Reference& one : page::references("(3.1) (3.12) (3) (3.) (3.1 (3.123) f(x) ((4.5)) (a.1) ("))
    found += one.number + " ";
  check.equal(found, "3.1 3.12 4.5 ", "references");
  check.equal(page::number_at_end("H = X·W1    n × h      (3.1)  "), "3.1", "the number behind a formula");
  check.equal(page::number_at_end("by (3.1) it is so") + page::number_at_end("x"), "", "no number at the end");
  const Folder folder;
  write_file(folder / "models.hpp",
             "// (9.1) alone is no code\n  a = b;  // n x h   (9.1)\n  // (9.1)\nc;  // (9.1) back\n");
  write_file(folder / "a.cpp", "x;  // (9.4) to (9.2) back\ny;  // (9.2) (9.7)\n");
  write_file(folder / "notes.txt", "z;  // (9.1)\n");
  const page::NumberedCode code = page::numbered_code(folder.path());
  check.that(code.size() == 5 && code.count("9.3") == 1 && code.at("9.3")[0].file == "a.cpp",
             "five numbers, one between");
  check.that(code.at("9.1").size() == 2 && code.at("9.1")[1].line == 4, "the lines of a number");
  check.that(page::numbered_code("no/such/folder").empty(), "no folder, no code");
}

static void results(Checks& check) {
  const std::map<int, std::string> all{{3, page::stored(3, result(Claim::Verdict::holds))},
                                       {4, page::stored(4, result(Claim::Verdict::fails))},
                                       {5, page::stored(5, result(Claim::Verdict::open))},
                                       {page::knobs_of(5), page::stored(page::knobs_of(5), "<form>\n")},
                                       {page::turned(5), page::stored(page::turned(5), result(Claim::Verdict::open))}};
  page_of(check, "", all);
  check.that(has(all.at(3), "<summary>2 of 2 claims hold</summary>") && has(all.at(3), "a &lt; b"),
             "claims are folded");
  in_order(check, all.at(4), {"<ul class=\"claims\">\n<li class=\"fails\"><b>✗</b> other", "<details"});
  check.that(has(all.at(5), "1 of 1 claim holds; 1 shown, but not claimed under these flags"), "what is not claimed");
  check.that(page::state_of(all.at(3)) == page::State::holds && page::state_of(all.at(4)) == page::State::fails &&
                 page::state_of("") == page::State::not_run,
             "states");
  check.that(page::stored_results("\n<!-- part 3 holds -->\nno end").empty(), "an end that is missing");
  const std::string before = page::stored_exercises({{"1.1", "One", Claim::Verdict::holds}}, ""),
                    after = page::stored_exercises({{"1.1", "One", {}}, {"1.2", "Two", Claim::Verdict::fails}}, before);
  check.that(page::progress_of(after).done == 1 && page::progress_of(after).all == 2, "progress is kept");
}

// A picture goes where the text shows it, a table in the place of the README's with the same head, a field where the text
// asks; what is part of an answer stays folded.
static void places(Checks& check) {
  const Folder folder;
  fs::create_directories(folder / "pictures");
  write_file(
      folder / "README.md",
      "# A lesson\n\n## 1. One\n\n![a](pictures/shown.svg)\n\n| a & b | `c` |\n|---|---|\n| typed | 1 |\n\n"
      "![b](pictures/asked.svg)\n\n**Predict** it.\n\nThe answer is 3.\n\n| asked | c |\n|---|---|\n| kept | 1 |\n\n"
      "## 2. Two\n\n**Predict** this.\n\n![c](pictures/tracked.svg)\n\n![d](pictures/foreign.svg)\n");
  write_file(folder / "pictures/tracked.svg", "<svg >tracked</svg>\n");
  write_file(folder / "pictures/foreign.svg", "<b>foreign</b>\n");
  page::Result one = result(Claim::Verdict::holds);
  one.picture("shown", "<svg >shown</svg>");
  one.html += Table{{"x"}, {{"none"}}}.html() + Table{{"a & b", "c"}, {{"measured", "2"}}}.html();
  one.predict("How much?", "3");
  one.film("asked", "gain", {"1", "2"}, {"<svg >first</svg>", "<svg >last</svg>"});
  one.html += Table{{"asked", "c"}, {{"answer", "2"}}}.html();
  const std::string html = page_of(check, folder.path(), {{1, page::stored(1, one)}});
  in_order(check, html,
           {">shown</svg>", ">measured<", "it.</p>\n<form class=\"predict\" data-answer=\"3\">",
            "<details class=\"found\"><summary>The answer", "The answer is 3.", ">answer<", "<section", ">none<",
            "<form hidden", "<details class=\"found\" open><summary hidden>", ">last</svg>", "</details>", "</section>",
            "</details>\n<h2", "this.</p>\n<figure><svg >tracked</svg>"});
  check.that(count(html, ">shown</svg>") == 1 && count(html, ">last</svg>") == 1 && count(html, ">measured<") == 1,
             "each once");
  check.that(!has(html, "typed") && !has(html, "kept") && !has(html, "foreign") && !has(html, "<p></p>"),
             "nothing else comes in");
}

static void of_lesson(Checks& check) {
  const Folder folder;
  write_file(folder / "models.hpp", "  y = x;  // (9.1)\n");
  write_file(folder / "README.md",
             "# Lesson 9: a & b?\n\nSee (9.1) and (9.5).\n\n## 1. First\n\n```\ny = x   n × h   (9.1)\nand so\n```\n\n"
             "```cpp\n  y = x;  // (9.1) <T>\n```\n\n## 2. Second\n\nText.\n\n## Sources\n\nNone.\n");
  const std::map<int, std::string> stored{{1, page::stored(1, result(Claim::Verdict::fails))}};
  const std::string html = page_of(check, folder.path(), stored);
  in_order(
      check, html,
      {"<li class=\"fails\" title=\"a claim fails\"><a href=\"#1-first\">1. First</a></li>",
       "<li class=\"open\" title=\"not run\"><a href=\"#2-second\">2. Second</a></li>",
       "<li class=\"aside\"><a href=\"#sources\">Sources</a></li>", "href=\"../lesson1/index.html\"",
       "href=\"../lesson3/index.html\"", "<h1 id=\"lesson-9-a--b\">Lesson 9: a &amp; b?</h1>",
       "See <a href=\"#eq9.1\">(9.1)</a> and (9.5).",
       "<div id=\"eq9.1\"><span>y = x   n × h</span><span class=\"number\"><a href=\"#code9.1\">(9.1)</a></span></div>",
       "<div>and so</div>", "<details class=\"code\" id=\"code9.1\">",
       "   1    y = x;  // <a href=\"#eq9.1\">(9.1)</a>",
       "<pre><code>  y = x;  // <a href=\"#eq9.1\">(9.1)</a> &lt;T&gt;", "<p>found</p>", "<h2 id=\"2-second",
       "Not run yet: <code>make lesson2 ARGS=\"--part 2\"</code>"});
  write_file(folder / "README.md", "# Lesson\n\n**unfinished\n");
  in_order(check, page_of(check, folder.path(), stored), {"README.md cannot be shown: line 3", "<p>found</p>"});
  check.that(has(page::of_lesson({2, "A <b>", ""}, {}), "<h1>A &lt;b&gt;</h1>"),
             "without its folder a page has a title");

  const Folder out;
  fs::create_directories(out.path() / "lesson1");
  write_file(out / "lesson1/index.html", "<main>\n" + stored.at(1));
  write_file(out / "lesson1/variance.svg", "<svg>curve</svg>");
  const std::string course = page::of_course("", out.path());
  in_order(check, course,
           {"<a href=\"lesson1/index.html\">Lesson 1: why", "1 part run in 0.0 s; claims fail in 1 of them",
            "<figure><svg>curve</svg></figure>", "<h2>Lesson 6: does", "not run yet: <code>make lesson6"});
  check.that(count(course, "<figure>") == 1 && count(course, "<h2>") == 6, "six lessons, one picture");
}

// Each lesson of the course: every number in its code leads somewhere; its pictures are there, all shown, and said in words.
static void lessons(Checks& check) {
  static const std::regex image("!\\[(.*?)\\]\\((pictures/[^)]*)\\)");
  for (const fs::directory_entry& folder : fs::directory_iterator("lessons")) {
    if (!folder.is_directory()) continue;
    const std::string readme = page::contents_of(folder.path() / "README.md"), name = folder.path().string();
    const std::string html = page::of_lesson({1, "", folder.path()}, {});
    check.that(!has(html, "cannot be shown"), name + " is shown");
    for (const auto& [number, lines] : page::numbered_code(folder.path()))
      check.that(has(html, "id=\"code" + number + "\"") && has(html, "id=\"eq" + number + "\""),
                 lines[0].file + ": (" + number + ") is no equation of " + name);
    for (std::sregex_iterator at(readme.begin(), readme.end(), image), end; at != end; ++at) {
      const std::string words = (*at)[1], picture = (*at)[2];
      check.that(std::count(words.begin(), words.end(), ' ') >= 3, name + ": " + picture + " is said in words");
      check.that(fs::exists(folder.path() / picture), name + ": " + picture + " is there");
    }
    if (fs::exists(folder.path() / "pictures"))
      for (const fs::directory_entry& file : fs::directory_iterator(folder.path() / "pictures"))
        check.that(has(readme, "](pictures/" + file.path().filename().string() + ")"),
                   file.path().string() + " is shown");
  }
}

int main() {
  Checks check;
  equations(check);
  results(check);
  places(check);
  of_lesson(check);
  lessons(check);
  return check.done("test_page");
}
