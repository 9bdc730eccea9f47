// Text: UTF-8, numbers as text, widths in columns, wrapping, HTML, tables.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

// Characters of UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
namespace utf8 {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;
};

// Tells whether a byte belongs to a character that began before.
inline bool continues(char c) { return (c & 0xC0) == 0x80; }

// Returns the character that text starts with; of 0 bytes where none does.
Character first(std::string_view text);

// Returns the character U+code, code at most 0x10FFFF.
std::string encode(char32_t code);

}  // namespace utf8

// Returns x with this many decimals: fixed(3.14159, 2) is 3.14.
std::string fixed(double x, int decimals);

// Returns x with `digits` significant digits, very large or small in powers of ten, as 1.2e-05.
std::string significant(double x, int digits = 3);

// Returns the number that a whole text is in decimal digits, such as -12, .5 or 1e-3; nothing
// unless it is finite. strtod alone would also take leading blanks, nan, inf and hexadecimal.
std::optional<double> decimal_number(const std::string& text);

// Returns a number as people write it: 1/6, 25 %, 2^-50, 9·10⁻¹⁶, 0,5 or 10 000. Of 11,907 nobody
// can tell whether it is 11907, so it is none.
std::optional<double> number_by_hand(std::string text);

// Returns the text with letters of other alphabets of mathematics, marks, signs that look alike,
// and blanks as the plain ones, and without what is invisible: 𝑍 is Z, ’ is ', X̂ is Xhat.
std::string plain_letters(std::string_view text);

// Returns "loss 2.5 after 100" of "loss ", 2.5, " after ", 100.
template <class... Parts>
std::string join(const Parts&... parts) {
  std::string all;
  const auto add = [&all](const auto& part) {
    using Part = std::decay_t<decltype(part)>;
    if constexpr (std::is_floating_point_v<Part>) all += significant(double(part), 4);
    else if constexpr (std::is_integral_v<Part>) all += std::to_string(part);
    else all += part;
  };
  (add(parts), ...);
  return all;
}

// Returns "a, b, c" of a list and ", ", each item as `written` writes it.
template <class List, class Written = std::identity>
std::string joined(const List& list, std::string_view between, const Written& written = {}) {
  std::string all;
  for (const auto& item : list) all += join(all.empty() ? "" : between, written(item));
  return all;
}

// Returns the text with `to` in the place of each `from`.
std::string replaced(std::string text, std::string_view from, std::string_view to);

// Counts the code points of UTF-8 text.
std::size_t columns_of(std::string_view text);

enum class Side { left, right };
std::string pad(std::string text, std::size_t columns, Side side = Side::left);

// Breaks text at spaces into lines of at most `columns`; every line but the first starts with
// `indent` spaces.
std::string wrap(std::string_view text, std::size_t columns, std::size_t indent = 0);

// Breaks every line longer than `columns` at a space, or inside a word that is longer still.
std::string fold(std::string_view text, std::size_t columns);

// Makes text that every terminal and page can hold: newlines and visible UTF-8 stay, any other byte
// becomes U+FFFD.
std::string printable(std::string_view text);

// Makes the same on one line.
std::string one_line(std::string_view text);

// Returns a text with a full stop; a question keeps its own mark.
inline std::string sentence(const std::string& text) {
  return text + (text.ends_with('?') ? "" : ".");
}

// Makes the same of the first sixty bytes, with three dots for the rest.
std::string excerpt(std::string_view text);

// Returns the name that comes nearest to this one, of those for which at most so many bytes must be
// changed, added or taken away; or nothing.
std::string nearest(const std::string& name, const std::vector<std::string>& names,
                    std::size_t most);

// Converts ASCII letters only.
std::string small_letters(std::string text);

std::string escape_html(std::string_view text);

struct Table {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;

  // Returns lines of at most `width` columns: what is wider continues below, beside the first
  // column again.
  std::string text(std::size_t width = 80) const;

  std::string html() const;
};
