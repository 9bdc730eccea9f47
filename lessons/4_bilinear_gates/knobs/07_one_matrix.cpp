// Lesson 4, part 7: a unit whose weights can be turned, read as a symmetric matrix.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/4_bilinear_gates/model/4_forms.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"

namespace lesson4 {
namespace {

constexpr knob::Numbers first{"w", "w1, w2 and b of the first factor", {1, -1, 0}, {-3, 3, 0.25}};
constexpr knob::Numbers second{"v", "v1, v2 and c of the second", {1, -1, 0}, {-3, 3, 0.25}};
constexpr knob::Real gauge{"gauge", "first factor times this, second divided by it", 1, {0.25, 4, 0.25}};

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// S = ½·(w·vᵀ + v·wᵀ) has the eigenvalues (w·v ± |w|·|v|)/2, with the eigenvectors |v|·w ± |w|·v, and 0.
struct Spectrum {
  double value[2];
  std::vector<double> vector[2];
};

Spectrum spectrum_of(const std::vector<double>& w, const std::vector<double>& v) {
  Spectrum found;
  const double w_length = std::sqrt(product(w, w)), v_length = std::sqrt(product(v, v));
  for (std::size_t k = 0; k < 2; ++k) {
    const double sign = k == 0 ? 1 : -1;
    found.value[k] = (product(w, v) + sign * w_length * v_length) / 2;
    for (std::size_t i = 0; i < 3; ++i) found.vector[k].push_back(v_length * w[i] + sign * w_length * v[i]);
  }
  return found;
}

// The largest entry of S·e - λ·e.
double residual(const Matrix<double>& S, double value, const std::vector<double>& e) {
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i)
    worst = std::max(worst, std::abs(S(i, 0) * e[0] + S(i, 1) * e[1] + S(i, 2) * e[2] - value * e[i]));
  return worst;
}

std::string gate_at(const TruthTable& found) {
  for (const Gate& gate : gates)
    if (gate.truth == found) return gate.name;
  return "no gate";
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::vector<double> w = at[first], v = at[second];
  const Factor one{w[0], w[1], w[2]}, other{v[0], v[1], v[2]};
  const QuadraticForm form = multiplied_out(one, other);
  const Matrix<double> S = matrix_of(form);
  plot::HeatMap map{.title = "(" + text_of(one) + ")·(" + text_of(other) + ") as a symmetric matrix"};
  map.rows = map.cols = 3;
  map.values = {S.values().begin(), S.values().end()};
  for (double& value : map.values) value += 0.0;  // -0 is 0
  map.row_labels = map.col_labels = {"x", "y", "1"};
  map.diverging = map.numbers = true;
  map.low = -3;
  map.high = 3;
  lesson.picture("turned_matrix", map);
  const auto shown = [](double value) { return significant(value + 0.0); };
  lesson.show(Table{{"x²", "y²", "xy", "x", "y", "1"},
                    {{shown(form.xx), shown(form.yy), shown(form.xy), shown(form.x), shown(form.y), shown(form.one)}}});
  const Spectrum found = spectrum_of(w, v);
  lesson.say("At the corners it is ", gate_at(truth_of(form)), ". Its eigenvalues are ", found.value[0] + 0.0, ", ",
             found.value[1] + 0.0, " and 0: a product never has two of one sign.");
  // Numbers up to 54 times 54 and a few roundings.
  lesson.claim("S·e - λ·e, largest entry",
               std::max(residual(S, found.value[0], found.vector[0]), residual(S, found.value[1], found.vector[1])),
               at_most(1e-10));
  lesson.claim("one eigenvalue is not below 0, one not above", found.value[0] >= 0 && found.value[1] <= 0);
  const double s = at[gauge];
  const Factor more{s * one.x, s * one.y, s * one.one}, less{other.x / s, other.y / s, other.one / s};
  // A few roundings of numbers up to 18.
  lesson.claim("factors times and over the gauge: the same matrix, max |diff|",
               max_abs_difference(S, matrix_of(multiplied_out(more, less))), at_most(1e-13));
}

}  // namespace

Bench<Session> bench7() {
  return {"What is left of two factors in the matrix that they make?", {&first, &second, &gauge}, run};
}

}  // namespace lesson4
