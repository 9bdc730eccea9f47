// Exercise 3.3: a training step whose loss is 1 - R².
// Hint: All gradients are wrong by the same factor. In which line of the backward pass can one factor reach them all?
// Hint: Differentiate the loss as it stands, in one entry of Y. Which part of it depends on Y, and which does not?
// Hint: The lower sum is a number that Y cannot move. dY is the slope of the upper sum over that number.
// SPDX-License-Identifier: MIT
#include <ex3_3_r_squared.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex3_3 {

using lesson3::Swish, lesson3::column_means;

struct Step {
  double loss;
  Gradients<Swish<double>> gradients;
};

// X is n x d, T is n x o. The loss divides by Σ (T - mean)², a number that does not depend on Y; so dY = 2·(Y - T) over
// that number. The given line divides by the count of entries, which belongs to the mean squared error. Its factor is the
// variance of the targets: with targets of variance 1 nothing is wrong, which is how such a line gets through a test on
// standardized data.
inline Step loss_and_gradients(const Swish<double>& model, const Matrix<double>& X, const Matrix<double>& T) {
  Swish<double>::Trace trace;
  model.forward(X, trace);
  const Matrix<double> error = trace.Y - T;                       // n x o
  const Matrix<double> apart = add_row(T, -1 * column_means(T));  // n x o
  const double spread = dot(apart, apart), loss = dot(error, error) / spread;
  double slope = 2 / spread;  // back
  slip(slope, 2 / double(T.size()), "still as given in its effect");
  slip(slope, -slope, "all gradients have the wrong sign: the loss grows with Y where Y is above T");
  slip(slope, 2 / double(T.rows()),
       "all gradients are off by one factor: the loss does not divide by the number of rows");
  slip(slope, 2.0, "all gradients are off by one factor: the loss divides, and dY does not");
  slip(slope, 1 / spread, "all gradients are off by one factor: a square has a slope with a factor of its own");
  slip(
      slope, 1 / double(T.size()),
      "all gradients are off by one factor: dY divides by another number than the loss, and a square has a factor of its "
      "own");
  slip(slope, 2 / dot(T, T),
       "all gradients are off by one factor: the loss takes the targets' distances from their means");
  slip(slope, slope / double(T.size()),
       "all gradients are off by one factor: two divisors stand where the loss has one");
  slip(
      slope, slope / double(T.rows()),
      "all gradients are off by one factor: two divisors stand where the loss has one, and the second is the number of "
      "rows");
  slip(
      slope, slope * double(T.size()),
      "all gradients are off by one factor: it is multiplied by the number of entries; the loss is one quotient of two "
      "sums");
  slip(
      slope, slope * double(T.rows()),
      "all gradients are off by one factor: it is multiplied by the number of rows; the loss is one quotient of two sums");
  slip(
      slope, slope / loss,
      "all gradients are off by one factor: dY divides by the squared errors; below in the loss stands what the targets "
      "have");
  slip(slope, 2 / std::sqrt(spread),
       "all gradients are off by one factor: the loss divides by a sum of squares, not by its root");
  Step step{loss, Gradients<Swish<double>>(model)};
  model.backward(X, trace, slope * error, step.gradients);  // back
  return step;
}

}  // namespace ours::ex3_3

static Verdict check() {
  constexpr std::size_t n = 5, in = 4, hidden = 6, out = 3;  // all different: no count can stand for another
  Random random(6);
  lesson3::Swish<double> model({{in, hidden, out}, false});
  fill_normal(model.tensors(), random);
  auto X = normal_matrix<double>(n, in, 1, random);
  const Matrix<double> T = normal_matrix<double>(n, out, 2, random);
  const auto ours = [&] { return ours::ex3_3::loss_and_gradients(model, X, T); };
  const auto loss = [&] { return ours().loss; };
  ex3_3::Step yours = calling("loss_and_gradients", [&] { return ex3_3::loss_and_gradients(model, X, T); });
  if (!agrees({{yours.loss}}, {{loss()}}, rounding))
    return wrong("the loss was right: mend the gradient, which follows it");
  const Answer dX{"dX", yours.gradients.dX, numeric_gradient(X, loss)};  // a factor that all share is seen here
  const std::string cause = diagnose(dX, numeric, [&] { return ours().gradients.dX; });
  if (cause == "still as given in its effect")
    return not_started("the loss is right, and every gradient is " +
                       significant(dot(dX.yours, dX.right) / dot(dX.right, dX.right), 4) +
                       " times the numeric one. Where can one factor reach them all?");
  Findings findings;
  findings.add("dX", cause);
  for (std::size_t t = 0; cause.empty() && t < model.tensors().size(); ++t)
    findings.add("loss_and_gradients",
                 {"d" + model.tensors()[t].name, yours.gradients.d.tensors()[t].tensor,
                  numeric_gradient(model.tensors()[t].tensor, loss)},
                 numeric);
  return findings.verdict();
}
static const Exercise here{"3.3", "A step with the loss 1 - R²", check};
