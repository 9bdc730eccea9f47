// Lesson 4, part 10: product layers one behind the other: the second moment squares itself.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/4_bilinear_gates/session.hpp"

// The second moment behind each of some product layers of width n with weights N(0, 1/n), for one input of second moment
// q0; `scaled` divides each row by its root mean square before the layer.
inline std::vector<double> moments(double q0, std::size_t width, std::size_t layers, bool scaled, Random random) {
  Matrix<double> H = normal_matrix<double>(1, width, 1, random);
  H = std::sqrt(q0 / mean_square(H)) * H;
  std::vector<double> q{mean_square(H)};
  for (std::size_t l = 0; l < layers; ++l) {
    if (scaled) H = 1 / std::sqrt(mean_square(H)) * H;
    const double deviation = 1 / std::sqrt(double(width));
    const auto W = normal_matrix<double>(width, width, deviation, random);
    const auto V = normal_matrix<double>(width, width, deviation, random);
    H = hadamard(matmul(H, W), matmul(H, V));
    q.push_back(mean_square(H));
  }
  return q;
}

// Mean and standard deviation of log10 of the second moment behind each layer, over some draws.
inline std::vector<Spread> log_moments(Session& session, double q0, bool scaled, std::size_t draws) {
  constexpr std::size_t width = 256, layers = 5;
  std::vector<std::vector<double>> found(draws);
  session.run("drawing", draws, [&](std::size_t k) {
    found[k] = moments(q0, width, layers, scaled, Random(session.options.seed + k, 49));
  });
  std::vector<Spread> spreads;
  for (std::size_t l = 0; l <= layers; ++l) {
    std::vector<double> logs;
    for (const auto& q : found) logs.push_back(std::log10(q[l]));
    spreads.push_back(spread_of(logs));
  }
  return spreads;
}

inline void part10(Lesson& lesson, Session& session) {
  lesson.say(
      "Given h with second moment q, both factors of a product unit have the second moment q (weights N(0, 1/n)), ",
      "and they are independent: the product has q². So q → q², and 0.8 becomes 0.8³² = ",
      significant(std::pow(0.8, 32), 2), " behind five layers, 1.25 becomes ", significant(std::pow(1.25, 32), 4),
      ". No scale of the weights mends that. log10 of the second moment, width 256, ", session.quick_or(20, 100),
      " draws:");
  const std::size_t draws = session.quick_or(20, 100);
  Table table{{"start q", "1 layer", "2", "3", "4", "5", "predicted 5"}, {}};
  std::vector<Spread> at_1, at_08, scaled;
  for (const double q0 : {0.8, 1.0, 1.25}) {
    const std::vector<Spread> logs = log_moments(session, q0, false, draws);
    if (q0 == 1) at_1 = logs;
    if (q0 == 0.8) at_08 = logs;
    std::vector<std::string> row{significant(q0)};
    for (std::size_t l = 1; l <= 5; ++l) row.push_back(logs[l].text(1));
    row.push_back(fixed(32 * std::log10(q0), 1));
    table.rows.push_back(row);
  }
  scaled = log_moments(session, 0.8, true, draws);
  std::vector<std::string> row{"0.8, rows scaled"};
  for (std::size_t l = 1; l <= 5; ++l) row.push_back(scaled[l].text(1));
  row.push_back("0.0");
  table.rows.push_back(row);
  lesson.show(table);
  lesson.claim("from 0.8: log10 of the second moment behind 5 layers", at_08[5].mean, at_most(-1.5));
  lesson.claim("from 1: spread of that, in powers of ten", at_1[5].deviation, at_least(1));
  lesson.claim("rows scaled to 1 before each layer: log10 stays near 0", std::abs(scaled[5].mean), at_most(0.15));
}
