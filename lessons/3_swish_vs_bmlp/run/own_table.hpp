// Lesson 3: --data, the models of the lesson on the reader's own table.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "lessons/3_swish_vs_bmlp/run/session.hpp"

namespace lesson3 {

// Returns names as the tables and messages have room for.
std::vector<std::string> short_names(std::vector<std::string> names);

// Returns the exit status. Throws UserError.
int run_own_table(Session& session);

}  // namespace lesson3
