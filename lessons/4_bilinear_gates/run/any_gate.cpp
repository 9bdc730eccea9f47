// Lesson 4: trains and explains the gate that the reader asks for.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/run/any_gate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lessons/4_bilinear_gates/model/3_gates.hpp"
#include "lessons/4_bilinear_gates/model/6_cube.hpp"
#include "lessons/4_bilinear_gates/run/train.hpp"

namespace lesson4 {

std::string wanted_table(const std::string& gate, const std::string& truth) {
  if (!gate.empty() && !truth.empty()) throw UserError("--truth: --gate names a table already");
  if (!gate.empty()) {
    std::string names;
    for (const Gate& known : gates) {
      if (small_letters(known.name) == small_letters(gate)) return text_of(known.truth);
      names += (names.empty() ? "" : ", ") + std::string(known.name);
    }
    throw UserError("--gate: '" + gate + "' is none of " + names);
  }
  const bool digits = truth.find_first_not_of("01") == std::string::npos;
  if (!truth.empty() && (!digits || (truth.size() != 4 && truth.size() != 8)))
    throw UserError("--truth: '" + truth + "' is no table of four or eight digits 0 and 1");
  return truth;
}

TableRows rows_of(const std::string& truth) {
  const std::size_t inputs = truth.size() == 4 ? 2 : 3;
  TableRows rows{Matrix<double>(truth.size(), inputs), Matrix<double>(truth.size(), 1)};
  for (std::size_t i = 0; i < truth.size(); ++i) {
    for (std::size_t j = 0; j < inputs; ++j) rows.X(i, j) = input_bit(i, j);
    rows.T(i, 0) = truth[i] - '0';
  }
  return rows;
}

namespace {

// The best of ten trained nets.
struct BestNet {
  ProductNet net;
  Fit fit;
};
BestNet best_net(Session& session, const TableRows& rows, std::size_t units) {
  FitSettings settings;
  settings.steps = session.options.steps_or(3000, 100);
  const NetForm form{rows.X.cols(), units, 1};
  std::vector<BestNet> found(10, {ProductNet(form), {}});
  session.run("training", found.size(), [&](std::size_t k) {
    Random random(seed_of_run(session.options.seed, k), 52);
    found[k].net = ProductNet(form, random);
    found[k].fit = fit(found[k].net, rows.X, rows.T, settings);
  });
  return *std::min_element(found.begin(), found.end(),
                           [](const BestNet& a, const BestNet& b) { return a.fit.loss < b.fit.loss; });
}

// The coefficients of the whole net, read-out included: of x_i·x_j for i <= j, of x_i, and the constant.
Table coefficient_table(const ProductNet& net) {
  const char* const names[] = {"x", "y", "z"};
  const ProductLayer& layer = net.layer;
  const std::size_t inputs = layer.W.rows();
  const auto sum = [&](auto term) {
    double total = 0;
    for (std::size_t k = 0; k < layer.W.cols(); ++k) total += net.U(k, 0) * term(k);
    return total;
  };
  Table table{{"coefficient of", "value", "on {0, 1} only this counts"}, {}};
  const auto add = [&](const std::string& name, double value, const std::string& seen) {
    table.rows.push_back({name, fixed(value, 3), seen});
  };
  for (std::size_t i = 0; i < inputs; ++i) {
    const double square = sum([&](std::size_t k) { return layer.W(i, k) * layer.V(i, k); });
    const double linear =
        sum([&](std::size_t k) { return layer.W(i, k) * layer.c(0, k) + layer.b(0, k) * layer.V(i, k); });
    add(std::string(names[i]) + "²", square, "");
    add(names[i], linear, std::string(names[i]) + "² and " + names[i] + ": " + fixed(square + linear, 3));
  }
  for (std::size_t i = 0; i < inputs; ++i)
    for (std::size_t j = i + 1; j < inputs; ++j) {
      const double mixed =
          sum([&](std::size_t k) { return layer.W(i, k) * layer.V(j, k) + layer.W(j, k) * layer.V(i, k); });
      add(std::string(names[i]) + names[j], mixed, fixed(mixed, 3));
    }
  const double constant = net.d(0, 0) + sum([&](std::size_t k) { return layer.b(0, k) * layer.c(0, k); });
  add("1", constant, fixed(constant, 3));
  return table;
}

// What theory says of a table before anything is trained: how many units to train it with, and the lowest loss.
struct Expected {
  std::size_t units;
  double loss;
};
Expected predict(Lesson& lesson, const std::string& truth) {
  if (truth.size() == 4) {
    const TruthTable table{double(truth[0] - '0'), double(truth[1] - '0'), double(truth[2] - '0'),
                           double(truth[3] - '0')};
    for (const Gate& gate : gates)
      if (gate.truth == table) {
        lesson.say("This is ", gate.name, ". One unit computes it exactly: (", text_of(gate.w), ") times (",
                   text_of(gate.v), ").");
        lesson.claim_same("that unit, at the four corners",
                          max_abs_difference(output(unit_of(gate.w, gate.v), corner_rows()), column_of(gate.truth)));
        break;
      }
    return {1, 0};
  }
  std::size_t function = 0;
  for (std::size_t i = 0; i < 8; ++i) function |= std::size_t(truth[i] - '0') << i;
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

}  // namespace

int explain_gate(Session& session, const std::string& truth) {
  Lesson lesson(session.options, "Lesson 4: the function " + truth, "gate");
  const auto [units, lowest] = predict(lesson, truth);
  const TableRows rows = rows_of(truth);
  const BestNet best = best_net(session, rows, units);
  lesson.say("Trained: ", units, units == 1 ? " product" : " products", " and a read-out, the best of ten seeds, loss ",
             significant(best.fit.loss, 2), " after ", best.fit.steps, " steps.");
  // Training stops at a loss of 1e-6, or settles at the bound; all 256 tables came within 1e-6, and twice that is room.
  lesson.claim_trained("its loss minus the lowest possible", best.fit.loss - lowest, between(-1e-12, 2e-6));
  Table table{{"inputs", "wanted", "trained"}, {}};
  const Matrix<double> Y = output(best.net, rows.X);
  for (std::size_t i = 0; i < rows.X.rows(); ++i) {
    std::string inputs;
    for (const double x : rows.X.row(i)) inputs += x > 0.5 ? '1' : '0';
    table.rows.push_back({inputs, significant(rows.T(i, 0)), fixed(Y(i, 0), 3)});
  }
  lesson.show(table);
  lesson.say("Read from its weights, all units and the read-out multiplied out:");
  lesson.show(coefficient_table(best.net));
  return lesson.finish();
}

}  // namespace lesson4
