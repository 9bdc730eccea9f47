// Exercise 2.1: what a loss means, and what a model costs.
// Hint: The loss is the mean of -ln p, where p is the probability that the model gave to the symbol that came.
// Hint: At chance p = 1/27. Perplexity undoes the logarithm of the loss, and that is to base e. For the parameters, write
// down the shape of each tensor; C has one row more than the alphabet, and there are two biases.
// Hint: ln 27, ln 4, e^1.5. C 28 x 10, W1 30 x 200, b1 200, W2 200 x 27, b2 27. Which of these have 27 or 28 on one side?
// SPDX-License-Identifier: MIT
#include <ex2_1_predict.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/2_bengio_mlp/models.hpp"

using namespace exercise;

namespace ours::ex2_1 {

const double loss_at_chance = std::log(27.0);    // every symbol has the probability 1/27
const double loss_of_a_quarter = std::log(4.0);  // a die with four sides is as hard to predict: its perplexity is 4
const double perplexity = std::exp(1.5);         // because the loss is in nats; 2^loss would be right for bits
// C has a row for padding too: 28·10. W1: 3·10·200, b1: 200, W2: 200·27, b2: 27. In all 11,907.
const double parameters = 28 * 10 + 3 * 10 * 200 + 200 + 200 * 27 + 27;
const double one_more_letter = 10 + 200 + 1;  // a row of C, a column of W2 and a number of b2: dim + h + 1

}  // namespace ours::ex2_1

static double count_parameters(std::size_t vocab) {
  return double(parameters_of(lesson2::Bengio<double>({vocab, 3, 10, 200})));
}

static Verdict check() {
  const double chance = ours::ex2_1::loss_at_chance, all = ours::ex2_1::parameters;
  constexpr double percent = 0.01, exact = 0;
  const std::vector<Misreading> for_loss_at_chance{
      {std::log2(27.0), "that is in bits; nats have e as their base"},
      {std::log10(27.0), "that is to base 10; nats have e as their base"},
      {std::log(28.0), "padding is seen, but never predicted"},
      {chance / 27, "p·ln p of one symbol; the mean runs over what comes, and each time the loss is the same"},
      {1.0 / 27, "that is the probability; the loss is minus its logarithm"},
      {27, "that is the perplexity"}};
  const std::vector<Misreading> for_loss_of_a_quarter{
      {2, "that is in bits; nats have e as their base"},
      {std::log10(4.0), "that is to base 10; nats have e as their base"},
      {0.25, "that is the probability; the loss is minus its logarithm"},
      {std::log(4.0) / 4, "p·ln p: the right symbol came every time, so nothing weighs it with 1/4"},
      {4, "that is its perplexity"}};
  const std::vector<Misreading> for_perplexity{
      {std::exp2(1.5), "2^loss is for a loss in bits"},
      {std::pow(10, 1.5), "the loss is a logarithm to base e, not to base 10"},
      {std::log(1.5), "the other way round: the loss is the logarithm"},
      {std::exp(-1.5), "that is the probability; the perplexity is one over it"}};
  const std::vector<Misreading> for_parameters{{all - 10, "C has a row for padding too"},
                                               {all - 280, "the table C is learned too"},
                                               {all - 4000, "W1 has a row for each of the 3·10 numbers that go in"},
                                               {all + 201, "padding has a row in C, but is never predicted"},
                                               {all + 560, "the three places share one table C"},
                                               {all - 27, "the bias of the output layer is missing"},
                                               {all - 200, "the bias of the hidden layer is missing"},
                                               {all - 227, "both biases are missing"},
                                               {all + 810, "that is with the direct connections"}};
  const std::vector<Misreading> for_one_more_letter{
      {200, "that is its column of W2; two other tensors grow, too"},
      {201, "it can also be seen: C grows"},
      {210, "it has a bias among the outputs"},
      {2000, "that is for one more symbol of context"},
      {ours::ex2_1::one_more_letter + 2000, "W1 does not grow: it sees numbers, not symbols"},
      {11, "it is also a score: W2 grows"},
      {241, "that is with the direct connections"},
      {30 + 200 + 1, "C is shared by the places, and so its row counts once"}};
  return compare({{"loss_at_chance", ex2_1::loss_at_chance, chance, percent, for_loss_at_chance},
                  {"loss_of_a_quarter", ex2_1::loss_of_a_quarter, std::log(4.0), percent, for_loss_of_a_quarter},
                  {"perplexity", ex2_1::perplexity, std::exp(1.5), percent, for_perplexity},
                  {"parameters", ex2_1::parameters, count_parameters(27), exact, for_parameters},
                  {"one_more_letter", ex2_1::one_more_letter, count_parameters(28) - all, exact, for_one_more_letter}});
}
static const Exercise here{"2.1", "What a loss means, what a model costs", check};
