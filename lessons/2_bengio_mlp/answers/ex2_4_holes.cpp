// Exercise 2.4: a table with holes.
// Hint: A symbol that had the probability p and has q now costs ln(p/q) more, each time it comes; it comes with probability p.
// Hint: A kept symbol has p[j], then shorter[j]. Another symbol has ω times its probability after the shorter context, then
// that probability itself: whichever it is, ln ω more. How often does one of them come, and what is ω?
// Hint: The others come with the probability rest = 1 - Σ p[j] together, and ω = rest/(1 - Σ shorter[j]).
// SPDX-License-Identifier: MIT
#include <ex2_4_holes.hpp>

#include "common/exercise/exercise.hpp"
#include "common/random.hpp"

using namespace exercise;

namespace ours::ex2_4 {

// Returns what a text that follows the table loses by it, in nats: the mean over the symbols that come after this context.
inline double worth(const std::vector<double>& p, const std::vector<double>& shorter) {
  double rest = 1, shorter_rest = 1;  // what is left of 1, here and after the shorter context
  for (const double one : p) rest -= one;
  for (const double one : shorter) shorter_rest -= one;
  const auto over_kept = [&](auto term) {
    double sum = 0;
    for (std::size_t j = 0; j < p.size(); ++j) sum += term(p[j], shorter[j]);
    return sum;
  };
  const double omega = rest / shorter_rest;
  double kept = over_kept([](double had, double gets) { return had * std::log(had / gets); });
  slip(kept, 0, "the kept symbols are missing: each had p and has its probability after the shorter context");
  slip(kept, over_kept([](double had, double gets) { return gets * std::log(had / gets); }),
       "a kept symbol comes as often as the table says, with p, not with what the shorter context says");
  slip(kept, over_kept([](double had, double gets) { return std::log(had / gets); }),
       "a kept symbol costs that each time it comes, and it comes with probability p");
  slip(kept, over_kept([](double had, double gets) { return -had * std::log(gets); }),
       "that is what the kept symbols cost afterwards; what they cost before is to be subtracted");
  slip(kept, over_kept([=](double had, double gets) { return had * std::log(had / (omega * gets)); }),
       "with the context its ω is gone: a kept symbol gets what the shorter context gives it");
  slip(kept, -kept, "upside down: the text loses where p is larger than what the shorter context says");
  double others = rest * std::log(omega);
  slip(others, 0, "the other symbols are missing: they had ω times what they have now");
  slip(others, -others, "upside down: where ω is below 1 the other symbols gain");
  slip(others, std::log(omega), "the others cost ln ω each time one comes: together with probability rest");
  slip(others, shorter_rest * std::log(omega), "the others come as often as the table says, not the shorter context");
  slip(others, rest * std::log(rest), "ω is what is left of 1 over what the others have after the shorter context");
  double all = kept + others;
  slip(all, over_kept([=](double had, double gets) {
         const double later = (rest + had) / (shorter_rest + gets);
         return had * std::log(had / (later * gets)) + rest * std::log(omega / later);
       }),
       "that adds up what each costs alone; once all are dropped, no weight is left");
  slip(all,
       over_kept([](double had, double gets) { return gets * std::log(gets / had); }) - shorter_rest * std::log(omega),
       "the text follows the table, so p says how often a symbol comes, not the shorter context");
  slip(all, all / double(p.size()), "each symbol counts with its probability already: nothing is to be divided");
  slip(all, -all, "the sign: it is what the text loses");
  return all;
}

}  // namespace ours::ex2_4

static Verdict check() {
  Random random(6);
  constexpr std::size_t contexts = 4, vocab = 9;
  std::vector<std::vector<double>> p(contexts), shorter(contexts);
  Answer answer{"worth", Matrix<double>(1, contexts), Matrix<double>(1, contexts), {}};
  for (std::size_t i = 0; i < contexts; ++i) {  // Σ row·ln(row/q), symbol by symbol, the first i + 2 kept
    double rest = 1, shorter_rest = 1;
    for (std::size_t j = 0; j < i + 2; ++j) {
      p[i].push_back(random.uniform(0.05, 0.18));
      shorter[i].push_back(double(j + 1) / 45);
      rest -= p[i][j];
      shorter_rest -= shorter[i][j];
    }
    for (std::size_t j = 0; j < vocab; ++j) {
      const double q = double(j + 1) / 45, row = j < i + 2 ? p[i][j] : q * rest / shorter_rest;
      answer.right(0, i) += row * std::log(row / q);
    }
    answer.places.push_back(join("the worth of ", i + 2, " kept"));
  }
  const auto by = [&](auto worth) {
    Matrix<double> found(1, contexts);
    for (std::size_t i = 0; i < contexts; ++i) found(0, i) = worth(p[i], shorter[i]);
    return found;
  };
  answer.yours = calling("worth", [&] { return by(ex2_4::worth); });
  if (untouched(answer)) return not_started();
  Findings findings;
  findings.add("worth", answer, {rounding, "right"}, [&] { return by(ours::ex2_4::worth); });
  return findings.verdict();
}
static const Exercise here{"2.4", "A table with holes", check};
