// Lesson 4: which counts a claim allows for.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/run/session.hpp"

#include <cmath>

namespace lesson4 {

Bound binomial(std::size_t runs, double p) {
  constexpr double rare = 3.4e-6;
  const double n = double(runs);
  const auto probability = [&](double k) {
    return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) +
                    (n - k) * std::log1p(-p));
  };
  double low = 0, high = n;
  for (double below = probability(low); below < rare; below += probability(++low)) continue;
  for (double above = probability(high); above < rare; above += probability(--high)) continue;
  return between(low, high);
}

}  // namespace lesson4
