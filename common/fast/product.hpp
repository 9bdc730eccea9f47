// The fast matrix product that common/matrix.hpp calls.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

namespace product {

using Index = std::ptrdiff_t;  // signed, as strides are

// A matrix in memory; swapping the strides transposes it.
template <class T>
struct Operand {
  T* data;
  Index row_stride, col_stride;

  T* at(Index i, Index j) const { return data + i * row_stride + j * col_stride; }
  Operand from(Index i, Index j) const { return {at(i, j), row_stride, col_stride}; }
  Operand transposed() const { return {data, col_stride, row_stride}; }
};

// C = A·B, or C += A·B when accumulating. C overlaps neither; any strides. k = 0 makes the product
// zero. Throws nothing but std::bad_alloc. Write the type: multiply<float>(...).
template <class T>
void multiply(std::size_t m, std::size_t k, std::size_t n, Operand<const T> A, Operand<const T> B,
              Operand<T> C, bool accumulate);
template <class T>
using Multiply = void(std::size_t, std::size_t, std::size_t, Operand<const T>, Operand<const T>,
                      Operand<T>, bool);
extern template Multiply<float> multiply<float>;
extern template Multiply<double> multiply<double>;

}  // namespace product
