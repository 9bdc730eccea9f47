// The mutation test: spoils each hand-derived backward line in turn and demands that the gradient test of its lesson fails.
// Run: make mutants, or build/tests/mutants COMPILER [LESSON] from the root. 1 when a mutant survives or a line is untested.
// A backward line bears its equation and the word back, `// n x h   (2.4) back`, in lessons/*/*.hpp or common/*.hpp. The
// mutants lie under build/mutants, in front of the tree for the compiler; the tree itself is never touched.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/support/terminal.hpp"
#include "tests/mutations.hpp"

namespace fs = std::filesystem;

static const fs::path workshop = "build/mutants";

// ----------------------------------------------------------------------------------------------- finding the lines

struct Mutant {
  fs::path header;
  std::size_t first = 0, last = 0;  // its lines in the header, counted from 0
  std::string original, text;
  std::string lesson;  // whose test must notice
};

static std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// A line without its comment and the spaces before that.
static std::string code_of(const std::string& line) {
  const std::string code = line.substr(0, line.find("//"));
  return code.substr(0, code.find_last_not_of(' ') + 1);
}

static bool ends_statement(const std::string& code) {
  return code.empty() || code.find_last_of(";{}:") == code.size() - 1;
}

// The mutants of one header. A line that has the mark but gives none is an error, since it would go untested.
static std::vector<Mutant> mutants_in(const fs::path& header, std::vector<std::string>& errors) {
  static const std::regex mark("//.*\\(([0-9]+)\\.[0-9]+[a-z]?\\) back\\b");
  const std::vector<std::string> lines = lines_of(header);
  std::vector<Mutant> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    if (!std::regex_search(lines[i], match, mark) || code_of(lines[i]).empty()) continue;
    Mutant m{header, i, i, "", "", match[1]};
    if (const std::string folder = header.parent_path().filename().string(); folder != "common")
      m.lesson = folder.substr(0, folder.find('_'));  // a later lesson may restate an earlier equation
    while (m.first > 0 && !ends_statement(code_of(lines[m.first - 1]))) --m.first;
    while (m.last + 1 < lines.size() && !ends_statement(code_of(lines[m.last]))) ++m.last;
    for (std::size_t k = m.first; k <= m.last; ++k) {
      const std::string code = code_of(lines[k]);
      m.original += k == m.first ? code : " " + code.substr(std::min(code.find_first_not_of(' '), code.size()));
    }
    const std::vector<std::string> texts = mutants_of(m.original);
    if (texts.empty())
      errors.push_back(header.generic_string() + ":" + std::to_string(i + 1) +
                       " is marked as backward, but no rule of " +
                       "tests/mutations.hpp can spoil it: the mark must stand on the statement's own line");
    for (const std::string& text : texts) found.push_back(m), found.back().text = text;
  }
  return found;
}

// The folders that hold models, and common/.
static std::vector<fs::path> headers() {
  std::vector<fs::path> found;
  for (const fs::path parent : {"lessons", "common"})
    for (const auto& entry : fs::recursive_directory_iterator(parent))
      if (entry.path().extension() == ".hpp" &&
          std::distance(entry.path().begin(), entry.path().end()) == (parent == "lessons" ? 3 : 2))
        found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

// ------------------------------------------------------------------------------------------------- judging a mutant

enum Verdict { caught, does_not_compile, changes_nothing, survives };

// Runs a command in sh; true when it ends with status 0. A Ctrl-C during the command ends this program too.
static bool run(const std::string& command) {
  const int status = std::system(command.c_str());
  constexpr int interrupted = 2;
  if ((status & 127) == interrupted) std::_Exit(130);
  return status == 0;
}

static std::string test_of(const std::string& lesson) { return "tests/test_lesson" + lesson + "_gradients.cpp"; }

// Compiles a lesson's test with what lies in `folder` in front of the tree. No optimization: that is the quickest. With
// the assertions of g++'s library, a mutant that reads beyond a vector or span ends instead of reading there.
static bool compile(const std::string& compiler, const std::string& lesson, const fs::path& folder) {
  return run(compiler + " -std=c++20 -O0 -w -D_GLIBCXX_ASSERTIONS -include " + (workshop / "first.hpp").string() +
             " -I" + folder.string() + " -I. " + test_of(lesson) + " -o " + (folder / "test").string() + " >" +
             (folder / "log").string() + " 2>&1");
}

// Runs a compiled test, at most 20 seconds, since a mutant may loop for ever.
static bool run_test(const fs::path& folder, const std::string& argument, const std::string& output) {
  return run("ulimit -t 20; " + (folder / "test").string() + " " + argument + " >" + (folder / output).string() +
             " 2>&1");
}

// The words of a dump. Two numbers are the same up to 1e-12 of the line's largest: a sum in another order differs by a few
// hundred roundings of 1e-16, and no test could tell it.
static bool same_dump(const fs::path& a, const fs::path& b) {
  const std::vector<std::string> left = lines_of(a), right = lines_of(b);
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] == right[i]) continue;
    const std::size_t x = left[i].find(": ") + 1, y = right[i].find(": ") + 1;
    if (left[i].substr(0, x) != right[i].substr(0, y)) return false;
    std::istringstream left_words(left[i].substr(x)), right_words(right[i].substr(y));
    std::string l, r;
    double largest = 0, difference = 0;
    while (left_words >> l && right_words >> r) {
      const double p = std::strtod(l.c_str(), nullptr), q = std::strtod(r.c_str(), nullptr);
      if (l != r) difference = std::max(difference, std::isfinite(p - q) ? std::abs(p - q) : HUGE_VAL);
      largest = std::max(largest, std::abs(p));
    }
    if (!(difference <= 1e-12 * largest)) return false;
  }
  return true;
}

// Lays the mutant over the tree: the headers of its folder are copied too, since they include each other as neighbours.
static void lay_over(const Mutant& m, const fs::path& folder) {
  fs::create_directories(folder / m.header.parent_path());
  if (m.header.parent_path() != "common")
    for (const auto& entry : fs::directory_iterator(m.header.parent_path()))
      if (entry.path().extension() == ".hpp") fs::copy_file(entry.path(), folder / entry.path());
  std::vector<std::string> lines = lines_of(m.header);
  for (std::size_t i = m.first; i <= m.last; ++i) lines[i] = i == m.first ? m.text : "";
  std::ofstream out(folder / m.header);
  for (const std::string& line : lines) out << line << '\n';
}

static Verdict judge(const Mutant& m, const std::string& compiler, const fs::path& folder) {
  lay_over(m, folder);
  Verdict verdict = caught;
  if (!compile(compiler, m.lesson, folder)) verdict = does_not_compile;
  else if (run_test(folder, "--dump", "dump") && same_dump(workshop / m.lesson / "dump", folder / "dump"))
    verdict = changes_nothing;
  else if (run_test(folder, "", "output")) verdict = survives;
  if (verdict != survives) fs::remove_all(folder);
  return verdict;
}

// -------------------------------------------------------------------------------------------------------- reporting

static std::string trimmed(const std::string& text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

static void print(const char* what, const Mutant& m) {
  std::printf("%s %s:%zu\n  was  %s\n  now  %s\n", what, m.header.generic_string().c_str(), m.first + 1,
              trimmed(m.original).c_str(), trimmed(m.text).c_str());
}

// The unspoilt tests must compile, pass and print something.
static void prepare(const std::string& compiler, const std::vector<Mutant>& mutants, std::vector<std::string>& errors) {
  fs::remove_all(workshop);
  fs::create_directories(workshop);
  // What every test includes first, compiled once: it saves half the time. A compiler that cannot use it reads the text.
  std::ofstream(workshop / "first.hpp") << "#include \"common/gradcheck.hpp\"\n#include \"tests/check.hpp\"\n";
  run(compiler + " -std=c++20 -O0 -w -D_GLIBCXX_ASSERTIONS -I. -x c++-header " + (workshop / "first.hpp").string() +
      " -o " + (workshop / "first.hpp.gch").string() + " 2>/dev/null");
  std::set<std::string> lessons;
  for (const Mutant& m : mutants) lessons.insert(m.lesson);
  for (const std::string& lesson : lessons) {
    const fs::path folder = workshop / lesson;
    fs::create_directories(folder);
    if (!fs::exists(test_of(lesson)))
      errors.push_back("lesson " + lesson + " has backward lines, but " + test_of(lesson) + " is missing");
    else if (!compile(compiler, lesson, folder))
      errors.push_back(test_of(lesson) + " does not compile; see " + (folder / "log").string());
    else if (!run_test(folder, "", "output"))
      errors.push_back(test_of(lesson) + " fails before anything is spoilt; see " + (folder / "output").string());
    else if (!run_test(folder, "--dump", "dump") || fs::file_size(folder / "dump") == 0)
      errors.push_back(test_of(lesson) + " --dump prints no gradients");
  }
}

// Prints what came out; the exit status. Equivalent mutants are no fault, but a line all of whose mutants are equivalent is
// one whose gradient the test does not look at.
static int report(const std::vector<Mutant>& mutants, const std::vector<Verdict>& verdicts) {
  using Line = std::pair<fs::path, std::size_t>;
  std::map<Verdict, int> count;
  std::map<Line, const Mutant*> untested;
  for (const Mutant& m : mutants) untested[{m.header, m.first}] = &m;
  for (std::size_t k = 0; k < mutants.size(); ++k) {
    ++count[verdicts[k]];
    if (verdicts[k] == changes_nothing) print("changes no gradient:", mutants[k]);
    if (verdicts[k] == survives) print("SURVIVES", mutants[k]);
    if (verdicts[k] == caught || verdicts[k] == survives) untested.erase({mutants[k].header, mutants[k].first});
  }
  for (const auto& [line, m] : untested)
    std::printf("FAIL %s:%zu: no mutant of it changes what %s --dump prints\n", line.first.generic_string().c_str(),
                line.second + 1, test_of(m->lesson).c_str());
  std::printf("mutants: %zu made, %d caught, %d do not compile, %d change no gradient, %d survive\n", mutants.size(),
              count[caught], count[does_not_compile], count[changes_nothing], count[survives]);
  return count[survives] == 0 && untested.empty() ? 0 : 1;
}

static int test_mutants(const std::string& compiler, const std::string& only_lesson) {
  std::vector<std::string> errors;
  std::vector<Mutant> mutants;
  for (const fs::path& header : headers())
    for (const Mutant& m : mutants_in(header, errors))
      if (only_lesson.empty() || m.lesson == only_lesson) mutants.push_back(m);
  if (mutants.empty()) errors.push_back("there are no backward lines");
  prepare(compiler, mutants, errors);
  for (std::size_t k = 0; k < mutants.size() && errors.empty(); ++k) {  // of each header, itself as a mutant
    Mutant itself = mutants[k];
    itself.text = itself.original;
    if ((k == 0 || mutants[k - 1].header != itself.header) &&
        judge(itself, compiler, workshop / "itself") != changes_nothing)
      errors.push_back(itself.header.generic_string() + ", unspoilt, is taken for a mutant");
  }
  for (const std::string& error : errors) std::printf("FAIL %s\n", error.c_str());
  if (!errors.empty()) return 1;

  std::vector<Verdict> verdicts(mutants.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k; (k = next++) < mutants.size();) {
      verdicts[k] = judge(mutants[k], compiler, workshop / ("m" + std::to_string(k)));
      if (terminal::is_window(stderr)) std::fprintf(stderr, "\r%zu of %zu ", k + 1, mutants.size());
    }
  };
  std::thread second(work);
  work();
  second.join();

  return report(mutants, verdicts);
}

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "mutants: expected a compiler and, if you like, the number of a lesson\n");
    return 2;
  }
  try {
    return test_mutants(argv[1], argc > 2 ? argv[2] : "");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mutants: %s\n", error.what());
    return 2;
  }
}
