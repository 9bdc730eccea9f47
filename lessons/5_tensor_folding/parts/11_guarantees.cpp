// Part 11: what a net's weights guarantee.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5::p11 {

// How long a change must be to overturn the verdict, in lengths of the image.
static void answers(Lesson& lesson, const Net<double>& net, const Matrix<double>& X,
                    const Matrix<double>& one) {
  const std::vector<Change> shortest = changes(net, X);
  std::vector<double> safe, turns;
  double least = HUGE_VAL;
  for (std::size_t r = 0; r < X.rows(); ++r) {
    const double length = std::max(length_of(X.row(r)), 1e-150);
    safe.push_back(shortest[r].safe / length);
    turns.push_back(shortest[r].turns / length);
    least = std::min(least, shortest[r].turns / std::max(shortest[r].safe, 1e-150));
  }
  const auto middle = [](std::vector<double> lengths) {
    std::nth_element(lengths.begin(), lengths.begin() + std::ptrdiff_t(lengths.size() / 2),
                     lengths.end());
    return lengths[lengths.size() / 2];
  };
  const double kept = middle(safe), turned = middle(turns);
  lesson.show(Table{{"a change of an image", "median, in lengths of the image"},
                    {{"in any direction keeps the verdict below", fixed(kept, 3)},
                     {"against x·M overturns the verdict at", fixed(turned, 3)}}});
  lesson.say("The first page's image keeps its verdict up to ",
             fixed(changes(net, one)[0].safe / length_of(one.values()), 3), " of its length.");
  lesson.claim("no change found is shorter than the guaranteed one: least ratio", least,
               at_least(1 - 1e-9));  // exact but for rounding
  // 20 seeds: .083 to .090 (deviation .0017) and 1.11 to 1.15 (.009).
  lesson.claim_trained("half the images keep their verdict up to", kept, between(0.078, 0.097));
  lesson.claim_trained("... and it turns at, over that", turned / kept, between(1.08, 1.18));
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const std::vector<Eigen>& spectra = session.spectra();
  const std::size_t pixels = session.images.train.X.cols(),
                    rows = session.options.quick_or<std::size_t>(1000, 10'000);
  Random random(session.options.seed, 67);
  const auto noise = normal_matrix<double>(rows, pixels, 1, random);
  const Matrix<double> images(session.images.test.X.view());
  // For each output the input nearest to the bound.
  Matrix<double> largest(spectra.size(), pixels);
  for (std::size_t o = 0; o < spectra.size(); ++o)
    std::copy(spectra[o].vectors.row(0).begin(), spectra[o].vectors.row(0).end(),
              largest.row(o).begin());
  const Net<double> net = in_double(session.net());
  const double of_noise = share_of_bound(net, spectra, noise),
               of_images = share_of_bound(net, spectra, images),
               of_largest = share_of_bound(net, spectra, largest);
  lesson.show(Table{{"inputs", "largest |y| over the bound"},
                    {{join(rows, " random ones"), fixed(of_noise, 4)},
                     {join(images.rows(), " test images"), fixed(of_images, 4)},
                     {"eigenvectors of the largest |λ|", fixed(of_largest, 6)}}});
  // 60 seeds: .115 to .191 and .37 to .57, by logarithms four deviations are .09 to .21 and .30 to
  // .68; each is the other's nearest neighbour.
  lesson.claim_trained("random inputs reach", of_noise, between(0.08, 0.25));
  lesson.claim_trained("digits", of_images, between(0.27, 0.75));
  // The bound is known to some 1e-12 of itself.
  lesson.claim("none exceeds the bound: largest ratio", std::max({of_noise, of_images, of_largest}),
               at_most(1 + 1e-9));
  lesson.claim("and one reaches it: distance from 1", std::abs(of_largest - 1), at_most(1e-9));
  const Images& test = session.images.test;
  answers(lesson, net, images,
          example_of(session.net(), test, std::uint32_t(class_of(test, 0, 0))));
}

}  // namespace lesson5::p11

const Part<lesson5::Session> lesson5::part11{.number = 11, .title = "Guarantees", .run = p11::run};
