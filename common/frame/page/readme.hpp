// What a README becomes on a lesson's page.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/frame/page/page.hpp"

namespace page {

// What a heading of level 2 begins. The first section has none.
struct Section {
  std::string title = {}, anchor = {}, html = {};
  std::string ends = {};  // of the folds that it leaves open
  bool asks = false;      // for a prediction
};

// The text with what the run found in its places, and what stands behind it.
struct ReadText {
  std::vector<Section> sections;
  std::string other_derivations;  // which the text does not ask for, folded
  std::string listing;            // the code of the equations; a number fetches it
};
ReadText read_text(const LessonPage& lesson, const std::vector<markdown::Block>& blocks,
                   Results& results, markdown::Complaints& complaints);

// Returns the number that a title begins with, as "3. Three"; else -1.
int part_of(const std::string& title);

}  // namespace page
