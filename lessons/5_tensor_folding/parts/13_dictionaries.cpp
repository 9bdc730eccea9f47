// Lesson 5, part 13: features found by a sparse dictionary, by the pseudo-inverse, and from the weights alone. How many
// features there are, in how many numbers, how often on, can be turned.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5 {

constexpr knob::Whole features{"features", "n, the features", 12, {6, 20, 1}};
constexpr knob::Whole numbers{"numbers", "m, the numbers that they share", 6, {2, 6, 1}};
constexpr knob::Real density{"density", "the probability that a feature is on", 0.02, {0.005, 0.5, 0.005}};

// A trained toy, activations of it, and the directions that each way finds, an output a row.
struct Toy {
  Net<double> net;
  Matrix<double> X, Z, any;                                         // `any`: directions drawn at random
  std::vector<std::pair<std::string, Matrix<double>>> truths = {};  // of each way, the features' directions ...
  std::vector<Matrix<double>> found = {};                           // ... and those that it finds

  std::size_t count(std::size_t way) const { return recovered(truths[way].second, found[way]); }
};
enum Way { random_ones, by_dictionary, from_weights, stretched, balanced, balanced_stretched };

// How long to train the toy, of how many rows to learn a dictionary, and how long.
struct Effort {
  long steps;
  std::size_t rows;
  int starts, rounds;
};

static Toy toy_of(std::size_t n, std::size_t m, double p, const Effort& effort, std::uint64_t seed) {
  Random random(seed, 75);
  Toy toy{train_toy({n, m, 2 * n, n}, p, effort.steps, Random(seed, 74)), {}, {}, {}};
  const Net<double>& net = toy.net;
  toy.X = draw_features(effort.rows, n, p, EmptyRows::redrawn, random);
  toy.Z = matmul(toy.X, net.E);
  const auto add = [&](const std::string& name, const Matrix<double>& truth, const Matrix<double>& found) {
    toy.truths.push_back({name, truth});
    toy.found.push_back(found);
  };
  add("random", net.E, normal_matrix<double>(n, m, 1, random));
  add("dictionary", net.E, learn_dictionary(toy.Z, n, effort.starts, effort.rounds, random).D);
  const Net<double> other = in_another_basis(net, random);
  add("weights", net.E, directions_from_weights(net, Basis::as_it_stands));
  add("stretched", other.E, directions_from_weights(other, Basis::as_it_stands));
  add("balanced", net.E, directions_from_weights(net, Basis::balanced));
  add("balanced, stretched", other.E, directions_from_weights(other, Basis::balanced));
  toy.any = normal_matrix<double>(n, m, 1, random);
  return toy;
}

// The pseudo-inverse: the tensor folded into any directions gives the net's outputs, but codes are not the features.
static void pseudo_inverses(Lesson& lesson, const Toy& toy) {
  Net<double> folded = toy.net;
  folded.form.inputs = toy.any.rows();
  folded.E = toy.any;
  folded.e = Matrix<double>(1, toy.any.cols());
  const Matrix<double> at = matmul(toy.Z, pseudo_inverse(toy.any));
  const Matrix<double> off = matmul(toy.Z, pseudo_inverse(toy.net.E)) - toy.X;
  const double outputs = max_abs_difference(evaluate(symmetric(fold(folded)), with_one(at)), output(toy.net, toy.X));
  const double codes = dot(off, off) / dot(toy.X, toy.X);
  lesson.say("The pseudo-inverse, density .02: outputs for random directions are right to ", significant(outputs, 2),
             ", codes of the true ones off by ", fixed(codes, 2), ".");
  // Rounding of sums of 78 products of numbers up to 10.
  lesson.claim("tensor folded into random directions: outputs, max |diff|", outputs, at_most(1e-9));
  lesson.claim_trained("pseudo-inverse codes against features: half is lost", codes, within(0.5, 0.05));
}

static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Options& o = session.options;
  const Toy toy = toy_of(at[features], at[numbers], at[density],
                         {o.steps_or(600, 40), 500, o.quick_or(1, 2), o.quick_or(5, 60)}, o.seed);
  plot::HeatMap map{.title = "How near the features are found: the largest cosine, and how many are above .95",
                    .rows = toy.found.size(),
                    .cols = at[features]};
  map.numbers = true;
  map.low = 0;
  map.high = 1;
  for (std::size_t f = 0; f < map.cols; ++f) map.col_labels.push_back(std::to_string(f));
  for (std::size_t way = 0; way < map.rows; ++way) {
    map.row_labels.push_back(join(toy.truths[way].first, ": ", toy.count(way)));
    for (const double cosine : best_cosines(toy.truths[way].second, toy.found[way]))
      map.values.push_back(std::round(100 * cosine) / 100);
  }
  lesson.picture("features", map);
  const Matrix<double> Y = output(toy.net, toy.X);
  lesson.say("The toy gives its ", at[features], " features back with a mean squared error of ", mean_square(Y - toy.X),
             ", where the mean alone would leave ", at[density] * (1 - at[density]),
             ". The dictionary sees 500 rows in which something is on; the weights' ways see weights alone.");
  // Sums of some hundred products, in another order.
  lesson.claim("the toy folded = the toy, relative to its largest output",
               max_abs_difference(evaluate(symmetric(fold(toy.net)), with_one(toy.X)), Y) / (largest_entry(Y) + 1e-6),
               at_most(1e-11));
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Options& o = session.options;
  const double densities[] = {at[density], 0.1, 0.3};
  std::array<std::optional<Toy>, 3> toys;
  session.run("dictionaries", 3, [&](std::size_t k) {
    toys[k] = toy_of(at[features], at[numbers], densities[k],
                     {o.steps_or(1000, 40), 1000, o.quick_or(1, 4), o.quick_or(5, 150)}, o.seed);
  });
  lesson.say(
      "Who finds twelve features in six numbers, a dictionary of 1,000 activations or the weights alone? Found, of 12, "
      "by the probability that one is on:");
  Table table{{"density"}, {}};
  for (const auto& [name, truth] : toys[0]->truths) table.head.push_back(name);
  for (std::size_t k = 0; k < 3; ++k) {
    table.rows.push_back({significant(densities[k])});
    for (std::size_t way = 0; way < toys[k]->found.size(); ++way)
      table.rows[k].push_back(std::to_string(toys[k]->count(way)));
  }
  lesson.show(table);
  const auto found = [&](Way way) { return double(toys[0]->count(way)); };
  lesson.claim_trained("density .02: the dictionary finds", found(by_dictionary), exactly(12));
  lesson.claim_trained("density .02: the weights alone find, balanced", found(balanced), exactly(12));
  lesson.claim_trained("... and after a stretch as many", found(balanced_stretched), exactly(12));
  lesson.claim_trained("... where plain eigenvectors find", found(stretched), at_most(3));
  pseudo_inverses(lesson, *toys[0]);
}

extern const Part<Session> part13{13,
                                  "Sparse dictionaries",
                                  run,
                                  "Up to which crowd and density are features found again?",
                                  {&features, &numbers, &density},
                                  PartKind::further,
                                  scene};

}  // namespace lesson5
