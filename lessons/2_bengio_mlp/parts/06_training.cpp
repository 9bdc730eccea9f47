// Lesson 2, part 6: training, with tables of counts as the rival.
// SPDX-License-Identifier: MIT
#include "common/verdict.hpp"
#include "lessons/2_bengio_mlp/lesson.hpp"

namespace lesson2::p6 {

struct Rival {
  std::string name;
  std::size_t stored = 0;
  double validation = HUGE_VAL, test = HUGE_VAL;

  void take_if_better(const Rival& other) {  // the validation text chooses
    if (other.validation < validation) *this = other;
  }
};

static Rival rival(const std::string& name, const Ngram& table, const Corpus& corpus) {
  const Symbols held_out = Symbols(corpus.text).first(corpus.validation_end());
  return {name, table.stored(), table.loss(held_out, corpus.train_end()), test_loss(table, corpus)};
}
static Rival rival(const std::string& name, const Bengio<float>& model, const Corpus& corpus,
                   Pool& pool) {
  return {name, parameters_of(model),
          mean_loss(model, corpus.text, corpus.train_end(), corpus.part.validation.size(), pool),
          test_loss(model, corpus, pool)};
}

static void show(Lesson& lesson, const std::vector<Rival>& rivals) {
  Table table{{"model", "stored", "validation", "test", "perplexity"}, {}};
  for (const auto& [name, stored, validation, test] : rivals)
    table.rows.push_back({name, std::to_string(stored), fixed(validation, 4), fixed(test, 4),
                          test < 10 ? fixed(std::exp(test), 2) : significant(std::exp(test), 3)});
  lesson.show(table);
}

static void train_watched(Lesson& lesson, Session& session,
                          const std::vector<plot::Level>& levels) {
  const Corpus& corpus = session.corpus;
  const std::size_t places = std::min<std::size_t>(corpus.part.validation.size(), 10'000);
  const long every = std::max(1L, lesson.steps(standard_steps, 60) / 40);
  plot::Chart chart{.title = "Learning the text",
                    .x = {.title = "step"},
                    .y = {.title = "nats a symbol"},
                    .series = {{"train"}, {"validation"}},
                    .levels = levels};
  double sum = 0;
  session.ensure_model(lesson.options(), [&](long step, double loss) {
    sum += loss;
    if ((step + 1) % every != 0) return;
    chart.series[0].add(double(step + 1), sum / double(every));
    chart.series[1].add(double(step + 1), mean_loss(session.model(), corpus.text,
                                                    corpus.train_end(), places, session.pool));
    sum = 0;
  });
  chart.y.high = std::min(0.85 * std::log(double(corpus.vocab())), 1.2 * chart.series[0].y.front());
  lesson.figure("training", chart);
}

// Returns the test loss of the table that sees as much as the network.
static double network_and_tables(Lesson& lesson, Session& session) {
  const Corpus& corpus = session.corpus;
  const std::size_t longest = std::min<std::size_t>(session.form().context + 1, 6);
  std::vector<Rival> rivals;
  std::vector<plot::Level> levels;
  for (std::size_t n = 1; n <= std::max<std::size_t>(longest, 4); ++n) {
    rivals.push_back(rival(join(n, "-gram, interpolated"), interpolated(corpus, n), corpus));
    if (n > 1 && n <= 4) levels.push_back({join(n, "-gram"), rivals.back().validation});
  }
  rivals.push_back(rival(join(longest, "-gram, Kneser-Ney"), kneser_ney(corpus, longest), corpus));
  const double counted = rivals.back().test;
  lesson.say("How does the network stand beside tables of counts? Nats a symbol:");
  if (session.loaded()) lesson.say("The model is the one of --load; it is not trained further.");
  else train_watched(lesson, session, levels);
  rivals.push_back(rival("this network", session.model(), corpus, session.pool));
  const double network = rivals.back().test;
  show(lesson, rivals);
  // Counting depends on no seed; half a unit of the last digit.
  if (corpus.shipped() && longest == 4)
    lesson.claim("the Kneser-Ney 4-gram on the test text", counted, within(1.5223, 0.00005));
  // Over-fitting is the sign that training and held-out text were kept apart.
  const double on_training_text =
      mean_loss(session.model(), corpus.text, 0, corpus.train_end(), session.pool);
  lesson.claim_trained("the loss on the training text is lower than on the test text by",
                       network - on_training_text, at_least(0));
  // Seeds 1 to 3: 1.6198, 1.6440, 1.6286. The trigram table has 1.81.
  lesson.claim_trained("the network on the test text", network, within(1.63, 0.03));
  session.verdict = join("The network loses ", fixed(network, 3),
                         " nats a symbol of the test text, the Kneser-Ney ", longest,
                         "-gram, which sees as much, ", fixed(counted, 3), ". ");
  return counted;
}

const std::vector<std::size_t> sizes{256, 128, 64, 32, 16, 8, 4};  // hidden units
constexpr std::size_t wide = 512, wide_context = 3, context_of_sizes = 4;
constexpr std::size_t table_order = 5, a_sixth = 6865;

// At the rate of the flags or, under --all, at the best.
static Rival network_of(const Lesson& lesson, const Session& session, std::size_t symbols,
                        std::size_t units) {
  TrainingSettings settings = session.training(lesson.steps(standard_steps, 30));
  const BengioForm form{.vocab = session.corpus.vocab(),
                        .context = symbols,
                        .dim = session.form().dim,
                        .hidden = units};
  Pool alone(1);
  Rival best;
  const auto train_at = [&](double rate) {
    Random random(lesson.options().seed);
    Bengio<float> model(form, random);
    settings.rate = rate;
    train(model, session.corpus.part.train, settings, alone, Random(lesson.options().seed, 1));
    const Rival network = rival(join("rate ", rate), model, session.corpus, alone);
    best.take_if_better(network);
    return network.validation;
  };
  if (lesson.options().all) sweep_rates(settings.rate, 2, train_at);
  else train_at(settings.rate);
  return best;
}

static void prune(Lesson& lesson, const Ngram& interpolated, const Ngram& kneser_ney,
                  const Corpus& corpus) {
  const Rival whole = rival("interpolated", interpolated, corpus);
  const Rival pruned = rival("pruned", interpolated.pruned(a_sixth), corpus);
  lesson.predict(join("In the same storage? Interpolated, the table of order ", table_order,
                      ", of ", whole.stored, " n-grams, has ", fixed(whole.test, 4),
                      " on the test text. Pruned to ", a_sixth, "?"),
                 pruned.test, {.plus = 0.05});
  show(lesson, {whole, pruned, rival("Kneser-Ney", kneser_ney, corpus),
                rival("pruned", kneser_ney.pruned(a_sixth), corpus)});
  if (!corpus.shipped()) return;
  lesson.claim(
      "the interpolated one has lost nothing on the test text: it is below the whole one by",
      whole.test - pruned.test, at_least(0));
}

// Compares each network with the better table of as many numbers, and a wide one with the table
// that sees as much, whose loss is `counted`.
static void same_storage(Lesson& lesson, Session& session, double counted) {
  const Corpus& corpus = session.corpus;
  const Ngram plain = interpolated(corpus, table_order), smooth = kneser_ney(corpus, table_order);
  Rival widest;
  std::vector<Rival> networks(sizes.size()), pruned(sizes.size());
  run_with_progress(session.pool, "networks", sizes.size() + 1, [&](std::size_t k) {
    if (k == sizes.size()) {
      widest = network_of(lesson, session, wide_context, wide);
      return;
    }
    networks[k] = network_of(lesson, session, context_of_sizes, sizes[k]);
    const std::size_t numbers = networks[k].stored;
    pruned[k] = rival("interpolated", plain.pruned(numbers), corpus);
    pruned[k].take_if_better(rival("Kneser-Ney", smooth.pruned(numbers), corpus));
  });
  lesson.say("Is the network only too narrow? With ", wide, " hidden units and a context of ",
             wide_context, ", ", widest.stored, " numbers, its loss on the test text is ",
             fixed(widest.test, 4), ".");
  lesson.claim_trained("the Kneser-Ney 4-gram is ahead of that by, nats", widest.test - counted,
                       at_least(0));
  prune(lesson, plain, smooth, corpus);

  lesson.say("And at other sizes, on the test text?");
  plot::Series learned{"network"}, kept_line{"pruned table"};
  Table table{{"hidden units", "numbers", "network", "pruned table"}, {}};
  double least = HUGE_VAL;
  std::size_t behind = 0;
  std::string chosen;
  for (std::size_t k = sizes.size(); k-- > 0;) {
    const auto& [rate, stored, validation, test] = networks[k];
    learned.add(double(stored), test);
    kept_line.add(double(stored), pruned[k].test);
    least = std::min(least, test - pruned[k].test);
    if (test > pruned[k].test) ++behind;
    chosen += "; " + rate + ", " + pruned[k].name;
    table.rows.push_back({std::to_string(sizes[k]), std::to_string(stored), fixed(test, 3),
                          fixed(pruned[k].test, 3)});
  }
  lesson.show(table);
  lesson.figure("sizes", plot::Chart{.title = "Loss on the test text against what is stored",
                                     .x = {.title = "parameters, or n-grams", .log = true},
                                     .y = {.title = "nats a symbol"},
                                     .series = {learned, kept_line}});
  if (lesson.options().all)
    lesson.note(
        "Chosen on the validation text, from the smallest to the largest: ", chosen.substr(2), ".");
  lesson.claim_trained("the pruned table is ahead of the network at each size, by at least", least,
                       at_least(0));
  session.verdict += join("With as many stored numbers a pruned table is ahead of ", behind, " of ",
                          sizes.size(), " networks.");
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  same_storage(lesson, session, network_and_tables(lesson, session));
}

static std::string settings() {
  const TrainingSettings usual{.steps = standard_steps};
  return join(settings_of(standard_form(0), usual), ", climbing for ", usual.warm_up,
              " of the steps, β₁ = ", usual.adam.beta1, ", β₂ = ", usual.adam.beta2,
              ", ε = ", usual.adam.epsilon, "; tables with λ = ", pseudo_counts,
              "; in the same storage c = ", context_of_sizes, ", ", sizes.back(), " to ",
              sizes.front(), " hidden units and a table of order ", table_order);
}

}  // namespace lesson2::p6

const Part<lesson2::Session> lesson2::part6{.number = 6,
                                            .title = "Training on the text",
                                            .question = "",
                                            .run = p6::run,
                                            .settings = p6::settings};
