// Lesson 5, part 13: how many features, in how many numbers, how often on, can be found again.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "lessons/5_tensor_folding/knobs/shared.hpp"
#include "lessons/5_tensor_folding/model/03_fold.hpp"
#include "lessons/5_tensor_folding/model/12_dictionary.hpp"
#include "lessons/5_tensor_folding/model/13_directions.hpp"
#include "lessons/5_tensor_folding/run/train_toy.hpp"

namespace lesson5 {
namespace {

constexpr knob::Whole features{"features", "n, the features", 12, {6, 20, 1}};
constexpr knob::Whole numbers{"numbers", "m, the numbers that they share", 6, {2, 6, 1}};
constexpr knob::Real density{"density", "the probability that a feature is on", 0.02, {0.005, 0.5, 0.005}};

// Adds a row: for each feature the largest cosine with a direction that was found.
void add(plot::HeatMap& map, const std::string& name, const Matrix<double>& truth, const Matrix<double>& found) {
  const Matrix<double> cosines = matmul(unit_rows(truth), transpose(unit_rows(found)));
  map.row_labels.push_back(join(name, ": ", recovered(truth, found)));
  for (std::size_t i = 0; i < cosines.rows(); ++i)
    map.values.push_back(std::round(100 * *std::max_element(cosines.row(i).begin(), cosines.row(i).end())) / 100);
  ++map.rows;
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const std::size_t n = at[features], m = at[numbers];
  const Options& o = session.options;
  Random random(o.seed, 513);
  const Net<double> net = train_toy({n, m, 2 * n, n}, at[density], o.steps_or(600, 40), Random(o.seed, 613));
  const Matrix<double> X = draw_features(500, n, at[density], EmptyRows::redrawn, random), Z = matmul(X, net.E);
  const Matrix<double> any = normal_matrix<double>(n, m, 1, random);
  const Matrix<double> dictionary = learn_dictionary(Z, n, o.quick_or(1, 2), o.quick_or(5, 60), random).D;
  plot::HeatMap map{.title = "How near the features are found: the largest cosine, and how many are above .95",
                    .cols = n};
  map.numbers = true;
  map.low = 0;
  map.high = 1;
  for (std::size_t f = 0; f < n; ++f) map.col_labels.push_back(std::to_string(f));
  add(map, "random", net.E, any);
  add(map, "dictionary", net.E, dictionary);
  add(map, "weights", net.E, directions_from_weights(net, Basis::as_it_stands));
  add(map, "balanced", net.E, directions_from_weights(net, Basis::balanced));
  lesson.picture("turned_features", map);
  const Matrix<double> Y = output(net, X);
  lesson.say("The toy gives its ", n, " features back with a mean squared error of ",
             dot(Y - X, Y - X) / double(X.size()), ", where the mean alone would leave ",
             at[density] * (1 - at[density]),
             ". The dictionary sees 500 rows in which something is on; the other two see weights alone.");
  // Sums of some hundred products, in another order.
  lesson.claim("the toy folded = the toy, relative to its largest output",
               max_abs_difference(evaluate(symmetric(fold(net)), with_one(X)), Y) / (largest_entry(Y) + 1e-6),
               at_most(1e-11));
  // Over 30 seeds always.
  lesson.claim_trained("the dictionary finds", double(recovered(net.E, dictionary)), exactly(12));
}

}  // namespace

Bench<Session> bench13() {
  return {"Up to which crowd and density are features found again?", {&features, &numbers, &density}, run};
}

}  // namespace lesson5
