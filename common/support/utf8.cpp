// SPDX-License-Identifier: MIT
#include "common/support/utf8.hpp"

namespace utf8 {

Character first(std::string_view text) {
  if (text.empty()) return {};
  const unsigned lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF8 ? 4 : 0;
  if (bytes == 0 || text.size() < bytes) return {};
  char32_t code = lead & (0x7Fu >> bytes);
  for (std::size_t k = 1; k < bytes; ++k) {
    const unsigned next = static_cast<unsigned char>(text[k]);
    if ((next & 0xC0) != 0x80) return {};
    code = (code << 6) | (next & 0x3F);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};  // what needs so many bytes
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < smallest[bytes] || code > 0x10FFFF || surrogate) return {};
  return {code, bytes};
}

std::string encode(char32_t code) {
  const auto part = [&](unsigned mark, unsigned shift) { return static_cast<char>(mark | (code >> shift & 0x3F)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {part(0xC0, 6), part(0x80, 0)};
  if (code < 0x10000) return {part(0xE0, 12), part(0x80, 6), part(0x80, 0)};
  return {part(0xF0, 18), part(0x80, 12), part(0x80, 6), part(0x80, 0)};
}

}  // namespace utf8
