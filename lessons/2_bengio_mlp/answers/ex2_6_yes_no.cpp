// Exercise 2.6: a yes-no loss for scores of any size.
// Hint: What is 1 / (1 + std::exp(1000))? And what is left of 1 - p when p lacks only e^-40 of 1?
// Hint: -ln σ(r) is ln(1 + e^-r), and 1 - σ(r) is σ(-r). If r is below 0, take e^-r out of the
// bracket.
// Hint: Let r be score for yes and -score for no. The loss is max(0, -r) + ln(1 + e^-|r|).
// std::log1p(x) is ln(1 + x), and keeps the digits of a small x.
// SPDX-License-Identifier: MIT
#include <cmath>

// For the check:
#include <algorithm>
#include <ex2_6_yes_no.hpp>

#include "common/frame/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex2_6 {

// "No" is "yes" with the sign changed, and log1p keeps the digits of a small x.
inline double yes_no_loss(double score, bool yes) {
  double r = yes ? score : -score;
  slip(r, -r, "yes and no are exchanged");
  slip(r, score, "no is treated as if it were yes");
  slip(r, -score, "yes is treated as if it were no");
  double far = r < 0 ? -r : 0;
  slip(
      far, 0,
      "a large loss is missing: if you take the size of the score, a term of its own must make up for it");
  double near = std::log1p(std::exp(-std::abs(r)));
  slip(near, 0, "that is only the loss of scores far from 0; near 0 the logarithm counts");
  slip(
      near, std::log(1 + std::exp(-std::abs(r))),
      "nothing overflows now, but 1 plus a small number has lost that number's digits before the logarithm sees it");
  double loss = far + near;
  slip(
      loss, std::log1p(std::exp(-r)),
      "the exponential overflows where the score is far on the wrong side, so nothing is left of a large loss");
  slip(
      loss, std::log(1 + std::exp(-r)),
      "the exponential overflows where the score is far on the wrong side; where it is small, 1 plus it has lost its digits before the logarithm");
  return loss;
}

}  // namespace ours::ex2_6

static const std::vector<double> scores{-1000, -40, -30, -3, -0.5, 0, 0.5, 3, 30, 40, 1000};

template <class F>
static Matrix<double> losses_by(F loss) {
  Matrix<double> losses(2, scores.size());
  for (std::size_t k = 0; k < scores.size(); ++k) {
    losses(0, k) = loss(scores[k], true);
    losses(1, k) = loss(scores[k], false);
  }
  return losses;
}

// A small loss counts as much as one of 1000.
static bool is_near(double x, double y) {
  return x == y || (std::isfinite(y) && std::abs(x - y) <= 1e-12 * std::abs(y));
}

static bool same(const Matrix<double>& a, const Matrix<double>& b) {
  const auto alike = [](double x, double y) {
    return is_near(x, y) || (std::isnan(x) && std::isnan(y));
  };
  return std::equal(a.values().begin(), a.values().end(), b.values().begin(), alike);
}

static Assessment check() {
  const auto ours = [] { return losses_by(ours::ex2_6::yes_no_loss); };
  if (slips().tested) test_slips(ours, same, same);
  const Matrix<double> yours = losses_by(ex2_6::yes_no_loss), right = ours();
  const Matrix<double> as_given = losses_by([](double score, bool yes) {
    const double p = 1 / (1 + std::exp(-score));
    return yes ? -std::log(p) : -std::log(1 - p);
  });
  const auto [worst, its_right] =
      std::mismatch(yours.values().begin(), yours.values().end(), right.values().begin(), is_near);
  if (worst == yours.values().end()) return done();
  const std::size_t k = std::size_t(worst - yours.values().begin());
  const double least = yours(0, 9), largest = yours(0, 0);  // a yes at 40 and at -1000
  const bool yes = k < scores.size();
  const std::string call =
      join("yes_no_loss(", scores[yes ? k : k - scores.size()], ", ", yes ? "yes)" : "no)");
  const std::string finding =
      call + (std::isfinite(*worst) ? ": " + two_values(*worst, *its_right, "right")
                                    : " is not finite: an exponential is too large, or a "
                                      "probability has become 0 before its logarithm");
  if (same(yours, as_given)) return not_started(finding);
  std::string cause = cause_of(yours, ours, same);
  if (cause.empty() && largest > 1 && largest < 999)
    cause = "you keep a score or a probability within limits, and that makes a large loss wrong";
  if (cause.empty() && least == 0)
    cause = "a small loss is not 0: twelve digits count, even of e^-40";
  return wrong(cause.empty() ? finding : "yes_no_loss: " + cause + "\n" + finding);
}
static const Exercise here{"2.6", "A yes-no loss for scores of any size", check};
