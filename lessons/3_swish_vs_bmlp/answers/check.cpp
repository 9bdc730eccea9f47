// Lesson 3: checks the answers to its exercises. The folder on the include path decides whose: exercises/ holds the
// reader's, answers/solutions/ ours.
// Run: make exercise3
// SPDX-License-Identifier: MIT
#include <ex3_1_gated_tanh.hpp>
#include <ex3_2_mean_square.hpp>
#include <ex3_3_fold.hpp>
#include <ex3_4_stored_weights.hpp>
#include <ex3_5_second_gate.hpp>
#include <ex3_6_r_squared.hpp>
#include <ex3_7_second_call.hpp>
#include <ex3_8_degree.hpp>

#include "common/support/exercise.hpp"
#include "lessons/3_swish_vs_bmlp/answers/wrong_answers.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"

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

// Returns where z·tanh z is steepest: z·tanh z is below 1 on the left of there, and above on the right.
static double steepest_place() {
  double left = 1, right = 2;
  for (int halving = 0; halving < 60; ++halving) {
    const double z = (left + right) / 2;
    if (z * std::tanh(z) < 1) left = z;
    else right = z;
  }
  return left;
}

static Verdict gated_tanh() {
  Matrix<double> z = places;
  const auto gated = [](double x) { return x * std::tanh(x); };
  const Matrix<double> ones(1, z.cols(), 1);  // the slope of a sum at one of its terms is that term's own
  const auto sum = [&] { return dot(map(z, gated), ones); };
  const auto yours = attempt([] { return map(places, ex3_1::slope); });
  Answer slope{"slope", yours.value, numeric_gradient(z, sum)};
  for (const double x : places.values()) slope.places.push_back(join("slope(", x, ")"));
  if (untouched(slope) && std::isnan(ex3_1::steepest_z) && std::isnan(ex3_1::steepest_slope)) return not_started();

  constexpr double off = 0.00005;  // half of the last decimal, as the stub promises; a prediction takes it as a part
  const double place = steepest_place();
  Findings findings;
  findings.add("slope", yours.or_else(diagnose(slope, numeric, wrong_slopes)));
  findings.add("steepest_z", diagnose({"", ex3_1::steepest_z, place, off / place, wrong_places(place)}));
  findings.add("steepest_slope", diagnose({"", ex3_1::steepest_slope, place, off / place, wrong_steepest(place)}));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 3.2

static Verdict mean_square_backward() {
  constexpr std::size_t n = 5, h = 4, o = 3;
  Random random(2);
  auto H = normal_matrix<double>(n, h, 1, random), u2 = normal_matrix<double>(1, o, 1, random);
  const auto W2 = normal_matrix<double>(h, o, 1, random), R = normal_matrix<double>(n, o, 1, random);
  const auto forward = [&] { return matmul(H, W2) + matmul(row_means(hadamard(H, H)), u2); };
  const auto loss = [&] { return dot(R, forward()); };  // so that dY is R; quadratic in H, linear in u2
  const ex3_2::Gradients yours = calling("backward", [&] { return ex3_2::backward(H, W2, u2, R); });
  const Answer dH{"dH", yours.dH, numeric_gradient(H, loss, Step::quadratic)};
  const Answer du2{"du2", yours.du2, numeric_gradient(u2, loss, Step::quadratic)};
  if (untouched(dH) && untouched(du2)) return not_started();
  Findings findings;
  findings.add("backward", dH, numeric, wrong_squares(H, W2, u2, R));
  findings.add("backward", du2, numeric, wrong_mean_weights(H, R));
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
  const auto yours = attempt([&] { return ex3_3::fold(drawn.W1, drawn.u1, drawn.W2, drawn.u2, drawn.W3); });
  const Answer general{"fold", yours.value, answers_to_unit_vectors(drawn)};
  if (untouched(general) && std::isnan(ex3_3::first) && std::isnan(ex3_3::second)) return not_started();
  Findings findings;
  findings.add("first", diagnose(entry_of_fold(printed, ex3_3::first, 0)));
  findings.add("second", diagnose(entry_of_fold(printed, ex3_3::second, 1)));
  findings.add("fold", yours.or_else(diagnose(general, by_formula, wrong_folds(drawn))));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 3.4

static Verdict stored_weights() {
  constexpr std::size_t n = 5, in = 8, out = 6;
  Random random(4);
  auto X = normal_matrix<double>(n, in, 1, random), W = normal_matrix<double>(out, in, 1, random);
  const auto R = normal_matrix<double>(n, out, 1, random);
  const auto loss = [&] { return dot(R, matmul(X, transpose(W))); };  // so that dY is R; linear in each
  const ex3_4::Gradients yours = calling("backward", [&] {
    return ex3_4::backward(X, {W.values().begin(), W.values().end()}, R);
  });
  if (yours.dW.size() != W.size()) return wrong(join("backward: dW holds ", yours.dW.size(), " numbers, W ", W.size()));
  // The reader's run of numbers in the shape of W, and the right numbers in the order in x out.
  Answer dW{"dW", W, numeric_gradient(W, loss, Step::quadratic)};
  std::copy(yours.dW.begin(), yours.dW.end(), dW.yours.values().begin());
  Matrix<double> reordered(out, in);
  const Matrix<double> turned(transpose(dW.right));
  std::copy(turned.values().begin(), turned.values().end(), reordered.values().begin());
  const Answer dX{"dX", yours.dX, numeric_gradient(X, loss, Step::quadratic)};
  if (agrees(dW.yours, reordered, rounding) && agrees(dX.yours, dX.right, rounding)) {
    const double cosine = dot(dW.yours, dW.right) / std::sqrt(dot(dW.yours, dW.yours) * dot(dW.right, dW.right));
    return not_started("dX is right, dW wrong in nearly all entries; the cosine of dW with the numeric one is " +
                       fixed(cosine, 2) + " (1: the same direction)");
  }
  Findings findings;
  findings.add("backward", dW, numeric, {{reordered, "all the right numbers, in the order in x out"}});
  findings.add("backward", dX, numeric);
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 3.5

static Verdict second_gate() {
  constexpr std::size_t n = 6, h = 4, o = 3;
  Random random(5);
  auto H = normal_matrix<double>(n, h, 1, random), W2 = normal_matrix<double>(h, o, 1, random),
       U2 = normal_matrix<double>(h, o, 1, random);
  const auto R = normal_matrix<double>(n, o, 1, random);
  const auto loss = [&] { return dot(R, matmul(H, W2) + scale_rows(matmul(H, U2), row_means(H))); };  // so that dY is R
  const ex3_5::Gradients yours = calling("backward", [&] { return ex3_5::backward(H, W2, U2, R); });
  const Answer dW2{"dW2", yours.dW2, numeric_gradient(W2, loss, Step::quadratic)},
      dU2{"dU2", yours.dU2, numeric_gradient(U2, loss, Step::quadratic)},
      dH{"dH", yours.dH, numeric_gradient(H, loss, Step::quadratic)};
  const std::vector<Mistake> mistakes = wrong_gates(H, W2, U2, R);
  const bool others = agrees(dW2.yours, dW2.right, rounding) && agrees(dU2.yours, dU2.right, rounding);
  if (others && agrees(dH.yours, mistakes[0].value, rounding))
    return not_started("dW2 and dU2 are right, so dF is; dH is wrong. Which of its three terms?");
  Findings findings;
  findings.add("backward", dW2, numeric);
  findings.add("backward", dU2, numeric);
  findings.add("backward", dH, numeric, mistakes);
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 3.6

// Returns the factor that all answers share, yours over right; 0 where they share none.
static double shared_factor(const std::vector<Answer>& answers) {
  double over = 0, under = 0;
  for (const Answer& a : answers) {
    if (a.yours.shape() != a.right.shape()) return 0;
    over += dot(a.yours, a.right);
    under += dot(a.right, a.right);
  }
  const double factor = over / under;
  const auto shares = [&](const Answer& a) { return agrees(a.yours, factor * a.right, numeric.tolerance); };
  return std::all_of(answers.begin(), answers.end(), shares) ? factor : 0;
}

static Verdict r_squared_step() {
  constexpr std::size_t n = 5, in = 4, hidden = 6, out = 3;  // all different: no count can stand for another
  Random random(6);
  Swish<double> model({{in, hidden, out}, false});
  fill_normal(model.tensors(), random);
  auto X = normal_matrix<double>(n, in, 1, random);
  const Matrix<double> T = normal_matrix<double>(n, out, 2, random), apart = add_row(T, -1 * column_means(T));
  const double spread = dot(apart, apart);
  const auto loss = [&] {
    const Matrix<double> error = output(model, X) - T;
    return dot(error, error) / spread;
  };
  const ex3_6::Step yours = calling("loss_and_gradients", [&] { return ex3_6::loss_and_gradients(model, X, T); });
  const std::vector<Answer> answers = beside_numbers(yours.gradients, model, X, loss, Step::smooth);
  const Answer value{"loss", {{yours.loss}}, {{loss()}}, {"1 - R²"}};
  const double factor = shared_factor(answers);
  if (!agrees(value.yours, value.right, rounding))
    return wrong("the loss was right: mend the gradient, which follows it");
  const std::vector<Misreading> known = wrong_factors_of_loss(T, spread, loss());
  const std::string text = diagnose_factor(factor, known);
  if (!text.empty() && text == known[0].reason)
    return not_started("the loss is right, and every gradient is " + significant(factor, 4) +
                       " times the numeric one. Where can one factor reach them all?");
  if (!text.empty()) return wrong(text);
  Findings findings;
  for (const Answer& answer : answers) findings.add("loss_and_gradients", answer, numeric);
  return findings.verdict();
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
  const auto forward = [&](ex3_7::HiddenLayer& layer, const Matrix<double>& X) {
    return calling("forward", [&]() -> Matrix<double> { return layer.forward(X); });
  };
  const auto backward = [&](ex3_7::HiddenLayer& layer) {
    return calling("backward", [&] { return layer.backward(R); });
  };
  const Matrix<double> H_once = forward(once, A);
  const auto g_once = backward(once);
  forward(again, A);
  const Matrix<double> H_second = forward(again, A);
  const auto g_second = backward(again);
  const Matrix<double> H_third = forward(again, B), left_over = matmul(row_means(A), u1);
  const bool first_right =
      agrees(H_once, right(A), rounding) && agrees(g_once.dW1, dW1, rounding) && agrees(g_once.du1, du1, rounding);
  const Answer second{"H of call 2", H_second, right(A)}, third{"H of call 3", H_third, right(B)};
  if (first_right && agrees(H_second, right(A) + left_over, rounding) &&
      agrees(H_third, right(B) + 2 * left_over, rounding))
    return not_started("X was the same in calls 1 and 2, and yet their H differ by up to " +
                       significant(max_abs_difference(H_once, H_second), 2));
  Findings findings;
  if (untouched({"", g_once.du1, du1}))
    findings.add("backward", "it still needs what forward put into its buffers, and finds zeros");
  if (!agrees(H_second, right(A), rounding) && agrees(H_third, right(B), rounding))
    findings.add("forward", "what is cleared in backward is missing when no backward was called in between");
  const std::vector<Mistake> mistakes = wrong_second_H(A, W1, u1);
  for (const std::size_t k : {2u, 3u})  // what is wrong in the first call already, and spoils du1 and all later calls
    if (agrees(H_once, mistakes[k].value, rounding)) return wrong("forward: " + mistakes[k].reason);
  if (first_right && agrees(H_second, mistakes[1].value, rounding)) return wrong("forward: " + mistakes[1].reason);
  findings.add("forward", {"H of call 1", H_once, right(A)}, by_formula);
  findings.add("backward", {"dW1 of call 1", g_once.dW1, dW1}, by_formula);
  findings.add("backward", {"du1 of call 1", g_once.du1, du1}, by_formula);
  findings.add("forward", second, by_formula, mistakes);
  findings.add("backward", {"dW1 of call 2", g_second.dW1, dW1}, by_formula);
  findings.add("backward", {"du1 of call 2", g_second.du1, du1}, by_formula);
  findings.add("forward", third, by_formula);
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 3.8

// A function whose degree is known, and what is likely to be wrong where the reader's answer is this or that.
struct Box {
  const char* name;
  std::size_t inputs, degree;
  ex3_8::BlackBox f;
  const char *too_low, *too_high;
};

// The first output of a model with entries of size 1/2.
template <class Model>
static ex3_8::BlackBox box_of(Model model) {
  Random random(8);
  fill_normal(model.tensors(), random, 0.5);
  return [model](const Matrix<double>& x) { return output(model, x)(0, 0); };
}

static std::vector<Box> boxes() {
  const char *const axis = "along an axis it looks simpler than it is: where does your line run?",
                    *const noise = "rounding was taken for a difference: how large may it be beside the values?",
                    *const small = "a small bend is no rounding, which is some 1e-15 of the values",
                    *const few = "more differences are needed to see the highest degree",
                    *const no = "one difference too many";
  return {{"a constant", 3, 0, [](const auto&) { return 3.0; }, no, noise},
          {"an affine function with large numbers", 2, 1,
           [](const auto& x) { return 1e6 + 1000 * x(0, 0) - 0.3 * x(0, 1); }, small, noise},
          {"x0·x1", 2, 2, [](const auto& x) { return x(0, 0) * x(0, 1); }, axis, noise},
          {"x0² - x1²", 2, 2, [](const auto& x) { return x(0, 0) * x(0, 0) - x(0, 1) * x(0, 1); },
           "along the diagonal it is 0 throughout: where does your line run?", noise},
          {"x0 + x1·x2/1000", 3, 2, [](const auto& x) { return x(0, 0) + 1e-3 * x(0, 1) * x(0, 2); }, small, noise},
          {"(2·x0 - x1)²", 2, 2, [](const auto& x) { return std::pow(2 * x(0, 0) - x(0, 1), 2); },
           "along (1, 2, ...) it is 0 throughout: where does your line run?", noise},
          {"(x0 - 2·x1)²", 2, 2, [](const auto& x) { return std::pow(x(0, 0) - 2 * x(0, 1), 2); },
           "along (..., 2, 1) it is 0 throughout: where does your line run?", noise},
          {"1e12·(x0 - 0.3)²", 2, 2, [](const auto& x) { return 1e12 * std::pow(x(0, 0) - 0.3, 2); }, few, noise},
          {"1e-12·x0³", 2, 3, [](const auto& x) { return 1e-12 * std::pow(x(0, 0), 3); },
           "all its values are small, and so is their rounding: which difference is 0 beside them?", noise},
          {"sin(π·x0)", 2, 5, [](const auto& x) { return std::sin(std::acos(-1.0) * x(0, 0)); },
           "at whole numbers it is 0: at which places do you ask?", no},
          {"x0·x1·x2", 3, 3, [](const auto& x) { return x(0, 0) * x(0, 1) * x(0, 2); }, axis, noise},
          {"the BMLP as published", 4, 1, box_of(Bmlp<double>({4, 5, 1})), no, noise},
          {"a product layer", 4, 2, box_of(Product<double>({4, 5, 1})), axis, noise},
          {"two product layers", 4, 4, box_of(Product2<double>({{4, 5, 1}, 7, 2})), few, noise},
          {"a swish MLP", 4, 5, box_of(Swish<double>({{4, 5, 1}, true})), few, no}};
}

static Verdict degree() {
  const std::vector<Box> all = boxes();
  std::vector<std::size_t> said;
  for (const Box& box : all) said.push_back(calling("degree_of", [&] { return ex3_8::degree_of(box.f, box.inputs); }));
  const std::string same = same_for_all(said);
  if (!same.empty()) return said.front() == 99 ? not_started() : wrong(same);
  Findings findings;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const char* const cause = said[k] < all[k].degree ? all[k].too_low : all[k].too_high;
    const std::string text = said[k] == all[k].degree ? "" : join(cause, " (you say ", said[k], ")");
    findings.add(all[k].name, text);
    if (!text.empty()) break;  // one cause at a time
  }
  return findings.verdict();
}

int main(int argc, char** argv) {
  return check_lesson(3,
                      {{"3.1", "The slope of z·tanh z", gated_tanh},
                       {"3.2", "The way back through a mean of squares", mean_square_backward},
                       {"3.3", "A BMLP folded by hand", fold},
                       {"3.4", "Weights stored out x in", stored_weights},
                       {"3.5", "The second gate", second_gate},
                       {"3.6", "A step with the loss 1 - R²", r_squared_step},
                       {"3.7", "Forward, and forward again", second_call},
                       {"3.8", "Which polynomial is in the box?", degree}},
                      argc, argv);
}
