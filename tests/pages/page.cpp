// Tests Markdown, stored results, and the pages of lessons and course. tests/fuzz has random bytes.
// Run: make test, or make test only=page, from the root
// SPDX-License-Identifier: MIT
#include "common/frame/page/page.hpp"

#include <algorithm>
#include <filesystem>

#include "common/frame/files/file.hpp"
#include "common/frame/text/markdown.hpp"
#include "common/frame/text/words.hpp"
#include "tests/check.hpp"
#include "tests/files.hpp"

namespace test_page {

namespace fs = std::filesystem;
using page::Claim;
using Kind = page::Piece::Kind;

static std::string rendered(const std::string& text, const markdown::Hooks& hooks = {}) {
  markdown::Complaints ignored;
  return markdown::html(markdown::read(text, ignored), hooks, ignored);
}

static std::string complaints_of(const std::string& text) {
  markdown::Complaints complaints;
  markdown::html(markdown::read(text, complaints), {}, complaints);
  std::string lines;
  for (const markdown::Error& complaint : complaints) lines += join(complaint.what(), "\n");
  return lines;
}

struct Case {
  std::string source, expected;
};

static void markdown_text(Checks& check) {
  for (
      const auto& [source, expected] : {
          Case{"a < b & \"c\" > d", "a &lt; b &amp; &quot;c&quot; &gt; d"},
          {"**a *b* c** *a **b** c*",
           "<strong>a <em>b</em> c</strong> <em>a <strong>b</strong> c</em>"},
          {"a*b*c **a·** (**\"a\"**), **a**-b",
           "a<em>b</em>c <strong>a·</strong> (<strong>&quot;a&quot;</strong>), <strong>a</strong>-b"},
          {"2 * 3, a ** b, 4.3*, a", "2 * 3, a ** b, 4.3*, a"},
          {"\\*a\\* \\` \\[ \\\\ \\é \\a \\", "*a* ` [ \\ \\é \\a \\"},
          {"δ_b, x_ = a_b_c, W~ and V~_j, E[x] [ok] ![a] ](u)",
           "δ_b, x_ = a_b_c, W~ and V~_j, E[x] [ok] ![a] ](u)"},
          {"`a<b`, `*b*`, `\\`", "<code>a&lt;b</code>, <code>*b*</code>, <code>\\</code>"},
          {"`a\nb`", "<code>a b</code>"},
          {"[a *b* `c`](x/y.md#z) *[a](b)* [E[x]](c)",
           "<a href=\"x/y.md#z\">a <em>b</em> <code>c</code></a> <em><a href=\"b\">a</a></em> <a href=\"c\">E[x]</a>"},
          {"E[x] and [a](b)", "E[x] and <a href=\"b\">a</a>"},
          {"[a](https://b/?c=1&d)![2](b)",
           "<a href=\"https://b/?c=1&amp;d\">a</a><img src=\"b\" alt=\"2\">"},
          {"![a *b* `c\"` (6.3)](d.svg)", "<img src=\"d.svg\" alt=\"a b c&quot; (6.3)\">"},
      })
    check.equal(rendered(source), "<p>" + expected + "</p>\n", "text of '" + source + "'");
  for (
      const auto& [source, expected] : {
          Case{"(3.13) to (3.16), (6.6) (6.9)\n(1.2)", "{3.13} to {3.16}, {6.6} {6.9}\n{1.2}"},
          {"**(2.6):** (the map (1.14)) `x` (1.1) part 5. (1.2) part 5 (1.3)",
           "<strong>{2.6}:</strong> (the map {1.14}) <code>x</code> {1.1} part 5. {1.2} part 5 {1.3}"},
          {"`(6.3)` \\(6.3) (1.519) (11.5) (1.) (1,5) (6.3",
           "<code>(6.3)</code> (6.3) (1.519) (11.5) (1.) (1,5) (6.3"},
          {"[a (1.1)](b) (1.2)", "<a href=\"b\">a (1.1)</a> {1.2}"},
          {"log10(5.8) φ(1.2) -39.7 (2.0)* .24 (1.1)", "log10(5.8) φ(1.2) -39.7 (2.0)* .24 (1.1)"},
      })
    check.equal(
        rendered(source,
                 {.equation = [](const std::string& number) { return "{" + number + "}"; }}),
        "<p>" + expected + "</p>\n", "references of '" + source + "'");
  check.equal(markdown::title("*a* **b** `c*`\n[d](e) ![f](g) (6.3) \\*"), "a b c* d f (6.3) *",
              "a title");
}

static void markdown_blocks(Checks& check) {
  for (
      const auto& [source, expected] : {
          Case{"", ""},
          {"\n\na\nb\n\n\nc", "<p>a\nb</p>\n<p>c</p>\n"},
          {"# A *b*\ntext\n\n## A b\n### D, `é`!\n",
           "<h1 id=\"a-b\">A <em>b</em></h1>\n<p>text</p>\n<h2 id=\"a-b-1\">A b</h2>\n"
           "<h3 id=\"d-\">D, <code>é</code>!</h3>\n"},
          {"```cpp\na < b;\n\n  *c*  \n```\n", "<pre><code>a &lt; b;\n\n  *c*  \n</code></pre>\n"},
          {"Jacobi,\n1846. b\n|k| = 4\n--flag", "<p>Jacobi,\n1846. b\n|k| = 4\n--flag</p>\n"},
          {"<details>\n<summary>A > (6.3)</summary>\n\n# D\n\n- e\n\n</details>\n\ng",
           "<details>\n<summary>A &gt; (6.3)</summary>\n<h1 id=\"d\">D</h1>\n<ul>\n<li>e</li>\n</ul>\n</details>\n"
           "<p>g</p>\n"},
          {"- a\n  b\n- c\n\n- d\n\n1. e",
           "<ul>\n<li>a\nb</li>\n<li>c</li>\n<li>d</li>\n</ul>\n<ol>\n<li>e</li>\n</ol>\n"},
      })
    check.equal(rendered(source), expected, "blocks of '" + source + "'");
  check.that(has(rendered("|a|b|\n|---|---|\n|`\\|x\\|`||"),
                 "<td><code>|x|</code></td><td></td></tr>\n</tbody>"),
             "a table");
}

static void markdown_errors(Checks& check) {
  for (const auto& [source, expected] : {
           Case{"a\n\n    b", "line 3: GitHub begins a new block"},
           {"a  \nb", "line 1: GitHub begins a new block"},
           {"a\n</details>", "line 2: GitHub begins a new block"},
           {"- a\nb", "line 2: an empty line is missing"},
           {"- ", "line 1: an item is text"},
           {"- a\n  - b", "line 2: GitHub begins a new block"},
           {"- - c", "line 1: an item is text"},
           {"####### b", "line 1: a heading is one to six #"},
           {"a\n\n```\nb", "line 3: a fence ``` without its end"},
           {"``` cpp\n```", "line 1: behind ``` stands one word"},
           {"| a |", "line 1: a table needs a header"},
           {"| a |\n| b |", "line 2: below the header"},
           {"| a |\n|---|\n| b | c |", "line 3: the row has not as many cells"},
           {"| a |\n|---|\n| b |\n| *c |", "line 4: an emphasis does not end"},
           {"<div>", "line 1: HTML other than <details>"},
           {"# a\n<details>\n<summary>a</summary>", "<details> or </details> without its other"},
           {"b `c\nd", "line 1: a backtick without its other"},
           {"*[a*](b)", "line 1: an emphasis does not end"},
           {"[a](b \"c\")", "line 1: the target of a link"},
           {"[a](javascript:b)", "line 1: the target of a link"},
           {"a\n\n</details>", "line 3: <details> or </details> without its other"},
           {"a <b> c", "line 1: HTML"},
           {"a\n\nb\xFF", "line 3: a tab, or a character"},
       })
    check.that(has(complaints_of(source), expected), "error of '" + source + "'");
}

static page::Result result(Claim::Status status) {
  page::Result found{.command = "make lesson9"};
  found.add(Kind::text, "", "<p>found</p>\n");
  found.add({Claim::Status::holds, "a < b", "1 (at most 2)"});
  found.add({status, "other", ""});
  return found;
}

static void in_order(Checks& check, const std::string& html,
                     const std::vector<std::string>& parts) {
  std::size_t at = 0;
  for (const std::string& part : parts) {
    const std::size_t place = html.find(part, at);
    check.that(place != html.npos, "the page lacks, in its place: " + part);
    at = std::min(place, html.size());
  }
}

// The results pass through their files.
static std::string page_of(const std::string& lesson, const page::Results& results,
                           markdown::Complaints& complaints) {
  const Folder out;
  page::store(out.path().string(), results);
  return page::of_lesson({2, "Lesson <2>", lesson}, page::stored(out.path().string()), complaints);
}
static std::string page_of(const std::string& lesson, const page::Results& results) {
  markdown::Complaints complaints;
  const std::string html = page_of(lesson, results, complaints);
  if (!complaints.empty()) throw complaints[0];
  return html;
}

static void results(Checks& check) {
  check.equal(page::in_words(result(Claim::Status::open)),
              "1 of 1 claim holds; 1 shown, but not claimed under these flags",
              "what is not claimed");
  const std::string holds = page::fold_of("3", result(Claim::Status::holds));
  in_order(check, holds,
           {"<details class=\"run\" data-part=\"3\">",
            "<summary>Checked: 2 of 2 claims hold</summary>", "<p>found</p>", "a &lt; b"});
  in_order(check, page::fold_of("4", result(Claim::Status::fails)),
           {"<details class=\"run\" data-part=\"4\" open>", "<li class=\"fails\"><b>✗</b> other"});

  page::Results turned{{"5.bench", result(Claim::Status::holds)}};
  turned["knobs"].add(Kind::text, "5", "<form>\n");
  for (const char* name : {"first", "second"})
    turned["5.bench"].picture(name, join("<svg >", name, "</svg>"));
  in_order(check, page::bench(5, turned),
           {"<section class=\"bench\" id=\"bench5\"",
            "<div class=\"shown\">\n<figure><svg >first</svg></figure>\n</div>",
            "<div class=\"says\">\n<p>found</p>\n<figure><svg >second", "<ul class=\"claims\">",
            "<form>"});
  in_order(check, page_of("", turned), {"<h2>Part 5</h2>", "<section class=\"bench\"", "<form>"});
  check.equal(page::bench(6, turned), "", "a part without knobs has no bench");
}

// The next run must read what one stored, to the byte, and skip what is no result.
static void files(Checks& check) {
  page::Result all = result(Claim::Status::open);
  all.seconds = 9.96;
  all.command = "make &lt;!-- end --&gt;\n";
  all.picture("curve", "<svg >\n</svg>");
  all.add(Table{{"a --> b", "c\n<!-- end -->"}, {{"1", "2"}}});
  all.predict("How much?", "3", 2, 4);
  all.add(Kind::text, "", "");
  const std::string text = page::text_of(all);
  const page::Result again = page::result_in(text).value_or(page::Result());
  check.equal(page::text_of(again), text, "a result comes back whole");
  check.equal(page::fold_of("3", again), page::fold_of("3", all), "and makes the same page");
  for (std::size_t size = 0; size < text.size(); ++size)
    check.that(!page::result_in(text.substr(0, size)), "a result that is cut off");
  const std::string run = "<!-- run 1 -->\n\n", end = "<!-- end -->\n";
  check.that(page::result_in(run + end).has_value(), "a part that found nothing");
  for (const std::string& foreign :
       {end, "text\n" + end, "<html>\n<!-- a -->\n" + end, run + "<!-- -->\n\n" + end,
        run + "<!-- \n\n" + end, "<!-- run x -->\n\n" + end, "<!-- run 1 -->\n" + end,
        run + run + end, run + "<!-- end -->\n\n" + end, run + "<!-- other x -->\n\n" + end,
        run + "<!-- text -->\n" + end, "<!-- text  -->\n\n" + run + end,
        run + "<!-- text -->\n<!-- text x\n\n" + end})
    check.that(!page::result_in(foreign), "no result: " + foreign);
  for (const char* kind : {"text", "picture", "table", "prediction", "claim"}) {
    const auto odd = page::result_in(join(run, "<!-- ", kind, " -->\n<\n\n", end));
    check.that(odd.has_value(), "a piece of no form");
    if (odd) page_of("", {{"3", *odd}, {"3.bench", *odd}, {"knobs", *odd}, {"99999999999", *odd}});
  }

  const Folder out;
  const std::string folder = out.path().string();
  page::store(folder, {{"3", all}, {"3.bench", all}, {"12", all}});
  page::store(folder, {{"3", result(Claim::Status::fails)}});
  write_file(out / "results/4.html", "");
  write_file(out / "results/5.htm", text);
  fs::create_directories(out / "results/6.html");
  page::Results stored = page::stored(folder);
  check.that(stored.size() == 3, "those that are ours");
  check.equal(page::text_of(stored["3.bench"]), text, "a bench");
  check.equal(page::text_of(stored["12"]), text, "what was not run again stays");
  check.that(stored["3"].count(Claim::Status::fails) == 1, "one part is replaced");
  check.that(page::stored(out / "nowhere").empty(), "a folder that is not there");
}

// A picture goes where the text shows it, a table where the README has the same head, a field where
// the text asks; parts of an answer stay folded.
static void places(Checks& check) {
  const Folder folder;
  fs::create_directories(folder / "pictures");
  write_file(
      folder / "README.md",
      "# A lesson\n\n## 1. One\n\n![a](pictures/shown.svg)\n\n| a & b | `c` |\n|---|---|\n| typed | 1 |\n\n"
      "![b](pictures/asked.svg)\n\n**Predict** it.\n\nThe answer is 3.\n\n| asked | c |\n|---|---|\n| kept | 1 |\n\n"
      "## 2. Two\n\n**Predict** this.\n\n![c](pictures/tracked.svg)\n\n![d](pictures/foreign.svg)\n\n"
      "## Further\n\n**Predict** more.\n\nThe last.\n\n## Sources\n");
  write_file(folder / "pictures/tracked.svg", "<svg >tracked</svg>\n");
  write_file(folder / "pictures/foreign.svg", "<b>foreign</b>\n");
  page::Result one = result(Claim::Status::holds);
  one.picture("shown", "<svg >shown</svg>");
  one.add(Table{{"x"}, {{"none"}}});
  one.add(Table{{"a & b", "c"}, {{"measured", "2"}}});
  one.predict("How much?", "3", 2, 4);
  one.picture("asked", "<svg >last</svg>");
  one.add(Table{{"asked", "c"}, {{"answer", "2"}}});
  const std::string html = page_of(folder.path().string(), {{"1", one}});
  in_order(check, html,
           {"<figure id=\"picture-shown\"><svg >shown</svg>", "id=\"table-1-2\"", ">measured<",
            "it.</p>\n<form class=\"predict\" data-answer=\"3\" data-low=\"2\" data-high=\"4\">",
            "<details class=\"found\"><summary>The answer", "The answer is 3.", "id=\"table-1-3\"",
            ">answer<", "<details class=\"run\"", "id=\"table-1-1\"", ">none<",
            "<figure id=\"picture-asked\"><svg >last</svg>", "</details>", "</details>\n<h2",
            "this.</p>\n<details class=\"found\">", "<figure><svg >tracked</svg>",
            "<p class=\"said\">c</p>", "<p>The last.</p>\n</details>\n<h2 id=\"sources\""});
  for (const char* once : {">shown</svg>", ">last</svg>", ">measured<"})
    check.that(count(html, once) == 1, join("once: ", once));
  for (const char* other : {">typed<", ">kept<", "foreign", "<p></p>"})
    check.that(!has(html, other), join("nothing else comes in: ", other));
  one.pieces.erase(one.pieces.begin(), one.pieces.begin() + 6);  // what is asked comes first
  check.that(has(page_of(folder.path().string(), {{"1", one}}), ">typed<"), "no run has the table");
}

static void statements(Checks& check) {
  const Folder folder;
  write_file(
      folder / "models.hpp",
      "void f() {\n  a = b +\n      c *\n      d;  // n x h   (9.1)\n  e = f;  // (9.2)\n"
      "  // why\n  g = h(\n      i);  // (9.2) back\n\n  j =  // (9.3)\n      k;  // (9.3)\n}\n");
  write_file(folder / "README.md", "# A\n\n```\na   (9.1)\ne   (9.2)\nj   (9.3)\n```\n");
  const std::string html = page_of(folder.path().string(), {});
  in_order(check, html,
           {"(9.1) in the code", "<pre>   2    a = b +\n   3        c *\n   4        d;", "</pre>",
            "<pre>   5    e = f;", "</a>\n   7    g = h(\n   8        i);", "</pre>",
            "<pre>  10    j =", "</a>\n  11        k;", "</pre>"});
  check.equal(std::to_string(count(html, "  10    j =")), "1", "each line once");
  check.that(!has(html, "// why"), "a comment above is no statement");
}

static void pages(Checks& check) {
  const Folder folder;
  write_file(
      folder / "models.hpp",
      "// (9.1) alone\n  y = x;  // n x h   (9.1)\n  // (9.1)\nz;  // (9.4) to (9.2) back\n");
  write_file(folder / "a.cpp", "dy;  // (9.1) back\n");
  write_file(folder / "notes.txt", "no;  // (9.1)\n");
  write_file(
      folder / "README.md",
      "# Lesson 9: a & b?\n\nSee (9.1) and (9.5).\n\n## 1. First\n\n```\ny = x   n × h   (9.1)\nand so\n"
      "z   (9.3) back\nby (9.2) it is\n```\n\n```cpp\n  y = x;  // (9.1) <T>\n```\n\n## 2. Second\n\nText.\n\n"
      "## Exercises\n\n| exercise | title |\n|---|---|\n| 1.1 | done twice |\n\n"
      "| symbol | meaning |\n|---|---|\n| x; y, z | inputs; outputs, side by side |\n\n## Sources\n\nNone.\n");
  page::Results found{{"1", result(Claim::Status::fails)}};
  found["equations"].add(Kind::text, "9.1", "runs: equal to 0");
  found["exercises"] = page::exercises_found({{"1.1", Claim::Status::holds}}, {});
  const std::string html = page_of(folder.path().string(), found);
  in_order(
      check, html,
      {"<li><a href=\"#1-first\">1. First</a></li>",
       "<li><a href=\"#2-second\">2. Second</a></li>",
       "<li class=\"aside\"><a href=\"#sources\">Sources</a></li>",
       "<h1 id=\"lesson-9-a--b\">Lesson 9: a &amp; b?</h1>",
       "See <a href=\"#eq9.1\">(9.1)</a> and (9.5).",
       "<div class=\"line\" id=\"eq9.1\"><span class=\"math\"><span><math alttext=\"y = x\"><mi>y</mi><mo>=</mo><mi>x</mi></math></span> </span><span "
       "class=\"note\">n × h</span><span class=\"number\"><a href=\"#code9.1\">(9.1)</a></span></div>",
       "<code>and so</code>",
       "<a href=\"#code9.3\">",
       "<code>by (9.2) it is</code>",
       "<details class=\"means\"><summary aria-label=\"what the symbols mean\">?</summary><p>x: inputs</p><p>y, z: outputs, side by side</p>",
       "<pre><code>  y = x;  // <a href=\"#eq9.1\">(9.1)</a> &lt;T&gt;",
       "<details class=\"run\"",
       "<p>found</p>",
       "<h2 id=\"2-second",
       "Not run yet: <code>make lesson2 ARGS=\"--part 2\"</code>",
       "<td>1.1</td><td>done twice</td><td>✓ done</td>",
       "<h2 id=\"listing\">",
       "<details class=\"code\" id=\"code9.1\"><summary>(9.1) in the code; runs: equal to 0</summary>\n<p>a.cpp</p>\n<pre>  "
       " 1  dy;",
       "<p>models.hpp</p>\n<pre>   2    y = x;  // n x h   <a href=\"#eq9.1\">(9.1)</a>\n</pre>",
       "   4  z;  // (9.4) to ",
       "href=\"../lesson1/index.html\"",
       "href=\"../lesson3/index.html\""});
  // What a teacher adds is shown, whatever it is; all else is as it would be without.
  write_file(folder / "README.md",
             "# Lesson\n\n**unfinished\n\n> a <b>note</b>\nof two lines\n\na\ttab\n\n<div>\n\n"
             "|a|\n\n</details>\n\n## 1. First\n\n<details>\n<summary>s</summary>\n\n*fine*\n\n"
             "| exercise | title |\n|---|---|\n| 1.1 | *all |\n");
  markdown::Complaints complaints;
  in_order(check, page_of(folder.path().string(), found, complaints),
           {"<p>**unfinished</p>", "<p>&gt; a &lt;b&gt;note&lt;/b&gt;\nof two lines\n</p>",
            "<p>a tab</p>", "<p>&lt;div&gt;\n</p>", "<p>|a|\n</p>", "<p>&lt;/details&gt;\n</p>",
            "<h2 id=\"1-first\"", "<p>&lt;details&gt;\n&lt;summary&gt;s&lt;/summary&gt;\n</p>",
            "<p><em>fine</em></p>", "<td>*all</td>", "<p>found</p>"});
  std::string lines;
  for (const markdown::Error& error : complaints)
    lines += std::string(error.what(), 0, std::string(error.what()).find(':')) + " ";
  check.equal(lines, "line 8 line 5 line 10 line 12 line 14 line 18 line 3 line 25 ",
              "in which lines");
  write_file(folder / "README.md", "# A\n\n```\nE = C   (9.1)\n```\n");
  check.that(page::of_whole({2, "", folder.path().string()}).empty(), "a lesson without whole.cpp");
  write_file(folder / "whole.cpp",
             "a <b;\nE = C;  // (9.1)\nF = C;  // (9.1)\nx;  // now y (1.4) (9.1) back\n");
  in_order(check, page::of_whole({9, "", folder.path().string()}),
           {"<td class=\"at\">1</td><td><code>a &lt;b;</code></td><td class=\"beside\"></td>",
            "<a href=\"index.html#eq9.1\">(9.1)</a> <span><math", "<code>F = C;  // (9.1)</code>",
            "<td class=\"beside\"></td>", "<a href=\"../lesson1/index.html#eq1.4\">(1.4)</a> back ",
            "<a href=\"index.html#eq9.1\">(9.1)</a> back"});
  check.that(has(page_of(folder.path().string(), {}, complaints), "href=\"whole.html\""),
             "the page leads there");
  check.that(has(page_of("", {}), "<h1>Lesson &lt;2&gt;</h1>"),
             "without its folder a page has a title");
  in_order(check, page::of_run("A <b>", found), {"<h1>A &lt;b&gt;</h1>", "<p>found</p>"});

  const page::Result more = page::exercises_found(
      {{"1.1", {}}, {"1.2", Claim::Status::fails}, {"1.3", {}}}, found["exercises"]);
  check.equal(more.of(Kind::text, "1.1"), "✓ done", "one that was not looked at stays");
  check.equal(more.of(Kind::text, "1.2"), "✗ not right yet", "one that is wrong");
  check.equal(more.of(Kind::text, "1.3"), "", "one that was never looked at");

  const Folder out;
  fs::create_directories(out / "lesson1");
  write_file(out / "lesson1/index.html", "<main>\n");
  const std::string readme = contents_of("lessons/1_math_refresh/README.md");
  const std::size_t picture = readme.find("](pictures/") + 11;
  const std::string name = readme.substr(picture, readme.find(')', picture) - picture);
  write_file(out / ("lesson1/" + name), "<svg >curve</svg>");
  page::Result forms, turned;
  forms.add(Kind::text, "3", "<form>\n");
  forms.add(Kind::text, "opening 3", "<form class=\"first\">\n");
  turned.picture("turned", "<svg >as it stands</svg>");
  page::store(out / "lesson1", {{"knobs", forms}});
  check.that(!has(page::of_course(out.path().string()), "id=\"opening\""),
             "a bench that has not run opens nothing");
  page::store(out / "lesson1", {{"knobs", forms}, {"3.bench", turned}});
  const std::string course = page::of_course(out.path().string());
  in_order(check, course,
           {"Six lessons", "id=\"opening\"", "as it stands", "class=\"first\"", "<h2>Lesson 1: why",
            "<figure><svg >curve</svg></figure>", "minutes to read",
            "<a class=\"begin\" href=\"lesson1/index.html\">Begin</a>",
            "<h2>Lesson 6: ", "<code>make lesson6</code> makes its page"});
  check.that(count(course, "<article") == 6, "six lessons");

  const Folder opens;
  fs::create_directories(opens / "pictures");
  write_file(opens / "pictures/p.svg", "<svg >still</svg>");
  write_file(opens / "README.md", "# A\n\nWhy?\n\n![p](pictures/p.svg)\n\n## 3. Three\n");
  in_order(
      check, page_of(opens.path().string(), {{"knobs", forms}, {"3.bench", turned}}),
      {"<div class=\"top\">\n<h1", "Why?</p>\n<section", "id=\"opening\"", "as it stands",
       "</section>\n</div>\n<div ", "class=\"still\">", "<svg >still", "<h2", "id=\"bench3\""});
  in_order(check, page_of(opens.path().string(), {{"knobs", forms}}), {"Why?", "still", "<h2"});
}

// Every page brings its style and its scripts, without their remarks and blanks in front.
static void look(Checks& check) {
  const std::string html = page::document("a", "", "b");
  in_order(check, html,
           {"<style>\n:root{color-scheme", "</style>\n<script>\n",
            "\nconst fieldOf = ", "</script></head>", "b</main>", "<script>\n'use strict';\n"});
  for (const char* other : {"\n//", "\n ", "SPDX"})
    check.that(!has(html, other), join("no page holds '", other, "'"));
}

// A picture has its colours as attributes, once each; letters have none.
static void fills(Checks& check) {
  check.equal(
      page::with_fills("<rect class=\"plot-page\" x=\"1\"/>\n<text class=\"plot-ink\">a</text>"),
      "<rect class=\"plot-page\" x=\"1\" fill=\"#fff\"/>\n<text class=\"plot-ink\">a</text>",
      "a rectangle");
  check.equal(
      page::with_fills("<g class=\"a\"><path class=\"plot-line plot-1\" stroke-width=\"3\"/></g>"),
      "<g class=\"a\"><path class=\"plot-line plot-1\" stroke-width=\"3\" color=\"#bb4a00\" "
      "fill=\"none\" stroke=\"currentColor\"/></g>",
      "a line with a width of its own");
  check.equal(page::with_fills("<path class=\"plot-fill plot-gate\"/>"),
              "<path class=\"plot-fill plot-gate\" color=\"#14724a\" fill=\"currentColor\"/>",
              "of a scene");
  for (const char* odd : {"", "<", "a", "<path class=\"", "<path class=\"plot-page", "<>"})
    check.equal(page::with_fills(odd), odd, "what is no picture");
}

// What a bench shows at first, and its text before it, is marked. Behind the last lesson stands
// what all have taught.
static void said_once(Checks& check) {
  const Folder folder;
  fs::create_directories(folder / "lesson/pictures");
  write_file(folder / "CLOSING.md", "# What all taught\n\n**Read.** It is so.\n");
  write_file(folder / "lesson/README.md",
             "# A\n\n## 1. One\n\n![p](pictures/p.svg)\n\n## 2. Two\n\nb\n");
  page::Results results;
  for (const char* part : {"1", "2"}) {
    results["knobs"].add(Kind::text, part, "<form>\n");
    results[join(part, ".bench")].picture("p", "<svg >same</svg>");
  }
  results["1"].picture("p", "<svg >same</svg>");
  const std::string lesson = folder / "lesson";
  markdown::Complaints ignored;
  const std::string html = page::of_lesson({6, "", lesson, {}}, results, ignored);
  in_order(check, html,
           {"href=\"#what-all-taught\"", "id=\"bench1\"", "<div class=\"shown again\">",
            "<h2 id=\"what-all-taught\">", "<strong>Read.</strong>"});
  check.that(!has(page::of_lesson({5, "", lesson, {}}, results, ignored), "What all taught"),
             "the last alone");
}

// Every derivation has one form on its lesson's page, in the text or at the end of the exercises,
// each field with a name; keys only where there is something to write with them.
static void forms(Checks& check) {
  std::size_t all = 0;
  for (const auto& entry : fs::directory_iterator("lessons")) {
    if (!entry.is_directory()) continue;
    const std::string folder = entry.path().string();
    const std::vector<formula::Derivation> derivations = formula::derivations_in(folder);
    markdown::Complaints ignored;
    const std::string html = page::of_lesson({1, "", folder, derivations}, {}, ignored);
    for (const formula::Derivation& one : derivations) {
      ++all;
      const std::string form = join("id=\"derive", one.number, "\"");
      check.that(count(html, form) == 1, one.number + " stands once on its page");
      const std::string alone = page::form_of(one, page::Place::alone);
      for (const formula::Asked& asked : one.asked)
        check.that(has(alone, join(" name=\"", asked.name, "\" aria-label=\"")), asked.name);
      check.that(has(alone, "data-key") == !one.start.values.empty(), one.number + ": keys");
    }
  }
  check.that(all > 30, "derivations of all lessons");
}

// On paper all questions stand before all answers, and no answer among the questions.
static void sheets(Checks& check) {
  const Folder folder;
  write_file(folder / "README.md",
             "# A\n\n## 3. Three\n\n**Predict** the *sum*.\n\nIt is 7.\n\n"
             "## 4. Four\n\n**Predict** more.\n");
  page::Result found{.command = "make lesson9"};
  found.predict("The sum?", "7.25", 6.000001, 8);
  const std::vector<formula::Derivation> derivations = formula::derivations(
      "# 9.1 | a <line> | 5\n> How large is it?\n! much = 3/8   within 0.01\n* count them\n\n"
      "# 9.2 | a layer | 5\nH 3 2, W 2 2, R 3 2\nZ = H·W\nloss = Σ R ⊙ Z\n? dW\n! dW = Hᵀ·dZ\n",
      "");
  const std::string html =
      page::of_sheet({9, "", folder.path().string(), derivations}, {{"3", found}});
  in_order(check, html,
           {"3. Three",
            "<strong>Predict</strong> the <em>sum</em>.",
            "class=\"room\"",
            "4. Four",
            "9.1 a &lt;line&gt;, 5 minutes",
            "How large is it?",
            "class=\"room\">much =",
            "9.2 a layer",
            "3 × 2",
            "R is 3 × 2",
            "class=\"room\"><math",
            "class=\"answers\"",
            "3. Three",
            "<b>7.25</b>; 6 to 8 counts",
            "4. Four",
            "make lesson9 ARGS=\"--part 4\"",
            "9.1 a",
            " = 0.375",
            "count them",
            "9.2 a layer",
            "W stands in Z = H·W"});
  const std::string questions = html.substr(0, html.find("class=\"answers\""));
  for (const char* answer : {"7.25", "0.375", "count them", "stands in"})
    check.that(!has(questions, answer), std::string("among the questions stands ") + answer);
}

static const Listed here("page",
                         {markdown_text, markdown_blocks, markdown_errors, results, files, places,
                          statements, pages, look, fills, said_once, forms, sheets});

}  // namespace test_page
