// SPDX-License-Identifier: MIT
#include "common/frame/formula/equation_checker.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "common/frame/terminal/flags.hpp"

namespace formula {
namespace {

// Sums of some hundred products agree to this; a slip errs by a thousandth and more.
constexpr double roundings = 1e-11, of_differences = 1e-6;

void raise(double& worst, double error) { worst = std::max(worst, error); }

struct BackwardPass {
  const Scope& scope;
  NumericGradients differences;
  std::map<std::string, Value> collected = {};

  // Runs a formula that makes dX, or adds to it, and returns "dX".
  std::string run(const Equation& e) {
    const auto& forward = differences.values().values;
    const std::string name = name_on_left(e), of = name.substr(1);
    if (forward.count(of) == 0) throw Error("no line forward makes ", of);
    collected.try_emplace(name, zeros_like(forward.at(of)));
    Scope now = scope;
    for (const std::string& used : names_in(e)) {
      if (used[0] != 'd' || now.values.count(used) > 0) continue;
      if (collected.count(used) > 0) now.values[used] = collected[used];
      else if (forward.count(used.substr(1)) > 0)  // the program does not keep it
        now.values[used] = differences.of(used.substr(1));
    }
    now.values[name] = collected[name];
    now.assign(e);
    collected[name] = now.values[name];
    return name;
  }
};

}  // namespace

EquationChecker::EquationChecker(std::string_view readme) {
  Scope hand;
  for (Line& line : lines_of_readme(readme)) {
    if (line.number.empty()) continue;
    if (line.equations.empty()) {
      hand = {};
      continue;
    }
    entries_.push_back({std::move(line)});
    if (entries_.back().line.number == by_hand) work_out(entries_.back(), hand);
  }
}

bool EquationChecker::Entry::is_equal() const {
  return error <= roundings && difference <= of_differences;
}

// What stops one line leaves the others.
void EquationChecker::call(const std::function<void(Entry&)>& f, Entry& entry) {
  try {
    f(entry);
  } catch (const Error& error) {
    if (entry.problem.empty()) entry.problem = error.what();
  } catch (const std::invalid_argument& error) {  // shapes that do not fit
    if (entry.problem.empty()) entry.problem = error.what();
  }
}

// What stands behind each = must be what stands before it; a name without a value takes that of the
// last side.
void EquationChecker::work_out(Entry& entry, Scope& scope) {
  for (const Equation& e : entry.line.equations) {
    const auto work_out_one = [&](Entry& own) {
      const std::string name = name_on_left(e);
      if (e.sides[0].kind == Kind::name && scope.values.count(name) == 0)
        scope.values[name] = scope(e.sides.back());
      compare(own, e, scope);
    };
    call(work_out_one, entry);
  }
}

void EquationChecker::forward(const std::string& numbers, const std::function<void(Entry&)>& f) {
  for (const std::string& number : words_of(numbers)) {
    bool exists = false;
    for (Entry& entry : entries_) {
      if (entry.line.back || entry.line.number != number) continue;
      exists = true;
      call(f, entry);
    }
    if (!exists && !contains(missing_, number)) missing_.push_back(number);
  }
}

void EquationChecker::backward(const std::string& numbers, const std::function<void(Entry&)>& f) {
  const std::vector<std::string> all = words_of(numbers);
  for (Entry& entry : entries_)
    if (entry.line.back && contains(all, entry.line.number)) call(f, entry);
}

void EquationChecker::compare(Entry& entry, const Equation& e, const Scope& scope) {
  const std::vector<Value> sides = scope.sides(e);
  entry.runs = true;
  for (std::size_t k = 0; k + 1 < sides.size(); ++k) {
    const bool below = e.relations[k] == "≤" && sides[k].numbers[0] <= sides[k + 1].numbers[0];
    if (!below) raise(entry.error, distance(sides[k + 1], sides[k]));
  }
}

void EquationChecker::holds(const std::string& numbers, const Scope& scope, bool back) {
  Scope now = scope;
  const auto one = [&](Entry& entry) {
    for (const Equation& e : entry.line.equations) {
      const std::string name = name_on_left(e);
      const auto after = scope.values.find(name + "←");
      if (after == scope.values.end()) {
        compare(entry, e, scope);
        continue;
      }
      now.assign(e);
      entry.runs = true;
      raise(entry.error, distance(now.values[name], after->second));
    }
  };
  if (back) backward(numbers, one);
  else forward(numbers, one);
}

void EquationChecker::model(const std::string& numbers, const Scope& scope,
                            const std::vector<std::string>& inputs, const std::string& output,
                            const std::string& back) {
  Program program;
  Scope start = scope;
  forward(numbers, [&](Entry& entry) {
    program.lines.push_back(entry.line);
    for (const Equation& e : entry.line.equations)
      if (!contains(inputs, name_on_left(e))) start.values.erase(name_on_left(e));
  });
  holds(numbers, scope);
  start.values["R"] = scope.values.at("d" + output);
  program.lines.push_back(line("loss = Σ R ⊙ " + output));
  std::optional<NumericGradients> differences;
  Entry whole;
  call([&](Entry&) { differences.emplace(program, start); }, whole);
  if (!differences) {  // a line forward has said so of itself, or the last one does
    const auto stopped = [&](const Entry& entry) { return !entry.problem.empty(); };
    const bool said = std::any_of(entries_.begin(), entries_.end(), stopped) || !missing_.empty();
    if (!said)
      forward(words_of(numbers).back(), [&](Entry& entry) { entry.problem = whole.problem; });
    return;
  }
  BackwardPass pass{scope, *differences};
  std::map<std::string, std::vector<Entry*>> lines_of;
  const auto run_back = [&](Entry& entry) {
    for (const Equation& e : entry.line.equations)
      if (e.sides[0].kind == Kind::call) compare(entry, e, scope);  // a slope for the lines below
      else lines_of[pass.run(e)].push_back(&entry);
    entry.runs = true;
  };
  if (back.empty()) backward(numbers, run_back);
  for (const std::string& number : words_of(back)) backward(number, run_back);
  for (const auto& [name, entries] : lines_of) {
    const Value& gradient = pass.collected[name];
    const auto own = scope.values.find(name);
    for (Entry* entry : entries) {
      if (own != scope.values.end()) raise(entry->error, distance(gradient, own->second));
      raise(entry->difference, distance(gradient, pass.differences.of(name.substr(1))));
    }
  }
}

void EquationChecker::instead(const std::string& number, const std::string& why) {
  for (Entry& entry : entries_)
    if (entry.line.number == number && !entry.runs) entry.why = why;
}

std::string EquationChecker::Entry::complaint() const {
  std::string what = problem;
  if (what.empty() && !runs && why.empty()) what = "nothing runs it";
  const double worst = std::max(error, difference);
  if (what.empty() && worst >= 1e100) what = "is of another shape, or all 0, or no number";
  if (what.empty() && !is_equal())
    what = join("differs by ", significant(worst, 2),
                error <= roundings ? ", from central differences" : "");
  if (what.empty()) return "";
  std::string formulas;
  for (const Equation& e : line.equations) formulas += (formulas.empty() ? "" : "  ") + e.text;
  return join("(", line.number, ")", line.back ? " back" : "", ", README.md, line ", line.at, ": ",
              formulas, ": ", what);
}

std::string EquationChecker::Entry::text() const {
  std::string what = why.empty() ? "NOT RUN" : why;
  if (runs) what = "equal to " + significant(error, 2);
  if (difference > 0) what += ", to differences " + significant(difference, 2);
  return join(pad(join("(", line.number, ")", line.back ? " back" : ""), 13),
              is_equal() ? "" : "WRONG ", what, "\n");
}

int EquationChecker::report() const {
  std::size_t run = 0, wrong = 0, open = 0;
  for (const Entry& entry : entries_) {
    print(entry.text());
    run += entry.runs;
    wrong += !entry.is_equal() || !entry.problem.empty();
    open += !entry.runs && entry.why.empty();
  }
  for (const std::string& complaint : complaints()) print(complaint + "\n");
  print(join(run, " of ", entries_.size(), " lines of formulas run; ", wrong, " are not equal, ",
             open, " are not spoken of.\n"));
  return complaints().empty() ? 0 : 1;
}

std::vector<std::string> EquationChecker::complaints() const {
  std::vector<std::string> all;
  for (const Entry& entry : entries_)
    if (const std::string complaint = entry.complaint(); !complaint.empty())
      all.push_back(complaint);
  for (const std::string& number : missing_)
    all.push_back(join("(", number, "): README.md has no formula of that number that can be read"));
  return all;
}

std::size_t EquationChecker::held() const {
  return std::size_t(std::count_if(entries_.begin(), entries_.end(),
                                   [](const Entry& entry) { return entry.complaint().empty(); }));
}

std::map<std::string, std::string> EquationChecker::marks() const {
  std::map<std::string, double> worst;
  for (const Entry& entry : entries_)
    if (entry.runs && entry.problem.empty())
      worst[entry.line.number] = std::max(worst[entry.line.number], entry.error);
  std::map<std::string, std::string> marks;
  for (const auto& [number, error] : worst)
    if (error <= roundings) marks[number] = "runs: equal to " + significant(error, 1);
  return marks;
}

}  // namespace formula
