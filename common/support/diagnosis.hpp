// What is wrong with a reader's matrix, in words: its shape, a NaN, a sign, a constant factor, the transpose, some rows
// only, or its worst entry. It compares with numbers that are trusted (a numeric gradient, a formula) and never throws for
// what a reader may have computed: infinite, NaN or empty.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "common/matrix.hpp"
#include "common/support/words.hpp"

namespace exercise {

// One thing that a reader computed, and what it must be. `places` are the names of the entries, row after row, where
// name(row,col) would say nothing.
struct Answer {
  std::string name;
  Matrix<double> yours, right;
  std::vector<std::string> places = {};

  std::string entry(std::size_t i, std::size_t j) const {
    return places.empty() ? join(name, "(", i, ",", j, ")") : places.at(i * right.cols() + j);
  }
};

// How near an answer must come, and what to call the trusted number in a message.
struct Judge {
  double tolerance;   // the relative error of common/gradcheck.hpp: floor at a thousandth of the largest entry
  const char* title;  // "numeric", "right"
};

inline double largest_entry(const Matrix<double>& a) {
  double largest = 0;
  for (const double x : a.values()) largest = std::max(largest, std::abs(x));
  return largest;
}

inline double relative_error(double yours, double right, double largest) {
  return yours == right ? 0 : std::abs(yours - right) / std::max({std::abs(yours), std::abs(right), 1e-3 * largest});
}

// NaN and infinity agree with nothing: their relative error is NaN.
inline bool agrees(const Matrix<double>& yours, const Matrix<double>& right, double tolerance) {
  if (yours.shape() != right.shape()) return false;
  const double largest = largest_entry(right);
  for (std::size_t k = 0; k < right.size(); ++k)
    if (!(relative_error(yours.values()[k], right.values()[k], largest) <= tolerance)) return false;
  return true;
}

// Zeros of the right shape: what a stub returns before anything is written.
inline bool untouched(const Answer& a) {
  return a.yours.shape() == a.right.shape() && a.yours == Matrix<double>(a.right.rows(), a.right.cols());
}

// "yours 0.31, numeric -0.31", with as many digits as it takes to see the difference.
inline std::string two_values(double yours, double right, const char* title) {
  int digits = 3;
  while (digits < 17 && significant(yours, digits) == significant(right, digits)) ++digits;
  return "yours " + significant(yours, digits) + ", " + title + " " + significant(right, digits);
}

// "3" for 3, "1/3" for 0.3333..., else its digits.
inline std::string factor_text(double factor) {
  const double inverse = std::round(1 / factor);
  const bool fraction = std::abs(inverse) > 1 && std::abs(inverse * factor - 1) < 1e-6;
  return fraction ? (factor < 0 ? "-1/" : "1/") + significant(std::abs(inverse), 6) : significant(factor, 4);
}

// "row 2", "rows 1 and 4", "rows 0, 2 and 5".
inline std::string list_of(const std::string& what, const std::set<std::size_t>& numbers) {
  std::string list;
  for (auto number = numbers.begin(); number != numbers.end(); ++number)
    list += (number == numbers.begin()            ? ""
             : std::next(number) == numbers.end() ? " and "
                                                  : ", ") +
            std::to_string(*number);
  return what + (numbers.size() == 1 ? " " : "s ") + list;
}

// Where the wrong entries of an answer stand, and the worst of them.
struct WrongEntries {
  std::size_t count = 0, row = 0, col = 0;  // (row, col): the worst
  std::set<std::size_t> rows, cols;
};

inline WrongEntries wrong_entries(const Answer& a, double tolerance) {
  WrongEntries wrong;
  const double largest = largest_entry(a.right);
  double worst = 0;
  for (std::size_t i = 0; i < a.right.rows(); ++i)
    for (std::size_t j = 0; j < a.right.cols(); ++j) {
      const double error = relative_error(a.yours(i, j), a.right(i, j), largest);
      if (error <= tolerance) continue;
      ++wrong.count;
      wrong.rows.insert(i), wrong.cols.insert(j);
      if (!(error <= worst)) worst = error, wrong.row = i, wrong.col = j;
    }
  return wrong;
}

// "right shape, wrong values", or which part of it is wrong when the rest is right.
inline std::string extent(const Answer& a, const WrongEntries& wrong) {
  constexpr std::size_t most = 4;  // numbers in a list
  const auto some = [&](const std::set<std::size_t>& part, std::size_t all) { return part.size() < all; };
  if (wrong.count == a.right.size()) return "right shape, wrong values";
  if (!a.places.empty()) return join("right in ", a.right.size() - wrong.count, " of ", a.right.size(), " places");
  if (wrong.count == 1) return "right but for one entry";
  if (some(wrong.rows, std::min(a.right.rows(), most + 1))) return "right but for " + list_of("row", wrong.rows);
  if (some(wrong.cols, std::min(a.right.cols(), most + 1))) return "right but for " + list_of("column", wrong.cols);
  return "right shape, wrong values";
}

// What tells the two numbers apart, where that is simple: ": a sign", ": a factor of 1/3", ": left at 0".
inline std::string likely_cause(double yours, double right) {
  constexpr double most = 100;  // larger factors are not made by mistakes, but found by chance
  const double factor = yours / right;
  const auto whole = [](double x) { return x > 1.5 && x < most && std::abs(x / std::round(x) - 1) < 1e-6; };
  if (yours == 0) return ": left at 0";
  if (std::abs(factor + 1) < 1e-6) return ": a sign";
  return whole(factor) || whole(1 / factor) ? ": a factor of " + factor_text(factor) : "";
}

inline std::string diagnose_shape(const Answer& a) {
  const Shape yours = a.yours.shape(), right = a.right.shape();
  const bool turned = yours == Shape{right.cols, right.rows};
  return "wrong shape: yours is " + to_text(yours) + ", it must be " + to_text(right) + (turned ? ": transposed" : "");
}

// Empty when every entry is a finite number.
inline std::string diagnose_not_finite(const Answer& a) {
  std::size_t count = 0;
  std::string first;
  for (std::size_t i = 0; i < a.yours.rows(); ++i)
    for (std::size_t j = 0; j < a.yours.cols(); ++j)
      if (const double x = a.yours(i, j); !std::isfinite(x) && count++ == 0)
        first = a.entry(i, j) + " is " + (std::isnan(x) ? "NaN" : x > 0 ? "infinite" : "minus infinite");
  if (count <= 1) return first;
  return join(first, "; ", count, " of ", a.yours.size(), " entries are no finite number");
}

// What is wrong with the answer, without its name; empty when nothing is.
inline std::string diagnose(const Answer& a, const Judge& judge) {
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
         two_values(yours, right, judge.title) + likely_cause(yours, right);
}

// Two ways to compute the same differ by rounding, at most 1e-13 of sums as short as here; mistakes differ by over 1e-3.
inline constexpr double rounding = 1e-11;

// A wrong answer that has a known reason.
struct Mistake {
  Matrix<double> value;
  std::string reason;
};

// What is wrong with the answer: its reason where that is known. Empty when nothing is.
inline std::string diagnose(const Answer& answer, const Judge& judge, const std::vector<Mistake>& mistakes) {
  const std::string text = diagnose(answer, judge);
  if (!text.empty())
    for (const Mistake& mistake : mistakes)
      if (agrees(answer.yours, mistake.value, rounding)) return mistake.reason;
  return text;
}

}  // namespace exercise
