// Lesson 4, part 10: product layers one behind the other: the second moment squares itself.
// SPDX-License-Identifier: MIT
#include "common/support/spread.hpp"
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4 {

constexpr knob::Real from{"from", "second moment of the input", 0.8, {0.1, 3, 0.05}};
constexpr knob::Whole layers{"layers", "product layers", 5, {1, 7, 1}};
constexpr knob::Whole width{"width", "numbers in each", 256, {8, 256, 8}};

// What is done with a product layer f: x → f(x); with a row x brought to the second moment 1 before (a norm); x + f(x) (a
// residual); or both, x + f(x brought to 1).
struct Chain {
  const char* wiring;
  double start;  // second moment of the input
  bool norm = false, residual = false;

  // Returns log10 of the second moment behind so many layers, for infinite width.
  double predicted(std::size_t count) const {
    double mu = start;
    for (std::size_t l = 0; l < count; ++l) mu = (norm ? 1 : mu * mu) + (residual ? mu : 0);
    return std::log10(mu);
  }
};

// Returns h times what brings its second moment to q.
static Matrix<double> brought_to(double q, const Matrix<double>& h) { return std::sqrt(q / mean_square(h)) * h; }

// Draws an input and layers, N(0, 1/width), which all chains share. Returns log10 of the second moment behind 1, 2, ...
// layers, a row for each chain.
static Matrix<double> log_moments(const std::vector<Chain>& chains, std::size_t n, std::size_t count, Random random) {
  Matrix<double> logs(chains.size(), count);
  const auto x = normal_matrix<double>(1, n, 1, random);
  std::vector<Matrix<double>> H;
  for (const Chain& chain : chains) H.push_back(brought_to(chain.start, x));
  const double deviation = 1 / std::sqrt(double(n));
  for (std::size_t l = 0; l < count; ++l) {
    const auto W = normal_matrix<double>(n, n, deviation, random), V = normal_matrix<double>(n, n, deviation, random);
    for (std::size_t c = 0; c < chains.size(); ++c) {
      const Matrix<double> h = chains[c].norm ? brought_to(1, H[c]) : H[c];
      const Matrix<double> product = hadamard(matmul(h, W), matmul(h, V));
      H[c] = chains[c].residual ? H[c] + product : product;
      logs(c, l) = std::log10(mean_square(H[c]));
    }
  }
  return logs;
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const double mu = at[from];
  const std::size_t count = at[layers], draws = session.options.quick_or<std::size_t>(20, at.standard() ? 100 : 10);
  const std::vector<Chain> chains{{"plain", mu},
                                  {"plain", 1},
                                  {"plain", 1 / mu},
                                  {"norm", mu, true},
                                  {"residual", mu, false, true},
                                  {"residual and norm", mu, true, true}};
  std::vector<Matrix<double>> found(draws);
  session.run("drawing", draws, [&](std::size_t k) {
    found[k] = log_moments(chains, at[width], count, Random(seed_of_run(session.options.seed, k), 49));
  });
  lesson.say("What does a stack of product layers do to the second moment? Its log10 behind each, width ", at[width],
             ", ", draws, " draws:");
  Table table{{"wiring", "from"}, {}};
  for (std::size_t l = 1; l <= count; ++l) table.head.push_back(std::to_string(l));
  table.head.insert(table.head.end(), {"deviation", "predicted"});
  plot::Chart chart{.title = "Product layers one behind the other",
                    .x = {.title = "layers", .low = 0, .high = double(count)},
                    .y = {.title = "log10 of the second moment", .low = -10, .high = 10}};
  std::vector<Spread> first, last;  // behind the first and the last layer
  for (std::size_t c = 0; c < chains.size(); ++c) {
    std::vector<std::string> row{chains[c].wiring, significant(chains[c].start)};
    chart.series.push_back({join(row[0], ", ", row[1]), {0}, {std::log10(chains[c].start)}});
    for (std::size_t l = 0; l < count; ++l) {
      std::vector<double> logs;
      for (const Matrix<double>& draw : found) logs.push_back(draw(c, l));
      const Spread spread = spread_of(logs);
      row.push_back(fixed(spread.mean, 1));
      chart.series.back().add(double(l + 1), spread.mean);
      if (l == 0) first.push_back(spread);
      if (l + 1 == count) last.push_back(spread);
    }
    row.insert(row.end(), {fixed(last[c].deviation, 2), fixed(chains[c].predicted(count), 1)});
    table.rows.push_back(row);
  }
  lesson.show(table);
  lesson.figure("depth", chart);
  // Behind one layer μ spreads by √(8/256), .077 in log10, and the mean of log10 μ lies .007 lower; each layer behind
  // doubles both: 31·.007 and 1.42 behind five (README). The plain cases are one measurement: they share the weights.
  const double root = std::sqrt(double(draws));
  const auto off = [&](std::size_t c) { return last[c].mean - chains[c].predicted(count); };
  lesson.claim_usual("from 0.8, plain: log10 behind one layer, μ → μ²", first[0].mean,
                     within(2 * std::log10(0.8) - 0.007, 4.5 * 0.08 / root));
  lesson.claim_usual("plain from 0.8: log10 less what is predicted", off(0), within(-0.21, 4.5 * 1.42 / root));
  lesson.claim_usual("norm: log10 less what is predicted", off(3), within(-0.007, 4.5 * 0.08 / root));
  lesson.claim_usual("plain from 1: deviation, in powers of ten", last[1].deviation, within(1.42, 4.5 / root));
  lesson.claim_usual("a residual alone makes it worse, log10", last[4].mean, at_least(2));
  lesson.claim_usual("a residual around the norm adds 1 a layer: log10 less what is predicted", off(5), within(0, 0.1));
  // A factor in front stays a factor: a few roundings of a sum of 256 squares, which each further layer doubles.
  lesson.claim("plain: the start is doubled in each layer, log10, off by",
               std::abs(last[0].mean - last[1].mean - std::exp2(double(count)) * std::log10(mu)), at_most(1e-10));
}

extern const Part<Session> part10{
    10, "Depth", run, "Does the second moment live on?", {&from, &layers, &width}, PartKind::further};

}  // namespace lesson4
