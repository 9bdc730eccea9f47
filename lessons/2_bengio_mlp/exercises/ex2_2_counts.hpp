// Exercise 2.2 (warm-up, 10 minutes): a table of counts by hand. The training text is "abracadabra", the vocabulary its
// five symbols, and the orders are interpolated with λ = 1: p_r = (count + λ·p_(r-1))/(total + λ), p₀ = 1/5.
// An answer counts when it is right to four digits. Expressions are welcome, but mind that 1 / 3 is 0.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <limits>

namespace ex2_2 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: put your numbers in the place of not_answered.

// p_1(a): the probability of a when nothing is known of what stands before it.
const double a_alone = not_answered;
// p_2(b) after a: what does the text show after an a?
const double b_after_a = not_answered;
// The loss, in nats, of an a that stands after an a, which the text never shows.
const double loss_of_aa = not_answered;

}  // namespace ex2_2
