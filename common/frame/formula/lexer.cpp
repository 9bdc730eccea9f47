// SPDX-License-Identifier: MIT
#include "common/frame/formula/lexer.hpp"

#include <array>

namespace formula {
namespace {

// Spellings of a sign, and its name here; the longer sign comes first.
struct Spelling {
  std::string_view written = {}, called = {};
};
constexpr Spelling respelled[] = {
    {"**", "^"}, {".*", "⊙"},  {".^", "^"},  {"./", "/"},  {".+", "+"},   {".-", "-"},
    {".'", "ᵀ"}, {"::", "."},  {":=", "="},  {"==", "="},  {"<=", "≤"},   {">=", "≥"},
    {"<-", "←"}, {"+=", "+="}, {"-=", "-="}, {"×", "·"},   {"%*%", "·"},  {"@", "·"},
    {"'", "ᵀ"},  {"{", "("},   {"}", ")"},   {"½", "0.5"}, {"¼", "0.25"}, {"¾", "0.75"}};
constexpr std::string_view signs = "·⊙+-/^()[],;|=←≤≥<>≈√Σᵀ.:∂∇";
constexpr Spelling raised{"⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺⁽⁾ⁿᵗᴸˡⁱʲᵏ", "0123456789-+()ntLlijk"},
    lowered{"₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789+-()aehijklmnoprstuvx"};

// What TeX calls our signs; a command that is not here is a name, or sets something.
constexpr Spelling commands[] = {
    {"cdot", "·"},     {"times", "·"},    {"ast", "·"},    {"odot", "⊙"},      {"circ", "⊙"},
    {"top", "ᵀ"},      {"intercal", "ᵀ"}, {"dagger", "ᵀ"}, {"prime", "'"},     {"sum", "Σ"},
    {"partial", "∂"},  {"nabla", "∇"},    {"sqrt", "√"},   {"le", "≤"},        {"leq", "≤"},
    {"ge", "≥"},       {"geq", "≥"},      {"gets", "←"},   {"leftarrow", "←"}, {"approx", "≈"},
    {"lVert", "|"},    {"rVert", "|"},    {"lvert", "|"},  {"rvert", "|"},     {"Vert", "|"},
    {"vert", "|"},     {"mid", "|"},      {"div", "/"},    {"ell", "l"},       {"frac", "frac"},
    {"dfrac", "frac"}, {"tfrac", "frac"}};
constexpr std::string_view of_layout[] = {
    "left",   "right", "big",   "Big",          "bigl",     "bigr", "Bigl",  "Bigr",
    "limits", "quad",  "qquad", "displaystyle", "nolimits", "bigg", "biggl", "biggr"};
constexpr std::string_view marks[] = {"hat", "widehat", "tilde", "widetilde", "bar"};

std::string_view called(std::span<const Spelling> list, std::string_view written) {
  for (const Spelling& one : list)
    if (one.written == written) return one.called;
  return {};
}

Spelling sign_at(std::string_view text) {
  for (const Spelling& one : respelled)
    if (text.starts_with(one.written)) return one;
  const std::string_view first = first_character(text);
  return signs.find(first) == signs.npos ? Spelling{} : Spelling{first, first};
}

class Lexer {
 public:
  Lexer(std::string_view text, const Hand& hand) : text_(text), hand_(hand) {}

  std::vector<Token> tokens() {
    if (text_.size() > 1000) throw Error("the line is too long: at most 1000 bytes");
    for (;;) {
      std::size_t blanks = 0;
      for (; here() == ' ' || layout(); at_ += here() == ' ') blanks += here() == ' ';
      const bool at_end = at_ == text_.size() || here() == '#' || rest().starts_with("//");
      Token& token = all_.emplace_back(Token{.blanks = at_end ? 1 : blanks, .at = at_});
      if (at_end) return std::move(all_);
      if (!quoted(token) && !number(token) && !name(token)) sign(token);
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

  // ----------------------------------------------------------------------------------------- TeX

  std::string_view command() const {
    if (here() != '\\') return {};
    std::size_t bytes = 1;
    while (is_letter(here(bytes))) ++bytes;
    return rest().substr(1, bytes - 1);
  }

  // Returns where the bracket closes that opens at a place; the end of the text if it does not.
  std::size_t closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t at = open; at < text_.size(); ++at) {
      depth += std::string_view("([{").find(text_[at]) != std::string_view::npos;
      depth -= std::string_view(")]}").find(text_[at]) != std::string_view::npos;
      if (depth == 0) return at;
    }
    return text_.size();
  }

  bool pass(std::size_t bytes) {
    at_ += bytes;
    return true;
  }

  // Passes what only sets a formula.
  bool layout() {
    const bool escapes = here() == '\\' && here(1) != '\0';
    if (contains(passed_, at_) || is_dollar() || here() == '&') return pass(1);
    if (escapes && (here(1) == '{' || here(1) == '}')) return pass(1);
    if (escapes && std::string_view(",;:!\\ ").find(here(1)) < 6) return pass(2);
    if (rest().starts_with("@. ")) return pass(2);  // Julia's: entry by entry
    const std::string_view tex = command();
    const bool style = tex.starts_with("math") || contains(styles, tex),
               mark = contains(marks, tex);
    if (!style && !mark && !contains(of_layout, tex)) return false;
    pass(1 + tex.size());
    if (mark) mark_ = tex.ends_with("hat") ? "hat" : tex.ends_with("tilde") ? "~" : "bar";
    while (mark && here() == ' ') ++at_;
    if ((!style && !mark) || here() != '{') return true;
    if (closing(at_) < text_.size()) passed_.push_back(closing(at_));
    return pass(1);
  }
  bool is_dollar() const {  // around a whole line
    const bool last = text_.find_first_not_of("$ .", at_) == text_.npos;
    return here() == '$' && (at_ == 0 || last || hand_.is_typed);
  }
  static constexpr std::string_view styles[] = {"text",         "textbf", "textrm", "boldsymbol",
                                                "operatorname", "bm",     "rm",     "bf"};

  // -------------------------------------------------------------------------------------- tokens

  // In a call stand texts, 'ij,jk->ik'; elsewhere ' is a sign.
  bool quoted(Token& token) {
    if ((here() != '\'' && here() != '"') || all_.size() < 2) return false;
    const Token& before = all_[all_.size() - 2];
    const std::size_t end = text_.find(here(), at_ + 1);
    if ((!before.is("(") && !before.is(",") && !before.is("=")) || end == text_.npos) return false;
    token.type = Type::text;
    token.text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }

  // Tells whether \frac, or \frac and a digit, stands before.
  bool is_behind_fraction() const {
    const auto before = [&](std::size_t k) {
      return all_.size() > k ? all_[all_.size() - 1 - k].text : "";
    };
    return before(1) == "frac" ||
           (before(2) == "frac" && before(1).size() == 1 && is_digit(before(1)[0]));
  }

  bool number(Token& token) {
    token.type = Type::number;
    const auto point = [&] { return here() == '.' && is_digit(here(1)); };
    if (!is_digit(here()) && !point()) return false;
    const std::size_t from = at_;
    if (is_behind_fraction()) {  // \frac15
      token.text = take(1);
      return true;
    }
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
    const bool ends = here() == '.' && (here(1) == ' ' || here(1) == ')' || here(1) == '\0');
    if (ends && token.text.find('.') == token.text.npos) ++at_;  // 2. is 2
    const std::string_view part = sign_at(rest()).called;        // 3¼ is 3.25
    if (!part.empty() && part.starts_with("0.") &&
        token.text.find_first_of(".e") == token.text.npos) {
      token.text += part.substr(1);
      at_ += first_character(rest()).size();
    }
    if (token.text == "1" && contains(passed_, at_))
      token = {Type::name, "ones", "", token.blanks, token.at};
    if (token.type == Type::name) return true;
    if (!decimal_number(token.text)) throw Error(token.text, " is too large");
    return true;
  }

  bool name(Token& token) {
    token.type = Type::name;
    const std::string_view tex = command();
    if (!tex.empty() && called(commands, tex).empty()) {
      const bool solves = tex[0] < 'a' && tex != "Delta" && tex != "Sigma" && tex != "Gamma";
      if (solves) throw Error("A\\B solves equations in MATLAB; a product is A·B, or typed A*B");
      at_ += 1;
      token.text = take(tex.size());
    } else if (is_letter(here())) {
      token.text = take_while(is_letter_or_digit);
    }
    if (token.text.empty() || token.text == "d") token.text += greek();
    if (token.text.empty()) return false;
    token.text += std::exchange(mark_, "");
    if (contains(passed_, at_)) ++at_;
    if (token.text == "d") token.text += behind_d();
    const std::size_t before = at_;
    token.subscript = subscript();
    if (token.subscript.empty() && at_ > before) token.text += "_";  // a name such as x_
    token.text += take_while([](char c) { return c == '\'' || c == '~'; });
    if (token.subscript.empty() && here() == '_') token.subscript = subscript();  // V~_ij
    return true;
  }

  // Returns what \mathrm{d}W and d\tilde{V} are the differentials of, if it leans on the d.
  std::string behind_d() {
    const std::string_view tex = command();
    if (!is_letter(here()) && (tex.empty() || !called(commands, tex).empty())) return "";
    while (layout()) continue;
    std::string name = is_letter(here()) ? take_while(is_letter_or_digit) : "";
    if (name.empty() && !command().empty()) {
      ++at_;
      name = take_while(is_letter);
    }
    name += std::exchange(mark_, "");
    if (contains(passed_, at_)) ++at_;
    return name;
  }

  void sign(Token& token) {
    token = {Type::sign, "^", script(raised), token.blanks, token.at};
    if (!token.subscript.empty()) return;
    const std::string_view tex = command();
    Spelling sign{rest().substr(0, tex.size() + 1), called(commands, tex)};
    if (sign.called.empty()) sign = sign_at(rest());
    if (hand_.is_typed && (sign.written == "@" || sign.written == "%*%")) sign.called = "@";
    if (here() == '*' && sign.called.empty()) sign = {"*", hand_.star_is_entrywise ? "⊙" : "·"};
    if (sign.written.empty()) {
      const std::size_t bytes = std::max<std::size_t>(utf8::first(rest()).bytes, 1);
      throw Error(
          "'", printable(rest().substr(0, bytes)),
          "' is no sign of this notation; its signs are + - · ⊙ / ^ ᵀ √ Σ |, or, typed, * .* ' "
          "sqrt sum");
    }
    token.text = sign.called;
    if (here() == '{') token.subscript = "{";  // a list, in Mathematica
    if (is_digit(sign.called[0])) token.type = Type::number;
    at_ += sign.written.size();
    if (token.is("Σ") || token.is("∇") || (token.is(")") && here() == '_'))
      token.subscript = subscript();
  }

  // Takes _1, ₁, _l, _ij, _{ij}, or, as (l-1, _(l-1), ₗ₋₁ and _l-1.
  std::string subscript() {
    if (const std::string low = script(lowered); !low.empty())
      return low.find_first_of("+-") == low.npos ? low : "(" + low;
    if (here() != '_') return "";
    ++at_;
    const bool opens = here() != '\0' && std::string_view("({[").find(here()) < 3;
    if (opens) return in_brackets();
    if (here() == 'l' && (here(1) == '+' || here(1) == '-') && is_digit(here(2)) &&
        !is_letter_or_digit(here(3)))
      return "(" + take(3);
    const std::string letters = take_while(is_letter_or_digit);
    return letters.empty() ? greek() : letters;
  }
  std::string in_brackets() {
    const std::size_t end = closing(at_);
    std::string inner(text_.substr(at_ + 1, end - at_ - 1));
    at_ = std::min(end + 1, text_.size());
    std::string letters;
    for (const char c : inner)
      if (c != ',' && c != ' ') letters += c;
    const bool plain = std::all_of(letters.begin(), letters.end(), is_letter_or_digit);
    return plain && !letters.empty() ? letters : "(" + inner;
  }

  std::string_view text_;
  const Hand& hand_;
  std::vector<Token> all_;
  std::vector<std::size_t> passed_;  // brackets of a style that close there
  std::string mark_;                 // above the next letter
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text, const Hand& hand) {
  return Lexer(text, hand).tokens();
}

}  // namespace formula
