// Lesson 4: trains and explains a gate that the reader asks for, by --gate, --truth or the knob of part 8.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4 {

// The coefficients of the whole net, read-out included: of x_i², x_i, x_i·x_j for i < j, and the constant.
static Table coefficient_table(const ProductNet<double>& net) {
  const char* const names[] = {"x", "y", "z"};
  const ProductLayer<double>& layer = net.layer;
  const std::size_t one = layer.W.rows();
  // M[i,j] = Σ_k U[k]·w_ik·v_jk, with w = [W; b] and v = [V; c].
  const auto M = [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < layer.W.cols(); ++k)
      sum += net.U(k, 0) * (i < one ? layer.W(i, k) : layer.b(0, k)) * (j < one ? layer.V(j, k) : layer.c(0, k));
    return sum;
  };
  Table table{{"coefficient of", "value", "on {0, 1} only this counts"}, {}};
  const auto add = [&](const std::string& name, double value, const std::string& seen) {
    table.rows.push_back({name, fixed(value, 3), seen});
  };
  for (std::size_t i = 0; i < one; ++i) {
    const double square = M(i, i), linear = M(i, one) + M(one, i);
    add(std::string(names[i]) + "²", square, "");
    add(names[i], linear, std::string(names[i]) + "² and " + names[i] + ": " + fixed(square + linear, 3));
  }
  for (std::size_t i = 0; i < one; ++i)
    for (std::size_t j = i + 1; j < one; ++j) {
      const double mixed = M(i, j) + M(j, i);
      add(std::string(names[i]) + names[j], mixed, fixed(mixed, 3));
    }
  const double constant = net.d(0, 0) + M(one, one);
  add("1", constant, fixed(constant, 3));
  return table;
}

// What theory says of a table before anything is trained: how many units to train it with, and the lowest loss.
struct Expected {
  std::size_t units;
  double loss;
};

static Expected expected_of(Lesson& lesson, const std::string& truth) {
  const auto bit = [&](std::size_t i) { return double(truth[i] - '0'); };
  if (truth.size() == 4) {
    const Gate& gate = *gate_of({bit(0), bit(1), bit(2), bit(3)});
    lesson.say("This is ", gate.name, ". One unit computes it exactly: (", text_of(gate.w), ") times (",
               text_of(gate.v), ").");
    lesson.claim_same("that unit, at the four corners",
                      max_abs_difference(output(unit_of(gate.w, gate.v), corner_rows()), column_of(gate.truth)));
    return {1, 0};
  }
  std::size_t function = 0;
  for (std::size_t i = 0; i < 8; ++i) function |= std::size_t(bit(i)) << i;
  const double k = cubic_coefficient(function);
  if (k != 0) {
    lesson.say("Multiplied out on {0, 1}, this function has the coefficient ", k,
               " of xyz, so no quadratic is it. The best one misses every corner by ", std::abs(k) / 8, ", a loss of ",
               k * k / 64, std::abs(k) < 4 ? ", and is right when thresholded at 1/2." : ": it says 1/2 everywhere.");
    return {4, k * k / 64};
  }
  const std::size_t units = one_unit_does(function) ? 1 : 2;
  lesson.say("Multiplied out on {0, 1}, this function has no xyz, so a quadratic is it, with ", units,
             units == 1 ? " unit." : " units: it is a multiplexer.");
  return {units, 0};
}

void explain(Lesson& lesson, Session& session, const std::string& truth) {
  const auto [units, lowest] = expected_of(lesson, truth);
  Matrix<double> X(truth.size(), truth.size() == 4 ? 2 : 3), T(truth.size(), 1);  // the first input changes fastest
  for (std::size_t i = 0; i < truth.size(); ++i) {
    for (std::size_t j = 0; j < X.cols(); ++j) X(i, j) = input_bit(i, j);
    T(i, 0) = truth[i] - '0';
  }
  const auto best = best_of<ProductNet<double>>(session, 10, 52, NetForm{X.cols(), units, 1}, X, error_to(T),
                                                {.steps = session.steps(3000, 100)});
  lesson.say("Trained: ", units, units == 1 ? " product" : " products", " and a read-out, the best of ten seeds, loss ",
             significant(best.fit.loss, 2), " after ", best.fit.steps, " steps.");
  // Training stops at a loss of 1e-6, or settles at the bound; twice that is room.
  lesson.claim_trained("its loss minus the lowest possible", best.fit.loss - lowest, between(-1e-12, 2e-6));
  Table table{{"inputs", "wanted", "trained"}, {}};
  const Matrix<double> Y = output(best.model, X);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    std::string inputs;
    for (const double x : X.row(i)) inputs += x > 0.5 ? '1' : '0';
    table.rows.push_back({inputs, significant(T(i, 0)), fixed(Y(i, 0), 3)});
  }
  lesson.show(table);
  lesson.say("Read from its weights, all units and the read-out multiplied out:");
  lesson.show(coefficient_table(best.model));
}

}  // namespace lesson4
