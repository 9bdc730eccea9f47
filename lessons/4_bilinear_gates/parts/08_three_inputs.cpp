// Lesson 4, part 8: all 256 functions of three bits, every one of them: which are one quadratic, and with how many
// units.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "lessons/4_bilinear_gates/model/3_gates.hpp"
#include "lessons/4_bilinear_gates/model/6_cube.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"

namespace lesson4 {
namespace {

// Parity from two product layers: first (x - y)² and z·1, then the square of their difference.
double parity_error() {
  ProductLayer first({3, 2});
  first.W = {{1, 0}, {-1, 0}, {0, 1}};
  first.V = {{1, 0}, {-1, 0}, {0, 0}};
  first.c = {{0, 1}};
  const ProductLayer second = unit_of({1, -1, 0}, {1, -1, 0});
  double worst = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const Matrix<double> x{{input_bit(i, 0), input_bit(i, 1), input_bit(i, 2)}};
    const double odd = parity_sign(i) > 0 ? 1 : 0;
    worst = std::max(worst, std::abs(output(second, output(first, x))(0, 0) - odd));
  }
  return worst;
}

// What part 8 counts among the 256 functions.
struct Counts {
  int exact = 0;          // as a quadratic
  int one = 0, two = 0;   // of these, with one unit and with two
  int multiplexers = 0;   // of those with two
  int thresholded = 0;    // right at all corners when thresholded at 1/2
  double worst_miss = 0;  // largest difference between what a corner is missed by and |κ|/8
};

Counts count_functions() {
  Counts counts;
  for (std::size_t f = 0; f < 256; ++f) {
    const double kappa = cubic_coefficient(f);
    const std::array<double, 8> nearest = best_quadratic(f);
    bool right = true;
    for (std::size_t i = 0; i < 8; ++i) {
      right = right && (nearest[i] - 0.5) * (output_bit(f, i) - 0.5) > 0;
      const double miss = std::abs(nearest[i] - output_bit(f, i));
      counts.worst_miss = std::max(counts.worst_miss, std::abs(miss - std::abs(kappa) / 8));
    }
    counts.thresholded += right;
    if (kappa != 0) continue;
    ++counts.exact;
    const bool one = one_unit_does(f);
    counts.one += one;
    counts.two += !one;
    counts.multiplexers += !one && is_multiplexer(f);
  }
  return counts;
}

void show_counts(Lesson& lesson, const Counts& counts) {
  lesson.say("Where does one layer end? Of the 256 functions of three bits ", counts.exact, " are exact, ", counts.one,
             " of them with one unit; ", counts.thresholded, " are right when thresholded at 1/2.");
  lesson.detail(Table{{"of the 256 functions", "count"},
                      {{"exact as a quadratic (κ = 0)", std::to_string(counts.exact)},
                       {"  with one unit", std::to_string(counts.one)},
                       {"  with two: multiplexers, s·a + (1 - s)·b", std::to_string(counts.two)},
                       {"right at all corners, thresholded at 1/2", std::to_string(counts.thresholded)}}});
  lesson.claim("exact as a quadratic: 8 over 4", double(counts.exact), exactly(70));
  lesson.claim("of these with one unit, by search", double(counts.one), exactly(46));
  lesson.claim("the others, every one a multiplexer", counts.two == 24 && counts.multiplexers == 24);
}

void multiplexers_take_two(Lesson& lesson) {
  const MultiplexerProof proof = prove_multiplexer();
  lesson.claim_same("each S of the multiplexer is the multiplexer at all corners", proof.corners);
  lesson.claim_same("the identity of its minors on 4 × 4 × 4 whole numbers, left side and 0", proof.identity);
}

void parity(Lesson& lesson) {
  int even_right = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const double u = input_bit(i, 0) + input_bit(i, 1) + input_bit(i, 2);
    even_right += ((u - 0.5) * (u - 1.5) > 0) == (parity_sign(i) < 0);
  }
  lesson.say("Parity: one unit's sign is right at ", even_right, " of 8 corners; two layers are off by ",
             parity_error(), ".");
  lesson.claim("even parity by one unit's sign: corners right", even_right, exactly(7));
  lesson.claim_same("odd parity by two layers, ((x - y)² - z)²", parity_error());
}

}  // namespace

void part8(Lesson& lesson, Session&) {
  const Counts counts = count_functions();
  show_counts(lesson, counts);
  multiplexers_take_two(lesson);
  lesson.claim_same("the best quadratic misses every corner by |κ|/8", counts.worst_miss);  // eighths
  lesson.claim("right when thresholded: all but the two parities", double(counts.thresholded), exactly(254));
  parity(lesson);
}

}  // namespace lesson4
