// Lesson 4, part 4: a truth table, and what is added to its polynomial, can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/4_bilinear_gates/model/4_forms.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"
#include "lessons/4_bilinear_gates/run/surface.hpp"

namespace lesson4 {
namespace {

constexpr knob::Numbers table{"table", "0 or 1 at 00, 10, 01, 11", {0, 1, 1, 0}, {0, 1, 1}};
constexpr knob::Numbers added{"add", "added to its x², y², xy, x, y and 1", {0, 0, 0, 0, 0, 0}, {-2, 2, 0.25}};

const Gate& gate_of(const std::vector<double>& outputs) {
  TruthTable truth;
  for (std::size_t k = 0; k < truth.size(); ++k) truth[k] = outputs[k] >= 0.5 ? 1 : 0;
  return *std::find_if(gates.begin(), gates.end(), [&](const Gate& gate) { return gate.truth == truth; });
}

QuadraticForm sum_of(const QuadraticForm& f, const std::vector<double>& more) {
  return {f.xx + more[0], f.yy + more[1], f.xy + more[2], f.x + more[3], f.y + more[4], f.one + more[5]};
}

// Its values over the square [-1/2, 3/2]², y = 3/2 on top.
plot::Image surface_of(const QuadraticForm& f, const std::string& caption) {
  plot::Image image{caption};
  for (std::size_t i = 0; i < surface_side; ++i)
    for (std::size_t j = 0; j < surface_side; ++j)
      image.values.push_back(f.at(-0.5 + 2 * double(j) / (surface_side - 1), 1.5 - 2 * double(i) / (surface_side - 1)));
  return image;
}

// Its coefficients, and its values at the corners.
std::vector<std::string> row_of(const std::string& name, const QuadraticForm& f) {
  std::vector<std::string> row{name};
  for (const double number : {f.xx, f.yy, f.xy, f.x, f.y, f.one}) row.push_back(significant(number + 0.0));  // -0 is 0
  for (const double number : truth_of(f)) row.push_back(significant(number + 0.0));
  return row;
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Gate& gate = gate_of(at[table]);
  const QuadraticForm own = multiplied_out(gate.w, gate.v), form = sum_of(own, at[added]);
  plot::Sheet sheet{.title = "Over the square from -1/2 to 3/2"};
  sheet.rows = sheet.cols = surface_side;
  sheet.images = {surface_of(own, gate.name), surface_of(form, "with what is added")};
  sheet.low = -1;
  sheet.high = 2;
  lesson.picture("turned_form", sheet);
  const Signature counts = signature(matrix_of(form));
  lesson.show(Table{{"", "x²", "y²", "xy", "x", "y", "1", "00", "10", "01", "11"},
                    {row_of(gate.name, own), row_of("with what is added", form)}});
  lesson.say(gate.name, " is (", text_of(gate.w), ")·(", text_of(gate.v), "). The sum has ", counts.positive,
             " positive and ", counts.negative, " negative eigenvalues: it takes ", counts.units(),
             counts.units() == 1 ? " unit." : " units.");
  double worst = 0;
  for (std::size_t k = 0; k < corners.size(); ++k)
    worst = std::max(worst, std::abs(gate.w.at(corners[k][0], corners[k][1]) * gate.v.at(corners[k][0], corners[k][1]) -
                                     gate.truth[k]));
  lesson.claim_same("the gate's two factors at the corners and its truth table", worst);
  lesson.claim("the gate alone takes one unit, or none", signature(matrix_of(own)).units() <= 1);
}

}  // namespace

Bench<Session> bench4() {
  return {"Which form is which gate, and how many units does a form take?", {&table, &added}, run};
}

}  // namespace lesson4
