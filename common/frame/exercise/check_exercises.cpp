// Checks all exercises of a program, or one, each in a process of its own.
// SPDX-License-Identifier: MIT
#include <filesystem>
#include <optional>

#include "common/derive/desk.hpp"
#include "common/frame/exercise/exercise.hpp"
#include "common/frame/files/file.hpp"
#include "common/frame/page/page.hpp"
#include "common/frame/terminal/flags.hpp"

using namespace exercise;
using Checked = std::vector<page::CheckedExercise>;

// Runs all in this process, which alone has the slips.
static int test_all_slips() {
  slips().tested = true;
  for (const Exercise& exercise : exercises()) {
    const std::size_t before = slips().tried.size();
    const Assessment verdict = run(exercise);
    if (verdict.state != State::done)
      print(join(exercise.number, " is not done: ", verdict.findings, "\n"));
    slips().unnamed += verdict.state != State::done;
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

// Returns {"lesson": 1, "exercises": {"1.2": "done", ...}, "derivations": [2, 6]}.
static std::string in_json(int lesson, const Checked& checked, const formula::Progress& derived) {
  constexpr const char* states[] = {"done", "wrong", "not started"};
  std::string all;
  for (const page::CheckedExercise& exercise : checked)
    if (exercise.verdict)
      all += join(all.empty() ? "" : ", ", "\"", exercise.number, "\": \"",
                  states[std::size_t(*exercise.verdict)], "\"");
  return join("{\"lesson\": ", lesson, ", \"exercises\": {", all, "}, \"derivations\": [",
              derived.done, ", ", derived.all, "]}\n");
}

// Returns {"id": "1.2", "done": false, "message": "a sign"}.
static std::string mark_of(const Exercise& exercise, const Assessment& verdict) {
  std::string message;
  for (const char c :
       printable(verdict.state == State::not_started ? "not started" : verdict.findings)) {
    if (c == '"' || c == '\\') message += '\\';
    if (c == '\n') message += "\\n";
    else message += c;
  }
  return join("{\"id\": \"", exercise.number,
              "\", \"done\": ", verdict.state == State::done ? "true" : "false",
              ", \"message\": \"", message, "\"}\n");
}

// Writes the reader's progress into the pages of the lesson and, in its usual place, of the course.
static void keep(const page::LessonPage& lesson, const Checked& checked, const std::string& out) {
  const std::string path = out + "/index.html";
  blame("--out", [&] {
    std::filesystem::create_directories(out);
    page::check_own(path);
    page::Results results = page::stored(out);
    page::Result& exercises = results["exercises"];
    exercises = page::exercises_found(checked, exercises);
    page::store(out, {{"exercises", exercises}});
    markdown::Complaints ignored;  // the lesson's own run has them
    write_file(path, page::of_lesson(lesson, results, ignored));
    if (out == join("build/out/lesson", lesson.number))  // the page of the course lies beside it
      write_file("build/out/index.html", page::of_course("build/out"));
  });
}

static std::string file_of(const Exercise& exercise, const std::string& folder) {
  std::string start = "ex" + exercise.number + "_";
  start.replace(start.find('.'), 1, "_");
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/exercises", ignored))
    if (entry.path().extension() == ".hpp" && entry.path().filename().string().starts_with(start))
      return contents_of(entry.path().string());
  return "";
}

struct Outcome {
  Checked checked;
  std::size_t done = 0;
  std::string next = {};  // the first that is not done
};

// Checks one exercise, or all where `only` is empty, and tells each verdict.
static Outcome outcome_of(const std::string& only, const std::string& folder, const auto& tell) {
  using OnPage = page::Claim::Status;
  constexpr OnPage on_page[] = {OnPage::holds, OnPage::open, OnPage::fails};  // by State
  // No check takes more than a few seconds, even under the sanitizers.
  constexpr int patience = 30;
  Outcome outcome;
  for (const Exercise& exercise : exercises()) {
    outcome.checked.push_back({exercise.number, std::nullopt});
    if (!only.empty() && exercise.number != only) continue;
    const Assessment verdict =
        with_advice(run_apart(exercise, patience), file_of(exercise, folder));
    outcome.checked.back().verdict = on_page[std::size_t(verdict.state)];
    if (verdict.state == State::done) ++outcome.done;
    else if (outcome.next.empty()) outcome.next = exercise.number;
    tell(exercise, verdict);
  }
  return outcome;
}

static void check_exists(const std::string& number) {
  std::string numbers;
  for (const Exercise& exercise : exercises()) {
    if (exercise.number == number) return;
    numbers += " " + exercise.number;
  }
  throw UserError("--only: there is no exercise '" + number + "'; here are" + numbers +
                  " (others are derivations: make derive" + number + ")");
}

static int check(Flags& flags, int lesson) {
  const knob::Toggle summary{"summary", "one line for the whole lesson"},
      json{"json", "one line for the whole lesson, as JSON, for whoever marks many"},
      marks{"marks", "one line an exercise, as JSON"},
      each_slip{"slips", "for the tests: make each slip of each solution, which must be named"};
  const std::string standard = join("build/out/lesson", lesson);
  const std::string where = "the folder of the lesson's page (" + standard + ")";
  const knob::Words one{"only", "check this exercise alone"}, folder{"out", where};
  const knob::Settings at = flags.ask({&summary, &json, &marks, &each_slip, &one, &folder});
  flags.finish();
  if (at[each_slip]) return test_all_slips();
  const bool each_shown = !at[summary] && !at[json] && !at[marks];
  const std::string only = at[one], out = at.given(folder) ? at[folder] : standard;
  if (!only.empty()) check_exists(only);
  const auto tell = [&](const Exercise& exercise, const Assessment& verdict) {
    if (at[marks]) print(mark_of(exercise, verdict));
    if (each_shown) print(verdict.printed + report(exercise, verdict));
  };
  const page::LessonPage on_page = page::read_lesson(lesson, join("Lesson ", lesson));
  const auto [checked, done, next] = outcome_of(only, on_page.folder, tell);
  const formula::Progress derived = formula::derived(on_page.derivations);
  if (at[json]) print(in_json(lesson, checked, derived));
  else if (only.empty() && !at[marks])
    print(join("lesson ", lesson, ": ", std::string(done, '#'),
               std::string(checked.size() - done, '-'), " ", done, " of ", checked.size(),
               " exercises done, ", derived.done, " of ", derived.all, " derivations\n"));
  if (each_shown && !next.empty()) print("A hint: make hint" + next + "\n");
  keep(on_page, checked, out);
  return next.empty() ? 0 : 1;
}

int exercise::check_exercises(int argc, char** argv) {
  const auto place = [](const Exercise& e) {  // 4.10 stands behind 4.9
    return std::stoi(e.number.substr(e.number.find('.') + 1));
  };
  std::sort(exercises().begin(), exercises().end(),
            [&](const Exercise& a, const Exercise& b) { return place(a) < place(b); });
  const int lesson = exercises().empty() ? 0 : std::stoi(exercises()[0].number);
  const std::string program = join("exercise", lesson);
  return run_program(program.c_str(), [&] {
    Flags flags(argc, argv, program,
                join("Checks your answers to the exercises of lesson ", lesson));
    return check(flags, lesson);
  });
}
