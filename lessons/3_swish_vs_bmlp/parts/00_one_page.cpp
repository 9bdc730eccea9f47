// Lesson 3, part 0: the test that tells linear, affine, bilinear and quadratic apart.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3::p0 {

constexpr knob::Numbers row_x{"x", "the row x", {2, 1}, {-3, 3, 0.5}, {"x[1]", "x[2]"}};
constexpr knob::Numbers row_y{
    "y", "the row y; the chart adds k·y to x", {1, -1}, {-3, 3, 0.5}, {"y[1]", "y[2]"}};
constexpr knob::Numbers row_s{
    "s", "the row s, which DD adds to x", {-2, 1}, {-3, 3, 0.5}, {"s[1]", "s[2]"}};

static const Matrix<double> A{{1, 2}, {3, -1}}, B{{2, 0}, {1, 1}}, a{{5, 1}}, b{{-1, 2}};

static Matrix<double> bilinear(const Matrix<double>& x, const Matrix<double>& y) {
  return hadamard(matmul(x, A), matmul(y, B));
}

static double swish(double z) { return z * elementary::sigmoid(z); }

static const std::vector<std::pair<std::string, RowFunction>> functions = {
    {"linear x·A", [](const auto& x) { return matmul(x, A); }},
    {"affine x·A + a", [](const auto& x) { return matmul(x, A) + a; }},
    {"quadratic (x·A)⊙(x·B)", [](const auto& x) { return bilinear(x, x); }},
    {"(x·A + a)⊙(x·B + b)",
     [](const auto& x) { return hadamard(matmul(x, A) + a, matmul(x, B) + b); }},
    {"swish(x·A)", [](const auto& x) { return map_entries(matmul(x, A), swish); }},
};

// "(2, -1)", rounding apart.
static std::string text_of(const Matrix<double>& row) {
  const auto number = [&](std::size_t j) {
    return significant(std::abs(row(0, j)) < 1e-9 ? 0 : row(0, j));
  };
  return "(" + number(0) + ", " + number(1) + ")";
}

// Draws lines that coincide only once.
static plot::Chart chart_of(const Matrix<double>& x, const Matrix<double>& y) {
  plot::Chart chart{.title = "D(x, k·y): 0, a line, or a curve?"};
  chart.x = {.title = "k", .low = -2, .high = 2};
  chart.y = {.title = "first number of D", .low = -20, .high = 20};
  for (const std::size_t k : {0u, 2u, 4u}) {
    const auto& [name, f] = functions[k];
    const auto first_of_D = [&f = f, &x, &y](double times) {
      return additivity(f, x, times * y)(0, 0);
    };
    chart.series.push_back(plot::curve(name, -2, 2, 0.1, first_of_D));
  }
  return chart;
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const auto row = [](const std::vector<double>& n) { return Matrix<double>{{n[0], n[1]}}; };
  const Matrix<double> x = row(at[row_x]), y = row(at[row_y]), s = row(at[row_s]), zero(1, 2);
  lesson.say(
      "Which of the four words fits each function? D is the test (3.0); DD is the same test on D "
      "(see Further):");
  lesson.note("A = [1 2; 3 -1], B = [2 0; 1 1], a = (5, 1), b = (-1, 2).");
  Table table{{"f(x)", "f(0)", "D(x, y)", "DD"}, {}};
  std::vector<double> first, second;
  for (const auto& [name, f] : functions) {
    const Matrix<double> D = additivity(f, x, y), DD = additivity_twice(f, x, y, s);
    table.rows.push_back({name, text_of(f(zero)), text_of(D), text_of(DD)});
    first.push_back(largest_entry(D));
    second.push_back(largest_entry(DD));
  }
  lesson.show(table);
  lesson.figure("additivity", chart_of(x, y));
  // A dozen sums and products of numbers up to some hundred, a few 1e-14 each.
  lesson.claim("linear, and affine without its constant: D", std::max(first[0], first[1]),
               at_most(1e-12));
  lesson.claim("quadratic: D adds up, with biases or without", std::max(second[2], second[3]),
               at_most(1e-12));
  // A whole number that is not 0 is at least 1; swish bends by some tenths here.
  lesson.claim_standard("quadratic: D is not 0, with biases or without",
                        std::min(first[2], first[3]), at_least(1));
  lesson.claim_standard("swish: not even D adds up", second[4], at_least(1e-3));
  lesson.claim("g(x, y) = (x·A)⊙(y·B) adds up in its first argument, and in its second",
               std::max(max_abs_difference(bilinear(x + s, y), bilinear(x, y) + bilinear(s, y)),
                        max_abs_difference(bilinear(x, y + s), bilinear(x, y) + bilinear(x, s))),
               at_most(1e-12));
  lesson.claim(
      "D of the quadratic is g(x, y) + g(y, x)",
      max_abs_difference(additivity(functions[2].second, x, y), bilinear(x, y) + bilinear(y, x)),
      at_most(1e-12));
}

}  // namespace lesson3::p0

const Part<lesson3::Session> lesson3::part0{
    .number = 0,
    .title = "One page: linear, affine, bilinear, quadratic",
    .question = "At which rows does the test tell the five functions apart?",
    .run = p0::run,
    .knobs = {&p0::row_x, &p0::row_y, &p0::row_s}};
