// Letters of any alphabet of mathematics, of full width, or with marks, as the plain ones.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/frame/text/words.hpp"

namespace {

// Characters that mean the same, separated by blanks; invisible ones and blanks: is_invisible.
struct Alike {
  std::string_view written, plain;
};
constexpr Alike alike[] = {
    {"′ ’ ‘ ´ ʹ ˈ `", "'"},
    {"″ ”", "''"},
    {"− – — ‒ ‐ ‑ ﹣", "-"},
    {"⋅ ∙ • ∗ ・ ‧ ⸱", "·"},
    {"⨯ ✕ ✖ ⊗", "×"},
    {"◦ ∘ ○ ⨀ ⊚", "⊙"},
    {"÷ ∕ ⁄", "/"},
    {"⊤ ⟙ ᵀ †", "ᵀ"},
    {"∑", "Σ"},
    {"≔ ≡", "="},
    {"⟵", "←"},
    {"⩽ ≦", "≤"},
    {"⩾ ≧", "≥"},
    {"‖ ∥ ∣", "|"},
    {"ϕ", "φ"},
    {"ϵ", "ε"},
    {"ϑ", "θ"},
    {"ϰ", "κ"},
    {"ϱ", "ρ"},
    {"ϖ", "π"},
    {"µ", "μ"},
    {"ς", "σ"},
    {"ⅆ ⅾ", "d"},
    {"ℯ ⅇ", "e"},
    {"ℓ", "l"},
    {"ℎ", "h"},
    {"ℊ", "g"},
    {"ℴ", "o"},
    {"ℬ", "B"},
    {"ℰ", "E"},
    {"ℱ", "F"},
    {"ℋ ℍ", "H"},
    {"ℐ", "I"},
    {"ℒ", "L"},
    {"ℳ", "M"},
    {"ℕ", "N"},
    {"ℙ", "P"},
    {"ℚ", "Q"},
    {"ℛ ℝ", "R"},
    {"ℤ", "Z"},
    {"𝟏 𝟙", "ones"},
    {"⟨ 〈", "vdot("},
    {"⟩ 〉", ")"},
};

constexpr bool between(char32_t code, char32_t first, char32_t last) {
  return first <= code && code <= last;
}

bool is_blank(char32_t code) {
  return code == '\t' || code == 0xA0 || between(code, 0x2000, 0x200A) || code == 0x202F ||
         between(code, 0x205F, 0x205F) || code == 0x2062 || code == 0x3000;
}
bool is_invisible(char32_t code) {
  return code == '\r' || code == 0xAD || between(code, 0x200B, 0x200F) ||
         between(code, 0x202A, 0x202E) || between(code, 0x2060, 0x2069) ||
         between(code, 0xFE00, 0xFE0F) || code == 0xFEFF;
}

// Greek alphabets of mathematics: 25 capitals, nabla, 25 small letters, and seven variants.
std::string greek(char32_t place) {
  constexpr char32_t variants[] = {U'∂', U'ε', U'θ', U'κ', U'φ', U'ρ', U'π'};
  if (place < 25) return utf8::encode(place == 17 ? U'Θ' : 0x391 + place);
  if (place == 25) return "∇";
  return utf8::encode(place < 51 ? 0x3B1 + place - 26 : variants[place - 51]);
}

// Returns the plain letter of a mathematical alphabet (U+1D400 to U+1D7FF); nothing of another.
std::string of_mathematics(char32_t code) {
  if (between(code, 0x1D400, 0x1D6A3)) {
    const char32_t place = (code - 0x1D400) % 52;
    return std::string(1, char(place < 26 ? 'A' + place : 'a' + place - 26));
  }
  if (between(code, 0x1D6A8, 0x1D7C9)) return greek((code - 0x1D6A8) % 58);
  if (between(code, 0x1D7CE, 0x1D7FF)) return std::string(1, char('0' + (code - 0x1D7CE) % 10));
  return "";
}

std::string plain(std::string_view character, char32_t code) {
  for (const auto& [written, plain] : alike) {
    const std::size_t at = written.find(character);
    if (at != written.npos && !character.empty()) return std::string(plain);
  }
  if (is_blank(code)) return " ";
  if (is_invisible(code)) return "";
  if (code == 0x302) return "hat";  // a mark above the letter before
  if (code == 0x303) return "~";
  if (between(code, 0xFF01, 0xFF5E)) return std::string(1, char(code - 0xFEE0));
  if (const std::string letter = of_mathematics(code); !letter.empty()) return letter;
  return std::string(character);
}

}  // namespace

std::string plain_letters(std::string_view text) {
  std::string all;
  for (std::size_t at = 0; at < text.size();) {
    const utf8::Character c = utf8::first(text.substr(at));
    const std::size_t bytes = std::max<std::size_t>(c.bytes, 1);
    const std::string_view character = text.substr(at, bytes);
    all += c.code < 0x80 && c.code != '\t' && c.code != '\r' && c.code != '`'
               ? std::string(character)
               : plain(character, c.code);
    at += bytes;
  }
  return all;
}
