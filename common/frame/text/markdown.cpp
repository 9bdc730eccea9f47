// SPDX-License-Identifier: MIT
#include "common/frame/text/markdown.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "common/frame/text/words.hpp"

namespace markdown {
namespace {

using View = std::string_view;
constexpr View digits = "0123456789", marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
constexpr View letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

bool is_one_of(char c, View characters) { return characters.find(c) != View::npos; }

std::size_t run_of(View characters, View text) {
  return std::min(text.find_first_not_of(characters), text.size());
}

// Tells whether GitHub sees HTML at the beginning of a text.
bool begins_html(View text) {
  return text.size() > 1 && text[0] == '<' &&
         (is_one_of(text[1], letters) || is_one_of(text[1], "/!?"));
}

// ------------------------------------------------------------------------------------------ blocks

constexpr const char* unpaired = "<details> or </details> without its other";

class Reader {
 public:
  Reader(const std::vector<View>& lines, Complaints& complaints)
      : lines_(lines), complaints_(complaints) {}

  // Reads all lines, or within <details> those up to its end.
  std::vector<Block> blocks(bool within_details = false) {
    std::vector<Block> all;
    ++depth_;
    if (depth_ > 8) fail("too many levels of blocks within blocks");
    for (;;) {
      while (!done() && line().empty()) ++at_;
      if (done() || (within_details && line() == "</details>")) break;
      all.push_back(block_or_lines());
      if (all.back().kind != Kind::heading && at_text())
        complaints_.emplace_back(number(), "an empty line is missing before this one");
    }
    --depth_;
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(number(), what); }
  bool done() const { return at_ == lines_.size(); }
  bool at_text() const { return !done() && !line().empty(); }
  View line() const { return lines_[at_]; }
  std::size_t number() const { return at_ + 1; }

  // Returns the length of the list mark that a line begins with, its space included; else 0.
  static std::size_t mark(View line) {
    if (line.starts_with("- ")) return 2;
    const std::size_t end = run_of(digits, line);
    return end > 0 && line.substr(end).starts_with(". ") ? end + 2 : 0;
  }

  // Returns a block, or where it cannot be read the lines up to an empty one.
  Block block_or_lines() {
    const std::size_t start = at_;
    const int depth = depth_;
    try {
      return block();
    } catch (const Error& error) {
      complaints_.push_back(error);
    }
    at_ = start;
    depth_ = depth;
    Block b{.kind = Kind::as_it_stands, .line = number()};
    for (; at_text(); ++at_) b.text += std::string(line()) + "\n";
    return b;
  }

  Block block() {
    Block b{.line = number()};
    if (line().starts_with("```")) code(b);
    else if (begins_html(line())) details(b);
    else if (line()[0] == '#') heading(b);
    else if (line()[0] == '|') table(b);
    else if (mark(line()) > 0) list(b);
    else paragraph(b);
    return b;
  }

  void code(Block& b) {
    b.kind = Kind::code;
    b.language = line().substr(3);
    if (run_of(letters, b.language) < b.language.size())
      fail("behind ``` stands one word, the language");
    for (++at_; !done() && line() != "```"; ++at_) b.text += std::string(line()) + "\n";
    if (done()) throw Error(b.line, "a fence ``` without its end");
    ++at_;
  }

  void details(Block& b) {
    b.kind = Kind::details;
    const bool opens = line() == "<details>";
    if (line() == "</details>") fail(unpaired);
    ++at_;
    if (!opens || done() || !line().starts_with("<summary>") || !line().ends_with("</summary>"))
      throw Error(b.line,
                  "HTML other than <details> with <summary>text</summary> in the next line");
    b.text = line().substr(9, line().size() - 19);
    ++at_;
    b.children = blocks(true);
    if (done()) throw Error(b.line, unpaired);
    ++at_;
  }

  void heading(Block& b) {
    b.kind = Kind::heading;
    b.level = int(run_of("#", line()));
    const View text = line().substr(std::size_t(b.level));
    if (b.level > 6 || text.size() < 2 || text[0] != ' ' || text[1] == ' ')
      fail("a heading is one to six #, one space and a text; write \\# for the character");
    b.text = text.substr(1);
    ++at_;
  }

  void paragraph(Block& b, std::size_t indent = 0) {
    for (; at_text() && run_of(" ", line()) >= indent; ++at_) {
      const View text = line().substr(indent);
      for (const char* start : {"```", "#", ">", "- ", "+ ", "* ", "1. ", "===", "---", " "})
        if (text.starts_with(start) || text.ends_with("  ") || begins_html(text))
          fail(
              "GitHub begins a new block or line here: put an empty line before, or break the line elsewhere");
      b.text += (b.text.empty() ? "" : "\n") + std::string(text);
    }
  }

  void list(Block& b) {
    b.kind = Kind::list;
    b.ordered = line()[0] != '-';
    for (std::size_t next = at_; next < lines_.size();) {
      const std::size_t width = mark(lines_[next]);
      if (width == 0 || (lines_[next][0] != '-') != b.ordered) break;
      at_ = next;
      Block item{.line = number(), .text = std::string(line().substr(width))};
      if (item.text.empty() || item.text[0] == ' ' || mark(item.text) > 0)
        fail("an item is text; lists are flat");
      ++at_;
      paragraph(item, width);
      b.children.push_back(item);
      for (next = at_; next < lines_.size() && lines_[next].empty();) ++next;
    }
  }

  void table(Block& b) {
    b.kind = Kind::table;
    for (; at_text(); ++at_) {
      std::vector<std::string> row = cells();
      if (!b.rows.empty() && row.size() != b.rows[0].size())
        fail("the row has not as many cells as the header");
      if (number() != b.line + 1) b.rows.push_back(std::move(row));
      else if (std::any_of(row.begin(), row.end(),
                           [](const std::string& cell) { return cell != "---"; }))
        fail("below the header of a table stands a row such as |---|---|");
    }
    if (number() < b.line + 2)
      throw Error(b.line, "a table needs a header and the row |---| below it");
  }

  std::vector<std::string> cells() const {
    if (line().size() < 2 || line()[0] != '|' || line().back() != '|')
      fail("a row of a table begins and ends with |");
    std::vector<std::string> all(1);
    for (std::size_t k = 1; k + 1 < line().size(); ++k) {
      const bool escaped = line().substr(k).starts_with("\\|");
      if (escaped) ++k;
      if (line()[k] == '|' && !escaped) all.emplace_back();
      else all.back() += line()[k];
    }
    for (std::string& cell : all) {
      cell.erase(0, run_of(" ", cell));
      cell.erase(cell.find_last_not_of(' ') + 1);
    }
    return all;
  }

  const std::vector<View>& lines_;
  Complaints& complaints_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

// ------------------------------------------------------------------------------------------ inline

// Tells whether (6.3) behind this text may be a reference. Behind a name it is a value, as in
// log(2.5), and behind a decimal number its deviation, as in 39.7 (4.3).
bool may_refer(View before) {
  if (before.empty()) return true;
  if (!is_one_of(before.back(), " \n")) return is_one_of(before.back(), marks);
  before.remove_suffix(1);
  const std::string word(before.substr(before.find_last_of(" \n") + 1));
  return word.find('.') == std::string::npos || word.back() == '.' || !decimal_number(word);
}

class Inline {
 public:
  Inline(View source, std::size_t line, const Hooks& hooks, bool markup)
      : source_(source), line_(line), hooks_(hooks), markup_(markup) {}

  std::string str() {
    while (at_ < source_.size())
      if (!marked()) ordinary();
    if (!open_.empty()) fail("an emphasis does not end; write \\* for a star");
    if (!markup_) std::replace(html_.begin(), html_.end(), '\n', ' ');
    return html_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(line_, what); }
  View rest() const { return source_.substr(at_); }
  void skip(std::size_t bytes) { at_ += bytes; }
  void text(View piece) { html_ += markup_ ? escape_html(piece) : std::string(piece); }
  void tag(const std::string& name) { html_ += markup_ ? join("<", name, ">") : ""; }

  // Takes what a mark begins, and tells whether it is one.
  bool marked() {
    switch (source_[at_]) {
      case '\\':
        return escape();
      case '`':
        return code();
      case '*':
        return stars();
      case '(':
        return equation();
      case '[':
      case '!':
        return link();
      default:
        return false;
    }
  }

  // Takes text up to the next possible mark. Throws where GitHub sees HTML.
  void ordinary() {
    if (begins_html(rest())) fail("HTML: write a space behind <, or \\<, or `code`");
    const std::size_t size = std::min(rest().find_first_of("\\`*([!<", 1), rest().size());
    text(rest().substr(0, size));
    skip(size);
  }

  bool escape() {
    if (rest().size() < 2 || !is_one_of(rest()[1], marks)) return false;
    text(rest().substr(1, 1));
    skip(2);
    return true;
  }

  bool code() {
    const std::size_t end = rest().find('`', 1);
    if (end == View::npos) fail("a backtick without its other");
    std::string inner(rest().substr(1, end - 1));
    std::replace(inner.begin(), inner.end(), '\n', ' ');
    tag("code");
    text(inner);
    tag("/code");
    skip(end + 1);
    return true;
  }

  // A run of stars opens or closes by what stands on its two sides, as CommonMark has it.
  bool stars() {
    enum class Side { space, mark, letter };
    const auto side = [](View text, std::size_t at) {
      if (at >= text.size() || is_one_of(text[at], " \n")) return Side::space;
      return is_one_of(text[at], marks) ? Side::mark : Side::letter;
    };
    const std::size_t length = run_of("*", rest());
    const Side before = side(source_, at_ - 1), after = side(rest(), length);
    const std::string name = length == 1 ? "em" : "strong";
    if (!open_.empty() && open_.back() == name && before != Side::space) {
      tag("/" + name);
      open_.pop_back();
    } else if (after == Side::letter || (after == Side::mark && before != Side::letter)) {
      tag(name);
      open_.push_back(name);
    } else {
      text(rest().substr(0, length));
    }
    skip(length);
    return true;
  }

  // Reads [text](target) and ![text](target). Brackets that are no link are text, and may stand in
  // a link's text.
  bool link() {
    const bool image = rest()[0] == '!';
    const std::size_t from = image ? 2 : 1, close = rest().find("]("),
                      end = rest().find(')', close);
    if (!rest().substr(image).starts_with('[') || close == View::npos || end == View::npos)
      return false;
    const View shown = rest().substr(from, close - from);
    long open = 0;
    for (const char c : shown) {
      if (c == '[') ++open;
      if (c == ']') --open;
      if (open < 0) return false;  // E[x] before a link
    }
    if (open > 0) return false;
    const std::string target(rest().substr(close + 2, end - close - 2));
    if (target.empty() || target.find_first_of(" \n<>\"") != std::string::npos ||
        target.starts_with("javascript:"))
      fail("the target of a link is a path or an address, without spaces and quotes");
    Hooks within = hooks_;
    within.equation = nullptr;  // a link holds no other
    const std::string inner = Inline(shown, line_, within, markup_ && !image).str();
    if (!markup_) html_ += inner;
    else if (!image) html_ += join("<a href=\"", escape_html(target), "\">", inner, "</a>");
    else if (hooks_.image) html_ += hooks_.image(target, inner);
    else html_ += join("<img src=\"", escape_html(target), "\" alt=\"", escape_html(inner), "\">");
    skip(end + 1);
    return true;
  }

  bool equation() {
    const std::string number = reference(rest());
    if (number.empty() || !may_refer(source_.substr(0, at_))) return false;
    html_ += markup_ && hooks_.equation ? hooks_.equation(number) : join("(", number, ")");
    skip(number.size() + 2);
    return true;
  }

  View source_;
  std::size_t line_, at_ = 0;
  const Hooks& hooks_;
  bool markup_;
  std::vector<std::string> open_ = {};
  std::string html_ = {};
};

// ------------------------------------------------------------------------------------------ output

class Writer {
 public:
  Writer(const Hooks& hooks, Complaints& complaints) : hooks_(hooks), complaints_(complaints) {}

  std::string one(const Block& b) {
    if (b.kind == Kind::code && hooks_.code) return hooks_.code(b);
    if (b.kind == Kind::code) return join("<pre><code>", escape_html(b.text), "</code></pre>\n");
    if (b.kind == Kind::as_it_stands) return element("p", escape_html(b.text));
    const std::string text = spans(b.text, b.line);
    if (b.kind == Kind::heading)
      return join("<h", b.level, " id=\"", anchor(b.text), "\">", text, "</h", b.level, ">\n");
    if (b.kind == Kind::table) {
      const std::string other = hooks_.table ? hooks_.table(b) : "";
      return other.empty() ? table(b) : other;
    }
    std::string inner = b.kind == Kind::details ? "\n" + element("summary", text) : "\n";
    for (const Block& child : b.children)
      inner += b.kind == Kind::list ? element("li", spans(child.text, child.line)) : one(child);
    if (b.kind == Kind::details) return element("details", inner);
    if (b.kind == Kind::list) return element(b.ordered ? "ol" : "ul", inner);
    const bool is_drawn = hooks_.image && b.text.starts_with("![") && !text.starts_with("![");
    return is_drawn ? text : element("p", text);
  }

 private:
  std::string spans(View source, std::size_t line) const {
    try {
      return Inline(source, line, hooks_, true).str();
    } catch (const Error& error) {
      complaints_.push_back(error);
    }
    return escape_html(source);
  }
  static std::string element(const std::string& tag, const std::string& content) {
    return join("<", tag, ">", content, "</", tag, ">\n");
  }

  // Returns the anchor that GitHub makes of a heading: small letters and digits of ASCII, - and _.
  // Where it was given before, -1, -2 follow.
  std::string anchor(View heading) {
    std::string base;
    for (const char c : small_letters(title(heading)))
      if (is_one_of(c, letters) || is_one_of(c, digits) || is_one_of(c, "-_ "))
        base += c == ' ' ? '-' : c;
    std::string name = base;
    while (anchors_.count(name) > 0) {
      ++anchors_[base];
      name = join(base, "-", anchors_[base]);
    }
    anchors_[name] = 0;
    return name;
  }

  std::string table(const Block& b) const {
    std::string head, body;
    for (std::size_t r = 0; r < b.rows.size(); ++r) {
      std::string cells;
      for (const std::string& cell : b.rows[r]) {
        const std::string text = spans(cell, b.line + r + (r > 0));
        const bool heads = r == 0 && !text.empty();
        cells += heads ? join("<th scope=\"col\">", text, "</th>") : join("<td>", text, "</td>");
      }
      const std::string row = join("<tr>", cells, "</tr>\n");
      if (r == 0) head = row;
      else body += row;
    }
    if (!body.empty()) body = join("<tbody>\n", body, "</tbody>\n");
    return join("<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"table: ",
                escape_html(title(b.rows[0][0])), "\">\n<table>\n<thead>\n", head, "</thead>\n",
                body, "</table>\n</div>\n");
  }

  const Hooks& hooks_;
  Complaints& complaints_;
  std::map<std::string, int> anchors_ = {};  // how often each was wanted again
};

}  // namespace

std::vector<Block> read(View text, Complaints& complaints) {
  std::vector<View> lines;
  std::deque<std::string> mended;
  while (!text.empty()) {
    const View line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    lines.push_back(line);
    if (printable(line) == line) continue;
    complaints.emplace_back(lines.size(), "a tab, or a character that is no visible UTF-8");
    std::string spaced(line);
    std::replace(spaced.begin(), spaced.end(), '\t', ' ');
    lines.back() = mended.emplace_back(printable(spaced));
  }
  return Reader(lines, complaints).blocks();
}

std::string html(const std::vector<Block>& blocks, const Hooks& hooks, Complaints& complaints) {
  Writer writer(hooks, complaints);
  std::string all;
  for (const Block& block : blocks) {
    const std::string one = writer.one(block);
    if (hooks.keep) hooks.keep(block, one);
    else all += one;
  }
  return all;
}

std::string title(View source) {
  try {
    return Inline(source, 1, Hooks(), false).str();
  } catch (const Error&) {
    return std::string(source);
  }
}

std::string reference(View text) {
  const std::size_t size = text.size() < 4 ? 0 : run_of(digits, text.substr(3));
  const bool known = (size == 1 || size == 2) && text[0] == '(' && is_one_of(text[1], digits) &&
                     text[2] == '.' && text.substr(3 + size).starts_with(')');
  return std::string(known ? text.substr(1, 2 + size) : "");
}

}  // namespace markdown
