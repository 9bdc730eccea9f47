// Lesson 3: every gradient of its models (GradientTest), and what no claim says: the floors at small cases, the scores,
// what a file or a table of one's own may hold.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/floors.hpp"
#include "lessons/3_swish_vs_bmlp/keep.hpp"
#include "tests/gradients.hpp"

using namespace lesson3;
using namespace std::string_literals;

template <template <class> class Layer, class Form>
struct InFloat<Net<Layer, double, Form>> {
  using type = Net<Layer, float, Form>;
};

static void floors(Checks& check) {
  Random random(2);
  const auto A = normal_matrix<double>(20, 2, 1, random), T = normal_matrix<double>(20, 1, 1, random);
  Matrix<double> B(20, 3);  // a third column that is the sum of the others gets the weight 0
  for (std::size_t i = 0; i < 20; ++i) B.row(i)[2] = (B.row(i)[0] = A(i, 0)) + (B.row(i)[1] = A(i, 1));
  const Matrix<double> w = least_squares(B, T), alone = least_squares(A, T);
  check.that(w(2, 0) == 0, "a redundant column has no weight");
  check.near(std::abs(w(0, 0) - alone(0, 0)) + std::abs(w(1, 0) - alone(1, 0)), 0, 1e-13, "the others are as without");
  check.that(affine_features({{2, 3}}) == Matrix<double>{{1, 2, 3}}, "affine features");
  check.that(quadratic_features({{2, 3}}) == Matrix<double>{{1, 2, 3, 4, 6, 9}}, "quadratic features");
  check.that(gated_mean_features({{2, 3}}) == Matrix<double>{{1, 2, 3, 5, 7.5}}, "features of the mean gate");
  // Closed forms. |x|: variance 9/12, best parabola 15/16 of it. x²y = (x² - 3)·y + 3y: E[y²] = 3, E[(x² - 3)²] = 7.2, so
  // 27 of 48.6 are linear.
  const PolynomialFit corner = fit_polynomials([](double x, double) { return std::abs(x); }, 3, 4);
  check.near(corner.variance, 0.75, 1e-13, "|x|: variance");
  check.near(corner.share[2], 15 / 16.0, 1e-13, "|x|: the best parabola");
  check.near(corner.even, 0.75, 1e-13, "|x| is even");
  const PolynomialFit cubic = fit_polynomials([](double x, double y) { return x * x * y; }, 3, 4);
  check.near(cubic.variance, 48.6, 1e-11, "x²y: variance");
  check.near(cubic.share[1], 5 / 9.0, 1e-13, "x²y: the best plane");
  check.near(cubic.share[3], 1, 1e-13, "x²y is of degree 3");
}

// The variances of suite B in closed form, from E[x²] = 3 and Var x² = 7.2. The sample variance of 4,096 rows errs by
// √((κ - 1)/4096) of itself, κ at most 9 for products of uniform numbers: 4.4 %; four of them.
static void tasks_and_scores(Checks& check) {
  const SplitRows split = draw_suite(1, 3, 4096);
  const double expected[] = {1, 1.245, 1.26, 1.35};
  const Matrix<double> sums = column_sums(hadamard(split.train.T, split.train.T));
  for (std::size_t o = 0; o < suite_outputs; ++o)
    check.near(sums(0, o) / 4096 / expected[o], 1, 4 * 0.044, "suite B, variance of output " + std::to_string(o));
  check.near(largest_entry(column_sums(split.train.T)), 0, 1e-10, "targets are centred");
  check.that(!(draw_suite(1, 4, 4096).test.X == split.test.X), "another seed, other rows");
  const Matrix<double> T{{1, 5}, {3, 5}, {5, 8}};
  check.near(r_squared(Matrix<double>{{3, 6}, {3, 6}, {3, 6}}, T), 0, 0, "R² of each output's mean");
  check.near(r_squared(T + T, T), 1 - dot(T, T) / 14, 1e-15, "R² pools the outputs");
}

// Inputs and targets far from 0 and of other sizes: what is kept predicts in their own units, and in every bit the same
// once it was a file. The truth is linear, so that every model can say nearly all of it, and one that is trained on
// anything else says nothing.
static void kept_models(Checks& check) {
  const std::vector<std::size_t> sizes{1412, 1326, 1322, 1348, 1360, 1344, 1328};  // as the table of part 6 has them
  std::vector<std::size_t> found;
  for_each_model(16, 4, [&](const char*, const char*, const auto& start) {
    Random random(1);
    found.push_back(parameters_of(start(random)));
  });
  check.that(found == sizes, "the models' parameters");
  Random random(8);
  const Matrix<double> w{{30, -1}, {10, 2}, {-20, 0.5}};
  const auto draw = [&](std::size_t n) {
    const auto x = normal_matrix<double>(n, 3, 4, random);
    return Rows{add_row(x, {{100, -50, 7}}), add_row(matmul(x, w), {{-1000, 3}})};
  };
  const Rows learned = draw(200), test = draw(50);
  const Scales scales{scale_of(learned.X, {"a", "b", "c"}), scale_of(learned.T, {"s", "t"})};
  const Matrix<double> standard = scales.X.to_standard(learned.X);
  check.near(mean_square(standard), 1, 1e-13, "standardised: second moment 1");
  check.near(largest_entry(column_sums(standard)), 0, 1e-12, "standardised: mean 0");
  safetensors::File file;
  for_each_model(3, 2, [&](const std::string& key, const char*, const auto& start) {
    Random first(1, 31);
    auto model = start(first);
    train(model, scales.to_standard(learned), {.steps = 400, .batch = 32}, Random(1, 32));
    const Matrix<double> Y = predict(model, scales, test.X);
    file = file_of(key, read_only(model), scales, 1);
    check.that(r_squared(Y, test.T) > 0.95, key + " has learned a linear map");
    check.that(predict_from(safetensors::parse(safetensors::serialize(file)), test.X, 2) == Y, key + " comes back");
  });
  const auto refuses = [&](std::size_t columns, const std::string& message) {
    check.throws<UserError>([&] { predict_from(file, Matrix<double>(1, columns), 2); }, message, message);
  };
  refuses(4, "for 3 inputs and 2 targets");
  file.metadata["model"] = "\n" + std::string(100, 'x');
  refuses(3, "' " + std::string(59, 'x') + "...'");
  check.throws<UserError>([] { scale_of(Matrix<double>(30, 1, 0.1), {"a"}); }, "column \"a\" is constant",
                          "a column that rounding alone spreads");
  check.throws<UserError>([] { scale_of({{1e200}, {-1e200}}, {"a"}); }, "too large to square", "a wide column");
}

static void tables(Checks& check) {
  for (const std::string& bytes : {"a,b\n1,2\n3,4\n"s, "a,b\n1,2\n3,4"s, "a,b\r\n1,2\r\n3,4\r\n"s, "a,b\r1,2\r3,4\r"s,
                                   "\xEF\xBB\xBF"s + "a,b\n1,2\n3,4\n\n \t\n", " a ,\tb\t\n1 , 2\n\t3,4 \n"s}) {
    const NumericTable table = parse_table(bytes);
    check.that(table.names == std::vector<std::string>{"a", "b"} && table.values == Matrix<double>{{1, 2}, {3, 4}},
               "a table: " + bytes);
  }
  const NumericTable odd = parse_table("6\" pipe,g\xFC\n-.5,1e2\n+1,007\n");
  check.that(odd.names == std::vector<std::string>{"6\" pipe", "g\uFFFD"}, "names, and what is no UTF-8");
  check.that(odd.values == Matrix<double>{{-0.5, 100}, {1, 7}}, "the ways to write a number");
  const auto refuses = [&](const std::string& bytes, const std::string& message) {
    check.throws<std::runtime_error>([&] { parse_table(bytes); }, message, message);
  };
  refuses("\xEF\xBB\xBF \r\n", "the file is empty");
  refuses("a,b\n\n", "no row of numbers follows the header");
  refuses("1,2\n3,4\n", "the header holds no name: the first line must name the columns");
  refuses("a;b\n1;2\n", "the header has no comma: cells must be separated by commas");
  refuses("a,b\n1,2\n\n3,4\n", "row 2 has 1 cell, the header 2 (line 3 of the file)");
  refuses("a,b\n1,2,\n", "row 1 has 3 cells, the header 2 (line 2 of the file)");
  refuses("a,b\n1,\n", "row 1, column \"b\": the cell is empty (line 2 of the file)");
  for (const std::string cell : {"nan", "-inf", "1e999", "0x1A", "1 5", "'7'", "12€", "\x1B[31m"})
    refuses("a\n2\n" + cell + "\n", "row 2, column \"a\": \"" + excerpt(cell) + "\" is no number (line 3 of the file)");
  const std::string name(100'000, 'n');
  try {
    parse_table(name + "\n" + std::string(100'000, '\x80'));
  } catch (const std::runtime_error& error) {
    check.that(std::string(error.what()).size() < 350, "a short message for a long name and cell");
  }
}

int main() {
  GradientTest test;
  cases(test);
  floors(test.check);
  tasks_and_scores(test.check);
  kept_models(test.check);
  tables(test.check);
  return test.done("test_lesson3");
}
