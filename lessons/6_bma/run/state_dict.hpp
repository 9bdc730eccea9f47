// Lesson 6: the model under the names and shapes of a PyTorch state_dict: weights out x in, where ours are in x out;
// query, key and value in one tensor; rows as vectors. So a stored model can be loaded there, and its gradients
// compared.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "common/support/safetensors.hpp"
#include "lessons/6_bma/model/5_language_model.hpp"

namespace lesson6 {

// Adds all tensors of the model under prefix + their names.
template <class T>
void add_state_dict(safetensors::File& file, const std::string& prefix, const LanguageModel<T>& model);

// Fills the model from such tensors. Throws std::runtime_error, and the model is then good for nothing, when one is
// missing or has another shape or type.
void read_state_dict(const safetensors::File& file, const std::string& prefix, LanguageModel<float>& model);

}  // namespace lesson6
