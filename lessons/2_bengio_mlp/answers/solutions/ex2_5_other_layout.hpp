// Exercise 2.5, solution: the way back reads from where the way forward wrote.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"
#include "lessons/2_bengio_mlp/model/1_windows.hpp"

namespace ex2_5 {

using lesson2::Windows;

// dE is n x c·d; `table` is the shape of C, (vocab + 1) x d. Returns dC.
inline Matrix<double> table_gradient(const Windows& windows, const Matrix<double>& dE, Shape table) {
  Matrix<double> dC(table.rows, table.cols);
  for (std::size_t i = 0; i < windows.size(); ++i)
    for (std::size_t k = 0; k < windows.length; ++k)
      for (std::size_t a = 0; a < table.cols; ++a)
        dC(windows.context(i)[k], a) += dE(i, a * windows.length + k);  // back
  return dC;
}

}  // namespace ex2_5
