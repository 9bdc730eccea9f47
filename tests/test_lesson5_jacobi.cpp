// Tests of lesson 5's two decompositions: eigenvectors of a symmetric matrix (model/04_jacobi), and singular values
// (model/08_svd), both by Jacobi rotations.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "common/support/words.hpp"
#include "lessons/5_tensor_folding/model/04_jacobi.hpp"
#include "lessons/5_tensor_folding/model/08_svd.hpp"
#include "tests/check.hpp"

using namespace lesson5;

// An entry takes part in some 2n rotations a sweep, 10 sweeps, each a rounding of 1e-16 of the norm: 3e-13 for n = 144
// if all went the same way.
constexpr double exact_enough = 1e-12;

static Matrix<double> random_symmetric(std::size_t n, Random& random) {
  const auto A = normal_matrix<double>(n, n, 1, random);
  return A + Matrix<double>(transpose(A));
}

static Matrix<double> diagonal(const std::vector<double>& values) {
  Matrix<double> D(values.size(), values.size());
  for (std::size_t k = 0; k < values.size(); ++k) D(k, k) = values[k];
  return D;
}

// A·B·C, by the definition of the product.
static Matrix<double> product_of(const Matrix<double>& A, const Matrix<double>& B, const Matrix<double>& C) {
  return matmul_by_definition(matmul_by_definition(A, B), C);
}

static double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

// Σ of the squares off the diagonal.
static double off_diagonal(const Matrix<double>& D) {
  double sum = 0;
  for (std::size_t i = 0; i < D.rows(); ++i)
    for (std::size_t j = 0; j < D.cols(); ++j)
      if (i != j) sum += D(i, j) * D(i, j);
  return sum;
}

// ------------------------------------------------------------------------------------------------------ a rotation

static void angles(Checks& check) {
  const Rotation by_hand = diagonalizing(2, 5, 2);  // θ = 3/4, so tan = 1/(3/4 + 5/4)
  check.that(by_hand.tangent == 0.5, "the angle for [2 2; 2 5]: tan = 1/2");
  check.near(by_hand.cosine, 2 / std::sqrt(5), 2e-16, "its cosine");
  check.near(by_hand.sine, 1 / std::sqrt(5), 2e-16, "its sine");
  check.that(
      diagonalizing(1, 1, 3).tangent == 1 && diagonalizing(1, 1, -3).tangent * diagonalizing(1, 1, -3).tangent == 1,
      "equal entries on the diagonal: 45 degrees");
  check.that(diagonalizing(0, 1, 1e-200).tangent == 0,
             "an entry too small to square turns nothing, and nothing overflows");
  Random random(1);
  for (int round = 0; round < 100; ++round) {
    const double app = random.normal(), aqq = random.normal(), apq = random.normal();
    const auto [t, c, s] = diagonalizing(app, aqq, apq);
    // Entry p, q of J·A·Jᵀ; a few roundings of numbers up to 4.
    check.near(c * s * (app - aqq) + (c * c - s * s) * apq, 0, 4e-15, "the rotation makes the matrix diagonal");
    check.near(c * c + s * s, 1, 1e-15, "it is a rotation");
    check.near(s / c, t, 1e-15, "by the angle whose tangent is t");
    check.that(std::abs(t) <= 1, "of at most 45 degrees");
  }
}

// One rotation against J·D·Jᵀ in full, and what it does to the sum of squares.
static void one_rotation(Checks& check) {
  Random random(2);
  for (const auto& [p, q] : {std::pair<std::size_t, std::size_t>{0, 1}, {1, 3}, {2, 4}, {0, 4}}) {
    const std::size_t n = 5;
    const Matrix<double> before = random_symmetric(n, random), start = normal_matrix<double>(n, n, 1, random);
    const Rotation r = diagonalizing(before(p, p), before(q, q), before(p, q));
    Matrix<double> J = identity(n), D = before, V = start;
    J(p, p) = J(q, q) = r.cosine;
    J(p, q) = -r.sine;
    J(q, p) = r.sine;
    rotate_away(D, V, p, q);
    for (std::size_t k = 0; k < n; ++k) D(k, p) = D(p, k);  // what sweep() does at the end of row p
    // A few roundings of numbers up to 10.
    check.near(max_abs_difference(D, product_of(J, before, Matrix<double>(transpose(J)))), 0, 1e-14,
               "a rotation of rows and columns is J·D·Jᵀ");
    check.near(max_abs_difference(V, matmul_by_definition(J, start)), 0, 1e-14, "and J·V of the vectors");
    check.that(D(p, q) == 0 && D(q, p) == 0, "it makes its entry exactly zero");
    check.near(off_diagonal(D), off_diagonal(before) - 2 * before(p, q) * before(p, q), 1e-13,
               "the squares off the diagonal lose twice that of the entry");
    check.near(dot(D, D), dot(before, before), 1e-13, "all squares together lose nothing");
  }
}

// Sweeps converge quadratically: once the rest is small against the gaps, each sweep squares it.
static void sweeps(Checks& check) {
  Random random(3);
  Matrix<double> D = random_symmetric(20, random), V = identity(20);
  check.that(sweep(D, V) == 20 * 19 / 2, "the first sweep rotates every pair once");
  double before = off_diagonal(D);
  for (std::size_t rotations = 1; rotations > 0;) {
    rotations = sweep(D, V);
    const double after = off_diagonal(D);
    check.that(rotations == 0 ? after == before : after < before,
               "a sweep with rotations leaves less, one without the same");
    // With a smallest gap g between eigenvalues, to before²/g²; here 1/g² is 21. 1e-28: 400 squared roundings of 20.
    if (before < 1e-4)
      check.that(after <= 21 * before * before + 1e-28, join("a late sweep squares ", before, ": ", after));
    check.that(D == Matrix<double>(transpose(D)), "the matrix stays symmetric to the last digit");
    before = after;
  }
  check.that(off_diagonal(D) < 1e-28, "nothing is left but rounding");
}

// ---------------------------------------------------------------------------------------------------- eigenvectors

// What holds of every decomposition: shapes, order, right angles, and A itself comes back.
static Eigen decompose(Checks& check, const std::string& what, const Matrix<double>& A) {
  const Eigen eigen = eigen_symmetric(A);
  const std::size_t n = A.rows();
  check.that(eigen.values.size() == n && eigen.vectors.shape() == Shape{n, n}, what + ": n values, n vectors");
  check.that(std::is_sorted(eigen.values.begin(), eigen.values.end(),
                            [](double a, double b) { return std::abs(a) > std::abs(b); }),
             what + ": values by falling size");
  const Matrix<double> transposed(transpose(eigen.vectors)), D = diagonal(eigen.values);
  const double norm = largest(eigen.values);
  check.near(max_abs_difference(matmul(eigen.vectors, transposed), identity(n)), 0, exact_enough,
             what + ": the rows are orthogonal and of length 1");
  check.near(max_abs_difference(matmul(matmul(transposed, D), eigen.vectors), A), 0, exact_enough * norm,
             what + ": vectorsᵀ·diag(values)·vectors is the matrix");
  return eigen;
}

static void has_values(Checks& check, const std::string& what, const Matrix<double>& A,
                       const std::vector<double>& values, double tolerance = exact_enough) {
  const std::vector<double> found = decompose(check, what, A).values;
  for (std::size_t k = 0; k < values.size(); ++k)
    check.near(found.at(k), values[k], tolerance * largest(values), join(what, ": value ", k));
}

static void by_hand(Checks& check) {
  const auto same = [&](const std::string& what, const Matrix<double>& A, const std::vector<double>& values) {
    has_values(check, what, A, values, 0);  // sums of small whole numbers and halves: no rounding
  };
  same("0 x 0", Matrix<double>(0, 0), {});
  same("1 x 1", {{-3}}, {-3});
  same("[2 1; 1 2]", {{2, 1}, {1, 2}}, {3, 1});
  same("[2 2; 2 5]", {{2, 2}, {2, 5}}, {6, 1});
  same("xy", {{0, 0.5}, {0.5, 0}}, {0.5, -0.5});  // of two of one size the positive one comes first
  same("-xy", {{0, -0.5}, {-0.5, 0}}, {0.5, -0.5});
  same("zero", Matrix<double>(4, 4), {0, 0, 0, 0});
  same("diagonal", diagonal({1, -7, 0, 3}), {-7, 3, 1, 0});
  check.that(eigen_symmetric(diagonal({1, -7, 0, 3})).vectors ==
                 Matrix<double>{{0, 1, 0, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {0, 0, 1, 0}},
             "the vectors of a diagonal matrix are the axes");
  const Matrix<double> vectors = eigen_symmetric({{2, 2}, {2, 5}}).vectors;
  const double unit = 1 / std::sqrt(5);
  check.near(max_abs_difference(vectors, {{unit, 2 * unit}, {2 * unit, -unit}}), 0, 2e-16, "the vectors of [2 2; 2 5]");
}

static void blocks(Checks& check) {
  const Matrix<double> A{{2, 0, 1, 0, 0}, {0, 0, 0, 3, 0}, {1, 0, 2, 0, 0}, {0, 3, 0, 0, 0}, {0, 0, 0, 0, 5}};
  has_values(check, "block diagonal", A, {5, 3, 3, -3, 1});
  const Matrix<double> vectors = eigen_symmetric(A).vectors;
  for (std::size_t k = 0; k < 5; ++k) {
    const bool in[] = {vectors(k, 0) != 0 || vectors(k, 2) != 0, vectors(k, 1) != 0 || vectors(k, 3) != 0,
                       vectors(k, 4) != 0};
    check.that(in[0] + in[1] + in[2] == 1, "a vector lies in one block, and is exactly zero outside");
  }
}

// Matrices whose eigenvalues are known.
static void known_values(Checks& check) {
  const std::size_t n = 12;
  std::vector<double> repeated(n, 1);
  repeated[0] = 1 + double(n);
  const Matrix<double> plus_one = identity(n) + Matrix<double>(n, n, 1);
  has_values(check, "the identity plus rank 1", plus_one, repeated);
  for (double& value : repeated) value = -value;
  has_values(check, "its negative", -1.0 * plus_one, repeated);

  Matrix<double> line(n, n);  // neighbours on a line: 2·cos(πk/(n + 1)), so each value beside its negative
  for (std::size_t i = 0; i + 1 < n; ++i) line(i, i + 1) = line(i + 1, i) = 1;
  const std::vector<double> found = decompose(check, "neighbours on a line", line).values;
  for (std::size_t k = 0; k < n; ++k) {
    const double expected = 2 * std::cos(std::numbers::pi * double(k / 2 + 1) / double(n + 1));
    check.near(std::abs(found[k]), expected, exact_enough, join("neighbours on a line: size of value ", k));
    if (k % 2 == 1) check.that(found[k] * found[k - 1] < 0, "neighbours on a line: the values come in pairs");
  }

  Matrix<double> hilbert(6, 6);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) hilbert(i, j) = 1 / double(i + j + 1);
  double determinant = 1;
  for (const double value : decompose(check, "Hilbert", hilbert).values) determinant *= value;
  // Its condition is 1.5e7: the rounding of the entries alone moves the smallest value by some 1e-9 of it.
  check.near(determinant * 186313420339200000, 1, 3e-8, "the determinant of the 6 x 6 Hilbert matrix");
}

static void random_matrices(Checks& check) {
  Random random(4);
  for (const std::size_t n : std::vector<std::size_t>{2, 3, 4, 5, 7, 8, 16, 17, 48, 144}) {
    const Matrix<double> A = random_symmetric(n, random);
    double trace = 0, sum = 0;
    for (std::size_t k = 0; k < n; ++k) trace += A(k, k);
    const Eigen eigen = decompose(check, join("random, n = ", n), A);
    for (const double value : eigen.values) sum += value;
    check.near(sum, trace, double(n) * exact_enough, join("random, n = ", n, ": the values sum to the trace"));

    const Eigen negative = eigen_symmetric(-1.0 * A);
    for (std::size_t k = 0; k < n; ++k)
      check.that(negative.values[k] == -eigen.values[k], "-A has the values of A with the other sign");
    check.that(negative.vectors == eigen.vectors, "and the same vectors");

    const auto F = normal_matrix<double>(n, (n + 3) / 4, 1, random);
    const std::string what = join("of low rank, n = ", n);
    const std::vector<double> values = decompose(check, what, matmul(F, transpose(F))).values;
    for (std::size_t k = 0; k < n; ++k)
      check.that(k < F.cols() ? values[k] > 1e-3 : std::abs(values[k]) < exact_enough * values[0],
                 join(what, ": value ", k, " is ", values[k]));
  }
}

// Small eigenvalues beside large ones keep their digits: A = D·M·D, with D graded and M well-conditioned, here
// min(i, j), whose inverse has 2 on the diagonal (the last is 1) and -1 beside it. The powers of two in D make both
// exact, so that each eigenvalue of A must be one over an eigenvalue of its inverse. The largest of one is the smallest
// of the other.
static void graded(Checks& check) {
  // [1 2^-21; 2^-21 2^-40]: the determinant is 3·2^-42, and the larger root has no cancellation.
  const double x = 0x1p-21, y = 0x1p-40, large = (1 + y + std::sqrt((1 - y) * (1 - y) + 4 * x * x)) / 2;
  check.near(eigen_symmetric({{1, x}, {x, y}}).values[1] * large / 0x3p-42, 1, 1e-15, "graded 2 x 2: the small value");

  for (const int step : {4, 8}) {  // D falls by 2^-step a row: eigenvalues from 1 to 1e-24 and to 1e-48
    const std::size_t n = 11;
    Matrix<double> A(n, n), inverse(n, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const int power = -step * int(i + j);
        A(i, j) = std::ldexp(double(std::min(i, j) + 1), power);
        if (i == j) inverse(i, j) = std::ldexp(i + 1 == n ? 1.0 : 2.0, -power);
        else if (i + 1 == j || j + 1 == i) inverse(i, j) = std::ldexp(-1.0, -power);
      }
    const std::vector<double> values = decompose(check, "graded", A).values;
    const std::vector<double> inverted = decompose(check, "graded, inverse", inverse).values;
    for (std::size_t k = 0; k < n;
         ++k)  // M has condition 200, scaled to a diagonal of 1 less: 1e-16 times that, n times
      check.near(values[k] * inverted[n - 1 - k], 1, 1e-13, join("graded: value ", k, ", ", values[k]));
  }
}

// Powers of two change nothing but the exponents, to the ends of the range.
static void scales(Checks& check) {
  Random random(5);
  const Matrix<double> A = random_symmetric(9, random), B = normal_matrix<double>(9, 5, 1, random);
  const Eigen eigen = eigen_symmetric(A);
  const Svd decomposed = svd(B);
  for (const double scale : {0x1p-900, 0x1p+1000}) {
    const Eigen scaled = eigen_symmetric(scale * A);
    const Svd scaled_svd = svd(scale * B);
    check.that(scaled.vectors == eigen.vectors, "eigenvectors do not depend on the scale");
    check.that(scaled_svd.U == decomposed.U && scaled_svd.V == decomposed.V, "nor do singular vectors");
    for (std::size_t k = 0; k < 9; ++k) check.that(scaled.values[k] == scale * eigen.values[k], "eigenvalues scale");
    for (std::size_t k = 0; k < 5; ++k)
      check.that(scaled_svd.values[k] == scale * decomposed.values[k], "singular values scale");
  }
  const double least = std::numeric_limits<double>::denorm_min();
  check.that(eigen_symmetric({{2 * least, least}, {least, 2 * least}}).values == std::vector<double>{3 * least, least},
             "the smallest numbers there are");
  const Matrix<double> far{{1, 1e-110, 0}, {1e-110, 0, 1e-300}, {0, 1e-300, 0}};
  check.that(eigen_symmetric(far).values == std::vector<double>{1, 0, 0},
             "entries below 1e-100 of the largest count as 0");
  check.that(svd(far).values == std::vector<double>{1, 0, 0}, "and columns shorter than that");
  // Parallel to a column of length 1, and so short that θ² of the rotation between them overflows.
  check.near(svd({{1, 1e-160}, {1, 1e-160}}).values.at(0), std::sqrt(2), 1e-15, "also beside a long one");
}

static void bad_input(Checks& check) {
  const auto refuses = [&](const Matrix<double>& A, const std::string& part) {
    check.throws<std::invalid_argument>([&] { eigen_symmetric(A); }, part, "eigen_symmetric refuses: " + part);
  };
  const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  refuses(Matrix<double>(2, 3), "eigen_symmetric needs a square matrix: 2 x 3");
  refuses({{1, 2}, {3, 1}}, "eigen_symmetric: not symmetric at entry (1, 0)");
  refuses({{1, 0, 0}, {0, 1, 1e-11}, {0, 0, 1}}, "not symmetric at entry (2, 1)");
  refuses({{nan}}, "eigen_symmetric: an entry is infinite or not a number");
  refuses({{1, -infinite}, {-infinite, 1}}, "eigen_symmetric: an entry is infinite or not a number");
  const double next = std::nextafter(0.1, 1);
  decompose(check, "symmetric but for rounding", {{0.3, 0.1}, {next, 0.7}});
  check.throws<std::invalid_argument>([&] { svd({{1, nan}}); }, "svd: an entry is", "svd refuses what is not a number");
  check.throws<std::invalid_argument>([&] { svd({{infinite}}); }, "svd: an entry is", "svd refuses the infinite");
  Random random(6);
  const Matrix<double> A = random_symmetric(10, random);
  check.throws<std::runtime_error>([&] { eigen_symmetric(A, 2); }, "eigen_symmetric: more sweeps", "two sweeps");
  check.throws<std::runtime_error>([&] { svd(A, 2); }, "svd: more sweeps",
                                   "two sweeps of the singular value decomposition");
}

static void functions(Checks& check) {
  Random random(8);
  const auto A = normal_matrix<double>(5, 3, 1, random);
  const Matrix<double> S = matmul(transpose(A), A), root = matrix_function(S, [](double x) { return std::sqrt(x); });
  check.near(max_abs_difference(matmul(root, root), S), 0, 1e-12, "a root of a symmetric matrix");
  check.that(unit_rows({{3, -4}, {0, 0}}) == Matrix<double>{{0.6, -0.8}, {0, 0}}, "rows of length 1, and one of zeros");
}

// ------------------------------------------------------------------------------------------------- singular values

// Ones on the diagonal where a value is not 0: what UᵀU or VᵀV must be.
static Matrix<double> where_not_zero(const std::vector<double>& values) {
  Matrix<double> D(values.size(), values.size());
  for (std::size_t k = 0; k < values.size(); ++k) D(k, k) = values[k] != 0;
  return D;
}

static Svd decompose_svd(Checks& check, const std::string& what, const Matrix<double>& A) {
  const Svd found = svd(A);
  const std::size_t m = A.rows(), n = A.cols(), r = std::min(m, n);
  check.that(found.U.shape() == Shape{m, r} && found.values.size() == r && found.V.shape() == Shape{n, r},
             what + ": the thin shapes");
  check.that(std::is_sorted(found.values.rbegin(), found.values.rend()), what + ": values fall");
  check.that(r == 0 || found.values.back() >= 0, what + ": no value is negative");
  const Matrix<double> UU = matmul(transpose(found.U), found.U), VV = matmul(transpose(found.V), found.V);
  const Matrix<double> some = where_not_zero(found.values), all = identity(r);
  check.near(max_abs_difference(UU, m < n ? all : some), 0, exact_enough, what + ": the columns of U are orthonormal");
  check.near(max_abs_difference(VV, m < n ? some : all), 0, exact_enough, what + ": the columns of V are orthonormal");
  check.near(max_abs_difference(matmul(matmul(found.U, diagonal(found.values)), transpose(found.V)), A), 0,
             exact_enough * largest(found.values), what + ": U·diag(values)·Vᵀ is the matrix");
  const Svd turned = svd(Matrix<double>(transpose(A)));
  if (m != n)
    check.that(turned.U == found.V && turned.V == found.U && turned.values == found.values,
               what + ": the transpose swaps U and V");
  return found;
}

static void svd_by_hand(Checks& check) {
  const auto values = [&](const std::string& what, const Matrix<double>& A, const std::vector<double>& expected) {
    const std::vector<double> found = decompose_svd(check, what, A).values;
    for (std::size_t k = 0; k < expected.size(); ++k)
      check.near(found.at(k), expected[k], 2e-15 * expected[0], join(what, ": value ", k));  // a few roundings
  };
  values("[3 0; 4 5]", {{3, 0}, {4, 5}}, {std::sqrt(45), std::sqrt(5)});
  values("1 x 1", {{-2}}, {2});
  values("one row", {{3, 0, 4}}, {5});
  values("one column", {{3}, {0}, {4}}, {5});
  values("orthogonal columns", {{0, 2}, {1, 0}, {0, 0}}, {2, 1});
  values("equal columns", {{1, 1}, {1, 1}}, {2, 0});
  values("a zero column", {{0, 1}, {0, 2}, {0, 2}}, {3, 0});
  values("zero, tall", Matrix<double>(3, 2), {0, 0});
  values("zero, wide", Matrix<double>(2, 3), {0, 0});
  values("no columns", Matrix<double>(3, 0), {});
  values("no rows", Matrix<double>(0, 3), {});
  check.that(svd(Matrix<double>(3, 2)).U == Matrix<double>(3, 2), "no direction for a value of 0");
}

static void svd_random(Checks& check) {
  Random random(7);
  for (const Shape s : {Shape{2, 2}, {5, 3}, {3, 5}, {16, 16}, {40, 17}, {1, 9}, {9, 1}, {6, 300}, {100, 48}}) {
    const auto A = normal_matrix<double>(s.rows, s.cols, 1, random);
    const std::string what = join("random ", s.rows, " x ", s.cols);
    const std::vector<double> values = decompose_svd(check, what, A).values;
    // The eigenvalues of A·Aᵀ are the squares, and zeros where A has more rows than columns.
    const std::vector<double> squares = eigen_symmetric(matmul(A, transpose(A))).values;
    for (std::size_t k = 0; k < values.size(); ++k)
      check.near(values[k] * values[k], squares[k], exact_enough * squares[0], join(what, ": square ", k));

    const std::size_t rank = (std::min(s.rows, s.cols) + 2) / 3;
    const auto F = normal_matrix<double>(s.rows, rank, 1, random), G = normal_matrix<double>(rank, s.cols, 1, random);
    const std::vector<double> low = decompose_svd(check, what + " of low rank", matmul(F, G)).values;
    for (std::size_t k = 0; k < low.size(); ++k)
      check.that(k < rank ? low[k] > 1e-3 : low[k] < exact_enough * low[0],
                 join(what, " of rank ", rank, ": value ", k, " is ", low[k]));
  }
  const Matrix<double> A = random_symmetric(30, random);
  const std::vector<double> eigenvalues = eigen_symmetric(A).values, values = svd(A).values;
  for (std::size_t k = 0; k < 30; ++k)
    check.near(values[k], std::abs(eigenvalues[k]), exact_enough * values[0],
               "the singular values of a symmetric matrix are the sizes of its eigenvalues");
}

// As graded() above: A = L·D with L the lower triangle of ones, whose inverse has 1 on the diagonal and -1 below it.
static void svd_graded(Checks& check) {
  const std::size_t n = 11;
  Matrix<double> A(n, n), inverse(n, n);  // the inverse is transposed, so that its columns are graded
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      A(i, j) = std::ldexp(1.0, -8 * int(j));
      if (i - j <= 1) inverse(j, i) = std::ldexp(i == j ? 1.0 : -1.0, 8 * int(i));
    }
  const std::vector<double> values = decompose_svd(check, "graded columns", A).values;
  const std::vector<double> inverted = decompose_svd(check, "graded columns, inverse", inverse).values;
  for (std::size_t k = 0; k < n; ++k)  // L has condition 15: 1e-16 times that, n times
    check.near(values[k] * inverted[n - 1 - k], 1, 3e-14, join("graded columns: value ", k, ", ", values[k]));
}

static void dots(Checks& check) {
  for (const std::size_t n : std::vector<std::size_t>{0, 1, 15, 16, 17, 32, 100}) {
    std::vector<double> x(n), y(n);
    double sum = 0;  // whole numbers: exact in any order
    for (std::size_t k = 0; k < n; ++k) {
      x[k] = double(k + 1);
      y[k] = double(k % 7) - 2;
      sum += x[k] * y[k];
    }
    check.that(dot_of_rows(x, y) == sum, join("dot of ", n, " numbers"));
  }
}

int main() {
  Checks check;
  angles(check);
  one_rotation(check);
  sweeps(check);
  by_hand(check);
  blocks(check);
  known_values(check);
  random_matrices(check);
  graded(check);
  scales(check);
  bad_input(check);
  functions(check);
  dots(check);
  svd_by_hand(check);
  svd_random(check);
  svd_graded(check);
  return check.done("test_lesson5_jacobi");
}
