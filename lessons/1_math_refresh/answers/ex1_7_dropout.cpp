// Exercise 1.7: units that drop out.
// Hint: What share of the squares is left when a number stays with the probability keep?
// Hint: A share keep of ReLU's half is left. The division multiplies what stays by 1/keep. By how
// much does it multiply a square?
// Hint: E[h²] is keep·E[z²]/2 without the division and keep/keep²·E[z²]/2 with it. The gain is what
// makes up for the factor.
// SPDX-License-Identifier: MIT
// For the check:
#include <ex1_7_dropout.hpp>

#include "common/frame/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex1_7 {

// A layer multiplies E[h²] by n·Var W·share/2, where `share` of the squares stays.
inline double gain_for(double share) {
  double of_relu = 2;
  slip(of_relu, 1.0, "ReLU lets only half of the squares through, too");
  double gain = of_relu / share;
  slip(gain, 1 / gain, "upside down: that is what a layer does to E[z²]; undo it");
  slip(gain, std::sqrt(gain), "this scales the deviation, not the variance");
  slip(gain, of_relu + share, "undo a factor by dividing, not by adding");
  return gain;
}

inline double gain(double keep) {
  double share = keep;
  slip(share, 1.0, "what drops out takes its squares with it");
  slip(share, 1 - keep, "1 - keep drops out; what stays is a share of keep");
  slip(share, 2 - keep,
       "keep is the probability to stay, and 1 - keep the probability to drop out");
  slip(share, share * share, "a number stays or goes; it is not multiplied by keep");
  slip(share, std::sqrt(share), "we ask for the variance, not the deviation");
  slip(share, 1 / share, "upside down: less gets through, so Var W must be larger");
  return gain_for(share);
}

// keep·(1/keep²) of the squares is left.
inline double gain_divided(double keep) {
  double share = 1 / keep;
  slip(share, 1.0, "the division keeps the mean of h; its mean square is another matter");
  slip(share, keep, "that is without the division");
  slip(share, std::sqrt(share), "we ask for the variance, not the deviation");
  slip(share, 1 / (keep * keep),
       "the division makes squares larger, but only a share of them stays");
  slip(share, keep * keep, "what is divided becomes larger, so Var W must be smaller");
  slip(share, 1 / (1 - keep), "1 - keep drops out; what stays is a share of keep");
  slip(share, 1 - keep, "1 - keep drops out, and what is divided becomes larger");
  return gain_for(share);
}

}  // namespace ours::ex1_7

static Assessment check() {
  const Matrix<double> shares{{0.25, 0.4, 0.7, 0.9}};  // 1 - keep is another, and never 0
  constexpr Tolerance by_formula{1e-12, "right"};
  Answer gain{"gain", map_entries(shares, ex1_7::gain),
              map_entries(shares, [](double keep) { return 2 / keep; })};
  Answer divided{"gain_divided", map_entries(shares, ex1_7::gain_divided), 2 * shares};
  for (Answer* answer : {&gain, &divided})
    for (const double keep : shares.values())
      answer->places.push_back(join(answer->name, "(", keep, ")"));
  if (untouched(gain) && untouched(divided)) return not_started();
  Findings findings;
  findings.add("gain", gain, by_formula, [&] { return map_entries(shares, ours::ex1_7::gain); });
  findings.add("gain_divided", divided, by_formula,
               [&] { return map_entries(shares, ours::ex1_7::gain_divided); });
  return findings.verdict();
}
static const Exercise here{"1.7", "Units that drop out", check};
