// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>

#include "common/page/markdown.hpp"
#include "common/page/markdown_inline.hpp"

namespace markdown {
namespace {

constexpr int deepest = 8;  // levels of blocks within blocks

struct Line {
  std::string_view text;
  std::size_t number = 0;
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    check_characters(line, lines.size() + 1);
    lines.push_back({line, lines.size() + 1});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

class Reader {
 public:
  Reader(std::vector<Line> lines, int depth, bool narrow) : lines_(std::move(lines)), depth_(depth), narrow_(narrow) {}
  std::vector<Block> all();

 private:
  [[noreturn]] void fail(const std::string& what) const;  // of the line at hand
  bool done() const { return at_ == lines_.size(); }
  bool at_text() const { return !done() && !line().empty(); }
  std::string_view line() const { return lines_[at_].text; }
  Block begin(Kind kind) const;
  std::vector<Block> blocks();
  Block block();
  Block heading();
  Block paragraph();
  Block list();
  Block item(std::size_t width);
  Block quote();
  Block table();
  Block code();
  Block details();
  void refuse() const;
  std::vector<std::string> cells() const;
  Alignment alignment_of(std::string_view cell) const;

  std::vector<Line> lines_;
  std::size_t at_ = 0;
  int depth_, level_ = 0;  // the level of the last heading
  bool narrow_;            // within a list or a quote, which hold paragraphs, code and bullet lists only
};

// Returns the mark of a list that a line begins with: -, + or *, 12. or 12); nothing where there is none.
std::string_view list_mark(std::string_view line) {
  std::size_t end = std::min(line.find_first_not_of(digits), line.size());
  if (end == line.size() || !is_one_of(line[end], end == 0 ? "-+*" : ".)")) return {};
  ++end;
  return end == line.size() || line[end] == ' ' ? line.substr(0, end) : std::string_view();
}

// Tells whether a line would end a paragraph before it: on GitHub a number other than 1 does not.
bool interrupts(std::string_view line) {
  const std::string_view mark = list_mark(line);
  const bool item = !mark.empty() && (!is_digit(mark[0]) || mark == "1." || mark == "1)");
  return item || line.starts_with("```") || is_one_of(line[0], "#>") || begins_html(line);
}

void Reader::fail(const std::string& what) const { throw Error(lines_[std::min(at_, lines_.size() - 1)].number, what); }

Block Reader::begin(Kind kind) const { return {.kind = kind, .line = lines_[at_].number}; }

std::vector<Block> Reader::all() {
  std::vector<Block> found = blocks();
  if (!done()) fail("</details> without its <details>");
  return found;
}

std::vector<Block> Reader::blocks() {
  if (depth_ > deepest) fail("too many levels of blocks within blocks");
  std::vector<Block> found;
  while (true) {
    while (!done() && line().empty()) ++at_;
    if (done() || line() == "</details>") return found;
    found.push_back(block());
    if (found.back().kind != Kind::heading && at_text()) fail("an empty line is missing before this one");
  }
}

Block Reader::block() {
  refuse();
  const char first = line()[0];
  const std::string_view mark = list_mark(line());
  if (!mark.empty() && mark != "-" && mark.back() != '.') fail("the items of a list begin with -, or with 1. 2. 3.");
  const bool wide = is_one_of(first, "#>|") || begins_html(line()) || (!mark.empty() && mark != "-");
  if (narrow_ && wide) fail("a list and a quote hold paragraphs, code and bullet lists only");
  if (line().starts_with("```")) return code();
  if (!mark.empty()) return list();
  if (begins_html(line())) return details();
  if (first == '#') return heading();
  if (first == '>') return quote();
  if (first == '|') return table();
  return paragraph();
}

// Throws where a line of text begins or ends as one that GitHub reads in a way that no README uses.
void Reader::refuse() const {
  const std::string_view text = line();
  if (text[0] == ' ') fail("an indented line: GitHub may take it for code");
  if (text.back() == ' ') fail("a space at the end of the line");
  if (consists_of(text, "=") || consists_of(text, "-:| ") || consists_of(text, "* ") || consists_of(text, "_ "))
    fail("a rule, the underline of a heading or a row of a table, where none can stand");
  if (text.starts_with("~~~")) fail("code is fenced with ```");
}

Block Reader::heading() {
  Block heading = begin(Kind::heading);
  const std::size_t level = std::min(line().find_first_not_of('#'), line().size());
  heading.level = static_cast<int>(level);
  heading.text = line().substr(std::min(level + 1, line().size()));
  const std::size_t end = heading.text.find_last_not_of('#') + 1;
  if (level > 6 || !line().substr(level).starts_with(' ') || heading.text.empty() || heading.text[0] == ' ')
    fail("a heading is one to six #, one space and a text; write \\# for the character");
  if (end < heading.text.size() && (end == 0 || heading.text[end - 1] == ' ')) fail("# at the end of a heading");
  if (heading.level > level_ + 1) fail("the heading skips a level");
  tokens(heading.text, heading.line);  // for its errors, here as below
  level_ = heading.level;
  ++at_;
  return heading;
}

Block Reader::paragraph() {
  Block paragraph = begin(Kind::paragraph);
  std::string& text = paragraph.text;
  for (; at_text(); ++at_) {
    if (text.empty()) {
      text = line();
      continue;
    }
    refuse();
    if (interrupts(line()))
      fail("GitHub begins a new block here: put an empty line before, or break the line elsewhere");
    text += "\n";
    text += line();
  }
  std::size_t end = 1;
  while (end < text.size() && text[end] != ']') end += text[end] == '\\' ? 2 : 1;
  const bool defines = text[0] == '[' && std::string_view(text).substr(std::min(end, text.size())).starts_with("]:");
  if (defines) throw Error(paragraph.line, "the target of a link stands in it: [text](target)");
  for (const char* box : {"[ ]", "[x]", "[X]", "[!"})
    if (narrow_ && text.starts_with(box))
      throw Error(paragraph.line, "GitHub makes a box of what stands in brackets here");
  tokens(text, paragraph.line);
  return paragraph;
}

Block Reader::list() {
  Block list = begin(Kind::list);
  list.ordered = line()[0] != '-';
  for (std::size_t next = at_; next < lines_.size();) {
    const std::string mark = list.ordered ? std::to_string(list.children.size() + 1) + ". " : "- ";
    const std::string_view text = lines_[next].text;
    if (list_mark(text).empty() || is_digit(text[0]) != list.ordered) break;
    at_ = next;
    if (!text.starts_with(mark)) fail("an item begins with \"" + mark + "\" and its text");
    refuse();
    list.children.push_back(item(mark.size()));
    for (next = at_; next < lines_.size() && lines_[next].text.empty();) ++next;
  }
  return list;
}

Block Reader::item(std::size_t width) {
  Block item = begin(Kind::item);
  const std::string indent(width, ' ');
  std::vector<Line> lines = {{line().substr(width), item.line}};
  for (++at_; !done() && (line().empty() || line().starts_with(indent)); ++at_)
    lines.push_back({line().substr(std::min(width, line().size())), lines_[at_].number});
  for (; lines.back().text.empty(); --at_) lines.pop_back();
  if (at_text() && list_mark(line()).empty()) fail("an item ends before an empty line; its lines stand under its text");
  item.children = Reader(std::move(lines), depth_ + 1, true).all();
  return item;
}

Block Reader::quote() {
  Block quote = begin(Kind::quote);
  std::vector<Line> lines;
  for (; at_text(); ++at_) {
    if (line() != ">" && !line().starts_with("> ")) fail("a line of a quote begins with > and a space");
    lines.push_back({line().substr(std::min<std::size_t>(2, line().size())), lines_[at_].number});
  }
  quote.children = Reader(std::move(lines), depth_ + 1, true).all();
  if (quote.children.empty()) throw Error(quote.line, "an empty quote");
  return quote;
}

std::vector<std::string> Reader::cells() const {
  const std::string_view row = line();
  std::vector<std::string> cells(1);
  if (row.size() < 2 || row[0] != '|' || row.back() != '|' || row[row.size() - 2] == '\\')
    fail("a row of a table begins and ends with |");
  for (std::size_t at = 1; at + 1 < row.size(); ++at) {
    if (row[at] == '|') cells.emplace_back();
    else if (row.substr(at).starts_with("\\|")) cells.back() += row[++at];
    else cells.back() += row[at];
  }
  for (std::string& cell : cells) {
    cell.erase(0, std::min(cell.find_first_not_of(' '), cell.size()));
    cell.erase(cell.find_last_not_of(' ') + 1);
  }
  return cells;
}

// Reads a cell of the row below the header: ---, :--, --: or :-:.
Alignment Reader::alignment_of(std::string_view cell) const {
  const bool left = cell.starts_with(':'), right = cell.ends_with(':');
  if (cell.find('-') == std::string_view::npos || !consists_of(cell.substr(left, cell.size() - left - right), "-"))
    fail("below the header of a table stands a row such as |---|:--|--:|");
  if (left && right) return Alignment::center;
  return left ? Alignment::left : right ? Alignment::right : Alignment::none;
}

Block Reader::table() {
  Block table = begin(Kind::table);
  for (; at_text(); ++at_) {
    const std::vector<std::string> row = cells();
    if (!table.rows.empty() && row.size() != table.rows[0].size()) fail("the row has not as many cells as the header");
    if (lines_[at_].number == table.line + 1) {
      for (const std::string& cell : row) table.alignments.push_back(alignment_of(cell));
      continue;
    }
    for (const std::string& cell : row) tokens(cell, lines_[at_].number);
    table.rows.push_back(row);
  }
  if (table.alignments.empty()) throw Error(table.line, "a table needs a header and the row |---| below it");
  return table;
}

Block Reader::code() {
  Block code = begin(Kind::code);
  code.language = line().substr(3);
  if (!consists_of(code.language, letters)) fail("behind ``` stands one word, the language");
  for (const char* drawn : {"math", "mermaid", "geojson", "topojson", "stl"})
    if (code.language == drawn) fail("GitHub shows code of this language as a picture");
  for (++at_; !done(); ++at_) {
    const std::string_view text = line().substr(std::min(line().find_first_not_of(' '), line().size()));
    if (line() == "```") {
      ++at_;
      return code;
    }
    if (text.starts_with("```")) fail("``` within code");
    code.text += line();
    code.text += '\n';
  }
  throw Error(code.line, "a fence ``` without its end");
}

// On GitHub this is HTML up to the first empty line, so a summary shows marks as they are.
Block Reader::details() {
  constexpr std::string_view open = "<summary>", close = "</summary>";
  Block details = begin(Kind::details);
  if (line() != "<details>") fail("HTML other than <details>");
  ++at_;
  if (done() || !line().starts_with(open) || !line().ends_with(close))
    fail("below <details> stands <summary>text</summary>");
  details.text = line().substr(open.size(), line().size() - open.size() - close.size());
  if (details.text.empty() || text_of(tokens(details.text, details.line + 1)) != details.text)
    fail("a summary is text without markup");
  ++at_;
  if (at_text()) fail("an empty line is missing below the summary");
  ++depth_;
  details.children = blocks();
  --depth_;
  if (done()) throw Error(details.line, "<details> without its </details>");
  ++at_;
  return details;
}

}  // namespace

std::vector<Block> read(std::string_view text) { return Reader(lines_of(text), 1, false).all(); }

}  // namespace markdown
