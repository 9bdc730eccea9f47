// Tests of lesson 3 apart from its gradients: least squares, Legendre quadrature, the suites, R², the fold, the models side by
// side, stored models, names of columns.
// SPDX-License-Identifier: MIT
#include <cmath>

#include "lessons/3_swish_vs_bmlp/fold.hpp"
#include "lessons/3_swish_vs_bmlp/least_squares.hpp"
#include "lessons/3_swish_vs_bmlp/legendre.hpp"
#include "lessons/3_swish_vs_bmlp/own_table.hpp"
#include "tests/check.hpp"

static void least_squares_solves(Checks& check) {
  Random random(1);
  const auto A = normal_matrix<double>(9, 4, 1, random);
  const Matrix<double> S = matmul(transpose(A), A), L = cholesky(S);
  // 4 products of numbers up to 10 in each entry: some ten roundings of 1e-15.
  check.near(max_abs_difference(matmul(L, transpose(L)), S), 0, 1e-13, "L·Lᵀ gives the matrix back");
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) check.that(L(i, j) == 0, "L is a lower triangle");
  const auto w = normal_matrix<double>(4, 3, 1, random);
  check.near(max_abs_difference(least_squares(A, matmul(A, w)), w), 0, 1e-12, "weights that fit exactly are found");

  const auto T = normal_matrix<double>(9, 2, 1, random);
  const Matrix<double> error = matmul(A, least_squares(A, T)) - T;
  check.near(max_abs_difference(matmul(transpose(A), error), Matrix<double>(4, 2)), 0, 1e-13,
             "what is left is at right angles to every feature");
  check.throws([&] { cholesky(A); }, "9 x 4", "Cholesky of what is not square");
}

// A third column that is the sum of the others gets the weight 0; the fit is that of the others alone.
static void least_squares_with_a_redundant_column(Checks& check) {
  Random random(2);
  const auto A = normal_matrix<double>(20, 2, 1, random), T = normal_matrix<double>(20, 1, 1, random);
  Matrix<double> B(20, 3);
  for (std::size_t i = 0; i < 20; ++i) B(i, 0) = A(i, 0), B(i, 1) = A(i, 1), B(i, 2) = A(i, 0) + A(i, 1);
  const Matrix<double> w = least_squares(B, T), alone = least_squares(A, T);
  check.that(w(2, 0) == 0, "a redundant column has no weight");
  check.near(std::abs(w(0, 0) - alone(0, 0)) + std::abs(w(1, 0) - alone(1, 0)), 0, 1e-13, "the others are as without");
}

static void features(Checks& check) {
  const Matrix<double> X{{2, 3}};
  check.that(affine_features(X) == Matrix<double>{{1, 2, 3}}, "affine features");
  check.that(quadratic_features(X) == Matrix<double>{{1, 2, 3, 4, 6, 9}}, "quadratic features");
  check.that(gated_mean_features(X) == Matrix<double>{{1, 2, 3, 5, 7.5}}, "features of the mean gate");
  check.that(quadratic_features(Matrix<double>(1, 16)).cols() == 153, "16 inputs make 153 monomials");
}

static void quadrature(Checks& check) {
  const Quadrature rule = gauss_legendre(4, 3);
  for (std::size_t power = 0; power <= 7; ++power) {
    double mean = 0;
    for (std::size_t k = 0; k < rule.points.size(); ++k) mean += rule.weights[k] * std::pow(rule.points[k], power);
    const double exact = power % 2 ? 0 : std::pow(3, power) / double(power + 1);
    check.near(mean, exact, 1e-12, "mean of x^" + std::to_string(power) + " with four points on each half");
  }
  double corner = 0;
  for (std::size_t k = 0; k < rule.points.size(); ++k) corner += rule.weights[k] * std::abs(rule.points[k]);
  check.near(corner, 1.5, 1e-14, "a corner at 0 does no harm");
  const std::vector<double> P = legendre(4, 0.5);
  check.near(P[2], -0.125, 0, "P_2(1/2) = (3/4 - 1)/2");
  check.near(P[4], (35 / 16.0 - 30 / 4.0 + 3) / 8, 1e-16, "P_4(1/2)");
  check.that(legendre(0, 0.5) == std::vector<double>{1}, "P_0 alone");
}

// Closed forms. |x| on [-3, 3]: variance 9/12, best parabola 15/16 of it. cos wx: mean sin(3w)/(3w), variance from cos².
static void polynomial_fits(Checks& check) {
  const PolynomialFit corner = fit_polynomials([](double x, double) { return std::abs(x); }, 3, 4);
  check.near(corner.variance, 0.75, 1e-13, "|x|: variance");
  check.near(corner.share[1], 0, 1e-13, "|x|: no line helps");
  check.near(corner.share[2], 15 / 16.0, 1e-13, "|x|: the best parabola");
  check.near(corner.even, 0.75, 1e-13, "|x| is even");

  const PolynomialFit wave = fit_polynomials([](double x, double) { return std::cos(1.5 * x); }, 3, 4);
  const double mean = std::sin(4.5) / 4.5;
  check.near(wave.variance, (1 + std::sin(9) / 9) / 2 - mean * mean, 1e-13, "cos 1.5x: variance");

  // x²y = (x² - 3)·y + 3y: E[y²] = 3, E[(x² - 3)²] = 81/5 - 9 = 7.2, so 27 of 27 + 21.6 is linear.
  const PolynomialFit cubic = fit_polynomials([](double x, double y) { return x * x * y; }, 3, 4);
  check.near(cubic.variance, 48.6, 1e-11, "x²y: variance");
  check.near(cubic.share[1], 5 / 9.0, 1e-13, "x²y: the best plane");
  check.near(cubic.share[3], 1, 1e-13, "x²y is of degree 3");
  check.near(cubic.even, 0, 1e-12, "x²y is odd");
}

// The variances of suite B in closed form, from E[x²] = 3 and Var x² = 7.2: 1, 1.245, 1.26, 1.35. The sample variance of
// 4,096 rows errs by √((κ - 1)/4096) of itself, κ at most 9 for products of uniform numbers: 4.4 %; four of them.
static void suite_b_varies_as_it_must(Checks& check) {
  const Split split = draw_suite(suites[1], 3);
  const double expected[] = {1, 1.245, 1.26, 1.35};
  const Matrix<double> sums = column_sums(hadamard(split.train.T, split.train.T));
  for (std::size_t o = 0; o < suite_outputs; ++o)
    check.near(sums(0, o) / 4096 / expected[o], 1, 4 * 0.044, "suite B, variance of output " + std::to_string(o));
  check.near(max_abs_difference(column_sums(split.train.T), Matrix<double>(1, 4)), 0, 1e-10, "targets are centred");
  check.that(draw_suite(suites[1], 3).test.X == split.test.X, "the same seed, the same rows");
  check.that(!(draw_suite(suites[1], 4).test.X == split.test.X), "another seed, other rows");
}

static void scores(Checks& check) {
  const Matrix<double> T{{1, 5}, {3, 5}, {5, 8}};
  check.near(r_squared(T, T), 1, 0, "R² of perfect predictions");
  check.near(r_squared(Matrix<double>{{3, 6}, {3, 6}, {3, 6}}, T), 0, 0, "R² of each output's mean");
  check.near(r_squared(T + T, T), 1 - dot(T, T) / 14, 1e-15, "R² pools the outputs");
}

static void folding(Checks& check) {
  Random random(5);
  Bmlp<double> f({3, 5, 2});
  for (const auto& [name, tensor] : f.tensors())
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), 1, random);
  const auto X = normal_matrix<double>(8, 3, 1, random);
  check.near(max_abs_difference(f.forward(X).Y, matmul(X, fold(f))), 0, 1e-13, "the fold is the network");
}

static void stored_models(Checks& check) {
  Random random(6);
  Task task;
  task.train = {normal_matrix<double>(30, 3, 2, random), normal_matrix<double>(30, 2, 5, random)};
  task.test = {normal_matrix<double>(10, 3, 2, random), normal_matrix<double>(10, 2, 5, random)};
  task.inputs = {"a", "b", "c"}, task.outputs = {"s", "t"};
  TrainingSettings settings;
  settings.steps = 5, settings.batch = 8;
  for_each_model(3, 2, [&](const std::string& key, const char*, auto) {
    const Kept kept = train_and_keep(key, task, settings, 1);
    const safetensors::File back = safetensors::parse(safetensors::serialize(kept.file));
    check.that(predict_from(back, task.test.X, 2) == kept.Y, key + " comes back as it was");
  });
  const Kept kept = train_and_keep("product", task, settings, 1);
  check.throws<UserError>([&] { predict_from(kept.file, Matrix<double>(1, 4), 2); }, "for 3 inputs and 2 targets",
                          "a model for other columns");
  task.train.X = Matrix<double>(30, 3, 0.1);
  check.throws<UserError>([&] { task.scales(); }, "column \"a\" is constant", "a column that rounding alone spreads");
}

// The table of part 6 calls them models of equal size: these are the numbers in it.
static void the_models(Checks& check) {
  const std::vector<std::pair<std::string, std::size_t>> expected = {
      {"bmlp", 1412},     {"gated_mean", 1326}, {"product", 1322},    {"outer", 1348},
      {"product2", 1360}, {"swish", 1344},      {"swish_bias", 1328},
  };
  std::vector<std::pair<std::string, std::size_t>> found;
  for_each_model(16, 4, [&](const std::string& key, const char*, auto start) {
    Random random(1);
    found.push_back({key, parameters_of(start(random))});
  });
  check.that(found == expected, "the models and their parameters");
  check.that(!visit_model("none", 16, 4, [](auto) {}), "a model that there is not");
}

// Inputs and targets far from 0 and of other sizes: what is kept predicts in their own units. The truth is linear, so that every
// model can say nearly all of it, and a model that is trained on anything else, or answers in other units, says nothing.
static void kept_models_have_learned(Checks& check) {
  Random random(8);
  const Matrix<double> w{{30, -1}, {10, 2}, {-20, 0.5}};
  const auto draw = [&](std::size_t n) {
    const auto x = normal_matrix<double>(n, 3, 4, random);
    return Rows{add_row(x, {{100, -50, 7}}), add_row(matmul(x, w), {{-1000, 3}})};
  };
  Task task{draw(200), draw(50), {"a", "b", "c"}, {"s", "t"}};
  TrainingSettings settings;
  settings.steps = 400, settings.batch = 32;
  for_each_model(3, 2, [&](const std::string& key, const char*, auto) {
    const double r2 = r_squared(train_and_keep(key, task, settings, 1).Y, task.test.T);
    check.that(r2 > 0.95, key + " has learned a linear map, R² " + std::to_string(r2));
  });
}

static void names_of_columns(Checks& check) {
  const std::string wide = "\U0001F600", long_name(5'000'000, 'n');
  const auto repeated = [](const std::string& text, int times) {
    std::string all;
    for (int k = 0; k < times; ++k) all += text;
    return all;
  };
  const std::vector<std::string> found =
      short_names({"a", std::string(16, 'b'), std::string(17, 'c'), repeated(wide, 16), repeated(wide, 17), long_name});
  const std::vector<std::string> expected{"a",
                                          std::string(16, 'b'),
                                          std::string(16, 'c') + "~",
                                          repeated(wide, 16),
                                          repeated(wide, 16) + "~",
                                          std::string(16, 'n') + "~"};
  check.that(found == expected, "names are cut to 16 columns");
}

// The scales bring the training rows to mean 0 and deviation 1, and back.
static void scaling(Checks& check) {
  Random random(7);
  const Matrix<double> values = map(normal_matrix<double>(50, 3, 4, random), [](double x) { return x + 100; });
  const Scale scale = scale_of(values);
  const Matrix<double> standard = scale.to_standard(values);
  check.near(mean_square(standard), 1, 1e-13, "standardised: second moment 1");
  check.near(max_abs_difference(column_sums(standard), Matrix<double>(1, 3)), 0, 1e-12, "standardised: mean 0");
  check.near(max_abs_difference(scale.from_standard(standard), values), 0, 1e-13, "and back");
}

int main() {
  Checks check;
  least_squares_solves(check);
  least_squares_with_a_redundant_column(check);
  features(check);
  quadrature(check);
  polynomial_fits(check);
  suite_b_varies_as_it_must(check);
  scores(check);
  folding(check);
  the_models(check);
  stored_models(check);
  kept_models_have_learned(check);
  names_of_columns(check);
  scaling(check);
  return check.done("test_lesson3_floors");
}
