// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <map>

#include "common/page/markdown.hpp"
#include "common/page/markdown_inline.hpp"
#include "common/support/words.hpp"

namespace markdown {
namespace {

std::string inline_at(std::string_view source, std::size_t line, const Hooks& hooks) {
  std::string html;
  for (const auto& [kind, text, target] : tokens(source, line)) {
    switch (kind) {
      case Token::Kind::text:
        html += escape_html(text);
        break;
      case Token::Kind::code:
        html += "<code>" + escape_html(text) + "</code>";
        break;
      case Token::Kind::equation:
        html += hooks.equation(text);
        break;
      case Token::Kind::image:
        html += hooks.image(target, text);
        break;
      case Token::Kind::close:
        html += "</" + text + ">";
        break;
      case Token::Kind::open:
        html += text == "a" ? "<a href=\"" + escape_html(hooks.link(target)) + "\">" : "<" + text + ">";
    }
  }
  return html;
}

class Writer {
 public:
  explicit Writer(const Hooks& hooks) : hooks_(hooks) {}
  std::string document(const std::vector<Block>& blocks);

 private:
  std::string html(const std::vector<Block>& blocks);
  std::string html(const Block& block);
  std::string item(const Block& item);
  std::string table(const Block& table) const;
  std::string anchor(const Block& heading);

  const Hooks& hooks_;
  std::map<std::string, int> anchors_;  // those given, and how often each was wanted again
};

std::string Writer::document(const std::vector<Block>& blocks) {
  std::string all;
  for (const Block& block : blocks) all += html(block) + hooks_.behind(block);
  return all;
}

std::string Writer::html(const std::vector<Block>& blocks) {
  std::string all;
  for (const Block& block : blocks) all += html(block);
  return all;
}

std::string Writer::html(const Block& block) {
  const auto element = [](const std::string& tag, const std::string& content) {
    return "<" + tag + ">" + content + "</" + tag + ">\n";
  };
  const std::string text = block.kind == Kind::code ? "" : inline_at(block.text, block.line, hooks_);
  const std::string level = std::to_string(block.level);
  switch (block.kind) {
    case Kind::heading:
      return "<h" + level + " id=\"" + anchor(block) + "\">" + text + "</h" + level + ">\n";
    case Kind::paragraph:
      return text.empty() || text.starts_with("<figure") ? text : element("p", text);  // a picture stands alone
    case Kind::list:
      return element(block.ordered ? "ol" : "ul", "\n" + html(block.children));
    case Kind::item:
      return element("li", item(block));
    case Kind::table: {
      const std::string other = hooks_.table(block);
      return other.empty() ? table(block) : other;
    }
    case Kind::quote:
      return element("blockquote", "\n" + html(block.children));
    case Kind::code:
      return hooks_.code(block);
    case Kind::details:
      return element("details", "\n" + element("summary", text) + html(block.children));
  }
  return "";
}

// Writes the text of an item as such where that is all it holds, so that short items stand close.
std::string Writer::item(const Block& item) {
  const bool only = item.children.size() == 1 && item.children[0].kind == Kind::paragraph;
  return only ? inline_at(item.children[0].text, item.children[0].line, hooks_) : "\n" + html(item.children);
}

std::string Writer::table(const Block& table) const {
  const auto row = [&](std::size_t index, const std::string& tag) {
    const std::size_t line = table.line + index + (index > 0);
    std::string cells;
    for (std::size_t column = 0; column < table.rows[index].size(); ++column) {
      constexpr const char* classes[] = {"", " class=\"left\"", " class=\"center\"", " class=\"right\""};
      cells += "<" + tag + (tag == "th" ? " scope=\"col\"" : "");
      cells += classes[static_cast<int>(table.alignments[column])];
      cells += ">" + inline_at(table.rows[index][column], line, hooks_) + "</" + tag + ">";
    }
    return "<tr>" + cells + "</tr>\n";
  };
  std::string body;
  for (std::size_t index = 1; index < table.rows.size(); ++index) body += row(index, "td");
  return "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"table\">\n<table>\n<thead>\n" +
         row(0, "th") + "</thead>\n" + (body.empty() ? "" : "<tbody>\n" + body + "</tbody>\n") + "</table>\n</div>\n";
}

std::string Writer::anchor(const Block& heading) {
  const std::string wanted = slug(heading.text);
  std::string given = wanted;
  while (anchors_.count(given) > 0) given = wanted + "-" + std::to_string(++anchors_[wanted]);
  anchors_[given] = 0;
  return given;
}

// Tells whether GitHub keeps a character in an anchor: letters, digits that are not raised or lowered, _ and -.
bool stands_in_anchor(char32_t code) {
  if (code < 0x80)
    return is_one_of(static_cast<char>(code), "-_") || is_letter(static_cast<char>(code)) ||
           is_digit(static_cast<char>(code));
  if (code == 0xAA || code == 0xB5 || code == 0xBA || code == 0x2071 || code == 0x207F) return true;  // ª µ º ⁱ ⁿ
  struct Range {
    char32_t first, last;
  };
  constexpr Range dropped[] = {{0x80, 0xBF},     {0xD7, 0xD7},     {0xF7, 0xF7},
                               {0x2000, 0x208F}, {0x20A0, 0x20CF}, {0x2190, 0x2BFF},
                               {0x3000, 0x3004}, {0x3008, 0x3020}, {0x1F000, 0x1FAFF}};
  return std::none_of(std::begin(dropped), std::end(dropped),
                      [code](const Range& range) { return code >= range.first && code <= range.last; });
}

// Makes a letter small: of ASCII, Latin-1 and Greek.
char32_t small_letter(char32_t code) {
  const bool large = (code >= 'A' && code <= 'Z') || (code >= 0xC0 && code <= 0xDE) || (code >= 0x391 && code <= 0x3A9);
  return large ? code + 0x20 : code;
}

}  // namespace

std::string Hooks::plain_image(const std::string& target, const std::string& alternative) {
  return "<img src=\"" + escape_html(target) + "\" alt=\"" + escape_html(alternative) + "\">";
}

std::string Hooks::plain_equation(const std::string& number) { return "(" + escape_html(number) + ")"; }

std::string Hooks::plain_code(const Block& block) {
  const std::string language = block.language.empty() ? "" : " class=\"language-" + escape_html(block.language) + "\"";
  return "<pre><code" + language + ">" + escape_html(block.text) + "</code></pre>\n";
}

std::string Hooks::nothing(const Block&) { return ""; }

std::string html(const std::vector<Block>& blocks, const Hooks& hooks) { return Writer(hooks).document(blocks); }

std::string inline_html(std::string_view source, const Hooks& hooks) { return inline_at(source, 1, hooks); }

std::string plain(std::string_view source) { return text_of(tokens(source, 1)); }

std::string slug(std::string_view heading) {
  const std::string text = plain(heading);
  std::string anchor;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = utf8::first(std::string_view(text).substr(at));
    if (code == ' ') anchor += '-';
    else if (stands_in_anchor(code)) anchor += utf8::encode(small_letter(code));
    at += bytes;
  }
  return anchor.empty() ? "section" : anchor;
}

}  // namespace markdown
