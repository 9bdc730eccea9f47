// Exercise 6.4: two gates at once. Which of them leave the sum?
// Hint: In the sum over j, what does not depend on j? It can be written before the sum. What
// depends on j alone can be multiplied into V before A comes.
// Hint: For the sum of the gates, take the bracket apart. It leaves two sums over j, and each has
// one gate.
// Hint: Does each pair have a gate of m numbers, or each token one for each of its two uses?
// SPDX-License-Identifier: MIT
#include <limits>

#include "common/matrix.hpp"

// For the check:
#include <ex6_4_two_gates.hpp>

#include "lessons/6_bma/answers/shared.hpp"

using namespace shared;

namespace ours::ex6_4 {

inline Matrix<double> with_sum(const Matrix<double>& A, const Matrix<double>& G,
                               const Matrix<double>& L, const Matrix<double>& V) {
  Matrix<double> mixed = matmul(A, V),
                 gated = matmul(A, hadamard(L, V));  // n x m: plain, and of gated values
  slip(mixed, matmul(transpose(A), V), "A is not transposed in the first sum");
  slip(gated, matmul(transpose(A), hadamard(L, V)), "A is not transposed in the second sum");
  slip(mixed, V, "A is missing in the first sum");
  slip(gated, hadamard(L, V), "A is missing in the second sum");
  slip(gated, hadamard(matmul(A, L), V), "V[j] has left the second sum, but it depends on j");
  slip(gated, hadamard(matmul(A, L), matmul(A, V)),
       "the mean of L[j] ⊙ V[j] is not the product of two means");
  Matrix<double> M = hadamard(G, mixed) + gated;  // n x m
  slip(M, G + gated, "V is missing beside G[i]: it multiplies both gates");
  slip(M, matmul(A, G) + gated, "V is missing beside G[i]: it multiplies both gates");
  slip(M, mixed + gated, "G[i] is missing in the first sum");
  slip(M, hadamard(G, mixed) + mixed, "L[j] is missing in the second sum");
  slip(M, mixed, "both gates are missing");
  slip(M, hadamard(G, mixed), "L[j] is missing: it depends on j, so it stays with the value");
  slip(M, gated, "G[i] is missing: it does not depend on j, so it leaves the sum");
  slip(M, hadamard(G, gated), "that is the product of the gates; here they are added");
  slip(M, hadamard(L, mixed) + matmul(A, hadamard(G, V)),
       "the two are exchanged: which of them does not depend on j?");
  slip(M, hadamard(G + L, mixed), "L[j] has left the sum, too, but it depends on j");
  slip(M, matmul(A, hadamard(G + L, V)),
       "G[i] stands inside with the index j, but it depends on i alone");
  return M;
}

inline Matrix<double> with_product(const Matrix<double>& A, const Matrix<double>& G,
                                   const Matrix<double>& L, const Matrix<double>& V) {
  Matrix<double> gated = matmul(A, hadamard(L, V));  // n x m
  slip(gated, matmul(transpose(A), hadamard(L, V)), "A is not transposed here");
  slip(gated, hadamard(L, V), "A is missing");
  slip(gated, matmul(A, L + V), "value and gate are added; ⊙ multiplies them");
  slip(gated, matmul(A, V), "L[j] is missing: it depends on j, so it stays with the value");
  slip(gated, hadamard(matmul(A, L), V), "V[j] has left the sum, but it depends on j");
  slip(gated, hadamard(matmul(A, L), matmul(A, V)),
       "the mean of L[j] ⊙ V[j] is not the product of two means");
  Matrix<double> M = hadamard(G, gated);  // n x m
  slip(M, matmul(A, V), "both gates are missing");
  slip(M, gated, "G[i] is missing: it does not depend on j, so it leaves the sum");
  slip(M, hadamard(G, matmul(A, V)) + gated, "that is the sum of the gates; here they multiply");
  slip(M, hadamard(L, matmul(A, hadamard(G, V))),
       "the two are exchanged: which of them does not depend on j?");
  slip(M, hadamard(hadamard(G, L), matmul(A, V)),
       "L[j] has left the sum, too, but it depends on j");
  slip(M, matmul(A, hadamard(hadamard(G, L), V)),
       "G[i] stands inside with the index j, but it depends on i alone");
  return M;
}

const double gate_numbers_of_pairs = 80'000;
const double gate_numbers_of_products = 1600;

}  // namespace ours::ex6_4

static const std::vector<Prediction> numbers{
    counted(
        "gate_numbers_of_pairs", ex6_4::gate_numbers_of_pairs, 100 * 100 * 8,
        {{10'000, "a gate has m numbers, not one"},
         {800, "that is for one token that attends, but all of them do"},
         {1600, "that is for gates that can be taken apart"},
         {40'400, "that is for causal attention; here every token sees all"},
         {39'600,
          "that counts two tokens once, and no token with itself; i reads j and j reads i through gates of their own"},
         {160'000, "a pair has one gate: its two numbers are added before σ"}}),
    counted("gate_numbers_of_products", ex6_4::gate_numbers_of_products, 2 * 100 * 8,
            {{80'000,
              "the two need not be multiplied for every pair, since one of them leaves the sum"},
             {800, "each token has two gates"},
             {200, "a gate has m numbers, not one"},
             {100, "a gate has m numbers, and each token has two"}})};

static Assessment check() {
  constexpr std::size_t n = 6, m = 4;
  Random random(5);
  const Matrix<double> A = causal_weights(drawn(n, m, random), drawn(n, m, random)),
                       G = sigmoid_of(drawn(n, m, random)), L = sigmoid_of(drawn(n, m, random)),
                       V = drawn(n, m, random);
  // Pair by pair, as the exercise says.
  Matrix<double> by_sum(n, m), by_product(n, m);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < m; ++k) {
        by_sum(i, k) += A(i, j) * (G(i, k) + L(j, k)) * V(j, k);
        by_product(i, k) += A(i, j) * G(i, k) * L(j, k) * V(j, k);
      }
  const auto summed = attempt([&] { return ex6_4::with_sum(A, G, L, V); });
  const auto multiplied = attempt([&] { return ex6_4::with_product(A, G, L, V); });
  const Answer sum{"with_sum", summed.value, by_sum},
      product{"with_product", multiplied.value, by_product};
  if (untouched(sum) && untouched(product) && std::isnan(numbers[0].yours) &&
      std::isnan(numbers[1].yours))
    return not_started();
  Findings findings;
  const auto our_sum = [&] { return ours::ex6_4::with_sum(A, G, L, V); };
  const auto our_product = [&] { return ours::ex6_4::with_product(A, G, L, V); };
  findings.add(sum.name, summed.or_else(diagnose(sum, by_formula, our_sum)));
  findings.add(product.name, multiplied.or_else(diagnose(product, by_formula, our_product)));
  for (const Prediction& p : numbers) findings.add(p.name, diagnose(p));
  return findings.verdict();
}
static const Exercise here{"6.4", "Two gates at once", check};
