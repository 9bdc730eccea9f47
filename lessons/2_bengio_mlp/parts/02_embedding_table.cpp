// Lesson 2, part 2: the embedding table. Looking a row up is multiplying by a one-hot vector, only cheaper.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "common/support/corpus.hpp"
#include "common/support/lesson.hpp"
#include "common/support/text.hpp"
#include "lessons/2_bengio_mlp/bengio.hpp"

// One row for each window and place: a 1 in the column of the symbol that stands there.
inline Matrix<double> one_hot(const Windows& windows, std::size_t place, std::size_t symbols) {
  Matrix<double> hot(windows.size(), symbols);
  for (std::size_t i = 0; i < windows.size(); ++i) hot(i, windows.context(i)[place]) = 1;
  return hot;
}

inline std::string row_text(std::span<const double> row) {
  std::string text;
  for (const double x : row) text += pad(fixed(x, 4), 9, Side::right);
  return text;
}

inline void part2(Lesson& lesson) {
  const Vocabulary literature(symbols65);
  const std::vector<std::uint32_t> first = literature.encode("First");
  const BengioSizes sizes{65, 3, 2, 4};
  Random random(lesson.options().seed);
  Bengio<double> model(sizes, random, 0.5);
  const Windows windows = windows_of(first, 0, first.size(), 3, 65);
  const Bengio<double>::Trace trace = model.forward(windows);

  lesson.say("C has one row of d numbers for each symbol and a last one for padding: ", to_text(model.C.shape()),
             ". The rows that \"First\" needs:");
  std::string rows;
  for (const std::uint32_t s : {18u, 47u, 56u, 57u, 65u})
    rows += "  " + pad(s == 65 ? "□ 65" : literature.name(s) + " " + std::to_string(s), 6) + row_text(model.C.row(s)) +
            "\n";
  lesson.show(rows);
  lesson.say("Looking up 5 windows of 3 symbols gives 5 x 3 rows of 2 numbers; side by side they are E, 5 x 6:");
  std::string lines;
  for (std::size_t i = 0; i < trace.E.rows(); ++i) lines += " " + row_text(trace.E.row(i)) + "\n";
  lesson.show(lines);

  double worst = 0;
  for (std::size_t k = 0; k < 3; ++k)
    worst = std::max(worst, max_abs_difference(matmul(one_hot(windows, k, 66), model.C),
                                               Matrix<double>(column_block(trace.E, 2 * k, 2))));
  lesson.claim("looking up = one-hot times C, max |diff|", worst, exactly(0));  // sums of one number and zeros
  double apart = 0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const auto alone = model.forward(windows_of(first, i, 1, 3, 65)).logits;
    apart = std::max(apart, max_abs_difference(alone, Matrix<double>(row_block(trace.logits, i, 1))));
  }
  lesson.claim("a batch = its rows one by one, max |diff|", apart, at_most(1e-14));  // six terms of size 1, rounded
  lesson.say(
      "What depends on what: context times d sets the rows of W1; the vocabulary sets the columns of W2 and the ",
      "rows of C. Longer contexts cost rows of W1 only: a full table of counts would be multiplied by vocab.");
  Table table{{"tensor", "shape", "set by"}, {}};
  const char* reasons[] = {"(vocab + 1) x d", "context·d x hidden", "1 x hidden", "hidden x vocab", "1 x vocab"};
  std::size_t t = 0;
  for (const auto& [name, tensor] : model.tensors())
    table.rows.push_back({name, to_text(tensor.shape()), reasons[t++]});
  lesson.show(table);
}
