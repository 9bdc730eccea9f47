// SPDX-License-Identifier: MIT
#include "common/frame/exercise/exercise.hpp"

#include <cmath>
#include <iterator>
#include <regex>

#include "common/frame/terminal/flags.hpp"
#include "common/frame/terminal/terminal.hpp"

namespace exercise {
namespace {

double relative_error(double yours, double right, double largest) {
  if (yours == right) return 0;
  return std::abs(yours - right) / std::max({std::abs(yours), std::abs(right), 1e-3 * largest});
}

bool is_one(double x) { return std::abs(x - 1) < 1e-6; }

// Returns "3" for 3, "1/3" for 0.3333..., else its digits.
std::string factor_text(double factor) {
  const double inverse = std::round(1 / factor);
  const bool fraction = std::abs(inverse) > 1 && is_one(inverse * factor);
  if (!fraction) return significant(factor, 4);
  return (factor < 0 ? "-1/" : "1/") + significant(std::abs(inverse), 6);
}

// Returns ": a sign", ": a factor of 1/3", ": left at 0", if it is as simple as that.
std::string likely_cause(double yours, double right) {
  constexpr double most = 100;  // larger factors are chance
  const double factor = yours / right;
  const auto whole = [](double x) { return x > 1.5 && x < most && is_one(x / std::round(x)); };
  if (yours == 0) return ": left at 0";
  if (is_one(-factor)) return ": a sign";
  return whole(factor) || whole(1 / factor) ? ": a factor of " + factor_text(factor) : "";
}

// Returns "row 2", "rows 1 and 4", "rows 0, 2 and 5".
std::string list_of(const std::string& what, const std::set<std::size_t>& numbers) {
  std::string list;
  for (auto number = numbers.begin(); number != numbers.end(); ++number) {
    const bool last = std::next(number) == numbers.end();
    list += (number == numbers.begin() ? "" : last ? " and " : ", ") + std::to_string(*number);
  }
  return what + (numbers.size() == 1 ? " " : "s ") + list;
}

struct WrongEntries {
  std::set<std::size_t> rows, cols;
  std::size_t count = 0, worst = 0;
  std::string cause;
};

WrongEntries wrong_entries(const Answer& a, double tolerance) {
  const double largest = largest_entry(a.right);
  WrongEntries entries;
  double worst = 0;
  for (std::size_t k = 0; k < a.right.size(); ++k) {
    const double yours = a.yours.values()[k], right = a.right.values()[k];
    const double error = relative_error(yours, right, largest);
    if (error <= tolerance) continue;
    const std::string cause = likely_cause(yours, right);
    entries.cause = entries.count == 0 || entries.cause == cause ? cause : "";
    ++entries.count;
    entries.rows.insert(k / a.right.cols());
    entries.cols.insert(k % a.right.cols());
    if (error <= worst) continue;  // takes a NaN, too
    worst = error;
    entries.worst = k;
  }
  return entries;
}

std::string extent_of(const WrongEntries& entries, const Answer& a) {
  const std::size_t size = a.right.size();
  const auto few = [&](const std::set<std::size_t>& part, std::size_t all) {
    return entries.count < size && part.size() < std::min<std::size_t>(all, 5);
  };
  if (size == 1) return "wrong";
  if (!a.places.empty()) return join("right in ", size - entries.count, " of ", size, " places");
  if (entries.count == 1) return "right but for one entry";
  if (few(entries.rows, a.right.rows())) return "right but for " + list_of("row", entries.rows);
  if (few(entries.cols, a.right.cols())) return "right but for " + list_of("column", entries.cols);
  return "right shape, wrong values";
}

std::string worst_entry(const Answer& a, const Tolerance& tolerance) {
  const WrongEntries entries = wrong_entries(a, tolerance.relative);
  const std::size_t k = entries.worst, cols = a.right.cols();
  return extent_of(entries, a) + ": " + (entries.count > 1 ? "worst entry " : "") +
         a.entry(k / cols, k % cols) + ", " +
         two_values(a.yours.values()[k], a.right.values()[k], tolerance.title) + entries.cause;
}

// A few roundings are part of any answer, but small beside a small truth: 2^-50 is not 2^-40.
bool is_near(double yours, double truth, double tolerance) {
  constexpr double roundings = 1e-12;
  const double size = std::abs(truth);
  return std::isfinite(truth) &&
         std::abs(yours - truth) <= (size == 0 ? roundings : (tolerance + roundings) * size);
}

}  // namespace

std::string Answer::entry(std::size_t i, std::size_t j) const {
  return places.empty() ? join(name, "(", i, ",", j, ")") : places.at(i * right.cols() + j);
}

bool agrees(const Matrix<double>& yours, const Matrix<double>& right, double tolerance) {
  if (yours.shape() != right.shape()) return false;
  const double largest = largest_entry(right);
  for (std::size_t k = 0; k < right.size(); ++k)
    if (!(relative_error(yours.values()[k], right.values()[k], largest) <= tolerance)) return false;
  return true;
}

bool untouched(const Answer& a) {
  return a.yours.shape() == a.right.shape() &&
         a.yours == Matrix<double>(a.right.rows(), a.right.cols());
}

std::string two_values(double yours, double right, const char* title) {
  int digits = 3;
  while (digits < 17 && significant(yours, digits) == significant(right, digits)) ++digits;
  return "yours " + significant(yours, digits) + ", " + title + " " + significant(right, digits);
}

std::string misfit_of(const Answer& a) {
  const Shape yours = a.yours.shape(), right = a.right.shape();
  const bool turned = yours == Shape{right.cols, right.rows};
  if (yours != right)
    return "wrong shape: yours is " + to_text(yours) + ", it must be " + to_text(right) +
           (turned ? ": transposed" : "");
  std::size_t count = 0;
  std::string first;
  for (std::size_t k = 0; k < a.yours.size(); ++k) {
    const double x = a.yours.values()[k];
    if (std::isfinite(x)) continue;
    ++count;
    if (count > 1) continue;
    const char* what = std::isnan(x) ? "NaN" : x > 0 ? "infinite" : "minus infinite";
    first = join(a.entry(k / yours.cols, k % yours.cols), " is ", what);
  }
  if (count <= 1) return first;
  return join(first, "; ", count, " of ", a.yours.size(), " entries are no finite number");
}

std::string diagnose(const Answer& a, const Tolerance& tolerance) {
  const auto right = [&](const Matrix<double>& yours, double factor = 1) {
    return agrees(yours, factor * a.right, tolerance.relative);
  };
  if (const std::string text = misfit_of(a); !text.empty()) return text;
  if (right(a.yours)) return "";
  if (untouched(a)) return "still all zero";
  if (a.right.size() == 1) return worst_entry(a, tolerance);
  if (right(-1 * a.yours)) return "right but for the sign of every entry";
  const double factor = dot(a.yours, a.right) / dot(a.right, a.right);
  if (right(a.yours, factor))
    return join("every entry is ", factor_text(factor), " times the ", tolerance.title,
                " one: a constant factor");
  if (right(Matrix<double>(transpose(a.yours)))) return "the transpose of the right one";
  return worst_entry(a, tolerance);
}

void Findings::add(const std::string& name, const std::string& text) {
  if (text.empty()) right_ += (right_.empty() ? "" : ", ") + name;
  else wrong_ += (wrong_.empty() ? "" : "\n") + name + ": " + text;
}

Assessment Findings::verdict() const {
  if (wrong_.empty()) return done();
  return wrong(right_.empty() ? wrong_ : "right: " + right_ + "\n" + wrong_);
}

Assessment compare(const std::vector<Answer>& answers, const Tolerance& tolerance) {
  if (std::all_of(answers.begin(), answers.end(), untouched)) return not_started();
  Findings findings;
  for (const Answer& a : answers) findings.add(a.name, diagnose(a, tolerance));
  return findings.verdict();
}

Assessment unless_as_given(Assessment verdict, bool as_given) {
  if (verdict.state == State::wrong && as_given) verdict.state = State::not_started;
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

Assessment compare(const std::vector<Prediction>& predictions) {
  const auto open = [](const Prediction& p) { return std::isnan(p.yours); };
  if (std::all_of(predictions.begin(), predictions.end(), open)) return not_started();
  Findings findings;
  for (const Prediction& p : predictions) findings.add(p.name, diagnose(p));
  return findings.verdict();
}

std::vector<Exercise>& exercises() {
  static std::vector<Exercise> all;
  return all;
}

Exercise::Exercise(const char* n, const char* t, Assessment (*c)(), const char* b)
    : number(n), title(t), check(c), broken(b) {
  exercises().push_back(*this);
}

std::string thrown(const std::string& what) {
  const std::string says = printable(what.substr(0, 500));
  static const std::regex product(R"((?:.*: )?matmul: (\d+) x (\d+) and (\d+) x (\d+))");
  std::smatch shape;
  if (!std::regex_match(says, shape, product)) return "your code threw an exception: " + says;
  std::string text = join("your code multiplies ", shape.str(1), " x ", shape.str(2), " by ",
                          shape.str(3), " x ", shape.str(4), ", which does not fit");
  if (shape[2] == shape[4]) return text + ": is the second to be transposed?";
  return shape[1] == shape[3] ? text + ": is the first to be transposed?" : text;
}

void complain(const Slips::Place& place, const std::string& cause, const std::string& diagnosis) {
  ++slips().unnamed;
  print(join(place.first, ":", place.second, ": '", cause, "' is told: ", diagnosis, "\n"));
}

Assessment run(const Exercise& exercise) {
  if (!exercise.broken.empty()) return wrong(exercise.broken);
  try {
    return exercise.check();
  } catch (const std::bad_alloc&) {
    return wrong(
        "your code wants more memory than there is for it: does something grow without end?");
  } catch (const std::exception& error) {
    return wrong(thrown(error.what()));
  } catch (...) {
    return wrong("your code threw something that is no std::exception");
  }
}

// Returns what the standard library, which checks its bounds here, says it found, and takes the
// line that says so from what a program printed.
static std::string taken_assertion(std::string& said) {
  const std::string begins = "Assertion '", ends = "' failed.";
  const std::size_t at = said.find(begins), end = said.find(ends, at);
  if (at == said.npos || end == said.npos) return "";
  const std::string condition = said.substr(at + begins.size(), end - at - begins.size());
  const std::size_t line = said.rfind('\n', at) + 1;  // 0 for the first
  said.erase(line, std::min(said.find('\n', end), said.size() - 1) + 1 - line);
  return condition;
}

// Says what became of a check in a process of its own.
static Assessment verdict_at(terminal::Subprocess::End end, const std::string& text,
                             const std::string& assertion, int seconds) {
  using End = terminal::Subprocess::End;
  switch (end) {
    case End::left:
      return wrong("your code ended the program before its answer could be checked: exit() in it?");
    case End::forked:
      return wrong("your code starts another process, which no exercise needs: fork() in it?");
    case End::crashed:
      if (assertion.find("size()") != assertion.npos)
        return wrong(
            "your code reads or writes past the end of a row or a vector: the last index is its size less 1");
      if (assertion.find("empty()") != assertion.npos)
        return wrong("your code wants the first or the last of something that is empty");
      return wrong(
          "your code crashed: it reads or writes past the end of something, or calls itself without end");
    case End::divided:
      return wrong("your code crashed: it divides a whole number by 0");
    case End::killed:
      return wrong(
          "the system ended your code, as it does when memory is short: does something grow without end?");
    case End::late:
      return wrong(join("your code did not end within ", seconds, " seconds: a loop without end?"));
    case End::returned:
      break;
  }
  return {State(text.at(0) - '0'), text.substr(1)};
}

Assessment run_apart(const Exercise& exercise, int seconds) {
  const auto apart = [&] {
    const Assessment verdict = run(exercise);
    return std::to_string(int(verdict.state)) + verdict.findings;
  };
  auto [end, text, said] = terminal::run_apart(apart, seconds);
  const std::string assertion = taken_assertion(said);
  Assessment verdict = verdict_at(end, text, assertion, seconds);
  verdict.printed = printable(said);
  if (said.size() >= 4000) verdict.printed += "...\n(what your code prints is cut here)\n";
  return verdict;
}

static std::string without_comments(const std::string& text) {
  static const std::regex comment(R"(//[^\n]*)");
  return std::regex_replace(text, comment, "");
}

std::string whole_division(const std::string& text) {
  static const std::regex declared(R"((?:size_t|int|long|unsigned)\s+(\w+))");
  const std::string code = without_comments(text);
  std::string whole = R"((?:\d+(?![\w.])|[\w.]+(?:size|rows|cols)\(\))";
  for (std::sregex_iterator name(code.begin(), code.end(), declared), end; name != end; ++name)
    whole += "|\\b" + (*name)[1].str() + "\\b(?![.(\\w])";
  whole += ")";
  // Behind a factor their product is divided, whole or not.
  // What is compared with a count, becomes one or an index, may well be whole.
  const std::regex division(R"((?:^|return|[^\w.)*/\s<>\[,]|,(?=\s*\d))\s*()" + whole +
                            R"(\s*/\s*)" + whole + ")");
  static const std::regex count(R"((?:size_t|int|long|unsigned)\s+\w+\s*=[^;]*;)");
  const std::string rest = std::regex_replace(code, count, "");
  std::smatch match;
  return std::regex_search(rest, match, division) ? match[1].str() : "";
}

// Tells whether a bracket behind this text is that of a call, as in `f(`, and not in `2 * (`.
static bool is_called(const std::string& before) {
  const std::string name = before.substr(0, before.find_last_not_of(" \n") + 1);
  if (name.empty() || name.ends_with("return")) return false;
  return std::isalnum(std::uint8_t(name.back())) != 0 ||
         std::string_view("_)]>").find(name.back()) < 4;
}

std::string decimal_comma(const std::string& text) {
  static const std::regex number(R"([^\w.,<](\d+,\d+)(?![\w.,>]))"),
      value(R"((?:=|return)(?:[^;]*?[^\w.,<;])?(\d+,\d+)(?![\w.,>]))");
  // What stands in each open bracket; one that is closed has become an x.
  std::vector<std::string> open{""};
  std::smatch match;
  for (const char c : without_comments(text)) {
    if (c == '(' || c == '[' || c == '{') open.push_back({c});
    else if (open.size() > 1 && (c == ')' || c == ']' || c == '}')) {
      const std::string inside = std::move(open.back());
      open.pop_back();
      const bool factor = inside[0] == '(' && !is_called(open.back());
      const bool block = inside[0] == '{' && inside.find(';') < inside.size();
      if (factor && std::regex_search(inside, match, number)) return match[1].str();
      if (block && std::regex_search(inside, match, value)) return match[1].str();
      open.back() += 'x';
    } else open.back() += c;
  }
  return std::regex_search(open[0], match, value) ? match[1].str() : "";
}

bool calls_plain_abs(const std::string& text) {
  static const std::regex call(R"((?:^|[^\w:.>])abs\s*\()"),
      imported(R"(using\s+(?:namespace\s+std\b|std::abs\b))");
  const std::string code = without_comments(text);
  return std::regex_search(code, call) && !std::regex_search(code, imported);
}

bool waits_for_input(const std::string& text) {
  static const std::regex reads(R"(\b(?:cin\s*(?:>>|\.)|getline\s*\(|scanf\s*\(|getchar\s*\())");
  return std::regex_search(without_comments(text), reads);
}

// Returns, a line each, what a wrong answer may come from.
static std::string remarks(const std::string& text) {
  const std::string division = whole_division(text), comma = decimal_comma(text);
  std::string all;
  if (!division.empty())
    all += "\nmind: " + division + " divides whole numbers, and drops what is behind the point";
  if (!comma.empty()) {
    std::string point = comma;
    point.replace(point.find(','), 1, ".");
    all += "\nmind: C++ takes " + comma + " for two numbers: write " + point;
  }
  if (waits_for_input(text))
    all += "\nmind: nobody types while an answer is checked, so there is nothing to read";
  if (calls_plain_abs(text)) all += "\nmind: abs without std:: may be that of whole numbers";
  return all;
}

Assessment with_advice(Assessment verdict, const std::string& text) {
  if (verdict.state == State::not_started) {
    if (text.find("TODO") != text.npos) {
      verdict.findings.clear();  // what is wrong is for the reader to find
      return verdict;
    }
    if (text.empty()) return verdict;
    verdict.state = State::wrong;
    verdict.findings =
        verdict.findings.empty()
            ? "the line with TODO is gone, but all is as it was given: zeros, or no answer"
            : "your change has no effect on the numbers: it still computes what it did as given\n" +
                  verdict.findings;
  }
  if (verdict.state == State::wrong) verdict.findings += remarks(text);
  return verdict;
}

std::string report(const Exercise& exercise, const Assessment& verdict) {
  constexpr std::size_t columns = 80, state_column = 48, indent = 4;
  constexpr const char* in_words[] = {" done", " not started", " wrong:"};  // by State
  std::string line = exercise.number + " " + exercise.title + " ";
  line += std::string(state_column - std::min(state_column, columns_of(line)), '.');
  line += in_words[std::size_t(verdict.state)];
  const std::string& findings = verdict.findings;
  const bool fits = findings.find('\n') == std::string::npos &&
                    columns_of(line) + 1 + columns_of(findings) <= columns;
  if (verdict.state == State::wrong && fits) return line + " " + findings + "\n";
  line += "\n";
  for (std::size_t start = 0; start < findings.size();) {
    const std::size_t end = std::min(findings.find('\n', start), findings.size());
    line += std::string(indent, ' ') +
            wrap(findings.substr(start, end - start), columns - indent, indent + 2);
    start = end + 1;
  }
  return line;
}

}  // namespace exercise
