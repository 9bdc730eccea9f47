// Lesson 5, part 14: a net of squares on the digits, what degree a stack of layers has, and a net with embedding and biases
// folded.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "common/support/spread.hpp"
#include "lessons/5_tensor_folding/model/03_fold.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"
#include "lessons/5_tensor_folding/model/09_unfolding.hpp"
#include "lessons/5_tensor_folding/model/14_squares.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"

namespace lesson5 {
namespace {

// --------------------------------------------------------------------------------------------------------- squares

// Test accuracies of the four nets for each seed.
struct Rivals {
  SquareForm square_form;
  ReluForm relu_form;
  NetForm product_form, with_biases;
  std::vector<double> squares, products, with_biases_too, relu;
};

// As many units as the number of parameters of the product net holds, for squares and for ReLU.
Rivals rivals(Session& session, std::size_t seeds) {
  const std::size_t pixels = session.images.train.X.cols();
  const NetForm form = session.form();
  const std::size_t units = (parameters_of(Net<float>(form)) - 10) / (pixels + 11);
  Rivals r{{pixels, units, 10}, {pixels, units, 10}, form, {pixels, 0, form.hidden, 10}, {}, {}, {}, {}};
  for (std::vector<double>* scores : {&r.squares, &r.products, &r.with_biases_too, &r.relu}) scores->resize(seeds);
  session.run("training", 4 * seeds, [&](std::size_t job) {
    const std::size_t k = job / 4;
    const auto right = [&]<class Model>(const Model& start) {
      const std::uint64_t seed = seed_of_run(session.options.seed, k);
      return accuracy(session.trained<Model>(start.form, seed, session.training()), session.images.test);
    };
    if (job % 4 == 0) r.squares[k] = right(SquareNet<float>(r.square_form));
    else if (job % 4 == 1) r.products[k] = right(Net<float>(r.product_form));
    else if (job % 4 == 2) r.with_biases_too[k] = right(Net<float>(r.with_biases));
    else r.relu[k] = right(ReluNet<float>(r.relu_form));
  });
  return r;
}

template <class Model>
std::vector<std::string> row_of(const std::string& name, const Model& model, const std::vector<double>& right) {
  return {name, std::to_string(parameters_of(model)), spread_of(right).text(3)};
}

void squares_on_digits(Lesson& lesson, Session& session) {
  const std::size_t seeds = session.options.quick_or<std::size_t>(1, 3);
  const Rivals r = rivals(session, seeds);
  lesson.say("Is a product worth more than a square? About as many numbers each, ", seeds, " seeds:");
  lesson.show(
      Table{{"net of one layer", "parameters", "right"},
            {row_of(join(r.square_form.hidden, " squares"), SquareNet<float>(r.square_form), r.squares),
             row_of(join(r.product_form.hidden, " products, no biases"), Net<float>(r.product_form), r.products),
             row_of(join(r.with_biases.hidden, " products, with biases"), Net<float>(r.with_biases), r.with_biases_too),
             row_of(join(r.relu_form.hidden, " ReLU units"), ReluNet<float>(r.relu_form), r.relu)}});
  const double squares = spread_of(r.squares).mean;
  // Means and spreads over 20 seeds; the images differ from seed to seed.
  lesson.claim_trained("squares minus products", squares - spread_of(r.products).mean, within(0.0043, 4.5 * 0.0012));
  lesson.claim_trained("squares minus products with biases", squares - spread_of(r.with_biases_too).mean,
                       within(0.0045, 4.5 * 0.0015));
  lesson.claim_trained("squares minus ReLU units", squares - spread_of(r.relu).mean, within(0.0083, 4.5 * 0.0025));
}

void products_as_squares(Lesson& lesson, Random& random) {
  Net<double> net({6, 0, 5, 3});
  fill_normal(net.tensors(), random);
  const auto X = normal_matrix<double>(50, 6, 1, random);
  const Matrix<double> Y = output(net, X);
  // Sums of some twenty products.
  lesson.claim("five products as ten squares: the same outputs, relative",
               max_abs_difference(output(squares_of(net), X), Y) / largest_entry(Y), at_most(1e-13));
}

// ---------------------------------------------------------------------------------------------------------- degree

// Twelve rows at equal steps along a drawn line.
Matrix<double> along_a_line(std::size_t n, Random& random) {
  const auto direction = normal_matrix<double>(1, n, 1, random), middle = normal_matrix<double>(1, n, 1, random);
  Matrix<double> X(12, n);
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < n; ++j) X(i, j) = middle(0, j) + (double(i) - 5.5) * direction(0, j);
  return X;
}

// What comes out of some layers of drawn weights, one behind the other: of products, or of squares where the two factors
// are one.
enum class Units { products, squares };
Matrix<double> through_layers(Matrix<double> X, std::size_t layers, Units units, Random& random) {
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const std::size_t n = X.cols();
    const auto factor = [&] {
      const auto W = normal_matrix<double>(n, n, 1, random), b = normal_matrix<double>(1, n, 1, random);
      return add_row(matmul(X, W), b);
    };
    const Matrix<double> P = factor();
    X = hadamard(P, units == Units::squares ? P : factor());
  }
  return X;
}

// The last order whose differences are more than rounding: it doubles at most with each order, from 1e-16.
std::size_t degree_of(const std::vector<double>& differences) {
  std::size_t degree = 0;
  for (std::size_t order = 0; order < differences.size(); ++order)
    if (differences[order] > 1e-10) degree = order;
  return degree;
}

void degrees(Lesson& lesson, Random& random) {
  const Matrix<double> X = along_a_line(6, random);
  Table table{{"layers", "products: degree", "next difference", "squares: degree", "next difference"}, {}};
  bool doubles = true;
  for (const std::size_t layers : {1u, 2u, 3u}) {
    std::vector<std::string> row{std::to_string(layers)};
    for (const Units units : {Units::products, Units::squares}) {
      const std::vector<double> found = differences_along(through_layers(X, layers, units, random));
      const std::size_t degree = degree_of(found);
      doubles = doubles && degree == (std::size_t(1) << layers);
      row.push_back(std::to_string(degree));
      row.push_back(significant(found[degree + 1], 2));
    }
    table.rows.push_back(row);
  }
  ReluNet<double> relu({6, 20, 3});
  fill_normal(relu.tensors(), random);
  const std::vector<double> bent = differences_along(output(relu, X));
  lesson.say("Of what degree is a stack of layers? Differences along a line, parts of the largest value:");
  lesson.show(table);
  lesson.note("Of 20 ReLU units the differences of order 3, 5 and 9 are ", significant(bent[3], 2), ", ",
              significant(bent[5], 2), ", ", significant(bent[9], 2), ".");
  lesson.claim("L layers of products, or of squares, are of degree 2 to the L", doubles);
  // .07 to .21 over 20 seeds; rounding would leave 1e-12.
  lesson.claim("ReLU: the smallest difference up to order 11", *std::min_element(bent.begin(), bent.end()),
               at_least(1e-4));
}

// -------------------------------------------------------------------------------------------------- embedding, biases

Net<double> in_double(const Net<float>& net) {
  Net<double> wide(net.form);
  const Tensors<double> to = wide.tensors();
  const ConstTensors<float> from = net.tensors();
  for (std::size_t t = 0; t < to.size(); ++t) to[t].tensor = Matrix<double>(from[t].tensor.view());
  return wide;
}

// How much the parts of the logits vary over the images: the linear part's variance over that of the quadratic one, all
// outputs together.
double linear_over_quadratic(const Tensor3& S, const Matrix<double>& X) {
  Tensor3 linear = S, quadratic = S;
  const std::size_t n = X.cols();
  for (std::size_t o = 0; o < S.outputs(); ++o)
    for (std::size_t p = 0; p <= n; ++p)
      for (std::size_t q = 0; q <= n; ++q) ((p < n && q < n) ? linear : quadratic)(o, p, q) = 0;
  const auto variance = [&](const Tensor3& part) {
    const Matrix<double> Y = evaluate(part, with_one(X)), mean = 1 / double(Y.rows()) * column_sums(Y);
    const Matrix<double> off = add_row(Y, -1 * mean);
    return dot(off, off);
  };
  return variance(linear) / variance(quadratic);
}

void net_with_everything(Lesson& lesson, Session& session) {
  const std::size_t pixels = session.images.train.X.cols(), embedding = 32;
  const NetForm form{pixels, embedding, session.form().hidden, 10};
  const Net<float> trained = session.trained<Net<float>>(form, session.options.seed, session.training());
  const double right = accuracy(trained, session.images.test);
  const Net<double> net = in_double(trained);
  const Tensor3 S = symmetric(fold(net));
  const std::size_t rows = std::min<std::size_t>(300, session.images.test.X.rows());
  const Matrix<double> X(row_block(session.images.test.X, 0, rows)), Y = output(net, X);
  const double off = max_abs_difference(evaluate(S, with_one(X)), Y) / largest_entry(Y);
  Matrix<double> square(pixels + 1, pixels + 1);
  for (const Matrix<double>& slice : S.slices) square += matmul(slice, slice);
  const double directions = double(count_above(eigen_symmetric(symmetric_part(square)).values, 1e-9));
  const double linear = linear_over_quadratic(S, X);
  lesson.say("And a net with all it can have, ", pixels, " pixels embedded in ", embedding, " numbers, ", form.hidden,
             " products, biases everywhere: ", parameters_of(trained), " numbers, right ", fixed(right, 3),
             ". Folded it is ", S.outputs(), " slices over the pixels and the 1, which vary in ", directions,
             " directions; of its logits the linear part varies ", fixed(linear, 2),
             " times as much as the quadratic.");
  // Sums of 145² products: some 1e-14 of the largest logit.
  lesson.claim("folded with E and all biases: the net's logits, relative", off, at_most(1e-11));
  lesson.claim_trained("its slices vary in as many directions as E has numbers, and the constant", directions,
                       exactly(double(embedding) + 1));
  // Means and spreads over 20 seeds.
  lesson.claim_trained("net with embedding and biases: right", right, at_least(0.981 - 4.5 * 0.0033));
  lesson.claim_trained("variance of the linear part over that of the quadratic", linear,
                       at_most(0.0046 + 4.5 * 0.0012));
}

}  // namespace

void part14(Lesson& lesson, Session& session) {
  Random random(lesson.options().seed, 76);
  squares_on_digits(lesson, session);
  products_as_squares(lesson, random);
  degrees(lesson, random);
  net_with_everything(lesson, session);
}

}  // namespace lesson5
