// Lesson 3, part 5: real products: four of them against numbers, two also by hand, the floors that they have, and the degree
// of the polynomial that each one is.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/initialize.hpp"
#include "common/support/lesson.hpp"
#include "lessons/3_swish_vs_bmlp/floors.hpp"
#include "lessons/3_swish_vs_bmlp/run/checks.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"
#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"

namespace lesson3 {
namespace {

// The product layer of README.md, "By hand": two inputs, one product, one output.
void product_by_hand(Lesson& lesson) {
  Product<double> net({2, 1, 1});
  net.layer.W = {{1}, {2}};
  net.layer.b = {{1}};
  net.layer.V = {{3}, {-1}};
  net.readout.W2 = {{2}};
  net.readout.W3 = {{1}, {0}};
  net.readout.b2 = {{-4}};
  const Matrix<double> x{{1, 2}};
  Product<double>::Trace t;
  Gradients<Product<double>> g(net);
  net.forward(x, t);
  net.backward(x, t, {{1}}, g);
  lesson.note("The product layer by hand: P = ", t.layer.P(0, 0), ", Q = ", t.layer.Q(0, 0), ", y = ", t.Y(0, 0),
              ", dX = (", g.dX(0, 0), ", ", g.dX(0, 1), ").");
  lesson.claim("y by hand", t.Y(0, 0), exactly(9));
  lesson.claim_same("dX by hand", max_abs_difference(g.dX, {{39, -8}}));
  lesson.claim_same("dW and dV by hand", std::max(max_abs_difference(g.d.layer.W, {{2}, {4}}),
                                                  max_abs_difference(g.d.layer.V, {{12}, {24}})));
}

// Two hidden numbers, one output, W2 not symmetric.
void outer_by_hand(Lesson& lesson) {
  Outer<double> net({2, 2, 1});
  net.W1 = {{1, 0}, {0, 1}};
  net.W2 = {{1, 2, 5, 1}};
  const Matrix<double> x{{3, 4}};
  Outer<double>::Trace t;
  Gradients<Outer<double>> g(net);
  net.forward(x, t);
  net.backward(x, t, {{1}}, g);
  lesson.note("H⊗H by hand: y = ", t.Y(0, 0), ", dH = (", g.dX(0, 0), ", ", g.dX(0, 1), ").");
  lesson.claim("y by hand", t.Y(0, 0), exactly(109));
  lesson.claim_same("dH by hand", max_abs_difference(g.dX, {{34, 29}}));
}

void check_products(Lesson& lesson, Random& random) {
  Product<double> product({4, 8, 3});
  lesson.note("The product layer's gradients against numbers, through Σ R⊙Y with a step of 1, all numbers quarters:");
  lesson.claim_gradients("product layer", check_through_sum(product, 16, random), 0);
  GatedMean<double> gated({4, 8, 3});
  lesson.claim("W1 + mean(x)·U1: every gradient entry", check_through_sum(gated, 16, random).worst(), exactly(0));
  Outer<double> outer({4, 8, 3});
  lesson.claim("H⊗H: every gradient entry", check_through_sum(outer, 16, random).worst(), exactly(0));
  Product2<double> two({{4, 5, 3}, 7, 2});
  fill_normal(two.tensors(), random, 0.5);  // squared twice: with 0.7 one seed of a thousand rounds by more than 1e-7
  lesson.claim("two product layers, with the small step: every gradient entry",
               check_through_loss(two, 6, random).worst(), at_most(1e-7));
}

// |Δ⁰f|, |Δ¹f|, ... along the line x + t·v at t = 0, 1, ..., each over the largest value: a polynomial of degree k has
// zeros from the difference k + 1 on.
template <class F>
std::vector<double> differences(F f, std::size_t inputs, std::size_t orders, Random& random) {
  const Matrix<double> x = uniform_matrix<double>(1, inputs, 1, random);
  const Matrix<double> v = uniform_matrix<double>(1, inputs, 1, random);
  std::vector<double> values, sizes;
  for (std::size_t t = 0; t <= orders; ++t) values.push_back(f(x + double(t) * v));
  double largest = 0;
  for (const double y : values) largest = std::max(largest, std::abs(y));
  for (std::size_t order = 0; order <= orders; ++order) {
    sizes.push_back(std::abs(values[0]) / largest);
    for (std::size_t t = 0; t + 1 < values.size(); ++t) values[t] = values[t + 1] - values[t];
    values.pop_back();
  }
  return sizes;
}

// Which difference is the last that does not vanish: the degree of the polynomial along a line, if that is less than
// the number of differences.
std::size_t degree_of(const std::vector<double>& sizes) {
  std::size_t degree = sizes.size() - 1;
  // The last difference adds values with signs, 64 of them counted with their factors, each rounded by some 1e-15 of
  // the largest.
  while (degree > 0 && sizes[degree] < 1e-11) --degree;
  return degree;
}

void degrees(Lesson& lesson, Random& random) {
  constexpr std::size_t orders = 6;
  lesson.note("Differences of neighbours at seven points on a line, again and again:");
  Table table{{"network", "1st", "2nd", "3rd", "4th", "5th", "6th", "degree"}, {}};
  std::string named;
  std::vector<std::size_t> found;
  const auto add = [&](const std::string& name, auto model) {
    fill_normal(model.tensors(), random, 0.5);
    const auto first = [&](const Matrix<double>& x) { return output(model, x)(0, 0); };
    const std::vector<double> sizes = differences(first, model.form.in, orders, random);
    found.push_back(degree_of(sizes));
    std::vector<std::string> row{name};
    for (std::size_t k = 1; k <= orders; ++k) row.push_back(significant(sizes[k], 1));
    row.push_back(found.back() == orders ? "none" : std::to_string(found.back()));
    named += (named.empty() ? "" : "; ") + name + " " + row.back();
    table.rows.push_back(row);
  };
  add("BMLP as published", Bmlp<double>({4, 5, 3}));
  add("W1 + mean(x)·U1", GatedMean<double>({4, 5, 3}));
  add("product layer", Product<double>({4, 5, 3}));
  add("H⊗H", Outer<double>({4, 5, 3}));
  add("two product layers", Product2<double>({{4, 5, 3}, 7, 2}));
  add("swish MLP", Swish<double>({{4, 5, 3}, true}));
  lesson.detail(table);
  lesson.say("Its degree along a line: ", named, ".");
  lesson.claim("the BMLP is of degree 1", double(found[0]), exactly(1));
  lesson.claim("mean gate, product layer and H⊗H are of degree 2", found[1] == 2 && found[2] == 2 && found[3] == 2);
  lesson.claim("two product layers are of degree 4", double(found[4]), exactly(4));
  lesson.claim("the swish MLP is no polynomial of degree 5 or less", found[5] == orders);
}

// The weights of the second of two product layers at x, its bias in the last row: column j of Wb and bb, times entry j of
// J·Vb + cb. (width + 1) x upper.
Matrix<double> second_weights(const Product2<double>& net, const Product2<double>::Trace& t) {
  const std::size_t width = net.form.width;
  Matrix<double> M(width + 1, net.form.upper);
  for (std::size_t j = 0; j < M.cols(); ++j) {
    for (std::size_t k = 0; k < width; ++k) M(k, j) = net.layer.upper.W(k, j) * t.layer.upper.Q(0, j);
    M(width, j) = net.layer.upper.b(0, j) * t.layer.upper.Q(0, j);
  }
  return M;
}

void second_layer_as_matrix(Lesson& lesson, Random& random) {
  Product2<double> net({{4, 5, 3}, 7, 2});
  fill_normal(net.tensors(), random, 0.5);
  const auto weights_at = [&](const Matrix<double>& x) {
    Product2<double>::Trace t;
    net.forward(x, t);
    return second_weights(net, t);
  };
  const Matrix<double> x = normal_matrix<double>(1, net.form.in, 1, random);
  Product2<double>::Trace t;
  net.forward(x, t);
  Matrix<double> input(1, net.form.width + 1, 1);  // J and a 1 for the bias
  std::copy(t.layer.J.values().begin(), t.layer.J.values().end(), input.values().begin());
  const Matrix<double> M = second_weights(net, t);
  // Eight products each way, added in another order: some 1e-15 of the largest number in the sum.
  const double scale = max_abs_difference(M, Matrix<double>(M.rows(), M.cols())) *
                       max_abs_difference(input, Matrix<double>(1, input.cols()));
  lesson.claim("second product layer: its weights at x times its input give its output",
               max_abs_difference(matmul(input, M), t.hidden) / scale, at_most(1e-13));
  std::size_t lowest = 9, highest = 0;
  for (std::size_t k = 0; k < M.rows(); ++k)
    for (std::size_t j = 0; j < M.cols(); ++j) {
      const auto entry = [&](const Matrix<double>& at) { return weights_at(at)(k, j); };
      const std::size_t degree = degree_of(differences(entry, net.form.in, 6, random));
      lowest = std::min(lowest, degree);
      highest = std::max(highest, degree);
    }
  lesson.note("The second product layer as a matrix that depends on x: ", M.rows(), " x ", M.cols(),
              " weights, the lowest degree of one in x ", lowest, ", the highest ", highest, ".");
  lesson.claim("second product layer: every weight is of degree 2 in x", lowest == 2 && highest == 2);
}

void quadratic_floor(Lesson& lesson, Session& session) {
  const Rows& rows = session.suite().train;
  const auto floor = [&](const Matrix<double>& Phi) {
    return mean_square(matmul(Phi, least_squares(Phi, rows.T)) - rows.T);
  };
  const double linear = floor(linear_features(rows.X)), gated = floor(gated_mean_features(rows.X));
  const Matrix<double> Phi = quadratic_features(rows.X);
  const double quadratic = floor(Phi);
  Random start(lesson.options().seed, 31);
  const Forms forms{suite_inputs, suite_outputs};
  Product<float> product(forms.product, start);
  Product2<float> two(forms.product2, start);
  Curve product_curve, two_curve;
  session.run("training", 2, [&](std::size_t k) {
    const Random random(lesson.options().seed, 32);
    if (k == 0) product_curve = train_and_watch(product, rows, session.training(), random);
    else two_curve = train_and_watch(two, rows, session.training(), random);
  });
  lesson.say("The floors on suite A: linear ", fixed(linear, 4), ", with mean(x)·x_i ", fixed(gated, 4), ", all ",
             Phi.cols(), " monomials up to degree 2 ", fixed(quadratic, 4), ". One product layer ends at ",
             fixed(product_curve.losses.back(), 4), ", two at ", fixed(two_curve.losses.back(), 4), ".");
  plot::Chart chart;
  chart.title = "Suite A: each kind of network has its floor";
  chart.x.title = "step";
  chart.y = {.title = "mean squared error, training rows (logarithmic)", .log = true};
  chart.series = {{"product layer", product_curve.steps, product_curve.losses},
                  {"two product layers", two_curve.steps, two_curve.losses}};
  chart.levels = {{"linear", linear}, {"quadratic", quadratic}};
  lesson.figure("floors", chart);
  const double excess = product_curve.losses.back() / quadratic - 1;
  lesson.claim("product layer: not below its floor, loss over floor - 1", excess, at_least(-1e-6));  // float outputs
  lesson.claim_trained("product layer: near its floor, loss over floor - 1", excess,
                       at_most(0.00197 + 4.5 * 0.00016));  // mean and spread over 20 seeds
  lesson.claim_trained("two product layers: through it, loss over floor", two_curve.losses.back() / quadratic,
                       at_most(0.589 + 4.5 * 0.043));  // likewise
}

}  // namespace

void part5(Lesson& lesson, Session& session) {
  product_by_hand(lesson);
  outer_by_hand(lesson);
  Random random(lesson.options().seed, 33);
  check_products(lesson, random);
  degrees(lesson, random);
  second_layer_as_matrix(lesson, random);
  quadratic_floor(lesson, session);
}

}  // namespace lesson3
