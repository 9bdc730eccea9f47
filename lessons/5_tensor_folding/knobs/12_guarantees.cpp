// Lesson 5, part 12: how near an input comes to the bound, from the reader's digit to an eigenvector.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "lessons/5_tensor_folding/knobs/shared.hpp"

namespace lesson5 {
namespace {

constexpr knob::Cells drawn{"digit", "a digit as you draw it", drawn_three, digits::side};
constexpr knob::Whole shown{"of", "the digit towards whose top eigenvector the input goes", 3, {0, 9, 1}};
constexpr knob::Real share{"toward", "how far it goes: 0 is your digit, 1 the eigenvector", 0, {0, 1, 0.02}};

// A·1/|A|, or A where it is 0.
Matrix<double> of_length_one(const Matrix<double>& A) {
  const double length = std::sqrt(dot(A, A));
  return length > 0 ? 1 / length * A : A;
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Net<float> net = net_of(session, 12, 0);
  const std::vector<Eigen> spectra = session.spectra_of(net);
  const Matrix<double> digit = of_length_one(image_of(at[drawn], session.images.test));
  const Matrix<double> v(row_block(spectra[at[shown]].vectors, 0, 1));
  const double sign = dot(digit, v) < 0 ? -1 : 1;  // a vector's own is free
  const Matrix<double> x = of_length_one((1 - at[share]) * digit + (sign * at[share]) * v);
  const Matrix<double> Y = precise_logits(net, x);
  std::vector<double> logits, above, below;
  double nearest = 0;
  for (std::size_t o = 0; o < spectra.size(); ++o) {
    logits.push_back(Y(0, o));
    above.push_back(std::abs(spectra[o].values[0]));
    below.push_back(-above.back());
    nearest = std::max(nearest, std::abs(logits[o]) / above[o]);
  }
  plot::Chart chart{.title = "The ten logits of an input of length 1, and what none can exceed"};
  chart.x = {.title = "digit", .low = -1, .high = 10};
  chart.y = {.title = "logit"};
  chart.series = {bars("logits", logits, 0.2), bars("max|λ|", above, 0.4), bars("-max|λ|", below, 0.4)};
  lesson.picture("turned_bound", chart);
  lesson.say("The logit of ", at[shown], " is ", logits[at[shown]], ", and no input of length 1 takes it beyond ",
             above[at[shown]], ". The nearest of the ten is at ", fixed(nearest, 4), " of its bound.");
  // The eigenvalue is known to some 1e-12 of itself.
  lesson.claim("no logit exceeds its bound: largest ratio", nearest, at_most(1 + 1e-9));
}

}  // namespace

Bench<Session> bench12() {
  return {"How near does your digit come to what the weights allow?", {&drawn, &shown, &share}, run};
}

}  // namespace lesson5
