// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <system_error>

#include "common/page/page.hpp"

namespace page {
namespace {

namespace fs = std::filesystem;

// Tells whether a text is a number such as 12.3: one or two digits, a point, one or two digits.
bool is_number(std::string_view text) {
  const auto digits = [](std::string_view part) {
    return (part.size() == 1 || part.size() == 2) && part.find_first_not_of("0123456789") == part.npos;
  };
  const std::size_t point = text.find('.');
  return point != text.npos && digits(text.substr(0, point)) && digits(text.substr(point + 1));
}

// Returns the numbers that a comment bears; "(6.4) to (6.2)" are three.
std::vector<std::string> numbers_in(std::string_view comment) {
  std::vector<std::string> numbers;
  std::size_t end = 0;  // of the reference before
  for (const Reference& reference : references(comment)) {
    const auto behind_point = [](const std::string& number) { return std::stoi(number.substr(number.find('.') + 1)); };
    if (!numbers.empty() && comment.substr(end, reference.at - end) == " to ") {
      const std::string lesson = numbers.back().substr(0, numbers.back().find('.') + 1);
      const auto [from, to] = std::minmax({behind_point(numbers.back()), behind_point(reference.number)});
      for (int between = from + 1; between < to; ++between) numbers.push_back(lesson + std::to_string(between));
    }
    numbers.push_back(reference.number);
    end = reference.at + reference.size;
  }
  return numbers;
}

}  // namespace

std::vector<Reference> references(std::string_view text) {
  std::vector<Reference> found;
  for (std::size_t at = text.find('('); at != text.npos; at = text.find('(', at + 1)) {
    const std::size_t end = text.find_first_not_of("0123456789.", at + 1);
    if (end == text.npos || text[end] != ')' || !is_number(text.substr(at + 1, end - at - 1))) continue;
    found.push_back({at, end + 1 - at, std::string(text.substr(at + 1, end - at - 1))});
  }
  return found;
}

std::string number_at_end(std::string_view line) {
  const std::vector<Reference> all = references(line);
  if (all.empty()) return "";
  std::string_view rest = line.substr(all.back().at + all.back().size);
  if (rest.starts_with(" back")) rest.remove_prefix(5);
  return rest.find_first_not_of(' ') == rest.npos ? all.back().number : "";
}

NumberedCode numbered_code(const fs::path& lesson) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(lesson, ignored))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  NumberedCode found;
  for (const fs::path& file : files) {
    std::ifstream in(file);
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      const std::size_t comment = line.find("//");
      if (comment == line.npos || line.find_first_not_of(' ') == comment) continue;  // no code
      for (const std::string& equation : numbers_in(std::string_view(line).substr(comment)))
        found[equation].push_back({file.filename().string(), number, line});
    }
  }
  return found;
}

}  // namespace page
