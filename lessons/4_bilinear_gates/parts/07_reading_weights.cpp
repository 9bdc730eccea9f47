// Lesson 4, part 7: a gate read out of its weights: the coefficients, the pictures of all sixteen, and what cannot be
// known.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/spread.hpp"
#include "lessons/4_bilinear_gates/model/4_forms.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"
#include "lessons/4_bilinear_gates/run/train.hpp"

namespace lesson4 {
namespace {

// The form that the first unit of a layer computes.
QuadraticForm form_of(const ProductLayer& layer) {
  return multiplied_out(first_factor(layer, 0), second_factor(layer, 0));
}

// The gate that a form computes on {0, 1}, each value within a tenth; "none" where there is no such gate.
std::string name_of(const QuadraticForm& f) {
  const TruthTable found = truth_of(f);
  for (const Gate& gate : gates) {
    bool same = true;
    for (std::size_t k = 0; k < found.size(); ++k) same = same && std::abs(found[k] - gate.truth[k]) < 0.1;
    if (same) return gate.name;
  }
  return "none";
}

// A unit trained to be a gate: most take 150 steps, one in 20,000 takes 3,341.
ProductLayer trained_gate(const Gate& gate, std::uint64_t seed, long steps) {
  Random random(seed, 47);
  ProductLayer unit({2, 1}, random);
  FitSettings settings;
  settings.steps = steps;
  fit(unit, corner_rows(), column_of(gate.truth), settings);
  return unit;
}

void parts_of_or(Lesson& lesson) {
  const Gate& gate = gate_named("OR");
  const QuadraticForm f = multiplied_out(gate.w, gate.v);
  lesson.note("OR multiplied out: xx = ", f.xx, ", yy = ", f.yy, ", xy = ", f.xy, ", x_ = ", f.x, ", y_ = ", f.y,
              ", one = ", f.one, ". At (1, 1): constant ", f.one, ", linear ", f.x + f.y, ", quadratic ",
              f.xx + f.yy + f.xy, ", together ", f.at(1, 1), ".");
  double worst = 0;
  Random random(lesson.options().seed, 48);
  for (int k = 0; k < 100; ++k) {
    const double x = random.normal(), y = random.normal();
    worst = std::max(worst, std::abs(gate.w.at(x, y) * gate.v.at(x, y) - f.at(x, y)));
  }
  lesson.claim("the coefficients give the product at 100 points, max |diff|", worst, at_most(1e-13));  // roundings
}

void picture_of_gates(Lesson& lesson) {
  plot::Sheet sheet;
  sheet.title = "Sixteen gates as symmetric 3 × 3 matrices over (x, y, 1)";
  sheet.rows = sheet.cols = 3;
  sheet.diverging = true;
  sheet.per_row = 8;
  for (const Gate& gate : gates) {
    const Matrix<double> S = matrix_of(multiplied_out(gate.w, gate.v));
    sheet.images.push_back({gate.name, {S.values().begin(), S.values().end()}});
  }
  lesson.figure("gates", sheet);
}

void gates_named_from_weights(Lesson& lesson, Session& session) {
  const std::size_t seeds = session.options.quick_or<std::size_t>(1, 10);
  const long steps = session.options.steps_or(10000, 100);
  std::vector<int> right(gates.size() * seeds);
  session.run("training", right.size(), [&](std::size_t job) {
    const Gate& gate = gates[job / seeds];
    right[job] =
        name_of(form_of(trained_gate(gate, seed_of_run(session.options.seed, job % seeds), steps))) == gate.name;
  });
  const auto count = std::count(right.begin(), right.end(), 1);
  lesson.say("Can a gate be named from W, b, V, c alone? Of sixteen trained with ", seeds, " seeds each: ", count,
             " of ", right.size(), ".");
  lesson.claim_trained("gates named from their weights, wrong ones", double(right.size()) - double(count), exactly(0));
}

// What a hundred trained XORs have in common, and what not.
void a_hundred_xors(Lesson& lesson, Session& session) {
  const std::size_t seeds = session.options.quick_or<std::size_t>(6, 100);
  const long steps = session.options.steps_or(10000, 100);
  std::vector<QuadraticForm> forms(seeds);
  session.run("training", seeds, [&](std::size_t k) {
    forms[k] = form_of(trained_gate(gate_named("XOR"), seed_of_run(session.options.seed, k), steps));
  });
  const auto spread = [&](auto value) {
    std::vector<double> values;
    for (const QuadraticForm& f : forms) values.push_back(value(f));
    return spread_of(values);
  };
  const Spread sum_x = spread([](const QuadraticForm& f) { return f.xx + f.x; });
  const Spread sum_y = spread([](const QuadraticForm& f) { return f.yy + f.y; });
  const Spread xy = spread([](const QuadraticForm& f) { return f.xy; });
  const Spread xx = spread([](const QuadraticForm& f) { return f.xx; });
  Table table{{"coefficient", "mean ± deviation", "on {0, 1}"}, {}};
  table.rows = {{"xx", xx.text(3), "free"},
                {"yy", spread([](const QuadraticForm& f) { return f.yy; }).text(3), "free"},
                {"xy", xy.text(3), "-2"},
                {"x_", spread([](const QuadraticForm& f) { return f.x; }).text(3), "free"},
                {"y_", spread([](const QuadraticForm& f) { return f.y; }).text(3), "free"},
                {"one", spread([](const QuadraticForm& f) { return f.one; }).text(3), "0"},
                {"xx + x_", sum_x.text(3), "1"},
                {"yy + y_", sum_y.text(3), "1"}};
  lesson.note("The coefficients of ", seeds, " trained XORs:");
  lesson.detail(table);
  const auto zeros =
      std::count_if(forms.begin(), forms.end(), [](const QuadraticForm& f) { return std::abs(f.at(0.5, 0.5)) < 0.05; });
  const auto ones =
      std::count_if(forms.begin(), forms.end(), [](const QuadraticForm& f) { return f.at(0.5, 0.5) > 0.95; });
  lesson.say("What do ", seeds, " trained XORs have in common? xy = ", xy.text(3), " and xx + x_ = ", sum_x.text(3),
             ", but xx = ", xx.text(3), "; at (1/2, 1/2) ", zeros, " say 0 within .05, ", ones, " more than .95.");
  // A loss below 1e-6 leaves errors at the four corners whose squares sum to 4e-6 at most. xy is f(11) - f(10) - f(01)
  // + f(00), xx + x_ is f(10) - f(00): sums of four and of two of those errors.
  const auto farthest = [&](auto error) {
    double worst = 0;
    for (const QuadraticForm& f : forms) worst = std::max(worst, std::abs(error(f)));
    return worst;
  };
  lesson.claim_trained("xy: largest distance from -2", farthest([](const QuadraticForm& f) { return f.xy + 2; }),
                       at_most(std::sqrt(4 * 4e-6)));
  lesson.claim_trained("xx + x_: largest distance from 1",
                       farthest([](const QuadraticForm& f) { return f.xx + f.x - 1; }), at_most(std::sqrt(2 * 4e-6)));
  // Mean and spread over a hundred hundreds; of ten thousand runs 3,811 are 0 in the middle.
  lesson.claim_trained("xx: its deviation, since nothing pins it down", xx.deviation, within(1.026, 4.5 * 0.040));
  lesson.claim_trained(join("XORs that are 0 in the middle, of ", seeds), double(zeros), binomial(seeds, 0.3811));
}

void gauge(Lesson& lesson) {
  const Gate& gate = gate_named("NAND");
  const auto scaled = [](const Factor& f, double s) { return Factor{s * f.x, s * f.y, s * f.one}; };
  const Matrix<double> S = matrix_of(multiplied_out(gate.w, gate.v));
  lesson.claim_same("NAND: factors times 4 and over 4, the same matrix",
                    max_abs_difference(S, matrix_of(multiplied_out(scaled(gate.w, 4), scaled(gate.v, 0.25)))));
  lesson.claim_same("NAND: factors exchanged, the same matrix",
                    max_abs_difference(S, matrix_of(multiplied_out(gate.v, gate.w))));
}

}  // namespace

void part7(Lesson& lesson, Session& session) {
  parts_of_or(lesson);
  picture_of_gates(lesson);
  gates_named_from_weights(lesson, session);
  a_hundred_xors(lesson, session);
  gauge(lesson);
}

}  // namespace lesson4
