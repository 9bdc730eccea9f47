// The machinery behind `make exerciseN`: it runs the checks of a lesson's exercises on the reader's files and prints a line
// for each: done, not started, or wrong with a diagnosis. Whatever the reader's code throws is reported, not passed on.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "common/gradcheck.hpp"
#include "common/support/diagnosis.hpp"
#include "common/support/flags.hpp"
#include "common/support/words.hpp"

namespace exercise {

// -------------------------------------------------------------------------------------------------------- verdicts

enum class State { done, not_started, wrong };

// What a check says of an answer. The findings stand one a line; code that is still as it was given may have some too.
struct Verdict {
  State state = State::done;
  std::string findings = {};
};

inline Verdict done() { return {State::done}; }
inline Verdict not_started(const std::string& findings = "") { return {State::not_started, findings}; }
inline Verdict wrong(const std::string& findings) { return {State::wrong, findings}; }

// The names of what is right in one line, then a line for each thing that is not.
class Findings {
 public:
  // An empty text means that `name` is right.
  void add(const std::string& name, const std::string& text) {
    if (text.empty()) right_ += (right_.empty() ? "" : ", ") + name;
    else wrong_ += (wrong_.empty() ? "" : "\n") + name + ": " + text;
  }

  Verdict verdict() const {
    if (wrong_.empty()) return done();
    return wrong(right_.empty() ? wrong_ : "right: " + right_ + "\n" + wrong_);
  }

 private:
  std::string right_, wrong_;
};

// Compares every answer: done when all agree, not started when all are still zero.
inline Verdict compare(const std::vector<Answer>& answers, const Judge& judge) {
  if (std::all_of(answers.begin(), answers.end(), untouched)) return not_started();
  Findings findings;
  for (const Answer& a : answers) findings.add(a.name, diagnose(a, judge));
  return findings.verdict();
}

// For "find the bug": code that does exactly what the given code does was not started, and what is wrong with it is the
// reader's first clue.
inline Verdict unless_as_given(Verdict verdict, bool as_given) {
  if (verdict.state == State::wrong && as_given) verdict.state = State::not_started;
  return verdict;
}

// d loss / d tensor, found by moving each entry. The tensor is left as it was; at a kink there is no slope to compare.
template <class Loss>
Matrix<double> numeric_gradient(Matrix<double>& tensor, Loss loss, Step step = Step::smooth) {
  Matrix<double> gradient(tensor.rows(), tensor.cols());
  const std::vector<gradcheck::Slope> slopes = gradcheck::slopes(tensor, loss, step);
  for (std::size_t k = 0; k < slopes.size(); ++k) gradient.values()[k] = slopes[k].value;
  return gradient;
}

// Numeric gradients are right to some 1e-9, wrong derivations wrong by more than 1e-4 (lesson 1, "How a gradient check works").
inline constexpr Judge numeric{1e-7, "numeric"};

// ----------------------------------------------------------------------------------------------------- predictions

// A wrong answer that has a known reason.
struct Misreading {
  double value;
  std::string reason;
};

// A number that the reader wrote down before it was computed; NaN until then. It counts when its relative error is at
// most `tolerance`, and for a truth of 0 when it is below 1e-12.
struct Prediction {
  std::string name;
  double yours, truth, tolerance;
  std::vector<Misreading> misreadings = {};
};

inline bool is_near(double yours, double truth, double tolerance) {
  return std::abs(yours - truth) <= tolerance * std::abs(truth) + 1e-12;
}

// Why a prediction is wrong, without giving the answer away; empty when it is right.
inline std::string diagnose(const Prediction& p) {
  if (std::isnan(p.yours)) return "not answered yet";
  if (std::isinf(p.yours)) return "not a finite number";
  if (is_near(p.yours, p.truth, p.tolerance)) return "";
  for (const Misreading& misreading : p.misreadings)
    if (is_near(p.yours, misreading.value, p.tolerance)) return misreading.reason;
  if (p.yours == 0) return "not 0 (if you wrote a fraction: 1 / 3 is 0 in C++, 1.0 / 3 is not)";
  if (is_near(-p.yours, p.truth, p.tolerance)) return "the sign is wrong";
  return p.yours > p.truth ? "too large" : "too small";
}

inline Verdict compare(const std::vector<Prediction>& predictions) {
  const auto open = [](const Prediction& p) { return std::isnan(p.yours); };
  if (std::all_of(predictions.begin(), predictions.end(), open)) return not_started();
  Findings findings;
  for (const Prediction& p : predictions) findings.add(p.name, diagnose(p));
  return findings.verdict();
}

// --------------------------------------------------------------------------------------------------------- reports

struct Exercise {
  std::string number, title;  // "1.2", at most 40 columns
  Verdict (*check)();
};

// The verdict on what the reader wrote, or the text of the exception that it threw.
inline Verdict run(const Exercise& exercise) {
  try {
    return exercise.check();
  } catch (const std::exception& error) {
    return wrong(std::string("your code threw an exception: ") + error.what());
  } catch (...) {
    return wrong("your code threw something that is no std::exception");
  }
}

// "1.2 Two slopes of swish ............. done": one line, and findings that do not fit it indented below.
inline std::string report(const Exercise& exercise, const Verdict& verdict) {
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

// "lesson 1: ##--- 2 of 5 exercises done"
inline std::string summary(int lesson, std::size_t done_count, std::size_t all) {
  return join("lesson ", lesson, ": ", std::string(done_count, '#'), std::string(all - done_count, '-'), " ",
              done_count, " of ", all, " exercises done\n");
}

// The main program of a check.cpp. Returns the exit status: 0 when all exercises are done, 1 when not, 2 for a wrong flag.
inline int check_lesson(int lesson, const std::vector<Exercise>& exercises, int argc, const char* const* argv) {
  const std::string program = join("exercise", lesson);
  return run_program(program.c_str(), [&] {
    Flags flags(argc, argv, program, join("Checks your answers to the exercises of lesson ", lesson));
    const bool short_form = flags.toggle("--summary", "one line for the whole lesson");
    flags.finish();
    std::size_t done_count = 0;
    std::string next;  // the first exercise that is not done
    for (const Exercise& exercise : exercises) {
      const Verdict verdict = run(exercise);
      if (verdict.state == State::done) ++done_count;
      else if (next.empty()) next = exercise.number;
      if (!short_form) std::fputs(report(exercise, verdict).c_str(), stdout);
      std::fflush(stdout);
    }
    std::fputs(summary(lesson, done_count, exercises.size()).c_str(), stdout);
    if (!short_form && !next.empty()) std::printf("A hint: make hint%s\n", next.c_str());
    return done_count == exercises.size() ? 0 : 1;
  });
}

}  // namespace exercise
