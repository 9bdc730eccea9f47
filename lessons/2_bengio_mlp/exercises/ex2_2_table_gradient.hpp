// Exercise 2.2 (find the bug, 10 minutes, easy): the gradient of the embedding table.
// The look-up copies a row of C into E for each place of each window, so the way back copies each piece of dE into the
// row that it came from. Or does it? `make exercise2` says which rows of dC are right: what have they in common?
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include "common/matrix.hpp"
#include "lessons/2_bengio_mlp/model/1_windows.hpp"

namespace ex2_2 {

using lesson2::Windows;

// dE is n x c·d; `table` is the shape of C, (vocab + 1) x d. Returns dC.
inline Matrix<double> table_gradient(const Windows& windows, const Matrix<double>& dE, Shape table) {
  // TODO: find the bug and mend it.
  Matrix<double> dC(table.rows, table.cols);
  for (std::size_t i = 0; i < windows.size(); ++i)
    for (std::size_t k = 0; k < windows.length; ++k) {
      const std::span<const double> piece = dE.row(i).subspan(k * table.cols, table.cols);
      std::copy(piece.begin(), piece.end(), dC.row(windows.context(i)[k]).begin());
    }
  return dC;
}

}  // namespace ex2_2
