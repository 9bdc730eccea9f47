// Binds lesson 5's equations to what the program computes.
// SPDX-License-Identifier: MIT
#include "common/frame/formula/equation_checker.hpp"
#include "lessons/5_tensor_folding/dictionaries.hpp"
#include "lessons/5_tensor_folding/spectra.hpp"

namespace lesson5 {

using formula::Scope, formula::Value;
using Entries = ConstTensors<double>;

static Value value_of(const Tensor3& t) {
  Value all({t.size(), t[0].rows(), t[0].cols()}, {});
  for (const Matrix<double>& slice : t)
    all.numbers.insert(all.numbers.end(), slice.values().begin(), slice.values().end());
  return all;
}

struct Models {
  formula::EquationChecker& checker;

  void add(const std::string&, const Net<double>& net, const Matrix<double>& X,
           const cross_entropy& loss, Quadratic = {}) {
    checker.model("5.8 5.9 5.10 5.11", net, X, loss, [](const auto& t) {
      return Entries{{"J", t.J}, {"P", t.P}, {"Q", t.Q}, {"H", t.H}, {"Y", t.Y}};
    });
  }
  void test_only(const std::string&, const LinearNet<double>& net, const Matrix<double>& X,
                 const cross_entropy& loss, Quadratic = {}) {
    checker.model("5.12", net, X, loss, [](const auto& t) { return Entries{{"Y", t.Y}}; });
  }
  void test_only(const std::string&, const UnitNet<double>& net, const Matrix<double>& X,
                 const cross_entropy& loss, Quadratic = {}) {
    const bool squares = net.form.unit == Unit::square;
    checker.model(squares ? "5.15 5.14" : "5.13 5.14", net, X, loss, [](const auto& t) {
      return Entries{{"Z", t.Z}, {"H", t.H}, {"Y", t.Y}};
    });
  }
  void test_only(const std::string&, const Net<double>&, const auto&...) {}
};

static void folding(formula::EquationChecker& checker, Random& random) {
  const auto normal = [&](std::size_t rows, std::size_t cols) {
    return normal_matrix<double>(rows, cols, 1, random);
  };
  const Matrix<double> E = normal(6, 4), W = normal(4, 5), V = normal(4, 5), U = normal(5, 3),
                       x = normal(1, 4);
  const Tensor3 B = product_tensor(W, V), behind = fold_behind(B, U),
                in_front = fold_in_front(B, E);
  const Matrix<double> y = matmul(hadamard(matmul(x, W), matmul(x, V)), U);  // not folded
  Scope s;
  s.values = {{"E", E}, {"W", W}, {"V", V}, {"U", U}, {"x", x}, {"y", y}, {"B", value_of(B)}};
  s.values["T"] = value_of(behind);
  s.values["S"] = value_of(symmetric(behind));
  checker.holds("5.1 5.2 5.3 5.6", s);
  s.values["T"] = value_of(in_front);
  checker.holds("5.4", s);
  s.values["T"] = value_of(fold_behind(in_front, U));
  checker.holds("5.5", s);
  const Matrix<double> a = normal(1, 5);
  s.values = {{"A", W}, {"a", a}, {"x", x}, {"A~", extended(W, a)}};
  checker.holds("5.7", s);
  constexpr std::size_t inputs = 3, h = 2, outputs = 4;
  const Tensor3 lower = product_tensor(normal(inputs, h), normal(inputs, h)),
                upper = fold_behind(product_tensor(normal(h, 5), normal(h, 5)), normal(5, outputs));
  const Value both({outputs, inputs, inputs, inputs, inputs},
                   value_of(fold_layers(lower, upper)).numbers);
  s.values = {{"T", both}, {"T_1", value_of(lower)}, {"T_2", value_of(upper)}};
  checker.holds("5.24", s);
}

static void spectra(formula::EquationChecker& checker, Random& random) {
  Net<double> net(of_products(7, 3, 4));
  fill_normal(net.tensors(), random);
  const Tensor3 S = quadratic_slices(net);
  const Eigen eigen = eigen_through_factors(net, 2);
  const auto x = normal_matrix<double>(1, 7, 1, random);
  Matrix<double> values(1, eigen.values.size());
  std::copy(eigen.values.begin(), eigen.values.end(), values.values().begin());
  constexpr std::size_t kept = 4;
  Scope s;
  s.values = {{"λ", values}, {"v", eigen.vectors}, {"x", x}, {"kept", double(kept)}};
  s.values["y~"] = evaluate_truncated(std::vector<Eigen>{eigen}, x, kept)(0, 0);
  s.values["rank"] = effective_rank(eigen.values);
  checker.holds("5.16 5.17", s);
  const Matrix<double> longest(row_block(eigen.vectors, 0, 1));  // where the bound is met
  s.values = {
      {"x", 3 * longest}, {"y", output(net, 3 * longest)(0, 2)}, {"Λ", std::abs(eigen.values[0])}};
  checker.holds("5.19", s);
  const Net<double> one = contrast(net, 1);
  const Eigen of_M = eigen_through_factors(one, 0);
  s.values = {{"M", quadratic_slices(one)[0]},
              {"v", fooling_direction(one)},
              {"ink", Matrix<double>(1, 7, 1)},
              {"λ", of_M.values[most_positive(of_M)]}};
  checker.holds("5.18", s);
  Net<double> d(net.form);
  const double squares = square_of_slices(net, d);
  s.values = {{"W", net.W}, {"V", net.V}, {"U", net.U}, {"dW", d.W}, {"dV", d.V}, {"dU", d.U}};
  s.values.insert(
      {{"S", value_of(S)}, {"K", shared(net, net)}, {"C", matmul(net.U, transpose(net.U))}});
  s.values.insert({{"squares", squares}, {"dsquares", 1.0}});
  checker.model("5.22 5.23", s, {"W", "V", "U"}, "squares");
}

static void rotations(formula::EquationChecker& checker, Random& random) {
  constexpr std::size_t p = 2, q = 3;
  const Matrix<double> S = symmetric_part(normal_matrix<double>(5, 5, 1, random));
  const Rotation turn = diagonalizing(S(p, p), S(q, q), S(p, q));
  Matrix<double> turned = S, vectors = identity(5);
  rotate_away(turned, vectors, p, q);
  Scope s;
  s.values = {{"S", S}, {"S'", turned}, {"p", double(p)}, {"q", double(q)}};
  s.values.insert(
      {{"τ", turn.tangent}, {"κ", turn.cosine}, {"θ", (1 / turn.tangent - turn.tangent) / 2}});
  for (const double r : {0, 1, 4}) {
    s.values["r"] = r;
    checker.holds("5.20 5.21", s);
  }
}

static void sums(formula::EquationChecker& checker) {
  constexpr std::size_t modulus = 5;
  Tensor3 T(modulus, Matrix<double>(modulus, modulus));
  Matrix<double> frequencies(1, modulus);
  for (std::size_t p = 0; p < modulus; ++p) {
    frequencies(0, p) = double(p);
    for (std::size_t q = 0; q < modulus; ++q) T[(p + q) % modulus](p, q) = 1;
  }
  Scope s;
  s.values = {{"T", value_of(T)}, {"ν", frequencies}, {"modulus", double(modulus)}};
  checker.holds("5.25", s);
}

static void dictionaries(formula::EquationChecker& checker, Random& random) {
  const auto Z = normal_matrix<double>(7, 3, 1, random);
  Dictionary d{.atoms = unit_rows(normal_matrix<double>(5, 3, 1, random)),
               .codes = map_entries(normal_matrix<double>(7, 5, 1, random),
                                    [](double c) { return std::abs(c); }),
               .penalty = 0.3};
  const Matrix<double> gram = matmul(d.atoms, transpose(d.atoms));
  double steepest = 0;
  for (std::size_t a = 0; a < gram.rows(); ++a) {
    double sum = 0;
    for (const double g : gram.row(a)) sum += std::abs(g);
    steepest = std::max(steepest, sum);
  }
  Scope s;
  s.values = {{"J", Z},
              {"codes", d.codes},
              {"atoms", d.atoms},
              {"penalty", d.penalty},
              {"steepest", steepest}};
  s.values.insert({{"objective", objective_of(d, Z)}, {"pseudo", pseudo_inverse(d.atoms)}});
  improve_codes(d, Z, 1);
  s.values["codes←"] = d.codes;
  checker.holds("5.26 5.27 5.30", s);

  const auto L = normal_matrix<double>(5, 3, 1, random);
  const Matrix<double> Q = symmetric_part(normal_matrix<double>(3, 3, 1, random)), N = balancing(L);
  const Eigen eigen = eigen_symmetric(symmetric_part(matmul(matmul(N, Q), N)));
  const std::size_t top = most_positive(eigen);
  s.values = {
      {"linear", L}, {"N", N}, {"quadratic", Q}, {"I", identity(3)}, {"λ", eigen.values[top]}};
  s.values["v"] = Matrix<double>(row_block(eigen.vectors, top, 1));
  s.values["direction"] = top_direction(Q, N);
  checker.holds("5.28 5.29", s);
}

void equations(formula::EquationChecker& checker) {
  Random random(6);
  folding(checker, random);
  Models models{checker};
  visit_models(models);
  spectra(checker, random);
  rotations(checker, random);
  sums(checker);
  dictionaries(checker, random);
}

}  // namespace lesson5
