// Part 12: a net learns sums modulo 23 by heart, or learns to add; its slices say which.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5::p12 {

constexpr knob::Real decay{"decay", "weight decay", 1, {0, 3, 0.1}};
constexpr knob::Whole modulus{
    "modulus", "the numbers that are added, 0 to one less", 23, {5, 31, 1}};
constexpr knob::Whole start{"start", "which random start, and which sums are seen", 1, {1, 20, 1}};

static std::string operation_settings() {
  const OperationSettings s;
  return join(s.products, " products, weights drawn from N(0, ", significant(s.start), "²), ",
              s.steps, " steps of AdamW at a rate of ", significant(s.rate),
              " on all seen sums at once");
}

static Net<double> taught(const Session& session, std::size_t m, OperationSettings settings,
                          std::size_t which, Learned& learned, plot::Chart& chart) {
  settings.steps = session.options.steps_or(settings.steps, 60);
  const auto sum = [m](std::size_t a, std::size_t b) { return (a + b) % m; };
  learned = learn(sum, m, settings, Random(session.options.seed, 760 + which));
  const std::string decayed = ", decay " + significant(settings.decay);
  chart.title = join("Sums modulo ", m, ": seen and unseen ones that are right");
  chart.x = {.title = "step"};
  chart.y = {.title = "right", .low = 0, .high = 1};
  chart.series.push_back(plot::line("seen" + decayed, learned.seen, 10, 10));
  chart.series.push_back(plot::line("unseen" + decayed, learned.unseen, 10, 10));
  return in_double(learned.net);
}

// Returns the share of the slices' power at equal frequencies of a and b, not 0. (5.25)
static double equal_frequencies(const Net<double>& net) {
  const std::size_t m = net.form.outputs;
  Matrix<double> C(m - 1, m), N(m - 1, m);  // cos and sin of 2πfa/m, a row for each f
  for (std::size_t f = 1; f < m; ++f)
    for (std::size_t a = 0; a < m; ++a) {
      const double angle = 2 * std::numbers::pi * double(f * a % m) / double(m);
      C(f - 1, a) = std::cos(angle);
      N(f - 1, a) = std::sin(angle);
    }
  double equal = 0, all = 0;
  for (const Matrix<double>& slice : quadratic_slices(net)) {
    const Matrix<double> A(column_block(row_block(slice, 0, m), m, m)),
        CA = matmul(C, A), NA = matmul(N, A),
        real = matmul(CA, transpose(C)) - matmul(NA, transpose(N)),
        imaginary = matmul(CA, transpose(N)) + matmul(NA, transpose(C));
    all += dot(real, real) + dot(imaginary, imaginary);
    for (std::size_t f = 0; f < m - 1; ++f)
      equal += real(f, f) * real(f, f) + imaginary(f, f) * imaginary(f, f);
  }
  return equal / all;
}

// Returns after which step more than this share is right.
static std::string step_of(const std::vector<double>& shares, double share) {
  const auto more = [&](double right) { return right > share; };
  const auto from = std::find_if(shares.begin(), shares.end(), more);
  return from == shares.end() ? "never" : join(10 * (from - shares.begin() + 1));
}

// A modulus, and how its sums are learned.
struct Setting {
  std::size_t modulus;
  OperationSettings of;
};

constexpr double counts = 0.1;  // how near a prediction must be

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  plot::Chart chart, unused;
  std::vector<Setting> all{{23, {.decay = 0}},
                           {23, {.decay = 1}},
                           {7, {.decay = 1}},
                           {29, {.decay = 0}},
                           {23, {.decay = 0, .start = 0.1}},
                           {23, {.steps = 6000, .decay = 0}}};
  if (session.options.all) all.push_back({23, {.steps = 40'000, .decay = 0}});
  std::vector<Learned> nets(all.size());
  std::vector<double> equal, unseen;
  for (std::size_t k = 0; k < all.size(); ++k) {
    equal.push_back(equal_frequencies(
        taught(session, all[k].modulus, all[k].of, 1, nets[k], k < 2 ? chart : unused)));
    unseen.push_back(nets[k].unseen.back());
  }
  const double by_heart = unseen[0];
  lesson.predict("Without decay, which share of the unseen sums is right in the end?", by_heart,
                 {.plus = counts});
  lesson.picture("modular", chart);
  Table table{
      {"modulus", "decay", "start", "steps", "all seen at", ".99 of unseen at", "unseen", "equal"},
      {}};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const OperationSettings& of = all[k].of;
    table.rows.push_back({std::to_string(all[k].modulus), significant(of.decay),
                          significant(of.start), std::to_string(of.steps),
                          step_of(nets[k].seen, 0.999), step_of(nets[k].unseen, 0.99),
                          fixed(unseen[k], 3), fixed(equal[k], 3)});
  }
  lesson.say("At which step are all seen sums right, and .99 of the unseen ones?");
  lesson.show(table);
  // 40 seeds: unseen .04 to .45 and 1, power .31 to .53 (deviation .06) and .92 to .96 (.009). At
  // seed 1 decay .01 gives .27 and .47, .1 a power of .88.
  lesson.claim_trained("all seen sums are right, in both nets",
                       nets[0].seen.back() + nets[1].seen.back(), exactly(2));
  lesson.claim_trained("unseen sums right, without decay", by_heart, at_most(0.8));
  lesson.claim_usual("... so one half is off by more than counts: by", 0.5 - by_heart,
                     at_least(counts));
  lesson.claim_trained("unseen sums right, with decay", unseen[1], at_least(0.995));
  lesson.claim_trained("power on equal frequencies, without decay", equal[0], at_most(0.7));
  lesson.claim_trained("... with decay", equal[1], at_least(0.9));
  // 25 seeds: 0 to .15, of 15 sums; .992 to 1, but some reach .99 only after step 580 of 600.
  lesson.claim_trained("modulus 7, with decay: unseen sums right", unseen[2], at_most(0.5));
  lesson.claim_trained("modulus 29, without decay: unseen sums right", unseen[3], at_least(0.9));
  // 11 seeds: .994 to 1.
  lesson.claim_trained("modulus 23, without decay, from a smaller start: unseen sums right",
                       unseen[4], at_least(0.9));
  // 11 seeds: .02 to .56.
  lesson.claim_usual("... from the usual one, ten times as long: more than after 600 steps, by",
                     unseen[5] - by_heart, at_least(0.1));
}

static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  plot::Chart chart;
  Learned net;
  const Net<double> wide =
      taught(session, at[modulus], {.decay = at[decay]}, at[start], net, chart);
  Random random(session.options.seed, 73);
  const auto X = normal_matrix<double>(9, wide.form.inputs, 1, random);
  const Matrix<double> Y = output(wide, X);
  lesson.picture("turned", chart);
  lesson.say("Of the unseen sums ", net.unseen.back(), " are right, and ", equal_frequencies(wide),
             " of the power is on equal frequencies.");
  lesson.claim("the slices = the net, relative",
               max_abs_difference(evaluate(quadratic_slices(wide), X), Y) / largest_entry(Y),
               at_most(1e-12));
}

}  // namespace lesson5::p12

const Part<lesson5::Session> lesson5::part12{
    .number = 12,
    .title = "An algorithm in the weights",
    .kind = PartKind::further,
    .question = "With which decay does a net learn to add, and not only its sums by heart?",
    .run = p12::run,
    .scene = p12::scene,
    .knobs = {&p12::decay, &p12::modulus, &p12::start},
    .settings = p12::operation_settings};
