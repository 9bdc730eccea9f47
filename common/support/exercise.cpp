// SPDX-License-Identifier: MIT
#include "common/support/exercise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>

#include "common/page/page.hpp"
#include "common/support/file.hpp"
#include "common/support/flags.hpp"
#include "common/support/terminal.hpp"
#include "common/support/words.hpp"

namespace exercise {
namespace {

// A few roundings are part of any answer. Beside a small truth they are small: 2^-50 is not 2^-40.
bool is_near(double yours, double truth, double tolerance) {
  constexpr double roundings = 1e-12;
  const double size = std::abs(truth);
  return std::isfinite(truth) && std::abs(yours - truth) <= (size == 0 ? roundings : (tolerance + roundings) * size);
}

}  // namespace

void Findings::add(const std::string& name, const std::string& text) {
  if (text.empty()) right_ += (right_.empty() ? "" : ", ") + name;
  else wrong_ += (wrong_.empty() ? "" : "\n") + name + ": " + text;
}

void Findings::add(const std::string& function, const Answer& answer, const Judge& judge,
                   const std::vector<Mistake>& mistakes) {
  const bool fits = answer.yours.shape() == answer.right.shape();
  add(fits ? answer.name : function + ", " + answer.name, diagnose(answer, judge, mistakes));
}

Verdict Findings::verdict() const {
  if (wrong_.empty()) return done();
  return wrong(right_.empty() ? wrong_ : "right: " + right_ + "\n" + wrong_);
}

Verdict compare(const std::vector<Answer>& answers, const Judge& judge) {
  if (std::all_of(answers.begin(), answers.end(), untouched)) return not_started();
  Findings findings;
  for (const Answer& a : answers) findings.add(a.name, diagnose(a, judge));
  return findings.verdict();
}

Verdict unless_as_given(Verdict verdict, bool as_given) {
  if (verdict.state == State::wrong && as_given) verdict.state = State::not_started;
  return verdict;
}

Verdict with_advice(Verdict verdict, const std::string& text) {
  if (verdict.state == State::not_started && !text.empty() && text.find("TODO") == std::string::npos)
    return wrong(verdict.findings.empty()
                     ? "the line with TODO is gone, but all is as it was given: zeros, or no answer"
                     : "your change has no effect on the numbers: it still computes what it did as given\n" +
                           verdict.findings);
  const std::string division = whole_division(text);
  if (verdict.state == State::wrong && !division.empty())
    verdict.findings += "\nmind: " + division + " divides whole numbers, and drops what is behind the point";
  return verdict;
}

std::string diagnose(const Prediction& p) {
  if (std::isnan(p.yours)) return "not answered yet";
  if (std::isinf(p.yours)) return "not a finite number";
  if (is_near(p.yours, p.truth, p.tolerance)) return "";
  for (const Misreading& misreading : p.misreadings)
    if (is_near(p.yours, misreading.value, p.tolerance)) return misreading.reason;
  if (p.yours == 0) return "not 0 (if you wrote a fraction: 1 / 3 is 0 in C++, 1.0 / 3 is not)";
  if (is_near(-p.yours, p.truth, p.tolerance)) return "the sign is wrong";
  return p.yours > p.truth ? "too large" : "too small";
}

Verdict compare(const std::vector<Prediction>& predictions) {
  const auto open = [](const Prediction& p) { return std::isnan(p.yours); };
  if (std::all_of(predictions.begin(), predictions.end(), open)) return not_started();
  Findings findings;
  for (const Prediction& p : predictions) findings.add(p.name, diagnose(p));
  return findings.verdict();
}

// All that were made, in any order.
static std::vector<Exercise>& registered() {
  static std::vector<Exercise> all;
  return all;
}

Exercise::Exercise(const char* n, const char* t, Verdict (*c)(), const char* b)
    : number(n), title(t), check(c), broken(b) {
  registered().push_back(*this);
}

int check_exercises(int argc, const char* const* argv) {
  std::vector<Exercise> all = registered();
  std::sort(all.begin(), all.end(), [](const Exercise& a, const Exercise& b) { return a.number < b.number; });
  return check_lesson(all.empty() ? 0 : std::stoi(all[0].number), all, argc, argv);
}

// Makes each slip of each solution, in this process: what is made is of no other. Returns the exit status.
static int test_all_slips(const std::vector<Exercise>& exercises) {
  slips().tested = true;
  for (const Exercise& exercise : exercises) {
    const std::size_t before = slips().tried.size();
    const Verdict verdict = run(exercise);
    if (verdict.state != State::done) print(join(exercise.number, " is not done: ", verdict.findings, "\n"));
    if (verdict.state != State::done) ++slips().unnamed;
    print(join(exercise.number, ": ", slips().tried.size() - before, " slips\n"));
  }
  for (const auto& [place, spoils] : slips().tried) {
    if (spoils) continue;
    ++slips().unnamed;
    print(join(place.first, ":", place.second, ": a slip that spoils nothing\n"));
  }
  print(join(slips().tried.size(), " slips, ", slips().unnamed, " without their own name\n"));
  return slips().unnamed == 0 ? 0 : 1;
}

Verdict run(const Exercise& exercise) {
  if (!exercise.broken.empty()) return wrong("it does not compile\n" + exercise.broken);
  try {
    return exercise.check();
  } catch (const std::exception& error) {
    return wrong(std::string("your code threw an exception: ") + error.what());
  } catch (...) {
    return wrong("your code threw something that is no std::exception");
  }
}

Verdict run_apart(const Exercise& exercise, int seconds) {
  const auto [end, text] = terminal::run_apart(
      [&] {
        const Verdict verdict = run(exercise);
        return std::to_string(static_cast<int>(verdict.state)) + verdict.findings;
      },
      seconds);
  if (end == terminal::Apart::End::crashed)
    return wrong("your code crashed: it reads or writes past the end of something, or calls itself without end");
  if (end == terminal::Apart::End::late)
    return wrong(join("your code did not end within ", seconds, " seconds: a loop without end?"));
  return {static_cast<State>(text.at(0) - '0'), text.substr(1)};
}

std::string report(const Exercise& exercise, const Verdict& verdict) {
  constexpr std::size_t columns = 80, state_column = 48, indent = 4;
  std::string line = exercise.number + " " + exercise.title + " ";
  line += std::string(state_column - std::min(state_column, columns_of(line)), '.');
  line += verdict.state == State::done ? " done" : verdict.state == State::not_started ? " not started" : " wrong:";
  const std::string& findings = verdict.findings;
  const bool fits = findings.find('\n') == std::string::npos && columns_of(line) + 1 + columns_of(findings) <= columns;
  if (verdict.state == State::wrong && fits) return line + " " + findings + "\n";
  line += "\n";
  for (std::size_t start = 0; start < findings.size();) {
    const std::size_t end = std::min(findings.find('\n', start), findings.size());
    line += std::string(indent, ' ') + wrap(findings.substr(start, end - start), columns - indent, indent + 2);
    start = end + 1;
  }
  return line;
}

std::string summary(int lesson, std::size_t done_count, std::size_t all) {
  return join("lesson ", lesson, ": ", std::string(done_count, '#'), std::string(all - done_count, '-'), " ",
              done_count, " of ", all, " exercises done\n");
}

// Throws UserError unless --only names one of these, or nothing.
static void check_only(const std::vector<Exercise>& exercises, const std::string& only) {
  std::string all;
  for (const Exercise& exercise : exercises) {
    if (exercise.number == only || only.empty()) return;
    all += " " + exercise.number;
  }
  throw UserError("--only: there is no exercise '" + only + "'; here are" + all);
}

// Reads lines such as "1.3 ex1_3_layer_backward.hpp:21: ..."; of no file, none.
static std::map<std::string, std::string> reasons_in(const std::string& file) {
  std::map<std::string, std::string> reasons;
  if (file.empty()) return reasons;
  std::ifstream in(file);
  if (!in) throw UserError("--broken: cannot read '" + file + "'");
  for (std::string number, why; in >> number && std::getline(in >> std::ws, why);) reasons[number] = why;
  return reasons;
}

// Returns {"lesson": 1, "exercises": {"1.1": "done", ...}}, without those that were not looked at.
static std::string in_json(int lesson, const std::vector<page::CheckedExercise>& checked) {
  constexpr const char* states[] = {"done", "wrong", "not started"};
  std::string all;
  for (const page::CheckedExercise& exercise : checked)
    if (exercise.verdict)
      all += join(all.empty() ? "" : ", ", "\"", exercise.number, "\": \"",
                  states[static_cast<std::size_t>(*exercise.verdict)], "\"");
  return join("{\"lesson\": ", lesson, ", \"exercises\": {", all, "}}\n");
}

static page::Claim::Verdict on_page(State state) {
  using OnPage = page::Claim::Verdict;
  return state == State::done ? OnPage::holds : state == State::wrong ? OnPage::fails : OnPage::open;
}

// Writes how far the reader is into the page of the lesson, and into that of the course, beside the folder of the lesson.
static void keep(int lesson, const std::vector<page::CheckedExercise>& checked, const std::filesystem::path& out,
                 const std::string& program) {
  blame("--out", [&] {
    std::filesystem::create_directories(out);
    const std::string file = (out / "index.html").string();
    std::map<int, std::string> stored = page::stored_results(page::contents_of(file));
    stored[page::exercises] = page::stored_exercises(checked, stored[page::exercises]);
    write_file(file, page::of_lesson({lesson, join("Lesson ", lesson), lesson_folder(program, lesson)}, stored));
    const std::filesystem::path course = out.parent_path();
    write_file((course / "index.html").string(), page::of_course(program, course));
  });
}

// Returns the reader's file for an exercise, as it stands now; nothing where it is not to be found.
static std::string file_of(const Exercise& exercise, const std::filesystem::path& folder) {
  std::string start = "ex" + exercise.number + "_";
  start.replace(start.find('.'), 1, "_");
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "exercises", ignored))
    if (entry.path().extension() == ".hpp" && entry.path().filename().string().starts_with(start))
      return page::contents_of(entry.path());
  return "";
}

int check_lesson(int lesson, const std::vector<Exercise>& exercises, int argc, const char* const* argv) {
  const std::string program = join("exercise", lesson);
  return run_program(program.c_str(), [&] {
    Flags flags(argc, argv, program, join("Checks your answers to the exercises of lesson ", lesson));
    const bool summarized = flags.toggle("--summary", "one line for the whole lesson");
    const bool as_json = flags.toggle("--json", "one line for the whole lesson, as JSON, for whoever marks many");
    const bool short_form = summarized || as_json;
    const std::string only = flags.text("--only", "N.M", "", "check this exercise alone");
    const std::string broken = flags.text("--broken", "FILE", "", "exercises that do not compile, 'N.M why' in a line");
    const std::string out =
        flags.text("--out", "DIR", join("build/out/lesson", lesson), "where the lesson's page lies");
    const bool all_slips =
        flags.toggle("--slips", "for the tests: make each slip of each solution, which must be named");
    flags.finish();
    check_only(exercises, only);
    if (all_slips) return test_all_slips(exercises);
    const std::map<std::string, std::string> uncompiled = reasons_in(broken);
    std::vector<page::CheckedExercise> checked;
    std::size_t done_count = 0;
    std::string next;  // the first exercise that is not done
    for (const Exercise& exercise : exercises) {
      checked.push_back({exercise.number, exercise.title, std::nullopt});
      if (!only.empty() && exercise.number != only) continue;
      const auto reason = uncompiled.find(exercise.number);
      constexpr int patience = 30;  // seconds; no check takes more than a few, under the sanitizers either
      const Verdict found =
          reason == uncompiled.end() ? run_apart(exercise, patience) : wrong("it does not compile\n" + reason->second);
      const Verdict verdict = with_advice(found, file_of(exercise, lesson_folder(flags.program(), lesson)));
      checked.back().verdict = on_page(verdict.state);
      if (verdict.state == State::done) ++done_count;
      else if (next.empty()) next = exercise.number;
      if (!short_form) print(report(exercise, verdict));
      std::fflush(stdout);
    }
    if (as_json) print(in_json(lesson, checked));
    else if (only.empty()) print(summary(lesson, done_count, exercises.size()));
    if (!short_form && !next.empty()) print("A hint: make hint" + next + "\n");
    keep(lesson, checked, out, flags.program());
    return next.empty() ? 0 : 1;
  });
}

}  // namespace exercise
