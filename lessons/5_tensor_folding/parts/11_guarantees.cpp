// Lesson 5, part 11: what can be promised of a net without running it; how near an input comes to that, from the reader's
// digit to an eigenvector.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5 {

constexpr knob::Whole shown{"of", "the digit towards whose top eigenvector the input goes", 3, {0, 9, 1}};
constexpr knob::Real share{"toward", "how far it goes: 0 is your digit, 1 the eigenvector", 0, {0, 1, 0.02}};

static void one_input(Lesson& lesson, Session& session, const knob::Settings& at) {
  const std::vector<Eigen>& spectra = session.spectra();
  const Matrix<double> digit = unit_rows(image_of(at[drawn], session.images.test));
  const Matrix<double> v(row_block(spectra[at[shown]].vectors, 0, 1));
  const double sign = dot(digit, v) < 0 ? -1 : 1;  // a vector's own is free
  const Matrix<double> x = unit_rows((1 - at[share]) * digit + (sign * at[share]) * v);
  const Matrix<double> Y = output(in_double(session.net()), x);
  const std::vector<double> logits(Y.values().begin(), Y.values().end());
  std::vector<double> above, below;
  double nearest = 0;
  for (std::size_t o = 0; o < spectra.size(); ++o) {
    above.push_back(std::abs(spectra[o].values[0]));
    below.push_back(-above.back());
    nearest = std::max(nearest, std::abs(logits[o]) / above[o]);
  }
  plot::Chart chart{.title = "The ten logits of an input of length 1, and what none can exceed"};
  chart.x = {.title = "digit", .low = -1, .high = 10};
  chart.y = {.title = "logit"};
  chart.series = {bars("logits", logits, 0.2), bars("max|λ|", above, 0.4), bars("-max|λ|", below, 0.4)};
  lesson.figure("bound", chart);
  lesson.note("Of your digit at length 1 the logit of ", at[shown], " is ", logits[at[shown]], "; its bound is ",
              above[at[shown]], ".");
  // The eigenvalue is known to some 1e-12 of itself.
  lesson.claim("no logit exceeds its bound: largest ratio", nearest, at_most(1 + 1e-9));
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const std::vector<Eigen>& spectra = session.spectra();
  const std::size_t pixels = session.images.train.X.cols(), rows = session.options.quick_or<std::size_t>(1000, 10'000);
  Random random(session.options.seed, 67);
  const auto noise = normal_matrix<double>(rows, pixels, 1, random);
  const Matrix<double> images(session.images.test.X.view());
  Matrix<double> top(spectra.size(), pixels);  // for each output the input that comes nearest to the bound
  for (std::size_t o = 0; o < spectra.size(); ++o)
    std::copy(spectra[o].vectors.row(0).begin(), spectra[o].vectors.row(0).end(), top.row(o).begin());
  const Net<double> net = in_double(session.net());
  const double of_noise = share_of_bound(net, spectra, noise), of_images = share_of_bound(net, spectra, images),
               of_top = share_of_bound(net, spectra, top);
  lesson.show(Table{{"inputs", "largest |y| over the bound"},
                    {{join(rows, " random ones"), fixed(of_noise, 4)},
                     {join(images.rows(), " test images"), fixed(of_images, 4)},
                     {"the ten top eigenvectors", fixed(of_top, 6)}}});
  // The eigenvalue, and so the bound, is known to some 1e-12 of itself.
  lesson.claim("no input exceeds the bound: largest ratio", std::max({of_noise, of_images, of_top}), at_most(1 + 1e-9));
  lesson.claim("and one reaches it: distance from 1", std::abs(of_top - 1), at_most(1e-9));
  one_input(lesson, session, at);
}

extern const Part<Session> part11(11, "Guarantees", run, "How near does your digit come to what the weights allow?",
                                  {&drawn, &shown, &share}, one_input);

}  // namespace lesson5
