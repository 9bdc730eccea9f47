// Lesson 5: stores and loads a trained net.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/run/store.hpp"

#include "common/support/checkpoint.hpp"
#include "common/support/flags.hpp"
#include "common/support/words.hpp"

namespace lesson5 {

safetensors::File file_of(const Net<float>& net) {
  safetensors::File file;
  file.metadata = {{"lesson", "5"}, {"model", "net"}, {"formula", "H = (X W) * (X V); logits = H U"}};
  add_tensors(file, "", net.tensors());
  return file;
}

void save_net(const std::string& path, const Net<float>& net) {
  blame("--save", [&] { safetensors::save(path, file_of(net)); });
}

Net<float> net_in(const safetensors::File& file, std::size_t inputs) {
  const auto entry = [&](const std::string& key) {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? std::string("none") : found->second;
  };
  if (entry("lesson") != "5" || entry("model") != "net")
    throw UserError("holds no net of lesson 5 (lesson: " + excerpt(entry("lesson")) +
                    ", model: " + excerpt(entry("model")) + ")");
  const safetensors::Shape& shape = file.at("W").shape;
  if (shape.size() != 2 || shape[1] == 0) throw UserError("tensor 'W' is no matrix");
  if (shape[0] != inputs) throw UserError(join("is made for ", shape[0], " pixels, and these images have ", inputs));
  Net<float> net({inputs, 0, shape[1], 10, Biases::without});
  read_tensors(file, net.tensors());
  check_finite(net.tensors());
  return net;
}

Net<float> load_net(const std::string& path, std::size_t inputs) {
  const safetensors::File file = blame("--load", [&] { return safetensors::load(path); });
  return blame("--load: '" + path + "'", [&] { return net_in(file, inputs); });
}

}  // namespace lesson5
