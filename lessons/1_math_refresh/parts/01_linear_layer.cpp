// Lesson 1, part 1: one linear layer. Its loss is quadratic in each number, so the check is exact.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/lesson.hpp"

namespace lesson1::p1 {

static void run(Lesson& lesson, Pool&, const knob::Settings&) {
  Random random(lesson.options().seed, 501);
  Mlp<double> layer({linear_activation, {3, 2}});
  fill_normal(layer.tensors(), random);
  auto H = normal_matrix<double>(5, 3, 1, random);
  const squared_error loss(normal_matrix<double>(5, 2, 1, random));
  // A hundred roundings of 1e-16 are left.
  lesson.claim_gradients("one layer, each number moved by 1",
                         check_model(layer, H, loss, Step::quadratic), 1e-12);
}

}  // namespace lesson1::p1

const Part<Pool> lesson1::part1{.number = 1,
                                .title = "The linear layer",
                                .question = "Are dW, db and dH right?",
                                .run = p1::run};
