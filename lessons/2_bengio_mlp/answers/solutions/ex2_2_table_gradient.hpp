// Exercise 2.2, solution: the gradient of the embedding table.
// Copying a row to several places means that moving it moves the loss through each of them, and the effects add. The
// way back of a copy is a sum. With a copy in its place the last window that shows a symbol wins, and only symbols that
// stand in one place alone get the right gradient.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"
#include "lessons/2_bengio_mlp/model/1_windows.hpp"

namespace ex2_2 {

using lesson2::Windows;

// dE is n x c·d; `table` is the shape of C, (vocab + 1) x d. Returns dC.
inline Matrix<double> table_gradient(const Windows& windows, const Matrix<double>& dE, Shape table) {
  Matrix<double> dC(table.rows, table.cols);
  for (std::size_t i = 0; i < windows.size(); ++i)
    for (std::size_t k = 0; k < windows.length; ++k) {
      const std::span<const double> piece = dE.row(i).subspan(k * table.cols, table.cols);
      const std::span<double> row = dC.row(windows.context(i)[k]);
      for (std::size_t a = 0; a < table.cols; ++a) row[a] += piece[a];  // back
    }
  return dC;
}

}  // namespace ex2_2
