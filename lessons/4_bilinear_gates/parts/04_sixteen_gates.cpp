// Lesson 4, part 4: all sixteen gates in one unit; which fail without biases; how many units a quadratic form takes.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lessons/4_bilinear_gates/model/4_forms.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"
#include "lessons/4_bilinear_gates/run/train.hpp"

namespace lesson4 {
namespace {

// How far the table's units are from their truth tables: inputs in {0, 1}, and in {-1, 1}.
struct GateErrors {
  double bits = 0, signs = 0;
};

GateErrors errors_of_table() {
  GateErrors worst;
  const Matrix<double> X = corner_rows(), S = map(X, [](double x) { return 2 * x - 1; });
  for (const Gate& gate : gates) {
    const Matrix<double> T = column_of(gate.truth);
    const ProductLayer bits = unit_of(gate.w, gate.v), signs = unit_of(for_signs(gate.w), for_signs(gate.v));
    worst.bits = std::max(worst.bits, max_abs_difference(output(bits, X), T));
    worst.signs = std::max(worst.signs, max_abs_difference(output(signs, S), T));
  }
  return worst;
}

// Without biases a unit is xx·x² + xy·x·y + yy·y² and nothing else. On {0, 1} the gate says what these are: f(1,0),
// f(1,1) - f(1,0) - f(0,1), f(0,1).
QuadraticForm form_on_bits(const TruthTable& t) { return {t[1], t[2], t[3] - t[1] - t[2], 0, 0, 0}; }

// On {-1, 1} x² and y² are both 1, and f(1,1) = xx + xy, f(1,-1) = xx - xy with yy = 0.
QuadraticForm form_on_signs(const TruthTable& t) { return {(t[3] + t[1]) / 2, 0, (t[3] - t[1]) / 2, 0, 0, 0}; }

// The products x·x, x·y, y·y at the rows of X, 4 x 3: every sum of units without biases is a sum of these.
Matrix<double> products_without_biases(const Matrix<double>& X) {
  ProductLayer layer({2, 3, Biases::without});
  layer.W = {{1, 1, 0}, {0, 0, 1}};
  layer.V = {{1, 0, 0}, {0, 1, 1}};
  return output(layer, X);
}

// Gates by what they take without biases, when the corners are the rows of X. `never`: no sum of the three products is
// the gate, since its truth table adds to their rank.
struct WithoutBiases {
  std::vector<std::string> one_unit, two_units, never;
};

template <class FormOf>
WithoutBiases sort_gates(const Matrix<double>& X, FormOf form_of_gate) {
  const Matrix<double> products = products_without_biases(X);
  WithoutBiases sorted;
  for (const Gate& gate : gates) {
    const QuadraticForm form = form_of_gate(gate.truth);
    Matrix<double> with_gate(4, 4);
    bool is_gate = true;
    for (std::size_t k = 0; k < 4; ++k) {
      std::copy(products.row(k).begin(), products.row(k).end(), with_gate.row(k).begin());
      with_gate(k, 3) = gate.truth[k];
      is_gate = is_gate && form.at(X(k, 0), X(k, 1)) == gate.truth[k];
    }
    if (rank_of(with_gate, 0) > rank_of(products, 0)) sorted.never.push_back(gate.name);  // whole numbers and halves
    else if (is_gate)
      (signature(matrix_of(form)).units() <= 1 ? sorted.one_unit : sorted.two_units).push_back(gate.name);
  }
  return sorted;
}

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

// ------------------------------------------------------------------------------------------------ how many units

void how_many_units(Lesson& lesson, Session& session) {
  struct Case {
    const char* name;
    QuadraticForm form;
    int units;
  };
  const Case cases[] = {{"x·y", {0, 0, 1, 0, 0, 0}, 1},
                        {"x² - 2y² + x", {1, -2, 0, 1, 0, 0}, 2},
                        {"x² + y² + 1", {1, 1, 0, 0, 0, 1}, 3},
                        {"x² - y² + 1", {1, -1, 0, 0, 0, 1}, 2}};
  lesson.say("How many units does a form need? Predicted by (4.8), and how near descent comes with 1, 2 and 3:");
  Table table{{"form", "λ > 0, λ < 0", "units", "1 unit", "2 units", "3 units"}, {}};
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

}  // namespace

void part4(Lesson& lesson, Session& session) {
  lesson.note("Each gate as one product, its truth table for 00, 10, 01 and 11, x first:");
  Table table{{"gate", "truth", "factors"}, {}};
  for (const Gate& gate : gates)
    table.rows.push_back({gate.name, text_of(gate.truth), join("(", text_of(gate.w), ")·(", text_of(gate.v), ")")});
  lesson.detail(table);
  const GateErrors errors = errors_of_table();
  lesson.claim_same("all sixteen, inputs in {0, 1}", errors.bits);
  lesson.claim_same("all sixteen, inputs in {-1, 1}", errors.signs);

  const Matrix<double> X = corner_rows();
  const WithoutBiases bits = sort_gates(X, form_on_bits);
  const WithoutBiases signs = sort_gates(map(X, [](double x) { return 2 * x - 1; }), form_on_signs);
  lesson.say("How many of the sixteen gates is one unit? All, exactly; without biases ", bits.one_unit.size(),
             " on inputs 0 and 1, and ", signs.one_unit.size(), " on -1 and 1.");
  lesson.detail(Table{
      {"inputs", "one unit", "two units", "no number of units"},
      {{"0 and 1", std::to_string(bits.one_unit.size()), listed(bits.two_units), std::to_string(bits.never.size())},
       {"-1 and 1", std::to_string(signs.one_unit.size()), listed(signs.two_units),
        std::to_string(signs.never.size())}}});
  lesson.note("Out of reach on 0 and 1, with any number of units: ", listed(bits.never),
              ". One unit on -1 and 1: ", listed(signs.one_unit), ".");
  lesson.claim("without biases on {0, 1}: gates with one unit", double(bits.one_unit.size()), exactly(7));
  lesson.claim("... and one gate with two, OR", listed(bits.two_units) == "OR");
  lesson.claim("... and with no number of units", double(bits.never.size()), exactly(8));
  lesson.claim("without biases on {-1, 1}: gates with one unit", double(signs.one_unit.size()), exactly(4));
  lesson.claim("... and with no number of units", double(signs.never.size()), exactly(12));
  how_many_units(lesson, session);
}

}  // namespace lesson4
