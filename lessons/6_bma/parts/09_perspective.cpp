// Lesson 6, part 9: the published figures in perspective, and each published sentence put to a test. Means and
// deviations in the claims are of 21 runs, those of --seed 1 to 7, but for post - bma, which is of part 6's runs.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/6_bma/model/9_small_case.hpp"
#include "lessons/6_bma/run/bounds.hpp"
#include "lessons/6_bma/run/session.hpp"
#include "lessons/6_bma/run/word_table.hpp"

namespace lesson6 {
namespace {

// Root of the mean square of each attention matrix's gradient, for the next batch of a run, by the matrix's name.
std::map<std::string, double> gradients_of(Session& session, Run run) {
  run.recipe.run.clip = 1e9;  // to see them as they are
  run.state = {};
  Pool alone(1);
  LanguageTrainer<float> trainer(run.model, session.corpus.part.train, run.recipe.run, alone);
  trainer.step();
  const std::string first_block = "blocks.0.attn.";
  std::map<std::string, double> found;
  for (const auto& [name, tensor] : trainer.gradients())
    if (name.starts_with(first_block)) found[name.substr(first_block.size())] = std::sqrt(mean_square(tensor));
  return found;
}

void gaps(Lesson& lesson, const Compared& c) {
  const double wide = std::log(221.1 / 216.2), narrow = std::log(217.49 / 216.2);
  const double seeds = spread_of(c.of(Gate::bma)).deviation;
  std::vector<double> pairs = c.differences(Gate::bma, Gate::post);
  const double paired = spread_of(pairs).deviation;
  Table table{{"", "nats"}, {}};
  table.rows = {{"standard - bma, published", fixed(wide, 4)},
                {"post - bma, published", fixed(narrow, 4)},
                {"standard deviation of one run of bma over seeds, here", fixed(seeds, 4)},
                {"standard deviation of post - bma with paired seeds, here", fixed(paired, 4)}};
  lesson.say("Could a seed make the published gaps, ", fixed(wide, 4), " nats over standard attention and ",
             fixed(narrow, 4), " over a gate behind it? Here one run of bma deviates by ", fixed(seeds, 4),
             " over seeds, and post - bma in pairs by ", fixed(paired, 4), ".");
  lesson.detail(table);
  if (pairs.size() > 1)
    lesson.say("The second gap could be told from 0 by ", fixed(std::ceil(std::pow(3 * paired / narrow, 2)), 0),
               " pairs at this standard deviation.");
}

// The loss in nats a token of a well trained transformer of so many parameters after so many tokens, by the curve that
// Hoffmann et al. (2022) fitted to four hundred runs: what no model goes below, what is lost by size, and by tokens
// seen.
double fitted_loss(double parameters, double tokens) {
  return 1.69 + 406.4 / std::pow(parameters, 0.34) + 410.7 / std::pow(tokens, 0.28);
}

void tokens_seen(Lesson& lesson, const Corpus& corpus) {
  constexpr double parameters = 35e6, tokens = 400e9;
  const double published = std::log(216.2), expected = fitted_loss(parameters, tokens);
  const double left = published - fitted_loss(parameters, HUGE_VAL), enough = std::pow(410.7 / left, 1 / 0.28);
  const WordTable table(corpus.vocabulary.decode(corpus.text), corpus.vocabulary.decode(corpus.part.train).size(), 3);
  lesson.say("216 of 35 million parameters and 400 billion tokens? The fitted curve says ",
             fixed(std::exp(expected), 0), ", and 216 after ", fixed(enough / 1e6, 0), " million tokens, ",
             fixed(tokens / enough, 0), " times fewer. A table of triples from ", table.learned,
             " words of this text, ", table.kinds, " kinds, has ", fixed(std::exp(table.loss), 0), ".");
  if (corpus.shipped())
    lesson.claim("words of the play, order 3: perplexity", std::exp(table.loss), within(76.6, 0.05));
}

void combinations(Lesson& lesson) {
  lesson.note("\"d_h² feature combinations compared to d_h scalar gates\": gate numbers times value numbers.");
  constexpr std::size_t width = 512, heads = 8, dh = width / heads;
  const GatedAttention<float> bma({Gate::bma, width, heads}), post({Gate::post, width, heads});
  Table table{{"", "gate numbers of a head", "each computed from", "products that can occur"}, {}};
  table.rows = {
      {"bma", std::to_string(dh), std::to_string(bma.Wg.size() / width), std::to_string(bma.Wg.size() / heads)},
      {"post", std::to_string(dh), std::to_string(post.Wp.size() / width), std::to_string(post.Wp.size() / heads)}};
  lesson.detail(table);
}

void logits(Lesson& lesson, const Compared& c, const Corpus& corpus) {
  const auto weights = [&](Gate gate, std::size_t seed) {
    const Run& run = c.outcomes[std::size_t(gate)][seed].run;
    const std::size_t tokens = run.recipe.form.context;
    LanguageModel<float>::Trace t;
    run.model.forward({Symbols(corpus.text).subspan(corpus.train_end(), tokens), tokens}, t);
    return t.transformer.blocks[0].attention.A;
  };
  Table table{{"attention", "max |difference|"}, {}};
  double of_bma = 0;
  std::string told;
  for (const Gate gate : {Gate::bma, Gate::attending, Gate::post, Gate::standard}) {
    std::vector<double> found;
    for (std::size_t k = 0; k < c.outcomes[0].size(); ++k)
      found.push_back(max_abs_difference(weights(gate, k), weights(Gate::half, k)));
    const Spread spread = spread_of(found);
    if (gate == Gate::bma) of_bma = spread.mean;
    table.rows.push_back({name_of(gate), spread.text(3)});
    told += join(told.empty() ? "" : ", ", name_of(gate), " ", fixed(spread.mean, 3));
  }
  lesson.say("Are logits untouched? After training the largest difference of a weight from the control's is ", told,
             ".");
  lesson.detail(table);
  lesson.claim_trained("of bma", of_bma, near_mean(0.141, 0.031, c.outcomes[0].size()));
}

// Ratios of root mean squares over runs, as "0.932 ± 0.009".
Spread ratios(const std::vector<std::map<std::string, double>>& above, const std::string& one,
              const std::vector<std::map<std::string, double>>& below, const std::string& other) {
  std::vector<double> found;
  for (std::size_t k = 0; k < above.size(); ++k) found.push_back(above[k].at(one) / below[k].at(other));
  return spread_of(found);
}

// The gradients of every run of the comparison, at its start or at its end, of one variant.
std::vector<std::map<std::string, double>> gradients_of_runs(Session& session, const Compared& c, Gate gate,
                                                             const std::optional<Start>& start) {
  std::vector<std::map<std::string, double>> found;
  for (const Outcome& o : c.outcomes[std::size_t(gate)]) {
    Recipe recipe = o.run.recipe;
    if (start) recipe.start = *start;
    found.push_back(gradients_of(session, start ? session.fresh(recipe) : o.run));
  }
  return found;
}

// "Improved gradient flow allows gates to receive signals": of bma's gate against the gate behind the attention.
void flow_to_gates(Lesson& lesson, Session& session, const Compared& c) {
  lesson.note("Root mean square of an entry of each gradient on one batch, mean over runs, and dWg over dWp:");
  Table table{{"weights", "dWg of bma", "dWp of post", "dWg/dWp, an entry", "dWg/dWp, all entries"}, {}};
  const double fewer = std::sqrt(double(c.outcomes[0][0].run.recipe.form.transformer.heads));  // √(entries of Wp/of Wg)
  std::vector<double> mean;
  const auto row = [&](const std::string& name, const std::optional<Start>& start) {
    const auto bma = gradients_of_runs(session, c, Gate::bma, start),
               post = gradients_of_runs(session, c, Gate::post, start);
    const auto size = [](const auto& runs, const std::string& of) {
      double sum = 0;
      for (const auto& run : runs) sum += run.at(of) / double(runs.size());
      return significant(sum, 2);
    };
    Spread ratio = ratios(bma, "Wg", post, "Wp");
    mean.push_back(ratio.mean);
    const std::string each = ratio.text(2);
    ratio.mean /= fewer;
    ratio.deviation /= fewer;
    table.rows.push_back({name, size(bma, "Wg"), size(post, "Wp"), each, ratio.text(2)});
  };
  const Start own = c.outcomes[0][0].run.recipe.start;
  row(join("at the start, ", own.name), own);
  row("at the published start", start_named("published"));
  row("after training", std::nullopt);
  lesson.detail(table);
  lesson.say("Does bma's gate get more of the gradient? An entry of dWg over one of dWp of post is ", fixed(mean[0], 2),
             " at the start, ", fixed(mean[1], 2), " at the published one, ", fixed(mean[2], 2), " after training.");
  const std::size_t runs = c.outcomes[0].size();
  lesson.claim_trained("at the lesson's start dWg over dWp, an entry", mean[0], near_mean(1.91, 0.33, runs));
  lesson.claim_trained("at the published start", mean[1], near_mean(0.259, 0.046, runs));
  lesson.claim_trained("after training", mean[2], near_mean(1.3, 0.32, runs));
}

// And what flows back to the other weights.
void flow(Lesson& lesson, Session& session, const Compared& c) {
  flow_to_gates(lesson, session, c);
  Table table{{"gradient of", "bma/standard"}, {}};
  std::string told;
  std::vector<double> all;
  const Start own = c.outcomes[0][0].run.recipe.start;
  const auto standard = gradients_of_runs(session, c, Gate::standard, own),
             bma = gradients_of_runs(session, c, Gate::bma, own);
  for (const char* name : {"Wq", "Wk", "Wv", "Wo"}) {
    const Spread ratio = ratios(bma, name, standard, name);
    all.push_back(ratio.mean);
    table.rows.push_back({name, ratio.text(3)});
    told += join(told.empty() ? "" : ", ", name, " ", fixed(ratio.mean, 2));
  }
  lesson.say("And the other weights? bma over standard at the start: ", told, ".");
  lesson.detail(table);
  const auto given_dY = [&](Gate gate) {
    return SmallCase({.gate = gate}, SmallCase::all_seen, session.options.seed).derive().d.plain;
  };
  const Attention<double> g = given_dY(Gate::standard), h = given_dY(Gate::half);
  lesson.claim("half, a given dY: dWv and dWo are ½ of standard's, max |diff|",
               std::max(max_abs_difference(h.Wv, 0.5 * g.Wv), max_abs_difference(h.Wo, 0.5 * g.Wo)), at_most(1e-15));
  lesson.claim_trained("in the transformer, mean of the ratios", spread_of(all).mean,
                       near_mean(0.909, 0.043, c.outcomes[0].size()));
}

// How far the means of classes of symbols lie apart in the columns of A, whose rows belong to symbols of these classes;
// and how far the rows of one class lie apart. Root mean squares over the columns.
struct Classes {
  double between = 0, within = 0;

  double share() const { return between * between / (between * between + within * within); }  // of the variance
};
Classes spread_of_classes(const Matrix<float>& A, const std::vector<std::size_t>& classes, std::size_t count) {
  const double n = double(A.rows());
  double between = 0, all = 0;
  for (std::size_t j = 0; j < A.cols(); ++j) {
    std::vector<double> sums(count), sizes(count);
    double sum = 0, square = 0;
    for (std::size_t i = 0; i < A.rows(); ++i) {
      const double a = double(A(i, j));
      sums[classes[i]] += a;
      sizes[classes[i]] += 1;
      sum += a;
      square += a * a;
    }
    const double common = sum * sum / n;
    for (std::size_t k = 0; k < count; ++k)
      if (sizes[k] > 0) between += sums[k] * sums[k] / sizes[k];
    between -= common;
    all += square - common;
  }
  const double cells = n * double(A.cols());
  return {std::sqrt(between / cells), std::sqrt((all - between) / cells)};
}

// Letters, white space, the rest.
std::size_t class_of(char symbol) { return is_letter(symbol) && symbol != '\'' ? 0 : is_space(symbol) ? 1 : 2; }

// "Each attention head learns specialized gating patterns for different query types."
void patterns(Lesson& lesson, Session& session, const Compared& c) {
  const std::size_t tokens = c.outcomes[0][0].run.recipe.form.context;
  const std::size_t windows =
      std::min<std::size_t>(64, (session.corpus.text.size() - session.corpus.train_end()) / tokens);
  const Symbols text = Symbols(session.corpus.text).subspan(session.corpus.train_end(), windows * tokens);
  std::vector<std::size_t> classes;
  for (const std::uint32_t symbol : text) classes.push_back(class_of(session.corpus.vocabulary.symbol(symbol).back()));
  // Of the gates, the queries and the values of the first block.
  const auto share = [&](const LanguageModel<float>& model) {
    LanguageModel<float>::Trace t;
    model.forward({text, tokens}, t);
    const auto& a = t.transformer.blocks[0].attention;
    return std::array{spread_of_classes(a.G, classes, 3), spread_of_classes(a.Q, classes, 3),
                      spread_of_classes(a.V, classes, 3)};
  };
  lesson.note("Of the gates on ", text.size(),
              " symbols of the last tenth: standard deviation between the means of letters, white "
              "space and all others, and within a class; and the share of the variance that lies between.");
  Table table{{"attention", "between", "within", "share: gates", "queries", "values"}, {}};
  double of_bma = 0;
  std::string told;
  for (const Gate gate : {Gate::bma, Gate::attending, Gate::post}) {
    for (const bool trained : {false, true}) {
      std::vector<double> figures[5];
      for (const Outcome& o : c.outcomes[std::size_t(gate)]) {
        const auto [gates, queries, values] = share(trained ? o.run.model : session.fresh(o.run.recipe).model);
        const double found[]{gates.between, gates.within, gates.share(), queries.share(), values.share()};
        for (std::size_t k = 0; k < 5; ++k) figures[k].push_back(found[k]);
      }
      std::vector<std::string> row{name_of(gate) + std::string(trained ? ", trained" : ", at the start")};
      for (const std::vector<double>& f : figures) row.push_back(fixed(spread_of(f).mean, 3));
      table.rows.push_back(row);
      if (trained && gate == Gate::bma) of_bma = spread_of(figures[2]).mean;
      told += trained ? join(" to ", row[3]) : join(told.empty() ? "" : ", ", name_of(gate), " ", row[3]);
    }
  }
  lesson.detail(table);
  lesson.say(
      "Do gates learn types of queries? The share of their variance between letters, white space and the rest "
      "goes in training from ",
      told, ".");
  lesson.claim_trained("bma, trained: the share of the gates' variance between classes", of_bma,
                       near_mean(0.292, 0.055, c.outcomes[0].size()));
}

// "Values are gated before mixing rather than after."
void before_mixing(Lesson& lesson, const Compared& c) {
  const Spread after = spread_of(c.differences(Gate::post, Gate::bma));
  lesson.say("Is it better to gate before mixing? Part 6 has for post, which gates after it, minus bma ", after.text(),
             after.count < 2      ? "."
             : beyond_luck(after) ? ", beyond luck."
                                  : ", within luck.");
  lesson.claim_trained("post - bma, mean of the pairs", after.mean, near_mean(-0.02, 0.0133, after.count));
}

void count_spikes(Lesson& lesson, const Compared& c) {
  std::size_t found = 0, of_bma = 0;
  for (std::size_t g = 0; g < c.gates.size(); ++g)
    for (const Outcome& o : c.outcomes[g]) {
      found += spikes(o.losses);
      if (c.gates[g] == Gate::bma) of_bma += spikes(o.losses);
    }
  lesson.say("And spikes of the loss? ", found, " in the runs of all five.");
  lesson.claim_trained("spikes of bma", double(of_bma), exactly(0));
  lesson.claim_trained("spikes of all five together: it distinguishes none", double(found), exactly(0));
}

}  // namespace

void part9(Lesson& lesson, Session& session) {
  const Compared& c = session.comparison();
  gaps(lesson, c);
  tokens_seen(lesson, session.corpus);
  combinations(lesson);
  logits(lesson, c, session.corpus);
  flow(lesson, session, c);
  before_mixing(lesson, c);
  patterns(lesson, session, c);
  count_spikes(lesson, c);
}

}  // namespace lesson6
