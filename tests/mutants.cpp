// The mutation test: spoils each hand-derived backward line in turn and demands that the gradient test of its lesson fails.
// Run: make mutants, or build/tests/mutants COMPILER [LESSON] from the root. 1 when a mutant survives or a line is untested.
// A backward line bears its equation and the word back, `// n x h   (2.4) back`, in lessons/*/*.hpp or common/*.hpp. The
// mutants lie under build/mutants, in front of the tree for the compiler; the tree itself is never touched. To compile each
// of them alone would take seconds, so one program holds many and is told at its start which one to be (tests/schemata.hpp).
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
#include "tests/schemata.hpp"

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

// ------------------------------------------------------------------------------------------------ compiling mutants

// Runs a command in sh; true when it ends with status 0. A Ctrl-C during the command ends this program too.
static bool run(const std::string& command) {
  const int status = std::system(command.c_str());
  constexpr int interrupted = 2;
  if ((status & 127) == interrupted) std::_Exit(130);
  return status == 0;
}

static std::string test_of(const std::string& lesson) { return "tests/test_lesson" + lesson + "_gradients.cpp"; }

// Compiles a lesson's test with what lies in `folder` in front of the tree, as folder/test. The test then runs once for
// each mutant, so a little optimization pays. With the assertions of g++'s library, a mutant that reads beyond a vector or
// span ends instead of reading there.
static bool compile(const std::string& compiler, const std::string& lesson, const fs::path& folder) {
  return run(compiler + " -std=c++20 -O1 -w -D_GLIBCXX_ASSERTIONS -include " + (workshop / "first.hpp").string() +
             " -I" + folder.string() + " -I. " + test_of(lesson) + " -o " + (folder / "test").string() + " >" +
             (folder / "log").string() + " 2>&1");
}

// What is to stand in place of some statements: by header, and by the statement's first and last line.
using Replacements = std::map<fs::path, std::map<std::pair<std::size_t, std::size_t>, std::string>>;

// Lays changed headers over the tree: all of a lesson's headers are copied, since they include each other as neighbours.
static void lay_over(const Replacements& replacements, const fs::path& folder) {
  fs::remove_all(folder);
  for (const auto& [header, statements] : replacements) {
    fs::create_directories(folder / header.parent_path());
    if (header.parent_path() != "common")
      for (const auto& entry : fs::directory_iterator(header.parent_path()))
        if (entry.path().extension() == ".hpp")
          fs::copy_file(entry.path(), folder / entry.path(), fs::copy_options::skip_existing);
    std::vector<std::string> lines = lines_of(header);
    for (const auto& [place, text] : statements)
      for (std::size_t i = place.first; i <= place.second; ++i) lines[i] = i == place.first ? text : "";
    std::ofstream out(folder / header);
    for (const std::string& line : lines) out << line << '\n';
  }
}

// A mutant's number is its place in the list of all, counted from 1; 0 is no mutant.
static Replacements schemata_of(const std::vector<Mutant>& mutants, const std::vector<std::size_t>& numbers) {
  std::map<std::pair<fs::path, std::size_t>, std::map<std::size_t, std::string>> statements;
  for (const std::size_t n : numbers)
    statements[{mutants[n - 1].header, mutants[n - 1].first}][n] = mutants[n - 1].text;
  Replacements replacements;
  for (const auto& [place, texts] : statements) {
    const Mutant& m = mutants[texts.begin()->first - 1];
    replacements[m.header][{m.first, m.last}] =
        schemata::schema(m.original, texts, m.header.generic_string(), m.first + 1);
  }
  return replacements;
}

// Makes a program that holds these mutants of one lesson, and enters its folder for each of them. Those that the compiler
// complains about are left out and have no program; if it names none, each half of them gets a program of its own.
static void build(const std::vector<Mutant>& mutants, std::vector<std::size_t> numbers, const std::string& compiler,
                  const fs::path& folder, std::vector<fs::path>& programs) {
  if (numbers.empty()) return;
  lay_over(schemata_of(mutants, numbers), folder);
  if (compile(compiler, mutants[numbers[0] - 1].lesson, folder)) {
    for (const std::size_t n : numbers) programs[n - 1] = folder;
    return;
  }
  const std::set<std::size_t> accused = schemata::accused(lines_of(folder / "log"));
  if (std::erase_if(numbers, [&](std::size_t n) { return accused.contains(n); }) > 0)
    return build(mutants, numbers, compiler, folder, programs);
  if (numbers.size() == 1) return;
  const auto middle = numbers.begin() + std::ptrdiff_t(numbers.size() / 2);
  build(mutants, {numbers.begin(), middle}, compiler, folder.string() + "a", programs);
  build(mutants, {middle, numbers.end()}, compiler, folder.string() + "b", programs);
}

// f(k) for each k below `count`, by two threads.
template <class F>
static void in_two_threads(std::size_t count, F f) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k; (k = next++) < count;) f(k);
  };
  std::thread second(work);
  work();
  second.join();
}

// The folder of each mutant's program; empty for those that must be compiled alone.
static std::vector<fs::path> build_programs(const std::vector<Mutant>& mutants, const std::vector<std::string>& lessons,
                                            const std::string& compiler) {
  std::vector<fs::path> programs(mutants.size());
  in_two_threads(lessons.size(), [&](std::size_t l) {
    std::vector<std::size_t> numbers;
    for (std::size_t k = 0; k < mutants.size(); ++k) {
      const Mutant& m = mutants[k];
      if (m.lesson == lessons[l] && !schemata::case_of(schemata::choice_in(m.original), m.original, m.text).empty())
        numbers.push_back(k + 1);
    }
    build(mutants, numbers, compiler, workshop / ("program" + lessons[l]), programs);
  });
  return programs;
}

static bool compile_alone(const Mutant& m, const std::string& compiler, const fs::path& folder) {
  lay_over({{m.header, {{{m.first, m.last}, m.text}}}}, folder);
  return compile(compiler, m.lesson, folder);
}

// ------------------------------------------------------------------------------------------------- judging a mutant

enum Verdict { caught, does_not_compile, changes_nothing, survives };

// Runs a program as the mutant of a number, at most 20 seconds, since a mutant may loop for ever.
static bool run_test(const fs::path& program, std::size_t number, const std::string& argument, const fs::path& output) {
  return run("ulimit -t 20; MUTANT=" + std::to_string(number) + " " + (program / "test").string() + " " + argument +
             " >" + output.string() + " 2>&1");
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

// `program` is the folder of a program that holds the mutant; if empty, the mutant is compiled alone.
static Verdict judge(const Mutant& m, std::size_t number, fs::path program, const std::string& compiler) {
  const fs::path folder = workshop / ("m" + std::to_string(number));
  fs::create_directories(folder);
  Verdict verdict = caught;
  const bool compiles = !program.empty() || compile_alone(m, compiler, folder);
  if (program.empty()) program = folder;
  if (!compiles) verdict = does_not_compile;
  else if (run_test(program, number, "--dump", folder / "dump") &&
           same_dump(workshop / m.lesson / "dump", folder / "dump"))
    verdict = changes_nothing;
  else if (run_test(program, number, "--first", folder / "output")) verdict = survives;
  if (verdict != survives) fs::remove_all(folder);
  return verdict;
}

// ------------------------------------------------------------------------------------------- checking what must be so

// The unspoilt test of a lesson must compile, pass and print something. What is wrong; empty if nothing is.
static std::string fault_of_test(const std::string& lesson, const std::string& compiler) {
  const fs::path folder = workshop / lesson;
  fs::create_directories(folder);
  if (!fs::exists(test_of(lesson)))
    return "lesson " + lesson + " has backward lines, but " + test_of(lesson) + " is missing";
  if (!compile(compiler, lesson, folder))
    return test_of(lesson) + " does not compile; see " + (folder / "log").string();
  if (!run_test(folder, 0, "", folder / "output"))
    return test_of(lesson) + " fails before anything is spoilt; see " + (folder / "output").string();
  if (!run_test(folder, 0, "--dump", folder / "dump") || fs::file_size(folder / "dump") == 0)
    return test_of(lesson) + " --dump prints no gradients";
  return "";
}

// The statements as they were found and joined must still be the statements of the lesson.
static std::string fault_of_statements(const std::vector<Mutant>& mutants, const std::string& lesson,
                                       const std::string& compiler) {
  Replacements originals;
  for (const Mutant& m : mutants)
    if (m.lesson == lesson) originals[m.header][{m.first, m.last}] = m.original;
  const fs::path itself = workshop / (lesson + "_itself");
  lay_over(originals, itself);
  if (compile(compiler, lesson, itself) && run_test(itself, 0, "--dump", itself / "dump") &&
      same_dump(workshop / lesson / "dump", itself / "dump"))
    return "";
  return "lesson " + lesson + ", unspoilt, is taken for a mutant; see " + itself.string();
}

// A program must be unspoilt as number 0, and as the number of a mutant what this mutant is when compiled alone.
static std::string fault_of_program(const fs::path& program, const Mutant& m, std::size_t number,
                                    const std::string& compiler) {
  if (!run_test(program, 0, "--dump", program / "dump") || !same_dump(workshop / m.lesson / "dump", program / "dump"))
    return program.string() + " as number 0 is not the unspoilt test";
  const fs::path alone = program.string() + "_alone";
  const bool compiles = compile_alone(m, compiler, alone);
  run_test(alone, 0, "--dump", alone / "dump");
  run_test(program, number, "--dump", program / "dump");
  if (!compiles || !same_dump(alone / "dump", program / "dump"))
    return program.string() + " as mutant " + std::to_string(number) + " is not what " + alone.string() + " is";
  return "";
}

// Prints each fault; whether there are none.
static bool print_faults(const std::vector<std::string>& faults) {
  bool none = true;
  for (const std::string& fault : faults)
    if (!fault.empty()) std::printf("FAIL %s\n", fault.c_str()), none = false;
  return none;
}

static bool check_lessons(const std::vector<Mutant>& mutants, const std::vector<std::string>& lessons,
                          const std::string& compiler) {
  std::vector<std::string> faults(lessons.size());
  in_two_threads(lessons.size(), [&](std::size_t l) {
    faults[l] = fault_of_test(lessons[l], compiler);
    if (faults[l].empty()) faults[l] = fault_of_statements(mutants, lessons[l], compiler);
  });
  return print_faults(faults);
}

static bool check_programs(const std::vector<Mutant>& mutants, const std::vector<fs::path>& programs,
                           const std::string& compiler) {
  std::map<fs::path, std::size_t> last;  // mutant of each program
  for (std::size_t k = 0; k < mutants.size(); ++k)
    if (!programs[k].empty()) last[programs[k]] = k + 1;
  const std::vector<std::pair<fs::path, std::size_t>> checked(last.begin(), last.end());
  std::vector<std::string> faults(checked.size());
  in_two_threads(checked.size(), [&](std::size_t p) {
    const auto& [program, number] = checked[p];
    faults[p] = fault_of_program(program, mutants[number - 1], number, compiler);
  });
  return print_faults(faults);
}

// -------------------------------------------------------------------------------------------------------- reporting

static std::string trimmed(const std::string& text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

static void print(const char* what, const Mutant& m) {
  std::printf("%s %s:%zu\n  was  %s\n  now  %s\n", what, m.header.generic_string().c_str(), m.first + 1,
              trimmed(m.original).c_str(), trimmed(m.text).c_str());
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
  fs::remove_all(workshop);
  fs::create_directories(workshop);
  std::ofstream(workshop / "first.hpp") << schemata::selection;

  std::vector<std::string> faults;
  std::vector<Mutant> mutants;
  std::set<std::string> named;
  for (const fs::path& header : headers())
    for (const Mutant& m : mutants_in(header, faults))
      if (only_lesson.empty() || m.lesson == only_lesson) mutants.push_back(m), named.insert(m.lesson);
  if (mutants.empty()) faults.push_back("there are no backward lines");
  const std::vector<std::string> lessons(named.begin(), named.end());
  const bool ready = check_lessons(mutants, lessons, compiler);
  if (!print_faults(faults) || !ready) return 1;

  const std::vector<fs::path> programs = build_programs(mutants, lessons, compiler);
  if (!check_programs(mutants, programs, compiler)) return 1;

  std::vector<Verdict> verdicts(mutants.size());
  in_two_threads(mutants.size(), [&](std::size_t k) {
    verdicts[k] = judge(mutants[k], k + 1, programs[k], compiler);
    if (terminal::is_window(stderr)) std::fprintf(stderr, "\r%zu of %zu ", k + 1, mutants.size());
  });
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
