// Exercise 2.5 (transfer, 10 minutes): another layout. In this program E does not hold the c embeddings one after the
// other. It holds the first number of all c places, then the second of all, and so on:
//   E[i, a·c + k] = C[context[i,k], a]
// The gradient of the table was copied from the lesson, += and all, and its gradient table shows a wrong dC.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"
#include "lessons/2_bengio_mlp/models.hpp"

namespace ex2_5 {

using lesson2::Windows;

// TODO: find the bug and mend it; delete this line when you start.

// dE is n x c·d; `table` is the shape of C, (vocab + 1) x d. Returns dC.
inline Matrix<double> table_gradient(const Windows& windows, const Matrix<double>& dE, Shape table) {
  Matrix<double> dC(table.rows, table.cols);
  for (std::size_t i = 0; i < windows.size(); ++i)
    for (std::size_t k = 0; k < windows.length; ++k)
      for (std::size_t a = 0; a < table.cols; ++a) dC(windows.context(i)[k], a) += dE(i, k * table.cols + a);
  return dC;
}

}  // namespace ex2_5
