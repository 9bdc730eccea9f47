// SPDX-License-Identifier: MIT
#include "common/page/markdown.hpp"

#include <algorithm>
#include <map>

#include "common/support/words.hpp"

namespace markdown {
namespace {

using View = std::string_view;
constexpr View digits = "0123456789", marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
constexpr View letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

bool is_one_of(char c, View characters) { return characters.find(c) != View::npos; }
bool consists_of(View text, View characters) { return text.find_first_not_of(characters) == View::npos; }

// Tells whether HTML begins a text, as far as GitHub is concerned.
bool begins_html(View text) {
  return text.size() > 1 && text[0] == '<' && (is_one_of(text[1], letters) || is_one_of(text[1], "/!?"));
}

// ------------------------------------------------------------------------------------------------------------ blocks

class Reader {
 public:
  Reader(std::vector<View> lines, std::size_t first, int depth)
      : lines_(std::move(lines)), first_(first), depth_(depth) {}

  // Reads all lines, or within <details> those up to its end.
  std::vector<Block> blocks(bool within_details = false) {
    std::vector<Block> found;
    if (++depth_ > 8) fail("too many levels of blocks within blocks");
    for (;;) {
      while (!done() && line().empty()) ++at_;
      if (done() || line() == "</details>") break;
      found.push_back(block());
      if (found.back().kind != Kind::heading && at_text()) fail("an empty line is missing before this one");
    }
    if (done() == within_details) fail("<details> or </details> without its other");
    --depth_;
    return found;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(number(), what); }
  bool done() const { return at_ == lines_.size(); }
  bool at_text() const { return !done() && !line().empty(); }
  View line() const { return lines_[at_]; }
  std::size_t number() const { return first_ + at_; }

  // Returns how long the mark of a list is that a line begins with, its space included; 0 where there is none.
  static std::size_t mark(View line) {
    if (line.starts_with("- ")) return 2;
    const std::size_t end = std::min(line.find_first_not_of(digits), line.size());
    return end > 0 && line.substr(end).starts_with(". ") ? end + 2 : 0;
  }

  Block block() {
    if (line().starts_with("```")) return code();
    if (begins_html(line())) return details();
    if (line()[0] == '#') return heading();
    if (line()[0] == '|') return table();
    if (line()[0] == '>') return quote();
    return mark(line()) > 0 ? list() : paragraph();
  }

  Block code() {
    Block b{.kind = Kind::code, .line = number()};
    b.language = line().substr(3);
    if (!consists_of(b.language, letters)) fail("behind ``` stands one word, the language");
    for (++at_; !done() && line() != "```"; ++at_) b.text += std::string(line()) + "\n";
    if (done()) throw Error(b.line, "a fence ``` without its end");
    ++at_;
    return b;
  }

  Block details() {
    Block b{.kind = Kind::details, .line = number()};
    if (line() != "<details>" || ++at_ == lines_.size() || !line().starts_with("<summary>") ||
        !line().ends_with("</summary>"))
      throw Error(b.line, "HTML other than <details> with <summary>text</summary> in the next line");
    b.text = line().substr(9, line().size() - std::min<std::size_t>(line().size(), 19));
    ++at_;
    b.children = blocks(true);
    ++at_;
    return b;
  }

  Block heading() {
    Block b{.kind = Kind::heading, .line = number()};
    const std::size_t level = std::min(line().find_first_not_of('#'), line().size());
    const View text = line().substr(level);
    if (level > 6 || text.size() < 2 || text[0] != ' ' || text[1] == ' ')
      fail("a heading is one to six #, one space and a text; write \\# for the character");
    b.level = int(level);
    b.text = text.substr(1);
    ++at_;
    return b;
  }

  Block paragraph() {
    Block b{.kind = Kind::paragraph, .line = number()};
    for (; at_text(); ++at_) {
      for (const char* start : {"```", "#", ">", "- ", "+ ", "* ", "1. ", "===", "---", " "})
        if (line().starts_with(start) || line().ends_with("  ") || begins_html(line()))
          fail("GitHub begins a new block or line here: put an empty line before, or break the line elsewhere");
      b.text += (b.text.empty() ? "" : "\n") + std::string(line());
    }
    return b;
  }

  Block list() {
    Block b{.kind = Kind::list, .line = number(), .ordered = line()[0] != '-'};
    for (std::size_t next = at_; next < lines_.size();) {
      const std::size_t width = mark(lines_[next]);
      if (width == 0 || (lines_[next][0] != '-') != b.ordered) break;
      at_ = next;
      b.children.push_back(item(width));
      for (next = at_; next < lines_.size() && lines_[next].empty();) ++next;
    }
    return b;
  }

  Block item(std::size_t width) {
    Block b{.kind = Kind::item, .line = number()};
    const std::string indent(width, ' ');
    std::vector<View> lines{line().substr(width)};
    for (++at_; !done() && (line().empty() || line().starts_with(indent)); ++at_)
      lines.push_back(line().substr(std::min(width, line().size())));
    for (; !lines.empty() && lines.back().empty(); --at_) lines.pop_back();
    if (lines.empty()) throw Error(b.line, "an item without text");
    b.children = Reader(lines, b.line, depth_).blocks();
    return b;
  }

  Block quote() {
    Block b{.kind = Kind::quote, .line = number()};
    std::vector<View> lines;
    for (; at_text(); ++at_) {
      if (line() != ">" && !line().starts_with("> ")) fail("a line of a quote begins with > and a space");
      lines.push_back(line().substr(std::min<std::size_t>(2, line().size())));
    }
    b.children = Reader(lines, b.line, depth_).blocks();
    return b;
  }

  Block table() {
    Block b{.kind = Kind::table, .line = number()};
    for (; at_text(); ++at_) {
      std::vector<std::string> row = cells();
      if (!b.rows.empty() && row.size() != b.rows[0].size()) fail("the row has not as many cells as the header");
      if (number() != b.line + 1) b.rows.push_back(std::move(row));
      else
        for (const std::string& cell : row) b.alignments.push_back(alignment_of(cell));
    }
    if (b.alignments.empty()) throw Error(b.line, "a table needs a header and the row |---| below it");
    return b;
  }

  // Reads a cell of the row below the header: ---, :--, --: or :-:.
  Alignment alignment_of(View cell) const {
    const bool left = cell.starts_with(':'), right = cell.ends_with(':');
    if (!consists_of(cell, ":-") || cell.find('-') == View::npos)
      fail("below the header of a table stands a row such as |---|:--|--:|");
    if (left && right) return Alignment::center;
    return left ? Alignment::left : right ? Alignment::right : Alignment::none;
  }

  std::vector<std::string> cells() const {
    if (line().size() < 2 || line()[0] != '|' || line().back() != '|') fail("a row of a table begins and ends with |");
    std::vector<std::string> all(1);
    for (std::size_t k = 1; k + 1 < line().size(); ++k) {
      if (line()[k] == '|') all.emplace_back();
      else all.back() += line().substr(k).starts_with("\\|") ? line()[++k] : line()[k];
    }
    for (std::string& cell : all) {
      cell.erase(0, std::min(cell.find_first_not_of(' '), cell.size()));
      cell.erase(cell.find_last_not_of(' ') + 1);
    }
    return all;
  }

  std::vector<View> lines_;
  std::size_t first_, at_ = 0;
  int depth_;
};

// ------------------------------------------------------------------------------------------------------------ inline

// Writes a piece of inline source as HTML; without markup as text.
class Inline {
 public:
  Inline(View source, std::size_t line, const Hooks& hooks, bool markup)
      : source_(source), line_(line), hooks_(hooks), markup_(markup) {}

  std::string str() {
    while (at_ < source_.size()) {
      const char c = source_[at_];
      const bool known = c == '\\'  ? escape()
                         : c == '`' ? code()
                         : c == '*' ? stars()
                         : c == '(' ? reference()
                         : c == '!' ? rest().starts_with("![") && link()
                                    : c == '[' && link();
      if (!known) ordinary();
    }
    if (!open_.empty()) fail("an emphasis does not end; write \\* for a star");
    if (!markup_) std::replace(html_.begin(), html_.end(), '\n', ' ');
    return html_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(line_, what); }
  View rest() const { return source_.substr(at_); }
  void text(View piece) { html_ += markup_ ? escape_html(piece) : std::string(piece); }
  void tag(const std::string& name) {
    if (markup_) html_ += "<" + name + ">";
  }

  // Takes text up to the next character that may be a mark. Throws where GitHub sees HTML.
  void ordinary() {
    if (begins_html(rest())) fail("HTML: write a space behind <, or \\<, or `code`");
    const std::size_t end = std::min(source_.find_first_of("\\`*([!<", at_ + 1), source_.size());
    text(source_.substr(at_, end - at_));
    at_ = end;
  }

  bool escape() {
    if (rest().size() < 2 || !is_one_of(rest()[1], marks)) return false;
    text(rest().substr(1, 1));
    at_ += 2;
    return true;
  }

  // One space is taken off both ends, so that code may begin or end with a backtick.
  bool code() {
    const std::size_t ticks = std::min(rest().find_first_not_of('`'), rest().size());
    const std::size_t end = rest().find(rest().substr(0, ticks), ticks);
    if (end == View::npos) fail("a backtick without its other; write \\` for a single one");
    std::string inner(rest().substr(ticks, end - ticks));
    std::replace(inner.begin(), inner.end(), '\n', ' ');
    if (ticks > 1 && inner.size() > 1 && inner.front() == ' ' && inner.back() == ' ')
      inner = inner.substr(1, inner.size() - 2);
    tag("code");
    text(inner);
    tag("/code");
    at_ += end + ticks;
    return true;
  }

  // A run of stars opens or closes by what stands on its two sides, as CommonMark has it.
  bool stars() {
    enum class Side { space, mark, letter };
    const auto side = [](View one) {
      return one.empty() || is_one_of(one[0], " \n") ? Side::space
             : is_one_of(one[0], marks)              ? Side::mark
                                                     : Side::letter;
    };
    const std::size_t length = std::min(rest().find_first_not_of('*'), rest().size());
    const Side before = side(source_.substr(at_ - std::min<std::size_t>(at_, 1), std::min<std::size_t>(at_, 1))),
               after = side(rest().substr(length));
    const std::string name = length == 1 ? "em" : "strong";
    const bool opens = after == Side::letter || (after == Side::mark && before != Side::letter);
    if (!open_.empty() && open_.back() == name && before != Side::space) {
      tag("/" + name);
      open_.pop_back();
    } else if (opens) {
      tag(name);
      open_.push_back(name);
    } else {
      text(rest().substr(0, length));
    }
    at_ += length;
    return true;
  }

  // Reads [text](target) and ![text](target). Brackets that are no link are text, and may stand in a link's text.
  bool link() {
    const bool image = rest()[0] == '!';
    const std::size_t from = image ? 2 : 1, close = rest().find("]("), end = rest().find(')', close);
    if (close == View::npos || end == View::npos) return false;
    const View shown = rest().substr(from, close - from);
    if (std::count(shown.begin(), shown.end(), '[') != std::count(shown.begin(), shown.end(), ']')) return false;
    const std::string target(rest().substr(close + 2, end - close - 2));
    if (target.empty() || target.find_first_of(" \n<>\"") != std::string::npos || target.starts_with("javascript:"))
      fail("the target of a link is a path or an address, without spaces and quotes");
    const std::string inner = Inline(shown, line_, hooks_, markup_ && !image).str();
    if (image) html_ += markup_ ? hooks_.image(target, inner) : inner;
    else html_ += markup_ ? "<a href=\"" + escape_html(target) + "\">" + inner + "</a>" : inner;
    at_ += end + 1;
    return true;
  }

  // Takes a reference such as (6.3); a number with more decimals than a lesson has equations is none.
  bool reference() {
    const std::size_t end = rest().find_first_not_of(digits, std::min<std::size_t>(3, rest().size()));
    if ((end != 4 && end != 5) || !is_one_of(rest()[1], digits) || rest()[2] != '.' || rest()[end] != ')') return false;
    if (!may_refer(source_.substr(0, at_))) return false;
    const std::string number(rest().substr(1, end - 1));
    html_ += markup_ ? hooks_.equation(number) : "(" + number + ")";
    at_ += end + 1;
    return true;
  }

  // Tells whether (6.3) behind this text may be a reference. Behind a name it is a value, as in log(2.5), and behind a
  // decimal number its deviation, as in 39.7 (4.3).
  static bool may_refer(View before) {
    if (before.empty()) return true;
    if (!is_one_of(before.back(), " \n")) return is_one_of(before.back(), marks);
    before.remove_suffix(1);
    const std::string word(before.substr(before.find_last_of(" \n") + 1));
    return word.find('.') == std::string::npos || word.back() == '.' || !decimal_number(word);
  }

  View source_;
  std::size_t line_, at_ = 0;
  const Hooks& hooks_;
  bool markup_;
  std::vector<std::string> open_ = {};  // the emphases that are open
  std::string html_ = {};
};

// ------------------------------------------------------------------------------------------------------------ output

class Writer {
 public:
  explicit Writer(const Hooks& hooks) : hooks_(hooks) {}

  std::string one(const Block& b) {
    if (b.kind == Kind::code) return hooks_.code(b);
    const std::string text = spans(b.text, b.line), level = "h" + std::to_string(b.level);
    switch (b.kind) {
      case Kind::heading:
        return "<" + level + " id=\"" + anchor(b.text) + "\">" + text + "</" + level + ">\n";
      case Kind::list:
        return element(b.ordered ? "ol" : "ul", "\n" + all(b.children));
      case Kind::item: {
        const bool only = b.children.size() == 1 && b.children[0].kind == Kind::paragraph;  // short items stand close
        return element("li", only ? spans(b.children[0].text, b.line) : "\n" + all(b.children));
      }
      case Kind::quote:
        return element("blockquote", "\n" + all(b.children));
      case Kind::details:
        return element("details", "\n" + element("summary", text) + all(b.children));
      case Kind::table: {
        const std::string other = hooks_.table(b);
        return other.empty() ? table(b) : other;
      }
      default:
        return text.empty() || text.starts_with("<figure") ? text : element("p", text);  // a picture stands alone
    }
  }

 private:
  std::string spans(View source, std::size_t line) const { return Inline(source, line, hooks_, true).str(); }
  static std::string element(const std::string& tag, const std::string& content) {
    return "<" + tag + ">" + content + "</" + tag + ">\n";
  }
  std::string all(const std::vector<Block>& blocks) {
    std::string html;
    for (const Block& block : blocks) html += one(block);
    return html;
  }

  // Returns the anchor that GitHub makes of a heading: letters and digits of ASCII, - and _ stay, letters become small.
  // Where it was given before, -1, -2 follow.
  std::string anchor(View heading) {
    std::string wanted;
    for (const char c : small_letters(plain(heading)))
      if (is_one_of(c, letters) || is_one_of(c, digits) || is_one_of(c, "-_ ")) wanted += c == ' ' ? '-' : c;
    std::string given = wanted;
    while (anchors_.count(given) > 0) given = wanted + "-" + std::to_string(++anchors_[wanted]);
    anchors_[given] = 0;
    return given;
  }

  std::string table(const Block& b) const {
    const auto row = [&](std::size_t r, const std::string& tag) {
      constexpr const char* classes[] = {"", " class=\"left\"", " class=\"center\"", " class=\"right\""};
      std::string html;
      for (std::size_t c = 0; c < b.rows[r].size(); ++c)
        html += "<" + tag + (tag == "th" ? " scope=\"col\"" : "") + classes[std::size_t(b.alignments[c])] + ">" +
                spans(b.rows[r][c], b.line + r + (r > 0)) + "</" + tag + ">";
      return "<tr>" + html + "</tr>\n";
    };
    std::string body;
    for (std::size_t r = 1; r < b.rows.size(); ++r) body += row(r, "td");
    return "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"table\">\n<table>\n<thead>\n" +
           row(0, "th") + "</thead>\n" + (body.empty() ? "" : "<tbody>\n" + body + "</tbody>\n") + "</table>\n</div>\n";
  }

  const Hooks& hooks_;
  std::map<std::string, int> anchors_ = {};  // those given, and how often each was wanted again
};

}  // namespace

std::vector<Block> read(View text) {
  std::vector<View> lines;
  for (; !text.empty(); text.remove_prefix(std::min(lines.back().size() + 1, text.size())))
    lines.push_back(text.substr(0, text.find('\n')));
  for (std::size_t k = 0; k < lines.size(); ++k)
    if (printable(lines[k]) != lines[k]) throw Error(k + 1, "a tab, or a character that is no visible UTF-8");
  return Reader(lines, 1, 0).blocks();
}

std::string html(const std::vector<Block>& blocks, const Hooks& hooks) {
  Writer writer(hooks);
  std::string all;
  for (const Block& block : blocks) all += writer.one(block) + hooks.behind(block);
  return all;
}

std::string plain(View source) { return Inline(source, 1, Hooks(), false).str(); }

}  // namespace markdown
