// Exercise 2.5: another layout of E.
// Hint: From which column of dE does this code read the piece of place k and number a?
// Hint: The formula says where the way forward wrote it. How long is a block there?
// Hint: Column a·c + k, where c is windows.length. The += was right.
// SPDX-License-Identifier: MIT
#include <ex2_5_other_layout.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex2_5 {

using lesson2::Windows;

// dE is n x c·d; `table` is the shape of C, (vocab + 1) x d. Returns dC: it reads from where the way forward wrote.
inline Matrix<double> table_gradient(const Windows& windows, const Matrix<double>& dE, Shape table) {
  Matrix<double> dC(table.rows, table.cols);
  const std::size_t c = windows.length, d = table.cols;
  for (std::size_t i = 0; i < windows.size(); ++i)
    for (std::size_t k = 0; k < c; ++k)
      for (std::size_t a = 0; a < d; ++a) {
        std::size_t column = a * c + k;
        slip(column, k * d + a, "the columns are those of the lesson's layout, in which a place is a block");
        slip(column, (a * d + k) % (c * d), "a block of this layout has c columns, one for each place");
        slip(column, (k * c + a) % (c * d), "k and a are exchanged: the block belongs to the number, not to the place");
        slip(column, a * c + (c - 1 - k), "the places are read in the wrong order");
        double& entry = dC(windows.context(i)[k], a);
        slip(entry, 0, "a symbol that stands twice has to add");
        entry += dE(i, column);  // back
      }
  slip(dC, (1 / double(windows.size())) * dC, "divided by n; dE has the mean over the windows already");
  return dC;
}

}  // namespace ours::ex2_5

static Verdict check() {
  // Six symbols and padding, 6. Symbols 0 and 4 stand in one place, 5 in none, the others in several.
  const lesson2::Windows windows{3, {6, 6, 1, 6, 1, 1, 0, 2, 3, 2, 3, 3, 2, 3, 4}, {1, 0, 3, 3, 2}};
  constexpr std::size_t d = 2, rows = 7;
  Random random(2);
  auto C = normal_matrix<double>(rows, d, 1, random);
  const auto dE = normal_matrix<double>(windows.size(), windows.length * d, 1, random);
  // Σ dE ⊙ E in either layout.
  const auto loss = [&](std::size_t of_place, std::size_t of_number) {
    return [&, of_place, of_number] {
      double sum = 0;
      for (std::size_t i = 0; i < windows.size(); ++i)
        for (std::size_t k = 0; k < windows.length; ++k)
          for (std::size_t a = 0; a < d; ++a) sum += dE(i, k * of_place + a * of_number) * C(windows.context(i)[k], a);
      return sum;
    };
  };
  const Matrix<double> as_given = numeric_gradient(C, loss(d, 1), Step::quadratic);  // the lesson's layout
  const auto yours = calling("table_gradient", [&] { return ex2_5::table_gradient(windows, dE, {rows, d}); });
  const Answer dC{"dC", yours, numeric_gradient(C, loss(1, windows.length), Step::quadratic)};
  Findings findings;
  findings.add("table_gradient", dC, numeric, [&] { return ours::ex2_5::table_gradient(windows, dE, {rows, d}); });
  if (agrees(dC.yours, as_given, rounding)) return not_started(compare({dC}, numeric).findings);
  return findings.verdict();
}
static const Exercise here{"2.5", "Another layout of E", check};
