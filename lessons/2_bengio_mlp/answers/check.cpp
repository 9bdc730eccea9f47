// Lesson 2: checks the answers to its exercises. The folder on the include path decides whose: exercises/ holds the
// reader's, answers/solutions/ ours.
// Run: make exercise2
// SPDX-License-Identifier: MIT
#include <ex2_1_predict.hpp>
#include <ex2_2_counts.hpp>
#include <ex2_3_newest_first.hpp>
#include <ex2_4_scaled_layer.hpp>
#include <ex2_5_other_layout.hpp>
#include <ex2_6_yes_no.hpp>
#include <ex2_7_temperature.hpp>
#include <ex2_8_best_weight.hpp>

#include "common/loss.hpp"
#include "common/support/exercise.hpp"
#include "common/support/ngram.hpp"
#include "common/support/text.hpp"
#include "lessons/2_bengio_mlp/answers/wrong_answers.hpp"
#include "lessons/2_bengio_mlp/model/2_bengio.hpp"

using namespace exercise;
using namespace lesson2;

// ------------------------------------------------------------------------------------------------------------- 2.1

static double count_parameters(std::size_t vocab) { return double(parameters_of(Bengio<double>({vocab, 3, 10, 200}))); }

static Verdict predict() {
  const auto loss = [](const Matrix<double>& logits) {
    return softmax_cross_entropy<double>(logits, std::vector<std::uint32_t>(logits.rows(), 0)).value;
  };
  const double chance = loss(Matrix<double>(2, 27)), quarter = loss({{std::log(0.25), std::log(0.7), std::log(0.05)}});
  const double all = count_parameters(27);
  constexpr double percent = 0.01, exact = 0;
  return compare({{"loss_at_chance", ex2_1::loss_at_chance, chance, percent, wrong_chances},
                  {"loss_of_a_quarter", ex2_1::loss_of_a_quarter, quarter, percent, wrong_quarters},
                  {"perplexity", ex2_1::perplexity, std::exp(1.5), percent, wrong_perplexities},
                  {"parameters", ex2_1::parameters, all, exact, wrong_parameters(all)},
                  {"one_more_letter", ex2_1::one_more_letter, count_parameters(28) - all, exact, wrong_letters}});
}

// ------------------------------------------------------------------------------------------------------------- 2.2

static Verdict counts() {
  const std::string abracadabra = "abracadabra";
  const Vocabulary vocabulary(abracadabra);  // a is 0, b is 1
  const std::vector<std::uint32_t> text = vocabulary.encode(abracadabra), a{0};
  const Ngram table = Ngram::interpolated(text, vocabulary.size(), 2, 1);
  constexpr double four_digits = 0.0003;
  return compare({{"a_alone", ex2_2::a_alone, table.probability({}, 0), four_digits, wrong_alone},
                  {"b_after_a", ex2_2::b_after_a, table.probability(a, 1), four_digits, wrong_after_a},
                  {"loss_of_aa", ex2_2::loss_of_aa, -std::log(table.probability(a, 0)), four_digits, wrong_aa}});
}

// ------------------------------------------------------------------------------------------------------------- 2.3

static Verdict windows_newest_first() {
  const std::string story = "no\n\non on\n";
  const Vocabulary vocabulary(story);  // newline is 0
  const std::vector<std::uint32_t> text = vocabulary.encode(story);
  constexpr std::size_t length = 3;
  const auto vocab = std::uint32_t(vocabulary.size());
  // The text between numbers that no symbol has, so that reading beside it shows.
  constexpr std::uint32_t guard = 77;
  std::vector<std::uint32_t> guarded(text.size() + 2 * (length + 1), guard);
  std::copy(text.begin(), text.end(), guarded.begin() + length + 1);
  const std::span<const std::uint32_t> inside(guarded.data() + length + 1, text.size());
  const std::vector<std::uint32_t> found = calling("contexts", [&] { return ex2_3::contexts(inside, length, vocab); });
  if (found.size() != text.size() * length)
    return wrong(join("contexts: ", found.size(), " symbols, not ", text.size() * length, ": a row for each place"));
  const std::vector<Mistake> rows = newest_first(text, length, vocab);
  Answer answer{"contexts", Matrix<double>(text.size(), length), rows.front().value, {}};
  for (std::size_t k = 0; k < found.size(); ++k) {
    answer.yours.values()[k] = found[k];
    answer.places.push_back(join("row ", k / length, ", column ", k % length));
  }
  if (untouched(answer)) return not_started();
  for (std::size_t k = 0; k < found.size(); ++k)
    if (found[k] == guard)
      return wrong("contexts: " + answer.places[k] +
                   ": what stands there was read before the text begins, or behind its end");
  Findings findings;
  findings.add("contexts", diagnose(answer, {rounding, "right"}, {rows.begin() + 1, rows.end()}));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 2.4

static Verdict scaled_layer() {
  constexpr std::size_t n = 5, in = 6, hidden = 4;
  Random random(1);
  auto E = normal_matrix<double>(n, in, 1, random), W1 = normal_matrix<double>(in, hidden, 0.5, random),
       b1 = normal_matrix<double>(1, hidden, 0.5, random), s = normal_matrix<double>(1, hidden, 1, random);
  const auto R = normal_matrix<double>(n, hidden, 1, random);
  Matrix<double> Z = add_row(matmul(E, W1), b1);
  const auto scaled = [&](const Matrix<double>& of) {
    const Matrix<double> every_row = add_row(Matrix<double>(n, hidden), s);
    return hadamard(every_row, map(of, [](double z) { return std::tanh(z); }));
  };
  const auto loss_of_Z = [&] { return dot(R, scaled(Z)); };  // so that dH is R
  const auto loss = [&] { return dot(R, scaled(add_row(matmul(E, W1), b1))); };
  const Matrix<double> U = map(Z, [](double z) { return std::tanh(z); });
  const ex2_4::Gradients yours = calling("backward", [&] { return ex2_4::backward(E, W1, s, U, R); });
  const Answer ds{"ds", yours.ds, numeric_gradient(s, loss), {}},
      dZ{"dZ", yours.dZ, numeric_gradient(Z, loss_of_Z), {}}, dW1{"dW1", yours.dW1, numeric_gradient(W1, loss), {}},
      db1{"db1", yours.db1, numeric_gradient(b1, loss), {}}, dE{"dE", yours.dE, numeric_gradient(E, loss), {}};
  if (untouched(ds) && untouched(dZ) && untouched(dW1) && untouched(db1) && untouched(dE)) return not_started();
  const WrongScaled mistakes = wrong_scaled(E, W1, s, U, R);
  Findings findings;
  findings.add("backward's ds", diagnose(ds, numeric, mistakes.ds));
  findings.add("backward's dZ", diagnose(dZ, numeric, mistakes.dZ));
  if (!agrees(dZ.yours, dZ.right, numeric.tolerance))
    return wrong("mend dZ first: dW1, db1 and dE are made of it\n" + findings.verdict().findings);
  findings.add("backward's dW1", diagnose(dW1, numeric, mistakes.dW1));
  findings.add("backward's db1", diagnose(db1, numeric, mistakes.db1));
  findings.add("backward's dE", diagnose(dE, numeric, mistakes.dE));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 2.5

static Verdict other_layout() {
  // Six symbols and padding, 6. Symbols 0 and 4 stand in one place, 5 in none, the others in several.
  const Windows windows{3, {6, 6, 1, 6, 1, 1, 0, 2, 3, 2, 3, 3, 2, 3, 4}, {1, 0, 3, 3, 2}};
  constexpr std::size_t d = 2, rows = 7;
  Random random(2);
  auto C = normal_matrix<double>(rows, d, 1, random);
  const auto dE = normal_matrix<double>(windows.size(), windows.length * d, 1, random);
  const auto loss = [&] {
    double sum = 0;  // of dE ⊙ E
    for (std::size_t i = 0; i < windows.size(); ++i)
      for (std::size_t k = 0; k < windows.length; ++k)
        for (std::size_t a = 0; a < d; ++a) sum += dE(i, a * windows.length + k) * C(windows.context(i)[k], a);
    return sum;
  };
  const Answer dC{"dC",
                  calling("table_gradient",
                          [&] {
                            return ex2_5::table_gradient(windows, dE, {rows, d});
                          }),
                  numeric_gradient(C, loss, Step::quadratic),
                  {}};
  const std::vector<Mistake> mistakes = wrong_scatters(windows, dE, {rows, d});
  if (agrees(dC.yours, mistakes.front().value, rounding)) return not_started(compare({dC}, numeric).findings);
  Findings findings;
  findings.add("table_gradient", diagnose(dC, numeric, mistakes));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 2.6

// Tells whether two rows of losses are the same, infinities and NaN included.
static bool same(const Matrix<double>& a, const Matrix<double>& b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double x = a.values()[k], y = b.values()[k];
    if (!(x == y || (std::isnan(x) && std::isnan(y)))) return false;
  }
  return true;
}

static Verdict yes_no() {
  Answer losses{"yes_no_loss", yes_no_losses(ex2_6::yes_no_loss), yes_no_losses(right_yes_no), {}};
  for (const char* const answer : {"yes", "no"})
    for (const double score : scores) losses.places.push_back(join("yes_no_loss(", score, ", ", answer, ")"));
  // Each entry for itself: a small loss next to one of 1000 counts as much.
  std::string finding;
  for (std::size_t k = 0; k < losses.yours.size() && finding.empty(); ++k) {
    const double yours = losses.yours(0, k), right = losses.right(0, k);
    if (!(std::abs(yours - right) <= 1e-12 * right))
      finding =
          losses.places[k] + (std::isfinite(yours) ? ": " + two_values(yours, right, "right")
                                                   : std::string(" is not finite: an exponential is too large, or a "
                                                                 "probability has become 0 before its logarithm"));
  }
  if (finding.empty()) return done();
  if (same(losses.yours, yes_no_losses(given_yes_no))) return not_started(finding);
  for (const Mistake& mistake : wrong_yes_no())
    if (same(losses.yours, mistake.value) || agrees(losses.yours, mistake.value, rounding))
      return wrong("yes_no_loss: " + mistake.reason + "\n" + finding);
  const double largest = losses.yours(0, 0);  // of yes, where the score is -1000
  if (largest > 1 && largest < 100)
    return wrong("yes_no_loss: the loss is cut off: a probability that is kept away from 0 makes a large loss wrong\n" +
                 finding);
  return wrong(finding);
}

// ------------------------------------------------------------------------------------------------------------- 2.7

static Verdict temperature() {
  constexpr std::size_t n = 5, vocab = 4;
  Random random(7);
  auto S = normal_matrix<double>(n, vocab, 1, random);
  Matrix<double> tau{{1.7}};
  const std::vector<std::uint32_t> y{2, 0, 3, 3, 1};
  const auto loss = [&] { return softmax_cross_entropy<double>((1 / tau(0, 0)) * S, y).value; };
  Matrix<double> P = (1 / tau(0, 0)) * S;
  for (std::size_t i = 0; i < n; ++i) softmax(P.row(i));
  const ex2_7::Gradients yours = calling("backward", [&] { return ex2_7::backward(S, P, y, tau(0, 0)); });
  const Answer dS{"dS", yours.dS, numeric_gradient(S, loss), {}},
      dtau{"dtau", Matrix<double>{{yours.dtau}}, numeric_gradient(tau, loss), {"dtau"}};
  if (untouched(dS) && untouched(dtau)) return not_started();
  const WrongTemperature mistakes = wrong_temperature(S, P, y, tau(0, 0));
  Findings findings;
  findings.add("backward's dS", diagnose(dS, numeric, mistakes.dS));
  findings.add("backward's dtau", diagnose(dtau, numeric, mistakes.dtau));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 2.8

static Verdict best_weight() {
  constexpr double near = 0.001;  // as the stub promises
  const std::vector<Voters> all = voters();
  const Matrix<double> right = at_voters([](const Voters& v) { return best_of(v, 10'000); });
  const Matrix<double> yours = calling(
      "best_weight", [] { return at_voters([](const Voters& v) { return ex2_8::best_weight(v.network, v.table); }); });
  if (untouched({"", yours, right, {}})) return not_started();
  const auto is = [&](const Matrix<double>& other, double tolerance) {
    return max_abs_difference(yours, other) <= tolerance;  // NaN is not
  };
  if (is(right, near + 5e-5)) return done();
  for (const Mistake& mistake : wrong_weights())
    if (is(mistake.value, near)) return wrong("best_weight: " + mistake.reason);
  if (is(right, 0.02)) return wrong("best_weight: near, but not to within 0.001: look closer");
  for (std::size_t k = 0; k < all.size(); ++k) {
    const double w = yours(0, k), of_yours = loss_of_votes(all[k], w);
    if (!(w >= 0 && w <= 1))
      return wrong(join("best_weight: in the case \"", all[k].title, "\": ", w, " is no weight from 0 to 1"));
    if (std::abs(w - right(0, k)) > near)
      return wrong(join("best_weight: in the case \"", all[k].title, "\" w = ", significant(w, 4), " gives the loss ",
                        significant(of_yours, 6), "; the best is ",
                        significant(loss_of_votes(all[k], right(0, k)), 6)));
  }
  return wrong("best_weight: not the best");
}

int main(int argc, char** argv) {
  return check_lesson(2,
                      {{"2.1", "What a loss means, what a model costs", predict},
                       {"2.2", "A table of counts by hand", counts},
                       {"2.3", "The newest symbol first", windows_newest_first},
                       {"2.4", "A hidden layer with a scale", scaled_layer},
                       {"2.5", "Another layout of E", other_layout},
                       {"2.6", "A yes-no loss for scores of any size", yes_no},
                       {"2.7", "A temperature that is learned", temperature},
                       {"2.8", "The best weight of two voters", best_weight}},
                      argc, argv);
}
