// Lesson 2, part 2: the embedding table. Looking a row up is multiplying by a one-hot vector, only cheaper.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "common/support/lesson.hpp"
#include "lessons/2_bengio_mlp/run/session.hpp"

namespace lesson2 {
namespace {

// One row for each window: a 1 in the column of the symbol that stands at the place.
Matrix<double> one_hot(const Windows& windows, std::size_t place, std::size_t symbols) {
  Matrix<double> hot(windows.size(), symbols);
  for (std::size_t i = 0; i < windows.size(); ++i) hot(i, windows.context(i)[place]) = 1;
  return hot;
}

std::string row_text(std::span<const double> row) {
  std::string text;
  for (const double x : row) text += pad(fixed(x, 4), 9, Side::right);
  return text;
}

// All rows of C, four to a line.
std::string whole_table(const Bengio<double>& model, const Vocabulary& vocabulary) {
  constexpr std::size_t in_line = 4;
  std::string lines;
  for (std::uint32_t s = 0; s < model.C.rows(); ++s) {
    const std::string name = s == vocabulary.size() ? "□" : vocabulary.name(s);
    lines += pad(name, 4, Side::right);
    for (const double x : model.C.row(s)) lines += pad(fixed(x, 2), 7, Side::right);
    lines += (s + 1) % in_line == 0 || s + 1 == model.C.rows() ? "\n" : "  ";
  }
  return lines;
}

// The numbers of a batch as n x c x d: a line for each window, a bracket for each of its places.
std::string as_tensor(const Matrix<double>& E, std::size_t places) {
  const std::size_t dim = E.cols() / places;
  std::string lines;
  for (std::size_t i = 0; i < E.rows(); ++i) {
    for (std::size_t k = 0; k < places; ++k) {
      std::string numbers;
      for (std::size_t a = 0; a < dim; ++a) numbers += pad(fixed(E(i, k * dim + a), 2), 6, Side::right);
      lines += "  [" + numbers + "]";
    }
    lines += "\n";
  }
  return lines;
}

void looking_up(Lesson& lesson, const Bengio<double>& model, const Windows& windows, const Matrix<double>& E) {
  lesson.note("C is ", to_text(model.C.shape()), ": 65 symbols and padding, two numbers each, here as they are drawn:");
  lesson.detail(whole_table(model, Vocabulary(symbols65)));
  lesson.note("The rows that \"First\" needs:");
  const Vocabulary literature(symbols65);
  std::string rows;
  for (const std::uint32_t s : {18u, 47u, 56u, 57u, 65u}) {
    const std::string name = s == 65 ? "□ 65" : literature.name(s) + " " + std::to_string(s);
    rows += "  " + pad(name, 6) + row_text(model.C.row(s)) + "\n";
  }
  lesson.detail(rows);
  lesson.note("5 windows of 3 symbols with 2 numbers each, a line for a window and a bracket for a symbol, 5 x 3 x 2:");
  lesson.detail(as_tensor(E, 3));
  lesson.note("The same numbers side by side are E, 5 x 6:");
  std::string lines;
  for (std::size_t i = 0; i < E.rows(); ++i) lines += " " + row_text(E.row(i)) + "\n";
  lesson.detail(lines);
  double worst = 0;
  for (std::size_t k = 0; k < 3; ++k)
    worst = std::max(
        worst, max_abs_difference(matmul(one_hot(windows, k, 66), model.C), Matrix<double>(column_block(E, 2 * k, 2))));
  lesson.claim_same("looking up = one-hot times C", worst);  // sums of one number and zeros
}

// max |diff| between the logits of a batch and those of each of its windows alone.
double apart_from_alone(const Bengio<double>& model, std::span<const std::uint32_t> text, const Matrix<double>& Y) {
  double apart = 0;
  for (std::size_t i = 0; i < Y.rows(); ++i) {
    const Matrix<double> alone = output(model, windows_of(text, i, 1, model.form.context, padding_of(model.form)));
    apart = std::max(apart, max_abs_difference(alone, Matrix<double>(row_block(Y, i, 1))));
  }
  return apart;
}

void what_depends_on_what(Lesson& lesson, const Bengio<double>& model) {
  lesson.note("65 symbols, context 3, d = 2, 4 hidden units:");
  Table table{{"tensor", "shape", "set by"}, {}};
  const char* reasons[] = {"(vocab + 1) x d", "context·d x hidden", "1 x hidden", "hidden x vocab", "1 x vocab"};
  for (const auto& [name, tensor] : model.tensors())
    table.rows.push_back({name, to_text(tensor.shape()), reasons[table.rows.size()]});
  lesson.detail(table);
}

}  // namespace

void part2(Lesson& lesson, Session&) {
  const std::vector<std::uint32_t> first = Vocabulary(symbols65).encode("First");
  Random random(lesson.options().seed);
  const Bengio<double> model({65, 3, 2, 4}, random, 0.5);
  const Windows windows = windows_of(first, 0, first.size(), 3, 65);
  Bengio<double>::Trace trace;
  model.forward(windows, trace);
  lesson.say("Is looking a row up a product with a one-hot vector, and a batch the same as its rows one by one?");
  looking_up(lesson, model, windows, trace.E);
  // Six terms of size 1, rounded.
  lesson.claim("a batch = its rows one by one, max |diff|", apart_from_alone(model, first, trace.Y), at_most(1e-14));
  what_depends_on_what(lesson, model);
}

}  // namespace lesson2
