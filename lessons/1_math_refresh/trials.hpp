// Part 7's measure: how many steps a network needs to learn, from several starts.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/frame/text/words.hpp"
#include "common/spread.hpp"

namespace lesson1 {

constexpr std::size_t patience = 400;

// The steps to learn from each start, or `patience` where learning fails. The first half of the
// starts may choose a rate, for which the others count.
struct Trials {
  double gain;
  double rate;
  std::size_t layers;
  std::vector<double> steps = {};

  std::ptrdiff_t half() const { return std::ptrdiff_t(steps.size() + 1) / 2; }
  double all() const { return geometric_mean(steps); }
  double choosing() const { return geometric_mean({steps.begin(), steps.begin() + half()}); }
  double counting() const { return geometric_mean({steps.end() - half(), steps.end()}); }
  std::string text() const {
    const auto failed = std::count(steps.begin(), steps.end(), double(patience));
    return failed > 0 ? join("fails ", failed, " of ", steps.size()) : fixed(all(), 0);
  }
};

// Returns the trials of this depth and gain at the rate that suits the starts that choose.
inline Trials fastest(const std::vector<Trials>& rows, std::size_t layers, double gain) {
  std::vector<Trials> mine;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(mine),
               [&](const Trials& one) { return one.layers == layers && one.gain == gain; });
  return *std::min_element(mine.begin(), mine.end(), [](const Trials& one, const Trials& other) {
    return one.choosing() < other.choosing();
  });
}

}  // namespace lesson1
