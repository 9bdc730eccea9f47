// Lesson 1: what --export writes.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace lesson1 {

// Writes a small fixed batch with all gradients, so that another system can check the derivation. Returns the exit
// status. Throws UserError when the file cannot be written.
int export_lesson1(const std::string& path);

}  // namespace lesson1
