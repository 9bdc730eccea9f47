// Tests common/page/markdown.hpp: every construct, the errors, the READMEs of the course, and hostile bytes.
// Run: make test, or build/tests/test_markdown in the root of the repository
// SPDX-License-Identifier: MIT
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "common/page/markdown.hpp"
#include "common/support/file.hpp"
#include "tests/check.hpp"

namespace fs = std::filesystem;
using markdown::Block;

static std::string rendered(const std::string& text, const markdown::Hooks& hooks = {}) {
  return markdown::html(markdown::read(text), hooks);
}

struct Case {
  std::string source, expected;
};

// What stands within one paragraph.
static void text(Checks& check) {
  for (const auto& [source, expected] : {
           Case{"a < b & \"c\" > d", "a &lt; b &amp; &quot;c&quot; &gt; d"},
           {"**a *b* c** *a **b** c*", "<strong>a <em>b</em> c</strong> <em>a <strong>b</strong> c</em>"},
           {"a*b*c **a·** (**\"a\"**), **a**-b",
            "a<em>b</em>c <strong>a·</strong> (<strong>&quot;a&quot;</strong>), <strong>a</strong>-b"},
           {"2 * 3, a ** b, 4.3*, a", "2 * 3, a ** b, 4.3*, a"},
           {"\\*a\\* \\` \\[ \\\\ \\é \\a \\", "*a* ` [ \\ \\é \\a \\"},
           {"δ_b, x_ = a_b_c, W~ and V~_j, E[x] [ok] ![a] ](u)", "δ_b, x_ = a_b_c, W~ and V~_j, E[x] [ok] ![a] ](u)"},
           {"`a<b`, `*b*`, `\\`", "<code>a&lt;b</code>, <code>*b*</code>, <code>\\</code>"},
           {"`` a`b `` `` ` `` `a\nb`", "<code>a`b</code> <code>`</code> <code>a b</code>"},
           {"[a *b* `c`](x/y.md#z) *[a](b)* [E[x]](c)",
            "<a href=\"x/y.md#z\">a <em>b</em> <code>c</code></a> <em><a href=\"b\">a</a></em> <a href=\"c\">E[x]</a>"},
           {"[a](https://b/?c=1&d)![2](b)", "<a href=\"https://b/?c=1&amp;d\">a</a><img src=\"b\" alt=\"2\">"},
           {"![a *b* `c\"` (6.3)](d.svg)", "<img src=\"d.svg\" alt=\"a b c&quot; (6.3)\">"},
       })
    check.equal(rendered(source), "<p>" + expected + "</p>\n", "text of '" + source + "'");
}

static void blocks(Checks& check) {
  for (
      const auto& [source, expected] : {
          Case{"", ""},
          {"\n\na\nb\n\n\nc", "<p>a\nb</p>\n<p>c</p>\n"},
          {"# A *b*\ntext\n\n## A b\n### D, `é`!\n",
           "<h1 id=\"a-b\">A <em>b</em></h1>\n<p>text</p>\n<h2 id=\"a-b-1\">A b</h2>\n"
           "<h3 id=\"d-\">D, <code>é</code>!</h3>\n"},
          {"```cpp\na < b;\n\n  *c*  \n```\n",
           "<pre><code class=\"language-cpp\">a &lt; b;\n\n  *c*  \n</code></pre>\n"},
          {"> a\n> b\n>\n> - c\n", "<blockquote>\n<p>a\nb</p>\n<ul>\n<li>c</li>\n</ul>\n</blockquote>\n"},
          {"Jacobi,\n1846. b\n|k| = 4\n--flag", "<p>Jacobi,\n1846. b\n|k| = 4\n--flag</p>\n"},
          {"<details>\n<summary>A > (6.3)</summary>\n\n# D\n\n- e\n\n</details>\n\ng",
           "<details>\n<summary>A &gt; (6.3)</summary>\n<h1 id=\"d\">D</h1>\n<ul>\n<li>e</li>\n</ul>\n</details>\n"
           "<p>g</p>\n"},
          {"- a\n  b\n- c\n\n- d\n\n1. e",
           "<ul>\n<li>a\nb</li>\n<li>c</li>\n<li>d</li>\n</ul>\n<ol>\n<li>e</li>\n</ol>\n"},
          {"- a\n\n  b\n\n  ```\n  c\n\n   d\n  ```\n\n  - e\n    f\n\n\ng",
           "<ul>\n<li>\n<p>a</p>\n<p>b</p>\n<pre><code>c\n\n d\n</code></pre>\n<ul>\n<li>e\nf</li>\n</ul>\n</li>\n</ul>\n"
           "<p>g</p>\n"},
      })
    check.equal(rendered(source), expected, "blocks of '" + source + "'");
  check.that(has(rendered("|a|b|\n|--:|:-:|\n|`\\|x\\|`||"),
                 "<td class=\"right\"><code>|x|</code></td><td class=\"center\"></td></tr>\n</tbody>"),
             "a table");
}

static void references_and_hooks(Checks& check) {
  markdown::Hooks hooks;
  hooks.equation = [](const std::string& number) { return "{" + number + "}"; };
  hooks.image = [](const std::string& target, const std::string& text) { return "<svg>" + target + text + "</svg>"; };
  hooks.code = [](const Block& block) { return "<i>" + block.language + block.text + "</i>"; };
  hooks.table = [](const Block& block) { return block.rows[0][0] == "own" ? "<table></table>" : ""; };
  for (const auto& [source, expected] : {
           Case{"(3.13) to (3.16), (6.6) (6.9)\n(1.2)", "{3.13} to {3.16}, {6.6} {6.9}\n{1.2}"},
           {"**(2.6):** (the map (1.14)) `x` (1.1) part 5. (1.2) part 5 (1.3)",
            "<strong>{2.6}:</strong> (the map {1.14}) <code>x</code> {1.1} part 5. {1.2} part 5 {1.3}"},
           {"`(6.3)` \\(6.3) (1.519) (11.5) (1.) (1,5) (6.3",
            "<code>(6.3)</code> (6.3) (1.519) (11.5) (1.) (1,5) (6.3"},
           {"log10(5.8) φ(1.2) -39.7 (2.0)* .24 (1.1)", "log10(5.8) φ(1.2) -39.7 (2.0)* .24 (1.1)"},
           {"![c *d*](e) f", "<svg>ec d</svg> f"},
       })
    check.equal(rendered(source, hooks), "<p>" + expected + "</p>\n", "references of '" + source + "'");
  check.equal(rendered("```cpp\n<\n```\n\n| own |\n|---|\n", hooks), "<i>cpp<\n</i><table></table>", "blocks by hooks");
  check.equal(markdown::plain("*a* **b** `c*`\n[d](e) ![f](g) (6.3) \\*"), "a b c* d f (6.3) *", "a title");
}

// Each case begins in line 1.
static void errors(Checks& check) {
  for (const auto& [source, expected] : {
           Case{"a\n\n    b", "line 3: GitHub begins a new block"},
           {"a  \nb", "line 1: GitHub begins a new block"},
           {"a\n===", "line 2: GitHub begins a new block"},
           {"a\n- b", "line 2: GitHub begins a new block"},
           {"a\n</details>", "line 2: GitHub begins a new block"},
           {"- a\n  - b", "line 2: GitHub begins a new block"},
           {"- a\nb", "line 2: an empty line is missing"},
           {"- ", "line 1: an item without text"},
           {"####### b", "line 1: a heading is one to six #"},
           {">a", "line 1: a line of a quote"},
           {"- - - - - - - - a", "line 1: too many levels"},
           {"a\n\n```\nb", "line 3: a fence ``` without its end"},
           {"``` cpp\n```", "line 1: behind ``` stands one word"},
           {"| a |", "line 1: a table needs a header"},
           {"| a |\n| b |", "line 2: below the header"},
           {"| a |\n|---|\n| b |\n| *c |", "line 4: an emphasis does not end"},
           {"<div>", "line 1: HTML other than <details>"},
           {"# a\n<details>\n<summary>a</summary>", "<details> or </details> without its other"},
           {"a\n\n</details>", "line 3: <details> or </details> without its other"},
           {"b `c\nd", "line 1: a backtick without its other"},
           {"*[a*](b)", "line 1: an emphasis does not end"},
           {"[a](b \"c\")", "line 1: the target of a link"},
           {"[a](javascript:b)", "line 1: the target of a link"},
           {"a <b> c", "line 1: HTML"},
           {"a\n\tb", "line 2: a tab, or a character"},
           {"a\n\nb\xFF", "line 3: a tab, or a character"},
       })
    check.throws<markdown::Error>([text = source] { rendered(text); }, expected, "error of '" + source + "'");
}

// Pieces of markup, of the READMEs and bytes at random are written as HTML whose tags match, or refused in one line. So
// is each README, and that whole.
static void any_text(Checks& check) {
  std::vector<fs::path> files{"README.md"};
  for (const fs::directory_entry& lesson : fs::directory_iterator("lessons"))
    if (fs::exists(lesson.path() / "README.md")) files.push_back(lesson.path() / "README.md");
  std::string readmes;
  for (const fs::path& file : files) {
    readmes += read_file(file.string());
    try {
      check.that(has(rendered(read_file(file.string())), "<h1 id="), file.string() + " has a title");
    } catch (const markdown::Error& error) {
      check.that(false, file.string() + ": " + error.what());
    }
  }
  const std::string marks = "**``[]()!\\||-<>&_#1. \n\n a";
  const std::vector<std::string> pieces = {"](b)",    "\n|---|\n", "<b>",
                                           "\n```\n", "(6.3)",     "<details>\n<summary>a</summary>\n"};
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return random() % n; };
  for (int trial = 0; trial < 20000; ++trial) {
    std::string source;
    for (std::size_t k = 1 + below(12); k > 0; --k) {
      const std::size_t kind = below(8);
      if (kind == 0) source += char(below(256));
      else if (kind == 1) source += readmes.substr(below(readmes.size()), below(40));
      else if (kind < 4) source += pieces[below(pieces.size())];
      else source += marks[below(marks.size())];
    }
    try {
      const std::string html = rendered(source);
      for (const std::string tag : {"p", "em", "strong", "code", "a", "li", "ul", "table", "td", "details", "summary"})
        check.that(count(html, "<" + tag + ">") + count(html, "<" + tag + " ") == count(html, "</" + tag + ">"),
                   tag + " in the HTML of '" + source + "'");
    } catch (const markdown::Error& error) {
      check.that(std::string(error.what()).starts_with("line "), "'" + source + "': " + error.what());
    }
  }
}

int main() {
  Checks check;
  text(check);
  blocks(check);
  references_and_hooks(check);
  errors(check);
  any_text(check);
  return check.done("test_markdown");
}
