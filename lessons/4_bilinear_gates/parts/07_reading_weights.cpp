// Part 7: a gate read from its weights, and what cannot be known.
// SPDX-License-Identifier: MIT
#include <set>

#include "common/frame/plot/scene.hpp"
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4::p7 {

constexpr knob::Numbers first{
    "w", "the first factor, w[1]·x + w[2]·y + b", {1, 1, 0}, in_quarters, {"w[1]", "w[2]", "b"}};
constexpr knob::Numbers second{
    "v", "the second, v[1]·x + v[2]·y + c", {-0.5, -0.5, 1.5}, in_quarters, {"v[1]", "v[2]", "c"}};
constexpr knob::Real gauge{"gauge", "(W, b) times this, (V, c) divided by it", 4, {0.25, 4, 0.25}};

// Draws S, whose rows and columns belong to x, y and 1.
static plot::Scene table_of(const std::string& title, const Matrix<double>& S) {
  constexpr const char* names[] = {"x", "y", "1"};
  constexpr double width = 96, height = 52;
  plot::Scene scene(title);
  for (std::size_t i = 0; i < 3; ++i) {
    const double x = 56 + width * double(i), y = 28 + height * double(i);
    scene.text({x + width / 2, 18}, names[i], {.slant = true});
    scene.text({40, y + height / 2 + plot::to_foot}, names[i], {.slant = true});
    for (std::size_t j = 0; j < 3; ++j) {
      const plot::Spot corner{56 + width * double(j), y}, size{width, height};
      const std::string number = plot::short_number(S(i, j));
      scene.cell({corner, size, number, plot::fill_of(S(i, j))});
      scene.touch(corner, size, join("row ", names[i], ", column ", names[j]), number);
    }
  }
  scene.end(28 + 3 * height);
  return scene;
}

static Factor scaled(const Factor& one, double by) {
  return {by * one.x, by * one.y, by * one.one};
}

static void one_unit(Lesson& lesson, const knob::Settings& at) {
  const Factor w = factor_of(at[first]), v = factor_of(at[second]);
  const QuadraticForm f = multiplied_out(w, v);
  const Matrix<double> S = matrix_of(f);
  const Gate* const gate = gate_of(truth_of(f));
  const std::string name = gate ? gate->name : "Not a gate";
  lesson.figure("matrix", table_of(text_of(w, v) + " as a symmetric matrix", S));
  lesson.note(name, ", ", text_of(w, v), ", multiplied out: xx = ", text_of(f.xx),
              ", yy = ", text_of(f.yy), ", xy = ", text_of(f.xy), ", x_ = ", text_of(f.x),
              ", y_ = ", text_of(f.y), ", one = ", text_of(f.one), ".");
  double worst = 0;
  Random random(lesson.options().seed, 48);
  for (int k = 0; k < 100; ++k) {
    const double x = random.normal(), y = random.normal();
    worst = std::max(worst, std::abs(w.at(x, y) * v.at(x, y) - f.at(x, y)));
  }
  // Here and below: a few roundings of numbers up to some hundred.
  lesson.claim("the coefficients give the product at 100 points, max |diff|", worst,
               at_most(1e-12));
  const Signature counts = signature(S);
  lesson.claim("at most one square of each sign", counts.plus <= 1 && counts.minus <= 1);
  const double s = at[gauge];
  lesson.claim("(W, b) times the gauge, (V, c) over it: the same S, max |diff|",
               max_abs_difference(S, matrix_of(multiplied_out(scaled(w, s), scaled(v, 1 / s)))),
               at_most(1e-13));
  lesson.claim_same("(W, b) exchanged with (V, c): the same S",
                    max_abs_difference(S, matrix_of(multiplied_out(v, w))));
}

// Returns −¾, 1 or another number of quarters up to 1, and nothing for 0.
static std::string in_quarters_of(double number) {
  const char* const sizes[] = {"", "¼", "½", "¾", "1"};
  return join(number < 0 ? "−" : "", sizes[std::lround(4 * std::min(std::abs(number), 1.0))]);
}

// A gate's name over its table, whose rows and columns stand for x, y and 1; zeros are left out.
static void draw_table(plot::Scene& scene, plot::Spot corner, const Gate& gate) {
  constexpr double side = 30;
  const Matrix<double> S = matrix_of(multiplied_out(gate.w, gate.v));
  scene.text({corner.x + 1.5 * side, corner.y - 24}, gate.name, {.strong = true});
  const char* const names[] = {"x", "y", "1"};
  for (std::size_t i = 0; i < 3; ++i) {
    const double along = side * (double(i) + 0.5);
    scene.text({corner.x + along, corner.y - 6}, names[i], {.tone = plot::Tone::soft});
    scene.text({corner.x - 9, corner.y + along + 5}, names[i], {.tone = plot::Tone::soft});
    for (std::size_t j = 0; j < 3; ++j)
      scene.cell({.corner = {corner.x + side * double(j), corner.y + side * double(i)},
                  .size = {side, side},
                  .words = in_quarters_of(S(i, j)),
                  .fill = plot::fill_of(S(i, j))});
  }
}

static void picture_of_gates(Lesson& lesson) {
  plot::Scene scene("A gate is a sum over pairs of x, y and 1");
  scene.text({16, 6}, "gate = sum of row · column · cell; an empty cell is 0",
             {.tone = plot::Tone::soft, .anchor = "start"});
  for (std::size_t k = 0; k < gates.size(); ++k) {
    const std::size_t row = k / 4, column = k % 4;
    draw_table(scene, {34 + 115 * double(column), 66 + 150 * double(row)}, gates[k]);
  }
  scene.end(66 + 3 * 150 + 96);
  lesson.figure("gates", scene);
}

constexpr FitSettings training{.steps = 10'000};
constexpr double to_be_named = 0.01;  // after training corners are off by at most .002
constexpr std::size_t starts_of_gate = 10, starts_of_xor = 100;

static ProductLayer<double> started(const Session& session, std::size_t run) {
  Random random(seed_of_run(session.options.seed, run), 47);
  return ProductLayer<double>({2, 1}, random);
}

// Trains a unit to be a gate: mostly in 150 steps, sometimes in thousands.
static QuadraticForm trained_gate(const Session& session, const Gate& gate, std::size_t run) {
  ProductLayer<double> unit = started(session, run);
  fit(unit, corner_rows(), error_to(column_of(gate.truth)),
      {.steps = session.steps(training.steps, 100)});
  return form_of(unit);
}

static void gates_named_from_weights(Lesson& lesson, Session& session) {
  const std::size_t seeds = session.options.quick_or<std::size_t>(1, starts_of_gate);
  Matrix<double> right(gates.size(), seeds);
  run_grid(session.pool, "training", {gates.size(), seeds}, [&](std::size_t g, std::size_t k) {
    const QuadraticForm form = trained_gate(session, gates[g], k);
    right(g, k) = gate_of(truth_of(form), to_be_named) == &gates[g];
  });
  const auto count = std::count(right.values().begin(), right.values().end(), 1.0);
  lesson.say("Can a gate be named from W, b, V, c alone? Sixteen gates were trained from ", seeds,
             " starts each: ", count, " of ", right.size(), " are named.");
  // 16,000 trainings at a hundred seeds: all.
  lesson.claim_trained("gates named from their weights, of 160", double(count), exactly(160));
}

static void a_hundred_xors(Lesson& lesson, Session& session) {
  const std::size_t seeds = session.options.quick_or<std::size_t>(6, starts_of_xor);
  std::vector<QuadraticForm> forms(seeds);
  run_grid(session.pool, "training", {seeds},
           [&](std::size_t k) { forms[k] = trained_gate(session, xor_gate, k); });
  std::vector<double> xx;
  double zeros = 0, ones = 0, negative = 0, xy_off = 0, sum_off = 0, named = 0;
  for (std::size_t k = 0; k < seeds; ++k)
    named += gate_of(truth_of(form_of(started(session, k))), to_be_named) != nullptr;
  for (const QuadraticForm& f : forms) {
    xx.push_back(f.xx);
    zeros += std::abs(f.at(0.5, 0.5)) < 0.05;
    ones += f.at(0.5, 0.5) > 0.95;
    negative += f.at(0.5, 0.5) < -0.05;
    xy_off = std::max(xy_off, std::abs(f.xy + 2));
    sum_off =
        std::max({sum_off, std::abs(f.xx + f.x - 1), std::abs(f.yy + f.y - 1), std::abs(f.one)});
  }
  const Spread free = spread_of(xx);
  const auto different = double(std::set<double>(xx.begin(), xx.end()).size());
  lesson.say(
      "What do ", seeds,
      " trained XORs have in common? xy is -2, xx + x_ and yy + y_ are 1, one is 0; but xx is ",
      free.text(2), ", and at (1/2, 1/2) ", zeros, " answer 0 and ", ones,
      " answer 1 or more, give or take .05; ", negative, " answer less.");
  // A loss below 1e-6 leaves errors at the corners whose squares sum to at most 4e-6. Four of them
  // add up in xy = f(11) - f(10) - f(01) + f(00), two in xx + x_ = f(10) - f(00).
  lesson.claim_trained("xy: largest distance from -2", xy_off, at_most(std::sqrt(4 * 4e-6)));
  lesson.claim_trained("xx + x_ and yy + y_ from 1, one from 0: largest distance", sum_off,
                       at_most(std::sqrt(2 * 4e-6)));
  // 60 seeds: none. To a tenth 3 to 8 would be, to a half four of five.
  lesson.claim_trained("units that would be named before training", named, at_most(1));
  lesson.claim_trained("xx: different ones, of 100", different, exactly(double(seeds)));
  // 60 seeds: .92 to 1.09. Of xx + x_ it is below .003.
  lesson.claim_trained("xx: its deviation, since nothing pins it down", free.deviation,
                       within(1, 0.3));
  // 60 seeds: 26 to 47 and 37 on average, and four standard errors are 19.
  lesson.claim_trained("in the middle: XORs of the rarer kind, 0 or at least 1",
                       std::min(zeros, ones), within(35, 20));
  // Between 0 and 1, (1/2 - (xx + yy)/4), a form with one square of each sign has no value.
  lesson.claim_trained("... XORs that answer less than 0, 0, or at least 1: all",
                       zeros + ones + negative, exactly(double(seeds)));
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  one_unit(lesson, at);
  picture_of_gates(lesson);
  gates_named_from_weights(lesson, session);
  a_hundred_xors(lesson, session);
}

static void scene(Lesson& lesson, Session&, const knob::Settings& at) {
  one_unit(lesson, at);
  const double s = at[gauge];
  lesson.say("With the gauge at ", s, " the factors are ",
             text_of(scaled(factor_of(at[first]), s), scaled(factor_of(at[second]), 1 / s)),
             ": other weights, and the same matrix.");
}

static std::string settings() {
  return join(starts_of_gate, " starts of each gate and ", starts_of_xor, " of XOR, ",
              words_of(training));
}

}  // namespace lesson4::p7

const Part<lesson4::Session> lesson4::part7{.number = 7,
                                            .title = "Reading the weights",
                                            .question = "What do two factors tell?",
                                            .run = p7::run,
                                            .scene = p7::scene,
                                            .knobs = {&p7::first, &p7::second, &p7::gauge},
                                            .settings = p7::settings};
