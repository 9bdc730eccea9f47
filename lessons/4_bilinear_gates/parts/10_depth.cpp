// Lesson 4, part 10: product layers one behind the other: the second moment squares itself.
// SPDX-License-Identifier: MIT
#include "common/support/spread.hpp"
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4 {

constexpr knob::Choice wiring{"wiring", "what is done with each layer", {"plain", "norm", "residual", "both"}};
constexpr knob::Real from{"from", "second moment of the input", 0.8, {0.1, 3, 0.05}};
constexpr knob::Whole layers{"layers", "product layers", 5, {1, 7, 1}};
constexpr knob::Whole width{"width", "numbers in each", 256, {8, 256, 8}};

// What is done with a product layer f: x → f(x); with a row x brought to the second moment 1 before (a norm); x + f(x) (a
// residual); or both, x + f(x brought to 1). In the order of the knob.
enum class Wiring { plain, norm, residual, both };

struct Chain {
  double start;  // second moment of the input
  Wiring wiring;

  bool norm() const { return wiring == Wiring::norm || wiring == Wiring::both; }
  bool residual() const { return wiring == Wiring::residual || wiring == Wiring::both; }
};

// Returns h times what brings its second moment to q.
static Matrix<double> brought_to(double q, const Matrix<double>& h) { return std::sqrt(q / mean_square(h)) * h; }

// Draws an input and layers, N(0, 1/width), which all chains share. Returns log10 of the second moment behind 0, 1, ...
// layers, a row for each chain.
static Matrix<double> log_moments(const std::vector<Chain>& chains, std::size_t n, std::size_t count, Random random) {
  Matrix<double> logs(chains.size(), count + 1);
  const auto x = normal_matrix<double>(1, n, 1, random);
  std::vector<Matrix<double>> H;
  for (std::size_t c = 0; c < chains.size(); ++c) {
    H.push_back(brought_to(chains[c].start, x));
    logs(c, 0) = std::log10(mean_square(H[c]));
  }
  const double deviation = 1 / std::sqrt(double(n));
  for (std::size_t l = 1; l <= count; ++l) {
    const auto W = normal_matrix<double>(n, n, deviation, random), V = normal_matrix<double>(n, n, deviation, random);
    for (std::size_t c = 0; c < chains.size(); ++c) {
      const Matrix<double> h = chains[c].norm() ? brought_to(1, H[c]) : H[c];
      const Matrix<double> product = hadamard(matmul(h, W), matmul(h, V));
      H[c] = chains[c].residual() ? H[c] + product : product;
      logs(c, l) = std::log10(mean_square(H[c]));
    }
  }
  return logs;
}

// Returns log10 of the second moment behind each layer, for infinite width.
static std::vector<double> predicted(const Chain& chain, std::size_t count) {
  double mu = chain.start;
  std::vector<double> logs{std::log10(mu)};
  for (std::size_t l = 0; l < count; ++l) {
    mu = (chain.norm() ? 1 : mu * mu) + (chain.residual() ? mu : 0);
    logs.push_back(std::log10(mu));
  }
  return logs;
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  constexpr std::size_t count = 5;
  const std::size_t draws = session.options.quick_or<std::size_t>(20, 100);
  const char* const names[] = {"plain", "plain", "plain", "norm", "residual", "residual and norm"};
  const std::vector<Chain> chains{{0.8, Wiring::plain}, {1, Wiring::plain},      {1.25, Wiring::plain},
                                  {0.8, Wiring::norm},  {0.8, Wiring::residual}, {0.8, Wiring::both}};
  std::vector<Matrix<double>> found(draws);
  session.run("drawing", draws, [&](std::size_t k) {
    found[k] = log_moments(chains, 256, count, Random(seed_of_run(session.options.seed, k), 49));
  });
  lesson.say("What does a stack of product layers do to the second moment? Its log10, width 256, ", draws, " draws:");
  Table table{{"wiring", "from", "1 layer", "2", "3", "4", "5", "deviation", "predicted"}, {}};
  std::vector<std::vector<Spread>> spreads;  // of each chain, behind each layer
  for (std::size_t c = 0; c < chains.size(); ++c) {
    std::vector<std::string> row{names[c], significant(chains[c].start)};
    spreads.emplace_back();
    for (std::size_t l = 0; l <= count; ++l) {
      std::vector<double> logs;
      for (const Matrix<double>& draw : found) logs.push_back(draw(c, l));
      spreads[c].push_back(spread_of(logs));
      if (l > 0) row.push_back(fixed(spreads[c][l].mean, 1));
    }
    row.push_back(fixed(spreads[c][count].deviation, 2));
    row.push_back(fixed(predicted(chains[c], count)[count], 1));
    table.rows.push_back(row);
  }
  lesson.show(table);
  // Given the input, μ behind one layer is a mean of 256 squares of products, whose fourth moment is 9: one draw spreads by
  // √(8/256) = .18 of itself, .077 in log10. The mean of a logarithm lies below the logarithm of the mean by half the
  // square of .18, .007 in log10. Each layer behind doubles what it finds: 31 times .007 behind five, and a spread of
  // .077·√(1 + 4 + 16 + 64 + 256) = 1.42. (The plain cases are one measurement: they share the weights.)
  const double root = std::sqrt(double(draws));
  lesson.claim("from 0.8, plain: log10 behind one layer, μ → μ²", spreads[0][1].mean,
               within(2 * std::log10(0.8) - 0.007, 4.5 * 0.08 / root));
  const auto off = [&](std::size_t c) { return spreads[c][count].mean - predicted(chains[c], count)[count]; };
  lesson.claim("plain from 0.8: log10 less what is predicted", off(0), within(-0.21, 4.5 * 1.42 / root));
  lesson.claim("norm: log10 less what is predicted", off(3), within(-0.007, 4.5 * 0.08 / root));
  lesson.claim("plain from 1: deviation, in powers of ten", spreads[1][count].deviation, within(1.42, 4.5 / root));
  lesson.claim("a residual alone makes it worse, log10", spreads[4][count].mean, at_least(2));
  lesson.claim("a residual around the norm adds 1 a layer: log10 less what is predicted", off(5), within(0, 0.1));
}

// One wiring, a few draws.
static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Chain chain{at[from], Wiring(at[wiring])};
  constexpr std::size_t draws = 3;
  plot::Chart chart{.title = join("Product layers, ", at.name_of(wiring), ", from ", at[from]),
                    .x = {.title = "layer", .low = 0, .high = double(at[layers])},
                    .y = {.title = "log10 of the second moment", .low = -20, .high = 20}};
  double last = 0;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const Matrix<double> logs =
        log_moments({chain}, at[width], at[layers], Random(seed_of_run(session.options.seed, draw), 49));
    chart.series.push_back({.name = join("draw ", draw + 1)});
    for (std::size_t l = 0; l <= at[layers]; ++l) {
      chart.series.back().add(double(l), logs(0, l));
    }
    last += logs(0, at[layers]) / double(draws);
  }
  const std::vector<double> theory = predicted(chain, at[layers]);
  chart.series.push_back({.name = "infinite width"});
  for (std::size_t l = 0; l < theory.size(); ++l) chart.series.back().add(double(l), theory[l]);
  lesson.picture("chain", chart);
  lesson.say("Behind ", at[layers], " layers log10 of the second moment is ", last, " on average over ", draws,
             " draws, and ", theory.back(), " for infinite width.");
}

extern const Part<Session> part10{10,
                                  "Depth",
                                  run,
                                  "Does the second moment live through product layers, and what helps?",
                                  {&wiring, &from, &layers, &width},
                                  PartKind::further,
                                  scene};

}  // namespace lesson4
