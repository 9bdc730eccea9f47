// Lesson 4: checks the answers to its exercises. The folder on the include path decides whose: exercises/ holds the
// reader's, answers/solutions/ ours.
// Run: make exercise4
// SPDX-License-Identifier: MIT
#include <cmath>
#include <ex4_1_two_gates.hpp>
#include <ex4_2_layer_backward.hpp>
#include <ex4_3_coefficients.hpp>
#include <ex4_4_how_many_units.hpp>
#include <ex4_5_product_net.hpp>
#include <ex4_6_seven_features.hpp>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/support/exercise.hpp"
#include "lessons/4_bilinear_gates/answers/wrong_answers.hpp"
#include "lessons/4_bilinear_gates/model/4_forms.hpp"

using namespace exercise;
using namespace lesson4;

constexpr Judge by_formula{rounding, "right"};

// ------------------------------------------------------------------------------------------------------------- 4.1

// A reader's product at 00, 10, 01, 11, and at the corners of the square from -1 to 1.
static Matrix<double> on_bits(const Factor& w, const Factor& v) { return row_of(truth_of(multiplied_out(w, v))); }
static Matrix<double> on_signs(const Factor& w, const Factor& v) {
  Matrix<double> row(1, corners.size());
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const double s = 2 * corners[k][0] - 1, t = 2 * corners[k][1] - 1;
    row(0, k) = w.at(s, t) * v.at(s, t);
  }
  return row;
}

static bool is_zero(const Factor& f) { return f.x == 0 && f.y == 0 && f.one == 0; }

static std::string diagnose_gate(const std::string& name, const Factor& w, const Factor& v, const TruthTable& truth) {
  Answer answer{name, on_bits(w, v), row_of(truth)};
  for (const char* corner : {"00", "10", "01", "11"}) answer.places.push_back(name + " at " + corner);
  // At the corners sums of three terms round; a fraction written as 0.3333 is off by more.
  constexpr Judge judge{1e-9, "right"};
  if (agrees(answer.yours, answer.right, judge.tolerance)) return "";
  if (is_zero(w) && is_zero(v)) return "both factors are still zero";
  if (is_zero(w) || is_zero(v)) return "one factor is still zero, and so is the product";
  const Matrix<double> signs = on_signs(w, v), as_signs = map(answer.right, [](double bit) { return 2 * bit - 1; });
  if (agrees(signs, answer.right, judge.tolerance)) return "right for inputs in {-1, 1}; here they are in {0, 1}";
  if (agrees(signs, as_signs, judge.tolerance))
    return "right for inputs and outputs in {-1, 1}; here they are in {0, 1}";
  return diagnose(answer, judge, wrong_gates(truth));
}

static Verdict two_gates() {
  using namespace ex4_1;
  if (is_zero(xnor_w) && is_zero(xnor_v) && is_zero(or_w) && is_zero(or_v)) return not_started();
  Findings findings;
  findings.add("XNOR", diagnose_gate("XNOR", xnor_w, xnor_v, {1, 0, 0, 1}));
  findings.add("OR", diagnose_gate("OR", or_w, or_v, {0, 1, 1, 1}));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 4.2

static Verdict layer_backward() {
  constexpr std::size_t n = 5, d = 4, h = 3;
  Random random(2);
  auto X = normal_matrix<double>(n, d, 1, random), W = normal_matrix<double>(d, h, 1, random),
       V = normal_matrix<double>(d, h, 1, random), b = normal_matrix<double>(1, h, 1, random),
       c = normal_matrix<double>(1, h, 1, random);
  const auto R = normal_matrix<double>(n, h, 1, random);
  Matrix<double> P = add_row(matmul(X, W), b), Q = add_row(matmul(X, V), c);
  // So that dH is R. Linear in P and Q, in each parameter too, and quadratic in X.
  const auto from_factors = [&] { return dot(R, hadamard(P, Q)); };
  const auto from_input = [&] { return dot(R, hadamard(add_row(matmul(X, W), b), add_row(matmul(X, V), c))); };
  const ex4_2::Gradients yours = ex4_2::backward(X, W, V, P, Q, R);
  const Answer dP{"dP", yours.dP, numeric_gradient(P, from_factors, Step::quadratic)};
  const Answer dQ{"dQ", yours.dQ, numeric_gradient(Q, from_factors, Step::quadratic)};
  const Answer dW{"dW", yours.dW, numeric_gradient(W, from_input, Step::quadratic)};
  const Answer db{"db", yours.db, numeric_gradient(b, from_input, Step::quadratic)};
  const Answer dV{"dV", yours.dV, numeric_gradient(V, from_input, Step::quadratic)};
  const Answer dc{"dc", yours.dc, numeric_gradient(c, from_input, Step::quadratic)};
  const Answer dX{"dX", yours.dX, numeric_gradient(X, from_input, Step::quadratic)};
  if (compare({dP, dQ, dW, db, dV, dc, dX}, numeric).state == State::not_started) return not_started();

  const Branch p{yours.dP, dP.right, dQ.right}, q{yours.dQ, dQ.right, dP.right};
  const auto weights = [&](const Matrix<double>& D) { return matmul(transpose(X), D); };
  const auto bias = [](const Matrix<double>& D) { return column_sums(D); };
  Findings findings;
  findings.add("dP", diagnose(dP, numeric, wrong_factors(R, P, Q)));
  findings.add("dQ", diagnose(dQ, numeric, wrong_factors(R, Q, P)));
  findings.add("dW", diagnose(dW, numeric, wrong_parameters(p, R, weights)));
  findings.add("db", diagnose(db, numeric, wrong_parameters(p, R, bias)));
  findings.add("dV", diagnose(dV, numeric, wrong_parameters(q, R, weights)));
  findings.add("dc", diagnose(dc, numeric, wrong_parameters(q, R, bias)));
  findings.add("dX", diagnose(dX, numeric, wrong_inputs(p, q, W, V)));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 4.3

// The truths come from the layer's values alone: f(0,0) is the constant, and of f(1,1) - f(1,0) - f(0,1) + f(0,0) the
// squares, the linear terms and the constant cancel.
static Verdict coefficients() {
  constexpr std::size_t units = 4;
  Random random(3);
  ProductLayer layer({2, units});
  fill_normal(layer.tensors(), random);
  const Matrix<double> H = output(layer, corner_rows());
  Answer xy{"coefficient_xy", Matrix<double>(1, units), Matrix<double>(1, units)}, one = xy;
  one.name = "coefficient_one";
  for (std::size_t k = 0; k < units; ++k) {
    xy.yours(0, k) = ex4_3::coefficient_xy(layer, k);
    xy.right(0, k) = H(3, k) - H(1, k) - H(2, k) + H(0, k);
    xy.places.push_back(join("that of unit ", k));
    one.yours(0, k) = ex4_3::coefficient_one(layer, k);
    one.right(0, k) = H(0, k);
    one.places.push_back(join("that of unit ", k));
  }
  if (untouched(xy) && untouched(one)) return not_started();
  Findings findings;
  findings.add("coefficient_xy", diagnose(xy, by_formula, wrong_xy(layer, xy.right)));
  findings.add("coefficient_one", diagnose(one, by_formula, wrong_one(layer, one.right)));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 4.4

// How many units the form needs, by the signature of its matrix; a count is exact.
static Prediction units_of(const char* name, double yours, const QuadraticForm& form,
                           const std::vector<Misreading>& misreadings) {
  return {name, yours, double(signature(matrix_of(form)).units()), 0, misreadings};
}

static Verdict how_many_units() {
  using namespace ex4_4;
  return compare({units_of("circle", circle, {1, 1, 0, 0, 0, -1}, wrong_circle),
                  units_of("bowl", bowl, {1, 1, 0, 0, 0, 1}, wrong_bowl),
                  // The bias is best used to take the 1 away: with any other one a square is left.
                  units_of("bowl_with_readout_bias", bowl_with_readout_bias, {1, 1, 0, 0, 0, 0}, wrong_bowl_with_bias),
                  units_of("saddle", saddle, {1, -1, 0, 0, 0, 0}, wrong_saddle),
                  units_of("product_and_one", product_and_one, {0, 0, 1, 0, 0, 1}, wrong_product_and_one),
                  units_of("six_terms", six_terms, {1, 1, 2, 2, 2, 1}, wrong_six_terms)});
}

// ------------------------------------------------------------------------------------------------------------- 4.5

// The reader's gradients of Σ R⊙Y beside numeric ones, in forward order, dX at the end.
static std::vector<Answer> net_gradients(ProductNet net, Matrix<double> X, const Matrix<double>& R) {
  const auto loss = [&] { return dot(R, output(net, X)); };  // linear in each parameter, quadratic in X
  ProductNet::Trace trace;
  net.forward(X, trace);
  Gradients<ProductNet> yours = ex4_5::backward(net, X, trace, R);
  std::vector<Answer> answers;
  const Tensors<double> tensors = net.tensors(), derived = yours.d.tensors();
  for (std::size_t t = 0; t < tensors.size(); ++t)
    answers.push_back(
        {"d" + tensors[t].name, derived.at(t).tensor, numeric_gradient(tensors[t].tensor, loss, Step::quadratic)});
  answers.push_back({"dX", yours.dX, numeric_gradient(X, loss, Step::quadratic)});
  return answers;
}

// What the given code does: the lesson's own backward does it when P and Q are exchanged.
static bool same_as_given(const std::vector<Answer>& answers, const ProductNet& net, const Matrix<double>& X,
                          const Matrix<double>& R) {
  ProductNet::Trace exchanged;
  net.forward(X, exchanged);
  std::swap(exchanged.layer.P, exchanged.layer.Q);
  Gradients<ProductNet> given(net);
  net.backward(X, exchanged, R, given);
  const Tensors<double> tensors = given.d.tensors();
  bool same = agrees(answers.back().yours, given.dX, rounding);
  for (std::size_t t = 0; t < tensors.size(); ++t) same = same && agrees(answers[t].yours, tensors[t].tensor, rounding);
  return same;
}

static Verdict product_net() {
  constexpr std::size_t n = 6, d = 5, h = 4, o = 3;
  Random random(5);
  const auto X = normal_matrix<double>(n, d, 1, random), R = normal_matrix<double>(n, o, 1, random);
  ProductNet net({d, h, o});
  fill_normal(net.tensors(), random);
  ProductNet twin = net;  // both factors alike
  twin.layer.V = twin.layer.W;
  twin.layer.c = twin.layer.b;

  const std::vector<Answer> answers = net_gradients(net, X, R);
  Verdict verdict = compare(answers, numeric);
  if (verdict.state != State::wrong) return verdict;
  const Verdict of_twin = compare(net_gradients(twin, X, R), numeric);
  if (of_twin.state == State::done) verdict.findings += "\nwith V = W and c = b every gradient would be right";
  const auto right = [&](std::size_t t) { return agrees(answers[t].yours, answers[t].right, numeric.tolerance); };
  const bool of_W = right(0) && right(1), of_V = right(2) && right(3);
  if (of_W != of_V) verdict.findings += join("\n", of_W ? "P" : "Q", " is mended, ", of_W ? "Q" : "P", " is not");
  return unless_as_given(verdict, same_as_given(answers, net, X, R));
}

// ------------------------------------------------------------------------------------------------------------- 4.6

// What a read-out can combine, if the layer has units enough: the m numbers; their products of two; and with biases the
// products of two of (z, 1), which are those, the numbers and the constant.
enum class Reads { numbers, products, products_with_biases };

static std::vector<double> functions_at(std::vector<double> z, Reads reads) {
  if (reads == Reads::numbers) return z;
  if (reads == Reads::products_with_biases) z.push_back(1);
  std::vector<double> products;
  for (std::size_t a = 0; a < z.size(); ++a)
    for (std::size_t b = a; b < z.size(); ++b) products.push_back(z[a] * z[b]);
  return products;
}

// What no combination of the rows of `functions` makes of the rows of `targets`, as a sum of squares: Gram-Schmidt
// takes the direction of each function out of those behind it and out of the targets.
static double left_over(Matrix<double> functions, Matrix<double> targets) {
  const auto take_out = [](std::span<const double> unit, std::span<double> from) {
    const double part = std::inner_product(unit.begin(), unit.end(), from.begin(), 0.0);
    for (std::size_t i = 0; i < unit.size(); ++i) from[i] -= part * unit[i];
  };
  for (std::size_t k = 0; k < functions.rows(); ++k) {
    const std::span<double> row = functions.row(k);
    const double size = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
    if (size < 1e-9) continue;  // a combination of those before it, but for rounding
    for (double& value : row) value /= size;
    for (std::size_t j = k + 1; j < functions.rows(); ++j) take_out(row, functions.row(j));
    for (std::size_t j = 0; j < targets.rows(); ++j) take_out(row, targets.row(j));
  }
  return dot(targets, targets);
}

// The sum of squared errors of n features through m drawn numbers each, with the best read-out. The functions at the
// rows are as independent as they can be for almost every E, so a drawn E is as good as a trained one where it is
// exact.
static double squared_error(std::size_t n, std::size_t m, Reads reads, bool zeros) {
  Random random(6);
  const std::size_t rows = n + (zeros ? 1 : 0);
  Matrix<double> targets(n, rows), functions;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> z(m);  // X·E: a row of E, or zeros
    if (i < n)
      for (double& number : z) number = random.normal();
    const std::vector<double> values = functions_at(z, reads);
    if (i == 0) functions = Matrix<double>(values.size(), rows);
    for (std::size_t k = 0; k < values.size(); ++k) functions(k, i) = values[k];
    if (i < n) targets(i, i) = 1;
  }
  return left_over(functions, targets);
}

// Rounding leaves at most 1e-25 where nothing should be left. With one feature too many it is the square of a unit
// vector, but for its part in the row of zeros: 1/(n + 1) at least.
static bool exact(std::size_t n, std::size_t m, Reads reads, bool zeros) {
  return squared_error(n, m, reads, zeros) < 1e-12;
}

static double most_features(std::size_t m, Reads reads, bool zeros) {
  std::size_t n = 1;
  while (exact(n + 1, m, reads, zeros)) ++n;
  return double(n);
}

static double smallest_m(std::size_t n, Reads reads) {
  std::size_t m = 1;
  while (!exact(n, m, reads, true)) ++m;
  return double(m);
}

static Verdict seven_features() {
  using namespace ex4_6;
  constexpr Reads bare = Reads::products, biased = Reads::products_with_biases;
  constexpr std::size_t n = 7;
  // Every E with six independent functions leaves the same error behind, so a drawn one has the lowest loss.
  const double loss = squared_error(n, 3, bare, true) / double(n * (n + 1));
  return compare(
      {{"most_with_biases", most_with_biases, most_features(4, biased, true), 0, wrong_most_with_biases},
       {"most_without_biases", most_without_biases, most_features(4, bare, true), 0, wrong_most_without_biases},
       {"most_with_biases_no_zeros", most_with_biases_no_zeros, most_features(4, biased, false), 0,
        wrong_most_no_zeros},
       {"smallest_m_with_biases", smallest_m_with_biases, smallest_m(n, biased), 0, wrong_m_with_biases},
       {"smallest_m_without_biases", smallest_m_without_biases, smallest_m(n, bare), 0, wrong_m_without_biases},
       {"smallest_m_linear", smallest_m_linear, smallest_m(n, Reads::numbers), 0, wrong_m_linear},
       {"lowest_loss", lowest_loss, loss, 0.001, wrong_lowest_loss}});
}

int main(int argc, char** argv) {
  return check_lesson(4,
                      {{"4.1", "XNOR and OR, a product each", two_gates},
                       {"4.2", "The way back through a product", layer_backward},
                       {"4.3", "Two coefficients from the weights", coefficients},
                       {"4.4", "How many units it takes", how_many_units},
                       {"4.5", "A product layer with a read-out", product_net},
                       {"4.6", "Seven features through a few numbers", seven_features}},
                      argc, argv);
}
