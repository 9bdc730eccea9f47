// Part 4: sixteen gates in one unit; how many units does a quadratic take?
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/lesson.hpp"
#include "lessons/4_bilinear_gates/squares.hpp"

namespace lesson4::p4 {

constexpr knob::Numbers table{
    "table", "0 or 1 at 00, 10, 01, 11", {0, 1, 1, 0}, {0, 1, 1}, {"00", "10", "01", "11"}};
constexpr knob::Numbers added{"add",
                              "what is added to its x², y², xy, x, y and 1",
                              {0, 0, 0, 0, 0, 0},
                              {-2, 2, 0.25},
                              {"x²", "y²", "xy", "x", "y", "1"}};

// A gate, its truth as "0100", its factors.
static void table_of_gates(Lesson& lesson) {
  Table shown{{"gate", "truth", "factors"}, {}};
  for (const Gate& gate : gates) {
    std::string truth;
    for (const double one : gate.truth) truth += one == 1 ? "1" : "0";
    shown.rows.push_back({gate.name, truth, text_of(gate.w, gate.v)});
  }
  lesson.detail(shown);
}

// Sixteen squares, each cut by its unit's two lines; pins are ones, dots zeros.
static plot::Scene cuts(const Gate& chosen) {
  plot::Scene scene("Two lines cut the square into a gate");
  const plot::Type soft{.tone = plot::Tone::soft, .anchor = "start"};
  scene.text({16, 6}, "x to the right, y up; blue: plus, plum: minus;", soft);
  scene.text({16, 27}, "lines: where a factor is 0 (some lie off the square)", soft);
  for (std::size_t k = 0; k < gates.size(); ++k) {
    const Gate& gate = gates[k];
    const std::size_t row = k / 4;
    const double left = 16 + 116 * double(k % 4), top = 50 + 93 * double(row);
    const Square map{{left + 21, top}, 58, -0.4, 1.4};
    const auto f = [&](double x, double y) { return gate.w.at(x, y) * gate.v.at(x, y); };
    scene.region(map.corner, map.side, map.low, map.high, f);
    draw_zero_lines(scene, map, gate.w, gate.v, 1.6);
    scene.frame(map.corner, {map.side, map.side}, {.width = 1});
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const plot::Spot at = map.at(corners[i][0], corners[i][1]);
      if (gate.truth[i] == 1) scene.pin(at, "1");
      else scene.dot(at, 3);
    }
    const bool here = &gate == &chosen;
    if (here) scene.frame({left + 4, top - 6}, {92, 91}, {plot::Tone::ink, 3}, 6);
    scene.text({left + 50, top + 75}, gate.name, {.strong = here});
    scene.touch({left, top - 6}, {100, 91}, gate.name, text_of(gate.w, gate.v), "table");
  }
  scene.end(50 + 93 * 4 - 6);
  return scene;
}

static double worst_unit() {
  double worst = 0;
  for (const Gate& gate : gates)
    worst = std::max(worst, max_abs_difference(output(unit_of(gate.w, gate.v), corner_rows()),
                                               column_of(gate.truth)));
  return worst;
}

// Without biases a unit is xx·x² + xy·x·y + yy·y². The gate gives these three: f(1,0),
// f(1,1) - f(1,0) - f(0,1), f(0,1).
static void without_biases(Lesson& lesson) {
  int one = 0, never = 0;  // gates of one unit, and gates of no number of units
  std::string more;
  for (const Gate& gate : gates) {
    const TruthTable& truth = gate.truth;
    const QuadraticForm form{truth[1], truth[2], truth[3] - truth[1] - truth[2], 0, 0, 0};
    if (truth_of(form) != truth) ++never;
    else if (signature(matrix_of(form)).units() <= 1) ++one;
    else more += gate.name;
  }
  lesson.claim("without biases: gates with one unit", one, exactly(7));
  lesson.claim("... with two units: OR alone", more == "OR");
  lesson.claim("... and out of reach of any number of units", never, exactly(8));
}

// Returns the smallest Frobenius distance |D| of S (3 x 3, symmetric) from a sum of `units`
// products, by descent on |D|². With factors as columns of w and v, D = ½·(w·vᵀ + v·wᵀ) - S is
// symmetric, so the slopes are 2·D·v and 2·D·w.
static double best_distance(const Matrix<double>& S, std::size_t units, Random random) {
  // The rate suits an S of size 1.
  const double size = std::max(largest_entry(S), 1e-6);
  double best = HUGE_VAL;
  for (int start = 0; start < 10; ++start) {
    auto w = normal_matrix<double>(3, units, 0.5, random),
         v = normal_matrix<double>(3, units, 0.5, random);
    for (int step = 0;; ++step) {
      const Matrix<double> half = matmul(w, transpose(v));
      const Matrix<double> D = 0.5 * (half + Matrix<double>(transpose(half))) - 1 / size * S;
      best = std::min(best, std::sqrt(dot(D, D)));
      if (step == 3000) break;
      const Matrix<double> dw = matmul(D, v), dv = matmul(D, w);
      w += -0.1 * dw;
      v += -0.1 * dv;
    }
  }
  return best * size;
}

static void how_many_units(Lesson& lesson, const Session& session) {
  struct Case {
    const char* name;
    QuadraticForm form;
    int units;
    // Left of S by one unit fewer: its least eigenvalue that a unit would take; without one, all.
    double left;
  };
  const Case cases[] = {{"x·y", {0, 0, 1, 0, 0, 0}, 1, std::sqrt(0.5)},
                        {"x² - 2y² + x", {1, -2, 0, 1, 0, 0}, 2, (std::sqrt(2.0) - 1) / 2},
                        {"x² + y² + 1", {1, 1, 0, 0, 0, 1}, 3, 1},
                        {"x² - y² + 1", {1, -1, 0, 0, 0, 1}, 2, 1}};
  lesson.predict("How many units does x² + y² + 1 take?", 3, {});
  lesson.say("Each of the sixteen gates is one unit. How many units does a quadratic need?");
  Table counts{{"quadratic", "squares with +", "with -", "units"}, {}};
  double reached = 0, missed = 0;
  bool counted = true;
  for (const auto& [name, form, units, left] : cases) {
    const Matrix<double> S = matrix_of(form);
    const Signature s = signature(S);
    counted = counted && s.units() == units;
    const auto distance = [&](int of_units) {
      return best_distance(S, std::size_t(of_units), Random(session.options.seed, 43));
    };
    reached = std::max(reached, distance(units));
    missed = std::max(missed, std::abs(distance(units - 1) - left));
    counts.rows.push_back(
        {name, std::to_string(s.plus), std::to_string(s.minus), std::to_string(s.units())});
  }
  lesson.show(counts);
  lesson.claim("(4.8) gives 1, 2, 3 and 2 units", counted);
  // 60 seeds: 2e-15 or less, rounding; an S that is missed is off by .2 or more.
  lesson.claim("with that many units descent comes to S, distance", reached, at_most(1e-6));
  lesson.claim("with one fewer, as near as eigenvalues allow, off by", missed, at_most(1e-6));
}

// Without its half below the diagonal, which is added to the half above, S is the same quadratic.
static double off_as_triangle(const Matrix<double>& S) {
  Matrix<double> triangle = S;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      triangle(j, i) += triangle(i, j);
      triangle(i, j) = 0;
    }
  double off = 0;
  for (const auto& [x, y] : {std::pair{1.0, 1.0}, {2.0, -1.0}, {-3.0, 0.5}}) {
    const Matrix<double> row{{x, y, 1}};
    const auto form = [&](const Matrix<double>& T) { return dot(matmul(row, T), row); };
    off = std::max(off, std::abs(form(S) - form(triangle)));
  }
  return off;
}

static void one_form(Lesson& lesson, const knob::Settings& at) {
  const std::vector<double> bits = at[table], more = at[added];
  const Gate& gate = *gate_of({bits[0], bits[1], bits[2], bits[3]}, 0.5);
  const QuadraticForm own = multiplied_out(gate.w, gate.v);
  const QuadraticForm sum{.xx = own.xx + more[0],
                          .yy = own.yy + more[1],
                          .xy = own.xy + more[2],
                          .x = own.x + more[3],
                          .y = own.y + more[4],
                          .one = own.one + more[5]};
  lesson.figure("cuts", cuts(gate));
  lesson.figure("form", surfaces("A gate and a sum",
                                 {surface(own, gate.name), surface(sum, "with what is added")}));
  const Signature counts = signature(matrix_of(sum));
  Table shown{{"x²", "y²", "xy", "x", "y", "1", "00", "10", "01", "11"}, {{}}};
  for (const double number : {sum.xx, sum.yy, sum.xy, sum.x, sum.y, sum.one})
    shown.rows[0].push_back(text_of(number));
  for (const double number : truth_of(sum)) shown.rows[0].push_back(text_of(number));
  lesson.detail(shown);
  lesson.note("The sum of ", gate.name, " and what is added has ", counts.plus,
              " squares with plus and ", counts.minus, " with minus: it takes ", counts.units(),
              counts.units() == 1 ? " unit." : " units.");
  // Some roundings of sums up to 100.
  lesson.claim("S as a triangle gives the same answers, largest difference",
               off_as_triangle(matrix_of(sum)), at_most(1e-12));
  lesson.claim("the gate alone takes one unit, or none", signature(matrix_of(own)).units() <= 1);
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  table_of_gates(lesson);
  lesson.claim_same("all sixteen gates, one unit each", worst_unit());
  without_biases(lesson);
  how_many_units(lesson, session);
  one_form(lesson, at);
}

}  // namespace lesson4::p4

const Part<lesson4::Session> lesson4::part4{.number = 4,
                                            .title = "Sixteen gates, one unit",
                                            .question = "How many units does a quadratic need?",
                                            .run = p4::run,
                                            .knobs = {&p4::table, &p4::added}};
