// Checks common/support/ngram.hpp against examples worked out by hand, against the definition counted from scratch, and
// against published figures. The last part wants tinyshakespeare.txt in the folder that COURSE_DATA names.
// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>

#include "common/support/file.hpp"
#include "common/support/ngram.hpp"
#include "common/support/text.hpp"
#include "tests/check.hpp"

using Numbers = std::vector<std::uint32_t>;

static constexpr double eps = std::numeric_limits<double>::epsilon();

// Each order adds up at most vocab counts and as many discounts, and does four more operations on each entry: every one
// of them rounds by at most eps/2. One more order pays for adding up the distribution.
static double rounding(const Ngram& m) { return static_cast<double>((m.order() + 1) * (m.vocab() + 4)) * eps; }

// Skewed towards the low symbols, so that some are rare and the three discounts come out different.
static Numbers random_text(std::size_t length, std::uint32_t vocab, std::uint32_t seed) {
  std::mt19937 random(seed);
  Numbers text(length);
  for (auto& s : text) s = static_cast<std::uint32_t>(std::min(random() % vocab, random() % vocab));
  return text;
}

// ---------------------------------------------------------------------------------------------------------- by hand

// abracadabra = a5 b2 r2 c1 d1 of 11; pairs ab2 br2 ra2 ac1 ca1 ad1 da1; a=0 b=1 c=2 d=3 r=4.
static void abracadabra(Checks& check) {
  const Numbers text = Vocabulary("abracadabra").encode("abracadabra");
  const Numbers a{0}, d{3}, abra{0, 1, 4, 0};

  // Interpolated with a = 1. Order 1: (c + 1/5)/(11 + 1): a 5.2/12, b and r 2.2/12, c and d 1.2/12.
  // Order 2 after a (b2 c1 d1, 4 in all): (c + p1)/5. After d (a1): (c + p1)/2.
  const Ngram add = Ngram::interpolated(text, 5, 2, 1);
  check.near(add.probability({}, 0), 5.2 / 12, rounding(add), "interpolated p(a)");
  check.near(add.probability(a, 1), (2 + 2.2 / 12) / 5, rounding(add), "interpolated p(b|a)");
  check.near(add.probability(a, 0), 5.2 / 12 / 5, rounding(add), "interpolated p(a|a), a pair never seen");
  check.near(add.probability(d, 0), (1 + 5.2 / 12) / 2, rounding(add), "interpolated p(a|d)");
  // loss of abra: p(a) p(b|a) p(r|b) p(a|r), the latter two (2 + p1)/3
  const double product = 5.2 / 12 * (2 + 2.2 / 12) / 5 * (2 + 2.2 / 12) / 3 * (2 + 5.2 / 12) / 3;
  // ln turns the relative error of a probability into an absolute one; the smallest probability here is 1/3.
  check.near(add.loss(abra), -std::log(product) / 4, 3 * rounding(add), "loss of abra");
  check.near(add.loss(abra, 3), -std::log((2 + 5.2 / 12) / 3), 3 * rounding(add), "loss of its last symbol");

  // Kneser-Ney. No pair occurs three times and no symbol has two left neighbours, so all discounts are 1/2.
  // Order 1, left neighbours: a 4 (r, c, d and the start), the others 1; 8 in all; 5 discounts of 1/2 leave 2.5/8 to the
  // uniform 1/5: a 3.5/8 + .0625 = .5, the others .5/8 + .0625 = .125.
  // Order 2 after a (b2 c1 d1): 1.5/4 goes to order 1: b 1.5/4 + .375·.125, c and d .5/4 + .375·.125, a .375·.5.
  const Ngram kn = Ngram::kneser_ney(text, 5, 2);
  check.near(kn.probability({}, 0), .5, rounding(kn), "Kneser-Ney p(a)");
  check.near(kn.probability({}, 1), .125, rounding(kn), "Kneser-Ney p(b)");
  check.near(kn.probability(a, 1), .421875, rounding(kn), "Kneser-Ney p(b|a)");
  check.near(kn.probability(a, 2), .171875, rounding(kn), "Kneser-Ney p(c|a)");
  check.near(kn.probability(a, 0), .1875, rounding(kn), "Kneser-Ney p(a|a), a pair never seen");
  check.that(kn.distinct(1) == 5 && kn.distinct(2) == 7 && kn.distinct_up_to(2) == 12, "distinct n-grams stored");
  check.that(kn.order() == 2 && kn.vocab() == 5, "order and vocabulary");
}

// abcd once, ef twice, g three times, h four times: n1 = 4, n2 = 2, n3 = n4 = 1, Y = 4/(4 + 2·2) = 1/2,
// D1 = 1 - 2·Y·2/4 = .5, D2 = 2 - 3·Y·1/2 = 1.25, D3 = 3 - 4·Y·1/1 = 1; the mass is 4·.5 + 2·1.25 + 1 + 1 = 6.5 of 15.
static void three_discounts(Checks& check) {
  const Ngram kn = Ngram::kneser_ney(Vocabulary("abcdefgh").encode("abcdeeffggghhhh"), 8, 1);
  check.near(kn.probability({}, 0), (0.5 + 6.5 / 8) / 15, rounding(kn), "discount of a count of 1");
  check.near(kn.probability({}, 4), (0.75 + 6.5 / 8) / 15, rounding(kn), "discount of a count of 2");
  check.near(kn.probability({}, 6), (2 + 6.5 / 8) / 15, rounding(kn), "discount of a count of 3");
  check.near(kn.probability({}, 7), (3 + 6.5 / 8) / 15, rounding(kn), "discount of a count of 4");
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

static void definition(Checks& check, const Numbers& text, std::size_t vocab, std::size_t order, bool kneser_ney) {
  const double a = .7;
  const Ngram m = kneser_ney ? Ngram::kneser_ney(text, vocab, order) : Ngram::interpolated(text, vocab, order, a);
  const Definition d(text, vocab, order, a, kneser_ney);
  double worst = 0;
  std::vector<double> p(vocab);
  for (std::size_t end = 0; end <= text.size(); end += 7)
    for (std::uint32_t swap = 0; swap < 2; ++swap) {  // contexts of the text, and the same with one symbol changed
      const std::size_t length = std::min(end, order + 1);
      Numbers context(text.begin() + std::ptrdiff_t(end - length), text.begin() + std::ptrdiff_t(end));
      if (length > 1) context[length - 2] = (context[length - 2] + swap) % std::uint32_t(vocab);
      m.distribution(context, p);
      for (std::uint32_t s = 0; s < vocab; s += std::uint32_t(vocab + 7) / 8)
        worst = std::max(worst, std::abs(p[s] - d.probability(context, s, std::min(length + 1, order))));
    }
  check.near(worst, 0, rounding(m),
             (kneser_ney ? "Kneser-Ney order " : "interpolated order ") + std::to_string(order) + " over " +
                 std::to_string(vocab) + " symbols is its definition");
}

// -------------------------------------------------------------------------------------------------------- sums to one

static void sums(Checks& check, const Ngram& m, const Numbers& text, const std::string& what) {
  std::vector<Numbers> contexts = {{}, Numbers(20, 0), Numbers(20, std::uint32_t(m.vocab() - 1))};
  for (std::size_t end = 1; end <= text.size(); end += 1 + text.size() / 20) {
    contexts.emplace_back(text.begin(), text.begin() + std::ptrdiff_t(end));  // seen
    for (std::size_t i = 0; i < 3; ++i) {                                     // mostly unseen
      contexts.push_back(contexts.back());
      contexts.back()[end - 1 - std::min(i, end - 1)] = std::uint32_t((end + i) % m.vocab());
    }
  }
  double worst = 0, least = 1;
  bool same = true;
  std::vector<double> p(m.vocab());
  for (const Numbers& context : contexts) {
    m.distribution(context, p);
    worst = std::max(worst, std::abs(std::accumulate(p.begin(), p.end(), 0.0) - 1));
    least = std::min(least, *std::min_element(p.begin(), p.end()));
    for (std::uint32_t s = 0; s < m.vocab(); ++s) same = same && m.probability(context, s) == p[s];
  }
  check.that(worst <= rounding(m), what + ": sums miss 1 by " + std::to_string(worst / eps) + " eps");
  check.that(least > 0, what + ": no probability is 0");
  check.that(same, what + ": probability is an entry of the distribution");
}

static void all_sums(Checks& check) {
  struct Case {
    const char* name;
    Numbers text;
    std::size_t vocab;
  };
  const std::vector<Case> cases = {{"no text", {}, 4},
                                   {"one symbol", {2}, 4},
                                   {"one symbol of one", {0}, 1},
                                   {"all equal", Numbers(50, 1), 3},
                                   {"all equal, vocabulary 1", Numbers(50, 0), 1},
                                   {"three symbols", {0, 1, 2}, 3},
                                   {"each twice", {0, 0, 1, 1, 2, 2}, 3},
                                   {"random", random_text(3000, 6, 1), 6},
                                   {"random bytes", random_text(3000, 256, 2), 256}};
  for (const Case& c : cases)
    for (std::size_t order = 1; order <= 8; ++order) {
      const std::string what = std::string(c.name) + ", order " + std::to_string(order);
      sums(check, Ngram::interpolated(c.text, c.vocab, order, .5), c.text, what + ", interpolated");
      sums(check, Ngram::kneser_ney(c.text, c.vocab, order), c.text, what + ", Kneser-Ney");
    }
}

// ------------------------------------------------------------------------------------------------------------- edges

static void edges(Checks& check) {
  const Numbers text{0, 1, 2, 1, 0, 1, 3}, other{4};
  // The mean of n equal numbers, added one by one, is off by at most n roundings.
  const Ngram uniform = Ngram::kneser_ney({}, 7, 3);
  check.near(uniform.loss(text), std::log(7.0), 7 * eps * std::log(7.0), "without counts the loss is ln vocab");
  check.that(uniform.distinct_up_to(3) == 0, "without a text nothing is stored");

  const Ngram raw = Ngram::interpolated(text, 4, 2, 0);
  check.that(raw.probability(Numbers{1}, 2) == 1.0 / 3 && raw.probability(Numbers{1}, 1) == 0,
             "a = 0: the frequencies");
  check.that(raw.loss(Numbers{1, 1}) == std::numeric_limits<double>::infinity(),
             "a = 0: an unseen pair costs infinity");

  const Ngram m = Ngram::interpolated(text, 4, 3, 1);
  std::vector<double> p(4), small(3);
  using Bad = std::invalid_argument;
  check.throws<Bad>([&] { Ngram::interpolated(text, 4, 3, -1); }, "a must be", "a < 0");
  check.throws<Bad>([&] { Ngram::interpolated(text, 4, 3, std::nan("")); }, "a must be", "a is not a number");
  check.throws<Bad>([&] { Ngram::interpolated(text, 4, 3, HUGE_VAL); }, "a must be", "a is infinite");
  check.throws<Bad>([&] { Ngram::kneser_ney(text, 4, 0); }, "at least 1", "order 0");
  check.throws<Bad>([&] { Ngram::kneser_ney({}, 0, 1); }, "at least 1", "no vocabulary");
  check.throws<Bad>([&] { Ngram::kneser_ney(text, 3, 2); }, "symbol 3 is outside", "a text outside the vocabulary");
  check.throws<Bad>([&] { Ngram::kneser_ney(text, 256, 9); }, "highest order is 8", "n-grams beyond 64 bits");
  check.throws<Bad>([&] { Ngram::kneser_ney(text, 65, 10); }, "highest order is 9", "n-grams of 7 bits beyond 64 bits");
  check.throws<Bad>([&] { m.distribution({}, small); }, "room", "a distribution too short");
  check.throws<Bad>([&] { m.distribution(other, p); }, "symbol 4 is outside", "a context outside the vocabulary");
  check.throws<Bad>([&] { m.probability({}, 4); }, "symbol 4 is outside", "a symbol outside the vocabulary");
  check.throws<Bad>([&] { m.loss(other); }, "symbol 4 is outside", "a loss outside the vocabulary");
  check.throws<Bad>([&] { m.loss({}); }, "at least one symbol", "the loss of nothing");
  check.throws<Bad>([&] { m.loss(text, 7); }, "at least one symbol", "a loss behind the end");
  check.throws<std::out_of_range>([&] { m.distinct(0); }, "", "n-grams of order 0");
  check.throws<std::out_of_range>([&] { m.distinct_up_to(4); }, "", "n-grams above the order");
}

// --------------------------------------------------------------------------------------------------------------- data

static void tiny_shakespeare(Checks& check, const std::string& folder) {
  const std::string play = read_file(folder + "/tinyshakespeare.txt");
  const Vocabulary v(play);
  const Numbers text = v.encode(play);
  const Split s = split(text, .9, .1, 0);
  const auto interpolated = [&](std::size_t order, double a) {
    return Ngram::interpolated(s.train, v.size(), order, a).loss(s.validation);
  };
  // Half a unit of the last digit given.
  check.near(interpolated(1, 20), 3.3473, 5e-5, "unigram");
  check.near(interpolated(2, 20), 2.486, 5e-4, "bigram");
  check.near(interpolated(3, 20), 2.042, 5e-4, "trigram");
  check.near(interpolated(4, 20), 1.762, 5e-4, "4-gram");
  check.near(interpolated(4, .5), 1.855, 5e-4, "4-gram, a = .5");

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
  abracadabra(check);
  three_discounts(check);
  for (const bool kneser_ney : {false, true}) {
    for (std::size_t order = 1; order <= 5; ++order) definition(check, random_text(400, 5, 3), 5, order, kneser_ney);
    definition(check, random_text(60, 256, 4), 256, 8, kneser_ney);
    definition(check, {1, 0}, 2, 4, kneser_ney);  // shorter than the order
  }
  all_sums(check);
  edges(check);
  if (const char* folder = std::getenv("COURSE_DATA")) tiny_shakespeare(check, folder);
  else std::puts("test_ngram: COURSE_DATA is not set, the tiny Shakespeare part is skipped");
  return check.done("test_ngram");
}
