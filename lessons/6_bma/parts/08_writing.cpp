// Part 8: the model writes, with a cache, at any temperature.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/lesson.hpp"

namespace lesson6::p8 {

constexpr knob::Real temperature{
    "temperature", "what the logits are divided by", 0.8, {0.05, 5, 0.05}};
constexpr knob::Whole from{
    "from", "where in the held-out text the writing begins", 0, {0, 5000, 1}};
constexpr knob::Whole count{"write", "symbols to write", 400, {1, 500, 1}};
constexpr knob::Whole head{"h", "the head whose weights are drawn", 1, {1, 4, 1}};
constexpr knob::Whole steps{"steps", "training steps of the model that writes", 300, {20, 600, 20}};

static std::vector<double> softmax_at(const Matrix<float>& logits, double heat) {
  std::vector<double> p;
  for (const float z : logits.row(logits.rows() - 1)) p.push_back(double(z) / heat);
  softmax<double>(p);
  return p;
}

static double entropy_of(const std::vector<double>& p) {
  double entropy = 0;
  for (const double x : p)
    if (x > 0) entropy -= x * std::log(x);
  return entropy;
}

// The ten likeliest symbols, plain and heated.
static void next_symbol(Lesson& lesson, const Session& session, const Matrix<float>& logits,
                        double heat) {
  const std::vector<double> plain = softmax_at(logits, 1), heated = softmax_at(logits, heat);
  std::vector<std::size_t> order(plain.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return plain[a] > plain[b]; });
  plot::Chart chart{.title = join("The next symbol, at a temperature of ", heat)};
  chart.x = {.title = "the likeliest", .low = 0.5, .high = 10.5};
  chart.y = {.title = "probability", .low = 0, .high = 1};
  chart.series = {{.name = "temperature 1", .points = true},
                  {.name = "at this one", .points = true}};
  for (std::size_t k = 0; k < std::min<std::size_t>(order.size(), 10); ++k) {
    chart.x.names.push_back(session.corpus.vocabulary.label(order[k]));
    chart.series[0].add(double(k) + 0.9, plain[order[k]]);
    chart.series[1].add(double(k) + 1.1, heated[order[k]]);
  }
  lesson.figure("next", chart);
  lesson.note("e to the entropy of the next symbol: ", fixed(std::exp(entropy_of(plain)), 2),
              " at temperature 1, ", fixed(std::exp(entropy_of(heated)), 2), " at this one.");
  // Entropy grows with the temperature by the logits' variance over its cube.
  const double more = entropy_of(heated) - entropy_of(plain);
  lesson.claim("higher temperature, more entropy: its rise times the sign of temperature - 1",
               heat >= 1 ? more : -more,
               at_least(-1e-12));  // rounding
}

// Draws the weights of a head on a piece of held-out text.
static void draw_head(Lesson& lesson, const Session& session, const Run& shown,
                      const knob::Settings& at) {
  const std::size_t tokens = std::min<std::size_t>(32, shown.model.form.context);
  const Symbols text = session.window(at[from], tokens);
  LanguageModel<float>::Trace t;
  shown.model.forward({text, tokens}, t);
  const std::size_t h = std::min(at[head], shown.model.form.transformer.heads);
  const Matrix<float> A(row_block(t.blocks[0].attention.A, (h - 1) * tokens, tokens));
  plot::Sheet map{.title = join("Head ", h, ": rows attend to columns"),
                  .rows = tokens,
                  .cols = tokens,
                  .images = {{"", {A.values().begin(), A.values().end()}}},
                  .low = 0,
                  .high = 1};
  for (const std::uint32_t s : text) map.x.names.push_back(session.corpus.vocabulary.label(s));
  map.y.names = map.x.names;
  lesson.figure("trained_head", map);
}

static void write_with(Lesson& lesson, const Session& session, const Run& shown,
                       const knob::Settings& at) {
  const Vocabulary& vocabulary = session.corpus.vocabulary;
  const Symbols start =
      session.window(at[from], std::max<std::size_t>(1, shown.model.form.context / 2));
  Random random(lesson.options().seed, 5);
  const std::vector<std::uint32_t> text =
      write(shown.model, {start.begin(), start.end()}, at[count], at[temperature], random);
  const std::string written = vocabulary.decode(start) + vocabulary.decode(text) + "\n";
  const std::size_t first = std::min(written.find('\n', 60), written.size() - 1) + 1;
  lesson.say("What does the model write behind ", start.size(), " symbols, at temperature ",
             at[temperature], "?");
  lesson.show(written.substr(0, first));
  if (first < written.size()) lesson.detail(written.substr(first));
  const Matrix<float> logits = output(shown.model, Texts{start, start.size()});
  next_symbol(lesson, session, logits, at[temperature]);
  Writer<float> writer(shown.model);
  for (const std::uint32_t symbol : start.first(start.size() - 1)) writer.next(symbol);
  // Sums in another order, in float, of numbers of size 1 to 10.
  lesson.claim("logits with the cache = those of the whole window, max |diff|",
               max_abs_difference(writer.next(start.back()),
                                  Matrix<float>(row_block(logits, start.size() - 1, 1))),
               at_most(1e-3));
  draw_head(lesson, session, shown, at);
}

// Letters, blanks, the rest.
static std::size_t kind_of(std::uint8_t last) {
  return std::isalpha(last) ? 0 : std::isspace(last) ? 1 : 2;
}

static double sum_of_squares(const Spread& s) {
  return s.deviation * s.deviation * double(s.count - 1);
}

// Returns the share of the columns' variance that lies between the means of the kinds of rows.
static double share_between(View<const float> A, const std::vector<std::size_t>& kinds) {
  double within = 0, all = 0;
  for (std::size_t j = 0; j < A.cols(); ++j) {
    std::vector<double> column, parts[3];
    for (std::size_t i = 0; i < A.rows(); ++i) {
      column.push_back(double(A(i, j)));
      parts[kinds[i]].push_back(column.back());
    }
    all += sum_of_squares(spread_of(column));
    for (const std::vector<double>& part : parts) within += sum_of_squares(spread_of(part));
  }
  return 1 - within / all;
}

// Do gates tell kinds apart better than their queries?
static void compare_kinds(Lesson& lesson, const Session& session, const Run& shown) {
  const std::size_t tokens = shown.model.form.context, heads = shown.model.form.transformer.heads;
  const Symbols all = session.held_out(),
                text = all.first(std::clamp<std::size_t>(2048 / tokens, 1, all.size() / tokens) *
                                 tokens);
  std::vector<std::size_t> kinds;
  for (const std::uint32_t s : text)
    kinds.push_back(kind_of(std::uint8_t(session.corpus.vocabulary.symbol(s).back())));
  LanguageModel<float>::Trace t;
  shown.model.forward({text, tokens}, t);
  Table table{{"head", "gates", "queries"}, {}};
  std::vector<double> gates, queries;
  for (std::size_t h = 0; h < heads; ++h) {
    const auto share = [&](const Matrix<float>& of) {
      const std::size_t m = of.cols() / heads;
      return share_between(column_block(of, h * m, m), kinds);
    };
    gates.push_back(share(t.blocks[0].attention.G));
    queries.push_back(share(t.blocks[0].attention.Q));
    table.rows.push_back({std::to_string(h + 1), fixed(gates[h], 3), fixed(queries[h], 3)});
  }
  lesson.note("The share of the variance that lies between letters, blanks and the rest:");
  lesson.detail(table);
  // 60 seeds: .13 to .42 (deviation .062) and -.09 to .12 (.038), bounds lie four deviations off.
  // Kinds drawn at random would explain .001, of gates as of queries.
  const double mean = spread_of(gates).mean;
  lesson.claim_trained("that share of gates, mean of the heads", mean, between(0.02, 0.6));
  lesson.claim_trained("that of queries is less by", mean - spread_of(queries).mean,
                       within(0.02, 0.18));
  double most = 0;
  for (std::size_t h = 0; h < heads; ++h) most = std::max(most, std::abs(gates[h] - queries[h]));
  // 60 seeds: .044 to .23; gates beside themselves 0.
  lesson.claim_trained("in a single head the two differ by up to", most, between(0.02, 0.5));
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Run& shown = session.shown();
  write_with(lesson, session, shown, at);
  if (shown.recipe.form.transformer.gate == Gate::bma) compare_kinds(lesson, session, shown);
}

static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  if (session.own.given(flag::load)) return write_with(lesson, session, session.model(), at);
  Recipe small = session.recipe(session.gate());
  small.run.set_steps(long(lesson.options().quick_or<std::size_t>(20, at[steps])));
  plot::Chart chart{.title = "Before it writes, the model learns"};
  chart.x = {.title = "step", .low = 0, .high = double(small.run.steps)};
  chart.y = {.title = "loss of a batch, nats per symbol", .low = 1.5, .high = 4.5};
  chart.series = {{.name = "loss"}};
  const auto watch = [&](long step, double loss) {
    chart.series[0].add(double(step), loss);
    lesson.draft(chart);
    return true;
  };
  write_with(lesson, session, session.train(session.fresh(small), session.pool, watch).run, at);
}

}  // namespace lesson6::p8

const Part<lesson6::Session> lesson6::part8{
    .number = 8,
    .title = "Writing",
    .question = "What does the temperature do to the next symbol, and to the text?",
    .run = p8::run,
    .scene = p8::scene,
    .knobs = {&p8::temperature, &p8::from, &p8::count, &p8::head, &p8::steps}};
