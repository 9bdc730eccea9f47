// Lesson 5, part 2: folding linear maps into the tensor, in either order; and a formula that cannot be right.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/model/01_tensor.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"
#include "lessons/5_tensor_folding/run/show.hpp"

namespace lesson5 {

void part2(Lesson& lesson, Session&) {
  Random random(lesson.options().seed, 61);
  Net<double> net({7, 4, 5, 3, Biases::without});
  fill_normal(net.tensors(), random);
  const auto X = normal_matrix<double>(50, 7, 1, random);
  const Tensor3 B = product_tensor(net.W, net.V);
  const Tensor3 behind_first = fold_in_front(fold_behind(B, net.U), net.E);
  const Tensor3 BE = fold_in_front(B, net.E), front_first = fold_behind(BE, net.U);
  const Tensor3 factors = fold_factors(matmul(net.E, net.W), matmul(net.E, net.V), net.U);
  Net<double>::Trace t;
  net.forward(X, t);
  const double size = largest_entry(t.Y);

  lesson.say(
      "A net without biases: 7 inputs, embedded in 4 numbers, 5 products, 3 outputs. "
      "B over pairs of the 4 numbers can take the unembedding U first or the embedding E first, "
      "or be left out altogether. Outputs reach ",
      fixed(size, 0), ".");
  lesson.claim("U then E = E then U, largest entry's difference", largest_difference(behind_first, front_first),
               at_most(1e-12));
  lesson.claim("and = straight from the factors", largest_difference(behind_first, factors), at_most(1e-12));
  // Relative to the largest output: a few hundred roundings of 1e-16.
  lesson.claim("the tensor's outputs = the net's, relative", max_abs_difference(evaluate(factors, X), t.Y) / size,
               at_most(1e-12));

  lesson.say(
      "The source writes the fold of E with an index that no input has: "
      "its result is named out, in1, in2, but out stands nowhere on the left. "
      "What it must keep is the product's own index: BE has ",
      BE.outputs(), " slices, not ", net.form.outputs, ", and slice k, evaluated at x, is product k of the net.");
  lesson.claim("slices of BE at x = the net's products H, relative",
               max_abs_difference(evaluate(BE, X), t.H) / largest_entry(t.H), at_most(1e-12));

  lesson.say("The net's gradients, through softmax and cross-entropy, biases included:");
  lesson.claim_gradients("net", check_net({5, 4, 3, 2}, 6, random), 1e-7);  // lesson 1, part 4
}

}  // namespace lesson5
