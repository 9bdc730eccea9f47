// Lesson 2, part 2: the embedding table. Looking a row up is multiplying by a one-hot vector, only
// cheaper.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/lesson.hpp"

namespace lesson2::p2 {

static void run(Lesson& lesson, Session&, const knob::Settings&) {
  const std::size_t vocab = 65, c = 3, dim = 2;
  Random random(lesson.options().seed);
  const Bengio<double> model({vocab, c, dim, 4}, random);
  const std::vector<std::uint32_t> text = Vocabulary(symbols65).encode("First");
  const Windows windows = windows_of(text, 0, text.size(), c, model.form.padding());
  const Matrix<double> E = model.look_up(windows);
  lesson.say("Is looking a row up a product with a one-hot vector?");
  double apart = 0;
  for (std::size_t k = 0; k < c; ++k) {
    Matrix<double> symbols(windows.size(),
                           vocab + 1);  // a 1 in the column of the symbol at place k
    for (std::size_t i = 0; i < windows.size(); ++i) symbols(i, windows.context(i)[k]) = 1;
    apart = std::max(apart, max_abs_difference(matmul(symbols, model.C),
                                               Matrix<double>(column_block(E, k * dim, dim))));
  }
  lesson.claim_same("looking up = one-hot times C", apart);  // sums of one number and zeros
}

}  // namespace lesson2::p2

const Part<lesson2::Session> lesson2::part2{
    .number = 2, .title = "The embedding table", .run = p2::run};
