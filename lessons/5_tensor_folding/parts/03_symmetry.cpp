// Part 3: many tensors are one function.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5::p3 {

static void run(Lesson& lesson, Session&, const knob::Settings&) {
  const Matrix<double> T{{2, -1}, {6, -3}}, exchanged(transpose(T)), S = symmetric_part(T),
                                                                     X = square_of_points();
  lesson.say("When W and V are exchanged, T = ", text_of(T), " becomes ", text_of(exchanged),
             ", and S = ", text_of(S), " stays.");
  // Sums of four numbers up to 24: some roundings of 1e-14.
  lesson.claim("S and T have the same outputs: max |diff|",
               max_abs_difference(evaluate({S}, X), evaluate({T}, X)), at_most(1e-12));
  lesson.claim("T before and after, largest difference", max_abs_difference(T, exchanged),
               at_least(0.1));
  lesson.claim_same("S before and after", max_abs_difference(S, symmetric_part(exchanged)));
  const auto factors = double(parameters_of(Net<float>(of_products(144, 24, 10))));
  lesson.claim("the digit net's table: numbers over those of the net",
               10 * 144 * 145 / 2.0 / factors, within(14.6, 0.05));
}

}  // namespace lesson5::p3

const Part<lesson5::Session> lesson5::part3{.number = 3, .title = "Symmetry", .run = p3::run};
