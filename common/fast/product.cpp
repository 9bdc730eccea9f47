// The one file that is bent for speed: a tile of C stays in registers, B and A are copied in the
// order of reading, and blocks fit the caches.
// SPDX-License-Identifier: MIT
#include "common/fast/product.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace product {
namespace {

// The tile has tile_rows rows of two registers, or of three. Each step reads rows + cols numbers
// and does rows * cols multiply-adds, so a large tile needs few reads; its sums, one row of B and
// one entry of A must fit the registers, or it runs at half speed or less. Sums take 16 or 24 of
// the 32 registers of AVX-512, 12 of 16 elsewhere, 8 in a browser: 25 % there.
#if defined(__AVX512F__)
constexpr Index register_bytes = 64, tile_rows = 8;
#elif defined(__AVX__)
constexpr Index register_bytes = 32, tile_rows = 6;
#elif defined(__wasm__)
constexpr Index register_bytes = 16, tile_rows = 4;
#else  // SSE2 or NEON
constexpr Index register_bytes = 16, tile_rows = 6;
#endif
constexpr bool in_browser = tile_rows == 4;

template <class T>
constexpr Index register_lanes = register_bytes / Index(sizeof(T));
template <class T>
constexpr Index tile_registers = register_bytes == 64 && sizeof(T) == 8 ? 3 : 2;

constexpr Index low_rows = 4;  // of tiles that end a column of tiles of 6 or 8 where that fits
// For the last columns, and where there are few rows: one column too many costs 8, not 32.
constexpr Index edge_rows = in_browser ? 4 : 5, edge_cols = in_browser ? 4 : 8;
constexpr Index single_cols = in_browser ? 16 : 32;  // of the tile of one row, for fewer than that

constexpr Index block_depth = 256;  // along k: the A of a row of tiles stays in the first cache
constexpr Index block_width = 512;  // columns of B: 256 x 512 numbers stay in the second cache
constexpr Index few_rows = 64;      // read B too seldom to pay for a copy: 9 % in place

// Numbers added and multiplied at once. Left for g++ to find, it is half as fast.
#if defined(__GNUC__)  // and clang
template <class T, Index lanes>
struct Register {
  using Numbers __attribute__((vector_size(lanes * Index(sizeof(T))))) = T;
};
#else
template <class T, Index lanes>
struct Register {
  struct Numbers {
    T x[lanes] = {};
    Numbers& operator+=(const Numbers& other) {
      for (Index j = 0; j < lanes; ++j) x[j] += other.x[j];
      return *this;
    }
    friend Numbers operator*(T factor, Numbers row) {
      for (T& number : row.x) number *= factor;
      return row;
    }
  };
};
#endif

// Calls f(0), ..., f(count - 1) with numbers that the compiler knows.
template <Index count, class F>
void for_each(F f) {
  [&]<Index... i>(std::integer_sequence<Index, i...>) {
    (f(std::integral_constant<Index, i>()), ...);
  }
  (std::make_integer_sequence<Index, count>());
}

// Multiplies one tile: c = or += A·B with A rows x k, B k x cols. Step p adds the outer product of
// A's column p and B's row p. All sums stay in registers.
template <Index rows, Index cols, class T>
#if defined(__clang__)  // else it takes registers of AVX-512 for two halves
__attribute__((min_vector_width(512)))
#endif
void multiply_tile(Index k, const T* a, Index a_row, Index a_col, const T* b, Index b_row, T* c,
                   Index c_row, bool accumulate) {
  constexpr Index lanes = std::min(cols, register_lanes<T>), registers = cols / lanes;
  using Numbers = typename Register<T, lanes>::Numbers;
  Numbers sum[rows][registers] = {};
// Several steps at a time would need more registers than there are.
#if defined(__clang__)
#pragma clang loop unroll(disable)
#endif
  for (Index p = 0; p < k; ++p) {
    Numbers row[registers];
    for_each<registers>(
        [&](auto j) { std::memcpy(&row[j], b + p * b_row + j * lanes, sizeof(Numbers)); });
    for_each<rows>([&](auto i) {
      const T factor = a[i * a_row + p * a_col];
      for_each<registers>([&](auto j) { sum[i][j] += factor * row[j]; });
    });
  }
  const auto at = [&](auto f) {
    for_each<rows>([&](auto i) {
      for_each<registers>([&](auto j) { f(sum[i][j], c + i * c_row + j * lanes); });
    });
  };
  if (accumulate)
    at([](Numbers& of, const T* place) {
      Numbers before;
      std::memcpy(&before, place, sizeof(Numbers));
      of += before;
    });
  at([](const Numbers& of, T* place) { std::memcpy(place, &of, sizeof(Numbers)); });
}

// Puts a tile at the start of C: only its rows from `first` on and its first `width` columns. A
// part of a tile, or any where C's columns stand apart, goes by a buffer, where a padding zero
// times an infinity stays behind.
template <Index rows, Index cols, class T>
void place_tile(Index k, Operand<const T> A, Operand<const T> B, Operand<T> C, Index first,
                Index width, bool accumulate) {
  const auto multiply_into = [&](T* c, Index c_row, bool add) {
    multiply_tile<rows, cols>(k, A.data, A.row_stride, A.col_stride, B.data, B.row_stride, c, c_row,
                              add);
  };
  if (first == 0 && width == cols && C.col_stride == 1)
    return multiply_into(C.data, C.row_stride, accumulate);
  T buffer[rows * cols];
  multiply_into(buffer, cols, false);
  for (Index i = first; i < rows; ++i)
    for (Index j = 0; j < width; ++j) {
      const T sum = buffer[i * cols + j];
      *C.at(i, j) = accumulate ? *C.at(i, j) + sum : sum;
    }
}

// Copies k x width of B into rows of `cols` numbers, padded with zeros.
template <Index cols, class T>
void pack_strip(Index k, Index width, Operand<const T> B, T* strip) {
  if (width < cols) std::fill(strip, strip + k * cols, T(0));
  if (B.col_stride == 1)
    for (Index p = 0; p < k; ++p)
      for (Index j = 0; j < width; ++j) strip[p * cols + j] = B.data[p * B.row_stride + j];
  else
    for (Index j = 0; j < width; ++j)
      for (Index p = 0; p < k; ++p) strip[p * cols + j] = *B.at(p, j);
}

template <Index rows, class T>
Operand<const T> pack_rows(Index k, Operand<const T> A, T* packed) {
  for (Index p = 0; p < k; ++p)
    for (Index i = 0; i < rows; ++i) packed[p * rows + i] = *A.at(i, p);
  return {packed, 1, rows};
}

// Returns room for packed numbers that stays with its thread. It begins with a cache line, so that
// no register is read across two: 4 % with AVX2.
template <class T>
T* packing_room(std::size_t numbers) {
  constexpr std::size_t line = 64;
  thread_local std::vector<T> room;
  const std::size_t needed = numbers + line / sizeof(T);
  if (room.size() < needed) room.resize(needed);
  void* start = room.data();
  std::size_t bytes = room.size() * sizeof(T);
  return static_cast<T*>(std::align(line, numbers * sizeof(T), start, bytes));
}

// Returns how many low tiles end a column of tiles so that none reaches back, or 0.
template <Index rows>
Index low_tiles(Index m) {
  if (rows > low_rows)
    for (Index low = 0; low <= 2 && low * low_rows <= m; ++low)
      if ((m - low * low_rows) % rows == 0) return low;
  return 0;
}

// Does the whole product with one size of tile, block by block of B (packed once). The last rows of
// tiles are lower, or the last one reaches back over rows already done, and only its new rows are
// kept (so m >= rows). Each entry is summed in runs of block_depth, wherever its tile lies: rows
// computed apart have the same bits.
template <Index rows, Index cols, class T>
void multiply_blocks(Index m, Index k, Index n, Operand<const T> A, Operand<const T> B,
                     Operand<T> C, bool accumulate) {
  constexpr Index block_cols = block_width / cols * cols;
  const bool in_place = m <= few_rows && B.col_stride == 1;
  const Index packed_cols = in_place ? cols : std::min(block_cols, (n + cols - 1) / cols * cols);
  T* const packed = packing_room<T>(std::size_t(std::min(k, block_depth) * packed_cols));
  for (Index left = 0; left < n; left += block_cols)
    for (Index top = 0; top == 0 || top < k; top += block_depth) {
      const Index depth = std::min(block_depth, k - top), right = std::min(left + block_cols, n);
      const bool add = accumulate || top > 0;
      const auto strip = [&](Index j) { return packed + (in_place ? 0 : (j - left) * depth); };
      const auto read_in_place = [&](Index j) { return in_place && right - j >= cols; };
      for (Index j = left; j < right; j += cols)
        if (!read_in_place(j))
          pack_strip<cols>(depth, std::min(cols, right - j), B.from(top, j), strip(j));
      // Does the row of tiles that begins at `row`; what lies above i is done.
      const auto row_of_tiles = [&](auto height, Index i, Index row) {
        alignas(register_bytes) T packed_rows[height * block_depth];
        // Where its columns are a cache line each, a copy gains 10 to 20 %.
        const bool copied = A.row_stride == 1 && right - left > 4 * cols;
        const Operand<const T> in_A = A.from(row, top);
        const Operand<const T> a = copied ? pack_rows<height>(depth, in_A, packed_rows) : in_A;
        for (Index j = left; j < right; j += cols) {
          const Operand<const T> b =
              read_in_place(j) ? B.from(top, j) : Operand<const T>{strip(j), cols, 1};
          place_tile<height, cols>(depth, a, b, C.from(row, j), i - row, std::min(cols, right - j),
                                   add);
        }
      };
      const Index high_end = m - low_tiles<rows>(m) * low_rows;
      for (Index i = 0; i < high_end; i += rows)
        row_of_tiles(std::integral_constant<Index, rows>(), i, std::min(i, m - rows));
      if constexpr (rows > low_rows)
        for (Index i = high_end; i < m; i += low_rows)
          row_of_tiles(std::integral_constant<Index, low_rows>(), i, i);
    }
}

}  // namespace

template <class T>
void multiply(std::size_t m, std::size_t k, std::size_t n, Operand<const T> A, Operand<const T> B,
              Operand<T> C, bool accumulate) {
  if (m == 0 || n == 0) return;
  constexpr Index rows = tile_rows, cols = tile_registers<T> * register_lanes<T>;
  const Index height = Index(m), depth = Index(k), width = Index(n);
  if (k == 0) {  // they may have no memory to step through
    A = {A.data, 0, 0};
    B = {B.data, 0, 0};
  }
  // A matrix times a vector or little more, as Cᵀ = Bᵀ·Aᵀ where that reads the large
  // factor uncopied.
  const bool row_like =
      height < edge_rows && height < width && B.row_stride == 1 && B.col_stride != 1;
  const bool column_like =
      width < edge_rows && width < height && A.row_stride == 1 && A.col_stride != 1;
  if (row_like || column_like)
    return multiply<T>(n, k, m, B.transposed(), A.transposed(), C.transposed(), accumulate);
  if (height < edge_rows)
    return multiply_blocks<1, single_cols>(height, depth, width, A, B, C, accumulate);
  // What tiles of full width leave goes to narrow tiles, to those of a register less, or is padded
  // with zeros.
  constexpr Index narrow = cols - register_lanes<T>, edge_width = std::min(edge_cols, cols);
  if (height < rows)
    return multiply_blocks<edge_rows, edge_width>(height, depth, width, A, B, C, accumulate);
  const Index odd = width % cols, rest = odd <= std::max(edge_width, narrow) ? odd : 0;
  const Index most = width - rest;
  if (most > 0) multiply_blocks<rows, cols>(height, depth, most, A, B, C, accumulate);
  if (rest == 0) return;
  B = B.from(0, most);
  C = C.from(0, most);
  if constexpr (narrow > edge_width)
    if (rest > edge_width)
      return multiply_blocks<rows, narrow>(height, depth, rest, A, B, C, accumulate);
  multiply_blocks<rows, edge_width>(height, depth, rest, A, B, C, accumulate);
}

template Multiply<float> multiply<float>;
template Multiply<double> multiply<double>;

}  // namespace product
