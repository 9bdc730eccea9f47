// Checks common/support/ngram.hpp against examples worked out by hand, against the definition counted from scratch, and
// against published figures. The last part wants tinyshakespeare.txt in the folder that COURSE_DATA names.
// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

#include "common/random.hpp"
#include "common/support/file.hpp"
#include "common/support/ngram.hpp"
#include "common/support/text.hpp"
#include "tests/check.hpp"

using Numbers = std::vector<std::uint32_t>;

static constexpr double eps = std::numeric_limits<double>::epsilon();

// Each order adds up at most vocab counts and as many discounts, and does four more operations on each entry: every one
// of them rounds by at most eps/2. One more order pays for adding up the distribution.
static double rounding(const Ngram& m) { return static_cast<double>((m.order() + 1) * (m.vocab() + 4)) * eps; }

// ---------------------------------------------------------------------------------------------------------- by hand

// abracadabra = a5 b2 r2 c1 d1 of 11; pairs ab2 br2 ra2 ac1 ca1 ad1 da1; a=0 b=1 c=2 d=3 r=4.
static void by_hand(Checks& check) {
  const Numbers text = Vocabulary("abracadabra").encode("abracadabra"), a{0}, abra{0, 1, 4, 0};
  struct Case {
    Numbers context;
    std::uint32_t symbol;
    double expected;
  };
  const auto known = [&](const Ngram& m, const char* what, const std::vector<Case>& cases) {
    for (const auto& [context, symbol, expected] : cases)
      check.near(m.probability(context, symbol), expected, rounding(m), what + std::to_string(symbol));
  };
  // Interpolated with a = 1. Order 1: (c + 1/5)/(11 + 1): a 5.2/12, b and r 2.2/12, c and d 1.2/12.
  // Order 2 after a (b2 c1 d1, 4 in all): (c + p1)/5. After d (a1): (c + p1)/2.
  const Ngram add = Ngram::interpolated(text, 5, 2, 1);
  known(add, "interpolated ",
        {{{}, 0, 5.2 / 12}, {a, 1, (2 + 2.2 / 12) / 5}, {a, 0, 5.2 / 12 / 5}, {{3}, 0, (1 + 5.2 / 12) / 2}});
  // loss of abra: p(a) p(b|a) p(r|b) p(a|r), the latter two (2 + p1)/3
  const double product = 5.2 / 12 * (2 + 2.2 / 12) / 5 * (2 + 2.2 / 12) / 3 * (2 + 5.2 / 12) / 3;
  // ln turns the relative error of a probability into an absolute one; the smallest probability here is 1/3.
  check.near(add.loss(abra), -std::log(product) / 4, 3 * rounding(add), "loss of abra");
  check.near(add.loss(abra, 3), -std::log((2 + 5.2 / 12) / 3), 3 * rounding(add), "loss of its last symbol");

  // Kneser-Ney. No pair occurs three times and no symbol has two left neighbours, so all discounts are 1/2.
  // Order 1, left neighbours: a 4 (r, c, d and the start), the others 1; 8 in all; 5 discounts of 1/2 leave 2.5/8 to
  // the uniform 1/5: a 3.5/8 + .0625 = .5, the others .5/8 + .0625 = .125.
  // Order 2 after a (b2 c1 d1): 1.5/4 goes to order 1: b 1.5/4 + .375·.125, c and d .5/4 + .375·.125, a .375·.5.
  const Ngram kn = Ngram::kneser_ney(text, 5, 2);
  known(kn, "Kneser-Ney ", {{{}, 0, .5}, {{}, 1, .125}, {a, 1, .421875}, {a, 2, .171875}, {a, 0, .1875}});
  check.that(kn.distinct(1) == 5 && kn.distinct(2) == 7 && kn.distinct_up_to(2) == 12, "distinct n-grams stored");
  check.that(kn.order() == 2 && kn.vocab() == 5, "order and vocabulary");

  // abcd once, ef twice, g three times, h four times: n1 = 4, n2 = 2, n3 = n4 = 1, Y = 4/(4 + 2·2) = 1/2,
  // D1 = 1 - 2·Y·2/4 = .5, D2 = 2 - 3·Y·1/2 = 1.25, D3 = 3 - 4·Y·1/1 = 1; the mass is 4·.5 + 2·1.25 + 1 + 1 = 6.5 of
  // 15.
  known(Ngram::kneser_ney(Vocabulary("abcdefgh").encode("abcdeeffggghhhh"), 8, 1), "three discounts ",
        {{{}, 0, (0.5 + 6.5 / 8) / 15},
         {{}, 4, (0.75 + 6.5 / 8) / 15},
         {{}, 6, (2 + 6.5 / 8) / 15},
         {{}, 7, (3 + 6.5 / 8) / 15}});
}

// ------------------------------------------------------------------------------------------------ by the definition

// The model written down from its definition: maps from n-grams to counts, nothing packed, every sum over everything.
class Definition {
 public:
  Definition(const Numbers& text, std::size_t vocab, std::size_t order, double a, bool kneser_ney)
      : vocab_(vocab), a_(a), kneser_ney_(kneser_ney), counts_(order + 1) {
    std::vector<std::map<Numbers, std::set<std::size_t>>> left(order + 1);
    for (std::size_t n = 1; n <= order; ++n)
      for (std::size_t i = 0; i + n <= text.size(); ++i) {
        const Numbers gram(text.begin() + std::ptrdiff_t(i), text.begin() + std::ptrdiff_t(i + n));
        left[n][gram].insert(i == 0 ? vocab : text[i - 1]);  // vocab stands for the start of the text
        counts_[n][gram] += 1;
        if (kneser_ney && n < order) counts_[n][gram] = double(left[n][gram].size());
      }
  }

  // p_n(symbol | the last n - 1 of context)
  double probability(const Numbers& context, std::uint32_t symbol, std::size_t n) const {
    if (n == 0) return 1 / double(vocab_);
    double total = 0, mass = 0, c = 0;
    for (const auto& [gram, count] : counts_[n]) {
      if (!std::equal(gram.begin(), gram.end() - 1, context.end() - std::ptrdiff_t(n - 1))) continue;
      total += count;
      mass += discount(n, count);
      if (gram.back() == symbol) c = count - discount(n, count);
    }
    const double lower = probability(context, symbol, n - 1);
    if (total == 0) return lower;
    return kneser_ney_ ? (c + mass * lower) / total : (c + a_ * lower) / (total + a_);
  }

 private:
  double discount(std::size_t n, double count) const {
    if (!kneser_ney_) return 0;
    std::array<double, 5> with{};  // n-grams with a count of 1, 2, 3, 4
    for (const auto& entry : counts_[n])
      if (entry.second <= 4) ++with[std::size_t(entry.second)];
    const double y = with[1] / (with[1] + 2 * with[2]);
    const double one = 1 - 2 * y * with[2] / with[1], two = 2 - 3 * y * with[3] / with[2];
    const double three = 3 - 4 * y * with[4] / with[3];
    const bool usable = one > 0 && one < 1 && two > 0 && two < 2 && three > 0 && three < 3;  // NaN is not
    if (!usable) return .5;
    return count == 1 ? one : count == 2 ? two : three;
  }

  std::size_t vocab_;
  double a_;
  bool kneser_ney_;
  std::vector<std::map<Numbers, double>> counts_;
};

// The model, whose text this is, and the definition agree after contexts of the text and after the same with one symbol
// changed; a distribution has no zeros and sums to 1.
static void definition(Checks& check, const Numbers& text, std::size_t vocab, std::size_t order, bool kneser_ney) {
  const double a = .7;
  const Ngram m = kneser_ney ? Ngram::kneser_ney(text, vocab, order) : Ngram::interpolated(text, vocab, order, a);
  const Definition d(text, vocab, order, a, kneser_ney);
  double worst = 0, least = 1;
  std::vector<double> p(vocab);
  for (std::size_t end = 0; end <= text.size(); end += 7)
    for (std::uint32_t swap = 0; swap < 2; ++swap) {
      const std::size_t length = std::min(end, order + 1);
      Numbers context(text.begin() + std::ptrdiff_t(end - length), text.begin() + std::ptrdiff_t(end));
      if (length > 1) context[length - 2] = (context[length - 2] + swap) % std::uint32_t(vocab);
      m.distribution(context, p);
      worst = std::max(worst, std::abs(std::accumulate(p.begin(), p.end(), -1.0)));
      least = std::min(least, *std::min_element(p.begin(), p.end()));
      for (std::uint32_t s = 0; s < vocab; s += std::uint32_t(vocab + 7) / 8) {
        worst = std::max(worst, std::abs(p[s] - d.probability(context, s, std::min(length + 1, order))));
        if (m.probability(context, s) != p[s]) worst = HUGE_VAL;
      }
    }
  const std::string what = (kneser_ney ? "Kneser-Ney order " : "interpolated order ") + std::to_string(order) +
                           " over " + std::to_string(vocab) + " symbols, text of " + std::to_string(text.size());
  check.near(worst, 0, rounding(m), what);
  check.that(least > 0, what + ": a probability is 0");
}

static void definitions(Checks& check) {
  // Skewed towards the low symbols, so that some are rare and the three discounts come out different.
  Random random(3);
  const auto skewed = [&random](std::size_t length, std::uint32_t vocab) {
    Numbers text(length);
    for (auto& s : text) s = static_cast<std::uint32_t>(std::min(random.below(vocab), random.below(vocab)));
    return text;
  };
  const Numbers five = skewed(400, 5), bytes = skewed(60, 256);
  for (const bool kneser_ney : {false, true}) {
    for (std::size_t order = 1; order <= 8; ++order) {
      if (order <= 5) definition(check, five, 5, order, kneser_ney);
      definition(check, {}, 4, order, kneser_ney);
      definition(check, {0}, 1, order, kneser_ney);
      definition(check, {1, 0}, 2, order, kneser_ney);  // shorter than most orders
      definition(check, Numbers(50, 0), 1, order, kneser_ney);
      definition(check, Numbers(50, 1), 3, order, kneser_ney);
      definition(check, {0, 0, 1, 1, 2, 2, 2}, 3, order, kneser_ney);
    }
    definition(check, bytes, 256, 8, kneser_ney);
  }
}

// ------------------------------------------------------------------------------------------------------------- edges

static void edges(Checks& check) {
  const Numbers text{0, 1, 2, 1, 0, 1, 3}, other{4};
  // The mean of n equal numbers, added one by one, is off by at most n roundings.
  const Ngram uniform = Ngram::kneser_ney({}, 7, 3);
  check.near(uniform.loss(text), std::log(7.0), 7 * eps * std::log(7.0), "without counts the loss is ln vocab");
  check.that(uniform.distinct_up_to(3) == 0, "without a text nothing is stored");
  const Ngram raw = Ngram::interpolated(text, 4, 2, 0), m = Ngram::interpolated(text, 4, 3, 1);
  check.that(raw.probability(Numbers{1}, 2) == 1.0 / 3 && raw.probability(Numbers{1}, 1) == 0, "a = 0: frequencies");
  check.that(raw.loss(Numbers{1, 1}) == HUGE_VAL, "a = 0: an unseen pair costs infinity");

  std::vector<double> p(4), small(3);
  struct Case {
    const char* words;
    std::function<void()> f;
  };
  for (const auto& [words, f] : {Case{"a must be", [&] { Ngram::interpolated(text, 4, 3, -1); }},
                                 {"a must be", [&] { Ngram::interpolated(text, 4, 3, std::nan("")); }},
                                 {"a must be", [&] { Ngram::interpolated(text, 4, 3, HUGE_VAL); }},
                                 {"at least 1", [&] { Ngram::kneser_ney(text, 4, 0); }},
                                 {"at least 1", [&] { Ngram::kneser_ney({}, 0, 1); }},
                                 {"symbol 3 is outside", [&] { Ngram::kneser_ney(text, 3, 2); }},
                                 {"highest order is 8", [&] { Ngram::kneser_ney(text, 256, 9); }},
                                 {"highest order is 9", [&] { Ngram::kneser_ney(text, 65, 10); }},  // of 7 bits
                                 {"room", [&] { m.distribution({}, small); }},
                                 {"symbol 4 is outside", [&] { m.distribution(other, p); }},
                                 {"symbol 4 is outside", [&] { m.probability({}, 4); }},
                                 {"symbol 4 is outside", [&] { m.loss(other); }},
                                 {"at least one symbol", [&] { m.loss({}); }},
                                 {"at least one symbol", [&] { m.loss(text, 7); }}})
    check.throws<std::invalid_argument>(f, words, words);
  check.throws<std::out_of_range>([&] { m.distinct(0); }, "", "n-grams of order 0");
  check.throws<std::out_of_range>([&] { m.distinct_up_to(4); }, "", "n-grams above the order");
}

// --------------------------------------------------------------------------------------------------------------- data

static void tiny_shakespeare(Checks& check, const std::string& folder) {
  const std::string play = read_file(folder + "/tinyshakespeare.txt");
  const Vocabulary v(play);
  const Numbers text = v.encode(play);
  const Split s = split(text, .9, .1, 0);
  const std::array<double, 5> published = {0, 3.3473, 2.486, 2.042, 1.762};
  for (std::size_t order = 1; order <= 4; ++order)  // half a unit of the last digit given
    check.near(Ngram::interpolated(s.train, v.size(), order, 20).loss(s.validation), published[order],
               order == 1 ? 5e-5 : 5e-4, "interpolated order " + std::to_string(order));
  check.near(Ngram::interpolated(s.train, v.size(), 4, .5).loss(s.validation), 1.855, 5e-4, "4-gram, a = .5");

  // From a separate program in another language with the same conventions, to its last digit; the contexts of the first
  // symbols reach across the cut.
  const std::array<double, 7> expected = {3.347328, 2.483527, 2.038078, 1.718990, 1.561097, 1.522563, 1.516431};
  const std::array<std::size_t, 7> distinct = {65, 1445, 12'673, 61'212, 194'505, 459'128, 872'748};
  for (std::size_t order = 1; order <= 7; ++order) {
    const Ngram m = Ngram::kneser_ney(s.train, v.size(), order);
    const std::size_t before = order - 1;
    const double loss = m.loss(std::span(text).subspan(s.train.size() - before), before);
    check.near(loss, expected[order - 1], 5.1e-7, "Kneser-Ney of order " + std::to_string(order));
    check.that(m.distinct_up_to(order) == distinct[order - 1], "distinct n-grams up to order " + std::to_string(order));
  }
}

int main() {
  Checks check;
  by_hand(check);
  definitions(check);
  edges(check);
  if (const char* folder = std::getenv("COURSE_DATA")) tiny_shakespeare(check, folder);
  else std::puts("test_ngram: COURSE_DATA is not set, the tiny Shakespeare part is skipped");
  return check.done("test_ngram");
}
