// Lesson 2, part 6: training on the text, with tables of counts as the rival.
// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "common/support/ngram.hpp"
#include "lessons/2_bengio_mlp/session.hpp"

constexpr double pseudo_counts = 4;  // the `a` of the interpolated tables; on a larger text more is better

inline std::size_t numbers_in(Bengio<float> model) {
  std::size_t sum = 0;
  for (const auto& [name, tensor] : model.tensors()) sum += tensor.size();
  return sum;
}

// Losses on validation, test and both together, in nats a symbol.
struct HeldOut {
  double validation, test, both;
};
inline HeldOut held_out(const Bengio<float>& model, const Corpus& corpus, Pool& pool) {
  const std::size_t a = corpus.part.validation.size(), b = corpus.part.test.size();
  const double validation = mean_loss(model, corpus.text, corpus.train_end(), a, pool);
  const double test = mean_loss(model, corpus.text, corpus.validation_end(), b, pool);
  return {validation, test, (validation * double(a) + test * double(b)) / double(a + b)};
}
inline HeldOut held_out(const Ngram& table, const Corpus& corpus) {
  const std::size_t a = corpus.part.validation.size(), b = corpus.part.test.size();
  const double validation = table.loss(std::span(corpus.text).first(corpus.validation_end()), corpus.train_end());
  const double test = table.loss(corpus.text, corpus.validation_end());
  return {validation, test, (validation * double(a) + test * double(b)) / double(a + b)};
}

inline std::vector<std::string> loss_row(const std::string& name, std::size_t numbers, const HeldOut& loss) {
  return {name,
          std::to_string(numbers),
          fixed(loss.validation, 4),
          fixed(loss.test, 4),
          fixed(loss.both, 4),
          fixed(std::exp(loss.both), 2)};
}

// Loss on the validation text when the model and a table vote with half the weight each, as in Bengio's paper.
inline double mixture_loss(const Bengio<float>& model, const Ngram& table, const Corpus& corpus, Pool& pool) {
  const std::size_t first = corpus.train_end(), count = corpus.part.validation.size();
  const std::vector<double> log_p = log_probabilities(model, corpus.text, first, count, pool);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    sum -= std::log(0.5 * std::exp(log_p[i]) +
                    0.5 * table.probability(std::span(corpus.text).first(first + i), corpus.text[first + i]));
  return sum / double(count);
}

// Trains the session's model with a progress line, and shows the course of the loss.
inline void train_with_curve(Lesson& lesson, Session& session, const std::vector<plot::Level>& levels) {
  const long steps = lesson.steps(4000, 60), every = std::max(1L, steps / 40);
  const Corpus& corpus = session.corpus;
  const std::size_t sample = std::min<std::size_t>(corpus.part.validation.size(), 10'000);
  plot::Chart chart;
  chart.title = "Learning the text";
  chart.x.title = "step";
  chart.y.title = "nats a symbol";
  chart.series = {{"train", {}, {}}, {"validation", {}, {}}};
  chart.levels = levels;
  Progress progress("training", steps);
  double sum = 0, seconds = 0;
  auto started = std::chrono::steady_clock::now();
  const auto pause = [&] {
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  session.train_model(lesson.options().seed, steps, [&](long step, double loss, const Bengio<float>& model) {
    sum += loss;
    progress(step + 1, "loss " + fixed(loss, 3));
    if ((step + 1) % every != 0) return;
    pause();
    chart.series[0].x.push_back(double(step + 1)), chart.series[0].y.push_back(sum / double(every));
    chart.series[1].x.push_back(double(step + 1));
    chart.series[1].y.push_back(mean_loss(model, corpus.text, corpus.train_end(), sample, session.pool));
    sum = 0;
    started = std::chrono::steady_clock::now();
  });
  pause();
  chart.y.high = std::min(3.4, 1.2 * chart.series[0].y.front());
  lesson.picture("training", chart);
  lesson.say("Training took ", fixed(seconds, 1), " s for ", steps, " steps of ", session.flags.training.batch, ".");
}

// For every length of context: a table of counts of that order against a network that sees as much.
inline void where_the_curves_cross(Lesson& lesson, Session& session) {
  const Corpus& corpus = session.corpus;
  const std::vector<std::size_t> contexts{1, 2, 3, 4, 5, 8};
  std::vector<double> network(contexts.size());
  std::vector<std::size_t> numbers(contexts.size());
  TrainingSettings settings = TrainingSettings{};
  settings.steps = lesson.steps(3000, 30);
  session.pool.run(contexts.size(), [&](std::size_t k) {
    Pool alone(1);
    Random random(lesson.options().seed);
    Bengio<float> model({corpus.vocab(), contexts[k], 8, 64}, random);
    train(model, corpus.part.train, settings, alone, Random(lesson.options().seed, 1));
    network[k] = held_out(model, corpus, alone).both;
    numbers[k] = numbers_in(model);
  });
  Table table{{"context", "network", "numbers", "interpolated", "Kneser-Ney", "n-grams stored"}, {}};
  plot::Chart chart;
  chart.title = "Loss on held-out text against the length of the context";
  chart.x.title = "symbols of context";
  chart.y.title = "nats a symbol";
  chart.series = {{"network", {}, {}}, {"interpolated table", {}, {}}, {"Kneser-Ney table", {}, {}}};
  for (std::size_t k = 0; k < contexts.size(); ++k) {
    chart.series[0].x.push_back(double(contexts[k])), chart.series[0].y.push_back(network[k]);
    const std::size_t order = contexts[k] + 1;
    std::vector<std::string> row{std::to_string(contexts[k]), fixed(network[k], 3), std::to_string(numbers[k])};
    if (order <= 6) {
      const Ngram plain = Ngram::interpolated(corpus.part.train, corpus.vocab(), order, pseudo_counts);
      const Ngram knesser = Ngram::kneser_ney(corpus.part.train, corpus.vocab(), order);
      const double losses[] = {held_out(plain, corpus).both, held_out(knesser, corpus).both};
      for (std::size_t s = 0; s < 2; ++s)
        chart.series[s + 1].x.push_back(double(contexts[k])), chart.series[s + 1].y.push_back(losses[s]);
      row.insert(row.end(), {fixed(losses[0], 3), fixed(losses[1], 3), std::to_string(knesser.distinct_up_to(order))});
    } else {
      row.insert(row.end(), {"", "", ""});
    }
    table.rows.push_back(row);
  }
  lesson.say("The honest comparison: the same context for both. Networks with d = 8 and 64 hidden units, ",
             settings.steps, " steps; tables of order context + 1.");
  lesson.show(table);
  lesson.picture("contexts", chart);
}

inline void part6(Lesson& lesson, Session& session) {
  const Corpus& corpus = session.corpus;
  const std::size_t order = std::min<std::size_t>(session.sizes().context + 1, 6);
  Table table{{"model", "numbers", "validation", "test", "both", "perplexity"}, {}};
  std::vector<plot::Level> levels;
  for (std::size_t n = 1; n <= std::max<std::size_t>(order, 4); ++n) {
    const Ngram plain = Ngram::interpolated(corpus.part.train, corpus.vocab(), n, pseudo_counts);
    const HeldOut loss = held_out(plain, corpus);
    table.rows.push_back(loss_row(join(n, "-gram, interpolated"), plain.distinct_up_to(n), loss));
    if (n > 1 && n <= 4) levels.push_back({join(n, "-gram"), loss.validation});
  }
  const Ngram kneser_ney = Ngram::kneser_ney(corpus.part.train, corpus.vocab(), order);
  table.rows.push_back(
      loss_row(join(order, "-gram, Kneser-Ney"), kneser_ney.distinct_up_to(order), held_out(kneser_ney, corpus)));
  if (session.loaded()) lesson.say("The model is the one from ", session.flags.load, "; it is not trained further.");
  else train_with_curve(lesson, session, levels);

  const HeldOut network = held_out(session.model(), corpus, session.pool);
  table.rows.push_back(loss_row("this network", numbers_in(session.model()), network));
  lesson.show(table);
  lesson.say("\"both\" is the loss on the last tenth of the text, which is what published figures are measured on. ",
             "Perplexity is e to the loss: the number of symbols among which the model is left to guess.");
  const Ngram trigram = Ngram::interpolated(corpus.part.train, corpus.vocab(), 3, pseudo_counts);
  const double mixture = mixture_loss(session.model(), trigram, corpus, session.pool);
  lesson.say("Half the network and half the trigram table, as in Bengio's paper: ", fixed(mixture, 4),
             " nats on validation.");
  lesson.claim_trained("the mixture is better than its better half by",
                       std::min(network.validation, held_out(trigram, corpus).validation) - mixture, at_least(0.01));
  where_the_curves_cross(lesson, session);
}
