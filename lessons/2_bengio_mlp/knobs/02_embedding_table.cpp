// Lesson 2, part 2: a table of any size, and what a batch looks up in it.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "lessons/2_bengio_mlp/knobs/shared.hpp"

namespace lesson2 {
namespace {

constexpr knob::Whole symbols{"vocab", "distinct symbols", 65, {2, 200, 1}};
constexpr knob::Whole context{"see", "c, the symbols that a window shows", 3, {1, 8, 1}};
constexpr knob::Whole numbers{"numbers", "d, the numbers for each symbol", 2, {1, 16, 1}};
constexpr knob::Whole units{"units", "h, the hidden units", 4, {1, 256, 1}};

constexpr std::size_t windows_shown = 8;

// One row for each window: a 1 in the column of the symbol at this place.
Matrix<double> one_hot_of(const Windows& windows, std::size_t at_place, std::size_t columns) {
  Matrix<double> hot(windows.size(), columns);
  for (std::size_t i = 0; i < windows.size(); ++i) hot(i, windows.context(i)[at_place]) = 1;
  return hot;
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::size_t c = at[context], d = at[numbers];
  Random random(lesson.options().seed, 502);
  const Bengio<double> model({at[symbols], c, d, at[units]}, random);
  std::vector<std::uint32_t> text;
  for (std::size_t k = 0; k < windows_shown; ++k) text.push_back(std::uint32_t(random.below(at[symbols])));
  const Windows windows = windows_of(text, 0, text.size(), c, padding_of(model.form));
  const Matrix<double> E = model.look_up(windows);
  plot::HeatMap map{.title = join("E, ", windows_shown, " windows of ", c, " symbols with ", d, " numbers each"),
                    .rows = E.rows(),
                    .cols = E.cols(),
                    .values = {E.values().begin(), E.values().end()}};
  map.diverging = true;
  map.low = -3;
  map.high = 3;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    std::string sees;
    for (const std::uint32_t s : windows.context(i)) sees += (s == at[symbols] ? "□" : std::to_string(s)) + " ";
    sees.pop_back();
    map.row_labels.push_back(sees);
  }
  lesson.picture("turned_lookup", map);
  Table table{{"tensor", "shape", "numbers"}, {}};
  for (const auto& [name, tensor] : model.tensors())
    table.rows.push_back({name, to_text(tensor.shape()), std::to_string(tensor.size())});
  table.rows.push_back({"all", "", std::to_string(parameters_of(model))});
  lesson.show(table);
  lesson.say("Wherever a symbol stands, its ", d, " numbers are the same. A table of counts for windows of ", c,
             " and the next symbol would have ", std::pow(double(at[symbols]), double(c + 1)), " places.");
  double apart = 0;
  for (std::size_t k = 0; k < c; ++k)
    apart = std::max(apart, max_abs_difference(matmul(one_hot_of(windows, k, at[symbols] + 1), model.C),
                                               Matrix<double>(column_block(E, k * d, d))));
  lesson.claim_same("looking up = one-hot times C", apart);  // sums of one number and zeros
}

}  // namespace

Bench<Session> bench2() {
  return {"What does a batch look up, and how many numbers does the network store?",
          {&symbols, &context, &numbers, &units},
          run};
}

}  // namespace lesson2
