// Lesson 5, part 13: looks for the features that lie in m numbers, more of them than m: by a sparse
// dictionary of activations, from the weights alone, and by the pseudo-inverse.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "common/training.hpp"
#include "lessons/5_tensor_folding/spectra.hpp"

namespace lesson5 {

// Returns f of a symmetric matrix: its eigenvectors with f of each eigenvalue.
template <class F>
Matrix<double> of_eigenvalues(const Matrix<double>& A, F f) {
  Eigen eigen = eigen_symmetric(symmetric_part(A));
  for (double& value : eigen.values) value = f(value);
  return matmul(transpose(eigen.vectors), scale_rows(eigen.vectors, eigen.values));
}

// Returns D⁺, with which J·D⁺ are codes of the rows of J; D is atoms x m, of rank m.
inline Matrix<double> pseudo_inverse(const Matrix<double>& D) {
  const auto inverse = [](double value) { return 1 / value; };
  return matmul(of_eigenvalues(matmul(transpose(D), D), inverse), transpose(D));  // (5.30)
}

// Returns how many of the true directions some found one has, with a cosine above .95.
inline std::size_t recovered(const Matrix<double>& truth, const Matrix<double>& directions) {
  const Matrix<double> cosines = matmul(unit_rows(truth), transpose(unit_rows(directions)));
  std::size_t count = 0;
  for (std::size_t i = 0; i < cosines.rows(); ++i) count += std::ranges::max(cosines.row(i)) > 0.95;
  return count;
}

// ---------------------------------------------------------------------------- from activations

// Rows of J (n x m) as sums of few atoms, rows of length 1. Codes (n x atoms) are not negative, and
// mostly 0.
struct Dictionary {
  Matrix<double> atoms, codes;
  double penalty = 0, objective = HUGE_VAL;
};

// Returns what a dictionary makes small: |J - codes·atoms|²/2 + penalty·Σ codes.
inline double objective_of(const Dictionary& d, const Matrix<double>& J) {
  const Matrix<double> rest = J - matmul(d.codes, d.atoms);
  double sum = 0;
  for (const double c : d.codes.values()) sum += c;
  return dot(rest, rest) / 2 + d.penalty * sum;  // (5.26)
}

// Takes steps on the codes: down the slope, and no further than 0 (ISTA: Daubechies et al. 2004).
inline void improve_codes(Dictionary& d, const Matrix<double>& J, int steps) {
  const Matrix<double> gram = matmul(d.atoms, transpose(d.atoms));
  double steepest = 0;  // the largest row sum bounds the largest eigenvalue
  for (std::size_t a = 0; a < gram.rows(); ++a)
    steepest = std::max(
        steepest, sum_of<double>(gram.cols(), [&](std::size_t k) { return std::abs(gram(a, k)); }));
  for (int step = 0; step < steps; ++step) {
    const Matrix<double> slope =
        matmul(matmul(d.codes, d.atoms) - J, transpose(d.atoms));  // (5.27)
    d.codes = zip(std::move(d.codes), slope, [&](double c, double of_squares) {
      return std::max(0.0, c - (of_squares + d.penalty) / steepest);  // (5.27)
    });
  }
}

// Puts the rows of J that are told worst in the place of atoms that fewer than one row of 500 uses.
inline void replace_unused(Dictionary& d, const Matrix<double>& J) {
  const Matrix<double> rest = J - matmul(d.codes, d.atoms);
  std::vector<double> error;
  for (std::size_t i = 0; i < J.rows(); ++i) error.push_back(length_of(rest.row(i)));
  for (std::size_t a = 0; a < d.atoms.rows(); ++a) {
    std::size_t uses = 0;
    for (std::size_t i = 0; i < J.rows(); ++i) uses += d.codes(i, a) > 0;
    if (500 * uses >= J.rows()) continue;
    const auto worst = std::size_t(std::ranges::max_element(error) - error.begin());
    std::ranges::copy(J.row(worst), d.atoms.row(a).begin());
    error[worst] = 0;
    for (std::size_t i = 0; i < J.rows(); ++i) d.codes(i, a) = 0;
  }
}

// Makes the atoms those that fit these codes best, by least squares; `ridge` keeps an atom without
// a code from dividing by 0.
inline void improve_atoms(Dictionary& d, const Matrix<double>& J, double ridge) {
  Matrix<double> gram = matmul(transpose(d.codes), d.codes);
  for (std::size_t a = 0; a < gram.rows(); ++a) gram(a, a) += ridge;
  const auto inverse = [](double value) { return 1 / value; };
  d.atoms = unit_rows(matmul(of_eigenvalues(gram, inverse), matmul(transpose(d.codes), J)));
}

// How long a dictionary is looked for.
struct Search {
  int starts = 0, rounds = 0;
};

// Returns a dictionary for the rows of J, the best of some starts by its own objective. Atoms start
// as rows of J picked at random; the penalty is a tenth of the mean length of a row.
inline Dictionary learn_dictionary(const Matrix<double>& J, std::size_t atoms, Search search,
                                   Random& random) {
  double scale = 0;
  for (std::size_t i = 0; i < J.rows(); ++i) scale += length_of(J.row(i)) / double(J.rows());
  const double ridge = 1e-6 * scale * scale * double(J.rows());
  Dictionary best;
  for (int start = 0; start < search.starts; ++start) {
    Dictionary d{.atoms = normal_matrix<double>(atoms, J.cols(), 0.02 * scale, random),
                 .codes = Matrix<double>(J.rows(), atoms),
                 .penalty = 0.1 * scale};
    for (std::size_t a = 0; a < atoms; ++a) {
      const std::size_t picked = std::size_t(random.below(J.rows()));
      for (std::size_t j = 0; j < J.cols(); ++j) d.atoms(a, j) += J(picked, j);
    }
    d.atoms = unit_rows(std::move(d.atoms));
    for (int round = 0; round < search.rounds; ++round) {
      improve_codes(d, J, 5);
      improve_atoms(d, J, ridge);
      if (4 * round < 3 * search.rounds) replace_unused(d, J);
      d.atoms = unit_rows(std::move(d.atoms));
    }
    improve_codes(d, J, 100);
    d.objective = objective_of(d, J);
    if (d.objective < best.objective) best = std::move(d);
  }
  return best;
}

// Learns a dictionary from the first half of the rows; returns the codes of the others.
inline Matrix<double> codes_of_others(const Matrix<double>& J, std::size_t atoms, Search search,
                                      Random& random) {
  const std::size_t half = J.rows() / 2;
  Dictionary d = learn_dictionary(Matrix<double>(row_block(J, 0, half)), atoms, search, random);
  d.codes = Matrix<double>(half, atoms);
  improve_codes(d, Matrix<double>(row_block(J, J.rows() - half, half)), 200);
  return std::move(d.codes);
}

// Returns the objective (5.26) in the mean of rows, and its gradients, of a net that is to return
// its own input: its codes are H, its atoms the rows of U.
inline double autoencoder_loss(const UnitNet<double>& net, const Matrix<double>& J, double penalty,
                               UnitNet<double>::Trace& t, Gradients<UnitNet<double>>& g) {
  net.forward(J, t);
  const double each = 1 / double(J.rows());
  const Matrix<double> rest = t.Y - J;           // n x m
  net.backward(J, t, each * rest, g);            // of the error
  Matrix<double> dZ(J.rows(), net.form.hidden);  // of the penalty, which counts what is on
  double codes = 0;
  for (std::size_t i = 0; i < dZ.rows(); ++i)
    for (std::size_t a = 0; a < dZ.cols(); ++a) {
      codes += t.H(i, a);
      dZ(i, a) = t.Z(i, a) > 0 ? each * penalty : 0;
    }
  g.parameters.W += matmul(transpose(J), dZ);
  g.parameters.b += column_sums(dZ);
  return each * (dot(rest, rest) / 2 + penalty * codes);
}

// Returns the atoms of a sparse autoencoder, lesson 1's net of ReLU units that is to return its own
// input: codes = relu(J·W + b), J' = codes·U, with rows of U of length 1. The objective is (5.26),
// but the codes must come from one linear layer, and no steps improve them.
inline Matrix<double> learn_autoencoder(const Matrix<double>& J, std::size_t atoms, long steps,
                                        Random& random) {
  double scale = 0;
  for (std::size_t i = 0; i < J.rows(); ++i) scale += length_of(J.row(i)) / double(J.rows());
  const double penalty = 0.1 * scale;
  UnitNet<double> net({J.cols(), atoms, J.cols()});
  net.U = unit_rows(normal_matrix<double>(atoms, J.cols(), 1, random));
  net.W = Matrix<double>(transpose(net.U));
  AdamW<double> adam({.decay = 0});
  Pass<UnitNet<double>> pass(net);
  ::train(net, pass, adam, {.steps = steps, .rate = 0.02}, HUGE_VAL, [&](long) {
    net.U = unit_rows(net.U);
    net.u = Matrix<double>(1, J.cols());
    return autoencoder_loss(net, J, penalty, pass.trace, pass.g);
  });
  return unit_rows(net.U);
}

// ---------------------------------------------------------------------------- from the weights

// Returns N, symmetric, for which the rows of L·N are balanced: the sum of their squares is the
// identity.
inline Matrix<double> balancing(const Matrix<double>& L) {
  return of_eigenvalues(matmul(transpose(L), L),
                        [](double value) { return 1 / std::sqrt(value); });  // (5.28)
}

// Returns the direction that a quadratic part Q (m x m) has most of, as seen in the numbers
// z·N⁻¹.
inline Matrix<double> top_direction(const Matrix<double>& Q, const Matrix<double>& N) {
  const Eigen eigen = eigen_symmetric(symmetric_part(matmul(matmul(N, Q), N)));
  return matmul(row_block(eigen.vectors, most_positive(eigen), 1), N);  // 1 x m   (5.29)
}

// Returns the slices over (z, 1), the m numbers behind E and the constant.
inline Tensor3 slices_behind(const Net<double>& net) {
  return symmetric(fold_factors(with_last_row(net.W, net.b), with_last_row(net.V, net.c), net.U));
}

// Returns half the linear part of each output, outputs x m.
inline Matrix<double> linear_part(const Tensor3& S) {
  const std::size_t m = S[0].rows() - 1;
  Matrix<double> linear(S.size(), m);
  for (std::size_t o = 0; o < S.size(); ++o)
    for (std::size_t i = 0; i < m; ++i) linear(o, i) = S[o](i, m);
  return linear;
}

enum class Basis { as_it_stands, balanced };

// Returns a direction in the m numbers behind E for each output of a net with biases, with the sign
// of its linear part.
inline Matrix<double> directions_from_weights(const Net<double>& net, Basis basis) {
  const std::size_t m = net.form.seen(), outputs = net.form.outputs;
  const Tensor3 S = slices_behind(net);
  const Matrix<double> L = linear_part(S);
  Matrix<double> directions(outputs, m);
  const Matrix<double> N = basis == Basis::balanced ? balancing(L) : identity(m);
  for (std::size_t o = 0; o < outputs; ++o) {
    const Matrix<double> Q(row_block(column_block(S[o], 0, m), 0, m));
    const Matrix<double> direction = top_direction(Q, N);
    const double sign = dot_of_rows(direction.row(0), L.row(o)) < 0 ? -1 : 1;
    for (std::size_t i = 0; i < m; ++i) directions(o, i) = sign * direction(0, i);
  }
  return directions;
}

// Returns the columns of W and V in balanced numbers, a row of length 1 for each, in both signs,
// since neither is given; and N, which takes directions in these numbers back.
struct Balanced {
  Matrix<double> rows, N;
};
inline Balanced balanced_weights(const Net<double>& net) {
  const Matrix<double> N = balancing(linear_part(slices_behind(net)));
  const Matrix<double> one = matmul(N, beside(net.W, net.V));  // m x 2h
  return {unit_rows(Matrix<double>(transpose(beside(one, -1 * one)))), N};
}

// Returns the same network in other numbers z·A, with a random stretch A in E and A⁻¹ in W
// and V.
inline Net<double> stretched(Net<double> net, Random& random) {
  const std::size_t m = net.form.seen();
  const auto B = normal_matrix<double>(m, m, 1, random);
  const Matrix<double> square = matmul(transpose(B), B);
  const auto inverse = of_eigenvalues(square, [](double value) { return 1 / std::sqrt(value); });
  net.E = matmul(net.E, of_eigenvalues(square, [](double value) { return std::sqrt(value); }));
  net.W = matmul(inverse, net.W);
  net.V = matmul(inverse, net.V);
  return net;
}

// -------------------------------------------------------------- a network whose features are known

// Returns rows of features, each on (1) with probability p. A row without any says nothing to a
// dictionary, so `redrawn` draws it again.
enum class EmptyRows { kept, redrawn };
inline Matrix<double> draw_features(std::size_t rows, std::size_t features, double p,
                                    EmptyRows empty_rows, Random& random) {
  Matrix<double> X(rows, features);
  for (std::size_t i = 0; i < rows; ++i) {
    double on = 0;
    do {
      on = 0;
      for (double& x : X.row(i)) {
        x = random.uniform() < p ? 1 : 0;
        on += x;
      }
    } while (on == 0 && empty_rows == EmptyRows::redrawn);
  }
  return X;
}

// Trains a net to put out its features again, through fewer numbers; e stays 0.
inline Net<double> train_to_repeat(const NetForm& form, double p, long steps, Random random) {
  Net<double> net(form);
  for (Matrix<double>* A : {&net.E, &net.W, &net.V, &net.U})
    *A = uniform_weights<double>(A->rows(), A->cols(), random);
  net.c = Matrix<double>(1, form.hidden, 1);
  AdamW<double> adam({.decay = 0});
  Pass<Net<double>> pass(net);
  ::train(net, pass, adam, {.steps = steps, .rate = 0.02}, HUGE_VAL, [&](long) {
    const Matrix<double> X = draw_features(256, form.inputs, p, EmptyRows::kept, random);
    const double loss = pass.run(net, X, squared_error(X));
    pass.g.parameters.e = Matrix<double>(1, form.embedding);
    return loss;
  });
  return net;
}

}  // namespace lesson5
