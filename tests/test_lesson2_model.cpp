// Tests what lesson 2 computes around its model's gradients: windows, the chain of known entropy, the distribution of the next
// symbol, sampling.
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <vector>

#include "lessons/2_bengio_mlp/model/1_windows.hpp"
#include "lessons/2_bengio_mlp/model/4_markov.hpp"
#include "lessons/2_bengio_mlp/model/5_sample.hpp"
#include "tests/check.hpp"

using namespace lesson2;

static void test_windows(Checks& check) {
  const std::vector<std::uint32_t> text{3, 1, 4, 1, 5};
  const Windows w = windows_of(text, 0, 5, 2, 9);
  check.that(w.contexts == std::vector<std::uint32_t>{9, 9, 9, 3, 3, 1, 1, 4, 4, 1},
             "contexts, padded at the beginning");
  check.that(w.targets == text, "every place is predicted once");
  const Windows middle = windows_of(text, 3, 1, 2, 9);
  check.that(middle.contexts == std::vector<std::uint32_t>{1, 4}, "a window in the middle looks back over the text");
  Random random(1);
  const Windows drawn = draw_windows(text, 2000, 1, 9, random);
  std::array<int, 10> predicted{};
  for (const std::uint32_t t : drawn.targets) ++predicted[t];
  // 2,000 draws of 5 places: 400 each with a standard deviation of 18, symbol 1 stands at two of them; five of them.
  for (const std::uint32_t t : {3u, 4u, 5u}) check.near(predicted[t], 400, 90, "places are drawn alike");
  check.near(predicted[1], 800, 110, "a symbol that occurs twice is drawn twice as often");
  check.that(drawn.size() == 2000 && drawn.contexts.size() == 2000, "as many windows as asked for");
}

static double entropy(double p) { return -p * std::log(p) - (1 - p) * std::log(1 - p); }

static void test_markov_chain(Checks& check) {
  // Each symbol independent of the past: the entropy of a coin. Rounding only.
  check.near(MarkovChain(Matrix<double>{{.3, .7}, {.3, .7}, {.3, .7}, {.3, .7}}).entropy_rate(), entropy(.3), 1e-14,
             "a coin");
  // Depends on the last symbol alone: from 0 to 1 with .2, from 1 to 0 with .6; π = (.6, .2)/.8 by balance.
  const MarkovChain chain(Matrix<double>{{.8, .2}, {.6, .4}, {.8, .2}, {.6, .4}});
  check.near(chain.entropy_rate(), .75 * entropy(.2) + .25 * entropy(.6), 1e-14, "a chain of order 1");
  // Depends on the symbol before the last alone: two chains of order 1 in turn, so the same rate.
  check.near(MarkovChain(Matrix<double>{{.8, .2}, {.8, .2}, {.6, .4}, {.6, .4}}).entropy_rate(),
             .75 * entropy(.2) + .25 * entropy(.6), 1e-14, "a chain that looks two symbols back");
  check.near(chain.loss(std::vector<std::uint32_t>{0, 0, 1, 0}), (-std::log(.2) - std::log(.6)) / 2, 1e-15,
             "loss of 0 0 1 0 by hand");
  Random random(2);
  const std::vector<std::uint32_t> text = chain.draw(100'000, random);
  double ones = 0;
  for (const std::uint32_t s : text) ones += s;
  // Standard deviation √(π0·π1·(1 + λ)/(1 - λ)/N) with λ = 1 - .2 - .6 = .2: 0.0017; five of them.
  check.near(ones / 100'000, .25, .0085, "the drawn text follows the stationary distribution");
  check.throws<std::invalid_argument>([] { MarkovChain(Matrix<double>(3, 2)); }, "MarkovChain: 3 x 2 and 4 x 2",
                                      "a table of the wrong shape");
}

static void test_sampling(Checks& check) {
  Bengio<double> model({3, 2, 1, 1});
  model.b2 = {{std::log(.2), std::log(.3), std::log(.5)}};  // all weights 0: the distribution is that of b2
  const std::vector<double> distribution = next_distribution(model, {0, 1, 2}, 1);
  for (std::size_t s = 0; s < 3; ++s)
    check.near(distribution[s], std::array{.2, .3, .5}[s], 1e-14,
               "the distribution at temperature 1 is the model's own");
  const std::vector<double> cold = next_distribution(model, {}, 0.5);  // squares, made to sum to 1
  check.near(cold[2], .25 / (.04 + .09 + .25), 1e-14, "temperature 1/2 squares the odds");
  check.near(next_distribution(model, {1}, 1e-6)[2], 1, 0, "towards 0 the likeliest symbol always wins");
  Random random(3);
  std::array<int, 3> drawn{};
  for (const std::uint32_t s : sample(model, {}, 10'000, 1, random)) ++drawn[s];
  // Standard deviation at most √(10,000/4) = 50; five of them.
  for (std::size_t s = 0; s < 3; ++s)
    check.near(drawn[s], 10'000 * distribution[s], 250, "sampling follows the distribution");
  check.that(sample(model, {1, 2}, 0, 1, random).empty(), "no symbols on request");

  // A model that says: after 0 comes 1, after 1 comes 2, after 2 comes 0. H = tanh of a large number is ±1.
  Bengio<double> cycle({3, 1, 3, 3});
  cycle.C = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  cycle.W1 = {{50, 0, 0}, {0, 50, 0}, {0, 0, 50}};
  cycle.W2 = {{0, 99, 0}, {0, 0, 99}, {99, 0, 0}};
  check.that(sample(cycle, {0}, 4, 1, random) == std::vector<std::uint32_t>{1, 2, 0, 1}, "the window moves on");

  // With two symbols of context it says the older one: what was written before the last counts.
  Bengio<double> older({3, 2, 3, 3});
  older.C = cycle.C;
  older.W1 = {{50, 0, 0}, {0, 50, 0}, {0, 0, 50}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  older.W2 = {{99, 0, 0}, {0, 99, 0}, {0, 0, 99}};
  check.that(sample(older, {0, 2}, 3, 1, random) == std::vector<std::uint32_t>{0, 2, 0}, "the whole window counts");
}

int main() {
  Checks check;
  test_windows(check);
  test_markov_chain(check);
  test_sampling(check);
  return check.done("test_lesson2_model");
}
