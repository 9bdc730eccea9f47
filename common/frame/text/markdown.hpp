// The Markdown of our READMEs, read strictly and written as HTML: headings, paragraphs, flat lists,
// tables, fenced code, <details>; emphasis, `code`, links, images, references such as (6.3). A slip
// such as an emphasis without its end, and HTML, is a complaint. All text is escaped: nothing in a
// README can become markup of the page.
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
  Error(std::size_t line, const std::string& what)
      : std::runtime_error("line " + std::to_string(line) + ": " + what) {}
};

// What a reader wrote into a README and this file does not know.
using Complaints = std::vector<Error>;

// As it stands: lines that could not be read.
enum class Kind { heading, paragraph, list, table, code, details, as_it_stands };

struct Block {
  Kind kind = Kind::paragraph;
  std::size_t line = 0;   // where it begins, from 1
  int level = 0;          // of a heading
  bool ordered = false;   // of a list
  std::string text = {};  // inline source of a heading, a paragraph, a summary; the lines of code
  std::string language = {};  // of code
  // Of a list its items, which are paragraphs; of details what they hold.
  std::vector<Block> children = {};
  // Of a table: inline source of the cells, the header first.
  std::vector<std::vector<std::string>> rows = {};
};

// Complains of blocks that this file does not know, and keeps their lines as they stand.
std::vector<Block> read(std::string_view text, Complaints& complaints);

// Says how the page wants some things written; what is absent is written as it stands. A hook's
// HTML goes into the page as it is: that of an image which begins a paragraph stands in its place,
// since it may be a block, and no paragraph may hold one.
struct Hooks {
  std::function<std::string(const std::string& target, const std::string& words)> image = {};
  std::function<std::string(const std::string& number)> equation = {};  // "6.3" of a reference
  std::function<std::string(const Block& block)> code = {};
  std::function<std::string(const Block& block)> table = {};  // an empty text: as it stands
  // Keeps the HTML of a block that stands in no other, which html() then leaves out.
  std::function<void(const Block& block, const std::string& html)> keep = {};
};

// Returns blocks as HTML, a line or more for each, with the anchors that GitHub gives headings.
// Complains of inline markup that this file does not know, which is written as it stands.
std::string html(const std::vector<Block>& blocks, const Hooks& hooks, Complaints& complaints);

// Returns inline source without its markup, or as it stands where that cannot be read.
std::string title(std::string_view source);

// Returns the reference that a text begins with, "6.3" of "(6.3) to", or nothing. A number with
// more decimals than a lesson has equations is no reference.
std::string reference(std::string_view text);

}  // namespace markdown
