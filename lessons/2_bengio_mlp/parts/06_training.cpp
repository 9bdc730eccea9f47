// Lesson 2, part 6: training, with tables of counts as the rival.
// SPDX-License-Identifier: MIT
#include "common/frame/plot/scene.hpp"
#include "common/verdict.hpp"
#include "lessons/2_bengio_mlp/lesson.hpp"

namespace lesson2::p6 {

using plot::Scene, plot::short_number, plot::Tone;

constexpr knob::Real lambda{
    "lambda", "λ, the observations that are borrowed", pseudo_counts, {0, 20, 0.5}};

// The example by hand: seven e after ten "th", and λ more observations, half of them e.
static void draw_borrowing(Lesson& lesson, Session&, const knob::Settings& at) {
  constexpr double total = 10, count = 7, shorter = 0.5, left = 16, width = 440;
  const double borrowed = at[lambda], e = borrowed * shorter, all = total + borrowed;
  const double unit = width / std::max(14.0, all), high = 34;
  Scene scene("What was seen, and what is borrowed");
  double x = left;
  const auto piece = [&](double y, double size, const std::string& words, plot::Fill fill,
                         double round = 0) {
    scene.cell({.corner = {x, y},
                .size = {unit * size, high},
                .words = unit * size < 9 * double(columns_of(words)) + 6 ? "" : words,
                .fill = fill,
                .round = round});
    x += unit * size;
  };
  const auto total_of = [&](double y, double part, const std::string& words) {
    scene.line({left + 2, y}, {left + unit * part - 2, y}, {Tone::value, 4});  // round ends
    scene.text({left, y - 9}, words, {.tone = Tone::value, .anchor = "start", .strong = true});
  };
  const auto share = [](double part, double whole) { return short_number(part / whole); };
  total_of(26, count, join("e after \"th\": ", count, " of ", total, " = ", share(count, total)));
  piece(32, count, "7 seen", plot::Fill::value);
  piece(32, total - count, unit < 27 ? "3" : "3 others", plot::Fill::stored);
  x = left;
  total_of(116, count + e,
           join("e: (", count, " + ", short_number(e), ") of ", short_number(all), " = ",
                share(count + e, all)));
  piece(122, count, "7 seen", plot::Fill::value);
  const double begin = x;
  piece(122, e, short_number(e), plot::Fill::value, 9);
  piece(122, borrowed - e, short_number(borrowed - e), plot::Fill::none, 9);
  scene.line({begin, 162}, {x, 162}, {Tone::ink, 2.2});
  scene.text({begin, 182}, join("λ = ", short_number(borrowed), " borrowed,"),
             {.anchor = "start", .strong = true});
  scene.text({begin, 202}, "half of them e, as after \"h\"", {.anchor = "start"});
  piece(122, total - count, unit < 27 ? "3" : "3 others", plot::Fill::stored);
  scene.touch({begin, 122}, {unit * borrowed, 44}, "borrowed", short_number(borrowed), "lambda");
  scene.end(210);
  lesson.figure("borrow", scene);
}

struct Rival {
  std::string name;
  std::size_t stored = 0;
  double validation = HUGE_VAL, test = HUGE_VAL;
  std::vector<double> losses = {};  // of the test text's symbols

  void take_if_better(const Rival& other) {  // the validation text chooses
    if (other.validation < validation) *this = other;
  }
};

static Rival rival(const std::string& name, const Ngram& table, const Corpus& corpus) {
  const Symbols held_out = Symbols(corpus.text).first(corpus.validation_end());
  return {name, table.stored(), table.loss(held_out, corpus.train_end()), test_loss(table, corpus),
          table.losses(corpus.text, corpus.validation_end())};
}
static Rival rival(const std::string& name, const Bengio<float>& model, const Corpus& corpus,
                   Pool& pool) {
  return {name, parameters_of(model),
          mean_loss(model, corpus.text, corpus.train_end(), corpus.part.validation.size(), pool),
          test_loss(model, corpus, pool),
          losses_of(model, corpus.text, corpus.validation_end(), corpus.part.test.size())};
}

// Returns the difference of two test losses, with its error over the text.
static std::string behind(const Rival& one, const Rival& other) {
  return over_text(minus(one.losses, other.losses), 4);
}

// A row, and what stands in its last column.
using Row = std::pair<Rival, std::string>;
static void show(Lesson& lesson, const std::string& last, const std::vector<Row>& rows) {
  Table table{{"model", "stored", "validation", "test", "perplexity", last}, {}};
  for (const auto& [rival, cell] : rows) {
    const double perplexity = std::exp(rival.test);
    table.rows.push_back(
        {rival.name, std::to_string(rival.stored), fixed(rival.validation, 4), fixed(rival.test, 4),
         rival.test < 10 ? fixed(perplexity, 2) : significant(perplexity, 3), cell});
  }
  lesson.show(table);
}

// Returns the picture's lines: training text, validation text.
static std::vector<plot::Series> train_watched(Lesson& lesson, Session& session,
                                               const std::vector<plot::Level>& levels) {
  const Corpus& corpus = session.corpus;
  const std::size_t places = std::min<std::size_t>(corpus.part.validation.size(), 10'000);
  const long steps = lesson.steps(standard_steps, 60), every = std::max(1L, steps / 40);
  plot::Chart chart{.title = "Learning the text",
                    .x = {.title = "step"},
                    .y = {.title = "nats per symbol"},
                    .series = {{"train"}, {"validation"}},
                    .levels = levels};
  double sum = 0;
  const auto look = [&](long step) {
    if (step == 0 || step % every != 0) return;
    chart.series[0].add(double(step), sum / double(every));
    chart.series[1].add(double(step), mean_loss(session.model(), corpus.text, corpus.train_end(),
                                                places, session.pool));
    sum = 0;
  };
  session.ensure_model(lesson.options(), [&](long step, double loss) {
    look(step);
    sum += loss;
    return true;
  });
  look(steps);
  chart.y.low = 0.8 * *std::min_element(chart.series[0].y.begin(), chart.series[0].y.end());
  chart.y.high = std::min(0.85 * std::log(double(corpus.vocab())), 1.2 * chart.series[0].y.front());
  lesson.figure("training", chart);
  return chart.series;
}

// Claims what the picture shows of the training.
static void claim_curves(Lesson& lesson, const std::vector<plot::Series>& lines,
                         const std::vector<plot::Level>& levels, const std::vector<Rival>& rivals,
                         double on_training_text) {
  double apart = std::abs(lines[1].y.back() - rivals.back().validation);
  for (std::size_t n = 2; n <= levels.size() + 1; ++n)
    apart = std::max(apart, std::abs(levels[n - 2].y - rivals[n - 1].validation));
  // The test losses are .002 to .04 apart from them.
  lesson.claim_trained(
      "the picture's levels and the end of its curve are the validation losses, off by", apart,
      at_most(1e-9));
  // 31 seeds: at most .023. The validation loss is .08 higher.
  lesson.claim_trained("its other curve ends at the loss on the training text, off by",
                       std::abs(lines[0].y.back() - on_training_text), at_most(0.045));
}

// Shows why counting is ahead: after which windows it is.
static void show_rarities(Lesson& lesson, Session& session, const Rival& network,
                          const Rival& table) {
  const Corpus& corpus = session.corpus;
  const BengioForm form = session.form();
  const auto times = times_seen(corpus.part.train, corpus.text, corpus.validation_end(),
                                corpus.part.test.size(), form.context, form.padding());
  const std::vector<double> less = minus(network.losses, table.losses);
  std::vector<double> lead;
  Table shown{{"window in the training text", "share", "network minus Kneser-Ney"}, {}};
  for (std::size_t r = 0; r < rarities.size(); ++r) {
    const std::vector<double> those = of_rarity(r, less, times);
    lead.push_back(those.empty() ? 0 : over_text(those).mean);
    shown.rows.push_back(
        {rarities[r], fixed(double(those.size()) / double(less.size()), 3), over_text(those, 3)});
  }
  lesson.note("After which windows is counting ahead?");
  lesson.detail(shown);
  // Ten seeds: .28 to .38, with a standard deviation of .03.
  lesson.claim_trained("after windows that the training text holds 1 to 10 times it is ahead by",
                       lead[1], between(0.2, 0.5));
  // .008 to .044, with one of .012. The lead over all windows is .097 to .122.
  lesson.claim_trained("after those that it holds more than 100 times by", lead[3],
                       between(-0.02, 0.07));
}

// Says the losses in units that do not depend on what a symbol is.
static void show_words(Lesson& lesson, const Corpus& corpus, const Rival& network,
                       const Rival& table) {
  const auto in_words = [&](const Rival& rival) {
    return join(rival.name, ": ", comparable(corpus, rival.test, corpus.validation_end()).text());
  };
  lesson.note("Whatever a symbol is: ", in_words(network), " ", in_words(table),
              " (Bengio and others had 252 a word with a network that is mixed with trigrams, and "
              "321 with Kneser-Ney, on another text, of a million words.)");
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
  const std::size_t kneser = rivals.size() - 1;
  const double counted = rivals[kneser].test;
  lesson.say("How does the network do beside tables of counts?");
  std::vector<plot::Series> lines;
  if (session.loaded()) lesson.say("The model comes from --load, and is not trained further.");
  else lines = train_watched(lesson, session, levels);
  rivals.push_back(rival("this network", session.model(), corpus, session.pool));
  const double network = rivals.back().test;
  std::vector<Row> rows;
  for (std::size_t k = 1; k < rivals.size(); ++k)  // single symbols are no rival
    rows.push_back({rivals[k], k == kneser ? "" : behind(rivals[k], rivals[kneser])});
  show(lesson, "minus Kneser-Ney", rows);
  show_rarities(lesson, session, rivals.back(), rivals[kneser]);
  show_words(lesson, corpus, rivals.back(), rivals[kneser]);
  // Counting depends on no seed; half a unit of the last digit.
  if (corpus.shipped() && longest == 4)
    lesson.claim("the Kneser-Ney 4-gram on the test text", counted, within(1.5223, 0.00005));
  const double on_training_text =
      mean_loss(session.model(), corpus.text, 0, corpus.train_end(), session.pool);
  if (!lines.empty()) claim_curves(lesson, lines, levels, rivals, on_training_text);
  // Over-fitting is the sign that training and held-out text were kept apart. 31 seeds: .068 to
  // .098; the validation text alone would have 0.
  lesson.claim_trained("the loss on the training text is lower than on the test text by",
                       network - on_training_text, between(0.05, 0.12));
  // 31 seeds: 1.62 to 1.65, with a standard deviation of .0084. Half the steps: 1.664 to 1.686;
  // half as wide: 1.70 to 1.72, twice: 1.59.
  lesson.claim_trained("the network on the test text", network, between(1.595, 1.67));
  session.verdict = join("On the test text the network loses ", fixed(network, 3),
                         " nats per symbol, and the Kneser-Ney ", longest,
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

// Prunes the table of order 5 that is interpolated with the λ of the validation text's choice, and
// that of the other tables' λ.
static void prune(Lesson& lesson, const Ngram& usual, const Corpus& corpus) {
  Rival best;
  std::vector<Ngram> tables;
  double best_lambda = 0;
  for (const double tried : {1., 2., 4., 8., 12., 16., 24.}) {
    Ngram table = Ngram::interpolated(corpus.part.train, corpus.vocab(), table_order, tried);
    const Rival whole = rival(join("interpolated, λ = ", tried), table, corpus);
    if (whole.validation >= best.validation) continue;
    best = whole;
    best_lambda = tried;
    tables.assign(1, std::move(table));
  }
  const Rival pruned = rival("pruned", tables[0].pruned(a_sixth), corpus);
  lesson.predict(
      join("What if the table may store only as much as a network? That of order ", table_order,
           " holds ", best.stored, " n-grams. Interpolated with λ = ", best_lambda,
           ", the best on the validation text, it loses ", fixed(best.test, 4),
           " on the test text. What does it lose when it is pruned to ", a_sixth, "?"),
      pruned.test, {.plus = 0.03});
  const Rival other = rival(join("interpolated, λ = ", pseudo_counts), usual, corpus);
  const Rival other_pruned = rival("pruned", usual.pruned(a_sixth), corpus);
  show(lesson, "pruned - whole",
       {{best, ""},
        {pruned, behind(pruned, best)},
        {other, ""},
        {other_pruned, behind(other_pruned, other)}});
  if (!corpus.shipped()) return;
  // Counting depends on no seed; half a unit of the last digit.
  const auto claim = [&](const std::string& what, double measured, double expected) {
    lesson.claim(what, measured, within(expected, 0.00005));
  };
  claim("λ chosen on the validation text", best_lambda, 12);
  claim("pruned, that table loses more on the test text, by", pruned.test - best.test, 0.06003);
  claim("and on the validation text, by", pruned.validation - best.validation, 0.07917);
  claim("with the usual λ, on the test text, by", other_pruned.test - other.test, -0.01854);
  claim("and on the validation text, by", other_pruned.validation - other.validation, 0.01226);
}

// Of as many numbers as a network: how an n-gram is counted, and the better pruned table.
const std::vector<std::string> countings{"pruned table", "ω counted", "two numbers",
                                         "three numbers"};
constexpr double expected_means[] = {1.6701, 1.7219, 1.8157, 1.9116};
using Tables = std::vector<Rival>;
struct Whole {
  Ngram table;
  Ngram::Ranking ranking = table.ranking();
};
static Tables tables_of(const Whole& plain, const Whole& smooth, std::size_t numbers,
                        const Corpus& corpus) {
  Tables of(countings.size());
  for (std::size_t k = 0; k < of.size(); ++k) {
    const std::size_t kept = numbers / std::max<std::size_t>(k, 1);
    const auto what = k == 1 ? Ngram::Counted::weights_too : Ngram::Counted::ngrams;
    const auto pruned = [&](const std::string& name, const Whole& whole) {
      return rival(name, whole.table.pruned(whole.ranking, kept, what), corpus);
    };
    of[k] = pruned("interpolated", plain);
    of[k].take_if_better(pruned("Kneser-Ney", smooth));
  }
  return of;
}

// Compares each network with the better table of as many numbers.
static void show_sizes(Lesson& lesson, Session& session, const std::vector<Rival>& networks,
                       const std::vector<Tables>& pruned) {
  plot::Series learned{"network"}, kept_line{"table of one"}, third{"table of three"};
  Table table{{"numbers", "network"}, {}};
  table.head.insert(table.head.end(), countings.begin(), countings.end());
  double least = HUGE_VAL;
  std::size_t behind = 0, ahead_of_third = 0;
  std::vector<double> means(countings.size());
  std::string chosen;
  for (std::size_t k = sizes.size(); k-- > 0;) {
    const double stored = double(networks[k].stored);
    learned.add(stored, networks[k].test);
    kept_line.add(stored, pruned[k][0].test);
    third.add(stored, pruned[k][3].test);
    least = std::min(least, learned.y.back() - kept_line.y.back());
    if (learned.y.back() > kept_line.y.back()) ++behind;
    if (learned.y.back() < third.y.back()) ++ahead_of_third;
    chosen += "; " + networks[k].name + ", " + pruned[k][0].name;
    table.rows.push_back({std::to_string(networks[k].stored), fixed(learned.y.back(), 3),
                          fixed(kept_line.y.back(), 3), fixed(pruned[k][1].test, 3),
                          fixed(pruned[k][2].test, 3), fixed(third.y.back(), 3)});
    for (std::size_t c = 0; c < means.size(); ++c) means[c] += pruned[k][c].test / 7;
  }
  lesson.show(table);
  lesson.figure(
      "sizes",
      plot::Chart{
          .title = "An n-gram's price decides who is ahead",
          .x = {.title = "numbers stored", .log = true},
          .y =
              {.title =
                   "test loss, nats per symbol; thinned tables pay one number per n-gram, or three"},
          .series = {learned, kept_line, third}});
  if (lesson.options().all)
    lesson.note(
        "Chosen on the validation text, from the smallest to the largest: ", chosen.substr(2), ".");
  // On the validation text the columns have .005 to .011 less.
  for (std::size_t c = 0; c < means.size(); ++c)
    lesson.claim_trained(join(countings[c], ": mean of the column"), means[c],
                         within(expected_means[c], 0.0005));
  // 31 seeds: .076 to .108, with a standard deviation of .009. Of two numbers: .02.
  lesson.claim_trained("the pruned table is ahead of the network at each size, by at least", least,
                       at_least(0.05));
  // 31 seeds: four to six. Of two numbers an n-gram: 0.
  lesson.claim_trained(
      "sizes at which the network is ahead of the table of three numbers an n-gram",
      double(ahead_of_third), within(5, 2));
  session.verdict += join("In the same storage a pruned table is ahead of ", behind, " of ",
                          sizes.size(), " networks if an n-gram counts as one number, and of ",
                          sizes.size() - ahead_of_third, " if it counts as three.");
}

// Trains a network for each size, and a wide one, to compare with the table that sees as much,
// whose loss is `counted`.
static void same_storage(Lesson& lesson, Session& session, double counted) {
  const Corpus& corpus = session.corpus;
  const Whole plain{interpolated(corpus, table_order)}, smooth{kneser_ney(corpus, table_order)};
  Rival widest;
  std::vector<Rival> networks(sizes.size());
  std::vector<Tables> pruned(sizes.size());
  run_grid(session.pool, "networks", {sizes.size() + 1}, [&](std::size_t k) {
    if (k == sizes.size()) {
      widest = network_of(lesson, session, wide_context, wide);
      return;
    }
    networks[k] = network_of(lesson, session, context_of_sizes, sizes[k]);
    pruned[k] = tables_of(plain, smooth, networks[k].stored, corpus);
  });
  lesson.say("A network of ", wide, " hidden units, with ", widest.stored, " numbers, loses ",
             fixed(widest.test, 4), ".");
  const std::size_t V = session.corpus.vocab(), dim = session.form().dim;
  // Its table has a row more, for what stands before the text. Half as wide, it has half as many.
  lesson.claim("the wide network has the numbers of its shapes",
               widest.stored == (V + 1) * dim + (wide_context * dim + 1) * wide + (wide + 1) * V);
  // 31 seeds: .051 to .082, with a standard deviation of .0074. 128 units: .098 to .122.
  lesson.claim_trained("the Kneser-Ney 4-gram is ahead of the wide network by, nats",
                       widest.test - counted, between(0.03, 0.1));
  prune(lesson, plain.table, corpus);
  lesson.say("And at other sizes?");
  show_sizes(lesson, session, networks, pruned);
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  draw_borrowing(lesson, session, at);
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

const Part<lesson2::Session> lesson2::part6{
    .number = 6,
    .title = "Training on the text",
    .question = "How far does what was seen outweigh what is borrowed?",
    .run = p6::run,
    .scene = p6::draw_borrowing,
    .knobs = {&p6::lambda},
    .settings = p6::settings};
