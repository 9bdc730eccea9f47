// Lesson 2, part 6: training on the text, with tables of counts as the rival.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

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
  const Corpus& corpus;
  Pool& pool;
  long every;
  plot::Series train{"train"}, validation{"validation"};
  double sum = 0;

  Course(Session& session, long steps) : corpus(session.corpus), pool(session.pool), every(std::max(1L, steps / 40)) {}

  // model() is the one that is being trained.
  template <class Model>
  Watch watch(Model model) {
    return [this, model](long step, double loss) {
      sum += loss;
      if ((step + 1) % every != 0) return;
      train.add(double(step + 1), sum / double(every));
      const std::size_t places = std::min<std::size_t>(corpus.part.validation.size(), 10'000);
      validation.add(double(step + 1), mean_loss(model(), corpus.text, corpus.train_end(), places, pool));
      sum = 0;
    };
  }

  plot::Chart chart(const std::string& title, const std::vector<plot::Level>& levels) const {
    const double high = std::min(0.85 * std::log(double(corpus.vocab())), 1.2 * train.y.front());
    return {.title = title,
            .x = {.title = "step"},
            .y = {.title = "nats a symbol", .high = high},
            .series = {train, validation},
            .levels = levels};
  }
};

// The tables of counts, then the network, which is trained unless it was loaded. Returns its loss on the last tenth.
static double network_and_tables(Lesson& lesson, Session& session, std::size_t longest) {
  const Corpus& corpus = session.corpus;
  const std::size_t first = corpus.train_end(), middle = corpus.validation_end(), end = corpus.text.size();
  Table table{{"model", "stored", "validation", "test", "last tenth", "perplexity"}, {}};
  const auto add = [&](const std::string& name, std::size_t stored, const auto& loss) {
    table.rows.push_back({name, std::to_string(stored), fixed(loss(first, middle), 4), fixed(loss(middle, end), 4),
                          fixed(loss(first, end), 4), fixed(std::exp(loss(first, end)), 2)});
  };
  const auto loss_of_table = [&](const Ngram& counts) {
    return [&](std::size_t from, std::size_t to) { return counts.loss(Symbols(corpus.text).first(to), from); };
  };
  std::vector<plot::Level> levels;
  for (std::size_t n = 1; n <= std::max<std::size_t>(longest, 4); ++n) {
    const Ngram plain = interpolated(corpus, n);
    add(join(n, "-gram, interpolated"), plain.stored(), loss_of_table(plain));
    if (n > 1 && n <= 4) levels.push_back({join(n, "-gram"), loss_of_table(plain)(first, middle)});
  }
  const Ngram smooth = kneser_ney(corpus, longest);
  add(join(longest, "-gram, Kneser-Ney"), smooth.stored(), loss_of_table(smooth));
  lesson.say("How does the network stand beside tables of counts? Nats a symbol:");
  if (session.loaded()) lesson.say("The model is the one of --load; it is not trained further.");
  else {
    Course course(session, lesson.steps(standard_steps, 60));
    session.ensure_model(lesson.options(), course.watch([&]() -> const auto& { return session.model(); }));
    lesson.figure("training", course.chart("Learning the text", levels));
  }
  const auto loss = [&](std::size_t from, std::size_t to) {
    return mean_loss(session.model(), corpus.text, from, to - from, session.pool);
  };
  add("this network", parameters_of(session.model()), loss);
  lesson.show(table);
  const double network = loss(first, end);
  const Comparable n = comparable(corpus, network), t = comparable(corpus, last_tenth(smooth, corpus));
  lesson.say("Whatever a symbol is: the network ", fixed(n.nats_a_byte, 3), " nats a byte, a perplexity of ",
             fixed(n.word_perplexity, 0), " a word; the Kneser-Ney table ", fixed(t.nats_a_byte, 3), " and ",
             fixed(t.word_perplexity, 0), ".");
  // Counted, so that it depends on no seed; half a unit of the last digit.
  if (corpus.is_play() && longest == 4)
    lesson.claim("the table, nats a byte", t.nats_a_byte,
                 within(corpus.vocabulary.has_words() ? 1.4277 : 1.5189, 0.00005));
  // Over-fitting is the sign that training and held-out text were kept apart.
  lesson.claim_trained("the loss on the training text is lower than on the last tenth by", network - loss(0, first),
                       at_least(0));
  return network;
}

// ---------------------------------------------------------------------------------- the same context, the same size

// What a network or a table stores, its loss on the last tenth, and that of a network on the text it was trained on.
struct Rival {
  std::size_t stored;
  double loss, train_loss = 0;
};
using Rivals = std::vector<Rival>;

// Trains a network of the given context and hidden units, d = 8, on the calling thread.
static Rival train_small(const Corpus& corpus, std::size_t symbols, std::size_t units, long steps, std::uint64_t seed) {
  Pool alone(1);
  Random random(seed);
  Bengio<float> model({corpus.vocab(), symbols, 8, units}, random);
  train(model, corpus.part.train, {.steps = steps}, alone, Random(seed, 1));
  return {parameters_of(model), last_tenth(model, corpus, alone),
          mean_loss(model, corpus.text, 0, corpus.train_end(), alone)};
}

// The Kneser-Ney tables of order 1 to 6.
static Rivals tables_of(const Corpus& corpus) {
  Rivals tables;
  for (std::size_t n = 1; n <= 6; ++n) {
    const Ngram table = kneser_ney(corpus, n);
    tables.push_back({table.stored(), last_tenth(table, corpus)});
  }
  return tables;
}

// The same context for both: tables of order context + 1, and networks that see as much. Returns the least loss of the
// networks.
static double same_context(Lesson& lesson, Session& session, const Rivals& tables) {
  const std::vector<std::size_t> contexts{1, 2, 3, 4, 5, 8};
  const long steps = lesson.options().quick_or(30L, 3000L);
  Rivals networks(contexts.size());
  run_with_progress(session.pool, "networks", networks.size(), [&](std::size_t k) {
    networks[k] = train_small(session.corpus, contexts[k], 64, steps, lesson.options().seed);
  });
  Table table{{"context", "network", "on training text", "parameters", "Kneser-Ney", "n-grams"}, {}};
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < networks.size(); ++k) {
    const Rival& network = networks[k];
    least = std::min(least, network.loss);
    const bool counted = contexts[k] < tables.size();
    table.rows.push_back({std::to_string(contexts[k]), fixed(network.loss, 3), fixed(network.train_loss, 3),
                          std::to_string(network.stored), counted ? fixed(tables[contexts[k]].loss, 3) : "-",
                          counted ? std::to_string(tables[contexts[k]].stored) : "-"});
  }
  lesson.say("Who is ahead with the same context? Networks with 64 hidden units, ", steps,
             " steps, and tables of order context + 1, on the last tenth:");
  lesson.show(table);
  lesson.claim_trained("at context 3 the Kneser-Ney table is ahead by, nats", networks[2].loss - tables[3].loss,
                       at_least(0));
  return least;
}

// The loss at a size, on the straight line of the picture between two points, or that at the end prolonged.
static double loss_at(const Rivals& points, double stored) {
  std::size_t k = 1;
  while (k + 1 < points.size() && double(points[k].stored) < stored) ++k;
  const double left = std::log(double(points[k - 1].stored)), right = std::log(double(points[k].stored));
  return points[k - 1].loss + (points[k].loss - points[k - 1].loss) * (std::log(stored) - left) / (right - left);
}

// Loss against the count of what is stored, for both: here the curves cross. Returns the least loss of the networks.
static double same_size(Lesson& lesson, Session& session, const Rivals& tables) {
  const long steps = lesson.options().quick_or(30L, 6000L);
  Rivals networks(7);  // of 4, 8, ... 256 hidden units
  session.pool.run(networks.size(), [&](std::size_t k) {
    networks[k] = train_small(session.corpus, 4, std::size_t(4) << k, steps, lesson.options().seed);
  });
  const Rival &small = networks[2], &large = networks[6];
  double above = double(large.stored), least = HUGE_VAL;
  while (above > double(networks[0].stored) && loss_at(networks, above) > loss_at(tables, above)) above /= 1.001;
  if (above == double(large.stored)) above = NAN;  // the largest network is ahead
  lesson.say("And with the same count of stored numbers, parameters or n-grams?");
  lesson.predict("Above about how many stored numbers is the table ahead for good?", above);
  plot::Series learned{"network, context 4"}, counted{"Kneser-Ney tables, order 1 to 6"};
  Table sizes{{"model", "stored", "last tenth"}, {}};
  for (std::size_t k = 0; k < networks.size(); ++k) {
    learned.add(double(networks[k].stored), networks[k].loss);
    sizes.rows.push_back(
        {join("network, ", 4 << k, " hidden units"), std::to_string(networks[k].stored), fixed(networks[k].loss, 3)});
    least = std::min(least, networks[k].loss);
  }
  for (const Rival& table : tables) counted.add(double(table.stored), table.loss);
  lesson.detail(sizes);
  lesson.picture("sizes", plot::Chart{.title = "Loss on the last tenth against what is stored",
                                      .x = {.title = "parameters, or n-grams", .log = true},
                                      .y = {.title = "nats a symbol"},
                                      .series = {learned, counted}});
  lesson.say("The tables are ahead for good above some ", fixed(above, 0), ".");
  lesson.claim_trained(join("the network of ", small.stored, " parameters is below the line of the tables by, nats"),
                       loss_at(tables, double(small.stored)) - small.loss, at_least(0));
  lesson.claim_trained(join("the network of ", large.stored, " parameters is above it by, nats"),
                       large.loss - loss_at(tables, double(large.stored)), at_least(0));
  lesson.claim_trained("but below it, an n-gram counted as two numbers, by, nats",
                       loss_at(tables, double(large.stored) / 2) - large.loss, at_least(0));
  return least;
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const std::size_t longest = std::min<std::size_t>(session.form().context + 1, 6);  // sees as much as the network
  const double trained = network_and_tables(lesson, session, longest);
  const Rivals tables = tables_of(session.corpus);
  const double in_context = same_context(lesson, session, tables), by_size = same_size(lesson, session, tables);
  lesson.claim_trained("the Kneser-Ney 4-gram is ahead of the best network of this part by, nats",
                       std::min({trained, in_context, by_size}) - tables[3].loss, at_least(0));
}

// A small network beside a table of counts, in a moment.
static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Corpus& corpus = session.corpus;
  const long steps = lesson.options().quick_or(60L, long(at[length]));
  Course course(session, steps);
  Random random(lesson.options().seed, 506);
  Bengio<float> model({corpus.vocab(), at[context], at[dim], at[hidden]}, random);
  train(model, session.short_text(), session.training(steps), session.pool, random,
        course.watch([&]() -> const auto& { return model; }));
  const Ngram table = Ngram::interpolated(session.short_text(), corpus.vocab(), at[order], at[added]);
  const double counted = table.loss(corpus.part.validation), learned = course.validation.y.back();
  const std::string name = join(at[order], "-gram");
  lesson.picture("turned_training",
                 course.chart(join("A network that sees ", at[context], ", and counts of order ", at[order]),
                              {{name + ", validation", counted}}));
  lesson.show(Table{{"on validation", "numbers stored", "nats a symbol"},
                    {{"the network", std::to_string(parameters_of(model)), fixed(learned, 3)},
                     {"the " + name, std::to_string(table.stored()), fixed(counted, 3)}}});
  lesson.say("Trained just now for ", steps, " steps on ", session.short_text().size(),
             " symbols; the whole part trains for ", standard_steps, ", with more units.");
  double sum = 0;
  for (std::uint32_t s = 0; s < corpus.vocab(); ++s) sum += table.probability(corpus.text, s);
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
