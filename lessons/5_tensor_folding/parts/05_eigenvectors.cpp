// Lesson 5, part 5: each slice as a sum of signed squares. A symmetric matrix of two inputs can be turned.
// SPDX-License-Identifier: MIT
#include <numbers>

#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5 {

constexpr knob::Real first{"a", "the entry of x0², of S = [a b; b c]", 2, {-5, 5, 0.1}};
constexpr knob::Real mixed{"b", "the entries of x0·x1, which are equal", 2, {-5, 5, 0.1}};
constexpr knob::Real second{"c", "the entry of x1²", 5, {-5, 5, 0.1}};

static void two_squares(Lesson& lesson, const Matrix<double>& S) {
  const Eigen eigen = eigen_symmetric(S);
  const Matrix<double> V = eigen.vectors;
  Tensor3 parts(3, 2, 2);
  parts.slices[0] = S;
  double off = std::abs(dot_of_rows(V.row(0), V.row(1)));
  for (std::size_t k = 0; k < 2; ++k) {
    const Matrix<double> v(row_block(V, k, 1));
    parts.slices[k + 1] = eigen.values[k] * matmul(transpose(v), v);
    off = std::max(off, max_abs_difference(matmul(v, S), eigen.values[k] * v));
  }
  const auto square = [&](std::size_t k) { return "λ = " + significant(eigen.values[k]); };
  lesson.figure("squares",
                surfaces("x·S·xᵀ over x0 and x1 from -2 to 2, and the two squares that it is the sum of",
                         {"x·S·xᵀ", square(0), square(1)}, evaluate(parts, square_of_points()), Colours::common));
  const double angle = S(0, 1) == 0 ? 0 : std::atan(diagonalizing(S(0, 0), S(1, 1), S(0, 1)).tangent);
  const double product = eigen.values[0] * eigen.values[1];
  lesson.say("Which two squares is ", text_of(S), " made of? ", square(0),
             " with v = ", text_of(Matrix<double>(row_block(V, 0, 1))), ", ", square(1), " with ",
             text_of(Matrix<double>(row_block(V, 1, 1))), ", after one rotation by ",
             fixed(angle * 180 / std::numbers::pi, 1), "°; effective rank ", fixed(effective_rank(eigen.values), 2),
             product > 0   ? ". Both have one sign: a bowl, whose contours are ellipses."
             : product < 0 ? ". They have opposite signs: a saddle, 0 along two lines."
                           : ". One is 0: along its eigenvector nothing changes.");
  // Entries up to 5 and eigenvalues up to 10: a rotation leaves some roundings of 2e-15 of them.
  lesson.claim("v·S - λ·v, and the product of the two v: largest entry", off, at_most(1e-13));
  lesson.claim("λ1 + λ2 less S[0,0] + S[1,1]", std::abs(eigen.values[0] + eigen.values[1] - S(0, 0) - S(1, 1)),
               at_most(1e-13));
  lesson.claim_usual("eigenvalues by hand, 6 and 1: distance",
                     std::abs(eigen.values[0] - 6) + std::abs(eigen.values[1] - 1), at_most(1e-14));
}

static void slice_of_a_net(Lesson& lesson, Random& random) {
  Net<double> net({30, 0, 6, 3, Biases::without});
  fill_normal(net.tensors(), random);
  const Matrix<double> S = quadratic_slices(net).slices[1];
  std::vector<Eigen> spectra;
  for (std::size_t o = 0; o < 3; ++o) spectra.push_back(eigen_through_factors(net, o));
  const Eigen whole = eigen_symmetric(S);
  const Matrix<double>& V = whole.vectors;
  const double size = std::abs(whole.values[0]), beyond = std::abs(whole.values[12]) / size;
  double apart = 0;
  for (std::size_t k = 0; k < 12; ++k) apart = std::max(apart, std::abs(whole.values[k] - spectra[1].values[k]) / size);
  lesson.say("How many eigenvectors has a slice? ", net.form.inputs, " inputs and ", net.form.hidden,
             " products: of its ", whole.values.size(), " eigenvalues the 12th largest is ",
             significant(std::abs(whole.values[11]) / size, 2), " of the largest, the 13th ", significant(beyond, 2),
             ". The 12 are also those of the 12 × 12 matrix (5.14), to ", significant(apart, 2), ".");
  // Six sweeps of 435 rotations, each rounded by ε: at most 2,600·2.2e-16 = 6e-13, and hardly that.
  lesson.claim("eigenvectors at right angles and of length 1",
               max_abs_difference(matmul(V, transpose(V)), identity(30)), at_most(1e-12));
  lesson.claim("S = Σ λ·vᵀ·v, relative to the largest |λ|",
               max_abs_difference(matmul(transpose(V), scale_rows(V, whole.values)), S) / size, at_most(1e-12));
  lesson.claim("the 13th largest |λ|, relative", beyond, at_most(1e-12));
  const auto X = normal_matrix<double>(50, 30, 1, random);
  const Matrix<double> Y = output(net, X);
  lesson.claim("Σ λ·(v·x)² = the net's outputs, relative",
               max_abs_difference(evaluate_truncated(spectra, X, 12), Y) / largest_entry(Y), at_most(1e-12));
  lesson.claim("eigenvalues through the factors, relative difference", apart, at_most(1e-12));
}

// ------------------------------------------------------------------------------------------- how fast sweeps converge

// What a sweep leaves off the diagonal, `off`: over the square of what it found, and that times the smallest distance
// between two eigenvalues. Sweep after sweep, until hardly more than rounding is left.
struct SweepLeaves {
  double off, over_square, with_gap;
};
static std::vector<SweepLeaves> sweeps_over(const Matrix<double>& S) {
  const auto off_diagonal = [](const Matrix<double>& D) {
    double squares = 0;
    for (std::size_t i = 0; i < D.rows(); ++i)
      for (std::size_t j = 0; j < D.cols(); ++j) squares += i == j ? 0 : D(i, j) * D(i, j);
    return std::sqrt(squares);
  };
  std::vector<double> values = eigen_symmetric(S).values;
  std::sort(values.begin(), values.end());
  double gap = HUGE_VAL;
  for (std::size_t k = 1; k < values.size(); ++k) gap = std::min(gap, values[k] - values[k - 1]);
  Matrix<double> D = S, V = identity(S.rows());
  std::vector<SweepLeaves> all;
  const double start = off_diagonal(S);
  for (double before = start; sweep(D, V) > 0; before = all.back().off) {
    const double off = off_diagonal(D), over_square = off / (before * before);
    if (off < 1e-12 * start) break;
    all.push_back({off, over_square, over_square * gap});
  }
  return all;
}

static void speed_of_sweeps(Lesson& lesson, Random& random) {
  double largest = 0, of_square = 0, apart = 0;
  Table table{{"sweep", "off", "off/before²", "of S/1024", "off·gap/before²", "of S/1024"}, {}};
  for (std::size_t m = 0; m < 100; ++m) {
    const Matrix<double> S = 2 * symmetric_part(normal_matrix<double>(8, 8, 1, random));
    const auto whole = sweeps_over(S), small = sweeps_over(0x1p-10 * S);  // a power of two rounds nothing
    for (std::size_t k = 0; k < whole.size(); ++k) {
      largest = std::max(largest, whole[k].with_gap);
      of_square = std::max(of_square, small.at(k).over_square);
      apart = std::max(apart, std::abs(whole[k].with_gap - small[k].with_gap));
      if (m == 0)
        table.rows.push_back({std::to_string(k + 1), significant(whole[k].off, 2), significant(whole[k].over_square, 2),
                              significant(small[k].over_square, 2), significant(whole[k].with_gap, 2),
                              significant(small[k].with_gap, 2)});
    }
  }
  lesson.say("How fast do Jacobi's sweeps converge? Of 100 random 8 × 8 matrices none left more than ",
             fixed(largest, 2), "·off²/gap in any sweep, whether S or S/1024; in parts of off² alone it is up to ",
             fixed(of_square, 0), " for S/1024.");
  lesson.note("The first of them; \"before\" is what off was a sweep earlier:");
  lesson.detail(table);
  lesson.claim("100 such matrices: the most that a sweep leaves, in parts of off²/gap", largest, at_most(0.5));
  lesson.claim_same("... the same for S/1024", apart);
  lesson.claim("... but in parts of off² alone, for S/1024", of_square, at_least(1));
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  two_squares(lesson, {{at[first], at[mixed]}, {at[mixed], at[second]}});
  Random random(lesson.options().seed, 64);
  slice_of_a_net(lesson, random);
  speed_of_sweeps(lesson, random);
}

extern const Part<Session> part5{.number = 5,
                                 .title = "Eigenvectors",
                                 .run = run,
                                 .question = "Which two squares is a symmetric matrix made of?",
                                 .knobs = {&first, &mixed, &second}};

}  // namespace lesson5
