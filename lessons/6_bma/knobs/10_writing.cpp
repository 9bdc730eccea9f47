// Lesson 6, part 10: the heat with which the model writes can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "common/support/parts.hpp"
#include "lessons/6_bma/knobs/small_model.hpp"
#include "lessons/6_bma/model/8_writer.hpp"

namespace lesson6 {
namespace {

constexpr knob::Real heat{"heat", "what the logits are divided by (the temperature)", 0.8, {0.05, 5, 0.05}};
constexpr knob::Whole from{"from", "where in the held-out text the writing sets in", 0, {0, 5000, 1}};
constexpr knob::Whole count{"write", "symbols to write", 300, {1, 500, 1}};
constexpr knob::Whole updates{"updates", "training steps of the model that writes", 300, {0, 600, 20}};

std::vector<double> softmax_at(const Matrix<float>& logits, double temperature) {
  std::vector<double> p;
  for (const float z : logits.row(logits.rows() - 1)) p.push_back(double(z) / temperature);
  softmax<double>(p);
  return p;
}

// The ten likeliest symbols, as they are and at this heat.
plot::Chart chart_of(const Session& session, const std::vector<double>& plain, const std::vector<double>& heated,
                     double temperature) {
  std::vector<std::size_t> order(plain.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return plain[a] > plain[b]; });
  order.resize(std::min<std::size_t>(order.size(), 10));
  plot::Chart chart{.title = join("The next symbol, at a heat of ", temperature)};
  chart.x = {.title = "the likeliest", .low = 0.5, .high = double(order.size()) + 0.5};
  chart.y = {.title = "probability", .low = 0, .high = 1};
  plot::Series one{.name = "heat 1", .points = true}, at_heat{.name = "at this heat", .points = true};
  for (std::size_t k = 0; k < order.size(); ++k) {
    chart.x.names.push_back(letter_of(session, std::uint32_t(order[k])));
    one.add(double(k + 1) - 0.1, plain[order[k]]);
    at_heat.add(double(k + 1) + 0.1, heated[order[k]]);
  }
  chart.series = {one, at_heat};
  return chart;
}

double entropy_of(const std::vector<double>& p) {
  double entropy = 0;
  for (const double x : p)
    if (x > 0) entropy -= x * std::log(x);
  return entropy;
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const long steps = long(std::min(at[updates], lesson.options().quick_or<std::size_t>(20, at[updates])));
  const Run run = small_model(session, session.gate(), steps);
  const Symbols start = held_out_window(session, at[from], std::max<std::size_t>(1, run.model.form.context / 2));
  const Matrix<float> logits = output(run.model, Texts{start, start.size()});
  const std::vector<double> plain = softmax_at(logits, 1), heated = softmax_at(logits, at[heat]);
  lesson.picture("turned_heat", chart_of(session, plain, heated, at[heat]));
  Random random(lesson.options().seed, 510);
  const auto readable = [&](Symbols symbols) {
    std::string text;
    for (const std::uint32_t symbol : symbols)
      text += letter_of(session, symbol) == "␣" ? " " : letter_of(session, symbol);
    return text;
  };
  const std::string written = readable(write(run.model, {start.begin(), start.end()}, at[count], at[heat], random));
  lesson.say("What stands there, and what the model writes behind it:");
  lesson.show(fold(readable(start) + " | " + written, 80) + "\n");
  lesson.say("e to the entropy of the next symbol: ", fixed(std::exp(entropy_of(plain)), 2), " at heat 1, ",
             fixed(std::exp(entropy_of(heated)), 2), " at this one.");
  // The derivative of the entropy by the heat is the variance of the logits over its cube, which is not negative.
  const double more = entropy_of(heated) - entropy_of(plain);
  lesson.claim("more heat, more entropy: its rise times the sign of heat - 1", at[heat] >= 1 ? more : -more,
               at_least(-1e-12));  // rounding
  double off = 0;
  const std::size_t top = std::size_t(std::max_element(plain.begin(), plain.end()) - plain.begin());
  for (std::size_t k = 0; k < plain.size(); ++k)
    if (heated[k] > 1e-250 && plain[k] > 1e-250)
      off = std::max(off, std::abs(at[heat] * std::log(heated[k] / heated[top]) - std::log(plain[k] / plain[top])));
  // Logarithms of numbers that are exact to 1e-15, up to some dozen, times a heat of 5 at most.
  lesson.claim("heat divides every logarithm of a ratio of probabilities: max |diff|", off, at_most(1e-11));
}

}  // namespace

Bench<Session> bench10() {
  return {"What does the temperature do to the next symbol, and to the text?", {&heat, &from, &count, &updates}, run};
}

}  // namespace lesson6
