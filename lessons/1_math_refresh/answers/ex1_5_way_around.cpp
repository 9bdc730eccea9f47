// Exercise 1.5: a layer with a way around it.
// Hint: Look at the table: which gradient is wrong? Where does that tensor stand in
// H = X + tanh(X·W + b)?
// Hint: How often is X used? Every use sends a gradient back.
// Hint: Around the layer H moves exactly as X does, so dH comes back there as it is, and
// is added.
// SPDX-License-Identifier: MIT
#include <ex1_5_way_around.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex1_5 {

struct Gradients {
  Matrix<double> dX, dW, db;
};

// X, S = tanh(X·W + b) and dH = d loss / d H are n x d, W is d x d. X is used twice, and collects two gradients.
inline Gradients backward(const Matrix<double>& X, const Matrix<double>& W, const Matrix<double>& S,
                          const Matrix<double>& dH) {
  Matrix<double> slope = map(S, [](double s) { return 1 - s * s; });  // back
  slip(slope, Matrix<double>(S.rows(), S.cols(), 1), "tanh' is missing on the way through the layer");
  slip(slope, map(S, [](double s) { return 1 - std::tanh(s) * std::tanh(s); }),
       "tanh' was taken at S; S is tanh(Z) already");
  slip(slope, map(S, [](double s) { return 1 - s; }), "tanh' is made of the square of tanh");
  Matrix<double> dZ = hadamard(dH, slope);  // n x d   back
  Matrix<double> through = matmul(dZ, transpose(W)), around = dH;
  slip(through, dZ, "dZ has to go back through W before it is a part of dX");
  slip(through, 0 * dH, "X goes into H by two ways, and the one through the layer is missing");
  slip(through, matmul(dZ, W), "W lacks its transpose");
  slip(around, 0 * dH, "X goes into H by two ways, and one of them is missing");
  slip(around, -1 * dH, "both ways are there; they add: the sign between them");
  slip(around, 2 * dH, "the way around is counted twice");
  slip(around, X, "X is what went forward; around the layer comes what came back");
  slip(around, dZ, "around the layer nothing bends: dH comes back there as it is");
  slip(around, matmul(dH, transpose(W)), "the way around does not pass through W");
  Gradients g;
  g.dX = through + around;  // n x d   back
  slip(g.dX, hadamard(through, around), "the two ways are multiplied; they add");
  slip(dZ, dZ + dH, "W and b are not on the way around the layer");
  g.dW = matmul(transpose(X), dZ);  // d x d   back
  slip(g.dW, matmul(transpose(S), dZ), "W was multiplied by X, not by S");
  slip(g.dW, 1 / double(X.rows()) * g.dW, "divided by n; dH has the mean over the examples already");
  g.db = column_sums(dZ);  // 1 x d   back
  slip(g.db, 1 / double(X.rows()) * g.db, "divided by n; dH has the mean over the examples already");
  slip(g.db, Matrix<double>(row_block(dZ, X.rows() - 1, 1)), "that is the last row alone; every example used b");
  slip(g.db, Matrix<double>(row_block(dZ, 0, 1)), "that is the first row alone; every example used b");
  return g;
}

}  // namespace ours::ex1_5

static Verdict check() {
  constexpr std::size_t n = 5, d = 4;
  Random random(6);
  auto X = normal_matrix<double>(n, d, 1, random), W = normal_matrix<double>(d, d, 0.5, random),
       b = normal_matrix<double>(1, d, 0.5, random);
  const auto R = normal_matrix<double>(n, d, 1, random);
  const auto layer = [&] { return map(add_row(matmul(X, W), b), [](double z) { return std::tanh(z); }); };
  const auto loss = [&] { return dot(R, X + layer()); };  // so that dH is R
  const Matrix<double> S = layer();
  const auto yours = ex1_5::backward(X, W, S, R);
  const auto ours = [&] { return ours::ex1_5::backward(X, W, S, R); };
  const Answer dX{"dX", yours.dX, numeric_gradient(X, loss)}, dW{"dW", yours.dW, numeric_gradient(W, loss)},
      db{"db", yours.db, numeric_gradient(b, loss)};
  Findings findings;
  findings.add("backward", dX, numeric, [&] { return ours().dX; });
  findings.add("backward", dW, numeric, [&] { return ours().dW; });
  findings.add("backward", db, numeric, [&] { return ours().db; });
  const bool as_given = agrees(dX.yours + R, dX.right, numeric.tolerance) &&
                        agrees(dW.yours, dW.right, numeric.tolerance) && agrees(db.yours, db.right, numeric.tolerance);
  return as_given ? not_started(compare({dX, dW, db}, numeric).findings) : findings.verdict();
}
static const Exercise here{"1.5", "A layer with a way around it", check};
