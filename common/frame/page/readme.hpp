// What a README becomes on a lesson's page.
// SPDX-License-Identifier: MIT
#pragma once
#include <set>

#include "common/frame/page/page.hpp"

namespace page {

// The text with what the run found in its places, and what stands behind it.
struct ReadText {
  std::string html;
  std::vector<int> folds;         // that each section leaves open; the first has no heading
  std::set<int> asking;           // the parts of which the text asks for a prediction
  std::string other_derivations;  // which the text does not ask for, folded
  std::string listing;            // the code of the equations; a number fetches it
};
ReadText read_text(const LessonPage& lesson, const std::vector<markdown::Block>& blocks,
                   Results& results, markdown::Complaints& complaints);

// Returns the number that a title begins with, as "3. Three"; else -1.
int part_of(const std::string& title);

}  // namespace page
