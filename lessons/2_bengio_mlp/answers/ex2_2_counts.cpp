// Exercise 2.2: a table of counts by hand.
// Hint: Count: how many symbols has the text, how many are a, how many are b? What stands after each a?
// Hint: Of 11 symbols 5 are a and 2 are b. After the a stand b, c, d, b; the last a has nothing after it.
// Hint: p_1(a) = (5 + 1/5)/12 and p_1(b) = (2 + 1/5)/12. p_2 mixes the counts after a with these, and its total is 4.
// SPDX-License-Identifier: MIT
#include <ex2_2_counts.hpp>

#include "common/exercise/exercise.hpp"
#include "common/support/text.hpp"
#include "lessons/2_bengio_mlp/ngram.hpp"

using namespace exercise;

namespace ours::ex2_2 {

// Of 11 symbols 5 are a.
const double a_alone = (5 + 1.0 / 5) / (11 + 1);
// After an a stand b, c, d and b; the last a has nothing after it. p_1(b) is (2 + 1/5)/12.
const double b_after_a = (2 + (2 + 1.0 / 5) / 12) / (4 + 1);
// The count is 0, and a fifth of p_1(a) is left.
const double loss_of_aa = -std::log(a_alone / 5);

}  // namespace ours::ex2_2

static Verdict check() {
  const std::string abracadabra = "abracadabra";
  const Vocabulary vocabulary(abracadabra);  // a is 0, b is 1
  const std::vector<std::uint32_t> text = vocabulary.encode(abracadabra), a{0};
  const Ngram table = Ngram::interpolated(text, vocabulary.size(), 2, 1);
  constexpr double four_digits = 0.0003;
  const std::vector<Misreading> for_a_alone{
      {5.0 / 11, "that is the frequency: λ is missing"},
      {6.0 / 12, "λ is multiplied by p₀"},
      {6.0 / 16, "that adds 1 to the count of every symbol; λ·p₀ is shared among them"},
      {5.8 / 15, "that is with the lesson's λ, 4; here λ is 1"},
      {5.2 / 11, "λ is missing below: the probabilities would not add up to 1"}};
  const std::vector<Misreading> for_b_after_a{
      {0.5, "that is the frequency after a: λ is missing"},
      {0.4, "λ·p_1 is missing above: the probabilities would not add up to 1"},
      {0.44, "p₀ was mixed in; the next shorter context is p_1"},
      {(2 + 4 * 2.8 / 15) / 8, "that is with the lesson's λ, 4; here λ is 1"},
      {(2 + 5.2 / 12) / 5, "that mixes p_1(a) in; the symbol that is predicted is b"},
      {(2 + 2.0 / 11) / 5, "p_1 is an interpolation, too, not the frequency of b"},
      {ours::ex2_2::b_after_a * 5 / 4, "λ is missing below: the probabilities would not add up to 1"},
      {ours::ex2_2::b_after_a * 5 / 6, "the last a has nothing after it, so its context occurred less often"},
      {ours::ex2_2::b_after_a * 5 / 12, "total is how often the context occurred, not all symbols"},
      {2.2 / 12, "that is p_1(b): what stands before it is known"},
      {3.0 / 9, "that adds 1 to the count of every symbol; λ·p_1 is shared among them"}};
  const std::vector<Misreading> for_loss_of_aa{
      {5.2 / 60, "that is the probability; the loss is minus its logarithm"},
      {-std::log2(5.2 / 60), "that is in bits; nats have e as their base"},
      {-std::log10(5.2 / 60), "that is to base 10; nats have e as their base"},
      {-std::log(5.2 / 12), "that is the loss by p_1(a): what stands before it is known"},
      {-std::log(0.04), "p₀ was mixed in; the next shorter context is p_1"},
      {-std::log(1.0 / 11), "p_1 is an interpolation, too, not the frequency of a"},
      {-std::log(5.2 / 48), "λ is missing below: the probabilities would not add up to 1"},
      {-std::log(5.2 / 72), "the last a has nothing after it, so its context occurred less often"},
      {-std::log(4 * 5.8 / 15 / 8), "that is with the lesson's λ, 4; here λ is 1"}};
  return compare({{"a_alone", ex2_2::a_alone, table.probability({}, 0), four_digits, for_a_alone},
                  {"b_after_a", ex2_2::b_after_a, table.probability(a, 1), four_digits, for_b_after_a},
                  {"loss_of_aa", ex2_2::loss_of_aa, -std::log(table.probability(a, 0)), four_digits, for_loss_of_aa}});
}
static const Exercise here{"2.2", "A table of counts by hand", check};
