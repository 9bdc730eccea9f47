// Lesson 2, part 6: training on the text, with tables of counts as the rival.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "common/support/spread.hpp"
#include "lessons/2_bengio_mlp/run/rivals.hpp"

namespace lesson2 {
namespace {

// ------------------------------------------------------------------------------------------ the network of this part

// The order of the longest table beside a network: the symbols that it sees, and the one that it predicts.
std::size_t order_beside(const Session& session) { return std::min<std::size_t>(session.form().context + 1, 6); }

struct Course {
  plot::Series train{"train"}, validation{"validation"};
  double seconds = 0;  // of training alone
};

// Trains the session's model with a progress line, and measures the course of the loss.
Course train_and_measure(Session& session, std::uint64_t seed, long steps) {
  const long every = std::max(1L, steps / 40);
  const Corpus& corpus = session.corpus;
  const std::size_t sample = std::min<std::size_t>(corpus.part.validation.size(), 10'000);
  Course course;
  Progress progress("training", steps);
  double sum = 0;
  auto started = std::chrono::steady_clock::now();
  const auto pause = [&] {
    course.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  session.train_model(seed, steps, [&](long step, double loss, const Bengio<float>& model) {
    sum += loss;
    progress(step + 1, "loss " + fixed(loss, 3));
    if ((step + 1) % every != 0) return;
    pause();
    course.train.x.push_back(double(step + 1));
    course.train.y.push_back(sum / double(every));
    course.validation.x.push_back(double(step + 1));
    course.validation.y.push_back(mean_loss(model, corpus.text, corpus.train_end(), sample, session.pool));
    sum = 0;
    started = std::chrono::steady_clock::now();
  });
  pause();
  return course;
}

void train_with_curve(Lesson& lesson, Session& session, const std::vector<plot::Level>& levels) {
  const long steps = lesson.steps(standard_steps, 60);
  const Course course = train_and_measure(session, lesson.options().seed, steps);
  plot::Chart chart{
      .title = "Learning the text", .x = {.title = "step"}, .y = {.title = "nats a symbol"}, .levels = levels};
  chart.series = {course.train, course.validation};
  chart.y.high = std::min(0.85 * std::log(double(session.corpus.vocab())), 1.2 * course.train.y.front());
  lesson.figure("training", chart);
  lesson.note("Training took ", fixed(course.seconds, 1), " s for ", steps, " steps of ", session.flags.training.batch,
              ".");
}

std::vector<std::string> loss_row(const std::string& name, std::size_t numbers, const HeldOut& loss) {
  return {name,
          std::to_string(numbers),
          fixed(loss.validation, 4),
          fixed(loss.test, 4),
          fixed(loss.both, 4),
          fixed(std::exp(loss.both), 2)};
}

// The losses on the last tenth in measures that are the same for bytes and words.
void compare_symbols(Lesson& lesson, const Corpus& corpus, std::size_t order, double network, double table) {
  const Comparable n = comparable(corpus, network), t = comparable(corpus, table);
  lesson.say("Whatever a symbol is: the network ", fixed(n.nats_a_byte, 3), " nats a byte, a perplexity of ",
             fixed(n.word_perplexity, 0), " a word; the Kneser-Ney table ", fixed(t.nats_a_byte, 3), " and ",
             fixed(t.word_perplexity, 0), ".");
  // Counted, so that it depends on no seed; half a unit of the last digit.
  if (corpus.is_play() && order == 4)
    lesson.claim("the table, nats a byte", t.nats_a_byte,
                 within(corpus.vocabulary.has_words() ? 1.4277 : 1.5189, 0.00005));
}

// The tables of counts, then the network, which is trained unless it was loaded. Returns its losses.
HeldOut network_and_tables(Lesson& lesson, Session& session) {
  const Corpus& corpus = session.corpus;
  const std::size_t order = order_beside(session);
  Table table{{"model", "stored", "validation", "test", "last tenth", "perplexity"}, {}};
  std::vector<plot::Level> levels;
  for (std::size_t n = 1; n <= std::max<std::size_t>(order, 4); ++n) {
    const Ngram plain = interpolated(corpus, n);
    const HeldOut loss = held_out(plain, corpus);
    table.rows.push_back(loss_row(join(n, "-gram, interpolated"), plain.distinct_up_to(n), loss));
    if (n > 1 && n <= 4) levels.push_back({join(n, "-gram"), loss.validation});
  }
  const Ngram smooth = kneser_ney(corpus, order);
  table.rows.push_back(
      loss_row(join(order, "-gram, Kneser-Ney"), smooth.distinct_up_to(order), held_out(smooth, corpus)));
  lesson.say("How does the network stand beside tables of counts? Nats a symbol:");
  if (session.loaded()) lesson.say("The model is the one from ", session.flags.load, "; it is not trained further.");
  else train_with_curve(lesson, session, levels);

  const HeldOut network = held_out(session.model(), corpus, session.pool);
  table.rows.push_back(loss_row("this network", parameters_of(session.model()), network));
  lesson.show(table);
  compare_symbols(lesson, corpus, order, network.both, held_out(smooth, corpus).both);
  // Over-fitting is the sign that train and held-out text were kept apart; with one text for both the gap would be 0.
  const double on_train = mean_loss(session.model(), corpus.text, 0, corpus.train_end(), session.pool);
  lesson.claim_trained("the loss on the train text is lower than on the last tenth by", network.both - on_train,
                       within(0.078, 4.5 * 0.0055));  // over 24 seeds
  return network;
}

void voting(Lesson& lesson, Session& session) {
  const std::size_t order = order_beside(session);
  const Mixture weak = mix(session, interpolated(session.corpus, 3));
  const Mixture strong = mix(session, kneser_ney(session.corpus, order));
  lesson.note("Loss on test when the network and a table vote, the weight in tenths chosen on validation:");
  Table mixtures{{"network and", "table alone", "network alone", "half each", "best weight", "with it"}, {}};
  for (const auto& [name, m] :
       {std::pair(std::string("trigram"), weak), std::pair(join(order, "-gram Kneser-Ney"), strong)})
    mixtures.rows.push_back(
        {name, fixed(m.table, 4), fixed(m.network, 4), fixed(m.half, 4), fixed(m.weight, 1), fixed(m.mixed, 4)});
  lesson.detail(mixtures);
  // Means and spreads over 24 seeds. A weight of 1, in tenths, would leave the trigram no say.
  lesson.claim_trained("both have a say: the best weight of the network beside the trigram", weak.weight,
                       between(0.85 - 4.5 * 0.05, 0.95));
  lesson.claim_trained("half each with the trigram is worse than the network alone, by", weak.half - weak.network,
                       between(0, 0.0206 + 4.5 * 0.005));
  lesson.claim_trained("with the best weight the trigram helps, by", weak.network - weak.mixed,
                       between(0, 0.0093 + 4.5 * 0.0025));
  lesson.claim_trained("beside the stronger table the network has little to add, nats",
                       std::min(strong.table, strong.network) - strong.mixed, within(0.002, 4.5 * 0.0012));
}

// -------------------------------------------------------------------------------------------------- the same context

// The losses of the networks of one context, one for each run.
struct OneContext {
  std::size_t symbols, numbers = 0;
  std::vector<double> held_out, train;
};

// Networks of each context, `runs` of them.
std::vector<OneContext> train_contexts(const Corpus& corpus, long steps, std::size_t runs, std::uint64_t seed,
                                       Pool& pool) {
  std::vector<OneContext> contexts;
  for (const std::size_t symbols : {1u, 2u, 3u, 4u, 5u, 8u})
    contexts.push_back({symbols, 0, std::vector<double>(runs), std::vector<double>(runs)});
  run_with_progress(pool, "networks", contexts.size() * runs, [&](std::size_t k) {
    OneContext& c = contexts[k / runs];
    const std::size_t run = k % runs;
    const Trained network = train_small(corpus, c.symbols, 64, steps, seed_of_run(seed, run));
    if (run == 0) c.numbers = network.numbers;
    c.held_out[run] = network.loss;
    c.train[run] = network.train_loss;
  });
  return contexts;
}

// Of a network, and of the tables whose order is one more than the symbols that it sees.
std::vector<std::string> context_row(const OneContext& c, const Corpus& corpus) {
  const std::size_t order = c.symbols + 1;
  std::vector<std::string> row{std::to_string(c.symbols), fixed(c.held_out[0], 3), fixed(c.train[0], 3),
                               std::to_string(c.numbers)};
  if (order > 6) {
    row.insert(row.end(), 3, "-");  // no table of that order is made
    return row;
  }
  const Ngram smooth = kneser_ney(corpus, order);
  row.push_back(fixed(held_out(interpolated(corpus, order), corpus).both, 3));
  row.push_back(fixed(held_out(smooth, corpus).both, 3));
  row.push_back(std::to_string(smooth.distinct_up_to(order)));
  return row;
}

// The same over several runs, and by how much each context is better than three symbols, run by run.
void show_runs(Lesson& lesson, const std::vector<OneContext>& contexts) {
  const OneContext& three = contexts[2];
  Table table{{"context", "last tenth", "training text", "better than with 3 by"}, {}};
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

// The same context for both: a table of counts of order context + 1, and a network that sees as much. Returns the least
// loss of the networks.
double same_context(Lesson& lesson, Session& session) {
  const Corpus& corpus = session.corpus;
  const long steps = lesson.options().quick ? 30 : 3000;
  const std::size_t runs = lesson.options().all ? 6 : 1;
  const std::vector<OneContext> contexts = train_contexts(corpus, steps, runs, lesson.options().seed, session.pool);
  Table table{{"context", "network", "training text", "parameters", "interpolated", "Kneser-Ney", "n-grams"}, {}};
  for (const OneContext& c : contexts) table.rows.push_back(context_row(c, corpus));
  lesson.say("Who is ahead with the same context? Networks with 64 hidden units, ", steps,
             " steps, and tables of order context + 1, on the last tenth:");
  lesson.show(table);
  // Mean and spread over 24 seeds.
  lesson.claim_trained("at context 3 the Kneser-Ney table is ahead by, nats",
                       contexts[2].held_out[0] - held_out(kneser_ney(corpus, 4), corpus).both,
                       within(0.239, 4.5 * 0.0083));
  if (runs > 1) show_runs(lesson, contexts);
  double least = HUGE_VAL;
  for (const OneContext& c : contexts) least = std::min(least, c.held_out[0]);
  return least;
}

// ----------------------------------------------------------------------------------------------------- the same size

// What is stored, and the loss on the last tenth.
struct Point {
  std::size_t hidden_or_order, stored;
  double loss;
};

std::vector<Point> networks_by_size(Session& session, long steps, std::uint64_t seed) {
  std::vector<Point> networks;
  for (const std::size_t hidden : {4u, 8u, 16u, 32u, 64u, 128u, 256u}) networks.push_back({hidden, 0, 0});
  session.pool.run(networks.size(), [&](std::size_t k) {
    const Trained network = train_small(session.corpus, 4, networks[k].hidden_or_order, steps, seed);
    networks[k].stored = network.numbers;
    networks[k].loss = network.loss;
  });
  return networks;
}

std::vector<Point> tables_by_order(const Corpus& corpus) {
  std::vector<Point> tables;
  for (std::size_t order = 1; order <= 6; ++order) {
    const Ngram table = kneser_ney(corpus, order);
    tables.push_back({order, table.distinct_up_to(order), held_out(table, corpus).both});
  }
  return tables;
}

plot::Series line_of(const std::string& name, const std::vector<Point>& points) {
  plot::Series line{name};
  for (const Point& point : points) {
    line.x.push_back(double(point.stored));
    line.y.push_back(point.loss);
  }
  return line;
}

// The table's loss at a network's size, on the straight line of the picture between two orders.
double loss_at_size(const std::vector<Point>& tables, double stored) {
  std::size_t k = 1;
  while (k + 1 < tables.size() && double(tables[k].stored) < stored) ++k;
  const double left = std::log(double(tables[k - 1].stored)), right = std::log(double(tables[k].stored));
  return tables[k - 1].loss + (tables[k].loss - tables[k - 1].loss) * (std::log(stored) - left) / (right - left);
}

// The size above which every network is behind the tables, on the straight lines of the picture; NaN where the largest
// is not.
double crossing(const std::vector<Point>& networks, const std::vector<Point>& tables) {
  const auto behind = [&](const Point& p) { return p.loss - loss_at_size(tables, double(p.stored)); };
  if (behind(networks.back()) <= 0) return NAN;
  std::size_t k = networks.size() - 1;
  while (k > 1 && behind(networks[k - 1]) > 0) --k;
  double low = std::log(double(networks[k - 1].stored)), high = std::log(double(networks[k].stored));
  const double slope = (networks[k].loss - networks[k - 1].loss) / (high - low), start = low;
  for (int halving = 0; halving < 30; ++halving) {
    const double middle = (low + high) / 2, loss = networks[k - 1].loss + slope * (middle - start);
    (loss > loss_at_size(tables, std::exp(middle)) ? high : low) = middle;
  }
  return std::exp(low);
}

void show_sizes(Lesson& lesson, const std::vector<Point>& networks, const std::vector<Point>& tables) {
  Table sizes{{"hidden units", "parameters", "network", "order", "n-grams", "table"}, {}};
  for (std::size_t k = 0; k < networks.size(); ++k) {
    sizes.rows.emplace_back();
    for (const std::vector<Point>* points : {&networks, &tables}) {
      if (k >= points->size()) {
        sizes.rows.back().insert(sizes.rows.back().end(), 3, "-");
        continue;
      }
      const Point& point = (*points)[k];
      for (const std::string& cell :
           {std::to_string(point.hidden_or_order), std::to_string(point.stored), fixed(point.loss, 3)})
        sizes.rows.back().push_back(cell);
    }
  }
  lesson.detail(sizes);
  plot::Chart chart{.title = "Loss on the last tenth against what is stored",
                    .x = {.title = "parameters, or n-grams", .log = true},
                    .y = {.title = "nats a symbol"}};
  chart.series = {line_of("network, context 4", networks), line_of("Kneser-Ney tables, order 1 to 6", tables)};
  lesson.picture("sizes", chart);
}

// Loss against the count of what is stored, for both: here the curves cross. Returns the least loss of the networks.
double same_size(Lesson& lesson, Session& session) {
  const long steps = lesson.options().quick ? 30 : 6000;
  const std::vector<Point> networks = networks_by_size(session, steps, lesson.options().seed);
  const std::vector<Point> tables = tables_by_order(session.corpus);
  lesson.say("And with the same count of stored numbers, parameters or n-grams?");
  const double above = crossing(networks, tables);
  lesson.predict("Above about how many stored numbers is the table ahead for good?", above);
  show_sizes(lesson, networks, tables);
  lesson.say("The tables are ahead for good above some ", significant(above, 2), ".");
  // Means and spreads over 24 seeds.
  const Point &small = networks[2], &large = networks[6];
  lesson.claim_trained(join("the network of ", small.stored, " parameters is below the line of the tables by, nats"),
                       loss_at_size(tables, double(small.stored)) - small.loss, within(0.105, 4.5 * 0.014));
  lesson.claim_trained(join("the network of ", large.stored, " parameters is above it by, nats"),
                       large.loss - loss_at_size(tables, double(large.stored)), within(0.072, 4.5 * 0.0075));
  // 0.032 in the mean, with the same spread.
  lesson.claim_trained("but below it, an n-gram counted as two numbers, by, nats",
                       loss_at_size(tables, double(large.stored) / 2) - large.loss, at_least(0));
  const auto less = [](const Point& a, const Point& b) { return a.loss < b.loss; };
  return std::min_element(networks.begin(), networks.end(), less)->loss;
}

}  // namespace

void part6(Lesson& lesson, Session& session) {
  const HeldOut network = network_and_tables(lesson, session);
  voting(lesson, session);
  const double in_context = same_context(lesson, session);
  const double least = std::min({network.both, in_context, same_size(lesson, session)});
  // The spread is that of the largest network, over 24 seeds.
  lesson.claim_trained("the Kneser-Ney 4-gram is ahead of the best network of this part by, nats",
                       least - held_out(kneser_ney(session.corpus, 4), session.corpus).both,
                       within(0.039, 4.5 * 0.0075));
}

}  // namespace lesson2
