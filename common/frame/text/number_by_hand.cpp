// Reads numbers as people write them: decimal commas, powers and fractions, with blanks or without.
// SPDX-License-Identifier: MIT
#include <cmath>

#include "common/frame/text/words.hpp"

namespace {

using Number = std::optional<double>;

// Spellings of one sign; the longer ones of a character come first.
constexpr std::pair<std::string_view, std::string_view> spellings[] = {
    {"−", "-"},  {"–", "-"}, {"×", "*"},     {"·", "*"},     {"⋅", "*"},    {"÷", "/"},
    {"**", "^"}, {" ", ""},  {"\u00a0", ""}, {"\u2009", ""}, {"\u202f", ""}};
constexpr std::string_view raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "⁻"};

// Writes 10⁻¹⁵ as 10^-15, and every sign in ASCII.
std::string in_ascii(std::string text) {
  for (std::size_t k = 0; k < std::size(raised); ++k)
    text = replaced(text, raised[k], std::string("\1") + "0123456789-"[k]);
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\1') plain += text[at];
    else if (at < 2 || text[at - 2] != '\1') plain += '^';
  }
  for (const auto& [from, to] : spellings) plain = replaced(plain, from, to);
  return plain;
}

// Returns the digits with a decimal point for a comma. Nothing for 11,907, where the comma may also
// stand behind thousands: nobody's answer is to be misread.
std::string with_point(const std::string& digits) {
  const std::size_t comma = digits.find(',');
  const bool thousands = comma > 0 && comma <= 3 && digits[0] != '0' && digits.size() == comma + 4;
  return thousands ? "" : replaced(digits, ",", ".");
}

// Reads product = power {(*|/) power}, power = factor [^ power], factor = (product) or a number,
// each perhaps behind a minus and before a %. More than 50 powers and brackets are no number.
class ByHand {
 public:
  explicit ByHand(const std::string& text) : text_(text) {}

  Number whole() {
    const Number number = product();
    return at_ == text_.size() && number && std::isfinite(*number) ? number : std::nullopt;
  }

 private:
  bool accept(char sign) {
    const bool is = at_ < text_.size() && text_[at_] == sign;
    at_ += is;
    return is;
  }

  Number product() {
    Number left = power();
    while (left && at_ < text_.size()) {
      const bool times = accept('*');
      if (!times && !accept('/')) break;
      const Number right = power();
      if (!right) return right;
      left = times ? *left * *right : *left / *right;
    }
    return left;
  }

  Number power() {
    if (++depth_ > 50) return std::nullopt;
    const bool negative = accept('-');
    if (!negative) accept('+');
    Number number = factor();
    if (number && accept('^')) {
      const Number exponent = power();
      if (!exponent) return exponent;
      number = std::pow(*number, *exponent);
    }
    if (number && accept('%')) number = *number / 100;
    if (number && negative) number = -*number;
    return number;
  }

  Number factor() {
    if (accept('(')) {
      const Number inside = product();
      return accept(')') ? inside : std::nullopt;
    }
    const std::size_t from = at_;
    while (at_ < text_.size() && belongs(from)) ++at_;
    return of_digits(text_.substr(from, at_ - from));
  }

  // A sign belongs to the digits behind an e: 1e-3.
  bool belongs(std::size_t from) const {
    const char letter = text_[at_];
    const bool sign = letter == '-' || letter == '+';
    if (sign) return at_ > from && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
    return std::string_view("0123456789.,eE").find(letter) != std::string_view::npos;
  }

  static Number of_digits(const std::string& text) {
    const std::size_t e = std::min(text.find_first_of("eE"), text.size());
    return decimal_number(with_point(text.substr(0, e)) + text.substr(e));
  }

  std::string text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<double> number_by_hand(std::string text) {
  return ByHand(in_ascii(std::move(text))).whole();
}
