// Lesson 1, part 6: a constant second moment is not enough.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/lesson.hpp"

namespace lesson1::p6 {

static double square(double x) { return x * x; }

template <class Rule>
static Signal sent(const Activation& phi, Rule variance, std::size_t layers, std::size_t units,
                   Random random) {
  const auto W =
      scaled(unit_weights(std::vector<std::size_t>(layers + 1, units), random), variance);
  const auto X = normal_matrix<double>(64, units, 1, random);
  return send(W, phi, X, normal_matrix<double>(64, units, 1, random));
}

// Linear layers of 512 and 128 units in turn: forward they ask for 1/n_in, backward for 1/n_out
// (1.17). Which rule keeps which?
static void unequal_layers(Lesson& lesson) {
  constexpr std::size_t depth = 10, wide = 512, narrow = 128;
  std::vector<std::size_t> widths;
  for (std::size_t l = 0; l <= depth; ++l) widths.push_back(l % 2 == 0 ? wide : narrow);
  const auto sent_by = [&](const Rule& rule) {
    Random random(lesson.options().seed, 62);
    const auto W = scaled(unit_weights(widths, random), rule.variance);
    const auto X = normal_matrix<double>(64, wide, 1, random);
    return send(W, linear_activation, X, normal_matrix<double>(64, wide, 1, random));
  };
  Table table{{"rule", "Var W", "E[h²] after 10", "E[g²] 10 back", "E[g²] 1 back"}, {}};
  std::array<double, 2> forward{}, backward{}, one_back{};
  for (std::size_t k = 0; k < 2; ++k) {  // Kaiming's is for ReLU
    const Signal s = sent_by(rules[k]);
    forward[k] = s.forward[depth] / s.forward[0];
    backward[k] = s.backward[0] / s.backward[depth];
    one_back[k] = s.backward[depth - 1] / s.backward[depth];
    table.rows.push_back({rules[k].name, rules[k].formula, significant(forward[k], 2),
                          significant(backward[k], 2), significant(one_back[k], 2)});
  }
  lesson.say("Linear layers of ", wide, " and ", narrow, " units in turn:");
  lesson.show(table);
  // One input's logarithm strays by √(Σ 2/n_out) = .31, that of the mean over 64 of them by .06.
  const Bound five_pairs = within(5 * std::log(0.64), 4.5 * 0.06);
  lesson.claim("Xavier, forward: ln of what ten layers leave, 5·ln .64", std::log(forward[1]),
               five_pairs);
  lesson.claim("Xavier, backward: the same", std::log(backward[1]), five_pairs);
  lesson.claim("LeCun, forward: ln of what ten layers leave", std::log(forward[0]),
               within(0, 4.5 * 0.06));
  lesson.claim("LeCun, one layer back from 512 to 128: n_out/n_in", one_back[0], within(4, 0.5));
}

static void run(Lesson& lesson, Pool&, const knob::Settings&) {
  constexpr std::size_t depth = 50;
  const std::uint64_t seed = lesson.options().seed;
  const auto one_over = [](double in, double) { return 1 / in; };
  const Signal signal = sent(sigmoid_activation, one_over, depth, 128, Random(seed, 61));
  lesson.say("Sigmoid, ", depth, " layers, Var W = 1/n: E[h²] is ", signal.forward.back(),
             " at the end, the variance across 64 inputs ", signal.across.back(),
             ", and of the gradient's E[g²] ", signal.backward.front() / signal.backward.back(),
             " arrives at them.");
  // A constant 1/2 would have 0.25, and a layer of 128 units strays by 4 %.
  lesson.claim("sigmoid, 1/n: E[h²] after 50 layers looks healthy", signal.forward.back(),
               between(0.2, 0.35));
  // The mean of 64 numbers near 1/2 errs by at most 16ε, and each number by a few more.
  lesson.claim("its variance across inputs after 50 layers", signal.across.back(),
               at_most(square(20 * std::numeric_limits<double>::epsilon())));
  // 1/16 is the square of σ's largest slope.
  lesson.claim("what a layer leaves of its E[g²], a sixteenth at most",
               std::pow(signal.backward[0] / signal.backward[depth], 1 / double(depth)),
               between(0.05, 1.0 / 16));
  const double moment = gaussian_mean([](double z) { return square(relu(z)); }, 1);
  const double mean = gaussian_mean(relu, 1);
  // At a corner trapezoids of width .01 err by .01²/12 times the density there.
  lesson.claim("variance of relu(z), z from N(0, 1)", moment - mean * mean,
               within(0.5 - 1 / (2 * std::numbers::pi), 1e-5));
  unequal_layers(lesson);
  const auto after_ten_relus = [&](auto of) {
    return std::log(sent(relu_activation, of, 10, 256, Random(seed, 63)).forward[10]);
  };
  // 11.31^10 = 3.4e10 and (1/128)^10 = 8.5e-22.
  const double off = 4.5 * std::sqrt(log_moment_variance(10, 256));
  lesson.claim("√(2/n) taken for the variance: ln E[h²] after ten layers",
               after_ten_relus([](double in, double) { return std::sqrt(2 / in); }),
               within(std::log(3.4e10), off));
  lesson.claim("2/n taken for the deviation: the same",
               after_ten_relus([](double in, double) { return square(2 / in); }),
               within(std::log(8.5e-22), off));
}

}  // namespace lesson1::p6

const Part<Pool> lesson1::part6{
    .number = 6,
    .title = "What the textbook table hides",
    .question = "A constant E[h²] looks healthy: what do inputs and gradients look like?",
    .run = p6::run};
