// Lesson 4, part 4: all sixteen gates in one unit; which fail without biases; how many units a quadratic form takes.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4 {

constexpr knob::Numbers table{"table", "0 or 1 at 00, 10, 01, 11", {0, 1, 1, 0}, {0, 1, 1}};
constexpr knob::Numbers added{"add", "added to its x², y², xy, x, y and 1", {0, 0, 0, 0, 0, 0}, {-2, 2, 0.25}};

// Returns how far the table's units are from their truth tables when the corners are the rows of X.
template <class FactorOf>
static double worst_unit(const Matrix<double>& X, FactorOf factor_of_unit) {
  double worst = 0;
  for (const Gate& gate : gates)
    worst = std::max(worst, max_abs_difference(output(unit_of(factor_of_unit(gate.w), factor_of_unit(gate.v)), X),
                                               column_of(gate.truth)));
  return worst;
}

// Returns a form's values at the rows of X.
static Matrix<double> output(const QuadraticForm& form, const Matrix<double>& X) {
  Matrix<double> Y(X.rows(), 1);
  for (std::size_t i = 0; i < X.rows(); ++i) Y(i, 0) = form.at(X(i, 0), X(i, 1));
  return Y;
}

// ---------------------------------------------------------------------------------------------- without biases

// Without biases a unit is xx·x² + xy·x·y + yy·y² and nothing else. On {0, 1} the gate says what these are: f(1,0),
// f(1,1) - f(1,0) - f(0,1), f(0,1). On {-1, 1} x² and y² are both 1, and f(1,1) = xx + xy, f(1,-1) = xx - xy with yy = 0.
static QuadraticForm form_on_bits(const TruthTable& t) { return {t[1], t[2], t[3] - t[1] - t[2], 0, 0, 0}; }
static QuadraticForm form_on_signs(const TruthTable& t) { return {(t[3] + t[1]) / 2, 0, (t[3] - t[1]) / 2, 0, 0, 0}; }

// Gates by what they take. `never`: the only form that could be the gate is not, at a corner that it does not look at.
struct WithoutBiases {
  std::vector<std::string> one_unit, two_units, never;
};

template <class FormOf>
static WithoutBiases sort_gates(const Matrix<double>& X, FormOf form_of_gate) {
  WithoutBiases sorted;
  for (const Gate& gate : gates) {
    const QuadraticForm form = form_of_gate(gate.truth);
    const bool is_gate = max_abs_difference(output(form, X), column_of(gate.truth)) == 0;
    const bool one = signature(matrix_of(form)).units() <= 1;
    (!is_gate ? sorted.never : one ? sorted.one_unit : sorted.two_units).push_back(gate.name);
  }
  return sorted;
}

static std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

static void without_biases(Lesson& lesson) {
  const Matrix<double> X = corner_rows();
  const WithoutBiases bits = sort_gates(X, form_on_bits);
  const WithoutBiases signs = sort_gates(map(X, [](double x) { return 2 * x - 1; }), form_on_signs);
  lesson.say("How many of the sixteen gates is one unit? All, exactly; without biases ", bits.one_unit.size(),
             " on inputs 0 and 1, and ", signs.one_unit.size(), " on -1 and 1.");
  lesson.note("Out of reach on 0 and 1, with any number of units: ", listed(bits.never),
              "; with two: ", listed(bits.two_units), ". One unit on -1 and 1: ", listed(signs.one_unit), ".");
  lesson.claim("without biases on {0, 1}: gates with one unit", double(bits.one_unit.size()), exactly(7));
  lesson.claim("... and one gate with two, OR", listed(bits.two_units) == "OR");
  lesson.claim("... and with no number of units", double(bits.never.size()), exactly(8));
  lesson.claim("without biases on {-1, 1}: gates with one unit", double(signs.one_unit.size()), exactly(4));
  lesson.claim("... and with no number of units", double(signs.never.size()), exactly(12));
}

// ------------------------------------------------------------------------------------------------ how many units

// Returns the smallest Frobenius distance |D| between S (3 x 3, symmetric) and what `units` products add up to, D = ½·(w·vᵀ
// + v·wᵀ) - S with the units' factors in the columns of w and v, by descent on its square from some starts. D is symmetric,
// so that the slopes are 2·D·v in w and 2·D·w in v.   (4.9)
static double best_distance(const Matrix<double>& S, std::size_t units, Random random) {
  const double size = std::max(largest_entry(S), 1e-6);  // one rate is good for matrices of one size
  double best = HUGE_VAL;
  for (int start = 0; start < 10; ++start) {
    auto w = normal_matrix<double>(3, units, 0.5, random), v = normal_matrix<double>(3, units, 0.5, random);
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
  };
  const Case cases[] = {{"x·y", {0, 0, 1, 0, 0, 0}, 1},
                        {"x² - 2y² + x", {1, -2, 0, 1, 0, 0}, 2},
                        {"x² + y² + 1", {1, 1, 0, 0, 0, 1}, 3},
                        {"x² - y² + 1", {1, -1, 0, 0, 0, 1}, 2}};
  lesson.say("How many units does a form need? Predicted by (4.8), and how near descent comes with 1, 2 and 3:");
  Table table_of_forms{{"form", "λ > 0, λ < 0", "units", "1 unit", "2 units", "3 units"}, {}};
  double worst = 0, sphere_1 = 0, sphere_2 = 0;
  bool counted = true;
  for (const auto& [name, form, expected] : cases) {
    const Matrix<double> S = matrix_of(form);
    const Signature s = signature(S);
    counted = counted && s.units() == expected;
    std::vector<std::string> row{name, join(s.positive, ", ", s.negative), std::to_string(s.units())};
    for (int units = 1; units <= 3; ++units) {
      const double distance = best_distance(S, std::size_t(units), Random(session.options.seed, 43));
      row.push_back(fixed(distance, 4));
      if (units >= expected) worst = std::max(worst, distance);
      if (expected == 3 && units == 1) sphere_1 = distance;
      if (expected == 3 && units == 2) sphere_2 = distance;
    }
    table_of_forms.rows.push_back(row);
  }
  lesson.show(table_of_forms);
  lesson.claim("the signatures give 1, 2, 3 and 2 units", counted);
  lesson.claim("with that many units: distance", worst, at_most(1e-6));  // descent converges by a factor a step
  // x² + y² + 1 is the identity matrix: each unit can take one eigenvalue of 1 away.
  lesson.claim("x² + y² + 1 with 1 unit: distance √2", sphere_1, within(std::sqrt(2.0), 1e-6));
  lesson.claim("x² + y² + 1 with 2 units: distance 1", sphere_2, within(1, 1e-6));
}

// ---------------------------------------------------------------------------------------------- one that is chosen

static void one_form(Lesson& lesson, const knob::Settings& at) {
  const std::vector<double> bits = at[table], more = at[added];
  const Gate& gate = *gate_of({bits[0], bits[1], bits[2], bits[3]}, 0.5);
  const QuadraticForm own = multiplied_out(gate.w, gate.v);
  const QuadraticForm sum{own.xx + more[0], own.yy + more[1], own.xy + more[2],
                          own.x + more[3],  own.y + more[4],  own.one + more[5]};
  lesson.figure("form", surfaces("A gate and a sum", {surface(own, gate.name), surface(sum, "with what is added")}));
  const Signature counts = signature(matrix_of(sum));
  Table shown{{"x²", "y²", "xy", "x", "y", "1", "00", "10", "01", "11"}, {{}}};
  for (const double number : {sum.xx, sum.yy, sum.xy, sum.x, sum.y, sum.one}) shown.rows[0].push_back(text_of(number));
  for (const double number : truth_of(sum)) shown.rows[0].push_back(text_of(number));
  lesson.detail(shown);
  lesson.note(gate.name, " is ", text_of(gate.w, gate.v), ". The sum has ", counts.positive, " positive and ",
              counts.negative, " negative eigenvalues: it takes ", counts.units(),
              counts.units() == 1 ? " unit." : " units.");
  lesson.claim("the gate alone takes one unit, or none", signature(matrix_of(own)).units() <= 1);
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Matrix<double> X = corner_rows();
  lesson.claim_same("all sixteen, inputs in {0, 1}", worst_unit(X, [](const Factor& f) { return f; }));
  lesson.claim_same("all sixteen, inputs in {-1, 1}",
                    worst_unit(map(X, [](double x) { return 2 * x - 1; }), for_signs));
  without_biases(lesson);
  how_many_units(lesson, session);
  one_form(lesson, at);
}

extern const Part<Session> part4{
    4, "Sixteen gates, one unit", run, "How many units does a form need?", {&table, &added}};

}  // namespace lesson4
