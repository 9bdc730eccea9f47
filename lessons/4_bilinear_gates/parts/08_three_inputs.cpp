// Lesson 4, part 8: all 256 functions of three bits, every one of them: which are one quadratic, and with how many
// units.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4 {

constexpr knob::Numbers table{
    "table", "0 or 1 at 000, 100, 010, 110, 001, 101, 011, 111", {0, 1, 1, 0, 1, 0, 0, 1}, {0, 1, 1}};

// Returns the values at the corners of the quadratic nearest to f. On the cube the eight products of signs, one for
// each subset of the axes, are at right angles to each other; seven of them are quadratic, so each is given its share
// of f, Σ f·product/8.
static std::array<double, 8> best_quadratic(std::size_t function) {
  std::array<double, 8> values{};
  const auto product = [](std::size_t subset, std::size_t corner) {
    return std::popcount(subset & corner) % 2 == 0 ? 1.0 : -1.0;
  };
  for (std::size_t subset = 0; subset < 7; ++subset) {  // 7 is all three axes: cubic
    double share = 0;
    for (std::size_t i = 0; i < 8; ++i) share += output_bit(function, i) * product(subset, i) / 8;
    for (std::size_t i = 0; i < 8; ++i) values[i] += share * product(subset, i);
  }
  return values;
}

static void all_functions(Lesson& lesson) {
  int exact = 0, one = 0, two = 0, multiplexers = 0, thresholded = 0;
  double off = 0;
  for (std::size_t f = 0; f < 256; ++f) {
    const std::array<double, 8> nearest = best_quadratic(f);
    const double kappa = cubic_coefficient(f);
    bool right = true;
    for (std::size_t i = 0; i < 8; ++i) {
      right = right && (nearest[i] - 0.5) * (output_bit(f, i) - 0.5) > 0;
      off = std::max(off, std::abs(std::abs(nearest[i] - output_bit(f, i)) - std::abs(kappa) / 8));
    }
    thresholded += right;
    if (kappa != 0) continue;
    ++exact;
    const bool alone = one_unit_does(f);
    one += alone;
    two += !alone;
    multiplexers += !alone && is_multiplexer(f);
  }
  lesson.say("Where does one layer end? Of the 256 functions of three bits ", exact, " are exact, ", one,
             " of them with one unit; ", thresholded, " are right when thresholded at 1/2.");
  lesson.claim("exact as a quadratic: 8 over 4", exact, exactly(70));
  lesson.claim("of these with one unit, by search", one, exactly(46));
  lesson.claim("the others, every one a multiplexer", two == 24 && multiplexers == 24);
  lesson.claim_same("the best quadratic misses every corner by |κ|/8", off);  // eighths
  lesson.claim("right when thresholded: all but the two parities", thresholded, exactly(254));
}

// Parity by the sign of one unit, and from two product layers: first (x - y)² and z·1, then the square of their difference.
static void parity(Lesson& lesson) {
  ProductLayer<double> layer({3, 2});
  layer.W = {{1, 0}, {-1, 0}, {0, 1}};
  layer.V = {{1, 0}, {-1, 0}, {0, 0}};
  layer.c = {{0, 1}};
  const ProductLayer<double> behind = unit_of({1, -1, 0}, {1, -1, 0});
  int even_right = 0;
  double off = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const Matrix<double> x{{input_bit(i, 0), input_bit(i, 1), input_bit(i, 2)}};
    const double ones = x(0, 0) + x(0, 1) + x(0, 2), odd = parity_sign(i) > 0 ? 1 : 0;
    even_right += ((ones - 0.5) * (ones - 1.5) > 0) == (odd == 0);
    off = std::max(off, std::abs(output(behind, output(layer, x))(0, 0) - odd));
  }
  lesson.say("Parity: one unit's sign is right at ", even_right, " of 8 corners; two layers are off by ", off, ".");
  lesson.claim("even parity by one unit's sign: corners right", even_right, exactly(7));
  lesson.claim_same("odd parity by two layers, ((x - y)² - z)²", off);
}

static void run(Lesson& lesson, Session&, const knob::Settings&) {
  all_functions(lesson);
  parity(lesson);
}

// The function that the knob names, trained and read.
static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  std::string digits;
  for (const double bit : at[table]) digits += bit >= 0.5 ? '1' : '0';
  explain(lesson, session, digits);
}

extern const Part<Session> part8{8,        "Three inputs", run,  "Which functions are quadratics?",
                                 {&table}, PartKind::core, scene};

}  // namespace lesson4
