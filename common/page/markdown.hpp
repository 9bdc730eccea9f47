// The Markdown that our READMEs use, read strictly and written as HTML. What reads here reads the same on GitHub; what
// GitHub would take for markup and our READMEs do not use (raw HTML, setext headings, reference links, hard breaks,
// bare addresses, ...) is an Error, and so is a slip of the pen such as a fence or an emphasis without its end. All
// text is escaped: nothing in a README can become markup of the page.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

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

// Reads a text; throws an Error unless all of it, the inline markup too, is what this file knows.
std::vector<Block> read(std::string_view text);

// Says how the page wants some things written. What a hook returns is HTML and goes into the page as it is, but for
// that of `link`.
struct Hooks {
  // Returns where a link leads.
  std::function<std::string(const std::string& target)> link = [](const std::string& target) { return target; };
  // Returns an image as HTML; the alternative is plain text. Both must be escaped.
  std::function<std::string(const std::string& target, const std::string& alternative)> image = plain_image;
  // Returns a reference such as (6.3) as HTML, from its number "6.3". It may be the number of no equation.
  std::function<std::string(const std::string& number)> equation = plain_equation;
  // Returns a fenced block as HTML.
  std::function<std::string(const Block& block)> code = plain_code;
  // Returns a table as HTML; nothing where it is to be written as it stands.
  std::function<std::string(const Block& block)> table = nothing;
  // Returns HTML that goes behind a block that stands in no other.
  std::function<std::string(const Block& block)> behind = nothing;

  static std::string plain_image(const std::string& target, const std::string& alternative);
  static std::string plain_equation(const std::string& number);
  static std::string plain_code(const Block& block);
  static std::string nothing(const Block& block);
};

// Returns blocks as HTML, a line or more for each. Headings have the anchors that GitHub gives them.
std::string html(const std::vector<Block>& blocks, const Hooks& hooks);

// Returns one piece of inline source as HTML; the line of an Error is counted in it.
std::string inline_html(std::string_view source, const Hooks& hooks);

// Returns inline source without its markup, for titles.
std::string plain(std::string_view source);

// Returns the anchor that GitHub makes of a heading's inline source; html() adds -1, -2 where it stands twice.
std::string slug(std::string_view heading);

}  // namespace markdown
