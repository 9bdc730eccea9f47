// Lesson 4, part 8: all 256 functions of three bits, every one of them: which are one quadratic, and with how many
// units.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4 {

constexpr knob::Numbers table{
    "table", "0 or 1 at 000, 100, 010, 110, 001, 101, 011, 111", {0, 1, 1, 0, 1, 0, 0, 1}, {0, 1, 1}};

// --------------------------------------------------------------------------------------------- the best quadratic

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

// At how many corners the best quadratic is right when thresholded at 1/2, and how far from |κ|/8 it misses one at most.
struct Nearest {
  std::array<double, 8> values;
  int right = 0;
  double off = 0;
};

static Nearest nearest_to(std::size_t function) {
  Nearest found{best_quadratic(function)};
  for (std::size_t i = 0; i < 8; ++i) {
    const double bit = output_bit(function, i);
    found.right += (found.values[i] - 0.5) * (bit - 0.5) > 0;
    found.off =
        std::max(found.off, std::abs(std::abs(found.values[i] - bit) - std::abs(cubic_coefficient(function)) / 8));
  }
  return found;
}

static void all_functions(Lesson& lesson) {
  int exact = 0, one = 0, two = 0, multiplexers = 0, thresholded = 0;
  double off = 0;
  for (std::size_t f = 0; f < 256; ++f) {
    const Nearest nearest = nearest_to(f);
    off = std::max(off, nearest.off);
    thresholded += nearest.right == 8;
    if (cubic_coefficient(f) != 0) continue;
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

// ---------------------------------------------------------------------------------------------- one that is chosen

// Says what the coefficient of xyz and the searches know of it.
static std::string verdict(std::size_t function) {
  const double kappa = cubic_coefficient(function);
  if (kappa != 0)
    return join("so it is no quadratic, and the nearest one misses each corner by |κ|/8 = ", std::abs(kappa) / 8);
  if (one_unit_does(function)) return "so it is a quadratic, and one unit does it";
  return is_multiplexer(function) ? "so it is a quadratic, a multiplexer, which takes two units"
                                  : "so it is a quadratic that takes two units";
}

static void one_function(Lesson& lesson, const std::vector<double>& outputs) {
  std::size_t function = 0;
  std::string digits;
  for (std::size_t i = 0; i < 8; ++i) {
    function |= std::size_t(outputs[i] >= 0.5) << i;
    digits += outputs[i] >= 0.5 ? '1' : '0';
  }
  const Nearest nearest = nearest_to(function);
  plot::Chart chart{.title = "A function of three bits, and the nearest quadratic",
                    .x = {.title = "x, y, z", .low = 0.5, .high = 8.5},
                    .y = {.title = "", .low = -0.6, .high = 1.6},
                    .series = {{"function", {}, {}, true}, {"nearest quadratic", {}, {}, true}},
                    .levels = {{"1/2", 0.5}}};
  for (std::size_t i = 0; i < 8; ++i) {
    chart.x.names.push_back(join(i & 1, i >> 1 & 1, i >> 2 & 1));
    chart.series[0].add(double(i + 1), output_bit(function, i));
    chart.series[1].add(double(i + 1), nearest.values[i]);
  }
  lesson.figure("three_bits", chart);
  lesson.note("Of ", digits, " the coefficient of xyz is κ = ", cubic_coefficient(function), ", ", verdict(function),
              ". Thresholded at 1/2 the nearest is right at ", nearest.right, " of 8 corners.");
}

// --------------------------------------------------------------------------------- why a multiplexer takes two units

// Returns the determinant of three rows and three columns of S.
using Triple = std::array<std::size_t, 3>;
static double minor_of(const Matrix<double>& S, const Triple& rows, const Triple& cols) {
  const auto at = [&](std::size_t i, std::size_t j) { return S(rows[i], cols[j]); };
  return at(0, 0) * (at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)) -
         at(0, 1) * (at(1, 0) * at(2, 2) - at(1, 2) * at(2, 0)) +
         at(0, 2) * (at(1, 0) * at(2, 1) - at(1, 1) * at(2, 0));
}

// The proof that no product is a multiplexer. Twice the symmetric matrix over (s, a, b, 1) of s·a + (1 - s)·b + α(s² - s) +
// β(a² - a) + γ(b² - b): on the cube the three terms with α, β, γ are 0, and no others are, so these are all the quadratics
// that are this multiplexer. A product has rank 2, so that three minors D1, D2, D3 of its matrix are 0; but (α + β + 1)·D3 +
// ((α + β)² + 1)·(D1/2 + D2) + (α - β)² + 1 is 0 for all α, β, γ. Neither holds a power above the third of any of them, so
// that the identity holds everywhere when it does on a grid of four values each. All numbers are whole.
static void multiplexers_take_two(Lesson& lesson) {
  double identity = 0, off = 0;
  for (int code = 0; code < 4 * 4 * 4; ++code) {
    const double alpha = code % 4 - 1, beta = code / 4 % 4 - 1, gamma = code / 16 - 1, sum = alpha + beta;
    const Matrix<double> S{{2 * alpha, 1, -1, -alpha},
                           {1, 2 * beta, 0, -beta},
                           {-1, 0, 2 * gamma, 1 - gamma},
                           {-alpha, -beta, 1 - gamma, 0}};
    const double D1 = minor_of(S, {0, 1, 2}, {0, 1, 2}), D2 = minor_of(S, {0, 1, 2}, {0, 1, 3});
    const double D3 = minor_of(S, {0, 1, 3}, {0, 1, 3});
    identity = std::max(
        identity, std::abs((sum + 1) * D3 + (sum * sum + 1) * (D1 / 2 + D2) + (alpha - beta) * (alpha - beta) + 1));
    for (std::size_t i = 0; i < 8; ++i) {
      const Matrix<double> r{{input_bit(i, 0), input_bit(i, 1), input_bit(i, 2), 1}};
      const double chosen = r(0, 0) != 0 ? r(0, 1) : r(0, 2);
      off = std::max(off, std::abs(dot(matmul(r, S), r) / 2 - chosen));
    }
  }
  lesson.claim_same("each S of the multiplexer is the multiplexer at all corners", off);
  lesson.claim_same("the identity of its minors on 4 × 4 × 4 whole numbers, left side and 0", identity);
}

// --------------------------------------------------------------------------------------------------------- parity

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

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  one_function(lesson, at[table]);
  all_functions(lesson);
  multiplexers_take_two(lesson);
  parity(lesson);
}

extern const Part<Session> part8{
    8, "Three inputs", run, "Which functions of three bits are quadratics, and how far off are the others?", {&table}};

}  // namespace lesson4
