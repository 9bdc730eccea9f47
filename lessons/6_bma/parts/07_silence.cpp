// Lesson 6, part 7: a task that asks a head to say nothing, which weights that sum to 1 cannot; and
// what they do instead.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/lesson.hpp"

namespace lesson6::p7 {

static constexpr knob::Choice gate_knob{"gate", "the variant", gate_names};
static constexpr knob::Choice mark{
    "mark", "a first token without content, or none", {"none", "first"}, 1};
static constexpr knob::Real triggers{"p", "probability of a trigger", 0.25, {0.05, 0.95, 0.05}};
static constexpr knob::Whole contents{"contents", "tokens with a content", 16, {2, 24, 1}};
static constexpr knob::Whole steps{"steps", "training steps", 300, {20, 1000, 20}};

using Asked = SilenceTask<float>;

// One layer of one head after training: R², and the mean weight on the first token of those that
// are to say nothing.
struct Trained {
  Attention<float> layer;
  double caught, on_first;
};

static Trained trained(Gate gate, const Asked& task, const RunSettings& settings) {
  Random start(settings.seed, 74), examples(settings.seed, 77);
  Trained found{fresh<float>({gate, Asked::width}, 0.02, start), 0, 0};
  train_task(task, found.layer, settings, Random(settings.seed, 75));
  found.caught = r_squared(task, found.layer, 4000, Random(settings.seed, 76));
  Asked batch = task;
  batch.draw(500, examples);
  Attention<float>::Trace t;
  found.layer.forward(batch.X, t);
  std::vector<double> weights;
  for (const std::size_t row : batch.asked)
    if (!batch.is_trigger(row)) weights.push_back(double(t.A.row(row)[0]));
  found.on_first = spread_of(weights).mean;
  return found;
}

// The weights of the head on one sequence; a T stands for a trigger, a dot for who is to say
// nothing.
static plot::HeatMap map_of(const Attention<float>& layer, Asked task, std::uint64_t seed,
                            const std::string& title) {
  Random random(seed, 78);
  task.draw(1, random);
  Attention<float>::Trace t;
  layer.forward(task.X, t);
  plot::HeatMap map{
      .title = title + ": rows attend to columns", .rows = t.A.rows(), .cols = t.A.cols()};
  for (const float a : t.A.values()) map.values.push_back(double(a));
  if (task.marked) map.row_labels.push_back("first");
  for (const std::size_t row : task.asked)
    map.row_labels.push_back(task.is_trigger(row) ? "T" : "·");
  map.col_labels = map.row_labels;
  map.low = 0;
  map.high = 1;
  return map;
}

// ------------------------------------------------------------------------ all variants, with and
// without a first token

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const std::size_t runs = session.own.given(flag::seeds) ? session.seeds()
                           : session.options.quick        ? 1
                                                          : 3;
  RunSettings settings = task_run();
  settings.steps = lesson.steps(settings.steps, 60);
  const std::size_t each = all_gates.size() * runs;
  std::vector<double> none(each), first(each), weight(each);
  Asked with_first;
  with_first.marked = true;
  Attention<float> shown({.width = Asked::width});
  run_with_progress(session.pool, "silence", 2 * each, [&](std::size_t job) {
    const std::size_t k = job / 2;
    const Asked task = job % 2 == 1 ? with_first : Asked();
    RunSettings own = settings;
    own.seed = seed_of_run(lesson.options().seed, k % runs);
    const Trained found = trained(all_gates[k / runs], task, own);
    (task.marked ? first : none)[k] = found.caught;
    if (task.marked) weight[k] = found.on_first;
    if (k == 0 && task.marked) shown = found.layer;
  });
  const auto mean = [&](const std::vector<double>& of, Gate gate) {
    const auto from = of.begin() + std::ptrdiff_t(std::size_t(gate) * runs);
    return spread_of({from, from + std::ptrdiff_t(runs)}).mean;
  };
  lesson.predict("Which R², from 0 to 1, does standard attention reach without a first token?",
                 0.25, {.plus = 0.03});  // (6.18)
  Table table{{"attention", "no first token", "with one", "weight on it of who says nothing"}, {}};
  double behind = 1, marked = 1, sink = 1;
  for (const Gate gate : all_gates) {
    table.rows.push_back({name_of(gate), fixed(mean(none, gate), 4), fixed(mean(first, gate), 4),
                          fixed(mean(weight, gate), 3)});
    marked = std::min(marked, mean(first, gate));
    if (variant_of(gate).target == GateTarget::mixtures)
      behind = std::min(behind, mean(none, gate));
    else sink = std::min(sink, mean(weight, gate));
  }
  lesson.say("R² after ", settings.steps, " steps, one head, ", runs,
             runs == 1 ? " run:" : " runs:");
  lesson.show(table);
  lesson.figure("sink", map_of(shown, with_first, lesson.options().seed,
                               "Standard attention with a first token"));
  // Over 20 seeds a run deviates by .003 (standard), .004 (bma), .0003 (post) and .001 (the
  // weight), a mean of three by √3 less. Behind open values of triggers alone bma has Σ (1 + p·(i -
  // 1))/i² / Σ 1/i, over 16 places: .60. With all others open by g it misses of the rest, .40, the
  // part (1 - g)², and says g² over all who are to say nothing: .64 at g = .1.
  lesson.claim_trained(
      "no first token: standard attention and half reach the share of triggers, off by",
      std::max(std::abs(mean(none, Gate::standard) - 0.25),
               std::abs(mean(none, Gate::half) - 0.25)),
      at_most(0.01));
  lesson.claim_trained("bma is silent in part", mean(none, Gate::bma), within(0.64, 0.015));
  lesson.claim_trained("the worst with a gate behind the mixture", behind, at_least(0.99));
  lesson.claim_trained("with a first token: the worst of all", marked, at_least(0.999));
  lesson.claim_trained("and who has no gate behind makes it a sink: least weight on it", sink,
                       at_least(0.98));
}

// ------------------------------------------------------------------------ one layer, while one
// waits

static void scene(Lesson& lesson, Session&, const knob::Settings& at) {
  Asked task;
  task.contents = at[contents];
  task.marked = at[mark] == 1;
  task.triggers = at[triggers];
  RunSettings settings = task_run();
  settings.steps = long(lesson.options().quick_or<std::size_t>(20, at[steps]));
  settings.seed = lesson.options().seed;
  const Trained found = trained(Gate(at[gate_knob]), task, settings);
  lesson.picture("weights",
                 map_of(found.layer, task, settings.seed, name_of(found.layer.form.gate)));
  lesson.say("R² ", fixed(found.caught, 4), "; who is to say nothing gives the first token ",
             fixed(found.on_first, 3), " of its weight.");
}

}  // namespace lesson6::p7

const Part<lesson6::Session> lesson6::part7{
    .number = 7,
    .title = "Silence",
    .kind = PartKind::further,
    .question = "Who can say nothing, and how?",
    .run = p7::run,
    .scene = p7::scene,
    .knobs = {&p7::gate_knob, &p7::mark, &p7::triggers, &p7::contents, &p7::steps},
    .settings = [] { return task_run().text("sequences"); }};
