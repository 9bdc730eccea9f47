// Lesson 4: --export, a small fixed batch with all gradients, and the gates.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace lesson4 {

// Returns the exit status. Throws UserError when the file cannot be written.
int export_lesson4(const std::string& path);

}  // namespace lesson4
