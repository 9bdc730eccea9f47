// Numbered equations, the hinge between a lesson's text and its code: (6.3) stands behind a formula in README.md and in
// the comments of the lines in model/ that compute it, `// n x d   (6.3)`, and its gradients, `// n x d   (6.3) back`.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace page {

// A line of a model's source that bears a number.
struct CodeLine {
  std::string file;  // in the lesson's folder, as in model/2_gates.cpp
  std::size_t line;  // counted from 1
  std::string text;
};

// The lines that bear each number, as in "6.3", in the order of files and lines.
using NumberedCode = std::map<std::string, std::vector<CodeLine>>;

// Reads the sources in `lesson`/model. A file that cannot be read has no lines.
NumberedCode numbered_code(const std::filesystem::path& lesson);

// A number in parentheses that some text holds: text.substr(at, size) is "(6.3)".
struct Reference {
  std::size_t at, size;
  std::string number;
};

// Returns them in their order; ranges such as "(6.2) to (6.4)" are two.
std::vector<Reference> references(std::string_view text);

// Returns the number at the end of a line, as behind an equation, "(6.3)" or "(6.3) back"; empty where there is none.
std::string number_at_end(std::string_view line);

}  // namespace page
