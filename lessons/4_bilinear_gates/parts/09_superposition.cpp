// Lesson 4, part 9: superposition: the cliff, the pentagon, and what weights alone say of it.
// SPDX-License-Identifier: MIT
#include <numbers>

#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4 {

constexpr knob::Whole features{"features", "n, each on or off by itself", 5, {2, 7, 1}};
constexpr knob::Whole numbers{"numbers", "m, into which they are squeezed", 2, {1, 3, 1}};
constexpr knob::Real density{"density", "how probable it is that a feature is on", 0.02, {0.01, 0.5, 0.01}};
constexpr std::size_t starts = 12;  // trainings, of which the best is taken

// ------------------------------------------------------------------------------------------------------- the cliff

constexpr FitSettings of_cliff{.steps = 1500, .rate = 0.05, .enough = 0, .cosine = true},
    of_shape{.steps = 1000, .rate = 0.03, .enough = 0, .cosine = true};
constexpr std::size_t starts_of_cliff = 20;

static FitSettings shortened(FitSettings settings, const Session& session) {
  settings.steps = session.steps(settings.steps, 50);
  return settings;
}

// n features, one on at a time, through m numbers.
struct Squeeze {
  std::size_t m, n;
  Biases biases;
  bool predicted_exact;
  std::vector<double> losses = {};

  double exact_runs() const {
    return double(std::count_if(losses.begin(), losses.end(), [](double loss) { return loss < 1e-9; }));
  }
};

static double loss_of_run(const Squeeze& s, const FitSettings& settings, Random random) {
  Bottleneck<double> model({s.n, s.m, 2 * s.n, s.biases}, random);
  Matrix<double> X(s.n + 1, s.n);  // the last row is 0
  for (std::size_t i = 0; i < s.n; ++i) X(i, i) = 1;
  return fit(model, X, error_to(X), settings).loss;
}

static void the_cliff(Lesson& lesson, Session& session) {
  const std::size_t seeds = session.options.quick_or<std::size_t>(2, starts_of_cliff);
  std::vector<Squeeze> all;
  const auto around = [&](std::size_t m, Biases biases) {
    all.push_back({m, most_features(m, biases), biases, true});
    all.push_back({m, most_features(m, biases) + 1, biases, false});
  };
  around(2, Biases::with);
  around(2, Biases::without);
  around(3, Biases::with);
  for (Squeeze& s : all) s.losses.resize(seeds);
  const FitSettings settings = shortened(of_cliff, session);
  session.run("training", all.size() * seeds, [&](std::size_t job) {
    Squeeze& s = all[job / seeds];
    s.losses[job % seeds] = loss_of_run(s, settings, Random(seed_of_run(session.options.seed, job % seeds), 50));
  });
  lesson.predict("How many features, one on at a time, come back from two numbers through products with biases?",
                 double(most_features(2, Biases::with)), {});
  lesson.say("How many features, one on at a time, come back from m numbers? ", seeds, " seeds each:");
  Table table{{"m", "features", "biases", "exact runs", "median loss"}, {}};
  double held = 0, broken = 0;
  for (Squeeze& s : all) {
    (s.predicted_exact ? held : broken) += s.exact_runs();
    std::sort(s.losses.begin(), s.losses.end());
    table.rows.push_back({std::to_string(s.m), std::to_string(s.n), s.biases == Biases::with ? "yes" : "no",
                          significant(s.exact_runs()) + " of " + std::to_string(seeds),
                          significant(s.losses[seeds / 2], 2)});
  }
  lesson.show(table);
  lesson.claim_trained(join("up to the limit: runs that are exact, of ", 3 * seeds), held, at_least(59));
  lesson.claim(join("above the limit: runs that are exact, of ", 3 * seeds), broken, exactly(0));
}

// ---------------------------------------------------------------------------------------------- the best network

// A network that was trained on all inputs.
struct Squeezed {
  double density = 0;
  Bottleneck<double> model;
  double loss = HUGE_VAL;
};

static Squeezed best_at(Session& session, double p, const BottleneckForm& form) {
  const WeightedRows rows = all_inputs(form.features, p);
  const auto [model, end] = best_of<Bottleneck<double>>(session, session.options.quick_or<std::size_t>(2, starts), 51,
                                                        form, rows.X, error_over(rows), shortened(of_shape, session));
  return {p, model, end.loss};
}

// ------------------------------------------------------------------------------------------------ the rows of E

// Returns the rows of E (n x 2) after the change of basis that makes EᵀE = (n/2)·I; as they are where there is none, since
// they lie on one line. E·A with A⁻¹ in W and V is the same network, so only what such a change leaves alone says something
// about it. A is the inverse of Cholesky's triangle of (2/n)·EᵀE, transposed.
static Matrix<double> in_plain_basis(const Matrix<double>& E) {
  const Matrix<double> G = 2 / double(E.rows()) * matmul(transpose(E), E);
  if (!(G(0, 0) * G(1, 1) - G(0, 1) * G(1, 0) > 1e-9 * G(0, 0) * G(1, 1))) return E;
  const double a = std::sqrt(G(0, 0)), b = G(1, 0) / a, c = std::sqrt(G(1, 1) - b * b);
  Matrix<double> plain = E;
  for (std::size_t i = 0; i < E.rows(); ++i) {
    plain(i, 0) = E(i, 0) / a;
    plain(i, 1) = (E(i, 1) - b * plain(i, 0)) / c;
  }
  return plain;
}

// A row of E as a ray from 0.
struct Ray {
  double angle, length;  // angle: clockwise from the first ray
  std::size_t feature;   // counted from 0
};

// Returns the rays in their order around 0, one of the longest first; where E has no two columns, the features as they
// come.
static std::vector<Ray> rays_of(const Squeezed& found) {
  std::vector<Ray> rays;
  if (found.model.form.numbers != 2) {
    for (std::size_t i = 0; i < found.model.form.features; ++i) rays.push_back({0, 1, i});
    return rays;
  }
  const Matrix<double> E = in_plain_basis(found.model.E);
  for (std::size_t i = 0; i < E.rows(); ++i)
    rays.push_back({std::atan2(E(i, 1), E(i, 0)), std::hypot(E(i, 0), E(i, 1)), i});
  const auto shorter = [](const Ray& a, const Ray& b) { return a.length < b.length; };
  const double first = std::max_element(rays.begin(), rays.end(), shorter)->angle, turn = 2 * std::numbers::pi;
  for (Ray& ray : rays) {
    ray.angle = std::fmod(first - ray.angle + turn, turn);
    if (ray.angle > turn - 1e-6) ray.angle = 0;  // what rounding made of it
  }
  std::sort(rays.begin(), rays.end(), [](const Ray& a, const Ray& b) { return a.angle < b.angle; });
  return rays;
}

// Returns the angles between neighbours, in degrees, the smallest first; they add up to 360.
static std::vector<double> sorted_gaps(const std::vector<Ray>& rays) {
  std::vector<double> gaps;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const double next = i + 1 < rays.size() ? rays[i + 1].angle : rays[0].angle + 2 * std::numbers::pi;
    gaps.push_back((next - rays[i].angle) * 180 / std::numbers::pi);
  }
  std::sort(gaps.begin(), gaps.end());
  return gaps;
}

// The rows of E that are not 0 as rays from there, the first turned straight up, and their outline.
static plot::Chart picture_of(const Squeezed& found) {
  const std::size_t n = found.model.form.features;
  const double size = n > 5 ? 1.43 : 1;  // of the picture, in which a circle looks like one
  plot::Chart chart{
      .title = join(n, " features in two dimensions, density ", found.density, ", loss ", fixed(found.loss, 4)),
      .x = {.low = -2.03 * size, .high = 2.03 * size},
      .y = {.low = -1.26 * size, .high = 1.26 * size},
      .series = {{.name = "rows of E"}, {.name = "their outline"}}};
  plot::Series &rays = chart.series[0], &outline = chart.series[1];
  for (const Ray& ray : rays_of(found)) {
    if (ray.length < 0.01) continue;  // not stored
    const double x = ray.length * std::sin(ray.angle), y = ray.length * std::cos(ray.angle);
    rays.add(0, 0);
    rays.add(x, y);
    rays.add(0, 0);
    outline.add(x, y);
  }
  if (!outline.x.empty()) outline.add(outline.x.front(), outline.y.front());
  return chart;
}

static void claim_shape(Lesson& lesson, const Squeezed& found) {
  std::vector<double> lengths;
  for (const Ray& ray : rays_of(found)) lengths.push_back(ray.length);
  const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
  const std::vector<double> gaps = sorted_gaps(rays_of(found));
  lesson.say("Five features in two numbers, each on with probability .02: gaps of ", fixed(gaps.front(), 2), " to ",
             fixed(gaps.back(), 2), " degrees.");
  // The best of twelve runs is the optimum itself, to which training comes to eight digits.
  lesson.claim_trained("largest length over smallest", *longest / *shortest, within(1, 1e-6));
  lesson.claim_trained("smallest gap, degrees", gaps.front(), within(72, 1e-5));
  lesson.claim_trained("largest gap, degrees", gaps.back(), within(72, 1e-5));
}

// --------------------------------------------------------------------------------------------- from the weights

// What the table answers to each feature alone; features are counted around the polygon.
static plot::HeatMap read_out(const Squeezed& found) {
  const std::vector<Matrix<double>> F = folded(found.model.E, found.model.net);
  const std::vector<Ray> rays = rays_of(found);
  plot::HeatMap map{.title = join("Read out from the table, density ", found.density),
                    .rows = F.size(),
                    .cols = F.size(),
                    .numbers = true,
                    .low = 0,
                    .high = 1};
  for (std::size_t i = 0; i < F.size(); ++i) {
    map.row_labels.push_back(join("feature ", i + 1, " alone"));
    map.col_labels.push_back(join("y", i + 1));
    for (const Ray& ray : rays)
      map.values.push_back(std::round(1000 * response(F, ray.feature, rays[i].feature)) / 1000);
  }
  return map;
}

// Returns in how many directions of the input, the constant among them, the table varies: the rank of its slices side by
// side.
static std::size_t input_rank(const std::vector<Matrix<double>>& F) {
  const std::size_t rows = F[0].rows();
  Matrix<double> side_by_side(rows, rows * F.size());
  for (std::size_t o = 0; o < F.size(); ++o)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < rows; ++j) side_by_side(i, o * rows + j) = F[o](i, j);
  return rank_of(side_by_side, 1e-6);
}

// Claims that the table says what the network says, to all inputs.
static void claim_table(Lesson& lesson, const Bottleneck<double>& model) {
  const std::vector<Matrix<double>> F = folded(model.E, model.net);
  const Matrix<double> X = all_inputs(F.size(), 0.5).X, Y = output(model, X);
  double worst = 0;
  for (std::size_t o = 0; o < F.size(); ++o)
    for (std::size_t r = 0; r < X.rows(); ++r) worst = std::max(worst, std::abs(answer(F[o], X.row(r)) - Y(r, o)));
  // Sums of some hundred products of weights, whose size training does not bound; over the knobs they stay near 1.
  lesson.claim("the table (4.15) gives the network's answers to all inputs, max |diff|", worst, at_most(1e-10));
}

static void from_the_weights(Lesson& lesson, const Squeezed& found) {
  const Bottleneck<double>& model = found.model;
  const std::vector<Matrix<double>> F = folded(model.E, model.net);
  // The same network in another basis for the two numbers: E·K, and K⁻¹ in front of W and V.
  const Matrix<double> K{{2, 1}, {0, 1}}, inverse{{0.5, -0.5}, {0, 1}};
  Bottleneck<double> other = model;
  other.E = matmul(model.E, K);
  other.net.layer.W = matmul(inverse, model.net.layer.W);
  other.net.layer.V = matmul(inverse, model.net.layer.V);
  const std::vector<Matrix<double>> of_other = folded(other.E, other.net);
  double symmetry = 0, gauge = 0, identity = 0;
  for (std::size_t o = 0; o < F.size(); ++o) {
    symmetry = std::max(symmetry, max_abs_difference(F[o], Matrix<double>(transpose(F[o]))));
    gauge = std::max(gauge, max_abs_difference(F[o], of_other[o]));
    for (std::size_t i = 0; i < F.size(); ++i)
      identity = std::max(identity, std::abs(response(F, o, i) - (o == i ? 1 : 0)));
  }
  lesson.say("From the weights alone: the table varies in ", input_rank(F), " directions and answers ", F.size(),
             " features, to ", significant(identity, 2), ".");
  lesson.claim("its slices are symmetric, max |diff|", symmetry, at_most(1e-15));
  lesson.claim("another basis for the two numbers: the same table, max |diff|", gauge, at_most(1e-12));
  lesson.claim("rank of the table, of 6", double(input_rank(F)), exactly(3));
  lesson.claim_trained("answers to single features: off the identity by", identity, at_most(0.05));
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  the_cliff(lesson, session);
  const Squeezed found = best_at(session, at[density], {at[features], at[numbers], 2 * at[features]});
  lesson.picture("pentagon", picture_of(found));
  lesson.figure("read_out", read_out(found));
  claim_shape(lesson, found);
  claim_table(lesson, found.model);
  from_the_weights(lesson, found);
}

// One network, at the knobs.
static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  const std::size_t m = at[numbers];
  const double p = at[density];
  const Squeezed found = best_at(session, p, {at[features], m, 2 * at[features]});
  if (m == 2) {
    lesson.picture("features", picture_of(found));
    std::string list;
    for (const double gap : sorted_gaps(rays_of(found))) list += (list.empty() ? "" : ", ") + fixed(gap, 1);
    lesson.say("The angles between neighbouring rows of E are ", list, " degrees.");
  } else {
    lesson.picture("features", read_out(found));
  }
  lesson.say("A feature's expected squared error is ", found.loss, ", where the answer p to everything has ",
             p * (1 - p), ". Rare features one at a time would come back from ", m, m == 1 ? " number" : " numbers",
             " up to n = ", most_features(m, Biases::with), ", by (4.13).");
  claim_table(lesson, found.model);
}

static std::string settings() {
  return join(starts_of_cliff, " starts, ", words_of(of_cliff), "; the pentagon: best of ", starts, ", ",
              words_of(of_shape));
}

extern const Part<Session> part9(9, "Superposition", run, "How many features live in so few numbers?",
                                 {&density, &features, &numbers}, scene, settings);

}  // namespace lesson4
