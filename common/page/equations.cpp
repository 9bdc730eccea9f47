// SPDX-License-Identifier: MIT
#include "common/page/equations.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>

namespace page {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Counts the characters of a number such as 12.3 that text starts with; 0 where it does not.
std::size_t number_length(std::string_view text) {
  const auto digits_from = [&](std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && end < at + 2 && is_digit(text[end])) ++end;
    return end;
  };
  const std::size_t point = digits_from(0);
  if (point == 0 || point == text.size() || text[point] != '.') return 0;
  const std::size_t end = digits_from(point + 1);
  return end == point + 1 ? 0 : end;
}

// Returns the numbers that a comment bears; "(6.4) to (6.2)" are three.
std::vector<std::string> numbers_in(std::string_view comment) {
  std::vector<std::string> numbers;
  std::size_t end = 0;  // of the reference before
  for (const Reference& reference : references(comment)) {
    const auto behind_point = [](const std::string& number) { return std::stoi(number.substr(number.find('.') + 1)); };
    if (!numbers.empty() && comment.substr(end, reference.at - end) == " to ") {
      const std::string lesson = numbers.back().substr(0, numbers.back().find('.') + 1);
      const int from = behind_point(numbers.back()), to = behind_point(reference.number);
      for (int between = std::min(from, to) + 1; between < std::max(from, to); ++between)
        numbers.push_back(lesson + std::to_string(between));
    }
    numbers.push_back(reference.number);
    end = reference.at + reference.size;
  }
  return numbers;
}

}  // namespace

std::vector<Reference> references(std::string_view text) {
  std::vector<Reference> found;
  for (std::size_t at = text.find('('); at != std::string_view::npos; at = text.find('(', at + 1)) {
    const std::size_t length = number_length(text.substr(at + 1));
    if (length == 0 || at + 1 + length >= text.size() || text[at + 1 + length] != ')') continue;
    found.push_back({at, length + 2, std::string(text.substr(at + 1, length))});
  }
  return found;
}

std::string number_at_end(std::string_view line) {
  const std::vector<Reference> all = references(line);
  if (all.empty()) return "";
  std::string_view rest = line.substr(all.back().at + all.back().size);
  if (rest.starts_with(" back")) rest.remove_prefix(5);
  return rest.find_first_not_of(' ') == std::string_view::npos ? all.back().number : "";
}

NumberedCode numbered_code(const std::filesystem::path& lesson) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(lesson / "model", ignored))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  NumberedCode found;
  for (const fs::path& file : files) {
    std::ifstream in(file);
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      const std::size_t comment = line.find("//");
      if (comment == std::string::npos || line.find_first_not_of(' ') == comment) continue;  // no code
      for (const std::string& equation : numbers_in(std::string_view(line).substr(comment)))
        found[equation].push_back({"model/" + file.filename().string(), number, line});
    }
  }
  return found;
}

}  // namespace page
