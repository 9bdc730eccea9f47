// Lesson 3, part 2: the BMLP as published: gradients, the path that the published backward forgets, and its rate.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "common/initialize.hpp"
#include "common/support/lesson.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/checks.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"
#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"

namespace lesson3 {
namespace {

// The network of README.md, "By hand".
void bmlp_by_hand(Lesson& lesson) {
  const Bmlp<double> net = example_bmlp();
  const Matrix<double> x{{3, 1}};
  Bmlp<double>::Trace t;
  Gradients<Bmlp<double>> g(net);
  net.forward(x, t);
  net.backward(x, t, {{1}}, g);
  lesson.note("The case by hand: H = (", t.H(0, 0), ", ", t.H(0, 1), "), its mean ", t.mH(0, 0), ", y = ", t.Y(0, 0),
              ", dX = (", g.dX(0, 0), ", ", g.dX(0, 1), ").");
  lesson.claim("y by hand", t.Y(0, 0), exactly(24));
  lesson.claim_same("dX by hand", max_abs_difference(g.dX, {{5, 9}}));
  lesson.claim_same("dW1 by hand", max_abs_difference(g.d.W1, {{6, 12}, {2, 4}}));
}

// Adds the boxes of one network to a diagram: what it starts from stands at the left, under the network's name. Boxes of
// one name are told apart by spaces behind it, as many as the row's number.
class DiagramRow {
 public:
  DiagramRow(plot::Diagram& diagram, const std::string& network, double row)
      : diagram_(diagram), row_(row), network_(network) {
    diagram_.boxes.push_back({network, 0, row, plot::Box::Kind::stored, "X"});
  }

  void box(const std::string& name, double column, const std::string& formula, double below = 0) {
    diagram_.boxes.push_back({.name = name, .column = column, .row = row_ + below, .label = formula, .key = key(name)});
  }
  void arrow(const std::string& from, const std::string& to, const std::string& shape) {
    diagram_.arrows.push_back({from == "X" ? network_ : key(from), key(to), shape});
  }

 private:
  std::string key(const std::string& name) const { return name + " of the " + network_; }

  plot::Diagram& diagram_;
  double row_;
  std::string network_;
};

// The swish MLP, the BMLP as published, and the layer of part 5, which has two factors.
plot::Diagram three_networks() {
  plot::Diagram diagram{.title = "What stands between X and Y (X·W3 and biases left out)"};
  DiagramRow swish(diagram, "swish MLP", 0);
  swish.box("H", 1.1, "X·W1");
  swish.box("S", 2.2, "H ⊙ σ(H)");
  swish.box("Y", 3.3, "S·W2");
  swish.arrow("X", "H", "n × d");
  swish.arrow("H", "S", "n × h");
  swish.arrow("S", "Y", "n × h");
  DiagramRow bmlp(diagram, "BMLP", 2);
  bmlp.box("mX", 0.75, "row means", -0.9);
  bmlp.box("H", 1.5, "X·W1 + mX·u1");
  bmlp.box("mH", 2.4, "row means", -0.9);
  bmlp.box("Y", 3.3, "H·W2 + mH·u2");
  bmlp.arrow("X", "mX", "n × d");
  bmlp.arrow("mX", "H", "n × 1");
  bmlp.arrow("X", "H", "n × d");
  bmlp.arrow("H", "mH", "n × h");
  bmlp.arrow("mH", "Y", "n × 1");
  bmlp.arrow("H", "Y", "n × h");
  DiagramRow product(diagram, "product layer", 3.5);
  product.box("P", 1.1, "X·W", -0.5);
  product.box("Q", 1.1, "X·V", 0.5);
  product.box("H", 2.2, "P ⊙ Q");
  product.box("Y", 3.3, "H·W2");
  product.arrow("X", "P", "n × d");
  product.arrow("X", "Q", "n × d");
  product.arrow("P", "H", "n × h");
  product.arrow("Q", "H", "n × h");
  product.arrow("H", "Y", "n × h");
  return diagram;
}

// How far a wrong gradient is off: the norm of the error over that of the right one; and the worst relative error of an
// entry, as the tables of this course have it.
struct Wrongness {
  double norm = 0, entry = 0;
};

Wrongness wrongness(const Matrix<double>& wrong, const Matrix<double>& right) {
  Wrongness found{std::sqrt(mean_square(wrong - right) / mean_square(right))};
  const double floor = 1e-3 * largest_entry(right);
  for (std::size_t k = 0; k < right.size(); ++k) {
    const double w = wrong.values()[k], r = right.values()[k];
    found.entry = std::max(found.entry, std::abs(w - r) / std::max({std::abs(w), std::abs(r), floor}));
  }
  return found;
}

// dW1 as it is when dH lacks the path through mH. Weights as at the start of training; u1 and u2 from U(-size, size),
// 0.01 at the start.
template <class Model>
Wrongness forgotten_path(double size, Random& random) {
  Model net({16, 64, 4}, random);
  for (Matrix<double>* u : {&net.u1, &net.u2}) *u = uniform_matrix<double>(1, u->cols(), size, random);
  const auto X = normal_matrix<double>(32, 16, 1, random), dY = normal_matrix<double>(32, 4, 1, random);
  const Gradients<Model> right = gradients(net, X, [&](const Matrix<double>&) { return Loss<double>{0, dY}; });
  const Matrix<double> dH = matmul(dY, transpose(net.W2));  // and nothing through mH
  return wrongness(matmul(transpose(X), dH), right.d.W1);
}

// The same over many draws, and how many of those at the start a check to 1e-2 would pass.
struct ForgottenPath {
  double norm_at_start = 0, norm_grown = 0;  // means
  double entry_at_start = 0;                 // median
  double norms_pass = 0, entries_pass = 0;
};

template <class Model>
ForgottenPath forgotten_paths(std::size_t draws, Random& random) {
  ForgottenPath found;
  std::vector<double> entries;
  for (std::size_t k = 0; k < draws; ++k) {
    const Wrongness start = forgotten_path<Model>(0.01, random);
    found.norm_at_start += start.norm / double(draws);
    found.norm_grown += forgotten_path<Model>(1, random).norm / double(draws);
    found.norms_pass += start.norm <= 1e-2;
    found.entries_pass += start.entry <= 1e-2;
    entries.push_back(start.entry);
  }
  std::sort(entries.begin(), entries.end());
  found.entry_at_start = entries[draws / 2];
  return found;
}

void missing_path(Lesson& lesson, Random& random) {
  constexpr std::size_t draws = 100;
  const ForgottenPath batch = forgotten_paths<BmlpBatch<double>>(draws, random);
  const ForgottenPath rows = forgotten_paths<Bmlp<double>>(draws, random);
  lesson.note("What dW1 lacks where the path through the mean of H is forgotten, in ", draws,
              " draws, and how many of the starts a check to 1e-2 would pass:");
  Table table{{"means over", "norm, start", "norm, grown", "passed", "worst entry, start", "passed"}, {}};
  for (const auto& [name, found] : {std::pair{"the batch", batch}, {"each row", rows}})
    table.rows.push_back({name, significant(found.norm_at_start, 2), significant(found.norm_grown, 2),
                          significant(found.norms_pass), significant(found.entry_at_start, 2),
                          significant(found.entries_pass)});
  lesson.detail(table);
  lesson.note("The path that the published backward pass forgets: a check of norms to 1e-2 passes ", batch.norms_pass,
              " of ", draws, " starts with means over the batch and ", rows.norms_pass,
              " with means over rows, one of ", "every entry ", batch.entries_pass, " and ", rows.entries_pass, ".");
  // Means and spreads over 400 seeds.
  lesson.claim("batch means, start: norm of the error", batch.norm_at_start, within(0.0113, 4.5 * 0.0009));
  lesson.claim("batch means, grown: norm of the error", batch.norm_grown, within(0.61, 4.5 * 0.028));
  lesson.claim("batch means: starts that a check of norms passes", batch.norms_pass, within(53.4, 4.5 * 4.9));
  lesson.claim("batch means, start: worst entry", batch.entry_at_start, within(1.49, 4.5 * 0.077));
  lesson.claim("row means, start: norm of the error", rows.norm_at_start, within(0.0012, 4.5 * 0.00004));
  lesson.claim("row means, grown: norm of the error", rows.norm_grown, within(0.1185, 4.5 * 0.0037));
  lesson.claim("row means: starts that a check of norms passes", rows.norms_pass, exactly(double(draws)));
  lesson.claim("row means, start: worst entry", rows.entry_at_start, within(0.353, 4.5 * 0.021));
  // What passes are starts at which dY happens to add up to nearly 0: one of 600 with batch means, none of 20,000 with
  // others.
  lesson.claim("starts of both that a check of every entry passes", batch.entries_pass + rows.entries_pass, at_most(5));
}

struct RateRun {
  std::string title;
  double rate;
  Curve curve = {};
};

std::vector<RateRun> train_at_two_rates(Session& session) {
  std::vector<RateRun> runs{{"BMLP", 1e-4}, {"BMLP", 5e-3}, {"swish", 1e-4}, {"swish", 5e-3}};
  const Rows& rows = session.suite().train;
  const Forms forms{suite_inputs, suite_outputs};
  session.run("training", runs.size(), [&](std::size_t k) {
    TrainingSettings settings = session.training();
    settings.rate = runs[k].rate;
    Random random(session.options.seed, 31);
    const auto learn = [&](auto model) {
      runs[k].curve = train_and_watch(model, rows, settings, Random(session.options.seed, 32));
    };
    if (k < 2) learn(Bmlp<float>(forms.bmlp, random));
    else learn(Swish<float>(forms.bare_swish, random));
  });
  return runs;
}

Table table_of(const std::vector<RateRun>& runs) {
  Table table{{"network", "rate", "start", "a sixth", "a third", "two thirds", "end", "highest"}, {}};
  for (const RateRun& run : runs) {
    const std::vector<double>& loss = run.curve.losses;
    const std::size_t n = loss.size();
    table.rows.push_back({run.title, significant(run.rate), fixed(loss[0], 4), fixed(loss[n / 6], 4),
                          fixed(loss[n / 3], 4), fixed(loss[2 * n / 3], 4), fixed(loss.back(), 4),
                          fixed(*std::max_element(loss.begin(), loss.end()), 4)});
  }
  return table;
}

// The claim of the write-up, "stable but slower" at a rate of 0.0001, tried as stated: against the swish MLP.
void learning_rates(Lesson& lesson, Session& session) {
  const std::vector<RateRun> runs = train_at_two_rates(session);
  lesson.say("\"Stable, but may converge slower\": is it? Mean squared error over the training rows of suite A, ",
             session.training().steps, " steps:");
  lesson.show(table_of(runs));
  const std::vector<double>& slow = runs[0].curve.losses;
  const std::vector<double>& fast = runs[1].curve.losses;
  const auto after_a_third = [](const std::vector<double>& loss) { return loss.back() / loss[loss.size() / 3]; };
  lesson.claim_trained("stable: the highest loss is the first", *std::max_element(slow.begin(), slow.end()) / slow[0],
                       at_most(1));
  // Means and spreads over 20 seeds.
  lesson.claim_trained("both rates of the BMLP end at one loss, ratio", slow.back() / fast.back(),
                       within(0.9998, 4.5 * 0.0001));
  lesson.claim_trained("BMLP at 0.0001: the end over a third of the steps", after_a_third(slow),
                       within(0.9965, 4.5 * 0.003));
  lesson.claim_trained("BMLP at 0.005: the same", after_a_third(fast), within(0.988, 4.5 * 0.0023));
  lesson.claim_trained("swish MLP at 0.0001: the same", after_a_third(runs[2].curve.losses),
                       within(0.933, 4.5 * 0.0133));
  lesson.claim_trained("swish MLP at 0.005: the same", after_a_third(runs[3].curve.losses),
                       within(0.858, 4.5 * 0.0073));
}

}  // namespace

void part2(Lesson& lesson, Session& session) {
  lesson.figure("networks", three_networks());
  bmlp_by_hand(lesson);
  Random random(lesson.options().seed);
  Bmlp<double> net({4, 8, 3});
  lesson.note("Every gradient against numbers, through Σ R⊙Y with a step of 1, all numbers quarters (section 5):");
  lesson.claim_gradients("BMLP", check_through_sum(net, 16, random), 0);
  BmlpBatch<double> batch({4, 8, 3});
  lesson.note("The other reading, with means over the batch:");
  lesson.claim_gradients("batch means", check_through_sum(batch, 16, random), 0);

  missing_path(lesson, random);
  learning_rates(lesson, session);
}

}  // namespace lesson3
