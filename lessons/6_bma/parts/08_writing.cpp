// Part 8: the model writes, with a cache, at any temperature.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/lesson.hpp"

namespace lesson6::p8 {

constexpr knob::Real temperature{
    "temperature", "what the logits are divided by", 0.8, {0.05, 5, 0.05}};
constexpr knob::Whole from{
    "from", "where in the held-out text the writing sets in", 0, {0, 5000, 1}};
constexpr knob::Whole count{"write", "symbols to write", 400, {1, 500, 1}};
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
  lesson.say("What does the model write, from ", start.size(), " symbols on, at temperature ",
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
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  write_with(lesson, session, session.shown(), at);
}

static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  if (session.own.given(flag::load)) return write_with(lesson, session, session.model(), at);
  Recipe small = session.recipe(session.gate());
  small.run.set_steps(long(lesson.options().quick_or<std::size_t>(20, at[steps])));
  write_with(lesson, session, session.train(session.fresh(small), session.pool).run, at);
}

}  // namespace lesson6::p8

const Part<lesson6::Session> lesson6::part8{
    .number = 8,
    .title = "Writing",
    .question = "What does the temperature do to the next symbol, and to the text?",
    .run = p8::run,
    .scene = p8::scene,
    .knobs = {&p8::temperature, &p8::from, &p8::count, &p8::steps}};
