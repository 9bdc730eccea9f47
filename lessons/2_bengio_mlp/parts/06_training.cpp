// Lesson 2, part 6: training on the text, with tables of counts as the rival.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "common/support/spread.hpp"
#include "lessons/2_bengio_mlp/lesson.hpp"

namespace lesson2 {

// Of the scene; the lesson's own flags say what the part itself trains.
static constexpr knob::Whole context{"context", "c, the symbols that the network sees", 3, {1, 8, 1}};
static constexpr knob::Whole dim{"dim", "d, the numbers for each symbol", 8, {1, 32, 1}};
static constexpr knob::Whole hidden{"hidden", "h, the hidden units", 32, {1, 128, 1}};
static constexpr knob::Whole length{"steps", "steps of training", 300, {5, 2000, 5}};
static constexpr knob::Whole order{
    "order", "of the table of counts: the symbols that it sees, and the next", 3, {1, 6, 1}};
static constexpr knob::Real added{"pseudo", "λ, how many counts the shorter table is worth", 4, {0.1, 50, 0.1}};
static constexpr knob::TextFile own{"text", "a text of your own"};

// ------------------------------------------------------------------------------------------ the network of this part

// The loss on the batches and on the validation text, now and then.
struct Course {
  Session& session;
  long every;
  std::size_t places;  // of the validation text
  plot::Series train{"train"}, validation{"validation"};
  double sum = 0;

  Course(Session& of, long steps, long points, std::size_t most)
      : session(of), every(std::max(1L, steps / points)), places(std::min(of.corpus.part.validation.size(), most)) {}

  double on_validation(const Bengio<float>& model) const {
    return mean_loss(model, session.corpus.text, session.corpus.train_end(), places, session.pool);
  }

  Session::WatchModel watch() {
    return [this](long step, double loss, const Bengio<float>& model) {
      sum += loss;
      if ((step + 1) % every != 0) return;
      train.add(double(step + 1), sum / double(every));
      validation.add(double(step + 1), on_validation(model));
      sum = 0;
    };
  }
};

static std::vector<std::string> loss_row(const std::string& name, std::size_t numbers, const HeldOut& loss) {
  return {name,
          std::to_string(numbers),
          fixed(loss.validation, 4),
          fixed(loss.test, 4),
          fixed(loss.both, 4),
          fixed(std::exp(loss.both), 2)};
}

// The tables of counts, then the network, which is trained unless it was loaded. Returns its loss on the last tenth.
static double network_and_tables(Lesson& lesson, Session& session, std::size_t longest) {
  const Corpus& corpus = session.corpus;
  Table table{{"model", "stored", "validation", "test", "last tenth", "perplexity"}, {}};
  plot::Chart chart{.title = "Learning the text", .x = {.title = "step"}, .y = {.title = "nats a symbol"}};
  for (std::size_t n = 1; n <= std::max<std::size_t>(longest, 4); ++n) {
    const Ngram plain = interpolated(corpus, n);
    const HeldOut loss = held_out(plain, corpus);
    table.rows.push_back(loss_row(join(n, "-gram, interpolated"), plain.stored(), loss));
    if (n > 1 && n <= 4) chart.levels.push_back({join(n, "-gram"), loss.validation});
  }
  const Ngram smooth = kneser_ney(corpus, longest);
  const HeldOut counted = held_out(smooth, corpus);
  table.rows.push_back(loss_row(join(longest, "-gram, Kneser-Ney"), smooth.stored(), counted));
  lesson.say("How does the network stand beside tables of counts? Nats a symbol:");
  if (session.loaded()) lesson.say("The model is the one of --load; it is not trained further.");
  else {
    Course course(session, lesson.steps(standard_steps, 60), 40, 10'000);
    session.train_model(lesson.options(), course.watch());
    chart.series = {course.train, course.validation};
    chart.y.high = std::min(0.85 * std::log(double(corpus.vocab())), 1.2 * course.train.y.front());
    lesson.figure("training", chart);
  }
  const HeldOut network = held_out(session.model(), corpus, session.pool);
  table.rows.push_back(loss_row("this network", parameters_of(session.model()), network));
  lesson.show(table);
  const Comparable n = comparable(corpus, network.both), t = comparable(corpus, counted.both);
  lesson.say("Whatever a symbol is: the network ", fixed(n.nats_a_byte, 3), " nats a byte, a perplexity of ",
             fixed(n.word_perplexity, 0), " a word; the Kneser-Ney table ", fixed(t.nats_a_byte, 3), " and ",
             fixed(t.word_perplexity, 0), ".");
  // Counted, so that it depends on no seed; half a unit of the last digit.
  if (corpus.is_play() && longest == 4)
    lesson.claim("the table, nats a byte", t.nats_a_byte,
                 within(corpus.vocabulary.has_words() ? 1.4277 : 1.5189, 0.00005));
  // Over-fitting is the sign that training and held-out text were kept apart.
  const double on_train = mean_loss(session.model(), corpus.text, 0, corpus.train_end(), session.pool);
  lesson.claim_trained("the loss on the training text is lower than on the last tenth by", network.both - on_train,
                       at_least(0));
  return network.both;
}

// ---------------------------------------------------------------------------------------------------------- a vote

// Losses on test when the network and a table vote: each alone, half the weight each, and with the network's weight, in
// tenths, that was best on validation.
struct Mixture {
  double table, network, half, weight, mixed;
};

static Mixture mix(Session& session, const Ngram& table) {
  const Corpus& corpus = session.corpus;
  // The loss as a function of the weight, over the places from `first` on.
  const auto losses = [&](std::size_t first, std::size_t count) {
    std::vector<double> said = log_probabilities(session.model(), corpus.text, first, count, session.pool), counted;
    for (std::size_t i = first; i < first + count; ++i)
      counted.push_back(table.probability(Symbols(corpus.text).first(i), corpus.text[i]));
    return [said, counted](double weight) {
      double sum = 0;
      for (std::size_t i = 0; i < said.size(); ++i)
        sum -= std::log(weight * std::exp(said[i]) + (1 - weight) * counted[i]);
      return sum / double(said.size());
    };
  };
  const auto on_validation = losses(corpus.train_end(), corpus.part.validation.size()),
             on_test = losses(corpus.validation_end(), corpus.part.test.size());
  double weight = 0;
  for (int tenths = 1; tenths <= 10; ++tenths)
    if (on_validation(tenths / 10.0) < on_validation(weight)) weight = tenths / 10.0;
  return {on_test(0), on_test(1), on_test(0.5), weight, on_test(weight)};
}

static void voting(Lesson& lesson, Session& session, std::size_t longest) {
  const Mixture weak = mix(session, interpolated(session.corpus, 3)),
                strong = mix(session, kneser_ney(session.corpus, longest));
  lesson.note("Loss on test when the network and a table vote, the weight in tenths chosen on validation:");
  Table table{{"network and", "table alone", "network alone", "half each", "best weight", "with it"}, {}};
  for (const auto& [name, m] :
       {std::pair(std::string("trigram"), weak), std::pair(join(longest, "-gram Kneser-Ney"), strong)})
    table.rows.push_back(
        {name, fixed(m.table, 4), fixed(m.network, 4), fixed(m.half, 4), fixed(m.weight, 1), fixed(m.mixed, 4)});
  lesson.detail(table);
  lesson.claim_trained("half each with the trigram is worse than the network alone, by", weak.half - weak.network,
                       at_least(0));
  lesson.claim_trained("with the best weight the trigram helps, by", weak.network - weak.mixed, at_least(0));
  lesson.claim_trained("beside the stronger table the network has little to add, nats",
                       std::min(strong.table, strong.network) - strong.mixed, at_most(0.01));
}

// -------------------------------------------------------------------------------------------------- the same context

// A trained network: its size, its loss on the last tenth, and on the text it was trained on.
struct Trained {
  std::size_t stored = 0;
  double loss = 0, train_loss = 0;
};

// Trains a network of the given context and hidden units, d = 8, on the calling thread.
static Trained train_small(const Corpus& corpus, std::size_t symbols, std::size_t units, long steps,
                           std::uint64_t seed) {
  Pool alone(1);
  Random random(seed);
  TrainingSettings settings;
  settings.steps = steps;
  Bengio<float> model({corpus.vocab(), symbols, 8, units}, random);
  train(model, corpus.part.train, settings, alone, Random(seed, 1));
  return {parameters_of(model), held_out(model, corpus, alone).both,
          mean_loss(model, corpus.text, 0, corpus.train_end(), alone)};
}

// The same context for both: a table of counts of order context + 1, and networks that see as much, six under --all.
// Returns the least loss of the networks of the first seed.
static double same_context(Lesson& lesson, Session& session) {
  const Corpus& corpus = session.corpus;
  const std::vector<std::size_t> contexts{1, 2, 3, 4, 5, 8};
  const long steps = lesson.options().quick_or(30L, 3000L);
  const std::size_t runs = lesson.options().all ? 6 : 1;
  std::vector<std::vector<Trained>> networks(contexts.size(), std::vector<Trained>(runs));
  run_with_progress(session.pool, "networks", contexts.size() * runs, [&](std::size_t k) {
    networks[k / runs][k % runs] =
        train_small(corpus, contexts[k / runs], 64, steps, seed_of_run(lesson.options().seed, k % runs));
  });
  // Mean and deviation of what `of` says of the runs of networks[c], or the one figure.
  const auto text = [&](std::size_t c, auto of) {
    std::vector<double> figures;
    for (std::size_t run = 0; run < runs; ++run) figures.push_back(of(networks[c][run], networks[2][run]));
    return runs > 1 ? spread_of(figures).text(3) : fixed(figures[0], 3);
  };
  Table table{{"context", "network", "training text", "better than with 3 by", "parameters", "interpolated",
               "Kneser-Ney", "n-grams"},
              {}};
  double least = HUGE_VAL, ahead = 0;
  for (std::size_t c = 0; c < contexts.size(); ++c) {
    least = std::min(least, networks[c][0].loss);
    std::vector<std::string> counts(3, "-");  // above order 6 no table is made
    if (contexts[c] < 6) {
      const Ngram smooth = kneser_ney(corpus, contexts[c] + 1);
      const double loss = held_out(smooth, corpus).both;
      counts = {fixed(held_out(interpolated(corpus, contexts[c] + 1), corpus).both, 3), fixed(loss, 3),
                std::to_string(smooth.stored())};
      if (contexts[c] == 3) ahead = networks[c][0].loss - loss;
    }
    table.rows.push_back({std::to_string(contexts[c]), text(c, [](const Trained& n, const Trained&) { return n.loss; }),
                          text(c, [](const Trained& n, const Trained&) { return n.train_loss; }),
                          text(c, [](const Trained& n, const Trained& three) { return three.loss - n.loss; }),
                          std::to_string(networks[c][0].stored), counts[0], counts[1], counts[2]});
  }
  lesson.say("Who is ahead with the same context? Networks with 64 hidden units, ", steps, " steps, seeds: ", runs,
             ", and tables of order context + 1, on the last tenth:");
  lesson.show(table);
  lesson.claim_trained("at context 3 the Kneser-Ney table is ahead by, nats", ahead, at_least(0));
  return least;
}

// ----------------------------------------------------------------------------------------------------- the same size

// What is stored, and the loss on the last tenth: networks of more and more hidden units, tables of higher and higher
// order.
struct Point {
  std::size_t size, stored;
  double loss;
};
using Points = std::vector<Point>;

static plot::Series line_of(const std::string& name, const Points& points) {
  plot::Series line{name};
  for (const Point& point : points) line.add(double(point.stored), point.loss);
  return line;
}

// The loss at a size, on the straight line of the picture between two points, or that at the end prolonged.
static double loss_at(const Points& points, double stored) {
  std::size_t k = 1;
  while (k + 1 < points.size() && double(points[k].stored) < stored) ++k;
  const double left = std::log(double(points[k - 1].stored)), right = std::log(double(points[k].stored));
  return points[k - 1].loss + (points[k].loss - points[k - 1].loss) * (std::log(stored) - left) / (right - left);
}

// The size above which every network is behind the tables, on the lines of the picture; NaN where the largest is not.
static double crossing(const Points& networks, const Points& tables) {
  const auto behind = [&](double stored) { return loss_at(networks, stored) > loss_at(tables, stored); };
  std::size_t k = networks.size();
  while (k > 0 && behind(double(networks[k - 1].stored))) --k;
  if (k == 0 || k == networks.size()) return NAN;
  double low = double(networks[k - 1].stored), high = double(networks[k].stored);
  for (int halving = 0; halving < 30; ++halving) {
    const double middle = std::sqrt(low * high);
    (behind(middle) ? high : low) = middle;
  }
  return low;
}

// Loss against the count of what is stored, for both: here the curves cross. Returns the least loss of the networks.
static double same_size(Lesson& lesson, Session& session) {
  const Corpus& corpus = session.corpus;
  const long steps = lesson.options().quick_or(30L, 6000L);
  Points networks, tables;
  for (const std::size_t units : {4u, 8u, 16u, 32u, 64u, 128u, 256u}) networks.push_back({units, 0, 0});
  session.pool.run(networks.size(), [&](std::size_t k) {
    const Trained network = train_small(corpus, 4, networks[k].size, steps, lesson.options().seed);
    networks[k] = {networks[k].size, network.stored, network.loss};
  });
  for (std::size_t n = 1; n <= 6; ++n) {
    const Ngram table = kneser_ney(corpus, n);
    tables.push_back({n, table.stored(), held_out(table, corpus).both});
  }
  lesson.say("And with the same count of stored numbers, parameters or n-grams?");
  const double above = crossing(networks, tables);
  lesson.predict("Above about how many stored numbers is the table ahead for good?", above);
  Table sizes{{"model", "stored", "last tenth"}, {}};
  for (const Point& p : networks)
    sizes.rows.push_back({join("network, ", p.size, " hidden units"), std::to_string(p.stored), fixed(p.loss, 3)});
  for (const Point& p : tables)
    sizes.rows.push_back({join("table, order ", p.size), std::to_string(p.stored), fixed(p.loss, 3)});
  lesson.detail(sizes);
  plot::Chart chart{.title = "Loss on the last tenth against what is stored",
                    .x = {.title = "parameters, or n-grams", .log = true},
                    .y = {.title = "nats a symbol"}};
  chart.series = {line_of("network, context 4", networks), line_of("Kneser-Ney tables, order 1 to 6", tables)};
  lesson.picture("sizes", chart);
  lesson.say("The tables are ahead for good above some ", significant(above, 2), ".");
  const Point &small = networks[2], &large = networks[6];
  lesson.claim_trained(join("the network of ", small.stored, " parameters is below the line of the tables by, nats"),
                       loss_at(tables, double(small.stored)) - small.loss, at_least(0));
  lesson.claim_trained(join("the network of ", large.stored, " parameters is above it by, nats"),
                       large.loss - loss_at(tables, double(large.stored)), at_least(0));
  lesson.claim_trained("but below it, an n-gram counted as two numbers, by, nats",
                       loss_at(tables, double(large.stored) / 2) - large.loss, at_least(0));
  const auto less = [](const Point& a, const Point& b) { return a.loss < b.loss; };
  return std::min_element(networks.begin(), networks.end(), less)->loss;
}

// ----------------------------------------------------------------------------------------------------- the experiments

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const std::size_t longest = std::min<std::size_t>(session.form().context + 1, 6);  // sees as much as the network
  const double trained = network_and_tables(lesson, session, longest);
  voting(lesson, session, longest);
  const double in_context = same_context(lesson, session), least = std::min(in_context, same_size(lesson, session));
  lesson.claim_trained("the Kneser-Ney 4-gram is ahead of the best network of this part by, nats",
                       std::min(trained, least) - held_out(kneser_ney(session.corpus, 4), session.corpus).both,
                       at_least(0));
}

// A small network beside a table of counts, in a moment.
static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Corpus& corpus = session.corpus;
  const long steps = lesson.options().quick_or(60L, long(at[length]));
  const Symbols text = session.short_text(), validation = corpus.part.validation;
  Course course(session, steps, 20, short_size);
  const Bengio<float> model = session.trained_now({corpus.vocab(), at[context], at[dim], at[hidden]}, steps,
                                                  Random(lesson.options().seed, 506), course.watch());
  const Ngram table = Ngram::interpolated(text, corpus.vocab(), at[order], at[added]);
  const double counted = table.loss(validation.first(course.places)), learned = course.on_validation(model);
  plot::Chart chart{.title = join("A network that sees ", at[context], ", and counts of order ", at[order])};
  chart.x = {.title = "steps taken", .low = 0, .high = double(steps)};
  chart.y = {.title = "nats a symbol", .low = 0, .high = 6};
  chart.series = {course.train, course.validation};
  chart.levels = {{join(at[order], "-gram, validation"), counted}};
  lesson.picture("turned_training", chart);
  lesson.show(Table{{"on validation", "numbers stored", "nats a symbol"},
                    {{"the network", std::to_string(parameters_of(model)), fixed(learned, 3)},
                     {join("the ", at[order], "-gram"), std::to_string(table.stored()), fixed(counted, 3)}}});
  lesson.say("Trained just now for ", steps, " steps on ", text.size(), " symbols; the whole part trains for ",
             standard_steps, ", with more units.");
  double sum = 0;
  for (std::uint32_t s = 0; s < corpus.vocab(); ++s) sum += table.probability(text, s);
  // Each probability is a sum of as many terms as the order, and there are at most 1024 of them.
  lesson.claim("the table's probabilities of what follows the text sum to 1, off by", std::abs(sum - 1),
               at_most(1e-11));
}

extern const Part<Session> part6{.number = 6,
                                 .title = "Training on the text",
                                 .run = run,
                                 .question = "Which network beats which table of counts, and after how many steps?",
                                 .knobs = {&context, &dim, &hidden, &length, &order, &added, &own},
                                 .scene = scene};

}  // namespace lesson2
