// Lesson 5, part 10: what a singular value decomposition of the tensor can tell, and what not.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/model/03_fold.hpp"
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"
#include "lessons/5_tensor_folding/model/09_unfolding.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"
#include "lessons/5_tensor_folding/run/train_toy.hpp"

namespace lesson5 {
namespace {

std::string listed(const std::vector<double>& values, std::size_t most) {
  std::string text;
  for (std::size_t k = 0; k < std::min(most, values.size()); ++k)
    text += (k > 0 ? " " : "") + (values[k] < 1e-12 ? std::string("0") : significant(values[k], 3));
  return text;
}

// -------------------------------------------------------------------------------------------- known computations

// `count` symmetric forms over n inputs: x0·x1, x2·x3, ...
std::vector<Matrix<double>> forms_of_pairs(std::size_t n, std::size_t count) {
  std::vector<Matrix<double>> forms(count, Matrix<double>(n, n));
  for (std::size_t f = 0; f < count; ++f) forms[f](2 * f, 2 * f + 1) = forms[f](2 * f + 1, 2 * f) = 0.5;
  return forms;
}

// Outputs that mix some forms: slice o is Σ_f weights[o,f]·form f.
Tensor3 mixture(const Matrix<double>& weights, const std::vector<Matrix<double>>& forms) {
  Tensor3 t(weights.rows(), forms[0].rows(), forms[0].cols());
  for (std::size_t o = 0; o < weights.rows(); ++o)
    for (std::size_t f = 0; f < forms.size(); ++f) t.slices[o] += weights(o, f) * forms[f];
  return t;
}

// A random rotation of the outputs: orthonormal columns from the eigenvectors of a random symmetric matrix.
Matrix<double> random_rotation(std::size_t n, Random& random) {
  const auto A = normal_matrix<double>(n, n, 1, random);
  return eigen_symmetric(A + Matrix<double>(transpose(A))).vectors;
}

// How well the k-th singular vectors of the output mode are the forms: the mean over the forms of the best |cosine|.
double overlap(const Svd& decomposition, const std::vector<Matrix<double>>& forms) {
  double sum = 0;
  for (const Matrix<double>& form : forms) {
    double best = 0;
    for (std::size_t k = 0; k < forms.size(); ++k) {
      double product = 0;
      for (std::size_t i = 0; i < form.size(); ++i) product += decomposition.V(i, k) * form.values()[i];
      best = std::max(best, std::abs(product) / std::sqrt(dot(form, form)));
    }
    sum += best / double(forms.size());
  }
  return sum;
}

// A tensor whose computations are known, and what the output mode says of it.
struct Case {
  std::string name;
  Tensor3 t;
  std::vector<Matrix<double>> forms;
  Svd outputs = svd(output_unfolding(t));
  double overlap = lesson5::overlap(outputs, forms);
};

std::vector<Case> known_cases(Random& random) {
  const std::vector<Matrix<double>> two = forms_of_pairs(6, 2), six = forms_of_pairs(12, 6);
  Matrix<double> falling(6, 6);
  for (std::size_t k = 0; k < 6; ++k) falling(k, k) = double(6 - k);
  const Matrix<double> turn = random_rotation(6, random);
  return {{"10 outputs mix x0·x1, x2·x3", mixture(normal_matrix<double>(10, 2, 1, random), two), two},
          {"six products, weights 6 to 1", mixture(falling, six), six},
          {"the same, outputs turned", mixture(matmul(turn, falling), six), six},
          {"six equal ones, turned", mixture(turn, six), six}};
}

void output_mode(Lesson& lesson, const std::vector<Case>& cases) {
  Table table{{"tensor", "singular values", "overlap"}, {}};
  for (const Case& c : cases) table.rows.push_back({c.name, listed(c.outputs.values, 6), fixed(c.overlap, 3)});
  lesson.say("Does an SVD of the tensor find the computations? In output mode:");
  lesson.show(table);
  // What should be 0 is some 1e-15 of the largest, what should not be is near 1: 1e-9 lies between.
  lesson.claim("ten outputs, two computations: rank", double(count_above(cases[0].outputs.values, 1e-9)), exactly(2));
  lesson.claim("different weights, orthogonal forms: overlap", std::min(cases[1].overlap, cases[2].overlap),
               at_least(1 - 1e-9));
  lesson.claim("equal weights: any turn of the vectors is as good, overlap", cases[3].overlap,
               within(0.705, 4.5 * 0.048));  // mean and spread over 400 seeds
}

void input_mode(Lesson& lesson, const Tensor3& t) {
  const Svd inputs = svd(input_unfolding(t));
  const std::vector<double> where = leverage(inputs, count_above(inputs.values, 1e-9));
  double worst = 0;
  for (std::size_t p = 0; p < 6; ++p) worst = std::max(worst, std::abs(where[p] - (p < 4 ? 1 : 0)));
  lesson.say("In input mode the singular vectors of the first hold of x0 to x5 ", listed(where, 6), ".");
  lesson.claim("inputs in use: 1, the others 0, largest difference", worst, at_most(1e-9));
}

// --------------------------------------------------------------------------------------------------- superposition

void superposition(Lesson& lesson, const Session& session) {
  const Net<double> toy =
      train_toy({5, 2, 10, 5}, 0.05, session.options.steps_or(3000, 60), Random(session.options.seed, 69));
  const Tensor3 S = symmetric(fold(toy));
  const Svd outputs = svd(output_unfolding(S)), directions = svd(input_unfolding(S));
  lesson.say("Lesson 4's toy: output mode ", listed(outputs.values, 5), "; input ", listed(directions.values, 3), ".");
  lesson.claim("toy: directions of the input, rank", double(count_above(directions.values, 1e-9)), exactly(3));
  lesson.claim_trained("toy: computations, more than directions, rank", double(count_above(outputs.values, 1e-3)),
                       at_least(4));
}

// --------------------------------------------------------------------------------------------------- the digit net

// Of input mode A the matrix A·Aᵀ, inputs x inputs: its eigenvalues are the squares of A's singular values, and its
// eigenvectors are A's singular vectors.
Matrix<double> square_of_input_mode(const Tensor3& S) {
  Matrix<double> square(S.shape().rows, S.shape().rows);
  for (const Matrix<double>& slice : S.slices) square += matmul(slice, slice);
  return symmetric_part(square);
}

// The mean over the columns of the largest |entry|: 1 where each is one output alone.
double purity(const Matrix<double>& columns) {
  double sum = 0;
  for (std::size_t k = 0; k < columns.cols(); ++k)
    sum += largest_entry(Matrix<double>(column_block(columns, k, 1))) / double(columns.cols());
  return sum;
}

// The mean over the first `count` rows of `directions` of the largest |cosine| with an eigenvector of any slice.
double nearest_eigenvector(const Matrix<double>& directions, const std::vector<Eigen>& spectra, std::size_t count) {
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    double best = 0;
    for (const Eigen& eigen : spectra)
      best = std::max(best, largest_entry(matmul(eigen.vectors, transpose(row_block(directions, k, 1)))));
    sum += best / double(count);
  }
  return sum;
}

void digit_net(Lesson& lesson, Session& session) {
  const Net<float>& trained = session.net();
  Tensor3 S(0, 0, 0);
  S.slices = quadratic_slices(trained);
  const Svd outputs = svd(output_unfolding(S));
  const Eigen inputs = eigen_symmetric(square_of_input_mode(S));
  const double all = std::accumulate(inputs.values.begin(), inputs.values.end(), 0.0);
  const double twelve = std::accumulate(inputs.values.begin(), inputs.values.begin() + 12, 0.0) / all;
  const double pure = purity(outputs.U), named = nearest_eigenvector(inputs.vectors, session.spectra(), 12);
  lesson.note("The net of part 6 in output mode: ", listed(outputs.values, 10),
              ". The largest part of a digit in a vector is ", fixed(pure, 2),
              " on the average. In input mode the first twelve directions hold ", fixed(twelve, 3),
              " of the squares, and their cosine with the nearest eigenvector of a digit is ", fixed(named, 2),
              " on the average.");
  // All ten are of a size with each other, and rounding in float leaves some 1e-7 of them.
  lesson.claim_trained("digits: computations in output mode, rank", double(count_above(outputs.values, 1e-3)),
                       exactly(10));
  // Eigenvalues are squares: those of rounding are 1e-15 of the largest, the smallest of the others some 1e-3.
  lesson.claim_trained("digits: directions in input mode, rank", double(count_above(inputs.values, 1e-9)),
                       exactly(2 * double(trained.form.hidden)));
  // Means and spreads over 40 seeds.
  lesson.claim_trained("digits: the largest part of a digit in an output vector", pure, within(0.599, 4.5 * 0.032));
  lesson.claim_trained("digits: squares in the first twelve input directions", twelve, within(0.858, 4.5 * 0.0167));
  lesson.claim_trained("digits: cosine of these with the nearest eigenvector", named, within(0.699, 4.5 * 0.0216));
}

}  // namespace

void part10(Lesson& lesson, Session& session) {
  Random random(lesson.options().seed, 68);
  const std::vector<Case> cases = known_cases(random);
  output_mode(lesson, cases);
  input_mode(lesson, cases[0].t);
  superposition(lesson, session);
  digit_net(lesson, session);
}

}  // namespace lesson5
