// Lesson 2, part 3: the backward pass, checked entry by entry, and the mistake that a symbol seen twice brings out.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/gradcheck.hpp"
#include "common/loss.hpp"
#include "common/support/lesson.hpp"
#include "lessons/2_bengio_mlp/bengio.hpp"

struct SmallCase {
  Bengio<double> model;
  Windows windows;

  // 7 symbols, context 3, d = 2, 5 hidden units, all parameters N(0, 1); 10 windows with symbols that repeat.
  SmallCase(bool direct, Random& random) : model(BengioSizes{7, 3, 2, 5, direct}) {
    for (const auto& [name, tensor] : model.tensors())
      tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), 1, random);
    const std::vector<std::uint32_t> text{0, 1, 1, 2, 3, 3, 3, 4, 5, 6};
    windows = windows_of(text, 0, text.size(), 3, 7);
  }

  Loss<double> loss() const { return softmax_cross_entropy(model.forward(windows).logits, std::span(windows.targets)); }
  Bengio<double> gradients() const { return model.backward(windows, model.forward(windows), loss().gradient); }
  GradientReport check(Bengio<double> derived) {
    return check_gradients(model.tensors(), derived.tensors(), [this] { return loss().value; });
  }
};

// The scatter with = in the place of +=: the last place that shows a symbol wins.
inline Matrix<double> overwriting_scatter(const Windows& windows, const Matrix<double>& dE, Shape shape) {
  Matrix<double> dC(shape.rows, shape.cols);
  for (std::size_t i = 0; i < dE.rows(); ++i)
    for (std::size_t k = 0; k < windows.length; ++k)
      for (std::size_t a = 0; a < shape.cols; ++a) dC(windows.context(i)[k], a) = dE(i, k * shape.cols + a);
  return dC;
}

// The row of README.md, "By hand": three logits, the second symbol is the target.
inline void softmax_by_hand(Lesson& lesson) {
  const std::vector<std::uint32_t> target{1};
  const Loss<double> loss = softmax_cross_entropy(Matrix<double>{{0, std::log(2.0), 0}}, std::span(target));
  lesson.say("By hand, with the numbers of README.md: logits (0, ln 2, 0), target 1. Loss ", loss.value, ", dS = (",
             loss.gradient(0, 0), ", ", loss.gradient(0, 1), ", ", loss.gradient(0, 2), ").");
  lesson.claim("loss by hand is ln 2, off by", std::abs(loss.value - std::log(2.0)), at_most(4e-16));  // two roundings
  lesson.claim("dS by hand, max |diff|", max_abs_difference(loss.gradient, {{0.25, -0.5, 0.25}}), at_most(2e-16));
}

inline void part3(Lesson& lesson) {
  softmax_by_hand(lesson);
  Random random(lesson.options().seed);
  SmallCase plain(false, random), direct(true, random);
  lesson.say("7 symbols, context 3, d = 2, 5 hidden units, 10 windows in which symbols repeat, and padding.");
  lesson.claim_gradients("without direct connections", plain.check(plain.gradients()), 1e-7);
  lesson.claim("with direct connections: every gradient entry", direct.check(direct.gradients()).worst(),
               at_most(1e-7));

  // One window that shows the same symbol twice: its row of C must get the gradients of both places.
  SmallCase twice(false, random);
  twice.windows = Windows{3, {4, 4, 2}, {1}};
  Bengio<double> g = twice.gradients();
  const auto trace = twice.model.forward(twice.windows);
  const Matrix<double> dH = matmul(twice.loss().gradient, transpose(twice.model.W2));
  const Matrix<double> dZ = zip(dH, trace.H, [](double d, double h) { return d * (1 - h * h); });
  const Matrix<double> dE = matmul(dZ, transpose(twice.model.W1));
  lesson.say(
      "A window that shows symbol 4 twice: the row of C for it is used in two places and collects both gradients.");
  lesson.claim("dC of the symbol = sum of its two places", std::abs(g.C(4, 0) - (dE(0, 0) + dE(0, 2))), at_most(1e-15));
  g.C = overwriting_scatter(twice.windows, dE, g.C.shape());
  const GradientReport wrong = twice.check(g);
  lesson.say("The classic mistake writes = instead of +=. The gradient table points at C and at nothing else:");
  Table table{{"gradient", "worst relative error"}, {}};
  for (const GradientRow& row : wrong.rows) table.rows.push_back({row.name, significant(row.worst, 2)});
  lesson.show(table);
  // One of two summands is lost, so the error is of order 1; 0.2 to 1.8 over 20 seeds.
  lesson.claim("overwriting is found: error in C", wrong.rows[0].worst, at_least(0.01));
  double others = 0;
  for (std::size_t r = 1; r < wrong.rows.size(); ++r) others = std::max(others, wrong.rows[r].worst);
  lesson.claim("and elsewhere nothing", others, at_most(1e-7));
}
