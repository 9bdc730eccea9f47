// Part 3: a mask that only the attending token knows.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/figures.hpp"
#include "lessons/6_bma/lesson.hpp"

namespace lesson6::p3 {

constexpr knob::Choice gate_knob{"gate", "the variant", gate_names, std::size_t(Gate::bma)};
constexpr knob::Choice heads_knob{"h", "number of heads", {"1", "2", "4", "8", "16"}};
constexpr knob::Real gates{
    "wg", "standard deviation of the gate's weights at the start", 0.02, {0, 2, 0.02}};
constexpr knob::Real rate{"rate", "peak learning rate", 0.03, {0.001, 0.1, 0.001}};
constexpr knob::Whole steps{"steps", "training steps", 600, {20, 3000, 20}};

using Asked = MaskTask<float>;
constexpr std::size_t examples = 20'000;  // fresh ones

// The best R² of H weights that look at the mask alone.   (6.16)
static double bound_of(std::size_t heads) { return std::min(1.0, (9 + double(heads - 1)) / 16); }

constexpr std::array<std::size_t, 3> mask_heads{1, 2, 8};

// R² by number of heads, variant and run; in the last row that of the mirror, with one head.
using MaskScores =
    std::array<std::array<std::vector<double>, all_gates.size()>, mask_heads.size() + 1>;

template <class Asked>
double score_of(Gate gate, std::size_t heads, double gate_weights, const RunSettings& settings,
                std::size_t k) {
  const std::uint64_t seed = seed_of_run(settings.seed, k);
  Random start(seed, 64);
  Attention<float> layer =
      fresh<float>({.gate = gate, .width = Asked::width, .heads = heads}, gate_weights, start);
  return learn_and_judge(Asked(), layer, settings, examples, seed, 65);
}

// Returns whose gate it is, and so whether it can follow a mask.
static std::string about(const AttentionForm& form) {
  const std::string heads = join(form.heads, form.heads == 1 ? " head" : " heads");
  const Variant<float>& variant = variant_of<float>(form.gate);
  if (!variant.gated()) return join(", ", heads, ": no gate");
  const bool sees = variant.target == GateTarget::mixtures;
  return join(
      ", ", heads,
      sees ? ": gate of token 2, which sees it" : ": gate of token 1, which does not see it");
}

// A pair of tokens whose mask has four holes, and what layers return for it.
static std::vector<Strip> strips_of(const std::vector<Attention<float>>& layers,
                                    std::uint64_t seed) {
  Asked task;
  Random random(seed, 69);
  const auto first = [](std::span<const float> row) {
    return std::vector<double>(row.begin(), row.begin() + Asked::features);
  };
  std::vector<double> mask(Asked::features);
  while (std::count(mask.begin(), mask.end(), 1) != 4) {
    task.draw(1, random);
    for (std::size_t f = 0; f < mask.size(); ++f)
      mask[f] = (1 + task.X.X(1, Asked::features + f)) / 2;
  }
  std::vector<Strip> strips{
      {"content", " of token 1, which token 2 reads", first(task.X.X.row(0))},
      {"mask", " of token 2: which numbers it asks for", mask, true},
      {"asked for", ": the content where it is open, else 0", first(task.target.row(0))}};
  for (const Attention<float>& layer : layers)
    strips.push_back(
        {name_of(layer.form.gate), about(layer.form), first(output(layer, task.X).row(1))});
  return strips;
}

// Trains one head with each kind of gate, and shows what each returns for one mask.
static void show_stencil(Lesson& lesson, const RunSettings& settings, double gate_weights) {
  std::vector<Attention<float>> layers;
  for (const Gate gate : {Gate::bma, Gate::attending}) {
    Random start(settings.seed, 64);
    layers.push_back(fresh<float>({.gate = gate, .width = Asked::width}, gate_weights, start));
    train_task(Asked(), layers.back(), settings, Random(settings.seed, 65));
  }
  lesson.figure("stencil", stencil_of("Bma cannot see the mask, attending can",
                                      strips_of(layers, settings.seed)));
}

static MaskScores mask_scores(Pool& pool, const RunSettings& settings, double gate_weights,
                              std::size_t runs) {
  MaskScores scores;
  for (auto& row : scores) row.fill(std::vector<double>(runs));
  const auto score = [&](std::size_t behind, std::size_t g, std::size_t k) {
    // Eight tokens and many heads take longest, so they start first.
    const std::size_t row = mask_heads.size() - behind;
    scores[row][g][k] =
        row == mask_heads.size()
            ? score_of<MirrorTask<float>>(all_gates[g], 1, gate_weights, settings, k)
            : score_of<Asked>(all_gates[g], mask_heads[row], gate_weights, settings, k);
  };
  run_grid(pool, "mask task", {mask_heads.size() + 1, all_gates.size(), runs}, score);
  return scores;
}

// Over 60 seeds the first is -.003 to -.008 (deviation .0013), and from large gates +.042; the
// second .999, with eight heads .98; the third .013 to .046 (.007), of attending .38; above the
// bound .011 to .040 (.008, so the sign is not sure); the last .966 to .998 (.009), with four heads
// .76.
static void show_scores(Lesson& lesson, const MaskScores& scores) {
  Table table{{"attention", "1 head", "2 heads", "8 heads", "turned round, 1 head"}, {}};
  double before = 0, behind = 1, eight = 1;
  for (const Gate gate : all_gates) {
    const std::size_t g = std::size_t(gate);
    std::vector<std::string> row{name_of(gate)};
    for (const auto& of_heads : scores) row.push_back(fixed(spread_of(of_heads[g]).mean, 3));
    table.rows.push_back(row);
    const double one = spread_of(scores[0][g]).mean;
    if (variant_of(gate).target == GateTarget::mixtures) behind = std::min(behind, one);
    else before = std::max(before, one);
    eight = std::min(eight, spread_of(scores[2][g]).mean);
  }
  lesson.show(table);
  lesson.claim_trained("one head: the best without a gate behind the mixture, minus the bound",
                       before - bound_of(1), at_most(0.01));
  lesson.claim_trained("one head: the worst with a gate behind the mixture", behind,
                       at_least(0.995));
  const auto two = [&](Gate gate) { return spread_of(scores[1][std::size_t(gate)]).mean; };
  lesson.claim_trained("two heads: bma is ahead of standard and half, by",
                       two(Gate::bma) - std::max(two(Gate::standard), two(Gate::half)),
                       between(0, 0.065));
  lesson.claim_usual("two heads: bma is above the bound by", two(Gate::bma) - bound_of(2),
                     between(0.008, 0.06));
  lesson.claim_trained("eight heads: the worst of all five", eight, at_least(0.93));
  const auto mirrored = [&](Gate gate) { return spread_of(scores[3][std::size_t(gate)]).mean; };
  double others = 0;
  for (const Gate gate : all_gates)
    if (gate != Gate::bma) others = std::max(others, mirrored(gate));
  // 11 seeds: .999 to 1, and .552 to .554.
  lesson.claim_trained("turned round: bma", mirrored(Gate::bma), at_least(0.99));
  lesson.claim_trained("turned round: the best of the others", others, at_most(0.6));
}

// One head, gates that start far from ½, five times the steps: the best of three runs.
static void from_large_gates(Lesson& lesson, Pool& pool, RunSettings settings) {
  settings.steps = lesson.steps(3000, 60);
  settings.rate = 0.01;
  std::vector<double> scores(3);
  pool.run(3, [&](std::size_t k) { scores[k] = score_of<Asked>(Gate::bma, 1, 2, settings, k); });
  // Four runs of five end at .60, one at .56, where all end from small gates: so all three do at
  // one seed in a hundred.
  lesson.claim_usual("one head, its gate's weights from 2, 3,000 steps: bma's best of three runs",
                     *std::ranges::max_element(scores), between(0.59, 0.63));
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  RunSettings settings = task_run();
  settings.steps = lesson.steps(long(at[steps]), 60);
  settings.rate = at[rate];
  settings.seed = lesson.options().seed;
  const std::size_t runs = lesson.options().quick ? 1 : 3;
  lesson.say("R² after ", settings.steps, " steps, ", runs, runs == 1 ? " run:" : " runs:");
  const MaskScores scores = mask_scores(session.pool, settings, at[gates], runs);
  lesson.predict("Which R², from 0 to 1, does bma reach with one head?",
                 spread_of(scores[0][std::size_t(Gate::bma)]).mean, {.plus = 0.07});
  show_scores(lesson, scores);
  show_stencil(lesson, settings, at[gates]);
  if (session.options.all) from_large_gates(lesson, session.pool, settings);
  // The error is σ(-10) = 4.5e-5 of c, for κ = 0 and 1 alike; the targets' mean square is half:
  // 2·σ(-10)² = 4.1e-9.
  lesson.claim("standard attention, eight heads, set by hand: 1 - R²",
               1 - r_squared(MaskTask<double>(), MaskTask<double>::by_hand(10), examples,
                             Random(settings.seed, 68)),
               within(4.12e-9, 0.1e-9));
}

static void scene(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::uint64_t seed = lesson.options().seed;
  const std::size_t heads = std::size_t(1) << at[heads_knob], count = 4000;
  const Gate gate = Gate(at[gate_knob]);
  Random start(seed, 504);
  Attention<float> layer =
      fresh<float>({.gate = gate, .width = Asked::width, .heads = heads}, at[gates], start);
  RunSettings settings = task_run();
  settings.steps = long(lesson.options().quick_or<std::size_t>(20, at[steps]));
  settings.rate = at[rate];
  plot::Chart chart{.title = join(name_of(gate), ", ", heads, heads == 1 ? " head" : " heads",
                                  " on the mask task")};
  chart.x = {.title = "step", .low = 0, .high = double(settings.steps)};
  chart.y = {.title = "R²", .low = -0.2, .high = 1};
  chart.series = {{.name = "R² on fresh examples"}};
  chart.levels = {{"no mask", 0.5}, {"mask alone", bound_of(heads)}};
  const auto look = [&](long step) {
    chart.series[0].add(double(step), r_squared(Asked(), layer, 500, Random(seed, 5042)));
    lesson.draft(chart);
  };
  const long every = std::max(1L, settings.steps / 30);
  train_task(Asked(), layer, settings, Random(seed, 5041), [&](long step, double) {
    if (step % every == 0) look(step);
    return true;
  });
  look(settings.steps);
  lesson.picture("mask", chart);
  lesson.figure("stencil", stencil_of(join("What ", name_of(gate), " lets through"),
                                      strips_of({layer}, seed)));
  lesson.say("R² on ", count,
             " fresh examples: ", fixed(r_squared(Asked(), layer, count, Random(seed, 5043)), 4),
             ".");
}

}  // namespace lesson6::p3

const Part<lesson6::Session> lesson6::part3{
    .number = 3,
    .title = "The task that separates them",
    .question = "Which gate, in how many heads, can apply the mask?",
    .run = p3::run,
    .scene = p3::scene,
    .knobs = {&p3::gate_knob, &p3::heads_knob, &p3::gates, &p3::rate, &p3::steps},
    .settings = [] { return task_run().text("pairs of tokens"); }};
