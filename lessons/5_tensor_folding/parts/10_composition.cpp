// Lesson 5, part 10: two layers are one tensor of order five; how many numbers so many layers take, folded and not.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5 {

constexpr knob::Whole inputs{"inputs", "n, the inputs", 144, {1, 1000, 1}};
constexpr knob::Whole products{"products", "h, the products of each layer", 24, {1, 1000, 1}};
constexpr knob::Whole depth{"layers", "product layers one behind the other", 2, {1, 5, 1}};

// The chart of what so many inputs and products would take.
static void count(Lesson& lesson, const knob::Settings& at) {
  const double n = double(at[inputs]), h = double(at[products]);
  // The weights and biases of the two factors of each layer.
  const auto numbers_of = [&](double layers) { return 2 * h * (n + 1) + 2 * h * (h + 1) * (layers - 1); };
  const auto terms = [&](double layers) { return terms_of_degree(n, std::exp2(layers)); };
  plot::Chart chart{.title = join("Numbers of product layers behind ", at[inputs], " inputs")};
  chart.x = {.title = "layers", .low = 1, .high = 5};
  chart.y = {.title = "numbers", .log = true, .low = 1, .high = 1e70};
  chart.series = {{"folded, for each output", {}, {}}, {"in layers", {}, {}}};
  for (double layers = 1; layers <= 5; ++layers) {
    chart.series[0].add(layers, terms(layers));
    chart.series[1].add(layers, numbers_of(layers));
  }
  chart.levels = {{"bytes of 256 MB", 268'435'456}};
  lesson.figure("composition", chart);
  const double layers = double(at[depth]);
  lesson.say("For ", at[inputs], " inputs ", at[depth], " layers of ", at[products], " products have ",
             fixed(terms(layers), 0), " terms for each output, ", terms(layers) / numbers_of(layers),
             " for each number of the layers.");
  // Products of up to four quotients, a few roundings each.
  lesson.claim("one layer: (n + 1)(n + 2)/2 terms, relative", terms(1) / ((n + 1) * (n + 2) / 2), within(1, 1e-14));
  lesson.claim("two layers: (n + 1)(n + 2)(n + 3)(n + 4)/24, relative",
               terms(2) / ((n + 1) * (n + 2) * (n + 3) * (n + 4) / 24), within(1, 1e-14));
  lesson.claim_usual(
      "the digit net's numbers, folded over those of its factors",
      10 * terms_of_degree(n - 1, 2) / double(parameters_of(Net<float>({144, 0, 24, 10, Biases::without}))),
      within(14.6, 0.05));
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  Random random(lesson.options().seed, 66);
  // Two product layers with biases: the net's own U and u are the identity and 0.
  Net<double> first({4, 0, 5, 5}), second({5, 0, 3, 3});
  for (Net<double>* net : {&first, &second}) {
    fill_normal(net->tensors(), random);
    net->U = identity(net->form.hidden);
    net->u = Matrix<double>(1, net->form.hidden);
  }
  const auto X = normal_matrix<double>(20, 4, 1, random);
  const Matrix<double> Y = output(second, output(first, X)), wide = with_one(X);
  // The first layer hands the constant on, as one product more; behind the second nobody needs it.
  const auto F = fold_twice(product_tensor(extended(first.W, first.b), extended(first.V, first.c)),
                            product_tensor(with_last_row(second.W, second.b), with_last_row(second.V, second.c)));
  double off = 0;
  std::ptrdiff_t counted = 0;  // terms of all outputs that are not zero
  for (std::size_t o = 0; o < F.size(); ++o) {
    const auto terms = terms_of_degree_four(F[o], wide.cols());
    counted += std::count_if(terms.begin(), terms.end(), [](const auto& term) { return term.second != 0; });
    for (std::size_t r = 0; r < X.rows(); ++r) {
      double sum = 0;
      for (const auto& [p, value] : terms) sum += value * wide(r, p[0]) * wide(r, p[1]) * wide(r, p[2]) * wide(r, p[3]);
      off = std::max(off, std::abs(sum - Y(r, o)) / largest_entry(Y));
    }
  }
  lesson.say("4 inputs and the constant, 5 and 3 products: folded to ", significant(off, 2),
             " of the largest output, in ", F[0].size(), " numbers or ", counted / 3, " terms for each output.");
  // Sums of some thousand products, relative to the largest output: some 1e-14.
  lesson.claim("the folded pair, by its terms = the two layers, relative", off, at_most(1e-12));
  lesson.claim("terms of the three outputs, counted", double(counted), exactly(3 * terms_of_degree(4, 4)));
  count(lesson, at);
}

extern const Part<Session> part10(10, "Does it scale to composition?", run,
                                  "How many numbers would folding so many layers take?", {&inputs, &products, &depth});

}  // namespace lesson5
