// Lesson 5, part 13: features found by a sparse dictionary, by the pseudo-inverse, and from the weights alone.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/dictionary.hpp"
#include "lessons/5_tensor_folding/session.hpp"
#include "lessons/5_tensor_folding/toy.hpp"

// How many of the twelve features each way finds, for one trained toy.
struct Recovery {
  double density = 0;
  std::size_t random = 0, dictionary = 0, plain = 0, balanced = 0;  // out of twelve
  std::size_t plain_turned = 0, balanced_turned = 0;                // the same net, its six numbers stretched
  double outputs = 0;  // pseudo-inverse codes: how far the folded tensor's outputs are from the net's
  double codes = 0;    // pseudo-inverse codes of the true directions: error against the features, a part of them
};

// E·A with A⁻¹ in front of W and V, A a random stretch: the same function.
inline Net<double> in_another_basis(Net<double> net, Random& random) {
  const std::size_t m = net.W.rows();
  const auto B = normal_matrix<double>(m, m, 1, random);
  const Matrix<double> stretch = matmul(transpose(B), B);
  const auto A = matrix_function(stretch, [](double value) { return std::sqrt(value); });
  const auto inverse = matrix_function(stretch, [](double value) { return 1 / std::sqrt(value); });
  net.E = matmul(net.E, A);
  net.W = matmul(inverse, net.W), net.V = matmul(inverse, net.V);
  return net;
}

// The outputs of the tensor folded into directions D (k x m), at codes C (n x k).
inline Matrix<double> outputs_at(const Net<double>& net, const Matrix<double>& D, const Matrix<double>& C) {
  Net<double> folded({D.rows(), D.cols(), net.form.hidden, net.form.outputs, true});
  folded.E = D, folded.W = net.W, folded.b = net.b, folded.V = net.V, folded.c = net.c, folded.U = net.U,
  folded.d = net.d;
  return evaluate(symmetric(fold(folded)), with_one(C));
}

inline Recovery recover(double density, long steps, int starts, int rounds, std::uint64_t seed) {
  constexpr std::size_t n = 12, m = 6, h = 24;
  Random random(seed, 75);
  const Net<double> net = train_toy(n, m, h, density, steps, Random(seed, 74));
  const Matrix<double> X = draw_features(1000, n, density, true, random), Z = matmul(X, net.E);
  Recovery r;
  r.density = density;
  r.random = recovered(net.E, normal_matrix<double>(n, m, 1, random));
  const Dictionary d = learn_dictionary(Z, n, starts, rounds, random);
  r.dictionary = recovered(net.E, d.D);
  r.plain = recovered(net.E, directions_from_weights(net, false));
  r.balanced = recovered(net.E, directions_from_weights(net, true));
  const Net<double> other = in_another_basis(net, random);
  r.plain_turned = recovered(other.E, directions_from_weights(other, false));
  r.balanced_turned = recovered(other.E, directions_from_weights(other, true));
  const Matrix<double> any = normal_matrix<double>(n, m, 1, random);
  r.outputs = max_abs_difference(outputs_at(net, any, matmul(Z, pseudo_inverse(any))), net.forward(X).logits);
  const Matrix<double> off = matmul(Z, pseudo_inverse(net.E)) - X;
  r.codes = dot(off, off) / dot(X, X);
  return r;
}

inline void part13(Lesson& lesson, Session& session) {
  const long steps = session.options.steps_or(1000, 40);
  const int starts = session.quick_or(1, 4), rounds = session.quick_or(5, 150);
  std::vector<Recovery> found(3);
  const double densities[] = {0.02, 0.1, 0.3};
  session.run("dictionaries", 3,
              [&](std::size_t k) { found[k] = recover(densities[k], steps, starts, rounds, session.options.seed); });
  lesson.say(
      "Twelve features, on with probability p, squeezed into six numbers and given back by 24 products. The rows of E ",
      "are the truth. Who finds them (of 12, cosine above .95)? A sparse dictionary sees 1,000 activations and ",
      "nothing else; the weights' way sees the tensor behind E and no data at all.");
  Table table{{"p", "random", "dictionary", "weights", "stretched", "balanced", "stretched"}, {}};
  for (const Recovery& r : found)
    table.rows.push_back({significant(r.density), std::to_string(r.random), std::to_string(r.dictionary),
                          std::to_string(r.plain), std::to_string(r.plain_turned), std::to_string(r.balanced),
                          std::to_string(r.balanced_turned)});
  lesson.show(table);
  lesson.say(
      "\"Weights\" are the top eigenvectors of each output's slice as the six numbers stand. \"Stretched\" is the "
      "same ",
      "network with its six numbers in another basis; a turn would do no harm, but after a stretch plain eigenvectors "
      "find ",
      "little. \"Balanced\" first makes the linear parts of all outputs equal in every direction, which no choice of ",
      "basis changes. Both ways need rare features; at p = .3 neither is sure.");
  // Over 400 seeds always 12; what plain eigenvectors find after a stretch is luck: 0, seldom 1, once 2.
  lesson.claim_trained("p = .02: the dictionary finds", double(found[0].dictionary), exactly(12));
  lesson.claim_trained("p = .02: the weights alone find, balanced", double(found[0].balanced), exactly(12));
  lesson.claim_trained("... and after a stretch as many", double(found[0].balanced_turned), exactly(12));
  lesson.claim_trained("... where plain eigenvectors find", double(found[0].plain_turned), at_most(3));

  lesson.say(
      "The pseudo-inverse: codes Z·D⁺ for directions D, and the tensor folded into D. The outputs come out right, to ",
      significant(found[0].outputs, 2), ", for random directions, too, so that says nothing about features. With the ",
      "true directions the codes are still off by ", fixed(found[0].codes, 2), " of the features' squares: it spreads ",
      "each feature over all that share its numbers, 1 - m/n = .5 of them.");
  // Rounding of sums of 78 products of numbers up to 10.
  lesson.claim("tensor folded into random directions: outputs, max |diff|", found[0].outputs, at_most(1e-9));
  lesson.claim_trained("pseudo-inverse codes against features, p = .02", found[0].codes,
                       within(0.510, 4.5 * 0.0029));  // mean and spread over 400 seeds
}
