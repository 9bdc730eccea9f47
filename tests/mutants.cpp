// The mutation test: spoils each hand-derived backward line in turn and demands that a test fails.
// Run: make mutants, or build/tests/mutants COMPILER [LESSON] from the root, LESSON as in 2, or loss for
// common/loss.hpp. 1 when a mutant survives, a line is untested, or backward code bears no mark.
// The mark is the word back at the end of the comment, mostly behind the line's equation, `// n x h   (2.4) back`. Of
// what lies in lessons/*/model/ and run/ the gradient test of the lesson must notice, of its solutions the check of its
// exercises, of what lies in common/ their own test. Training runs in float and the slopes are checked in double, so a
// line of a template over the scalar is spoilt for each alone. A line without the mark that computes a gradient, as its
// names tell, is an error. The mutants lie under build/mutants, in front of the tree for the compiler; the tree itself
// is never touched. To compile each of them alone would take seconds, so one program holds many and is told at its
// start which one to be (tests/schemata.hpp).
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
#include <tuple>
#include <utility>
#include <vector>

#include "common/support/terminal.hpp"
#include "tests/mutations.hpp"
#include "tests/schemata.hpp"

namespace fs = std::filesystem;

static const fs::path workshop = "build/mutants";

// ----------------------------------------------------------------------------------------------- finding the lines

// The program that must notice.
struct Test {
  std::string name;  // 2, or solutions2, or loss: of the header common/loss.hpp
  fs::path source;   // as it stands in the tree
  fs::path answers;  // of exercises: the folder that holds the solutions
  fs::path lesson;   // whose models it links; empty for what lies in common/
  bool dumps() const { return source.filename().string().ends_with("_gradients.cpp"); }  // knows --dump and --first
};

using Tests = std::vector<Test>;

struct Mutant {
  fs::path header;
  std::size_t first = 0, last = 0;  // its lines in the header, counted from 0
  std::string original, text;
  std::string scalar;  // the name of the scalar in the template around it, or empty
  Test test;
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

static std::string trimmed(const std::string& text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

static bool ends_statement(const std::string& code) {
  return code.empty() || code.find_last_of(";{}:") == code.size() - 1;
}

// A statement, on the lines from `first` to `last`, joined to one.
struct Place {
  std::size_t first, last;
  std::string text;
};
static Place statement_at(const std::vector<std::string>& lines, std::size_t line) {
  Place place{line, line, ""};
  while (place.first > 0 && !ends_statement(code_of(lines[place.first - 1]))) --place.first;
  while (place.last + 1 < lines.size() && !ends_statement(code_of(lines[place.last]))) ++place.last;
  for (std::size_t k = place.first; k <= place.last; ++k) {
    const std::string code = code_of(lines[k]);
    place.text += k == place.first ? code : " " + trimmed(code);
  }
  return place;
}

static bool has_mark(const std::string& line) {
  static const std::regex mark("//.*(\\([0-9]+\\.[0-9]+[a-z]?\\) back\\b|\\bback$)");
  return std::regex_search(line, mark) && !code_of(line).empty();
}

// "T" where the line stands in a template over the scalar T, or in a function that names its scalar so; else empty. A
// template begins where the last line does that is not indented, which is behind `template <...>` on a line of its own.
static std::string scalar_at(const std::vector<std::string>& lines, std::size_t line) {
  static const std::regex names_it("template <class T[,>]|using T = ");
  std::size_t from = line;
  const auto begins = [&](std::size_t k) { return !lines[k].empty() && lines[k][0] != ' ' && lines[k][0] != '}'; };
  while (from > 0 && !begins(from)) --from;
  if (from > 0 && lines[from - 1].starts_with("template")) --from;
  for (std::size_t k = from; k <= line; ++k)
    if (std::regex_search(lines[k], names_it)) return "T";
  return "";
}

// What is named like a gradient and needs no mark: in the headers whose names end so, whatever the pattern matches.
struct Exempt {
  const char *header, *pattern;
};
static constexpr Exempt exempt[] = {
    {"/train.hpp", "\\bloss = "},  // the loss itself
    {"/train.cpp", "\\bloss = "},
    {"/export.cpp", ".*"},                       // another system is to check it
    {"common/gradcheck.hpp", ".*"},              // the gradient check itself
    {"common/model.hpp", ".*pass\\.g.*"},        // hands on what the pass has found
    {"/run/diagram.cpp", ".*"},                  // draws what a pass has found
    {"1_math_refresh/model/0_graph.hpp", ".*"},  // part 0 claims each of its numbers
    {"4_bilinear_gates/model/8_superposition.cpp",
     "(error|mean|square) \\+= rows\\.weight.*"},  // a share of a variance
    {"ex6_9_look_back.hpp", ".*"},                 // of tokens, not of gradients
};

// Whether a statement of a function is to bear the mark. What stands in quotes is no code.
static bool needs_mark(const fs::path& header, const std::string& text, const std::string& function) {
  std::string rest = std::regex_replace(text, std::regex("\"[^\"]*\""), "");
  for (const Exempt& e : exempt)
    if (header.generic_string().ends_with(e.header)) rest = std::regex_replace(rest, std::regex(e.pattern), "");
  return mutations::computes_gradient(rest, function);
}

static Test test_of(const fs::path& header) {
  const fs::path folder = header.parent_path();
  if (folder == "common") {
    const std::string name = header.stem().string();
    return {name, "tests/test_" + name + ".cpp", "", ""};
  }
  const bool solutions = folder.filename() == "solutions";
  const fs::path lesson = solutions ? folder.parent_path().parent_path() : folder.parent_path();
  const std::string name = lesson.filename().string(), number = name.substr(0, name.find('_'));
  if (solutions) return {"solutions" + number, lesson / "answers" / "check.cpp", folder, lesson};
  return {number, "tests/test_lesson" + number + "_gradients.cpp", "", lesson};
}

// The mutants of one header. A line that has the mark but gives none is an error, since it would go untested, and so is
// one that computes a gradient without it.
static std::vector<Mutant> mutants_in(const fs::path& header, std::vector<std::string>& errors) {
  const std::vector<std::string> lines = lines_of(header);
  std::vector<Mutant> found;
  std::string function;  // that the line stands in
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (code_of(lines[i]).empty() || (i > 0 && !ends_statement(code_of(lines[i - 1])))) continue;
    const auto [first, last, text] = statement_at(lines, i);
    if (const std::string name = mutations::function_named(text); !name.empty() || text[0] != ' ') function = name;
    const std::string where = header.generic_string() + ":" + std::to_string(i + 1);
    const bool marked =
        std::any_of(lines.begin() + std::ptrdiff_t(first), lines.begin() + std::ptrdiff_t(last) + 1, has_mark);
    if (!marked) {
      if (needs_mark(header, text, function))
        errors.push_back(where + " computes a gradient, but does not end in the mark `// ... back`");
      continue;
    }
    const std::vector<std::string> texts = mutants_of(text);
    if (texts.empty())
      errors.push_back(where +
                       " is marked as backward, but no rule of tests/mutations.hpp can spoil it: the mark must " +
                       "stand on the statement's own line");
    for (const std::string& spoilt : texts)
      found.push_back({header, first, last, text, spoilt, scalar_at(lines, first), test_of(header)});
  }
  return found;
}

// What holds models, training and solutions, and common/.
static std::vector<fs::path> sources() {
  std::vector<fs::path> found;
  for (const fs::path parent : {"lessons", "common"})
    for (const auto& entry : fs::recursive_directory_iterator(parent)) {
      const fs::path folder = entry.path().parent_path();
      const std::string room = folder.filename().string(), kind = entry.path().extension().string();
      const bool wanted = folder == "common" || room == "model" || room == "run" || room == "solutions";
      if ((kind == ".hpp" || kind == ".cpp") && wanted) found.push_back(entry.path());
    }
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

// The sources of a test: itself, and all models and training of its lesson.
static std::vector<fs::path> sources_of(const Test& test) {
  std::vector<fs::path> sources{test.source};
  if (!test.lesson.empty())
    for (const char* room : {"model", "run"})
      for (const auto& entry : fs::directory_iterator(test.lesson / room))
        if (entry.path().extension() == ".cpp") sources.push_back(entry.path());
  return sources;
}

static bool holds_headers(const fs::path& folder) {
  const fs::recursive_directory_iterator all(folder);
  return std::any_of(begin(all), end(all), [](const auto& entry) { return entry.path().extension() == ".hpp"; });
}

static fs::path object_of(const fs::path& folder, const fs::path& source) {
  return folder / (source.parent_path().filename().string() + "_" + source.stem().string() + ".o");
}

// The tests run once for each mutant, so a little optimization pays. With the assertions of g++'s library, a mutant
// that reads beyond a vector or span ends instead of reading there.
static const std::string flags = " -std=c++20 -O1 -w -D_GLIBCXX_ASSERTIONS -pthread -I. ";

// Reads the headers of the frame in advance, for all compilations to come.
static bool read_frame(const std::string& compiler) {
  std::ofstream(workshop / "frame.hpp") << "#include \"common/support/frame.hpp\"\n";
  return run(compiler + flags + "-x c++-header common/support/frame.hpp -o " + (workshop / "frame.hpp.gch").string());
}

// Compiles a test with what lies in `folder` in front of the tree, as folder/test; logs into folder/log. What has not
// changed is taken from the unspoilt test, whose folder has the name of the test: of a changed source it is all else,
// of a changed header nothing, but that solutions are seen by the check of exercises alone.
static bool compile(const std::string& compiler, const Test& test, const fs::path& folder) {
  const fs::path unspoilt = workshop / test.name;
  const bool header = folder != unspoilt && holds_headers(folder);
  std::string search = " -I" + folder.string();
  if (!test.answers.empty()) search = " -I" + (folder / test.answers).string() + " -I" + test.answers.string() + search;
  const std::string log = " >>" + (folder / "log").string() + " 2>&1";
  std::string objects;
  for (const fs::path& source : sources_of(test)) {
    const bool spoilt = fs::exists(folder / source);
    const bool anew = folder == unspoilt || spoilt || (header && (test.answers.empty() || source == test.source));
    const fs::path object = object_of(anew ? folder : unspoilt, source);
    objects += " " + object.string();
    // The search for headers begins in the folder; those of the tree read in advance would be found first, so not with
    // it.
    const std::string ahead = header && test.answers.empty() ? "" : " -include " + (workshop / "frame.hpp").string();
    if (anew && !run(compiler + search + flags + ahead + " -include " + (workshop / "first.hpp").string() + " -c " +
                     (spoilt ? folder / source : source).string() + " -o " + object.string() + log))
      return false;
  }
  return run(compiler + objects + " build/common/support/*.o build/common/plot/*.o build/common/page/*.o -pthread -o " +
             (folder / "test").string() + log);
}

// What is to stand in place of some statements: by header, and by the statement's first and last line.
using Replacements = std::map<fs::path, std::map<std::pair<std::size_t, std::size_t>, std::string>>;

// Lays changed files over the tree.
static void lay_over(const Replacements& replacements, const fs::path& folder) {
  fs::remove_all(folder);
  for (const auto& [header, statements] : replacements) {
    fs::create_directories(folder / header.parent_path());
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
        schemata::schema(m.original, texts, m.scalar, m.header.generic_string(), m.first + 1);
  }
  return replacements;
}

static const fs::path refused = "refused";

// Makes a program that holds these mutants of one test, and enters its folder for each of them. Those that the compiler
// complains about are left out and have no program, or are refused where the case is the statement itself, which then
// does not compile alone either; if it names none, each half of them gets a program of its own.
static void build(const std::vector<Mutant>& mutants, std::vector<std::size_t> numbers, const std::string& compiler,
                  const fs::path& folder, std::vector<fs::path>& programs) {
  if (numbers.empty()) return;
  lay_over(schemata_of(mutants, numbers), folder);
  if (compile(compiler, mutants[numbers[0] - 1].test, folder)) {
    for (const std::size_t n : numbers) programs[n - 1] = folder;
    return;
  }
  const std::vector<std::string> log = lines_of(folder / "log");
  for (const std::size_t n : schemata::accused(log, true))
    if (schemata::choice_in(mutants[n - 1].original).type.empty()) programs[n - 1] = refused;
  const std::set<std::size_t> accused = schemata::accused(log, false);
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
static std::vector<fs::path> build_programs(const std::vector<Mutant>& mutants, const Tests& tests,
                                            const std::string& compiler) {
  std::vector<fs::path> programs(mutants.size());
  in_two_threads(tests.size(), [&](std::size_t t) {
    std::vector<std::size_t> numbers;
    for (std::size_t k = 0; k < mutants.size(); ++k) {
      const Mutant& m = mutants[k];
      if (m.test.name == tests[t].name &&
          !schemata::case_of(schemata::choice_in(m.original), m.original, m.text).empty())
        numbers.push_back(k + 1);
    }
    build(mutants, numbers, compiler, workshop / ("program" + tests[t].name), programs);
  });
  return programs;
}

static bool compile_alone(const Mutant& m, const std::string& compiler, const fs::path& folder) {
  lay_over({{m.header, {{{m.first, m.last}, m.text}}}}, folder);
  return compile(compiler, m.test, folder);
}

// ------------------------------------------------------------------------------------------------- judging a mutant

enum Verdict { caught, does_not_compile, changes_nothing, survives };

// Runs a program as the mutant of a number in one scalar, or in whatever there is, at most 60 seconds, since a mutant
// may loop for ever.
static bool run_test(const fs::path& program, std::size_t number, const std::string& scalar,
                     const std::string& argument, const fs::path& output) {
  return run("ulimit -t 60; MUTANT=" + std::to_string(number) + (scalar.empty() ? "" : " SCALAR=" + scalar) + " " +
             (program / "test").string() + " " + argument + " >" + output.string() + " 2>&1");
}

// What a test computes, to be compared: all gradients, or what the check of exercises finds.
static bool dump(const Test& test, const fs::path& program, std::size_t number, const std::string& scalar,
                 const fs::path& output) {
  return run_test(program, number, scalar, test.dumps() ? "--dump" : "", output);
}

// What the first line that differs between two dumps begins with, a model and a tensor; empty when they are the same.
// Two numbers are the same up to 1e-12 of the line's largest, in float up to 1e-5: a sum in another order differs by a
// few hundred roundings of 1e-16 or 6e-8, and no test could tell it.
static std::string first_difference(const fs::path& a, const fs::path& b) {
  const std::vector<std::string> left = lines_of(a), right = lines_of(b);
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    if (left[i] == right[i]) continue;
    const std::size_t x = left[i].find(": ") + 1, y = right[i].find(": ") + 1;
    const std::string label = left[i].substr(0, x);
    if (label != right[i].substr(0, y)) return "another line";
    std::istringstream left_words(left[i].substr(x)), right_words(right[i].substr(y));
    std::string l, r;
    const double rounding = label.find(", float ") == std::string::npos ? 1e-12 : 1e-5;
    double largest = 0, difference = 0;
    while (left_words >> l && right_words >> r) {
      const double p = std::strtod(l.c_str(), nullptr), q = std::strtod(r.c_str(), nullptr);
      if (l != r) difference = std::max(difference, std::isfinite(p - q) ? std::abs(p - q) : HUGE_VAL);
      largest = std::max(largest, std::abs(p));
    }
    if (!(difference <= rounding * largest)) return label.empty() ? "a line without a label" : label;
  }
  return left.size() == right.size() ? "" : "another count of lines";
}

static bool same_dump(const fs::path& a, const fs::path& b) { return first_difference(a, b).empty(); }

// A mutant by its number, and the scalar in which alone it is one; empty: in all code.
struct Trial {
  std::size_t number;
  std::string scalar;
};

// Runs a mutant. A gradient test first prints the gradients, which takes little, and then looks at the model whose
// gradients are others; only if that one holds must all be looked at.
static Verdict run_mutant(const Mutant& m, const Trial& trial, const fs::path& program, const fs::path& folder) {
  const auto passes = [&](const std::string& argument) {
    return run_test(program, trial.number, trial.scalar, argument, folder / "output");
  };
  if (!m.test.dumps()) return passes("") ? survives : caught;
  if (!dump(m.test, program, trial.number, trial.scalar, folder / "dump")) return caught;
  const std::string label = first_difference(workshop / m.test.name / "dump", folder / "dump");
  if (label.empty()) return changes_nothing;
  const std::string model = label.substr(0, label.rfind(' '));
  return passes("--first '" + model + "'") && passes("--first") ? survives : caught;
}

// `program` is the folder of a program that holds the mutant; if empty, the mutant is compiled alone.
static Verdict judge(const Mutant& m, const Trial& trial, fs::path program, const std::string& compiler) {
  if (program == refused) return does_not_compile;
  const fs::path folder = workshop / ("m" + std::to_string(trial.number) + trial.scalar);
  fs::create_directories(folder);
  const bool compiles = !program.empty() || compile_alone(m, compiler, folder);
  if (program.empty()) program = folder;
  const Verdict verdict = compiles ? run_mutant(m, trial, program, folder) : does_not_compile;
  if (verdict != survives) fs::remove_all(folder);
  return verdict;
}

// ------------------------------------------------------------------------------------------- checking what must be so

// An unspoilt test must compile, pass and print something. What is wrong; empty if nothing is.
static std::string fault_of_test(const Test& test, const std::string& compiler) {
  const fs::path folder = workshop / test.name;
  const std::string name = test.source.generic_string();
  fs::create_directories(folder);
  if (!fs::exists(test.source)) return name + " is missing, but there are backward lines that it should test";
  if (!compile(compiler, test, folder)) return name + " does not compile; see " + (folder / "log").string();
  if (!run_test(folder, 0, "", "", folder / "output"))
    return name + " fails before anything is spoilt; see " + (folder / "output").string();
  if (!dump(test, folder, 0, "", folder / "dump") || fs::file_size(folder / "dump") == 0)
    return name + " --dump prints no gradients";
  return "";
}

// The statements as they were found and joined must still be those of the header.
static std::string fault_of_statements(const std::vector<Mutant>& mutants, const Test& test,
                                       const std::string& compiler) {
  Replacements originals;
  for (const Mutant& m : mutants)
    if (m.test.name == test.name) originals[m.header][{m.first, m.last}] = m.original;
  const fs::path itself = workshop / (test.name + "_itself");
  lay_over(originals, itself);
  if (compile(compiler, test, itself) && dump(test, itself, 0, "", itself / "dump") &&
      same_dump(workshop / test.name / "dump", itself / "dump"))
    return "";
  return "what " + test.source.generic_string() + " tests, unspoilt, is taken for a mutant; see " + itself.string();
}

// A program must be unspoilt as number 0, and as the number of a mutant what this mutant is when compiled alone.
static std::string fault_of_program(const fs::path& program, const Mutant& m, std::size_t number,
                                    const std::string& compiler) {
  if (!dump(m.test, program, 0, "", program / "dump") || !same_dump(workshop / m.test.name / "dump", program / "dump"))
    return program.string() + " as number 0 is not the unspoilt test";
  const fs::path alone = program.string() + "_alone";
  const bool compiles = compile_alone(m, compiler, alone);
  dump(m.test, alone, 0, "", alone / "dump");
  dump(m.test, program, number, "", program / "dump");
  if (!compiles || !same_dump(alone / "dump", program / "dump"))
    return program.string() + " as mutant " + std::to_string(number) + " is not what " + alone.string() + " is";
  return "";
}

// Prints each fault; whether there are none.
static bool print_faults(const std::vector<std::string>& faults) {
  bool none = true;
  for (const std::string& fault : faults)
    if (!fault.empty()) {
      std::printf("FAIL %s\n", fault.c_str());
      none = false;
    }
  return none;
}

static bool check_tests(const std::vector<Mutant>& mutants, const Tests& tests, const std::string& compiler) {
  std::vector<std::string> faults(tests.size());
  in_two_threads(tests.size(), [&](std::size_t t) {
    faults[t] = fault_of_test(tests[t], compiler);
    if (faults[t].empty()) faults[t] = fault_of_statements(mutants, tests[t], compiler);
  });
  return print_faults(faults);
}

static bool check_programs(const std::vector<Mutant>& mutants, const std::vector<fs::path>& programs,
                           const std::string& compiler) {
  std::map<fs::path, std::size_t> last;  // mutant of each program
  for (std::size_t k = 0; k < mutants.size(); ++k)
    if (!programs[k].empty() && programs[k] != refused) last[programs[k]] = k + 1;
  const std::vector<std::pair<fs::path, std::size_t>> checked(last.begin(), last.end());
  std::vector<std::string> faults(checked.size());
  in_two_threads(checked.size(), [&](std::size_t p) {
    const auto& [program, number] = checked[p];
    faults[p] = fault_of_program(program, mutants[number - 1], number, compiler);
  });
  return print_faults(faults);
}

// -------------------------------------------------------------------------------------------------------- reporting

static void print(const char* what, const Mutant& m, const std::string& scalar) {
  std::printf("%s%s %s:%zu\n  was  %s\n  now  %s\n", what, scalar.empty() ? "" : (" in " + scalar).c_str(),
              m.header.generic_string().c_str(), m.first + 1, trimmed(m.original).c_str(), trimmed(m.text).c_str());
}

// Prints what came out; the exit status. Equivalent mutants are no fault, but a line all of whose mutants are
// equivalent is one whose gradient the test does not look at, in float or in double.
static int report(const std::vector<Mutant>& mutants, const std::vector<Trial>& trials,
                  const std::vector<Verdict>& verdicts) {
  using Line = std::tuple<fs::path, std::size_t, std::string>;
  const auto line_of = [&](std::size_t k) {
    const Mutant& m = mutants[trials[k].number - 1];
    return Line(m.header, m.first, trials[k].scalar);
  };
  std::map<Verdict, int> count;
  std::map<Line, const Mutant*> untested;
  std::set<std::pair<fs::path, std::size_t>> compiled;
  for (std::size_t k = 0; k < trials.size(); ++k)
    if (const Mutant& m = mutants[trials[k].number - 1]; verdicts[k] != does_not_compile) {
      untested[line_of(k)] = &m;
      compiled.insert({m.header, m.first});
    }
  for (std::size_t k = 0; k < trials.size(); ++k)
    if (const Mutant& m = mutants[trials[k].number - 1]; verdicts[k] == caught || verdicts[k] == survives)
      untested.erase(line_of(k));
    else if (!compiled.contains({m.header, m.first})) untested[line_of(k)] = &m;
  for (std::size_t k = 0; k < trials.size(); ++k) {
    const auto& [number, scalar] = trials[k];
    ++count[verdicts[k]];
    if (verdicts[k] == survives) print("SURVIVES", mutants[number - 1], scalar);
    if (verdicts[k] == changes_nothing && !untested.contains(line_of(k)))
      print("changes no gradient", mutants[number - 1], scalar);
  }
  for (const auto& [line, m] : untested)
    std::printf("FAIL %s:%zu: no mutant of it%s changes what %s computes\n", m->header.generic_string().c_str(),
                m->first + 1, std::get<2>(line).empty() ? "" : (" in " + std::get<2>(line)).c_str(),
                m->test.source.generic_string().c_str());
  std::printf("mutants: %zu made, %d caught, %d do not compile, %d change no gradient, %d survive\n", trials.size(),
              count[caught], count[does_not_compile], count[changes_nothing], count[survives]);
  return count[survives] == 0 && untested.empty() ? 0 : 1;
}

// In a template over the scalar each mutant is tried in float alone and in double alone; but not if it is compiled
// alone.
static std::vector<Trial> trials_of(const std::vector<Mutant>& mutants, const std::vector<fs::path>& programs) {
  std::vector<Trial> trials;
  for (std::size_t k = 0; k < mutants.size(); ++k)
    if (mutants[k].scalar.empty() || programs[k].empty() || programs[k] == refused) trials.push_back({k + 1, ""});
    else trials.insert(trials.end(), {{k + 1, "float"}, {k + 1, "double"}});
  return trials;
}

static int test_mutants(const std::string& compiler, const std::string& only) {
  fs::remove_all(workshop);
  fs::create_directories(workshop);
  std::ofstream(workshop / "first.hpp") << schemata::selection;
  if (!read_frame(compiler)) return 1;

  std::vector<std::string> faults;
  std::vector<Mutant> mutants;
  std::map<std::string, Test> named;
  for (const fs::path& header : sources())
    if (const Test test = test_of(header); only.empty() || test.name == only || test.name == "solutions" + only)
      for (const Mutant& m : mutants_in(header, faults)) {
        mutants.push_back(m);
        named[test.name] = test;
      }
  if (mutants.empty()) faults.push_back("there are no backward lines");
  Tests tests;
  for (const auto& [name, test] : named) tests.push_back(test);
  if (!print_faults(faults) || !check_tests(mutants, tests, compiler)) return 1;

  const std::vector<fs::path> programs = build_programs(mutants, tests, compiler);
  if (!check_programs(mutants, programs, compiler)) return 1;

  const std::vector<Trial> trials = trials_of(mutants, programs);
  std::vector<Verdict> verdicts(trials.size());
  in_two_threads(trials.size(), [&](std::size_t k) {
    const std::size_t at = trials[k].number - 1;
    verdicts[k] = judge(mutants[at], trials[k], programs[at], compiler);
    if (terminal::is_window(stderr)) std::fprintf(stderr, "\r%zu of %zu ", k + 1, trials.size());
  });
  return report(mutants, trials, verdicts);
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
