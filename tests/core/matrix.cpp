// Tests storage, views, products, refusals, and a small model's passes; the lessons' gradients test
// what operations compute.
// SPDX-License-Identifier: MIT
#include <limits>

#include "common/in_place.hpp"
#include "common/loss.hpp"
#include "common/model.hpp"
#include "common/random.hpp"
#include "common/training.hpp"
#include "tests/check.hpp"

namespace test_matrix {

using Numbers = Matrix<double>;
static constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();

// Whole entries: sums and products are exact in any order.
static Numbers counting(std::size_t rows, std::size_t cols, int seed) {
  Numbers a(rows, cols);
  for (std::size_t k = 0; k < a.size(); ++k)
    a.values()[k] = double((int(k) * 7 + seed * 5) % 23 - 11);
  return a;
}

static void storage(Checks& check) {
  Numbers a{{1, 2, 3}, {4, 5, 6}};
  const Numbers& b = a;
  a(1, 0) = 20;
  a.row(0)[1] = 20;
  check.that(b == Numbers{{1, 20, 3}, {20, 5, 6}});
  check.that(b != Numbers{{1, 20, 3}, {20, 5, 7}});
  check.that(Numbers(2, 3) != Numbers(3, 2));
  check.that(Numbers(2, 1) == Numbers{{0}, {0}});
  check.that(Numbers(1, 2, 7) == Numbers{{7, 7}});
  check.that(Numbers(3, 0).row(2).empty());
  check.that(Numbers(0, huge).size() == 0, "what has no numbers is never too large");
  constexpr std::size_t half = huge / 2 + 1;  // twice that is 0
  check.throws<std::length_error>([] { Numbers(2, half); },
                                  std::to_string(half) + " are too many numbers");
  check.throws<std::invalid_argument>([] { Numbers{{1, 2}, {3}}; }, "matrix row: 2 x 2 and 1 x 1");
  check.throws<std::out_of_range>([&] { a(2, 0); }, "entry (2, 0) of 2 x 3");
  check.throws<std::out_of_range>([&] { b(0, 3); }, "entry (0, 3) of 2 x 3");
  check.throws<std::out_of_range>([&] { a.row(2); }, "entry (2, 0) of 2 x 3");
  check.throws<std::out_of_range>([&] { b.row(2); }, "entry (2, 0) of 2 x 3");
  const Numbers original = a;
  Numbers moved = std::move(a);
  Numbers& same = moved;
  moved = same;
  moved = std::move(same);
  check.that(moved == original, "assigned and moved to itself: the same");
  check.that(a.shape() == Shape{});
  const Matrix<float> narrow{{0.5f, 0.1f}};
  const Numbers wide(narrow.view());
  check.that(wide(0, 1) == double(0.1f));
  check.that(Matrix<float>(wide.view()) == narrow);
}

static void views(Checks& check) {
  Numbers a = counting(4, 5, 1);
  const Numbers before = a;
  const View<const double> all = a.view();
  const auto t = transpose(a);
  const auto block = row_block(column_block(a, 1, 2), 2, 1);
  const auto turned = column_block(transpose(a), 1, 2);
  check.that(&t(2, 3) == &a(3, 2), "a transpose moves nothing");
  check.that(Numbers(transpose(t)) == a);
  check.that(block.shape == Shape{1, 2});
  check.that(&block(0, 1) == &a(2, 2));
  check.that(turned.shape == Shape{5, 2});
  check.that(&turned(4, 1) == &a(2, 4));
  check.that(row_block(a, 4, 0).rows() == 0);
  check.that(column_block(a, 5, 0).cols() == 0);
  check.throws<std::out_of_range>([&] { all(4, 0); }, "entry (4, 0) of 4 x 5");
  check.throws<std::out_of_range>([&] { t(4, 4); }, "entry (4, 4) of 5 x 4");
  for (const auto& [first, count] : {std::pair{3u, std::size_t{2}}, {5u, 0}, {2u, huge}})
    check.throws<std::invalid_argument>([&, f = first, n = count] { row_block(a, f, n); },
                                        "row_block: 4 x 5 and ");
  check.throws<std::invalid_argument>([&] { column_block(a, 0, 6); }, "row_block: 5 x 4");
  block(0, 0) = 99;
  check.that(a(2, 1) == 99);
  check.that(Numbers(row_block(before, 0, 2)) == Numbers(row_block(a, 0, 2)), "and no other entry");
}

// Exact, since the numbers are whole; test_product has the sizes.
static void products(Checks& check) {
  const Numbers a = counting(7, 5, 1), b = counting(5, 6, 2), expected = matmul_by_definition(a, b);
  const Numbers at(transpose(a)), bt(transpose(b));
  check.that(matmul_by_definition(Numbers{{1, 2}, {3, 4}}, Numbers{{5, 6}, {7, 8}}) ==
                 Numbers{{19, 22}, {43, 50}},
             "the definition, by hand");
  check.that(matmul(a, b) == expected);
  check.that(matmul(transpose(at), b) == expected);
  check.that(matmul(a, transpose(bt)) == expected);
  check.that(matmul(transpose(at), transpose(bt)) == expected);
  Numbers c(7, 6, 3), ct(6, 7), frame(9, 9, 7), framed = frame;
  matmul_into(c, a, b);
  matmul_into(c, a, b, Write::add);
  matmul_into(transpose(ct), a, b);
  check.that(c == expected + expected);
  check.that(Numbers(transpose(ct)) == expected);
  matmul_into(column_block(row_block(frame, 1, 7), 2, 6), a, b);
  for (std::size_t i = 0; i < 7; ++i)
    for (std::size_t j = 0; j < 6; ++j) framed(i + 1, j + 2) = expected(i, j);
  check.that(frame == framed, "into a block and nothing beside it");
  Numbers kept(2, 3, 4);
  matmul_into(kept, Numbers(2, 0), Numbers(0, 3), Write::add);
  check.that(kept == Numbers(2, 3, 4), "a sum of nothing, added, changes nothing");
  matmul_into(kept, Numbers(2, 0), Numbers(0, 3));
  check.that(kept == Numbers(2, 3));
  check.that(matmul(Numbers(0, 2), Numbers(2, 3)).shape() == Shape{0, 3});
  check.throws<std::invalid_argument>([&] { matmul(a, bt); }, "matmul: 7 x 5 and 6 x 5");
  check.throws<std::invalid_argument>([&] { matmul_by_definition(a, bt); }, "7 x 5 and 6 x 5");
  check.throws<std::invalid_argument>([&] { matmul(a, transpose(b)); }, "matmul: 7 x 5 and 6 x 5");
  check.throws<std::invalid_argument>([&] { matmul_into(ct, a, b); },
                                      "matmul result: 6 x 7 and 7 x 6");
}

static void operations(Checks& check) {
  const Numbers a{{1, -2}, {3, 4}}, b{{10, 20}, {30, 40}}, flat(1, 4), row{{10, 20}};
  check.that(zip(a, b, [](double x, double y) { return y - 2 * x; }) == Numbers{{8, 24}, {24, 32}});
  check.that(column_sums(Numbers(0, 3)) == Numbers(1, 3));
  check.that(add_row(Numbers(0, 2), row).rows() == 0);
  check.that(dot(Matrix<float>(1, 100, 12345), Matrix<float>(1, 100, 12345)) == 15239902500);
  Numbers sum = a;
  (sum += b) += a;
  sum += sum;
  check.that(sum == Numbers{{24, 32}, {72, 96}}, "+=, also to itself");
  check.that(sum - sum == Numbers(2, 2));
  const double* place = sum.values().data();
  check.that((std::move(sum) + b).values().data() == place, "a temporary's storage is used again");
  sum = a;
  const auto refuses = [&](const std::string& operation, auto f,
                           const char* shapes = "2 x 2 and 1 x 4") {
    check.throws<std::invalid_argument>(f, operation + ": " + shapes);
  };
  refuses("+", [&] { a + flat; });
  refuses("-", [&] { a - flat; });
  refuses("+=", [&] { sum += flat; });
  refuses("hadamard", [&] { hadamard(a, flat); });
  refuses("zip", [&] { zip(a, flat, std::plus<double>()); });
  refuses("dot", [&] { dot(a, flat); });
  refuses("max_abs_difference", [&] { max_abs_difference(a, flat); });
  refuses(
      "add_row", [&] { add_row(a, Numbers(1, 3)); }, "2 x 2 and 1 x 3");
  refuses(
      "add_row", [&] { add_row(a, a); }, "2 x 2 and 2 x 2");
  check.that(max_abs_difference(a, b) == 36);
  check.that(max_abs_difference(b, a) == 36);
  Numbers unit{{3, 4}};  // 1/5 must come of what stands there, whichever factor is looked at first
  unit = 1 / std::sqrt(dot(unit, unit)) * std::move(unit);
  check.near(max_abs_difference(unit, {{0.6, 0.8}}), 0, 1e-15, "a factor made of what moves");
  for (const std::size_t column : {0u, 1u, 2u}) {
    Numbers c{{9, 2, std::numeric_limits<double>::infinity()}};
    c(0, column) = std::numeric_limits<double>::quiet_NaN();
    check.that(std::isnan(max_abs_difference(Numbers{{1, 2, 3}}, c)), "NaN, wherever it stands");
  }
}

static void in_place(Checks& check) {
  Numbers a{{1, 2}, {3, 4}}, kept{{9, 9}, {9, 9}}, other;
  const double* place = kept.values().data();
  scale(2.0, a, kept);
  check.that(kept == Numbers{{2, 4}, {6, 8}}, "scale");
  multiply(a, kept, kept);
  check.that(kept == Numbers{{2, 8}, {18, 32}}, "multiply, into one of the factors");
  check.that(kept.values().data() == place, "what has the shape stays where it is");
  multiply(a, a, other);
  check.that(other == Numbers{{1, 4}, {9, 16}}, "what has not becomes as large");
  check.throws<std::invalid_argument>([&] { multiply(a, Numbers(1, 4), other); },
                                      "multiply: 2 x 2 and 1 x 4");
}

struct Layer {  // Y = X·W
  using Number = double;
  Shape form;
  Numbers W;

  explicit Layer(const Shape& f) : form(f), W(f.rows, f.cols) {}
  Tensors<double> tensors() { return {{"W", W}}; }
  struct Trace {
    Numbers Y;
  };
  struct Scratch {
    int passes = 0;
  };
  void forward(const Numbers& X, Trace& t) const { t.Y = matmul(X, W); }
  void backward(const Numbers& X, const Trace&, const Numbers& dY, Gradients<Layer>& g) const {
    ++g.scratch.passes;
    g.parameters.W = matmul(transpose(X), dY);
    if (g.with_dX) g.dX = matmul(dY, transpose(W));
  }
};

// tests/gradients.hpp checks for every model that a pass leaves nothing to the next.
static void models(Checks& check) {
  Layer layer({2, 2});
  layer.W = {{1, 0}, {-1, 2}};
  const Numbers X{{1, 2}, {3, 4}}, dY{{1, -1}, {2, 0}};
  const auto loss_of = [&](const Numbers& Y) { return Loss<double>{dot(Y, dY), dY}; };
  const Gradients<Layer> g = gradients(layer, X, loss_of);
  check.that(output(layer, X) == Numbers{{-1, 4}, {-1, 8}}, "output is the Y of the trace");
  check.that(g.parameters.W == Numbers{{7, -1}, {10, -2}});
  check.that(g.dX == Numbers{{1, -3}, {2, -2}});
  Pass<Layer> pass(layer);
  check.that(pass.run(layer, X, loss_of) == dot(output(layer, X), dY), "a pass returns its loss");
  pass.run(layer, X, loss_of);
  check.that(pass.g.dX.size() == 0, "training asks for no dX");
  check.that(pass.g.scratch.passes == 2, "the scratch stays");
  check.that(parameters_of(layer) == 4);
  check.that(&read_only(layer)[0].tensor == &layer.W);
  Numbers b{{5}};
  Tensors<double> tensors = layer.tensors();
  tensors.push_back({"b", b});
  for (const auto& [name, tensor] : tensors) tensor(0, 0) = name == "b" ? 6 : 7;
  check.that(layer.W(0, 0) == 7, "a list leads to the tensors themselves");
  check.that(b(0, 0) == 6, "also when it has grown");
  // Five deviations: of 90,000 draws, 2/300 for the mean and 4·√2/300 for the mean square.
  Layer large({300, 300});
  Random random(5, 1);
  fill_normal(large.tensors(), random, 2);
  check.near(dot(large.W, Numbers(300, 300, 1)) / 9e4, 0, 5 * 2 / 300.0, "fill_normal: mean");
  check.near(mean_square(large.W), 4, 5 * 4 * std::sqrt(2.0) / 300, "fill_normal: deviation");
}

// Y = X·W with X = 1 and the gradient 1: each step takes the rate from W.
static void training(Checks& check) {
  const Numbers X{{1}};
  const auto trained = [&](const Watch& watch, double hopeless = HUGE_VAL) {
    Layer layer({1, 1});
    Sgd<double> descent;
    Pass<Layer> pass(layer);
    const auto run = [&](long) {
      return pass.run(layer, X, [](const Numbers& Y) { return Loss<double>{Y(0, 0), {{1}}}; });
    };
    const Schedule schedule{.steps = 5, .rate = 0.5, .last = 1};
    const long taken = train(layer, pass, descent, schedule, hopeless, run, watch);
    check.that(layer.W(0, 0) == -0.5 * double(taken), "as many steps as it says");
    return taken;
  };
  check.that(trained({}) == 5, "all steps");
  std::vector<double> losses;
  const auto watch = [&](long step, double loss) {
    losses.push_back(loss);
    return step < 2;
  };
  check.that(trained(watch) == 2, "watched, and ended before a step");
  check.that(losses == std::vector<double>{0, -0.5, -1}, "each loss before its step");
  check.throws<Diverged>([&] { trained({}, 0); }, "at step 0", "hopeless");
}

static const Listed here("matrix",
                         {storage, views, products, operations, in_place, models, training});

}  // namespace test_matrix
