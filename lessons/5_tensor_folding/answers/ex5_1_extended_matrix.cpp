// Exercise 5.1: biases by a constant one, and what they leave in the folded tensor.
// Hint: (x, 1) times column j of the matrix is x times column j of A, plus a[j]: so a is the last row. What must the
// last column be, for a 1 to come out?
// Hint: Every entry of the last column but the last is 0. And S[2,2]: put x = 0. What is h, and what is y?
// Hint: y(0) = (b ⊙ c)·U + u. Which terms of y have x0 once and x1 not at all? One factor gives its weight of x0, the
// other its bias. Two entries of S share the sum.
// Hint: With an embedding the layer sees e where x is 0: put e·W + b in the place of b, and e·V + c in the place of c.
// SPDX-License-Identifier: MIT
#include <ex5_1_extended_matrix.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/5_tensor_folding/models.hpp"

using namespace exercise;

// Right for (1, x): the last row first, and the last column.
static Matrix<double> one_first(const Matrix<double>& A) {
  Matrix<double> result(A.rows(), A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) result((i + 1) % A.rows(), (j + 1) % A.cols()) = A(i, j);
  return result;
}

// A with a in the column behind it, as much of it as fits, and a number in the corner.
static Matrix<double> in_last_column(const Matrix<double>& A, const Matrix<double>& a, double corner) {
  Matrix<double> wide = lesson5::extended(A, 0 * a);
  for (std::size_t i = 0; i < std::min(A.rows(), A.cols()); ++i) wide(i, A.cols()) = a(0, i);
  wide(A.rows(), A.cols()) = corner;
  return wide;
}

namespace ours::ex5_1 {

// A is rows x cols, a is 1 x cols; the result has one row and one column more than A.
inline Matrix<double> extended(const Matrix<double>& A, const Matrix<double>& a) {
  const std::size_t rows = A.rows(), cols = A.cols();
  Matrix<double> wide(rows + 1, cols + 1);
  for (std::size_t j = 0; j < cols; ++j) {
    for (std::size_t i = 0; i < rows; ++i) wide(i, j) = A(i, j);
    wide(rows, j) = a(0, j);
    slip(wide(rows, j), 0.0, "a is missing: it belongs below A, where the 1 of (x, 1) meets it");
  }
  wide(rows, cols) = 1;
  slip(wide(rows, cols), 0.0,
       "the 1 in the corner is missing: the constant gets lost, and the next bias has nothing to weigh");
  slip(wide, in_last_column(A, a, 0), "a stands in the last column, but the 1 of (x, 1) meets the last row");
  slip(wide, in_last_column(A, a, 1), "a stands in the last column, but the 1 of (x, 1) meets the last row");
  slip(wide, wide + in_last_column(0 * A, Matrix<double>(1, cols, 1), 0),
       "ones above the corner: what comes out behind is 1 plus the sum of x, not 1");
  slip(wide, Matrix<double>(column_block(wide, 0, cols)), "that is [A; a]: no column makes a 1 come out again");
  slip(wide, Matrix<double>(row_block(wide, 0, rows)), "that is [A 0]: the row of the biases and of the 1 is missing");
  slip(wide, one_first(wide), "right for (1, x); here the 1 is last");
  return wide;
}

// Where x is 0 only the biases are left: 1·(3·4) + 2·(-1·-2) - 6.
const double constant = 10;
// x0 alone comes from either factor: 1·(1·4 + 3·3) + 2·(2·(-2) + (-1)·2), which is 13 - 12, and S[0,2] has half of it.
const double entry_of_x0_and_one = 0.5;
// At x = 0 the layer sees e: e·W + b = (2, 7) and e·V + c = (9, -2), so 1·18 + 2·(-14) - 6.
const double constant_behind_embedding = -16;

}  // namespace ours::ex5_1

static Misreading is(double value, const std::string& reason) { return {value, reason}; }

static std::vector<Prediction> predictions() {
  using namespace ex5_1;
  std::vector<Prediction> all;
  const auto number = [&](const char* name, double yours, double truth, std::vector<Misreading> wrong) {
    all.push_back({name, yours, truth, 0, std::move(wrong)});
  };
  const std::string one_place = ": 1·1 has one place only, and nothing to share with",
                    no_U = "the weights of U are missing", no_u = "u is missing", twice_u = "u is in it twice";
  number("constant", constant, ours::ex5_1::constant,
         {is(16, no_u), is(8, no_U), is(4, twice_u), is(-5, "b and c are multiplied, not added"),
          is(-6, "that is u; b times c is a constant, too"),
          is(-2, "product by product: b[0]·c[0] and b[1]·c[1], not the sum of b times the sum of c"),
          is(5, "half of it" + one_place), is(20, "twice that" + one_place), is(13, "half of u" + one_place)});
  const std::string halved = "; S[0,2] and S[2,0] share it", other = ", the other way round counts, too";
  number("entry_of_x0_and_one", entry_of_x0_and_one, ours::ex5_1::entry_of_x0_and_one,
         {is(1, "that is the coefficient of x0" + halved), is(-5.5, "that is the entry of x1"),
          is(-4, "x0 from W and the 1 from V" + other + halved), is(5, "x0 from V and the 1 from W" + other + halved),
          is(-2, "x0 from W and the 1 from V" + other), is(2.5, "x0 from V and the 1 from W" + other), is(3.5, no_U),
          is(7, no_U + halved), is(-11, "that is the coefficient of x1" + halved)});
  const std::string both = "e reaches one factor only; it reaches both";
  number("constant_behind_embedding", constant_behind_embedding, ours::ex5_1::constant_behind_embedding,
         {is(10, "as before; but where x is 0 the layer sees e, not 0"), is(-11, "that has e in it, but no b and c"),
          is(5, "(e·W + b)(e·V + c) has four terms: e·W times c and b times e·V are missing"), is(-26, both),
          is(25, both), is(14, "e itself is added to b and c; but it passes W and V first"), is(-10, no_u),
          is(-2, no_U), is(-22, twice_u)});
  return all;
}

static Verdict check() {
  Random random(3);
  const auto A = normal_matrix<double>(3, 4, 1, random), a = normal_matrix<double>(1, 4, 1, random);
  const Attempt<Matrix<double>> wide = attempt([&] { return ex5_1::extended(A, a); });
  const Answer answer{"extended", wide.value, lesson5::extended(A, a)};
  const std::vector<Prediction> parts = predictions();
  if (untouched(answer) && std::all_of(parts.begin(), parts.end(), [](const auto& p) { return std::isnan(p.yours); }))
    return not_started();
  Findings findings;
  std::string text = wide.or_else(diagnose(answer, {rounding, "right"}, [&] { return ours::ex5_1::extended(A, a); }));
  const bool turned = std::min(answer.yours.rows(), answer.yours.cols()) > 1 && answer.yours(0, 1) == A(1, 0);
  if (turned) text = answer.yours(1, 0) == A(0, 1) ? "A is transposed in it: inputs are rows" : text;
  findings.add("extended", text);
  for (const Prediction& part : parts) findings.add(part.name, diagnose(part));
  return findings.verdict();
}
static const Exercise here{"5.1", "The extended matrix", check};
