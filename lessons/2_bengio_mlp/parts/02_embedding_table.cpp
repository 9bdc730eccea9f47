// Lesson 2, part 2: the embedding table. Looking a row up is multiplying by a one-hot vector, only cheaper.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "lessons/2_bengio_mlp/lesson.hpp"

namespace lesson2 {

static constexpr knob::Whole vocab{"vocab", "distinct symbols", 65, {2, 200, 1}};
static constexpr knob::Whole context{"context", "c, the symbols that a window shows", 3, {1, 8, 1}};
static constexpr knob::Whole dim{"dim", "d, the numbers for each symbol", 2, {1, 16, 1}};
static constexpr knob::Whole hidden{"hidden", "h, the hidden units", 4, {1, 256, 1}};

// E, a row for each window, beside what the window sees.
static plot::HeatMap map_of(const Matrix<double>& E, const Windows& windows, std::uint32_t padding) {
  plot::HeatMap map{.title = join("E, ", windows.size(), " windows of ", windows.length, " symbols with ",
                                  E.cols() / windows.length, " numbers each"),
                    .rows = E.rows(),
                    .cols = E.cols(),
                    .values = {E.values().begin(), E.values().end()},
                    .diverging = true,
                    .numbers = true,
                    .low = -3,
                    .high = 3};
  for (std::size_t i = 0; i < windows.size(); ++i) {
    std::string sees;
    for (const std::uint32_t s : windows.context(i)) sees += (s == padding ? "□" : std::to_string(s)) + " ";
    map.row_labels.push_back(sees);
  }
  return map;
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::size_t c = at[context], d = at[dim];
  Random random(lesson.options().seed);
  const Bengio<double> model({at[vocab], c, d, at[hidden]}, random, 0.5);
  std::vector<std::uint32_t> text = Vocabulary(symbols65).encode("First");
  for (std::uint32_t& s : text) s %= std::uint32_t(at[vocab]);
  const std::uint32_t padding = model.form.padding();
  const Windows windows = windows_of(text, 0, text.size(), c, padding);
  Bengio<double>::Trace trace;
  model.forward(windows, trace);
  lesson.say("Is looking a row up a product with a one-hot vector, and a batch the same as its rows one by one?");
  lesson.figure("lookup", map_of(trace.E, windows, padding));
  Table table{{"tensor", "shape", "numbers"}, {}};
  for (const auto& [name, tensor] : model.tensors())
    table.rows.push_back({name, to_text(tensor.shape()), std::to_string(tensor.size())});
  lesson.detail(table);
  lesson.note("Wherever a symbol stands, its ", d, " numbers are the same. In all the model has ", parameters_of(model),
              " numbers; a table of counts for windows of ", c, " and the next symbol would have ",
              std::pow(double(at[vocab]), double(c + 1)), " places.");
  double hot = 0, alone = 0;
  for (std::size_t k = 0; k < c; ++k) {
    Matrix<double> symbols(windows.size(), at[vocab] + 1);  // a 1 in the column of the symbol at place k
    for (std::size_t i = 0; i < windows.size(); ++i) symbols(i, windows.context(i)[k]) = 1;
    const Matrix<double> looked_up(column_block(trace.E, k * d, d));
    hot = std::max(hot, max_abs_difference(matmul(symbols, model.C), looked_up));
  }
  for (std::size_t i = 0; i < text.size(); ++i)
    alone = std::max(alone, max_abs_difference(output(model, windows_of(text, i, 1, c, padding)),
                                               Matrix<double>(row_block(trace.Y, i, 1))));
  lesson.claim_same("looking up = one-hot times C", hot);  // sums of one number and zeros
  // Sums of at most 256 terms of size 1, each rounded.
  lesson.claim("a batch = its rows one by one, max |diff|", alone, at_most(1e-13));
}

extern const Part<Session> part2{.number = 2,
                                 .title = "The embedding table",
                                 .run = run,
                                 .question = "What does a batch look up, and how many numbers does the network store?",
                                 .knobs = {&vocab, &context, &dim, &hidden}};

}  // namespace lesson2
