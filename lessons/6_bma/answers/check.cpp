// Lesson 6: checks the answers to its exercises. The folder on the include path decides whose: exercises/ holds the
// reader's, answers/solutions/ ours.
// Run: make exercise6
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <ex6_1_without_sigmoid.hpp>
#include <ex6_2_squares.hpp>
#include <ex6_3_window.hpp>
#include <ex6_4_gated_values.hpp>
#include <ex6_5_sum_of_gates.hpp>
#include <ex6_6_counts.hpp>
#include <ex6_7_seeds.hpp>
#include <ex6_8_root_mean_square.hpp>
#include <ex6_9_look_back.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/support/exercise.hpp"
#include "lessons/6_bma/answers/one_head.hpp"
#include "lessons/6_bma/answers/wrong_answers.hpp"
#include "lessons/6_bma/model/8_writer.hpp"

using namespace exercise;
using namespace lesson6;

constexpr Judge by_formula{rounding, "right"};

static bool all_open(const std::vector<Prediction>& predictions) {
  return std::all_of(predictions.begin(), predictions.end(), [](const Prediction& p) { return std::isnan(p.yours); });
}

static void add_all(Findings& findings, const std::vector<Prediction>& predictions) {
  for (const Prediction& p : predictions) findings.add(p.name, diagnose(p));
}

// ------------------------------------------------------------------------------------------------------------- 6.1

// The f with Y = f·Z, where there is one.
static double factor_between(const Matrix<double>& Y, const Matrix<double>& Z) { return dot(Y, Z) / dot(Z, Z); }

static Matrix<double> first_row(const Matrix<double>& Y) { return Matrix<double>(row_block(Y, 0, 1)); }

// How many of the matrices the loss Σ R⊙Y depends on, at first.
static double count_of_learners(BilinearHead head, const Matrix<double>& R) {
  const auto loss = [&] { return dot(R, head.output(Mixed::products)); };
  double count = 0;
  for (Matrix<double>* W : {&head.Wq, &head.Wk, &head.Wv, &head.Wg, &head.Wo})
    count += largest_entry(numeric_gradient(*W, loss)) > 0 ? 1 : 0;
  return count;
}

// Their truths are measured, on a head that is drawn. All factors are whole numbers.
static std::vector<Prediction> predictions_without_sigmoid() {
  using namespace ex6_1;
  Random random(1);
  const BilinearHead head(4, 3, random);
  const auto R = normal_matrix<double>(4, 3, 1, random);
  BilinearHead fresh = head, doubled = head, negated = head;
  fresh.Wg = 0 * head.Wg;
  doubled.X = 2 * head.X;
  negated.X = -1 * head.X;
  const auto truth = [](const Matrix<double>& Y, const Matrix<double>& Z) { return std::round(factor_between(Y, Z)); };
  return {
      {"factor_at_the_start", factor_at_the_start, truth(fresh.output(Mixed::products), fresh.output(Mixed::values)), 0,
       wrong_start},
      {"matrices_with_a_gradient", matrices_with_a_gradient, count_of_learners(fresh, R), 0, wrong_learners},
      {"factor_when_doubled", factor_when_doubled,
       truth(first_row(doubled.output(Mixed::products)), first_row(head.output(Mixed::products))), 0, wrong_doubled},
      {"factor_when_negated", factor_when_negated, truth(negated.output(Mixed::products), head.output(Mixed::products)),
       0, wrong_negated},
      {"factor_when_negated_standard", factor_when_negated_standard,
       truth(negated.output(Mixed::values), head.output(Mixed::values)), 0, wrong_negated_standard}};
}

static Verdict without_sigmoid() {
  constexpr std::size_t n = 5, dh = 3;
  Random random(1);
  auto Q = normal_matrix<double>(n, dh, 1, random), V = normal_matrix<double>(n, dh, 1, random),
       Wg = normal_matrix<double>(dh, dh, 1, random);
  const auto dM = normal_matrix<double>(n, dh, 1, random);
  Matrix<double> G = matmul(Q, Wg);
  const auto loss = [&] { return dot(dM, hadamard(matmul(Q, Wg), V)); };  // linear in each tensor
  const auto loss_of_G = [&] { return dot(dM, hadamard(G, V)); };
  const auto mixed = attempt([&] { return ex6_1::mixed_values(Q, V, Wg); });
  const auto back = attempt([&] { return ex6_1::backward(Q, V, Wg, dM); });
  const ex6_1::Gradients& yours = back.value;
  const Answer M{"M", mixed.value, hadamard(G, V)}, dG{"dG", yours.dG, numeric_gradient(G, loss_of_G, Step::quadratic)},
      dV{"dV", yours.dV, numeric_gradient(V, loss, Step::quadratic)},
      dWg{"dWg", yours.dWg, numeric_gradient(Wg, loss, Step::quadratic)},
      dQ{"dQ", yours.dQ, numeric_gradient(Q, loss, Step::quadratic)};
  const std::vector<Prediction> predictions = predictions_without_sigmoid();
  const std::vector<Answer> answers{M, dG, dV, dWg, dQ};
  if (std::all_of(answers.begin(), answers.end(), untouched) && all_open(predictions)) return not_started();
  Findings findings;
  if (!mixed.thrown.empty()) findings.add("mixed_values", mixed.thrown);
  else findings.add("mixed_values", M, by_formula, wrong_mixed_values(Q, V, Wg));
  if (!back.thrown.empty()) {
    findings.add("backward", back.thrown);
  } else {
    findings.add("backward", dG, numeric, wrong_dG(G, V, dM));
    findings.add("backward", dV, numeric, wrong_dV(G, V, dM));
    findings.add("backward", dWg, numeric, wrong_dWg(Q, V, Wg, dM, dG));
    findings.add("backward", dQ, numeric, wrong_gate_dQ(Q, Wg, dM, dG));
  }
  add_all(findings, predictions);
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 6.2

static Verdict squares_backward() {
  constexpr std::size_t n = 5;
  Random random(2);
  auto S = normal_matrix<double>(n, n, 1, random);
  const auto dA = normal_matrix<double>(n, n, 1, random);
  const auto loss = [&] { return dot(dA, squared_weights(S)); };  // so that dA is what comes back to A
  const auto yours = attempt([&] { return ex6_2::squares_backward(S, dA); });
  const Answer dS{"dS", yours.value, numeric_gradient(S, loss)};
  const std::vector<Prediction> numbers{
      {"factor_when_doubled", ex6_2::factor_when_doubled,
       std::round(factor_between(squared_weights(2 * S), squared_weights(S))), 0, wrong_factor_when_doubled},
      {"sum_of_scores_times_slopes", ex6_2::sum_of_scores_times_slopes, 0, 0, wrong_scores_times_slopes}};
  if (untouched(dS) && all_open(numbers)) return not_started();
  Findings findings;
  findings.add("squares_backward", yours.or_else(diagnose(dS, numeric, wrong_squares_back(S, dA))));
  add_all(findings, numbers);
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 6.3

// What tokens are made to: queries, keys and values, all of width dh.
struct Tokens {
  static constexpr std::size_t window = 2;
  Matrix<double> X, Wq, Wk, Wv;

  Matrix<double> Q() const { return matmul(X, Wq); }
  Matrix<double> K() const { return matmul(X, Wk); }
  Matrix<double> V() const { return matmul(X, Wv); }
  Matrix<double> mixture() const {
    return matmul(calling("window_weights", [&] { return ex6_3::window_weights(Q(), K(), window); }), V());
  }
};

// The rows in which two mixtures differ by more than rounding; NaN differs from everything.
static std::set<std::size_t> rows_that_differ(const Matrix<double>& C, const Matrix<double>& D) {
  std::set<std::size_t> rows;
  for (std::size_t i = 0; i < C.rows(); ++i)
    for (std::size_t j = 0; j < C.cols(); ++j)
      if (!(std::abs(C(i, j) - D(i, j)) <= rounding)) rows.insert(i);
  return rows;
}

// The test for one token: which rows move that must not, and which must and do not.
static std::string diagnose_window(const Tokens& tokens, std::size_t token, Random& random) {
  Tokens changed = tokens;
  for (double& x : changed.X.row(token)) x = random.normal();
  const std::set<std::size_t> moved = rows_that_differ(tokens.mixture(), changed.mixture());
  std::set<std::size_t> too_many, missing;
  for (std::size_t i = 0; i < tokens.X.rows(); ++i) {
    const bool sees = lesson6::within(Tokens::window)(i, token);
    if (!sees && moved.contains(i)) too_many.insert(i);
    if (sees && !moved.contains(i)) missing.insert(i);
  }
  std::string text;
  if (!too_many.empty()) text = "moves " + list_of("row", too_many) + ", too";
  if (!missing.empty()) text += std::string(text.empty() ? "" : ", and ") + "does not move " + list_of("row", missing);
  return text;
}

static Verdict window() {
  constexpr std::size_t n = 5, dh = 4;
  Random random(3);
  const auto drawn = [&](std::size_t rows) { return normal_matrix<double>(rows, dh, 0.7, random); };
  const Tokens tokens{drawn(n), drawn(dh), drawn(dh), drawn(dh)};
  const Matrix<double> Q = tokens.Q(), K = tokens.K();
  const auto yours = [&](std::size_t size) {
    return calling("window_weights", [&] { return ex6_3::window_weights(Q, K, size); });
  };
  const Answer A{"window_weights", yours(2), window_weights(Q, K, 2)};
  if (A.yours.shape() != A.right.shape()) return wrong("window_weights: " + diagnose_shape(A));
  if (const std::string text = diagnose_not_finite(A); !text.empty())
    return wrong(
        "window_weights: " + text +
        "\nthe softmax of a row that sees nothing is 0/0: each token sees itself, and i - window is no negative "
        "number, since counts wrap at 0");
  const bool as_given = agrees(A.yours, window_weights(Q, K, 3), rounding);
  if (const std::string reason = reason_among(wrong_weights(Q, K, 2), A.yours, rounding); !reason.empty())
    return wrong("window_weights: " + reason);
  Findings findings;
  for (std::size_t t = 0; t < n; ++t) findings.add(join("a change of token ", t), diagnose_window(tokens, t, random));
  if (findings.verdict().state != State::done) return unless_as_given(findings.verdict(), as_given);
  if (const std::string text = diagnose(A, by_formula); !text.empty()) return wrong("window_weights: " + text);
  const Answer wide{"window_weights", yours(4), window_weights(Q, K, 4)};
  const std::string text = diagnose(wide, by_formula);
  return text.empty() ? done() : wrong("right for a window of 2, not for one of 4: " + text);
}

// ------------------------------------------------------------------------------------------------------------- 6.4

// The reader's gradients of Σ R⊙C for a Wg of the given deviation, and the parts of dQ that they should be made of.
struct GatedCase {
  std::vector<Answer> answers;
  Matrix<double> by_scores, dZ, dG, Wg, dM, G, V;

  explicit GatedCase(double deviation) {
    constexpr std::size_t n = 6, dh = 8;
    Random random(4);
    const auto drawn = [&](double size, std::size_t rows) { return normal_matrix<double>(rows, dh, size, random); };
    Matrix<double> Q = drawn(1, n), K = drawn(1, n);
    V = drawn(1, n);
    const Matrix<double> R = drawn(1, n);
    Wg = drawn(deviation, dh);
    const Matrix<double> A = causal_weights(Q, K);
    G = sigmoid_of(matmul(Q, Wg));
    const Matrix<double> dS = softmax_back(A, matmul(R, transpose(hadamard(G, V))), scale_of_scores(Q));
    by_scores = matmul(dS, K);
    dM = matmul(transpose(A), R);
    dG = hadamard(dM, V);
    dZ = hadamard(dG, slope_of_sigmoid(G));
    const ex6_4::Gradients yours = calling("backward", [&] { return ex6_4::backward({Q, K, V, Wg, A}, R, dS); });
    const auto loss = [&] { return dot(R, gated_mixture(Q, K, V, Wg)); };
    answers = {{"dQ", yours.dQ, numeric_gradient(Q, loss)},
               {"dK", yours.dK, numeric_gradient(K, loss)},
               {"dV", yours.dV, numeric_gradient(V, loss)},
               {"dWg", yours.dWg, numeric_gradient(Wg, loss)}};
  }

  const Answer& dQ() const { return answers.front(); }
};

// |yours - right| / |right|, of whole matrices.
static double part_off(const Answer& a) {
  const Matrix<double> off = a.yours - a.right;
  return std::sqrt(dot(off, off) / dot(a.right, a.right));
}

static Verdict gated_values() {
  const GatedCase drawn(0.3), fresh(0.02);
  Findings findings;
  bool others_right = true;
  for (const Answer& a : drawn.answers) {
    const bool is_dQ = a.name == "dQ";
    findings.add("backward", a, numeric,
                 is_dQ            ? wrong_dQ(drawn.by_scores, drawn.dZ, drawn.dG, drawn.Wg)
                 : a.name == "dV" ? wrong_gated_dV(drawn.dM, drawn.G, drawn.V)
                                  : std::vector<Mistake>{});
    others_right = others_right && (is_dQ || agrees(a.yours, a.right, numeric.tolerance));
  }
  Verdict verdict = findings.verdict();
  const bool as_given = others_right && agrees(drawn.dQ().yours, drawn.by_scores, rounding);
  if (as_given)
    verdict.findings += "\ndQ is off by " + fixed(part_off(drawn.dQ()), 2) +
                        " of its size; with a Wg of 0.02, as training starts, by " + fixed(part_off(fresh.dQ()), 2);
  return unless_as_given(verdict, as_given);
}

// ------------------------------------------------------------------------------------------------------------- 6.5

// C_i = Σ_j A_ij·(gate of i and j) ⊙ V_j, pair by pair, as the exercise says it.
template <class GateOf>
static Matrix<double> by_pairs(const Matrix<double>& A, const Matrix<double>& V, GateOf gate_of) {
  Matrix<double> C(A.rows(), V.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j)
      for (std::size_t k = 0; k < V.cols(); ++k) C(i, k) += A(i, j) * gate_of(i, j, k) * V(j, k);
  return C;
}

static Verdict sum_of_gates() {
  constexpr std::size_t n = 6, dh = 4;
  Random random(5);
  const auto drawn = [&] { return normal_matrix<double>(n, dh, 1, random); };
  const Matrix<double> Q = drawn(), A = causal_weights(Q, drawn()), G = sigmoid_of(drawn()), L = sigmoid_of(drawn()),
                       V = drawn();
  const auto summed = attempt([&] { return ex6_5::with_sum(A, G, L, V); });
  const auto multiplied = attempt([&] { return ex6_5::with_product(A, G, L, V); });
  const Answer sum{"with_sum", summed.value, by_pairs(A, V, [&](auto i, auto j, auto k) { return G(i, k) + L(j, k); })},
      product{"with_product", multiplied.value,
              by_pairs(A, V, [&](auto i, auto j, auto k) { return G(i, k) * L(j, k); })};
  const std::vector<Prediction> numbers{
      {"gate_numbers_of_pairs", ex6_5::gate_numbers_of_pairs, 100 * 100 * 8, 0, wrong_numbers_of_pairs},
      {"gate_numbers_of_products", ex6_5::gate_numbers_of_products, 2 * 100 * 8, 0, wrong_numbers_of_products}};
  if (untouched(sum) && untouched(product) && all_open(numbers)) return not_started();
  Findings findings;
  findings.add(sum.name, summed.or_else(diagnose(sum, by_formula, wrong_gates(A, G, L, V, true))));
  findings.add(product.name, multiplied.or_else(diagnose(product, by_formula, wrong_gates(A, G, L, V, false))));
  add_all(findings, numbers);
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 6.6

static double parameters_of_attention(const GatedForm& form) {
  return double(parameters_of(GatedAttention<double>(form)));
}

static LanguageModel<double> small_model(Gate gate) {
  return LanguageModel<double>({40, 24, {.gate = gate, .layers = 3, .heads = 4, .width = 48}});
}

// What a writer with that model keeps for one token.
static double kept_for_a_token(Gate gate) {
  const LanguageModel<double> model = small_model(gate);
  return double(Writer<double>(model).bytes_kept()) / double(sizeof(double) * model.form.context);
}

static Verdict counts() {
  using namespace ex6_6;
  const auto added = [](GatedForm form) {
    const double with_gate = parameters_of_attention(form);
    form.gate = Gate::standard;
    return with_gate - parameters_of_attention(form);
  };
  const auto without_biases = [](Gate gate) {
    return GatedForm{.gate = gate, .width = 64, .heads = 16, .biases = false};
  };
  const double model = double(parameters_of(small_model(Gate::standard)));
  const double with_bma = double(parameters_of(small_model(Gate::bma)));
  return compare({{"attention", attention, parameters_of_attention({Gate::standard, 768, 12}), 0, wrong_attention},
                  {"added_by_bma", added_by_bma, added({Gate::bma, 768, 12}), 0, wrong_bma},
                  {"added_by_post", added_by_post, added({Gate::post, 768, 12}), 0, wrong_post},
                  {"post_over_wider_gate", post_over_wider_gate,
                   added(without_biases(Gate::post)) / (2 * added(without_biases(Gate::bma))), 0, wrong_ratio},
                  {"language_model", language_model, model, 0, wrong_language_model(model)},
                  {"added_by_bma_in_all", added_by_bma_in_all, with_bma - model, 0, wrong_bma_in_all},
                  {"kept_for_a_token", ex6_6::kept_for_a_token, ::kept_for_a_token(Gate::standard), 0, wrong_kept},
                  {"kept_for_a_token_bma", kept_for_a_token_bma, ::kept_for_a_token(Gate::bma), 0, wrong_kept_bma()}});
}

// ------------------------------------------------------------------------------------------------------------- 6.7

// The reader's four numbers for a pair beside the right ones; 0, as the stub has it, counts as not answered.
static std::vector<Prediction> comparison(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double tolerance = 1e-3;  // Student's factor has four digits
  std::vector<double> differences;
  for (std::size_t seed = 0; seed < a.size(); ++seed) differences.push_back(b[seed] - a[seed]);
  const Spread pairs = spread_of(differences);
  const auto answered = [](double x) { return x == 0 ? std::nan("") : x; };
  const ex6_7::Comparison yours = ex6_7::compare(a, b);
  std::vector<Prediction> found{
      {"mean", answered(yours.mean), pairs.mean, tolerance, wrong_mean(a, b)},
      {"paired", answered(yours.paired), pairs.deviation, tolerance, wrong_paired(a, b, pairs.deviation)},
      {"unpaired", answered(yours.unpaired), std::hypot(deviation_of(a), deviation_of(b)), tolerance,
       wrong_unpaired(a, b, pairs.deviation)},
      {"luck", answered(yours.luck), pairs.luck(), tolerance, wrong_luck(a, b, pairs.luck(), pairs.deviation)}};
  if (!diagnose(found[1]).empty())
    found[3].misreadings.insert(found[3].misreadings.begin(), {yours.paired * pairs.luck() / pairs.deviation,
                                                               "follows from your paired: mend that first"});
  return found;
}

// What is wrong with the winner that the reader names of a pair; empty when it is right.
static std::string diagnose(ex6_7::Winner yours, const std::vector<double>& a, const std::vector<double>& b) {
  using ex6_7::Winner;
  std::vector<double> differences;
  for (std::size_t seed = 0; seed < a.size(); ++seed) differences.push_back(b[seed] - a[seed]);
  const Spread pairs = spread_of(differences);
  const bool beyond = std::abs(pairs.mean) > pairs.luck();
  const Winner right = !beyond ? Winner::nobody : pairs.mean < 0 ? Winner::second : Winner::first;
  if (yours == Winner::not_answered) return "not answered yet";
  if (yours == right) return "";
  if (!beyond) return "compare the mean difference with the luck: which is larger? More wins than losses are no proof";
  return yours == Winner::nobody ? "compare the mean difference with the luck: which is larger?"
                                 : "a lower loss is better";
}

static std::string diagnose(ex6_7::Cause yours) {
  using ex6_7::Cause;
  switch (yours) {
    case Cause::not_answered:
      return "not answered yet";
    case Cause::the_query_in_the_gate:
      return "half has no query in its factor; how far is it from bma?";
    case Cause::more_parameters:
      return "half has not one parameter more than standard; how far is it from bma?";
    case Cause::lucky_seeds:
      return "all three had the same seeds, and the difference is larger than the luck";
    case Cause::the_factor_of_one_half:
      break;
  }
  return "";
}

static Verdict seeds() {
  using namespace ex6_7;
  // The reader's file may be rewritten, the table too: these are the numbers that count.
  const std::vector<double> first{2.0275, 2.0635, 2.0557, 1.9903, 2.0534},
      second{1.9899, 1.9877, 1.9820, 1.9576, 1.9932}, third{1.9886, 1.9870, 1.9819, 1.9578, 1.9931};
  const std::vector<Prediction> numbers = comparison(first, third);
  const auto open = [](Winner w) { return w == Winner::not_answered; };
  if (all_open(numbers) && open(standard_or_half) && open(standard_or_bma) && open(half_or_bma) &&
      cause == Cause::not_answered)
    return not_started();
  Findings findings;
  add_all(findings, numbers);
  if (findings.verdict().state == State::done)
    for (const Prediction& p : comparison(second, third))
      if (const std::string text = diagnose(p); !text.empty()) findings.add(p.name + " of half and bma", text);
  findings.add("standard_or_half", diagnose(standard_or_half, first, second));
  findings.add("standard_or_bma", diagnose(standard_or_bma, first, third));
  findings.add("half_or_bma", diagnose(half_or_bma, second, third));
  findings.add("cause", diagnose(cause));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 6.8

static Verdict root_mean_square() {
  constexpr std::size_t n = 3, d = 5;
  Random random(8);
  auto X = normal_matrix<double>(n, d, 1, random), gain = normal_matrix<double>(1, d, 1, random);
  X += Matrix<double>(n, d, 0.7);  // a mean that is not 0
  const auto dY = normal_matrix<double>(n, d, 1, random);
  const auto right = [&] {
    const Matrix<double> r = inverse_sizes(X, 1e-5);
    return by_entries(X, [&](auto i, auto j) { return gain(0, j) * X(i, j) * r(i, 0); });
  };
  const auto loss = [&] { return dot(dY, right()); };
  const auto normed = attempt([&] { return ex6_8::forward(X, gain); });
  const auto back = attempt([&] { return ex6_8::backward(X, gain, dY); });
  const Answer Y{"forward", normed.value, right()}, dX{"dX", back.value.dX, numeric_gradient(X, loss)},
      dgain{"dgain", back.value.dgain, numeric_gradient(gain, loss)};
  if (untouched(Y) && untouched(dX) && untouched(dgain)) return not_started();
  Findings findings;
  findings.add(Y.name, normed.or_else(diagnose(Y, by_formula, wrong_root_mean_square(X, gain, 1e-5))));
  if (!back.thrown.empty()) {
    findings.add("backward", back.thrown);
  } else {
    findings.add("backward", dX, numeric, wrong_norm_dX(X, gain, dY, 1e-5));
    findings.add("backward", dgain, numeric, wrong_norm_dgain(X, gain, dY, 1e-5));
  }
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 6.9

static Verdict look_back() {
  constexpr std::size_t content = 3, tokens = 6, width = content + tokens;
  const ex6_9::Head head = calling("look_back", [] { return ex6_9::look_back(); });
  for (const auto& [name, W] :
       {std::pair("Wq", &head.Wq), std::pair("Wk", &head.Wk), std::pair("Wv", &head.Wv), std::pair("Wo", &head.Wo)}) {
    const Answer answer{name, *W, Matrix<double>(width, width)};
    if (W->shape() != answer.right.shape()) return wrong(std::string(name) + ": " + diagnose_shape(answer));
    if (const std::string text = diagnose_not_finite(answer); !text.empty()) return wrong(name + (": " + text));
  }
  Random random(9);
  Matrix<double> mean(tokens, tokens), unmasked(tokens, tokens);
  double worst = 0, handed_on = 0;  // of the outputs, and of what the values make of content, times Wo
  std::size_t row = 0;
  for (int round = 0; round < 50; ++round) {
    Matrix<double> X(tokens, width);
    for (std::size_t i = 0; i < tokens; ++i) {
      for (std::size_t k = 0; k < content; ++k) X(i, k) = random.normal();
      X(i, content + i) = 1;
    }
    const Matrix<double> A = causal_weights(matmul(X, head.Wq), matmul(X, head.Wk));
    const Matrix<double> told = matmul(matmul(X, head.Wv), head.Wo), Y = matmul(A, told);
    mean += 1 / 50.0 * A;
    unmasked += 1 / 50.0 *
                softmax_rows(scores(matmul(X, head.Wq), matmul(X, head.Wk)), scale_of_scores(head.Wq),
                             [](std::size_t, std::size_t) { return true; });
    for (std::size_t i = 1; i < tokens; ++i)
      for (std::size_t k = 0; k < content; ++k) {
        const double off = std::abs(Y(i, k) - X(i - 1, k));
        handed_on = std::max(handed_on, std::abs(told(i - 1, k) - X(i - 1, k)));
        if (off <= worst) continue;
        row = i;
        worst = off;  // a NaN, too: it is below nothing
      }
  }
  if (untouched({"", head.Wq, head.Wk}) && untouched({"", head.Wv, head.Wq}) && untouched({"", head.Wo, head.Wq}) &&
      untouched({"", head.Wk, head.Wq}))
    return not_started();
  if (worst <= 0.01) return done();
  if (handed_on > 0.01)
    return wrong(
        join("Wv and Wo do not hand the content on: X·Wv·Wo differs from it by up to ", significant(handed_on, 2)));
  return wrong(diagnose_weights(mean, unmasked, row == tokens - 1 ? 1 : row));
}

int main(int argc, char** argv) {
  return check_lesson(6,
                      {{"6.1", "BMA without the sigmoid", without_sigmoid},
                       {"6.2", "Squares for exponentials", squares_backward},
                       {"6.3", "A window", window},
                       {"6.4", "The gradients of a gated value", gated_values},
                       {"6.5", "Two gates at once", sum_of_gates},
                       {"6.6", "How many numbers", counts},
                       {"6.7", "A table of seeds", seeds},
                       {"6.8", "Another norm", root_mean_square},
                       {"6.9", "A head that looks back", look_back}},
                      argc, argv);
}
