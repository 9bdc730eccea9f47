// Lesson 5 beyond its claims: gradients, decompositions at the ends of the range, dependent
// factors, stored nets.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "lessons/5_tensor_folding/closed_form.hpp"
#include "lessons/5_tensor_folding/dictionaries.hpp"
#include "lessons/5_tensor_folding/spectra.hpp"
#include "lessons/5_tensor_folding/train.hpp"
#include "tests/gradients.hpp"

using namespace lesson5;
using Numbers = Matrix<double>;

// Sums of some hundred products of size 1, and rotations of 144 entries, relative to the largest.
constexpr double exact_enough = 1e-12;

// ---------------------------------------------------------------------------------- decompositions

static Numbers random_symmetric(std::size_t n, Random& random) {
  return 2 * symmetric_part(normal_matrix<double>(n, n, 1, random));
}

static std::vector<double> decompose(Checks& check, const std::string& what, const Numbers& A) {
  const auto [values, V] = eigen_symmetric(A);
  for (std::size_t k = 1; k < values.size(); ++k)
    check.that(std::abs(values[k]) <= std::abs(values[k - 1]), what + ": falling sizes");
  check.near(max_abs_difference(matmul(V, transpose(V)), identity(A.rows())), 0, exact_enough,
             what + ": orthonormal");
  check.near(max_abs_difference(matmul(transpose(V), scale_rows(V, values)), A), 0,
             exact_enough * std::abs(values[0]), what + ": the matrix comes back");
  return values;
}

static void eigenvectors(Checks& check, Random& random) {
  check.that(decompose(check, "[2 2; 2 5]", {{2, 2}, {2, 5}}) == std::vector<double>{6, 1},
             "by hand: 6 and 1");
  check.that(decompose(check, "-xy", {{0, -0.5}, {-0.5, 0}}) == std::vector<double>{0.5, -0.5},
             "the positive one first");
  check.that(eigen_symmetric(scale_rows(identity(4), {1, -7, 0, 3})).values ==
                 std::vector<double>{-7, 3, 1, 0},
             "a diagonal matrix is sorted by size");
  for (const std::size_t n : {1u, 3u, 17u, 144u})
    decompose(check, "random, n = " + std::to_string(n), random_symmetric(n, random));
  Numbers D = random_symmetric(5, random), V = identity(5);
  const Numbers before = D;
  rotate_away(D, V, 1, 3);
  for (std::size_t k = 0; k < 5; ++k) D(k, 1) = D(1, k);  // as sweep() does after row p
  check.near(max_abs_difference(D, matmul(matmul(V, before), transpose(V))), 0, 1e-14,
             "a rotation is J·D·Jᵀ");
  check.that(D(1, 3) == 0, "and makes its entry exactly zero");
  check.that(D(3, 1) == 0, "and its mirror image");
  // Graded: [1 2^-21; 2^-21 2^-40] has determinant 3·2^-42; its larger root has no cancellation.
  const double x = 0x1p-21, y = 0x1p-40,
               large = (1 + y + std::sqrt((1 - y) * (1 - y) + 4 * x * x)) / 2;
  check.near(eigen_symmetric({{1, x}, {x, y}}).values[1] * large / 0x3p-42, 1, 1e-15,
             "small values keep their digits");
}

static void range(Checks& check, Random& random) {
  const Numbers A = random_symmetric(9, random);
  for (const double scale : {0x1p-300, 0x1p+300}) {  // powers of two round nothing
    check.that(eigen_symmetric(scale * A).vectors == eigen_symmetric(A).vectors,
               "vectors do not depend on the scale");
    check.that(eigen_symmetric(scale * A).values[8] == scale * eigen_symmetric(A).values[8],
               "values scale");
  }
  using Wrong = std::invalid_argument;
  const double infinite = std::numeric_limits<double>::infinity();
  check.throws<Wrong>([] { eigen_symmetric(Numbers(2, 3)); }, "needs a square matrix: 2 x 3",
                      "no square");
  check.throws<Wrong>(
      [] {
        eigen_symmetric({{1, 0}, {1e-11, 1}});
      },
      "eigen_symmetric: not symmetric", "not symmetric");
  check.throws<Wrong>(
      [&] {
        eigen_symmetric({{1, infinite}, {infinite, 1}});
      },
      "or not finite", "infinite");
  check.throws<std::runtime_error>([&] { eigen_symmetric(A, 2); }, "eigen_symmetric: more sweeps",
                                   "two sweeps");
}

// --------------------------------------------------------------------------------- nets as tensors

// The factors' columns may be equal, zero, or cancel.
static void folded(Checks& check, Random& random) {
  std::vector<Net<double>> nets;
  for (const std::size_t embedding : {4u, 0u, 2u})
    for (const Biases biases : {Biases::with, Biases::without})
      nets.push_back(Net<double>(
          {.inputs = 6, .embedding = embedding, .hidden = 5, .outputs = 3, .biases = biases}));
  for (int spoilt = 0; spoilt < 4; ++spoilt) nets.push_back(Net<double>(of_products(6, 5, 3)));
  for (Net<double>& net : nets) fill_normal(net.tensors(), random);
  nets[6].V = nets[6].W;
  for (Numbers* factor : {&nets[7].W, &nets[7].V, &nets[8].W, &nets[8].V})
    for (std::size_t i = 0; i < 6; ++i) (*factor)(i, 1) = (*factor)(i, 0);
  for (std::size_t o = 0; o < 3; ++o) nets[8].U(1, o) = -nets[8].U(0, o);
  nets[9].V = Numbers(6, 5);
  for (std::size_t k = 0; k < nets.size(); ++k) {
    const Net<double>& net = nets[k];
    const std::string what = "net " + std::to_string(k);
    const auto X = normal_matrix<double>(20, 6, 1, random);
    const Numbers Y = output(net, X);
    check.near(max_abs_difference(evaluate(fold(net), with_one(X)), Y), 0, 100 * exact_enough,
               what + ": folded");
    for (std::size_t o = 0; o < 3; ++o) {
      const Numbers S = quadratic_slices(net)[o];
      const auto [values, V] = eigen_through_factors(net, o);
      check.near(max_abs_difference(matmul(transpose(V), scale_rows(V, values)), S), 0,
                 100 * exact_enough, what + ": Σ λ·vᵀ·v through the factors");
      const Numbers angles = matmul(V, transpose(V));
      for (std::size_t i = 0; i < values.size(); ++i)
        for (std::size_t j = 0; std::abs(values[i]) > 1e-9 && j < i; ++j)
          check.near(angles(i, j), 0, 1e-9, what + ": right angles");
    }
  }
  const Numbers W(3, 2), E(2, 3);
  const auto refused = [&](auto&& action, const std::string& message) {
    check.throws<std::invalid_argument>(action, message, message);
  };
  refused([&] { product_tensor(W, E); }, "product_tensor: 3 x 2 and 2 x 3");
  refused([&] { fold_behind(product_tensor(W, W), W); }, "fold_behind: 2 x 1 and 3 x 2");
  refused([&] { fold_factors(W, W, W); }, "fold_factors: 3 x 2 and 3 x 2");
  refused([&] { extended(W, Numbers(1, 3)); }, "extended: 3 x 2 and 1 x 3");
  UnitNet<double> bent({.inputs = 3, .hidden = 4, .outputs = 2});
  fill_normal(bent.tensors(), random);
  refused([&] { check_quadratic(bent, "fold"); }, "fold: the net is not a quadratic function");
}

// Eigenvalues of what is not symmetric, in pairs and complex; and a table whose products come back
// with their weights, to rounding over the gaps between them.
static void at_once(Checks& check, Random& random) {
  const Numbers turn{{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 3, 0}, {0, 0, 0, 3}},
      N = normal_matrix<double>(4, 4, 1, random),
      mixed = matmul(matmul(N, turn), inverse_of_symmetric(matmul(transpose(N), N)));
  const std::vector<double> values = eigenvalues(matmul(mixed, transpose(N)));  // N·turn·N⁻¹
  for (std::size_t k = 0; k < 4; ++k)
    check.near(values.at(k), k < 2 ? 3 : 0, 1e-9, "the real part of an eigenvalue");
  const Net<double> net(of_products(9, 4, 3), random),
      found = products_of_table(quadratic_slices(net), 4, Random(5));
  const Tensor3 S = quadratic_slices(net), again = quadratic_slices(found);
  for (std::size_t o = 0; o < S.size(); ++o)
    check.near(max_abs_difference(S[o], again[o]), 0, 1e-9, "the table of what was found at once");
  for (const double cosine : likeness(net, found)) check.near(cosine, 1, 1e-9, "found at once");
}

static void readings(Checks& check, Random& random) {
  check.near(effective_rank({300, -100, 0}), 1.6, 1e-15, "effective rank: 16/10");
  const Eigen one_pattern{
      {1}, {{0, 0, 0, 0, 0, 0.6, 0, 0, 0, 0, 0, 0.8}}};  // inside, and the last corner
  check.near(border_energy({one_pattern}, Images{3, 4, {}, {}}), 0.64, 1e-15,
             "the part in the outer ring");

  Net<double> net(of_products(9, 5, 10), random);
  const Tensor3 S = quadratic_slices(net);
  Numbers M = S[4];
  for (const Numbers& slice : S) M += -0.1 * slice;
  const Net<double> one = contrast(net, 4);
  const Numbers direction = fooling_direction(one), ink = ink_direction(one), ones(1, 9, 1);
  check.near(max_abs_difference(times_M(one, ones), matmul(ones, M)), 0, 1e-13,
             "x·M from the factors");
  check.that(dot(direction, ones) > 0, "the sign that gains by ink");
  check.that(dot(times_M(one, ones), ink) > 0, "ink·M gains by ink");
  const Images two{1, 2, {{4, 0}, {0, 1}, {0, 1}}, {1, 0, 0}};
  check.near(max_abs_difference(class_direction(two, 1), unit_rows({{8, -2}})), 0, 1e-15,
             "a class less all");
  // The 1 wins where pixel 1 is brighter; of the two 0s only one is given enough.
  LinearNet<float> brighter({2, 2});
  brighter.W = {{1, 0}, {0, 1}};
  const Images zeros{1, 2, {{1, 0}, {1, 0}, {0, 1}}, {0, 0, 1}};
  check.near(fooled(brighter, zeros, 1, {{0, 2}}), 1, 0, "both of one digit, by one pattern");
  check.near(fooled(brighter, zeros, 1, {{0, 2}, {0, 0.5}, {0, 0}}), 0.5, 0, "each by its own");
}

// Shorter changes than the guaranteed one turn no answer, wherever they point; the one that turns
// it does so just there.
static void guarantees(Checks& check, Random&) {
  Random random(9);
  const Net<double> net(of_products(7, 9, 4), random);
  const auto X = normal_matrix<double>(30, 7, 1, random);
  const std::vector<std::uint32_t> before = largest_of_rows(output(net, X));
  const std::vector<Change> shortest = changes(net, X);
  double least = 3;  // how near a random change comes
  for (std::size_t r = 0; r < X.rows(); ++r) {
    const Numbers x(row_block(X, r, 1));
    for (int attempt = 0; attempt < 300; ++attempt) {
      const Numbers d = unit_rows(normal_matrix<double>(1, 7, 1, random));
      const auto answer = [&](double length) {
        return largest_of_rows(output(net, x + length * d))[0];
      };
      check.that(answer(0.999 * shortest[r].safe) == before[r], "a shorter change turns nothing");
      for (double length = 1; length < least; length += 0.05)
        if (answer(length * shortest[r].safe) != before[r]) least = length;
    }
    if (shortest[r].turns == HUGE_VAL) continue;
    check.that(shortest[r].turns >= shortest[r].safe, "no shorter one is found along x·M");
    bool turned = false;
    for (std::size_t other = 0; other < 4; ++other) {
      if (other == before[r]) continue;
      const Numbers along = unit_rows(times_M(lead_over(net, before[r], other), x));
      const auto answer = [&](double part) {
        return largest_of_rows(output(net, x - part * shortest[r].turns * along))[0];
      };
      turned = turned || (answer(1.001) != before[r] && answer(0.999) == before[r]);
    }
    check.that(turned, "the change along x·M turns the answer just there");
  }
  check.that(least < 1.3, "some random change turns an answer at less than 1.3 of it");
}

static void products(GradientTest& test, Random& random) {
  Net<double> net(of_products(5, 4, 3)), other(of_products(5, 2, 3)), d(net.form), unused(net.form);
  for (const auto& [name, tensor] : net.tensors())
    tensor = quarters(tensor.rows(), tensor.cols(), random);
  fill_normal(other.tensors(), random);
  const auto squares = [&] { return square_of_slices(net, unused); };
  double entries = 0;
  for (const Numbers& slice : quadratic_slices(net)) entries += dot(slice, slice);
  test.check.near(square_of_slices(net, d), entries, 1e-10, "the squares of all entries");
  test.list("square_of_slices", net.tensors(), d.tensors(), squares, Step::quadratic);
  const auto X = normal_matrix<double>(7, 5, 1, random);
  test.check.near(
      max_abs_difference(output(minus(net, other), X), output(net, X) - output(other, X)), 0, 1e-11,
      "a difference of nets is a net");
  Net<double> scaled(other.form);
  scaled.W = 3 * other.V;
  scaled.V = -1 * other.W;
  for (const double cosine : likeness(other, scaled))
    test.check.near(cosine, 1, 1e-12, "factors exchanged and scaled");
  test.check.near(likeness(Net<double>(net), net)[0], 1, 1e-12, "a product is like itself");
  Net<double> twice(other.form);
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t p = 0; p < 5; ++p) {
      twice.W(p, k) = net.W(p, 0);
      twice.V(p, k) = net.V(p, 0);
    }
  const std::vector<double> of_net = likeness(net, twice), of_twice = likeness(twice, net);
  test.check.that(of_net.size() == 4 && of_net[1] < 0.99, "each of the first net's products");
  test.check.near(of_twice[0] + of_twice[1], 2, 1e-12, "two copies of one product");
  const Products found = find_products(other, 2, Random(3));
  test.check.near(found.left, 0, 1e-6, "two products: nothing is left");
  for (const double cosine : likeness(other, found.net))
    test.check.near(cosine, 1, 1e-9, "and they are found");
  test.check.that(find_products(net, 1, Random(3)).left > 0.1,
                  "one product for four leaves something");
}

// learn() must ask for each pair once and report a share after every tenth step.
static void operations(Checks& check, Random&) {
  OperationSettings settings;
  settings.steps = 25;
  std::vector<int> asked(25);
  const auto sum = [&](std::size_t a, std::size_t b) {
    ++asked[5 * a + b];
    return (a + b) % 5;
  };
  const Learned learned = learn(sum, 5, settings, Random(4));
  check.that(asked == std::vector<int>(25, 1), "every pair once");
  check.that(learned.seen.size() == 2, "a share after every tenth step");
  check.that(learned.unseen.size() == 2, "of unseen pairs, too");
  const Numbers Y = output(in_double(learned.net), Numbers(1, 10));
  check.near(learned.seen[1] * 17, std::round(learned.seen[1] * 17), 1e-12,
             "17 of 25 pairs are seen");
  check.that(largest_entry(Y) == 0, "two one-hot inputs");
  settings.steps = 300;
  check.that(
      learn([](std::size_t, std::size_t b) { return b; }, 5, settings, Random(4)).unseen.back() ==
          1,
      "b is learned");
  check.throws<std::out_of_range>(
      [&] { learn([](std::size_t, std::size_t) { return 5; }, 5, settings, Random(4)); }, "",
      "an answer that is no number below the modulus");
}

// --------------------------------------------------------------------------- training, stored nets

// Weights start independent, with variance 1/fan-in, for ReLU units twice that.
static void starts(Checks& check, Random& random) {
  const Net<double> net({.inputs = 30, .embedding = 40, .hidden = 50, .outputs = 60}, random);
  for (const Numbers* W : {&net.E, &net.W, &net.V, &net.U})
    check.near(mean_square(*W) * double(W->rows()), 1, 0.2, "the variance of the start");
  check.near(dot(net.W, net.V), 0, 0.2 * 50, "W and V have nothing in common");
  const UnitNet<double> relu({.inputs = 30, .hidden = 50, .outputs = 10}, random);
  check.near(mean_square(relu.W) * 30, 2, 0.4, "the variance of ReLU units");
}

// What chooses was not learned from, and nothing is lost.
static void choice(Checks& check, Random&) {
  Images all{1, 1, Matrix<float>(26, 1), std::vector<std::uint32_t>(26)};
  for (std::size_t r = 0; r < 26; ++r) all.X(r, 0) = float(all.labels[r] = std::uint32_t(r));
  const TrainTest two = without_test(all);
  check.that(two.train.labels.size() == 21 && two.train.labels.back() == 20, "five sixths learn");
  check.that(two.test.labels.front() == 21 && two.test.labels.back() == 25, "the last judges");
  check.that(two.test.X(0, 0) == 21, "images go with their labels");
}

static void training(Checks& check, Random& random) {
  ClassifierSettings settings;
  settings.rate = 1e6;
  LinearNet<float> net({digits::area, 10});
  const Images images = draw_digits(40, random);
  check.throws<Diverged>([&] { train(net, images, settings, Random(8)); },
                         "training diverged: at step ", "a rate");
}

static Numbers reversed(const Numbers& rows) {
  Numbers other(rows.rows(), rows.cols());
  for (std::size_t i = 0; i < rows.rows(); ++i)
    std::ranges::copy(rows.row(i), other.row(rows.rows() - 1 - i).begin());
  return other;
}

// What the codes cost reaches W and b beside the error's own gradient.
static void autoencoder(Checks& check, Random& random) {
  UnitNet<double> net({3, 5, 3});
  fill_normal(net.tensors(), random);
  const auto J = normal_matrix<double>(7, 3, 1, random);
  UnitNet<double>::Trace t;
  Gradients<UnitNet<double>> g(net);
  autoencoder_loss(net, J, 0.7, t, g);
  const Tensors<double> derived = g.parameters.tensors();
  Gradients<UnitNet<double>> unused(net);
  const auto loss = [&] { return autoencoder_loss(net, J, 0.7, t, unused); };
  check.near(check_gradients(net.tensors(), derived, loss).worst(), 0, smooth_tolerance,
             "a sparse autoencoder's gradients");
}

// The rows that judge a dictionary have not taught it: in another order they have the same codes,
// in that order. And the rows that teach it do not judge.
static void dictionaries(Checks& check, Random& random) {
  const auto learned = normal_matrix<double>(20, 4, 1, random),
             judging = normal_matrix<double>(20, 4, 1, random);
  const auto codes = [&](const Numbers& others) {
    Numbers J(40, 4);
    std::ranges::copy(learned.values(), J.values().begin());
    std::ranges::copy(others.values(), J.values().begin() + 80);
    Random again(2);
    return codes_of_others(J, 8, {.starts = 2, .rounds = 5}, again);
  };
  const Numbers C = codes(judging);
  check.that(largest_entry(C) > 0.1, "judging rows have codes");
  check.near(max_abs_difference(codes(reversed(judging)), reversed(C)), 0, exact_enough,
             "rows that judge have taught nothing");
  check.near(largest_entry(codes(Numbers(20, 4))), 0, 0, "... and no others judge");
}

static void stored_nets(Checks& check, Random& random) {
  Net<float> net(of_products(4, 3, 10), random);
  net.W(0, 0) = -0.0f;
  const safetensors::File file = file_of(net);
  const Net<float> found = net_in(safetensors::parse(safetensors::serialize(file)), 4, 10);
  check.that(found.form == net.form, "a net's form comes back");
  for (std::size_t t = 0; t < net.tensors().size(); ++t)
    check.that(found.tensors()[t].tensor == net.tensors()[t].tensor,
               net.tensors()[t].name + " comes back");
  check.that(std::signbit(found.W(0, 0)), "to the bit");
  const auto refused = [&](const safetensors::File& wrong, std::size_t inputs,
                           const std::string& part) {
    check.throws<std::runtime_error>([&] { net_in(wrong, inputs, 10); }, part,
                                     "a file that says " + part);
  };
  safetensors::File other = file;
  other.metadata["lesson"] = "3";
  refused(other, 4, "holds no net of lesson 5 (lesson: 3, model: net)");
  refused(file, 5, "is made for 4 pixels, and these images have 5");
  net.U(2, 9) = std::numeric_limits<float>::quiet_NaN();
  refused(file_of(net), 4, "tensor 'U' holds a number that is not finite");
}

int main() {
  GradientTest test;
  Random random(1);
  visit_models(test);
  for (const auto part : {eigenvectors, range, folded, readings, guarantees, operations, starts,
                          choice, training, autoencoder, dictionaries, stored_nets})
    part(test.check, random);
  products(test, random);
  at_once(test.check, random);
  return test.done("test_lesson5");
}
