// Exercise 6.1: a table of seeds. Is there a winner, and why?
// Hint: Five differences bma - standard, one for each seed; then their mean and their deviation. spread_of does both, and
// gives the luck.
// Hint: A winner may be named where the mean is farther from 0 than the luck. How often each of the two was ahead is no
// measure: five coins fall 4 to 1, or more unevenly, in three cases of eight.
// Hint: half has neither a query in its factor nor a parameter more than standard. What it gains over standard cannot be
// due to either. What is left for bma to gain?
// SPDX-License-Identifier: MIT
#include <ex6_1_seeds.hpp>

#include "lessons/6_bma/answers/shared.hpp"

using namespace shared;

// What wrong answers are made of.
struct Figures {
  double n, x, y, paired, unpaired, factor;  // the deviations x of a and y of b; Student's factor
  double by_n() const { return std::sqrt((n - 1) / n); }
};
static Figures of(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> differences = b;
  for (std::size_t seed = 0; seed < a.size(); ++seed) differences[seed] -= a[seed];
  const Spread pairs = spread_of(differences);
  const double n = double(a.size()), x = spread_of(a).deviation, y = spread_of(b).deviation;
  return {n, x, y, pairs.deviation, std::hypot(x, y), pairs.luck() * std::sqrt(n) / pairs.deviation};
}

namespace ours::ex6_1 {

// Seed:                               1       2       3       4       5
const std::vector<double> standard{2.0275, 2.0635, 2.0557, 1.9903, 2.0534};
const std::vector<double> half{1.9899, 1.9877, 1.9820, 1.9576, 1.9932};
const std::vector<double> bma{1.9886, 1.9870, 1.9819, 1.9578, 1.9931};

// b against a, seed by seed.
struct Comparison {
  double mean = 0;      // of the differences b - a: below 0 where b is better
  double paired = 0;    // the deviation of these differences
  double unpaired = 0;  // √(x² + y²), with the deviations x of a and y of b: what it would be if nothing were paired
  double luck = 0;      // how far from 0 the mean may lie by chance, judged by the pairs
};

enum class Winner { not_answered, first, second, nobody };
enum class Cause { not_answered, the_query_in_the_gate, more_parameters, the_factor_of_one_half, lucky_seeds };

inline Comparison compare(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> differences;
  for (std::size_t seed = 0; seed < a.size(); ++seed) differences.push_back(b[seed] - a[seed]);
  const Spread pairs = spread_of(differences);
  Comparison c{pairs.mean, pairs.deviation, std::hypot(spread_of(a).deviation, spread_of(b).deviation), pairs.luck()};
  slip(c.mean, -c.mean, "that is a - b; here it is b - a, below 0 where b is better");
  slip(c.mean, of(a, b).n * c.mean, "that is the sum; divide by the count of seeds");
  slip(c.paired, of(a, b).unpaired, "that is the unpaired one: take the differences first, then their deviation");
  slip(c.paired, of(a, b).paired * of(a, b).by_n(), "divided by n; for a sample it is n - 1");
  slip(c.paired, of(a, b).paired * of(a, b).paired, "that is the variance; take the root");
  slip(c.paired, of(a, b).paired / std::sqrt(of(a, b).n),
       "that is of the mean; here the deviation of a single difference is asked for");
  slip(c.paired, of(a, b).x - of(a, b).y, "the difference of two deviations; it is the deviation of the differences");
  slip(c.paired, of(a, b).x + of(a, b).y, "the sum of two deviations; it is the deviation of the differences");
  slip(c.paired, of(a, b).x, "that is the deviation of a");
  slip(c.paired, of(a, b).y, "that is the deviation of b");
  slip(c.unpaired, of(a, b).paired, "that is the paired one: here the two spreads are found apart from each other");
  slip(c.unpaired, of(a, b).x + of(a, b).y, "the squares add, not the deviations: √(x² + y²)");
  slip(c.unpaired, std::abs(of(a, b).x - of(a, b).y), "the squares add, not the deviations: √(x² + y²)");
  slip(c.unpaired, of(a, b).unpaired / std::sqrt(2),
       "that is of one of the two; the difference of two has both squares");
  slip(c.unpaired, of(a, b).x, "that is the deviation of a; b has its own");
  slip(c.unpaired, of(a, b).y, "that is the deviation of b; a has its own");
  slip(c.unpaired, of(a, b).x * of(a, b).x + of(a, b).y * of(a, b).y, "take the root");
  slip(c.unpaired, of(a, b).unpaired * of(a, b).by_n(), "divided by n; for a sample it is n - 1");
  slip(c.unpaired, of(a, b).unpaired / std::sqrt(of(a, b).n),
       "that is of the mean; here the deviation of a single difference is asked for");
  slip(c.luck, of(a, b).factor * of(a, b).paired,
       "the mean of n numbers is less at the mercy of chance than one: divide by √n");
  slip(c.luck, of(a, b).paired / std::sqrt(of(a, b).n), "Student's factor is missing");
  slip(c.luck, 1.96 * of(a, b).paired / std::sqrt(of(a, b).n),
       "1.96 is for many numbers; of five one knows the spread less well");
  slip(c.luck, 2 * of(a, b).paired / std::sqrt(of(a, b).n),
       "2 is for many numbers; of five one knows the spread less well");
  slip(c.luck, of(a, b).factor * of(a, b).paired / of(a, b).n, "divide by √n, not by n");
  slip(c.luck, of(a, b).factor * of(a, b).paired / std::sqrt(of(a, b).n - 1),
       "divide by √n; n - 1 is in the deviation already");
  slip(c.luck, of(a, b).factor * of(a, b).unpaired / std::sqrt(of(a, b).n),
       "judged without the pairs; take the paired deviation");
  slip(c.luck, of(a, b).paired, "that is the deviation; how far the mean may lie is another thing");
  return c;
}

const Winner standard_or_half = Winner::second;
const Winner standard_or_bma = Winner::second;
const Winner half_or_bma = Winner::nobody;

const Cause cause = Cause::the_factor_of_one_half;

}  // namespace ours::ex6_1

// The reader's file may be rewritten, the table too: these are the numbers that count.
using ours::ex6_1::bma, ours::ex6_1::half, ours::ex6_1::standard;

// Adds what is wrong with the four numbers of a pair; 0, as the stub has it, is not answered.
static void compare_pair(Findings& findings, const std::vector<double>& a, const std::vector<double>& b) {
  using Ours = ours::ex6_1::Comparison;
  const ex6_1::Comparison yours = ex6_1::compare(a, b);
  const Ours right = ours::ex6_1::compare(a, b);
  const auto add = [&](const char* name, double found, double Ours::*which) {
    // Student's factor has four digits.
    const Prediction number{name, found == 0 ? std::nan("") : found, right.*which, 1e-3};
    const Answer answer{name, {{found}}, {{right.*which}}};
    const Judge judge{1e-3, "right"};
    const std::string told = diagnose(number);
    const std::string cause =
        diagnose(answer, judge, [&, which] { return Matrix<double>{{ours::ex6_1::compare(a, b).*which}}; });
    findings.add(name, told.empty() || found == 0 ? told : cause);
  };
  add("mean", yours.mean, &Ours::mean);
  add("paired", yours.paired, &Ours::paired);
  add("unpaired", yours.unpaired, &Ours::unpaired);
  const double follows = yours.paired * right.luck / right.paired;
  if (yours.paired != 0 && std::abs(yours.luck - follows) < 1e-3 * follows &&
      std::abs(yours.luck - right.luck) > 1e-3 * right.luck)
    findings.add("luck", "follows from your paired: mend that first");
  else add("luck", yours.luck, &Ours::luck);
}

// What is wrong with the winner that the reader names of a pair; empty when it is right.
static std::string diagnose(ex6_1::Winner yours, const std::vector<double>& a, const std::vector<double>& b) {
  using ex6_1::Winner;
  const ours::ex6_1::Comparison c = ours::ex6_1::compare(a, b);
  const bool beyond = std::abs(c.mean) > c.luck;
  const Winner right = !beyond ? Winner::nobody : c.mean < 0 ? Winner::second : Winner::first;
  if (yours == Winner::not_answered) return "not answered yet";
  if (yours == right) return "";
  if (!beyond) return "compare the mean difference with the luck: which is larger? More wins than losses are no proof";
  return yours == Winner::nobody ? "compare the mean difference with the luck: which is larger?"
                                 : "a lower loss is better";
}

static std::string diagnose(ex6_1::Cause yours) {
  using ex6_1::Cause;
  if (yours == Cause::not_answered) return "not answered yet";
  if (yours == Cause::the_query_in_the_gate) return "half has no query in its factor; how far is it from bma?";
  if (yours == Cause::more_parameters) return "half has not one parameter more than standard; how far is it from bma?";
  if (yours == Cause::lucky_seeds) return "all three had the same seeds, and the difference is larger than the luck";
  return "";
}

static Verdict check() {
  using namespace ex6_1;
  const ex6_1::Comparison yours = ex6_1::compare(::standard, ::bma);
  const auto open = [](Winner w) { return w == Winner::not_answered; };
  if (yours.mean == 0 && yours.paired == 0 && yours.unpaired == 0 && yours.luck == 0 && open(standard_or_half) &&
      open(standard_or_bma) && open(half_or_bma) && cause == Cause::not_answered)
    return not_started();
  Findings findings;
  compare_pair(findings, ::standard, ::bma);
  if (findings.verdict().state == State::done) {
    Findings other;
    compare_pair(other, ::half, ::bma);
    if (other.verdict().state != State::done) findings.add("half and bma", other.verdict().findings);
  }
  findings.add("standard_or_half", diagnose(standard_or_half, ::standard, ::half));
  findings.add("standard_or_bma", diagnose(standard_or_bma, ::standard, ::bma));
  findings.add("half_or_bma", diagnose(half_or_bma, ::half, ::bma));
  findings.add("cause", diagnose(cause));
  return findings.verdict();
}
static const Exercise here{"6.1", "A table of seeds", check};
