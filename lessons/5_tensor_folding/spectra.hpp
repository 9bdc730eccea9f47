// What weights tell: eigenvectors, fooling patterns, products, bounds. Equations: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>

#include "common/loss.hpp"
#include "lessons/5_tensor_folding/models.hpp"

namespace lesson5 {

// ---------------------------------------------------------------------- eigenvectors, by rotations

// Makes [app apq; apq aqq] diagonal; apq must not be 0. The smaller of two angles disturbs
// earlier rotations least.
struct Rotation {
  double tangent, cosine, sine;
};
inline Rotation diagonalizing(double app, double aqq, double apq) {
  const double theta = (aqq - app) / (2 * apq);
  const double tangent = std::copysign(1 / (std::abs(theta) + std::sqrt(theta * theta + 1)), theta);
  const double cosine = 1 / std::sqrt(tangent * tangent + 1);
  return {tangent, cosine, tangent * cosine};  // (5.20)
}

inline void rotate_rows(std::span<double> p, std::span<double> q, Rotation r) {
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double old = p[k];
    p[k] = r.cosine * old - r.sine * q[k];  // (5.21)
    q[k] = r.sine * old + r.cosine * q[k];  // (5.21)
  }
}

inline Matrix<double> identity(std::size_t n) {
  Matrix<double> I(n, n);
  for (std::size_t i = 0; i < n; ++i) I(i, i) = 1;
  return I;
}

inline double dot_of_rows(std::span<const double> x, std::span<const double> y) {
  return sum_of<double>(x.size(), [&](std::size_t k) { return x[k] * y[k]; });
}

inline double length_of(std::span<const double> x) { return std::sqrt(dot_of_rows(x, x)); }

// Scales each row to length 1; a row of zeros stays.
inline Matrix<double> unit_rows(Matrix<double> A) {
  for (std::size_t k = 0; k < A.rows(); ++k) {
    const double length = std::max(length_of(A.row(k)), 1e-150);
    for (double& a : A.row(k)) a /= length;
  }
  return A;
}

// Returns places by falling |value|, in a tie the positive first.
inline std::vector<std::size_t> falling_order(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const double a = std::abs(values[i]), b = std::abs(values[j]);
    return a > b || (a == b && values[i] > values[j]);
  });
  return order;
}

// A = vectorsᵀ·diag(values)·vectors, by falling |value|: each ROW of `vectors` is an eigenvector,
// so an image. Signs are free, and so are rotations among equal values.
struct Eigen {
  std::vector<double> values;
  Matrix<double> vectors;
};

// Makes D = J·D·Jᵀ with the rotation J that makes D[p,q] zero, and V = J·V. Leaves column p, a copy
// of row p, to sweep().   (5.21)
inline void rotate_away(Matrix<double>& D, Matrix<double>& V, std::size_t p, std::size_t q) {
  const double app = D(p, p), aqq = D(q, q), apq = D(p, q);
  const Rotation r = diagonalizing(app, aqq, apq);
  const std::span<double> row_p = D.row(p), row_q = D.row(q), all = D.values();
  rotate_rows(row_p, row_q, r);
  row_p[p] = app - r.tangent * apq;
  row_q[q] = aqq + r.tangent * apq;
  row_p[q] = 0;
  row_q[p] = 0;
  for (std::size_t k = 0; k < D.rows(); ++k) all[k * D.rows() + q] = row_q[k];
  rotate_rows(V.row(p), V.row(q), r);
}

// Rotates every pair p < q that needs it; returns how many did. An entry below the rounding of its
// own two diagonal entries is left alone, which keeps small eigenvalues' digits beside large ones.
template <class T>
std::size_t sweep(Matrix<T>& D, Matrix<T>& V) {
  const double rounding = std::numeric_limits<T>::epsilon();
  std::size_t rotations = 0;
  for (std::size_t p = 0; p < D.rows(); ++p) {
    for (std::size_t q = p + 1; q < D.rows(); ++q) {
      const double scale = std::sqrt(std::abs(D(p, p))) * std::sqrt(std::abs(D(q, q)));
      if (D(p, q) == 0 || std::abs(D(p, q)) <= rounding * scale) continue;
      rotate_away(D, V, p, q);
      ++rotations;
    }
    for (std::size_t k = 0; k < D.rows(); ++k) D(k, p) = D(p, k);
  }
  return rotations;
}

extern template std::size_t sweep(Matrix<double>&, Matrix<double>&);

// Takes 6 to 15 sweeps for random matrices, up to 21 for graded ones. Throws std::invalid_argument
// unless A is square, finite, and symmetric to 2e-12 of its largest entry (sums of 1,000 products
// leave less), std::runtime_error after `most_sweeps`.
inline Eigen eigen_symmetric(const Matrix<double>& A, int most_sweeps = 60) {
  check_shapes(A.rows() == A.cols(), "eigen_symmetric needs a square matrix", A.shape(),
               {A.cols(), A.rows()});
  Matrix<double> D = symmetric_part(A), V = identity(A.rows());
  if (!(max_abs_difference(D, A) <= 1e-12 * largest_entry(A)))  // NaN where an entry is not finite
    throw std::invalid_argument("eigen_symmetric: not symmetric, or not finite");
  for (int sweeps = 1; sweep(D, V) > 0; ++sweeps)
    if (sweeps >= most_sweeps) throw std::runtime_error("eigen_symmetric: more sweeps needed");
  std::vector<double> diagonal;
  for (std::size_t k = 0; k < D.rows(); ++k) diagonal.push_back(D(k, k));
  Eigen eigen{{}, Matrix<double>(A.rows(), A.rows())};
  for (const std::size_t k : falling_order(diagonal)) {
    std::copy(V.row(k).begin(), V.row(k).end(), eigen.vectors.row(eigen.values.size()).begin());
    eigen.values.push_back(diagonal[k]);
  }
  return eigen;
}

inline Matrix<double> scale_rows(Matrix<double> A, const std::vector<double>& factors) {
  for (std::size_t k = 0; k < A.rows(); ++k)
    for (double& a : A.row(k)) a *= factors[k];
  return A;
}

// ---------------------------------------------------------------------------- the spectra of a net

// Returns one slice's eigenvectors from the factors, because at most 2h eigenvalues are not 0. With
// F = [W V], n x 2h, the slice is S = F·G·Fᵀ; G is ½·[0 D; D 0], and D has U's column o on its
// diagonal. Let the rows of R be the eigenvectors of FᵀF, with eigenvalues μ, let Q = diag(√μ)·R,
// and K = Q·G·Qᵀ, 2h x 2h. When z·K = λ·z, the row v = z·diag(1/√μ)·R·Fᵀ has v·F = z·Q. So
// v·S = z·Q·G·Fᵀ, and this is λ·v, since G·Fᵀ = G·Rᵀ·R·Fᵀ. A μ of 0, as when columns of F are
// equal, gives K an eigenvalue 0, and the row of `vectors` is 0.
inline Eigen eigen_through_factors(const Net<double>& net, std::size_t o) {
  check_quadratic(net, "eigen_through_factors");
  const std::size_t h = net.form.hidden;
  const Matrix<double> WV = beside(net.W, net.V), F = net.form.embedding ? matmul(net.E, WV) : WV;
  Matrix<double> G(2 * h, 2 * h);
  for (std::size_t k = 0; k < h; ++k) {
    G(k, h + k) = net.U(k, o) / 2;
    G(h + k, k) = net.U(k, o) / 2;
  }
  const Eigen square = eigen_symmetric(matmul(transpose(F), F));
  // Rounding leaves μ uncertain by this share of the largest.
  const double uncertain = double(F.rows() + F.cols()) * std::numeric_limits<double>::epsilon();
  std::vector<double> root(2 * h), inverse(2 * h);
  for (std::size_t k = 0; k < 2 * h; ++k) {
    if (square.values[k] <= uncertain * square.values[0]) continue;
    root[k] = std::sqrt(square.values[k]);
    inverse[k] = 1 / root[k];
  }
  const Matrix<double> rooted = scale_rows(square.vectors, root);         // Q
  const Matrix<double> K = matmul(matmul(rooted, G), transpose(rooted));  // 2h x 2h
  // Where terms cancel K is rounding, and not symmetric.
  Eigen small = eigen_symmetric(symmetric_part(K));
  small.vectors = matmul(matmul(small.vectors, scale_rows(square.vectors, inverse)),
                         transpose(F));  // 2h x inputs
  return small;
}

// Returns k for k equal eigenvalues.
inline double effective_rank(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  const double squares = dot_of_rows(values, values);
  return squares > 0 ? sum * sum / squares : 0;  // (5.17)
}

inline double mean_effective_rank(const std::vector<Eigen>& spectra) {
  double sum = 0;
  for (const Eigen& eigen : spectra) sum += effective_rank(eigen.values);
  return sum / double(spectra.size());
}

// Uses the first `kept` eigenvalues of each output, largest |λ| first.
inline Matrix<double> evaluate_truncated(const std::vector<Eigen>& spectra, const Matrix<double>& X,
                                         std::size_t kept) {
  Matrix<double> Y(X.rows(), spectra.size());
  for (std::size_t o = 0; o < spectra.size(); ++o) {
    const std::size_t count = std::min(kept, spectra[o].values.size());
    const Matrix<double> VX =
        matmul(X, transpose(row_block(spectra[o].vectors, 0, count)));  // n x count
    for (std::size_t r = 0; r < X.rows(); ++r)
      for (std::size_t k = 0; k < count; ++k)
        Y(r, o) += spectra[o].values[k] * VX(r, k) * VX(r, k);  // (5.16)
  }
  return Y;
}

// Returns the place of the most positive eigenvalue, whose eigenvector is the top one.
inline std::size_t most_positive(const Eigen& eigen) {
  return std::size_t(std::max_element(eigen.values.begin(), eigen.values.end()) -
                     eigen.values.begin());
}

// Returns the share of the top eigenvectors' squares in the outermost pixels.
inline double border_energy(const std::vector<Eigen>& spectra, const Images& images) {
  double border = 0;
  for (const Eigen& eigen : spectra)
    for (std::size_t k = 0; k < images.rows * images.cols; ++k) {
      const std::size_t r = k / images.cols, c = k % images.cols;
      if (r == 0 || c == 0 || r + 1 == images.rows || c + 1 == images.cols)
        border += std::pow(eigen.vectors(most_positive(eigen), k), 2) / double(spectra.size());
    }
  return border;
}

// ------------------------------------------------------------------------------ patterns that fool

// Returns M = S[target] - mean S as a net of one output.
inline Net<double> contrast(const Net<double>& net, std::size_t target) {
  Net<double> one(of_products(net.form.inputs, net.form.hidden, 1));
  one.W = net.W;
  one.V = net.V;
  for (std::size_t k = 0; k < net.U.rows(); ++k) {
    one.U(k, 0) = net.U(k, target);
    for (const double u : net.U.row(k)) one.U(k, 0) -= u / double(net.U.cols());
  }
  return one;
}

// Returns X·M = ½·((X·W ⊙ u)·Vᵀ + (X·V ⊙ u)·Wᵀ), u the column of U.
inline Matrix<double> times_M(const Net<double>& one, const Matrix<double>& X) {
  Matrix<double> P = matmul(X, one.W), Q = matmul(X, one.V);  // n x h
  for (std::size_t r = 0; r < X.rows(); ++r)
    for (std::size_t k = 0; k < P.cols(); ++k) {
      P(r, k) *= one.U(k, 0) / 2;
      Q(r, k) *= one.U(k, 0) / 2;
    }
  return matmul(P, transpose(one.V)) + matmul(Q, transpose(one.W));  // n x inputs
}

// Returns M's top eigenvector, along which x·M·xᵀ grows fastest from 0, signed so that even ink
// gains: ink·M·vᵀ = λ·(ink·vᵀ) > 0.
inline Matrix<double> fooling_direction(const Net<double>& one) {
  const Eigen eigen = eigen_through_factors(one, 0);
  const Matrix<double> v(row_block(eigen.vectors, most_positive(eigen), 1));
  const double of_ink = std::accumulate(v.values().begin(), v.values().end(), 0.0);
  return (of_ink < 0 ? -1.0 : 1.0) * v;  // (5.18)
}

// Returns ink·M at length 1: the fastest way up from `ink`, a row of ones.
inline Matrix<double> ink_direction(const Net<double>& one) {
  return unit_rows(times_M(one, Matrix<double>(1, one.W.rows(), 1)));
}

// Returns a class's mean image less that of all, at length 1.
inline Matrix<double> class_direction(const Images& images, std::size_t target) {
  const Matrix<double> X(images.X.view());
  Matrix<double> direction(1, X.cols());
  const auto of_class = double(std::count(images.labels.begin(), images.labels.end(), target));
  for (std::size_t r = 0; r < X.rows(); ++r) {
    const double share = (images.labels[r] == target ? 1 / of_class : 0) - 1 / double(X.rows());
    for (std::size_t p = 0; p < X.cols(); ++p) direction(0, p) += X(r, p) * share;
  }
  return unit_rows(direction);
}

// Returns the share of other images that a pattern turns into the target; 1 x pixels, or one in
// each row.
template <class Model>
double fooled(const Model& net, const Images& images, std::size_t target,
              const Matrix<double>& pattern) {
  const Matrix<float> added(pattern.view());
  const auto answers =
      largest_of_rows(output(net, added.rows() == 1 ? add_row(images.X, added) : images.X + added));
  std::size_t others = 0, fooled = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (images.labels[i] == target) continue;
    ++others;
    fooled += answers[i] == target;
  }
  return others > 0 ? double(fooled) / double(others) : 0;
}

// ------------------------------------------------------------ the products that a table is made of

// Returns Σ S ⊙ S' of each two products' symmetric slices, without U; h x h'.
inline Matrix<double> shared(const Net<double>& one, const Net<double>& other) {
  const auto gram = [](const Matrix<double>& A, const Matrix<double>& B) {
    return matmul(transpose(A), B);
  };
  return 0.5 * (hadamard(gram(one.W, other.W), gram(one.V, other.V)) +
                hadamard(gram(one.W, other.V), gram(one.V, other.W)));  // (5.22)
}

// Returns Σ S ⊙ S of a net of products; d gets its gradients.
inline double square_of_slices(const Net<double>& net, Net<double>& d) {
  const Matrix<double>&W = net.W, &V = net.V;
  const Matrix<double> K = shared(net, net), C = matmul(net.U, transpose(net.U)),
                       WW = matmul(transpose(W), W), VV = matmul(transpose(V), V),
                       WV = matmul(transpose(W), V), VW(transpose(WV));  // h x h
  d.U = 2 * matmul(K, net.U);                                     // h x outputs   (5.23) back
  d.W = matmul(W, hadamard(C, VV)) + matmul(V, hadamard(C, WV));  // n x h         (5.22) back
  d.V = matmul(V, hadamard(C, WW)) + matmul(W, hadamard(C, VW));  // n x h         (5.22) back
  return dot(K, C);                                               // (5.23)
}

// Subtracts outputs: the net has the products of both.
inline Net<double> minus(const Net<double>& one, const Net<double>& other) {
  const auto turned = [](const Matrix<double>& A) { return Matrix<double>(transpose(A)); };
  NetForm form = one.form;
  form.hidden += other.form.hidden;
  Net<double> both(form);
  both.W = beside(one.W, other.W);
  both.V = beside(one.V, other.V);
  both.U = turned(beside(turned(one.U), -1 * turned(other.U)));
  return both;
}

// Looks for h products that make a net's table, by descent on Σ (S' - S)² from a random start.
// `left` is |S' - S| over |S|.
struct Products {
  Net<double> net;
  double left = 1;
};
Products find_products(const Net<double>& net, std::size_t h, Random random);

// Returns for each product its slice's largest |cosine| with a slice of another net.
inline std::vector<double> likeness(const Net<double>& one, const Net<double>& other) {
  const Matrix<double> both = shared(one, other), own = shared(one, one),
                       others = shared(other, other);
  std::vector<double> best(both.rows());
  for (std::size_t k = 0; k < both.rows(); ++k)
    for (std::size_t l = 0; l < both.cols(); ++l)
      best[k] = std::max(best[k], std::abs(both(k, l)) / std::sqrt(own(k, k) * others(l, l)));
  return best;
}

// -------------------------------------------------------------------------------------- guarantees

// Returns the largest |y_o|/(max|λ_o|·|x|²) over rows x and outputs of a net with these spectra;
// the bound allows 1.
inline double share_of_bound(const Net<double>& net, const std::vector<Eigen>& spectra,
                             const Matrix<double>& X) {
  const Matrix<double> Y = output(net, X);
  double nearest = 0;
  for (std::size_t r = 0; r < X.rows(); ++r)
    for (std::size_t o = 0; o < Y.cols(); ++o) {
      const double bound =
          std::abs(spectra[o].values[0]) * dot_of_rows(X.row(r), X.row(r));  // (5.19)
      nearest = std::max(nearest, std::abs(Y(r, o)) / bound);
    }
  return nearest;
}

// Returns S[one] - S[other] as a net of one output.
inline Net<double> lead_over(const Net<double>& net, std::size_t one, std::size_t other) {
  Net<double> lead(of_products(net.form.inputs, net.form.hidden, 1));
  lead.W = net.W;
  lead.V = net.V;
  for (std::size_t k = 0; k < net.U.rows(); ++k) lead.U(k, 0) = net.U(k, one) - net.U(k, other);
  return lead;
}

// How long a change of an image must be: no shorter one turns the answer, and one of this length,
// against x·M, does (infinite where none does).
struct Change {
  double safe = HUGE_VAL, turns = HUGE_VAL;
};

// With M the lead's table and g the length of x·M, a change d of length r leaves at least
// lead - 2·r·g + r²·least, where `least` is M's least eigenvalue, or 0.
inline Change change_of(double lead, double g, double own, double least) {
  const double fall = std::max(-least, 0.0), square = g * g - lead * own;
  Change change{.safe = lead / (g + std::sqrt(g * g + fall * lead))};
  if (square >= 0 && g + std::sqrt(square) > 0) change.turns = lead / (g + std::sqrt(square));
  return change;
}

// Returns the shortest changes of each row of X, over all other answers.
inline std::vector<Change> changes(const Net<double>& net, const Matrix<double>& X) {
  const Matrix<double> Y = output(net, X);
  const std::vector<std::uint32_t> answers = largest_of_rows(Y);
  std::vector<Change> shortest(X.rows());
  for (std::size_t one = 0; one < net.form.outputs; ++one)
    for (std::size_t other = 0; other < net.form.outputs; ++other) {
      if (one == other) continue;
      const Net<double> M = lead_over(net, one, other);
      const std::vector<double> values = eigen_through_factors(M, 0).values;
      const double least = *std::min_element(values.begin(), values.end());
      const Matrix<double> XM = times_M(M, X), along = output(M, unit_rows(XM));
      for (std::size_t r = 0; r < X.rows(); ++r) {
        if (answers[r] != one) continue;
        const Change change =
            change_of(Y(r, one) - Y(r, other), length_of(XM.row(r)), along(r, 0), least);
        shortest[r].safe = std::min(shortest[r].safe, change.safe);
        shortest[r].turns = std::min(shortest[r].turns, change.turns);
      }
    }
  return shortest;
}

}  // namespace lesson5
