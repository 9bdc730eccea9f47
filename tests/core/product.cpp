// Checks the fast product against plain loops, in every layout, around each size at which it
// changes its way (a tile, a block, the copy of B); numbers around C must stay.
// SPDX-License-Identifier: MIT
#include "common/fast/product.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "common/frame/text/words.hpp"
#include "common/random.hpp"
#include "tests/check.hpp"

namespace test_product {

using product::Operand;
using std::size_t;

// Rows together, columns together, a slice, or every number apart, with `guard` in gaps and
// margins. Without a margin the address sanitizer sees a read past either end.
template <class T>
struct Laid {
  static constexpr T guard = T(-77);
  size_t rows, cols, margin, row_stride, col_stride;
  std::vector<T> memory;

  Laid(size_t height, size_t width, int layout, auto next, size_t around = 0)
      : rows(height), cols(width), margin(around) {
    const size_t strides[4][2] = {{cols, 1}, {1, rows}, {cols + 3, 1}, {2 * cols + 5, 2}};
    row_stride = strides[layout][0];
    col_stride = strides[layout][1];
    const size_t span =
        rows * cols == 0 ? 0 : (rows - 1) * row_stride + (cols - 1) * col_stride + 1;
    memory.assign(margin + span + margin, guard);
    for (size_t i = 0; i < rows; ++i)
      for (size_t j = 0; j < cols; ++j) at(i, j) = next();
  }
  T& at(size_t i, size_t j) { return memory[margin + i * row_stride + j * col_stride]; }
  template <class U>
  Operand<U> operand() {
    return {memory.data() + margin, std::ptrdiff_t(row_stride), std::ptrdiff_t(col_stride)};
  }
  auto guards() const {
    return std::count(memory.begin(), memory.end(), guard);
  }  // entries never hold it
};

template <class T>
static void multiply(Laid<T>& A, Laid<T>& B, Laid<T>& C, bool accumulate = false) {
  product::multiply<T>(A.rows, A.cols, B.cols, A.template operand<const T>(),
                       B.template operand<const T>(), C.template operand<T>(), accumulate);
}

// Returns the worst error in units of its bound, infinite if a guard changed. Each of k products
// and k + 1 sums rounds once, by at most u = epsilon / 2 of the sum of absolute values so far:
// |error| <= (k + 2)·u·(|A||B| + |C|) to first order, in any order of summation, with or without
// fused multiply-adds; higher orders are below 1 % while k·u < 0.01.
template <class T>
static double worst_error(size_t m, size_t k, size_t n, const std::array<int, 3>& layouts,
                          bool accumulate, Random& random) {
  const auto draw = [&] { return T(random.uniform(-1, 1)); };
  // Unless accumulating, C's old numbers are lost, even NaN. Its margin is wider than any tile.
  const auto held = [&] { return accumulate ? draw() : std::numeric_limits<T>::quiet_NaN(); };
  Laid<T> A(m, k, layouts[0], draw), B(k, n, layouts[1], draw), C(m, n, layouts[2], held, 40),
      before = C;
  // An infinite entry spoils its row or column of C only: padding, multiplied too, must not leak.
  if (m * k > 0 && random.below(4) == 0) A.at(m - 1, k - 1) = std::numeric_limits<T>::infinity();
  if (n * k > 0 && random.below(4) == 0) B.at(k - 1, n - 1) = std::numeric_limits<T>::infinity();
  multiply(A, B, C, accumulate);
  double worst = C.guards() == before.guards() ? 0 : HUGE_VAL;
  for (size_t i = 0; i < m; ++i)
    for (size_t j = 0; j < n; ++j) {
      long double sum = accumulate ? before.at(i, j) : 0, size = std::abs(sum);
      const T *row = k > 0 ? &A.at(i, 0) : nullptr, *column = k > 0 ? &B.at(0, j) : nullptr;
      for (size_t p = 0; p < k; ++p) {
        const long double term = static_cast<long double>(row[p * A.col_stride]) *
                                 static_cast<long double>(column[p * B.row_stride]);
        sum += term;
        size += std::abs(term);
      }
      const double bound =
          1.01 * double(k + 2) * std::numeric_limits<T>::epsilon() / 2 * double(size);
      const double error = double(std::abs(C.at(i, j) - sum));
      if (!std::isfinite(sum)) worst = std::isfinite(C.at(i, j)) ? HUGE_VAL : worst;
      else if (!(error <= worst * bound)) worst = error <= bound ? error / bound : HUGE_VAL;
    }
  return worst;
}

template <class T>
static void every_shape(Checks& check) {
  Random random(1);
  const auto compare = [&](size_t m, size_t k, size_t n, int a, int b, int c) {
    for (const bool accumulate : {false, true})
      check.that(worst_error<T>(m, k, n, {a, b, c}, accumulate, random) <= 1,
                 join(m, " x ", k, " x ", n, ", ", sizeof(T), " bytes, layouts ", a, b, c,
                      accumulate ? ", added" : ""));
  };
  const auto one_of = [&](const auto& sizes) { return sizes[random.below(std::size(sizes))]; };
  constexpr size_t ms[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 33, 61, 64, 65, 66, 80};
  constexpr size_t ks[] = {0, 1, 2, 3, 8, 17, 31, 67, 100};
  constexpr size_t ns[] = {0,  1,  2,  3,  4,  5,  7,  8,  9,  12, 13, 16, 17,
                           23, 24, 25, 31, 32, 33, 40, 47, 48, 49, 65, 80};
  for (int count = 0; count < 600; ++count)
    compare(one_of(ms), one_of(ks), one_of(ns), int(random.below(4)), int(random.below(4)),
            int(random.below(4)));
  for (int a = 0; a < 4; ++a)  // past a block in k and in n (256 and 512)
    for (int b = 0; b < 4; ++b) {
      compare(9, 257, 521, a, b, (a + b) % 4);
      compare(67, 513, 33, a, b, (a + b) % 4);
      compare(66, 5, 1030, a, b, (a + b) % 4);
    }
}

// Rows computed apart, as threads do, must have the bits of the whole.
template <class T>
static void shared_out(Checks& check) {
  Random random(2);
  const auto draw = [&] { return T(random.uniform(-1, 1)); };
  const size_t k = 300, n = 65;
  for (const auto& [a, b] : {std::pair{0, 0}, {0, 1}, {1, 0}, {1, 1}}) {
    Laid<T> A(150, k, a, draw), B(k, n, b, draw), whole(150, n, 0, draw), parts = whole;
    multiply(A, B, whole);
    std::ptrdiff_t first = 0;
    for (size_t count : {1u, 2u, 6u, 7u, 65u, 69u}) {
      product::multiply<T>(count, k, n, A.template operand<const T>().from(first, 0),
                           B.template operand<const T>(),
                           parts.template operand<T>().from(first, 0), false);
      first += std::ptrdiff_t(count);
    }
    check.that(first == 150, "the parts are all rows");
    check.that(whole.memory == parts.memory, join("rows apart, layouts ", a, b));
  }
}

static const Listed here("product", {every_shape<float>, every_shape<double>, shared_out<float>,
                                     shared_out<double>});

}  // namespace test_product
