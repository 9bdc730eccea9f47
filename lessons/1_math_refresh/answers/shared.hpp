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

// E[h²] behind ten layers of width 256 for inputs from N(0, 1). `weights(in, out, random)` draws those of a layer.
template <class Weights, class Phi>
double moment_after_ten_layers(Weights weights, Phi phi) {
  constexpr std::size_t width = 256, batch = 16;
  Random random(1);
  Matrix<double> H = normal_matrix<double>(batch, width, 1, random);
  const double start = mean_square(H);
  for (int layer = 0; layer < 10; ++layer) H = map(matmul(H, weights(width, width, random)), phi);
  return mean_square(H) / start;
}

}  // namespace exercise
