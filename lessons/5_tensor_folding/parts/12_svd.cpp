// Lesson 5, part 12: what a singular value decomposition of the tensor can tell, and what not. Six known products can be
// weighed and turned.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5 {

constexpr knob::Numbers weights{"weights",
                                "of the six products x0·x1, x2·x3, ..., behind which the outputs are turned",
                                {6, 5, 4, 3, 2, 1},
                                {0, 6, 0.25}};
constexpr knob::Whole kept{"kept", "singular values kept", 3, {0, 6, 1}};
constexpr knob::Whole turn{"turn", "which random turn of the outputs; 0 is none", 1, {0, 20, 1}};

static std::string listed(const std::vector<double>& values, std::size_t most) {
  std::string text;
  for (std::size_t k = 0; k < std::min(most, values.size()); ++k)
    text += (k > 0 ? " " : "") + (values[k] < 1e-12 ? std::string("0") : significant(values[k], 3));
  return text;
}

// Outputs that mix the products x0·x1, x2·x3, ... of n inputs: slice o is Σ_f mix[o,f]·(x_2f·x_2f+1).
static Tensor3 mixture(const Matrix<double>& mix, std::size_t n) {
  Tensor3 t(mix.rows(), n, n);
  for (std::size_t o = 0; o < mix.rows(); ++o)
    for (std::size_t f = 0; f < mix.cols(); ++f) t(o, 2 * f, 2 * f + 1) = t(o, 2 * f + 1, 2 * f) = mix(o, f) / 2;
  return t;
}

// A random rotation of six outputs: orthonormal columns from the eigenvectors of a random symmetric matrix.
static Matrix<double> rotation(std::size_t which, std::uint64_t seed) {
  Random random(seed, 510 + 1000 * which);
  return which == 0 ? identity(6) : eigen_symmetric(symmetric_part(normal_matrix<double>(6, 6, 1, random))).vectors;
}

// The |cosine| of each product (rows) with each singular vector (columns) of the output mode.
static Matrix<double> cosines(const Svd& found, std::size_t products, std::size_t n) {
  Matrix<double> all(products, found.values.size());
  for (std::size_t f = 0; f < products; ++f)
    for (std::size_t k = 0; k < all.cols(); ++k)
      all(f, k) = std::sqrt(2.0) * std::abs(found.beta(k, (2 * f) * n + 2 * f + 1));
  return all;
}

// How well singular vectors name the products: the mean over these of the best |cosine|.
static double overlap(const Svd& found, std::size_t products, std::size_t n) {
  const Matrix<double> all = cosines(found, products, n);
  double sum = 0;
  for (std::size_t f = 0; f < products; ++f)
    sum += *std::max_element(all.row(f).begin(), all.row(f).begin() + std::ptrdiff_t(products)) / double(products);
  return sum;
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const std::vector<double> weighed = at[weights];
  const Matrix<double> Q = rotation(at[turn], session.options.seed), P = rotation(1, session.options.seed);
  const Matrix<double> diagonal = scale_rows(identity(6), weighed);
  Random random(session.options.seed, 68);
  const Tensor3 few = mixture(normal_matrix<double>(10, 2, 1, random), 6);
  const Svd of_few = svd(output_unfolding(few)), of_equal = svd(output_unfolding(mixture(P, 12))),
            plain = svd(output_unfolding(mixture(diagonal, 12)));
  const Matrix<double> A = output_unfolding(mixture(matmul(Q, diagonal), 12));
  const Svd turned = svd(A);
  Table table{{"tensor", "singular values", "overlap"}, {}};
  const auto row = [&](const std::string& name, const Svd& found, std::size_t products, std::size_t n) {
    table.rows.push_back({name, listed(found.values, 6), fixed(overlap(found, products, n), 3)});
  };
  row("10 outputs mix x0·x1, x2·x3", of_few, 2, 6);
  row("six products, weights " + listed(weighed, 6), plain, 6, 12);
  row("the same, outputs turned", turned, 6, 12);
  row("six equal ones, turned", of_equal, 6, 12);
  lesson.say("Does an SVD of the tensor find the computations? In output mode:");
  lesson.show(table);
  const Svd inputs = svd(input_unfolding(few));
  std::vector<double> held(6);  // how much of each input lies in the directions of the singular vectors
  const std::size_t rank = count_above(inputs.values, 1e-9);
  for (std::size_t p = 0; p < 6; ++p)
    for (std::size_t k = 0; k < rank; ++k) held[p] += inputs.alpha(k, p) * inputs.alpha(k, p);
  double off = 0;
  for (std::size_t p = 0; p < 6; ++p) off = std::max(off, std::abs(held[p] - (p < 4 ? 1 : 0)));
  lesson.say("In input mode the singular vectors of the first hold of x0 to x5 ", listed(held, 6), ".");
  // What should be 0 is some 1e-15 of the largest, what should not be is near 1: 1e-9 lies between.
  lesson.claim("ten outputs, two computations: rank", double(count_above(of_few.values, 1e-9)), exactly(2));
  lesson.claim("inputs in use: 1, the others 0, largest difference", off, at_most(1e-9));
  lesson.claim_usual("different weights, orthogonal forms: overlap", overlap(turned, 6, 12), at_least(1 - 1e-9));
  lesson.claim("equal weights: any turn of the vectors is as good, overlap", overlap(of_equal, 6, 12),
               at_most(1 - 1e-3));

  plot::HeatMap map{.title = "|Cosine| of each product with each singular vector", .rows = 6, .cols = 6};
  map.numbers = true;
  map.low = 0;
  map.high = 1;
  const Matrix<double> shown = cosines(turned, 6, 12);
  for (const double cosine : shown.values()) map.values.push_back(std::round(1000 * cosine) / 1000);
  Matrix<double> rest = A;
  double beyond = 0, apart = 0;
  std::vector<double> expected = weighed;
  std::sort(expected.rbegin(), expected.rend());
  for (std::size_t k = 0; k < 6; ++k) {
    const double value = turned.values[k];
    map.col_labels.push_back("σ " + significant(value < 1e-12 ? 0 : value, 3));
    map.row_labels.push_back(join("x", 2 * k, "·x", 2 * k + 1, ", ", weighed[k]));
    apart = std::max(apart, std::abs(value - expected[k] / std::sqrt(2.0)));
    if (k >= at[kept]) beyond += value * value;
    else rest = rest - value * matmul(transpose(row_block(turned.alpha, k, 1)), row_block(turned.beta, k, 1));
  }
  lesson.figure("svd", map);
  const double lost = std::sqrt(dot(rest, rest));
  lesson.note("With ", at[kept], " singular values kept, ", lost, " of the tensor's length ", std::sqrt(dot(A, A)),
              " is lost. A singular vector is one product where the product's weight is its own; "
              "products of equal weight are mixed, and with another turn otherwise.");
  // The turn's rows are at right angles to some 1e-15, and numbers are up to 6.
  lesson.claim("singular values are the weights over √2: largest difference", apart, at_most(1e-12));
  lesson.claim("what is lost is the root of the squares beyond (Eckart and Young): difference",
               std::abs(lost - std::sqrt(beyond)), at_most(1e-12));
}

extern const Part<Session> part12(12, "What an SVD counts", run,
                                  "When does an SVD name the products, and what is lost with each that is left out?",
                                  {&weights, &kept, &turn}, nullptr, nullptr, PartKind::further);

}  // namespace lesson5
