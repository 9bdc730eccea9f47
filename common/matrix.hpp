// Storage, views, operations on rows and entries, and the matrix product twice, once to read and
// once to run. Rows are examples; a bias or a single example is a 1 x n matrix. Every operation
// checks its shapes and throws std::invalid_argument with its name and both shapes when they do not
// fit. The sign * means scaling by a number and nothing else; products have names.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/fast/product.hpp"
#include "common/shape.hpp"

// ------------------------------------------------------------------------------------------- views

// A window on numbers that something else owns, which must outlive it: a slice costs nothing.
template <class T>
struct View {
  T* data = nullptr;
  Shape shape;
  // Entry (i, j) is data[i·row_stride + j·col_stride].
  std::ptrdiff_t row_stride = 0;
  std::ptrdiff_t col_stride = 1;

  std::size_t rows() const { return shape.rows; }
  std::size_t cols() const { return shape.cols; }
  T& operator()(std::size_t i, std::size_t j) const {
    check_index(i, j, shape);
    return data[std::ptrdiff_t(i) * row_stride + std::ptrdiff_t(j) * col_stride];
  }
  View view() const { return *this; }
  operator View<const T>() const requires(!std::is_const_v<T>) {
    return {data, shape, row_stride, col_stride};
  }
};

// What can be multiplied, sliced and compared: a Matrix or a View.
template <class M>
concept MatrixLike = requires(M& m) {
  m.view();
};

// The number type of a Matrix or View, without const.
template <MatrixLike M>
using Scalar = std::remove_const_t<std::remove_pointer_t<decltype(std::declval<M&>().view().data)>>;

// ----------------------------------------------------------------------------------------- storage

// Holds rows x cols numbers, row after row, copied by value. A new matrix is zero.
template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(const Matrix&) = default;
  // Leaves an empty matrix behind, shape included.
  Matrix(Matrix&& other) noexcept
      : shape_(std::exchange(other.shape_, {})), values_(std::move(other.values_)) {}
  Matrix& operator=(Matrix other) noexcept {
    std::swap(shape_, other.shape_);
    values_.swap(other.values_);
    return *this;
  }
  Matrix(std::size_t rows, std::size_t cols, T fill = T(0))
      : shape_{rows, cols}, values_(checked_size(shape_), fill) {}

  // Takes Matrix<double>{{1, 2}, {3, 4}}, row after row. Throws when the rows differ in length.
  Matrix(std::initializer_list<std::initializer_list<T>> rows)
      : Matrix(rows.size(), rows.size() == 0 ? 0 : rows.begin()->size()) {
    auto place = values_.begin();
    for (const auto& row : rows) {
      check_shapes(row.size() == cols(), "matrix row", shape_, {1, row.size()});
      place = std::copy(row.begin(), row.end(), place);
    }
  }

  // Copies what the view shows, and converts it: Matrix<double>(A.view()) widens a Matrix<float> A.
  template <class U>
  explicit Matrix(View<U> from) : Matrix(from.rows(), from.cols()) {
    for (std::size_t i = 0; i < rows(); ++i)
      for (std::size_t j = 0; j < cols(); ++j) values_[i * cols() + j] = T(from(i, j));
  }

  std::size_t rows() const { return shape_.rows; }
  std::size_t cols() const { return shape_.cols; }
  std::size_t size() const { return values_.size(); }
  Shape shape() const { return shape_; }

  T& operator()(std::size_t i, std::size_t j) { return view()(i, j); }
  const T& operator()(std::size_t i, std::size_t j) const { return view()(i, j); }

  std::span<T> values() { return values_; }  // row after row
  std::span<const T> values() const { return values_; }
  std::span<T> row(std::size_t i) { return values().subspan(start_of_row(i), cols()); }
  std::span<const T> row(std::size_t i) const { return values().subspan(start_of_row(i), cols()); }
  View<T> view() { return {values_.data(), shape_, std::ptrdiff_t(cols()), 1}; }
  View<const T> view() const { return {values_.data(), shape_, std::ptrdiff_t(cols()), 1}; }
  bool operator==(const Matrix&) const = default;

 private:
  std::size_t start_of_row(std::size_t i) const {
    if (i >= rows()) check_index(i, 0, shape_);
    return i * cols();
  }

  Shape shape_;
  std::vector<T> values_;
};

// ------------------------------------------------------------------------------------------ slices

// Aᵀ: entry (i, j) is A(j, i). A view; nothing moves.
template <MatrixLike M>
auto transpose(M&& a) {
  const auto v = a.view();
  return decltype(a.view()){v.data, {v.cols(), v.rows()}, v.col_stride, v.row_stride};
}

// Rows first .. first + count - 1, as a view; column_block does so with columns.
template <MatrixLike M>
auto row_block(M&& a, std::size_t first, std::size_t count) {
  auto v = a.view();
  check_shapes(first <= v.rows() && count <= v.rows() - first, "row_block", v.shape,
               {first + count, v.cols()});
  v.data += std::ptrdiff_t(first) * v.row_stride;
  v.shape.rows = count;
  return v;
}

template <MatrixLike M>
auto column_block(M&& a, std::size_t first, std::size_t count) {
  return transpose(row_block(transpose(a), first, count));
}

// ----------------------------------------------------------------------------------------- product

// C = A·B by definition, c_ij = Σ_k a_ik b_kj; the fast product is tested against it.
template <MatrixLike A, MatrixLike B>
Matrix<Scalar<A>> matmul_by_definition(const A& a, const B& b) {
  const auto av = a.view();
  const auto bv = b.view();
  check_shapes(av.cols() == bv.rows(), "matmul_by_definition", av.shape, bv.shape);
  Matrix<Scalar<A>> c(av.rows(), bv.cols());
  for (std::size_t i = 0; i < av.rows(); ++i)
    for (std::size_t k = 0; k < av.cols(); ++k)
      for (std::size_t j = 0; j < bv.cols(); ++j) c(i, j) += av(i, k) * bv(k, j);
  return c;
}

enum class Write { set, add };

// C = A·B, or C += A·B with Write::add. A is m x k, B is k x n, C is m x n and overlaps neither.
// Sums in another order than the definition, and is 20 to 100 times as fast.
template <MatrixLike A, MatrixLike B, MatrixLike C>
void matmul_into(C&& c, const A& a, const B& b, Write write = Write::set) {
  using T = Scalar<A>;
  const View<const T> av = a.view();
  const View<const T> bv = b.view();
  const View<T> cv = c.view();
  check_shapes(av.cols() == bv.rows(), "matmul", av.shape, bv.shape);
  check_shapes(cv.shape == Shape{av.rows(), bv.cols()}, "matmul result", cv.shape,
               {av.rows(), bv.cols()});
  product::multiply<T>(av.rows(), av.cols(), bv.cols(), {av.data, av.row_stride, av.col_stride},
                       {bv.data, bv.row_stride, bv.col_stride},
                       {cv.data, cv.row_stride, cv.col_stride}, write == Write::add);
}

// A·B. With transpose(A) or transpose(B), which are free, it is all three products
// of backpropagation.
template <MatrixLike A, MatrixLike B>
Matrix<Scalar<A>> matmul(const A& a, const B& b) {
  Matrix<Scalar<A>> c(a.view().rows(), b.view().cols());
  matmul_into(c, a, b);
  return c;
}

// ---------------------------------------------------------------------- entry by entry, rows, sums

// f(a) for every entry a.
template <class T, class F>
Matrix<T> map_entries(Matrix<T> a, F f) {
  for (T& x : a.values()) x = f(x);
  return a;
}

// Sets each number a of a span to f(a, b), with b from the same place in the other span.
template <class T, class F>
void zip_into(std::span<T> a, std::span<const T> b, F f) {
  std::transform(a.begin(), a.end(), b.begin(), a.begin(), f);
}

// f(a, b) for every pair of entries in the same place.
template <class T, class F>
Matrix<T> zip(Matrix<T> a, const Matrix<T>& b, F f, const char* operation = "zip") {
  check_shapes(a.shape() == b.shape(), operation, a.shape(), b.shape());
  zip_into(a.values(), b.values(), f);
  return a;
}

template <class T>
Matrix<T>& operator+=(Matrix<T>& a, const Matrix<T>& b) {
  check_shapes(a.shape() == b.shape(), "+=", a.shape(), b.shape());
  zip_into(a.values(), b.values(), std::plus<T>());
  return a;
}
template <class T>
Matrix<T> operator+(Matrix<T> a, const Matrix<T>& b) {
  return zip(std::move(a), b, std::plus<T>(), "+");
}
template <class T>
Matrix<T> operator-(Matrix<T> a, const Matrix<T>& b) {
  return zip(std::move(a), b, std::minus<T>(), "-");
}
// A factor that is made of A, as in 1 / largest_entry(A) * std::move(A), is known before A moves.
template <MatrixLike M, class T = Scalar<M>>
Matrix<T> operator*(std::type_identity_t<T> factor, M&& a) {
  return map_entries(Matrix<T>(std::forward<M>(a)), [factor](T x) { return factor * x; });
}

// A ⊙ B: the product entry by entry.
template <class T>
Matrix<T> hadamard(Matrix<T> a, const Matrix<T>& b) {
  return zip(std::move(a), b, std::multiplies<T>(), "hadamard");
}

// A + 1·b: the row b (1 x n) added to every row of A (m x n).
template <class T>
Matrix<T> add_row(Matrix<T> a, const Matrix<T>& b) {
  check_shapes(b.shape() == Shape{1, a.cols()}, "add_row", a.shape(), b.shape());
  for (std::size_t i = 0; i < a.rows(); ++i) zip_into(a.row(i), b.row(0), std::plus<T>());
  return a;
}

// 1ᵀ·A: the sum of each column, 1 x n.
template <class T>
Matrix<T> column_sums(const Matrix<T>& a) {
  Matrix<T> sums(1, a.cols());
  for (std::size_t i = 0; i < a.rows(); ++i) zip_into(sums.row(0), a.row(i), std::plus<T>());
  return sums;
}

// Σ A ⊙ B over all entries, summed in double.
template <class T>
double dot(const Matrix<T>& a, const Matrix<T>& b) {
  check_shapes(a.shape() == b.shape(), "dot", a.shape(), b.shape());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a.values()[i]) * double(b.values()[i]);
  return sum;
}

// The second moment: the mean of the squares.
template <class T>
double mean_square(const Matrix<T>& a) {
  return dot(a, a) / double(a.size());
}

// max |a_ij - b_ij|; NaN when any entry is NaN.
template <class T>
double max_abs_difference(const Matrix<T>& a, const Matrix<T>& b) {
  check_shapes(a.shape() == b.shape(), "max_abs_difference", a.shape(), b.shape());
  double worst = 0;
  for (std::size_t i = 0; i < a.size() && !std::isnan(worst); ++i) {
    const double difference = std::abs(double(a.values()[i]) - double(b.values()[i]));
    if (!(difference <= worst)) worst = difference;  // also a NaN, which ends the loop
  }
  return worst;
}

// max |a_ij|; 0 of an empty matrix, NaN when any entry is NaN.
template <class T>
double largest_entry(const Matrix<T>& a) {
  return max_abs_difference(a, Matrix<T>(a.rows(), a.cols()));
}
