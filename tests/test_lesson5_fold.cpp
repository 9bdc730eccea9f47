// Tests of lesson 5 apart from gradients and Jacobi rotations: tensors of order three, folding, what the eigenvectors of slices
// say, and stored nets.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/gradcheck.hpp"
#include "common/support/words.hpp"
#include "lessons/5_tensor_folding/fold.hpp"
#include "lessons/5_tensor_folding/model_file.hpp"
#include "lessons/5_tensor_folding/spectrum.hpp"
#include "lessons/5_tensor_folding/tensor3.hpp"
#include "tests/check.hpp"

using Numbers = Matrix<double>;
using Slices = std::vector<Numbers>;

// Sums of at most a few hundred products of numbers of size 1, relative to the largest result: some 100 roundings of 1e-16,
// and room for what cancels.
constexpr double exact_enough = 1e-12;

static double largest_entry(const Numbers& A) {
  double result = 0;
  for (const double a : A.values()) result = std::max(result, std::abs(a));
  return result;
}

// ---------------------------------------------------------------------------------------------- a tensor, by hand

// Two products of three inputs: w_0 = (1, 3, 0), v_0 = (2, 1, -1); w_1 = (2, -1, 2), v_1 = (0, 1, 3).
static const Numbers W{{1, 2}, {3, -1}, {0, 2}}, V{{2, 0}, {1, 1}, {-1, 3}};
static const Numbers U{{1, 0, 2}, {-1, 1, 1}};  // three outputs
static const Numbers E{{1, 0, 2}, {0, 1, -1}};  // two inputs in front

// Small whole numbers: nothing is rounded, and everything must be equal.
static void by_hand(Checks& check) {
  const Tensor3<double> B = product_tensor(W, V);
  check.that(B.slices == Slices{{{2, 1, -1}, {6, 3, -3}, {0, 0, 0}}, {{0, 2, 6}, {0, -1, -3}, {0, 2, 6}}},
             "B = w_k·v_kᵀ");
  check.that(B.outputs() == 2 && B.shape() == Shape{3, 3} && B(1, 0, 2) == 6, "its sizes and an entry");
  // At x = (1, 2, 3): 7·1 and 6·11. At (1, 0, 0): 1·2 and 2·0.
  check.that(evaluate(B, {{1, 2, 3}, {1, 0, 0}}) == Numbers{{7, 66}, {2, 0}}, "evaluate: xᵀ·B·x is (W·x)·(V·x)");
  check.that(fold_behind(B, U).slices == Slices{{{2, -1, -7}, {6, 4, 0}, {0, -2, -6}},
                                                {{0, 2, 6}, {0, -1, -3}, {0, 2, 6}},
                                                {{4, 4, 4}, {12, 5, -9}, {0, 2, 6}}},
             "a linear map behind: B_0 - B_1, B_1, 2·B_0 + B_1");
  // E·w_0 = (1, 3), E·v_0 = (0, 2); E·w_1 = (6, -3), E·v_1 = (6, -2).
  check.that(fold_in_front(B, E).slices == Slices{{{0, 2}, {0, 6}}, {{36, -12}, {-18, 6}}}, "a linear map in front");
  check.that(fold_factors(matmul(E, W), matmul(E, V), U).slices ==
                 Slices{{{-36, 14}, {18, 0}}, {{36, -12}, {-18, 6}}, {{36, -8}, {-18, 18}}},
             "both at once, from the factors");

  Tensor3<double> t(1, 2, 2);
  check.that(t.slices == Slices{{{0, 0}, {0, 0}}}, "a new tensor is zero");
  t(0, 0, 0) = 1, t(0, 0, 1) = 4, t(0, 1, 0) = 2, t(0, 1, 1) = 3;
  check.that(symmetric(t).slices == Slices{{{1, 3}, {3, 3}}}, "symmetric: the diagonal stays");
  check.that(triangular(t).slices == Slices{{{1, 6}, {0, 3}}}, "triangular: the diagonal stays");
}

// With quarters all sums are exact, so what is equal in mathematics is equal to the bit.
static void same_outputs(Checks& check) {
  Random random(1);
  const auto w = quarters(4, 5, random), v = quarters(4, 5, random), u = quarters(5, 3, random),
             e = quarters(6, 4, random), X = quarters(7, 6, random);
  const Tensor3<double> B = product_tensor(w, v);
  const Tensor3<double> UBE = fold_in_front(fold_behind(B, u), e);
  check.that(UBE.outputs() == 3 && UBE.shape() == Shape{6, 6}, "UBE: outputs x inputs x inputs");
  check.that(fold_behind(fold_in_front(B, e), u).slices == UBE.slices, "behind and in front, in either order");
  check.that(fold_factors(matmul(e, w), matmul(e, v), u).slices == UBE.slices, "and from the factors");
  const Numbers Z = matmul(X, e), Y = matmul(hadamard(matmul(Z, w), matmul(Z, v)), u);
  check.that(evaluate(UBE, X) == Y, "the tensor is the net");
  check.that(evaluate(symmetric(UBE), X) == Y && evaluate(triangular(UBE), X) == Y, "so are its two tidy forms");
  for (std::size_t o = 0; o < 3; ++o)
    for (std::size_t p = 0; p < 6; ++p)
      for (std::size_t q = 0; q < 6; ++q) {
        check.that(symmetric(UBE)(o, p, q) == symmetric(UBE)(o, q, p), "symmetric");
        if (p > q) check.that(triangular(UBE)(o, p, q) == 0, "nothing below the diagonal");
      }
}

static void shapes(Checks& check) {
  using Wrong = std::invalid_argument;
  const Tensor3<double> B = product_tensor(W, V);
  check.throws<Wrong>([&] { product_tensor(W, E); }, "product_tensor: 3 x 2 and 2 x 3", "W and V of two shapes");
  check.throws<Wrong>([&] { evaluate(B, {{1, 2}}); }, "matmul: 1 x 2 and 3 x 3", "too few inputs");
  check.throws<Wrong>([&] { fold_behind(B, W); }, "fold_behind: 2 x 1 and 3 x 2", "three rows for two products");
  check.throws<Wrong>([&] { fold_in_front(B, W); }, "matmul: 3 x 2 and 3 x 3", "a map to two numbers for three");
  check.throws<Wrong>([&] { fold_factors(W, V, W); }, "fold_factors: 3 x 2 and 3 x 2", "factors and a wrong U");
  check.throws<Wrong>([&] { fold_factors(W, E, U); }, "fold_factors: 3 x 2 and ", "factors of two shapes");
  check.throws<Wrong>([&] { symmetric(Tensor3<double>(1, 2, 3)); }, "+: 2 x 3 and 3 x 2", "no square to symmetrise");
  check.throws<Wrong>([&] { extended(W, Numbers{{1, 2, 3}}); }, "extended: 3 x 2 and 1 x 3", "a bias too long");
  check.throws<Wrong>([&] { with_last_row(W, Numbers{{1}, {2}}); }, "extended: 3 x 2 and 2 x 1", "a bias upright");
}

// ---------------------------------------------------------------------------------------------------------- biases

static void constants(Checks& check) {
  const Numbers A{{1, 2}, {3, 4}, {5, 6}}, a{{7, 8}}, X{{1, -1, 2}, {0, 3, 1}};
  check.that(extended(A, a) == Numbers{{1, 2, 0}, {3, 4, 0}, {5, 6, 0}, {7, 8, 1}}, "[A 0; a 1]");
  check.that(with_last_row(A, a) == Numbers{{1, 2}, {3, 4}, {5, 6}, {7, 8}}, "[A; a]");
  check.that(with_one(X) == Numbers{{1, -1, 2, 1}, {0, 3, 1, 1}}, "a column of ones");
  check.that(matmul(with_one(X), extended(A, a)) == with_one(add_row(matmul(X, A), a)),
             "the constant is carried through");
  check.that(matmul(with_one(X), with_last_row(A, a)) == add_row(matmul(X, A), a), "or left behind at last");
}

static const std::vector<NetForm> forms{
    {6, 4, 5, 3, true}, {6, 4, 5, 3, false}, {6, 0, 5, 3, true}, {6, 0, 5, 3, false}};

static std::string name_of(NetForm f) {
  return join("net of ", f.inputs, ", ", f.embedding, ", ", f.hidden, ", ", f.outputs, f.biases ? " with biases" : "");
}

template <class T>
static Net<T> random_net(NetForm form, Random& random) {
  Net<T> net(form);
  for (const auto& [name, tensor] : net.tensors()) tensor = normal_matrix<T>(tensor.rows(), tensor.cols(), 1, random);
  return net;
}

static void folded_nets(Checks& check) {
  Random random(2);
  for (const NetForm form : forms) {
    const std::string what = name_of(form);
    const Net<double> net = random_net<double>(form, random);
    const auto X = normal_matrix<double>(20, 6, 1, random);
    const Numbers Y = net.forward(X).logits;
    const Tensor3<double> t = fold(net), S = symmetric(t);
    check.that(t.outputs() == 3 && t.shape() == Shape{7, 7}, what + ": over the inputs and the constant");
    check.near(max_abs_difference(evaluate(t, with_one(X)), Y) / largest_entry(Y), 0, exact_enough, what + ": fold");
    double constant = 0;
    for (const Numbers& slice : t.slices)
      for (std::size_t p = 0; p < 7; ++p) constant = std::max({constant, std::abs(slice(p, 6)), std::abs(slice(6, p))});
    check.that((constant == 0) == !form.biases, what + ": the constant's row and column are zero without biases");

    // At X = 0 the logits are the constant parts, and their gradients the linear ones. What is left is quadratic.
    const auto at_zero = net.forward(Numbers(1, 6));
    for (std::size_t o = 0; o < 3; ++o) {
      Numbers one(1, 3), expected(20, 1), found(20, 1);
      one(0, o) = 1;
      const Numbers linear = net.backward(at_zero, one).dX, Q = quadratic_slice(net, o);
      check.near(S(o, 6, 6), at_zero.logits(0, o), exact_enough * largest_entry(Y),
                 what + ": S[o,n,n] is the constant");
      for (std::size_t p = 0; p < 6; ++p)
        check.near(2 * S(o, p, 6), linear(0, p), exact_enough * largest_entry(Y),
                   what + ": 2·S[o,p,n] is the linear part");
      for (std::size_t r = 0; r < 20; ++r) {
        expected(r, 0) = Y(r, o) - at_zero.logits(0, o);
        for (std::size_t p = 0; p < 6; ++p) expected(r, 0) -= linear(0, p) * X(r, p);
        for (std::size_t p = 0; p < 6; ++p)
          for (std::size_t q = 0; q < 6; ++q) found(r, 0) += X(r, p) * Q(p, q) * X(r, q);
      }
      check.near(max_abs_difference(found, expected), 0, exact_enough * largest_entry(Y),
                 what + ": the quadratic part");
      check.that(Q.shape() == Shape{6, 6} && quadratic_slices(net)[o] == Q, what + ": one slice of all");
    }
    check.that(quadratic_slices(net).size() == 3, what + ": a slice for each output");
  }

  // What was trained in float is folded in double: nothing is lost on the way.
  const Net<float> trained = random_net<float>(forms[0], random);
  Net<float> kept = trained;
  Net<double> wide(forms[0]);
  for (std::size_t t = 0; t < kept.tensors().size(); ++t)
    wide.tensors()[t].tensor = Numbers(kept.tensors()[t].tensor.view());
  check.that(fold(trained).slices == fold(wide).slices, "a net of floats is folded in double");
}

// ---------------------------------------------------------------------------------------------------- eigenvectors

// The largest sum of the sizes of what a slice's entries are sums of: rounding is small against this, also where terms cancel.
static double size_of_terms(Net<double> net) {
  for (const auto& [name, tensor] : net.tensors()) tensor = map(tensor, [](double x) { return std::abs(x); });
  double size = 0;
  for (const Numbers& slice : fold(net).slices) size = std::max(size, largest_entry(slice));
  return size;
}

// Vectors through the factors are some 50 roundings of 2e-16 off, times the squared condition of F, below 1e3 for all nets here.
constexpr double vectors_enough = 1e-11;

// What must hold whatever the net: Σ λ·vᵀ·v is the slice, and vectors of eigenvalues that are not zero are orthonormal.
static Eigen through_factors(Checks& check, const std::string& what, const Net<double>& net, std::size_t o) {
  const Numbers S = quadratic_slice(net, o);
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
    const Eigen whole = eigen_symmetric(quadratic_slice(net, o)), found = through_factors(check, what, net, o);
    const double size = size_of_terms(net);
    std::vector<double> left = whole.values, right = found.values;
    left.resize(std::max(left.size(), right.size())), right.resize(left.size());
    std::sort(left.begin(), left.end()), std::sort(right.begin(), right.end());  // by value: sizes may tie
    for (std::size_t k = 0; k < left.size(); ++k)
      check.near(right[k], left[k], exact_enough * size, what + ": the eigenvalues of the slice, and zeros");
    for (std::size_t k = 0; k < whole.values.size(); ++k) {
      double gap = std::abs(whole.values[k]);  // and of equal sizes either may come first
      for (std::size_t j = 0; j < whole.values.size(); ++j)
        if (j != k) gap = std::min(gap, std::abs(std::abs(whole.values[k]) - std::abs(whole.values[j])));
      if (!(gap > 0.01 * size) || k >= found.values.size()) continue;
      const auto a = whole.vectors.row(k), b = found.vectors.row(k);
      double sum = 0, difference = 0;
      for (std::size_t p = 0; p < a.size(); ++p)
        sum = std::max(sum, std::abs(a[p] + b[p])), difference = std::max(difference, std::abs(a[p] - b[p]));
      check.near(std::min(sum, difference), 0, vectors_enough, what + ": the eigenvectors of the slice, up to signs");
    }
  }
}

static void spectra(Checks& check) {
  Random random(3);
  for (const NetForm form : forms) against_slice(check, name_of(form), random_net<double>(form, random));
  for (const NetForm form : {NetForm{9, 0, 3, 2, false}, NetForm{9, 0, 1, 2, false}, NetForm{9, 2, 1, 1, true},
                             NetForm{1, 0, 1, 1, false}, NetForm{2, 0, 7, 2, false}})
    against_slice(check, name_of(form), random_net<double>(form, random));

  // One product: w·vᵀ has the eigenvalues (w·v ± |w||v|)/2. For (1, 0) and (3, 4): 4 and -1; U doubles them.
  Net<double> one({2, 0, 1, 1, false});
  one.W = {{1}, {0}}, one.V = {{3}, {4}}, one.U = {{2}};
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

// FᵀF then has eigenvalues that are 0, or that rounding makes a little more or less than 0.
static void dependent_factors(Checks& check) {
  Random random(4);
  for (int round = 0; round < 20; ++round) {
    const Net<double> any = random_net<double>({9, 0, 4, 2, false}, random);
    Net<double> net = any;
    net.V = net.W;
    against_slice(check, "squares, W = V", net);
    net = any, copy_column(net.W, 0, 2), copy_column(net.V, 0, 2);
    against_slice(check, "two equal products", net);
    copy_column(net.W, 0, 2, -3);
    against_slice(check, "two products that differ by a factor", net);
    net = any, copy_column(net.W, 1, 3), copy_column(net.W, 1, 0);
    against_slice(check, "one w in three products", net);
    net = any, copy_column(net.W, 1, 3, 0), copy_column(net.V, 1, 3, 0);
    against_slice(check, "a product of zeros", net);
    net = any, net.V = Numbers(9, 4);
    against_slice(check, "V = 0", net);
    net = any, copy_column(net.W, 0, 1), copy_column(net.V, 0, 1), copy_column(net.W, 2, 3), copy_column(net.V, 2, 3);
    for (std::size_t o = 0; o < 2; ++o) net.U(1, o) = -net.U(0, o), net.U(3, o) = -net.U(2, o);
    against_slice(check, "products that cancel", net);
    net = any, net.U = Numbers(4, 2);
    against_slice(check, "U = 0", net);
    Net<double> narrow = random_net<double>({9, 2, 4, 2, false}, random);
    against_slice(check, "an embedding of two numbers", narrow);
  }
  against_slice(check, "a net of zeros", Net<double>({3, 0, 2, 1, false}));
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
    const Net<double> net = random_net<double>({6, embedding, 5, 3, false}, random);
    std::vector<Eigen> of_slices, of_factors;
    for (std::size_t o = 0; o < 3; ++o) {
      of_slices.push_back(eigen_symmetric(quadratic_slice(net, o)));
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

// ----------------------------------------------------------------------------------------------------- stored nets

static safetensors::File changed(const Net<float>& net, const std::string& name, safetensors::Shape shape,
                                 const std::vector<float>& values) {
  safetensors::File file;
  file.metadata = file_of(net).metadata;
  Net<float> kept = net;
  for (const auto& [other, tensor] : kept.tensors())
    if (other != name) add_matrix(file, other, tensor);
  if (!shape.empty()) file.add(name, shape, values);
  return file;
}

static void stored_nets(Checks& check, const std::filesystem::path& folder) {
  Random random(6);
  const NetForm form{4, 0, 3, 10, false};
  Net<float> net = random_net<float>(form, random);
  net.W(0, 0) = -0.0f, net.W(1, 0) = std::numeric_limits<float>::denorm_min(),
           net.W(2, 0) = std::numeric_limits<float>::max();
  const std::string path = (folder / "net").string();
  save_net(path, net);
  Net<float> found = load_net(path, 4);
  check.that(found.form == form, "a stored net has its form");
  for (std::size_t t = 0; t < 3; ++t)
    check.that(found.tensors()[t].tensor == net.tensors()[t].tensor,
               "a stored net comes back: " + net.tensors()[t].name);
  check.that(std::signbit(found.W(0, 0)), "to the bit");

  const auto refused = [&](const safetensors::File& file, std::size_t inputs, const std::string& part) {
    check.throws<std::runtime_error>([&] { net_in(file, inputs); }, part, "a file that says " + part);
  };
  safetensors::File other = file_of(net);
  other.metadata["lesson"] = "3";
  refused(other, 4, "holds no net of lesson 5 (lesson: 3, model: net)");
  other.metadata = {{"lesson", "5"}};
  refused(other, 4, "holds no net of lesson 5 (lesson: 5, model: none)");
  refused(safetensors::File{}, 4, "(lesson: none, model: none)");
  refused(file_of(net), 5, "is made for 4 pixels, and these images have 5");
  for (const char* name : {"W", "V", "U"})
    refused(changed(net, name, {}, {}), 4, "no tensor \"" + std::string(name) + "\"");
  refused(changed(net, "W", {12}, std::vector<float>(12)), 4, "tensor 'W' is no matrix");
  refused(changed(net, "W", {4, 0}, {}), 4, "tensor 'W' is no matrix");
  refused(changed(net, "V", {3, 4}, std::vector<float>(12)), 4, "[3,4], expected [4,3]");
  refused(changed(net, "U", {3, 9}, std::vector<float>(27)), 4, "[3,9], expected [3,10]");
  safetensors::File doubles = changed(net, "U", {}, {});
  doubles.add("U", {3, 10}, std::vector<double>(30));
  refused(doubles, 4, "is F64, expected F32");
  for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> values(30);
    values[29] = wrong;
    refused(changed(net, "U", {3, 10}, values), 4, "tensor 'U' holds a number that is not finite");
  }

  check.throws<UserError>([&] { load_net(path, 5); }, "--load: '" + path + "': is made for 4",
                          "the flag and the file are named");
  check.throws<UserError>([&] { load_net((folder / "none").string(), 4); }, "--load: ", "no such file");
  check.throws<UserError>([&] { save_net((folder / "none" / "net").string(), net); }, "--save: ", "no such folder");
}

int main() {
  Checks check;
  by_hand(check);
  same_outputs(check);
  shapes(check);
  constants(check);
  folded_nets(check);
  spectra(check);
  dependent_factors(check);
  effective_ranks(check);
  truncated(check);
  const auto stamp = std::chrono::steady_clock::now().time_since_epoch().count();
  const auto folder = std::filesystem::temp_directory_path() / ("test_lesson5_fold_" + std::to_string(stamp));
  std::filesystem::create_directory(folder);
  stored_nets(check, folder);
  std::filesystem::remove_all(folder);
  return check.done("test_lesson5_fold");
}
