// Lesson 3, part 4: the proof, on the trained network: one matrix, one Jacobian, additivity; and the batch version,
// whose answer to a row depends on the rows beside it.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3 {

// The slopes of all outputs in all inputs at the row x, d x o, by differences of the outputs: f(x + e_i) - f(x - e_i)
// over 2. Of a linear f they are exact but for rounding; the backward pass is not asked.
static Matrix<double> jacobian(const Bmlp<double>& f, const Matrix<double>& x) {
  Matrix<double> J(f.form.in, f.form.out);
  for (std::size_t i = 0; i < f.form.in; ++i) {
    Matrix<double> step(1, f.form.in);
    step(0, i) = 1;
    const Matrix<double> slopes = 0.5 * (output(f, x + step) - output(f, x - step));
    std::copy(slopes.values().begin(), slopes.values().end(), J.row(i).begin());
  }
  return J;
}

static void proof(Lesson& lesson, const Bmlp<float>& narrow, const Matrix<double>& X) {
  Bmlp<double> f(narrow.form);  // in double rounding does not hide what is to be seen
  for (std::size_t t = 0; t < f.tensors().size(); ++t)
    f.tensors()[t].tensor = Matrix<double>(narrow.tensors()[t].tensor.view());
  const Matrix<double> M = fold(f), Y = output(f, X);
  // A sum of 16 or 64 products of numbers up to 3, in another order: some hundred roundings of 1e-16.
  constexpr double rounding = 1e-13;
  lesson.say("The trained BMLP folded into one matrix M, ", M.rows(), " x ", M.cols(), ": on ", X.rows(),
             " test rows, with outputs of ", significant(std::sqrt(mean_square(Y)), 2),
             " in root mean square, the two differ by ", significant(max_abs_difference(Y, matmul(X, M)), 1),
             " at most.");
  lesson.claim("max |f(X) - X·M|", max_abs_difference(Y, matmul(X, M)), at_most(rounding));
  lesson.claim("f(0)", largest_entry(output(f, Matrix<double>(1, f.form.in))), exactly(0));
  const Matrix<double> x(row_block(X, 0, 1)), y(row_block(X, 1, 1));
  const auto values = [&](const Matrix<double>& at) { return output(f, at); };
  lesson.claim("D(x, y) of part 0", largest_entry(additivity(values, x, y)), at_most(rounding));
  lesson.claim("slopes at x minus slopes at y", max_abs_difference(jacobian(f, x), jacobian(f, y)), at_most(rounding));
  lesson.claim("slopes at x minus M", max_abs_difference(jacobian(f, x), M), at_most(rounding));
}

// The BMLP with means over the batch, trained on all rows of suite A at once, targets as they are: with a constant that
// someone has to supply.
static void one_row_two_answers(Lesson& lesson, Session& session) {
  Random data(session.options.seed, 30), random = session.start();
  const Rows learned = draw_rows(0, 1024, data), test = draw_rows(0, 1024, data);
  BmlpBatch<float> model(suite_forms.bmlp, random);
  TrainingSettings settings = session.training();
  settings.batch = 0;
  train(model, learned, settings, random);
  const Matrix<double> Phi = affine_features(learned.X);
  const double affine = r_squared(matmul(Phi, least_squares(Phi, learned.T)), learned.T);
  const double trained = r_squared(model, learned);
  lesson.say("The batch version, trained on ", learned.size(), " rows at once: R² ", fixed(trained, 4),
             " there, affine least squares ", fixed(affine, 4), ". And on other rows?");
  Table table{{"test rows at once"}, {{"R²"}}};
  Matrix<double> Y;
  for (const std::size_t batch : {1024u, 256u, 32u, 1u}) {
    Y = Matrix<double>(test.size(), suite_outputs);
    for (std::size_t first = 0; first < test.size(); first += batch) {
      const Matrix<double> part = predict(model, Matrix<double>(row_block(test.X, first, batch)));
      std::copy(part.values().begin(), part.values().end(), Y.row(first).begin());
    }
    table.head.push_back(std::to_string(batch));
    table.rows[0].push_back(fixed(r_squared(Y, test.T), 2));
  }
  lesson.show(table);
  const Matrix<double> beside = predict(model, test.X);  // and Y has each row's answer alone
  lesson.note("Test row 0, first output: ", fixed(Y(0, 0), 2), " alone, ", fixed(beside(0, 0), 2),
              " among the others.");
  lesson.claim_trained("training rows: R² minus that of affine least squares", trained - affine, within(0, 1e-6));
  lesson.claim_trained("one row, two answers: how far apart, root mean square", std::sqrt(mean_square(Y - beside)),
                       at_least(0.1));
  lesson.claim_trained("R² of test rows one by one: worse than knowing nothing", r_squared(Y, test.T), at_most(0));
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const Matrix<double> M = fold(example_bmlp());
  lesson.note("Section 2's case by hand folds into M = (", M(0, 0), ", ", M(1, 0), ").");
  lesson.claim_same("M by hand", max_abs_difference(M, {{5}, {9}}));
  proof(lesson, session.bmlp(), session.suite().test.X);
  one_row_two_answers(lesson, session);
}

extern const Part<Session> part4{4, "The proof", run};

}  // namespace lesson3
