// Lesson 3, part 4: the proof, on the trained network: one matrix, one Jacobian, additivity; and the batch version,
// whose answer to a row depends on the rows beside it.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/3_swish_vs_bmlp/floors.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"
#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"

namespace lesson3 {
namespace {

// The slopes of all outputs in all inputs at the row x, d x o, by differences of the outputs: f(x + e_i) - f(x - e_i)
// over 2. Of a linear f they are exact but for rounding; the backward pass is not asked.
Matrix<double> jacobian(const Bmlp<double>& f, const Matrix<double>& x) {
  Matrix<double> J(f.form.in, f.form.out);
  for (std::size_t i = 0; i < f.form.in; ++i) {
    Matrix<double> step(1, f.form.in);
    step(0, i) = 1;
    const Matrix<double> difference = output(f, x + step) - output(f, x - step);
    for (std::size_t j = 0; j < f.form.out; ++j) J(i, j) = difference(0, j) / 2;
  }
  return J;
}

// The same network in double, where rounding does not hide what is to be seen.
Bmlp<double> widened(const Bmlp<float>& f) {
  Bmlp<double> wide(f.form);
  const Tensors<double> to = wide.tensors();
  const ConstTensors<float> from = f.tensors();
  for (std::size_t t = 0; t < to.size(); ++t) to[t].tensor = Matrix<double>(from[t].tensor.view());
  return wide;
}

void proof(Lesson& lesson, const Bmlp<double>& f, const Matrix<double>& X) {
  const Matrix<double> M = fold(f), Y = output(f, X);
  // A sum of 16 or 64 products of numbers up to 3, in another order: some hundred roundings of 1e-16.
  constexpr double rounding = 1e-13;
  lesson.say("The trained BMLP folded into one matrix M, ", M.rows(), " x ", M.cols(), ": on ", X.rows(),
             " test rows, with outputs of ", significant(std::sqrt(mean_square(Y)), 2),
             " in root mean square, the two differ by ", significant(max_abs_difference(Y, matmul(X, M)), 1),
             " at most.");
  lesson.claim("max |f(X) - X·M|", max_abs_difference(Y, matmul(X, M)), at_most(rounding));
  lesson.claim("f(0)", largest_entry(output(f, Matrix<double>(1, 16))), exactly(0));
  const Matrix<double> x(row_block(X, 0, 1)), y(row_block(X, 1, 1));
  const auto values = [&](const Matrix<double>& at) { return output(f, at); };
  lesson.claim("D(x, y) of part 0", largest_entry(additivity(values, x, y)), at_most(rounding));
  lesson.claim("slopes at x minus slopes at y", max_abs_difference(jacobian(f, x), jacobian(f, y)), at_most(rounding));
  lesson.claim("slopes at x minus M", max_abs_difference(jacobian(f, x), M), at_most(rounding));
}

// The BMLP with means over the batch, trained on all rows of suite A at once, targets as they are: with a constant that
// someone has to supply.
struct BatchRun {
  BmlpBatch<float> model;
  Rows train, test;
};

BatchRun train_in_full_batches(Session& session) {
  Random data(session.options.seed, 30), random(session.options.seed, 31);
  BatchRun run{BmlpBatch<float>(Forms{suite_inputs, suite_outputs}.bmlp, random), draw_rows(suites[0], 1024, data),
               draw_rows(suites[0], 1024, data)};
  train_on_all_rows(run.model, run.train, session.training());
  return run;
}

// What the model says of the test rows when it sees them in batches of the given size.
Matrix<double> predict_in_batches(const BatchRun& run, std::size_t batch) {
  Matrix<double> Y(run.test.size(), suite_outputs);
  for (std::size_t first = 0; first < run.test.size(); first += batch) {
    const std::size_t count = std::min(batch, run.test.size() - first);
    const Matrix<double> part = predict(run.model, Matrix<double>(row_block(run.test.X, first, count)));
    std::copy(part.values().begin(), part.values().end(), Y.row(first).begin());
  }
  return Y;
}

void one_row_two_answers(Lesson& lesson, Session& session) {
  const BatchRun run = train_in_full_batches(session);
  const Matrix<double> beside = predict(run.model, run.test.X), alone = predict_in_batches(run, 1);
  const double affine = r_squared(
      matmul(affine_features(run.train.X), least_squares(affine_features(run.train.X), run.train.T)), run.train.T);
  const double trained = r_squared(run.model, run.train);
  lesson.say("The batch version, trained on ", run.train.size(), " rows at once: R² ", fixed(trained, 4),
             " there, affine least squares ", fixed(affine, 4), ". And on other rows?");
  Table table{{"test rows at once"}, {{"R²"}}};
  std::vector<double> found;
  for (const std::size_t batch : {1024u, 256u, 32u, 1u}) {
    found.push_back(r_squared(predict_in_batches(run, batch), run.test.T));
    table.head.push_back(std::to_string(batch));
    table.rows[0].push_back(fixed(found.back(), 2));
  }
  lesson.show(table);
  lesson.note("Test row 0, first output: ", fixed(alone(0, 0), 2), " alone, ", fixed(beside(0, 0), 2),
              " among the others.");
  lesson.claim_trained("training rows: R² minus that of affine least squares", trained - affine,
                       within(-2e-9, 4.5 * 4.3e-9));  // mean and spread over 20 seeds
  lesson.claim_trained("one row, two answers: how far apart, root mean square", std::sqrt(mean_square(alone - beside)),
                       within(8.6, 4.5 * 1.6));  // likewise
  lesson.claim_trained("R² of test rows one by one: worse than knowing nothing", found.back(), at_most(0));
}

}  // namespace

void part4(Lesson& lesson, Session& session) {
  const Bmlp<double> small = example_bmlp();
  const Matrix<double> M = fold(small);
  lesson.note("Section 2's case by hand folds into M = (", M(0, 0), ", ", M(1, 0), ").");
  lesson.claim_same("M by hand", max_abs_difference(M, {{5}, {9}}));
  proof(lesson, widened(session.bmlp()), session.suite().test.X);
  one_row_two_answers(lesson, session);
}

}  // namespace lesson3
