// Lesson 3, part 0: the test that tells linear, affine, bilinear and quadratic apart.
// SPDX-License-Identifier: MIT
#include "common/frame/plot/scene.hpp"
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

using plot::Fill, plot::Scene, plot::short_number, plot::Spot, plot::Tone;

constexpr double corner_x = 44, corner_y = 30, longest = 210;  // of the square that is cut

static double squared(double x) { return x * x; }

// Returns D of f(x) = x², by the test itself.
static double left_over(double x, double y) {
  const RowFunction f = [](const Matrix<double>& row) { return hadamard(row, row); };
  return additivity(f, {{x}}, {{y}})(0, 0);
}

static void draw_piece(Scene& scene, Spot from, Spot size, const std::string& words, Fill fill) {
  const bool fits = size.x > 8 * double(columns_of(words)) && size.y > 20;
  if (size.x > 0.5 && size.y > 0.5) scene.cell({from, size, fits ? words : "", fill});
}

// A square of side |x| + |y| has the pieces x², y², and x·y twice.
static void cut_by_sum(Scene& scene, double x, double y) {
  const double unit = longest / std::max(std::abs(x) + std::abs(y), 1e-9);
  const double first = std::abs(x) * unit, second = std::abs(y) * unit;
  const double right = corner_x + first, below = corner_y + first;
  const std::string strip = "x·y = " + short_number(x * y);
  draw_piece(scene, {corner_x, corner_y}, {first, first}, "x² = " + short_number(x * x),
             Fill::none);
  draw_piece(scene, {right, below}, {second, second}, "y² = " + short_number(y * y), Fill::none);
  draw_piece(scene, {right, corner_y}, {second, first}, strip, Fill::value);
  draw_piece(scene, {corner_x, below}, {first, second}, strip, Fill::value);
  if (first > 20) scene.text({corner_x + first / 2, corner_y - 9}, "x");
  if (second > 20) scene.text({right + second / 2, corner_y - 9}, "y");
  if (first > 20) scene.text({corner_x - 14, corner_y + first / 2 + 5}, "x");
  if (second > 20) scene.text({corner_x - 14, below + second / 2 + 5}, "y");
}

// With signs that differ, two strips are taken off the larger square; they cross in the smaller.
static void cut_by_difference(Scene& scene, double x, double y) {
  const double large = std::max(std::abs(x), std::abs(y)), unit = longest / large;
  const double rest = std::abs(x + y) * unit, strip = longest - rest;
  draw_piece(scene, {corner_x, corner_y}, {rest, rest},
             "(x + y)² = " + short_number(squared(x + y)), Fill::none);
  scene.band({corner_x + rest, corner_y}, {strip, longest}, Tone::minus, 0);
  scene.band({corner_x, corner_y + rest}, {longest, strip}, Tone::minus, 0);
  scene.frame({corner_x, corner_y}, {longest, longest}, {.width = 1});
  const std::string words = short_number(x * y);
  if (strip > 34 && rest > 40) {
    scene.text({corner_x + rest + strip / 2, corner_y + rest / 2 + 5}, words,
               {.tone = Tone::minus});
    scene.text({corner_x + rest / 2, corner_y + rest + strip / 2 + 5}, words,
               {.tone = Tone::minus});
  }
  scene.text({corner_x + longest / 2, corner_y - 9}, std::abs(x) > std::abs(y) ? "x" : "y");
}

static Scene cut_square(double x, double y) {
  Scene scene("D is what two squares leave over");
  const double D = left_over(x, y);
  if (x * y < 0) cut_by_difference(scene, x, y);
  else cut_by_sum(scene, x, y);
  constexpr double column = corner_x + longest + 30;
  double at = corner_y + 34;
  const auto line = [&](const std::string& name, double value, const plot::Type& type) {
    scene.text({column, at}, name, type);
    plot::Type number = type;
    number.anchor = "end";
    scene.text({468, at}, short_number(value), number);
    at += 30;
  };
  const plot::Type plain{.anchor = "start"};
  scene.text({column, corner_y - 18}, join("x = ", short_number(x), ", y = ", short_number(y)),
             {.anchor = "start", .slant = true});
  scene.text({column, corner_y + 4}, "f(x) = x²", {.anchor = "start", .slant = true});
  line(join("f(", short_number(x), " + ", short_number(y), ")"), squared(x + y), plain);
  line(join("− f(", short_number(x), ")"), squared(x), plain);
  line(join("− f(", short_number(y), ")"), squared(y), plain);
  scene.line({column, at - 19}, {468, at - 19}, {.width = 1});
  at += 4;
  line("D", D, {D < 0 ? Tone::minus : Tone::value, "start", true});
  line("= 2·x·y", D, {D < 0 ? Tone::minus : Tone::value, "start"});
  scene.end(corner_y + longest + 12);
  return scene;
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
  lesson.figure("square", cut_square(x(0, 0), y(0, 0)));
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
