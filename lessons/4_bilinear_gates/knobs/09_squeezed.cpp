// Lesson 4, part 9: how many features are squeezed into how many numbers, and how often each is on, can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/4_bilinear_gates/model/8_superposition.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"
#include "lessons/4_bilinear_gates/run/train.hpp"

namespace lesson4 {
namespace {

constexpr knob::Whole features{"features", "n, each on or off by itself", 5, {2, 7, 1}};
constexpr knob::Whole numbers{"numbers", "m, into which they are squeezed", 2, {1, 3, 1}};
constexpr knob::Real density{"density", "how probable it is that a feature is on", 0.02, {0.01, 0.5, 0.01}};
constexpr knob::Whole starts{"starts", "trainings, of which the best is shown", 4, {1, 12, 1}};

struct Squeezed {
  Bottleneck model;
  double loss;
};

// The best of some trainings. Every second one begins with rare features, as the lesson's film does: what suits them may
// be better for more frequent ones, too, and is seldom found from there.
Squeezed best_of(Session& session, const BottleneckForm& form, const WeightedRows& rows, std::size_t count) {
  const long steps = session.options.quick_or(50L, 800L);
  const WeightedRows rare = all_inputs(form.features, 0.02);
  std::vector<Squeezed> found(count, Squeezed{Bottleneck(form), 0});
  session.pool.run(count, [&](std::size_t k) {
    Random random(seed_of_run(session.options.seed, k), 509);
    found[k].model = Bottleneck(form, random);
    if (k % 2 == 1) fit_weighted(found[k].model, rare, steps, 0.03);
    found[k].loss = fit_weighted(found[k].model, rows, steps, 0.03);
  });
  return *std::min_element(found.begin(), found.end(),
                           [](const Squeezed& a, const Squeezed& b) { return a.loss < b.loss; });
}

// Two columns in the basis in which they are as long as each other and at right angles; as they are where they have none,
// since they lie on one line.
Matrix<double> plain(const Matrix<double>& E) {
  const Matrix<double> G = matmul(transpose(E), E);
  const double area = G(0, 0) * G(1, 1) - G(0, 1) * G(1, 0);
  return area > 1e-9 * G(0, 0) * G(1, 1) && area > 1e-18 ? in_plain_basis(E) : E;
}

// The rows of E as rays from 0, the longest straight up, and their outline.
plot::Chart rays_of(const Matrix<double>& E, const std::string& title) {
  struct Ray {
    double angle, length;
  };
  std::vector<Ray> rays;
  for (std::size_t i = 0; i < E.rows(); ++i) {
    const double length = std::hypot(E(i, 0), E(i, 1));
    if (length > 0.01) rays.push_back({std::atan2(E(i, 1), E(i, 0)), length});  // others are not stored
  }
  plot::Chart chart{.title = title,
                    .x = {.low = -2.9, .high = 2.9},
                    .y = {.low = -1.8, .high = 1.8},  // a circle looks like one
                    .series = {{"rows of E"}, {"their outline"}}};
  if (rays.empty()) rays.push_back({0, 0});
  const auto shorter = [](const Ray& a, const Ray& b) { return a.length < b.length; };
  const double turn = std::numbers::pi / 2 - std::max_element(rays.begin(), rays.end(), shorter)->angle;
  std::sort(rays.begin(), rays.end(), [](const Ray& a, const Ray& b) { return a.angle < b.angle; });
  rays.push_back(rays.front());
  for (const auto& [angle, length] : rays) {
    const double x = length * std::cos(angle + turn), y = length * std::sin(angle + turn);
    chart.series[0].add(0, 0);
    chart.series[0].add(x, y);
    chart.series[0].add(0, 0);
    chart.series[1].add(x, y);
  }
  return chart;
}

// What comes back of each feature alone.
plot::HeatMap answers_of(const std::vector<Matrix<double>>& F, const std::string& title) {
  plot::HeatMap map{.title = title};
  map.rows = map.cols = F.size();
  for (std::size_t i = 0; i < F.size(); ++i) {
    map.row_labels.push_back(join("feature ", i + 1, " alone"));
    map.col_labels.push_back(join("y", i + 1));
    for (std::size_t o = 0; o < F.size(); ++o) map.values.push_back(std::round(1000 * response(F, o, i)) / 1000 + 0.0);
  }
  map.numbers = true;
  map.low = 0;
  map.high = 1;
  return map;
}

// How far the table's answers to all inputs are from the network's.
double table_error(const Bottleneck& model, const std::vector<Matrix<double>>& F, const Matrix<double>& X) {
  const Matrix<double> Y = output(model, X);
  double worst = 0;
  for (std::size_t o = 0; o < F.size(); ++o)
    for (std::size_t r = 0; r < X.rows(); ++r) worst = std::max(worst, std::abs(answer(F[o], X.row(r)) - Y(r, o)));
  return worst;
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const std::size_t n = at[features], m = at[numbers];
  const double p = at[density];
  const WeightedRows rows = all_inputs(n, p);
  const auto [model, loss] = best_of(session, {n, m, 2 * n}, rows, at[starts]);
  const std::vector<Matrix<double>> F = folded(model);
  const std::string title = join(n, " features in ", m, m == 1 ? " number" : " numbers", ", density ", p);
  if (m == 2) lesson.picture("turned_features", rays_of(plain(model.E), title));
  else lesson.picture("turned_features", answers_of(F, title + ": what comes back"));
  if (m == 2) {
    std::string list;
    const std::vector<double> gaps = gaps_between(plain(model.E));
    for (const double gap : gaps) list += (list.empty() ? "" : ", ") + fixed(gap, 1);
    lesson.say("The angles between neighbouring rows of E are ", list, " degrees.");
    // In 40 seeds none is off by more.
    lesson.claim_trained("the largest of them", *std::max_element(gaps.begin(), gaps.end()), within(72, 0.05));
  }
  lesson.say("A feature's expected squared error is ", loss, ". The answer p to everything has ", p * (1 - p),
             ". Rare features one at a time would come back from ", m, m == 1 ? " number" : " numbers",
             " up to n = ", most_features(m, Biases::with), ", by (4.14).");
  // Sums of some hundred products of weights, whose size training does not bound; over the range they stay near 1.
  lesson.claim("the table (4.15) gives the network's answers to all inputs, max |diff|", table_error(model, F, rows.X),
               at_most(1e-10));
}

}  // namespace

Bench<Session> bench9() {
  return {
      "How many features live in so few numbers, and as what shape?", {&density, &features, &numbers, &starts}, run};
}

}  // namespace lesson4
