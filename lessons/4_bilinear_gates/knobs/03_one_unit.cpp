// Lesson 4, part 3: the six weights of one product can be turned.
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/4_bilinear_gates/model/3_gates.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"
#include "lessons/4_bilinear_gates/run/surface.hpp"

namespace lesson4 {
namespace {

constexpr knob::Numbers first{"w", "w1, w2 and b of the first factor, w1·x + w2·y + b", {1, -1, 0}, {-3, 3, 0.25}};
constexpr knob::Numbers second{"v", "v1, v2 and c of the second", {1, -1, 0}, {-3, 3, 0.25}};

Factor factor_of(const std::vector<double>& weights) { return {weights[0], weights[1], weights[2]}; }

// The name of the gate that the four corners spell, or nothing.
std::string gate_at(const TruthTable& corners_found) {
  for (const Gate& gate : gates)
    if (gate.truth == corners_found) return gate.name;
  return "";
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Factor w = factor_of(at[first]), v = factor_of(at[second]);
  const QuadraticForm form = multiplied_out(w, v);
  const TruthTable truth = truth_of(form);
  plot::Sheet sheet{.title = "(" + text_of(w) + ")·(" + text_of(v) + ") over the square from -1/2 to 3/2"};
  sheet.rows = sheet.cols = surface_side;
  sheet.images = {surface(unit_of(w, v), "one product")};
  sheet.low = 0;
  sheet.high = 1;
  lesson.picture("turned_surface", sheet);
  Table corner_table{{"x", "y", "first factor", "second", "product"}, {}};
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const auto [x, y] = corners[k];
    corner_table.rows.push_back(
        {significant(x), significant(y), significant(w.at(x, y)), significant(v.at(x, y)), significant(truth[k])});
  }
  lesson.show(corner_table);
  const std::string name = gate_at(truth);
  lesson.say(name.empty() ? "That is no gate: a corner is neither 0 nor 1." : "At the corners that is " + name + ".");
  double worst = 0;
  for (const auto& [x, y] : corners) worst = std::max(worst, std::abs(form.at(x, y) - w.at(x, y) * v.at(x, y)));
  // Products and sums of weights up to 3 and their halves: a few roundings of numbers up to 81.
  lesson.claim("multiplied out, (4.5), it is the same at the corners", worst, at_most(1e-13));
}

}  // namespace

Bench<Session> bench3() {
  return {"Which weights make which gate, and what happens between the corners?", {&first, &second}, run};
}

}  // namespace lesson4
