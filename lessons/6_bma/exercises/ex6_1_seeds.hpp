// Exercise 6.1 (warm-up, 15 minutes): a table of seeds. Is there a winner, and why?
// Validation losses of three small language models, in nats; lower is better. The numbers are made up to the pattern of
// those in the lesson. A seed gives all three the same start and the same batches, so a column is a fair match: the
// losses are paired. "half" is standard attention times the constant 1/2, which is what σ(Q·Wg) is as long as Wg is
// near 0. At hand: spread_of(numbers) with .mean, .deviation (divided by n - 1) and .luck(), how far from 0 the mean of
// so many numbers may lie by chance in nineteen cases of twenty: Student's factor (2.776 for five) times deviation/√n.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "common/support/spread.hpp"

namespace ex6_1 {

// Seed:                               1       2       3       4       5
const std::vector<double> standard{2.0275, 2.0635, 2.0557, 1.9903, 2.0534};
const std::vector<double> half{1.9899, 1.9877, 1.9820, 1.9576, 1.9932};
const std::vector<double> bma{1.9886, 1.9870, 1.9819, 1.9578, 1.9931};

// b against a, seed by seed.
struct Comparison {
  double mean = 0;      // of the differences b - a: below 0 where b is better
  double paired = 0;    // the deviation of these differences
  double unpaired = 0;  // √(x² + y²), with the deviations x of a and y of b: what it would be if nothing were paired
  double luck = 0;      // how far from 0 the mean may lie by chance, judged by the pairs
};

enum class Winner { not_answered, first, second, nobody };
enum class Cause { not_answered, the_query_in_the_gate, more_parameters, the_factor_of_one_half, lucky_seeds };

// TODO: write compare, and put your answers in the place of not_answered.

inline Comparison compare([[maybe_unused]] const std::vector<double>& a,
                          [[maybe_unused]] const std::vector<double>& b) {
  Comparison c;
  return c;
}

// Who has the lower loss? Nobody, where the mean difference is within the luck.
const Winner standard_or_half = Winner::not_answered;
const Winner standard_or_bma = Winner::not_answered;
const Winner half_or_bma = Winner::not_answered;

// And so: to what is it due that bma does better than standard attention?
const Cause cause = Cause::not_answered;

}  // namespace ex6_1
