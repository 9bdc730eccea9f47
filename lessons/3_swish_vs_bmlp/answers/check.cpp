// Lesson 3: checks the answers to its exercises. The folder on the include path decides whose: exercises/ holds the
// reader's, answers/solutions/ ours.
// Run: make exercise3
// SPDX-License-Identifier: MIT
#include <ex3_1_swish_prime.hpp>
#include <ex3_2_mean_backward.hpp>
#include <ex3_3_fold.hpp>
#include <ex3_4_stored_weights.hpp>
#include <ex3_5_missing_path.hpp>
#include <ex3_6_loss_factor.hpp>
#include <ex3_7_second_call.hpp>

#include "common/loss.hpp"
#include "common/support/exercise.hpp"
#include "lessons/3_swish_vs_bmlp/answers/wrong_answers.hpp"
#include "lessons/3_swish_vs_bmlp/model/03_swish.hpp"
#include "lessons/3_swish_vs_bmlp/model/04_means.hpp"
#include "lessons/3_swish_vs_bmlp/model/05_bmlp.hpp"

using namespace exercise;
using namespace lesson3;

constexpr Judge by_formula{rounding, "right"};

// The reader's gradients of a model beside numeric ones, in forward order, and dX at the end.
template <class Model, class Loss>
static std::vector<Answer> beside_numbers(Gradients<Model> yours, Model& model, Matrix<double>& X, Loss loss,
                                          Step step) {
  std::vector<Answer> answers;
  const Tensors<double> tensors = model.tensors(), derived = yours.d.tensors();
  for (std::size_t t = 0; t < tensors.size(); ++t)
    answers.push_back({"d" + tensors[t].name, derived.at(t).tensor, numeric_gradient(tensors[t].tensor, loss, step)});
  answers.push_back({"dX", yours.dX, numeric_gradient(X, loss, step)});
  return answers;
}

// ------------------------------------------------------------------------------------------------------------- 3.1

// Where swish is smallest: its slope is negative on the left of there, and positive on the right.
static double lowest_place() {
  double left = -2, right = -1;
  for (int halving = 0; halving < 60; ++halving) {
    const double z = (left + right) / 2, s = 1 / (1 + std::exp(-z));
    if (1 + z * (1 - s) < 0) left = z;  // the slope of swish has the sign of this
    else right = z;
  }
  return left;
}

static Verdict swish_prime() {
  Matrix<double> z = places;
  const auto swish = [](double x) { return x / (1 + std::exp(-x)); };
  const Matrix<double> ones(1, z.cols(), 1);  // the slope of a sum at one of its terms is that term's own
  const auto sum = [&] { return dot(map(z, swish), ones); };
  Answer slope{"swish_prime", map(places, ex3_1::swish_prime), numeric_gradient(z, sum)};
  for (const double x : places.values()) slope.places.push_back(join("swish_prime(", x, ")"));
  if (untouched(slope) && std::isnan(ex3_1::lowest_z) && std::isnan(ex3_1::lowest_swish)) return not_started();

  constexpr double off = 0.0005;  // half of the last decimal, as the stub promises; a prediction takes it as a part
  const double z_low = lowest_place(), low = swish(z_low);
  const std::vector<Misreading> elsewhere{{-1, "close, but the slope at -1 is still positive: 0.072"},
                                          {-1.28, "not near enough: three decimals"},
                                          {-1 - std::exp(-1), "that is one round from -1; go on until it settles"},
                                          {low, "that is swish there, not the place"}};
  const std::vector<Misreading> not_lowest{{swish(-1), "that is swish at -1; it goes lower"},
                                           {z_low, "that is the place; what is swish there?"},
                                           {low / z_low, "that is σ there; swish has the factor z, too"}};
  Findings findings;
  findings.add("swish_prime", diagnose(slope, numeric, wrong_slopes));
  findings.add("lowest_z", diagnose({"", ex3_1::lowest_z, z_low, off / std::abs(z_low), elsewhere}));
  findings.add("lowest_swish", diagnose({"", ex3_1::lowest_swish, low, off / std::abs(low), not_lowest}));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 3.2

static Verdict mean_backward() {
  constexpr std::size_t n = 5;
  constexpr Sizes s{7, 4, 3};
  Random random(2);
  auto H = normal_matrix<double>(n, s.hidden, 1, random), u2 = normal_matrix<double>(1, s.out, 1, random);
  const auto W2 = normal_matrix<double>(s.hidden, s.out, 1, random), R = normal_matrix<double>(n, s.out, 1, random);
  const auto forward = [&] { return matmul(H, W2) + matmul(row_means(H), u2); };
  const auto loss = [&] { return dot(R, forward()); };  // so that dY is R; linear in each tensor
  const ex3_2::Gradients yours = ex3_2::backward(H, W2, u2, R);
  const Answer dH{"dH", yours.dH, numeric_gradient(H, loss, Step::quadratic)};
  const Answer du2{"du2", yours.du2, numeric_gradient(u2, loss, Step::quadratic)};
  if (untouched(dH) && untouched(du2)) return not_started();
  const auto itself = [](const Matrix<double>& gradient) { return gradient; };
  const std::vector<Mistake> wrong_du2{
      {column_sums(R), "that is the gradient of a bias; u2 is multiplied by mean(H)"},
      {double(s.hidden) * du2.right, "that takes the sum of each row of H; its mean is 1/h of that"},
      {1 / double(n) * du2.right, "averaged over the n rows; they add"}};
  Findings findings;
  findings.add("dH", diagnose(dH, numeric, wrong_shares(s, W2, u2, R, itself)));
  findings.add("du2", diagnose(du2, numeric, wrong_du2));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 3.3

// The fold by its meaning: what the model answers to the unit vectors, which are the rows of the identity.
static Matrix<double> answers_to_unit_vectors(const Bmlp<double>& model) {
  Matrix<double> identity(model.form.in, model.form.in);
  for (std::size_t i = 0; i < model.form.in; ++i) identity(i, i) = 1;
  return output(model, identity);
}

static Prediction entry_of_fold(const Bmlp<double>& model, double yours, std::size_t row) {
  Prediction entry{"", yours, answers_to_unit_vectors(model)(row, 0), 0};  // whole numbers: exact
  for (const Mistake& mistake : wrong_folds(model))
    entry.misreadings.push_back({mistake.value(row, 0), mistake.reason});
  return entry;
}

static Verdict fold() {
  Bmlp<double> printed({2, 2, 1}), drawn({3, 5, 2});
  printed.W1 = {{-2, 1}, {-1, -1}};
  printed.u1 = {{-4, -2}};
  printed.W2 = {{1}, {2}};
  printed.u2 = {{2}};
  printed.W3 = {{2}, {1}};
  Random random(3);
  fill_normal(drawn.tensors(), random);
  const Answer general{"fold", ex3_3::fold(drawn.W1, drawn.u1, drawn.W2, drawn.u2, drawn.W3),
                       answers_to_unit_vectors(drawn)};
  if (untouched(general) && std::isnan(ex3_3::first) && std::isnan(ex3_3::second)) return not_started();
  Findings findings;
  findings.add("first", diagnose(entry_of_fold(printed, ex3_3::first, 0)));
  findings.add("second", diagnose(entry_of_fold(printed, ex3_3::second, 1)));
  findings.add("fold", diagnose(general, by_formula, wrong_folds(drawn)));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 3.4

static Verdict stored_weights() {
  constexpr std::size_t n = 5, in = 8, out = 6;
  Random random(4);
  auto X = normal_matrix<double>(n, in, 1, random), W = normal_matrix<double>(out, in, 1, random);
  const auto R = normal_matrix<double>(n, out, 1, random);
  const auto loss = [&] { return dot(R, matmul(X, transpose(W))); };  // so that dY is R; linear in each
  const ex3_4::Gradients yours = ex3_4::backward(X, {W.values().begin(), W.values().end()}, R);
  if (yours.dW.size() != W.size()) return wrong(join("dW holds ", yours.dW.size(), " numbers, W ", W.size()));
  // The reader's run of numbers in the shape of W, and the right numbers in the order in x out.
  Answer dW{"dW", W, numeric_gradient(W, loss, Step::quadratic)};
  std::copy(yours.dW.begin(), yours.dW.end(), dW.yours.values().begin());
  Matrix<double> reordered(out, in);
  const Matrix<double> turned(transpose(dW.right));
  std::copy(turned.values().begin(), turned.values().end(), reordered.values().begin());
  const Answer dX{"dX", yours.dX, numeric_gradient(X, loss, Step::quadratic)};

  Verdict verdict = compare({dW, dX}, numeric);
  const bool in_wrong_order = agrees(dW.yours, reordered, rounding);
  const bool as_given = in_wrong_order && agrees(dX.yours, dX.right, rounding);
  if (verdict.state == State::wrong) {
    const double cosine = dot(dW.yours, dW.right) / std::sqrt(dot(dW.yours, dW.yours) * dot(dW.right, dW.right));
    if (std::isfinite(cosine))
      verdict.findings += "\ncosine of dW with the numeric one: " + fixed(cosine, 2) + " (1: the same direction)";
  }
  if (in_wrong_order && !as_given) verdict.findings += "\ndW has all the right numbers, in the order in x out";
  return unless_as_given(verdict, as_given);
}

// ------------------------------------------------------------------------------------------------------------- 3.5

// The reader's gradients of Σ R⊙Y, which is linear in each tensor.
static std::vector<Answer> bmlp_gradients(Bmlp<double> model, Matrix<double> X, const Matrix<double>& R) {
  const auto loss = [&] { return dot(R, output(model, X)); };
  Bmlp<double>::Trace trace;
  model.forward(X, trace);
  return beside_numbers(ex3_5::backward(model, X, trace, R), model, X, loss, Step::quadratic);
}

static Verdict missing_path() {
  constexpr std::size_t n = 6;
  constexpr Sizes s{5, 4, 3};
  Random random(5);
  const auto X = normal_matrix<double>(n, s.in, 1, random), R = normal_matrix<double>(n, s.out, 1, random);
  Bmlp<double> model(s), fresh(s, random);  // fresh: as training starts, u1 and u2 within 0.01
  fill_normal(model.tensors(), random);     // of size 1, so that every path through the model counts

  const std::vector<Answer> answers = bmlp_gradients(model, X, R);
  Verdict verdict = compare(answers, numeric);
  if (verdict.state != State::wrong) return verdict;
  const auto made = [&](const Matrix<double>& dH) { return matmul(transpose(X), dH); };
  const std::vector<Mistake> mistakes = wrong_shares(s, model.W2, model.u2, R, made);
  const Answer &dW1 = answers.front(), &dX = answers.back();
  const std::string reason = diagnose(dW1, numeric, mistakes);
  const bool lacks_path = reason == mistakes.front().reason;
  if (lacks_path && agrees(dX.yours, dX.right, rounding))
    return wrong(verdict.findings + "\ndW1 and du1 still use the dH that was given: complete it before they do");
  // With u2 = 0 the path carries nothing, so the lesson's own backward does then what the given one does.
  Bmlp<double> blocked = model;
  blocked.u2 = 0 * model.u2;
  Bmlp<double>::Trace trace;
  model.forward(X, trace);
  Gradients<Bmlp<double>> given(blocked);
  blocked.backward(X, trace, R, given);
  bool as_given = agrees(dX.yours, given.dX, rounding);
  for (std::size_t t = 0; t + 1 < answers.size(); ++t)
    as_given = as_given && agrees(answers[t].yours, given.d.tensors()[t].tensor, rounding);
  if (!as_given) return wrong(verdict.findings + (reason == diagnose(dW1, numeric) ? "" : "\n" + reason));
  const Answer small = bmlp_gradients(fresh, X, R).front();
  const Matrix<double> off = small.yours - small.right;
  const double part = std::sqrt(dot(off, off) / dot(small.right, small.right));
  double worst = 0;
  for (std::size_t k = 0; k < off.size(); ++k)
    worst = std::max(worst, std::abs(off.values()[k] / small.right.values()[k]));
  return not_started(
      verdict.findings +
      "\nthe parameters here are of size 1; with u1 and u2 within 0.01, as training starts, the norm of " +
      "dW1's error in this small model is " + significant(part, 1) + " of the norm of dW1, and a check of " +
      "norms to 1e-2 passes it; the worst entry is off by " + significant(worst, 1));
}

// ------------------------------------------------------------------------------------------------------------- 3.6

// The reader's gradients for a model with `out` outputs; the last answer is the loss, 1 x 1.
static std::vector<Answer> training_step(std::size_t out) {
  constexpr std::size_t n = 5, in = 3, hidden = 4;
  Random random(6);
  Swish<double> model({{in, hidden, out}, Biases::without});
  fill_normal(model.tensors(), random);
  auto X = normal_matrix<double>(n, in, 1, random);
  const auto T = normal_matrix<double>(n, out, 1, random);
  const auto loss = [&] { return mean_squared_error(output(model, X), T).value; };
  const ex3_6::Step yours = ex3_6::loss_and_gradients(model, X, T);
  std::vector<Answer> answers = beside_numbers(yours.gradients, model, X, loss, Step::smooth);
  answers.push_back({"loss", {{yours.loss}}, {{loss()}}, {"the mean of (Y - T)²"}});
  return answers;
}

static Verdict loss_factor() {
  const std::vector<Answer> one = training_step(1), three = training_step(3);
  const Verdict with_one = compare(one, numeric), with_three = compare(three, numeric);
  if (with_one.state == State::done && with_three.state == State::done) return done();
  const auto said = [](const Verdict& v) { return v.state == State::done ? "all right" : "\n" + v.findings; };
  std::string findings = "with 1 output: " + said(with_one) + "\nwith 3 outputs: " + said(with_three);
  const auto right_times = [](double factor) {
    return [factor](const Answer& a) { return agrees(a.yours, factor * a.right, numeric.tolerance); };
  };
  if (!right_times(1)(three.back())) findings += "\nthe loss was right: mend the gradient, which follows it";
  const bool as_given = with_one.state == State::done && right_times(1)(three.back()) &&
                        std::all_of(three.begin(), three.end() - 1, right_times(3));
  return unless_as_given(wrong(findings), as_given);
}

// ------------------------------------------------------------------------------------------------------------- 3.7

static Verdict second_call() {
  constexpr std::size_t n = 5, d = 4, h = 3;
  Random random(7);
  const auto A = normal_matrix<double>(n, d, 1, random), B = normal_matrix<double>(n, d, 1, random),
             R = normal_matrix<double>(n, h, 1, random);
  auto W1 = normal_matrix<double>(d, h, 1, random), u1 = normal_matrix<double>(1, h, 1, random);
  const auto right = [&](const Matrix<double>& X) { return matmul(X, W1) + matmul(row_means(X), u1); };
  const auto loss = [&] { return dot(R, right(A)); };  // so that dH is R; linear in each tensor
  const Matrix<double> dW1 = numeric_gradient(W1, loss, Step::quadratic);
  const Matrix<double> du1 = numeric_gradient(u1, loss, Step::quadratic);

  // One call for the gradients; then two without a backward between them, as when a model is only used.
  ex3_7::HiddenLayer once(n, W1, u1), again(n, W1, u1);
  const Matrix<double> H_once = once.forward(A);
  const auto g_once = once.backward(R);
  again.forward(A);
  const Matrix<double> H_second = again.forward(A);
  const auto g_second = again.backward(R);
  const Answer third{"H of call 3", again.forward(B), right(B), {}};
  Verdict verdict = compare({{"H of call 1", H_once, right(A)},
                             {"dW1 of call 1", g_once.dW1, dW1},
                             {"du1 of call 1", g_once.du1, du1},
                             {"H of call 2", H_second, right(A)},
                             {"dW1 of call 2", g_second.dW1, dW1},
                             {"du1 of call 2", g_second.du1, du1},
                             third},
                            by_formula);
  if (verdict.state != State::wrong) return verdict;
  const bool first_right =
      agrees(H_once, right(A), rounding) && agrees(g_once.dW1, dW1, rounding) && agrees(g_once.du1, du1, rounding);
  const Matrix<double> left_over = matmul(row_means(A), u1);
  const bool as_given = first_right && agrees(H_second, right(A) + left_over, rounding) &&
                        agrees(third.yours, right(B) + 2 * left_over, rounding);
  if (H_once.shape() == H_second.shape() && !agrees(H_second, H_once, rounding))
    verdict.findings += "\nX was the same in calls 1 and 2, and yet their H differ by up to " +
                        significant(max_abs_difference(H_once, H_second), 2);
  if (untouched({"", g_once.du1, du1})) verdict.findings += "\nbackward still needs what forward put into its buffers";
  if (!agrees(H_second, right(A), rounding) && agrees(third.yours, third.right, rounding))
    verdict.findings += "\nthe third call had a backward before it, the second had not";
  if (as_given) verdict.findings += "\nin effect this is still the file as it was given";
  return unless_as_given(verdict, as_given);
}

int main(int argc, char** argv) {
  return check_lesson(3,
                      {{"3.1", "The slope of swish, and its lowest place", swish_prime},
                       {"3.2", "The way back through a mean", mean_backward},
                       {"3.3", "A BMLP folded by hand", fold},
                       {"3.4", "Weights stored out x in", stored_weights},
                       {"3.5", "The published backward pass", missing_path},
                       {"3.6", "A loss and its gradients", loss_factor},
                       {"3.7", "Forward, and forward again", second_call}},
                      argc, argv);
}
