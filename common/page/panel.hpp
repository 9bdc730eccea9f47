// What can be turned in a part, as its page shows it: sliders, lists and fields, and the command that they make. A page
// that holds the lesson's program runs it (common/web/shell.js).
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "common/support/knobs.hpp"

namespace page {

// Returns the form of a part's knobs. Without knobs it is hidden until the page can run the part.
std::string panel(int lesson, int part, const std::string& question, const knob::Knobs& knobs);

}  // namespace page
