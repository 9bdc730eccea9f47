// Lesson 5, part 2: folding linear maps into the tensor, in either order; and a formula that cannot be right.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/model/01_tensor.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"
#include "lessons/5_tensor_folding/run/show.hpp"

namespace lesson5 {
namespace {

// Draws the net from above, its layer as the tensor B, and the whole of it as one tensor, with the widths on the arrows.
plot::Diagram diagram_of(const NetForm& form, const Tensor3& B, const Tensor3& whole) {
  using enum plot::Box::Kind;
  const std::string n = join("n = ", form.inputs), m = join("m = ", form.embedding), h = join("h = ", form.hidden),
                    outputs = join(form.outputs, " outputs");
  const auto shape = [](std::size_t rows, std::size_t cols) { return join(rows, " × ", cols); };
  const auto shape_of = [&](const Tensor3& t) {
    return join(t.outputs(), " × ", shape(t.shape().rows, t.shape().cols));
  };
  plot::Diagram d{.title = "Layer by layer, the product layer as B, the whole net as UBE"};
  d.boxes = {{"x", 0.75, 0, alone},
             {"E", 0.75, 1.2, stored, shape(form.inputs, form.embedding)},
             {"W", 0.15, 2.6, stored, shape(form.embedding, form.hidden)},
             {"V", 1.35, 2.6, stored, shape(form.embedding, form.hidden)},
             {"⊙", 0.75, 4, computed, "product"},
             {"U", 0.75, 5.3, stored, shape(form.hidden, form.outputs)},
             {"logits", 0.75, 6.5, alone},
             {"z[i]", 2.25, 1.2, alone},
             {"z[j]", 3.45, 1.2, alone},
             {"B[k,i,j]", 2.85, 2.6, stored, shape_of(B)},
             {"product k", 2.85, 4, alone},
             {"x[p]", 4.35, 0, alone},
             {"x[q]", 5.55, 0, alone},
             {"UBE[o,p,q]", 4.95, 2.6, stored, shape_of(whole)},
             {"logit o", 4.95, 4, alone}};
  d.arrows = {{"x", "E", n},
              {"E", "W", m},
              {"E", "V", m},
              {"W", "⊙", h},
              {"V", "⊙", h},
              {"⊙", "U", h},
              {"U", "logits", outputs},
              {"z[i]", "B[k,i,j]", m},
              {"z[j]", "B[k,i,j]", m},
              {"B[k,i,j]", "product k", h},
              {"x[p]", "UBE[o,p,q]", n},
              {"x[q]", "UBE[o,p,q]", n},
              {"UBE[o,p,q]", "logit o", outputs}};
  return d;
}

}  // namespace

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

  const double order = largest_difference(behind_first, front_first), way = largest_difference(behind_first, factors);
  const double outputs = max_abs_difference(evaluate(factors, X), t.Y) / size;

  lesson.figure("folding", diagram_of(net.form, B, factors));
  lesson.say("Does the order of folding matter? For a random net of ", parameters_of(net),
             " numbers, U first and E first differ by ", significant(order, 2), " at most, and by ",
             significant(way, 2), " from (5.5), which makes no B. The tensor says what the net says, to ",
             significant(outputs, 2), " of the largest output.");
  lesson.claim("U then E = E then U, largest entry's difference", order, at_most(1e-12));
  lesson.claim("and = straight from the factors", way, at_most(1e-12));
  // Relative to the largest output: a few hundred roundings of 1e-16.
  lesson.claim("the tensor's outputs = the net's, relative", outputs, at_most(1e-12));
  lesson.claim("slices of BE at x = the net's products H, relative",
               max_abs_difference(evaluate(BE, X), t.H) / largest_entry(t.H), at_most(1e-12));

  lesson.note("The net's gradients, through softmax and cross-entropy, biases included:");
  lesson.claim_gradients("net", check_net({5, 4, 3, 2}, 6, random), 1e-7);  // lesson 1, part 4
}

}  // namespace lesson5
