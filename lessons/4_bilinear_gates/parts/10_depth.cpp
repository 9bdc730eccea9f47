// Lesson 4, part 10: product layers one behind the other: the second moment squares itself.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <vector>

#include "common/support/spread.hpp"
#include "lessons/4_bilinear_gates/model/9_depth.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"

namespace lesson4 {
namespace {

struct DepthCase {
  const char* name;
  Chain chain;
  double predicted;               // log10 behind the last layer
  std::vector<Spread> logs = {};  // log10 behind 0, 1, ... layers
};

std::vector<DepthCase> depth_cases() {
  double mu = 0.8;  // of the residual: μ → μ + μ²
  for (int layer = 0; layer < 5; ++layer) mu += mu * mu;
  return {{"plain", {0.8, Wiring::plain}, 32 * std::log10(0.8)},
          {"plain", {1.0, Wiring::plain}, 0},
          {"plain", {1.25, Wiring::plain}, 32 * std::log10(1.25)},
          {"norm", {0.8, Wiring::norm}, 0},
          {"residual", {0.8, Wiring::residual}, std::log10(mu)},
          {"residual and norm", {0.8, Wiring::both}, std::log10(5.8)}};
}

void measure(std::vector<DepthCase>& cases, Session& session, std::size_t draws) {
  constexpr std::size_t width = 256, layers = 5;
  std::vector<Chain> chains;
  for (const DepthCase& c : cases) chains.push_back(c.chain);
  std::vector<Matrix<double>> found(draws);
  session.run("drawing", draws, [&](std::size_t k) {
    found[k] = log_moments(chains, width, layers, Random(seed_of_run(session.options.seed, k), 49));
  });
  for (std::size_t c = 0; c < cases.size(); ++c)
    for (std::size_t l = 0; l <= layers; ++l) {
      std::vector<double> logs;
      for (const Matrix<double>& draw : found) logs.push_back(draw(c, l));
      cases[c].logs.push_back(spread_of(logs));
    }
}

Table table_of(const std::vector<DepthCase>& cases) {
  Table table{{"wiring", "from", "1 layer", "2", "3", "4", "5", "deviation", "predicted"}, {}};
  for (const DepthCase& c : cases) {
    std::vector<std::string> row{c.name, significant(c.chain.start)};
    for (std::size_t l = 1; l <= 5; ++l) row.push_back(fixed(c.logs[l].mean, 1));
    row.push_back(fixed(c.logs[5].deviation, 2));
    row.push_back(fixed(c.predicted, 1));
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

void part10(Lesson& lesson, Session& session) {
  const std::size_t draws = session.options.quick_or<std::size_t>(20, 100);
  lesson.say("What does a stack of product layers do to the second moment? Its log10, width 256, ", draws, " draws:");
  std::vector<DepthCase> cases = depth_cases();
  measure(cases, session, draws);
  lesson.show(table_of(cases));
  // Given the input, μ behind one layer is a mean of 256 squares of products, whose fourth moment is 9: one draw spreads by
  // √(8/256) = .18 of itself, .08 in log10. The mean of a logarithm lies below the logarithm of the mean by half the
  // square of .18, .007 in log10.
  const double root = std::sqrt(double(draws));
  lesson.claim("from 0.8, plain: log10 behind one layer, μ → μ²", cases[0].logs[1].mean,
               within(2 * std::log10(0.8) - 0.007, 4.5 * 0.08 / root));
  // Behind five layers plain ones have doubled what each found: 31 times .007. One draw's spread is that of 3,000
  // draws. The plain cases are one measurement: they share the weights, and a factor in front stays a factor. A hundred
  // draws cannot tell -0.21 from 0; those of seeds 1 to 25 together can, -0.24 ± 0.028.
  const auto claim_distance = [&](const std::string& what, const DepthCase& c, double mean, double spread) {
    lesson.claim(what + ": log10 less what is predicted", c.logs[5].mean - c.predicted,
                 within(mean, 4.5 * spread / root));
  };
  claim_distance("plain from 0.8", cases[0], -0.21, 1.42);
  claim_distance("norm", cases[3], -0.007, 0.08);
  claim_distance("residual", cases[4], -0.06, 0.65);
  claim_distance("residual and norm", cases[5], 0, 0.045);
  // The deviation of 100 draws is 1.42 ± 0.10. (1.71 at seed 1 is rare: seeds 2 to 25 give 1.31 to 1.60.)
  lesson.claim("plain from 1: deviation, in powers of ten", cases[1].logs[5].deviation, within(1.42, 4.5 * 1.0 / root));
}

}  // namespace lesson4
