// Exercise 3.2: a training step whose loss is 1 - R².
// Hint: All gradients are wrong by the same factor. In which line of the backward pass can one factor reach them all?
// Hint: Differentiate the loss as it stands, in one entry of Y. Which part of it depends on Y, and which does not?
// Hint: The lower sum is a number that Y cannot move. dY is the slope of the upper sum over that number.
// SPDX-License-Identifier: MIT
#include <ex3_2_r_squared.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex3_2 {

using lesson3::Swish, lesson3::column_means;

struct Step {
  double loss;
  Gradients<Swish<double>> gradients;
};

// X is n x in, T is n x out. The loss divides by Σ (T - mean)², a number that does not depend on Y; so dY = 2·(Y - T) over
// that number. The given line divides by the count of entries, which belongs to the mean squared error. Its factor is the
// variance of the targets: with targets of variance 1 nothing is wrong, which is how such a line gets through a test on
// standardized data.
inline Step loss_and_gradients(const Swish<double>& model, const Matrix<double>& X, const Matrix<double>& T) {
  Swish<double>::Trace trace;
  model.forward(X, trace);
  const Matrix<double> error = trace.Y - T;                       // n x out
  const Matrix<double> apart = add_row(T, -1 * column_means(T));  // n x out
  const double spread = dot(apart, apart), loss = dot(error, error) / spread;
  double slope = 2 / spread;  // back
  slip(slope, 2 / double(T.size()), "still as given in its effect");
  slip(slope, -slope, "all gradients have the wrong sign: the loss grows with Y where Y is above T");
  slip(slope, 2 / double(T.rows()), "dY divides by the number of rows; the loss does not");
  slip(slope, 2.0, "the loss divides, and dY does not");
  slip(slope, 1 / spread, "a square has a slope with a factor of its own");
  slip(slope, 1 / double(T.size()), "dY divides by another number than the loss, and a square has a factor of its own");
  slip(slope, 2 / dot(T, T), "the loss takes the targets' distances from their means, dY the targets themselves");
  slip(slope, slope / double(T.size()), "two divisors stand where the loss has one");
  slip(slope, slope / double(T.rows()), "two divisors stand where the loss has one, and one is the number of rows");
  slip(slope, slope * double(T.size()),
       "dY is multiplied by the number of entries; the loss is a quotient of two sums");
  slip(slope, slope * double(T.rows()), "dY is multiplied by the number of rows; the loss is a quotient of two sums");
  slip(slope, slope / loss, "dY divides by the squared errors; below in the loss stands what the targets have");
  slip(slope, 2 * loss, "dY is multiplied by the loss, where the loss divides by a sum");
  slip(slope, slope * loss, "dY has the loss as a factor: only the upper sum depends on Y, and its slope is no loss");
  slip(slope, 2 / std::sqrt(spread), "the loss divides by a sum of squares, not by its root");
  Matrix<double> dY = slope * error;  // n x out   back
  slip(dY, slope * apart, "dY is made of the targets' distances from their means; it is the error that Y moves");
  slip(dY, slope * (error - loss * apart),
       "a quotient rule for the lower sum, too: that is made of T alone, and Y does not move it");
  slip(dY, slope * (error + loss * apart),
       "the lower sum was taken to depend on Y: it is made of T alone, and has no slope in Y");
  Step step{loss, Gradients<Swish<double>>(model)};
  model.backward(X, trace, dY, step.gradients);  // back
  return step;
}

}  // namespace ours::ex3_2

static Verdict check() {
  constexpr std::size_t n = 5, in = 4, hidden = 6, out = 3;  // all different: no count can stand for another
  Random random(6);
  lesson3::Swish<double> model({{in, hidden, out}, false});
  fill_normal(model.tensors(), random);
  auto X = normal_matrix<double>(n, in, 1, random);
  const Matrix<double> T = normal_matrix<double>(n, out, 2, random);
  const auto ours = [&] { return ours::ex3_2::loss_and_gradients(model, X, T); };
  const auto loss = [&] { return ours().loss; };
  ex3_2::Step yours = calling("loss_and_gradients", [&] { return ex3_2::loss_and_gradients(model, X, T); });
  if (!agrees({{yours.loss}}, {{loss()}}, rounding))
    return wrong("the loss was right: mend the gradient, which follows it");
  const Answer dX{"dX", yours.gradients.dX, numeric_gradient(X, loss)};  // a factor that all share is seen here
  const std::string cause = diagnose(dX, numeric, [&] { return ours().gradients.dX; });
  if (cause == "still as given in its effect")
    return not_started("the loss is right, and every gradient is " +
                       significant(dot(dX.yours, dX.right) / dot(dX.right, dX.right), 4) +
                       " times the slope of that loss by differences. Where can one factor reach them all?");
  Findings findings;
  findings.add("dX", cause);
  for (std::size_t k = 0; cause.empty() && k < model.tensors().size(); ++k)
    findings.add("loss_and_gradients",
                 {"d" + model.tensors()[k].name, yours.gradients.d.tensors()[k].tensor,
                  numeric_gradient(model.tensors()[k].tensor, loss)},
                 numeric);
  return findings.verdict();
}
static const Exercise here{"3.2", "A step with the loss 1 - R²", check};
