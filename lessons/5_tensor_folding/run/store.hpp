// Lesson 5: a trained net as a file that other systems read too: safetensors, float32.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include "common/support/safetensors.hpp"
#include "lessons/5_tensor_folding/model/02_net.hpp"

namespace lesson5 {

// Returns the file that holds the net.
safetensors::File file_of(const Net<float>& net);

// Stores the net. Throws UserError when the file cannot be written; an old file at that place then stays as it was.
void save_net(const std::string& path, const Net<float>& net);

// Returns the net without embedding or biases that the file holds, for images of so many pixels and ten classes. Throws
// std::runtime_error.
Net<float> net_in(const safetensors::File& file, std::size_t inputs);

// Returns the net of the file at this path. Throws UserError when the file cannot be read, or holds no such net.
Net<float> load_net(const std::string& path, std::size_t inputs);

}  // namespace lesson5
