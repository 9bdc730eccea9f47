// Lesson 2, part 6: training on the text, with tables of counts as the rival.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "common/support/spread.hpp"
#include "lessons/2_bengio_mlp/rivals.hpp"
#include "lessons/2_bengio_mlp/session.hpp"

// Trains the session's model with a progress line, and shows the course of the loss.
inline void train_with_curve(Lesson& lesson, Session& session, const std::vector<plot::Level>& levels) {
  const long steps = lesson.steps(standard_steps, 60), every = std::max(1L, steps / 40);
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
  chart.y.high = std::min(0.85 * std::log(double(corpus.vocab())), 1.2 * chart.series[0].y.front());
  lesson.picture("training", chart);
  lesson.say("Training took ", fixed(seconds, 1), " s for ", steps, " steps of ", session.flags.training.batch, ".");
}

// The losses of the networks of one context, one for each run.
struct OneContext {
  std::size_t symbols, numbers = 0;
  std::vector<double> held_out, train;
};

// Networks of each context, `runs` of them.
inline std::vector<OneContext> train_contexts(const Corpus& corpus, long steps, std::size_t runs, std::uint64_t seed,
                                              Pool& pool) {
  std::vector<OneContext> contexts;
  for (const std::size_t symbols : {1u, 2u, 3u, 4u, 5u, 8u})
    contexts.push_back({symbols, 0, std::vector<double>(runs), std::vector<double>(runs)});
  run_with_progress(pool, "networks", contexts.size() * runs, [&](std::size_t k) {
    OneContext& c = contexts[k / runs];
    const std::size_t run = k % runs;
    const Trained network = train_small(corpus, c.symbols, 64, steps, seed_of_run(seed, run));
    if (run == 0) c.numbers = network.numbers;
    c.held_out[run] = network.loss, c.train[run] = network.train_loss;
  });
  return contexts;
}

// The same over several runs, and by how much each context is better than three symbols, run by run.
inline void show_runs(Lesson& lesson, const std::vector<OneContext>& contexts) {
  const OneContext& three = contexts[2];
  Table table{{"context", "last tenth", "on train", "better than 3 by"}, {}};
  std::vector<double> gains;
  for (const OneContext& c : contexts) {
    std::vector<double> better;
    for (std::size_t r = 0; r < c.held_out.size(); ++r) better.push_back(three.held_out[r] - c.held_out[r]);
    gains.push_back(spread_of(better).mean);
    table.rows.push_back({std::to_string(c.symbols), spread_of(c.held_out).text(3), spread_of(c.train).text(3),
                          spread_of(better).text(3)});
  }
  lesson.say("The networks again, with ", three.held_out.size(), " seeds each, mean ± standard deviation:");
  lesson.show(table);
  // Means and spreads over 24 single runs.
  const double root = std::sqrt(double(three.held_out.size()));
  lesson.claim_trained("a fourth symbol of context helps, nats", gains[3], within(0.014, 4.5 * 0.0084 / root));
  lesson.claim_trained("eight symbols are worse than three, nats", -gains[5], within(0.012, 4.5 * 0.011 / root));
}

// The same context for both: a table of counts of order context + 1, and a network that sees as much. Returns the least loss of
// the networks.
inline double same_context(Lesson& lesson, Session& session) {
  const Corpus& corpus = session.corpus;
  const long steps = lesson.options().quick ? 30 : 3000;
  const std::size_t runs = lesson.options().all ? 6 : 1;
  const std::vector<OneContext> contexts = train_contexts(corpus, steps, runs, lesson.options().seed, session.pool);
  Table table{{"context", "network", "on train", "parameters", "interpolated", "Kneser-Ney", "n-grams"}, {}};
  for (const OneContext& c : contexts) {
    const std::size_t order = c.symbols + 1;
    table.rows.push_back(
        {std::to_string(c.symbols), fixed(c.held_out[0], 3), fixed(c.train[0], 3), std::to_string(c.numbers)});
    if (order > 6) continue;
    const HeldOut plain =
        held_out(Ngram::interpolated(corpus.part.train, corpus.vocab(), order, pseudo_counts), corpus);
    const Ngram smooth = Ngram::kneser_ney(corpus.part.train, corpus.vocab(), order);
    table.rows.back().push_back(fixed(plain.both, 3));
    table.rows.back().push_back(fixed(held_out(smooth, corpus).both, 3));
    table.rows.back().push_back(std::to_string(smooth.distinct_up_to(order)));
  }
  lesson.say(
      "The honest comparison. First, the same context for both, loss on the last tenth: networks with d = 8 and 64 ",
      "hidden units, ", steps, " steps, against tables of order context + 1. The third column is the network's loss ",
      "on the text it was trained on.");
  lesson.show(table);
  // Mean and spread over 24 seeds.
  lesson.claim_trained(
      "at context 3 the Kneser-Ney table is ahead by, nats",
      contexts[2].held_out[0] - held_out(Ngram::kneser_ney(corpus.part.train, corpus.vocab(), 4), corpus).both,
      within(0.239, 4.5 * 0.0083));
  if (runs > 1) show_runs(lesson, contexts);
  double least = HUGE_VAL;
  for (const OneContext& c : contexts) least = std::min(least, c.held_out[0]);
  return least;
}

// Loss against the count of what is stored, for both: here the curves cross. Returns the least loss of the networks.
inline double same_size(Lesson& lesson, Session& session) {
  const Corpus& corpus = session.corpus;
  const std::vector<std::size_t> hidden{4, 8, 16, 32, 64, 128, 256};
  const long steps = lesson.options().quick ? 30 : 6000;
  std::vector<Trained> networks(hidden.size());
  session.pool.run(hidden.size(), [&](std::size_t k) {
    networks[k] = train_small(corpus, 4, hidden[k], steps, lesson.options().seed);
  });
  plot::Chart chart;
  chart.title = "Loss on the last tenth against what is stored";
  chart.x = {"parameters, or n-grams", true, {}, {}};
  chart.y.title = "nats a symbol";
  chart.series = {{"network, context 4", {}, {}}, {"Kneser-Ney tables, order 1 to 6", {}, {}}};
  for (const Trained& network : networks) {
    chart.series[0].x.push_back(double(network.numbers));
    chart.series[0].y.push_back(network.loss);
  }
  std::vector<Trained> tables;
  for (std::size_t order = 1; order <= 6; ++order) {
    const Ngram table = Ngram::kneser_ney(corpus.part.train, corpus.vocab(), order);
    tables.push_back({table.distinct_up_to(order), held_out(table, corpus).both});
    chart.series[1].x.push_back(double(tables.back().numbers));
    chart.series[1].y.push_back(tables.back().loss);
  }
  lesson.say(
      "Second, the same count of what is stored: parameters of a network, n-grams of a table (each of them a key and ",
      "a count). A table grows with the contexts it has met, a network does not. Predict where the lines cross.");
  Table sizes{{"hidden units", "parameters", "network", "order", "n-grams", "table"}, {}};
  for (std::size_t k = 0; k < hidden.size(); ++k) {
    sizes.rows.push_back({std::to_string(hidden[k]), std::to_string(networks[k].numbers), fixed(networks[k].loss, 3)});
    if (k >= tables.size()) continue;
    for (const std::string& cell : {std::to_string(k + 1), std::to_string(tables[k].numbers), fixed(tables[k].loss, 3)})
      sizes.rows.back().push_back(cell);
  }
  lesson.show(sizes);
  lesson.picture("sizes", chart);
  // The table's loss at a network's size, on the straight line of the picture between two orders.
  const auto line = [&](double numbers) {
    std::size_t k = 1;
    while (k + 1 < tables.size() && double(tables[k].numbers) < numbers) ++k;
    const double left = std::log(double(tables[k - 1].numbers)), right = std::log(double(tables[k].numbers));
    return tables[k - 1].loss + (tables[k].loss - tables[k - 1].loss) * (std::log(numbers) - left) / (right - left);
  };
  // Means and spreads over 24 seeds.
  const Trained &small = networks[2], &large = networks[6];
  lesson.claim_trained(join("the network of ", small.numbers, " parameters is below the line of the tables by, nats"),
                       line(double(small.numbers)) - small.loss, within(0.105, 4.5 * 0.014));
  lesson.claim_trained(join("the network of ", large.numbers, " parameters is above it by, nats"),
                       large.loss - line(double(large.numbers)), within(0.072, 4.5 * 0.0075));
  // 0.032 in the mean, with the same spread.
  lesson.claim_trained("but below it, an n-gram counted as two numbers, by, nats",
                       line(double(large.numbers) / 2) - large.loss, at_least(0));
  const auto less = [](const Trained& a, const Trained& b) { return a.loss < b.loss; };
  return std::min_element(networks.begin(), networks.end(), less)->loss;
}

inline void part6(Lesson& lesson, Session& session) {
  const Corpus& corpus = session.corpus;
  const std::size_t order = std::min<std::size_t>(session.sizes().context + 1, 6);
  Table table{{"model", "stored", "validation", "test", "last tenth", "perplexity"}, {}};
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
  // Over-fitting is the sign that train and held-out text were kept apart; with one text for both the gap would be 0.
  const double on_train = mean_loss(session.model(), corpus.text, 0, corpus.train_end(), session.pool);
  lesson.claim_trained("the loss on the train text is lower than on the last tenth by", network.both - on_train,
                       within(0.078, 4.5 * 0.0055));  // over 24 seeds
  lesson.say("The last tenth is validation and test together; published figures are measured on it. ",
             "Perplexity is e to the loss: the number of symbols among which the model is left to guess.");
  const Ngram trigram = Ngram::interpolated(corpus.part.train, corpus.vocab(), 3, pseudo_counts);
  lesson.say("Bengio's paper lets the network and a trigram table vote with half the weight each, and found that this ",
             "always helped. Here the weight of the network is chosen on validation, in tenths, and judged on test:");
  Table mixtures{{"network and", "table alone", "network alone", "half each", "best weight", "with it"}, {}};
  const Mixture weak = mix(session, trigram), strong = mix(session, kneser_ney);
  for (const auto& [name, m] : {std::pair(std::string("trigram"), weak), std::pair(join(order, "-gram K-N"), strong)})
    mixtures.rows.push_back(
        {name, fixed(m.table, 4), fixed(m.network, 4), fixed(m.half, 4), fixed(m.weight, 1), fixed(m.mixed, 4)});
  lesson.show(mixtures);
  // Means and spreads over 24 seeds. A weight of 1, in tenths, would leave the trigram no say.
  lesson.claim_trained("both have a say: the best weight of the network beside the trigram", weak.weight,
                       between(0.85 - 4.5 * 0.05, 0.95));
  lesson.claim_trained("half each with the trigram is worse than the network alone, by", weak.half - weak.network,
                       between(0, 0.0206 + 4.5 * 0.005));
  lesson.claim_trained("with the best weight the trigram helps, by", weak.network - weak.mixed,
                       between(0, 0.0093 + 4.5 * 0.0025));
  lesson.claim_trained("beside the stronger table the network has little to add, nats",
                       std::min(strong.table, strong.network) - strong.mixed, within(0.002, 4.5 * 0.0012));
  const double least = std::min({network.both, same_context(lesson, session), same_size(lesson, session)});
  // The spread is that of the largest network, over 24 seeds.
  lesson.claim_trained("the Kneser-Ney 4-gram is ahead of the best network of this part by, nats",
                       least - held_out(Ngram::kneser_ney(corpus.part.train, corpus.vocab(), 4), corpus).both,
                       within(0.039, 4.5 * 0.0075));
}
