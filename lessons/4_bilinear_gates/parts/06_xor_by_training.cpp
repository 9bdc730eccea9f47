// Lesson 4, part 6: XOR by training, a hundred seeds: a product gets there, bends often do not; and why they stop.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "lessons/4_bilinear_gates/model/3_gates.hpp"
#include "lessons/4_bilinear_gates/model/5_hidden_net.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"
#include "lessons/4_bilinear_gates/run/surface.hpp"
#include "lessons/4_bilinear_gates/run/train.hpp"

namespace lesson4 {
namespace {

// Training as in the table: until the loss is below 1e-6.
bool succeeded(const Fit& f) { return f.succeeded(FitSettings{}); }
bool is_at(double loss, const Fit& f) { return std::abs(f.loss - loss) < 1e-3; }

struct XorEnd : Fit {
  std::optional<double> resting;  // the loss that the pattern of on and off allows, where there is one
};

// The steps at which the film looks at a run.
constexpr std::array<long, 18> film_steps{0,   10,  20,  30,  40,  50,  60,  80,  100,
                                          120, 140, 160, 180, 200, 250, 300, 400, 500};

// What is kept of a run on its way: the loss of each step, and what it says over the square at those steps; a run that
// has ended stays as it is.
struct XorPath {
  std::string name;
  std::vector<double> losses = {};
  std::vector<plot::Image> surfaces = {};
};

// Trains the net that a seed gives on XOR; `path`, where there is one, gets what happens on the way.
using XorRun = std::function<XorEnd(std::uint64_t seed, XorPath* path)>;

template <class Start>
XorRun xor_run(const Session& session, Start start) {
  FitSettings settings;
  settings.steps = session.options.steps_or(settings.steps, 100);
  return [=](std::uint64_t seed, XorPath* path) {
    Random random(seed, 46);
    auto model = start(random);
    const Watch watch = [path, &model](long step, double loss) {
      path->losses.push_back(loss);
      if (std::find(film_steps.begin(), film_steps.end(), step) != film_steps.end())
        path->surfaces.push_back(surface(model, path->name));
    };
    const Fit found = fit(model, corner_rows(), column_of(gate_named("XOR").truth), settings, path ? watch : Watch());
    if (path) path->surfaces.resize(film_steps.size(), surface(model, path->name));
    return XorEnd{found, resting_loss(model)};
  };
}

struct XorContender {
  std::string title;
  std::size_t parameters;
  XorRun run;
  double rate;  // of success, over 10,000 runs each; of products one failed, in 40,000
  std::vector<XorEnd> ends = {};
};

std::vector<XorContender> xor_contenders(const Session& session) {
  std::vector<XorContender> all;
  const auto add = [&](const std::string& title, std::size_t parameters, double rate, auto start) {
    all.push_back({title, parameters, xor_run(session, start), rate});
  };
  const auto products = [&](std::size_t h, double rate) {
    add(join(h, " products"), 7 * h + 1, rate, [h](Random& r) { return ProductNet({2, h, 1}, r); });
  };
  const auto bends = [&](const char* name, Bend bend, std::size_t h, double rate) {
    add(join(h, " ", name), 4 * h + 1, rate, [bend, h](Random& r) { return HiddenNet({bend, 2, h, 1}, r); });
  };
  add("one product, no read-out", 6, 0.99997, [](Random& r) { return ProductLayer({2, 1}, r); });
  products(2, 0.99997);
  products(4, 0.99997);
  bends("ReLU", Bend::relu, 2, 0.2035);
  bends("ReLU", Bend::relu, 3, 0.4415);
  bends("ReLU", Bend::relu, 4, 0.6231);
  bends("ReLU", Bend::relu, 7, 0.9137);
  bends("tanh", Bend::tanh, 2, 0.8979);
  bends("tanh", Bend::tanh, 3, 0.9927);
  return all;
}

// Where a failed run may stop: two corners right and two at 1/2; one right and three at their mean; all four at 1/2.
constexpr std::array<double, 3> traps{1.0 / 8, 1.0 / 6, 1.0 / 4};

double successes(const XorContender& c) { return double(std::count_if(c.ends.begin(), c.ends.end(), succeeded)); }

std::string median_steps(const XorContender& c) {
  std::vector<long> steps;
  for (const Fit& f : c.ends)
    if (succeeded(f)) steps.push_back(f.steps);
  if (steps.empty()) return "-";
  std::nth_element(steps.begin(), steps.begin() + std::ptrdiff_t(steps.size() / 2), steps.end());
  return std::to_string(steps[steps.size() / 2]);
}

// Takes the first run of each kind once more and watches it: a product, a ReLU net that succeeds, and one in each trap.
std::vector<XorPath> watched_runs(const Session& session, const XorContender& product, const XorContender& relu) {
  std::vector<XorPath> paths;
  const auto add = [&](const std::string& name, const XorContender& c, auto wanted) {
    const auto found = std::find_if(c.ends.begin(), c.ends.end(), wanted);
    if (found == c.ends.end()) return;
    paths.push_back({name});
    c.run(seed_of_run(session.options.seed, std::size_t(found - c.ends.begin())), &paths.back());
  };
  add("one product", product, succeeded);
  add("2 ReLU", relu, succeeded);
  for (const double trap : traps)
    add("2 ReLU, stopped at " + significant(trap), relu, [&](const Fit& f) { return is_at(trap, f); });
  return paths;
}

plot::Chart xor_curves(const std::vector<XorPath>& paths) {
  plot::Chart chart;
  chart.title = "XOR: a product, and ReLU nets of width 2 that succeed or stop";
  chart.x = {.title = "step", .high = 500};
  chart.y = {.title = "mean squared error (logarithmic)", .log = true, .low = 1e-6, .high = 10};
  for (const XorPath& path : paths) {
    plot::Series line{.name = path.name};
    for (std::size_t step = 0; step < std::min<std::size_t>(path.losses.size(), 501); ++step)
      line.add(double(step), path.losses[step]);
    chart.series.push_back(line);
  }
  return chart;
}

// What three of them say over the square while they learn: the first two and the last.
plot::Film<plot::Sheet> xor_film(const std::vector<XorPath>& paths) {
  plot::Film<plot::Sheet> film{.parameter = "step"};
  for (std::size_t frame = 0; frame < film_steps.size(); ++frame) {
    const std::string step = std::to_string(film_steps[frame]);
    plot::Sheet sheet{.title = "XOR over the square from -1/2 to 3/2, step " + step};
    sheet.rows = sheet.cols = surface_side;
    sheet.low = 0;
    sheet.high = 1;
    for (std::size_t k = 0; k < paths.size(); ++k)
      if (k < 2 || k + 1 == paths.size()) sheet.images.push_back(paths[k].surfaces[frame]);
    film.add(step, sheet);
  }
  return film;
}

// A way to train a product on XOR.
struct Descent {
  const char* name;
  Update update;
  double rate;
  double rises = 0, steady = 0;  // steps at which the loss rose, in all runs; runs in which it never did
};

void count_rises(Descent& how, const Session& session, std::size_t runs) {
  FitSettings settings;
  settings.steps = session.options.steps_or(settings.steps, 100);
  settings.rate = how.rate;
  for (std::size_t k = 0; k < runs; ++k) {
    Random random(seed_of_run(session.options.seed, k), 46);
    ProductLayer unit({2, 1}, random);
    double before = HUGE_VAL, rises = 0;
    const Watch watch = [&](long, double loss) {
      rises += loss > before;
      before = loss;
    };
    fit(unit, Update(how.update), corner_rows(), column_of(gate_named("XOR").truth), settings, watch);
    how.rises += rises;
    how.steady += rises == 0;
  }
}

// The product's loss falls, rises, and falls again. Is that the landscape, or the steps that are taken in it?
void why_it_bounces(Lesson& lesson, const Session& session) {
  constexpr std::size_t runs = 10;
  AdamWSettings forgetful = FitSettings{}.adam;
  forgetful.beta1 = 0.5;
  std::vector<Descent> ways{{"AdamW", adamw(FitSettings{}.adam), 0.03},
                            {"AdamW, β1 = 0.5", adamw(forgetful), 0.03},
                            {"AdamW", adamw(FitSettings{}.adam), 0.003},
                            {"plain descent", plain_descent(), 0.1}};
  Table table{{"optimizer", "rate", "rises in a run, mean", "runs that never rise"}, {}};
  for (Descent& how : ways) {
    count_rises(how, session, runs);
    table.rows.push_back({how.name, significant(how.rate), significant(how.rises / double(runs)),
                          significant(how.steady) + " of " + std::to_string(runs)});
  }
  lesson.note("Why does the product's loss bounce? The same starts with other steps:");
  lesson.detail(table);
  // Shares of 500 runs; and mean and spread of 60 tens of runs.
  const std::string what = "one product: of 10 runs the loss never rises, ";
  lesson.claim_trained(what + "AdamW at 0.03", ways[0].steady, binomial(runs, 0.016));
  lesson.claim_trained(what + "at 0.003", ways[2].steady, binomial(runs, 0.99));
  lesson.claim_trained(what + "plain descent", ways[3].steady, binomial(runs, 0.998));
  lesson.claim_trained("... rises with β1 = 0.5 over those with 0.9", ways[1].rises / ways[0].rises,
                       at_most(0.159 + 4.5 * 0.091));
}

Table table_of(const std::vector<XorContender>& all) {
  Table table{{"network", "numbers", "succeed", "median steps", "1/8", "1/6", "1/4", "other"}, {}};
  for (const XorContender& c : all) {
    std::vector<std::string> row{c.title, std::to_string(c.parameters), significant(successes(c)), median_steps(c)};
    double elsewhere = double(c.ends.size()) - successes(c);
    for (const double trap : traps) {
      const auto here = std::count_if(c.ends.begin(), c.ends.end(), [&](const Fit& f) { return is_at(trap, f); });
      row.push_back(std::to_string(here));
      elsewhere -= double(here);
    }
    row.push_back(significant(elsewhere));
    table.rows.push_back(row);
  }
  return table;
}

void claim_rates(Lesson& lesson, const std::vector<XorContender>& all) {
  double elsewhere = 0, failed_relu = 0, unexplained = 0;
  std::size_t runs = 0;
  for (const XorContender& c : all) {
    lesson.claim_trained(join(c.title, ": of ", c.ends.size(), " runs succeed"), successes(c),
                         binomial(c.ends.size(), c.rate));
    runs += c.ends.size();
    for (const XorEnd& end : c.ends) {
      if (succeeded(end)) continue;
      elsewhere += std::none_of(traps.begin(), traps.end(), [&](double trap) { return is_at(trap, end); });
      if (!end.resting) continue;
      ++failed_relu;
      unexplained += !is_at(*end.resting, end);
    }
  }
  // Of 90,000 runs 22 ended on their way from one loss to another; of 13,550 failed runs of 2 and 3 ReLU units, 4.
  lesson.claim_trained("failed runs that stop at none of the three losses", elsewhere, binomial(runs, 22 / 90000.0));
  lesson.claim_trained(join("of ", failed_relu, " failed ReLU runs: loss not what on and off tell"), unexplained,
                       binomial(std::size_t(failed_relu), 4 / 13550.0));
}

// The loss of one product on XOR, and the largest of its slopes in size.
struct LossAndSlope {
  double loss, largest;
};

LossAndSlope slope_of(const ProductLayer& unit) {
  const auto on_xor = [](const Matrix<double>& Y) { return mean_squared_error(Y, column_of(gate_named("XOR").truth)); };
  LossAndSlope found{on_xor(output(unit, corner_rows())).value, 0};
  Gradients<ProductLayer> g = gradients(unit, corner_rows(), on_xor);
  for (const auto& [name, slopes] : g.d.tensors()) found.largest = std::max(found.largest, largest_entry(slopes));
  return found;
}

// Where a product has no slope, and a step of 1/1000 in each weight away from there.
void points_without_slope(Lesson& lesson) {
  constexpr double step = 0.001;
  struct Point {
    const char* name;
    Factor w, v;
    double loss, beside;  // the largest slope beside it, in steps: from the backward pass by hand, to first order
  };
  for (const Point& point :
       {Point{"all weights 0", {0, 0, 0}, {0, 0, 0}, 1 / 2.0, 2}, {"x(1 - y)", {1, 0, 0}, {0, -1, 1}, 1 / 4.0, 3.5}}) {
    const std::string name = point.name;
    const auto moved = [](Factor f) { return Factor{f.x + step, f.y + step, f.one + step}; };
    const LossAndSlope here = slope_of(unit_of(point.w, point.v)),
                       beside = slope_of(unit_of(moved(point.w), moved(point.v)));
    lesson.claim(name + ": loss", here.loss, exactly(point.loss));
    lesson.claim("... largest slope", here.largest, exactly(0));
    lesson.claim("... a step away", beside.largest, within(point.beside * step, 20 * step * step));
  }
}

// ------------------------------------------------------------------------------------------------ ten times as long

// A run of the table and, when it fails, the same with ten times the steps; and plain descent for as long from where it
// stopped.
struct LongRun {
  Fit stopped, adam, descent;
};

LongRun long_run(const HiddenNet& start, long steps) {
  const Matrix<double> X = corner_rows(), T = column_of(gate_named("XOR").truth);
  FitSettings settings;
  settings.steps = steps;
  LongRun run;
  HiddenNet net = start;
  run.stopped = fit(net, X, T, settings);
  if (succeeded(run.stopped)) return run;
  settings.steps = 10 * steps;
  HiddenNet again = start;
  run.adam = fit(again, X, T, settings);
  settings.steps = 9 * steps;
  settings.rate = 0.1;
  run.descent = fit(net, plain_descent(), X, T, settings);
  return run;
}

void ten_times_as_long(Lesson& lesson, Session& session) {
  struct Net {
    const char* title;
    Bend bend;
    std::size_t hidden;
    double adam, descent;  // the shares that either leaves where they are, of 986 failed ReLU runs and 106 tanh
  };
  const Net nets[] = {{"2 ReLU", Bend::relu, 2, 0.943, 0.999},
                      {"3 ReLU", Bend::relu, 3, 0.943, 0.999},
                      {"4 ReLU", Bend::relu, 4, 0.943, 0.999},
                      {"7 ReLU", Bend::relu, 7, 0.943, 0.999},
                      {"2 tanh", Bend::tanh, 2, 0.81, 0.97}};
  const std::size_t seeds = session.options.quick_or<std::size_t>(2, 100);
  const long steps = session.options.steps_or(FitSettings{}.steps, 100);
  Table table{{"network", "failed", "AdamW: still there", "succeed", "plain descent: still there"}, {}};
  std::vector<std::array<double, 3>> counts;  // failed, and left where they were
  for (const Net& net : nets) {
    std::vector<LongRun> runs(seeds);
    session.run("training", seeds, [&](std::size_t k) {
      Random random(seed_of_run(session.options.seed, k), 46);
      runs[k] = long_run(HiddenNet({net.bend, 2, net.hidden, 1}, random), steps);
    });
    std::erase_if(runs, [](const LongRun& run) { return succeeded(run.stopped); });
    const auto count = [&](auto holds) { return double(std::count_if(runs.begin(), runs.end(), holds)); };
    counts.push_back({double(runs.size()), count([](const LongRun& r) { return is_at(r.stopped.loss, r.adam); }),
                      count([](const LongRun& r) { return is_at(r.stopped.loss, r.descent); })});
    table.rows.push_back({net.title, std::to_string(runs.size()), significant(counts.back()[1]),
                          significant(count([](const LongRun& r) { return succeeded(r.adam); })),
                          significant(counts.back()[2])});
  }
  lesson.say("What failed, once more: with AdamW and ", 10 * steps,
             " steps in all, and with plain descent, rate 0.1, for ", 9 * steps, " steps from where it had stopped:");
  lesson.show(table);
  for (std::size_t k = 0; k < std::size(nets); ++k) {
    const auto& [failed, adam, descent] = counts[k];
    const std::string what = join(nets[k].title, ": of ", failed, " still there, ");
    lesson.claim_trained(what + "AdamW", adam, binomial(std::size_t(failed), nets[k].adam));
    lesson.claim_trained(what + "plain descent", descent, binomial(std::size_t(failed), nets[k].descent));
  }
}

}  // namespace

void part6(Lesson& lesson, Session& session) {
  const std::size_t seeds = session.options.quick_or<std::size_t>(6, 100);
  std::vector<XorContender> all = xor_contenders(session);
  for (XorContender& c : all) c.ends.resize(seeds);
  session.run("training", all.size() * seeds, [&](std::size_t job) {
    const std::size_t c = job / seeds, k = job % seeds;
    all[c].ends[k] = all[c].run(seed_of_run(session.options.seed, k), nullptr);
  });
  const std::vector<XorPath> paths = watched_runs(session, all[0], all[3]);
  if (!paths.empty()) lesson.film("xor_film", xor_film(paths));
  lesson.figure("xor_training", xor_curves(paths));
  lesson.predict("One product learns it from " + significant(successes(all[0])) + " of the " + std::to_string(seeds) +
                     " starts. From how many does a net of two ReLU units?",
                 successes(all[3]));
  lesson.say("Does descent find XOR? ", seeds, " seeds each, at most ",
             session.options.steps_or(FitSettings{}.steps, 100), " steps, and the losses at which the others stop:");
  lesson.show(table_of(all));
  claim_rates(lesson, all);
  why_it_bounces(lesson, session);
  points_without_slope(lesson);
  if (session.options.all) ten_times_as_long(lesson, session);
}

}  // namespace lesson4
