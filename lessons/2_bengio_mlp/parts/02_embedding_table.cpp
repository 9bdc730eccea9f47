// Lesson 2, part 2: the embedding table. Looking a row up is multiplying by a one-hot vector, only cheaper.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "lessons/2_bengio_mlp/lesson.hpp"

namespace lesson2 {

static void run(Lesson& lesson, Session&, const knob::Settings&) {
  const std::size_t vocab = 65, c = 3, dim = 2;
  Random random(lesson.options().seed);
  const Bengio<double> model({vocab, c, dim, 4}, random, 0.5);
  const std::vector<std::uint32_t> text = Vocabulary(symbols65).encode("First");
  const std::uint32_t padding = model.form.padding();
  const Windows windows = windows_of(text, 0, text.size(), c, padding);
  Bengio<double>::Trace trace;
  model.forward(windows, trace);
  lesson.say("Is looking a row up a product with a one-hot vector?");
  double hot = 0, alone = 0;
  for (std::size_t k = 0; k < c; ++k) {
    Matrix<double> symbols(windows.size(), vocab + 1);  // a 1 in the column of the symbol at place k
    for (std::size_t i = 0; i < windows.size(); ++i) symbols(i, windows.context(i)[k]) = 1;
    const Matrix<double> looked_up(column_block(trace.E, k * dim, dim));
    hot = std::max(hot, max_abs_difference(matmul(symbols, model.C), looked_up));
  }
  for (std::size_t i = 0; i < text.size(); ++i)
    alone = std::max(alone, max_abs_difference(output(model, windows_of(text, i, 1, c, padding)),
                                               Matrix<double>(row_block(trace.Y, i, 1))));
  lesson.claim_same("looking up = one-hot times C", hot);  // sums of one number and zeros
  // Sums of a few terms of size 1, each rounded.
  lesson.claim("a batch = its rows one by one, max |diff|", alone, at_most(1e-13));
}

extern const Part<Session> part2(2, "The embedding table", run);

}  // namespace lesson2
