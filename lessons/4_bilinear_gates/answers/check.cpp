// Lesson 4: checks the answers to its exercises. The folder on the include path decides whose: exercises/ holds the
// reader's, answers/solutions/ ours.
// Run: make exercise4
// SPDX-License-Identifier: MIT
#include <cmath>
#include <ex4_1_two_gates.hpp>
#include <ex4_2_three_factors.hpp>
#include <ex4_3_three_inputs.hpp>
#include <ex4_4_how_many_units.hpp>
#include <ex4_5_squares.hpp>
#include <ex4_6_features.hpp>
#include <ex4_7_three_bits.hpp>
#include <ex4_8_any_four.hpp>
#include <map>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/support/exercise.hpp"
#include "lessons/4_bilinear_gates/answers/wrong_answers.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"

using namespace exercise;
using namespace lesson4;

// Compares predictions. Where no misreading fits, "too large" has a reason to think of beside it, but for those of a kind of
// their own.
static Verdict compare_with_reason(const std::vector<Prediction>& predictions, const std::string& reason,
                                   const std::map<std::string, std::string>& own_reasons = {}) {
  const Verdict verdict = compare(predictions);
  if (verdict.state != State::wrong) return verdict;
  Findings findings;
  for (const Prediction& p : predictions) {
    const std::string text = diagnose(p);
    const auto own = own_reasons.find(p.name);
    findings.add(p.name,
                 text.starts_with("too ") ? text + ": " + (own == own_reasons.end() ? reason : own->second) : text);
  }
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 4.1

static Verdict two_gates() {
  using namespace ex4_1;
  if (is_zero(nand_w) && is_zero(nand_v) && is_zero(or_not_w) && is_zero(or_not_v)) return not_started();
  Findings findings;
  findings.add("NAND", diagnose_gate(nand_w, nand_v, {1, 1, 1, 0}));
  findings.add("x OR NOT y", diagnose_gate(or_not_w, or_not_v, {1, 1, 0, 1}));
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
  // So that dH is R. Linear in P and its parameters, quadratic in Q and its own, and of degree 3 in X.
  const auto weighted = [&](const Matrix<double>& p, const Matrix<double>& q) {
    return dot(R, hadamard(p, hadamard(q, q)));
  };
  const auto from_factors = [&] { return weighted(P, Q); };
  const auto from_input = [&] { return weighted(add_row(matmul(X, W), b), add_row(matmul(X, V), c)); };
  const ex4_2::Gradients yours = calling("backward", [&] { return ex4_2::backward(X, W, V, P, Q, R); });
  const Answer dP{"dP", yours.dP, numeric_gradient(P, from_factors, Step::quadratic)};
  const Answer dQ{"dQ", yours.dQ, numeric_gradient(Q, from_factors, Step::quadratic)};
  const Answer dW{"dW", yours.dW, numeric_gradient(W, from_input, Step::quadratic)};
  const Answer db{"db", yours.db, numeric_gradient(b, from_input, Step::quadratic)};
  const Answer dV{"dV", yours.dV, numeric_gradient(V, from_input, Step::quadratic)};
  const Answer dc{"dc", yours.dc, numeric_gradient(c, from_input, Step::quadratic)};
  const Answer dX{"dX", yours.dX, numeric_gradient(X, from_input, Step::smooth)};
  if (compare({dP, dQ, dW, db, dV, dc, dX}, numeric).state == State::not_started) return not_started();

  const Branch p{yours.dP, dP.right, dQ.right}, q{yours.dQ, dQ.right, dP.right};
  const auto weights = [&](const Matrix<double>& D) { return matmul(transpose(X), D); };
  const auto bias = [](const Matrix<double>& D) { return column_sums(D); };
  Findings findings;
  findings.add("backward", dP, numeric, wrong_single(R, P, Q));
  findings.add("backward", dQ, numeric, wrong_double(R, P, Q));
  findings.add("backward", dW, numeric, wrong_parameters(p, R, weights));
  findings.add("backward", db, numeric, wrong_parameters(p, R, bias));
  findings.add("backward", dV, numeric, wrong_parameters(q, R, weights));
  findings.add("backward", dc, numeric, wrong_parameters(q, R, bias));
  findings.add("backward", dX, numeric, wrong_inputs(p, q, W, V));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 4.3

// The truths come from the layer's values alone: of f(1,0,1) - f(1,0,0) - f(0,0,1) + f(0,0,0) the squares, the linear terms
// and the constant cancel; of (f(0,0,1) - f(0,0,-1))/2 the constant and the squares.
static Verdict coefficients() {
  constexpr std::size_t units = 4;
  Random random(3);
  ProductLayer<double> layer({3, units});
  fill_normal(layer.tensors(), random);
  const Matrix<double> H = output(layer, Matrix<double>{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}, {0, 0, -1}});
  Matrix<double> xz(1, units), z(1, units);
  for (std::size_t k = 0; k < units; ++k) {
    xz(0, k) = H(3, k) - H(1, k) - H(2, k) + H(0, k);
    z(0, k) = (H(2, k) - H(4, k)) / 2;
  }
  const auto of_units = [&](auto coefficient) {
    return attempt([&] {
      Matrix<double> found(1, units);
      for (std::size_t k = 0; k < units; ++k) found(0, k) = coefficient(layer, k);
      return found;
    });
  };
  const Attempt<Matrix<double>> your_xz = of_units(ex4_3::coefficient_xz), your_z = of_units(ex4_3::coefficient_z);
  const Matrix<double> none(1, units);
  if (your_xz.value == none && your_z.value == none) return not_started();
  const auto found = [](const auto& yours, const Matrix<double>& right, const std::vector<Mistake>& mistakes) {
    return yours.thrown.empty() ? diagnose_units(yours.value, right, mistakes) : yours.thrown;
  };
  Findings findings;
  findings.add("coefficient_xz", found(your_xz, xz, wrong_xz(layer, xz)));
  findings.add("coefficient_z", found(your_z, z, wrong_z(layer, z)));
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
  return compare_with_reason(
      {units_of("circle", circle, {1, 1, 0, 0, 0, -1}, wrong_circle),
       units_of("bowl", bowl, {1, 1, 0, 2, 0, 3}, wrong_bowl),
       // The bias is best used to take the 2 away that (x + 1)² + y² leaves: with any other one a square is left.
       units_of("bowl_with_readout_bias", bowl_with_readout_bias, {1, 1, 0, 2, 0, 1}, wrong_bowl_with_bias),
       units_of("saddle", saddle, {1, -1, 0, 0, 0, 0}, wrong_saddle),
       units_of("product_and_one", product_and_one, {0, 0, 1, 0, 0, 1}, wrong_product_and_one),
       units_of("six_terms", six_terms, {1, 1, 2, 2, 2, 1}, wrong_six_terms)},
      "count the squares of either sign when the function is a sum of squares");
}

// ------------------------------------------------------------------------------------------------------------- 4.5

static Verdict squares() {
  constexpr std::size_t n = 6, in = 5, h = 4, o = 3;
  Random random(5);
  auto X = normal_matrix<double>(n, in, 1, random), W = normal_matrix<double>(in, h, 1, random),
       b = normal_matrix<double>(1, h, 1, random), U = normal_matrix<double>(h, o, 1, random),
       d = normal_matrix<double>(1, o, 1, random);
  const auto R = normal_matrix<double>(n, o, 1, random);
  const auto loss = [&] {  // so that dY is R; at most quadratic in each
    const Matrix<double> P = add_row(matmul(X, W), b);
    return dot(R, add_row(matmul(hadamard(P, P), U), d));
  };
  const ex4_5::Gradients yours = calling("backward", [&] { return ex4_5::backward(X, W, b, U, R); });
  const Answer dW{"dW", yours.dW, numeric_gradient(W, loss, Step::quadratic)},
      db{"db", yours.db, numeric_gradient(b, loss, Step::quadratic)},
      dU{"dU", yours.dU, numeric_gradient(U, loss, Step::quadratic)},
      dd{"dd", yours.dd, numeric_gradient(d, loss, Step::quadratic)},
      dX{"dX", yours.dX, numeric_gradient(X, loss, Step::quadratic)};
  const Matrix<double> P = add_row(matmul(X, W), b), dH = matmul(R, transpose(U));
  // Each of the three behind the square, through some dP.
  const auto behind = [&](const Answer& answer, const Matrix<double>& dP) {
    const Matrix<double> made = answer.name == "dW"   ? matmul(transpose(X), dP)
                                : answer.name == "db" ? column_sums(dP)
                                                      : matmul(dP, transpose(W));
    return agrees(answer.yours, made, rounding);
  };
  const auto all_behind = [&](const Matrix<double>& dP) { return behind(dW, dP) && behind(db, dP) && behind(dX, dP); };
  const std::vector<WrongSquare> known = wrong_squares(dH, P);
  const bool read_out = agrees(dU.yours, dU.right, rounding) && agrees(dd.yours, dd.right, rounding);
  if (read_out && all_behind(known[0].dP))
    return not_started("dU and dd are right; dW, db and dX are all half of what they must be");
  Findings findings;
  for (const WrongSquare& mistake : known)
    if (read_out && all_behind(mistake.dP)) return wrong(mistake.reason);
  bool some = false, mended = false;
  for (const Answer* answer : {&dW, &db, &dX}) {
    some = some || behind(*answer, known[0].dP);
    mended = mended || agrees(answer->yours, answer->right, numeric.tolerance);
  }
  if (some && mended) findings.add("dP", "mended in one place of those that it goes to: all three get it");
  for (const Answer* answer : {&dW, &db, &dX})
    findings.add("backward", *answer, numeric, {{0.5 * answer->right, "still half of what it must be"}});
  for (const Answer* answer : {&dU, &dd})
    findings.add("backward", *answer, numeric,
                 {{2 * answer->right, "doubled, and it was right as given: what is used twice comes before it"}});
  return findings.verdict();
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

static Verdict features() {
  using namespace ex4_6;
  constexpr Reads bare = Reads::products, biased = Reads::products_with_biases;
  constexpr std::size_t n = 7;
  // Every E with six independent functions leaves the same error of eight features behind, so a drawn one has the lowest loss.
  const double loss = squared_error(8, 3, bare, true) / (8 * 9.0);
  return compare_with_reason(
      {{"most_with_biases", most_with_biases, most_features(4, biased, true), 0, wrong_most_with_biases},
       {"most_without_biases", most_without_biases, most_features(4, bare, true), 0, wrong_most_without_biases},
       {"most_with_biases_no_zeros", most_with_biases_no_zeros, most_features(4, biased, false), 0,
        wrong_most_no_zeros},
       {"smallest_m_with_biases", smallest_m_with_biases, smallest_m(n, biased), 0, wrong_m_with_biases},
       {"smallest_m_without_biases", smallest_m_without_biases, smallest_m(n, bare), 0, wrong_m_without_biases},
       {"smallest_m_linear", smallest_m_linear, smallest_m(n, Reads::numbers), 0, wrong_m_linear},
       {"lowest_loss", lowest_loss, loss, 0.001, wrong_lowest_loss}},
      "count the functions of the m numbers that the read-out can combine");
}

// ------------------------------------------------------------------------------------------------------------- 4.7

// Returns κ of the function that is 1 where `holds` says so of x, y and z, and -1 elsewhere: twice that of 0 and 1, as a
// constant has none.
template <class Holds>
static double kappa(Holds holds) {
  std::size_t function = 0;
  for (std::size_t i = 0; i < 8; ++i)
    if (holds(input_bit(i, 0), input_bit(i, 1), input_bit(i, 2))) function |= std::size_t(1) << i;
  return 2 * cubic_coefficient(function);
}

static Verdict three_bits() {
  using namespace ex4_7;
  const double of_majority = kappa([](double x, double y, double z) { return x + y + z >= 2; });
  double sixes = 0;
  for (std::size_t f = 0; f < 256; ++f) sixes += 2 * cubic_coefficient(f) == 6;
  return compare_with_reason(
      {{"majority", majority, of_majority, 0, wrong_majority},
       {"exactly_one", exactly_one, kappa([](double x, double y, double z) { return x + y + z == 1; }), 0,
        wrong_exactly_one},
       {"at_least_one", at_least_one, kappa([](double x, double y, double z) { return x + y + z >= 1; }), 0,
        wrong_at_least_one},
       {"without_z", without_z, kappa([](double x, double y, double) { return x == 1 && y == 0; }), 0, wrong_without_z},
       {"majority_missed_by", majority_missed_by, std::abs(of_majority) / 8, 0, wrong_miss},
       {"functions_with_six", functions_with_six, sixes, 0, wrong_count}},
      "count odd corners plus and even corners minus",
      {{"majority_missed_by", shared_out},
       {"functions_with_six", "choose odd and even corners, one kind after the other"}});
}

// ------------------------------------------------------------------------------------------------------------- 4.8

static Verdict any_four() {
  Random random(8);
  for (int draw = 0; draw < 20; ++draw) {
    TruthTable wanted;
    for (double& number : wanted) number = random.normal();
    const auto [w, v] = calling("unit_for", [&] { return ex4_8::unit_for(wanted); });
    if (is_zero(w) && is_zero(v))
      return draw == 0 ? not_started() : wrong(join("unit_for: both factors are zero for draw ", draw));
    const TruthTable said = {w.one * v.one, w.at(1, 0) * v.at(1, 0), w.at(0, 1) * v.at(0, 1), w.at(1, 1) * v.at(1, 1)};
    constexpr const char* places[] = {"00", "10", "01", "11"};
    for (std::size_t k = 0; k < 4; ++k) {
      if (!std::isfinite(said[k]))
        return wrong(join("unit_for: a weight of draw ", draw,
                          " is no finite number: is there a division by 0, or the root of a negative number?"));
      if (std::abs(said[k] - wanted[k]) <= 1e-9 * (1 + std::abs(wanted[k]))) continue;
      const std::string cause = wrong_unit(said, wanted);
      return wrong(join("unit_for: ", cause.empty() ? "wrong at more than one corner" : cause, "\ndraw ", draw, ", at ",
                        places[k], ": ", two_values(said[k], wanted[k], "wanted")));
    }
  }
  return done();
}

int main(int argc, char** argv) {
  return check_lesson(4,
                      {{"4.1", "NAND and x OR NOT y on -1 and 1", two_gates},
                       {"4.2", "The way back through P ⊙ Q ⊙ Q", layer_backward},
                       {"4.3", "Two coefficients of three inputs", coefficients},
                       {"4.4", "How many units it takes", how_many_units},
                       {"4.5", "A layer of squares", squares},
                       {"4.6", "Features through a few numbers", features},
                       {"4.7", "What three bits ask", three_bits},
                       {"4.8", "One unit for any four numbers", any_four}},
                      argc, argv);
}
