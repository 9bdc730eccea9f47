// Lesson 4, part 4: all sixteen gates in one unit; which fail without biases; how many units a quadratic form takes.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"
#include "lessons/4_bilinear_gates/session.hpp"

inline std::string text_of(const Factor& f) {
  return significant(f.x) + ", " + significant(f.y) + ", " + significant(f.one);
}

inline std::string text_of(const TruthTable& truth) {
  std::string digits;
  for (const double value : truth) digits += value > 0.5 ? '1' : '0';
  return digits;
}

// How far the table's units are from their truth tables: inputs in {0, 1}, and in {-1, 1}.
struct GateErrors {
  double bits = 0, signs = 0;
};

inline GateErrors errors_of_table() {
  GateErrors worst;
  const Matrix<double> X = corner_rows(), S = map(X, [](double x) { return 2 * x - 1; });
  for (const Gate& gate : gates) {
    const Matrix<double> T = column_of(gate.truth);
    const ProductLayer bits = layer_of(gate.w, gate.v), signs = layer_of(for_signs(gate.w), for_signs(gate.v));
    worst.bits = std::max(worst.bits, max_abs_difference(bits.forward(X).H, T));
    worst.signs = std::max(worst.signs, max_abs_difference(signs.forward(S).H, T));
  }
  return worst;
}

// Without biases a unit is xx·x² + xy·x·y + yy·y² and nothing else. On {0, 1} the gate says what these are: f(1,0),
// f(1,1) - f(1,0) - f(0,1), f(0,1).
inline QuadraticForm form_without_biases(const TruthTable& t) { return {t[1], t[2], t[3] - t[1] - t[2], 0, 0, 0}; }

// Gates by what they take without biases.
struct WithoutBiases {
  std::vector<std::string> one_unit, two_units, never, on_signs;
};

inline WithoutBiases sort_gates() {
  WithoutBiases sorted;
  for (const Gate& gate : gates) {
    const TruthTable& t = gate.truth;
    if (t[0] != 0) sorted.never.push_back(gate.name);
    else
      (signature(matrix_of(form_without_biases(t))).units() <= 1 ? sorted.one_unit : sorted.two_units)
          .push_back(gate.name);
    if (t[0] == t[3] && t[1] == t[2]) {  // f(-h) = f(h): then (p·s² + q·s·t) with p + q and p - q as the gate says
      const double p = (t[0] + t[1]) / 2, q = (t[0] - t[1]) / 2;
      const ProductLayer unit = layer_of({1, 0, 0}, {p, q, 0});
      if (max_abs_difference(unit.forward(map(corner_rows(), [](double x) { return 2 * x - 1; })).H, column_of(t)) == 0)
        sorted.on_signs.push_back(gate.name);
    }
  }
  return sorted;
}

inline std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

// ------------------------------------------------------------------------------------------------ how many units

// The smallest Frobenius distance between S and what `units` products add up to, by descent on it from some starts: with
// M = ½ Σ (w·vᵀ + v·wᵀ) and D = M - S, the slope of |D|² is 2·D·v in w and 2·D·w in v.
inline double best_distance(const Matrix<double>& S, std::size_t units, Random random) {
  double best = HUGE_VAL;
  for (int start = 0; start < 10; ++start) {
    auto w = normal_matrix<double>(3, units, 0.5, random), v = normal_matrix<double>(3, units, 0.5, random);
    double distance = 0;
    for (int step = 0; step < 3000; ++step) {
      const Matrix<double> half = matmul(w, transpose(v));
      const Matrix<double> D = 0.5 * (half + Matrix<double>(transpose(half))) - S;
      distance = std::sqrt(dot(D, D));
      const Matrix<double> dw = 2 * matmul(D, v), dv = 2 * matmul(D, w);
      w += -0.05 * dw, v += -0.05 * dv;
    }
    best = std::min(best, distance);
  }
  return best;
}

inline void how_many_units(Lesson& lesson, Session& session) {
  struct Case {
    const char* name;
    QuadraticForm form;
    int units;
  };
  const Case cases[] = {{"x·y", {0, 0, 1, 0, 0, 0}, 1},
                        {"x² - 2y² + x", {1, -2, 0, 1, 0, 0}, 2},
                        {"x² + y² + 1", {1, 1, 0, 0, 0, 1}, 3},
                        {"x² - y² + 1", {1, -1, 0, 0, 0, 1}, 2}};
  lesson.say(
      "A quadratic form is a symmetric 3 × 3 matrix in (x, y, 1). One product (w·z)(v·z) has at most one positive ",
      "and one negative eigenvalue, so a form with p positive and q negative ones needs max(p, q) units. ",
      "Predicted, and the Frobenius distance of the best fit that descent finds:");
  Table table{{"form", "p, q", "units", "1 unit", "2 units", "3 units"}, {}};
  double worst = 0, sphere_1 = 0, sphere_2 = 0;
  bool counted = true;
  for (const Case& c : cases) {
    const Matrix<double> S = matrix_of(c.form);
    const Signature s = signature(S);
    counted = counted && s.units() == c.units;
    std::vector<std::string> row{c.name, join(s.positive, ", ", s.negative), std::to_string(s.units())};
    for (std::size_t units = 1; units <= 3; ++units) {
      const double distance = best_distance(S, units, Random(session.options.seed, 43));
      row.push_back(fixed(distance, 4));
      if (int(units) >= s.units()) worst = std::max(worst, distance);
      if (c.units == 3 && units == 1) sphere_1 = distance;
      if (c.units == 3 && units == 2) sphere_2 = distance;
    }
    table.rows.push_back(row);
  }
  lesson.show(table);
  lesson.claim("the signatures give 1, 2, 3 and 2 units", counted);
  lesson.claim("with that many units: distance", worst, at_most(1e-6));  // descent converges by a factor a step
  // x² + y² + 1 is the identity matrix: each unit can take one eigenvalue of 1 away.
  lesson.claim("x² + y² + 1 with 1 unit: distance √2", sphere_1, within(std::sqrt(2.0), 1e-6));
  lesson.claim("x² + y² + 1 with 2 units: distance 1", sphere_2, within(1, 1e-6));
}

inline void part4(Lesson& lesson, Session& session) {
  lesson.say(
      "Each gate as one product (w₁x + w₂y + b)(v₁x + v₂y + c). The truth table gives the outputs for 00, 10, 01 ",
      "and 11, x first:");
  Table table{{"gate", "truth", "w₁, w₂, b", "v₁, v₂, c"}, {}};
  for (const Gate& gate : gates)
    table.rows.push_back({gate.name, text_of(gate.truth), text_of(gate.w), text_of(gate.v)});
  lesson.show(table);
  const GateErrors errors = errors_of_table();
  lesson.claim("all sixteen, inputs in {0, 1}: max |diff|", errors.bits, exactly(0));
  lesson.claim("all sixteen, inputs in {-1, 1}: max |diff|", errors.signs, exactly(0));

  const WithoutBiases without = sort_gates();
  lesson.say(
      "Without biases f(0, 0) = 0, so every gate that says 1 there is lost: ", listed(without.never),
      ". Of the others ", without.one_unit.size(), " take one unit, and ", listed(without.two_units),
      " takes two: x² + y² - xy is positive for all (x, y) but 0, and one product is not. For inputs in {-1, 1} ",
      "f(-h) = f(h) leaves ", listed(without.on_signs), ".");
  lesson.claim("without biases on {0, 1}: gates with one unit", double(without.one_unit.size()), exactly(7));
  lesson.claim("... and one gate with two, OR", listed(without.two_units) == "OR");
  lesson.claim("... and never", double(without.never.size()), exactly(8));
  lesson.claim("without biases on {-1, 1}: gates", double(without.on_signs.size()), exactly(4));
  how_many_units(lesson, session);
}
