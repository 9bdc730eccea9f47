// Lesson 2, part 2: looking a row up is multiplying by a one-hot vector, only cheaper.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/lesson.hpp"

namespace lesson2::p2 {

static void run(Lesson& lesson, Session&, const knob::Settings&) {
  constexpr BengioForm form{.vocab = 65, .context = 3, .dim = 2, .hidden = 4};
  Random random(lesson.options().seed);
  const Bengio<double> model(form, random);
  const std::vector<std::uint32_t> text = Vocabulary(symbols65).encode("First");
  const Windows windows = windows_of(text, 0, text.size(), form.context, form.padding());
  const Matrix<double> E = model.look_up(windows);
  lesson.say("Is looking a row up the same as multiplying by a one-hot vector?");
  double apart = 0;
  for (std::size_t k = 0; k < form.context; ++k) {
    Matrix<double> one_hot(windows.size(), model.C.rows());  // of the symbols at place k
    for (std::size_t i = 0; i < windows.size(); ++i) one_hot(i, windows.context(i)[k]) = 1;
    const Matrix<double> rows(column_block(E, k * form.dim, form.dim));
    apart = std::max(apart, max_abs_difference(matmul(one_hot, model.C), rows));
  }
  lesson.claim_same("looking up = one-hot times C", apart);  // sums of one number and zeros
}

}  // namespace lesson2::p2

const Part<lesson2::Session> lesson2::part2{
    .number = 2, .title = "The embedding table", .run = p2::run};
