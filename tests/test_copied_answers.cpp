// Tests that the exercises make one think: at most one of a lesson is solved by copying lines that its README shows. What a
// solution has and its stub has not is compared with the code blocks of the README, names of structures and numbers in
// names aside. Run from the root.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "common/support/file.hpp"
#include "common/support/words.hpp"
#include "tests/check.hpp"

namespace fs = std::filesystem;
using Lines = std::set<std::string>;

// What a line of code computes: `g.dW2 = matmul(...);  // h x o` and `return matmul(...)` are both `matmul(...)`.
static std::string essence(std::string line) {
  for (const auto& [what, by] : {std::pair{R"(//.*|\s|;)", ""}, std::pair{R"(\b(g|d|t|p)\.)", ""},
                                 std::pair{"^return", "="}, std::pair{"([A-Za-z])[0-9]+", "$1"}})
    line = std::regex_replace(line, std::regex(what), by);
  std::smatch assigned;
  return std::regex_search(line, assigned, std::regex("[^=<>!]=([^=].*)|^=(.*)"))
             ? (assigned[1].matched ? assigned[1] : assigned[2]).str()
             : line;
}

static Lines essences(const std::string& text) {
  Lines found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const std::string what = essence(line); what.size() >= 10) found.insert(what);
  return found;
}

// The lines between ``` and ```.
static std::string code_blocks(const std::string& readme) {
  std::string code, line;
  bool fenced = false;
  for (std::istringstream lines(readme); std::getline(lines, line);) {
    if (line.starts_with("```")) fenced = !fenced;
    else if (fenced) code += line + "\n";
  }
  return code;
}

// Is at least half of what the solution adds to the stub to be read in the README?
static bool is_copied(const std::string& stub, const std::string& solution, const std::string& readme) {
  const Lines given = essences(stub), shown = essences(code_blocks(readme));
  std::size_t added = 0, copied = 0;
  for (const std::string& line : essences(solution)) {
    if (given.count(line) > 0) continue;
    ++added;
    copied += shown.count(line);
  }
  return added > 0 && 2 * copied >= added;
}

static void what_counts_as_copied(Checks& check) {
  const std::string stub = "  // TODO\n  return {};\n", solution = "  g.dW2 = matmul(transpose(H), dY);  // h x o\n";
  const auto readme = [](const std::string& code) { return "Text.\n\n```cpp\n" + code + "\n```\n"; };
  check.that(is_copied(stub, solution, readme("d.W = matmul(transpose(t.H), dY);   // (1.1) back")), "other names");
  check.that(is_copied(stub, "return matmul(dZ, transpose(W));\n", readme("dX = matmul(dZ, transpose(W1));")),
             "returned");
  check.that(!is_copied(stub, solution, "Text: d.W = matmul(transpose(t.H), dY);\n"), "no code of the README");
  check.that(!is_copied(solution, solution, readme(solution)), "given, not asked");
  check.that(!is_copied(stub, solution + "a = sum(of, others);\nb = map(of, others);\n", readme(solution)), "a third");
}

int main() {
  Checks check;
  what_counts_as_copied(check);
  for (const fs::directory_entry& lesson : fs::directory_iterator("lessons")) {
    if (!fs::exists(lesson.path() / "exercises")) continue;
    const std::string readme = read_file((lesson.path() / "README.md").string());
    std::string copied;
    int count = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(lesson.path() / "answers/solutions")) {
      const fs::path stub = lesson.path() / "exercises" / entry.path().filename();
      if (!is_copied(read_file(stub.string()), read_file(entry.path().string()), readme)) continue;
      ++count;
      copied += " " + entry.path().stem().string();
    }
    check.that(count <= 1, lesson.path().filename().string() + ": README shows the answers of" + copied);
  }
  return check.done("test_copied_answers");
}
