// Lesson 1, part 5: the variance law, and the luck of a finite width.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/lesson.hpp"
#include "lessons/1_math_refresh/strips.hpp"

namespace lesson1::p5 {

// It does not stand at the answer, for which the page asks.
constexpr knob::Real gain{"gain", "gain, n·Var W of every layer", 1.5, {0.1, 5, 0.05}};
constexpr knob::Whole depth{"depth", "layers", 50, {1, 200, 1}};
constexpr knob::Whole width{"width", "numbers in each hidden layer", 128, {4, 256, 4}};
constexpr knob::Whole inputs{"input", "how many numbers come in", 128, {1, 256, 1}};
constexpr knob::Choice activation{"activation", "φ", activation_flags, place_of(relu_activation)};

using plot::Scene, plot::short_number, plot::Spot, plot::Tone;

// A gain of your own, or one of the textbooks' rules, by its name in small letters.
constexpr knob::Choice rule{
    "rule", "Var W: gain/n_in, or a rule", {"gain", "lecun", "xavier", "kaiming"}};
static_assert(rule.choices.count == 1 + rules.size());

static auto of_gain(double n_times_variance) {
  return [=](double in, double) { return n_times_variance / in; };
}

constexpr std::size_t layers = 50, units = 256;

// What a layer does to squares: comes in, comes out, goes on.
struct Halved {
  Matrix<double> Z;
  double h, z, on;  // mean squares
};

static Halved halved(const Activation& phi, double n_times_variance, std::uint64_t seed) {
  Random random(seed, 510);
  const auto X = normal_matrix<double>(units, units, 1, random);
  const auto W = normal_matrix<double>(units, units, std::sqrt(n_times_variance / units), random);
  const Matrix<double> Z = matmul(X, W);
  return {Z, mean_square(X), mean_square(Z), mean_square(map_entries(Z, phi.value))};
}

// Draws the histogram of z. Of each bar that part is whole which φ leaves of the square.
static void draw_bell(Scene& scene, const Halved& layer, const Activation& phi) {
  constexpr double reach = 5, bin = 0.25, left = 40, wide = 400, ground = 190, tall = 140;
  constexpr std::size_t bins = std::size_t(2 * reach / bin);
  std::array<double, bins> counts{};
  for (const double z : layer.Z.values())
    if (std::abs(z) < reach) counts[std::size_t((z + reach) / bin)] += 1;
  const double most = std::max(1.0, *std::max_element(counts.begin(), counts.end()));
  plot::Path outline;
  for (std::size_t k = 0; k < bins; ++k) {
    const double z = -reach + bin * (double(k) + 0.5), height = tall * counts[k] / most;
    const double whole = height * std::min(1.0, phi.value(z) * phi.value(z) / (z * z));
    const double x = left + wide * double(k) / bins;
    if (whole > 0) scene.bar({x + 1, ground - whole}, {wide / bins - 2, whole}, Tone::value, 0.75);
    outline.insert(outline.end(), {{x, ground - height}, {x + wide / bins, ground - height}});
  }
  scene.curve(outline, {.width = 1, .dashed = true});
  const double middle = left + wide / 2;
  scene.line({left, ground}, {left + wide, ground}, {.width = 1});
  scene.line({middle, ground}, {middle, 30}, {.width = 1});
  const auto gate = [&](double z, const char* anchor, double x) {
    const double value = phi.value(z);
    const std::string words = value == 0 ? "shut"
                              : value == 1
                                  ? "open"
                                  : join(short_number(z), " becomes ", short_number(value));
    scene.text({x, 26}, words, {.tone = Tone::gate, .anchor = anchor, .strong = true});
  };
  gate(-1, "end", middle - 12);
  gate(1, "start", middle + 12);
  for (const double z : {-4.0, -2.0, 0.0, 2.0, 4.0})
    scene.text({middle + wide * z / (2 * reach), ground + 19}, short_number(z),
               {.tone = Tone::soft});
  scene.text({left + wide + 8, ground + 19}, "z", {.slant = true});
  scene.text({16, 6}, "how often each z = h·W occurs in a layer", {.anchor = "start"});
}

static Scene bell(const Activation& phi, double n_times_variance, std::uint64_t seed) {
  const Halved layer = halved(phi, n_times_variance, seed);
  Scene scene(phi == relu_activation ? std::string("ReLU leaves half of the squares")
                                     : join(phi.name, " leaves ", short_number(layer.on / layer.z),
                                            " of the squares"));
  draw_bell(scene, layer, phi);
  const double most = std::max({layer.h, layer.z, layer.on, 1e-9});
  double y = 264;
  scene.text({16, y - 13}, "mean squares:", {.anchor = "start"});
  const auto bar = [&](const std::string& name, double size, const std::string& words) {
    const double length = std::max(2.0, 160 * size / most);
    scene.text({120, y + 15}, name, {.anchor = "end"});
    scene.bar({130, y}, {length, 20}, Tone::value, 0.75);
    scene.text({130 + length + 8, y + 15}, short_number(size) + words, {.anchor = "start"});
    y += 30;
  };
  bar("inputs h", layer.h, " comes in");
  bar("z = h·W", layer.z, join(", as n·Var W = ", short_number(n_times_variance)));
  bar(phi.name + std::string("(z)"), layer.on, " goes on");
  scene.end(y + 2);
  return scene;
}

static plot::Chart chart_of(const std::string& title) {
  return {.title = title,
          .x = {.title = "layer"},
          .y = {.title = "E[h²], mean square in a layer", .log = true, .low = 1e-20, .high = 1e20}};
}

static void scene(Lesson& lesson, Pool&, const knob::Settings& at) {
  const Activation& phi = activations[at[activation]];
  Random random(lesson.options().seed, 500);
  std::vector<std::size_t> widths(at[depth] + 1, at[width]);
  widths[0] = at[inputs];
  const auto variance = [&](double in, double out) {
    return at[rule] == 0 ? at[gain] / in : rules[at[rule] - 1].variance(in, out);
  };
  const auto unit = unit_weights(widths, random);
  const auto X = normal_matrix<double>(8, at[inputs], 1, random),
             G = normal_matrix<double>(8, at[width], 1, random);
  const Signal signal = send(scaled(unit, variance), phi, X, G);
  lesson.figure("strips", picture_of(seven_strips(unit, phi, X, variance)));
  std::vector<double> theory{signal.forward[0]};
  for (std::size_t l = 0; l < at[depth]; ++l) {
    const double in = double(widths[l]), law = in * variance(in, double(widths[l + 1]));
    theory.push_back(predicted_forward(phi, law, theory.back(), 1).back());
  }
  plot::Chart chart =
      chart_of(join("Through ", at[depth], " layers, ",
                    at[rule] == 0 ? join("gain ", at[gain]) : rules[at[rule] - 1].name));
  chart.series = {plot::line("E[h²]", signal.forward), plot::line("in theory", theory),
                  plot::line("across inputs", signal.across),
                  plot::line("E[g²] back", signal.backward)};
  chart.y.low = 1e-35;
  lesson.picture("signal", chart);
  lesson.figure("bell", bell(phi, variance(double(units), double(units)) * double(units),
                             lesson.options().seed));
  lesson.say("After layer ", at[depth], " E[h²] is ", signal.forward.back(),
             ", in theory (infinite width) ", theory.back(), "; its variance across ", X.rows(),
             " inputs is ", signal.across.back(), ". Of E[g²] ",
             signal.backward[0] / signal.backward.back(), " comes back to them.");
}

struct Scheme {
  Activation phi;
  double gain;

  std::string variance() const { return significant(gain) + "/n"; }
  std::string name() const { return join(phi.name, " ", variance()); }
};
const Scheme schemes[] = {
    {relu_activation, 1}, {relu_activation, 2}, {relu_activation, 4}, {sigmoid_activation, 1}};

// Returns, for each scheme, geometric means over the same networks.
static std::map<std::string, Signal> deep_signals(std::uint64_t seed, std::size_t networks,
                                                  std::size_t batch, Pool& pool) {
  std::map<std::string, std::vector<Signal>> signals;
  for (const Scheme& s : schemes) signals[s.name()].resize(networks);
  pool.run(networks, [&](std::size_t k) {
    Random random(seed, 100 + k);
    const auto unit = unit_weights(std::vector<std::size_t>(layers + 1, units), random);
    const auto X = normal_matrix<double>(batch, units, 1, random);
    const auto G = normal_matrix<double>(batch, units, 1, random);
    for (const Scheme& s : schemes)
      signals.at(s.name())[k] = send(scaled(unit, of_gain(s.gain)), s.phi, X, G);
  });
  std::map<std::string, Signal> means;
  for (const auto& [name, of_scheme] : signals) means[name] = geometric_means(of_scheme);
  return means;
}

static Table table_of(const std::map<std::string, Signal>& signals) {
  Table table{{"φ", "Var W", "h² after 10", "h² after 50", "g² 50 back"}, {}};
  for (const Scheme& scheme : schemes) {
    const Signal& signal = signals.at(scheme.name());
    table.rows.push_back({scheme.phi.name, scheme.variance(), significant(signal.forward[10], 2),
                          significant(signal.forward[layers], 2),
                          significant(signal.backward[0] / signal.backward[layers], 2)});
  }
  return table;
}

// Bounds the mean of ln(M_L/M_0) over networks, each with this variance. Since (1.11) holds for the
// mean of M_L, the mean of its logarithm is lower by half the variance.
static Bound level(double variance, std::size_t networks) {
  return within(-variance / 2, 4.5 * std::sqrt(variance / double(networks)));
}

// Claims (1.10), also when h has a mean.
static void one_layer(Lesson& lesson) {
  constexpr std::size_t n = 64, count = 2000;
  constexpr struct {
    const char* name;
    double (*draw)(Random&);  // with mean 0 and variance 1
    double fourth;            // the mean of its fourth power
  } kinds[] = {
      {"normal weights", [](Random& r) { return r.normal(); }, 3},
      {"uniform ones", [](Random& r) { return r.uniform(-std::sqrt(3.0), std::sqrt(3.0)); }, 1.8},
      {"coins", [](Random& r) { return r.below(2) == 0 ? -1.0 : 1.0; }, 1}};
  for (const auto& [name, draw, fourth_moment] : kinds) {
    Random random(lesson.options().seed, 502);
    Matrix<double> h = normal_matrix<double>(1, n, 1, random), W(n, count);
    for (double& value : h.values()) value += 1;
    for (double& value : W.values()) value = draw(random) / std::sqrt(double(n));
    const double second = mean_square(h);
    // E[z⁴]/E[z²]² is 3 + (E[w⁴]/Var² W - 3)·Σh⁴/(Σh²)², for normal weights 3. A mean of N squares
    // errs by √((that - 1)/N) of itself.
    const double fourth =
        3 + (fourth_moment - 3) * mean_square(hadamard(h, h)) / (n * second * second);
    const double sent = mean_square(matmul(h, W));
    lesson.claim(join("one layer, ", name, ": E[z²] over n·Var W·E[h²]"), sent / second,
                 within(1, 4.5 * std::sqrt((fourth - 1) / count)));
    // The inputs have mean 1 and variance 1. Of 64 the mean strays by 1/8 and the variance by .18,
    // so ln(mean²/variance) by .31: four times this. Without their mean this would be 1 ± .1.
    lesson.claim("... and over n·Var W·Var h",
                 sent / variance_across_inputs(Matrix<double>(transpose(h))), between(1.2, 4.5));
  }
}

static void fifty_layers(Lesson& lesson, Pool& pool) {
  const std::size_t networks = lesson.options().quick ? 1 : 5, batch = 64;
  const auto signals = deep_signals(lesson.options().seed, networks, batch, pool);
  const auto last = [&](const char* name) { return signals.at(name).forward[layers]; };
  lesson.predict("What is left of E[h²] = 1 after 50 ReLU layers with Var W = 1/n?",
                 std::pow(0.5, 50), {.times = 4});
  lesson.say(
      "How large is E[h²] after 10 layers and after 50, and what is left of E[g²] 50 layers ",
      "back? (Geometric means of ", networks, " networks of width ", units, ", ", batch,
      " inputs.)");
  lesson.show(table_of(signals));
  plot::Chart chart = chart_of("After ReLU only Var W = 2/n stays level");
  for (const char* name : {"ReLU 4/n", "ReLU 2/n", "ReLU 1/n", "sigmoid 1/n"})
    chart.series.push_back(plot::line(name, signals.at(name).forward));
  lesson.picture("variance", chart);
  // The 64 inputs share their network's luck: after ReLU they are nearly parallel.
  const double of_relu = std::log(last("ReLU 2/n"));
  const std::vector<double>& back = signals.at("ReLU 2/n").backward;
  // Four and a half standard errors; weights 5 % too large or small in variance end 2.4 higher or
  // lower.
  const double variance_of_log = log_moment_variance(layers, units), mean = -variance_of_log / 2;
  const Bound middle = level(variance_of_log, networks);
  lesson.claim("ReLU 2/n: ln E[h²] at layer 50: level", of_relu, middle);
  lesson.claim("ReLU 2/n: ln of the gradient's E[g²] through 50 layers: level",
               std::log(back[0] / back[layers]), middle);
  // 32 seeds: -7.29 to -6.76, with a standard deviation of .13. A layer less is .69 higher.
  const std::vector<double>& forth = signals.at("ReLU 1/n").forward;
  lesson.claim("ReLU 1/n: ln E[h²] after ten layers", std::log(forth[10]),
               within(-10 * std::log(2) + mean / 5, 0.6));
  const double halves = double(layers) * std::log(2);  // a few roundings a layer: 1e-12
  lesson.claim("... less that of ReLU 2/n after fifty: 50·ln(1/2)",
               std::log(last("ReLU 1/n")) - of_relu, within(-halves, 1e-12));
  lesson.claim("that of ReLU 4/n less that of 2/n: 50·ln 2", std::log(last("ReLU 4/n")) - of_relu,
               within(halves, 1e-12));
  const double power = predicted_forward(tanh_activation, 1, 1, layers)[layers];
  // M - 2M² a layer leads to 1/(2l); further terms change it by a few percent at layer 50.
  lesson.claim("theory for tanh 1/n at layer 50, times 2·50", 2 * double(layers) * power,
               between(0.9, 1.1));
}

// Claims (1.17), with 4/n: each layer also doubles, so that a layer too few shows.
static void finite_width(Lesson& lesson, Pool& pool) {
  constexpr std::size_t shallow = 10;
  const std::size_t networks = lesson.options().quick ? 20 : 100;
  std::vector<double> ratios(networks);
  pool.run(networks, [&](std::size_t k) {
    Random random(lesson.options().seed, 1000 + k);
    // M_0 is about 9: a ratio that forgot it would be off by ln 9.
    const auto start = normal_matrix<double>(1, units, 3, random);
    Matrix<double> h = start;
    for (std::size_t l = 0; l < shallow; ++l)
      h = map_entries(
          matmul(h, normal_matrix<double>(units, units, std::sqrt(4.0 / units), random)), relu);
    ratios[k] = std::log(mean_square(h) / mean_square(start)) - shallow * std::log(2);
  });
  const Spread luck = spread_of(ratios);
  const double variance = log_moment_variance(shallow, units), deviation = std::sqrt(variance);
  lesson.claim("luck after 10 layers: mean of ln(M_10/M_0)", luck.mean, level(variance, networks));
  // The standard deviation of N normal numbers errs by the part 1/√(2N) of itself.
  lesson.claim("its standard deviation, by (1.17)", luck.deviation,
               within(deviation, 4.5 * deviation / std::sqrt(2 * double(networks))));
}

static void run(Lesson& lesson, Pool& pool, const knob::Settings&) {
  const std::uint64_t seed = lesson.options().seed;
  lesson.figure("bell", bell(relu_activation, 2, seed));
  const Halved layer = halved(relu_activation, 2, seed);
  // Entries z[i,j] whose signs are independent: the share strays by √(3/N)/2, here by .0034.
  lesson.claim("one layer: the part of E[z²] that ReLU leaves", layer.on / layer.z,
               within(0.5, 4.5 * std::sqrt(3.0 / double(layer.Z.values().size())) / 2));
  one_layer(lesson);
  fifty_layers(lesson, pool);
  finite_width(lesson, pool);
}

}  // namespace lesson1::p5

const Part<Pool> lesson1::part5{
    .number = 5,
    .title = "The variance law",
    .question = "Drag the gain until the middle strip neither burns out nor fades.",
    .run = p5::run,
    .scene = p5::scene,
    .knobs = {&p5::gain, &p5::depth, &p5::width, &p5::inputs, &p5::activation, &p5::rule},
    .opening = &p5::gain};
