// Lesson 1, part 6: what the textbook's table of initializations hides.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "common/support/parallel.hpp"
#include "lessons/1_math_refresh/model/3_signal.hpp"

namespace lesson1 {
namespace {

double square(double x) { return x * x; }

// What the numbers say, a line each: by theory, and as measured.
void add_row(Table& table, const std::string& what, double expected, double found) {
  table.rows.push_back({what, significant(expected), significant(found)});
}

void second_moment_or_variance(Lesson& lesson, Random& random, Table& found) {
  constexpr std::size_t draws = 400'000;
  const auto z = normal_matrix<double>(1, draws, 1, random);
  const Matrix<double> h = map(z, relu);
  double mean = 0;
  for (const double x : h.values()) mean += x / double(h.size());
  // E[h⁴] = 3/2 and E[h³] = 2/√(2π). A mean of h² errs by √((E[h⁴] - E[h²]²)/N), one of h by √(Var h/N), and the
  // variance as the mean of (h - E[h])² does.
  const double first = 1 / std::sqrt(2 * std::numbers::pi), variance = 0.5 - first * first;
  const double fourth = 1.5 - 4 * first * 2 * first + 6 * first * first * 0.5 - 3 * square(first * first);
  lesson.claim("E[relu(z)²]", mean_square(h), within(0.5, 4.5 * std::sqrt((1.5 - 0.25) / draws)));
  lesson.claim("E[relu(z)]", mean, within(first, 4.5 * std::sqrt(variance / draws)));
  lesson.claim("Var relu(z)", mean_square(h) - mean * mean,
               within(variance, 4.5 * std::sqrt((fourth - variance * variance) / draws)));
  add_row(found, "variance of relu(z), z from N(0, 1)", variance, mean_square(h) - mean * mean);
}

// 64 inputs from N(0, 1) sent through random layers of the given widths, and 64 gradients back. The generator comes by
// value: the same one gives the same numbers again.
Signal send_normal(const std::vector<std::size_t>& widths, Activation phi, VarianceRule variance, Random random) {
  constexpr std::size_t batch = 64;
  const auto unit = unit_weights(widths, random);
  const auto X = normal_matrix<double>(batch, widths.front(), 1, random);
  return send(unit, phi, variance, X, normal_matrix<double>(batch, widths.back(), 1, random));
}

double xavier(double in, double out) { return 2 / (in + out); }

void dead_sigmoid(Lesson& lesson, Table& found) {
  const Signal s =
      send_normal(std::vector<std::size_t>(51, 256), sigmoid_activation, xavier, Random(lesson.options().seed, 61));
  lesson.note("Fifty sigmoid layers of width 256 with Xavier's variance:");
  Table table{{"layer", "E[h²]", "variance across inputs"}, {}};
  for (const std::size_t l : {1u, 2u, 5u, 10u, 20u, 50u})
    table.rows.push_back({std::to_string(l), significant(s.forward[l]), significant(s.across[l])});
  lesson.detail(table);
  // Mean and standard deviation over 60 seeds, here and at the gradient.
  lesson.claim("E[h²], mean of layers 11 to 50", mean_over(s.forward, 11, 50), within(0.2648, 4.5 * 0.0013));
  // Rounding: a sum of 64 numbers near 1/2 makes the mean err by at most 16ε, and each of them by a few ε more.
  lesson.claim("variance across inputs after 50 layers", s.across[50],
               at_most(square(20 * std::numeric_limits<double>::epsilon())));
  // 1/16 would be the largest slope of σ squared, at z = 0.
  lesson.claim("E[g²]: what a layer leaves of it", growth(s, 50, 0), within(0.0553, 4.5 * 0.0003));
  add_row(found, "sigmoid, E[h²] of layers 11 to 50", predicted_forward(sigmoid_activation, 1, 1, 50)[50],
          mean_over(s.forward, 11, 50));
  add_row(found, "sigmoid, variance across inputs behind 50 layers", 0, s.across[50]);
}

// 1 - correlation of two unrelated inputs after each layer, averaged over draws; beyond layer 5 from the first draws
// only.
std::vector<double> distance_of_directions(std::uint64_t seed, std::size_t n, std::size_t layers, Pool& pool) {
  constexpr std::size_t draws = 16, deep_draws = 4, shallow = 5;
  std::vector<std::vector<double>> apart(draws, std::vector<double>(layers + 1));
  pool.run(draws, [&](std::size_t draw) {
    Random random(seed, 600 + draw);
    Matrix<double> H = normal_matrix<double>(2, n, 1, random);
    for (std::size_t l = 1; l <= (draw < deep_draws ? layers : shallow); ++l) {
      H = map(matmul(H, normal_matrix<double>(n, n, std::sqrt(2 / double(n)), random)), relu);
      const Matrix<double> a(row_block(H, 0, 1)), b(row_block(H, 1, 1));
      apart[draw][l] = 1 - dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
    }
  });
  std::vector<double> mean(layers + 1);
  for (std::size_t l = 1; l <= layers; ++l) {
    const std::size_t count = l <= shallow ? draws : deep_draws;
    for (std::size_t draw = 0; draw < count; ++draw) mean[l] += apart[draw][l] / double(count);
  }
  return mean;
}

void parallel_inputs(Lesson& lesson, Pool& pool, Table& found) {
  constexpr std::size_t layers = 50;
  const std::vector<double> measured = distance_of_directions(lesson.options().seed, 512, layers, pool);
  std::vector<double> predicted{1};
  for (std::size_t l = 0; l < layers; ++l) predicted.push_back(1 - relu_correlation(1 - predicted[l]));
  lesson.note("Two unrelated inputs, ReLU with 2/n, and the cosine c of the angle between them:");
  Table table{{"layer", "1 - c predicted", "measured, width 512"}, {}};
  for (const std::size_t l : {1u, 2u, 5u, 10u, 20u, 50u})
    table.rows.push_back({std::to_string(l), fixed(predicted[l], 4), fixed(measured[l], 4)});
  lesson.detail(table);
  // Standard deviations of the mean of 16 networks and, at layer 50, of 4: those of one network over 200, at layer 50
  // over 80, divided by 4 and by 2.
  lesson.claim("1 - c after layer 1", measured[1], within(predicted[1], 4.5 * 0.0098));
  lesson.claim("1 - c after layer 2", measured[2], within(predicted[2], 4.5 * 0.0104));
  lesson.claim("1 - c after layer 5", measured[5], within(predicted[5], 4.5 * 0.0096));
  lesson.claim("1 - c predicted after 50 layers", predicted[layers], within(0.0121, 0.0001));
  lesson.claim("after 50 layers two unrelated inputs are nearly parallel: 1 - c", measured[layers],
               at_most(predicted[layers] + 4.5 * 0.0032));
  add_row(found, "ReLU 2/n, 1 - c of two inputs behind 50 layers", predicted[layers], measured[layers]);
}

void rectangular_layers(Lesson& lesson, Table& found) {
  std::vector<std::size_t> widths{512};
  for (int l = 0; l < 10; ++l) widths.push_back(l % 2 ? 512 : 128);
  const Signal s = send_normal(widths, linear_activation, xavier, Random(lesson.options().seed, 62));
  // One input's logarithm strays by √(Σ 2/n) = 0.31, n the layers' outputs; 64 of them together by 0.06, over 200
  // seeds.
  const Bound lost = within(5 * std::log(0.64), 4.5 * 0.06);
  lesson.claim("forward, ln E[h²]", std::log(s.forward[10] / s.forward[0]), lost);
  lesson.claim("backward, ln E[g²]", std::log(s.backward[0] / s.backward[10]), lost);
  add_row(found, "Xavier, 512 and 128 in turn, E[h²] behind 10 layers", std::pow(0.64, 5),
          s.forward[10] / s.forward[0]);
}

void variance_or_deviation(Lesson& lesson, Table& found) {
  const std::vector<std::size_t> widths(11, 256);
  const Random random(lesson.options().seed, 63);
  const VarianceRule root = [](double in, double) { return std::sqrt(2 / in); };
  const VarianceRule squared = [](double in, double) { return square(2 / in); };
  const double too_large = send_normal(widths, relu_activation, root, random).forward[10];
  const double too_small = send_normal(widths, relu_activation, squared, random).forward[10];
  // 11.31^10 = 3.4e10 and (1/128)^10 = 8.5e-22. Over 200 seeds the logarithm for 64 inputs together lies 0.08 below,
  // since the mean of a logarithm is less than that of what it is taken of, and strays by 0.31.
  lesson.claim("√(2/n) as a variance: ln E[h²]", std::log(too_large), within(std::log(3.4e10) - 0.08, 4.5 * 0.31));
  lesson.claim("2/n as a deviation: ln E[h²]", std::log(too_small), within(std::log(8.5e-22) - 0.08, 4.5 * 0.31));
  add_row(found, "√(2/n) taken for the variance, E[h²] behind 10", 3.4e10, too_large);
  add_row(found, "2/n taken for the deviation, E[h²] behind 10", 8.5e-22, too_small);
}

}  // namespace

void part6(Lesson& lesson, Pool& pool) {
  Random random(lesson.options().seed, 6);
  lesson.say("Does each line of the textbook's table keep what it promises?");
  Table found{{"what", "by theory", "measured"}, {}};
  second_moment_or_variance(lesson, random, found);
  dead_sigmoid(lesson, found);
  parallel_inputs(lesson, pool, found);
  rectangular_layers(lesson, found);
  variance_or_deviation(lesson, found);
  lesson.show(found);
}

}  // namespace lesson1
