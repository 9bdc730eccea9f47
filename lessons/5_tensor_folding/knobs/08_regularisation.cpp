// Lesson 5, part 8: the patterns of a net whose weight decay and input noise can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "lessons/5_tensor_folding/knobs/shared.hpp"
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"
#include "lessons/5_tensor_folding/run/show.hpp"

namespace lesson5 {
namespace {

constexpr knob::Real decay{"decay", "weight decay", 0.01, {0, 10, 0.01}};
constexpr knob::Real noise{"noise", "standard deviation of what is added to each pixel in training", 0.4, {0, 3, 0.05}};
constexpr knob::Whole products{"products", "h, the products of the net", 24, {1, 64, 1}};
constexpr knob::Whole first{"first", "the first of the six digits that are shown", 0, {0, 4, 1}};

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Images& test = session.images.test;
  Random random(session.options.seed, 508);
  Net<float> net({test.X.cols(), 0, at[products], 10, Biases::without}, random);
  train(net, session.images.train, short_training(session, at[decay], at[noise]), random);
  const std::vector<Eigen> spectra = session.spectra_of(net);
  plot::Sheet sheet{.title = "Six digits' patterns of the most positive λ", .rows = test.rows, .cols = test.cols};
  sheet.diverging = sheet.own_scale = true;
  sheet.per_row = 6;
  double border = 0, least = HUGE_VAL, most = 0;
  for (std::size_t o = 0; o < spectra.size(); ++o) {
    const std::size_t k = most_positive(spectra[o]);
    const auto v = spectra[o].vectors.row(k);
    if (o >= at[first] && o < at[first] + 6)
      sheet.images.push_back({std::to_string(o) + " " + fixed(spectra[o].values[k], 2), {v.begin(), v.end()}});
    border += border_energy(v, test.rows, test.cols) / double(spectra.size());
    least = std::min(least, effective_rank(spectra[o].values));
    most = std::max(most, effective_rank(spectra[o].values));
  }
  lesson.picture("turned_patterns", sheet);
  lesson.show(Table{{"decay", "input noise", "right", "effective rank", "in the border"},
                    {{significant(at[decay]), significant(at[noise]), fixed(accuracy(net, test), 3),
                      fixed(mean_effective_rank(spectra), 1), fixed(border, 3)}}});
  lesson.say("From ", short_training(session, 0, 0).steps, " steps on ", session.images.train.labels.size(),
             " images; the whole part trains longer, on more. Even patterns would have ",
             fixed(double(2 * (test.rows + test.cols) - 4) / double(test.rows * test.cols), 3), " in the border.");
  // By Cauchy's inequality, for at most two eigenvalues from each product; rounding of sums of so many.
  lesson.claim("effective rank over 2h, at most", most / double(2 * at[products]), at_most(1 + 1e-12));
  lesson.claim("... and at least 1: the smallest", least, at_least(1 - 1e-12));
}

}  // namespace

Bench<Session> bench8() {
  return {"What do weight decay and noise on the images do to the patterns?", {&decay, &noise, &products, &first}, run};
}

}  // namespace lesson5
