// Exercise 1.9 (change, 20 minutes): a rate for other inputs. Let the two numbers of each example
// in part 8 be ten times as large, so that E[x²] is 100. W₁ is drawn ten times as small, so that
// every z is as before. Is (1.13) still right? A step moves z by -rate·Σ_k h[k]²·dz. Which rate
// moves z by the same multiple of dz, whatever enters? When E[h²] is 1, it is the rate of (1.13).
// The check trains as part 8 does, and asks whether one base serves all widths, as it does when
// E[x²] is 1.
// SPDX-License-Identifier: MIT
#pragma once

namespace ex1_9 {

// The rate of a matrix into whose units n numbers enter, with the second moment E[h²] = moment.
inline double rate(double base, [[maybe_unused]] double n, [[maybe_unused]] double moment) {
  // TODO: this is one rate for all matrices.
  return base;
}

}  // namespace ex1_9
