// Part 5: language models with each attention, in pairs, with a control, at several
// starts and rates.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/at_its_best.hpp"
#include "lessons/6_bma/figures.hpp"
#include "lessons/6_bma/inspect.hpp"

namespace lesson6::p5 {

constexpr knob::Choice gate_knob{"gate", "the variant beside standard attention", gate_names,
                                 std::size_t(Gate::bma)};
constexpr knob::Real opens{
    "g0", "what the gate starts at; Wo starts as many times larger", 0.5, {0.1, 2, 0.05}};
constexpr knob::Choice init{
    "init", "where the weights start", {"own", "large", "small", "published"}};
constexpr knob::Real rate_knob{"rate", "peak learning rate", 0.005, {0.0005, 0.03, 0.0005}};
constexpr knob::Whole steps{"steps", "training steps", 300, {20, 600, 20}};

static std::string in_words(const Recipe& recipe) {
  const TransformerForm& f = recipe.form.transformer;
  return join("Configuration ", recipe.name, ": ", f.layers, f.layers == 1 ? " block" : " blocks",
              " of width ", f.width, ", ", f.heads, " heads, context ", recipe.form.context, ", ",
              recipe.run.text("windows"));
}

struct Setting {
  Recipe recipe;
  Compared compared = {};

  // The published start is tied to the embedding table, the others are not.
  std::string start() const {
    const std::string name = recipe.start.name;
    const bool tied = recipe.form.tied, usual = tied == (name == "published");
    return join(name, " start", usual ? "" : tied ? ", tied" : ", own read-out");
  }
  std::string name() const {
    const RunSettings& run = recipe.run;
    return join(start(), ", ", run.rate,
                run.others == 1 ? "" : join(" and ", run.others * run.rate));
  }
};

// The flags' setting and, if they leave it open, three others.
static std::vector<Setting> settings_of(const Session& session) {
  const knob::Settings& own = session.own;
  Recipe recipe = session.recipe(Gate::standard);
  std::vector<Setting> all{{recipe}};
  for (const knob::Knob* knob : std::initializer_list<const knob::Knob*>{
           &flag::start, &flag::head, &flag::rate, &flag::others})
    if (own.given(*knob)) return all;
  Recipe published = recipe;
  published.start = starts[3];
  for (const bool tied : {true, false}) {
    published.form.tied = tied;
    all.push_back({published});
  }
  recipe.run.rate *= 2;
  recipe.run.others = 8;
  all.push_back({recipe});
  return all;
}

// Standard against half, every gate against half, the control.
static Table table_of(const std::vector<Setting>& settings) {
  Table table{{"start, rate", "standard", "half - standard", "median"}, {}};
  for (const Gate gate : all_gates)
    if (variant_of(gate).gated()) table.head.push_back(join(name_of(gate), " - half"));
  for (const Setting& s : settings) {
    const Compared& c = s.compared;
    const std::vector<double> gains = c.differences(Gate::half, Gate::standard);
    table.rows.push_back({s.name(), fixed(spread_of(c.of(Gate::standard)).mean, 3),
                          in_thousandths(spread_of(gains)), fixed(1e3 * median_of(gains), 1)});
    for (const Gate gate : all_gates)
      if (variant_of(gate).gated())
        table.rows.back().push_back(in_thousandths(c.difference(gate, Gate::half)));
  }
  return table;
}

// How far runs lie apart, single and in pairs, in thousandths of a nat.
static Table deviations_of(const std::vector<Setting>& settings) {
  Table table{{"standard deviation of", "one half", "half - standard", "bma - half",
               "bma - standard", "post - bma"},
              {}};
  for (const Setting& s : settings) {
    const Compared& c = s.compared;
    const auto apart = [](const Spread& of) { return fixed(1e3 * of.deviation, 1); };
    table.rows.push_back({s.name(), apart(spread_of(c.of(Gate::half))),
                          apart(c.difference(Gate::half, Gate::standard)),
                          apart(c.difference(Gate::bma, Gate::half)),
                          apart(c.difference(Gate::bma, Gate::standard)),
                          apart(c.difference(Gate::post, Gate::bma))});
  }
  return table;
}

// Training losses of the first runs from step 50 on, ten steps a point.
static plot::Scene learning_of(const Compared& c) {
  std::vector<Curve> curves{{"standard", plot::Tone::soft, 2},
                            {"the constant ½", plot::Tone::ink, 5},
                            {"bma", plot::Tone::gate, 2}};
  for (Curve& curve : curves) {
    const Gate gate = curve.name == "bma"        ? Gate::bma
                      : curve.name == "standard" ? Gate::standard
                                                 : Gate::half;
    const std::vector<double>& losses = c.runs_of(gate).training;
    for (auto k = losses.begin() + 50; losses.end() - k >= 10; k += 10) {
      curve.steps.push_back(double(k - losses.begin()) + 5);
      curve.losses.push_back(spread_of({k, k + 10}).mean);
    }
  }
  return curves_of("The constant ½ learns as bma's gate does",
                   "bma: a learned gate on each value; ½: half of each", curves);
}

// The pairs of the first table's first row.
static plot::Scene pair_by_pair(const Compared& c) {
  const auto less = [&](Gate one, Gate other) {
    std::vector<double> all = c.differences(one, other);
    for (double& difference : all) difference *= 1e3;
    return all;
  };
  const auto gain = [&](Gate a, Gate b) { return std::round(-1e3 * c.difference(a, b).mean); };
  return pairs_of(join("½ gains ", gain(Gate::half, Gate::standard), ", bma adds ",
                       gain(Gate::bma, Gate::half), ", post adds ", gain(Gate::post, Gate::half)),
                  {{"½ against standard", plot::Tone::ink, less(Gate::half, Gate::standard)},
                   {"bma against ½", plot::Tone::gate, less(Gate::bma, Gate::half)},
                   {"post against ½", plot::Tone::value, less(Gate::post, Gate::half)}});
}

// Returns, as root mean squares before training, a token and what attention adds to it.
static std::pair<double, double> sizes_of(const Session& session, const Recipe& recipe) {
  const Run run = session.fresh(recipe);
  const Symbols window = session.window(0, recipe.form.context);
  Matrix<float> X;
  run.model.embed({window, window.size()}, X);
  LanguageModel<float>::Trace t;
  run.model.forward({window, window.size()}, t);
  return {std::sqrt(mean_square(X)), std::sqrt(mean_square(t.blocks[0].attention.Y))};
}

// What each half alone gains over standard attention.
struct Apart {
  Spread starts, moves;

  explicit Apart(const Compared& c)
      : starts(c.difference(starts_at_half, Gate::standard)),
        moves(c.difference(moves_by_half, Gate::standard)) {}
};

// A constant ½ on the values does two things, here each alone.
static void take_half_apart(Lesson& lesson, const Session& session,
                            const std::vector<Setting>& settings) {
  Table table{{"start, rate", "token", "added", "Wo starts at half", "Wo moves by half"}, {}};
  for (const Setting& s : settings) {
    if (s.recipe.run.others != 1) continue;
    const auto [token, added] = sizes_of(session, s.recipe);
    const Apart halves(s.compared);
    table.rows.push_back({s.name(), fixed(token, 3), fixed(added, 3), in_thousandths(halves.starts),
                          in_thousandths(halves.moves)});
  }
  if (!table.rows.empty()) {
    lesson.note("The two things that half does, each alone, in thousandths of a nat:");
    lesson.detail(table);
  }
  const auto [token, added] = sizes_of(session, settings[0].recipe);
  std::vector<Stream> streams{{"standard attention, our " + settings[0].start(), token, added},
                              {"the same with the constant ½", token, added / 2}};
  if (settings.size() > 1) {
    const auto [small, little] = sizes_of(session, settings[1].recipe);
    streams.push_back({"standard attention, " + settings[1].start(), small, little});
  }
  lesson.figure("stream", stream_of("Our start: attention drowns the token", streams));
}

// How far the first step moves the largest entry.
struct FirstStep {
  double C, Wq, Wo;
};

static FirstStep first_step(const Session& session, const Recipe& recipe) {
  Run run = session.fresh(recipe);
  const LanguageModel<float> before = run.model;
  Pool alone(1);
  LanguageTrainer<float>(run.model, session.corpus.part.train, recipe.run, alone).step();
  const Attention<float>&then = before.blocks[0].attention, &now = run.model.blocks[0].attention;
  return {max_abs_difference(run.model.C, before.C), max_abs_difference(now.Wq, then.Wq),
          max_abs_difference(now.Wo, then.Wo)};
}

// What the names of starts and rates say, before training. Of ratios only roundings are left.
static void claim_settings(Lesson& lesson, const Session& session,
                           const std::vector<Setting>& settings) {
  const Recipe& own = settings[0].recipe;
  const auto [token, added] = sizes_of(session, own);
  const FirstStep whole = first_step(session, own);
  // A thousand sums of two normal numbers, many of one symbol: known to a thirtieth.
  lesson.claim_trained("own start: a token's size is √2·.05", token,
                       within(std::sqrt(2.0) * 0.05, 0.01));
  // 60 seeds: 3.6 to 5.9, four deviations of logarithms are 1.6 times. Published start .14,
  // starts at half 2.1 to 2.7.
  lesson.claim_trained("and attention adds to it, in sizes of a token", added / token,
                       between(2.8, 7.5));
  lesson.claim("Wo starts at half: of what attention adds this is left",
               sizes_of(session, starts_at_half.in(own)).second / added, within(0.5, 1e-6));
  lesson.claim("Wo moves by half: of its first step this is left",
               first_step(session, moves_by_half.in(own)).Wo / whole.Wo, within(0.5, 0.005));
  if (settings.size() < 2) return;
  // 1,024 weights: known to a fortieth. If branches shrank, .014.
  const Run published = session.fresh(settings[1].recipe);
  lesson.claim_trained("published start: Wo starts at",
                       std::sqrt(mean_square(published.model.blocks[0].attention.Wo)),
                       within(0.02, 0.002));
  const FirstStep two = first_step(session, settings.back().recipe);
  lesson.claim_trained("two rates: the block's matrices move farther, as many times",
                       two.Wq / whole.Wq, within(2, 0.02));
  lesson.claim_trained("and the embeddings, as many times", two.C / whole.C, within(16, 0.16));
}

static double mean_of(const std::vector<Setting>& settings, Gate one, Gate other) {
  double mean = 0;
  for (const Setting& s : settings)
    mean += s.compared.difference(one, other).mean / double(settings.size());
  return mean;
}

// Claims what the text says of the pairs, and returns it in a sentence. Beside each bound stand the
// range over 60 seeds of such a mean of three pairs, its deviation, and its nearest neighbours, by
// 20 pairs.
static std::string claim_verdict(Lesson& lesson, const std::vector<Setting>& settings) {
  const Compared &own = settings.front().compared, &two = settings.back().compared;
  const double level = own.difference(Gate::bma, Gate::half).mean;
  // -.010 to .000, .0023; post - half -.024, bma - standard -.040.
  lesson.claim_trained("own start: bma and half are level, |bma - half|", std::abs(level),
                       at_most(0.015));
  if (settings.size() < 2)
    return join("In the language model the loss of bma minus that of a constant ½ is here ",
                fixed(level, 3), " nats.");
  // At most .008 either way, .0024; half - standard -.018.
  const double everywhere = mean_of(settings, Gate::bma, Gate::half);
  lesson.claim_trained("the same, mean over the settings", std::abs(everywhere), at_most(0.012));
  // -.083 to -.021, .012; smaller steps -.001.
  const double half = own.difference(Gate::half, Gate::standard).mean;
  const Apart halves(own);
  lesson.claim_trained("own start: half is ahead of standard, half - standard", half,
                       between(-0.12, -0.002));
  // -.034 to -.004, .0055 with a long tail; half - standard and half - smaller steps -.05.
  lesson.claim_trained("a smaller start has most of this gain: half - smaller start",
                       half - halves.starts.mean, between(-0.05, 0.012));
  // At most .011 either way, .004; a smaller start -.038. The same runs would not deviate.
  lesson.claim_trained("smaller steps have none of it: |smaller steps - standard|",
                       std::abs(halves.moves.mean), at_most(0.018));
  lesson.claim_trained("but they are other runs: these differences deviate by",
                       halves.moves.deviation, at_least(1e-5));
  // One pair deviates by .004, so three do by .015 once in a million seeds; unpaired .04.
  lesson.claim_trained("pairs: bma - half deviates by",
                       own.difference(Gate::bma, Gate::half).deviation, between(1e-5, 0.015));
  // -.033 to -.003, .0061, so that one seed in 800 may have none; -.021 to -.006, .003; -.024 to
  // -.010, .0033. bma - half -.004 and +.003.
  const Compared& published = settings[2].compared;
  const double ahead_of_bma = own.difference(Gate::post, Gate::bma).mean;
  lesson.claim_usual("own start: post is ahead of bma, post - bma", ahead_of_bma, at_most(0));
  lesson.claim_trained("published start, own read-out: post is ahead of half, post - half",
                       published.difference(Gate::post, Gate::half).mean, at_most(0));
  lesson.claim_trained("both starts: post is ahead of bma, mean of post - bma",
                       (ahead_of_bma + published.difference(Gate::post, Gate::bma).mean) / 2,
                       at_most(0));
  double best = HUGE_VAL;
  for (const Setting& s : settings)
    for (const Gate gate : all_gates)
      if (s.recipe.run.rate == settings[0].recipe.run.rate)
        best = std::min(best, spread_of(s.compared.of(gate)).mean);
  const double ahead = best - spread_of(two.of(Gate::standard)).mean;
  // .081 to .145, .013; each at its best rate .06.
  lesson.claim_trained("standard attention with two rates is ahead of every gate with one, by",
                       ahead, at_least(0.06));
  return join("In the language model the loss of bma minus that of a constant ½ is ",
              fixed(level, 3), " nats, and ", fixed(everywhere, 3),
              " on average over settings. Two rates gain ", fixed(ahead, 3),
              " more than any gate with one.");
}

// Counts losses over six deviations above the mean of the 20 before: 1 in 160,000 of normal ones.
static std::size_t spikes(const std::vector<double>& losses) {
  std::size_t count = 0;
  for (auto k = losses.begin(); losses.end() - k > 20; ++k) {
    const Spread before = spread_of({k, k + 20});
    count += k[20] > before.mean + 6 * before.deviation;
  }
  return count;
}

static void show_stability(Lesson& lesson, const std::vector<Setting>& settings) {
  Table table{{"first runs", "spikes", "variance of the last tenth"}, {}};
  std::size_t all = 0;
  std::map<Gate, double> variance;
  for (const Gate gate : all_gates) {
    const std::size_t before = all;
    for (const Setting& s : settings) {
      const std::vector<double>& losses = s.compared.runs_of(gate).training;
      all += spikes(losses);
      variance[gate] +=
          std::pow(spread_of_last_tenth(losses).deviation, 2) / double(settings.size());
    }
    table.rows.push_back({name_of(gate), std::to_string(all - before), fixed(variance[gate], 5)});
  }
  lesson.detail(table);
  // 60 seeds: none. Of normal losses a run in 30 would have one among its 5,600.
  lesson.claim_trained("losses that spike, in all five", double(all), at_most(2));
  // 60 seeds: .85 to 1.13, deviation .06.
  lesson.claim_trained("variance of the last tenth, bma over standard",
                       variance[Gate::bma] / variance[Gate::standard], within(1, 0.3));
}

// The norm of dWg in bma over that of dWp in post.
static double flow(const Session& session, Recipe recipe) {
  const auto norm = [&](Gate gate) {
    recipe.form.transformer.gate = gate;
    return gradient_norm(session, recipe, [](const std::string& name) {
      return name.ends_with(".Wg") || name.ends_with("Wp");
    });
  };
  return norm(Gate::bma) / norm(Gate::post);
}

// Trains the first pair's half once more, with a rate that is a tenth larger.
static double scores_at_another_rate(const Session& session, const Setting& s) {
  Recipe faster = Contender(Gate::half).in(s.recipe);
  faster.run.rate *= 1.1;
  Pool alone(1);
  return other_scores(session.train(session.fresh(faster), alone).run, *s.compared.half);
}

static void compare_settings(Lesson& lesson, Session& session) {
  std::vector<Setting> settings = settings_of(session);
  if (settings.size() > 1 && session.seeds() > 3) {  // twice the rate, which takes a second more
    Setting twice = settings[0];
    twice.recipe.run.rate *= 2;
    settings.insert(settings.end() - 1, twice);
  }
  settings[0].compared = session.comparison();
  for (std::size_t k = 1; k < settings.size(); ++k)
    settings[k].compared = session.compare(settings[k].recipe, settings[k].name());
  const Compared& own = settings[0].compared;
  if (own.runs_of(Gate::bma).training.size() > 60) lesson.figure("learning", learning_of(own));
  if (session.seeds() > 3) lesson.figure("pairs", pair_by_pair(own));
  lesson.predict(
      "Which share of bma's gain over standard attention, from 0 to 1, does the constant ½ have as well?",
      own.difference(Gate::half, Gate::standard).mean /
          own.difference(Gate::bma, Gate::standard).mean,
      {.plus = 0.2});
  lesson.show(table_of(settings));
  lesson.detail(deviations_of(settings));
  take_half_apart(lesson, session, settings);
  claim_settings(lesson, session, settings);
  session.answer = claim_verdict(lesson, settings);
  lesson.claim_same("pairs whose losses are another pair's",
                    double(session.seeds()) - double(own.different(Gate::standard)));
  show_stability(lesson, settings);
  // 60 seeds: .71 to 1.25 and .11 to .20; four deviations of their logarithms are 1.7 times. Each
  // is the other's nearest neighbour.
  lesson.claim_trained("own start: norm of dWg (bma) over dWp (post)",
                       flow(session, settings[0].recipe), between(0.5, 1.8));
  if (settings.size() > 1)
    lesson.claim_trained("published start: the same", flow(session, settings[1].recipe),
                         between(0.06, 0.4));
  // 60 seeds: .08 to .16, deviation .0185.
  lesson.claim_trained("trained, bma scores otherwise than half: relative difference of Wq·Wkᵀ",
                       other_scores(*own.bma, *own.half), at_least(0.04));
  lesson.claim_trained("and half at a rate that is a tenth larger than half: the same",
                       scores_at_another_rate(session, settings[0]), at_least(0.01));
}

// Three rows of a setting: at half of all best rates, at the best, at twice.
static void add_rows(Table& table, const Setting& setting, const AllAtTheirBest& best,
                     std::size_t pairs) {
  static const char* const where[] = {"half", "best", "twice"};
  const AtItsBest& standard = best[std::size_t(Gate::standard)];
  const bool two = setting.recipe.run.others != 1;
  for (std::size_t at = 0; at < 3; ++at) {
    const double rate = standard.sweep.rates[standard.sweep.best + at - 1];
    table.rows.push_back(
        {join(setting.start(), two ? ", two rates: " : ": ", where[at]),
         fixed(spread_of(standard.losses.at(rate)).mean, 3),
         in_thousandths(verdict_on(best, Gate::half, Gate::standard, pairs).difference[at])});
    for (const Gate gate : all_gates)
      if (variant_of(gate).gated())
        table.rows.back().push_back(
            in_thousandths(verdict_on(best, gate, Gate::half, pairs).difference[at]));
  }
}

static void compare_best(Lesson& lesson, Session& session) {
  const std::vector<Setting> settings = settings_of(session);
  std::vector<AllAtTheirBest> best(settings.size());
  run_grid(session.pool, "rates", {settings.size(), all_gates.size()},
           [&](std::size_t s, std::size_t g) {
             best[s][g] = at_its_best(session, Contender(all_gates[g]).in(settings[s].recipe));
           });
  Table table = table_of({});
  table.head.erase(table.head.begin() + 3);  // the median
  table.head[0] = "start: rates";
  std::string chosen;
  for (std::size_t s = 0; s < settings.size(); ++s) {
    add_rows(table, settings[s], best[s], session.seeds());
    chosen += join(s > 0 ? "; " : "", settings[s].start());
    for (const AtItsBest& one : best[s]) chosen += " " + one.sweep.text();
  }
  lesson.say("A twentieth of the text chose the rates of standard, half, bma, attending and post: ",
             chosen, ".");
  lesson.say("The last twentieth judges: ", session.seeds(), " pairs, in thousandths of a nat.");
  lesson.show(table);
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const Recipe recipe = session.recipe(Gate::standard);
  lesson.say(recipe.name == "C" ? "" : in_words(recipe) + ". ", session.seeds(),
             " pairs; differences are in thousandths of a nat.");
  compare_settings(lesson, session);
  if (session.options.all) compare_best(lesson, session);
}

struct Trained {
  plot::Series line;  // means of ten steps
  double held_out = 0;
  bool diverged = false;
};

// Trains a model, which draft(line) follows.
static Trained train_one(Session& session, const Recipe& recipe,
                         const std::function<void(const plot::Series&)>& draft) {
  Trained one{{.name = name_of(recipe.form.transformer.gate)}};
  double mean = 0;
  const auto watch = [&](long step, double loss) {
    mean += loss / 10;
    if (step % 10 != 0) return true;
    one.line.add(double(step), mean);
    draft(one.line);
    mean = 0;
    return true;
  };
  try {
    const Outcome o = session.train(session.fresh(recipe), session.pool, watch);
    one.held_out = session.loss_on(session.held_out(), o.run.model, session.pool);
  } catch (const Diverged&) {
    one.diverged = true;
  }
  return one;
}

static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  Recipe recipe = session.recipe(Gate(at[gate_knob]));
  recipe.start = starts[at[init]];
  recipe.form.tied = recipe.start.name == std::string("published");
  recipe.run.rate = at[rate_knob];
  recipe.run.others = at[flag::others];
  recipe.run.set_steps(long(lesson.options().quick_or<std::size_t>(20, at[steps])));
  Recipe plain = recipe;
  plain.form.transformer.gate = Gate::standard;
  // With Wo g0/start times as large, a gate works as if it started at g0.
  if (recipe.form.transformer.gate != Gate::standard)
    recipe.start.outputs = at[opens] / variant_of(recipe.form.transformer.gate).start;
  const std::string name = name_of(recipe.form.transformer.gate);
  const auto [token, added] = sizes_of(session, plain);
  lesson.figure("stream", stream_of("What attention adds to a token, at the start",
                                    {{"standard", token, added},
                                     {name, token, sizes_of(session, recipe).second}}));
  plot::Chart chart{.title = join(name, " from g0 = ", at[opens],
                                  ", and standard attention, on the same batches")};
  chart.x = {.title = "step", .low = 0, .high = double(recipe.run.steps)};
  chart.y = {.title = "loss of ten batches, nats per symbol", .low = 1.5, .high = 4.5};
  const auto draft = [&](const plot::Series& line) {
    chart.series.back() = line;
    lesson.draft(chart);
  };
  chart.series.resize(1);
  const Trained standard = train_one(session, plain, draft);
  chart.series.resize(2);
  const Trained gated = train_one(session, recipe, draft);
  chart.series = {standard.line, gated.line};
  lesson.picture("learning_pair", chart);
  if (standard.diverged || gated.diverged)
    lesson.say("Diverged: ", standard.diverged ? "standard " : "", gated.diverged ? name : "", ".");
  else
    lesson.say("On the last tenth of the text standard loses ", fixed(standard.held_out, 4),
               " and ", name, " ", fixed(gated.held_out, 4), ", a difference of ",
               fixed(1e3 * (gated.held_out - standard.held_out), 1), " thousandths.");
}

}  // namespace lesson6::p5

const Part<lesson6::Session> lesson6::part5{
    .number = 5,
    .title = "A language model, five times",
    .question = "Is a gate ahead because it gates, or because it starts at ½?",
    .run = p5::run,
    .scene = p5::scene,
    .knobs = {&p5::gate_knob, &p5::opens, &p5::init, &p5::rate_knob, &flag::others, &p5::steps},
    .settings = [] { return p5::in_words(recipe_of("C")); }};
