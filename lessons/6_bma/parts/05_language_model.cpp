// Lesson 6, part 5: the language model: all attention layers, equal steps, paired seeds, and a control; at three starts of
// the weights, with one learning rate and with two; under --all each at its own best rate as well.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "common/verdict.hpp"
#include "lessons/6_bma/lesson.hpp"

namespace lesson6 {

static constexpr knob::Choice gate_knob{"gate", "the variant beside standard attention", gate_names,
                                        std::size_t(Gate::bma)};
static constexpr knob::Real opens{"g0", "what the gate starts at: Wo starts as many times larger", 0.5, {0.1, 2, 0.05}};
static constexpr knob::Choice init{"init", "where the weights start", {"own", "large", "small", "published"}};
static constexpr knob::Real rate_knob{"rate", "peak learning rate", 0.005, {0.0005, 0.03, 0.0005}};
static constexpr knob::Real others{"others", "rate of what is no matrix of a block, in rates", 1, {0.1, 32, 0.1}};
static constexpr knob::Whole steps{"steps", "training steps", 300, {20, 600, 20}};

// ------------------------------------------------------------------------ all variants, at four settings

static std::string in_words(const Recipe& recipe) {
  const TransformerForm& f = recipe.form.transformer;
  return join("Configuration ", recipe.name, ": ", f.layers, f.layers == 1 ? " block" : " blocks", " of width ",
              f.width, ", ", f.heads, " heads, context ", recipe.form.context, ", ", recipe.run.text("windows"));
}

// The same start, read-out and rates for all variants.
struct Setting {
  std::string name;
  Recipe recipe;
  Compared compared = {};

  Spread difference(Gate one, Gate other) const { return spread_of(compared.differences(one, other)); }
};

// The setting of the flags and, where they leave start, read-out and rate to the lesson, three others.
static std::vector<Setting> settings_of(const Session& session) {
  const knob::Settings& own = session.own;
  Recipe recipe = session.recipe(Gate::standard, session.options.seed);
  std::vector<Setting> all{{join(recipe.start.name, ", one rate"), recipe}};
  for (const knob::Knob* knob : std::initializer_list<const knob::Knob*>{&flag::start, &flag::head, &flag::rate})
    if (own.given(*knob)) return all;
  Recipe published = recipe;
  published.start = starts[3];
  for (const bool tied : {true, false}) {
    published.form.tied = tied;
    all.push_back({tied ? "published, one rate" : "untied, one rate", published});
  }
  recipe.run.rate *= 2;
  recipe.run.others = 8;
  all.push_back({"own, two rates", recipe});
  return all;
}

// "-0.0517 (0.0045) *": the mean of the pairs in nats, its standard error, and a star where it is beyond luck.
static std::string in_nats(const Spread& s) {
  if (s.count < 2) return fixed(s.mean, 4) + "  ";
  return fixed(s.mean, 4) + " (" + fixed(s.standard_error(), 4) + ")" + (beyond_luck(s) ? " *" : "  ");
}

// Standard attention, half against it, and every gate against half, the control.
static Table table_of(const std::vector<Setting>& settings) {
  Table table{{"start, rates", "standard", "half - standard"}, {}};
  for (const Gate gate : all_gates)
    if (variant_of(gate).gated()) table.head.push_back(join(name_of(gate), " - half"));
  for (const Setting& s : settings) {
    table.rows.push_back({s.name, fixed(spread_of(s.compared.of(Gate::standard)).mean, 3),
                          in_nats(s.difference(Gate::half, Gate::standard))});
    for (const Gate gate : all_gates)
      if (variant_of(gate).gated()) table.rows.back().push_back(in_nats(s.difference(gate, Gate::half)));
  }
  return table;
}

// Two upright lines for each setting, with a mark for each pair: bma against standard attention, and against the control.
static plot::Chart chart_of(const std::vector<Setting>& settings) {
  plot::Chart chart{.title = "Paired differences of bma, pair by pair"};
  chart.x = {.title = "start, rates", .low = 0.5, .high = double(settings.size()) + 0.5};
  chart.y.title = "nats a symbol; below 0 bma is ahead";
  chart.levels = {{"no difference", 0}};
  for (const Setting& setting : settings) chart.x.names.push_back(setting.name);
  for (const Gate other : {Gate::standard, Gate::half}) {
    plot::Series pairs{.name = join("bma - ", name_of(other)), .points = true};
    for (std::size_t s = 0; s < settings.size(); ++s)
      for (const double difference : settings[s].compared.differences(Gate::bma, other))
        pairs.add(double(s + 1) + (other == Gate::standard ? -0.12 : 0.12), difference);
    chart.series.push_back(pairs);
  }
  return chart;
}

// Says the sizes (roots of mean squares) of what a token brings to the first block, and of what the attention adds to it.
static void say_sizes(Lesson& lesson, const Session& session, const Setting& setting) {
  const Run run = session.fresh(setting.recipe);
  const Symbols window = session.window(0, setting.recipe.form.context);
  Matrix<float> X;
  run.model.embed({window, window.size()}, X);
  LanguageModel<float>::Trace t;
  run.model.forward({window, window.size()}, t);
  const double token = std::sqrt(mean_square(X)), added = std::sqrt(mean_square(t.transformer.blocks[0].attention.Y));
  lesson.say("Sizes before the first step: ", fixed(token, 3), " of a token, ", fixed(added, 3),
             " of what the attention adds.");
  // A thousand sums of two normal numbers of deviation .05, many of them the same symbol's: known to a thirtieth.
  lesson.claim_trained("a token's size is √2·.05", token, within(std::sqrt(2.0) * 0.05, 0.01));
}

// A run's deviation over seeds is .02 to .03, a pair's difference .003 to .03: three pairs err far less than these bounds.
static void claim_verdict(Lesson& lesson, const std::vector<Setting>& settings) {
  const Setting &own = settings.front(), &two = settings.back();
  lesson.claim_trained("own start, one rate: bma and half are level, |bma - half|",
                       std::abs(own.difference(Gate::bma, Gate::half).mean), at_most(0.02));
  if (settings.size() < 2) return;
  lesson.claim_trained("and half is ahead of standard: half - standard",
                       own.difference(Gate::half, Gate::standard).mean, at_most(-0.01));
  lesson.claim_trained("two rates: half gains nothing, half - standard",
                       two.difference(Gate::half, Gate::standard).mean, at_least(-0.01));
  lesson.claim_trained(
      "standard attention with two rates is ahead of every gate with one: by",
      [&] {
        double best = HUGE_VAL;
        for (const Gate gate : all_gates) best = std::min(best, spread_of(own.compared.of(gate)).mean);
        return best - spread_of(two.compared.of(Gate::standard)).mean;
      }(),
      at_least(0.03));
}

// The sentence that the lesson's answer ends in.
static std::string answer_of(const std::vector<Setting>& settings) {
  const Setting &own = settings.front(), &two = settings.back();
  const auto nats = [](const Setting& s, Gate one, Gate other) { return fixed(s.difference(one, other).mean, 3); };
  const auto standard = [](const Setting& s) { return spread_of(s.compared.of(Gate::standard)).mean; };
  std::string text =
      join("In the language model here bma minus standard attention is ", nats(own, Gate::bma, Gate::standard),
           " nats, and bma minus a constant ½ ", nats(own, Gate::bma, Gate::half));
  if (settings.size() > 1)
    text += join("; with two learning rates bma minus standard attention is ", nats(two, Gate::bma, Gate::standard),
                 ", and standard attention is itself better by ", fixed(standard(own) - standard(two), 3));
  return text + ".";
}

static void compare_settings(Lesson& lesson, Session& session) {
  std::vector<Setting> settings = settings_of(session);
  for (Setting& s : settings) {
    s.compared = &s == &settings[0] ? session.comparison() : session.compare(s.recipe, s.name);
    s.compared.outcomes.clear();
  }
  lesson.predict(
      "Which share of bma's gain over standard attention has the constant ½ as well, from 0 to 1?",
      settings[0].difference(Gate::half, Gate::standard).mean / settings[0].difference(Gate::bma, Gate::standard).mean,
      {.plus = 0.2});
  lesson.show(table_of(settings));
  lesson.figure("seeds", chart_of(settings));
  say_sizes(lesson, session, settings[0]);
  claim_verdict(lesson, settings);
  session.answer = answer_of(settings);
}

// ------------------------------------------------------------------------ under --all: each at its own best rate

// A variant's best rate, by its loss on the validation twentieth of the text, and its losses on the last twentieth, pair
// by pair, there and at both neighbours. Where training diverges the loss is infinite.
struct AtItsBest {
  RateSweep sweep;
  std::map<double, std::vector<double>> losses;

  AtItsBest() = default;
  AtItsBest(const Session& session, const Recipe& recipe) {
    const auto loss = [&](Symbols part, double rate, std::size_t k) {
      Recipe one = recipe;
      one.run.rate = rate;
      one.run.seed = seed_of_run(recipe.run.seed, k);
      Pool alone(1);
      try {
        return session.loss_on(part, session.train(session.fresh(one), alone).run.model, alone);
      } catch (const Diverged&) {
        return HUGE_VAL;
      }
    };
    const auto& [train, validation, test] = session.corpus.part;
    sweep = sweep_rates(recipe.run.rate, 2, [&, &part = validation](double rate) {
      double sum = 0;
      for (std::size_t k = 0; k < 3; ++k) sum += loss(part, rate, k);
      return sum / 3;
    });
    for (std::size_t at = sweep.best - 1; at <= sweep.best + 1; ++at)
      for (std::size_t k = 0; k < session.seeds(); ++k)
        losses[sweep.rates[at]].push_back(loss(test, sweep.rates[at], k));
  }
};

static Verdict verdict_of(const AtItsBest& one, const AtItsBest& other, std::size_t pairs) {
  const auto figure = [](const AtItsBest& of) {
    return [&of](double rate, std::size_t k) { return of.losses.at(rate).at(k); };
  };
  return compare_at_best(one.sweep, figure(one), other.sweep, figure(other), pairs);
}

static void compare_best(Lesson& lesson, Session& session) {
  std::vector<Setting> settings = settings_of(session);
  std::vector<std::vector<AtItsBest>> found(settings.size(), std::vector<AtItsBest>(all_gates.size()));
  run_with_progress(session.pool, "rates", settings.size() * all_gates.size(), [&](std::size_t job) {
    Recipe recipe = settings[job / all_gates.size()].recipe;
    recipe.form.transformer.gate = all_gates[job % all_gates.size()];
    found[job / all_gates.size()][job % all_gates.size()] = AtItsBest(session, recipe);
  });
  Table table{{"start, rates", "pair", "best rates", "at the best", "at half of both", "at twice both", "holds"}, {}};
  for (std::size_t s = 0; s < settings.size(); ++s)
    for (const Gate gate : all_gates) {
      if (gate == Gate::standard) continue;
      const Gate other = gate == Gate::half ? Gate::standard : Gate::half;
      const AtItsBest &a = found[s][std::size_t(gate)], &b = found[s][std::size_t(other)];
      const Verdict v = verdict_of(a, b, session.seeds());
      const auto& [below, best, above] = v.difference;
      table.rows.push_back({settings[s].name, join(name_of(gate), " - ", name_of(other)),
                            join(a.sweep.text(), ", ", b.sweep.text()), in_nats(best), in_nats(below), in_nats(above),
                            v.holds() ? "yes" : "no"});
    }
  lesson.say("Each at its own best rate, chosen on a twentieth of the text and judged on the last one, ",
             session.seeds(), " pairs:");
  lesson.show(table);
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const Recipe recipe = session.recipe(Gate::standard, session.options.seed);
  lesson.say(recipe.name == "C" ? "" : in_words(recipe) + ". ", session.seeds(), " pairs. Two rates are ",
             2 * recipe.run.rate, " for the matrices of the blocks and ", 16 * recipe.run.rate, " for all else.");
  compare_settings(lesson, session);
  if (session.options.all) compare_best(lesson, session);
}

// ------------------------------------------------------------------------ one pair, while one waits

// The factor of a gate that starts at `start`, and an output product g0/start times as large, is g0.
static void open_gates(LanguageModel<float>& model, double g0) {
  const double start = variant_of(model.form.transformer.gate).start;
  if (start == 0 || model.form.transformer.gate == Gate::standard) return;
  for (const auto& [name, tensor] : model.tensors())
    if (name.ends_with(".Wo")) tensor = float(g0 / start) * std::move(tensor);
}

struct Trained {
  plot::Series line;  // the mean of the losses of each ten steps
  double held_out = 0;
  bool diverged = false;
};

static Trained train_one(Session& session, const Recipe& recipe, double g0) {
  Trained found{{.name = name_of(recipe.form.transformer.gate)}};
  Run run = session.fresh(recipe);
  open_gates(run.model, g0);
  double sum = 0;
  try {
    const Outcome o = session.train(std::move(run), session.pool, [&](long step, double loss, const auto&) {
      sum += loss / 10;
      if (step % 10 == 0) found.line.add(double(step), std::exchange(sum, 0));
    });
    found.held_out = session.held_out(o.run.model, session.pool);
  } catch (const Diverged&) {
    found.diverged = true;
  }
  return found;
}

static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  Recipe recipe = session.recipe(Gate(at[gate_knob]), session.options.seed);
  recipe.start = starts[at[init]];
  recipe.form.tied = recipe.start.name == std::string("published");
  recipe.run.rate = at[rate_knob];
  recipe.run.others = at[others];
  recipe.run.steps = long(lesson.options().quick_or<std::size_t>(20, at[steps]));
  recipe.run.warm_up = warm_up_of(recipe.run.steps);
  Recipe plain = recipe;
  plain.form.transformer.gate = Gate::standard;
  const Trained standard = train_one(session, plain, at[opens]), gated = train_one(session, recipe, at[opens]);
  const std::string name = name_of(recipe.form.transformer.gate);
  plot::Chart chart{.title = join(name, " from g0 = ", at[opens], ", and standard attention, on the same batches")};
  chart.x = {.title = "step", .low = 0, .high = double(recipe.run.steps)};
  chart.y = {.title = "loss of ten batches, nats a symbol", .low = 1.5, .high = 4.5};
  chart.series = {standard.line, gated.line};
  lesson.picture("learning_pair", chart);
  if (standard.diverged || gated.diverged)
    lesson.say("Diverged: ", standard.diverged ? "standard " : "", gated.diverged ? name : "", ".");
  else
    lesson.say("On the last tenth of the text: standard ", fixed(standard.held_out, 4), ", ", name, " ",
               fixed(gated.held_out, 4), "; the difference is ", fixed(1e3 * (gated.held_out - standard.held_out), 1),
               " thousandths of a nat. One pair tells little: part 5 runs three, and names their spread.");
}

extern const Part<Session> part5(5, "A language model, five times", run,
                                 "Is a gate ahead because it gates, or because it starts at ½?",
                                 {&gate_knob, &opens, &init, &rate_knob, &others, &steps}, scene,
                                 [] { return in_words(recipe_of("C")); });

}  // namespace lesson6
