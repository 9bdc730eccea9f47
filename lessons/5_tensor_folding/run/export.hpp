// Lesson 5: what --export writes.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace lesson5 {

// Writes a small fixed batch with all gradients, so that another system can check the derivation, and the net as one
// tensor with its eigenvectors. Returns the exit status. Throws UserError when the file cannot be written.
int export_lesson5(const std::string& path);

}  // namespace lesson5
