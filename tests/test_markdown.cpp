// Tests common/page/markdown.hpp: every construct, every error, the READMEs of the course, and hostile bytes.
// Run: make test, or build/tests/test_markdown in the root of the repository
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "common/page/markdown.hpp"
#include "common/support/file.hpp"
#include "tests/check.hpp"

namespace fs = std::filesystem;
using markdown::Block;
using markdown::Hooks;
using markdown::Kind;

std::string rendered(const std::string& text) { return markdown::html(markdown::read(text), {}); }

struct Case {
  std::string source, expected;
};

void text_and_emphasis(Checks& check) {
  for (const auto& [source, expected] : {
           Case{"a < b & \"c\" > d", "a &lt; b &amp; &quot;c&quot; &gt; d"},
           {"*a* **b** *a\nb*", "<em>a</em> <strong>b</strong> <em>a\nb</em>"},
           {"**a *b* c** *a **b** c*", "<strong>a <em>b</em> c</strong> <em>a <strong>b</strong> c</em>"},
           {"a*b*c **a·** **·**", "a<em>b</em>c <strong>a·</strong> <strong>·</strong>"},
           {"(**\"a\"**), **a**-b", "(<strong>&quot;a&quot;</strong>), <strong>a</strong>-b"},
           {"2 * 3, a ** b, 4.3*, a **\u00A0b", "2 * 3, a ** b, 4.3*, a **\u00A0b"},
           {"*a~* *+~~* b", "<em>a~</em> <em>+~~</em> b"},  // GitHub looks past ~
           {"\\*a\\* \\` \\[ \\\\ \\é \\a \\", "*a* ` [ \\ \\é \\a \\"},
           {"δ_b, x_ = a_b_c, W~ and V~_j, a'_p, a'_q", "δ_b, x_ = a_b_c, W~ and V~_j, a'_p, a'_q"},
           {"E[x] [ok] ![a] ](u) [2 1; 3 4]", "E[x] [ok] ![a] ](u) [2 1; 3 4]"},
           {"a & b; a: b:c, @e x @ y, \\$ \\<b> \\&c;", "a &amp; b; a: b:c, @e x @ y, $ &lt;b&gt; &amp;c;"},
       })
    check.equal(markdown::inline_html(source, {}), expected, "text of '" + source + "'");
}

void code_and_links(Checks& check) {
  for (const auto& [source, expected] : {
           Case{"`a<b`, `*b*`, `\\`", "<code>a&lt;b</code>, <code>*b*</code>, <code>\\</code>"},
           {"`` a`b `` `` ` `` ` a` `  `", "<code>a`b</code> <code>`</code> <code> a</code> <code>  </code>"},
           {"`a\nb` \\`", "<code>a b</code> `"},
           {"**a `b**` c**", "<strong>a <code>b**</code> c</strong>"},
           {"[a *b* `c]`](x/y.md#z)", "<a href=\"x/y.md#z\">a <em>b</em> <code>c]</code></a>"},
           {"*[a](b)* [E[x]](c)", "<em><a href=\"b\">a</a></em> <a href=\"c\">E[x]</a>"},
           {"[a](HTTPS://b/?c=1&d) [b](mailto:c@d.e) [c](d/e:f)",
            "<a href=\"HTTPS://b/?c=1&amp;d\">a</a> <a href=\"mailto:c@d.e\">b</a> <a href=\"d/e:f\">c</a>"},
           {"![a *b* `c\"` (6.3)](d.svg)", "<img src=\"d.svg\" alt=\"a b c&quot; (6.3)\">"},
           {"\\![a](b) !", "!<a href=\"b\">a</a> !"},
           {"[1](a)![2](b)[3](c)", "<a href=\"a\">1</a><img src=\"b\" alt=\"2\"><a href=\"c\">3</a>"},
       })
    check.equal(markdown::inline_html(source, {}), expected, "code and links of '" + source + "'");
}

void blocks(Checks& check) {
  for (const auto& [source, expected] : {
           Case{"", ""},
           {"\n\na\nb\n\n\nc", "<p>a\nb</p>\n<p>c</p>\n"},
           {"a\r\nb\r\n\r\n", "<p>a\nb</p>\n"},
           {"# A *b*\ntext\n\n## C\n### D\n# E#\n",
            "<h1 id=\"a-b\">A <em>b</em></h1>\n<p>text</p>\n<h2 id=\"c\">C</h2>\n<h3 id=\"d\">D</h3>\n"
            "<h1 id=\"e\">E#</h1>\n"},
           {"```cpp\na < b;\n\n  *c*  \n```\n",
            "<pre><code class=\"language-cpp\">a &lt; b;\n\n  *c*  \n</code></pre>\n"},
           {"```\n```\n", "<pre><code></code></pre>\n"},
           {"> a\n> b\n>\n> - c\n", "<blockquote>\n<p>a\nb</p>\n<ul>\n<li>c</li>\n</ul>\n</blockquote>\n"},
           {"Jacobi,\n1846. b\n7) c\n|k| = 4\n< 3", "<p>Jacobi,\n1846. b\n7) c\n|k| = 4\n&lt; 3</p>\n"},
           {"[a] b: c\n\n[ ] d", "<p>[a] b: c</p>\n<p>[ ] d</p>\n"},
           {"\\# a\n\n1\\. b\n\n\\- c\n\n\\> d", "<p># a</p>\n<p>1. b</p>\n<p>- c</p>\n<p>&gt; d</p>\n"},
           {"<details>\n<summary>A \"b\" > c (6.3)</summary>\n\n# D\n\n- e\n\n<details>\n<summary>f</summary>\n\n"
            "</details>\n\n</details>\n\ng",
            "<details>\n<summary>A &quot;b&quot; &gt; c (6.3)</summary>\n<h1 id=\"d\">D</h1>\n<ul>\n<li>e</li>\n</ul>\n"
            "<details>\n<summary>f</summary>\n</details>\n</details>\n<p>g</p>\n"},
       })
    check.equal(rendered(source), expected, "blocks of '" + source + "'");
}

void lists_and_tables(Checks& check) {
  const std::string head =
      "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"table\">\n<table>\n<thead>\n<tr>";
  for (
      const auto& [source, expected] : {
          Case{"- a\n  b\n- c\n\n- d", "<ul>\n<li>a\nb</li>\n<li>c</li>\n<li>d</li>\n</ul>\n"},
          {"1. a\n   b\n2. c", "<ol>\n<li>a\nb</li>\n<li>c</li>\n</ol>\n"},
          {"- a\n\n1. b", "<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>\n"},
          {"- a\n\n  b\n\n  ```\n  c\n\n   d\n  ```\n\n  - e\n    f\n\n\ng",
           "<ul>\n<li>\n<p>a</p>\n<p>b</p>\n<pre><code>c\n\n d\n</code></pre>\n<ul>\n<li>e\nf</li>\n</ul>\n</li>\n</ul>\n"
           "<p>g</p>\n"},
          {"1. a\n2. a\n3. a\n4. a\n5. a\n6. a\n7. a\n8. a\n9. a\n10. a\n\n    b",
           "<ol>\n<li>a</li>\n<li>a</li>\n<li>a</li>\n<li>a</li>\n<li>a</li>\n<li>a</li>\n<li>a</li>\n<li>a</li>\n"
           "<li>a</li>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n</ol>\n"},
          {"| a | |\n|---|-|\n",
           head + "<th scope=\"col\">a</th><th scope=\"col\"></th></tr>\n</thead>\n</table>\n</div>\n"},
          {"|a|b|c|d|\n|---|:--|--:|:-:|\n|`\\|x\\|`|  y\\|*z* |||\n",
           head +
               "<th scope=\"col\">a</th><th scope=\"col\" class=\"left\">b</th><th scope=\"col\" class=\"right\">c</th>"
               "<th scope=\"col\" class=\"center\">d</th></tr>\n</thead>\n<tbody>\n<tr><td><code>|x|</code></td>"
               "<td class=\"left\">y|<em>z</em></td><td class=\"right\"></td><td class=\"center\"></td></tr>\n</tbody>\n"
               "</table>\n</div>\n"},
      })
    check.equal(rendered(source), expected, "blocks of '" + source + "'");
}

// What a block holds, for those who read it otherwise than html() does.
void structure(Checks& check) {
  const std::vector<Block> blocks = markdown::read("# A *b*\n\n- c\n\n```cpp\nd\n```\n\n| e |\n|--:|\n| \\| |\n");
  check.that(blocks.size() == 4, "four blocks");
  check.that(blocks[0].kind == Kind::heading && blocks[0].level == 1 && blocks[0].text == "A *b*", "a heading");
  const Block& list = blocks[1];
  check.that(list.kind == Kind::list && !list.ordered && list.line == 3 && list.children.size() == 1, "a list");
  check.that(list.children[0].kind == Kind::item && list.children[0].children[0].text == "c", "an item");
  check.that(blocks[2].kind == Kind::code && blocks[2].language == "cpp" && blocks[2].text == "d\n", "code");
  const Block& table = blocks[3];
  check.that(table.kind == Kind::table && table.line == 9 && table.rows.size() == 2, "a table");
  check.that(table.rows[1] == std::vector<std::string>{"|"}, "a cell");
  check.that(table.alignments == std::vector{markdown::Alignment::right}, "an alignment");
}

void references(Checks& check) {
  Hooks hooks;
  hooks.equation = [](const std::string& number) { return "{" + number + "}"; };
  for (const auto& [source, expected] : {
           Case{"(6.3)", "{6.3}"},
           {"(3.13) to (3.16), (6.6) (6.9)\n(1.2)", "{3.13} to {3.16}, {6.6} {6.9}\n{1.2}"},
           {"**(2.6):** (the map (1.14)) `x` (1.1) part 5. (1.2) part 5 (1.3)",
            "<strong>{2.6}:</strong> (the map {1.14}) <code>x</code> {1.1} part 5. {1.2} part 5 {1.3}"},
           {"`(6.3)` [(6.3)](a) \\(6.3)", "<code>(6.3)</code> <a href=\"a\">(6.3)</a> (6.3)"},
           {"(1.519) (11.5) (1.) (.5) (1,5) (1.5 (6.3", "(1.519) (11.5) (1.) (.5) (1,5) (1.5 (6.3"},
           {"log10(5.8) φ(1.2) -39.7 (2.0)* .24 (1.1) 1.5\n(1.2)",
            "log10(5.8) φ(1.2) -39.7 (2.0)* .24 (1.1) 1.5\n(1.2)"},
       })
    check.equal(markdown::inline_html(source, hooks), expected, "references of '" + source + "'");
}

void hooks_are_asked(Checks& check) {
  Hooks hooks;
  hooks.link = [](const std::string& target) { return target + "\">"; };
  hooks.image = [](const std::string& target, const std::string& text) { return "<svg>" + target + text + "</svg>"; };
  hooks.equation = [](const std::string& number) { return "<b>" + number + "</b>"; };
  hooks.code = [](const Block& block) { return "<i>" + block.language + block.text + "</i>"; };
  const std::string text = "# [a](b)\n\n- ![c *d*](e)\n\n| (6.3) |\n|---|\n\n```cpp\n<\n```\n";
  const std::string all = markdown::html(markdown::read(text), hooks);
  for (const char* part : {"<a href=\"b&quot;&gt;\">a</a>", "<svg>ec d</svg>", "<b>6.3</b>", "<i>cpp<\n</i>"})
    check.that(has(all, part), std::string("a hook writes ") + part);
}

void titles_and_anchors(Checks& check) {
  check.equal(markdown::plain("*a* **b** `c*`\n[d](e) ![f](g) (6.3) \\*"), "a b c* d f (6.3) *", "plain");
  for (const auto& [heading, anchor] : {
           Case{"4. How a gradient check works", "4-how-a-gradient-check-works"},
           {"Lesson 1: why *does* it, `a_b` - c?", "lesson-1-why-does-it-a_b---c"},
           {"ÄΣ W₁ xᵀ·y² ⊙ “z” – ß×ÿ ⁿ µ", "äσ-w-xᵀy--z--ßÿ-ⁿ-µ"},
           {"?", "section"},
       })
    check.equal(markdown::slug(heading), anchor, "anchor of '" + heading + "'");
  const std::string page = rendered("# A\n## A\n## A-1\n## a\n## A-1\n");
  for (const char* id : {"\"a\"", "\"a-1\"", "\"a-1-1\"", "\"a-2\"", "\"a-1-2\""})
    check.that(count(page, std::string("id=") + id + ">") == 1, std::string("one anchor ") + id);
}

void refuses(Checks& check, const std::string& source, const std::string& what) {
  check.throws<markdown::Error>([&] { markdown::read(source); }, what, "error of '" + source + "'");
}

void refuses_inline(Checks& check, const std::string& source, const std::string& what) {
  check.throws<markdown::Error>([&] { markdown::inline_html(source, {}); }, what, "error within '" + source + "'");
}

// The source of each case begins in line 1, and the text of its error with the number that is given.
void errors_in_blocks(Checks& check) {
  for (const auto& [source, expected] : {
           Case{"a\n\n    b", "line 3: an indented line"},
           {"a\n b", "line 2: an indented line"},
           {"-  a", "line 1: an indented line"},
           {"a \nb", "line 1: a space at the end"},
           {"- a\n- ", "line 2: a space at the end"},
           {"a\n===", "line 2: a rule, the underline"},
           {"a\n-", "line 2: a rule, the underline"},
           {"a | b\n--|:-:", "line 2: a rule, the underline"},
           {"- - -", "line 1: a rule, the underline"},
           {"* * *", "line 1: a rule, the underline"},
           {"_ _ _", "line 1: a rule, the underline"},
           {"~~~\na\n~~~", "line 1: code is fenced with"},
           {"* a", "line 1: the items of a list begin with -"},
           {"+", "line 1: the items of a list begin with -"},
           {"1) a", "line 1: the items of a list begin with -"},
           {"- a\n* b", "line 2: an item begins with \"- \""},
           {"1. a\n\n3. b", "line 3: an item begins with \"2. \""},
           {"2. a", "line 1: an item begins with \"1. \""},
           {"1.", "line 1: an item begins with \"1. \""},
           {"a\n- b", "line 2: GitHub begins a new block"},
           {"a\n1. b", "line 2: GitHub begins a new block"},
           {"a\n1) b", "line 2: GitHub begins a new block"},
           {"a\n+ b", "line 2: GitHub begins a new block"},
           {"a\n> 0", "line 2: GitHub begins a new block"},
           {"a\n# b", "line 2: GitHub begins a new block"},
           {"a\n```", "line 2: GitHub begins a new block"},
           {"a\n</details>", "line 2: GitHub begins a new block"},
           {"- a\n  - b", "line 2: GitHub begins a new block"},
           {"- a\nb", "line 2: an item ends before an empty line"},
           {"- a\n1. b", "line 2: an empty line is missing"},
           {"```\n```\na", "line 3: an empty line is missing"},
           {"#a", "line 1: a heading is one to six #"},
           {"#ab", "line 1: a heading is one to six #"},
           {"#", "line 1: a heading is one to six #"},
           {"#  a", "line 1: a heading is one to six #"},
           {"# a\n####### b", "line 2: a heading is one to six #"},
           {"# a #", "line 1: # at the end"},
           {"# ##", "line 1: # at the end"},
           {"## a", "line 1: the heading skips a level"},
           {"# a\n\n### b", "line 3: the heading skips a level"},
           {"[a]: b", "line 1: the target of a link stands in it"},
           {"a\n\n[^a\\]b\nc]: d", "line 3: the target of a link stands in it"},
           {"- [ ] a", "line 1: GitHub makes a box"},
           {"- [x] a", "line 1: GitHub makes a box"},
           {"> [!NOTE]\n> a", "line 1: GitHub makes a box"},
           {"- # a", "line 1: a list and a quote hold"},
           {"> > a", "line 1: a list and a quote hold"},
           {"- a\n\n  1. b", "line 3: a list and a quote hold"},
           {"- a\n\n  | b |\n  |---|", "line 3: a list and a quote hold"},
           {"- <details>", "line 1: a list and a quote hold"},
           {"> a\nb", "line 2: a line of a quote"},
           {">a", "line 1: a line of a quote"},
           {">", "line 1: an empty quote"},
           {"- - - - - - - - a", "line 1: too many levels"},
           {"> - - - - - - - a", "line 1: too many levels"},
       })
    refuses(check, source, expected);
}

void errors_in_code_tables_details(Checks& check) {
  const std::string details = "<details>\n<summary>a</summary>\n\n";
  for (const auto& [source, expected] : {
           Case{"a\n\n```\nb", "line 3: a fence ``` without its end"},
           {"- ```\nb\n```", "line 2: an item ends before an empty line"},
           {"```\na\n ```\n```", "line 3: ``` within code"},
           {"```\na\n```cpp\n```", "line 3: ``` within code"},
           {"````\na\n````", "line 1: behind ``` stands one word"},
           {"``` cpp\n```", "line 1: behind ``` stands one word"},
           {"```mermaid\n```", "line 1: GitHub shows code of this language as a picture"},
           {"| a |", "line 1: a table needs a header"},
           {"| a |\n| b |", "line 2: below the header"},
           {"| a |\n|:|", "line 2: below the header"},
           {"| a |\n|-:-|", "line 2: below the header"},
           {"| a |\n|---|---|", "line 2: the row has not as many cells"},
           {"| a |\n|---|\n| b | c |", "line 3: the row has not as many cells"},
           {"| a |\n|---|\n| b\\|", "line 3: a row of a table begins and ends"},
           {"| a |\n|---|\nb", "line 3: a row of a table begins and ends"},
           {"| a |\n|---|\n|", "line 3: a row of a table begins and ends"},
           {"| a |\n|---|\n| b | ", "line 3: a row of a table begins and ends"},
           {"|", "line 1: a rule, the underline"},
           {"| a |\n|---|\n| b |\n| *c |", "line 4: an emphasis does not end"},
           {"<div>", "line 1: HTML other than <details>"},
           {"<details open>", "line 1: HTML other than <details>"},
           {"<!-- a -->", "line 1: HTML other than <details>"},
           {"<details>", "line 1: below <details> stands <summary>"},
           {"<details>\n\n<summary>a</summary>", "line 2: below <details> stands <summary>"},
           {"<details>\n<summary>*a*</summary>", "line 2: a summary is text without markup"},
           {"<details>\n<summary>a", "line 2: below <details> stands <summary>"},
           {"<details>\na</summary>", "line 2: below <details> stands <summary>"},
           {"<details>\n<summary></summary>", "line 2: a summary is text without markup"},
           {"<details>\n<summary>\\*</summary>", "line 2: a summary is text without markup"},
           {"<details>\n<summary>a $b</summary>", "line 2: GitHub takes $"},
           {"<details>\n<summary>a</summary>\nb", "line 3: an empty line is missing below"},
           {"# a\n" + details, "line 2: <details> without its </details>"},
           {details + "```\n</details>", "line 4: a fence ``` without its end"},
           {details + "### a\n\n</details>", "line 4: the heading skips a level"},
           {"a\n\n</details>", "line 3: </details> without its <details>"},
           {"- </details>", "line 1: </details> without its <details>"},
           {details + details + details + details + details + details + details + details, "line 24: too many levels"},
       })
    refuses(check, source, expected);
}

void errors_in_text(Checks& check) {
  for (const auto& [source, expected] : {
           Case{"a\nb `c\nd", "line 2: a backtick without its other"},
           {"``a`", "line 1: a backtick without its other"},
           {"a\n*b\nc", "line 2: an emphasis does not end"},
           {"# a\n## *b", "line 2: an emphasis does not end"},
           {"**a", "line 1: an emphasis does not end"},
           {"*a `*`", "line 1: an emphasis does not end"},
           {"***a***", "line 1: more than two stars"},
           {"a** b", "line 1: stars that end no emphasis"},
           {"**a* b", "line 1: stars that end no emphasis"},
           {"a**\u2010b", "line 1: stars that end no emphasis"},
           {"*a *b", "line 1: an emphasis within its like"},
           {"**a *b **c", "line 1: an emphasis within its like"},
           {"[a *b](c) d*", "line 1: an emphasis does not end within its link"},
           {"a\n_b_", "line 2: emphasis is written with stars"},
           {"__a__", "line 1: emphasis is written with stars"},
           {"a·_b_", "line 1: emphasis is written with stars"},
           {"a\n~b~", "line 2: GitHub strikes out"},
           {"a~~b~~", "line 1: GitHub strikes out"},
           {"a\n[b](c", "line 2: a link does not end"},
           {"[a [b](c)](d)", "line 1: a link or an image within a link"},
           {"[![a](b)](c)", "line 1: a link or an image within a link"},
           {"[a](b \"c\")", "line 1: a link's target must be there"},
           {"[a]()", "line 1: a link's target must be there"},
           {"[a](<b>)", "line 1: a link's target must be there"},
           {"[a](b\nc)", "line 1: a link's target must be there"},
           {"[a](b(c))", "line 1: a link's target must be there"},
           {"![a](b\\c)", "line 1: a link's target must be there"},
           {"[a](javascript:b)", "line 1: a link's target must be a path"},
           {"![a](DATA:b)", "line 1: a link's target must be a path"},
           {"a\\\nb", "line 1: a backslash at the end of a line"},
           {"a <b> c", "line 1: HTML"},
           {"a </b", "line 1: HTML"},
           {"a\nb <https://b.c>", "line 2: HTML"},
           {"a &amp; b", "line 1: a character reference"},
           {"&#60;", "line 1: a character reference"},
           {"$a$", "line 1: GitHub takes $"},
           {"a :smile: b", "line 1: GitHub takes :name:"},
           {"see https://a.b", "line 1: a bare address"},
           {"www.a.b", "line 1: a bare address"},
           {"a.b@c.d", "line 1: a bare address"},
           {"a\n\tb", "line 2: a tab"},
           {"```\na\tb\n```", "line 2: a tab"},
           {"a\n\nb\xFF", "line 3: the text is not UTF-8"},
           {std::string("a\0b", 3), "line 1: a character that cannot be seen"},
           {"\uFEFF# a", "line 1: a character that cannot be seen"},
           {"a\u009Bb", "line 1: a character that cannot be seen"},
           {"a\rb", "line 1: a character that cannot be seen"},
       }) {
    refuses(check, source, expected);
    if (source[0] != '`' && source[1] != '\r') refuses_inline(check, source, expected);
  }
}

// Returns the first thing that is wrong with HTML: a tag that no construct writes, or one that does not match.
std::string fault_of(const std::string& html) {
  const std::vector<std::string> known = {
      "a",  "blockquote", "code", "details", "div",     "em",    "h1",    "h2", "h3", "h4",    "h5", "h6", "li",
      "ol", "p",          "pre",  "strong",  "summary", "table", "tbody", "td", "th", "thead", "tr", "ul"};
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const bool closes = html[at + 1] == '/';
    const std::size_t begin = at + 1 + closes;
    const std::string tag = html.substr(begin, html.find_first_of(" >", begin) - begin);
    if (tag == "img") continue;
    if (std::find(known.begin(), known.end(), tag) == known.end()) return "unknown tag " + tag;
    if (!closes) open.push_back(tag);
    if (closes && (open.empty() || open.back() != tag)) return "unmatched tag " + tag;
    if (closes) open.pop_back();
  }
  return open.empty() ? "" : "open tag " + open.back();
}

// The text is either written as sound HTML or refused by one line that names a line of it.
void check_either(Checks& check, const std::string& text) {
  try {
    const std::string fault = fault_of(rendered(text));
    check.that(fault.empty(), fault + " in the HTML of '" + text + "'");
  } catch (const markdown::Error& error) {
    const std::string what = error.what();
    const bool named = what.starts_with("line ") && what.find(": ") != std::string::npos && what.size() < 120;
    check.that(named && what.find('\n') == std::string::npos, "'" + what + "' of '" + text + "'");
  }
}

// Draws pieces of markup, of the READMEs and bytes at random, and joins them.
void hostile(Checks& check, const std::vector<std::string>& readmes) {
  const std::vector<std::string> pieces = {"*",
                                           "**",
                                           "`",
                                           "``",
                                           "[",
                                           "](",
                                           ")",
                                           "![",
                                           "\\",
                                           "|",
                                           "| a |\n",
                                           "|---|\n",
                                           "_",
                                           "~",
                                           "<b>",
                                           "&",
                                           "\n",
                                           "\n\n",
                                           "- ",
                                           "  ",
                                           "1. ",
                                           "> ",
                                           "# ",
                                           "```\n",
                                           "(6.3)",
                                           "a",
                                           "é",
                                           " ",
                                           ":",
                                           "\"",
                                           "<details>\n<summary>a</summary>\n\n",
                                           "\n\n</details>\n\n",
                                           "](javascript:a)",
                                           "\t",
                                           "\xC3",
                                           "www.",
                                           "://",
                                           "\r\n"};
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return random() % n; };
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text;
    for (std::size_t k = 1 + below(12); k > 0; --k) {
      const std::string& readme = readmes[below(readmes.size())];
      const std::size_t kind = below(8);
      if (kind == 0) text += static_cast<char>(below(256));
      else if (kind == 1) text += readme.substr(below(readme.size()), below(40));
      else text += pieces[below(pieces.size())];
    }
    check_either(check, text);
  }
  for (int trial = 0; trial < 300; ++trial) {
    std::string text = readmes[below(readmes.size())].substr(0, 3000);
    text.insert(below(text.size()), pieces[below(pieces.size())]);
    check_either(check, text);
  }
}

// Each takes less than a second; work that grows with the square of the length would take minutes. Of the processor:
// what else the machine does counts for nothing.
void long_lines(Checks& check) {
  for (const std::string piece : {"`",           "` ",     "[",
                                  "]",           "[](",    "[a](b)",
                                  "![a](b)",     "*",      "*a ",
                                  "*a* ",        "**a** ", "*~",
                                  "**a *b",      "_",      "_a ",
                                  "~",           "~a",     "(1.2)",
                                  "1.5 (1.2)",   "(",      "(1",
                                  "\\",          "\\\n",   "&a",
                                  ":a",          ":",      "w",
                                  "@",           "a@",     "<",
                                  "- ",          "- a\n",  "> ",
                                  "> a\n",       "|",      "| a ",
                                  "|a|\n",       "#",      "# a\n",
                                  "```\n",       "1. ",    "\n",
                                  "a\n",         "a\n\n",  "a ",
                                  " ",           "é",      "\xC3",
                                  "<details>\n", "-\n",    "- a\n\n  b\n\n",
                                  "`` ` "}) {
    std::string text;
    while (text.size() < 1'000'000) text += piece;
    const std::clock_t start = std::clock();
    check_either(check, text.substr(0, 1'000'000));
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    check.that(seconds < 5, "1 MB of '" + piece + "' took " + std::to_string(seconds) + " s");
  }
}

std::vector<std::string> all_readmes() {
  std::vector<std::string> paths = {"README.md"};
  for (const fs::directory_entry& lesson : fs::directory_iterator("lessons"))
    if (fs::exists(lesson.path() / "README.md")) paths.push_back((lesson.path() / "README.md").string());
  return paths;
}

void readmes_render(Checks& check, const std::vector<std::string>& paths) {
  check.that(paths.size() > 6, "the READMEs of six lessons and of the course");
  for (const std::string& path : paths) {
    try {
      const std::string html = rendered(read_file(path));
      check.equal(fault_of(html), "", path);
      check.that(has(html, "<h1 id=") && has(html, "<pre>") && has(html, "<table>"), path + " is all there");
    } catch (const markdown::Error& error) {
      check.that(false, path + ": " + error.what());
    }
  }
}

int main() {
  Checks check;
  text_and_emphasis(check);
  code_and_links(check);
  blocks(check);
  lists_and_tables(check);
  structure(check);
  references(check);
  hooks_are_asked(check);
  titles_and_anchors(check);
  errors_in_blocks(check);
  errors_in_code_tables_details(check);
  errors_in_text(check);
  const std::vector<std::string> paths = all_readmes();
  readmes_render(check, paths);
  std::vector<std::string> readmes;
  for (const std::string& path : paths) readmes.push_back(read_file(path));
  hostile(check, readmes);
  long_lines(check);
  return check.done("test_markdown");
}
