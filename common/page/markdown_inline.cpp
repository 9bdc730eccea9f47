// SPDX-License-Identifier: MIT
#include "common/page/markdown_inline.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "common/page/markdown.hpp"
#include "common/support/words.hpp"

namespace markdown {
namespace {

constexpr std::string_view marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
constexpr std::string_view word = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#_+-";  // in names

// Tells whether (6.3) behind this text may be a reference. Behind a name it is a value, as in log(2.5), and behind a
// decimal number its deviation, as in 39.7 (4.3).
bool may_be_followed_by_a_reference(std::string_view text) {
  if (text.empty()) return true;
  const char last = text.back();
  if (last != ' ' && last != '\n') return is_one_of(last, marks);
  text.remove_suffix(1);
  text.remove_prefix(text.size() - std::min<std::size_t>(text.size(), 12));  // a number is short: looks no further
  const std::string before(text.substr(text.find_last_of(" \n") + 1));
  return before.empty() || before.back() == '.' || before.find('.') == std::string::npos || !decimal_number(before);
}

class Scanner {
 public:
  Scanner(std::string_view source, std::size_t line) : source_(source), line_(line) { check_characters(source, line); }
  std::vector<Token> tokens();

 private:
  struct Link {
    std::size_t open = 0, close = 0, end = 0;  // where [ and ] stand, and what follows the )
  };
  struct Mark {
    std::size_t at = 0, length = 0, tokens = 0;  // the length is that of the stars, 0 for a link; tokens before it
  };
  enum class Side { space, mark, letter };
  struct Flanks {
    Side before, after;
    bool left, right;  // the run may open, or close, an emphasis: CommonMark calls it left-flanking, right-flanking
  };

  [[noreturn]] void fail(std::size_t at, const std::string& what) const;
  std::string_view run() const;  // the same character as often as it stands here
  Flanks flanks(std::size_t length) const;
  void find_links();
  std::size_t code_end(std::size_t at) const;
  void text(std::string_view piece);
  void escape();
  void code();
  void stars();
  void strike_or_underline();
  void open_link();
  void close_link();
  bool equation();
  void refuse_markup() const;

  std::string_view source_;
  std::size_t line_, at_ = 0, link_ = 0;  // link_: the next one, or the one that is open
  std::vector<Link> links_;
  std::vector<Mark> open_;
  bool strike_opened_ = false, underline_opened_ = false;  // by ~ and _ that GitHub would pair with the next
  std::vector<Token> tokens_;
};

std::vector<Token> Scanner::tokens() {
  find_links();
  while (at_ < source_.size()) {
    const char c = source_[at_];
    if (link_ < links_.size() && at_ == links_[link_].close) close_link();
    else if (link_ < links_.size() && at_ + (c == '!') == links_[link_].open) open_link();
    else if (c == '\\') escape();
    else if (c == '`') code();
    else if (c == '*') stars();
    else if (c == '~' || c == '_') strike_or_underline();
    else if (c != '(' || !equation()) {
      refuse_markup();
      text(source_.substr(at_++, 1));
    }
  }
  if (!open_.empty()) fail(open_.back().at, "an emphasis does not end; write \\* for a star");
  return std::move(tokens_);
}

void Scanner::fail(std::size_t at, const std::string& what) const {
  const auto newlines = std::count(source_.begin(), source_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw Error(line_ + static_cast<std::size_t>(newlines), what);
}

std::string_view Scanner::run() const {
  const std::string_view rest = source_.substr(at_);
  return rest.substr(0, std::min(rest.find_first_not_of(rest[0]), rest.size()));
}

// Finds the links before anything else: code binds closer than their brackets, and these closer than an emphasis.
void Scanner::find_links() {
  std::vector<std::size_t> brackets;
  for (std::size_t at = 0; at < source_.size(); ++at) {
    const char c = source_[at];
    if (c == '\\') ++at;
    else if (c == '`') at = code_end(at) - 1;
    else if (c == '[') brackets.push_back(at);
    if (c != ']' || brackets.empty()) continue;
    const std::size_t open = brackets.back();
    brackets.pop_back();
    if (!source_.substr(at + 1).starts_with('(')) continue;
    const std::size_t end = source_.find(')', at);
    if (end == std::string_view::npos) fail(at, "a link does not end");
    if (!links_.empty() && links_.back().open > open) fail(open, "a link or an image within a link");
    links_.push_back({open, at, end + 1});
    at = end;
  }
}

// Returns where the code that begins at a backtick ends: behind as many backticks.
std::size_t Scanner::code_end(std::size_t at) const {
  const auto end_of_run = [&](std::size_t begin) {
    return std::min(source_.find_first_not_of('`', begin), source_.size());
  };
  const std::size_t begin = end_of_run(at), length = begin - at;
  for (std::size_t next = source_.find('`', begin); next != std::string_view::npos;) {
    const std::size_t end = end_of_run(next);
    if (end - next == length) return end;
    next = source_.find('`', end);
  }
  fail(at, "a backtick without its other; write \\` for a single one");
}

void Scanner::text(std::string_view piece) {
  if (tokens_.empty() || tokens_.back().kind != Token::Kind::text) tokens_.push_back({});
  tokens_.back().text += piece;
}

void Scanner::escape() {
  const std::string_view next = source_.substr(at_ + 1, 1);
  if (next == "\n") fail(at_, "a backslash at the end of a line breaks it");
  const bool escapes = !next.empty() && is_one_of(next[0], marks);
  text(escapes ? next : "\\");
  at_ += escapes ? 2 : 1;
}

// One space is taken off both ends, so that code may begin or end with a backtick.
void Scanner::code() {
  const std::size_t length = run().size(), end = code_end(at_);
  std::string code(source_.substr(at_ + length, end - at_ - 2 * length));
  std::replace(code.begin(), code.end(), '\n', ' ');
  if (code.size() > 1 && code.front() == ' ' && code.back() == ' ' && !consists_of(code, " "))
    code = code.substr(1, code.size() - 2);
  tokens_.push_back({Token::Kind::code, code});
  at_ = end;
}

// Tells what stands before and behind a run, as CommonMark does to decide what it can begin and end; looks past ~, as
// GitHub does.
Scanner::Flanks Scanner::flanks(std::size_t length) const {
  const auto side_of = [](std::string_view text) {
    const char32_t code = text.empty() ? U' ' : utf8::first(text).code;
    if (code == ' ' || code == '\n' || code == 0xA0 || (code >= 0x2000 && code <= 0x200A)) return Side::space;
    if (code < 0x80) return is_one_of(static_cast<char>(code), marks) ? Side::mark : Side::letter;
    const bool of_latin =
        std::u32string_view(U"\u00A1\u00A7\u00AB\u00B6\u00B7\u00BB\u00BF").find(code) != std::u32string_view::npos;
    return of_latin || (code >= 0x2010 && code <= 0x205E) ? Side::mark : Side::letter;
  };
  std::size_t end = at_, next = at_ + length;
  while (end > 0 && source_[end - 1] == '~') --end;
  while (next < source_.size() && source_[next] == '~') ++next;
  std::size_t last = end - std::min<std::size_t>(end, 1);
  while (last > 0 && (source_[last] & 0xC0) == 0x80) --last;
  const Side before = side_of(source_.substr(last, end - last)), after = side_of(source_.substr(next));
  return {before, after, after != Side::space && (after == Side::letter || before != Side::letter),
          before != Side::space && (before == Side::letter || after != Side::letter)};
}

void Scanner::stars() {
  const std::string_view stars = run();
  const std::size_t length = stars.size();
  const auto [before, after, left, right] = flanks(length);
  const bool within = !open_.empty() && open_.back().length > 0;
  const std::string tag = length == 1 ? "em" : "strong";
  if (length > 2) fail(at_, "more than two stars; write \\* for a star");
  if (right && within && open_.back().length == length) {
    tokens_.push_back({Token::Kind::close, tag});
    open_.pop_back();
  } else if (left) {
    const auto same = [length](const Mark& mark) { return mark.length == length; };
    if (std::any_of(open_.begin(), open_.end(), same)) fail(at_, "an emphasis within its like, or one without its end");
    tokens_.push_back({Token::Kind::open, tag});
    open_.push_back({at_, length, tokens_.size()});
  } else if (right && (within || length == 2)) {
    fail(at_, "stars that end no emphasis; write \\* for a star");
  } else {
    text(stars);
  }
  at_ += length;
}

// Takes ~ and _ as text as long as no two of them could strike text through or underline it.
void Scanner::strike_or_underline() {
  const std::string_view same = run();
  const auto [before, after, left, right] = flanks(same.size());
  const bool underline = same[0] == '_';
  const bool opens = left && (!underline || !right || before == Side::mark);
  const bool closes = right && (!underline || !left || after == Side::mark);
  bool& opened = underline ? underline_opened_ : strike_opened_;
  if (closes && opened)
    fail(at_, underline ? "emphasis is written with stars, a mere _ as \\_"
                        : "GitHub strikes out text between ~: write \\~");
  opened = opened || opens;
  text(same);
  at_ += same.size();
}

void Scanner::open_link() {
  const auto [open, close, end] = links_[link_];
  const std::string target(source_.substr(close + 2, end - close - 3));
  const std::string scheme = small_letters(target.substr(0, target.find_first_of(":/?#")));
  if (target.empty() || target.find_first_of(" \n<>\"\\`()[]") != std::string::npos)
    fail(close, "a link's target must be there, without spaces, quotes, brackets and backslashes");
  if (target.substr(scheme.size()).starts_with(':') && scheme != "http" && scheme != "https" && scheme != "mailto")
    fail(close, "a link's target must be a path, http:, https: or mailto:");
  tokens_.push_back({Token::Kind::open, "a", target});
  open_.push_back({at_, 0, tokens_.size()});
  at_ = open + 1;
}

// Of an image, which a ! announces, only the plain text of what stood in the brackets is kept.
void Scanner::close_link() {
  const Mark mark = open_.back();
  if (mark.length > 0) fail(mark.at, "an emphasis does not end within its link");
  if (source_[mark.at] == '!') {
    const auto first = tokens_.begin() + static_cast<std::ptrdiff_t>(mark.tokens);
    const Token image{Token::Kind::image, text_of({first, tokens_.end()}), std::prev(first)->target};
    tokens_.erase(std::prev(first), tokens_.end());
    tokens_.push_back(image);
  } else {
    tokens_.push_back({Token::Kind::close, "a"});
  }
  open_.pop_back();
  at_ = links_[link_++].end;
}

// Takes a reference such as (6.3); a number with more decimals than a lesson has equations is none.
bool Scanner::equation() {
  const std::string_view rest = source_.substr(at_);
  const std::size_t end = rest.find_first_not_of(digits, std::min<std::size_t>(3, rest.size()));
  if ((end != 4 && end != 5) || !is_digit(rest[1]) || rest[2] != '.' || rest[end] != ')') return false;
  const bool in_link = link_ < links_.size() && at_ > links_[link_].open;
  if (in_link || !may_be_followed_by_a_reference(source_.substr(0, at_))) return false;
  tokens_.push_back({Token::Kind::equation, std::string(rest.substr(1, end - 1))});
  at_ += end + 1;
  return true;
}

// Throws where GitHub sees more than text, though no README uses it.
void Scanner::refuse_markup() const {
  const char c = source_[at_], before = at_ > 0 ? source_[at_ - 1] : ' ';
  const std::string_view rest = source_.substr(at_ + 1);
  const auto name_ends_with = [&](char last) {
    const std::size_t end = rest.find_first_not_of(word);
    return end != std::string_view::npos && end > 0 && rest[end] == last;
  };
  const bool mail = c == '@' && (is_one_of(before, word) || before == '.') && !rest.empty() && is_one_of(rest[0], word);
  if (begins_html(source_.substr(at_))) fail(at_, "HTML: write a space behind <, or \\<, or `code`");
  if (c == '&' && name_ends_with(';')) fail(at_, "a character reference: write the character itself");
  if (c == '$') fail(at_, "GitHub takes $ for mathematics: write \\$ or `code`");
  if (c == ':' && name_ends_with(':')) fail(at_, "GitHub takes :name: for an emoji: write `code`");
  if (mail || (c == ':' && rest.starts_with("//")) || (c == 'w' && rest.starts_with("ww.")))
    fail(at_, "a bare address: write [text](address) or `code`");
}

}  // namespace

void check_characters(std::string_view text, std::size_t line) {
  for (std::size_t at = 0, bytes = 0; at < text.size(); at += bytes) {
    const utf8::Character character = utf8::first(text.substr(at));
    bytes = character.bytes;
    if (bytes == 0) throw Error(line, "the text is not UTF-8");
    if (text[at] == '\n') ++line;
    else if (text[at] == '\t') throw Error(line, "a tab: use spaces");
    else if (character.code < 0x20 || (character.code >= 0x7F && character.code < 0xA0) || character.code == 0xFEFF)
      throw Error(line, "a character that cannot be seen");
  }
}

std::vector<Token> tokens(std::string_view source, std::size_t line) { return Scanner(source, line).tokens(); }

std::string text_of(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& token : tokens) {
    if (token.kind == Token::Kind::equation) text += "(" + token.text + ")";
    else if (token.kind != Token::Kind::open && token.kind != Token::Kind::close) text += token.text;
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace markdown
