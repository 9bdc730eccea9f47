// Lesson 5, part 14: what a stack of product, square or ReLU layers is along a line, and which differences it has.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lessons/5_tensor_folding/knobs/shared.hpp"
#include "lessons/5_tensor_folding/model/14_squares.hpp"

namespace lesson5 {
namespace {

constexpr knob::Choice units{"units", "what each layer is made of", {"products", "squares", "relu"}};
constexpr knob::Whole depth{"layers", "layers one behind the other", 2, {1, 4, 1}};
constexpr knob::Whole width{"width", "units of each layer", 8, {1, 32, 1}};

// One layer with drawn weights; its numbers are brought to a second moment of 1, so that four layers stay in sight.
Matrix<double> layer_of(std::size_t kind, const Matrix<double>& H, std::size_t h, Random& random) {
  const double deviation = 1 / std::sqrt(double(H.cols()));
  const auto factor = [&] {
    const auto W = normal_matrix<double>(H.cols(), h, deviation, random);
    return add_row(matmul(H, W), normal_matrix<double>(1, h, 1, random));
  };
  const Matrix<double> P = factor();
  Matrix<double> Y = kind == 0 ? hadamard(P, factor()) : map(P, [&](double p) {
    return kind == 1 ? p * p : p > 0 ? p : 0;
  });
  return (1 / std::sqrt(std::max(dot(Y, Y) / double(Y.size()), 1e-300))) * Y;
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  constexpr std::size_t places = 41;
  Random random(session.options.seed, 514);
  const auto from = normal_matrix<double>(1, 4, 1, random), step = normal_matrix<double>(1, 4, 0.05, random);
  Matrix<double> H(places, 4);
  for (std::size_t k = 0; k < places; ++k)
    for (std::size_t j = 0; j < 4; ++j) H(k, j) = from(0, j) + (double(k) - places / 2) * step(0, j);
  for (std::size_t l = 0; l < at[depth]; ++l) H = layer_of(at[units], H, at[width], random);
  const std::vector<double> differences = differences_along(H);
  plot::Chart chart{.title = join("Differences along a line of ", at[depth], " layers of ", at.name_of(units))};
  chart.x = {.title = "order of the difference", .low = 0, .high = 20};
  chart.y = {.title = "largest, as a part of f", .log = true, .low = 1e-18, .high = 1e4};
  plot::Series line{"differences", {}, {}};
  for (std::size_t k = 0; k < std::min<std::size_t>(21, differences.size()); ++k)
    line.add(double(k), std::max(differences[k], 1e-18));
  chart.series = {line};
  lesson.picture("turned_degree", chart);
  const std::size_t degree = std::size_t(1) << at[depth];
  const double next = differences[degree + 1], rounding = std::ldexp(1e-16, int(degree) + 1) * 1e3;
  if (at[units] == 2) {
    lesson.say("ReLU layers are straight between their corners, and no difference is 0 where a corner lies between.");
    return;
  }
  lesson.say("A polynomial of degree ", degree, " or less: the difference of order ", degree + 1, " is ", next,
             ", which is rounding.");
  // A difference of order k adds 2^k values, each with a few roundings of the largest number on its way; layers lose some
  // digits where numbers cancel: a thousand roundings are allowed.
  lesson.claim(join("the difference of order ", degree + 1, " is rounding"), next, at_most(rounding));
}

}  // namespace

Bench<Session> bench14() {
  return {"Which degree has a stack of layers, and does ReLU have one?", {&depth, &units, &width}, run};
}

}  // namespace lesson5
