// Lesson 4, part 6: XOR by training, a hundred seeds: a product always gets there, bends do not; and why they stop.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/4_bilinear_gates/fit.hpp"
#include "lessons/4_bilinear_gates/hidden_net.hpp"
#include "lessons/4_bilinear_gates/session.hpp"

// Trains the net that a seed gives on XOR; `curve`, where there is one, gets the loss of each step.
using XorRun = std::function<Fit(std::uint64_t seed, std::vector<double>* curve)>;

template <class Start>
XorRun xor_run(const Session& session, Start start) {
  FitSettings settings;
  settings.steps = session.options.steps_or(settings.steps, 100);
  return [=](std::uint64_t seed, std::vector<double>* curve) {
    Random random(seed, 46);
    auto model = start(random);
    return fit(model, AdamW<double>(settings.adam), corner_rows(), column_of(gate_named("XOR").truth), settings,
               [&](long, double loss) {
                 if (curve) curve->push_back(loss);
               });
  };
}

struct XorContender {
  std::string title;
  std::size_t parameters;
  XorRun run;
  std::vector<Fit> fits = {};
};

inline std::vector<XorContender> xor_contenders(const Session& session) {
  std::vector<XorContender> all;
  all.push_back(
      {"one product, no read-out", 6, xor_run(session, [](Random& r) { return ProductLayer(2, 1, true, r); })});
  for (const std::size_t h : {2u, 4u})
    all.push_back(
        {join(h, " products"), 7 * h + 1, xor_run(session, [h](Random& r) { return ProductNet(2, h, 1, true, r); })});
  for (const std::size_t h : {2u, 3u, 4u, 7u})
    all.push_back(
        {join(h, " ReLU"), 4 * h + 1, xor_run(session, [h](Random& r) { return HiddenNet(Bend::relu, 2, h, 1, r); })});
  for (const std::size_t h : {2u, 3u})
    all.push_back(
        {join(h, " tanh"), 4 * h + 1, xor_run(session, [h](Random& r) { return HiddenNet(Bend::tanh, 2, h, 1, r); })});
  return all;
}

// Where a failed run may stop, and which of its outputs are then what.
struct Trap {
  double loss;
  const char* what;
};
inline constexpr std::array<Trap, 3> traps{{{1.0 / 8, "two corners right, two at 1/2"},
                                            {1.0 / 6, "one corner right, three at their mean"},
                                            {1.0 / 4, "all four at 1/2"}}};

inline bool succeeded(const Fit& f) { return f.succeeded(FitSettings{}); }
inline bool is_in(const Trap& trap, const Fit& f) { return std::abs(f.loss - trap.loss) < 1e-3; }

inline double successes(const XorContender& c) {
  return double(std::count_if(c.fits.begin(), c.fits.end(), succeeded));
}

inline std::string median_steps(const XorContender& c) {
  std::vector<long> steps;
  for (const Fit& f : c.fits)
    if (succeeded(f)) steps.push_back(f.steps);
  if (steps.empty()) return "-";
  std::nth_element(steps.begin(), steps.begin() + std::ptrdiff_t(steps.size() / 2), steps.end());
  return std::to_string(steps[steps.size() / 2]);
}

// The loss along the first run of each kind: a product, a ReLU net that succeeds, and one in each trap.
inline plot::Chart xor_curves(const Session& session, const XorContender& product, const XorContender& relu) {
  plot::Chart chart;
  chart.title = "XOR: a product, and ReLU nets of width 2 that succeed or stop";
  chart.x = {"step", false, {}, 500};
  chart.y = {"mean squared error (logarithmic)", true, 1e-6, 10};
  const auto add = [&](const std::string& name, const XorContender& c, auto wanted) {
    for (std::size_t k = 0; k < c.fits.size(); ++k) {
      if (!wanted(c.fits[k])) continue;
      plot::Series line{name, {}, {}};
      c.run(seed_of_run(session.options.seed, k), &line.y);
      line.y.resize(std::min<std::size_t>(line.y.size(), 501));
      for (std::size_t step = 0; step < line.y.size(); ++step) line.x.push_back(double(step));
      chart.series.push_back(line);
      return;
    }
  };
  add("one product", product, succeeded);
  add("2 ReLU", relu, succeeded);
  for (const Trap& trap : traps)
    add("2 ReLU, stopped at " + significant(trap.loss), relu, [&](const Fit& f) { return is_in(trap, f); });
  return chart;
}

// Claims: the share of successes known from a thousand seeds, ± four standard deviations of a hundred draws and three
// more, since near 0 and 100 the law is skewed.
inline void claim_rates(Lesson& lesson, const std::vector<XorContender>& all) {
  for (std::size_t k = 0; k < 3; ++k)
    lesson.claim_trained(all[k].title + ": of 100 runs succeed", successes(all[k]), exactly(100));
  const double rates[] = {0.208, 0.458, 0.612, 0.915, 0.897, 0.994};
  for (std::size_t k = 0; k < std::size(rates); ++k) {
    const double deviation = std::sqrt(100 * rates[k] * (1 - rates[k]));
    lesson.claim_trained(
        all[3 + k].title + ": of 100 runs succeed", successes(all[3 + k]),
        between(100 * rates[k] - 4 * deviation - 3, std::min(100.0, 100 * rates[k] + 4 * deviation + 3)));
  }
}

inline void part6(Lesson& lesson, Session& session) {
  const std::size_t seeds = session.quick_or<std::size_t>(6, 100);
  std::vector<XorContender> all = xor_contenders(session);
  for (XorContender& c : all) c.fits.resize(seeds);
  session.run("training", all.size() * seeds, [&](std::size_t job) {
    const std::size_t c = job / seeds, k = job % seeds;
    all[c].fits[k] = all[c].run(seed_of_run(session.options.seed, k), nullptr);
  });
  lesson.say("All four corners at once, AdamW at a constant rate of 0.03, at most ",
             session.options.steps_or(FitSettings{}.steps, 100), " steps; a loss below 1e-6 is a success. ", seeds,
             " seeds for each, and where those stop that do not succeed:");
  Table table{{"network", "numbers", "succeed", "median steps", "1/8", "1/6", "1/4", "other"}, {}};
  std::size_t astray = 0;
  for (const XorContender& c : all) {
    std::vector<std::string> row{c.title, std::to_string(c.parameters), significant(successes(c)), median_steps(c)};
    std::size_t elsewhere = c.fits.size() - std::size_t(successes(c));
    for (const Trap& trap : traps) {
      const auto here = std::count_if(c.fits.begin(), c.fits.end(), [&](const Fit& f) { return is_in(trap, f); });
      row.push_back(std::to_string(here));
      elsewhere -= std::size_t(here);
    }
    row.push_back(std::to_string(elsewhere));
    astray += elsewhere;
    table.rows.push_back(row);
  }
  lesson.show(table);
  lesson.picture("xor_training", xor_curves(session, all[0], all[3]));
  lesson.say(
      "The losses at which ReLU runs stop are no accident. A unit that is off at every corner, or on at every corner, "
      "is ",
      "no bend. With none that bends, the best map is affine, and the best affine map of XOR says 1/2 everywhere: "
      "1/4. ",
      "With one that is on at one corner only, that corner is right and the other three at their mean: 1/6. Two such ",
      "corners, two at 1/2: 1/8. There the slope is zero, and descent has no reason to move. (Tanh units are never "
      "quite ",
      "flat: theirs are places that descent leaves very slowly.)");
  claim_rates(lesson, all);
  lesson.claim_trained("failed runs that stop at none of the three losses", double(astray), at_most(5));
}
