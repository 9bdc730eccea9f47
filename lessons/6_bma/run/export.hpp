// Lesson 6: what --export writes.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace lesson6 {

// Writes a small fixed batch with all gradients, so that another system can check the derivation: each of the five
// attention layers, and a language model under the names of its state_dict. Returns the exit status. Throws UserError
// when the file cannot be written.
int export_lesson6(const std::string& path);

}  // namespace lesson6
