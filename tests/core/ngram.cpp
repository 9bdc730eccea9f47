// Checks lesson 2's tables of counts against examples by hand.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/ngram.hpp"

#include <array>

#include "common/data/corpus.hpp"
#include "tests/check.hpp"

namespace test_ngram {

using Numbers = std::vector<std::uint32_t>;

static constexpr double rounding = 1e-14;  // some ten operations on numbers below 1

struct Case {
  Numbers context;
  std::uint32_t symbol;
  double expected;
};

static void known(Checks& check, const char* what, const Ngram& table,
                  const std::vector<Case>& cases) {
  for (const auto& [context, symbol, expected] : cases)
    check.near(table.probability(context, symbol), expected, rounding,
               what + std::to_string(symbol));
}

// abracadabra = a5 b2 r2 c1 d1 of 11; pairs ab2 br2 ra2 ac1 ca1 ad1 da1; a=0 b=1 c=2 d=3 r=4.
static void by_hand(Checks& check) {
  const Numbers text = Vocabulary("abracadabra").encode("abracadabra"), a{0}, abra{0, 1, 4, 0};
  // With a = 1, order 1: (c + 1/5)/(11 + 1): a 5.2/12, b and r 2.2/12, c and d 1.2/12.
  // Order 2 after a (b2 c1 d1, 4 in all): (c + p1)/5; after d (a1): (c + p1)/2.
  const Ngram add = Ngram::interpolated(text, 5, 2, 1);
  known(check, "interpolated ", add,
        {{{}, 0, 5.2 / 12},
         {a, 1, (2 + 2.2 / 12) / 5},
         {a, 0, 5.2 / 12 / 5},
         {{3}, 0, (1 + 5.2 / 12) / 2}});
  // p(a) p(b|a) p(r|b) p(a|r), the latter two (2 + p1)/3.
  const double product = 5.2 / 12 * (2 + 2.2 / 12) / 5 * (2 + 2.2 / 12) / 3 * (2 + 5.2 / 12) / 3;
  check.near(add.loss(abra), -std::log(product) / 4, rounding, "loss of abra");
  check.near(add.loss(abra, 3), -std::log((2 + 5.2 / 12) / 3), rounding, "loss of its last symbol");

  // No pair occurs three times and no symbol has two left neighbours, so all discounts are 1/2.
  // Order 1, left neighbours: a 4 (r, c, d and the start), the others 1, of 8; 5 discounts of 1/2
  // leave 2.5/8 to the uniform 1/5: a 3.5/8 + .0625 = .5, the others .5/8 + .0625 = .125.
  // Order 2 after a (b2 c1 d1): 1.5/4 goes to order 1: b 1.5/4 + .375·.125, c and d .5/4 +
  // .375·.125, a .375·.5.
  const Ngram kn = Ngram::kneser_ney(text, 5, 2);
  known(check, "Kneser-Ney ", kn,
        {{{}, 0, .5}, {{}, 1, .125}, {a, 1, .421875}, {a, 2, .171875}, {a, 0, .1875}});
  check.that(kn.stored() == 12, "distinct n-grams stored: 5 symbols, 7 pairs");

  // abcd once, ef twice, g three times, h four times: n1 = 4, n2 = 2, n3 = n4 = 1, Y = 4/(4 + 2·2)
  // = 1/2, D1 = 1 - 2·Y·2/4 = .5, D2 = 2 - 3·Y·1/2 = 1.25, D3 = 3 - 4·Y·1/1 = 1; the mass is 4·.5 +
  // 2·1.25 + 1 + 1 = 6.5 of 15.
  const Numbers counted = Vocabulary("abcdefgh").encode("abcdeeffggghhhh");
  known(check, "three discounts ", Ngram::kneser_ney(counted, 8, 1),
        {{{}, 0, (0.5 + 6.5 / 8) / 15},
         {{}, 4, (0.75 + 6.5 / 8) / 15},
         {{}, 6, (2 + 6.5 / 8) / 15},
         {{}, 7, (3 + 6.5 / 8) / 15}});
  check.throws<std::invalid_argument>([&] { Ngram::kneser_ney(text, 65, 10); },
                                      "highest order is 9", "64 bits");
}

// A pruned table must remain a distribution, and lose the n-grams that cost least: `lost` is how
// often the context comes, times the relative entropy of the row without them.
static void pruning(Checks& check) {
  const Numbers text = Vocabulary("abracadabra").encode("abracadabra"), a{0};
  const Ngram whole = Ngram::interpolated(text, 5, 2, 1);
  for (const std::size_t keep : {5u, 7u, 11u, 12u}) {
    const Ngram small = whole.pruned(keep);
    check.that(small.stored() == keep, "as many as asked for are kept");
    for (std::uint32_t c = 0; c < 5; ++c) {
      double sum = 0;
      for (std::uint32_t s = 0; s < 5; ++s) sum += small.probability(Numbers{c}, s);
      check.near(sum, 1, rounding, "a pruned row sums to 1");
    }
  }
  // After a come b, c, d. Without c, it shares what is left with a and r, which never came.
  std::array<double, 5> p{}, shorter{};
  for (std::uint32_t s = 0; s < 5; ++s) {
    p[s] = whole.probability(a, s);
    shorter[s] = whole.probability({}, s);
  }
  const double w = (p[0] + p[2] + p[4]) / (shorter[0] + shorter[2] + shorter[4]);
  double entropy = 0;
  for (const std::size_t s : {0u, 2u, 4u}) entropy += p[s] * std::log(p[s] / (w * shorter[s]));
  check.near(Ngram::lost(1, p[2], shorter[2], p[0] + p[4], shorter[0] + shorter[4]), entropy / p[2],
             rounding, "lost is relative entropy");
  // ca, da, ac, ad were seen once; br and ra twice, but ra costs less: a is likely anyway.
  const Ngram few = whole.pruned(7);
  check.that(few.probability(a, 1) == p[1], "the pair ab is kept");
  check.that(few.probability(Numbers{4}, 0) != whole.probability(Numbers{4}, 0), "ra is not");
  // A text of one symbol leaves the other less than rounding, but not nothing.
  const Numbers same(2000, 0), new_one{0, 0, 0, 0, 1};
  for (const Ngram& table : {Ngram::kneser_ney(same, 2, 5), Ngram::interpolated(same, 2, 5, 4)}) {
    const double before = table.loss(new_one);
    check.near(table.pruned(table.stored()).loss(new_one), before, rounding * before,
               "with all that it has it is what it was");
    check.that(std::isfinite(table.pruned(3).loss(new_one)),
               "pruned, a symbol that never came is still possible");
  }
}

static const Listed here("ngram", {by_hand, pruning});

}  // namespace test_ngram
