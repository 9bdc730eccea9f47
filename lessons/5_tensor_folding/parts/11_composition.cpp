// Lesson 5, part 11: two layers are one tensor of order five; what that costs.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/model/03_fold.hpp"
#include "lessons/5_tensor_folding/model/10_composition.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"

namespace lesson5 {
namespace {

// A product layer with biases, 1 x h each.
struct BiasedLayer {
  Matrix<double> W, b, V, c;

  BiasedLayer(std::size_t inputs, std::size_t products, Random& random)
      : W(normal_matrix<double>(inputs, products, 1, random)),
        b(normal_matrix<double>(1, products, 1, random)),
        V(normal_matrix<double>(inputs, products, 1, random)),
        c(normal_matrix<double>(1, products, 1, random)) {}

  Matrix<double> outputs(const Matrix<double>& X) const {
    return hadamard(add_row(matmul(X, W), b), add_row(matmul(X, V), c));
  }
};

// How far two folded layers are from the layers themselves, relative to the largest output.
struct Folded {
  std::size_t numbers = 0;  // for each output
  double whole = 0, by_terms = 0;
  std::ptrdiff_t terms = 0;  // of all outputs, that are not zero
};

Folded fold_layers(const BiasedLayer& first, const BiasedLayer& second, const Matrix<double>& X) {
  const Matrix<double> Y = second.outputs(first.outputs(X)), wide = with_one(X);
  // The first layer hands the constant on, as one product more; behind the second nobody needs it.
  const auto F = fold_twice(product_tensor(extended(first.W, first.b), extended(first.V, first.c)),
                            product_tensor(with_last_row(second.W, second.b), with_last_row(second.V, second.c)));
  Folded f{F[0].size()};
  for (std::size_t o = 0; o < F.size(); ++o) {
    const auto terms = terms_of_degree_four(F[o], wide.cols());
    f.terms += std::count_if(terms.begin(), terms.end(), [](const auto& term) { return term.second != 0; });
    for (std::size_t r = 0; r < X.rows(); ++r) {
      double sum = 0;
      for (const auto& [at, value] : terms)
        sum += value * wide(r, at[0]) * wide(r, at[1]) * wide(r, at[2]) * wide(r, at[3]);
      f.whole = std::max(f.whole, std::abs(evaluate_order_four(F[o], wide.row(r)) - Y(r, o)));
      f.by_terms = std::max(f.by_terms, std::abs(sum - Y(r, o)));
    }
  }
  f.whole /= largest_entry(Y);
  f.by_terms /= largest_entry(Y);
  return f;
}

Table table_of_counts() {
  Table table{{"inputs", "one layer", "two layers"}, {}};
  for (const double n : {4.0, 16.0, 64.0, 144.0, 784.0})
    table.rows.push_back(
        {significant(n), significant((n + 1) * (n + 2) / 2, 6), significant(distinct_of_degree_four(n), 6)});
  return table;
}

}  // namespace

void part11(Lesson& lesson, Session&) {
  Random random(lesson.options().seed, 66);
  const BiasedLayer first(4, 5, random), second(5, 3, random);
  const Folded folded = fold_layers(first, second, normal_matrix<double>(20, 4, 1, random));
  constexpr std::size_t n = 144, h = 24, outputs = 10;
  constexpr std::size_t as_tensor = outputs * n * (n + 1), factors = 2 * n * h + h + h * outputs;
  lesson.say("Can two layers be folded? ", first.W.rows(), " inputs and the constant, ", first.W.cols(), " and ",
             second.W.cols(), " products: yes, to ", significant(folded.whole, 2), " of the largest output, with ",
             folded.numbers, " numbers for each, or ", folded.terms / std::ptrdiff_t(second.W.cols()),
             " terms where those are added that differ in order. For ", n, " inputs it would be ",
             fixed(distinct_of_degree_four(n), 0), ". One layer of part 6 takes ", factors,
             " multiplications as factors, ", as_tensor, " folded.");
  // Sums of some thousand products, relative to the largest output: some 1e-14.
  lesson.claim("the folded pair = the two layers, relative", folded.whole, at_most(1e-12));
  lesson.claim("terms of the three outputs, counted", double(folded.terms), exactly(3 * distinct_of_degree_four(4)));
  lesson.claim("... and they suffice: their sum = the two layers, relative", folded.by_terms, at_most(1e-12));
  lesson.detail(table_of_counts());
}

}  // namespace lesson5
