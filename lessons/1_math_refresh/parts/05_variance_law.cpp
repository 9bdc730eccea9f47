// Lesson 1, part 5: the variance law, for one layer, for fifty, and how much luck a finite width leaves.
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "common/support/parallel.hpp"
#include "common/support/spread.hpp"
#include "lessons/1_math_refresh/model/3_signal.hpp"

namespace lesson1 {
namespace {

// One layer: E[z²] = n·Var W·E[x²]. The inputs have a mean, so that "n·Var W·Var x" would be wrong by a factor 4.
// (1.10)
void one_layer(Lesson& lesson) {
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
  lesson.note("One layer z = x·W, inputs x between 0 and 2, n·Var W = 1/2:");
  lesson.detail(table);
  // The mean of N squares of normal numbers errs by the part √(2/N) of itself.
  lesson.claim("largest relative deviation from the variance law", worst, at_most(4.5 * std::sqrt(2.0 / outputs)));
}

struct Scheme {
  Activation phi;
  const char* variance_text;
  VarianceRule variance;
};

const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all = [] {
    const auto lecun = [](double in, double) { return 1 / in; };
    const auto kaiming = [](double in, double) { return 2 / in; };
    const auto small = [](double in, double) { return 0.25 / in; };
    const auto large = [](double in, double) { return 4 / in; };
    std::vector<Scheme> list;
    for (const Activation& phi : {linear_activation, relu_activation, leaky_relu_activation, tanh_activation,
                                  sigmoid_activation, swish_activation})
      for (const Scheme& scheme : {Scheme{phi, "0.25/n", small}, Scheme{phi, "1/n", lecun}, Scheme{phi, "2/n", kaiming},
                                   Scheme{phi, "4/n", large}})
        list.push_back(scheme);
    return list;
  }();
  return all;
}

constexpr std::size_t width = 256, depth = 50;

// Geometric means over `draws` networks, the same networks for every scheme.
std::vector<Signal> deep_signals(std::uint64_t seed, std::size_t draws, std::size_t batch, Pool& pool) {
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

const Signal& signal_of(const std::vector<Signal>& signals, const char* phi, const char* variance) {
  for (std::size_t s = 0; s < signals.size(); ++s)
    if (std::string(schemes()[s].phi.name) == phi && schemes()[s].variance_text == std::string(variance))
      return signals[s];
  throw std::invalid_argument("no such scheme");
}

plot::Series layers_of(const std::string& name, const std::vector<double>& values) {
  plot::Series line{name, {}, {}};
  for (std::size_t l = 0; l < values.size(); ++l) line.add(double(l), values[l]);
  return line;
}

// What becomes of the signal under one scheme, as a row of the table.
std::vector<std::string> row_of(const Scheme& scheme, const Signal& signal) {
  std::vector<std::string> row{scheme.phi.name, scheme.variance_text};
  for (const std::size_t l : {1u, 10u, 20u, 50u}) row.push_back(significant(signal.forward[l], 2));
  row.push_back(significant(signal.across[depth], 2));
  for (const std::size_t back : {10u, 50u})
    row.push_back(significant(signal.backward[depth - back] / signal.backward[depth], 2));
  return row;
}

void show_fifty_layers(Lesson& lesson, const std::vector<Signal>& signals) {
  const Table empty{{"φ", "Var W", "h² 1", "h² 10", "h² 20", "h² 50", "across", "g² 10", "g² 50"}, {}};
  Table relus = empty, others = empty;
  for (std::size_t s = 0; s < signals.size(); ++s)
    (schemes()[s].phi.value == relu ? relus : others).rows.push_back(row_of(schemes()[s], signals[s]));
  lesson.show(relus);
  lesson.detail(others);
  plot::Chart chart;
  chart.title = "Second moment of the signal through 50 random layers";
  chart.x.title = "layer";
  chart.y = {.title = "E[h²]", .log = true, .low = 1e-20, .high = 1e20};
  chart.series = {layers_of("ReLU 4/n", signal_of(signals, "ReLU", "4/n").forward),
                  layers_of("ReLU 2/n", signal_of(signals, "ReLU", "2/n").forward),
                  layers_of("ReLU 1/n", signal_of(signals, "ReLU", "1/n").forward),
                  layers_of("tanh 1/n", signal_of(signals, "tanh", "1/n").forward),
                  layers_of("sigmoid 1/n", signal_of(signals, "sigmoid", "1/n").forward),
                  layers_of("swish 2/n", signal_of(signals, "swish", "2/n").forward)};
  lesson.picture("variance", chart);
}

// E[h²] behind each of fifty ReLU layers as the gain goes from 1.5 to 2.5, in three small networks whose random numbers
// stay, and what (1.11) says.
plot::Film<plot::Chart> film_of_gains(std::uint64_t seed) {
  constexpr std::size_t networks = 3, small_width = 128, batch = 4;
  const VarianceRule kaiming = [](double in, double) { return 2 / in; };
  // At gain 2; another gain multiplies each layer by gain/2, since relu(s·z) = s·relu(z) for s > 0.
  std::vector<std::vector<double>> moments;
  for (std::size_t k = 0; k < networks; ++k) {
    Random random(seed, 400 + k);
    const auto unit = unit_weights(std::vector<std::size_t>(depth + 1, small_width), random);
    const auto X = normal_matrix<double>(batch, small_width, 1, random);
    moments.push_back(send(unit, relu_activation, kaiming, X, X).forward);
  }
  plot::Film<plot::Chart> film{.parameter = "gain"};
  for (int hundredths = 150; hundredths <= 250; hundredths += 5) {
    const double gain = hundredths / 100.0;
    plot::Chart chart{.title = "Fifty ReLU layers, gain n·Var W = " + fixed(gain, 2),
                      .x = {.title = "layer", .low = 0, .high = double(depth)},
                      .y = {.title = "E[h²]", .log = true, .low = 1e-10, .high = 1e8}};
    for (std::size_t k = 0; k <= networks; ++k) {
      plot::Series line{k < networks ? join("network ", k + 1) : "(1.11)"};
      for (std::size_t l = 0; l <= depth; ++l)
        line.add(double(l), std::pow(gain / 2, double(l)) * (k < networks ? moments[k][l] : 1));
      chart.series.push_back(line);
    }
    film.add(fixed(gain, 2), chart);
  }
  return film;
}

// Mean and standard deviation of a figure that is a matter of luck.
struct Luck {
  double mean, deviation;

  // What the mean of so many independent figures keeps to.
  Bound of(std::size_t count) const { return within(mean, 4.5 * deviation / std::sqrt(double(count))); }
};

// E[h_L²] = (n·Var W/2)^L·E[h_0²] for ReLU   (1.11), on average over W. One network deviates: for Var W = 2/n,
// ln(|h_L|²/|h_0|²) is close to normal.   (1.13) `k` is that of normal weights.
Luck relu_luck(std::size_t layers, std::size_t n, double k = 5) {
  const double part = k * double(layers) / double(n);
  return {-part / 2, std::sqrt(part)};
}

// The means of the 64 inputs' squares share one network's luck as far as they are parallel: behind ReLU nearly all of
// it, so that (1.13) holds of them too; linear layers average most of it out, and a gradient does in part. What is not
// from (1.13) is mean and standard deviation of one network over 300 of them, of 60 seeds.
void claim_levels(Lesson& lesson, const std::vector<Signal>& signals, std::size_t draws) {
  const auto log_moment = [&](const char* phi, const char* variance) {
    return std::log(signal_of(signals, phi, variance).forward[depth]);
  };
  const double level = log_moment("ReLU", "2/n");
  lesson.claim("ln E[h²] at layer 50, linear 1/n: level", log_moment("linear", "1/n"), Luck{-0.03, 0.21}.of(draws));
  lesson.claim("ln E[h²] at layer 50, ReLU 2/n: level", level, relu_luck(depth, width).of(draws));
  const Signal& relu = signal_of(signals, "ReLU", "2/n");
  lesson.claim("ReLU 2/n: ln of the gradient's E[g²] through 50 layers",
               std::log(relu.backward[0] / relu.backward[depth]), Luck{-0.11, 0.49}.of(draws));
  const double halves = double(depth) * std::log(2);  // 1e-12: fifty layers, a few roundings each
  lesson.claim("ReLU 1/n less ReLU 2/n: 50·ln(1/2)", log_moment("ReLU", "1/n") - level, within(-halves, 1e-12));
  lesson.claim("ReLU 4/n less ReLU 2/n: 50·ln 2", log_moment("ReLU", "4/n") - level, within(halves, 1e-12));
}

// Mean and standard deviation of one network over 300 of them, of 60 seeds, beside the theory for infinite width.
void claim_other_activations(Lesson& lesson, const std::vector<Signal>& signals, std::size_t draws) {
  const double limit = predicted_forward(tanh_activation, 1, 1, depth)[depth];
  lesson.claim("tanh 1/n: E[h²] at layer 50 over the infinite-width theory",
               signal_of(signals, "tanh", "1/n").forward[depth] / limit, Luck{0.93, 0.12}.of(draws));
  // q' = q - 2q² leads to 1/(2l); the next terms of tanh's series change it by a few percent at layer 50.
  lesson.claim("theory for tanh 1/n at layer 50, times 2·50", 2 * double(depth) * limit, between(0.9, 1.1));
  const Signal& tanh = signal_of(signals, "tanh", "2/n");
  const double settled = predicted_forward(tanh_activation, 2, 1, depth)[depth];
  lesson.claim("theory for tanh 2/n: E[h²] settles at", settled, within(0.30898, 0.00001));
  lesson.claim("tanh 2/n: E[h²] at layer 50", tanh.forward[depth], Luck{0.3082, 0.0045}.of(draws));
  const auto slope_squared = [](double z) { return tanh_prime(z) * tanh_prime(z); };
  lesson.claim("theory: E[g²] then grows a layer by 2·E[tanh'²]", 2 * gaussian_mean(slope_squared, 2 * settled),
               within(1.10553, 0.00001));
  lesson.claim("tanh 2/n: growth of E[g²] a layer, layers 50 to 10", growth(tanh, depth, 10),
               Luck{1.1077, 0.0036}.of(draws));
  lesson.claim("and over all fifty", growth(tanh, depth, 0), Luck{1.0893, 0.0033}.of(draws));
  // A layer's E[h²] strays by 0.008, which would not tell 0.265 from the 0.25 of a constant 1/2; the mean of forty
  // does.
  lesson.claim("sigmoid 1/n: E[h²], mean of layers 11 to 50, looks healthy",
               mean_over(signal_of(signals, "sigmoid", "1/n").forward, 11, depth), Luck{0.2648, 0.0013}.of(draws));
  // For z near 0.01 swish is z/2 + z²/4, half a percent from z/2; for z near 1000 it is ReLU.
  lesson.claim("swish with 2/n, one layer of theory: a small signal keeps of its E[h²]",
               predicted_forward(swish_activation, 2, 1e-4, 1)[1] / 1e-4, within(0.5, 0.01));
  lesson.claim("and a large one", predicted_forward(swish_activation, 2, 1e6, 1)[1] / 1e6, within(1, 0.01));
  lesson.claim("swish 2/n: ln E[h²] at layer 50", std::log(signal_of(signals, "swish", "2/n").forward[depth]),
               Luck{-31.9, 0.51}.of(draws));
}

void fifty_layers(Lesson& lesson, Pool& pool) {
  const std::size_t draws = lesson.options().quick ? 1 : 5, batch = 64;
  const std::vector<Signal> signals = deep_signals(lesson.options().seed, draws, batch, pool);
  lesson.film("gain", film_of_gains(lesson.options().seed));
  lesson.say("Do signal and gradient live through fifty layers of width ", width, "? ", batch,
             " inputs, geometric means of ", draws, " networks, the same random numbers in every row.");
  lesson.predict("What is left of E[h²] = 1 behind 50 layers of ReLU with Var W = 1/n?",
                 signal_of(signals, "ReLU", "1/n").forward[depth]);
  lesson.say("E[h²] behind 1, 10, 20, 50 layers; the variance across inputs behind 50; E[g²] 10 and 50 layers back:");
  show_fifty_layers(lesson, signals);
  claim_levels(lesson, signals, draws);
  claim_other_activations(lesson, signals, draws);
}

// Beside theory what luck leaves of it, a line each.
void add_row(Table& table, const std::string& what, double expected, const char* source, double found) {
  table.rows.push_back({what, significant(expected), source, significant(found)});
}

// ln(|h_L|²/|h_0|²) of `draws` ReLU networks with Var W = 2/n, each with new weights and one new input.
std::vector<double> log_ratios(std::uint64_t seed, std::size_t n, std::size_t layers, std::size_t draws, Pool& pool) {
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

void finite_width(Lesson& lesson, Pool& pool, Table& luck_found) {
  constexpr std::size_t n = 256, layers = 10;
  const std::size_t draws = lesson.options().quick ? 20 : 100;
  const Spread found = spread_of(log_ratios(lesson.options().seed, n, layers, draws, pool));
  const Luck luck = relu_luck(layers, n);
  lesson.claim("mean of the logarithm", found.mean, luck.of(draws));
  // The standard deviation of N normal numbers errs by the part 1/√(2N) of itself.
  lesson.claim("its standard deviation", found.deviation,
               within(luck.deviation, 4.5 * luck.deviation / std::sqrt(2 * double(draws))));
  add_row(luck_found, "10 layers, mean of ln E[h²]", luck.mean, "(1.13)", found.mean);
  add_row(luck_found, "its standard deviation", luck.deviation, "(1.13)", found.deviation);
}

// ln(|h_L|²/|h_0|²) behind fifty ReLU layers with Var W = 2/n, of three networks made of the same exponential numbers
// ξ. Their weights are ξ - 1, the mirror image 1 - ξ, and one or the other as a coin decides, scaled: only the last are
// symmetric.
std::array<double, 3> log_ratios_of_exponentials(Random random) {
  const auto x = normal_matrix<double>(1, width, 1, random);
  std::array<Matrix<double>, 3> h{x, x, x};
  const double deviation = std::sqrt(2.0 / width);
  for (std::size_t l = 0; l < depth; ++l) {
    Matrix<double> W(width, width), tossed(width, width);
    for (std::size_t k = 0; k < W.size(); ++k) {
      W.values()[k] = deviation * (-std::log(1 - random.uniform()) - 1);
      tossed.values()[k] = random.uniform() < 0.5 ? W.values()[k] : -W.values()[k];
    }
    h = {map(matmul(h[0], W), relu), map(-1.0 * matmul(h[1], W), relu), map(matmul(h[2], tossed), relu)};
  }
  return {std::log(mean_square(h[0]) / mean_square(x)), std::log(mean_square(h[1]) / mean_square(x)),
          std::log(mean_square(h[2]) / mean_square(x))};
}

void symmetric_or_not(Lesson& lesson, Pool& pool, Table& luck_found) {
  const std::size_t draws = lesson.options().quick ? 2 : 8;
  std::vector<std::array<double, 3>> found(draws);
  pool.run(draws, [&](std::size_t draw) {
    found[draw] = log_ratios_of_exponentials(Random(lesson.options().seed, 200 + draw));
  });
  std::array<double, 3> mean{};
  for (const auto& ratios : found)
    for (std::size_t k = 0; k < 3; ++k) mean[k] += ratios[k] / double(draws);
  // Mean and standard deviation of one network over 240, of another stream; of the symmetric ones, (1.13). Tossed
  // weights have the fourth moment 9 of ξ - 1 and not 3: E[z⁴]/E[z²]² is 3 + (9 - 3)·Σh⁴/(Σh²)² = 3 + 6·6/n, and k is
  // twice that less 1.
  const double k = 2 * (3 + 36.0 / width) - 1;
  const Luck skewed{3.10, 1.09}, mirrored{-4.03, 0.97}, tossed = relu_luck(depth, width, k);
  lesson.claim("ln E[h²] at layer 50, ξ - 1", mean[0], skewed.of(draws));
  lesson.claim("ln E[h²] at layer 50, the mirror image 1 - ξ", mean[1], mirrored.of(draws));
  lesson.claim("ln E[h²] at layer 50, signs tossed", mean[2], tossed.of(draws));
  add_row(luck_found, "50 layers, ln E[h²] for weights ξ - 1", skewed.mean, "240 networks", mean[0]);
  add_row(luck_found, "for the mirror image 1 - ξ", mirrored.mean, "240 networks", mean[1]);
  add_row(luck_found, "for signs tossed", tossed.mean, "(1.13)", mean[2]);
}

// What one ReLU layer with Var W = 2/n leaves of E[g²]: nothing is lost of a g whose numbers have mean 0 and are
// uncorrelated. A g of ones meets w·φ'(z), whose mean is not 0.
void backward_needs_a_mean_of_0(Lesson& lesson, Table& luck_found) {
  constexpr std::size_t draws = 16, batch = 64;
  const VarianceRule kaiming = [](double in, double) { return 2 / in; };
  double normal = 0, ones = 0;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    Random random(lesson.options().seed, 300 + draw);
    const auto unit = unit_weights({width, width}, random);
    const auto X = normal_matrix<double>(batch, width, 1, random), G = normal_matrix<double>(batch, width, 1, random);
    normal += growth(send(unit, relu_activation, kaiming, X, G), 1, 0) / draws;
    const Matrix<double> one = map(G, [](double) { return 1.0; });
    ones += growth(send(unit, relu_activation, kaiming, X, one), 1, 0) / draws;
  }
  // The standard deviations of one network over 300.
  lesson.claim("E[g²] grows by, for a g from N(0, 1)", normal, Luck{1, 0.0177}.of(draws));
  const Luck of_ones{1 + (1 - 1.0 / width) / std::numbers::pi, 0.0474};
  lesson.claim("and for a g of ones, by 1 + (1 - 1/n)/π", ones, of_ones.of(draws));
  add_row(luck_found, "a layer back, E[g²] for g from N(0, 1)", 1, "formula", normal);
  add_row(luck_found, "for a g of ones", of_ones.mean, "formula", ones);
}

}  // namespace

void part5(Lesson& lesson, Pool& pool) {
  one_layer(lesson);
  fifty_layers(lesson, pool);
  lesson.say("Which g and which weights keep the variance law (ReLU, 2/n), and what is luck?");
  Table luck_found{{"what", "expected", "from", "found"}, {}};
  backward_needs_a_mean_of_0(lesson, luck_found);
  symmetric_or_not(lesson, pool, luck_found);
  finite_width(lesson, pool, luck_found);
  lesson.show(luck_found);
}

}  // namespace lesson1
