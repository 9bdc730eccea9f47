// What is wrong with a reader's matrix, in words: its shape, a NaN, a sign, a constant factor, the transpose, some rows
// only, or its worst entry. It compares with numbers that are trusted (a numeric gradient, a formula) and never throws
// for what a reader may have computed: infinite, NaN or empty.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "common/matrix.hpp"

namespace exercise {

// One thing that a reader computed, and what it must be. `places` are the names of the entries, row after row, where
// name(row,col) would say nothing.
struct Answer {
  std::string name;
  Matrix<double> yours, right;
  std::vector<std::string> places = {};

  std::string entry(std::size_t i, std::size_t j) const;
};

// How near an answer must come, and what to call the trusted number in a message.
struct Judge {
  double tolerance;   // the relative error of common/gradcheck.hpp: floor at a thousandth of the largest entry
  const char* title;  // "numeric", "right"
};

// Tells whether all entries come near. NaN and infinity agree with nothing: their relative error is NaN.
bool agrees(const Matrix<double>& yours, const Matrix<double>& right, double tolerance);

// Tells whether the answer is zeros of the right shape: what a stub returns before anything is written.
bool untouched(const Answer& a);

// Returns "yours 0.31, numeric -0.31", with as many digits as it takes to see the difference.
std::string two_values(double yours, double right, const char* title);

// Returns "row 2", "rows 1 and 4", "rows 0, 2 and 5".
std::string list_of(const std::string& what, const std::set<std::size_t>& numbers);

// Says what tells the two numbers apart, where that is simple: ": a sign", ": a factor of 1/3", ": left at 0".
std::string likely_cause(double yours, double right);

// Says how the shape differs from the right one, which it must.
std::string diagnose_shape(const Answer& a);

// Says which entries are no finite numbers; empty when all are.
std::string diagnose_not_finite(const Answer& a);

// Says what is wrong with the answer, without its name; empty when nothing is.
std::string diagnose(const Answer& a, const Judge& judge);

// Returns the first division of whole numbers in a reader's text, such as "1 / Y.size()"; nothing where none is seen. It knows
// digits, counts of rows and columns, and names that the text declares as whole numbers.
std::string whole_division(const std::string& text);

// Two ways to compute the same differ by rounding, at most 1e-13 of sums as short as here; mistakes differ by over
// 1e-3.
inline constexpr double rounding = 1e-11;

// A wrong answer that has a known reason.
struct Mistake {
  Matrix<double> value;
  std::string reason;
};

// Returns the reason of the first of these mistakes that was made; empty where it is none of them.
std::string reason_among(const std::vector<Mistake>& mistakes, const Matrix<double>& yours, double tolerance);

// Says what is wrong with the answer: its reason where that is known. Empty when nothing is.
std::string diagnose(const Answer& answer, const Judge& judge, const std::vector<Mistake>& mistakes);

}  // namespace exercise
