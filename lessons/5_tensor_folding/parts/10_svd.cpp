// Lesson 5, part 10: what a singular value decomposition of the tensor can tell, and what not.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/session.hpp"
#include "lessons/5_tensor_folding/toy.hpp"
#include "lessons/5_tensor_folding/unfolding.hpp"

// A symmetric form x_p·x_q over n inputs.
inline Matrix<double> form_of_pair(std::size_t n, std::size_t p, std::size_t q) {
  Matrix<double> S(n, n);
  S(p, q) += 0.5, S(q, p) += 0.5;
  return S;
}

// Outputs that mix some forms: slice o is Σ_f weights[o,f]·form f.
inline Tensor3<double> mixture(const Matrix<double>& weights, const std::vector<Matrix<double>>& forms) {
  Tensor3<double> t(weights.rows(), forms[0].rows(), forms[0].cols());
  for (std::size_t o = 0; o < weights.rows(); ++o)
    for (std::size_t f = 0; f < forms.size(); ++f) t.slices[o] += weights(o, f) * forms[f];
  return t;
}

// How well the k-th singular vectors of the output mode are the forms: the mean over the forms of the best |cosine|.
inline double overlap(const Svd& decomposition, const std::vector<Matrix<double>>& forms) {
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

inline std::string listed(const std::vector<double>& values, std::size_t most) {
  std::string text;
  for (std::size_t k = 0; k < std::min(most, values.size()); ++k)
    text += (k > 0 ? " " : "") + (values[k] < 1e-12 ? std::string("0") : significant(values[k], 3));
  return text;
}

// A random rotation of the outputs: orthonormal columns from the eigenvectors of a random symmetric matrix.
inline Matrix<double> random_rotation(std::size_t n, Random& random) {
  const auto A = normal_matrix<double>(n, n, 1, random);
  return eigen_symmetric(A + Matrix<double>(transpose(A))).vectors;
}

inline void part10(Lesson& lesson, Session& session) {
  Random random(lesson.options().seed, 68);
  const std::vector<Matrix<double>> two{form_of_pair(6, 0, 1), form_of_pair(6, 2, 3)};
  std::vector<Matrix<double>> six;
  for (std::size_t k = 0; k < 6; ++k) six.push_back(form_of_pair(12, 2 * k, 2 * k + 1));
  Matrix<double> falling(6, 6), equal(6, 6);
  for (std::size_t k = 0; k < 6; ++k) falling(k, k) = double(6 - k), equal(k, k) = 1;
  const Matrix<double> turn = random_rotation(6, random);

  struct Case {
    std::string name;
    Tensor3<double> t;
    const std::vector<Matrix<double>>& forms;
  };
  const Case cases[] = {{"10 outputs mix x0·x1, x2·x3", mixture(normal_matrix<double>(10, 2, 1, random), two), two},
                        {"six products, weights 6 to 1", mixture(falling, six), six},
                        {"the same, outputs turned", mixture(matmul(turn, falling), six), six},
                        {"six equal ones, turned", mixture(matmul(turn, equal), six), six}};
  lesson.say(
      "Does a singular value decomposition of the tensor find the computations? Written with a row for each output ",
      "(output mode), its rank is the number of different ones (at most that of the outputs). Are its vectors the "
      "computations themselves? Overlap: ",
      "the cosine of each true form with the nearest vector, mean over the forms; 1.000 means yes.");
  Table table{{"tensor", "singular values", "overlap"}, {}};
  std::vector<double> overlaps;
  std::vector<std::size_t> ranks;
  for (const Case& c : cases) {
    const Svd s = svd(output_unfolding(c.t));
    overlaps.push_back(overlap(s, c.forms)), ranks.push_back(count_above(s.values, 1e-9));
    table.rows.push_back({c.name, listed(s.values, 6), fixed(overlaps.back(), 3)});
  }
  lesson.show(table);
  lesson.claim("ten outputs, two computations: rank", double(ranks[0]), exactly(2));
  lesson.claim("different weights, orthogonal forms: overlap", std::min(overlaps[1], overlaps[2]), at_least(1 - 1e-9));
  lesson.claim("equal weights: any turn of the vectors is as good, overlap", overlaps[3],
               within(0.705, 4.5 * 0.048));  // mean and spread over 400 seeds

  const Svd inputs = svd(input_unfolding(cases[0].t));
  const std::vector<double> where = leverage(inputs, count_above(inputs.values, 1e-9));
  lesson.say(
      "With a row for each input (input mode) it says where: the part of each input that the singular vectors hold is ",
      listed(where, 6), " for x0 to x5. Four inputs are used, two are not.");
  double worst = 0;
  for (std::size_t p = 0; p < 6; ++p) worst = std::max(worst, std::abs(where[p] - (p < 4 ? 1 : 0)));
  lesson.claim("inputs in use: 1, the others 0, largest difference", worst, at_most(1e-9));

  const Net<double> toy =
      train_toy(5, 2, 10, 0.05, session.options.steps_or(3000, 60), Random(session.options.seed, 69));
  const Tensor3<double> S = symmetric(fold(toy));
  const Svd outputs = svd(output_unfolding(S)), directions = svd(input_unfolding(S));
  lesson.say("And superposition, lesson 4's toy: five rare features in two numbers, biases included. Output mode: ",
             listed(outputs.values, 6), "; input mode: ", listed(directions.values, 6),
             ". Up to five computations from three ",
             "directions (two numbers and the constant). It counts; it does not name the features.");
  lesson.claim("toy: directions of the input, rank", double(count_above(directions.values, 1e-9)), exactly(3));
  lesson.claim_trained("toy: computations, more than directions, rank", double(count_above(outputs.values, 1e-3)),
                       at_least(4));
}
