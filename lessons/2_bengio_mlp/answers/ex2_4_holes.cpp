// Exercise 2.4: a table with holes.
// Hint: What do the kept n-grams leave of 1? Who shares that?
// Hint: The other symbols have together 1 - Σ shorter[j] in the shorter context, and w times that here.
// Hint: Dropping the last gives its p back to what is left, and adds its symbol to those that share.
// SPDX-License-Identifier: MIT
#include <ex2_4_holes.hpp>

#include "common/exercise/exercise.hpp"
#include "common/random.hpp"

using namespace exercise;

namespace ours::ex2_4 {

struct Weights {
  double w, without_the_last;
};

// Returns w, and w once the last of the kept n-grams has been dropped, too.
inline Weights weights(const std::vector<double>& p, const std::vector<double>& shorter) {
  double rest = 1, shorter_rest = 1;  // what is left of 1, here and in the shorter context
  for (const double kept : p) rest -= kept;
  for (const double kept : shorter) shorter_rest -= kept;
  double more = p.back(), more_shorter = shorter.back();
  slip(more, 0, "the symbol that is dropped leaves its p to the others");
  slip(more_shorter, 0, "the symbol that is dropped is one more to share what is left");
  slip(more_shorter, more, "what it has in the shorter context is not its p");
  Weights found{rest / shorter_rest, (rest + more) / (shorter_rest + more_shorter)};
  slip(found.w, 1, "with a weight of 1 the probabilities do not sum to 1");
  slip(found.w, rest, "the others do not have 1 in the shorter context: divide by what they have");
  slip(found.w, rest / (1 - shorter_rest), "the kept ones do not share: divide by what the others have");
  slip(found.w, shorter_rest / rest, "upside down: w times what they had is what is left");
  slip(found.w, 1 / shorter_rest, "the kept ones have taken their part: what is left is less than 1");
  slip(found.without_the_last, found.w, "the weight changes when an n-gram is dropped");
  slip(found.without_the_last, rest + more, "divide by what the others have in the shorter context");
  slip(found.without_the_last, (shorter_rest + more_shorter) / (rest + more),
       "upside down: w times what they had is what is left");
  slip(found.without_the_last, (rest - more) / (shorter_rest - more_shorter),
       "what is dropped is given back, not taken once more");
  return found;
}

}  // namespace ours::ex2_4

static Verdict check() {
  Random random(6);
  constexpr std::size_t contexts = 4;
  std::vector<std::vector<double>> p(contexts), shorter(contexts);
  Answer answer{"weights", Matrix<double>(contexts, 2), Matrix<double>(contexts, 2), {}};
  for (std::size_t i = 0; i < contexts; ++i) {
    double rest = 1, shorter_rest = 1;
    for (std::size_t j = 0; j < i + 2; ++j) {
      p[i].push_back(random.uniform(0.05, 0.15));
      shorter[i].push_back(random.uniform(0.01, 0.1));
      if (j > i) answer.right(i, 1) = rest / shorter_rest;  // all but the last
      rest -= p[i][j];
      shorter_rest -= shorter[i][j];
    }
    answer.right(i, 0) = rest / shorter_rest;
    answer.places.insert(answer.places.end(), {join("w of ", i + 2, " kept"), join("w without the last of ", i + 2)});
  }
  const auto by = [&](auto weights) {
    Matrix<double> found(contexts, 2);
    for (std::size_t i = 0; i < contexts; ++i) {
      const auto [w, without] = weights(p[i], shorter[i]);
      found(i, 0) = w;
      found(i, 1) = without;
    }
    return found;
  };
  answer.yours = calling("weights", [&] { return by(ex2_4::weights); });
  if (untouched(answer)) return not_started();
  Findings findings;
  findings.add("weights", answer, {rounding, "right"}, [&] { return by(ours::ex2_4::weights); });
  return findings.verdict();
}
static const Exercise here{"2.4", "A table with holes", check};
