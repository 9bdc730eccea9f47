// Part 5: each slice as a sum of signed squares.
// SPDX-License-Identifier: MIT
#include "common/frame/plot/scene.hpp"
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5::p5 {

constexpr knob::Real first{"a", "the entry of x0², of S = [a b; b c]", 2, {-5, 5, 0.1}};
constexpr knob::Real mixed{"b", "the entries of x0·x1, which are equal", 2, {-5, 5, 0.1}};
constexpr knob::Real second{"c", "the entry of x1²", 5, {-5, 5, 0.1}};

using plot::Scene, plot::Spot, plot::Tone;

// Where v points, dashed, v itself, and v·S, which points elsewhere or does not. Lengths are drawn
// by their roots, so that a small one can be seen beside a large one.
static void draw_dial(Scene& scene, Spot middle, const Matrix<double>& v, const Matrix<double>& S,
                      double largest) {
  constexpr double reach = 48;
  const Matrix<double> turned = matmul(v, S);
  const double along = dot(turned, v), across = v(0, 0) * turned(0, 1) - v(0, 1) * turned(0, 0),
               stretch = length_of(turned.values());
  // The eigenvectors are known to some roundings of the largest eigenvalue.
  const bool kept = std::abs(across) <= 1e-9 * largest;
  const auto at = [&](const Matrix<double>& x, double length) {
    return Spot{middle.x + length * x(0, 0), middle.y - length * x(0, 1)};
  };
  const double unit = reach / std::sqrt(std::max(largest, 1.0));
  scene.line(middle, at(v, reach + 2), {.tone = Tone::soft, .width = 1, .dashed = true});
  scene.line(middle, at(v, unit), {.tone = Tone::ink, .width = 2.2});
  const Tone tone = !kept ? Tone::soft : along < 0 ? Tone::minus : Tone::value;
  if (stretch > 1e-3 * largest)
    scene.arrow(middle, at(turned, unit / std::sqrt(stretch)),
                {.tone = tone, .width = kept ? 4.0 : 1.8});
  scene.dot(middle, 2.5, tone);
  const double angle = std::atan2(std::abs(across), along) * 180 / std::numbers::pi;
  scene.text({middle.x, middle.y + 66},
             kept ? "λ = " + plot::short_number(along) : join("turned ", fixed(angle, 0), "°"),
             {.tone = tone, .strong = kept});
}

// Twelve arrows over half a circle, the first along an eigenvector.
static Scene dials(const Matrix<double>& S, const Eigen& eigen) {
  Scene scene(eigen.values[0] == eigen.values[1] ? "S turns no arrow"
                                                 : "S turns every arrow but two");
  const double start = std::atan2(eigen.vectors(0, 1), eigen.vectors(0, 0));
  for (std::size_t k = 0; k < 12; ++k) {
    const double angle = start + double(k) * std::numbers::pi / 12;
    const std::size_t row = k / 4;
    draw_dial(scene, {66 + 116 * double(k % 4), 54 + 134 * double(row)},
              {{std::cos(angle), std::sin(angle)}}, S, std::abs(eigen.values[0]));
  }
  scene.text({16, 424}, "short line: v; arrow: v·S (both drawn by their roots)",
             {.tone = Tone::soft, .anchor = "start"});
  scene.end(432);
  return scene;
}

static void two_squares(Lesson& lesson, const Matrix<double>& S) {
  const Eigen eigen = eigen_symmetric(S);
  const Matrix<double> V = eigen.vectors;
  double off = std::abs(dot_of_rows(V.row(0), V.row(1)));
  for (std::size_t k = 0; k < 2; ++k) {
    const Matrix<double> v(row_block(V, k, 1));
    off = std::max(off, max_abs_difference(matmul(v, S), eigen.values[k] * v));
  }
  const auto square = [&](std::size_t k) { return "λ = " + significant(eigen.values[k]); };
  lesson.figure("turned", dials(S, eigen));
  lesson.say(text_of(S), " has ", square(0),
             " with v = ", text_of(Matrix<double>(row_block(V, 0, 1))), ", and ", square(1),
             " with v = ", text_of(Matrix<double>(row_block(V, 1, 1))), ".");
  // Eigenvalues up to 10: a rotation leaves some roundings of 2e-15.
  lesson.claim("v·S - λ·v and v·v': largest entry", off, at_most(1e-13));
  lesson.claim_standard("the eigenvalues are 6 and 1, as by hand: distance",
                        std::abs(eigen.values[0] - 6) + std::abs(eigen.values[1] - 1),
                        at_most(1e-14));
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  two_squares(lesson, {{at[first], at[mixed]}, {at[mixed], at[second]}});
  Random random(lesson.options().seed, 64);
  Net<double> net(of_products(30, 6, 3));
  fill_normal(net.tensors(), random);
  const Matrix<double> S = quadratic_slices(net)[1];
  std::vector<Eigen> spectra;
  for (std::size_t o = 0; o < 3; ++o) spectra.push_back(eigen_through_factors(net, o));
  const Eigen whole = eigen_symmetric(S);
  const Matrix<double>& V = whole.vectors;
  const double size = std::abs(whole.values[0]), beyond = std::abs(whole.values[12]) / size;
  // Six sweeps of 435 rotations, each rounded by ε: at most 2,600·2.2e-16 = 6e-13.
  lesson.claim("eigenvectors have right angles and length 1: max |diff|",
               max_abs_difference(matmul(V, transpose(V)), identity(30)), at_most(1e-12));
  lesson.claim("S = Σ λ·vᵀ·v, relative to the largest |λ|",
               max_abs_difference(matmul(transpose(V), scale_rows(V, whole.values)), S) / size,
               at_most(1e-12));
  lesson.claim("30 inputs, 6 products: the 13th largest |λ|, relative", beyond, at_most(1e-12));
  const auto X = normal_matrix<double>(50, 30, 1, random);
  const Matrix<double> Y = output(net, X);
  lesson.claim("Σ λ·(v·x)² = the net's outputs, relative",
               max_abs_difference(evaluate_truncated(spectra, X, 12), Y) / largest_entry(Y),
               at_most(1e-12));
}

}  // namespace lesson5::p5

const Part<lesson5::Session> lesson5::part5{.number = 5,
                                            .title = "Eigenvectors",
                                            .question = "Which arrows does S not turn?",
                                            .run = p5::run,
                                            .knobs = {&p5::first, &p5::mixed, &p5::second}};
