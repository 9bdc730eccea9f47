// Exercise 6.7 (change, 30 minutes): a head that can say nothing, without a gate and without a
// first token. For this the weights of a row must be able to sum to less than 1. Below the line
// stands one exponential more, that of a number b, and no token gets its share (the scores z[j] are
// multiplied by 1/√m already):
//   a[j] = exp(z[j])/(exp(b) + Σ_l exp(z[l]))
// b is learned, one for all rows of a head. Scores may be in the thousands, of either sign. Then
// derive the backward pass. What changes for the scores, and what is the gradient of b? The check
// compares weights and gradients. Then it trains such a head on the task of section 7 without a
// first token, which takes a second.
// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "common/loss.hpp"

namespace ex6_7 {

// TODO: as given, both functions are those of a softmax, and b is not used.

// Turns the scores of a row into weights, in their place.
template <class T>
void weigh(std::span<T> row, [[maybe_unused]] T b) {
  softmax(row);
}

// Turns the gradient of the weights into that of the scores, in its place; `row` holds what weigh
// made. Adds to db.
template <class T>
void weigh_back(std::span<const T> row, std::span<T> d, [[maybe_unused]] T b,
                [[maybe_unused]] T& db) {
  T mean = 0;
  for (std::size_t j = 0; j < row.size(); ++j) mean += d[j] * row[j];
  for (std::size_t j = 0; j < row.size(); ++j) d[j] = row[j] * (d[j] - mean);
}

}  // namespace ex6_7
