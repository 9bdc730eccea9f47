// Lesson 3: a picture of losses that fall over the steps of a training, each as a ball that comes to
// rest on a floor, or goes through it.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/frame/plot/scene.hpp"

namespace lesson3 {

// Without a name a ball has no label; it rests beside another.
struct Fall {
  std::string name;
  plot::Series losses;
  plot::Tone tone = plot::Tone::ink;
};

struct Floor {
  std::string name;
  double loss;
};

plot::Scene landing(const std::string& title, const std::vector<Fall>& falls,
                    const std::vector<Floor>& floors);

}  // namespace lesson3
