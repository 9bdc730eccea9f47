// Lesson 1, part 5: the variance law through fifty layers, and how much luck a finite width leaves. Gain, depth, width,
// inputs and activation of a network can be turned.
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "common/support/part.hpp"
#include "common/support/spread.hpp"
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

constexpr knob::Real gain{"gain", "n·Var W of every layer", 2, {0.1, 5, 0.05}};
constexpr knob::Whole depth{"depth", "layers", 50, {1, 200, 1}};
constexpr knob::Whole width{"width", "numbers in each hidden layer", 128, {4, 256, 4}};
constexpr knob::Whole inputs{"input", "numbers that come in", 128, {1, 256, 1}};
constexpr knob::Choice activation{"activation", "φ", {"relu", "leaky", "sigmoid", "tanh", "swish", "linear"}};
static_assert(activation.choices.count == activations.size());

constexpr std::size_t layers = 50, units = 256;  // of the table

static auto of_gain(double n_times_variance) {
  return [=](double in, double) { return n_times_variance / in; };
}

// One network at the knobs, beside theory for infinite width. Each layer's gain is that of the knob, whatever its
// fan-in.
static void scene(Lesson& lesson, Pool&, const knob::Settings& at) {
  constexpr std::size_t batch = 8;
  const Activation& phi = activations[at[activation]];
  Random random(lesson.options().seed, 500);
  std::vector<std::size_t> widths(at[depth] + 1, at[width]);
  widths[0] = at[inputs];
  const auto W = scaled(unit_weights(widths, random), of_gain(at[gain]));
  const auto X = normal_matrix<double>(batch, at[inputs], 1, random),
             G = normal_matrix<double>(batch, at[width], 1, random);
  const Signal signal = send(W, phi, X, G);
  const std::vector<double> theory = predicted_forward(phi, at[gain], signal.forward[0], at[depth]);
  lesson.picture("signal",
                 plot::Chart{.title = join("Second moment through ", at[depth], " layers, gain ", at[gain]),
                             .x = {.title = "layer"},
                             .y = {.title = "E[h²], E[g²]", .log = true, .low = 1e-20, .high = 1e20},
                             .series = {plot::line("E[h²]", signal.forward), plot::line("theory (1.12)", theory),
                                        plot::line("E[g²], on its way back", signal.backward)}});
  lesson.say("Behind layer ", at[depth], " E[h²] is ", signal.forward.back(), ", and theory says ", theory.back(),
             " for infinite width; of E[g²] = 1 there ", signal.backward[0] / signal.backward.back(),
             " arrives at the inputs.");
}

// A row of the table.
struct Scheme {
  Activation phi;
  double gain;

  std::string variance() const { return significant(gain) + "/n"; }
  std::string name() const { return join(phi.name, " ", variance()); }
};

const Scheme schemes[] = {{linear_activation, 1}, {relu_activation, 0.25}, {relu_activation, 1},
                          {relu_activation, 2},   {relu_activation, 4},    {tanh_activation, 1},
                          {tanh_activation, 2},   {sigmoid_activation, 1}, {swish_activation, 2}};

// Geometric means over `draws` networks, the same networks for every scheme, by its name.
static std::map<std::string, Signal> deep_signals(std::uint64_t seed, std::size_t draws, std::size_t batch,
                                                  Pool& pool) {
  std::vector<std::map<std::string, Signal>> found(draws);
  pool.run(draws, [&](std::size_t draw) {
    Random random(seed, 100 + draw);
    const auto unit = unit_weights(std::vector<std::size_t>(layers + 1, units), random);
    const auto X = normal_matrix<double>(batch, units, 1, random), G = normal_matrix<double>(batch, units, 1, random);
    for (const Scheme& s : schemes) found[draw][s.name()] = send(scaled(unit, of_gain(s.gain)), s.phi, X, G);
  });
  std::map<std::string, Signal> means = found[0];
  for (auto& [name, signal] : means)
    for (const auto line : {&Signal::forward, &Signal::across, &Signal::backward})
      for (std::size_t l = 0; l <= layers; ++l) {
        double logarithms = 0;
        for (const auto& draw : found) logarithms += std::log((draw.at(name).*line)[l]);
        (signal.*line)[l] = std::exp(logarithms / double(draws));
      }
  return means;
}

static void show_fifty_layers(Lesson& lesson, const std::map<std::string, Signal>& signals) {
  Table table{{"φ", "Var W", "h² 1", "h² 10", "h² 20", "h² 50", "across", "g² 10", "g² 50"}, {}};
  for (const Scheme& scheme : schemes) {
    const Signal& signal = signals.at(scheme.name());
    std::vector<std::string> row{scheme.phi.name, scheme.variance()};
    for (const std::size_t l : {1u, 10u, 20u, 50u}) row.push_back(significant(signal.forward[l], 2));
    row.push_back(significant(signal.across[layers], 2));
    for (const std::size_t back : {10u, 50u})
      row.push_back(significant(signal.backward[layers - back] / signal.backward[layers], 2));
    table.rows.push_back(row);
  }
  lesson.show(table);
  plot::Chart chart{.title = "Second moment of the signal through 50 random layers",
                    .x = {.title = "layer"},
                    .y = {.title = "E[h²]", .log = true, .low = 1e-20, .high = 1e20}};
  for (const char* name : {"ReLU 4/n", "ReLU 2/n", "ReLU 1/n", "tanh 1/n", "sigmoid 1/n", "swish 2/n"})
    chart.series.push_back(plot::line(name, signals.at(name).forward));
  lesson.picture("variance", chart);
}

// E[h²] behind each of fifty ReLU layers as the gain goes from 1.5 to 2.5, in three small networks whose random numbers
// stay, and what (1.11) says.
static plot::Film<plot::Chart> film_of_gains(std::uint64_t seed) {
  constexpr std::size_t networks = 3, small_width = 128, batch = 4;
  // At gain 2; another gain multiplies each layer by gain/2, since relu(s·z) = s·relu(z) for s > 0.
  std::vector<std::vector<double>> moments;
  for (std::size_t k = 0; k < networks; ++k) {
    Random random(seed, 400 + k);
    const auto unit = unit_weights(std::vector<std::size_t>(layers + 1, small_width), random);
    const auto X = normal_matrix<double>(batch, small_width, 1, random);
    moments.push_back(send(scaled(unit, of_gain(2)), relu_activation, X, X).forward);
  }
  moments.push_back(std::vector<double>(layers + 1, 1));
  plot::Film<plot::Chart> film{.parameter = "gain"};
  for (int hundredths = 150; hundredths <= 250; hundredths += 5) {
    const double at = hundredths / 100.0;
    plot::Chart chart{.title = "Fifty ReLU layers, gain n·Var W = " + fixed(at, 2),
                      .x = {.title = "layer", .low = 0, .high = double(layers)},
                      .y = {.title = "E[h²]", .log = true, .low = 1e-10, .high = 1e8}};
    for (std::size_t k = 0; k <= networks; ++k) {
      plot::Series line{k < networks ? join("network ", k + 1) : "(1.11)"};
      for (std::size_t l = 0; l <= layers; ++l) line.add(double(l), std::pow(at / 2, double(l)) * moments[k][l]);
      chart.series.push_back(line);
    }
    film.add(fixed(at, 2), chart);
  }
  return film;
}

// Mean and standard deviation of ln(|h_L|²/|h_0|²) in one network.
struct Luck {
  double mean, deviation;

  // What the mean over so many independent networks keeps to.
  Bound of(std::size_t count) const { return within(mean, 4.5 * deviation / std::sqrt(double(count))); }
};

// E[h_L²] = (n·Var W/2)^L·E[h_0²] for ReLU   (1.11), on average over W. One network deviates: for Var W = 2/n,
// ln(|h_L|²/|h_0|²) is close to normal.   (1.13) `kappa` is that of normal weights.
static Luck luck_of(std::size_t depth_of_it, std::size_t n, double kappa = 5) {
  const double part = kappa * double(depth_of_it) / double(n);
  return {-part / 2, std::sqrt(part)};
}

static void fifty_layers(Lesson& lesson, Pool& pool) {
  const std::size_t draws = lesson.options().quick ? 1 : 5, batch = 64;
  const std::map<std::string, Signal> signals = deep_signals(lesson.options().seed, draws, batch, pool);
  const auto last = [&](const char* name) { return signals.at(name).forward[layers]; };
  lesson.film("gain", film_of_gains(lesson.options().seed));
  lesson.say("Do signal and gradient live through fifty layers of width ", units, "? ", batch,
             " inputs, geometric means of ", draws, " networks, the same random numbers in every row.");
  lesson.predict("What is left of E[h²] = 1 behind 50 layers of ReLU with Var W = 1/n?", last("ReLU 1/n"));
  lesson.say("E[h²] behind 1, 10, 20, 50 layers; the variance across inputs behind 50; E[g²] 10 and 50 layers back:");
  show_fifty_layers(lesson, signals);
  // The means of the 64 inputs' squares share one network's luck, since behind ReLU they are nearly parallel. What
  // linear layers and a gradient have of it is less.
  const double level = std::log(last("ReLU 2/n"));
  const Luck luck = luck_of(layers, units);
  lesson.claim("ln E[h²] at layer 50, linear 1/n: level", std::log(last("linear 1/n")),
               luck_of(layers, units, 2).of(draws));
  lesson.claim("ln E[h²] at layer 50, ReLU 2/n: level", level, luck.of(draws));
  const std::vector<double>& back = signals.at("ReLU 2/n").backward;
  lesson.claim("ReLU 2/n: ln of the gradient's E[g²] through 50 layers: level", std::log(back[0] / back[layers]),
               luck.of(draws));
  const double halves = double(layers) * std::log(2);  // 1e-12: fifty layers, a few roundings each
  lesson.claim("ReLU 1/n less ReLU 2/n: 50·ln(1/2)", std::log(last("ReLU 1/n")) - level, within(-halves, 1e-12));
  lesson.claim("ReLU 4/n less ReLU 2/n: 50·ln 2", std::log(last("ReLU 4/n")) - level, within(halves, 1e-12));

  const double power = predicted_forward(tanh_activation, 1, 1, layers)[layers];
  // q' = q - 2q² leads to 1/(2l); the next terms of tanh's series change it by a few percent at layer 50.
  lesson.claim("theory for tanh 1/n at layer 50, times 2·50", 2 * double(layers) * power, between(0.9, 1.1));
  // A power of l and not an exponential: fifty halvings would leave 1e-15.
  lesson.claim("tanh 1/n: E[h²] at layer 50 over that theory", last("tanh 1/n") / power, between(0.5, 2));
  const double settled = predicted_forward(tanh_activation, 2, 1, layers)[layers];
  const auto slope_squared = [](double z) { return tanh_prime(z) * tanh_prime(z); };
  lesson.claim("theory for tanh 2/n: E[h²] settles at", settled, within(0.309, 0.0005));
  lesson.claim("theory: E[g²] then grows a layer by 2·E[tanh'²]", 2 * gaussian_mean(slope_squared, 2 * settled),
               within(1.106, 0.0005));
  lesson.claim("tanh 2/n: growth of E[g²] a layer, over all fifty", signals.at("tanh 2/n").growth(layers, 0),
               between(1, 1.106));  // less than theory: where M is still large, less gets through
  // For z near 0.01 swish is z/2 + z²/4, half a percent from z/2; for z near 1000 it is ReLU.
  lesson.claim("swish with 2/n, one layer of theory: a small signal keeps of its E[h²]",
               predicted_forward(swish_activation, 2, 1e-4, 1)[1] / 1e-4, within(0.5, 0.01));
  lesson.claim("and a large one", predicted_forward(swish_activation, 2, 1e6, 1)[1] / 1e6, within(1, 0.01));
}

// Beside theory what luck leaves of it, a line each.
static void add_row(Table& table, const std::string& what, double expected, double found) {
  table.rows.push_back({what, significant(expected), significant(found)});
}

// What one ReLU layer with Var W = 2/n leaves of E[g²]: nothing is lost of a g whose numbers have mean 0 and are
// uncorrelated. A g of ones meets w·φ'(z), whose mean is not 0.
static void backward_needs_a_mean_of_0(Lesson& lesson, Table& found) {
  constexpr std::size_t draws = 16, batch = 64;
  double normal = 0, ones = 0;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    Random random(lesson.options().seed, 300 + draw);
    const auto W = scaled(unit_weights({units, units}, random), of_gain(2));
    const auto X = normal_matrix<double>(batch, units, 1, random), G = normal_matrix<double>(batch, units, 1, random);
    normal += send(W, relu_activation, X, G).growth(1, 0) / draws;
    ones += send(W, relu_activation, X, Matrix<double>(batch, units, 1)).growth(1, 0) / draws;
  }
  // Told apart by a third of what the ones add.
  const double added = (1 - 1.0 / units) / std::numbers::pi;
  lesson.claim("E[g²] grows by, for a g from N(0, 1)", normal, within(1, added / 3));
  lesson.claim("and for a g of ones, by 1 + (1 - 1/n)/π", ones, within(1 + added, added / 3));
  add_row(found, "a layer back, E[g²] for g from N(0, 1)", 1, normal);
  add_row(found, "for a g of ones", 1 + added, ones);
}

// ln(|h_L|²/|h_0|²) behind fifty ReLU layers with Var W = 2/n, of three networks made of the same exponential numbers
// ξ. Their weights are ξ - 1, the mirror image 1 - ξ, and one or the other as a coin decides, scaled: only the last are
// symmetric.
static std::array<double, 3> log_ratios_of_exponentials(Random random) {
  const auto x = normal_matrix<double>(1, units, 1, random);
  std::array<Matrix<double>, 3> h{x, x, x};
  const double deviation = std::sqrt(2.0 / units);
  for (std::size_t l = 0; l < layers; ++l) {
    Matrix<double> W(units, units), tossed(units, units);
    for (std::size_t k = 0; k < W.size(); ++k) {
      W.values()[k] = deviation * (-std::log(1 - random.uniform()) - 1);
      tossed.values()[k] = random.uniform() < 0.5 ? W.values()[k] : -W.values()[k];
    }
    h = {map(matmul(h[0], W), relu), map(-1.0 * matmul(h[1], W), relu), map(matmul(h[2], tossed), relu)};
  }
  std::array<double, 3> ratios;
  for (std::size_t k = 0; k < 3; ++k) ratios[k] = std::log(mean_square(h[k]) / mean_square(x));
  return ratios;
}

static void symmetric_or_not(Lesson& lesson, Pool& pool, Table& table) {
  const std::size_t draws = lesson.options().quick ? 2 : 8;
  std::vector<std::array<double, 3>> found(draws);
  pool.run(draws, [&](std::size_t draw) {
    found[draw] = log_ratios_of_exponentials(Random(lesson.options().seed, 200 + draw));
  });
  std::array<double, 3> mean{};
  for (const auto& ratios : found)
    for (std::size_t k = 0; k < 3; ++k) mean[k] += ratios[k] / double(draws);
  // Tossed weights have the fourth moment 9 of ξ - 1 and not 3: E[z⁴]/E[z²]² is 3 + (9 - 3)·Σh⁴/(Σh²)² = 3 + 6·6/n, and
  // κ is twice that less 1. The other two leave it upwards and downwards.
  const Luck tossed = luck_of(layers, units, 2 * (3 + 36.0 / units) - 1);
  lesson.claim("ln E[h²] at layer 50, signs tossed", mean[2], tossed.of(draws));
  lesson.claim("ln E[h²] at layer 50, ξ - 1: more", mean[0], at_least(0));
  lesson.claim("ln E[h²] at layer 50, the mirror image 1 - ξ: less", mean[1], at_most(-1));
  add_row(table, "50 layers, ln E[h²] for signs tossed (1.13)", tossed.mean, mean[2]);
  // To first order in the skewness γ that a sum of n keeps, ReLU lets 1/2 ± γ/(3·√(2π)) of E[z²] through.
  const double skewness = 2 * 2.26 / std::sqrt(units), more = 2 * skewness / (3 * std::sqrt(2 * std::numbers::pi));
  const double of_luck = luck_of(layers, units).mean;
  add_row(table, "for weights ξ - 1, to first order", layers * std::log1p(more) + of_luck, mean[0]);
  add_row(table, "for the mirror image 1 - ξ", layers * std::log1p(-more) + of_luck, mean[1]);
}

// ln(|h_L|²/|h_0|²) of ReLU networks with Var W = 2/n, each with new weights and one new input.
static void finite_width(Lesson& lesson, Pool& pool, Table& table) {
  constexpr std::size_t shallow = 10;
  const std::size_t draws = lesson.options().quick ? 20 : 100;
  std::vector<double> ratios(draws);
  pool.run(draws, [&](std::size_t draw) {
    Random random(lesson.options().seed, 1000 + draw);
    const auto start = normal_matrix<double>(1, units, 1, random);
    Matrix<double> h = start;
    for (std::size_t l = 0; l < shallow; ++l)
      h = map(matmul(h, normal_matrix<double>(units, units, std::sqrt(2.0 / units), random)), relu);
    ratios[draw] = std::log(mean_square(h) / mean_square(start));
  });
  const Spread found = spread_of(ratios);
  const Luck luck = luck_of(shallow, units);
  lesson.claim("10 layers: mean of the logarithm", found.mean, luck.of(draws));
  // The standard deviation of N normal numbers errs by the part 1/√(2N) of itself.
  lesson.claim("its standard deviation", found.deviation,
               within(luck.deviation, 4.5 * luck.deviation / std::sqrt(2 * double(draws))));
  add_row(table, "10 layers, mean of ln E[h²] (1.13)", luck.mean, found.mean);
  add_row(table, "its standard deviation (1.13)", luck.deviation, found.deviation);
}

static void run(Lesson& lesson, Pool& pool, const knob::Settings&) {
  fifty_layers(lesson, pool);
  lesson.say("Which g and which weights keep the variance law (ReLU, 2/n), and what is luck?");
  Table found{{"what", "expected", "found"}, {}};
  backward_needs_a_mean_of_0(lesson, found);
  symmetric_or_not(lesson, pool, found);
  finite_width(lesson, pool, found);
  lesson.show(found);
}

extern const Part<Pool> part5{.number = 5,
                              .title = "The variance law",
                              .run = run,
                              .question = "Which gain keeps a signal alive through so many layers, forward and back?",
                              .knobs = {&gain, &depth, &width, &inputs, &activation},
                              .scene = scene};

}  // namespace lesson1
