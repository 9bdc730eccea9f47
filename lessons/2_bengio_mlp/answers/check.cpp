// Lesson 2: checks the answers to its exercises. The folder on the include path decides whose: exercises/ holds the
// reader's, answers/solutions/ ours.
// Run: make exercise2
// SPDX-License-Identifier: MIT
#include <ex2_1_tanh_layer.hpp>
#include <ex2_2_table_gradient.hpp>
#include <ex2_3_softmax.hpp>
#include <ex2_4_predict.hpp>
#include <ex2_5_contexts.hpp>

#include "common/loss.hpp"
#include "common/support/exercise.hpp"
#include "common/support/text.hpp"
#include "lessons/2_bengio_mlp/model/2_bengio.hpp"

using namespace exercise;
using namespace lesson2;

// ------------------------------------------------------------------------------------------------------------- 2.1

static Verdict tanh_layer() {
  constexpr std::size_t n = 5, in = 6, hidden = 4;
  Random random(1);
  auto E = normal_matrix<double>(n, in, 1, random), W1 = normal_matrix<double>(in, hidden, 0.5, random),
       b1 = normal_matrix<double>(1, hidden, 0.5, random);
  const auto R = normal_matrix<double>(n, hidden, 1, random);
  const auto activate = [](const Matrix<double>& Z) { return map(Z, [](double z) { return std::tanh(z); }); };
  Matrix<double> Z = add_row(matmul(E, W1), b1);
  const auto loss_of_Z = [&] { return dot(R, activate(Z)); };  // so that dH is R
  const auto loss = [&] { return dot(R, activate(add_row(matmul(E, W1), b1))); };
  const ex2_1::Gradients yours = ex2_1::backward(E, W1, activate(Z), R);
  const Answer dZ{"dZ", yours.dZ, numeric_gradient(Z, loss_of_Z)};
  Verdict verdict = compare({dZ,
                             {"dW1", yours.dW1, numeric_gradient(W1, loss)},
                             {"db1", yours.db1, numeric_gradient(b1, loss)},
                             {"dE", yours.dE, numeric_gradient(E, loss)}},
                            numeric);
  if (verdict.state == State::wrong && !agrees(dZ.yours, dZ.right, numeric.tolerance))
    verdict.findings += "\nmend dZ first: the other three are made of it";
  return verdict;
}

// ------------------------------------------------------------------------------------------------------------- 2.2

static Verdict table_gradient() {
  // Six symbols and padding, 6. Symbols 0 and 4 stand in one place, 5 in none, the others in several.
  const Windows windows{3, {6, 6, 1, 6, 1, 1, 0, 2, 3, 2, 3, 3, 2, 3, 4}, {1, 0, 3, 3, 2}};
  Random random(2);
  Bengio<double> model({6, 3, 2, 1});
  model.C = normal_matrix<double>(7, 2, 1, random);
  const auto dE = normal_matrix<double>(windows.size(), 6, 1, random);
  const Matrix<double> yours = ex2_2::table_gradient(windows, dE, model.C.shape());
  const auto loss = [&] { return dot(dE, model.look_up(windows)); };
  const Verdict verdict = compare({{"dC", yours, numeric_gradient(model.C, loss, Step::quadratic)}}, numeric);

  Matrix<double> last_wins(7, 2);
  for (std::size_t i = 0; i < windows.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t a = 0; a < 2; ++a) last_wins(windows.context(i)[k], a) = dE(i, 2 * k + a);
  return unless_as_given(verdict, yours == last_wins);
}

// ------------------------------------------------------------------------------------------------------------- 2.3

static Matrix<double> softmax_by_definition(Matrix<double> z) {
  for (double& x : z.values()) x = std::exp(x);
  for (std::size_t i = 0; i < z.rows(); ++i) {
    double sum = 0;
    for (const double x : z.row(i)) sum += x;
    for (double& x : z.row(i)) x /= sum;
  }
  return z;
}

// Rows of logits, and the same rows moved to where exp has no trouble: softmax gives the same for both.
struct Logits {
  const char* title;
  Matrix<double> logits, moved;
};

// What is wrong with a softmax.
static Verdict check_softmax(Matrix<double> (*softmax)(Matrix<double>)) {
  const std::vector<Logits> cases{
      {"small logits", {{0.5, -1, 2}, {0, 0, 0}}, {{0.5, -1, 2}, {0, 0, 0}}},
      {"logits near 1000", {{1000, 999, 997}}, {{0, -1, -3}}},
      {"logits near -1000", {{-1000, -1001, -999}}, {{0, -1, 1}}},
      {"logits of 0 and 3000", {{0, 3000, 0}}, {{-700, 0, -700}}},  // e^-700 is 1e-304: 0 among probabilities
      {"large and small rows", {{1000, 1001, 999}, {-1000, -1001, -999}}, {{0, 1, -1}, {0, -1, 1}}},
  };
  Findings findings;
  for (const Logits& c : cases)  // all logits are exact, and what remains is a few roundings
    findings.add(c.title, diagnose({"p", softmax(c.logits), softmax_by_definition(c.moved)}, {1e-12, "right"}));
  return findings.verdict();
}

static Verdict softmax() {
  const Verdict verdict = check_softmax(ex2_3::softmax);
  return unless_as_given(verdict, verdict.findings == check_softmax(softmax_by_definition).findings);
}

// ------------------------------------------------------------------------------------------------------------- 2.4

static double count_parameters(std::size_t context) {
  return double(parameters_of(Bengio<double>({27, context, 10, 200})));
}

static Verdict predict() {
  const auto loss = [](const Matrix<double>& logits) {
    return softmax_cross_entropy<double>(logits, std::vector<std::uint32_t>(logits.rows(), 0)).value;
  };
  const double chance = loss(Matrix<double>(2, 27)), quarter = loss({{std::log(0.25), std::log(0.7), std::log(0.05)}});
  const double all = count_parameters(3), more = count_parameters(4) - all;
  constexpr double percent = 0.01, exact = 0;
  return compare({{"loss_at_chance",
                   ex2_4::loss_at_chance,
                   chance,
                   percent,
                   {{std::log2(27.0), "that is in bits; nats have e as their base"},
                    {std::log10(27.0), "the logarithm to base 10; nats have e as their base"},
                    {std::log(65.0), "that is for 65 symbols; here there are 27"},
                    {1.0 / 27, "that is the probability; the loss is minus its logarithm"}}},
                  {"loss_of_a_quarter",
                   ex2_4::loss_of_a_quarter,
                   quarter,
                   percent,
                   {{2, "that is in bits; nats have e as their base"},
                    {0.25, "that is the probability; the loss is minus its logarithm"},
                    {0.75, "the loss is minus the logarithm of the probability"},
                    {4, "that is its perplexity"}}},
                  {"perplexity",
                   ex2_4::perplexity,
                   std::exp(1.5),
                   percent,
                   {{std::exp2(1.5), "2^loss is for a loss in bits"},
                    {std::log(1.5), "the other way round: the loss is the logarithm"},
                    {1.5, "that is the loss itself"}}},
                  {"parameters",
                   ex2_4::parameters,
                   all,
                   exact,
                   {{all - 10, "C has a row for padding too"},
                    {all - 227, "the biases are parameters too"},
                    {all - 237, "C has a row for padding too, and the biases are parameters"},
                    {all - 280, "the table C is learned too"},
                    {all - 270, "the table C is learned too"},
                    {all - 4000, "W1 has a row for each of the 3·10 numbers that go in"}}},
                  {"one_more_symbol",
                   ex2_4::one_more_symbol,
                   more,
                   exact,
                   {{10, "each of these ten numbers goes to every hidden unit"},
                    {200, "the new place brings d numbers to every hidden unit, not one"},
                    {more + 10, "C does not grow: the places share it"},
                    {27 * more, "tables of n-grams grow so; here the symbol comes in as d numbers"}}}});
}

// ------------------------------------------------------------------------------------------------------------- 2.5

static std::string name_of(const Vocabulary& vocabulary, std::uint32_t symbol) {
  if (symbol < vocabulary.size())
    return join("symbol ", symbol, ", which is ", vocabulary.name(symbol), " in this text");
  return symbol == vocabulary.size() ? "padding" : join("index ", symbol, ", for which C has no row");
}

static Verdict contexts() {
  const std::string story = "\n\n\nno\non";
  const Vocabulary vocabulary(story);  // newline is 0, n is 1, o is 2
  const std::vector<std::uint32_t> text = vocabulary.encode(story);
  constexpr std::size_t length = 3;
  const auto padding = std::uint32_t(vocabulary.size());
  const std::vector<std::uint32_t> yours = ex2_5::contexts(text, length, padding);
  const std::vector<std::uint32_t> right = windows_of(text, 0, text.size(), length, padding).contexts;
  if (yours.size() != right.size()) return wrong(join("there are ", yours.size(), " symbols, not ", right.size()));
  const auto padded = [](std::size_t k) { return k % length + k / length < length; };  // before the text
  bool as_given = true;
  std::string before, inside;
  for (std::size_t k = right.size(); k-- > 0;) {  // backwards: the first that is wrong is named
    as_given = as_given && yours[k] == (padded(k) ? 0 : right[k]);
    if (yours[k] == right[k]) continue;
    const std::string found = join("row ", k / length, ", column ", k % length, " is ", name_of(vocabulary, yours[k]));
    (padded(k) ? before : inside) = found + "; it must be " + name_of(vocabulary, right[k]);
  }
  Findings findings;
  findings.add("before the text", before);
  findings.add("inside the text", inside);
  if (as_given)
    return not_started("place 0, with nothing before it, and place 3, with three newlines, get the same window");
  return findings.verdict();
}

int main(int argc, char** argv) {
  return check_lesson(2,
                      {{"2.1", "The backward pass of the hidden layer", tanh_layer},
                       {"2.2", "The gradient of the table", table_gradient},
                       {"2.3", "Softmax for logits of any size", softmax},
                       {"2.4", "What a loss means, what a model costs", predict},
                       {"2.5", "The windows at the beginning", contexts}},
                      argc, argv);
}
