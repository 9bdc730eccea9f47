// Lesson 5: trains classifiers of images, with noise on them where that is wanted; stores and loads
// a trained net.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>

#include "common/files/checkpoint.hpp"
#include "common/loss.hpp"
#include "common/optimizer.hpp"
#include "common/terminal/flags.hpp"
#include "common/text/words.hpp"
#include "lessons/5_tensor_folding/models.hpp"

namespace lesson5 {

struct ClassifierSettings {
  long steps = 1500;
  std::size_t batch = 128;
  double rate = 3e-3;  // the peak; half a cosine takes it to 0
  double decay = 0.01;
  double noise = 0;  // standard deviation of what is added to each pixel of each batch
};

// Returns what all nets of the lesson are trained with, unless a part says otherwise.
inline std::string settings_text() {
  const ClassifierSettings s;
  return join("batches of ", s.batch, " images, ", s.steps, " steps of AdamW at a rate of ",
              significant(s.rate), " that falls to 0 along half a cosine, weight decay ",
              significant(s.decay));
}

// Trains a model in place, by the cross-entropy of images drawn at random with replacement. Drawing
// a normal number for each pixel of each batch would take longer than the training: noise comes
// from a store of such numbers, of which each row of a batch gets a stretch that starts at random.
// Throws Diverged when the loss is a hundred times that of knowing nothing, or NaN.
template <class Model>
void train(Model& model, const Images& images, const ClassifierSettings& settings, Random random) {
  AdamW<float> adam({.decay = settings.decay});
  Matrix<float> X(settings.batch, images.X.cols());
  std::vector<float> noise(settings.noise > 0 ? X.cols() + 100'000 : 0);
  for (float& number : noise) number = float(settings.noise * random.normal());
  std::vector<std::uint32_t> labels(settings.batch);
  Pass<Model> pass(model);
  for (long step = 0; step < settings.steps; ++step) {
    for (std::size_t i = 0; i < settings.batch; ++i) {
      const std::size_t picked = std::size_t(random.below(images.labels.size()));
      std::copy(images.X.row(picked).begin(), images.X.row(picked).end(), X.row(i).begin());
      labels[i] = images.labels[picked];
      if (noise.empty()) continue;
      const float* from = noise.data() + random.below(noise.size() - X.cols());
      for (float& x : X.row(i)) x += *from++;
    }
    const auto loss_of = [&](const Matrix<float>& Y) {
      return softmax_cross_entropy<float>(Y, labels);
    };
    check_below(100 * std::log(10.0), pass.run(model, X, loss_of), step);
    adam.step(model.tensors(), pass.g.parameters.tensors(),
              cosine_rate(step, settings.steps, settings.rate));
  }
}

// models.cpp makes these once, optimized.
extern template void train(Net<float>&, const Images&, const ClassifierSettings&, Random);
extern template void train(LinearNet<float>&, const Images&, const ClassifierSettings&, Random);
extern template void train(ReluNet<float>&, const Images&, const ClassifierSettings&, Random);

// -------------------------------------------------------------------------------- part 12:
// operations on a few numbers

struct OperationSettings {
  std::size_t products = 64;
  long steps = 600;
  double rate = 0.02, start = 0.4,
         seen = 0.7;  // the start's standard deviation; the share of pairs to learn from
  double decay = 1;
};

// Trains a product net on pairs (a, b) of numbers below a modulus, drawn at random, by the mean
// squared error: its input is a and b, one-hot beside each other, its target operation(a, b),
// one-hot. Returns it with the shares of seen and unseen pairs that were right after every tenth
// step. Throws std::out_of_range where a target is not below the modulus. In models.cpp, which is
// optimized.
struct Learned {
  Net<float> net;
  std::vector<double> seen, unseen;
};
using Operation = std::function<std::size_t(std::size_t a, std::size_t b)>;
Learned learn(const Operation& operation, std::size_t modulus, const OperationSettings& settings,
              Random random);

// ------------------------------------------------------------------------------------- stored nets

// Returns the file that holds the net: safetensors, float32.
inline safetensors::File file_of(const Net<float>& net) {
  safetensors::File file;
  file.metadata = {
      {"lesson", "5"}, {"model", "net"}, {"formula", "H = (X W) * (X V); logits = H U"}};
  add_tensors(file, "", net.tensors());
  return file;
}

// Returns the net without embedding or biases that the file holds, for images of so many pixels and
// ten classes. Throws std::runtime_error.
inline Net<float> net_in(const safetensors::File& file, std::size_t inputs) {
  const auto entry = [&](const std::string& key) {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? std::string("none") : found->second;
  };
  if (entry("lesson") != "5" || entry("model") != "net")
    throw UserError("holds no net of lesson 5 (lesson: " + excerpt(entry("lesson")) +
                    ", model: " + excerpt(entry("model")) + ")");
  const safetensors::Shape& shape = file.at("W").shape;
  if (shape.size() != 2 || shape[1] == 0) throw UserError("tensor 'W' is no matrix");
  if (shape[0] != inputs)
    throw UserError(join("is made for ", shape[0], " pixels, and these images have ", inputs));
  Net<float> net({inputs, 0, shape[1], 10, Biases::without});
  read_tensors(file, net.tensors());
  check_finite(net.tensors());
  return net;
}

}  // namespace lesson5
