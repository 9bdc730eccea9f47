// Lesson 6: the five variants trained side by side, seed by seed, and what can be said of their losses.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "lessons/6_bma/run/checkpoint.hpp"

namespace lesson6 {

class Session;

// The weights of the first block's attention on the first window of the held-out text, after so many steps.
struct AttentionAfter {
  long step;
  Matrix<float> A;  // heads·tokens x tokens
};

// One run and what was seen of it.
struct Outcome {
  Run run;
  std::vector<double> losses;  // of each step
  double seconds = 0;
  std::vector<AttentionAfter> attention = {};  // before, in and after the training; of the first run of bma only
};

// Runs with the same seeds: the k-th of each variant shares its start and its windows with the k-th of the others.
struct Compared {
  std::vector<Gate> gates;
  std::vector<std::vector<Outcome>> outcomes;  // by gate, then by seed
  std::vector<std::vector<double>> losses;     // on the last tenth; the like

  const std::vector<double>& of(Gate gate) const;

  // Returns, seed by seed, the loss of one minus that of the other.
  std::vector<double> differences(Gate one, Gate other) const;
};

// Trains so many runs of each variant, all as `recipe` says but for the gate and the seed.
Compared compare(Session& session, const Recipe& recipe, std::size_t seeds, const std::string& what);

// Counts the steps whose loss is more than half a nat above the mean of the ten before.
std::size_t spikes(const std::vector<double>& losses);

}  // namespace lesson6
