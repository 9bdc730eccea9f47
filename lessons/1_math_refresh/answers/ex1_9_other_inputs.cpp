// Exercise 1.9: a rate for other inputs.
// Hint: How large is Σ_k h[k]² for 64 numbers with E[h²] = 1? And for the two inputs of this task?
// Hint: The sum is n·E[h²]. The rate has to undo that, and for n = 64 and E[h²] = 1 it is base.
// SPDX-License-Identifier: MIT
// For the check:
#include <ex1_9_other_inputs.hpp>

#include "common/fast/parallel.hpp"
#include "common/frame/exercise/exercise.hpp"
#include "common/verdict.hpp"
#include "lessons/1_math_refresh/models.hpp"

using namespace exercise;

namespace ours::ex1_9 {

// A step moves z by rate·Σ h²·dz, and Σ h² is n·E[h²]. So z moves by base·64·dz in each layer.
inline double rate(double base, double n, double moment) {
  double squares = n * moment;
  slip(squares, n,
       "that is (1.13), without E[h²]: the first z moves a hundred times as far as before");
  slip(squares, n * std::sqrt(moment), "z moves by squares, so E[h²] counts, not its root");
  slip(squares, n * n * moment, "n counts once: Σ h² has n terms of the size E[h²]");
  slip(squares, n * moment * moment, "E[h²] is a mean of squares already");
  slip(squares, n / moment,
       "upside down: larger inputs move z further, so their rate must be smaller");
  slip(squares, n + moment, "n squares of the size E[h²] add up to n·E[h²]");
  slip(squares, moment, "n is missing: Σ h² has n terms");
  slip(squares, 64 * moment, "n is missing: Σ h² has n terms, and not always 64");
  slip(squares, 8 * std::sqrt(n) * moment, "Σ h² grows with n, not with its root");
  slip(squares, 100 * n,
       "100 is this task's E[x²]; what enters the other matrices has an E[h²] of about 1");
  slip(squares, n == 2 ? 100 * n : n,
       "n = 2 does not say how large the two numbers are; E[h²] does");
  double rate = base * 64 / squares;
  slip(rate, base / squares, "64 is missing: when E[h²] is 1, (1.13) stays as it is");
  slip(rate, base * squares / 64, "upside down: the larger Σ h², the further a step moves z");
  slip(rate, 64 / squares, "base is missing");
  slip(rate, std::sqrt(rate * base),
       "that undoes only half: z still moves further when Σ h² is larger");
  return rate;
}

}  // namespace ours::ex1_9

constexpr std::size_t widths[] = {32, 64, 128};  // half of part 8's, in a quarter of the time
constexpr double first_base = 0.016;

enum class Tell { if_wrong, always };

static std::string diagnose_training(Tell tell) {
  std::array<RateSweep, 3> yours;
  std::array<double, 3> before;
  Pool(2).run(3, [&](std::size_t k) {
    const auto loss = [&](double base) {
      return lesson1::wide_loss(widths[k], base, ex1_9::rate, 10, 1, {0, 2});
    };
    const auto usual_loss = [&](double base) {
      return lesson1::wide_loss(widths[k], base, lesson1::rate_by_inputs, 1, 1, {0, 2});
    };
    const RateSweep of_usual = sweep_rates(first_base, 2, usual_loss);
    yours[k] = sweep_rates(first_base, 2, loss);
    before[k] = of_usual.losses[of_usual.best];
  });
  bool holds = true;
  std::string bases, losses, usual;
  for (std::size_t k = 0; k < 3; ++k) {
    const double loss = yours[k].losses[yours[k].best], base = yours[k].rates[yours[k].best];
    bases += " " + yours[k].text();
    losses += loss < 1e6 ? " " + fixed(loss, 3) : " lost";
    usual += " " + fixed(before[k], 3);
    // One start strays by .02, and so does the difference of two means of two: 4.5 of that is .09.
    holds = holds && std::abs(std::log2(base / yours[0].rates[yours[0].best])) < 1.5 &&
            loss < before[k] + 0.09;
  }
  if (holds && tell == Tell::if_wrong) return "";
  return join("widths 32, 64, 128: best bases", bases, ", losses there", losses,
              "; with E[x²] = 1 the best base leaves", usual);
}

static exercise::Assessment check() {  // common/verdict.hpp has another
  constexpr std::pair<double, double> entering[] = {
      {64, 1}, {256, 1}, {2, 100}, {2, 0.01}, {128, 3}};
  const auto all = [&](auto rate) {
    Matrix<double> rates(1, std::size(entering));
    for (std::size_t k = 0; k < rates.size(); ++k)
      rates(0, k) = rate(0.5, entering[k].first, entering[k].second);
    return rates;
  };
  const auto right = [](double base, double n, double moment) { return base * 64 / (n * moment); };
  Answer rates{"rate", all(ex1_9::rate), all(right)};
  for (const auto& [n, moment] : entering)
    rates.places.push_back(join("rate(0.5, ", n, ", ", moment, ")"));
  if (rates.yours == all(lesson1::one_rate)) return not_started("rate: one for all matrices");
  Findings findings;
  findings.add("rate", rates, {1e-12, "right"}, [&] { return all(ours::ex1_9::rate); });
  const Tell tell = findings.verdict().state == State::wrong ? Tell::always : Tell::if_wrong;
  if (!slips().tested) findings.add("training", diagnose_training(tell));
  return findings.verdict();
}
static const Exercise here{"1.9", "A rate for other inputs", check};
