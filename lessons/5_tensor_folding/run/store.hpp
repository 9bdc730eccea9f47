// Lesson 5: a trained net as a file that other systems read too: safetensors, float32.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>

#include "common/support/checkpoint.hpp"
#include "common/support/flags.hpp"
#include "net.hpp"

inline safetensors::File file_of(Net<float> net) {
  safetensors::File file;
  file.metadata = {{"lesson", "5"}, {"model", "net"}, {"formula", "H = (X W) * (X V); logits = H U"}};
  add_tensors(file, "", net.tensors());
  return file;
}

// Throws UserError when the file cannot be written; an old file at that place then stays as it was.
inline void save_net(const std::string& path, const Net<float>& net) {
  blame("--save", [&] { safetensors::save(path, file_of(net)); });
}

// The net without embedding or biases that the file holds, for images of so many pixels and ten classes. Throws
// std::runtime_error.
inline Net<float> net_in(const safetensors::File& file, std::size_t inputs) {
  const auto entry = [&](const std::string& key) {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? std::string("none") : found->second;
  };
  if (entry("lesson") != "5" || entry("model") != "net")
    throw UserError("holds no net of lesson 5 (lesson: " + entry("lesson") + ", model: " + entry("model") + ")");
  const safetensors::Shape& shape = file.at("W").shape;
  if (shape.size() != 2 || shape[1] == 0) throw UserError("tensor 'W' is no matrix");
  if (shape[0] != inputs) throw UserError(join("is made for ", shape[0], " pixels, and these images have ", inputs));
  Net<float> net({inputs, 0, shape[1], 10, false});
  read_tensors(file, net.tensors());
  for (const auto& [name, tensor] : net.tensors())
    for (const float x : tensor.values())
      if (!std::isfinite(x)) throw UserError("tensor '" + name + "' holds a number that is not finite");
  return net;
}

inline Net<float> load_net(const std::string& path, std::size_t inputs) {
  const safetensors::File file = blame("--load", [&] { return safetensors::load(path); });
  return blame("--load: '" + path + "'", [&] { return net_in(file, inputs); });
}
