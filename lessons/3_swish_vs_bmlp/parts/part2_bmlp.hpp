// Lesson 3, part 2: the BMLP as published: gradients, the path that the published backward forgets, and its learning rate.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "common/support/lesson.hpp"
#include "lessons/3_swish_vs_bmlp/bmlp_batch.hpp"
#include "lessons/3_swish_vs_bmlp/check_model.hpp"
#include "lessons/3_swish_vs_bmlp/session.hpp"

// The network of README.md, "By hand": two inputs, two hidden units, one output.
inline Bmlp<double> small_bmlp() {
  Bmlp<double> net({2, 2, 1});
  net.W1 = {{1, 0}, {2, -1}};
  net.u1 = {{4, 2}};
  net.W2 = {{1}, {3}};
  net.u2 = {{2}};
  net.W3 = {{-5}, {1}};
  return net;
}

inline void bmlp_by_hand(Lesson& lesson) {
  const Bmlp<double> net = small_bmlp();
  const auto t = net.forward({{3, 1}});
  const auto g = net.backward(t, {{1}});
  lesson.say("By hand, with the numbers of README.md. x = (3, 1) has the mean 2; H = (", t.H(0, 0), ", ", t.H(0, 1),
             ") has the mean ", t.mH(0, 0), "; y = ", t.Y(0, 0), ". Backward from dy = 1: dH = W2ᵀ + u2/2 = (2, 4), ",
             "and dX = (", g.dX(0, 0), ", ", g.dX(0, 1), ").");
  lesson.claim("y by hand", t.Y(0, 0), exactly(24));
  lesson.claim("dX by hand, max |diff|", max_abs_difference(g.dX, {{5, 9}}), exactly(0));
  lesson.claim("dW1 by hand, max |diff|", max_abs_difference(g.d.W1, {{6, 12}, {2, 4}}), exactly(0));
}

// The worst relative error of dW1, du1 and dX when dH lacks the path through the mean, for u1 and u2 of a given size.
inline double forgotten_path(double size, Random& random) {
  Bmlp<double> net({16, 64, 4});
  draw_parameters(net, 1, random);
  net.u1 = normal_matrix<double>(1, 64, size, random), net.u2 = normal_matrix<double>(1, 4, size, random);
  const auto t = net.forward(normal_matrix<double>(32, 16, 1, random));
  const Matrix<double> dY = normal_matrix<double>(32, 4, 1, random);
  const Matrix<double> dH = matmul(dY, transpose(net.W2));  // and not through mean(H)
  const Matrix<double> right = net.backward(t, dY).d.W1, wrong = matmul(transpose(t.X), dH);
  return std::sqrt(mean_square(right - wrong) / mean_square(right));
}

// How a run of the BMLP at one learning rate went: README.md calls it "stable" when the loss never exceeds its start.
inline Curve run_at_rate(Session& session, double rate) {
  Random random(session.options.seed, 31);
  Bmlp<float> model({suite_inputs, 64, suite_outputs}, random);
  TrainingSettings settings = session.training();
  settings.rate = rate;
  return train_and_watch(model, session.suite().train, settings, Random(session.options.seed, 32));
}

inline void learning_rates(Lesson& lesson, Session& session) {
  lesson.say("The write-up trains at a rate of 0.0001 and calls that stable but slower. On suite A (part 6), ",
             session.training().steps, " steps at three rates, mean squared error over all training rows:");
  constexpr std::array rates{1e-4, 1e-3, 5e-3};
  std::array<Curve, rates.size()> curves;
  session.run("training", rates.size(), [&](std::size_t k) { curves[k] = run_at_rate(session, rates[k]); });
  Table table{{"rate", "start", "a third", "two thirds", "end", "highest"}, {}};
  double highest = 0;
  for (std::size_t k = 0; k < rates.size(); ++k) {
    const std::vector<double>& loss = curves[k].losses;
    const double top = *std::max_element(loss.begin(), loss.end());
    highest = std::max(highest, top / loss.front());
    table.rows.push_back({significant(rates[k]), fixed(loss.front(), 4), fixed(loss[loss.size() / 3], 4),
                          fixed(loss[2 * loss.size() / 3], 4), fixed(loss.back(), 4), fixed(top, 4)});
  }
  lesson.show(table);
  lesson.claim_trained("stable: the highest loss over the start, any rate", highest, at_most(1));
  lesson.claim_trained("but all rates end at one loss: largest over smallest",
                       curves[0].losses.back() / curves[2].losses.back(), within(1, 0.01));
}

inline void part2(Lesson& lesson, Session& session) {
  bmlp_by_hand(lesson);
  Random random(lesson.options().seed);
  Bmlp<double> net({4, 5, 3});
  draw_parameters(net, 1, random);
  lesson.say("Every gradient against numbers. Through Σ R⊙Y the network is linear in each of its tensors, so a step ",
             "of 1 is exact (lesson 1, part 4):");
  lesson.claim_gradients("BMLP", check_through_sum(net, 6, random), 1e-12);
  BmlpBatch<double> batch({4, 5, 3});
  draw_parameters(batch, 1, random);
  lesson.say("The other reading, with means over the batch:");
  lesson.claim_gradients("batch means", check_through_sum(batch, 6, random), 1e-12);

  const double small = forgotten_path(0.01, random), large = forgotten_path(1, random);
  lesson.say(
      "The published backward pass lacks the path through mean(H). At its start, with u1 and u2 of 0.01, dW1 is ",
      "then wrong by a part of ", significant(small, 2), " of itself, which a loose check lets pass; with ",
      "entries of size 1 by ", significant(large, 2), ". Draw parameters of size 1 in a gradient check.");
  lesson.claim("a hundred times the size, some hundred times the error", large / small, between(50, 200));
  learning_rates(lesson, session);
}
