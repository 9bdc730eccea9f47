// Lesson 4 beyond its claims: gradients, gates, signatures, equations, functions of three bits.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/frame/text/words.hpp"
#include "lessons/4_bilinear_gates/lesson.hpp"
#include "lessons/4_bilinear_gates/squares.hpp"
#include "lessons/4_bilinear_gates/superposition.hpp"
#include "tests/files.hpp"
#include "tests/gradients.hpp"

using namespace lesson4;

// What is not listed is not trained, so it must be zero from the start.
static void without_biases(Checks& check) {
  Random random(1);
  const Bottleneck<double> model({5, 3, 4, Biases::without}, random);
  std::string names;
  for (const auto& [name, tensor] : model.tensors()) names += name;
  check.equal(names, "EWVU", "without biases none is listed");
  for (const Matrix<double>* biases : {&model.net.layer.b, &model.net.layer.c, &model.net.u})
    check.that(largest_entry(*biases) == 0, "and none is drawn");
}

static void meanings(Checks& check) {
  const char* const names[] = {
      "FALSE", "AND",  "x AND NOT y", "x",          "NOT x AND y", "y",          "XOR",  "OR",
      "NOR",   "XNOR", "NOT y",       "x OR NOT y", "NOT x",       "NOT x OR y", "NAND", "TRUE"};
  for (std::size_t g = 0; g < gates.size(); ++g) {
    check.equal(gates[g].name, names[g], "the gate has its place");
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const bool x = corners[k][0] == 1, y = corners[k][1] == 1;
      const bool values[] = {false,  x && y,  x && !y,   x,      !x && y, y,
                             x != y, x || y,  !x && !y,  x == y, !y,      x || !y,
                             !x,     !x || y, !(x && y), true};
      check.that(gates[g].truth[k] == double(values[g]),
                 std::string(names[g]) + " does what it says");
    }
  }
  check.that(gate_of({0, 1, 0.5, 0}) == nullptr, "no gate says 1/2");
}

// Multiplies triangles of whole numbers with ones on the diagonal, so that nothing is rounded.
static Matrix<double> with_inverse(std::size_t n, Random& random) {
  Matrix<double> L(n, n), R(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    L(i, i) = R(i, i) = 1;
    for (std::size_t j = 0; j < i; ++j) {
      L(i, j) = std::round(random.normal());
      R(j, i) = std::round(random.normal());
    }
  }
  return matmul(L, R);
}

// A·D·Aᵀ has the signature of D for every invertible A (Sylvester).
static void signatures(Checks& check) {
  Random random(3);
  std::vector<std::array<int, 4>> patterns;
  for (const int a : {-1, 0, 1})
    for (const int b : {-1, 0, 1})
      for (const int c : {-1, 0, 1})
        for (const int d : {-1, 0, 1}) patterns.push_back({a, b, c, d});
  for (const std::array<int, 4>& signs : patterns)
    for (const double size : {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1e-300, 1e-300, 1e300, 1e300}) {
      Matrix<double> D(4, 4);
      for (std::size_t i = 0; i < 4; ++i) D(i, i) = signs[i] * double(1 + random.below(3));
      const Matrix<double> A = with_inverse(4, random);
      const Signature squares = signature(size * matmul(matmul(A, D), transpose(A)));
      const auto count = [&](int sign) { return std::count(signs.begin(), signs.end(), sign); };
      const std::string of = join(" of ", signs[0], signs[1], signs[2], signs[3], " times ", size);
      check.near(squares.plus, double(count(1)), 0, "squares with plus" + of);
      check.near(squares.minus, double(count(-1)), 0, "squares with minus" + of);
    }
  const Signature saddle = signature(Matrix<double>{{0, 1}, {1, 0}});  // no square to begin with
  check.near(saddle.plus, 1, 0, "x·y: squares with plus");
  check.near(saddle.minus, 1, 0, "x·y: squares with minus");
}

static void equations(Checks& check) {
  Random random(3);
  for (const std::size_t rank : {0u, 1u, 3u, 4u}) {
    const auto left = normal_matrix<double>(6, rank, 1, random),
               right = normal_matrix<double>(rank, 4, 1, random);
    Matrix<double> A = matmul(left, right);
    if (rank > 0 && rank < 4)
      for (std::size_t i = 0; i < 6; ++i) A(i, 3) = A(i, 0) - 2 * A(i, 1);
    check.that(solvable(A, 1e-9) == (rank < 4), join("what can be solved, through ", rank));
    A(5, 3) += 1;
    check.that(!solvable(A, 1e-9), join("and what not, through ", rank));
  }
}

// What is left of a column outside others, some of which are sums of the rest, or nothing.
static void outside(Checks& check) {
  Random random(5);
  std::vector<Column> basis(4, Column(9));
  for (Column& column : basis)
    for (double& one : column) one = random.normal();
  basis[2].assign(9, 0);
  for (std::size_t r = 0; r < 9; ++r) basis[3][r] = 2 * basis[0][r] - basis[1][r];
  Column within(9), other(9);
  for (std::size_t r = 0; r < 9; ++r) {
    within[r] = 0.5 * basis[0][r] + 3 * basis[3][r];
    other[r] = random.normal();
  }
  const std::vector<Column> left = left_outside(basis, {within, other});
  const auto product = [](const Column& a, const Column& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  check.near(product(left[0], left[0]), 0, 1e-25, "nothing is left of what lies within");
  for (const Column& column : basis)
    check.near(product(left[1], column), 0, 1e-13,
               "and what is left of another is at right angles");
  check.near(product(left[1], other), product(left[1], left[1]), 1e-13, "a part of it");
}

// The line on which a factor is 0, in the square [-1, 1]².
static void lines(Checks& check) {
  for (const Factor& f : {Factor{1, -1, 0}, {2, 0.5, 0.3}, {0, 1, -0.9}, {1, 1, 2}}) {
    const auto ends = zero_line(f, -1, 1);
    check.that(ends.has_value() == (f.one < 2), "the line crosses the square");
    if (!ends) continue;
    for (const auto& [x, y] : {ends->first, ends->second}) {
      check.near(f.at(x, y), 0, 1e-12, "the factor is 0 at its end");
      check.near(std::max(std::abs(x), std::abs(y)), 1, 1e-12, "which lies on the rim");
    }
  }
  check.that(!zero_line({0, 0, 1}, -1, 1), "a constant has none");
}

// Tables of one square each, the third made up of the others: two directions, two computations.
static void tables(Checks& check) {
  const Matrix<double> x{{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}, y{{0, 0, 0}, {0, 1, 0}, {0, 0, 0}};
  const std::vector<Matrix<double>> F = {x, y, -1 * (x + y)};
  check.near(directions_of(F), 2, 0, "directions of all tables, whatever their signs");
  check.near(computations_of(F), 2, 0, "tables that no others make up");
}

// The lesson's own check of gradients, at the tolerance that it claims.
static void own_check(Checks& check) {
  const Folder folder;
  for (const bool slips : {false, true}) {
    Options options;
    options.out = folder / "out";
    Lesson lesson(options, "The check of gradients");
    Random random(1);
    const ProductNet<double> net({4, 5, 3});
    if (slips) claim_exactly(lesson, "off by a millionth, which fails", Slipped(net), 6, 4, random);
    else claim_exactly(lesson, "right", net, 6, 4, random);
    check.that((lesson.finish("") != 0) == slips, "a slip of a millionth is noticed, and no other");
  }
}

// The best of all starts, beside the worst.
static void starts(Checks& check) {
  Options options;
  Session session(options);
  const auto best = [&](std::size_t count) {
    return best_of<HiddenNet<double>>(session, count, 42, HiddenForm{relu_activation, 2, 1, 1},
                                      corner_rows(), error_to(column_of(xor_gate.truth)), {});
  };
  check.that(best(1).worst == best(1).fit.loss, "one start is the best and the worst");
  check.near(best(30).fit.loss, 1 / 6.0, 1e-3, "the best of thirty");
  check.near(best(30).worst, 1 / 4.0, 1e-3, "the worst of thirty");
  check.near(error_of_count(49, 98), std::sqrt(98 / 4.0), 1e-12, "the error of a count");
}

// A column of counts stands under the loss that it counts.
static void columns(Checks& check) {
  struct Row {
    std::vector<Fit> ends;
  };
  const auto at = [](double loss) { return Fit{.loss = loss}; };
  const std::vector<Row> rows{
      {{at(1 / 8.0), at(1 / 4.0), at(1e-7)}},
      {{at(1 / 6.0), at(0.1669), at(1 / 4.0), at(0.2), at(1 / 4.0), at(0.2501)}}};
  Table table{{"network"}, {{"first"}, {"second"}}};
  add_traps(table, rows);
  const std::vector<std::vector<std::string>> expected{{"first", "1", "0", "1"},
                                                       {"second", "0", "2", "3"}};
  check.that(table.head == std::vector<std::string>{"network", "1/8", "1/6", "1/4"}, "the head");
  check.that(table.rows == expected, "and what stands below it");
}

// Features that are answered by their mean do not come back, whatever the density; all others do.
static void come_back(Checks& check) {
  for (const double p : {0.02, 0.1, 0.3, 0.5}) {
    const WeightedRows rows = all_inputs(5, p);
    for (std::size_t back = 0; back <= 5; ++back) {
      Matrix<double> Y = rows.X;
      for (std::size_t r = 0; r < Y.rows(); ++r)
        for (std::size_t j = back; j < 5; ++j) Y(r, j) = p;
      check.near(features_back(5, error_over(rows)(Y).value, p), double(back), 1e-12,
                 join("features that come back, of density ", p));
    }
  }
}

int main() {
  GradientTest test;
  visit_models(test);
  without_biases(test.check);
  meanings(test.check);
  signatures(test.check);
  equations(test.check);
  outside(test.check);
  lines(test.check);
  tables(test.check);
  own_check(test.check);
  starts(test.check);
  columns(test.check);
  come_back(test.check);
  test.check.near(cubic_coefficient(128), 1, 0, "κ of AND of three");
  test.check.near(cubic_coefficient(150), 4, 0, "κ of odd parity");
  test.check.near(cubic_coefficient(202), 0, 0, "κ of \"if z then y else x\"");
  return test.done("test_lesson4");
}
