// The fast product against the plain triple loop, over shapes around every size at which it changes its way (a tile, a
// block, the copy of B), every layout of the three matrices, with numbers around C that must stay as they were.
// Run: build/test_product.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "common/random.hpp"
#include "common/support/product.hpp"
#include "tests/check.hpp"

using product::Operand;
using std::size_t;

// A matrix laid out in one of four ways, with `guard` in the gaps and in the margin before and after it. Without a
// margin its first and last number end the memory, so that the address sanitizer sees a read on either side.
template <class T>
struct Laid {
  enum Layout { rows_together, columns_together, slice, apart };
  static constexpr T guard = T(-77);

  size_t rows, cols, margin, row_stride, col_stride;
  std::vector<T> memory;

  Laid(size_t height, size_t width, int layout, T value, size_t around = 0)
      : rows(height), cols(width), margin(around), row_stride(1), col_stride(1) {
    if (layout == rows_together) row_stride = cols;
    if (layout == columns_together) col_stride = rows;
    if (layout == slice) row_stride = cols + 3;
    if (layout == apart) {
      col_stride = 2;
      row_stride = 2 * cols + 5;
    }
    const size_t span = rows * cols == 0 ? 0 : (rows - 1) * row_stride + (cols - 1) * col_stride + 1;
    memory.assign(margin + span + margin, guard);
    fill([&] { return value; });
  }

  T& at(size_t i, size_t j) { return memory[margin + i * row_stride + j * col_stride]; }
  void fill(auto next) {
    for (size_t i = 0; i < rows; ++i)
      for (size_t j = 0; j < cols; ++j) at(i, j) = next();
  }
  template <class U>
  Operand<U> operand() {
    return {memory.data() + margin, static_cast<std::ptrdiff_t>(row_stride), static_cast<std::ptrdiff_t>(col_stride)};
  }
  // How many numbers hold the guard; entries of the matrix never do.
  size_t guards() const {
    size_t count = 0;
    for (T x : memory) count += x == guard;
    return count;
  }
};

// One product of random numbers in [-1, 1): the worst error in units of its bound, infinite where a guard has changed.
// Each of the k products and k + 1 sums rounds once, by at most u = epsilon / 2 of the sum of absolute values so far:
// |error| <= (k + 2)·u·(|A||B| + |C|) to first order, whatever the order of summation and with or without fused
// multiply-adds; the higher orders are below 1 % while k·u < 0.01.
template <class T>
double worst_error(size_t m, size_t k, size_t n, const int (&layouts)[3], bool accumulate, Random& random) {
  const auto draw = [&] { return static_cast<T>(random.uniform(-1, 1)); };
  Laid<T> A(m, k, layouts[0], T(0)), B(k, n, layouts[1], T(0));
  // What C held is lost when not accumulating, a NaN too. Its margin is wider than any tile.
  Laid<T> C(m, n, layouts[2], accumulate ? T(0) : std::numeric_limits<T>::quiet_NaN(), 40);
  A.fill(draw), B.fill(draw);
  if (accumulate) C.fill(draw);
  Laid<T> before = C;
  const size_t guards = C.guards();
  product::multiply<T>(m, k, n, A.template operand<const T>(), B.template operand<const T>(), C.template operand<T>(),
                       accumulate);
  if (C.guards() != guards) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (size_t i = 0; i < m; ++i)
    for (size_t j = 0; j < n; ++j) {
      long double sum = accumulate ? before.at(i, j) : 0, size = std::abs(sum);
      for (size_t p = 0; p < k; ++p) {
        const long double term = static_cast<long double>(A.at(i, p)) * static_cast<long double>(B.at(p, j));
        sum += term;
        size += std::abs(term);
      }
      const double bound =
          1.01 * static_cast<double>(k + 2) * std::numeric_limits<T>::epsilon() / 2 * static_cast<double>(size);
      const double error = static_cast<double>(std::abs(C.at(i, j) - sum));
      if (!(error <= worst * bound)) worst = error <= bound ? error / bound : std::numeric_limits<double>::infinity();
    }
  return worst;
}

static std::string text(size_t m, size_t k, size_t n) {
  return std::to_string(m) + " x " + std::to_string(k) + " x " + std::to_string(n);
}

template <class T>
void compare(Checks& check, size_t m, size_t k, size_t n, const int (&layouts)[3], Random& random) {
  for (bool accumulate : {false, true})
    check.that(worst_error<T>(m, k, n, layouts, accumulate, random) <= 1,
               text(m, k, n) + (sizeof(T) == 4 ? " float" : " double") + ", layouts " + std::to_string(layouts[0]) +
                   std::to_string(layouts[1]) + std::to_string(layouts[2]) + (accumulate ? ", added" : ", set"));
}

template <class T>
void every_shape(Checks& check) {
  Random random(1);
  const auto size = [&](std::initializer_list<size_t> sizes) { return sizes.begin()[random.below(sizes.size())]; };
  for (int count = 0; count < 600; ++count) {
    const size_t m = size({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 33, 61, 64, 65, 66, 80});
    const size_t k = size({0, 1, 2, 3, 8, 17, 31, 67, 100});
    const size_t n = size({0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17, 23, 24, 25, 31, 32, 33, 40, 47, 48, 49, 65, 80});
    compare<T>(check, m, k, n, {int(random.below(4)), int(random.below(4)), int(random.below(4))}, random);
  }
  for (int a = 0; a < 4; ++a)  // past a block in k and in n (256 and 512), with few rows and many
    for (int b = 0; b < 4; ++b) {
      compare<T>(check, 9, 257, 521, {a, b, (a + b) % 4}, random);
      compare<T>(check, 67, 513, 33, {a, b, (a + b) % 4}, random);
      compare<T>(check, 66, 5, 1030, {a, b, (a + b) % 4}, random);
    }
}

// One entry of A or B that is not finite spoils its row or its column of C, all of it, and nothing else: padding is
// multiplied too, and must not leak.
template <class T>
void not_finite(Checks& check) {
  for (T value : {std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN()})
    for (size_t m : {1u, 3u, 13u, 67u})
      for (size_t n : {1u, 5u, 21u, 65u})
        for (int layout : {0, 1})
          for (bool in_A : {true, false}) {
            const size_t k = 9, spoiled = in_A ? m - 1 : n - 1;
            Laid<T> A(m, k, layout, T(1)), B(k, n, layout, T(1)), C(m, n, 0, T(0));
            (in_A ? A.at(spoiled, k - 1) : B.at(k - 1, spoiled)) = value;
            product::multiply<T>(m, k, n, A.template operand<const T>(), B.template operand<const T>(),
                                 C.template operand<T>(), false);
            bool right = true;
            for (size_t i = 0; i < m; ++i)
              for (size_t j = 0; j < n; ++j) {
                const T c = C.at(i, j);
                const bool same = std::isnan(value) ? std::isnan(c) : c == value;
                right = right && ((in_A ? i : j) == spoiled ? same : c == T(k));
              }
            check.that(right,
                       text(m, k, n) + " not finite in " + (in_A ? "A" : "B") + ", layout " + std::to_string(layout));
          }
}

// Rows computed apart, as threads do, have the bits of the whole: a product does not depend on how it is shared out.
template <class T>
void shared_out(Checks& check) {
  Random random(2);
  const auto draw = [&] { return static_cast<T>(random.uniform(-1, 1)); };
  const size_t m = 150, k = 300, n = 65;
  for (int a : {0, 1})
    for (int b : {0, 1}) {
      Laid<T> A(m, k, a, T(0)), B(k, n, b, T(0)), whole(m, n, 0, T(0)), parts = whole;
      A.fill(draw), B.fill(draw);
      const auto left = A.template operand<const T>(), right = B.template operand<const T>();
      product::multiply<T>(m, k, n, left, right, whole.template operand<T>(), false);
      size_t first = 0;
      for (size_t count : {1u, 2u, 6u, 7u, 65u, 69u}) {
        const auto row = static_cast<std::ptrdiff_t>(first);
        product::multiply<T>(count, k, n, left.from(row, 0), right, parts.template operand<T>().from(row, 0), false);
        first += count;
      }
      check.that(first == m && whole.memory == parts.memory,
                 "rows apart, layouts " + std::to_string(a) + std::to_string(b));
    }
}

int main() {
  Checks check;
  every_shape<float>(check);
  every_shape<double>(check);
  not_finite<float>(check);
  not_finite<double>(check);
  shared_out<float>(check);
  shared_out<double>(check);
  return check.done("test_product");
}
