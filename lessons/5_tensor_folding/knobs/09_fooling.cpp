// Lesson 5, part 9: an image, the digit that it shall be taken for, and the pattern that is added.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "lessons/5_tensor_folding/knobs/shared.hpp"
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"
#include "lessons/5_tensor_folding/model/07_fooling.hpp"
#include "lessons/5_tensor_folding/run/patterns.hpp"

namespace lesson5 {
namespace {

constexpr knob::Whole source{"source", "the digit of the image", 7, {0, 9, 1}};
constexpr knob::Whole wanted{"target", "the digit that it shall be taken for", 3, {0, 9, 1}};
constexpr knob::Real length{
    "size", "the pattern's length, in parts of the image's; below 0 its negative", 0.33, {-3, 3, 0.03}};
constexpr knob::Choice direction{"direction", "which pattern", {"eigenvector", "ink", "random"}};
constexpr knob::Real noise{"noise", "noise on the images in training", 0, {0, 2, 0.1}};

Matrix<double> direction_at(const Net<double>& one, std::size_t choice, std::uint64_t seed) {
  Random random(seed, 609);
  if (choice == 0) return fooling_direction(one);
  return choice == 1 ? ink_direction(one) : unit(normal_matrix<double>(1, one.W.rows(), 1, random));
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Net<float> net = net_of(session, 9, at[noise]);
  const Images& test = session.images.test;
  const Net<double> one = contrast(net, at[wanted]);
  const Matrix<double> v = direction_at(one, at[direction], session.options.seed), v_M = times_M(one, v);
  const Matrix<double> x = example_of(net, test, std::uint32_t(at[source]));
  const double s = at[length] * std::sqrt(dot(x, x));
  const Matrix<double> pattern = s * v, both = x + pattern;
  const auto taken_for = [&](const Matrix<double>& image) {
    return join("taken for ", largest_of_rows(precise_logits(net, image))[0]);
  };
  const auto pixels = [](const Matrix<double>& image) {
    return std::vector<double>(image.values().begin(), image.values().end());
  };
  plot::Sheet sheet{.title = join("A ", at[source], ", a pattern for ", at[wanted], ", and both together"),
                    .rows = test.rows,
                    .cols = test.cols};
  sheet.images = {{taken_for(x), pixels(x)}, {"the pattern", pixels(pattern)}, {taken_for(both), pixels(both)}};
  sheet.diverging = true;
  sheet.low = -1.5;
  sheet.high = 1.5;
  lesson.picture("turned_fooling", sheet);
  const double from_image = 2 * s * dot(v_M, x), from_pattern = s * s * dot(v_M, v);
  const Attack found = attack(net, test, at[wanted], v.row(0), s);
  lesson.say("The lead of ", at[wanted], " over the mean logit changes by ", from_image + from_pattern, ": ",
             from_image, " from the image, 2s·x·M·vᵀ, and ", from_pattern,
             " from the pattern alone, s²·v·M·vᵀ. Added to all ", test.labels.size(),
             " test images, it makes the net take ", fixed(found.success, 3), " of those of other classes for a ",
             at[wanted], "; ", fixed(found.accuracy, 3), " are still right.");
  const double largest = std::abs(eigen_through_factors(one, 0).values[0]);
  const Matrix<double> x_M = times_M(one, x), both_M = times_M(one, both);
  const double scale = largest * (dot(x, x) + dot(both, both) + s * s) + 1e-6;  // and so no division by 0
  // Sums of some thousand products, in two orders: some 1e-14 of their sizes.
  lesson.claim("both gains together are the change, relative",
               std::abs(dot(both_M, both) - dot(x_M, x) - from_image - from_pattern) / scale, at_most(1e-11));
  lesson.claim("the pattern's own gain over max|λ|·s², at most", from_pattern / (largest * s * s + 1e-6),
               at_most(1 + 1e-9));
}

}  // namespace

Bench<Session> bench9() {
  return {"Which pattern, of which length, makes an image pass for another digit?",
          {&source, &wanted, &length, &direction, &noise},
          run};
}

}  // namespace lesson5
