// The Markdown that our READMEs use, read strictly and written as HTML: headings, paragraphs, lists, tables, quotes,
// fenced code, <details>; emphasis, `code`, links, images, references such as (6.3). A slip of the pen such as a fence or an
// emphasis without its end, and HTML, is an Error. All text is escaped: nothing in a README can become markup of the page.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/support/words.hpp"

namespace markdown {

// Says in one line what is wrong: "line 12: ...".
class Error : public std::runtime_error {
 public:
  Error(std::size_t line, const std::string& what) : std::runtime_error("line " + std::to_string(line) + ": " + what) {}
};

enum class Kind { heading, paragraph, list, item, table, quote, code, details };
enum class Alignment { none, left, center, right };

struct Block {
  Kind kind = Kind::paragraph;
  std::size_t line = 0;              // where it begins, counted from 1
  int level = 0;                     // of a heading: 1 to 6
  bool ordered = false;              // of a list
  std::string text = {};             // inline source of a heading, a paragraph, a summary; the lines of code
  std::string language = {};         // of code; may be empty
  std::vector<Block> children = {};  // of a list its items; of an item, a quote and details what they hold
  std::vector<std::vector<std::string>> rows = {};  // of a table: inline source of the cells, the header first
  std::vector<Alignment> alignments = {};           // of a table, one for each column
};

// Reads a text; throws an Error unless all of its blocks are what this file knows.
std::vector<Block> read(std::string_view text);

// Says how the page wants some things written. What a hook returns is HTML and goes into the page as it is.
struct Hooks {
  using OfBlock = std::function<std::string(const Block& block)>;

  // Returns an image; the alternative is plain text. Both must be escaped.
  std::function<std::string(const std::string& target, const std::string& alternative)> image =
      [](const std::string& target, const std::string& alternative) {
        return "<img src=\"" + escape_html(target) + "\" alt=\"" + escape_html(alternative) + "\">";
      };
  // Returns a reference such as (6.3), from its number "6.3". It may be the number of no equation.
  std::function<std::string(const std::string& number)> equation = [](const std::string& number) {
    return "(" + number + ")";
  };
  // Returns a fenced block.
  OfBlock code = [](const Block& block) {
    const std::string language = block.language.empty() ? "" : " class=\"language-" + block.language + "\"";
    return "<pre><code" + language + ">" + escape_html(block.text) + "</code></pre>\n";
  };
  // Returns a table; nothing where it is to be written as it stands.
  OfBlock table = [](const Block&) { return ""; };
  // Returns what goes behind a block that stands in no other.
  OfBlock behind = [](const Block&) { return ""; };
};

// Returns blocks as HTML, a line or more for each. Headings have the anchors that GitHub gives them. Throws an Error
// for inline markup that this file does not know.
std::string html(const std::vector<Block>& blocks, const Hooks& hooks);

// Returns inline source without its markup, for titles.
std::string plain(std::string_view source);

}  // namespace markdown
