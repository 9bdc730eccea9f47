// Exercise 3.1: a BMLP folded into one matrix.
// Hint: mean(X) = (1/in)·X·ones with a column of ones, so mean(X)·u1 = X·(something). What must be added to W1 to have H in
// one product?
// Hint: (1/in)·ones·u1 has a row for each input, all equal to u1/in. Do the same to W2 with u2/h, where h is the number of hidden units. Then
// Y is X times two matrices, plus X·W3.
// Hint: By hand: u1/2 = -2 -1 goes onto both rows of W1, u2/2 = 1 onto both entries of W2. In code: matmul(add_row(W1,
// ...), add_row(W2, ...)) + W3.
// SPDX-License-Identifier: MIT
#include <ex3_1_fold.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"

using namespace exercise;

namespace ours::ex3_1 {

// u1/2 = (-2, -1) goes onto both rows of W1, u2/2 = 1 onto both entries of W2:
//
//     -4   0  ·  2  +  2  =   -8  +  2  =   -6
//     -3  -2     3     1     -12     1     -11
inline const double first = -6;
inline const double second = -11;

// M, in x out. W1 is in x h, u1 is 1 x h, W2 is h x out, u2 is 1 x out, W3 is in x out. mean(X)·u1 = X·(ones·u1/in): u1/in
// added to every row of W1 does the same, and likewise u2/h to every row of W2.
inline Matrix<double> fold(const Matrix<double>& W1, const Matrix<double>& u1, const Matrix<double>& W2,
                           const Matrix<double>& u2, const Matrix<double>& W3) {
  const double in = double(W1.rows()), h = double(W2.rows());
  double of_inputs = 1 / in, of_hidden = 1 / h;
  slip(of_inputs, 0.0, "mean(X)·u1 is missing");
  slip(of_inputs, 1.0, "mean(X) is a sum of as many numbers as there are inputs, divided by their count");
  slip(of_inputs, 0.5, "0.5 was right on paper, where there were 2 inputs");
  slip(of_inputs, 0.5 / in, "mean(X) is half as large as it is: u1 comes in once");
  slip(of_inputs, 2 / in, "mean(X) is twice as large as it is");
  slip(of_inputs, 1 / h, "mean(X) is divided by h; it is a mean over the inputs");
  slip(of_inputs, -1 / in, "mean(X)·u1 is added, not taken away");
  slip(of_hidden, 0.0, "mean(H)·u2 is missing");
  slip(of_hidden, 1.0, "mean(H) is a sum of h numbers, divided by h");
  slip(of_hidden, 0.5, "0.5 was 1/h on paper, where h was 2; or mean(H) is divided by the columns of W2");
  slip(of_hidden, 0.5 / h, "mean(H) is half as large as it is: u2 comes in once");
  slip(of_hidden, 2 / h, "mean(H) is twice as large as it is");
  slip(of_hidden, 1 / in, "mean(H) is divided by the number of inputs; it is over h numbers");
  slip(of_hidden, -1 / h, "mean(H)·u2 is added, not taken away");
  Matrix<double> into_hidden = add_row(W1, of_inputs * u1), into_output = add_row(W2, of_hidden * u2);
  Matrix<double> M = matmul(into_hidden, into_output) + W3;
  slip(M, M - W3, "X·W3 is missing");
  slip(M, matmul(into_hidden, W2) + of_hidden * matmul(matmul(W1, Matrix<double>(W1.cols(), 1, 1)), u2) + W3,
       "mean(X)·u1 is a part of H, so mean(H) has it too");
  return M;
}

}  // namespace ours::ex3_1

using lesson3::Bmlp;

// The fold by its meaning: what the model answers to the unit vectors, which are the rows of the identity.
static Matrix<double> answers_to_unit_vectors(const Bmlp<double>& model) {
  Matrix<double> identity(model.form.in, model.form.in);
  for (std::size_t i = 0; i < model.form.in; ++i) identity(i, i) = 1;
  return output(model, identity);
}

// Adds what is wrong with the numbers found by hand. They are so small that many a slip makes any one of them: only one
// that makes both is named.
static void judge_by_hand(Findings& findings, const Bmlp<double>& m) {
  const Matrix<double> yours{{ex3_1::first}, {ex3_1::second}}, right = answers_to_unit_vectors(m);
  const auto ours = [&] { return ours::ex3_1::fold(m.W1, m.u1, m.W2, m.u2, m.W3); };
  std::string cause = yours == Matrix<double>{{right(1, 0)}, {right(0, 0)}} ? "each stands in the other's place" : "";
  slips().known.clear();
  ours();
  for (const auto& [place, why] : std::map(slips().known))
    if (cause.empty() && yours != right && with_slips(ours, {place}) == yours) cause = why;
  if (!cause.empty()) return findings.add("first and second", cause);
  findings.add("first", diagnose(Prediction{"", yours(0, 0), right(0, 0), 0}));  // whole numbers: exact
  findings.add("second", diagnose(Prediction{"", yours(1, 0), right(1, 0), 0}));
}

static Verdict check() {
  Bmlp<double> printed({2, 2, 1}), drawn({3, 5, 2});
  printed.W1 = {{-2, 1}, {-1, -1}};
  printed.u1 = {{-4, -2}};
  printed.W2 = {{1}, {2}};
  printed.u2 = {{2}};
  printed.W3 = {{2}, {1}};
  Random random(3);
  fill_normal(drawn.tensors(), random);
  const auto yours = attempt([&] { return ex3_1::fold(drawn.W1, drawn.u1, drawn.W2, drawn.u2, drawn.W3); });
  const Answer general{"fold", yours.value, answers_to_unit_vectors(drawn)};
  if (untouched(general) && std::isnan(ex3_1::first) && std::isnan(ex3_1::second)) return not_started();
  Findings findings;
  judge_by_hand(findings, printed);
  findings.add("fold", yours.or_else(diagnose(general, {rounding, "right"}, [&] {
    return ours::ex3_1::fold(drawn.W1, drawn.u1, drawn.W2, drawn.u2, drawn.W3);
  })));
  return findings.verdict();
}
static const Exercise here{"3.1", "A BMLP folded by hand", check};
