// Part 9: how many features survive m numbers, and how five share two.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/lesson.hpp"
#include "lessons/4_bilinear_gates/superposition.hpp"

namespace lesson4::p9 {

constexpr knob::Whole features{
    "features", "how many features, each on or off by itself, go into two numbers", 5, {2, 7, 1}};
constexpr knob::Real density{
    "density", "how probable it is that a feature is on", 0.02, {0.01, 0.5, 0.01}};

constexpr knob::Whole which{"ray", "the ray that you turn, clockwise from the top", 1, {1, 7, 1}};
constexpr knob::Real turn{
    "turn", "degrees by which it leaves the place where training put it", 0, {-180, 180, 1}};

constexpr FitSettings of_limit{.steps = 1500, .rate = 0.05, .enough = 0, .cosine = true},
    of_shape{.steps = 1000, .rate = 0.03, .enough = 0, .cosine = true};
constexpr std::size_t starts_of_limit = 20, starts_of_shape = 12;

static FitSettings shortened(FitSettings settings, const Session& session) {
  settings.steps = session.steps(settings.steps, 50);
  return settings;
}

// One feature survives for each monomial of degree 2 and, with biases, of degree 1.   (4.14)
static std::size_t most_features(std::size_t m, Biases biases) {
  return m * (m + (biases == Biases::with ? 3 : 1)) / 2;
}

// Returns the losses of nets with at most one of n features on, ascending.
static std::vector<double> losses_of(Session& session, const BottleneckForm& form,
                                     std::size_t seeds) {
  const FitSettings settings = shortened(of_limit, session);
  Matrix<double> X(form.features + 1, form.features);  // the last row is 0
  for (std::size_t i = 0; i < form.features; ++i) X(i, i) = 1;
  std::vector<double> losses(seeds);
  run_grid(session.pool, "training", {seeds}, [&](std::size_t k) {
    Random random(seed_of_run(session.options.seed, k), 50);
    Bottleneck<double> model(form, random);
    losses[k] = fit(model, X, error_to(X), settings).loss;
  });
  std::sort(losses.begin(), losses.end());
  return losses;
}

static void the_limit(Lesson& lesson, Session& session) {
  const std::size_t seeds = session.options.quick_or<std::size_t>(2, starts_of_limit);
  lesson.predict(
      "How many features, one on at a time, come back from two numbers through products with biases?",
      double(most_features(2, Biases::with)), {});
  lesson.say("How many features, one on at a time, come back from m numbers? ", seeds,
             " starts each:");
  Table table{{"m", "features", "biases", "exact runs", "median loss"}, {}};
  std::array<double, 2> exact{};  // at the limit, and one above
  constexpr std::pair<std::size_t, Biases> kinds[] = {
      {2, Biases::with}, {2, Biases::without}, {3, Biases::with}};
  for (const auto& [m, biases] : kinds)
    for (const std::size_t above : {0u, 1u}) {
      const std::size_t n = most_features(m, biases) + above;
      const std::vector<double> losses = losses_of(session, {n, m, 2 * n, biases}, seeds);
      const auto good = std::lower_bound(losses.begin(), losses.end(), 1e-9) - losses.begin();
      exact[above] += double(good);
      table.rows.push_back({std::to_string(m), std::to_string(n),
                            biases == Biases::with ? "yes" : "no", join(good, " of ", seeds),
                            significant(upper_median_of(losses), 2)});
    }
  lesson.show(table);
  // --seed 101 to 124: all of 1,440 runs. At seed 2 one is not.
  lesson.claim_trained(join("up to the limit: runs that are exact, of ", 3 * seeds), exact[0],
                       at_least(59));
  lesson.claim(join("above the limit: runs that are exact, of ", 3 * seeds), exact[1], exactly(0));
}

// Returns the rows of E (n x 2) in the basis with EᵀE = (n/2)·I, unless they lie on one line. E·K,
// with K⁻¹ in W and V, is the same network, so only what K leaves alone has a meaning. K is the
// inverse of Cholesky's triangle of (2/n)·EᵀE, transposed.
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

// A row of E as a ray from 0; the angle is clockwise from the first.
struct Ray {
  double angle, length;
};

// Returns the rays in order around 0, a longest first.
static std::vector<Ray> rays_of(const Matrix<double>& E) {
  std::vector<Ray> rays;
  for (std::size_t i = 0; i < E.rows(); ++i)
    rays.push_back({std::atan2(E(i, 1), E(i, 0)), std::hypot(E(i, 0), E(i, 1))});
  const auto shorter = [](const Ray& a, const Ray& b) { return a.length < b.length; };
  const double first = std::max_element(rays.begin(), rays.end(), shorter)->angle,
               circle = 2 * std::numbers::pi;
  for (Ray& ray : rays) {
    ray.angle = std::fmod(first - ray.angle + circle, circle);
    if (ray.angle > circle - 1e-6) ray.angle = 0;  // but for rounding
  }
  std::sort(rays.begin(), rays.end(), [](const Ray& a, const Ray& b) { return a.angle < b.angle; });
  return rays;
}

// Returns the loss of the best read-out of degree 2 from these rays, which products with biases can
// be: what is left of each feature outside of the six monomials, made orthonormal.
static double least_loss(const std::vector<Ray>& rays, const WeightedRows& rows) {
  const std::size_t n = rows.X.rows();
  std::vector<Column> basis(6, Column(n)), columns(rays.size());
  for (std::size_t r = 0; r < n; ++r) {
    double x = 0, y = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      x += rows.X(r, i) * rays[i].length * std::sin(rays[i].angle);
      y += rows.X(r, i) * rays[i].length * std::cos(rays[i].angle);
    }
    const double monomials[] = {1, x, y, x * x, x * y, y * y};
    for (std::size_t k = 0; k < 6; ++k) basis[k][r] = std::sqrt(rows.weight[r]) * monomials[k];
    for (std::size_t i = 0; i < rays.size(); ++i)
      columns[i].push_back(std::sqrt(rows.weight[r]) * rows.X(r, i));
  }
  double loss = 0;
  for (const Column& left : left_outside(basis, columns))
    loss += std::inner_product(left.begin(), left.end(), left.begin(), 0.0) / double(rays.size());
  return loss;
}

// Draws the rays, one of them turned, each with a grip by which it turns.
static plot::Chart picture_of(const std::vector<Ray>& trained, const std::vector<Ray>& rays,
                              double share) {
  const double size = rays.size() > 5 ? 1.43 : 1;  // a circle looks like one at these limits
  plot::Chart chart{
      .title = join(rays.size(), " features share two numbers"),
      .x = {.title = join("first number; each feature is on in ", 100 * share, " % of inputs"),
            .low = -2.03 * size,
            .high = 2.03 * size},
      .y = {.title = "second number", .low = -1.26 * size, .high = 1.26 * size},
      .series = {{.name = "features"}, {.name = "outline"}}};
  for (std::size_t k = 0; k <= rays.size(); ++k) {
    const auto& [angle, length] = rays[k % rays.size()];
    const double x = length * std::sin(angle), y = length * std::cos(angle);
    chart.series[1].add(x, y);
    for (const double far : {0, 1, 0}) chart.series[0].add(far * x, far * y);
    if (k == rays.size()) break;
    const double place = trained[k].angle * 180 / std::numbers::pi;
    chart.grips.push_back(
        {x, y, "", join("ray one 0 ", k + 1, "; turn angle 1 ", significant(-place, 6))});
  }
  return chart;
}

// Superposition without a single input: the tables answer more features than they have directions.
static void from_the_weights(Lesson& lesson, const Bottleneck<double>& model,
                             const Matrix<double>& X) {
  const std::vector<Matrix<double>> F = folded(model);
  const std::size_t n = F.size();
  const Matrix<double> Y = output(model, X);
  double off = 0, alone = 0;
  plot::Sheet sheet{
      .title = "The table of each output, over the features and 1", .rows = n + 1, .cols = n + 1};
  sheet.diverging = true;
  for (std::size_t o = 0; o < n; ++o) {
    sheet.images.push_back({std::to_string(o), {F[o].values().begin(), F[o].values().end()}});
    for (std::size_t r = 0; r < X.rows(); ++r) {
      Matrix<double> x(1, n + 1, 1);
      std::copy(X.row(r).begin(), X.row(r).end(), x.values().begin());
      off = std::max(off, std::abs(form_at(F[o], x) + model.net.u(0, o) - Y(r, o)));
    }
    for (std::size_t i = 0; i < n; ++i) {
      Matrix<double> x(1, n + 1);
      x(0, i) = x(0, n) = 1;
      const double answer = form_at(F[o], x) + model.net.u(0, o);
      alone = std::max(alone, std::abs(answer - (i == o ? 1 : 0)));
    }
  }
  lesson.figure("slices", sheet);
  lesson.note("Of the tables that E, W, V and U make, ", computations_of(F),
              " are independent, in ", directions_of(F),
              " directions; a feature alone is answered to ", significant(alone, 2), ".");
  // Sums of some hundred products of numbers up to 10.
  lesson.claim("the tables give the answers to all inputs, max |diff|", off, at_most(1e-10));
  lesson.claim_trained("directions in which they vary: the numbers and 1", directions_of(F),
                       exactly(double(model.form.numbers) + 1));
  lesson.claim_trained("independent tables: one for each feature", computations_of(F),
                       exactly(double(n)));
  // An SVD has two equal directions of features, in which these lie as in a pentagon.
  const Matrix<double> S = squares_of(F);
  double bent = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double cosine = S(i, j) / std::sqrt(S(i, i) * S(j, j));
      bent = std::max(bent, std::min(std::abs(cosine - std::cos(0.4 * std::numbers::pi)),
                                     std::abs(cosine - std::cos(0.8 * std::numbers::pi))));
    }
  // --seed 101 to 124: at most 1.1e-14. A triangle or a square would be off by .3.
  lesson.claim_trained("angles of features in the tables: cosines off 72 or 144 degrees", bent,
                       at_most(1e-4));
  // The best of twelve runs is the optimum itself.
  lesson.claim_trained("a feature alone is answered by itself, off by", alone,
                       within(0.0473, 1e-3));
}

// Returns the best of some networks that were trained on these rows.
static auto best_at(Session& session, std::size_t n, const WeightedRows& rows) {
  return best_of<Bottleneck<double>>(
      session, session.options.quick_or<std::size_t>(2, starts_of_shape), 51,
      BottleneckForm{n, 2, 2 * n}, rows.X, error_over(rows), shortened(of_shape, session));
}

// Five features at five densities.
static void densities(Lesson& lesson, Session& session) {
  constexpr std::size_t n = 5;
  Table table{{"density", "loss", "features that come back, of 5"}, {}};
  std::vector<double> back;
  for (const double p : {0.02, 0.1, 0.2, 0.3, 0.5}) {
    const double loss = best_at(session, n, all_inputs(n, p)).fit.loss;
    back.push_back(features_back(n, loss, p));
    table.rows.push_back({significant(p), fixed(loss, 4), fixed(back.back(), 2)});
  }
  lesson.say("When does it give features up? The shares of five that come back, added up:");
  lesson.show(table);
  // At 1/2 a bit is (1 + ξ)/2 with ξ = ±1, and two numbers hold two of five such functions.
  lesson.claim_trained("features on half of the time: as many come back as there are numbers",
                       back.back(), within(2, 1e-3));
  // The best of twelve runs is the optimum, so that seeds agree: 4.65, 3.64, 3.06, 2.55, 2.
  double fewest = HUGE_VAL;
  for (std::size_t k = 1; k < back.size(); ++k) fewest = std::min(fewest, back[k - 1] - back[k]);
  lesson.claim_trained("the rarer they are, the more come back: from row to row at least", fewest,
                       at_least(0.4));
}

static void five_in_two(Lesson& lesson, Session& session, const knob::Settings& at) {
  const std::size_t n = at[features];
  const double p = at[density];
  const WeightedRows rows = all_inputs(n, p);
  const auto [model, end, worst] = best_at(session, n, rows);
  const std::vector<Ray> rays = rays_of(in_plain_basis(model.E));
  std::vector<Ray> turned = rays;
  turned[std::min(at[which], n) - 1].angle += at[turn] * std::numbers::pi / 180;
  const double loss = at[turn] == 0 ? end.loss : least_loss(turned, rows);
  lesson.picture("pentagon", picture_of(rays, turned, p));
  if (at[turn] == 0)
    lesson.say("Ray ", at[which], " stands where training put it, at a loss of ", fixed(loss, 4),
               ".");
  else
    lesson.say("Turned by ", at[turn],
               " degrees, this ray raises the least loss of any read-out of "
               "degree 2 from ",
               fixed(least_loss(rays, rows), 5), " to ", fixed(loss, 5), ".");
  from_the_weights(lesson, model, rows.X);
  // Of a feature that was given up a short ray is left, whose angle says nothing.
  std::vector<Ray> kept;
  for (const Ray& ray : rays)
    if (ray.length > 0.2 * rays[0].length) kept.push_back(ray);
  std::vector<double> lengths, gaps;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const double next = i + 1 < kept.size() ? kept[i + 1].angle : 2 * std::numbers::pi;
    lengths.push_back(kept[i].length);
    gaps.push_back((next - kept[i].angle) * 180 / std::numbers::pi);
  }
  const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
  const auto [smallest, largest] = std::minmax_element(gaps.begin(), gaps.end());
  lesson.say(n, " features in two numbers, each on with the probability ", p, ": neighbours are ",
             fixed(*smallest, 2), " to ", fixed(*largest, 2), " degrees apart",
             kept.size() < n ? join("; ", n - kept.size(), " given up.") : ".");
  // The best of twelve runs is the optimum, reached to eight digits.
  lesson.claim_trained("least squares from these rays: its loss beside that of training, relative",
                       std::abs(least_loss(rays, rows) / end.loss - 1), at_most(1e-6));
  lesson.claim_trained("largest length over smallest", *longest / *shortest, within(1, 1e-6));
  lesson.claim_trained("smallest gap, degrees; five make 360", *smallest, within(72, 1e-5));
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  the_limit(lesson, session);
  five_in_two(lesson, session, at);
  densities(lesson, session);
}

static std::string settings() {
  return join(starts_of_limit, " starts, ", words_of(of_limit),
              ", and for the pentagon the best of ", starts_of_shape, ", ", words_of(of_shape));
}

}  // namespace lesson4::p9

const Part<lesson4::Session> lesson4::part9{
    .number = 9,
    .title = "Superposition",
    .kind = PartKind::further,
    .question = "How do features share two numbers?",
    .run = p9::run,
    .scene = p9::five_in_two,
    .knobs = {&p9::density, &p9::features, &p9::which, &p9::turn},
    .settings = p9::settings};
