// Lesson 6, part 6: the settings in which the five variants are compared.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/settings.hpp"

#include <algorithm>
#include <cmath>

#include "lessons/6_bma/run/bounds.hpp"

namespace lesson6 {

std::string name_of(const std::pair<Gate, Gate>& pair) {
  return join(name_of(pair.first), " - ", name_of(pair.second));
}

std::string Setting::name() const {
  return recipe.start.name == std::string("published") && !recipe.form.tied ? "untied" : recipe.start.name;
}

Spread Setting::difference(Gate one, Gate other) const { return spread_of(compared.differences(one, other)); }

// Of one rate: the setting that the flags ask for and, where they leave the start to the lesson, those with the others.
static std::vector<Recipe> recipes_at(const Session& session, double rate) {
  Recipe own = session.recipe(Gate::standard, session.options.seed);
  own.run.rate = rate;
  std::vector<Recipe> all{own};
  if (session.flags.start || session.flags.head || session.flags.config == "nanogpt") return all;
  for (const auto& [name, tied] : {std::pair{"large", false}, {"published", true}, {"published", false}}) {
    Recipe other = own;
    other.start = start_named(name);
    other.form.tied = tied;
    all.push_back(other);
  }
  return all;
}

Settings all_settings(Session& session) {
  const double rate = session.recipe(Gate::standard, 1).run.rate;
  std::vector<double> rates{rate};
  if (session.options.all && !session.flags.rate) rates.insert(rates.end(), {0.4 * rate, 2 * rate});
  Settings found;
  for (const double r : rates) {
    found.emplace_back();
    for (const Recipe& recipe : recipes_at(session, r)) {
      const bool first = found.size() == 1 && found[0].empty();
      found.back().push_back(
          {recipe, first ? session.comparison() : compare(session, recipe, session.seeds(), "other starts")});
      found.back().back().compared.outcomes.clear();
    }
  }
  return found;
}

// What the pairs of these settings gave, mean and standard deviation in thousandths of a nat, by rate, start and pair:
// at the first rate over 120 runs, three of each --seed from 1 to 40; at the others over the first twenty runs of
// --seed 1.
struct Measured {
  double mean, deviation;
};
constexpr std::size_t measured_runs[3] = {120, 20, 20};
constexpr Measured measured_pairs[3][4][5] = {{{{-45.8, 22.4}, {-41.7, 22.3}, {-4.0, 4.2}, {-7.9, 8.4}, {-23.3, 13.6}},
                                               {{-6.9, 4.0}, {-1.6, 3.6}, {-5.4, 1.7}, {-3.8, 1.7}, {-10.2, 3.0}},
                                               {{-21.7, 35.9}, {-20.2, 34.8}, {-1.5, 16.3}, {-5.0, 16.1}, {0.3, 21.5}},
                                               {{6.2, 9.1}, {3.9, 9.0}, {2.3, 5.8}, {-2.6, 4.5}, {-11.3, 6.2}}},
                                              {{{-39.7, 9.1}, {-36.9, 8.8}, {-2.8, 1.5}, {-4.3, 3.3}, {-15.4, 4.0}},
                                               {{-6.2, 2.7}, {-4.8, 2.9}, {-1.4, 0.6}, {-0.6, 0.6}, {-2.8, 1.0}},
                                               {{-4.5, 6.7}, {-3.5, 8.5}, {-1.0, 4.3}, {-2.5, 4.1}, {-2.8, 4.2}},
                                               {{-5.0, 9.2}, {-3.8, 8.1}, {-1.1, 5.4}, {-6.3, 5.3}, {-11.3, 4.6}}},
                                              {{{-42.2, 22.5}, {-42.7, 21.4}, {0.5, 5.9}, {0.9, 8.5}, {-15.5, 14.6}},
                                               {{-8.6, 10.1}, {-1.9, 8.7}, {-6.7, 3.4}, {-3.2, 3.8}, {-15.1, 4.3}},
                                               {{-145.8, 87.7}, {-148.6, 97.1}, {2.8, 23.1}, {1.3, 20.9}, {2.0, 15.2}},
                                               {{7.7, 10.3}, {3.7, 9.5}, {4.0, 4.5}, {-0.8, 6.5}, {-13.8, 7.1}}}};

double furthest(const Settings& rates, std::size_t pair) {
  double most = 0;
  for (std::size_t r = 0; r < rates.size(); ++r)
    for (std::size_t s = 0; s < rates[r].size(); ++s) {
      const Spread found = rates[r][s].difference(shown_pairs[pair].first, shown_pairs[pair].second);
      const Measured& m = measured_pairs[r][s][pair];
      const double error = 1e-3 * m.deviation * std::sqrt(1 / double(found.count) + 1 / double(measured_runs[r]));
      most = std::max(most, std::abs(found.mean - 1e-3 * m.mean) / error);
    }
  return most;
}

Told told(const Settings& rates, std::size_t pair) {
  Told count;
  for (std::size_t r = 0; r < rates.size(); ++r)
    for (std::size_t s = 0; s < rates[r].size(); ++s) {
      const Spread found = rates[r][s].difference(shown_pairs[pair].first, shown_pairs[pair].second);
      const Measured& m = measured_pairs[r][s][pair];
      const double student = found.luck() / found.standard_error();
      if (std::abs(m.mean) < (spreads + student) * m.deviation / std::sqrt(double(found.count))) continue;
      ++count.can;
      count.did += beyond_luck(found) && (found.mean < 0) == (m.mean < 0);
    }
  return count;
}

// Root of the mean square of what a token brings to the first block (its embedding), and of what the attention adds to
// it.
struct Branch {
  double token, added;
};
static Branch first_branch(const Session& session, const Recipe& recipe) {
  const Run run = session.fresh(recipe);
  const Symbols window = Symbols(session.corpus.text).subspan(session.corpus.train_end(), recipe.form.context);
  Matrix<float> X;
  run.model.embed({window, window.size()}, X);
  LanguageModel<float>::Trace t;
  run.model.forward({window, window.size()}, t);
  return {std::sqrt(mean_square(X)), std::sqrt(mean_square(t.transformer.blocks[0].attention.Y))};
}

// "-51.7 (4.5) *": the mean of the pairs, its standard error, and a star where it is beyond luck, in thousandths of a
// nat.
static std::string thousandths(const Spread& s) {
  if (s.count < 2) return fixed(1e3 * s.mean, 1) + "  ";
  return fixed(1e3 * s.mean, 1) + " (" + fixed(1e3 * s.standard_error(), 1) + ")" + (beyond_luck(s) ? " *" : "  ");
}

Table table_of(const Session& session, const std::vector<Setting>& settings) {
  Table table{{"start"}, {{"token brings"}, {"attention adds"}, {"standard, nats"}, {"perplexity"}}};
  for (const auto& pair : shown_pairs) table.rows.push_back({name_of(pair)});
  for (const Setting& s : settings) {
    const Branch branch = first_branch(session, s.recipe);
    const double loss = spread_of(s.compared.of(Gate::standard)).mean;
    table.head.push_back(s.name());
    std::size_t row = 0;
    for (const double figure : {branch.token, branch.added, loss, std::exp(loss)})
      table.rows[row++].push_back(fixed(figure, 3) + "  ");
    for (const auto& [one, other] : shown_pairs) table.rows[row++].push_back(thousandths(s.difference(one, other)));
  }
  return table;
}

plot::Chart chart_of(const std::vector<Setting>& settings) {
  plot::Chart chart;
  chart.title = "Paired differences of bma, pair by pair";
  chart.x = {.title = "start", .low = 0.5, .high = double(settings.size()) + 0.5};
  chart.y.title = "nats a symbol; below 0 bma is ahead";
  chart.levels = {{"no difference", 0}};
  for (const Setting& setting : settings) chart.x.names.push_back(setting.name());
  for (const Gate other : {Gate::standard, Gate::half}) {
    plot::Series pairs{.name = join("bma - ", name_of(other)), .points = true};
    for (std::size_t s = 0; s < settings.size(); ++s)
      for (const double difference : settings[s].compared.differences(Gate::bma, other))
        pairs.add(double(s + 1) + (other == Gate::standard ? -0.12 : 0.12), difference);
    chart.series.push_back(pairs);
  }
  return chart;
}

}  // namespace lesson6
