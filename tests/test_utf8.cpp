// Tests common/support/words.hpp: every character there and back, and whatever else bytes can be.
// Run: make test, or build/tests/test_utf8
// SPDX-License-Identifier: MIT
#include "common/support/words.hpp"
#include "tests/check.hpp"

int main() {
  Checks check;
  std::size_t valid = 0, wrong = 0;
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    const std::string bytes = utf8::encode(code);
    const auto [found, size] = utf8::first(bytes + "x");
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    wrong += surrogate ? size != 0 : found != code || size != bytes.size();
    wrong += utf8::first(std::string_view(bytes).substr(0, bytes.size() - 1)).bytes != 0;  // cut short
    valid += size != 0;
  }
  check.that(wrong == 0, std::to_string(wrong) + " characters do not come back");
  check.that(valid == 0x110000 - 0x800, "all but the surrogates are characters");

  // Every start of four bytes, the last of which only matters where there are four: what is taken is what is written.
  wrong = 0;
  std::string bytes(4, '\0');
  for (unsigned start = 0; start < 1u << 24; ++start) {
    for (std::size_t k = 0; k < 3; ++k) bytes[k] = static_cast<char>(start >> (16 - 8 * k));
    bytes[3] = static_cast<char>(start % 4 ? 0x80 + start % 64 : start);
    const auto [code, size] = utf8::first(bytes);
    if (size != 0) wrong += code > 0x10FFFF || utf8::encode(code) != bytes.substr(0, size);
  }
  check.that(wrong == 0, std::to_string(wrong) + " texts are taken for a character that is written otherwise");
  check.that(utf8::first("").bytes == 0, "nothing starts with no character");
  return check.done("test_utf8");
}
