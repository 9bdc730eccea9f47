// Tests of what the eigenvectors of slices say (model/05_spectrum).
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lessons/5_tensor_folding/model/03_fold.hpp"
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"
#include "tests/check.hpp"
#include "tests/lesson5_nets.hpp"

using namespace lesson5;

// Without embedding or biases.
static NetForm bare(std::size_t inputs, std::size_t hidden, std::size_t outputs) {
  return {inputs, 0, hidden, outputs, Biases::without};
}

// The largest sum of the sizes of what a slice's entries are sums of: rounding is small against this, also where terms
// cancel.
static double size_of_terms(Net<double> net) {
  for (const auto& [name, tensor] : net.tensors()) tensor = map(tensor, [](double x) { return std::abs(x); });
  double size = 0;
  for (const Numbers& slice : fold(net).slices) size = std::max(size, largest_entry(slice));
  return size;
}

// Vectors through the factors are some 50 roundings of 2e-16 off, times the squared condition of F, below 1e3 for all
// nets here.
constexpr double vectors_enough = 1e-11;

// What must hold whatever the net: Σ λ·vᵀ·v is the slice, and vectors of eigenvalues that are not zero are orthonormal.
static Eigen through_factors(Checks& check, const std::string& what, const Net<double>& net, std::size_t o) {
  const Numbers S = quadratic_slices(net)[o];
  const Eigen found = eigen_through_factors(net, o);
  const std::size_t count = found.values.size();
  check.that(found.vectors.shape() == Shape{2 * net.form.hidden, net.form.inputs} && count == 2 * net.form.hidden,
             what + ": two rows for each product");
  if (found.vectors.rows() != count) return found;
  const double size = size_of_terms(net);
  Numbers scaled = found.vectors;
  for (std::size_t k = 0; k < count; ++k)
    for (double& v : scaled.row(k)) v *= found.values[k];
  check.near(max_abs_difference(matmul(transpose(found.vectors), scaled), S), 0, exact_enough * size,
             what + ": Σ λ·vᵀ·v = S");
  for (std::size_t k = 0; k < count; ++k) {
    if (k > 0) check.that(std::abs(found.values[k - 1]) >= std::abs(found.values[k]), what + ": falling |λ|");
    for (std::size_t j = 0; j <= k; ++j) {
      const auto a = found.vectors.row(k), b = found.vectors.row(j);
      double product = 0;
      for (std::size_t p = 0; p < a.size(); ++p) product += a[p] * b[p];
      if (std::abs(found.values[k]) > exact_enough * size)
        check.near(product, j == k ? 1 : 0, vectors_enough, what + ": orthonormal vectors");
      else check.that(std::abs(product) <= 1 + vectors_enough, what + ": no vector longer than 1");
    }
  }
  return found;
}

// The same against the slice itself. Vectors are compared where no other eigenvalue is near, up to their signs.
static void against_slice(Checks& check, const std::string& what, const Net<double>& net) {
  for (std::size_t o = 0; o < net.form.outputs; ++o) {
    const Eigen whole = eigen_symmetric(quadratic_slices(net)[o]), found = through_factors(check, what, net, o);
    const double size = size_of_terms(net);
    std::vector<double> left = whole.values, right = found.values;
    left.resize(std::max(left.size(), right.size()));
    right.resize(left.size());
    std::sort(left.begin(), left.end());  // by value: sizes may tie
    std::sort(right.begin(), right.end());
    for (std::size_t k = 0; k < left.size(); ++k)
      check.near(right[k], left[k], exact_enough * size, what + ": the eigenvalues of the slice, and zeros");
    for (std::size_t k = 0; k < whole.values.size(); ++k) {
      double gap = std::abs(whole.values[k]);  // and of equal sizes either may come first
      for (std::size_t j = 0; j < whole.values.size(); ++j)
        if (j != k) gap = std::min(gap, std::abs(std::abs(whole.values[k]) - std::abs(whole.values[j])));
      if (!(gap > 0.01 * size) || k >= found.values.size()) continue;
      const auto a = whole.vectors.row(k), b = found.vectors.row(k);
      double sum = 0, difference = 0;
      for (std::size_t p = 0; p < a.size(); ++p) {
        sum = std::max(sum, std::abs(a[p] + b[p]));
        difference = std::max(difference, std::abs(a[p] - b[p]));
      }
      check.near(std::min(sum, difference), 0, vectors_enough, what + ": the eigenvectors of the slice, up to signs");
    }
  }
}

static void spectra(Checks& check) {
  Random random(3);
  for (const NetForm& form : forms) against_slice(check, name_of(form), random_net<double>(form, random));
  for (const NetForm& form : {bare(9, 3, 2), bare(9, 1, 2), NetForm{9, 2, 1, 1}, bare(1, 1, 1), bare(2, 7, 2)})
    against_slice(check, name_of(form), random_net<double>(form, random));

  // One product: w·vᵀ has the eigenvalues (w·v ± |w||v|)/2. For (1, 0) and (3, 4): 4 and -1; U doubles them.
  Net<double> one(bare(2, 1, 1));
  one.W = {{1}, {0}};
  one.V = {{3}, {4}};
  one.U = {{2}};
  const Eigen found = eigen_through_factors(one, 0);
  check.near(found.values[0], 8, 1e-14, "one product: the positive eigenvalue");
  check.near(found.values[1], -2, 1e-14, "one product: the negative eigenvalue");
  check.near(std::abs(found.vectors(0, 0)), std::sqrt(0.8), 1e-14, "one product: (2, 1)/√5");
  check.near(found.vectors(0, 1) / found.vectors(0, 0), 0.5, 1e-14, "one product: (2, 1)/√5");
}

// Copies column `from` of A over column `to`, times a factor.
static void copy_column(Numbers& A, std::size_t from, std::size_t to, double factor = 1) {
  for (std::size_t i = 0; i < A.rows(); ++i) A(i, to) = factor * A(i, from);
}

// The same of both factors of a product.
static void copy_product(Net<double>& net, std::size_t from, std::size_t to, double factor = 1) {
  copy_column(net.W, from, to, factor);
  copy_column(net.V, from, to, factor);
}

// FᵀF then has eigenvalues that are 0, or that rounding makes a little more or less than 0.
static void dependent_factors(Checks& check) {
  Random random(4);
  for (int round = 0; round < 20; ++round) {
    const Net<double> any = random_net<double>(bare(9, 4, 2), random);
    Net<double> net = any;
    net.V = net.W;
    against_slice(check, "squares, W = V", net);
    net = any;
    copy_product(net, 0, 2);
    against_slice(check, "two equal products", net);
    copy_column(net.W, 0, 2, -3);
    against_slice(check, "two products that differ by a factor", net);
    net = any;
    copy_column(net.W, 1, 3);
    copy_column(net.W, 1, 0);
    against_slice(check, "one w in three products", net);
    net = any;
    copy_product(net, 1, 3, 0);
    against_slice(check, "a product of zeros", net);
    net = any;
    net.V = Numbers(9, 4);
    against_slice(check, "V = 0", net);
    net = any;
    copy_product(net, 0, 1);
    copy_product(net, 2, 3);
    for (std::size_t o = 0; o < 2; ++o) {
      net.U(1, o) = -net.U(0, o);
      net.U(3, o) = -net.U(2, o);
    }
    against_slice(check, "products that cancel", net);
    net = any;
    net.U = Numbers(4, 2);
    against_slice(check, "U = 0", net);
    const Net<double> narrow = random_net<double>({9, 2, 4, 2, Biases::without}, random);
    against_slice(check, "an embedding of two numbers", narrow);
  }
  against_slice(check, "a net of zeros", Net<double>(bare(3, 2, 1)));
}

static void effective_ranks(Checks& check) {
  check.near(effective_rank({5}), 1, 0, "effective rank of one eigenvalue");
  check.near(effective_rank({2, 2, 2, 2}), 4, 0, "of four equal ones");
  check.near(effective_rank({2, -2}), 2, 0, "signs do not matter");
  check.near(effective_rank({3, 0, 0}), 1, 0, "zeros do not count");
  check.near(effective_rank({3, -1}), 1.6, 1e-15, "16/10");
  check.near(effective_rank({300, -100}), 1.6, 1e-15, "nor does the scale");
}

static void truncated(Checks& check) {
  const std::vector<Eigen> plain{{{2, -1}, {{1, 0}, {0, 1}}}, {{3}, {{0, 1}}}};
  const Numbers X{{3, 4}, {1, 0}};
  check.that(evaluate_truncated(plain, X, 0) == Numbers(2, 2), "no eigenvector: nothing");
  check.that(evaluate_truncated(plain, X, 1) == Numbers{{18, 48}, {2, 0}}, "the first of each output");
  check.that(evaluate_truncated(plain, X, 2) == Numbers{{2, 48}, {2, 0}}, "as many as there are");

  Random random(5);
  for (const std::size_t embedding : {0u, 4u}) {
    const Net<double> net = random_net<double>({6, embedding, 5, 3, Biases::without}, random);
    std::vector<Eigen> of_slices, of_factors;
    for (std::size_t o = 0; o < 3; ++o) {
      of_slices.push_back(eigen_symmetric(quadratic_slices(net)[o]));
      of_factors.push_back(eigen_through_factors(net, o));
    }
    const auto points = normal_matrix<double>(20, 6, 1, random);
    const Numbers Y = evaluate(fold(net), with_one(points));
    const double size = largest_entry(Y);
    check.near(max_abs_difference(evaluate_truncated(of_slices, points, 6), Y) / size, 0, exact_enough, "all of 6");
    check.near(max_abs_difference(evaluate_truncated(of_factors, points, 10), Y) / size, 0, exact_enough, "all of 10");
    check.that(max_abs_difference(evaluate_truncated(of_slices, points, 1), Y) > 1e-3 * size, "one is not all");
  }
}

static void extremes(Checks& check) {
  const Eigen eigen{{-4, 3, 3, -4, 1}, {}};
  check.that(most_positive(eigen) == 1 && most_negative(eigen) == 0, "the extremes, of equal ones the first");
}

static void borders(Checks& check) {
  std::vector<double> v(12, 0);
  v[5] = 0.6;   // inside
  v[11] = 0.8;  // the last corner
  check.near(border_energy(v, 3, 4), 0.64, 1e-15, "the part in the outer ring");
  for (const std::size_t edge : {1u, 4u, 7u, 9u}) {
    std::vector<double> one(12, 0);
    one[edge] = 1;
    check.near(border_energy(one, 3, 4), 1, 0, "top, left, right and bottom");
  }
}

int main() {
  Checks check;
  spectra(check);
  dependent_factors(check);
  effective_ranks(check);
  truncated(check);
  extremes(check);
  borders(check);
  return check.done("test_lesson5_spectrum");
}
