// Lesson 6: what the layers keep, in bytes: the matrices of a trace as they stand after a forward pass.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include "lessons/6_bma/model/5_language_model.hpp"

namespace lesson6 {

std::size_t bytes_of(const GatedAttention<float>::Trace& t);
std::size_t bytes_of(const LanguageModel<float>::Trace& t);

// Returns "12 KB".
std::string kilobytes(std::size_t bytes);

}  // namespace lesson6
