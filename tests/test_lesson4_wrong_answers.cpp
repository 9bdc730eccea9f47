// The wrong answers that the exercises of lesson 4 know: none is right, no two are the same, and who gives one is told
// what is wrong with it.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/answers/wrong_answers.hpp"
#include "tests/wrong_answers.hpp"

using namespace lesson4;

// 4.1. Every other gate, by the factors that section 4 gives it, moved to inputs -1 and 1.
static void other_gates(Checks& check) {
  for (const char* name : {"NAND", "x OR NOT y"}) {
    const Gate& wanted = gate_named(name);
    std::vector<Mistake> mistakes = wrong_gates(wanted.truth);
    std::erase_if(mistakes, [&](const Mistake& m) { return m.value == row_of(wanted.truth); });
    check.that(mistakes.size() == 15, "fifteen gates are not the one that is wanted");
    check_mistakes(check, name, row_of(wanted.truth), mistakes, 1e-9);  // as near as the check looks
    for (const Gate& gate : gates) {
      // (0)·(0) is two empty factors, of which a reader is told that; (x - 1)(x + 1) is 0 at all four corners.
      const bool none = gate.truth == TruthTable{};
      const Factor w = none ? Factor{1, 0, -1} : for_signs(gate.w), v = none ? Factor{1, 0, 1} : for_signs(gate.v);
      const bool negated = gate.truth == gate_named(name == std::string("NAND") ? "AND" : "NOT x AND y").truth;
      const std::string reason =
          std::string("that is ") + gate.name + (negated ? "; 1 minus it is what is wanted" : "");
      // OR's factors are NAND's with halved weights and the old biases.
      const bool halved = std::string(name) == "NAND" && std::string(gate.name) == "OR";
      const std::string more =
          halved ? "; if the weights are halved: a half of each goes to the bias of its factor, too" : "";
      check.equal(diagnose_gate(w, v, wanted.truth), gate.truth == wanted.truth ? "" : reason + more, name);
    }
    check.equal(diagnose_gate(wanted.w, wanted.v, wanted.truth), "right for inputs 0 and 1; here they are -1 and 1",
                name);
    check.equal(diagnose_gate({}, {}, wanted.truth), "both factors are still zero", name);
    check.equal(diagnose_gate(for_signs(wanted.w), {}, wanted.truth), "one factor is still zero, and so is the product",
                name);
    const auto halved = [](const Factor& f) { return Factor{f.x / 2, f.y / 2, f.one}; };
    for (const bool both : {true, false}) {
      const Factor other = both ? halved(wanted.v) : for_signs(wanted.v);
      const bool right = wanted.w.x + wanted.w.y == 0;  // then nothing goes to the bias
      check.that(right ? diagnose_gate(halved(wanted.w), other, wanted.truth).empty()
                       : has(diagnose_gate(halved(wanted.w), other, wanted.truth), "if the weights are halved"),
                 name);
    }
    Factor doubled = for_signs(wanted.w);
    for (double* weight : {&doubled.x, &doubled.y, &doubled.one}) *weight *= 2;
    check.equal(diagnose_gate(doubled, for_signs(wanted.v), wanted.truth),
                "every corner is 2 times what it must be: divide one of the factors", name);
  }
}

// 4.2. With dP and dQ right, and with both wrong, so that what follows from them is known, too.
static void way_back(Checks& check) {
  Random random(2);
  const auto X = normal_matrix<double>(5, 4, 1, random), W = normal_matrix<double>(4, 3, 1, random),
             V = normal_matrix<double>(4, 3, 1, random), P = normal_matrix<double>(5, 3, 1, random),
             Q = normal_matrix<double>(5, 3, 1, random), dH = normal_matrix<double>(5, 3, 1, random);
  const Matrix<double> dP = hadamard(dH, hadamard(Q, Q)), dQ = 2 * hadamard(dH, hadamard(P, Q));
  check_all(check, "dP", dP, wrong_single(dH, P, Q));
  check_all(check, "dQ", dQ, wrong_double(dH, P, Q));
  const Matrix<double> drawn = normal_matrix<double>(5, 3, 1, random);
  for (const bool before : {true, false}) {
    const Branch p{before ? dP : drawn, dP, dQ}, q{before ? dQ : drawn, dQ, dP};
    const auto weights = [&](const Matrix<double>& D) { return matmul(transpose(X), D); };
    const auto bias = [](const Matrix<double>& D) { return column_sums(D); };
    check_all(check, "dW", weights(dP), wrong_parameters(p, dH, weights));
    check_all(check, "db", bias(dP), wrong_parameters(p, dH, bias));
    check_all(check, "dV", weights(dQ), wrong_parameters(q, dH, weights));
    check_all(check, "dc", bias(dQ), wrong_parameters(q, dH, bias));
    check_all(check, "dX", matmul(dP, transpose(W)) + matmul(dQ, transpose(V)), wrong_inputs(p, q, W, V));
  }
}

// 4.3.
static void coefficients(Checks& check) {
  Random random(3);
  ProductLayer layer({3, 4});
  fill_normal(layer.tensors(), random);
  using F = Factor3;
  const Matrix<double> xz = of_units(layer, [](F w, F v) { return w.x * v.z + w.z * v.x; });
  const Matrix<double> z = of_units(layer, [](F w, F v) { return w.z * v.one + w.one * v.z; });
  const auto by_units = [&](const std::string& what, const Matrix<double>& right,
                            const std::vector<Mistake>& mistakes) {
    check_mistakes(check, what, right, mistakes);
    for (const Mistake& mistake : mistakes)
      check.equal(diagnose_units(mistake.value, right, mistakes), mistake.reason, what);
    check.equal(diagnose_units(right, right, mistakes), "", what);
    check.equal(diagnose_units(-1 * right, right, mistakes), "the sign", what);
    check.equal(diagnose_units(Matrix<double>(1, 4), right, mistakes), "still zero", what);
  };
  by_units("coefficient_xz", xz, wrong_xz(layer, xz));
  by_units("coefficient_z", z, wrong_z(layer, z));
}

// 4.4, 4.6, 4.7: counts are exact, but for the loss.
static void numbers(Checks& check) {
  check_all(check, "circle", 2, wrong_circle);
  check_all(check, "bowl", 3, wrong_bowl);
  check_all(check, "bowl_with_readout_bias", 2, wrong_bowl_with_bias);
  check_all(check, "saddle", 1, wrong_saddle);
  check_all(check, "product_and_one", 2, wrong_product_and_one);
  check_all(check, "six_terms", 1, wrong_six_terms);
  check_all(check, "most_with_biases", 14, wrong_most_with_biases);
  check_all(check, "most_without_biases", 10, wrong_most_without_biases);
  check_all(check, "most_with_biases_no_zeros", 15, wrong_most_no_zeros);
  check_all(check, "smallest_m_with_biases", 3, wrong_m_with_biases);
  check_all(check, "smallest_m_without_biases", 4, wrong_m_without_biases);
  check_all(check, "smallest_m_linear", 7, wrong_m_linear);
  check_all(check, "lowest_loss", 2.0 / 72, wrong_lowest_loss, 0.001);
  check_all(check, "majority", -4, wrong_majority);
  check_all(check, "exactly_one", 6, wrong_exactly_one);
  check_all(check, "at_least_one", 2, wrong_at_least_one);
  check_all(check, "without_z", 0, wrong_without_z);
  check_all(check, "majority_missed_by", 0.5, wrong_miss);
  check_all(check, "functions_with_six", 8, wrong_count);
}

// 4.5: what comes back to P, from which all the others follow.
static void squares(Checks& check) {
  Random random(5);
  const auto P = normal_matrix<double>(6, 4, 1, random), dH = normal_matrix<double>(6, 4, 1, random);
  std::vector<Mistake> mistakes;
  for (const WrongSquare& wrong : wrong_squares(dH, P)) mistakes.push_back({wrong.dP, wrong.reason});
  check_mistakes(check, "dP", 2 * hadamard(dH, P), mistakes);
  check.that(mistakes[0].value == hadamard(dH, P), "the first is what the given file does");
}

// 4.8: the corners 00, 10, 01, 11 at which a unit is right.
static void units(Checks& check) {
  const TruthTable wanted{1, 2, 3, 4};
  const auto told = [&](const TruthTable& said, const std::string& part) {
    const std::string text = wrong_unit(said, wanted);
    check.that(part.empty() ? text.empty() : has(text, part), "four numbers: " + part + ", told: " + text);
  };
  told({1, 3, 2, 4}, "x and y are exchanged");
  told({1, 2, 3, 5}, "three corners are right; two weights");
  told({1, 1, 1, 1}, "both factors are constants");
  // From 00 to 01 this rises by 4, from 10 to 11 by 8; along x by 1 and by 5.
  const std::string upside_down = wrong_unit({1, 2, 5, 2 + 16.0 / 8}, {1, 2, 5, 10});
  check.that(has(upside_down, "upside down"), "the stretch: " + upside_down);
  const std::string other_way = wrong_unit({1, 2, 5, 5 + 1.0 / 5}, {1, 2, 5, 10});
  check.that(has(other_way, "upside down"), "the stretch along y: " + other_way);
  told({1, 5, 6, 7}, "right at 00; along x");
  told({5, 2, 3, 6}, "right at two corners");
  told({5, 2, 6, 7}, "");
}

int main() {
  Checks check;
  other_gates(check);
  way_back(check);
  coefficients(check);
  numbers(check);
  squares(check);
  units(check);
  return check.done("test_lesson4_wrong_answers");
}
