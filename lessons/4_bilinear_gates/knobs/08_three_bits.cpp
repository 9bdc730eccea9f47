// Lesson 4, part 8: the truth table of a function of three bits can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/4_bilinear_gates/model/6_cube.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"

namespace lesson4 {
namespace {

constexpr knob::Numbers table{
    "table", "0 or 1 at 000, 100, 010, 110, 001, 101, 011, 111", {0, 1, 1, 0, 1, 0, 0, 1}, {0, 1, 1}};

std::size_t function_of(const std::vector<double>& values) {
  std::size_t function = 0;
  for (std::size_t i = 0; i < 8; ++i)
    if (values[i] >= 0.5) function |= std::size_t(1) << i;
  return function;
}

// Says what the coefficient of xyz and the searches know of it.
std::string verdict(std::size_t function) {
  const double kappa = cubic_coefficient(function);
  if (kappa != 0)
    return join("so it is no quadratic, and the nearest one misses each corner by |κ|/8 = ", std::abs(kappa) / 8);
  if (one_unit_does(function)) return "so it is a quadratic, and one unit does it";
  return is_multiplexer(function) ? "so it is a quadratic, a multiplexer, which takes two units"
                                  : "so it is a quadratic that takes two units";
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::size_t function = function_of(at[table]);
  const std::array<double, 8> nearest = best_quadratic(function);
  const double kappa = cubic_coefficient(function);
  plot::Chart chart{.title = "A function of three bits, and the nearest quadratic",
                    .x = {.title = "x, y, z", .low = 0.5, .high = 8.5},
                    .y = {.title = "", .low = -0.6, .high = 1.6},
                    .series = {{"function", {}, {}, true}, {"nearest quadratic", {}, {}, true}},
                    .levels = {{"1/2", 0.5}}};
  int right = 0;
  double worst = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    chart.x.names.push_back(join(i & 1, i >> 1 & 1, i >> 2 & 1));
    const double wanted = output_bit(function, i);
    chart.series[0].add(double(i + 1), wanted);
    chart.series[1].add(double(i + 1), nearest[i]);
    right += (nearest[i] > 0.5) == (wanted > 0.5) && nearest[i] != 0.5;
    worst = std::max(worst, std::abs(std::abs(nearest[i] - wanted) - std::abs(kappa) / 8));
  }
  lesson.picture("turned_bits", chart);
  lesson.say("The coefficient of xyz is κ = ", kappa, ", ", verdict(function),
             ". Thresholded at 1/2 the nearest is right at ", right, " of 8 corners.");
  lesson.claim_same("the nearest quadratic misses every corner by |κ|/8", worst);  // eighths
  lesson.claim("thresholded it fails at |κ| = 4 alone, the two parities", (right == 8) == (std::abs(kappa) < 4));
}

}  // namespace

Bench<Session> bench8() {
  return {"Which functions of three bits are quadratics, and how far off are the others?", {&table}, run};
}

}  // namespace lesson4
