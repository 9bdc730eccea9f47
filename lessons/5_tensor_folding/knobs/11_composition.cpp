// Lesson 5, part 11: how many numbers so many product layers take, folded and not.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include "lessons/5_tensor_folding/knobs/shared.hpp"
#include "lessons/5_tensor_folding/model/10_composition.hpp"

namespace lesson5 {
namespace {

constexpr knob::Whole inputs{"inputs", "n, the inputs", 144, {1, 1000, 1}};
constexpr knob::Whole products{"products", "h, the products of each layer", 24, {1, 1000, 1}};
constexpr knob::Whole depth{"layers", "product layers one behind the other", 2, {1, 5, 1}};

// The terms of a polynomial of degree at most d in n variables: n + d over d.
double terms_of_degree(double n, double d) {
  double count = 1;
  for (double k = 1; k <= d; ++k) count *= (n + k) / k;
  return count;
}

// The weights and biases of the two factors of each layer.
double numbers_of(double n, double h, std::size_t layers) {
  return 2 * h * (n + 1) + 2 * h * (h + 1) * double(layers - 1);
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const double n = double(at[inputs]), h = double(at[products]);
  plot::Chart chart{.title = join("Numbers of product layers behind ", at[inputs], " inputs")};
  chart.x = {.title = "layers", .low = 1, .high = 5};
  chart.y = {.title = "numbers", .log = true, .low = 1, .high = 1e70};
  plot::Series folded{"folded, for each output", {}, {}}, layered{"in layers", {}, {}};
  for (std::size_t l = 1; l <= 5; ++l) {
    folded.add(double(l), terms_of_degree(n, std::ldexp(1, int(l))));
    layered.add(double(l), numbers_of(n, h, l));
  }
  chart.series = {folded, layered};
  chart.levels = {{"bytes of 256 MB", 268'435'456}};
  lesson.picture("turned_composition", chart);
  const double degree = std::ldexp(1, int(at[depth])), terms = terms_of_degree(n, degree);
  lesson.say(at[depth], " layers are a polynomial of degree ", degree, ": ", terms, " terms for each output, ",
             terms / numbers_of(n, h, at[depth]), " for each of the ", numbers_of(n, h, at[depth]),
             " numbers of the layers. Each further layer doubles the degree.");
  // Products of up to four quotients, a few roundings each.
  lesson.claim("one layer: (n + 1)(n + 2)/2, relative", terms_of_degree(n, 2) / ((n + 1) * (n + 2) / 2),
               within(1, 1e-14));
  lesson.claim("two layers: what the part counts, relative", terms_of_degree(n, 4) / distinct_of_degree_four(n),
               within(1, 1e-14));
}

}  // namespace

Bench<Session> bench11() {
  return {"How many numbers would folding so many layers take?", {&inputs, &products, &depth}, run};
}

}  // namespace lesson5
