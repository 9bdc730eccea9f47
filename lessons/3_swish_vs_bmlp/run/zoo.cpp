// Lesson 3: the names by which its models are asked for.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"

namespace lesson3 {

std::string model_keys() {
  std::string keys;
  for_each_model(1, 1, [&](const std::string& key, const char*, auto) { keys += (keys.empty() ? "" : ", ") + key; });
  return keys;
}

}  // namespace lesson3
