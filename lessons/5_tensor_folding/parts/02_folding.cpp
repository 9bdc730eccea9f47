// Lesson 5, part 2: folding linear maps into the tensor, in either order; and the source's formula that cannot be right.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include "common/gradcheck.hpp"
#include "common/loss.hpp"
#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/fold.hpp"

// A net with entries of size 1 in all tensors.
inline Net<double> random_net(NetForm form, Random& random) {
  Net<double> net(form);
  for (const auto& [name, tensor] : net.tensors())
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), 1, random);
  return net;
}

inline double largest_difference(const Tensor3<double>& a, const Tensor3<double>& b) {
  double worst = 0;
  for (std::size_t o = 0; o < a.outputs(); ++o) worst = std::max(worst, max_abs_difference(a.slices[o], b.slices[o]));
  return worst;
}

inline double largest_entry(const Matrix<double>& A) {
  return max_abs_difference(A, Matrix<double>(A.rows(), A.cols()));
}

// The gradients of a net through softmax and cross-entropy. Weights N(0, 1/fan-in) and biases N(0, 1): logits are of size 1, so
// that no probability is small, nor any slope beside the loss that it is found from.
inline GradientReport check_net(NetForm form, std::size_t n, Random& random) {
  Net<double> net(form);
  for (const auto& [name, tensor] : net.tensors())
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), 1 / std::sqrt(double(tensor.rows())), random);
  Matrix<double> X = normal_matrix<double>(n, net.form.inputs, 1, random);
  std::vector<std::uint32_t> labels;
  for (std::size_t i = 0; i < n; ++i) labels.push_back(std::uint32_t(i % net.form.outputs));
  const auto loss = [&] { return softmax_cross_entropy<double>(net.forward(X).logits, labels); };
  auto gradients = net.backward(net.forward(X), loss().gradient);
  Tensors<double> tensors = net.tensors(), derived = gradients.d.tensors();
  tensors.push_back({"X", X});
  derived.push_back({"X", gradients.dX});
  return check_gradients(tensors, derived, [&] { return loss().value; });
}

inline void part2(Lesson& lesson) {
  Random random(lesson.options().seed, 61);
  const Net<double> net = random_net({7, 4, 5, 3, false}, random);
  const auto X = normal_matrix<double>(50, 7, 1, random);
  const Tensor3<double> B = product_tensor(net.W, net.V);
  const Tensor3<double> behind_first = fold_in_front(fold_behind(B, net.U), net.E);
  const Tensor3<double> BE = fold_in_front(B, net.E), front_first = fold_behind(BE, net.U);
  const Tensor3<double> factors = fold_factors(matmul(net.E, net.W), matmul(net.E, net.V), net.U);
  const auto trace = net.forward(X);
  const Matrix<double>& Y = trace.logits;
  const double size = largest_entry(Y);
  lesson.say(
      "A net without biases: 7 inputs, embedded in 4 numbers, 5 products, 3 outputs. B over pairs of the 4 numbers ",
      "can take the unembedding U first or the embedding E first, or be left out altogether. Outputs reach ",
      fixed(size, 0), ".");
  lesson.claim("U then E = E then U, largest entry's difference", largest_difference(behind_first, front_first),
               at_most(1e-12));
  lesson.claim("and = straight from the factors", largest_difference(behind_first, factors), at_most(1e-12));
  // Relative to the largest output: a few hundred roundings of 1e-16.
  lesson.claim("the tensor's outputs = the net's, relative", max_abs_difference(evaluate(factors, X), Y) / size,
               at_most(1e-12));

  lesson.say("The source writes the fold of E with an index that no input has: its result is named out, in1, in2, but ",
             "out stands nowhere on the left. What it must keep is the product's own index: BE has ", BE.outputs(),
             " slices, not ", net.form.outputs, ", and slice k, evaluated at x, is product k of the net.");
  lesson.claim("slices of BE at x = the net's products H, relative",
               max_abs_difference(evaluate(BE, X), trace.H) / largest_entry(trace.H), at_most(1e-12));

  lesson.say("The net's gradients, through softmax and cross-entropy, biases included:");
  lesson.claim_gradients("net", check_net({5, 4, 3, 2, true}, 6, random), 1e-7);  // lesson 1, part 4
}
