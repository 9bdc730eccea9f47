// Exercise 1.6: a layer with a way around it.
// Hint: Look at the table. Which gradients are wrong, and what are all of them made of?
// Hint: tanh'(Z) is 1 - tanh²(Z). Is that what stands there?
// Hint: H is not tanh(Z): X was added to it. What is left of H without X?
// SPDX-License-Identifier: MIT
#include "common/matrix.hpp"

// For the check:
#include <ex1_6_way_around.hpp>

#include "common/frame/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex1_6 {

struct Gradients {
  Matrix<double> dX, dW, db;
};

// Without the way around, H would be tanh(Z) itself; here X has to come off first.
inline Gradients backward(const Matrix<double>& X, const Matrix<double>& W, const Matrix<double>& H,
                          const Matrix<double>& dH) {
  Matrix<double> S = H - X;  // tanh(Z), rows x n
  slip(S, H, "the wrong line is still as it was given; you changed another one");
  slip(S, X, "the slope is made of tanh(Z), not of X");
  slip(S, matmul(X, W), "that is Z without b, and without its tanh");
  slip(S, map_entries(matmul(X, W), [](double z) { return std::tanh(z); }),
       "you computed Z anew without b, which is not at hand; H holds tanh(Z) with b");
  slip(S, map_entries(H, [](double h) { return std::tanh(h); }),
       "that is tanh of H, but H is X + tanh(Z) and not Z");
  Matrix<double> slope = map_entries(S, [](double s) { return 1 - s * s; });  // rows x n   back
  slip(slope, Matrix<double>(S.rows(), S.cols(), 1),
       "tanh' is missing on the way through the layer");
  slip(slope, map_entries(S, [](double s) { return 1 - std::tanh(s) * std::tanh(s); }),
       "tanh' is taken at tanh(Z), as if that were Z");
  slip(slope, map_entries(S, [](double s) { return 1 - s; }),
       "tanh' is made of the square of tanh");
  slip(slope, map_entries(S, [](double s) { return 2 - s * s; }),
       "W and b are not on the way around the layer");
  Matrix<double> dZ = hadamard(dH, slope);  // rows x n   back
  Matrix<double> through = matmul(dZ, transpose(W));
  slip(through, dZ, "dZ has to go back through W before it is a part of dX");
  slip(through, 0 * dH, "X goes into H by two ways, and the one through the layer is missing");
  slip(through, matmul(dZ, W), "W lacks its transpose");
  Matrix<double> around = dH;
  slip(around, X, "what comes back around the layer is dH, not X");
  slip(around, 0 * dH, "X goes into H by two ways, and one of them is missing");
  slip(around, -1 * dH, "both ways are there, but the sign between them is wrong: they add");
  slip(around, dZ, "around the layer nothing bends, so dH comes back there as it is");
  slip(around, matmul(dH, transpose(W)), "the way around does not pass through W");
  Gradients g;
  g.dX = through + around;  // rows x n   back
  slip(dZ, dZ + dH, "W and b are not on the way around the layer");
  g.dW = matmul(transpose(X), dZ);  // n x n   back
  slip(g.dW, matmul(transpose(S), dZ), "W was multiplied by X, not by tanh(Z)");
  slip(g.dW, 1 / double(X.rows()) * g.dW,
       "you divided by the rows, but dH has the mean over the examples already");
  g.db = column_sums(dZ);  // 1 x n   back
  slip(g.db, 1 / double(X.rows()) * g.db,
       "you divided by the rows, but dH has the mean over the examples already");
  slip(g.db, Matrix<double>(row_block(dZ, X.rows() - 1, 1)),
       "that is the last row alone; every example used b");
  return g;
}

}  // namespace ours::ex1_6

static Assessment check() {
  constexpr std::size_t rows = 5, n = 4;
  Random random(6);
  auto X = normal_matrix<double>(rows, n, 1, random);
  auto W = normal_matrix<double>(n, n, 0.5, random);
  auto b = normal_matrix<double>(1, n, 0.5, random);
  const auto R = normal_matrix<double>(rows, n, 1, random);
  const auto tanh = [](double z) { return std::tanh(z); };
  const auto layer = [&] { return X + map_entries(add_row(matmul(X, W), b), tanh); };
  const auto loss = [&] { return dot(R, layer()); };  // so that dH is R
  const Matrix<double> H = layer();
  const auto yours = ex1_6::backward(X, W, H, R);
  const auto ours = [&] { return ours::ex1_6::backward(X, W, H, R); };
  const Answer dX{"dX", yours.dX, numeric_gradient(X, loss)};
  const Answer dW{"dW", yours.dW, numeric_gradient(W, loss)};
  const Answer db{"db", yours.db, numeric_gradient(b, loss)};
  Findings findings;
  findings.add("backward", dX, numeric, [&] { return ours().dX; });
  findings.add("backward", dW, numeric, [&] { return ours().dW; });
  findings.add("backward", db, numeric, [&] { return ours().db; });
  const Matrix<double> dZ =
      hadamard(R, map_entries(H, [](double h) { return 1 - h * h; }));  // the stub's
  const bool as_given = agrees(yours.dX, R + matmul(dZ, transpose(W)), rounding) &&
                        agrees(yours.dW, matmul(transpose(X), dZ), rounding) &&
                        agrees(yours.db, column_sums(dZ), rounding);
  return as_given ? not_started(compare({dX, dW, db}, numeric).findings) : findings.verdict();
}
static const Exercise here{"1.6", "A layer with a way around it", check};
