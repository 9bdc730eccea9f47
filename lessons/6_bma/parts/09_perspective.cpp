// Lesson 6, part 9: the published figures in perspective, and each published sentence put to a test.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lessons/6_bma/lesson.hpp"

namespace lesson6 {

static constexpr knob::Real gap{"gap", "the true difference, in thousandths of a nat", 5.9, {0, 60, 0.1}};
static constexpr knob::Real deviation{
    "spread", "standard deviation of a paired difference, thousandths", 13.8, {0.5, 60, 0.1}};
static constexpr knob::Whole pairs{"pairs", "pairs of runs", 3, {2, 120, 1}};

// ------------------------------------------------------------------------ could a seed make that gap?

// Of many experiments of so many pairs: the share that names a winner, and the mean size of the gap that these find.
struct Told {
  double share = 0, size = 0;
};

static Told told_by(double truth, double spread, std::size_t runs, std::size_t experiments, Random& random) {
  Told found;
  std::vector<double> differences(runs);
  for (std::size_t k = 0; k < experiments; ++k) {
    for (double& difference : differences) difference = truth + spread * random.normal();
    const Spread s = spread_of(differences);
    if (!beyond_luck(s)) continue;
    found.share += 1 / double(experiments);
    found.size += std::abs(s.mean) / double(experiments);
  }
  if (found.share > 0) found.size /= found.share;
  return found;
}

static void could_a_seed(Lesson& lesson, const knob::Settings& at) {
  Random random(lesson.options().seed, 509);
  plot::Chart chart{.title =
                        join("A gap of ", at[gap], ", pairs that spread by ", at[deviation], ": who finds a winner?")};
  chart.x = {.title = "pairs (logarithmic)", .log = true, .low = 2, .high = 120};
  chart.y = {.title = "share of experiments that name one", .low = 0, .high = 1};
  chart.series = {{.name = "with the gap"}, {.name = "without any"}};
  for (const std::size_t runs : {2u, 3u, 4u, 5u, 7u, 10u, 14u, 20u, 30u, 45u, 70u, 120u}) {
    chart.series[0].add(double(runs), told_by(at[gap], at[deviation], runs, 500, random).share);
    chart.series[1].add(double(runs), told_by(0, at[deviation], runs, 500, random).share);
  }
  lesson.figure("pairs", chart);
  constexpr std::size_t experiments = 2000;
  const Told with_gap = told_by(at[gap], at[deviation], at[pairs], experiments, random),
             by_luck = told_by(0, at[deviation], at[pairs], experiments, random);
  lesson.note("Of ", experiments, " experiments with ", at[pairs], " pairs ", fixed(100 * with_gap.share, 1),
              " % name a winner, and those find a gap of ", fixed(with_gap.size, 1),
              " on average; where there is none, ", fixed(100 * by_luck.share, 1),
              " % do. The standard error is a third of the gap at ",
              fixed(std::ceil(std::pow(3 * at[deviation] / std::max(at[gap], 0.1), 2)), 0), " pairs.");
  // Student's factor makes that one case of twenty; above thirty pairs it is rounded up, which takes .006 off.
  lesson.claim("no gap: the share of experiments that name a winner", by_luck.share,
               within(0.05, 0.006 + spreads * std::sqrt(0.05 * 0.95 / double(experiments))));
}

static void gaps(Lesson& lesson, const Compared& c) {
  const double wide = std::log(221.1 / 216.2), narrow = std::log(217.49 / 216.2);
  const Spread seeds = spread_of(c.of(Gate::bma)), after = spread_of(c.differences(Gate::post, Gate::bma));
  lesson.say("Could a seed make the published gaps, ", fixed(wide, 4), " nats over standard attention and ",
             fixed(narrow, 4), " over a gate behind it? Here one run of bma deviates by ", fixed(seeds.deviation, 4),
             " over seeds, and post - bma in pairs by ", fixed(after.deviation, 4), ".");
  // "Values are gated before mixing rather than after."
  lesson.say("Is it better to gate before mixing? Part 6 has for post, which gates after it, minus bma ", after.text(),
             after.count < 2      ? "."
             : beyond_luck(after) ? ", beyond luck."
                                  : ", within luck.");
}

// The loss in nats a token of a well trained transformer of so many parameters after so many tokens, by the curve that
// Hoffmann et al. (2022) fitted to four hundred runs: what no model goes below, what is lost by size, and by tokens
// seen.
static double fitted_loss(double parameters, double tokens) {
  return 1.69 + 406.4 / std::pow(parameters, 0.34) + 410.7 / std::pow(tokens, 0.28);
}

static void tokens_seen(Lesson& lesson) {
  constexpr double parameters = 35e6, tokens = 400e9;
  const double left = std::log(216.2) - fitted_loss(parameters, HUGE_VAL), enough = std::pow(410.7 / left, 1 / 0.28);
  lesson.say("216 of 35 million parameters and 400 billion tokens? The fitted curve says ",
             fixed(std::exp(fitted_loss(parameters, tokens)), 0), ", and 216 after ", fixed(enough / 1e6, 0),
             " million tokens, ", fixed(tokens / enough, 0), " times fewer.");
}

// ------------------------------------------------------------------------ sentence by sentence

// "Softmax logits untouched."
static void logits(Lesson& lesson, const Session& session, const Compared& c) {
  const auto weights = [&](Gate gate, std::size_t k) {
    const LanguageModel<float>& model = c.runs(gate)[k].run.model;
    LanguageModel<float>::Trace t;
    model.forward({session.window(0, model.form.context), model.form.context}, t);
    return t.transformer.blocks[0].attention.A;
  };
  std::string told;
  double of_bma = 0;
  for (const Gate gate : all_gates) {
    if (gate == Gate::half) continue;
    std::vector<double> found;
    for (std::size_t k = 0; k < c.of(gate).size(); ++k)
      found.push_back(max_abs_difference(weights(gate, k), weights(Gate::half, k)));
    if (gate == Gate::bma) of_bma = spread_of(found).mean;
    told += join(told.empty() ? "" : ", ", name_of(gate), " ", fixed(spread_of(found).mean, 2));
  }
  lesson.say("Are logits untouched? After training the largest difference of a weight from the control's is ", told,
             ".");
  lesson.claim_trained("of bma", of_bma, at_least(0.01));
}

// Root of the mean square of each attention matrix's gradient, for the next batch of a run, by the matrix's name.
static std::map<std::string, double> gradients_of(const Session& session, Run run) {
  run.recipe.run.clip = 1e9;  // to see them as they are
  Pool alone(1);
  LanguageTrainer<float> trainer(run.model, session.corpus.part.train, run.recipe.run, alone);
  trainer.step();
  const std::string first_block = "blocks.0.attn.";
  std::map<std::string, double> found;
  for (const auto& [name, tensor] : trainer.gradients())
    if (name.starts_with(first_block)) found[name.substr(first_block.size())] = std::sqrt(mean_square(tensor));
  return found;
}

// The mean over runs of one variant's gradient over that of another, at a start of the weights or after training.
static double ratio(const Session& session, const Compared& c, std::pair<Gate, const char*> above,
                    std::pair<Gate, const char*> below, const std::optional<Start>& start) {
  const auto size = [&](const std::pair<Gate, const char*>& of, std::size_t k) {
    Run run = c.runs(of.first)[k].run;
    if (start) {
      run.recipe.start = *start;
      run = session.fresh(run.recipe);
    }
    return gradients_of(session, std::move(run)).at(of.second);
  };
  double sum = 0;
  const std::size_t runs = c.of(above.first).size();
  for (std::size_t k = 0; k < runs; ++k) sum += size(above, k) / size(below, k) / double(runs);
  return sum;
}

// "Improved gradient flow allows gates to receive signals": of bma's gate against the gate behind the attention; and
// what flows back to the other weights.
static void flow(Lesson& lesson, const Session& session, const Compared& c) {
  const Start own = c.runs(Gate::bma)[0].run.recipe.start;
  const auto of_gates = [&](const std::optional<Start>& start) {
    return ratio(session, c, {Gate::bma, "Wg"}, {Gate::post, "Wp"}, start);
  };
  const double at_start = of_gates(own), published = of_gates(starts[3]), after = of_gates(std::nullopt);
  lesson.say("Does bma's gate get more of the gradient? An entry of dWg over one of dWp of post is ",
             fixed(at_start, 2), " at the start, ", fixed(published, 2), " at the published one, ", fixed(after, 2),
             " after training.");
  lesson.claim_trained("whose gate gets more depends on the start: own over published", at_start / published,
                       at_least(2));
  std::string told;
  for (const char* name : {"Wq", "Wk", "Wv", "Wo"})
    told += join(told.empty() ? "" : ", ", name, " ",
                 fixed(ratio(session, c, {Gate::bma, name}, {Gate::standard, name}, own), 2));
  lesson.say("And the other weights? bma over standard at the start: ", told, ".");
  const auto given_dY = [&](Gate gate) {
    const SmallCase s({.gate = gate}, SmallCase::all_seen, session.options.seed);
    return gradients(s.layer, s.X, s.loss).d;
  };
  const Attention<double> g = given_dY(Gate::standard), h = given_dY(Gate::half);
  lesson.claim("half, a given dY: dWv and dWo are ½ of standard's, max |diff|",
               std::max(max_abs_difference(h.Wv, 0.5 * g.Wv), max_abs_difference(h.Wo, 0.5 * g.Wo)), at_most(1e-15));
}

// Of the variance of the columns of A, whose rows belong to symbols of three classes: the share that lies between the
// means of the classes.
static double share_between(const Matrix<float>& A, const std::vector<std::size_t>& classes) {
  double between = 0, all = 0;
  for (std::size_t j = 0; j < A.cols(); ++j) {
    std::array<double, 3> sums{}, sizes{};
    double sum = 0, square = 0;
    for (std::size_t i = 0; i < A.rows(); ++i) {
      const double a = double(A(i, j));
      sums[classes[i]] += a;
      sizes[classes[i]] += 1;
      sum += a;
      square += a * a;
    }
    for (std::size_t k = 0; k < 3; ++k)
      if (sizes[k] > 0) between += sums[k] * sums[k] / sizes[k];
    between -= sum * sum / double(A.rows());
    all += square - sum * sum / double(A.rows());
  }
  return between / all;
}

// "Each attention head learns specialized gating patterns for different query types."
static void patterns(Lesson& lesson, const Session& session, const Compared& c) {
  const std::size_t tokens = c.runs(Gate::bma)[0].run.recipe.form.context;
  const Symbols text = session.window(0, 64 * tokens), whole = text.first(text.size() / tokens * tokens);
  std::vector<std::size_t> classes;  // letters, white space, the rest
  for (const std::uint32_t symbol : whole) {
    const char last = session.corpus.vocabulary.symbol(symbol).back();
    classes.push_back(is_letter(last) && last != '\'' ? 0 : is_space(last) ? 1 : 2);
  }
  const auto shares = [&](const LanguageModel<float>& model) {
    LanguageModel<float>::Trace t;
    model.forward({whole, tokens}, t);
    const auto& a = t.transformer.blocks[0].attention;
    return std::array{share_between(a.G, classes), share_between(a.Q, classes), share_between(a.V, classes)};
  };
  Table table{{"share between letters, white space and the rest", "gates", "queries", "values"}, {}};
  std::string told;
  for (const Gate gate : all_gates) {
    if (!variant_of(gate).gated()) continue;
    std::array<double, 3> before{}, after{};
    const double runs = double(c.of(gate).size());
    for (const Outcome& o : c.runs(gate)) {
      const auto fresh = shares(session.fresh(o.run.recipe).model), trained = shares(o.run.model);
      for (std::size_t k = 0; k < 3; ++k) {
        before[k] += fresh[k] / runs;
        after[k] += trained[k] / runs;
      }
    }
    for (const auto& [when, found] : {std::pair{", at the start", before}, {", trained", after}})
      table.rows.push_back(
          {std::string(name_of(gate)) + when, fixed(found[0], 3), fixed(found[1], 3), fixed(found[2], 3)});
    told += join(told.empty() ? "" : ", ", name_of(gate), " ", fixed(before[0], 3), " to ", fixed(after[0], 3));
    if (gate == Gate::bma)
      lesson.claim_trained("bma: training raises the share of its gates' variance between classes, by",
                           after[0] - before[0], at_least(0));
  }
  lesson.detail(table);
  lesson.say(
      "Do gates learn types of queries? The share of their variance between letters, white space and the rest "
      "goes in training from ",
      told, ".");
}

// "No loss spikes": the steps whose loss is more than half a nat above the mean of the ten before.
static void count_spikes(Lesson& lesson, const Compared& c) {
  std::size_t found = 0;
  for (const auto& runs : c.outcomes)
    for (const Outcome& o : runs)
      for (std::size_t k = 10; k < o.losses.size(); ++k) {
        double mean = 0;
        for (std::size_t j = k - 10; j < k; ++j) mean += o.losses[j] / 10;
        found += o.losses[k] > mean + 0.5;
      }
  lesson.say("And spikes of the loss? ", found, " in the runs of all variants.");
  lesson.claim_trained("spikes of all together: they distinguish none", double(found), exactly(0));
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Compared& c = session.comparison();
  gaps(lesson, c);
  could_a_seed(lesson, at);
  tokens_seen(lesson);
  logits(lesson, session, c);
  flow(lesson, session, c);
  patterns(lesson, session, c);
  count_spikes(lesson, c);
}

static void scene(Lesson& lesson, Session&, const knob::Settings& at) { could_a_seed(lesson, at); }

extern const Part<Session> part9{.number = 9,
                                 .title = "The published figures in perspective",
                                 .run = run,
                                 .question = "Could a seed make the published gap, and how many pairs would tell?",
                                 .knobs = {&gap, &deviation, &pairs},
                                 .scene = scene};

}  // namespace lesson6
