// Lesson 5, part 10: six outputs that mix six known products, of which the SVD keeps some.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "lessons/5_tensor_folding/knobs/shared.hpp"
#include "lessons/5_tensor_folding/model/09_unfolding.hpp"

namespace lesson5 {
namespace {

constexpr knob::Numbers weights{"weights",
                                "of the six products x0·x1, x2·x3, ..., behind which the outputs are turned",
                                {6, 5, 4, 3, 2, 1},
                                {0, 6, 0.25}};
constexpr knob::Whole kept{"kept", "singular values kept", 3, {0, 6, 1}};
constexpr knob::Whole turn{"turn", "which random turn of the outputs; 0 is none", 1, {0, 20, 1}};

// Six slices over twelve inputs: slice o is Σ_f turn[o,f]·weight[f]·(x_2f·x_2f+1).
Tensor3 mixed(const knob::Settings& at, std::uint64_t seed) {
  Random random(seed, 510 + 1000 * at[turn]);
  const auto A = normal_matrix<double>(6, 6, 1, random);
  const Matrix<double> Q = at[turn] == 0 ? identity(6) : eigen_symmetric(A + Matrix<double>(transpose(A))).vectors;
  Tensor3 t(6, 12, 12);
  for (std::size_t o = 0; o < 6; ++o)
    for (std::size_t f = 0; f < 6; ++f) t(o, 2 * f, 2 * f + 1) = t(o, 2 * f + 1, 2 * f) = Q(o, f) * at[weights][f] / 2;
  return t;
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Matrix<double> A = output_unfolding(mixed(at, session.options.seed));
  const Svd found = svd(A);
  plot::HeatMap map{.title = "|Cosine| of each product with each singular vector", .rows = 6, .cols = 6};
  map.numbers = true;
  map.low = 0;
  map.high = 1;
  Matrix<double> rest = A;
  double beyond = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    map.col_labels.push_back("σ " + significant(found.values[k] < 1e-12 ? 0 : found.values[k], 3));
    map.row_labels.push_back(join("x", 2 * k, "·x", 2 * k + 1, ", ", at[weights][k]));
    for (std::size_t j = 0; j < 6; ++j)
      map.values.push_back(std::round(1000 * std::sqrt(2.0) * std::abs(found.V(26 * k + 1, j))) / 1000);
    if (k >= at[kept]) beyond += found.values[k] * found.values[k];
    else rest = rest - found.values[k] * matmul(column_block(found.U, k, 1), transpose(column_block(found.V, k, 1)));
  }
  lesson.picture("turned_svd", map);
  const double lost = std::sqrt(dot(rest, rest)), all = std::sqrt(dot(A, A));
  lesson.say("With ", at[kept], " singular values kept, ", lost, " of the tensor's length ", all,
             " is lost. A singular vector is one product where the product's weight is its own; "
             "products of equal weight are mixed, and with another turn otherwise.");
  std::vector<double> expected = at[weights];
  std::sort(expected.rbegin(), expected.rend());
  double off = 0;
  for (std::size_t k = 0; k < 6; ++k) off = std::max(off, std::abs(found.values[k] - expected[k] / std::sqrt(2.0)));
  // The turn's rows are at right angles to some 1e-15, and numbers are up to 6.
  lesson.claim("singular values are the weights over √2: largest difference", off, at_most(1e-12));
  lesson.claim("what is lost is the root of the squares beyond (Eckart and Young): difference",
               std::abs(lost - std::sqrt(beyond)), at_most(1e-12));
}

}  // namespace

Bench<Session> bench10() {
  return {"When does an SVD name the products, and what is lost with each that is left out?",
          {&weights, &kept, &turn},
          run};
}

}  // namespace lesson5
