// Lesson 1: what several checks of its exercises ask.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "common/support/exercise.hpp"

namespace exercise {

inline constexpr Judge by_formula{1e-12, "right"};  // a few roundings

// Returns what a function gives at each place.
template <class F>
Matrix<double> at_each(const std::vector<double>& places, F f) {
  Matrix<double> found(1, places.size());
  for (std::size_t k = 0; k < places.size(); ++k) found(0, k) = f(places[k]);
  return found;
}

// Returns what the reader's function says at each place, with the names of the calls.
template <class Yours, class Right>
Answer calls(const std::string& function, const std::vector<double>& at, Yours yours, Right right) {
  Answer answer{function, calling(function, [&] { return at_each(at, yours); }), at_each(at, right)};
  for (const double x : at) answer.places.push_back(join(function, "(", x, ")"));
  return answer;
}

}  // namespace exercise
