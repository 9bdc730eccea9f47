// Part 12: a net learns sums modulo 23 by heart or for good; its slices say which.
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

static Net<double> taught(const Session& session, std::size_t m, double with_decay,
                          std::size_t which, Learned& learned, plot::Chart& chart) {
  OperationSettings settings;
  settings.decay = with_decay;
  settings.steps = session.options.steps_or(settings.steps, 60);
  const auto sum = [m](std::size_t a, std::size_t b) { return (a + b) % m; };
  learned = learn(sum, m, settings, Random(session.options.seed, 760 + which));
  const std::string decayed = ", decay " + significant(with_decay);
  chart.title = join("Sums modulo ", m, ": seen and unseen ones that are right");
  chart.x = {.title = "step"};
  chart.y = {.title = "right", .low = 0, .high = 1};
  chart.series.push_back(plot::line("seen" + decayed, learned.seen, 10, 10));
  chart.series.push_back(plot::line("unseen" + decayed, learned.unseen, 10, 10));
  return in_double(learned.net);
}

// The slices' power at equal frequencies of a and b, not 0, at all pairs of them, and what that
// must be by Parseval: the squares, less means of rows and columns.
struct Waves {
  double equal = 0, all = 0, squares = 0;
};

static Waves waves_of(const Net<double>& net) {
  const std::size_t m = net.form.outputs;
  Matrix<double> C(m - 1, m), N(m - 1, m);  // cos and sin of 2πfa/m, a row for each f
  for (std::size_t f = 1; f < m; ++f)
    for (std::size_t a = 0; a < m; ++a) {
      const double angle = 2 * std::numbers::pi * double(f * a % m) / double(m);
      C(f - 1, a) = std::cos(angle);
      N(f - 1, a) = std::sin(angle);
    }
  const Matrix<double> less_mean = identity(m) - Matrix<double>(m, m, 1 / double(m));
  Waves waves;
  for (const Matrix<double>& slice : quadratic_slices(net)) {
    const Matrix<double> A(column_block(row_block(slice, 0, m), m, m)),
        CA = matmul(C, A), NA = matmul(N, A),
        real = matmul(CA, transpose(C)) - matmul(NA, transpose(N)),
        imaginary = matmul(CA, transpose(N)) + matmul(NA, transpose(C)),
        centred = matmul(matmul(less_mean, A), less_mean);
    waves.all += dot(real, real) + dot(imaginary, imaginary);
    waves.squares += double(m * m) * dot(centred, centred);
    for (std::size_t f = 0; f < m - 1; ++f)
      waves.equal += real(f, f) * real(f, f) + imaginary(f, f) * imaginary(f, f);  // (5.24)
  }
  return waves;
}

// Returns after which step more than this share is right, for good or not; 0 for never.
static double step_of(const std::vector<double>& shares, double share) {
  const auto from =
      std::find_if(shares.begin(), shares.end(), [&](double right) { return right > share; });
  return from == shares.end() ? 0 : 10 * double(from - shares.begin() + 1);
}

// Which share of unseen sums is right, by the modulus, without decay and with it.
static void moduli(Lesson& lesson, Session& session) {
  constexpr std::array<std::size_t, 4> all{7, 13, 23, 29};
  constexpr std::size_t starts = 3;
  std::array<std::array<std::vector<double>, 2>, all.size()> right;
  for (auto& of_modulus : right) of_modulus.fill(std::vector<double>(starts));
  run_grid(session.pool, "moduli", {all.size(), 2, starts},
           [&](std::size_t k, std::size_t decayed, std::size_t run) {
             plot::Chart unused;
             Learned learned;
             taught(session, all[k], double(decayed), run + 1, learned, unused);
             right[k][decayed][run] = learned.unseen.back();
           });
  Table table{{"modulus", "sums seen", "unseen, decay 0", "unseen, decay 1"}, {}};
  std::array<std::array<Spread, 2>, all.size()> spread;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto seen = std::size_t(OperationSettings().seen * double(all[k] * all[k]));
    spread[k] = {spread_of(right[k][0]), spread_of(right[k][1])};
    table.rows.push_back(
        {std::to_string(all[k]), std::to_string(seen), spread[k][0].text(2), spread[k][1].text(2)});
  }
  lesson.say(starts, " starts:");
  lesson.show(table);
  // Seeds 1 to 5: at most .09; 1, at most .20; 1. Each is another's neighbour.
  lesson.claim_trained("modulus 7: unseen, with decay", spread[0][1].mean, at_most(0.3));
  lesson.claim_trained("modulus 29: unseen, without", spread[3][0].mean, at_least(0.95));
}

constexpr double counts = 0.1;  // how near a prediction must be

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  plot::Chart chart;
  std::array<Learned, 2> nets;  // without decay and with
  std::vector<Waves> waves;
  for (std::size_t k = 0; k < 2; ++k)
    waves.push_back(waves_of(taught(session, 23, double(k), 1, nets[k], chart)));
  const double unseen = nets[0].unseen.back();
  lesson.predict("Without decay, which share of the unseen sums is right in the end?", unseen,
                 {.plus = counts});
  lesson.picture("modular", chart);
  const double share[]{waves[0].equal / waves[0].all, waves[1].equal / waves[1].all};
  Table table{
      {"decay", "all seen from step", ".99 unseen from step", "unseen", "equal frequencies"}, {}};
  for (std::size_t k = 0; k < 2; ++k) {
    const double late = step_of(nets[k].unseen, 0.99);
    table.rows.push_back({significant(double(k)), significant(step_of(nets[k].seen, 0.999)),
                          late > 0 ? significant(late) : "never", fixed(nets[k].unseen.back(), 3),
                          fixed(share[k], 3)});
  }
  lesson.show(table);
  // Seeds 1 to 5: 170, 130, 100, 180, 140 steps from the last seen sum to .99 of the unseen ones.
  // Seeds 1 to 20: unseen .14 ± .05 and 1 ± 0, from step 345 ± 38, power .40 ± .03 and .943 ± .009.
  lesson.claim_trained("all seen sums are right, in both nets",
                       nets[0].seen.back() + nets[1].seen.back(), exactly(2));
  lesson.claim_trained("unseen sums, without", unseen, at_most(0.4));
  lesson.claim_trained("... so one half is off by more than counts: by", 0.5 - unseen,
                       at_least(counts));
  lesson.claim_trained("unseen sums, with", nets[1].unseen.back(), at_least(0.98));
  lesson.claim_trained("... more than .99 after the last seen one, in steps",
                       step_of(nets[1].unseen, 0.99) - step_of(nets[1].seen, 0.999),
                       between(80, 200));
  lesson.claim_trained("power on equal frequencies, without", share[0], at_most(0.55));
  lesson.claim_trained("... with", share[1], at_least(0.9));
  moduli(lesson, session);
}

static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  plot::Chart chart;
  Learned net;
  const Waves waves = waves_of(taught(session, at[modulus], at[decay], at[start], net, chart));
  lesson.picture("turned", chart);
  lesson.say("Unseen sums that are right: ", net.unseen.back(),
             "; power on equal frequencies: ", waves.equal / waves.all, ".");
  lesson.claim("power of all waves = the slices' squares, relative",
               std::abs(waves.all / waves.squares - 1), at_most(1e-9));
}

}  // namespace lesson5::p12

const Part<lesson5::Session> lesson5::part12{
    .number = 12,
    .title = "An algorithm in the weights",
    .kind = PartKind::further,
    .question = "Which decay makes a net add that has learned some sums by heart?",
    .run = p12::run,
    .scene = p12::scene,
    .knobs = {&p12::decay, &p12::modulus, &p12::start},
    .settings = p12::operation_settings};
