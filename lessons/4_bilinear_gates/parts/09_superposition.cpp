// Lesson 4, part 9: superposition: the cliff, the pentagon, what density does, and all of it from the weights alone.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/4_bilinear_gates/session.hpp"
#include "lessons/4_bilinear_gates/superposition.hpp"

struct Squeeze {
  std::size_t m, n;
  bool biases, zero;
  bool exact;  // predicted
  std::vector<double> losses = {};
};

inline constexpr double counts_as_exact = 1e-9;

inline double exact_runs(const Squeeze& s) {
  return double(std::count_if(s.losses.begin(), s.losses.end(), [](double loss) { return loss < counts_as_exact; }));
}

inline std::vector<Squeeze> squeezes() {
  std::vector<Squeeze> all;
  for (const std::size_t m : {2u, 3u}) {
    const std::size_t with = limit_with_biases(m), without = limit_without_biases(m);
    all.push_back({m, with, true, true, true});
    all.push_back({m, with + 1, true, true, false});
    all.push_back({m, without, false, true, true});
    all.push_back({m, without + 1, false, true, false});
  }
  all.push_back({2, 6, true, false, true});
  all.push_back({2, 7, true, false, false});
  return all;
}

inline void the_cliff(Lesson& lesson, Session& session) {
  const std::size_t seeds = session.quick_or<std::size_t>(2, 20);
  FitSettings settings;
  settings.steps = session.options.steps_or(1500, 100);
  settings.rate = 0.05, settings.cosine = true, settings.enough = 0;
  std::vector<Squeeze> all = squeezes();
  for (Squeeze& s : all) s.losses.resize(seeds);
  session.run("training", all.size() * seeds, [&](std::size_t job) {
    Squeeze& s = all[job / seeds];
    Random random(seed_of_run(session.options.seed, job % seeds), 50);
    Bottleneck model(s.n, s.m, 2 * s.n, s.biases, random);
    const Matrix<double> X = one_at_a_time(s.n, s.zero);
    s.losses[job % seeds] = fit(model, X, X, settings).loss;
  });
  lesson.say(
      "n features, at most one of them on at a time, are squeezed into m numbers, and a product layer with a ",
      "read-out is to give them back. Predicted: exact up to n = m(m + 3)/2, the count of x_i and x_i·x_j; without ",
      "biases m(m + 1)/2, the x_i·x_j alone; a linear read-out stops at m. ", seeds, " seeds each:");
  Table table{{"m", "n", "biases", "zero input", "predicted", "exact runs", "median loss"}, {}};
  for (Squeeze& s : all) {
    std::vector<double> sorted = s.losses;
    std::sort(sorted.begin(), sorted.end());
    table.rows.push_back({std::to_string(s.m), std::to_string(s.n), s.biases ? "yes" : "no", s.zero ? "yes" : "no",
                          s.exact ? "exact" : "not", significant(exact_runs(s)) + " of " + std::to_string(seeds),
                          significant(sorted[sorted.size() / 2], 2)});
  }
  lesson.show(table);
  double held = 0, broken = 0;
  for (const Squeeze& s : all) (s.exact ? held : broken) += exact_runs(s);
  // Of 5,000 runs up to the limit two were not exact.
  lesson.claim_trained(join("up to the limit: runs that are exact, of ", 5 * seeds), held, binomial(5 * seeds, 0.9996));
  lesson.claim(join("above the limit: runs that are exact, of ", 5 * seeds), broken, exactly(0));
  lesson.say(
      "The zero input matters: without it the constant is one more function to tell features by, and with biases n ",
      "= 6 becomes exact for m = 2.");
}

// The best of some networks for a density.
struct Squeezed {
  Bottleneck model;
  double loss;
};

inline Squeezed best_for_density(Session& session, double p) {
  constexpr std::size_t n = 5, m = 2;
  const std::size_t seeds = session.quick_or<std::size_t>(2, 12);
  const long steps = session.options.steps_or(1000, 50);
  const WeightedRows rows = all_inputs(n, p);
  std::vector<Squeezed> found(seeds, Squeezed{Bottleneck(n, m, 2 * n), 0});
  session.run("training", seeds, [&](std::size_t k) {
    Random random(seed_of_run(session.options.seed, k), 51);
    found[k].model = Bottleneck(n, m, 2 * n, true, random);
    found[k].loss = fit_weighted(found[k].model, rows, steps, 0.03);
  });
  return *std::min_element(found.begin(), found.end(),
                           [](const Squeezed& a, const Squeezed& b) { return a.loss < b.loss; });
}

inline plot::Scatter picture_of(const Matrix<double>& sparse, const Matrix<double>& dense) {
  plot::Scatter scatter;
  scatter.title = "Five features in two dimensions: rare (density .02) and common (.3)";
  scatter.groups = {"density .02", "density .3"};
  scatter.x = {"", false, -2.1, 2.1}, scatter.y = {"", false, -1.26, 1.26};  // a circle looks like one
  for (const std::size_t group : {0u, 1u})
    for (std::size_t i = 0; i < 5; ++i) {
      const Matrix<double>& E = group == 0 ? sparse : dense;
      const std::string label(1, char((group == 0 ? '1' : 'a') + int(i)));
      scatter.points.push_back({E(i, 0), E(i, 1), label, group});
    }
  return scatter;
}

// All of it from the weights: the table, its rank, and what it answers to single features.
inline void from_the_weights(Lesson& lesson, const Bottleneck& model) {
  const std::vector<Matrix<double>> T = folded(model);
  const std::size_t n = model.E.rows();
  double worst = 0, off_identity = 0, off_symmetric = 0;
  const Matrix<double> X = all_inputs(n, 0.5).X, Y = model.forward(X).output();
  for (std::size_t o = 0; o < n; ++o) {
    off_symmetric = std::max(off_symmetric, max_abs_difference(T[o], Matrix<double>(transpose(T[o]))));
    for (std::size_t r = 0; r < X.rows(); ++r) worst = std::max(worst, std::abs(answer(T[o], X.row(r)) - Y(r, o)));
  }
  for (std::size_t o = 0; o < n; ++o)
    for (std::size_t i = 0; i < n; ++i)
      off_identity = std::max(off_identity, std::abs(response(T, o, i) - (o == i ? 1 : 0)));
  Bottleneck turned = model;  // E·A and A⁻¹ in front of W and V, A = [2 1; 0 1]
  turned.E = matmul(model.E, Matrix<double>{{2, 1}, {0, 1}});
  const Matrix<double> inverse{{0.5, -0.5}, {0, 1}};
  turned.net.layer.W = matmul(inverse, model.net.layer.W), turned.net.layer.V = matmul(inverse, model.net.layer.V);
  const std::vector<Matrix<double>> T_turned = folded(turned);
  double gauge = 0;
  for (std::size_t o = 0; o < n; ++o) gauge = std::max(gauge, max_abs_difference(T[o], T_turned[o]));

  lesson.say("Now from the weights alone. Folded, the network is one table of ", n,
             " symmetric 6 × 6 matrices over the ",
             "five features and the constant. Its rank as a function of the input is ", input_rank(T, 1e-6),
             ": two numbers and the constant. Yet it answers each of five features by that feature, to ",
             significant(off_identity, 2), ". Few directions and many features that can be told apart: that is what ",
             "superposition means, and no angle had to be looked at.");
  lesson.claim("the table gives the network's answers to all 32 inputs, max |diff|", worst,
               at_most(1e-12));  // 36 products
  lesson.claim("its slices are symmetric, max |diff|", off_symmetric, at_most(1e-15));
  lesson.claim("another basis for the two numbers: the same table, max |diff|", gauge, at_most(1e-12));
  lesson.claim("rank of the table, of 6", double(input_rank(T, 1e-6)), exactly(3));
  // The optimum's, the same to 1e-8 in 20 seeds.
  lesson.claim_trained("answers to single features: off the identity by", off_identity, within(0.04727, 1e-5));
}

inline void part9(Lesson& lesson, Session& session) {
  the_cliff(lesson, session);
  const Squeezed sparse = best_for_density(session, 0.02), dense = best_for_density(session, 0.3);
  const Matrix<double> E = in_plain_basis(sparse.model.E), F = in_plain_basis(dense.model.E);
  const std::vector<double> gaps = gaps_between(E);
  lesson.say(
      "Now features that are on independently, each with probability .02: five of them in two dimensions. Drawn in ",
      "the basis in which their second moments are equal, for only that is free of the choice of basis:");
  lesson.picture("pentagon", picture_of(E, F));
  const auto [least, most] = std::minmax_element(gaps.begin(), gaps.end());
  lesson.say(
      "Rare features form a regular pentagon, with gaps of ", fixed(*least, 2), " to ", fixed(*most, 2),
      " degrees. Alone, almost any five points would do (the limit above; not when they and 0 lie on one conic, such "
      "as (1, 3), (2, 4), (5, 5), (8, 4), (9, 3) on a circle through 0); it is the rare pairs that ask for equal "
      "distances. With the density .3 pairs are common; then it is better to drop one feature and keep four apart, "
      "in two opposite ",
      "pairs: loss ", fixed(dense.loss, 5), ".");
  std::vector<double> radii, dense_radii;
  for (std::size_t i = 0; i < 5; ++i)
    radii.push_back(std::hypot(E(i, 0), E(i, 1))), dense_radii.push_back(std::hypot(F(i, 0), F(i, 1)));
  std::sort(radii.begin(), radii.end()), std::sort(dense_radii.begin(), dense_radii.end());
  // The best of twelve runs is the optimum itself: over 20 seeds gaps within 5e-8 degrees, radii within 2e-9.
  lesson.claim_trained("density .02: largest radius over smallest", radii.back() / radii.front(), within(1, 1e-6));
  lesson.claim_trained("density .02: smallest gap, degrees", *least, within(72, 1e-5));
  lesson.claim_trained("density .02: largest gap, degrees", *most, within(72, 1e-5));
  lesson.claim_trained("rank of the six quadratics at the pentagon and 0", double(rank_of(quadratics_at(E), 1e-6)),
                       exactly(6));
  const Matrix<double> on_circle{{1, 3}, {2, 4}, {5, 5}, {8, 4}, {9, 3}};  // x² + y² = 10x
  lesson.claim("... at five points on a circle through 0, and 0", double(rank_of(quadratics_at(on_circle), 1e-6)),
               exactly(5));
  lesson.claim_trained("density .3: radius of the feature that is dropped", dense_radii.front(), at_most(1e-6));
  lesson.claim_trained("density .3: smallest radius of the others", dense_radii[1], within(std::sqrt(1.25), 1e-6));
  // Two opposite pairs and one feature dropped: (4·p²q²/(p² + q²) + p·q)/5 with p = .3, q = .7, the best that was found.
  const double p = 0.3, q = 0.7, expected = (4 * p * p * q * q / (p * p + q * q) + p * q) / 5;
  lesson.claim_trained("density .3: loss over that of two pairs and one dropped", dense.loss / expected,
                       within(1, 1e-6));
  from_the_weights(lesson, sparse.model);
}
