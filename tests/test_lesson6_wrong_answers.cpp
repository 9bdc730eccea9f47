// The wrong answers that the exercises of lesson 6 know: none is right, no two are the same, and each is told its reason.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/answers/one_head.hpp"
#include "lessons/6_bma/answers/wrong_answers.hpp"
#include "lessons/6_bma/run/recipe.hpp"
#include "tests/wrong_answers.hpp"

using namespace exercise;
using namespace lesson6;

static constexpr Judge by_formula{rounding, "right"};

// 6.1 and 6.4: a gate made by the query, and one made by the value's token.
static void gates(Checks& check) {
  Random random(1);
  const auto drawn = [&](std::size_t rows) { return normal_matrix<double>(rows, 3, 1, random); };
  const Matrix<double> Q = drawn(5), V = drawn(5), Wg = drawn(3), dM = drawn(5), G = matmul(Q, Wg);
  const Matrix<double> dG = hadamard(dM, V), by_gate = matmul(dG, transpose(Wg));
  check_all(check, "M", hadamard(G, V), wrong_mixed_values(Q, V, Wg));
  check_all(check, "dG", dG, wrong_dG(G, V, dM));
  check_all(check, "dV", hadamard(dM, G), wrong_dV(G, V, dM));
  check_all(check, "dWg", matmul(transpose(Q), dG), wrong_dWg(Q, V, Wg, dM, {"dG", dG, dG}));
  check_all(check, "dQ", by_gate, wrong_gate_dQ(Q, Wg, dM, {"dG", dG, dG}));
  check_all(check, "factor_at_the_start", 0, wrong_start);
  const Matrix<double> by_scores = drawn(5), dZ = drawn(5), of_gates = drawn(5);
  const Matrix<double> gate = sigmoid_of(G);
  check_all(check, "dV of 6.4", hadamard(dM, gate), wrong_gated_dV(dM, gate, V));
  check_all(check, "dQ of 6.4", by_scores + matmul(dZ, transpose(Wg)), wrong_dQ(by_scores, dZ, of_gates, Wg));
}

// 6.2, 6.3: the squares in the place of exponentials, and a window.
static void weights(Checks& check) {
  Random random(3);
  const auto S = normal_matrix<double>(5, 5, 1, random), dA = normal_matrix<double>(5, 5, 1, random);
  Matrix<double> moved = S;
  const Matrix<double> dS = numeric_gradient(moved, [&] { return dot(dA, squared_weights(moved)); });
  for (const Mistake& mistake : wrong_squares_back(S, dA))
    check.that(!agrees(mistake.value, dS, 1e-7), "dS: that is right: " + mistake.reason);
  check_told(check, "dS", dS, wrong_squares_back(S, dA), numeric);
  const auto Q = normal_matrix<double>(5, 4, 0.7, random), K = normal_matrix<double>(5, 4, 0.7, random);
  for (const Mistake& mistake : wrong_weights(Q, K, 2))
    check.that(!agrees(mistake.value, window_weights(Q, K, 2), rounding), "a window: that is right: " + mistake.reason);
}

static void counts(Checks& check) {
  constexpr double d = 768, model = 89'944;
  check_all(check, "gate_numbers_of_pairs", 80'000, wrong_numbers_of_pairs);
  check_all(check, "gate_numbers_of_products", 1600, wrong_numbers_of_products);
  check_all(check, "attention", 4 * (d * d + d), wrong_attention);
  check_all(check, "added_by_bma", 12 * 64 * 64, wrong_bma);
  check_all(check, "added_by_post", d * d + d, wrong_post);
  check_all(check, "post_over_wider_gate", 8, wrong_ratio);
  check_all(check, "language_model", model, wrong_language_model(model));
  check_all(check, "added_by_bma_in_all", 3 * 4 * 12 * 12, wrong_bma_in_all);
  check_all(check, "kept_for_a_token", 3 * 2 * 48, wrong_kept);
  // What a run of a recipe prints on the play, whose symbols are 65, answers none of it.
  for (const char* name : {"A", "B", "C", "nanogpt"}) {
    LanguageForm form = recipe_of(name, "--recipe").form;
    form.vocab = 65;
    const double standard = double(parameters_of(LanguageModel<float>(form)));
    form.transformer.gate = Gate::bma;
    const double added = double(parameters_of(LanguageModel<float>(form))) - standard;
    check.that(standard != model && added != 3 * 4 * 12 * 12, std::string("--recipe answers 6.6: ") + name);
  }
}

// 6.8: x over the root of the mean of its squares.
static void another_norm(Checks& check) {
  Random random(8);
  auto X = normal_matrix<double>(3, 5, 1, random), gain = normal_matrix<double>(1, 5, 1, random);
  X += Matrix<double>(3, 5, 0.7);
  const auto dY = normal_matrix<double>(3, 5, 1, random);
  const auto right = [&] {
    const Matrix<double> r = inverse_sizes(X, 1e-5);
    return by_entries(X, [&](auto i, auto j) { return gain(0, j) * X(i, j) * r(i, 0); });
  };
  const auto loss = [&] { return dot(dY, right()); };
  check_told(check, "forward", right(), wrong_root_mean_square(X, gain, 1e-5), by_formula);
  check_all(check, "dX", numeric_gradient(X, loss), wrong_norm_dX(X, gain, dY, 1e-5));
  check_all(check, "dgain", numeric_gradient(gain, loss), wrong_norm_dgain(X, gain, dY, 1e-5));
}

// 6.9: what is said of heads that do not look back by one, from their mean weights.
static void heads(Checks& check) {
  const Matrix<double> even{{1, 0, 0}, {.5, .5, 0}, {.33, .34, .33}}, itself{{1, 0, 0}, {.1, .9, 0}, {.1, .1, .8}},
      weak{{1, 0, 0}, {.8, .2, 0}, {.2, .6, .2}}, ahead{{.1, .9, 0}, {.1, .1, .8}, {.1, .8, .1}},
      first{{1, 0, 0}, {1, 0, 0}, {.9, .05, .05}};
  const auto says = [&](const Matrix<double>& A, const Matrix<double>& unmasked, std::size_t row,
                        const std::string& start) {
    const std::string said = diagnose_weights(A, unmasked, row);
    check.that(said.find(start) != std::string::npos, start + " / " + said);
  };
  says(itself, itself, 2, "look at themselves");
  says(weak, weak, 2, "scores too near one another");
  says(even, ahead, 1, "asks for the token behind it");
  says(first, first, 2, "another place than the one before");
  const Matrix<double> flat{{1, 0, 0}, {.4, .6, 0}, {.36, .31, .33}};
  says(flat, flat, 2, "do places meet");
  const Matrix<double> huge(3, 3, 1e6);
  check.that(diagnose_not_finite({"A", softmax_rows(huge, 1, causal), huge}).empty(), "large scores give weights");
}

int main() {
  Checks check;
  gates(check);
  weights(check);
  counts(check);
  another_norm(check);
  heads(check);
  return check.done("test_lesson6_wrong_answers");
}
