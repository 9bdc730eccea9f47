// SPDX-License-Identifier: MIT
#include "common/support/diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <regex>

#include "common/support/words.hpp"

namespace exercise {
namespace {

double relative_error(double yours, double right, double largest) {
  return yours == right ? 0 : std::abs(yours - right) / std::max({std::abs(yours), std::abs(right), 1e-3 * largest});
}

// Returns "3" for 3, "1/3" for 0.3333..., else its digits.
std::string factor_text(double factor) {
  const double inverse = std::round(1 / factor);
  const bool fraction = std::abs(inverse) > 1 && std::abs(inverse * factor - 1) < 1e-6;
  return fraction ? (factor < 0 ? "-1/" : "1/") + significant(std::abs(inverse), 6) : significant(factor, 4);
}

// Where the wrong entries of an answer stand, the worst of them, and what all of them have in common.
struct WrongEntries {
  std::size_t count = 0, row = 0, col = 0;  // (row, col): the worst
  std::set<std::size_t> rows, cols;
  std::string cause;
};

WrongEntries wrong_entries(const Answer& a, double tolerance) {
  WrongEntries wrong;
  const double largest = largest_entry(a.right);
  double worst = 0;
  for (std::size_t i = 0; i < a.right.rows(); ++i)
    for (std::size_t j = 0; j < a.right.cols(); ++j) {
      const double error = relative_error(a.yours(i, j), a.right(i, j), largest);
      if (error <= tolerance) continue;
      const std::string cause = likely_cause(a.yours(i, j), a.right(i, j));
      wrong.cause = wrong.count == 0 || wrong.cause == cause ? cause : "";
      ++wrong.count;
      wrong.rows.insert(i);
      wrong.cols.insert(j);
      if (error <= worst) continue;  // a NaN is not, so it is taken
      worst = error;
      wrong.row = i;
      wrong.col = j;
    }
  return wrong;
}

// Returns "right shape, wrong values", or which part of it is wrong when the rest is right.
std::string extent(const Answer& a, const WrongEntries& wrong) {
  constexpr std::size_t most = 4;  // numbers in a list
  const auto some = [&](const std::set<std::size_t>& part, std::size_t all) { return part.size() < all; };
  if (a.right.size() == 1) return "wrong";
  if (wrong.count == a.right.size()) return "right shape, wrong values";
  if (!a.places.empty()) return join("right in ", a.right.size() - wrong.count, " of ", a.right.size(), " places");
  if (wrong.count == 1) return "right but for one entry";
  if (some(wrong.rows, std::min(a.right.rows(), most + 1))) return "right but for " + list_of("row", wrong.rows);
  if (some(wrong.cols, std::min(a.right.cols(), most + 1))) return "right but for " + list_of("column", wrong.cols);
  return "right shape, wrong values";
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
  return a.yours.shape() == a.right.shape() && a.yours == Matrix<double>(a.right.rows(), a.right.cols());
}

std::string two_values(double yours, double right, const char* title) {
  int digits = 3;
  while (digits < 17 && significant(yours, digits) == significant(right, digits)) ++digits;
  return "yours " + significant(yours, digits) + ", " + title + " " + significant(right, digits);
}

std::string list_of(const std::string& what, const std::set<std::size_t>& numbers) {
  std::string list;
  for (auto number = numbers.begin(); number != numbers.end(); ++number)
    list += (number == numbers.begin()            ? ""
             : std::next(number) == numbers.end() ? " and "
                                                  : ", ") +
            std::to_string(*number);
  return what + (numbers.size() == 1 ? " " : "s ") + list;
}

std::string likely_cause(double yours, double right) {
  constexpr double most = 100;  // larger factors are not made by mistakes, but found by chance
  const double factor = yours / right;
  const auto whole = [](double x) { return x > 1.5 && x < most && std::abs(x / std::round(x) - 1) < 1e-6; };
  if (yours == 0) return ": left at 0";
  if (std::abs(factor + 1) < 1e-6) return ": a sign";
  return whole(factor) || whole(1 / factor) ? ": a factor of " + factor_text(factor) : "";
}

std::string diagnose_shape(const Answer& a) {
  const Shape yours = a.yours.shape(), right = a.right.shape();
  const bool turned = yours == Shape{right.cols, right.rows};
  return "wrong shape: yours is " + to_text(yours) + ", it must be " + to_text(right) + (turned ? ": transposed" : "");
}

std::string diagnose_not_finite(const Answer& a) {
  std::size_t count = 0;
  std::string first;
  for (std::size_t i = 0; i < a.yours.rows(); ++i)
    for (std::size_t j = 0; j < a.yours.cols(); ++j)
      if (const double x = a.yours(i, j); !std::isfinite(x) && count++ == 0)
        first = a.entry(i, j) + " is " + (std::isnan(x) ? "NaN" : x > 0 ? "infinite" : "minus infinite");
  if (count <= 1) return first;
  return join(first, "; ", count, " of ", a.yours.size(), " entries are no finite number");
}

std::string diagnose(const Answer& a, const Judge& judge) {
  if (a.yours.shape() != a.right.shape()) return diagnose_shape(a);
  if (const std::string text = diagnose_not_finite(a); !text.empty()) return text;
  if (agrees(a.yours, a.right, judge.tolerance)) return "";
  if (untouched(a)) return "still all zero";
  if (a.right.size() > 1) {
    if (agrees(-1 * a.yours, a.right, judge.tolerance)) return "right but for the sign of every entry";
    const double factor = dot(a.yours, a.right) / dot(a.right, a.right);
    if (agrees(a.yours, factor * a.right, judge.tolerance))
      return join("every entry is ", factor_text(factor), " times the ", judge.title, " one: a constant factor");
    if (agrees(Matrix<double>(transpose(a.yours)), a.right, judge.tolerance)) return "the transpose of the right one";
  }
  const WrongEntries wrong = wrong_entries(a, judge.tolerance);
  const double yours = a.yours(wrong.row, wrong.col), right = a.right(wrong.row, wrong.col);
  return extent(a, wrong) + ": " + (wrong.count > 1 ? "worst entry " : "") + a.entry(wrong.row, wrong.col) + ", " +
         two_values(yours, right, judge.title) + wrong.cause;
}

std::string reason_among(const std::vector<Mistake>& mistakes, const Matrix<double>& yours, double tolerance) {
  for (const Mistake& mistake : mistakes)
    if (agrees(yours, mistake.value, tolerance)) return mistake.reason;
  return "";
}

std::string diagnose(const Answer& answer, const Judge& judge, const std::vector<Mistake>& mistakes) {
  const std::string text = diagnose(answer, judge);
  if (text.empty()) return "";
  const std::string reason = reason_among(mistakes, answer.yours, rounding);
  return reason.empty() ? text : reason;
}

// Tells whether both are numbers that stand there, and nothing is dropped: 96/2.
static bool comes_out_whole(const std::string& division) {
  std::smatch number;
  if (!std::regex_match(division, number, std::regex(R"((\d{1,9})\s*/\s*(\d{1,9}))"))) return false;
  const long divisor = std::stol(number[2]);
  return divisor != 0 && std::stol(number[1]) % divisor == 0;
}

std::string whole_division(const std::string& text) {
  static const std::regex comment(R"(//[^\n]*)"), declared(R"((?:size_t|int|long|unsigned)\s+(\w+))");
  const std::string code = std::regex_replace(text, comment, "");
  std::string whole = R"(\d+(?![\w.])|[\w.]+(?:size|rows|cols)\(\))";
  for (std::sregex_iterator name(code.begin(), code.end(), declared), end; name != end; ++name)
    whole += "|\\b" + (*name)[1].str() + "\\b(?![.(\\w])";
  const std::regex division("(^|[^\\w.)])((?:" + whole + ")\\s*/\\s*(?:" + whole + "))");
  for (std::sregex_iterator found(code.begin(), code.end(), division), end; found != end; ++found) {
    // Behind a factor it is that product which is divided, whole or not.
    const std::string before = found->prefix().str() + (*found)[1].str(), divided = (*found)[2].str();
    const std::size_t last = before.find_last_not_of(" \t\n");
    const bool behind_factor = last != std::string::npos && (before[last] == '*' || before[last] == '/');
    if (!behind_factor && !comes_out_whole(divided)) return divided;
  }
  return "";
}

}  // namespace exercise
