// Lesson 6, part 4: the task that separates the gates: a mask that only the attending token knows.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "common/support/spread.hpp"
#include "lessons/6_bma/mask_task.hpp"

inline constexpr std::array<std::size_t, 3> mask_heads{1, 2, 8};

// R² by number of heads, variant and seed.
using MaskScores = std::array<std::array<std::vector<double>, all_gates.size()>, mask_heads.size()>;

inline MaskScores mask_scores(Pool& pool, const mask_task::Settings& settings, std::size_t seeds) {
  MaskScores found;
  for (auto& row : found) row.fill(std::vector<double>(seeds));
  // Many heads take longest, and come first, so that no thread is left with them at the end.
  run_with_progress(pool, "mask task", mask_heads.size() * all_gates.size() * seeds, [&](std::size_t job) {
    const std::size_t h = mask_heads.size() - 1 - job / (all_gates.size() * seeds);
    const std::size_t g = job / seeds % all_gates.size(), k = job % seeds;
    mask_task::Settings own = settings;
    own.seed += k;
    found[h][g][k] = mask_task::trained(all_gates[g], mask_heads[h], own);
  });
  return found;
}

inline void show(Lesson& lesson, const MaskScores& found) {
  constexpr std::array whose{"-", "-", "token that is read", "token that reads", "token that reads"};
  Table table{{"attention", "gate made by", "1 head", "2 heads", "8 heads"}, {}};
  for (std::size_t g = 0; g < all_gates.size(); ++g) {
    std::vector<std::string> row{name_of(all_gates[g]), whose[g]};
    for (const auto& scores : found) row.push_back(spread_of(scores[g]).text(3));
    table.rows.push_back(row);
  }
  table.rows.push_back({"scores alone", "predicted", "0.5625", "0.625", "1"});
  lesson.show(table);
}

inline void part4(Lesson& lesson, Pool& pool) {
  mask_task::Settings settings;
  settings.steps = lesson.steps(settings.steps, 60);
  settings.seed = lesson.options().seed;
  const std::size_t seeds = lesson.options().quick ? 1 : 3;
  lesson.say(
      "Can a gate apply a mask that only the attending token knows? Two tokens. The first holds a content c of eight "
      "normal numbers; the second a mask κ of eight coin tosses, 0 or 1, and reads the first: it must put out κ ⊙ c. "
      "One attention layer with its output product has to do it, without residual stream or feed-forward.");
  lesson.say(
      "Predict R² before you read on, of a gate that the first token makes and of one that the second makes. Whoever "
      "does not know κ says E[κ]·c = c/2 at best, and misses by (κ - 1/2)·c, whose mean square is 1/4·E[c²] = 1/4. The "
      "target's is E[κ²]·E[c²] = 1/2. So R² = 1 - (1/4)/(1/2) = 1/2. Whoever knows κ can reach 1.");
  // 160,000 numbers c²(k - 1/2)² over as many (k·c)²: 1 - R² has a relative standard deviation of √(3/160,000), and 4 of them
  // are .0087.
  lesson.claim("c/2, on 20,000 fresh examples: R²", mask_task::r_squared_of_half(20'000, Random(settings.seed, 67)),
               within(0.5, 0.009));
  lesson.say(
      "But the scores know both tokens, gate or none. A head has one weight for the first token, so all m features "
      "that it carries are let through alike, and the best weight that looks at the mask alone is the share ρ of ones "
      "among them. What is missed is "
      "E[(κ - ρ)²] = 1/4 - 1/(4m) of E[c²], so R² = 1/2 + 1/(2m); with H heads for 8 features, m = 8/H, it is 1/2 + "
      "H/16. Trained, ",
      settings.steps, " steps, ", seeds, seeds == 1 ? " seed:" : " seeds:");
  const MaskScores found = mask_scores(pool, settings, seeds);
  show(lesson, found);

  const auto mean = [&](std::size_t heads, Gate gate) { return spread_of(found[heads][std::size_t(gate)]).mean; };
  const auto most = [&](std::size_t heads, auto... gates) { return std::max({mean(heads, gates)...}); };
  const auto least = [&](std::size_t heads, auto... gates) { return std::min({mean(heads, gates)...}); };
  // 20 seeds. One head: standard .5565 ± .0018, half and bma within .0005 of it, pair by pair bma - standard -.0002 ± .0003,
  // attending .9999 ± .0000, post .9992 ± .0001. Two heads: standard .617 ± .004, half .618 ± .004, bma .651 ± .013. Eight:
  // standard .992 ± .011, half .992 ± .009, bma .993 ± .010.
  lesson.claim_trained("one head, the best of standard, half and bma", most(0, Gate::standard, Gate::half, Gate::bma),
                       at_most(0.6));
  lesson.claim_trained("one head, the worse of attending and post", least(0, Gate::attending, Gate::post),
                       at_least(0.99));
  lesson.claim_trained("one head, standard: R² is 1/2 + 1/16", mean(0, Gate::standard), within(0.5625, 0.015));
  lesson.claim_trained("two heads, standard: R² is 1/2 + 2/16", mean(1, Gate::standard), within(0.625, 0.025));
  lesson.claim_trained("one head, bma minus standard", mean(0, Gate::bma) - mean(0, Gate::standard), within(0, 0.005));
  lesson.claim_trained("two heads, bma", mean(1, Gate::bma), at_most(0.75));
  lesson.claim_trained("eight heads, the worst of all five",
                       least(2, Gate::standard, Gate::half, Gate::bma, Gate::attending, Gate::post), at_least(0.9));
  lesson.say(
      "A value that is gated by its own token has no way to the mask: with one head bma stands where standard "
      "attention does, and with two it gains a little and stays far from 1. With one head for each feature no gate is "
      "needed, since the weights are gates themselves. Set by hand: let the key of head f be 2κ_f - 1, 0 for the first "
      "token; its query the same -10·√2 for all, a bias; its value c_f. Then the weight on the first token is "
      "σ(10·(2κ_f - 1)), nearly κ_f.");
  // What is missed is σ(-10) = 4.5e-5 of c, for k = 0 and 1 alike: 2·σ(-10)² = 4.1e-9.
  lesson.claim("standard attention, eight heads, set by hand: 1 - R²",
               1 - mask_task::r_squared(mask_task::by_hand<double>(10), 20'000, Random(settings.seed, 68)),
               within(4.12e-9, 0.1e-9));
}
