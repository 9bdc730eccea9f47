// Everything public in common/matrix.hpp: shapes and messages, views, slices and transposes, the product in all its
// forms against the definition, the operations entry by entry, and what each refuses.
// SPDX-License-Identifier: MIT
#include <limits>

#include "common/model.hpp"
#include "tests/check.hpp"

using Numbers = Matrix<double>;

// Entries that are whole numbers: sums and products of them are exact, in whatever order.
static Numbers counting(std::size_t rows, std::size_t cols, int seed) {
  Numbers a(rows, cols);
  for (std::size_t k = 0; k < a.size(); ++k) a.values()[k] = double((int(k) * 7 + seed * 5) % 23 - 11);
  return a;
}

template <class T>
static std::vector<T> list(std::span<T> values) {
  return {values.begin(), values.end()};
}

static void shapes(Checks& check) {
  check.that(Shape{2, 3} == Shape{2, 3} && !(Shape{2, 3} == Shape{3, 2}) && Shape{} == Shape{0, 0}, "shapes compare");
  check.that(to_text({2, 3}) == "2 x 3", "a shape as text");
  check_shapes(true, "fits", {1, 2}, {3, 4});
  check.throws<std::invalid_argument>(
      [] {
        check_shapes(false, "op", {2, 3}, {4, 5});
      },
      "op: 2 x 3 and 4 x 5", "does not fit");
  check_index(1, 2, {2, 3});
  check.throws<std::out_of_range>([] { check_index(2, 0, {2, 3}); }, "entry (2, 0) of 2 x 3", "a row too far");
  check.throws<std::out_of_range>([] { check_index(0, 3, {2, 3}); }, "entry (0, 3) of 2 x 3", "a column too far");
}

static void storage(Checks& check) {
  Numbers a{{1, 2, 3}, {4, 5, 6}};
  check.that(a.rows() == 2 && a.cols() == 3 && a.size() == 6 && a.shape() == Shape{2, 3}, "sizes");
  check.that(list(a.values()) == std::vector<double>{1, 2, 3, 4, 5, 6}, "row after row");
  check.that(list(a.row(1)) == std::vector<double>{4, 5, 6}, "a row");
  a(1, 0) = 40;
  a.row(0)[1] = 20;
  a.values()[5] = 60;
  check.that(a == Numbers{{1, 20, 3}, {40, 5, 60}}, "entries are written through (), row and values");

  const Numbers& b = a;
  check.that(b(1, 2) == 60 && b.row(0)[1] == 20 && b.values()[3] == 40, "and read when const");
  check.that(!(a == Numbers{{1, 20, 3}, {40, 5, 61}}), "another entry is another matrix");
  check.that(!(Numbers(2, 3) == Numbers(3, 2)), "so is another shape with the same numbers");

  check.that(Numbers(2, 2) == Numbers{{0, 0}, {0, 0}} && Numbers(1, 2, 7) == Numbers{{7, 7}}, "new: zero, or filled");
  check.that(Numbers().shape() == Shape{} && Numbers{}.size() == 0, "nothing is 0 x 0");
  check.that(Numbers(0, 3).cols() == 3 && Numbers(3, 0).rows() == 3, "no rows still have columns");
  check.throws<std::invalid_argument>([] { Numbers{{1, 2}, {3}}; }, "matrix row: 2 x 2 and 1 x 1", "a shorter row");
  check.throws<std::invalid_argument>([] { Numbers{{1}, {2, 3}}; }, "2 x 1 and 1 x 2", "a longer row");

  constexpr std::size_t half = std::numeric_limits<std::size_t>::max() / 2 + 1;  // twice that is 0
  check.throws<std::length_error>([] { Numbers(half, 2); }, "too many numbers", "rows·cols overflows to 0");
  check.throws<std::length_error>([] { Numbers(2, half); }, "2 x " + std::to_string(half), "likewise");
  check.that(Numbers(half, 0).size() == 0 && Numbers(0, half).size() == 0, "what has no numbers is never too large");

  check.throws<std::out_of_range>([&] { a(2, 0); }, "entry (2, 0) of 2 x 3", "no such row");
  check.throws<std::out_of_range>([&] { b(0, 3); }, "entry (0, 3) of 2 x 3", "no such column");
  check.throws<std::out_of_range>([&] { a.row(2); }, "entry (2, 0) of 2 x 3", "no such row to take");
  check.throws<std::out_of_range>([&] { b.row(2); }, "entry (2, 0) of 2 x 3", "nor when const");
  check.that(Numbers(3, 0).row(2).empty(), "a row without columns");
}

static void copies(Checks& check) {
  const Numbers original{{1, 2}};
  Numbers a = original, copy = a;
  copy(0, 0) = 9;
  check.that(a == original, "a copy is another matrix");
  Numbers b = std::move(a);
  check.that(b == original && a.shape() == Shape{} && a.size() == 0, "what was moved from is empty, shape included");
  a = std::move(b);
  check.that(a == original && b.shape() == Shape{} && b.size() == 0, "by assignment too");
  Numbers& same = a;
  a = same;
  check.that(a == original, "assigned to itself");
  a = std::move(same);
  check.that(a == original, "moved to itself");

  const Matrix<float> narrow{{0.5f, 0.1f}};
  const Numbers wide(narrow.view());
  check.that(wide(0, 0) == 0.5 && wide(0, 1) == double(0.1f), "float widened");
  check.that(Matrix<float>(wide.view()) == narrow, "and narrowed");
  check.that(Numbers(transpose(Numbers{{1, 2}, {3, 4}})) == Numbers{{1, 3}, {2, 4}}, "a view copied");

  Numbers W{{1}};
  const Tensors<double> tensors{{"W", W}};
  tensors[0].tensor(0, 0) = 5;
  check.that(tensors[0].name == "W" && W(0, 0) == 5, "a named tensor is the model's own");
}

static void views(Checks& check) {
  Numbers a = counting(4, 5, 1);
  const Numbers before = a;
  const View<double> v = a.view();
  check.that(v.rows() == 4 && v.cols() == 5 && v.view()(3, 2) == a(3, 2), "a view of all");
  const View<const double> read_only = v;
  check.that(&read_only(1, 1) == &a(1, 1), "a view converts to one that only reads");
  check.throws<std::out_of_range>([&] { v(4, 0); }, "entry (4, 0) of 4 x 5", "a view has the same bounds");

  const auto t = transpose(a);
  check.that(t.rows() == 5 && t.cols() == 4 && &t(2, 3) == &a(3, 2), "a transpose moves nothing");
  check.that(Numbers(transpose(t)) == a, "twice is nothing");
  check.throws<std::out_of_range>([&] { t(4, 4); }, "entry (4, 4) of 5 x 4", "its bounds are turned too");

  const auto rows = row_block(a, 1, 2);
  check.that(rows.shape == Shape{2, 5} && &rows(0, 0) == &a(1, 0) && &rows(1, 4) == &a(2, 4), "rows 1 and 2");
  const auto columns = column_block(a, 2, 3);
  check.that(columns.shape == Shape{4, 3} && &columns(0, 0) == &a(0, 2) && &columns(3, 2) == &a(3, 4),
             "columns 2 to 4");
  const auto block = row_block(column_block(a, 1, 2), 2, 1);
  check.that(block.shape == Shape{1, 2} && &block(0, 1) == &a(2, 2), "a block of a block");
  const auto turned = column_block(transpose(a), 1, 2);
  check.that(turned.shape == Shape{5, 2} && &turned(4, 1) == &a(2, 4), "a block of a transpose");
  check.that(row_block(a, 4, 0).rows() == 0 && column_block(a, 5, 0).cols() == 0, "blocks of nothing at the end");
  check.throws<std::invalid_argument>([&] { row_block(a, 3, 2); }, "row_block: 4 x 5 and 5 x 5", "rows past the end");
  check.throws<std::invalid_argument>([&] { row_block(a, 5, 0); }, "row_block", "from past the end");
  check.throws<std::invalid_argument>([&] { column_block(a, 0, 6); }, "row_block: 5 x 4", "columns past the end");
  constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
  check.throws<std::invalid_argument>([&] { row_block(a, 2, huge); }, "row_block", "a sum that wraps around");

  block(0, 0) = 99;
  check.that(a(2, 1) == 99 && Numbers(row_block(before, 0, 2)) == Numbers(row_block(a, 0, 2)), "one entry is written");
}

// Whole numbers: the fast product must agree with the definition exactly, for shapes on both sides of any block.
template <class T>
static void product_forms(Checks& check, std::size_t m, std::size_t k, std::size_t n) {
  const Matrix<T> a(counting(m, k, 1).view()), b(counting(k, n, 2).view()), start(counting(m, n, 3).view());
  const Matrix<T> at(transpose(a)), bt(transpose(b)), expected = matmul_by_definition(a, b);
  const std::string size = to_text({m, k}) + " by " + to_text({k, n});
  check.that(matmul(a, b) == expected, "A·B, " + size);
  check.that(matmul(transpose(at), b) == expected, "Aᵀ·B, " + size);
  check.that(matmul(a, transpose(bt)) == expected, "A·Bᵀ, " + size);
  check.that(matmul(transpose(at), transpose(bt)) == expected, "Aᵀ·Bᵀ, " + size);
  check.that(matmul_by_definition(transpose(at), transpose(bt)) == expected, "the definition of views, " + size);

  Matrix<T> c = start;
  matmul_into(c, a, b);
  check.that(c == expected, "into C, whatever it held, " + size);
  matmul_into(c, a, b, Write::add);
  check.that(c == expected + expected, "added to C, " + size);
  Matrix<T> ct(n, m);
  matmul_into(transpose(ct), a, b);
  check.that(Matrix<T>(transpose(ct)) == expected, "into a transpose, " + size);

  Matrix<T> frame(m + 2, n + 3, 7);
  matmul_into(column_block(row_block(frame, 1, m), 2, n), a, b);
  check.that(Matrix<T>(column_block(row_block(frame, 1, m), 2, n)) == expected, "into a block, " + size);
  T around = 0;
  for (const T x : frame.values()) around += x;
  for (const T x : expected.values()) around -= x;
  check.that(around == T(7 * ((m + 2) * (n + 3) - m * n)), "nothing beside the block is touched, " + size);
}

static void products(Checks& check) {
  check.that(matmul_by_definition(Numbers{{1, 2}, {3, 4}}, Numbers{{5, 6}, {7, 8}}) == Numbers{{19, 22}, {43, 50}},
             "the definition, by hand");
  check.that(matmul(Numbers{{1, 2, 3}}, Numbers{{4}, {5}, {6}}) == Numbers{{32}}, "a row times a column");
  for (const Shape& s : {Shape{1, 1}, Shape{2, 3}, Shape{7, 5}, Shape{17, 33}, Shape{65, 40}})
    for (const std::size_t n : {1u, 6u, 31u}) {
      product_forms<double>(check, s.rows, s.cols, n);
      product_forms<float>(check, s.rows, s.cols, n);
    }
  check.that(matmul(Numbers(2, 0), Numbers(0, 3)) == Numbers(2, 3), "a sum of nothing is 0");
  Numbers kept(2, 3, 4);
  matmul_into(kept, Numbers(2, 0), Numbers(0, 3), Write::add);
  check.that(kept == Numbers(2, 3, 4), "and adding it changes nothing");
  matmul_into(kept, Numbers(2, 0), Numbers(0, 3));
  check.that(kept == Numbers(2, 3), "setting it clears");
  check.that(matmul(Numbers(0, 2), Numbers(2, 3)).shape() == Shape{0, 3}, "no rows");

  const Numbers a(2, 3), b(4, 5);
  Numbers c(2, 2);
  check.throws<std::invalid_argument>([&] { matmul(a, b); }, "matmul: 2 x 3 and 4 x 5", "inner sizes differ");
  check.throws<std::invalid_argument>([&] { matmul_by_definition(a, b); }, "2 x 3 and 4 x 5", "in the definition too");
  check.throws<std::invalid_argument>([&] { matmul(a, transpose(b)); }, "matmul: 2 x 3 and 5 x 4", "of a transpose");
  check.throws<std::invalid_argument>([&] { matmul_into(c, a, Numbers(3, 3)); }, "matmul result: 2 x 2 and 2 x 3",
                                      "a result of another shape");
}

static void entry_by_entry(Checks& check) {
  const Numbers a{{1, -2}, {3, 4}}, b{{10, 20}, {30, 40}};
  check.that(map(a, [](double x) { return x * x; }) == Numbers{{1, 4}, {9, 16}}, "map");
  check.that(zip(a, b, [](double x, double y) { return y - 2 * x; }) == Numbers{{8, 24}, {24, 32}}, "zip, in order");
  check.that(a + b == Numbers{{11, 18}, {33, 44}} && b - a == Numbers{{9, 22}, {27, 36}}, "sum and difference");
  check.that(2 * a == Numbers{{2, -4}, {6, 8}} && hadamard(a, b) == Numbers{{10, -40}, {90, 160}}, "scaled; A ⊙ B");
  check.that(a == Numbers{{1, -2}, {3, 4}} && b(1, 1) == 40, "the operands are left alone");

  Numbers sum = a;
  (sum += b) += a;
  check.that(sum == Numbers{{12, 16}, {36, 48}}, "+= gives the matrix back");
  sum += sum;
  check.that(sum == Numbers{{24, 32}, {72, 96}}, "a += a");
  check.that(sum + sum == 2 * sum && sum - sum == Numbers(2, 2) && hadamard(a, a)(1, 0) == 9, "with itself");

  Numbers c = a;
  const double* place = c.values().data();
  const Numbers moved = std::move(c) + b;
  check.that(moved.values().data() == place, "a temporary's storage is used again");

  const Numbers flat(1, 4);
  check.throws<std::invalid_argument>([&] { a + flat; }, "+: 2 x 2 and 1 x 4", "+");
  check.throws<std::invalid_argument>([&] { a - flat; }, "-: 2 x 2 and 1 x 4", "-");
  check.throws<std::invalid_argument>([&] { sum += flat; }, "+=: 2 x 2 and 1 x 4", "+=");
  check.throws<std::invalid_argument>([&] { hadamard(a, flat); }, "hadamard: 2 x 2 and 1 x 4", "hadamard");
  check.throws<std::invalid_argument>([&] { zip(a, flat, std::plus<double>()); }, "zip: 2 x 2 and 1 x 4", "zip");
}

static void rows_and_sums(Checks& check) {
  const Numbers a{{1, 2, 3}, {4, 5, 6}}, row{{10, 20, 30}};
  check.that(add_row(a, row) == Numbers{{11, 22, 33}, {14, 25, 36}}, "a row added to every row");
  check.that(column_sums(a) == Numbers{{5, 7, 9}}, "column sums are 1 x n");
  check.that(column_sums(Numbers(0, 3)) == Numbers(1, 3), "of no rows: zero");
  check.that(add_row(Numbers(0, 3), row).shape() == Shape{0, 3}, "added to no rows");
  check.throws<std::invalid_argument>([&] { add_row(a, Numbers(1, 2)); }, "add_row: 2 x 3 and 1 x 2", "a short row");
  check.throws<std::invalid_argument>([&] { add_row(a, Numbers(3, 1)); }, "add_row: 2 x 3 and 3 x 1", "a column");
  check.throws<std::invalid_argument>([&] { add_row(a, a); }, "add_row: 2 x 3 and 2 x 3", "two rows");

  check.that(dot(a, a) == 91 && mean_square(a) == 91.0 / 6, "dot and mean square");
  const Matrix<float> many(1, 100, 1.5e4f);
  check.that(dot(many, many) == 2.25e10, "summed in double: float would round");
  check.throws<std::invalid_argument>([&] { dot(a, Numbers(3, 2)); }, "dot: 2 x 3 and 3 x 2", "dot of two shapes");
}

static void differences(Checks& check) {
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const Numbers a{{1, 2, 3}};
  check.that(max_abs_difference(a, a) == 0 && max_abs_difference(Numbers(), Numbers()) == 0, "none");
  check.that(max_abs_difference(a, Numbers{{1, -3, 4}}) == 5 && max_abs_difference(Numbers{{1, -3, 4}}, a) == 5,
             "the largest, on either side");
  check.that(max_abs_difference(a, Numbers{{1, infinite, 3}}) == infinite, "infinite");
  for (const std::size_t place : {0u, 1u, 2u}) {
    Numbers b{{9, 2, infinite}};
    b(0, place) = missing;
    check.that(std::isnan(max_abs_difference(a, b)) && std::isnan(max_abs_difference(b, a)), "NaN, wherever it stands");
  }
  check.throws<std::invalid_argument>([&] { max_abs_difference(a, Numbers(3, 1)); }, "1 x 3 and 3 x 1", "two shapes");
}

static void random_numbers(Checks& check) {
  Random random(1), same(1);
  const Numbers a = normal_matrix<double>(100, 100, 3, random);
  check.that(a.shape() == Shape{100, 100} && a == normal_matrix<double>(100, 100, 3, same),
             "the same from the same seed");
  double sum = 0;
  for (const double x : a.values()) sum += x;
  // Of 10,000 numbers: the mean is within 5 standard errors 3/100, the mean square 9 within 5 of 9·√2/100.
  check.near(sum / 1e4, 0, 0.15, "mean 0");
  check.near(mean_square(a), 9, 0.64, "mean square 9");
}

int main() {
  Checks check;
  shapes(check);
  storage(check);
  copies(check);
  views(check);
  products(check);
  entry_by_entry(check);
  rows_and_sums(check);
  differences(check);
  random_numbers(check);
  return check.done("test_matrix");
}
