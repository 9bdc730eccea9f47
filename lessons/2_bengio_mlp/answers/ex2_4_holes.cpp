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
  double rest = 1, shorter_rest = 1, kept = 0;  // what is left of 1, here and in the shorter context
  for (const double one : p) rest -= one;
  for (const double one : shorter) shorter_rest -= one;
  const auto over_kept = [&](auto term) {
    double sum = 0;
    for (std::size_t j = 0; j < p.size(); ++j) sum += term(p[j], shorter[j]);
    return sum;
  };
  kept = over_kept([](double p, double q) { return p * std::log(p / q); });
  slip(kept, 0, "the kept symbols are missing: each had p and has its probability after the shorter context");
  slip(kept, over_kept([](double p, double q) { return q * std::log(p / q); }),
       "a kept symbol comes as often as the table says, with p, not with what the shorter context says");
  slip(kept, over_kept([](double p, double q) { return std::log(p / q); }),
       "a kept symbol costs that each time it comes, and it comes with probability p");
  slip(kept, over_kept([](double p, double q) { return -p * std::log(q); }),
       "that is what the kept symbols cost afterwards; what they cost before is to be subtracted");
  slip(kept, over_kept([](double p, double) { return -p * std::log(p); }),
       "that is what the kept symbols cost before; what they cost afterwards is missing");
  slip(kept, -kept, "upside down: the text loses where p is larger than what the shorter context says");
  slip(kept, over_kept([&](double p, double q) { return p * std::log(p / (q * (rest + p) / (shorter_rest + q))); }),
       "(2.9) drops one n-gram, and ω' is the weight then; when all are dropped there is no weight any more");
  double others = rest * std::log(rest / shorter_rest);
  slip(others, 0, "the other symbols are missing: they had ω times what they have now");
  slip(others, -others, "upside down: where ω is below 1 the other symbols gain");
  slip(others, std::log(rest / shorter_rest),
       "the others cost ln ω each time one comes: together with probability rest");
  slip(others, shorter_rest * std::log(rest / shorter_rest),
       "the others come as often as the table says, not the shorter context");
  slip(others, rest * std::log(rest),
       "ω is not what is left of 1: divide by what the others have after the shorter context");
  slip(others, -rest * std::log(shorter_rest), "ω is not 1 over what the others have after the shorter context");
  double all = kept + others;
  slip(all, all / double(p.size() + 1),
       "a mean over the symbols that come, each with its probability: nothing is to be divided");
  slip(all, all / std::log(2), "that is in bits; nats have e as their base");
  slip(all, -all, "the sign: it is what the text loses");
  return all;
}

}  // namespace ours::ex2_4

static Verdict check() {
  Random random(6);
  constexpr std::size_t contexts = 4;
  std::vector<std::vector<double>> p(contexts), shorter(contexts);
  Answer answer{"worth", Matrix<double>(1, contexts), Matrix<double>(1, contexts), {}};
  for (std::size_t i = 0; i < contexts; ++i) {
    // Written out: a vocabulary of nine, whose first symbols are kept, with ω from what the others must sum to.
    std::vector<double> q(9), row(9);
    double sum = 0, rest = 1, shorter_rest = 1;
    for (double& one : q) sum += one = random.uniform(0.1, 1);
    for (double& one : q) one /= sum;
    for (std::size_t j = 0; j < i + 2; ++j) {
      p[i].push_back(random.uniform(0.05, 0.18));
      shorter[i].push_back(q[j]);
      rest -= p[i][j];
      shorter_rest -= q[j];
    }
    for (std::size_t j = 0; j < q.size(); ++j) row[j] = j < i + 2 ? p[i][j] : q[j] * rest / shorter_rest;
    for (std::size_t j = 0; j < q.size(); ++j) answer.right(0, i) += row[j] * std::log(row[j] / q[j]);
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
