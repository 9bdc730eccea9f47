// Brackets that are not ours: TeX's tables, and Dirac's, which physicists write.
// SPDX-License-Identifier: MIT
#include "common/derive/meaning.hpp"

namespace formula {
namespace {

// Writes \command{inside} as before, inside, behind.
std::string replaced_call(std::string line, const std::string& command, const char* before,
                          const char* behind) {
  const std::string call = "\\" + command + "{";
  for (std::size_t at; (at = line.find(call)) != line.npos;) {
    const std::size_t inside = at + call.size();
    std::size_t end = inside;
    for (int depth = 1; end < line.size(); ++end) {
      depth += line[end] == '{';
      depth -= line[end] == '}';
      if (depth == 0) break;
    }
    if (end == line.size()) return line;
    line = line.substr(0, at) + before + line.substr(inside, end - inside) + behind +
           line.substr(end + 1);
  }
  return line;
}

// Writes |a⟩⟨b|, a column times a row, as outer(a, b).
std::string with_outer_products(std::string line) {
  const std::string middle = "⟩⟨";
  for (std::size_t at; (at = line.find(middle)) != line.npos;) {
    const std::size_t first = line.rfind('|', at), last = line.find('|', at);
    if (first == line.npos || last == line.npos) return line;
    const std::string a = line.substr(first + 1, at - first - 1);
    const std::size_t second = at + middle.size();
    const std::string b = line.substr(second, last - second);
    line = line.substr(0, first) + "outer(" + a + ", " + b + ")" + line.substr(last + 1);
  }
  return line;
}

}  // namespace

std::string with_brackets(std::string line) {
  constexpr std::pair<const char*, const char*> signs[] = {{"\\langle", "⟨"}, {"\\rangle", "⟩"}},
                                                table[] = {{"\\begin{pmatrix}", "["},
                                                           {"\\begin{bmatrix}", "["},
                                                           {"\\end{pmatrix}", "]"},
                                                           {"\\end{bmatrix}", "]"},
                                                           {"&", ","},
                                                           {"\\\\", ";"}};
  for (const auto& [tex, ours] : signs) line = replaced(line, tex, ours);
  line = replaced_call(line, "braket", "⟨", "⟩");
  line = replaced_call(line, "bra", "⟨", "\x01");
  line = replaced_call(line, "ket", "\x02", "⟩");
  line = replaced(line, "\x01\x02", "|");  // \bra{a}\ket{b} has one line between
  for (const char* one : {"\x01", "\x02"}) line = replaced(line, one, "|");
  line = with_outer_products(std::move(line));
  if (line.find("matrix}") == line.npos) return line;
  for (const auto& [tex, ours] : table) line = replaced(line, tex, ours);
  return line;
}

}  // namespace formula
