// Lesson 6, part 6: the settings in which the five variants are compared: four starts of the weights and, under --all,
// three learning rates for each; and their paired differences as a table and as a picture.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "common/support/spread.hpp"
#include "lessons/6_bma/run/session.hpp"

namespace lesson6 {

inline constexpr std::array<std::pair<Gate, Gate>, 5> shown_pairs{{{Gate::bma, Gate::standard},
                                                                   {Gate::half, Gate::standard},
                                                                   {Gate::bma, Gate::half},
                                                                   {Gate::attending, Gate::half},
                                                                   {Gate::post, Gate::half}}};

std::string name_of(const std::pair<Gate, Gate>& pair);

// The same start, read-out and rate for all five.
struct Setting {
  Recipe recipe;
  Compared compared;

  std::string name() const;
  Spread difference(Gate one, Gate other) const;
};

// Returns the settings by rate. The first is that of the session's comparison, at the rate of the flags.
using Settings = std::vector<std::vector<Setting>>;
Settings all_settings(Session& session);

// Returns how far the mean difference of a pair lies from those that were measured before, in standard errors of their
// difference: the furthest of all settings. Of the 200 that --seed 1 to 40 gave, the mean was 1.5, the deviation .7,
// the largest 4.3.
double furthest(const Settings& rates, std::size_t pair);

// Of the settings in which so many pairs can tell the sign of a difference, by those measured figures: how many there
// are, and in how many the pairs lie beyond luck on that side.
struct Told {
  std::size_t can = 0, did = 0;
};
Told told(const Settings& rates, std::size_t pair);

// Returns the table of one rate.
Table table_of(const Session& session, const std::vector<Setting>& settings);

// Returns two upright lines for each setting, with a mark for each pair: bma against standard attention, and against the
// control.
plot::Chart chart_of(const std::vector<Setting>& settings);

}  // namespace lesson6
