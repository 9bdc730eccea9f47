// Lesson 1, part 6: a constant second moment is not enough.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/lesson.hpp"

namespace lesson1::p6 {

static double square(double x) { return x * x; }

constexpr std::size_t examples = 64;

// What the rows of a table share: they differ in rule and activation alone.
struct Drawn {
  std::vector<Matrix<double>> weights;  // of variance 1
  Matrix<double> X, G;                  // inputs, and the gradient behind the last layer
};

static Drawn draw(const std::vector<std::size_t>& widths, Random random) {
  return {unit_weights(widths, random), normal_matrix<double>(examples, widths.front(), 1, random),
          normal_matrix<double>(examples, widths.back(), 1, random)};
}

template <class VarianceRule>
static Signal sent(const Drawn& drawn, const Activation& phi, VarianceRule variance) {
  return send(scaled(drawn.weights, variance), phi, drawn.X, drawn.G);
}

// Layers of 512 and 128 units in turn: forward linear ones ask for 1/n_in, backward for 1/n_out
// (1.12). Which rule keeps which? Means over networks, of which (1.11) speaks.
static void unequal_layers(Lesson& lesson, Pool& pool) {
  constexpr std::size_t depth = 10, networks = 16;
  std::vector<std::size_t> widths;
  for (std::size_t l = 0; l <= depth; ++l) widths.push_back(l % 2 == 0 ? 512 : 128);
  // E[h²] after ten, E[g²] ten back, and one back; a row for each network.
  std::vector<Matrix<double>> left(rules.size(), Matrix<double>(networks, 3));
  const std::uint64_t seed = lesson.options().seed;
  run_networks(pool, networks, seed, 62, [&](std::size_t k, const Random& random) {
    const Drawn drawn = draw(widths, random);
    for (std::size_t r = 0; r < rules.size(); ++r) {
      const Activation& phi = r == 2 ? relu_activation : linear_activation;
      const auto [forward, across, backward, dX] = sent(drawn, phi, rules[r].variance);
      left[r](k, 0) = forward[depth] / forward[0];
      left[r](k, 1) = backward[0] / backward[depth];
      left[r](k, 2) = backward[depth - 1] / backward[depth];
    }
  });
  Table table{{"rule", "Var W", "E[h²] after 10", "E[g²] 10 back", "E[g²] 1 back"}, {}};
  for (std::size_t r = 0; r < rules.size(); ++r) {
    left[r] = 1.0 / networks * column_sums(left[r]);
    table.rows.push_back({rules[r].name, rules[r].formula});
    for (const double mean : left[r].values()) table.rows[r].push_back(significant(mean, 2));
  }
  lesson.say("These layers have 512 and 128 units in turn, with ReLU for Kaiming's rule:");
  lesson.show(table);
  // The logarithm strays by .06 in a network and .015 in the mean of 16, with ReLU by .49 and .12.
  // 32 seeds: .104 to .112, .97 to 1.03, 3.98 to 4.03; Kaiming .81 to 1.10, 3.95 to 4.05.
  // A pair of layers less leaves .168, Xavier's layer back 1.6.
  const Bound five_pairs = within(std::pow(0.64, 5), 0.02), four = within(4, 0.2);
  lesson.claim("Xavier, forward: what ten layers leave, .64^5", left[1](0, 0), five_pairs);
  lesson.claim("Xavier, backward: what ten layers leave, .64^5", left[1](0, 1), five_pairs);
  lesson.claim("LeCun, forward", left[0](0, 0), within(1, 0.07));
  lesson.claim("LeCun, one layer back from 512 to 128: n_out/n_in", left[0](0, 2), four);
  lesson.claim("Kaiming, ReLU, forward", left[2](0, 0), within(1, 0.45));
  lesson.claim("Kaiming, ReLU, one layer back", left[2](0, 2), four);
}

// Fifty layers of an activation that is not ReLU.
static void squashed(Lesson& lesson) {
  constexpr std::size_t depth = 50, width = 128;
  Table table{{"φ", "Var W", "E[h²]", "its variance across inputs", "E[g²] 50 back"}, {}};
  const Drawn drawn =
      draw(std::vector<std::size_t>(depth + 1, width), Random(lesson.options().seed, 61));
  const auto left = [&](const Activation& phi, double gain) {
    const auto variance = [gain](double in, double) { return gain / in; };
    Signal s = sent(drawn, phi, variance);
    for (double& moment : s.backward) moment /= s.backward[depth];
    table.rows.push_back({phi.name, join(gain, "/n"), significant(s.forward[depth], 2),
                          significant(s.across[depth], 2), significant(s.backward[0], 2)});
    return s;
  };
  const Signal one = left(sigmoid_activation, 1), four = left(sigmoid_activation, 4),
               tanh = left(tanh_activation, 1);
  lesson.say("This is one network of ", depth, " layers of width ", width, ", with ", examples,
             " examples:");
  lesson.show(table);
  // A layer of 128 units strays by 4 %. 32 seeds: .244 to .286, with a standard deviation of
  // .009. If E[h²] died out, this would be 0.
  lesson.claim("sigmoid, 1/n: E[h²] after 50 layers looks healthy", one.forward[depth],
               within(predicted_forward(sigmoid_activation, 1, 1, depth)[depth], 0.04));
  // The mean of 64 numbers near 1/2 errs by at most 16ε, and each number by a few more.
  const Bound rounding = at_most(square(20 * std::numeric_limits<double>::epsilon()));
  lesson.claim("... but its variance across inputs is rounding", one.across[depth], rounding);
  // 1/16 is the square of σ's largest slope.
  lesson.claim("sigmoid, 1/n: a layer leaves at most a sixteenth of E[g²]",
               std::pow(one.backward[0], 1 / double(depth)), between(0.05, 1.0 / 16));
  lesson.claim("sigmoid, 4/n: variance across inputs after 50 layers", four.across[depth],
               rounding);
  // Logarithms at 32 seeds: -39.1 to -38.3 with 4/n, .8 a layer; below -62 with 1/n; for tanh -2.1
  // to -1.6, and of its variance -2.3 to -1.9.
  lesson.claim("sigmoid, 4/n: log10 of what is left of E[g²]", std::log10(four.backward[0]),
               within(-38.7, 0.7));
  lesson.claim("tanh, 1/n: log10 of what is left of E[g²]", std::log10(tanh.backward[0]),
               between(-3, -1));
  lesson.claim("tanh, 1/n: log10 of the variance across inputs", std::log10(tanh.across[depth]),
               between(-3, -1.5));
}

static void run(Lesson& lesson, Pool& pool, const knob::Settings&) {
  const std::uint64_t seed = lesson.options().seed;
  squashed(lesson);
  const double moment = gaussian_mean([](double z) { return square(relu(z)); }, 1);
  const double mean = gaussian_mean(relu, 1);
  // At a corner trapezoids of width .01 err by .01²/12 times the density there.
  lesson.claim("variance of relu(z), z from N(0, 1)", moment - mean * mean,
               within(0.5 - 1 / (2 * std::numbers::pi), 1e-5));
  unequal_layers(lesson, pool);
  const Drawn ten_layers = draw(std::vector<std::size_t>(11, 256), Random(seed, 63));
  const auto after_ten_relus = [&](auto of) {
    return std::log(sent(ten_layers, relu_activation, of).forward[10]);
  };
  // 11.31^10 = 3.4e10 and (1/128)^10 = 8.5e-22.
  // By (1.17) a network strays by .44: four times this. A layer less is 2.4 lower, or 4.9 higher.
  const double off = 1.8;
  lesson.claim("√(2/n) taken for the variance: ln E[h²] after ten layers",
               after_ten_relus([](double in, double) { return std::sqrt(2 / in); }),
               within(std::log(3.4e10), off));
  lesson.claim("2/n taken for the deviation: ln E[h²] after ten layers",
               after_ten_relus([](double in, double) { return square(2 / in); }),
               within(std::log(8.5e-22), off));
}

}  // namespace lesson1::p6

const Part<Pool> lesson1::part6{
    .number = 6,
    .title = "What the textbook table hides",
    .question = "A constant E[h²] looks healthy: what do inputs and gradients look like?",
    .run = p6::run};
