// Fuzzes what makes text of any bytes fit for a terminal and for HTML, and numbers as text.
// SPDX-License-Identifier: MIT
#include "common/support/words.hpp"

#include <cmath>
#include <sstream>

#include "tests/fuzz/markup.hpp"

static std::string unescaped(std::string text) {
  const auto replace = [&](const std::string& entity, char c) {
    for (std::size_t at = 0; (at = text.find(entity, at)) != text.npos; ++at) text.replace(at, entity.size(), 1, c);
  };
  replace("&lt;", '<'), replace("&gt;", '>'), replace("&quot;", '"'), replace("&amp;", '&');
  return text;
}

static void check_text(const std::string& text, std::size_t columns) {
  const std::string shown = printable(text), line = one_line(text), escaped = escape_html(shown);
  require(printable(shown) == shown, "what can be shown is left as it is");
  require(line.find('\n') == line.npos, "a line has no end within it");
  require(escaped.find_first_of("<>\"") == escaped.npos, "escaped text has no markup");
  require(unescaped(escaped) == shown, "escaped text is the text");
  require_well_formed(escaped);
  std::istringstream lines(fold(shown, columns));
  for (std::string folded; std::getline(lines, folded);) require(columns_of(folded) <= columns, "a folded line fits");
  require(columns_of(pad(shown, columns)) >= columns, "padded text is as wide as wanted");
  wrap(shown, columns, columns / 2);
  for (std::string_view left = text; !left.empty();) {
    const auto [code, bytes] = utf8::first(left);
    if (bytes > 0) require(utf8::encode(code) == left.substr(0, bytes), "a character is written as it was read");
    left.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const double x = in.ConsumeFloatingPoint<double>();
  const int digits = in.ConsumeIntegralInRange(1, 17);
  require(!fixed(x, digits).empty() && !gigabytes(x).empty(), "a number has digits");
  const std::string number = significant(x, digits);
  if (const auto back = decimal_number(number); back && std::isnormal(x))
    require(std::abs(*back / x - 1) <= 5 * std::pow(10., -digits) + 1e-15, "a number is rounded, no more");
  const std::size_t columns = in.ConsumeIntegralInRange<std::size_t>(1, 20);
  const std::string text = rest(in);
  if (const auto found = decimal_number(text)) require(std::isfinite(*found), "a number is finite");
  check_text(text, columns);
  return 0;
}
