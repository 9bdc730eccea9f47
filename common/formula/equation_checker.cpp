// SPDX-License-Identifier: MIT
#include "common/formula/equation_checker.hpp"

#include <algorithm>
#include <cmath>

#include "common/terminal/flags.hpp"
#include "common/text/words.hpp"

namespace formula {
namespace {

// Sums of some hundred products agree to this; a slip errs by a thousandth and more.
constexpr double roundings = 1e-11, of_differences = 1e-6;

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

// What stands behind each = must be what stands before it; a name without a value takes that of the
// last side.
void EquationChecker::work_out(Entry& entry, Scope& scope) {
  for (const Equation& e : entry.line.equations) try {
      const std::string name = name_on_left(e);
      if (e.sides[0].kind == Kind::name && scope.values.count(name) == 0)
        scope.values[name] = scope(e.sides.back());
      compare(entry, e, scope);
    } catch (const Error& error) {
      throw std::runtime_error(join("by hand: ", e.text, ": ", error.what()));
    }
}

void EquationChecker::at(const std::string& numbers, bool back,
                         const std::function<void(Entry&)>& f) {
  const std::vector<std::string> all = words_of(numbers);
  const auto call = [&](Entry& entry) {
    try {
      f(entry);
    } catch (const Error& error) {
      throw std::runtime_error("(" + entry.line.number + "): " + error.what());
    }
  };
  for (Entry& entry :
       entries_)  // backward in the order of the text, from the last line to the first
    if (back && entry.line.back &&
        std::find(all.begin(), all.end(), entry.line.number) != all.end())
      call(entry);
  for (const std::string& number : all) {
    std::size_t found = 0;
    for (Entry& entry : entries_)
      if (!back && !entry.line.back && entry.line.number == number) {
        ++found;
        call(entry);
      }
    if (!back && found == 0) throw std::runtime_error("README has no formula (" + number + ")");
  }
}

void EquationChecker::compare(Entry& entry, const Equation& e, const Scope& scope) {
  const std::vector<Value> sides = scope.sides(e, entry.line.notes);
  entry.runs = true;
  for (std::size_t k = 0; k + 1 < sides.size(); ++k) {
    const bool below = e.relations[k] == "≤" && sides[k].numbers[0] <= sides[k + 1].numbers[0];
    entry.error = std::max(entry.error, below ? 0 : distance(sides[k + 1], sides[k]));
  }
}

void EquationChecker::holds(const std::string& numbers, const Scope& scope, bool back) {
  Scope now = scope;
  at(numbers, back, [&](Entry& entry) {
    for (const Equation& e : entry.line.equations) {
      const std::string name = name_on_left(e);
      const auto after = scope.values.find(name + "←");
      if (after == scope.values.end()) {
        compare(entry, e, scope);
        continue;
      }
      now.assign(e, entry.line.notes);
      entry.runs = true;
      entry.error = std::max(entry.error, distance(now.values[name], after->second));
    }
  });
}

void EquationChecker::model(const std::string& numbers, const Scope& scope,
                            const std::vector<std::string>& inputs, const std::string& output) {
  Program program;
  Scope start = scope;
  at(numbers, false, [&](Entry& entry) {
    program.lines.push_back(entry.line);
    for (const Equation& e : entry.line.equations)
      if (std::find(inputs.begin(), inputs.end(), name_on_left(e)) == inputs.end())
        start.values.erase(name_on_left(e));
  });
  holds(numbers, scope);
  start.values["R"] = scope.values.at("d" + output);
  program.lines.push_back(line("loss = Σ R ⊙ " + output));
  NumericGradients differences(program, start);
  const std::map<std::string, Value>& made = differences.values().values;
  std::map<std::string, std::vector<Entry*>> lines_of;
  std::map<std::string, Value> collected;
  at(numbers, true, [&](Entry& entry) {
    for (const Equation& e : entry.line.equations) {
      if (e.sides[0].kind == Kind::call) {  // a slope that the lines below use
        compare(entry, e, scope);
        continue;
      }
      const std::string name = name_on_left(e), of = name.substr(1);
      if (made.count(of) == 0) throw Error("no line forward makes " + of);
      Scope now = scope;
      for (const std::string& used :
           names_in(e)) {  // those that the program does not keep: from the lines above
        if (used[0] != 'd' || now.values.count(used) > 0) continue;
        if (collected.count(used) > 0) now.values[used] = collected[used];
        else if (made.count(used.substr(1)) > 0) now.values[used] = differences.of(used.substr(1));
      }
      now.values[name] = collected.count(name) ? collected[name] : zeros_like(made.at(of));
      now.assign(e, entry.line.notes);
      collected[name] = now.values[name];
      lines_of[name].push_back(&entry);
      entry.runs = true;
    }
  });
  for (const auto& [name, entries] : lines_of)
    for (Entry* entry : entries) {
      const auto own = scope.values.find(name);
      if (own != scope.values.end())
        entry->error = std::max(entry->error, distance(collected[name], own->second));
      entry->difference =
          std::max(entry->difference, distance(collected[name], differences.of(name.substr(1))));
    }
}

void EquationChecker::instead(const std::string& number, const std::string& why) {
  for (Entry& entry : entries_)
    if (entry.line.number == number && !entry.runs) entry.why = why;
}

int EquationChecker::report() const {
  std::size_t runs = 0, wrong = 0, open = 0;
  for (const Entry& entry : entries_) {
    runs += entry.runs;
    const bool off =
        entry.runs && !(entry.error <= roundings && entry.difference <= of_differences);
    wrong += off;
    open += !entry.runs && entry.why.empty();
    std::string what = entry.why.empty() ? "NOT RUN" : entry.why;
    if (entry.runs) what = "equal to " + significant(entry.error, 2);
    if (entry.difference > 0) what += ", to differences " + significant(entry.difference, 2);
    print(pad("(" + entry.line.number + ")" + (entry.line.back ? " back" : ""), 13) +
          (off ? "WRONG " : "") + what + "\n");
  }
  print(join(runs, " of ", entries_.size(), " lines of formulas run; ", wrong, " are not equal, ",
             open, " are not spoken of.\n"));
  return wrong == 0 && open == 0 ? 0 : 1;
}

std::map<std::string, std::string> EquationChecker::marks() const {
  std::map<std::string, double> worst;
  for (const Entry& entry : entries_)
    if (entry.runs) worst[entry.line.number] = std::max(worst[entry.line.number], entry.error);
  std::map<std::string, std::string> said;
  for (const auto& [number, error] : worst)
    if (error <= roundings) said[number] = "runs: equal to " + significant(error, 1);
  return said;
}

}  // namespace formula
