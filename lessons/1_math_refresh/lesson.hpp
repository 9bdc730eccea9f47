// Lesson 1: what its parts include.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/frame/lesson/part.hpp"
#include "common/spread.hpp"
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

inline constexpr knob::StaticList<std::string_view> activation_flags = [] {
  knob::StaticList<std::string_view> flags;
  for (const Activation& phi : activations) flags.items[flags.count++] = phi.flag;
  return flags;
}();
constexpr std::size_t place_of(const Activation& phi) {
  return std::size_t(std::find(activations.begin(), activations.end(), phi) - activations.begin());
}

// Calls job(k, random) for each network: no two draw the same numbers.
template <class Job>
void run_networks(Pool& pool, std::size_t count, std::uint64_t seed, std::uint64_t stream,
                  const Job& job) {
  run_grid(pool, "networks", {count},
           [&](std::size_t k) { job(k, Random(seed_of_run(seed, k), stream)); });
}

// Returns the geometric means over networks of both second moments, layer by layer.
inline Signal geometric_means(const std::vector<Signal>& networks) {
  Signal means;
  for (const auto line : {&Signal::forward, &Signal::backward})
    for (std::size_t l = 0; l < (networks.at(0).*line).size(); ++l) {
      std::vector<double> at_layer;
      for (const Signal& network : networks) at_layer.push_back((network.*line)[l]);
      (means.*line).push_back(geometric_mean(at_layer));
    }
  return means;
}

extern const Part<Pool> part0, part1, part2, part3, part4, part5, part6, part7, part8, part9;

}  // namespace lesson1
