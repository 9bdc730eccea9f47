// Lesson 3, part 2: the BMLP as published: its gradients, the path that the published backward pass forgets, its rate.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3 {

constexpr knob::Real size_knob{"u", "u1 and u2 are drawn from -u to u", 0.01, {0, 2, 0.01}};
constexpr knob::Choice means{"means", "over what the means are taken", {"rows", "batch"}};
constexpr knob::Whole rows_knob{"n", "rows in the batch", 32, {1, 64, 1}};
constexpr knob::Whole inputs{"d", "inputs", 16, {1, 24, 1}};
constexpr knob::Whole hidden{"hidden", "hidden units", 64, {1, 64, 1}};
constexpr knob::Whole outputs{"o", "outputs", 4, {1, 8, 1}};

// The swish MLP, the BMLP as published, and the layer of part 5, which has two factors.
static plot::Diagram three_networks() {
  plot::Diagram diagram{.title = "What stands between X and Y (X·W3 and biases left out)"};
  for (const auto& [network, row] : {std::pair{"swish MLP", 0.0}, {"BMLP", 2.0}, {"product layer", 3.5}})
    diagram.boxes.push_back({network, 0, row, plot::Box::Kind::stored, "X"});
  // The key of a box is its network's letter and its name.
  const auto box = [&](const std::string& key, double column, double row, const char* formula) {
    diagram.boxes.push_back({.name = key.substr(1), .column = column, .row = row, .label = formula, .key = key});
  };
  box("sH", 1.1, 0, "X·W1");
  box("sS", 2.2, 0, "H ⊙ σ(H)");
  box("sY", 3.3, 0, "S·W2");
  box("bmX", 0.75, 1.1, "row means");
  box("bH", 1.5, 2, "X·W1 + mX·u1");
  box("bmH", 2.4, 1.1, "row means");
  box("bY", 3.3, 2, "H·W2 + mH·u2");
  box("pP", 1.1, 3, "X·W");
  box("pQ", 1.1, 4, "X·V");
  box("pH", 2.2, 3.5, "P ⊙ Q");
  box("pY", 3.3, 3.5, "H·W2");
  diagram.arrows = {{"swish MLP", "sH", "n × d"},
                    {"sH", "sS", "n × h"},
                    {"sS", "sY", "n × h"},
                    {"BMLP", "bmX", "n × d"},
                    {"bmX", "bH", "n × 1"},
                    {"BMLP", "bH", "n × d"},
                    {"bH", "bmH", "n × h"},
                    {"bmH", "bY", "n × 1"},
                    {"bH", "bY", "n × h"},
                    {"product layer", "pP", "n × d"},
                    {"product layer", "pQ", "n × d"},
                    {"pP", "pH", "n × h"},
                    {"pQ", "pH", "n × h"},
                    {"pH", "pY", "n × h"}};
  return diagram;
}

// The network of README.md, "By hand".
static void by_hand(Lesson& lesson) {
  const Bmlp<double> net = example_bmlp();
  const Matrix<double> x{{3, 1}};
  Bmlp<double>::Trace t;
  net.forward(x, t);
  const Gradients<Bmlp<double>> g = gradients(net, x, weighted_sum{{{1}}});
  lesson.note("The case by hand: H = (", t.H(0, 0), ", ", t.H(0, 1), "), its mean ", t.mH(0, 0), ", y = ", t.Y(0, 0),
              ", dX = (", g.dX(0, 0), ", ", g.dX(0, 1), ").");
  lesson.claim("y by hand", t.Y(0, 0), exactly(24));
  lesson.claim_same("dX by hand", max_abs_difference(g.dX, {{5, 9}}));
  lesson.claim_same("dW1 by hand", max_abs_difference(g.d.W1, {{6, 12}, {2, 4}}));
}

// What dW1 lacks where dH has no path through mH, at a start of training.
struct Forgotten {
  std::vector<double> entries;  // how far each entry of dW1 is off, as the tables of this course have it, d x h
  double norm = 0;              // the norm of the error over that of dW1
  double check = 0;             // what a gradient check finds with the path

  double worst() const { return *std::max_element(entries.begin(), entries.end()); }
};

enum class Check { without, with };

template <class Model>
static Forgotten forget(const Sizes& sizes, std::size_t n, double size, Random& random, Check check) {
  Model net(sizes, random);
  for (Matrix<double>* u : {&net.u1, &net.u2}) *u = size * uniform_matrix<double>(1, u->cols(), 1, random);
  auto X = normal_matrix<double>(n, sizes.in, 1, random), dY = normal_matrix<double>(n, sizes.out, 1, random);
  const Matrix<double> right = gradients(net, X, weighted_sum{dY}).d.W1;
  const Matrix<double> wrong = matmul(transpose(X), matmul(dY, transpose(net.W2)));  // and nothing through mean(H)
  Forgotten found;
  found.norm = std::sqrt(mean_square(wrong - right) / std::max(mean_square(right), 1e-300));
  const double least = std::max(1e-3 * largest_entry(right), 1e-300);
  for (std::size_t k = 0; k < right.size(); ++k) {
    const double w = wrong.values()[k], r = right.values()[k];
    found.entries.push_back(std::abs(w - r) / std::max({std::abs(w), std::abs(r), least}));
  }
  if (check == Check::with) found.check = check_model(net, X, weighted_sum{dY}, Step::quadratic).worst();
  return found;
}

static void missing_path(Lesson& lesson, Random& random) {
  constexpr int draws = 100;
  int norms[2] = {}, entries[2] = {};  // starts that a check to 1e-2 passes; means over the batch, and over rows
  for (int k = 0; k < 2 * draws; ++k) {
    const bool rows = k >= draws;
    const auto draw = rows ? forget<Bmlp<double>> : forget<BmlpBatch<double>>;
    const Forgotten found = draw({16, 64, 4}, 32, 0.01, random, Check::without);
    norms[rows] += found.norm <= 1e-2;
    entries[rows] += found.worst() <= 1e-2;
  }
  lesson.note("The path that the published backward pass forgets: a check of norms to 1e-2 passes ", norms[0], " of ",
              draws, " starts with means over the batch and ", norms[1], " with means over rows, one of every entry ",
              entries[0], " and ", entries[1], ".");
  lesson.claim("row means: starts that a check of norms passes", norms[1], exactly(draws));
  // Half of them; a share of a half varies by 5 in a hundred.
  lesson.claim("batch means: starts that a check of norms passes", norms[0], between(25, 75));
  // What passes are starts at which dY happens to add up to nearly 0: one of 600 with batch means.
  lesson.claim("starts that a check of every entry passes", entries[0] + entries[1], at_most(5));
}

// The claim of the write-up, "stable but slower" at a rate of 0.0001, tried as stated: against the swish MLP.
static void learning_rates(Lesson& lesson, Session& session) {
  struct Run {
    const char* title;
    double rate;
    std::vector<double> loss;
  };
  std::vector<Run> runs{{"BMLP", 1e-4, {}}, {"BMLP", 5e-3, {}}, {"swish", 1e-4, {}}, {"swish", 5e-3, {}}};
  const Rows& rows = session.suite().train;
  session.run(runs.size(), [&](std::size_t k) {
    TrainingSettings settings = session.training();
    settings.rate = runs[k].rate;
    Random random = session.start();
    const auto learn = [&](auto model) {
      runs[k].loss = train_and_watch("", model, rows, settings, session.batches()).y;
    };
    if (k < 2) learn(Bmlp<float>(suite_forms.bmlp, random));
    else learn(Swish<float>(suite_forms.bare_swish, random));
  });
  lesson.say("\"Stable, but may converge slower\": is it? Mean squared error over the training rows of suite A, ",
             session.training().steps, " steps:");
  Table table{{"network", "rate", "start", "a sixth", "a third", "two thirds", "end", "highest"}, {}};
  for (const auto& [title, rate, loss] : runs) {
    const std::size_t n = loss.size();
    table.rows.push_back({title, significant(rate)});
    for (const double at :
         {loss[0], loss[n / 6], loss[n / 3], loss[2 * n / 3], loss.back(), *std::max_element(loss.begin(), loss.end())})
      table.rows.back().push_back(fixed(at, 4));
  }
  lesson.show(table);
  const std::vector<double>&slow = runs[0].loss, &fast = runs[1].loss;
  const auto after_a_third = [](const std::vector<double>& loss) { return loss[loss.size() / 3] / loss.back(); };
  lesson.claim_trained("stable: the highest loss is the first", *std::max_element(slow.begin(), slow.end()) / slow[0],
                       at_most(1));
  lesson.claim_trained("both rates of the BMLP end at one loss, ratio", slow.back() / fast.back(), within(1, 0.001));
  lesson.claim_trained("BMLP, either rate: a third of the steps over the end",
                       std::max(after_a_third(slow), after_a_third(fast)), at_most(1.03));
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  lesson.figure("networks", three_networks());
  by_hand(lesson);
  Random random(lesson.options().seed);
  lesson.note("Every gradient against numbers, through Σ R⊙Y with a step of 1, all numbers quarters (section 5):");
  lesson.claim_gradients("BMLP", check_through_sum(Bmlp<double>({4, 8, 3}), random), 0);
  lesson.claim_gradients("batch means", check_through_sum(BmlpBatch<double>({4, 8, 3}), random), 0);
  missing_path(lesson, random);
  learning_rates(lesson, session);
}

static void scene(Lesson& lesson, Session&, const knob::Settings& at) {
  Random random(lesson.options().seed, 502);
  const Sizes sizes{at[inputs], at[hidden], at[outputs]};
  const auto look = at[means] == 0 ? forget<Bmlp<double>> : forget<BmlpBatch<double>>;
  const Forgotten found = look(sizes, at[rows_knob], at[size_knob], random, Check::with);
  plot::HeatMap map{.title = "Relative error of each entry of dW1 without the path through mean(H)"};
  map.rows = sizes.in;
  map.cols = sizes.hidden;
  map.values = found.entries;
  map.low = 0;
  map.high = 1;
  lesson.picture("forgotten_path", map);
  lesson.say("Without that path the norm of dW1 is off by ", significant(found.norm, 2), ", its worst entry by ",
             significant(found.worst(), 2), ": a check to 1e-2 of norms ", found.norm <= 1e-2 ? "passes" : "fails",
             ", one of every entry ", found.worst() <= 1e-2 ? "passes" : "fails", ".");
  // Σ R⊙Y is quadratic in each tensor, so only rounding is left: of sums of up to 64·24·64 terms, some 1e-12 of the
  // largest slope, and an entry is held to a thousandth of that slope at least.
  lesson.claim("with the path: every gradient entry", found.check, at_most(1e-8));
}

extern const Part<Session> part2{2,
                                 "The BMLP as published",
                                 run,
                                 "When does a check of norms miss the forgotten path, and one of every entry see it?",
                                 {&size_knob, &means, &rows_knob, &inputs, &hidden, &outputs},
                                 PartKind::core,
                                 scene};

}  // namespace lesson3
