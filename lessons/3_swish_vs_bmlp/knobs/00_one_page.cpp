// Lesson 3, part 0: the rows of the additivity test can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "common/support/elementary.hpp"
#include "common/support/parts.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"

namespace lesson3 {
namespace {

constexpr knob::Numbers row_x{"x", "the row x", {2, 1}, {-3, 3, 0.5}};
constexpr knob::Numbers row_y{"y", "the row y, of which t·y is added", {1, -1}, {-3, 3, 0.5}};
constexpr knob::Numbers row_s{"s", "the row s, the step in x for D of D", {-2, 1}, {-3, 3, 0.5}};

using Function = std::pair<std::string, RowFunction>;

// The five of README.md, with its A, B, a and b.
std::vector<Function> functions() {
  const Matrix<double> A{{1, 2}, {3, -1}}, B{{2, 0}, {1, 1}}, a{{5, 1}}, b{{-1, 2}};
  const auto swish = [](double z) { return z * elementary::sigmoid(z); };
  return {{"linear", [=](const auto& x) { return matmul(x, A); }},
          {"affine", [=](const auto& x) { return matmul(x, A) + a; }},
          {"quadratic", [=](const auto& x) { return hadamard(matmul(x, A), matmul(x, B)); }},
          {"with biases", [=](const auto& x) { return hadamard(matmul(x, A) + a, matmul(x, B) + b); }},
          {"swish", [=](const auto& x) { return map(matmul(x, A), swish); }}};
}

// The first entry of D(x, t·y) over t. What lies on another line is not drawn again.
plot::Chart chart_of(const Matrix<double>& x, const Matrix<double>& y) {
  plot::Chart chart{.title = "D(x, t·y), first output: 0, a line through 0, or a curve"};
  chart.x = {.title = "t", .low = -2, .high = 2};
  chart.y = {.title = "D", .low = -20, .high = 20};
  for (const auto& [name, f] : functions()) {
    if (name == "affine" || name == "with biases") continue;
    plot::Series line{.name = name == "linear" ? "linear and affine" : name};
    for (int k = -20; k <= 20; ++k) line.add(0.1 * k, additivity(f, x, 0.1 * k * y)(0, 0));
    chart.series.push_back(line);
  }
  return chart;
}

std::string pair_text(const Matrix<double>& row) {
  return "(" + significant(row(0, 0)) + ", " + significant(row(0, 1)) + ")";
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const auto row = [](const std::vector<double>& n) { return Matrix<double>{{n[0], n[1]}}; };
  const Matrix<double> x = row(at[row_x]), y = row(at[row_y]), s = row(at[row_s]);
  lesson.picture("turned_additivity", chart_of(x, y));
  Table table{{"f(x)", "D(x, y)", "D of D"}, {}};
  std::vector<double> first, second;
  for (const auto& [name, f] : functions()) {
    const Matrix<double> D = additivity(f, x, y), DD = additivity_twice(f, x, y, s);
    first.push_back(largest_entry(D));
    second.push_back(largest_entry(DD));
    const auto shown = [](const Matrix<double>& of) {  // rounding apart
      return pair_text(map(of, [](double d) { return std::abs(d) < 1e-9 ? 0 : d; }));
    };
    table.rows.push_back({name, shown(D), shown(DD)});
  }
  lesson.show(table);
  lesson.say(first[2] < 1e-9 ? "At this pair of rows D of the quadratic is 0 as well, which proves nothing."
                             : "One value of D that is not 0 proves that the quadratic is not affine.");
  // A dozen sums and products of numbers up to some hundred, a few 1e-14 each.
  lesson.claim("linear and affine: largest D", std::max(first[0], first[1]), at_most(1e-12));
  lesson.claim("quadratic, with biases or without: largest D of D", std::max(second[2], second[3]), at_most(1e-12));
}

}  // namespace

Bench<Session> bench0() {
  return {"At which rows does the test tell the five functions apart?", {&row_x, &row_y, &row_s}, run};
}

}  // namespace lesson3
