// A line of a README as tokens: numbers, names with what is written below them, signs in one
// spelling each.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/frame/formula/formula.hpp"

namespace formula {

enum class Type { number, name, sign, end };
struct Token {
  Type type = Type::end;
  std::string text = {}, subscript = {};
  bool space = false;  // before it
  std::size_t at = 0;

  bool is(std::string_view sign_or_word) const { return text == sign_or_word; }
};

// Spellings of a sign, and its name here; the longer sign comes first.
struct Spelling {
  std::string_view written = {}, called = {};
};
constexpr Spelling respelled[] = {
    {".*", "⊙"}, {"∘", "⊙"}, {"<=", "≤"}, {">=", "≥"}, {"<-", "←"},  {"+=", "+="},  {"*", "·"},
    {"×", "·"},  {"@", "·"}, {"−", "-"},  {"'", "ᵀ"},  {"½", "0.5"}, {"¼", "0.25"}, {"¾", "0.75"}};
constexpr std::string_view signs = "·⊙+-/^()[],;|=←≤≥<>≈√Σᵀ.";
constexpr Spelling raised{"⁰¹²³⁴⁵⁶⁷⁸⁹⁻ⁿᵗᴸ", "0123456789-ntL"}, lowered{"₀₁₂₃₄₅₆₇₈₉", "0123456789"};

template <class List>
Spelling spelling(const List& list, std::string_view text) {
  for (const Spelling& one : list)
    if (text.starts_with(one.written)) return one;
  return {};
}

inline std::string_view first_character(std::string_view text) {
  return text.substr(0, utf8::first(text).bytes);
}

inline Spelling sign_at(std::string_view text) {
  if (const Spelling sign = spelling(respelled, text); !sign.written.empty()) return sign;
  const std::string_view first = first_character(text);
  return signs.find(first) == signs.npos ? Spelling{} : Spelling{first, first};
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> tokens() {
    if (text_.size() > 1000) throw Error("the line is too long");
    std::vector<Token> all;
    for (;;) {
      const std::size_t before = at_;
      at_ = std::min(text_.find_first_not_of(' ', at_), text_.size());
      const bool at_end = at_ == text_.size();
      Token& token = all.emplace_back(Token{.space = at_end || at_ > before, .at = at_});
      if (at_end) return all;
      if (!number(token) && !name(token)) sign(token);
    }
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  char here(std::size_t k = 0) const { return at_ + k < text_.size() ? text_[at_ + k] : '\0'; }

  std::string take(std::size_t bytes) {
    at_ += bytes;
    return std::string(text_.substr(at_ - bytes, bytes));
  }

  std::string take_while(bool (*accepts)(char)) {
    std::size_t bytes = 0;
    while (accepts(here(bytes))) ++bytes;
    return take(bytes);
  }

  std::string greek() {
    const utf8::Character c = utf8::first(rest());
    const bool is_greek = c.code >= 0x391 && c.code <= 0x3C9 && c.code != 0x3A3;
    return take(is_greek ? c.bytes : 0);
  }

  // Takes characters above or below the line, and returns their names.
  std::string script(const Spelling& characters) {
    std::string all;
    for (;;) {
      const std::string_view next = first_character(rest());
      const std::size_t place = characters.written.find(next);
      if (next.empty() || place == next.npos) return all;
      all += characters.called[columns_of(characters.written.substr(0, place))];
      at_ += next.size();
    }
  }

  bool number(Token& token) {
    token.type = Type::number;
    const auto point = [&] { return here() == '.' && is_digit(here(1)); };
    if (!is_digit(here()) && !point()) return false;
    const std::size_t from = at_;
    take_while(is_digit);
    if (point()) {
      ++at_;
      take_while(is_digit);
    }
    const std::size_t sign = here(1) == '-' || here(1) == '+';
    if (here() == 'e' && is_digit(here(1 + sign))) {
      at_ += 1 + sign;
      take_while(is_digit);
    }
    token.text = text_.substr(from, at_ - from);
    if (!decimal_number(token.text)) throw Error(token.text, " is too large");
    return true;
  }

  bool name(Token& token) {
    token.type = Type::name;
    if (is_letter(here())) token.text = take_while(is_letter_or_digit);
    if (token.text.empty() || token.text == "d") token.text += greek();
    if (token.text.empty()) return false;
    const std::size_t before = at_;
    token.subscript = subscript();
    if (token.subscript.empty() && at_ > before) token.text += "_";  // a name such as x_
    token.text += take_while([](char c) { return c == '\'' || c == '~'; });
    return true;
  }

  void sign(Token& token) {
    token = {Type::sign, "^", script(raised), token.space, token.at};
    if (!token.subscript.empty()) return;
    const Spelling sign = sign_at(rest());
    if (sign.written.empty()) {
      const std::size_t bytes = std::max<std::size_t>(utf8::first(rest()).bytes, 1);
      throw Error("'", printable(rest().substr(0, bytes)), "' is no sign of this notation");
    }
    token.text = sign.called;
    if (is_digit(sign.called[0])) token.type = Type::number;
    at_ += sign.written.size();

    if (token.is("Σ")) token.subscript = subscript();
  }

  // Takes _1, ₁, _l, _ij, or _(l-1), of which the first bracket stays.
  std::string subscript() {
    if (const std::string low = script(lowered); !low.empty()) return low;
    if (here() != '_') return "";
    ++at_;
    if (here() != '(') {
      const std::string letters = take_while(is_letter_or_digit);
      return letters.empty() ? greek() : letters;
    }
    const std::string inner = take(std::min(rest().find(')'), rest().size()));
    at_ += here() == ')';
    return inner;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace formula
