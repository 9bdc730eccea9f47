// Characters of UTF-8 text (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace utf8 {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;
};

// Returns the character that text starts with; one of 0 bytes where none does.
Character first(std::string_view text);

// Returns the character U+code, code at most 0x10FFFF, in UTF-8.
std::string encode(char32_t code);

}  // namespace utf8
