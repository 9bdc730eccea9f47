// Lesson 1, part 5: the variance law, for one layer, for fifty, and how much luck a finite width leaves.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "common/support/parallel.hpp"
#include "lessons/1_math_refresh/signal.hpp"

// One layer: E[z²] = n·Var W·E[x²]. The inputs have a mean, so that "n·Var W·Var x" would be wrong by a factor 4.   (1.10)
inline void one_layer(Lesson& lesson) {
  constexpr std::size_t outputs = 4000;
  Random random(lesson.options().seed);
  Table table{{"n", "Var W", "predicted", "measured", "n·Var W·Var x"}, {}};
  double worst = 0;
  for (const std::size_t n : {16u, 64u, 256u, 1024u}) {
    Matrix<double> x(1, n);
    for (double& value : x.values()) value = random.uniform(0, 2);  // E[x] = 1, E[x²] = 4/3, Var x = 1/3
    const double variance = 0.5 / double(n), predicted = double(n) * variance * mean_square(x);
    const double measured = mean_square(matmul(x, normal_matrix<double>(n, outputs, std::sqrt(variance), random)));
    worst = std::max(worst, std::abs(measured / predicted - 1));
    const double mean = column_sums(Matrix<double>(transpose(x)))(0, 0) / double(n);
    table.rows.push_back({std::to_string(n), significant(variance, 3), fixed(predicted, 4), fixed(measured, 4),
                          fixed(double(n) * variance * (mean_square(x) - mean * mean), 4)});
  }
  lesson.say(
      "One layer z = x·W, entries of W independent with mean 0. The law says E[z²] = n·Var W·E[x²]. The inputs ",
      "here lie between 0 and 2, so their second moment 4/3 is four times their variance 1/3. With n·Var W = 1/2 both ",
      "columns on the left tend to 2/3, the last to 1/6; predicted is computed from the n inputs that were drawn.");
  lesson.show(table);
  // The mean of 4,000 squares of normal numbers errs by √(2/4000) = 0.022; the largest of four, at 4 of those.
  lesson.claim("largest relative deviation from the law", worst, at_most(0.09));
}

struct Scheme {
  Activation phi;
  const char* variance_text;
  VarianceRule variance;
};

inline const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all = [] {
    const auto lecun = [](double in, double) { return 1 / in; };
    const auto kaiming = [](double in, double) { return 2 / in; };
    const auto small = [](double in, double) { return 0.25 / in; };
    const auto large = [](double in, double) { return 4 / in; };
    std::vector<Scheme> list;
    for (const Activation& phi :
         {linear_activation, relu_activation, tanh_activation, sigmoid_activation, swish_activation})
      for (const Scheme& scheme : {Scheme{phi, "0.25/n", small}, Scheme{phi, "1/n", lecun}, Scheme{phi, "2/n", kaiming},
                                   Scheme{phi, "4/n", large}})
        list.push_back(scheme);
    return list;
  }();
  return all;
}

constexpr std::size_t width = 256, depth = 50;

// Geometric means over `draws` networks, the same networks for every scheme.
inline std::vector<Signal> deep_signals(std::uint64_t seed, std::size_t draws, std::size_t batch, Pool& pool) {
  std::vector<std::vector<Signal>> found(draws);
  pool.run(draws, [&](std::size_t draw) {
    Random random(seed, 100 + draw);
    const auto unit = unit_weights(std::vector<std::size_t>(depth + 1, width), random);
    const auto X = normal_matrix<double>(batch, width, 1, random), G = normal_matrix<double>(batch, width, 1, random);
    for (const Scheme& s : schemes()) found[draw].push_back(send(unit, s.phi, s.variance, X, G));
  });
  std::vector<Signal> means = found[0];
  const auto geometric = [&](std::vector<double> Signal::*line, std::size_t scheme) {
    for (std::size_t l = 0; l <= depth; ++l) {
      double logarithms = 0;
      for (const auto& draw : found) logarithms += std::log((draw[scheme].*line)[l]);
      (means[scheme].*line)[l] = std::exp(logarithms / double(draws));
    }
  };
  for (std::size_t s = 0; s < means.size(); ++s)
    for (const auto line : {&Signal::forward, &Signal::across, &Signal::backward}) geometric(line, s);
  return means;
}

inline const Signal& signal_of(const std::vector<Signal>& signals, const char* phi, const char* variance) {
  for (std::size_t s = 0; s < signals.size(); ++s)
    if (std::string(schemes()[s].phi.name) == phi && schemes()[s].variance_text == std::string(variance))
      return signals[s];
  throw std::invalid_argument("no such scheme");
}

inline plot::Series layers_of(const std::string& name, const std::vector<double>& values) {
  plot::Series line{name, {}, {}};
  for (std::size_t l = 0; l < values.size(); ++l) line.x.push_back(double(l)), line.y.push_back(values[l]);
  return line;
}

inline void show_fifty_layers(Lesson& lesson, const std::vector<Signal>& signals) {
  Table table{{"φ", "Var W", "h² 1", "h² 10", "h² 20", "h² 50", "across", "g² 10", "g² 50"}, {}};
  for (std::size_t s = 0; s < signals.size(); ++s) {
    const Signal& signal = signals[s];
    std::vector<std::string> row{schemes()[s].phi.name, schemes()[s].variance_text};
    for (const std::size_t l : {1u, 10u, 20u, 50u}) row.push_back(significant(signal.forward[l], 2));
    row.push_back(significant(signal.across[depth], 2));
    for (const std::size_t back : {10u, 50u})
      row.push_back(significant(signal.backward[depth - back] / signal.backward[depth], 2));
    table.rows.push_back(row);
  }
  lesson.show(table);
  plot::Chart chart;
  chart.title = "Second moment of the signal through 50 random layers";
  chart.x.title = "layer";
  chart.y = {"E[h²]", true, 1e-20, 1e20};
  chart.series = {layers_of("ReLU 4/n", signal_of(signals, "ReLU", "4/n").forward),
                  layers_of("ReLU 2/n", signal_of(signals, "ReLU", "2/n").forward),
                  layers_of("ReLU 1/n", signal_of(signals, "ReLU", "1/n").forward),
                  layers_of("tanh 1/n", signal_of(signals, "tanh", "1/n").forward),
                  layers_of("sigmoid 1/n", signal_of(signals, "sigmoid", "1/n").forward),
                  layers_of("swish 2/n", signal_of(signals, "swish", "2/n").forward)};
  lesson.picture("variance", chart);
}

// E[h_L²] = gain^L·E[h_0²] for ReLU with gain = n·Var W/2   (1.11), on average over W. One network deviates:
// log(E[h_L²]/E[h_0²]) is close to normal with mean L·log(gain) - k·L/2n and variance k·L/n, k = 2 linear, 5 ReLU.   (1.13)
// That is the first order in L/n; over 20 seeds the mean of 5 draws has a spread of 0.51 and not 0.44, so 5 standard errors.
inline void claim_log_moment(Lesson& lesson, const std::string& what, double moment, double gain, double k,
                             std::size_t draws) {
  const double L = double(depth), n = double(width);
  lesson.claim("ln E[h²] at layer 50, " + what, std::log(moment),
               within(L * std::log(gain) - k * L / (2 * n), 5 * std::sqrt(k * L / n / double(draws))));
}

inline void fifty_layers(Lesson& lesson, Pool& pool) {
  const std::size_t draws = lesson.options().quick ? 2 : 5, batch = lesson.options().quick ? 8 : 64;
  const std::vector<Signal> signals = deep_signals(lesson.options().seed, draws, batch, pool);
  const auto at_end = [&](const char* phi, const char* variance) {
    return signal_of(signals, phi, variance).forward[depth];
  };
  const auto back = [&](const char* phi, const char* variance) {
    const std::vector<double>& g = signal_of(signals, phi, variance).backward;
    return g[0] / g[depth];
  };
  lesson.say("Fifty layers of width ", width, ", ", batch, " inputs from N(0, 1), geometric means of ", draws,
             " networks. The same random numbers serve every row; only the scale and φ differ. Predict each ReLU row ",
             "first: every layer multiplies E[h²] by n·Var W/2.");
  lesson.say(
      "Columns: E[h²] after 1, 10, 20, 50 layers; the variance across inputs after 50; how E[g²] of the gradient ",
      "has changed 10 and 50 layers back.");
  show_fifty_layers(lesson, signals);
  // 64 inputs share the weights but not the luck, so for linear layers most of it averages out: -0.03 ± 0.09 over 20 seeds
  // with 5 draws. ReLU makes the inputs parallel, and they share the luck too.
  lesson.claim("ln E[h²] at layer 50, linear 1/n: level", std::log(at_end("linear", "1/n")), within(0, 0.6));
  claim_log_moment(lesson, "ReLU 1/n: 50·ln(1/2)", at_end("ReLU", "1/n"), 0.5, 5, draws);
  claim_log_moment(lesson, "ReLU 2/n: level", at_end("ReLU", "2/n"), 1, 5, draws);
  claim_log_moment(lesson, "ReLU 4/n: 50·ln 2", at_end("ReLU", "4/n"), 2, 5, draws);
  lesson.say("tanh with 1/n is critical: it decays like 1/(2L), not exponentially. tanh with 2/n settles, while its ",
             "gradient grows by a factor of about 1.1 a layer. swish has no stable scale: small signals see z/2.");
  // Mean and spread over 20 seeds: 0.93 ± 0.05 of the theory; 0.308 ± 0.002; 1.09 ± 0.003; 0.2645 ± 0.0034.
  const double limit = predicted_forward(tanh_activation, 1, 1, depth)[depth];
  lesson.claim("tanh 1/n: E[h²] at layer 50 over the infinite-width theory", at_end("tanh", "1/n") / limit,
               between(0.5, 2));
  // q' = q - 2q² leads to 1/(2l); the next terms of tanh's series change it by a few percent at layer 50.
  lesson.claim("theory for tanh 1/n at layer 50, times 2·50", 2 * double(depth) * limit, between(0.9, 1.1));
  lesson.claim("tanh 2/n settles near", at_end("tanh", "2/n"), within(0.308, 0.02));
  lesson.claim("tanh 2/n: growth of E[g²] a layer", std::pow(back("tanh", "2/n"), 1.0 / depth), within(1.09, 0.05));
  lesson.claim("sigmoid 1/n: E[h²] at layer 50 looks healthy", at_end("sigmoid", "1/n"), within(0.265, 0.04));
  lesson.claim("swish with 2/n, one layer of theory: a small signal keeps of its E[h²]",
               predicted_forward(swish_activation, 2, 1e-4, 1)[1] / 1e-4, within(0.5, 0.01));
  lesson.claim("and a large one", predicted_forward(swish_activation, 2, 1e6, 1)[1] / 1e6, within(1, 0.01));
  lesson.claim("swish 2/n: E[h²] at layer 50", at_end("swish", "2/n"), at_most(1e-10));
  lesson.claim("ReLU 2/n: ln of the gradient's E[g²] through 50 layers", std::log(back("ReLU", "2/n")),
               within(-5.0 * depth / (2 * width), 5 * std::sqrt(5.0 * depth / width / double(draws))));
}

// ln(|h_L|²/|h_0|²) of `draws` ReLU networks with Var W = 2/n, each with new weights and one new input.
inline std::vector<double> log_ratios(std::uint64_t seed, std::size_t n, std::size_t layers, std::size_t draws,
                                      Pool& pool) {
  std::vector<double> ratios(draws);
  pool.run(draws, [&](std::size_t draw) {
    Random random(seed, 1000 + draw);
    Matrix<double> h = normal_matrix<double>(1, n, 1, random);
    const double start = mean_square(h);
    for (std::size_t l = 0; l < layers; ++l)
      h = map(matmul(h, normal_matrix<double>(n, n, std::sqrt(2 / double(n)), random)), relu);
    ratios[draw] = std::log(mean_square(h) / start);
  });
  return ratios;
}

inline void finite_width(Lesson& lesson, Pool& pool) {
  constexpr std::size_t n = 256, layers = 10;
  const std::size_t draws = lesson.options().quick ? 20 : 100;
  const double count = double(draws), theory = std::sqrt(5.0 * layers / n);
  const std::vector<double> ratios = log_ratios(lesson.options().seed, n, layers, draws, pool);
  double mean = 0, squares = 0;
  for (const double r : ratios) mean += r / count, squares += r * r / count;
  const double deviation = std::sqrt((squares - mean * mean) * count / (count - 1));
  lesson.say(
      "The law holds on average. One network of width n deviates: ln(E[h_L²]/E[h_0²]) is spread around -5L/(2n) with ",
      "standard deviation √(5L/n). For n = 256 and 10 ReLU layers that is -0.098 and 0.44. ", draws, " networks:");
  // Four standard errors: of a mean theory/√count, of a standard deviation theory/√(2·count).
  lesson.claim("mean of the logarithm", mean, within(-5.0 * layers / (2 * n), 4 * theory / std::sqrt(count)));
  lesson.claim("its standard deviation", deviation, within(theory, 4 * theory / std::sqrt(2 * count)));
}

inline void part5(Lesson& lesson, Pool& pool) {
  one_layer(lesson);
  fifty_layers(lesson, pool);
  finite_width(lesson, pool);
}
