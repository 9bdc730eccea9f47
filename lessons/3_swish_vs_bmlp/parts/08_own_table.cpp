// Lesson 3, part 8: the networks on a table of your own, with the floors of its rows.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3::p8 {

constexpr std::size_t runs_of_part = 3, drawn_rows = 600, most_terms = 1000, rows_shown = 5;

// The rows of each run, which chooses its rate by other rows than the next; all are judged by the
// same.
static std::vector<SplitRows> rows_of_runs(const OwnRows& rows, std::size_t runs, Random random) {
  std::vector<SplitRows> all;
  for (std::size_t k = 0; k < runs; ++k) {
    const std::vector<std::size_t> order = shuffled(rows.learn.size(), random);
    all.push_back({{pick_rows<double>(rows.learn.X, order), pick_rows<double>(rows.learn.T, order)},
                   rows.test});
  }
  return all;
}

// Returns R² of the best polynomial of this degree, or nothing where its terms are too many.
static std::optional<double> floor_of_degree(const OwnRows& rows, std::size_t degree) {
  const std::size_t in = rows.learn.X.cols(), count = degree == 1 ? in : (in + 1) * (in + 2) / 2;
  if (count > most_terms || 2 * count > rows.learn.size()) return {};
  const auto features = [&](const Matrix<double>& X) { return monomials(X, degree); };
  const Matrix<double> w = least_squares(features(rows.learn.X), rows.learn.T);
  return r_squared(matmul(features(rows.test.X), w), rows.test.T);
}

static std::string text_of_floor(const std::optional<double>& r2) {
  return r2 ? fixed(*r2, 4) : "too many terms";
}

static std::string counted_words(std::size_t count, const std::string& word) {
  return join(count, " ", word, count == 1 ? "" : "s");
}

// Shows the first rows: what the table says, and what the network answers, of the first target.
static void show_answers(Lesson& lesson, const OwnTable& table, const Stored& stored) {
  const std::size_t inputs = table.X.cols(), count = std::min(rows_shown, table.X.rows());
  const Matrix<double> Y = stored.answers(Matrix<double>(row_block(table.X, 0, count)));
  Table first{{}, {}};
  for (std::size_t j = 0; j < std::min<std::size_t>(inputs, 4); ++j)
    first.head.push_back(excerpt(table.names[j]));
  first.head.push_back(excerpt(table.names[inputs]));
  first.head.push_back("answered");
  for (std::size_t i = 0; i < count; ++i) {
    first.rows.push_back({});
    for (std::size_t j = 0; j + 2 < first.head.size(); ++j)
      first.rows[i].push_back(significant(table.X(i, j)));
    first.rows[i].push_back(significant(table.T(i, 0)));
    first.rows[i].push_back(significant(Y(i, 0)));
  }
  lesson.say("Its answers for the first rows of the table:");
  lesson.show(first);
}

static void judge_stored(Lesson& lesson, const Stored& stored, const OwnTable& table) {
  const Matrix<double> Y = stored.t.scaled(stored.answers(table.X)), T = stored.t.scaled(table.T);
  lesson.say("The stored ", title_of(stored.kind), " has R² ", fixed(r_squared(Y, T), 4),
             " on the ", counted_words(table.X.rows(), "row"), " of this table.");
  show_answers(lesson, table, stored);
}

// Trains the network of this kind as its first run was, and stores it.
static void save_network(const Session& session, Kind kind, const OwnRows& rows,
                         const SplitRows& first, const TrainingSettings& settings) {
  with_kind(kind, rows.x.mean.cols(), rows.t.mean.cols(), [&](const auto& start) {
    const std::uint64_t seed = seed_of_run(session.options.seed, 0);
    Random random(seed, 31);
    auto model = start(random);
    train(model, first.train, settings, Random(seed, 32));
    store(session.options.own[save_flag], kind, model, rows);
  });
}

static void compare_networks(Lesson& lesson, Session& session, const OwnTable& table) {
  const std::size_t runs = session.runs(runs_of_part), in = table.X.cols(), out = table.T.cols();
  const OwnRows rows = own_rows(table, Random(session.options.seed, 36));
  const std::vector<SplitRows> splits = rows_of_runs(rows, runs, Random(session.options.seed, 37));
  Splits task;
  for (const SplitRows& split : splits) task.push_back(&split);
  std::vector<Contender> contenders;
  TrainingSettings settings = session.training();
  for (const Kind kind : kinds)
    with_kind(kind, in, out, [&](const auto& start) {
      contenders.push_back(network(title_of(kind), settings, start));
    });
  const std::vector<Judged> judged = judge(session, contenders, {task}, settings);
  lesson.say("The table has ", counted_words(table.X.rows(), "row"), ", ",
             counted_words(in, "input"), " and ", counted_words(out, "target"),
             ". Each network runs at its own best rate; R² of the ", rows.test.size(),
             " rows that chose nothing, and in brackets the standard error of ", runs, " runs:");
  Table results{{"network", "rate", "R²"}, {}};
  const std::optional<double> linear = floor_of_degree(rows, 1),
                              quadratic = floor_of_degree(rows, 2);
  results.rows.push_back({"least squares, linear", "", text_of_floor(linear)});
  results.rows.push_back({"least squares, quadratic", "", text_of_floor(quadratic)});
  std::size_t lost = 0;
  for (std::size_t c = 0; c < judged.size(); ++c) {
    const auto& [sweep, r2] = judged[c];
    results.rows.push_back(
        {contenders[c].title, sweep.text(), spread_of_scores(r2[0]).with_error(4)});
    lost += diverged(r2[0]);
  }
  lesson.show(results);
  say_diverged(lesson, lost);
  const std::size_t chosen = chosen_of(judged, 0);
  const auto mean = [&](Kind kind) {
    return spread_of_scores(judged[std::size_t(kind)].r2[0]).mean;
  };
  // The next kind is .2 and .07 away.
  lesson.claim_trained("BMLP: R² minus that of linear least squares",
                       mean(Kind::bmlp) - linear.value_or(0), within(0, 0.01));
  lesson.claim_trained("product layer: R² minus that of quadratic least squares",
                       mean(Kind::product) - quadratic.value_or(0), within(0, 0.01));
  lesson.claim_trained("two product layers and swish: the lesser R²",
                       std::min(mean(Kind::products), mean(Kind::swish)), at_least(0.99));
  lesson.say("The validation rows choose: ", contenders[chosen].title, ".");
  if (session.options.own.given(save_flag)) {
    const RateSweep& sweep = judged[chosen].sweep;
    settings.rate = sweep.rates[sweep.best];
    save_network(session, kinds[chosen], rows, splits[0], settings);
    lesson.wrote(session.options.own[save_flag]);
  }
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  if (session.stored) judge_stored(lesson, *session.stored, *session.table);
  else if (session.table) compare_networks(lesson, session, *session.table);
  else
    compare_networks(lesson, session, thrown_balls(drawn_rows, Random(session.options.seed, 38)));
}

}  // namespace lesson3::p8

const Part<lesson3::Session> lesson3::part8{.number = lesson3::own_table,
                                            .title = "A table of your own",
                                            .kind = PartKind::further,
                                            .question = "",
                                            .run = p8::run};
